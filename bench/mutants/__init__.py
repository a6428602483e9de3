"""Changes one thing at a time in the rules and the cards, and counts how many of the changes the shipped tests notice.

`edits` changes code, `declared` changes what a card declares, `groups` says which files and which tests belong
together, `trial` runs the tests; `python -m bench.mutants` prints what they noticed.
"""
