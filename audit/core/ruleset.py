"""What a game offers: four roles, and how the installed games are found.

`Rules` decides and moves. `Disclosure` says what each viewer may know. `Wording` gives the words of a sentence.
`SceneMaker` says what is on the table. A game that can be played at random has a `Simulation` as well.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property, reduce
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, cast

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from audit.core.catalogue import LANGUAGES, Catalogue
from audit.core.conservation import Holdings
from audit.core.errors import PositionTextError, SetupError, UnknownRulesetError
from audit.core.event_rules import MAX_LISTED, Citations, EventRules, Expectation, Json, Obligation, Violations
from audit.core.model import Event, Header, type_name
from audit.core.player_names import BY_SEAT, Players
from audit.core.position_text import compact, expanded
from audit.core.readings import Switch, switches_in
from audit.core.record import words_in
from audit.core.record_events import RECORD_EVENTS, Checkpoint, PositionSet, free_texts, standing, words_named
from audit.core.scene import Face, Scene, listed, signs
from audit.core.score_forms import ScoreForm
from audit.core.setting import Setting

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints
    from random import Random

S = TypeVar("S")

GAMES = Path(__file__).parents[1] / "games"
"""Where the games that are part of this program lie."""

JUDGE = "judge"

MAX_ADVANCE = 12
"""At most this many events without a choice are carried out to reach the next choice."""


class Recorder(ABC, Generic[S]):
    """Turns event after event into what one viewer writes down."""

    @abstractmethod
    def __call__(self, before: S, event: Event, after: S) -> Iterator[Event]:
        """What the viewer writes down of an event, with the positions before and after it."""

    @abstractmethod
    def known_as(self, state: S, word: str) -> str:
        """What a card that the viewer may not know is called in their record."""

    @abstractmethod
    def copied(self) -> Recorder[S]:
        """The same recorder as it is now, to come back to."""


class SkippedObligation(Struct, frozen=True, gc=False):
    """A required event that is missing before an event: its candidates, and the rules that require it."""

    expected: tuple[Event, ...]
    rules: Citations


Deciding = tuple[
    Callable[[S, Any], Citations | None],
    Callable[[S, Any], S],
    Callable[[S, Event], tuple[int, ...]] | None,
    EventRules[S, Any] | None,
]
"""How an event type is judged: `accept` and `apply` of its rules; `causes`, where something may have led to the event;
and the rules themselves, where a legal event may still be ambiguous, impossible or unchecked."""


class Rules(ABC, Generic[S]):
    """What is legal in a game and what an event changes."""

    catalogue: Catalogue
    event_rules: Mapping[type[Event], EventRules[S, Any]]
    """The rules of each event type, in the order of the documentation."""
    switches: tuple[Switch, ...] = ()
    readings: ClassVar[Mapping[str, frozenset[str]]] = {"standard": frozenset()}
    former_readings: ClassVar[Mapping[str, str]] = {}
    """Names of readings that are no longer in use, and what each of them stands for now."""
    setup_type: type[Struct] | None = None
    """What the `setup` of a header holds, declared (see `typed_setup`); None where the schema leaves it open."""
    score_forms: tuple[ScoreForm, ...] = ()
    """How events are written on a score sheet, where shorter than `type field=value`."""
    score_seat_words: str = ""
    """The key of the setup whose words stand behind each player's name on a score sheet."""
    card_exists: Callable[[str], bool] | None = None
    """Whether there is such a card, or it is a handle; None where the game does not know its cards."""
    check_deck: Callable[[Mapping[str, object]], Violations] | None = None
    """What is wrong with a deck given as plain data; None where the game has no decks to check."""

    @abstractmethod
    def start(self, header: Header) -> S:
        """The position before the first event; raises `SetupError` where the setup cannot be understood."""

    def has_unknown_cards(self, state: S) -> bool:
        """Whether a game is played with cards that are not known here. Only a header with `unknown: record` lets it."""
        return False

    @abstractmethod
    def causes(self, state: S, event: Event) -> tuple[int, ...]:
        """The seqs that led to this event, as things stand, nearest first."""

    @abstractmethod
    def clock(self, state: S) -> Json:
        """Where in the game we are, as a few values: at least `turn` and `player`."""

    @abstractmethod
    def relaxations(self, state: S) -> Iterator[S]:
        """Positions in which more and more of what is pending is given up, to resynchronise after a mistake."""

    def interleavings(self, state: S, event: Event) -> Iterator[S]:
        """Positions after the event in which it belongs to something older, while something newer is still pending."""
        return iter(())

    def reorderings(self, state: S) -> Iterator[S]:
        """The position with things that go on at once in another order, which a record need not tell."""
        return iter(())

    @cached_property
    def may_reorder(self) -> bool:
        """Whether the game has such things at all."""
        return type(self).reorderings is not Rules.reorderings

    def upcoming(self, state: S) -> Iterable[EventRules[S, Any]]:
        """The event types of which something may be expected now. All of them; a game may narrow it down."""
        return self.event_rules.values()

    def only_due(self, state: S) -> Expectation[S] | None:
        """The one thing that can come now; None where all have to be asked. A game that says so is searched faster."""
        return None

    def comes_only_where_due(self, event: Event) -> bool:
        """Whether the event is not legal where `only_due` names another; others may repeat what the position shows."""
        return False

    @cached_property
    def deciding(self) -> Mapping[type[Event], Deciding[S] | None]:
        """How each event type is judged; None for those about the record."""
        return {
            **dict.fromkeys(RECORD_EVENTS),
            **{event: self._deciding(rules) for event, rules in self.event_rules.items()},
        }

    def _deciding(self, rules: EventRules[S, Any]) -> Deciding[S]:
        is_plain = not (rules.may_be_ambiguous or rules.hides_cards or rules.names_cards or rules.may_be_unchecked)
        return rules.accept, rules.apply, self.causes if rules.has_causes else None, None if is_plain else rules

    @cached_property
    def markers(self) -> frozenset[type[Event]]:
        """The event types that only say where in the game we are."""
        return frozenset(event for event, rules in self.event_rules.items() if rules.is_marker)

    @cached_property
    def announced(self) -> frozenset[type[Event]]:
        """The event types that are parts of a procedure which another event announces."""
        return frozenset().union(*(rules.announces for rules in self.event_rules.values()))

    def are_of_one_procedure(self, one: type[Event], other: type[Event]) -> bool:
        """Whether one event may announce both."""
        return any(one in rules.announces and other in rules.announces for rules in self.event_rules.values())

    def violations(self, state: S, event: Event) -> Violations:
        """The criteria that the event fails in this position; () if it is legal."""
        return self.event_rules[type(event)].violations(state, event)

    def rejecting_switches(self, state: S, event: Event) -> tuple[str, ...]:
        """The names of the switches under which this very event would not have come up."""
        rules = self.event_rules.get(type(event))
        return rules.rejecting_switches(state, event) if rules else ()

    @cached_property
    def questioned(self) -> frozenset[type[Event]]:
        """The event types for which `rejecting_switches` has to be asked: of all others it names none."""
        if type(self).rejecting_switches is not Rules.rejecting_switches:
            return frozenset(self.events)
        none = EventRules.rejecting_switches
        return frozenset(event for event, own in self.event_rules.items() if type(own).rejecting_switches is not none)

    def expected(self, state: S) -> Sequence[Expectation[S]]:
        """What may or must come next. Empty when the game is over."""
        return [expectation for rules in self.upcoming(state) for expectation in rules.expected(state)]

    def position(self, data: Json, state: S) -> S:
        """The position that plain data describe, in the shape of `setup.position`.

        What the data do not say (the seats, the reading) is that of `state`, any position of the same game. Raises
        `SetupError` with the path of what cannot be understood.
        """
        raise SetupError("position", "a game that reads positions (`Rules.position`)")

    def position_data(self, state: S) -> dict[str, object]:
        """A position in the shape of `setup.position`, for a judge: `position` makes the same position of it."""
        raise SetupError("position", "a game that writes its positions (`Rules.position_data`)")

    def detached(self, state: S) -> S:
        """The position as it stands in any other log: what it says of events of its own log counts back from there."""
        return state

    def lasting_setup(self, setup: Json) -> Json:
        """What of a setup has to stand beside a position so that it can be understood without its log."""
        return {}

    def position_text(self, data: Json) -> str:
        """A position's data as one line of text without blanks, for a link or a message."""
        return compact(data)

    def read_position(self, text: str, offset: int = 0) -> Json:
        """The data of such a text; raises `PositionTextError` with the column, counted from `offset`."""
        data = expanded(text, offset)
        if not isinstance(data, dict):
            raise PositionTextError(offset + 1, "(", text[:12])
        return data

    def cards_meant(self, word: str, setup: Json) -> tuple[str, ...]:
        """The cards that a word on a score sheet may stand for, in a game with that setup; none where it is no name."""
        return ()

    def seat_word_meant(self, word: str) -> str:
        """What a word behind a player's name on a score sheet means in the setup."""
        return word

    def score_word_meant(self, word: str) -> str:
        """The fixed word of a score form that a word means, such as a verb in another language."""
        return word

    def plainer(self, words: Sequence[str], places: Mapping[str, int]) -> Sequence[str]:
        """The words of a line of a score sheet as a short form may have them, where people wrote them out.

        `places` are the words of the seats, each with its number in their order, as far as the lines before tell it.
        """
        return words

    def apart(self, text: str) -> Sequence[str]:
        """What people write as one event on a score sheet, event by event."""
        return (text,)

    def rules_of_card(self, card: str) -> Citations:
        """The general rules on which the texts of a card rest; none where the game does not know its cards."""
        return ()

    def card_at(self, state: S, place: str) -> str | None:
        """The card at a place that a judge names in a question, such as `A1.2`; None where that is no place."""
        return None

    def holdings(self, state: S) -> Holdings | None:
        """Where every card is and which cards the unknown ones may be; None where nobody can say.

        It may be None as well where every card has a name.
        """
        return None

    def is_in_game(self, state: S, card: str) -> bool:
        """Whether a card may take part in this game at all, as far as that is known."""
        return True

    def evolve(self, state: S, event: Event) -> S:
        """The position after the event. Never validates: an illegal event is applied as recorded.

        An event about the record changes nothing, except that it may set the position.
        """
        rules = self.event_rules.get(type(event))
        if rules is not None:
            return rules.apply(state, event)
        if type(event) is PositionSet and event.position:
            with suppress(SetupError):
                return self.position(event.position, state)
        return state

    def replay_to(self, state: S, events: Sequence[Event]) -> S:
        """The position at the end of a record: what was amended or taken back is left out."""
        stand, begin = standing(events), 0
        for at, event in enumerate(stand if stand is not events else ()):
            if type(event) is PositionSet:
                state, begin = self.evolve(self.replay_moves(state, stand[begin:at]), event), at + 1
        return self.replay_moves(state, stand[begin:])

    def replay_moves(self, state: S, events: Sequence[Event]) -> S:
        """The position after all these events, the same as by `evolve` one by one. A game may know a faster way."""
        return reduce(self.evolve, events, state)

    def skipped_obligations(self, state: S, event: Event) -> tuple[SkippedObligation, ...]:
        """The required events that should have come before this one."""
        return tuple(
            SkippedObligation(tuple(islice(expectation.candidates(state), MAX_LISTED)), expectation.rules)
            for expectation in self.expected(state)
            if expectation.obligation is Obligation.REQUIRED
        )

    def forced(self, state: S) -> tuple[Expectation[S], Event] | None:
        """The expectation and event that come next, if there is no choice."""
        live = self.expected(state)
        if len(live) != 1:
            return None
        (only,) = live
        event = only.single_candidate(state) if only.obligation in (Obligation.REQUIRED, Obligation.MARKER) else None
        return (only, event) if event and not only.hides_choice(state, event) else None

    def advance_to_choice(self, state: S) -> S:
        """The position in which somebody has to choose, or a part of the game ends."""
        for _ in range(MAX_ADVANCE):
            forced = self.forced(state)
            if forced is None or forced[0].obligation is Obligation.MARKER:
                break
            state = self.evolve(state, forced[1])
        return state

    def reading(self, name: str) -> frozenset[str]:
        """The switches of a reading, or of several joined with `+`; raises `UnknownReadingError`."""
        return switches_in(name, self.readings, self.switches, self.former_readings)

    def switches_of(self, header: Header) -> frozenset[str]:
        """The switches of a header: those of its reading, and those of its edition where later rulings changed play.

        Raises `UnknownReadingError` and `UnknownEditionError`.
        """
        return self.reading(header.reading) | self.catalogue.switches_before(self.catalogue.edition(header.edition))

    @cached_property
    def events(self) -> tuple[type[Event], ...]:
        """The event types, in the order of the documentation; those about the record last."""
        return (*self.event_rules, *RECORD_EVENTS)

    @cached_property
    def types(self) -> dict[str, type[Event]]:
        """Event types by the name they have in a log."""
        return {type_name(event): event for event in self.events}


