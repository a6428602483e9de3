"""Seals of logs and of lists that only grow: made, verified and witnessed, and the keys they are signed with."""
