"""What many games tell together, and the same as tables for other programs.

How long they were, which rules were broken, by whom, and which were never used.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TypedDict

from msgspec import Struct

from audit.core.errors import AuditError, UnknownRulesetError
from audit.core.ruleset import ruleset
from audit.core.typography import sanitize_text
from replays.judging.facts import Broken, Facts
from replays.judging.versions import judge

DIMENSIONS = ("event", "round", "player", "brought", "language", "edition", "ruleset")
"""By what games can be set beside each other."""
WIDTH = 50
"""Events of a game in one bar of the lengths."""
Cell = str | int | float | None
COLUMNS = (
    "game", "ruleset", "edition", "reading", "language", "event", "round", "players", "brought", "events", "turns",
    "actions", "seconds", "findings", "verdicts", "broken", "cards", "readings",
)  # fmt: skip
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes a cell for that begins so: something to carry out."""


class GroupTold(TypedDict):
    """Games that have something in common."""

    games: int
    events: int
    turns: int
    with_findings: int
    findings: int
    broken: Mapping[str, int]
    actions_a_turn: float | None
    seconds_a_turn: float | None


class JudgedBy(TypedDict):
    """How many games were judged by the same edition and reading."""

    ruleset: str
    edition: str
    reading: str
    games: int


class SummaryTold(GroupTold):
    """What many games tell together."""

    unreadable: int
    verdicts: Mapping[str, int]
    cards: Mapping[str, Mapping[str, int]]
    readings: Mapping[str, Mapping[str, int]]
    unused: Mapping[str, Sequence[str]]
    outdated: int
    judged: Sequence[JudgedBy]
    lengths: Mapping[str, int]
    by: Mapping[str, Mapping[str, GroupTold]]


class SeasonTold(TypedDict):
    """The last object of a report on many games."""

    summary: SummaryTold


class Filters(Struct, frozen=True):
    """Which games are counted; what is empty counts all."""

    ruleset: str = ""
    event: str = ""
    round: str = ""
    player: str = ""
    brought: str = ""
    language: str = ""
    edition: str = ""

    def let_through(self, facts: Facts) -> bool:
        """Whether a game is counted."""
        return all(asked in values_of(facts, name) for name in DIMENSIONS if (asked := getattr(self, name)))


def values_of(facts: Facts, dimension: str) -> tuple[str, ...]:
    """What a game is under a heading: its event, its players, what they brought."""
    if dimension == "player":
        return tuple(dict.fromkeys(name for name in facts.players.values() if name))
    if dimension == "brought":
        return tuple(dict.fromkeys(name for names in facts.brought.values() for name in names))
    said = str(getattr(facts, dimension))
    return (said,) if said else ()


@dataclass
class Group:
    """Games that have something in common."""

    games: int = 0
    events: int = 0
    turns: int = 0
    actions: int = 0
    seconds: int = 0
    timed_turns: int = 0
    findings: int = 0
    disputed: int = 0
    """Games with a finding."""
    verdicts: Counter[str] = field(default_factory=Counter)
    """Of the whole alone."""
    broken: Counter[str] = field(default_factory=Counter)

    def add(self, facts: Facts, broken: Iterable[Broken]) -> None:
        """One more game, with what was broken in it."""
        self.games += 1
        self.events += facts.events
        self.turns += facts.turns
        self.actions += facts.actions
        if rules := [one.rule for one in broken]:
            self.findings += len(rules)
            self.disputed += 1
            self.broken.update(rules)
        if facts.seconds is not None:
            self.seconds += facts.seconds
            self.timed_turns += facts.turns

    @property
    def actions_a_turn(self) -> float | None:
        """How much players decide in a turn."""
        return self.actions / self.turns if self.turns else None

    @property
    def seconds_a_turn(self) -> float | None:
        """How long a turn takes, over the games that say so."""
        return self.seconds / self.timed_turns if self.timed_turns else None


