"""Checks of linked passages: what one language says and another does not."""
