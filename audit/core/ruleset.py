"""What a game offers: four roles, and how the installed games are found.

`Rules` decides and moves. `Disclosure` says what each viewer may know. `Wording` gives the words of a sentence.
`SceneMaker` says what is on the table. A game that can be played at random has a `Simulation` as well.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Generic, TypeAlias, TypeVar, cast

from audit.core.catalogue import LANGUAGES, Catalogue, words
from audit.core.errors import UnknownRulesetError
from audit.core.event_rules import Json
from audit.core.model import Event, type_name
from audit.core.names import BY_SEAT, Players
from audit.core.scene import Chapter, Face, Scene, SceneBuilder, listed, signs
from audit.core.setting import Setting

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints
    from random import Random
from audit.core.disclosure import Disclosure
from audit.core.rules import Rules

S = TypeVar("S")

GAMES = Path(__file__).parents[1] / "games"
"""Where the games that are part of this program lie."""


Rows: TypeAlias = tuple[tuple[str, ...], ...]
"""A table in words, its head first."""


class Wording(ABC, Generic[S]):
    """The words of a game's sentences. The sentences themselves are in `text/<language>/sentences.toml`."""

    def sentence_key(self, event: Event) -> str:
        """The key of the sentence of this event: its type, or finer (`played.up`)."""
        return type_name(type(event))

    def key_at(self, state: S, event: Event, *, is_written: bool) -> str:
        """The same where the position before the event is known: it may tell a place that the event does not.

        An event that is not written follows by itself, and may rest on guesses.
        """
        return self.sentence_key(event)

    def every_key(self, event: Event) -> tuple[str, ...]:
        """The keys that this event has in any position."""
        return (self.sentence_key(event),)

    @abstractmethod
    def event_words(self, event: Event, language: str, players: Players = BY_SEAT) -> Json:
        """The event's fields as words for its sentence: cards, places and players by name."""

    def finding_words(self, data: Json, language: str, players: Players = BY_SEAT) -> Json:
        """The data of a violation as words for its sentence."""
        return data

    def place_of(self, state: S, card: str) -> str:
        """What a card that has no name is called in a sentence, by its place in this position."""
        return card

    def counts(self, state: S, event: Event, language: str, players: Players = BY_SEAT) -> Rows:
        """The numbers that decide an event such as a tie-break, as a table: its head, then its rows; () for none."""
        return ()

    def whereabouts(self, state: S, card: str, language: str) -> str:
        """A sentence that says where a card lies, for a judge who asks about one that is elsewhere; "" for none."""
        return ""


class SceneMaker:
    """What is on the table, said once for the terminal, the page and pictures."""

    package: str = ""
    """The package that has the game's signs (`signs.toml`), if it has any."""
    icons: ClassVar[Mapping[str, str]] = {}
    """The icon of each event, by the name it has in a log."""
    actions: ClassVar[Mapping[str, int]] = {}
    """The events by which a player begins something, each with the deepest level of causes at which it does."""
    decisions: ClassVar[frozenset[str]] = frozenset()
    """Events that decide something and move nothing."""
    endings: ClassVar[frozenset[str]] = frozenset()
    """The events with which a game ends, and which say who won."""

    legend: ClassVar[Mapping[str, str]] = {}
    """The samples beside the sentences of `legend.toml`, by key, where the game has that file; a sign needs none."""

    builder: ClassVar[type[SceneBuilder] | None] = None
    """What makes the scene of one view."""

    def scene(self, view: Json, language: str, pending: Sequence[Json] = (), players: Players = BY_SEAT) -> Scene:
        """The table, made of nothing but a viewer's view: by `builder`, or a list of its fields where there is none."""
        if self.builder is None:
            return listed(view, language, pending)
        return self.builder(self.package, view, language, players).scene(pending)

    def chapter(self, view: Json, language: str, players: Players = BY_SEAT) -> Chapter:
        """The chapter of a scene, made of no more than `Disclosure.chapter_view` tells."""
        if self.builder is None:
            return self.scene(view, language, (), players).chapter
        return self.builder(self.package, view, language, players).chapter()

    def face(self, card: str, language: str) -> Face | None:
        """What is printed on a card, where the game has a page of its cards."""
        return None

    def meanings(self, language: str) -> tuple[tuple[str, str, str], ...]:
        """What the signs of the table mean, in sentences: of each its name, the sample beside it and the sentence."""
        if not self.legend:
            return ()
        said = words(self.package, language, "legend")
        return tuple((name, self.legend.get(name, ""), meaning) for name, meaning in said.items())

    def touched(self, event: Json) -> tuple[str, ...]:
        """The keys in the scene of what an event, as it stands in a log, speaks of: its cards by default."""
        cards = (event.get("card"), *cast("Sequence[object]", event.get("cards") or ()))
        return tuple(str(card) for card in cards if card)

    @property
    def signs(self) -> Mapping[str, str]:
        """The game's own signs by name: outlines sixteen wide and high."""
        return signs(self.package) if self.package else {}


