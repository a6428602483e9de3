"""A judge's question about a position."""
