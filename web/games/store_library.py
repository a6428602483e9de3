"""The library of games kept in the store."""

from __future__ import annotations

from collections.abc import Sequence

from replays.annotating.annotate import replay
from replays.seals.seal import Seal
from replays.store.event_ids import Appended
from replays.store.projections import GameRow
from replays.store.projections import Page as Rows
from replays.store.store import Store
from replays.store.store import UnknownGameError as NotStoredError
from web.games.library import Cache, Filters, Glance, Page, Replay, UnknownGameError, Use

MAX_USES = 500
"""The most steps listed for one rule."""


class StoreLibrary:
    """Every stored game; its id never changes, and its version is the number of its events."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._replays = Cache()

    def games(self, query: str, filters: Filters, page: int) -> Page:
        """The games that have every word of the query and pass the filters, the latest stored first."""
        self.store.follow()
        number = max(1, page)
        found = self._rows(query, filters, number)
        if not found.rows and found.total:
            number = Page((), 1, found.total).last
            found = self._rows(query, filters, number)
        return Page(tuple(map(self._glance, found.rows)), number if found.total else 1, found.total)

    def game(self, id: str, *, viewer: str, language: str, reading: str | None) -> Replay:
        """The game rebuilt, or as it was rebuilt for the last reader."""
        key = (id, self.version(id), viewer, language, reading)
        return self._replays.get(key, lambda: self._rebuilt(id, viewer, language, reading))

    def log(self, id: str) -> bytes:
        """The log byte for byte."""
        self._version(id)
        return self.store.export(id)

    def seal(self, id: str) -> Seal | None:
        """The one that is kept with the game."""
        self._version(id)
        return self.store.sealed(id)

    def version(self, id: str) -> str:
        """The number of the game's events."""
        return str(self._version(id))

    def state(self) -> str:
        """The place of the store's last notification."""
        return str(self.store.position())

    def rule_uses(self, ruleset: str, rule: str, language: str) -> Sequence[Use]:
        """Every step that cites a rule, as the public may know it."""
        self.store.follow()
        return [
            self._use(row.game, row.step, row.verdict, language)
            for row in self.store.shown.uses(ruleset, rule, MAX_USES)
        ]

    def append(self, id: str, lines: bytes, expected: int) -> Appended:
        """Append events to a game that has so many; those whose id is stored with the same content are done.

        Raises `EventIdError`, `VersionConflictError`, `LogError`.
        """
        self._version(id)
        return self.store.add(id, lines, expected=expected)

    def _rows(self, query: str, filters: Filters, page: int) -> Rows:
        asked = (query, filters.player, filters.ruleset, filters.rule, filters.verdict)
        if any("\0" in words for words in asked):
            return Rows((), 0)  # PostgreSQL has no such text
        words, player, ruleset, rule, verdict = asked
        return self.store.shown.games(words, player=player, ruleset=ruleset, rule=rule, verdict=verdict, page=page)

    def _use(self, id: str, step: int, verdict: str, language: str) -> Use:
        game = self.game(id, viewer="public", language=language, reading=None)
        sentence = str(game.steps[step].get("sentence") or "") if step < len(game.steps) else ""
        return Use(id, self.store.header(id).game or id, step, verdict, sentence)

    def _version(self, id: str) -> int:
        if "\0" in id:
            raise UnknownGameError(id)
        try:
            return self.store.version(id)
        except NotStoredError:
            raise UnknownGameError(id) from None

    def _rebuilt(self, id: str, viewer: str, language: str, reading: str | None) -> Replay:
        source = (self.store.header(id), self.store.events(id))
        return replay(source, viewer=viewer, language=language, reading=reading)

    def _glance(self, row: GameRow) -> Glance:
        found = tuple((each.step, each.verdict, each.rule) for each in self.store.shown.findings(row.id))
        steps = row.events + row.inferred
        return Glance(row.id, row.header, row.fidelity, steps, dict(row.verdicts), found)
