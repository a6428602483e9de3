"""What is shown of the stored games: the derived tables, and what is asked of them.

They hold games, findings, steps by rule, statistics, and the words of a full-text search.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypedDict

import msgspec
from msgspec import Struct

from audit.core.model import Header, Verdict
from audit.core.typography import folded
from replays.judging.facts import Facts
from replays.store.database import Row, Tables
from replays.store.game_words import whole
from replays.store.sharing import ORIGINS, listed
from replays.store.shown_game import VERDICTS, unpacked

VERSION = 6
"""The number of the table layout. With another number the tables are made anew from the events."""
TRACKED = f"projections/{VERSION}"
PAGE = 50
JUDGE = "judge"
MAX_OFFSET = 2**63 - 1
"""The largest offset and limit that every database accepts."""

TABLES = ("shown_games", "shown_players", "shown_steps", "shown_uses", "shown_positions", "shown_facts", ORIGINS)
SHAPES = (
    "CREATE TABLE IF NOT EXISTS shown_games (id text PRIMARY KEY, place bigint, ruleset text, game text, "
    "header text, events bigint, inferred bigint, findings bigint, verdicts text, diverged_from bigint, trouble text)",
    "CREATE INDEX IF NOT EXISTS shown_games_place ON shown_games (place)",
    "CREATE TABLE IF NOT EXISTS shown_players (game text, seat text, name text, folded text, PRIMARY KEY (game, seat))",
    "CREATE TABLE IF NOT EXISTS shown_steps (game text, step bigint, seq bigint, verdict text, type text, rule text, "
    "turn text, player text, PRIMARY KEY (game, step))",
    "CREATE TABLE IF NOT EXISTS shown_uses (game text, ruleset text, rule text, steps bigint, at bytea)",
    "CREATE INDEX IF NOT EXISTS shown_uses_game ON shown_uses (game)",
    "CREATE TABLE IF NOT EXISTS shown_facts (game text PRIMARY KEY, ruleset text, judged_by text, data bytea)",
    "CREATE INDEX IF NOT EXISTS shown_facts_judged ON shown_facts (ruleset, judged_by)",
    "CREATE TABLE IF NOT EXISTS shown_positions (game text PRIMARY KEY, events bigint, data text)",
    "CREATE INDEX IF NOT EXISTS shown_uses_rule ON shown_uses (ruleset, rule)",
    f"CREATE TABLE IF NOT EXISTS {ORIGINS} (game text, origin text, PRIMARY KEY (game, origin))",
)


class GameRow(Struct, frozen=True, kw_only=True):
    """One game of the list. `trouble` says why it could not be audited, where it could not.

    `inferred` is of all steps, also of those that are amended or taken back; the verdicts are of those that stand.
    """

    id: str
    ruleset: str
    game: str
    header: Header
    events: int
    inferred: int
    findings: int
    verdicts: dict[str, int]
    diverged_from: int | None
    trouble: str
    place: int
    """The last notification about it: the higher, the newer."""

    @property
    def fidelity(self) -> str:
        """`exact`, `partial` or `diverged`."""
        if self.diverged_from is not None or self.trouble:
            return "diverged"
        return "partial" if self.verdicts.get(Verdict.INFERRED.value) else "exact"


class FindingRow(Struct, frozen=True, kw_only=True):
    """One finding: where it is, what it is, and the rule that was broken."""

    game: str
    step: int
    seq: int | None
    verdict: str
    type: str
    rule: str
    turn: str
    player: str


class StoredGameTold(TypedDict):
    """A stored game with its findings; null where it is not listed."""

    game: GameRow | None
    findings: Sequence[FindingRow]


class UseRow(Struct, frozen=True, kw_only=True):
    """One step that used a rule."""

    game: str
    ruleset: str
    rule: str
    step: int
    seq: int | None
    verdict: str


class Page(Struct, frozen=True):
    """Some games of a list, and how many there are in all."""

    rows: tuple[GameRow, ...]
    total: int


class ShownTables:
    """The derived tables, as they are read."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    @property
    def position(self) -> int:
        """The last notification that is shown."""
        return self._tables.max_tracking_id(TRACKED) or 0

    def games(
        self,
        words: str = "",
        *,
        player: str = "",
        ruleset: str = "",
        rule: str = "",
        verdict: str = "",
        page: int = 1,
        size: int = PAGE,
        audience: str = JUDGE,
    ) -> Page:
        """Games with all these words, this player, ruleset, cited rule and verdict; the newest first.

        To an audience other than the judges, those that are public, found by what the public may know of them.
        """
        where = list(self._conditions(words, player, ruleset, rule, verdict, audience))
        clause = " WHERE " + " AND ".join(sql for sql, _ in where) if where else ""
        values = tuple(value for _, values in where for value in values)
        ((total,),) = self._tables.read(f"SELECT COUNT(*) FROM shown_games{clause}", values)
        rows = self._tables.read(
            f"SELECT {_GAME} FROM shown_games{clause} ORDER BY place DESC, id LIMIT ? OFFSET ?",
            (*values, size, min(max(page - 1, 0) * size, MAX_OFFSET)),
        )
        return Page(tuple(map(_game, rows)), int(str(total)))

    def every_game(self, ruleset: str = "") -> Iterator[GameRow]:
        """All games (of one ruleset, where it is named), read page by page."""
        number = 1
        while rows := self.games(ruleset=ruleset, page=number).rows:
            yield from rows
            number += 1

    def game(self, id: str) -> GameRow | None:
        """One game of the list."""
        rows = self._tables.read(f"SELECT {_GAME} FROM shown_games WHERE id = ?", (id,))
        return _game(rows[0]) if rows else None

    def findings(self, game: str) -> tuple[FindingRow, ...]:
        """The findings of a game, in order."""
        rows = self._tables.read(f"SELECT {_FINDING} FROM shown_steps WHERE game = ? ORDER BY step", (game,))
        return tuple(msgspec.convert(row, FindingRow) for row in _named(rows, _FINDING))

    def uses(self, ruleset: str, rule: str, limit: int = 500, offset: int = 0) -> tuple[UseRow, ...]:
        """Every step in the store that used a rule, by game."""
        rows = self._tables.read(
            "SELECT game, at FROM shown_uses WHERE ruleset = ? AND rule = ? ORDER BY game", (ruleset, rule)
        )
        found = (
            UseRow(game=str(game), ruleset=ruleset, rule=rule, step=step, seq=seq, verdict=verdict)
            for game, at in rows
            for step, seq, verdict in unpacked(at)
        )
        return tuple(islice(found, offset, offset + limit))

    def weights(self, ruleset: str) -> dict[str, tuple[int, int]]:
        """How many games use each rule of a ruleset, and how many steps of theirs do."""
        rows = self._tables.read(
            "SELECT rule, COUNT(*), SUM(steps) FROM shown_uses WHERE ruleset = ? GROUP BY rule", (ruleset,)
        )
        return {str(rule): (int(str(games)), int(str(steps))) for rule, games, steps in rows}

    def facts(self, ruleset: str = "", *, audience: str = JUDGE) -> Iterator[Facts]:
        """What statistics keep of every game; to others than the judges, of those that are public."""
        where = [self._listed("shown_facts.game")] if audience != JUDGE else []
        where += ["ruleset = ?"] if ruleset else []
        clause = f" WHERE {' AND '.join(where)}" if where else ""
        for (data,) in self._tables.read(f"SELECT data FROM shown_facts{clause}", (ruleset,) if ruleset else ()):
            yield _unpacked(data)

    def facts_of(self, game: str) -> Facts:
        """What statistics keep of one game; nothing where it could not be judged."""
        rows = self._tables.read("SELECT data FROM shown_facts WHERE game = ?", (game,))
        return _unpacked(rows[0][0]) if rows else Facts()

    def _conditions(
        self, words: str, player: str, ruleset: str, rule: str, verdict: str, audience: str
    ) -> Iterator[tuple[str, Row]]:
        known = "judged" if audience == JUDGE else "told"
        if audience != JUDGE:
            yield self._listed("shown_games.id"), ()
        if asked := [token for word in words.split() for token in whole(word)]:
            yield self._tables.matches(known), (self._tables.query(asked, known),)
        if player:
            yield "id IN (SELECT game FROM shown_players WHERE folded LIKE ?)", (f"%{folded(player)}%",)
        if ruleset:
            yield "ruleset = ?", (ruleset,)
        if rule:
            yield "id IN (SELECT game FROM shown_uses WHERE rule = ?)", (rule,)
        if verdict:
            known = verdict if verdict in VERDICTS else "none"
            yield "verdicts LIKE ?", (f'%"{known}":%',)

    def _listed(self, column: str) -> str:
        return listed(column, self._tables.events)


_decode_facts = msgspec.json.Decoder(Facts).decode
_GAME = "id, ruleset, game, header, events, inferred, findings, verdicts, diverged_from, trouble, place"
_FINDING = "game, step, seq, verdict, type, rule, turn, player"


def _named(rows: Iterable[Row], columns: str) -> list[dict[str, object]]:
    return [dict(zip(columns.split(", "), row, strict=True)) for row in rows]


def _game(row: Row) -> GameRow:
    (said,) = _named([row], _GAME)
    for name in ("header", "verdicts"):
        said[name] = msgspec.json.decode(str(said[name]))
    return msgspec.convert(said, GameRow)


def _unpacked(data: object) -> Facts:
    return _decode_facts(zlib.decompress(bytes(data)))  # type: ignore[call-overload]
