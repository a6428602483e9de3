"""What can happen at a table of Altered. The order is that of the documentation of the log."""

# No annotations as strings, which take long to evaluate: see `audit/core/model.py`.
from typing import Annotated, Literal

from msgspec import Meta, field

from audit.core.model import Card, Event, Seat, Side, event_types_in
from audit.games.altered import setup_events
from audit.games.altered.vocabulary import (
    Amount,
    Cards,
    CheckReason,
    DayKind,
    EffectName,
    ExpeditionName,
    Number,
    PhaseName,
    Seats,
    Stat,
    Stats,
    Status,
    Text,
    Where,
    Zone,
)

# The day


class DayStarted(Event, frozen=True):
    """A day begins."""

    day: Annotated[int, Meta(ge=1, le=9999)]
    kind: DayKind = "normal"


class PhaseStarted(Event, frozen=True):
    """A phase begins."""

    phase: PhaseName


class DailyEffectStarted(Event, frozen=True):
    """A daily effect begins."""

    effect: EffectName


class DailyEffectEnded(Event, frozen=True):
    """A daily effect is complete."""

    effect: EffectName


class FirstPlayerPassed(Event, frozen=True):
    """The First Player token moves."""

    from_: Seat = field(name="from")
    to: Seat


class ObjectsReadied(Event, frozen=True):
    """Exhausted cards and orbs are readied."""

    player: Seat
    objects: Literal["all"] | Cards = "all"


class CardsDrawn(Event, frozen=True):
    """Cards go from a deck to the hand; `cards` are those, if the recorder saw them."""

    player: Seat
    count: Amount
    reason: Text = "morning"
    cards: Cards | None = None


class ManaPlaced(Event, frozen=True):
    """A card of the hand becomes a Mana Orb."""

    player: Seat
    card: Card
    count: Amount = 1
    from_: Zone = field(name="from", default="hand")
    face: Literal["up", "down"] = "down"


class ManaDeclined(Event, frozen=True):
    """A player makes no use of the morning choice."""

    player: Seat


# Playing


class QuickActionPlayed(Event, frozen=True):
    """A quick action in the player's own turn."""

    player: Seat
    source: Card
    action: Text
    exhausts: Card | None = None
    mana: Amount = 0


class CardPlayed(Event, frozen=True):
    """A card is played; it concludes the turn. Where nobody has told what was paid, `mana` is left out."""

    player: Seat
    card: Card
    from_: Literal["hand", "reserve"] = field(name="from")
    to_zone: Zone
    to_owner: Seat
    mana: Amount | None = None


class PlayerPassed(Event, frozen=True):
    """A player is out for the day."""

    player: Seat


class EffectStarted(Event, frozen=True):
    """An effect begins to resolve."""

    player: Seat
    source: Card
    effect: Text = ""


class InternalActionPlayed(Event, frozen=True):
    """An action contained in an effect."""

    player: Seat
    within: Card
    action: Text


class EffectEnded(Event, frozen=True):
    """An effect is complete."""

    player: Seat
    source: Card


# Reactions


class ReactionCheck(Event, frozen=True):
    """A marker: Limbo is looked through for reactions."""

    reason: CheckReason


class ReactionActivated(Event, frozen=True):
    """A trigger is met and an emblem is created in Limbo."""

    reaction: Text
    source: Card
    controller: Seat
    trigger: Text
    trigger_seq: Annotated[int, Meta(ge=1)]
    emblem: Card


class ReactionPlayed(Event, frozen=True):
    """An emblem leaves Limbo and its effect resolves."""

    player: Seat
    emblem: Card
    effect: Text = ""


class ObjectLeft(Event, frozen=True):
    """An effect moves an object to another zone."""

    object: Card
    from_: Zone = field(name="from")
    to: Zone


# Dusk


class ExpeditionTotals(Event, frozen=True):
    """The sums that are compared at dusk."""

    player: Seat
    expedition: ExpeditionName
    against: Where
    region: Annotated[tuple[Stat, ...], Meta(max_length=3)]
    own: Stats
    opposing: Stats


class ExpeditionAdvanced(Event, frozen=True):
    """An expedition marker moves."""

    player: Seat
    expedition: ExpeditionName
    stat: Stat
    spaces: Number = 1


class TumultRevealed(Event, frozen=True):
    """Tumult cards are turned face up."""

    cards: Cards
    place: Text
    second_reversed: bool | None = None


class TumultEffectResolved(Event, frozen=True):
    """The effect of a revealed Tumult card is carried out."""

    card: Card
    effect: Text = ""


# Night


class CharacterRested(Event, frozen=True):
    """What Rest does to one Character; `player` is who brought it and has the Reserve it goes to.

    If `statuses_removed` is left out, they follow from the rules; `[]` is none.
    """

    player: Seat
    card: Card
    to: Literal["reserve", "discard", "stays"]
    statuses_removed: Annotated[tuple[Status, ...], Meta(max_length=3)] | None = None


class CleanupChoice(Event, frozen=True):
    """A player announces what to keep."""

    player: Seat
    zone: Literal["reserve", "landmark_zone"]
    kept: Cards


class CleanupDiscarded(Event, frozen=True):
    """Everything that is not kept is discarded at once."""

    discarded: dict[str, Cards]


# How it ends


class MeetingDetected(Event, frozen=True):
    """A player's two expeditions stand in one region; the surplus counts advances beyond need."""

    player: Seat
    surplus: Number


class TiebreakStarted(Event, frozen=True):
    """A tie-break day is called."""

    qualified: Seats
    place: Literal["arena"] = "arena"


class PlayerLeft(Event, frozen=True):
    """A player who has no part in the tie-break leaves."""

    player: Seat


class ArenaTotals(Event, frozen=True):
    """The sums that are compared at the dusk of a tie-break day."""

    side: Side
    forest: Amount
    mountain: Amount
    water: Amount


class WinnerDeclared(Event, frozen=True):
    """The game is decided."""

    side: Side
    reason: Text = ""


# At any time


class FirstPlayerEffectUsed(Event, frozen=True):
    """An effect that asks for being the first player takes effect."""

    player: Seat
    source: Card


class HandShown(Event, frozen=True):
    """A player shows their hand."""

    player: Seat
    to: Seat


class TargetChosen(Event, frozen=True):
    """What an effect is applied to."""

    player: Seat
    source: Card
    wording: Text
    targets: Annotated[tuple[str, ...], Meta(max_length=64)]


class CardSacrificed(Event, frozen=True):
    """A card is sacrificed."""

    player: Seat
    card: Card
    controller: Seat


class BoostsChanged(Event, frozen=True):
    """A Character gains boosts, or loses them (below 0). `stats` are those it has then, if somebody counted them."""

    card: Card
    count: Number
    stats: Stats | None = None


class StatusGained(Event, frozen=True):
    """A Character gains a status by a text."""

    card: Card
    status: Text


class StatusLost(Event, frozen=True):
    """A Character loses a status by a text."""

    card: Card
    status: Text


class TokenCreated(Event, frozen=True):
    """An effect creates a token."""

    player: Seat
    source: Card
    token: Card
    to_zone: Zone
    to_owner: Seat


EVENTS = event_types_in({**vars(setup_events), **globals()})
