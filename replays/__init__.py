"""Games as logs: reading, storing, sealing, annotating and comparing them."""
