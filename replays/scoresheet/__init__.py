"""Score sheets: a game written down as on paper, one decision a line, and the log it stands for."""

from replays.scoresheet.sheet import read_sheet, write_sheet

__all__ = ["read_sheet", "write_sheet"]
