"""The pages of games: the list, one game at any step, comparing readings, following a game live."""
