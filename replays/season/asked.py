"""What is asked of the games of a season. It loads nothing else: one log alone is asked for in the same way."""

from __future__ import annotations

from msgspec import Struct


class Asked(Struct, frozen=True):
    """How the games are to be judged; an edition or reading that is not named is the log's own."""

    language: str = "en"
    reading: str | None = None
    edition: str | None = None
    complete: bool = False
