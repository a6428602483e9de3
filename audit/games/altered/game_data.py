"""What the setup says about a whole game of Altered: its cards, their costs, texts and reactions. Values; no rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from audit.core.model import Event
from audit.games.altered.vocabulary import Mode, Stats

MAX_COUNT = 100_000
"""No number of a setup is higher."""

Cards = tuple[str, ...]
CardType = Literal["character", "landmark", "expedition_permanent", "spell", "token", "hero"]
Count = Annotated[int, Meta(ge=0, le=MAX_COUNT)]


class Cost(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What a card costs: `hand` when played from hand, `reserve` when played from the Reserve."""

    hand: Count | None = None
    reserve: Count | None = None


class Ability(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A reaction or a quick action that the setup has described.

    - `controller`: whose it is.
    - `effect`, `trigger`: what it does and what sets it off, as text.
    - `mana`, `exhausts`: what a quick action costs: so much mana, and whether its object is exhausted.
    - `on`: the type of event that sets a reaction off, or that type with one of its values (`phase_started:noon`).
    - `from_`: `reserve` for one that works from the Reserve; else it works in expeditions and in the Landmark zone.
    """

    controller: str
    effect: str = ""
    trigger: str = ""
    mana: Count = 0
    exhausts: bool = False
    on: str = ""
    from_: Literal["", "reserve"] = field(name="from", default="")


WhoseEvent = Literal["", "you", "opponent", "self"]


class Trigger(Struct, frozen=True, gc=False):
    """What the text of a reaction asks of the event that sets it off.

    - `who`: whose event it has to be: `you` and `opponent` as the controller sees them, `self` for the card itself,
      "" for anybody.
    - `kind`: of which kind the played card has to be; "" for any.
    - `is_read`: whether the text says no more than that.
    - `from_reserve`: whether the text names the Reserve, so that it works there.
    """

    who: WhoseEvent = ""
    kind: str = ""
    is_read: bool = True
    from_reserve: bool = False


class Listener(Struct, frozen=True, gc=False):
    """A reaction as it listens to one type of event.

    - `reaction`: its name, source and action.
    - `controller`: whose it is.
    - `value`: the value that the event has to have in one of its fields; "" for any event of the type.
    - `source`: the card that has to be in play for it; None where the reaction is there throughout.
    - `trigger`: what its text asks of the event.
    - `in_reserve`: whether it works in the Reserve.
    """

    reaction: str
    controller: str
    value: str
    source: str | None
    trigger: Trigger
    in_reserve: bool


class GameData(Struct, frozen=True, gc=False):
    """What the setup says about the whole game; only `mode` may be set later, by `game_configured`.

    - `mode`: duel, ffa or 2v2.
    - `costs`, `stats`, `statuses`, `abilities`: of each card, by its name.
    - `types`: the type of each card, where it is told.
    - `permanents`: the cards that are no Characters and stay on the table.
    - `limits`: how many cards each player may keep in each zone, where the Hero says so.
    - `heroes`: each player's Hero; None for a player without one.
    - `paths`: the region types along the way of each expedition, by its place.
    - `reactions`, `quick_actions`: by name, source and action (`p1-hero:muster`).
    - `listeners`: the reactions by the type of event that sets them off.
    - `triggers`: what the text of each reaction asks of that event, where the setup names its type.
    - `known_sources`: the cards whose reactions are all described so, and without a text.
    - `deck_lists`: the cards of each player's deck, every copy of them, in no order; `listed`: each of them once.
    """

    mode: Mode = "duel"
    costs: Mapping[str, Cost] = {}
    stats: Mapping[str, Stats] = {}
    statuses: Mapping[str, Cards] = {}
    abilities: Mapping[str, Cards] = {}
    types: Mapping[str, CardType] = {}
    permanents: frozenset[str] = frozenset()
    limits: Mapping[str, Mapping[str, int]] = {}
    heroes: Mapping[str, str | None] = {}
    paths: Mapping[str, tuple[frozenset[str], ...]] = {}
    reactions: Mapping[str, Ability] = {}
    quick_actions: Mapping[str, Ability] = {}
    listeners: Mapping[type[Event], tuple[Listener, ...]] = {}
    triggers: Mapping[str, Trigger] = {}
    known_sources: frozenset[str] = frozenset()
    deck_lists: Mapping[str, Cards] = {}
    listed: Mapping[str, frozenset[str]] = {}