class Simulation(ABC, Generic[S]):
    """What is needed to play a game at random."""

    @abstractmethod
    def setup(self, random: Random, pool: Sequence[str] = ()) -> dict[str, object]:
        """The setup of a game, from a pool of cards or sets where the game has such; raises `SetupError`."""

    def randomized(self, state: S, event: Event, random: Random) -> Event:
        """The event with results of chance filled in, such as the order of a new deck."""
        return event

    def optional_events_before(self, state: S, event: Event) -> Iterator[Event]:
        """Optional events, such as markers and sums, that a complete log has before that event; with seq 0."""
        return iter(())

    def score(self, state: S) -> float:
        """How good the position is for the player in turn, for simulated players that look one step ahead."""
        return 0.0


@dataclass(frozen=True, slots=True)
class Ruleset(Generic[S]):
    """One game: its name in a log's header, and its roles."""

    name: str
    rules: Rules[S]
    disclosure: Disclosure[S]
    wording: Wording[S]
    simulation: Simulation[S]
    scene_maker: SceneMaker = field(default_factory=SceneMaker)
    setting: Setting = field(default_factory=Setting)

    @property
    def catalogue(self) -> Catalogue:
        """The game's rules as a catalogue."""
        return self.rules.catalogue


def rulesets() -> tuple[str, ...]:
    """The names of the games installed here: those of this program and those added to it."""
    return tuple(sorted({*own_rulesets(), *added_rulesets()}))


@cache
def own_rulesets() -> tuple[str, ...]:
    """The names of the games that are part of this program: the packages of `audit.games` that have rules."""
    return tuple(
        sorted(rules.parents[2].name.replace("_", "-") for rules in GAMES.glob(f"*/text/{LANGUAGES[0]}/rules.toml"))
    )


def added_rulesets() -> tuple[str, ...]:
    """The names of those that are no part of this program."""
    return tuple(sorted(point.name for point in _installed() if not point.value.startswith("audit.")))


def ruleset(name: str) -> Ruleset[object]:
    """The game of that name; raises `UnknownRulesetError`."""
    if name not in _loaded:
        if name in own_rulesets():
            _loaded[name] = import_module(_module(name)).RULESET
        elif name in added_rulesets():
            _loaded[name] = _installed()[name].load()
        else:
            raise UnknownRulesetError(name, rulesets())
    return _loaded[name]


def may_have_rule(name: str, id: str) -> bool:
    """Whether the words of that game name the rule, without loading the game; a former id or a number they do not."""
    return any(f'"{id}"' in file.read_text("utf-8") for file in _word_files(name, "rules", "rulings"))


def has_cards(name: str) -> bool:
    """Whether that game has cards of its own, without loading the game."""
    return any(True for _ in _word_files(name, "cards"))


def _word_files(name: str, *files: str) -> Iterator[Path]:
    """The English language files of these names that the game has; none where no such game is installed."""
    module = _module(name)
    found = find_spec(module) if module else None
    folders = map(Path, found.submodule_search_locations or ()) if found else ()
    paths = (folder / "text" / LANGUAGES[0] / f"{file}.toml" for folder in folders for file in files)
    return (path for path in paths if path.is_file())


def _module(name: str) -> str:
    """The package of the game of that name; empty where no such game is installed."""
    if name in own_rulesets():
        return f"audit.games.{name.replace('-', '_')}"
    return _installed()[name].module if name in added_rulesets() else ""


@cache
def _installed() -> EntryPoints:
    """What packages add, by entry points. To find it, a file of every installed package is read: so it is done once."""
    from importlib.metadata import entry_points

    return entry_points(group="audit.rulesets")


_loaded: dict[str, Ruleset[object]] = {}