class Disclosure(ABC, Generic[S]):
    """What each viewer may know: a seat, `public` or `judge`."""

    kept_fields: frozenset[str] = frozenset()
    """The fields of events, beside cards and free texts, that some viewers may not know."""

    @abstractmethod
    def view(self, state: S, viewer: str = "judge") -> Json:
        """The position as that viewer may know it, in plain JSON."""

    def open_cards(self, state: S, cards: frozenset[str]) -> frozenset[str]:
        """Those of the cards that the public sees in this position. A game may find them without the whole view."""
        return cards & words_in(self.view(state, "public"))

    @abstractmethod
    def pending(self, state: S, viewer: str = "judge") -> list[Json]:
        """What is under way, newest first; for each at least what acts and how much is left."""

    def redact(self, state: S, event: Event, viewer: str) -> Event:
        """The event as that viewer may know it; `state` is the position before it.

        A position is for the judge alone. A free text that names a card the viewer may not know is left out.
        """
        if viewer == JUDGE and type(event) in RECORD_EVENTS:
            return event
        if type(event) is PositionSet or type(event) is Checkpoint:
            seen: Event = replace(event, position={})
        else:
            seen = event if type(event) in RECORD_EVENTS else self.redact_event(state, event, viewer)
        return self.without_secrets(state, seen, viewer)

    def without_secrets(self, state: S, event: Event, viewer: str) -> Event:
        """The event without the free texts that name a card the viewer may not know."""
        texts = free_texts(event) if viewer != JUDGE else ()
        if not texts:
            return event
        named = words_named([getattr(event, name) for name in texts], words_in(self.view(state, JUDGE)))
        if not named:
            return event
        told = words_in(to_builtins(replace(event, **dict.fromkeys(texts))))
        secret = named - words_in(self.view(state, viewer)) - told
        return replace(event, **{name: None for name in texts if words_named([getattr(event, name)], secret)})

    def known_position(self, state: S, viewer: str) -> S | None:
        """The position without what the viewer does not know, to see what follows from it; None where nothing does."""
        return state if viewer == JUDGE else None

    def position_seen(self, data: Json, viewer: str) -> Json:
        """A position's data without hidden cards, with what the viewer has to allow for besides."""
        return data

    @abstractmethod
    def redact_event(self, state: S, event: Event, viewer: str) -> Event:
        """An event of the game as that viewer may know it; `state` is the position before it."""

    def shows(self, event: Event, viewer: str) -> bool:
        """Whether the event shows that viewer cards that their view hides, such as a hand that is revealed."""
        return False

    def known_as(self, state: S, word: str, viewer: str) -> str:
        """What a card that the viewer may not know is called before them."""
        return "?"

    def recorded_header(self, header: Header, viewer: str) -> Header:
        """The header of a log that this viewer could have written."""
        return header

    def recorder(self, viewer: str, taken: frozenset[str] = frozenset()) -> Recorder[S]:
        """What this viewer writes down, event after event. No new handle is one of those `taken`."""
        return EachAsSeen(self, viewer)

    def seats(self, header: Header) -> tuple[str, ...]:
        """The seats of this game, in order."""
        return tuple(player.seat for player in header.players)


