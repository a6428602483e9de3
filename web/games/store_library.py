"""The library of games kept in the store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from io import BytesIO
from threading import Lock

from audit.core.model import Header
from replays.files import Cache
from replays.judging.facts import Facts
from replays.judging.replay import replay
from replays.store.database import Breaker, StoreError
from replays.store.ids import Appended, id_of_named
from replays.store.ledgers import StoredLedger
from replays.store.reading import UnknownGameError as NotStoredError
from replays.store.shown_tables import GameRow
from replays.store.shown_tables import Page as Rows
from replays.store.store import Store
from replays.trust.ledger import Ledger
from replays.trust.seal import Seal
from web.games.library import Begun, Filters, Glance, Judging, Page, Replay, Use
from web.site.headers import UnknownGameError

MAX_USES = 500
"""The most steps listed for one rule."""


class StoreLibrary:
    """Every stored game; its id never changes, and its version is the number of its events.

    The store may be given as a function that opens it: it is called when the first game is asked for, and again after
    a moment where the database did not answer, so that everything else is served meanwhile.
    """

    def __init__(self, store: Store | Callable[[], Store]) -> None:
        self._open = store
        self._opened = store if isinstance(store, Store) else None
        self._opening, self._breaker = Lock(), Breaker()
        self._replays = Cache()
        self._judging = Judging(lambda seconds: self.store.catch_up(seconds))

    @property
    def store(self) -> Store:
        """The store; raises `StoreError` where it cannot be opened."""
        if self._opened is None:
            self._breaker.check("the store")
            with self._opening:
                self._breaker.check("the store")
                self._opened = self._opened or self._try()
        return self._opened

    def _try(self) -> Store:
        assert callable(self._open)
        try:
            return self._open()
        except StoreError:
            self._breaker.trip()
            raise

    def games(self, query: str, filters: Filters, page: int) -> Page:
        """The games that have every word of the query and pass the filters, the latest stored first."""
        self._judging.keep_up()
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

    def notes(self, id: str) -> Ledger:
        """The notes that are kept in the store."""
        self._version(id)
        return StoredLedger(self.store, "notes", id)

    def notes_version(self, id: str) -> str:
        """How many notes there are."""
        return str(self.store.ledger_version(f"notes:{id}"))

    def version(self, id: str) -> str:
        """The number of the game's events."""
        return str(self._version(id))

    def state(self) -> str:
        """What has been stored, shown, shared and judged so far, in numbers."""
        self._judging.keep_up()
        with self.store.asking():
            shown = self.store.shown.position
        return f"{self.store.position()}-{shown}-{self.store.sharing_changes()}-{self.store.outdated()}"

    def waiting(self) -> int:
        """How many games are not judged yet."""
        return self.store.waiting()

    def rule_uses(self, ruleset: str, rule: str, language: str) -> Sequence[Use]:
        """Every step that cites a rule, as the public may know it."""
        self._judging.keep_up()
        with self.store.asking():
            rows = self.store.shown.uses(ruleset, rule, MAX_USES)
        return [self._use(row.game, row.step, row.verdict, language) for row in rows]

    def facts(self, audience: str) -> Iterable[Facts]:
        """What statistics keep of every game; to others than the judges, of those that are public."""
        with self.store.asking():
            return list(self.store.shown.facts(audience=audience))

    def sharing(self, id: str) -> str:
        """What was said last of the game."""
        self._version(id)
        return self.store.sharing(id)

    def append(self, id: str, lines: bytes, expected: int, by: str = "") -> Appended:
        """Append events to a game that has so many; those whose id is stored with the same content are done.

        Raises `EventIdError`, `VersionConflictError`, `LogError`.
        """
        self._version(id)
        return self.store.add(id, lines, expected=expected, by=by)

    def begin(self, header: bytes, by: str = "") -> Begun:
        """Begin a game with the first line of its log; one that began with the same line is left as it is.

        Raises `LogError`, and `ContradictionError` where a game of that name began otherwise.
        """
        made = self.store.import_log(BytesIO(header), by=by)
        return Begun(made.game, bool(made.added))

    def id_of_branch(self, header: Header) -> str | None:
        """The id that the store makes of the header."""
        return id_of_named(header)

    def keep_branch(self, id: str, log: bytes, by: str) -> None:
        """Store the branch, and show it at once."""
        self.store.import_log(BytesIO(log), by=by)
        self.store.follow()

    def _rows(self, query: str, filters: Filters, page: int) -> Rows:
        asked = (query, filters.player, filters.ruleset, filters.rule, filters.verdict)
        if any("\0" in words for words in asked):
            return Rows((), 0)  # PostgreSQL has no such text
        words, player, ruleset, rule, verdict = asked
        with self.store.asking():
            return self.store.shown.games(
                words, player=player, ruleset=ruleset, rule=rule, verdict=verdict, page=page, audience=filters.audience
            )

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
        with self.store.asking():
            rows = self.store.shown.findings(row.id)
        found = tuple((each.step, each.verdict, each.rule) for each in rows)
        steps = row.events + row.inferred
        last = next(iter(self.store.events(row.id, row.events - 1)), None) if row.events else None
        counted, keeps = dict(row.verdicts), partial(self._facts_of, row.id)
        return Glance(row.id, row.header, row.fidelity, steps, counted, found, last=last, keeps=keeps)

    def _facts_of(self, id: str) -> Facts:
        with self.store.asking():
            return self.store.shown.facts_of(id)
