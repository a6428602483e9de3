"""Questions that are asked of every game of a season, and whose answers are kept from one run to the next."""

from __future__ import annotations

from typing import Protocol, TypeVar

from replays.season.sources import Source

A = TypeVar("A")


class Question(Protocol[A]):
    """What is asked of every game, a plain value for other processes. By its name and its fields an answer is found."""

    @property
    def kind(self) -> type[A]:
        """What an answer is."""

    def answer(self, source: Source) -> A:
        """What is to be said of a game; what cannot be judged says why."""

    def to_keep(self, answer: A) -> A | None:
        """The answer without the name of its log, true of every log with these bytes; None where it is not kept."""

    def named(self, answer: A, source: Source) -> A:
        """An answer that was kept, or that another machine gave, told of this log."""

    def lost(self, source: Source) -> A:
        """What is said of a log that ended the processes it was given to."""


def lost(source: Source) -> str:
    """That a log ended the processes it was given to."""
    return f"{source.name}: the process that judged it died, and so did a second one; the log was passed over"
