"""The library of games behind the viewer, as one reader may open it; new games are judged while nobody waits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from threading import Lock, Thread
from typing import Protocol, runtime_checkable

from msgspec import Struct
from msgspec.structs import replace

from audit.core.errors import AuditError
from audit.core.model import Event, Header, type_name
from audit.core.names import player_names
from audit.core.ruleset import ruleset
from audit.core.sentences import tell
from audit.core.typography import folded
from replays.judging.annotate import StepOutline
from replays.judging.facts import Facts
from replays.store.ids import Appended
from replays.trust.seal import Seal
from web.site.headers import UnknownGameError
from web.site.reader import PUBLIC, Reader

PAGE = 50
"""Games on one page of a list."""

Json = Mapping[str, object]


class Replay(Protocol):
    """A rebuilt and annotated game as one viewer may know it."""

    @property
    def header(self) -> Header:
        """The header as this viewer could have written it."""
        ...

    @property
    def ruleset(self) -> str: ...
    @property
    def viewer(self) -> str: ...
    @property
    def language(self) -> str: ...
    @property
    def fidelity(self) -> str: ...
    @property
    def diverged_from(self) -> int | None: ...
    @property
    def counts(self) -> Mapping[str, int]: ...
    @property
    def findings(self) -> Sequence[Json]: ...
    @property
    def steps(self) -> Sequence[Json]: ...
    @property
    def outlines(self) -> Sequence[StepOutline]: ...

    def log(self) -> Iterable[Json]:
        """The events as the viewer could have written them down, as lines of a log."""

    def options_after(self, index: int) -> Sequence[Json]:
        """What may come after a step: each option with its rules, its need and its sentences."""

    def decisions_after(self, index: int, listed: int = ...) -> Sequence[Json]:
        """What can be decided next after a step: also who decides, and each candidate as an event."""


class Glance(Struct, frozen=True):
    """What a list says of one game."""

    id: str
    header: Header
    fidelity: str
    steps: int
    counts: Mapping[str, int]
    findings: tuple[tuple[int, str, str], ...]
    """Each finding: its step, its verdict and the rule named first."""
    rules: frozenset[str] = frozenset()
    """Every rule that a step of the game cites."""
    last: Event | None = None
    """The last event of the log."""
    keeps: Callable[[], Facts] = Facts
    """Gives what statistics keep of the game; a list that does not ask pays nothing for it."""

    @property
    def figures(self) -> Facts:
        """Names and counts of that, without what a judge alone may know: what was broken, and by which rules."""
        return replace(self.keeps(), broken=(), used=(), questioned=())

    @property
    def title(self) -> str:
        """The game's own name, or who plays it; empty where the log says neither."""
        return self.header.game or " – ".join(player.name for player in self.header.players if player.name)

    def ending(self, language: str) -> str:
        """Who won and how, in a sentence; empty where the log does not come to the end of the game."""
        if self.last is None:
            return ""
        game = ruleset(self.header.ruleset)
        if type_name(type(self.last)) not in game.scene_maker.endings:
            return ""
        return tell(game, self.last, language, players=player_names(self.header))


class Filters(Struct, frozen=True):
    """What a list is narrowed to; an empty word is no limit."""

    player: str = ""
    ruleset: str = ""
    rule: str = ""
    verdict: str = ""
    audience: str = "judge"
    """Whose list it is: a judge's has every game, the public's those that are public, by what the public may know."""