class EachAsSeen(Recorder[S]):
    """Writes down each event as its viewer may know it."""

    def __init__(self, disclosure: Disclosure[S], viewer: str) -> None:
        self.disclosure, self.viewer = disclosure, viewer

    def __call__(self, before: S, event: Event, after: S) -> Iterator[Event]:
        yield self.disclosure.redact(before, event, self.viewer)

    def known_as(self, state: S, word: str) -> str:
        return self.disclosure.known_as(state, word, self.viewer)

    def copied(self) -> Recorder[S]:
        return self


class Wording(ABC, Generic[S]):
    """The words of a game's sentences. The sentences themselves are in `text/<language>/sentences.toml`."""

    def sentence_key(self, event: Event) -> str:
        """The key of the sentence of this event: its type, or finer (`played.up`)."""
        return type_name(type(event))

    @abstractmethod
    def event_words(self, event: Event, language: str, players: Players = BY_SEAT) -> Json:
        """The event's fields as words for its sentence: cards, places and players by name."""

    def finding_words(self, data: Json, language: str, players: Players = BY_SEAT) -> Json:
        """The data of a violation as words for its sentence."""
        return data

    def place_of(self, state: S, card: str) -> str:
        """What a card that has no name is called in a sentence, by its place in this position."""
        return card

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

    def scene(self, view: Json, language: str, pending: Sequence[Json] = (), players: Players = BY_SEAT) -> Scene:
        """The table, made of nothing but a viewer's view; by default a list of its fields."""
        return listed(view, language, pending)

    def face(self, card: str, language: str) -> Face | None:
        """What is printed on a card, where the game has a page of its cards."""
        return None

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
