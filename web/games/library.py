"""The library of games behind the viewer, as its pages ask it. `folder_library.py` and `store_library.py` are two."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, runtime_checkable

from msgspec import Struct

from audit.core.errors import AuditError
from audit.core.model import Event, Header, type_name
from audit.core.player_names import player_names
from audit.core.ruleset import ruleset
from audit.core.sentences import tell
from replays.judging.annotate import StepOutline
from replays.trust.seal import Seal

PAGE = 50
"""Games on one page of a list."""

Json = Mapping[str, object]


class Replay(Protocol):
    """A rebuilt and annotated game as one viewer may know it."""

    @property
    def header(self) -> Header: ...
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


def folded(text: str) -> str:
    """Text without case and accents, as people type it into a search box."""
    plain = unicodedata.normalize("NFKD", text).replace("ł", "l").replace("Ł", "L")
    return "".join(letter for letter in plain if not unicodedata.combining(letter)).casefold()


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