class Page(Struct, frozen=True):
    """One page of a list: its games, its number from 1, and how many there are in all."""

    games: tuple[Glance, ...]
    number: int
    total: int

    @property
    def last(self) -> int:
        """The number of the last page."""
        return max(1, -(-self.total // PAGE))


class Use(Struct, frozen=True):
    """A step of a stored game that cites a rule."""

    game: str
    title: str
    step: int
    verdict: str
    sentence: str


class Library(Protocol):
    """The games the viewer shows. Every method raises `UnknownGameError` for a game that is not there."""

    def games(self, query: str, filters: Filters, page: int) -> Page:
        """The games that have every word of the query and pass the filters, the latest first."""

    def game(self, id: str, *, viewer: str, language: str, reading: str | None) -> Replay:
        """One game as that viewer may know it."""

    def log(self, id: str) -> bytes:
        """The log of a game as it was recorded, byte for byte: a judge's to see."""

    def seal(self, id: str) -> Seal | None:
        """The seal of a game's log, None where there is none."""

    def version(self, id: str) -> str:
        """A version that changes with the game; cheap to compute."""

    def state(self) -> str:
        """A version that changes with any game."""

    def rule_uses(self, ruleset: str, rule: str, language: str) -> Sequence[Use]:
        """Every step that cites a rule, as the public may know it."""


@runtime_checkable
class Shared(Protocol):
    """A library whose games are not all for everybody."""

    def sharing(self, id: str) -> str:
        """Who may open a game: `public`, `unlisted` (whoever has its address) or `private`."""


@runtime_checkable
class JudgingLater(Protocol):
    """A library that answers before every game is judged."""

    def waiting(self) -> int:
        """How many games are not judged yet: they are in no list, and not counted."""


@runtime_checkable
class WithUnread(Protocol):
    """A library that may hold files that cannot be read."""

    def unread(self) -> Sequence[Unread]:
        """The files that look like games and cannot be read."""


class Unread(Struct, frozen=True):
    """A file that is no game: its name, and what is wrong with it."""

    name: str
    problem: AuditError


def glance_of(id: str, replay: Replay, last: Event | None = None) -> Glance:
    """What a list says of a rebuilt game, with the last event of its log."""
    steps = replay.outlines
    findings = [
        (number, step.verdict, next(iter(step.rules), "")) for number, step in enumerate(steps) if step.is_finding
    ]
    cited = frozenset(rule for step in steps if not step.superseded_by for rule in step.rules)
    return Glance(id, replay.header, replay.fidelity, len(steps) - 1, dict(replay.counts), tuple(findings), cited, last)


def paged(glances: Iterable[Glance], query: str, filters: Filters, page: int) -> Page:
    """One page of those that have every word of the query and pass the filters; a page too far is the last."""
    words = folded(query).split()
    found = [glance for glance in glances if _passes(glance, filters) and _has(glance, words)]
    number = min(max(1, page), max(1, -(-len(found) // PAGE)))
    return Page(tuple(found[(number - 1) * PAGE : number * PAGE]), number, len(found))


def strings(value: object) -> tuple[str, ...]:
    """The strings of a list in a JSON object; nothing where it is no list."""
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, (list, tuple)) else ()


def _passes(glance: Glance, filters: Filters) -> bool:
    return (
        (not filters.ruleset or glance.header.ruleset == filters.ruleset)
        and (not filters.rule or filters.rule in glance.rules)
        and (not filters.verdict or glance.counts.get(filters.verdict, 0) > 0)
        and (not filters.player or any(folded(filters.player) in folded(p.name) for p in glance.header.players))
    )


def _has(glance: Glance, words: list[str]) -> bool:
    if not words:
        return True
    header = glance.header
    setup = header.setup.get("protocols")
    known = [setup] if isinstance(setup, dict) else []
    people = [player.name for player in header.players]
    text = folded(" ".join(map(str, (glance.id, header.game, *people, *header.meta.values(), *known, *glance.rules))))
    return all(word in text for word in words)


PATIENCE = 0.3
"""Seconds for which a reader waits while games are judged."""
JUDGING = "judging what came in"
"""The thread that judges while nobody waits."""
A_WHILE = 5.0
"""Seconds of judging after which it is asked again what has come in."""


class Judging:
    """What a library does before it answers. `catch_up` judges for so many seconds, and returns how many are left."""

    def __init__(self, catch_up: Callable[[float], int]) -> None:
        self._catch_up = catch_up
        self._lock = Lock()

    def keep_up(self) -> None:
        """Judge for a moment; whatever is left is judged while nobody waits. Where somebody judges already, go on."""
        if self._lock.acquire(blocking=False):
            left = 0
            try:
                left = self._catch_up(PATIENCE)
            finally:
                if left:
                    Thread(target=self._judge_the_rest, name=JUDGING, daemon=True).start()
                else:
                    self._lock.release()

    def _judge_the_rest(self) -> None:
        try:
            with suppress(AuditError):
                while self._catch_up(A_WHILE):
                    pass
        finally:
            self._lock.release()


@runtime_checkable
class Appendable(Protocol):
    """A library that can be appended to."""

    def append(self, id: str, lines: bytes, expected: int, by: str) -> Appended: ...


class Begun(Struct, frozen=True):
    """A game that is there to be appended to: its id, and whether it was not there before."""

    id: str
    is_new: bool


@runtime_checkable
class Beginnable(Protocol):
    """A library in which games can be begun."""

    def begin(self, header: bytes, by: str) -> Begun: ...


@runtime_checkable
class KeepsBranches(Protocol):
    """A library that keeps the branch of a game as a game of its own."""

    def id_of_branch(self, header: Header) -> str | None:
        """What the branch with that header will be called; None where none can be kept."""

    def keep_branch(self, id: str, log: bytes, by: str) -> None:
        """Keep the log of a branch under that id."""


class FixedError(AuditError):
    """The games of this server come from a folder and cannot be appended to."""

    def __init__(self) -> None:
        super().__init__("these games cannot be appended to; store them (audit store import) and serve the store")


class OpenedLibrary:
    """A library through the eyes of one reader. Every method raises `UnknownGameError` for a game not open to them."""

    def __init__(self, library: Library, reader: Reader) -> None:
        self.inner = library
        self.reader = reader

    def games(self, query: str, filters: Filters, page: int) -> Page:
        """The games that stand in this reader's list."""
        audience = "judge" if self.reader.is_judge else PUBLIC
        return self.inner.games(query, replace(filters, audience=audience), page)

    def game(self, id: str, *, viewer: str, language: str, reading: str | None) -> Replay:
        """One game as that viewer may know it."""
        self._open(id)
        return self.inner.game(id, viewer=viewer, language=language, reading=reading)

    def waiting(self) -> int:
        """How many games are not judged yet: they are in no list, and not counted."""
        return self.inner.waiting() if isinstance(self.inner, JudgingLater) else 0

    def unread(self) -> Sequence[Unread]:
        """The files that cannot be read, for whoever sits at this machine."""
        return self.inner.unread() if isinstance(self.inner, WithUnread) and self.reader.is_local else ()

    def log(self, id: str) -> bytes:
        """The log of a game: a judge's to see."""
        self._open(id)
        return self.inner.log(id)

    def seal(self, id: str) -> Seal | None:
        """The seal of a game's log."""
        self._open(id)
        return self.inner.seal(id)

    def version(self, id: str) -> str:
        """A version that changes with the game and with who may open it."""
        sharing = self._open(id)
        return f"{self.inner.version(id)}{'' if sharing == PUBLIC else sharing}"

    def state(self) -> str:
        """A version that changes with any game and with who may open it."""
        return self.inner.state()

    def rule_uses(self, ruleset: str, rule: str, language: str) -> Sequence[Use]:
        """The steps that cite a rule, of games that stand in this reader's list."""
        found = self.inner.rule_uses(ruleset, rule, language)
        shared = {id: self._sharing(id) for id in {use.game for use in found}}
        return [use for use in found if self.reader.is_judge or shared[use.game] == PUBLIC]

    def sharing(self, id: str) -> str:
        """Who may open a game."""
        return self._open(id)

    def append(self, id: str, lines: bytes, expected: int, by: str = "") -> Appended:
        """Append to a game; raises `FixedError` where the games come from a folder."""
        self._open(id)
        if not isinstance(self.inner, Appendable):
            raise FixedError
        return self.inner.append(id, lines, expected, by)

    def begin(self, header: bytes, by: str = "") -> Begun:
        """Begin a game with the first line of its log, or find the one that began so.

        Raises `FixedError` where the games come from a folder, `UnknownGameError` where that game is not open to them.
        """
        if not isinstance(self.inner, Beginnable):
            raise FixedError
        begun = self.inner.begin(header, by)
        self._open(begun.id)
        return begun

    def _open(self, id: str) -> str:
        sharing = self._sharing(id)
        if not self.reader.still().may_open(id, sharing):
            raise UnknownGameError(id)
        return sharing

    def _sharing(self, id: str) -> str:
        return self.inner.sharing(id) if isinstance(self.inner, Shared) else PUBLIC
