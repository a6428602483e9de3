"""The store: games kept in SQLite or PostgreSQL, and what is looked up in them."""
