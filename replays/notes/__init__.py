"""Notes on the steps of a game: kept beside its log, never in it."""
