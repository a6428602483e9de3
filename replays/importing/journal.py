"""Journals of another implementation of Compile: decisions, and the whole field after every step.

The importer plays the decisions on a table of its own and writes down what a scorekeeper would: choices, the order
of texts set off at once, and what only chance can tell (new decks). From one moment at which the recorder waits for a
decision to the next it looks for the cheapest way that leads to the snapshot (`moves`). What the source did otherwise
than the rules stands in the log as it happened; judging it is the auditor's part.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct, to_builtins

from audit.auditor import audit
from audit.compile import RULESET
from audit.compile.state import State
from audit.errors import SetupError
from audit.event_rules import numbered
from audit.model import Event, Header
from replays.errors import LogError, Problem, UnwritableError
from replays.importing.decks import DeckLaidOtherwiseError, Relaid, relaid
from replays.importing.reading import JournalGame, games, journal
from replays.importing.snapshots import SnapshotDifference
from replays.importing.table import JournalTable
from replays.log.writer import write_log

__all__ = ["ImportSummary", "ImportedGame", "JournalFinding", "games", "import_journal", "imported", "summary_line"]

MAX_RELAID = 20


class ImportedGame(Struct, frozen=True):
    """A game as a log, and what could not be explained.

    Lines are those of the game, its header being 0. `lines` gives for each event the line it comes from, `waits` the
    positions compared, each with its line; `departures` the lines where the source did what the rules do not offer,
    `ahead` those where it asked a question and went on under it, `relaid` the decks that lie in another order than
    the source has them, `unexplained` the lines no way led to.
    """

    game: int
    header: Header
    events: tuple[Event, ...]
    lines: tuple[int, ...]
    waits: tuple[tuple[int, State], ...]
    differences: tuple[SnapshotDifference, ...]
    departures: tuple[int, ...]
    ahead: tuple[int, ...]
    relaid: tuple[Relaid, ...]
    unexplained: tuple[int, ...]

    @property
    def compared(self) -> int:
        """How many snapshots were compared."""
        return len(self.waits)


class JournalFinding(Struct, frozen=True):
    """What the auditor found in the log: the journal's line, the event, the verdict, the first rule."""

    line: int
    seq: int
    verdict: str
    rule: str


class ImportSummary(Struct, frozen=True):
    """What came of one game: its log, the comparison with the snapshots, what the auditor found."""

    game: int
    log: str
    events: int
    compared: int
    differences: tuple[SnapshotDifference, ...]
    departures: tuple[int, ...]
    ahead: tuple[int, ...]
    relaid: tuple[Relaid, ...]
    unexplained: tuple[int, ...]
    findings: tuple[JournalFinding, ...]

    def json(self) -> dict[str, object]:
        """The summary for a program to read."""
        found: dict[str, object] = to_builtins(self)
        return found


def imported(game: JournalGame) -> ImportedGame:
    """One game of a journal as a log; raises `SetupError` where its header and deal do not fit."""
    changes: list[Relaid] = []
    while True:
        table = JournalTable(game)
        try:
            table.go_through()
        except DeckLaidOtherwiseError as error:
            if len(changes) >= MAX_RELAID:
                raise
            changes.append(error.relaid)
            game = relaid(game, error.relaid)
            continue
        return _result(table, tuple(changes))


def _result(table: JournalTable, changes: tuple[Relaid, ...]) -> ImportedGame:
    return ImportedGame(
        game=table.game.head.g,
        header=table.header,
        events=tuple(numbered(move.event, seq) for seq, (move, _) in enumerate(table.log, 1)),
        lines=tuple(line for _, line in table.log),
        waits=tuple(table.waits),
        differences=tuple(table.differences),
        departures=tuple(line for move, line in table.log if move.price),
        ahead=tuple(table.ahead),
        relaid=changes,
        unexplained=tuple(table.unexplained),
    )


def import_journal(path: str | Path, out: str | Path) -> list[ImportSummary]:
    """Write one log a game into a folder and say how each compares.

    Raises `LogError` where the journal cannot be read, before anything is written, and `UnwritableError`.
    """
    found = [_imported(game, str(path)) for game in journal(path)]
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise UnwritableError(str(out), problem.strerror or str(problem)) from None
    return [_written(one, folder / f"game-{one.game}.jsonl") for one in found]


def _imported(game: JournalGame, name: str) -> ImportedGame:
    try:
        return imported(game)
    except SetupError as error:
        problem = Problem(game.line, f"the deal of game {game.head.g}: {error.field}", error.expected, "something else")
        raise LogError(name, (problem,)) from None


def _written(one: ImportedGame, path: Path) -> ImportSummary:
    write_log(path, one.header, one.events)
    return ImportSummary(
        one.game, str(path), len(one.events), one.compared, one.differences, one.departures, one.ahead, one.relaid,
        one.unexplained, findings(one),
    )  # fmt: skip


def findings(one: ImportedGame) -> tuple[JournalFinding, ...]:
    """What the auditor finds in the log of an imported game."""
    return tuple(
        JournalFinding(one.lines[step.seq - 1], step.seq, step.verdict.value, step.rules[0].id if step.rules else "")
        for step in audit(RULESET, one.header, one.events)
        if step.verdict.is_finding and step.seq is not None
    )


def summary_line(summary: ImportSummary) -> str:
    """One game of the table that `audit import` prints."""
    parts = [
        f"game {summary.game}: {summary.events} events",
        f"{summary.compared} snapshots compared",
        f"{len(summary.differences)} differences",
        f"{len(summary.unexplained)} steps without explanation{_at(summary.unexplained)}",
    ]
    if summary.ahead:
        parts.append(f"source ahead{_at(summary.ahead)}")
    parts += [f"deck of {one.seat} relaid up to line {one.line}" for one in summary.relaid]
    parts += [f"{found.verdict} at line {found.line}, {found.rule}" for found in summary.findings]
    return "; ".join(parts)


def _at(lines: tuple[int, ...]) -> str:
    if not lines:
        return ""
    return (" at line " if len(lines) == 1 else " at lines ") + ", ".join(map(str, lines))
