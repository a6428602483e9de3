"""Journals of another implementation of Compile: decisions, and the whole field after every step.

The importer plays the decisions on a table of its own and writes down what a scorekeeper would: choices, the order
of texts set off at once, and what only chance can tell (new decks). From one moment at which the recorder waits for a
decision to the next it looks for the cheapest way that leads to the snapshot (`moves`). What the source did otherwise
than the rules stands in the log as it happened; judging it is the auditor's part. Where no way is found it leaves a gap
and goes on from the next position that the journal shows as a whole. A game that cannot be read is set aside.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct, to_builtins

from audit.core.auditor import audit
from audit.core.errors import SetupError
from audit.core.event_rules import numbered
from audit.core.model import Event, Header
from audit.core.typed_setup import count_noun
from audit.games.compile import RULESET
from audit.games.compile.state import State
from replays.errors import Problem, UnwritableError
from replays.importing.journals.decks import DeckLaidOtherwiseError, Relaid, relaid
from replays.importing.journals.moves import Work
from replays.importing.journals.reading import JournalGame, SetAside, games, journal
from replays.importing.journals.snapshots import SnapshotDifference
from replays.importing.journals.table import MAX_WORK_OF_A_GAME, JournalGap, JournalTable
from replays.log.writer import write_log

__all__ = [
    "ImportSummary",
    "ImportedGame",
    "JournalFinding",
    "games",
    "import_games",
    "imported",
    "summary_line",
    "total_line",
]

MAX_RELAID = 20


class ImportedGame(Struct, frozen=True):
    """A game as a log, and what could not be explained.

    Lines are those of the game, its header being 0. `lines` gives for each event the line it comes from, `waits` the
    positions compared, each with its line; `departures` the lines where the source did what the rules do not offer,
    `ahead` those where it asked a question and went on under it, `relaid` the decks that lie in another order than
    the source has them, `unexplained` the lines no way led to, `gaps` what the log does not hold,
    `by_prompt` those whose decision was read by its prompt and the snapshots alone.
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
    gaps: tuple[JournalGap, ...]
    by_prompt: tuple[int, ...]

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
    gaps: tuple[JournalGap, ...]
    by_prompt: tuple[int, ...]
    findings: tuple[JournalFinding, ...]

    @property
    def is_whole(self) -> bool:
        """Whether the log tells all that the journal does, and every snapshot shows its position."""
        return not self.unexplained

    def json(self) -> dict[str, object]:
        """The summary for a program to read."""
        found: dict[str, object] = to_builtins(self)
        return found


def imported(game: JournalGame) -> ImportedGame:
    """One game of a journal as a log; raises `SetupError` where its header and deal do not fit."""
    changes: list[Relaid] = []
    work = Work(MAX_WORK_OF_A_GAME)
    while True:
        table = JournalTable(game, work, relays=len(changes) < MAX_RELAID)
        try:
            table.go_through()
        except DeckLaidOtherwiseError as error:
            changes.append(error.relaid)
            game = relaid(game, error.relaid)
            continue
        return _result(table, tuple(changes))


def imported_or_set_aside(game: JournalGame | SetAside) -> ImportedGame | SetAside:
    """The same, with a game whose header and deal do not fit set aside."""
    if isinstance(game, SetAside):
        return game
    try:
        return imported(game)
    except SetupError as error:
        return SetAside(game.head.g, Problem(game.line, f"the deal: {error.field}", error.expected, "something else"))


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
        gaps=tuple(table.gaps),
        by_prompt=tuple(sorted(table.by_prompt)),
    )


def import_games(path: str | Path | BinaryIO, out: str | Path) -> Iterator[ImportSummary | SetAside]:
    """Write one log a game into a folder before the next game is read; say how each compares, or why it is set aside.

    Raises `LogError` where there is no journal to read, and `UnwritableError`.
    """
    numbers: set[int] = set()
    for game in journal(path):
        if isinstance(game, JournalGame) and game.head.g in numbers:
            found = f"game {game.head.g} a second time"
            yield SetAside(game.head.g, Problem(game.line, "g", "a number of its own", found))
            continue
        one = imported_or_set_aside(game)
        if isinstance(one, ImportedGame):
            numbers.add(one.game)
            yield _written(one, _folder(out) / f"game-{one.game}.jsonl")
        else:
            yield one


def _folder(out: str | Path) -> Path:
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise UnwritableError(str(out), problem.strerror or str(problem)) from None
    return folder


def _written(one: ImportedGame, path: Path) -> ImportSummary:
    write_log(path, one.header, one.events)
    return ImportSummary(
        one.game, str(path), len(one.events), one.compared, one.differences, one.departures, one.ahead, one.relaid,
        one.unexplained, one.gaps, one.by_prompt, findings(one),
    )  # fmt: skip


def findings(one: ImportedGame) -> tuple[JournalFinding, ...]:
    """What the auditor finds in the log of an imported game."""
    return tuple(
        JournalFinding(one.lines[step.seq - 1], step.seq, step.verdict.value, step.rules[0].id if step.rules else "")
        for step in audit(RULESET, one.header, one.events)
        if step.verdict.is_finding and step.seq is not None
    )


def summary_line(result: ImportSummary | SetAside) -> str:
    """One game of the table that `audit import` prints."""
    if isinstance(result, SetAside):
        name = "lines without a game" if result.game is None else f"game {result.game}"
        return f"{name}: set aside; {result.problem.text}"
    parts = [
        f"game {result.game}: {count_noun(result.events, 'event')}",
        f"{count_noun(result.compared, 'snapshot')} compared",
        f"{count_noun(len(result.differences), 'difference')}",
        f"{count_noun(len(result.unexplained), 'step')} without explanation{_at(result.unexplained)}",
    ]
    parts += [
        f"gap from line {gap.first} to {gap.last}, {count_noun(gap.decisions, 'decision')} left out"
        for gap in result.gaps
    ]
    if result.by_prompt:
        parts.append(f"{count_noun(len(result.by_prompt), 'decision')} read by the prompt")
    if result.ahead:
        parts.append(f"source ahead{_at(result.ahead)}")
    parts += [f"deck of {one.seat} relaid up to line {one.line}" for one in result.relaid]
    parts += [f"{found.verdict} at line {found.line}, {found.rule}" for found in result.findings]
    return "; ".join(parts)


def total_line(results: Sequence[ImportSummary | SetAside]) -> str:
    """The last line that `audit import` prints: what was written, and what could not be."""
    written = [result for result in results if isinstance(result, ImportSummary)]
    gaps = [gap for result in written for gap in result.gaps]
    return "; ".join(
        (
            f"{count_noun(len(results), 'game')}: {len(written)} written, {len(results) - len(written)} set aside",
            count_noun(sum(result.events for result in written), "event"),
            f"{count_noun(sum(result.compared for result in written), 'snapshot')} compared",
            f"{count_noun(len(gaps), 'gap')} in {count_noun(sum(bool(result.gaps) for result in written), 'game')}"
            f" with {count_noun(sum(gap.decisions for gap in gaps), 'decision')} left out",
            f"{count_noun(sum(not result.is_whole for result in written), 'game')} not wholly explained",
            f"{count_noun(sum(bool(result.findings) for result in written), 'game')} with findings",
        )
    )


def _at(lines: tuple[int, ...]) -> str:
    if not lines:
        return ""
    return (" at line " if len(lines) == 1 else " at lines ") + ", ".join(map(str, lines))
