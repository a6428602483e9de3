"""From where people play: saves of a virtual table become positions, records of clients and chats become score sheets.

Nothing is guessed: what can mean several things is a question with its place and its possible answers.
"""
