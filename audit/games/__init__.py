"""The games: a package each, with its events, rules, cards and words."""
