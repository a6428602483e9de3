"""What lies on the table of Altered, and what is under way. Values and questions; nothing here decides.

`None` stands for what nobody has told: a zone, a number, a region. An empty zone is `()`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from audit.altered.events import Stats
from audit.model import Event

UNKNOWN = "?"
"""A card nobody has named."""

HERO: Final = "hero"
COMPANION: Final = "companion"
EXPEDITIONS = (HERO, COMPANION)
STATS = ("forest", "mountain", "water")
PHASES = ("morning", "noon", "afternoon", "dusk", "night")
RESERVE: Final = "reserve"
LANDMARKS: Final = "landmark_zone"
DAILY: Mapping[str, tuple[str, ...]] = {
    "morning": ("pass_token", "prepare", "draw", "mana"),
    "dusk": ("progress",),
    "night": ("rest", "cleanup"),
}
"""The daily effects of each phase that has any, in their order."""

NO_HERO_LIMIT = 2
MORNING_DRAW = 2
MOST_A_DAY = 100
MOST = 100_000
"""No number of a setup is higher."""

Cards = tuple[str, ...]
Count = Annotated[int, Meta(ge=0, le=MOST)]


class Character(Struct, frozen=True, gc=False):
    """A Character in an expedition. Statuses and stats are None where nobody has told them."""

    id: str
    stats: Stats | None = None
    statuses: Cards | None = None
    eternal: bool | None = None


Expedition = tuple[Character, ...]


class Side(Struct, frozen=True, gc=False):
    """What belongs to one player. A card of the hand or the deck that nobody has seen is `?`.

    `ready` and `spent` count Mana Orbs; `orbs` are the cards of which it is known that they became one.
    """

    hand: Cards | None = None
    deck: Cards | None = None
    ready: int | None = None
    spent: int | None = None
    reserve: Cards | None = None
    landmarks: Cards | None = None
    hero: Expedition | None = None
    companion: Expedition | None = None
    hero_at: int | None = None
    companion_at: int | None = None
    discard: Cards = ()
    orbs: Cards = ()

    def at(self, expedition: str) -> int | None:
        """How many spaces that expedition has advanced."""
        return self.hero_at if expedition == HERO else self.companion_at

    def characters(self, expedition: str) -> Expedition | None:
        """Who is in that expedition."""
        return self.hero if expedition == HERO else self.companion

    def zone(self, name: str) -> Cards | None:
        """The Reserve or the Landmark zone."""
        return self.reserve if name == RESERVE else self.landmarks


class Cost(Struct, frozen=True, gc=False):
    """What a card costs from hand and from the Reserve."""

    hand: Count | None = None
    reserve: Count | None = None


class Ability(Struct, frozen=True, gc=False):
    """A reaction or a quick action that the game has told of.

    `on` says what sets a reaction off: a type of event, or that type with one of its values, as `phase_started:noon`.
    """

    controller: str
    effect: str = ""
    trigger: str = ""
    mana: Count = 0
    exhausts: bool = False
    on: str = ""


class Answer(Struct, frozen=True, gc=False):
    """A reaction as it listens: to any event of a type, or to those that tell one value (`hears`).

    The reaction of a card is there while the card is in an expedition, any other throughout (`source` None).
    """

    key: str
    controller: str
    hears: str
    source: str | None


class Tumult(Struct, frozen=True, gc=False):
    """Tumult cards at one place; `at` is the advance at which an expedition reaches the centre."""

    cards: Cards
    up: bool = False
    effect: str | None = None
    at: int | None = None


class Box(Struct, frozen=True, gc=False):
    """What comes with the game and stays: costs, stats, limits, regions, reactions."""

    mode: str = "duel"
    costs: Mapping[str, Cost] = {}
    stats: Mapping[str, Stats] = {}
    statuses: Mapping[str, Cards] = {}
    abilities: Mapping[str, Cards] = {}
    permanents: frozenset[str] = frozenset()
    limits: Mapping[str, Mapping[str, int]] = {}
    heroes: Mapping[str, str | None] = {}
    paths: Mapping[str, tuple[frozenset[str], ...]] = {}
    reactions: Mapping[str, Ability] = {}
    quick_actions: Mapping[str, Ability] = {}
    answers: Mapping[type[Event], tuple[Answer, ...]] = {}


class Triggered(Struct, frozen=True, gc=False):
    """A reaction that has been set off and has no emblem yet, and the event that did it (0: one not written down)."""

    key: str
    seq: int = 0


class Emblem(Struct, frozen=True, gc=False):
    """A reaction waiting in Limbo.

    `after` that it was created during the effect of a reaction; `named` that somebody has told what it is called.
    """

    id: str
    controller: str
    source: str = ""
    trigger_seq: int = 0
    seq: int = 0
    after: bool = False
    named: bool = True


class Effect(Struct, frozen=True, gc=False):
    """An effect that has been opened and not been closed; `internal` when an action inside it was played."""

    player: str
    source: str
    internal: bool = False
    seq: int = 0


class Resolving(Struct, frozen=True, gc=False):
    """What was played last and may still have effects: its player, and the names it goes by."""

    player: str
    names: Cards
    seq: int = 0


class Race(Struct, frozen=True, gc=False):
    """What was announced of one expedition at dusk."""

    own: Stats
    opposing: Stats


class Moment(Struct, frozen=True, gc=False):
    """The last moment at which reactions were looked for, and what belongs to it.

    `since` is the seq from which triggers belong to the moment, `resolving` what was played at it, `later` who played
    the reaction it follows, `born` what has come into sight in it, `limbo_known` whether what waits then has been told.
    """

    name: str | None = None
    seq: int = 0
    since: int = 0
    resolving: Resolving | None = None
    later: str | None = None
    born: Mapping[str, int] = {}
    limbo_known: bool = True


class Course(Struct, frozen=True, gc=False):
    """What of a phase is seldom told: it begins with `seq`, and with nothing of all this.

    `lapsed` let the morning choice go by without a word, `ahead` have taken a turn before it came; the rest is dusk's.
    """

    seq: int = 0
    lapsed: Cards = ()
    ahead: Cards = ()
    races: Mapping[str, Race] = {}
    advanced: Cards = ()
    reached: Cards = ()
    flipped: Cards = ()


class State(Struct, frozen=True, gc=False):
    """A position: the table, the moment of the day, and everything that is under way or waits.

    `todo` are the daily effects of this phase still to come, `pending` what is left of the one under way, `day_told`
    whether somebody wrote down that the day began.
    """

    box: Box
    seats: Cards = ()
    sides: tuple[Side, ...] = ()
    teams: tuple[tuple[str, Cards], ...] = ()
    first: str | None = None
    faces: Mapping[str, str] = {}
    distance: int | None = None
    day: int = 0
    kind: str = "normal"
    phase: str | None = None
    day_told: bool = True
    effect: str | None = None
    todo: Cards = ()
    pending: Cards = ()
    unsure: bool = False
    course: Course = Course()
    moment: Moment = Moment()
    triggered: tuple[Triggered, ...] = ()
    limbo: tuple[Emblem, ...] = ()
    effects: tuple[Effect, ...] = ()
    turn_of: str | None = None
    acted: tuple[str, str] | None = None
    passed: Cards = ()
    still_in: Cards = ()
    regions: Mapping[str, frozenset[str]] = {}
    tumult: Mapping[str, Tumult] = {}
    face_up: Cards = ()
    kept: Mapping[str, Cards] = {}
    discarded: bool = False
    met: tuple[tuple[str, int], ...] = ()
    arena: Mapping[str, Stats] = {}
    called: Cards | None = None
    exhausted: Mapping[str, str] = {}
    uses: Mapping[str, int] = {}
    activations: Mapping[str, int] = {}
    gone: Mapping[str, int] = {}
    deck_sizes: Mapping[str, int] = {}
    decks_legal: Mapping[str, bool] = {}
    last: int = 0
    outcome: str | None = None

    @property
    def resolving(self) -> Resolving | None:
        """What was played last and may still have effects."""
        return self.moment.resolving

    @property
    def advanced(self) -> Cards:
        """The expeditions that have advanced in this dusk."""
        return self.course.advanced

    @property
    def reached(self) -> Cards:
        """The places with Tumult cards that an expedition has come to and that are still face down."""
        return self.course.reached

    @property
    def flipped(self) -> Cards:
        """The Tumult cards turned up whose effects are still to be carried out."""
        return self.course.flipped

    def side(self, seat: str) -> Side:
        """What belongs to that player; nothing is known of somebody who is not at the table."""
        try:
            return self.sides[self.seats.index(seat)]
        except ValueError:
            return NOBODY


NOBODY = Side()


def waiting(state: State, emblem: str, player: str) -> Emblem | None:
    """The emblem of that name in Limbo; else one of the player's that has no name yet, since nobody wrote of it.

    Of several without a name the one is meant whose source the name speaks of.
    """
    for one in state.limbo:
        if one.id == emblem:
            return one
    unnamed = [one for one in state.limbo if not one.named and one.controller == player]
    return max(unnamed, key=lambda one: one.source in emblem, default=None)


def changed(state: State, **fields: object) -> State:
    """The position with some fields changed."""
    return replace(state, **fields)
