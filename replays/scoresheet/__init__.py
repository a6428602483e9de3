"""Score sheets: a game written down as on paper, one decision a line, and the log it stands for."""
