"""Imports games recorded elsewhere as logs. What is peculiar to a source is known here and nowhere else."""
