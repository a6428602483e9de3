"""Judging one game of a season: what is asked, and what comes of it, both as plain values for other processes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from audit.core.errors import AuditError
from replays.error_words import trouble_lines
from replays.judging.facts import Facts
from replays.judging.replay import with_edition
from replays.judging.report import Report, check_with_facts

if TYPE_CHECKING:
    from replays.season.sources import Source

A = TypeVar("A")
__all__ = ["Asked", "Judged", "Judging", "judged"]


class Asked(Struct, frozen=True):
    """How the games are to be judged; an edition or reading that is not named is the log's own."""

    language: str = "en"
    reading: str | None = None
    edition: str | None = None
    complete: bool = False


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


class Judged(Struct, frozen=True, omit_defaults=True):
    """What became of one game: its report and what statistics keep of it, or the trouble with it, line by line."""

    name: str
    report: Report | None = None
    facts: Facts | None = None
    trouble: tuple[str, ...] = ()


def judged(asked: Asked, source: Source) -> Judged:
    """The game judged. What cannot be judged says why."""
    try:
        log = source.open()
        log.header = with_edition(log.header, asked.edition)
        log.start()
        report, facts = check_with_facts(log, language=asked.language, reading=asked.reading, complete=asked.complete)
    except (AuditError, OSError) as error:
        return Judged(source.name, trouble=tuple(trouble_lines(source.name, error, asked.language)))
    return Judged(source.name, report, facts)


class Judging(Struct, frozen=True, tag="judge"):
    """The question what `audit check` says of a game."""

    asked: Asked

    @property
    def kind(self) -> type[Judged]:
        """A report with what statistics keep."""
        return Judged

    def answer(self, source: Source) -> Judged:
        """The game judged."""
        return judged(self.asked, source)

    def to_keep(self, answer: Judged) -> Judged | None:
        """The report without its file. What could not be judged is tried again."""
        if answer.report is None:
            return None
        return replace(answer, name="", report=replace(answer.report, log=""))

    def named(self, answer: Judged, source: Source) -> Judged:
        """The report of this file."""
        report = answer.report and replace(answer.report, log=source.name)
        return replace(answer, name=source.name, report=report)

    def lost(self, source: Source) -> Judged:
        """Nothing but the trouble."""
        return Judged(source.name, trouble=(lost(source),))
