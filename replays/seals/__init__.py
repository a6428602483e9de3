"""Seals of logs: making and verifying them, and the keys they are signed with."""
