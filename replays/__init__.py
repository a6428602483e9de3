"""The games: the log and its readers, seals, and the store."""
