"""Journals that programs keep of their games, imported as logs; and which rules such a program departs from."""
