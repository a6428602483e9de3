"""Measurement of links by meaning; see `bench/linking/__main__.py`."""
