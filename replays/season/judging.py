"""Judging one game of a season: what is asked, and what comes of it, both as plain values for other processes."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from audit.core.errors import AuditError
from replays.errors import LogError
from replays.judging.annotate import Report, check_with_facts, with_edition
from replays.judging.facts import Facts
from replays.season.asked import Asked
from replays.season.question import lost
from replays.season.sources import Source

__all__ = ["Asked", "Judged", "Judging", "judged"]


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
    except LogError as error:
        return Judged(source.name, trouble=tuple(error.lines()))
    except (AuditError, OSError) as error:
        return Judged(source.name, trouble=(f"{source.name}: {error}",))
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
