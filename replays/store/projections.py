"""Tables derived from the stored events: games, findings, steps by rule, statistics, and a full-text search."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from math import inf
from time import monotonic
from typing import TypedDict

import msgspec
from eventsourcing.persistence import RecordConflictError, Tracking
from msgspec import Struct
from msgspec.structs import replace

from audit.core.errors import AuditError, UnknownRulesetError
from audit.core.model import Event, Header, Verdict
from audit.core.ruleset import Ruleset
from replays.judging.facts import Facts
from replays.judging.versions import engine, judge
from replays.log.strict_reader import Resolve
from replays.store.database import Row, Statement, Tables
from replays.store.game_words import folded, whole
from replays.store.ids import origins_of
from replays.store.rule_uses import VERDICTS, unpacked
from replays.store.sharing import ORIGINS, listed
from replays.store.shown_game import Annotate, ShownGame

Game = tuple[Header, Ruleset[object], Iterable[Event]]
Spread = Callable[[Mapping[str, int]], Iterable[Sequence[Statement]]]
"""Judges games, each with its place in the store, and gives in that order what shows them, a few games ahead."""
Told = Callable[[int], object]
"""Hears how many more games are shown."""

VERSION = 6
"""The number of the table layout. With another number the tables are made anew from the events."""
TRACKED = f"projections/{VERSION}"
BATCH = 50
"""Games shown in one transaction."""
FEW = 10
"""Games shown in one transaction while somebody waits."""
ATTEMPTS = 3
"""So often a game is judged again that others append to meanwhile."""
PAGE = 50
JUDGE = "judge"
MAX_OFFSET = 2**63 - 1
"""The largest offset and limit that every database accepts."""

LONG = 1_000
"""Events of a game whose last position is kept, so that it is there at once."""

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


def _batches(news: Sequence[tuple[str, int, int]], size: int) -> Iterator[tuple[dict[str, int], int]]:
    """Games with news, so many at a time, each with its place; and the last notification that they settle."""
    for start in range(0, len(news), size):
        following = news[start + size :]
        until = following[0][1] - 1 if following else max(last for _, _, last in news)
        yield {game: last for game, _, last in news[start : start + size]}, until


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


class Projections:
    """The derived tables, brought up to date with the store by `follow`."""

    def __init__(self, tables: Tables, read: Callable[[str], Game], annotate: Annotate, resolve: Resolve) -> None:
        """`read` gives a game's header, ruleset and events; `annotate` its steps; `resolve` a ruleset by its name."""
        self._tables = tables
        self._read = read
        self._annotate = annotate
        self._resolve = resolve
        self._former: list[str] | None = None
        """The games whose position another version kept; None where nobody has looked for them yet."""
        self._again: list[str] | None = None
        """The games that have to be judged again; None where nobody has looked for them yet."""
        self.is_stopped = False
        """Whether the store is about to be closed: after the game that is being judged no other is begun."""

    def reading(self, read: Callable[[str], Game]) -> Projections:
        """The same for games that are read elsewhere."""
        return Projections(self._tables, read, self._annotate, self._resolve)

    def make(self) -> None:
        """Make the tables where there are none, and anew where they have another shape."""
        if self._tables.max_tracking_id(TRACKED) is None:
            self.drop()

    def drop(self) -> None:
        """Empty the derived tables. The next `follow` fills them again from the events."""
        self._tables.remake(TABLES, SHAPES, TRACKED)

    @property
    def position(self) -> int:
        """The last notification that is shown."""
        return self._tables.max_tracking_id(TRACKED) or 0

    def follow(self, spread: Spread | None = None, told: Told | None = None) -> int:
        """Take in what has been stored since, and return how many games had news.

        `spread` judges many games at once, in other processes. What is taken in stays so, whatever comes after: some
        games at a time, and `told` hears each time how many they were.
        """
        news = self._tables.news(self.position)
        places = {game: last for game, _, last in news}
        shown = iter(spread(places) if spread else map(self.statements, places, places.values()))
        for games, until in _batches(news, BATCH):
            self._take_in(islice(shown, len(games)), until)
            if told:
                told(len(games))
        self._renew_positions()
        return len(news)

    def catch_up(self, seconds: float) -> int:
        """Take in what has been stored since for about so long, a few games at least; how many games are left."""
        news = self._tables.news(self.position)
        left, end = len(news), monotonic() + seconds
        for games, until in _batches(news, FEW):
            self._take_in(map(self.statements, games, games.values()), until)
            left -= len(games)
            if left and self._is_over(end):
                return left
        return left or self._judge_again(end) or self._renew_positions(end)

    def _is_over(self, end: float) -> bool:
        """Whether the time is up, or the store is about to be closed."""
        return self.is_stopped or monotonic() >= end

    def waiting(self) -> int:
        """How many games have news that is not shown yet."""
        return len(self._tables.news(self.position))

    def outdated(self) -> int:
        """How many games are shown as another version of this program judged them."""
        rows = self._tables.read("SELECT ruleset, judged_by, COUNT(*) FROM shown_facts GROUP BY ruleset, judged_by")
        return sum(int(str(count)) for ruleset, by, count in rows if by != self._judge(str(ruleset), str(by)))

    def _judge(self, ruleset: str, otherwise: str) -> str:
        """What judges the games of a ruleset today; whatever else did so where there is no such ruleset any more."""
        try:
            return judge(self._resolve(ruleset).catalogue.package)
        except UnknownRulesetError:
            return otherwise

    def _judge_again(self, end: float) -> int:
        """Judge again, until then, what another version judged; how many games are left.

        Each process does so once: while two versions serve one store, neither undoes for ever what the other does.
        """
        if self._again is None:
            self._again = list(self._outdated_games())
        while self._again and not self._is_over(end):
            self._show_again(self._again.pop())
        return len(self._again)

    def _outdated_games(self) -> Iterator[str]:
        for name, by in self._tables.read("SELECT DISTINCT ruleset, judged_by FROM shown_facts"):
            if by != self._judge(str(name), str(by)):
                sql = "SELECT game FROM shown_facts WHERE ruleset = ? AND judged_by = ?"
                yield from (str(game) for (game,) in self._tables.read(sql, (name, by)))

    def _show_again(self, game: str) -> None:
        """Judge a game again, unless another process has done so; once more if it was appended to meanwhile."""
        for _ in range(ATTEMPTS):
            shown = self._tables.read(
                "SELECT g.place, f.ruleset, f.judged_by FROM shown_games g JOIN shown_facts f ON f.game = g.id "
                "WHERE g.id = ?",
                (game,),
            )
            if not shown or shown[0][2] == self._judge(str(shown[0][1]), str(shown[0][2])):
                return
            version = self._tables.version(game)
            with suppress(RecordConflictError):
                self._tables.write(self.statements(game, int(str(shown[0][0]))))
            if self._tables.version(game) == version:
                return
            self._tables.do("UPDATE shown_facts SET judged_by = '' WHERE game = ?", (game,))

    def _renew_positions(self, end: float = inf) -> int:
        """Make anew, until then, the positions that another version kept; how many are left. Those are not used."""
        if self._former is None:
            mark = f"{engine()}\n"
            sql = "SELECT game FROM shown_positions WHERE substr(data, 1, ?) <> ?"
            self._former = [str(game) for (game,) in self._tables.read(sql, (len(mark), mark))]
        while self._former and not self._is_over(end):
            game = self._former.pop()
            sql = "UPDATE shown_positions SET events = ?, data = ? WHERE game = ?"
            self._tables.do(sql, (*self._position(game), game))
        return len(self._former)

    def statements(self, game: str, place: int) -> list[Statement]:
        """What shows a game anew: it is judged, and nothing is written."""
        return list(self._statements(game, place))

    def _take_in(self, shown: Iterable[Sequence[Statement]], until: int) -> None:
        """Show games anew. Whoever else has done so in the meantime has done it as well."""
        with suppress(RecordConflictError):
            self._tables.write(_together(shown), Tracking(TRACKED, until))

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

    def rules_used(self, ruleset: str) -> dict[str, int]:
        """How often each rule of a ruleset was used."""
        rows = self._tables.read("SELECT rule, SUM(steps) FROM shown_uses WHERE ruleset = ? GROUP BY rule", (ruleset,))
        return {str(rule): int(str(count)) for rule, count in rows}

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
            yield _decode_facts(zlib.decompress(bytes(data)))  # type: ignore[call-overload]

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

    def _statements(self, id: str, place: int) -> Iterator[Statement]:
        yield self._tables.forget_words, [(id,)]
        yield from ((f"DELETE FROM {table} WHERE {key} = ?", [(id,)]) for table, key in _KEYS.items())
        header, game, events = self._read(id)
        shown = ShownGame(id, header, game)
        shown.go(self._annotate, events)
        yield _INSERTS["shown_games"], [shown.row(place)]
        yield (
            _INSERTS["shown_players"],
            [(id, player.seat, player.name, folded(player.name)) for player in header.players],
        )
        yield _INSERTS["shown_steps"], shown.findings
        yield _INSERTS[ORIGINS], [(id, origin) for origin in origins_of(header.ruleset, header.meta)]
        if shown.count >= LONG:
            last = self._position(id) if shown.trouble else _last_position(header, game, shown.events, shown.end)
            yield _INSERTS["shown_positions"], [(id, *last)]
        yield _INSERTS["shown_uses"], list(shown.packed_uses())
        facts = replace(shown.facts(), judged_by=judge(game.catalogue.package))
        yield _INSERTS["shown_facts"], [(id, game.name, facts.judged_by, zlib.compress(msgspec.json.encode(facts)))]
        yield _INSERTS["shown_words"], [(id, *map(self._tables.words, shown.words()))]

    def _position(self, id: str) -> tuple[int, str]:
        """How many events a game has, and its last position as data; no data where it cannot be made of them again."""
        header, game, stored = self._read(id)
        return _last_position(header, game, list(stored))

    def kept_position(self, id: str, at: int | None) -> tuple[int, dict[str, object]] | None:
        """The position that is kept of a game, if it is none after that event: how many events lead to it, and it.

        One that another version of this program made is passed over: it may carry out events otherwise.
        """
        rows = self._tables.read("SELECT events, data FROM shown_positions WHERE game = ?", (id,))
        if not rows or (at is not None and int(str(rows[0][0])) > at):
            return None
        made_by, _, data = str(rows[0][1]).partition("\n")
        if made_by != engine():
            return None
        try:
            return int(str(rows[0][0])), msgspec.json.decode(data, type=dict[str, object])
        except msgspec.MsgspecError:
            return None