@dataclass
class Statistics:
    """All games that were counted, and the same by each heading."""

    whole: Group = field(default_factory=Group)
    by: dict[str, dict[str, Group]] = field(default_factory=lambda: {name: {} for name in DIMENSIONS})
    lengths: Counter[int] = field(default_factory=Counter)
    """Games by the number of their events, in steps of `WIDTH`."""
    cards: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Findings by game system and card."""
    questioned: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Games by game system and the switch of a reading under which they would have gone another way."""
    used: dict[str, Counter[str]] = field(default_factory=dict)
    """Games by game system and rule."""
    judged: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """Games by game system, edition and reading by which they were judged."""
    outdated: int = 0
    """Games that another version of this program judged."""
    unreadable: int = 0

    def add(self, facts: Facts, *, told: bool = False) -> None:
        """One more game; `told`: only what everybody saw of it."""
        self.whole.add(facts, facts.broken)
        self.whole.verdicts.update(facts.verdicts)
        for name, groups in self.by.items():
            for value in values_of(facts, name):
                if (group := groups.get(value)) is None:
                    group = groups[value] = Group()
                group.add(facts, _of(facts, name, value) if facts.broken else ())
        self.lengths[facts.events // WIDTH * WIDTH] += 1
        cards = (one.told if told else one.card for one in facts.broken)
        self.cards.update((facts.ruleset, card) for card in cards if card)
        self.questioned.update((facts.ruleset, switch) for switch in facts.questioned)
        self.judged[facts.ruleset, facts.edition, facts.reading] += 1
        self.outdated += facts.judged_by not in ("", _judge(facts.ruleset))
        self.used.setdefault(facts.ruleset, Counter()).update(facts.used)

    def judged_otherwise(self) -> list[tuple[str, str, str, int]]:
        """System, edition, reading and number of the games of each system whose games were not all judged alike."""
        systems = Counter(system for system, _, _ in self.judged)
        return [(*by, count) for by, count in sorted(self.judged.items()) if systems[by[0]] > 1]

    def unused(self) -> dict[str, list[str]]:
        """By game system the rules that no game used; rulings are not counted."""
        return {
            name: [rule.id for rule in ruleset(name).catalogue if rule.id not in used]
            for name, used in sorted(self.used.items())
        }


@cache
def _judge(name: str) -> str:
    try:
        return judge(ruleset(name).catalogue.package)
    except UnknownRulesetError:
        return ""


def _of(facts: Facts, dimension: str, value: str) -> Iterator[Broken]:
    """What was broken in a game under a heading: of a player, and of what they brought, only what they broke."""
    seats = {
        "player": {seat for seat, name in facts.players.items() if name == value},
        "brought": {seat for seat, names in facts.brought.items() if value in names},
    }.get(dimension)
    for one in facts.broken:
        if seats is None or one.player in seats or "" in seats:
            yield one


def statistics(facts: Iterable[Facts], filters: Filters | None = None, *, told: bool = False) -> Statistics:
    """What games tell together, those that the filters let through."""
    asked, found = filters or Filters(), Statistics()
    for one in facts:
        if asked.let_through(one):
            found.add(one, told=told)
    return found


def bars(lengths: Mapping[int, int], most: int = 15) -> list[tuple[int, int, int]]:
    """The lengths in at most so many bars, without a gap: first and last number of events, and how many games."""
    if not lengths:
        return []
    longest, width = max(lengths), next(w for w in _widths() if max(lengths) // w < most)
    counts = Counter[int]()
    for start, count in lengths.items():
        counts[start // width] += count
    return [(at * width, (at + 1) * width - 1, counts[at]) for at in range(longest // width + 1)]


def _widths() -> Iterator[int]:
    width = WIDTH
    while True:
        yield width
        width *= 2


def summary_json(found: Statistics) -> SummaryTold:
    """The whole in its published shape."""
    return {
        **group_json(found.whole), "unreadable": found.unreadable, "verdicts": dict(found.whole.verdicts),
        "cards": _by_system(found.cards), "readings": _by_system(found.questioned), "unused": found.unused(),
        "outdated": found.outdated,
        "judged": [
            {"ruleset": name, "edition": edition, "reading": reading, "games": count}
            for (name, edition, reading), count in sorted(found.judged.items())
        ],
        "lengths": {str(start): count for start, count in sorted(found.lengths.items())},
        "by": {
            name: {value: group_json(group) for value, group in sorted(groups.items())}
            for name, groups in found.by.items() if groups
        },
    }  # fmt: skip


def group_json(group: Group) -> GroupTold:
    """A group in its published shape."""
    return {
        "games": group.games, "events": group.events, "turns": group.turns, "with_findings": group.disputed,
        "findings": group.findings, "broken": dict(group.broken.most_common()),
        "actions_a_turn": _rounded(group.actions_a_turn), "seconds_a_turn": _rounded(group.seconds_a_turn),
    }  # fmt: skip


def _by_system(counts: Counter[tuple[str, str]]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for (system, name), count in counts.most_common():
        found.setdefault(system, {})[name] = count
    return found


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


# As tables, and for other programs


class ParquetError(AuditError):
    """Parquet cannot be written here."""

    def __init__(self) -> None:
        super().__init__("Parquet needs the package polars: install audit[statistics]")


def game_row(facts: Facts, *, told: bool = False) -> tuple[Cell, ...]:
    """One game as a row of `COLUMNS`; `told`: only what everybody saw of it."""
    cards = [card for one in facts.broken if (card := one.told if told else one.card)]
    return (
        facts.game, facts.ruleset, facts.edition, facts.reading, facts.language, facts.event, facts.round,
        _listed(f"{seat}: {name}" if name else seat for seat, name in facts.players.items()),
        _listed(name for names in facts.brought.values() for name in names), facts.events, facts.turns, facts.actions,
        facts.seconds, sum(1 for _ in facts.broken),
        _listed(f"{verdict}: {count}" for verdict, count in facts.verdicts.items()),
        _listed(one.rule for one in facts.broken), _listed(cards), _listed(facts.questioned),
    )  # fmt: skip


def games_csv(games: Iterable[Facts], *, told: bool = False) -> str:
    """A line for each game. A cell that a spreadsheet would carry out begins with an apostrophe."""
    return csv_of(COLUMNS, (game_row(facts, told=told) for facts in games))


def games_parquet(games: Iterable[Facts], *, told: bool = False) -> bytes:
    """The same as Parquet, which DuckDB and polars open; raises `ParquetError`."""
    try:
        import polars
    except ImportError:
        raise ParquetError from None
    numbers = {"events", "turns", "actions", "seconds", "findings"}
    schema = {name: polars.Int64 if name in numbers else polars.String for name in COLUMNS}
    rows = [game_row(facts, told=told) for facts in games]
    found = io.BytesIO()
    polars.DataFrame(rows, schema=schema, orient="row").write_parquet(found)
    return found.getvalue()


def groups_table(found: Statistics, dimension: str) -> list[tuple[Cell, ...]]:
    """A row for each value of a heading: games, findings, games with findings, the rule broken most, decisions a turn,
    seconds a turn. The values with the most findings come first."""
    groups = sorted(found.by[dimension].items(), key=lambda one: (-one[1].findings, -one[1].games, one[0]))
    return [
        (
            value, group.games, group.findings, group.disputed,
            next((rule for rule, _ in group.broken.most_common(1)), ""), group.actions_a_turn, group.seconds_a_turn,
        )
        for value, group in groups
    ]  # fmt: skip


def csv_of(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """A table in the form spreadsheets open."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([_guarded(cell) for cell in row] for row in rows)
    return out.getvalue()


def _guarded(cell: Cell) -> Cell:
    if not isinstance(cell, str):
        return cell
    text = sanitize_text(cell)
    return f"'{text}" if text.startswith(FORMULA) else text


def _listed(names: Iterable[str]) -> str:
    return "; ".join(names)
