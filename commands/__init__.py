"""The commands of `audit`, by subject. `cli.py` puts them together."""
