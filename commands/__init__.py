"""The commands of `audit`, by what they are about. `cli.py` puts them together."""