_decode_facts = msgspec.json.Decoder(Facts).decode
_OF_A_GAME = ("shown_players", "shown_steps", "shown_uses", "shown_positions", "shown_facts", ORIGINS)
_KEYS: Mapping[str, str] = {
    "shown_games": "id",
    **dict.fromkeys(_OF_A_GAME, "game"),
}
_INSERTS = {
    "shown_games": f"INSERT INTO shown_games VALUES ({', '.join('?' * 11)})",
    "shown_players": "INSERT INTO shown_players VALUES (?, ?, ?, ?)",
    "shown_steps": f"INSERT INTO shown_steps VALUES ({', '.join('?' * 8)})",
    "shown_uses": "INSERT INTO shown_uses VALUES (?, ?, ?, ?, ?)",
    "shown_facts": "INSERT INTO shown_facts VALUES (?, ?, ?, ?)",
    "shown_positions": "INSERT INTO shown_positions VALUES (?, ?, ?)",
    ORIGINS: f"INSERT INTO {ORIGINS} VALUES (?, ?)",
    "shown_words": "INSERT INTO shown_words (game, judged, told) VALUES (?, ?, ?)",
}
_GAME = "id, ruleset, game, header, events, inferred, findings, verdicts, diverged_from, trouble, place"
_FINDING = "game, step, seq, verdict, type, rule, turn, player"


