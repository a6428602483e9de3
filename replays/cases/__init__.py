"""Cases: what a judge was asked, what was said, what was decided, and what became of it; and notes on steps."""
