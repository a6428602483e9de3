"""Keeps what is derived from the stored events up to date with them: tables and last positions.

One that another version of this program made is not used: it may carry out events otherwise.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from math import inf
from time import monotonic

import msgspec
from eventsourcing.persistence import RecordConflictError, Tracking
from msgspec.structs import replace

from audit.core.errors import AuditError, UnknownRulesetError
from audit.core.model import Event, Header
from audit.core.ruleset import Ruleset
from audit.core.typography import folded
from replays.judging.versions import engine, judge
from replays.log.strict_reader import Resolve
from replays.store.database import Row, Statement, Tables
from replays.store.ids import origins_of
from replays.store.sharing import ORIGINS
from replays.store.shown_game import Annotate, ShownGame
from replays.store.shown_tables import SHAPES, TABLES, TRACKED


def kept_position(tables: Tables, id: str, at: int | None) -> tuple[int, dict[str, object]] | None:
    """The position that is kept of a game, if it is none after that event: how many events lead to it, and it."""
    rows = tables.read("SELECT events, data FROM shown_positions WHERE game = ?", (id,))
    if not rows or (at is not None and int(str(rows[0][0])) > at):
        return None
    made_by, _, data = str(rows[0][1]).partition("\n")
    if made_by != engine():
        return None
    try:
        return int(str(rows[0][0])), msgspec.json.decode(data, type=dict[str, object])
    except msgspec.MsgspecError:
        return None


def outdated_positions(tables: Tables) -> list[str]:
    """The games of which a position is kept that another version made."""
    mark = f"{engine()}\n"
    sql = "SELECT game FROM shown_positions WHERE substr(data, 1, ?) <> ?"
    return [str(game) for (game,) in tables.read(sql, (len(mark), mark))]


def last_position(
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


Game = tuple[Header, Ruleset[object], Iterable[Event]]
Spread = Callable[[Mapping[str, int]], Iterable[Sequence[Statement]]]
"""Judges games, each with its place in the store, and gives in that order what shows them, a few games ahead."""
Told = Callable[[int], object]
"""Hears how many more games are shown."""

BATCH = 50
"""Games shown in one transaction."""
FEW = 10
"""Games shown in one transaction while somebody waits."""
ATTEMPTS = 3
"""So often a game is judged again that others append to meanwhile."""
LONG = 1_000
"""Events of a game whose last position is kept, so that it is there at once."""


def _batches(news: Sequence[tuple[str, int, int]], size: int) -> Iterator[tuple[dict[str, int], int]]:
    """Games with news, so many at a time, each with its place; and the last notification that they settle."""
    for start in range(0, len(news), size):
        following = news[start + size :]
        until = following[0][1] - 1 if following else max(last for _, _, last in news)
        yield {game: last for game, _, last in news[start : start + size]}, until


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

    def follow(self, spread: Spread | None = None, told: Told | None = None) -> int:
        """Take in what has been stored since, and return how many games had news.

        `spread` judges many games at once, in other processes. What is taken in stays so, whatever comes after: some
        games at a time, and `told` hears each time how many they were.
        """
        news = self._news()
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
        news = self._news()
        left, end = len(news), monotonic() + seconds
        for games, until in _batches(news, FEW):
            self._take_in(map(self.statements, games, games.values()), until)
            left -= len(games)
            if left and self._is_over(end):
                return left
        return left or self._judge_again(end) or self._renew_positions(end)

    def _news(self) -> Sequence[tuple[str, int, int]]:
        return self._tables.news(self._tables.max_tracking_id(TRACKED) or 0)

    def _is_over(self, end: float) -> bool:
        """Whether the time is up, or the store is about to be closed."""
        return self.is_stopped or monotonic() >= end

    def waiting(self) -> int:
        """How many games have news that is not shown yet."""
        return len(self._news())

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
            self._former = outdated_positions(self._tables)
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

    def _statements(self, id: str, place: int) -> Iterator[Statement]:
        yield self._tables.forget_words, [(id,)]
        yield from ((f"DELETE FROM {table} WHERE {key} = ?", [(id,)]) for table, key in _KEYS.items())
        header, game, events = self._read(id)
        shown = ShownGame(id, header, game)
        shown.go(self._annotate, events)
        yield from _added("shown_games", shown.row(place))
        yield from _added(
            "shown_players", *[(id, player.seat, player.name, folded(player.name)) for player in header.players]
        )
        yield from _added("shown_steps", *shown.findings)
        yield from _added(ORIGINS, *[(id, origin) for origin in origins_of(header.ruleset, header.meta)])
        if shown.count >= LONG:
            last = self._position(id) if shown.trouble else last_position(header, game, shown.events, shown.end)
            yield from _added("shown_positions", (id, *last))
        yield from _added("shown_uses", *shown.packed_uses())
        facts = replace(shown.facts(), judged_by=judge(game.catalogue.package))
        packed = zlib.compress(msgspec.json.encode(facts))
        yield from _added("shown_facts", (id, game.name, facts.judged_by, packed))
        yield _INSERT_WORDS, [(id, *map(self._tables.words, shown.words()))]

    def _position(self, id: str) -> tuple[int, str]:
        """How many events a game has, and its last position as data; no data where it cannot be made of them again."""
        header, game, stored = self._read(id)
        return last_position(header, game, list(stored))


_KEYS = {table: "id" if table == "shown_games" else "game" for table in TABLES}
_INSERT_WORDS = "INSERT INTO shown_words (game, judged, told) VALUES (?, ?, ?)"


def _added(table: str, *rows: Row) -> Iterator[Statement]:
    """What adds rows to a table; nothing where there are none."""
    if rows:
        yield f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows


def _together(shown: Iterable[Sequence[Statement]]) -> list[Statement]:
    """What shows several games: each statement once, with the rows of all. In all of them, what deletes comes first."""
    found: dict[str, list[Row]] = {}
    for game in shown:
        for sql, rows in game:
            found.setdefault(sql, []).extend(rows)
    return list(found.items())
