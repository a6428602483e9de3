"""Answers a question about a position: may this happen, what would be right, and what follows by itself."""
