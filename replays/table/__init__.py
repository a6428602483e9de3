"""At the table: a question about a position, a game written down while it is played, and going back in it."""
