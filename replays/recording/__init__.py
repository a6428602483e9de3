"""Writing a game down while it is played: each line is kept at once, judged, and followed by what leaves no choice."""
