"""Games recorded elsewhere: saves of virtual tables, records of clients and chats, journals of programs."""
