"""Judging one game of a season: what is asked, and what comes of it, both as plain values for other processes."""

from __future__ import annotations

from msgspec import Struct

from audit.errors import AuditError
from replays.annotating.annotate import Report, check_with_facts, with_edition
from replays.annotating.facts import Facts
from replays.errors import LogError
from replays.season.asked import Asked
from replays.season.sources import Source

__all__ = ["Asked", "Judged", "judged"]


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
