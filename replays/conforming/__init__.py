"""Which rules a program that records games departs from."""
