"""Ledgers: lists of JSON lines that only grow, in a file or in the store. Notes and cases are kept in them."""
