"""The log of a game: reading, checking and writing its lines, and the schema of its events."""

from replays.log.reader import open_log
from replays.log.writer import LogWriter, write_log

__all__ = ["LogWriter", "open_log", "write_log"]
