"""Logs made by the program: simulated games, and what a scorekeeper or one viewer would have written."""