def _together(shown: Iterable[Sequence[Statement]]) -> list[Statement]:
    """What shows several games: each statement once, with the rows of all. In all of them, what deletes comes first."""
    found: dict[str, list[Row]] = {}
    for game in shown:
        for sql, rows in game:
            found.setdefault(sql, []).extend(rows)
    return list(found.items())


def _last_position(
    header: Header, game: Ruleset[object], events: Sequence[Event], end: object = None
) -> tuple[int, str]:
    """How many events these are, and the last position as data; no data where it cannot be made of them again.

    `end` is that position, where it is known.
    """
    try:
        start = game.rules.start(header)
        state = game.rules.replay_to(start, events) if end is None else end
        data = msgspec.json.encode(game.rules.position_data(state))
        same = game.rules.position(msgspec.json.decode(data), start) == state
    except (AuditError, ValueError, TypeError, RecursionError):
        same, data = False, b""
    return len(events), f"{engine()}\n{data.decode() if same else ''}"


def _named(rows: Iterable[Row], columns: str) -> list[dict[str, object]]:
    return [dict(zip(columns.split(", "), row, strict=True)) for row in rows]


def _game(row: Row) -> GameRow:
    (said,) = _named([row], _GAME)
    for name in ("header", "verdicts"):
        said[name] = msgspec.json.decode(str(said[name]))
    return msgspec.convert(said, GameRow)
