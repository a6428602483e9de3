"""Logs judged step by step: annotations, any step of a long game at once, deck checks."""
