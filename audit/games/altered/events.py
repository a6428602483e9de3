"""What can happen at a table of Altered. The order is that of the documentation of the log."""

# No annotations as strings, which take long to evaluate: see `audit/core/model.py`.
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from audit.core.model import Card, Event, Seat

Mode = Literal["duel", "ffa", "2v2"]
DayKind = Literal["normal", "tiebreak"]
PhaseName = Literal["morning", "noon", "afternoon", "dusk", "night"]
EffectName = Literal["pass_token", "prepare", "draw", "mana", "progress", "rest", "cleanup"]
ExpeditionName = Literal["hero", "companion"]
Stat = Literal["forest", "mountain", "water"]
Status = Literal["fleeting", "anchored", "asleep"]
CheckReason = Literal[
    "phase_start", "after_daily_effect", "after_card", "after_quick_action", "after_pass", "after_reaction"
]
Text = Annotated[str, Meta(max_length=500)]
Zone = Literal[
    "hand", "deck", "reserve", "landmark_zone", "hero_expedition", "companion_expedition", "mana_zone", "limbo",
    "discard", "removed",
]  # fmt: skip
Where = Annotated[str, Meta(min_length=3, max_length=48, description="A player and an expedition: `p1 hero`.")]
Pair = Annotated[tuple[Where, ...], Meta(min_length=2, max_length=2)]
Side = Annotated[str, Meta(min_length=1, max_length=32, description="A player, or a team.")]
Amount = Annotated[int, Meta(ge=0, le=999)]
Number = Annotated[int, Meta(ge=-999, le=999)]
Cards = Annotated[tuple[Card, ...], Meta(max_length=200)]
Seats = Annotated[tuple[Seat, ...], Meta(max_length=16)]


class Stats(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The sums of one expedition, or the stats of one Character."""

    forest: Amount = 0
    mountain: Amount = 0
    water: Amount = 0


class HeroCard(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A Hero of a deck."""

    name: str
    faction: str = ""


class DeckCard(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """So many copies of a card in a deck."""

    name: str
    copies: Annotated[int, Meta(ge=1, le=999)] = 1
    rarity: str = "common"
    faction: str = ""


# Before the first day


class GameConfigured(Event, frozen=True):
    """Which kind of game, and who takes part."""

    mode: Mode
    players: Seats
    meet_distance: Annotated[int, Meta(ge=1, le=99)] | None = None


class DeckRegistered(Event, frozen=True):
    """A player hands in a deck. Who was not shown its cards leaves them out."""

    player: Seat
    heroes: Annotated[tuple[HeroCard, ...], Meta(max_length=20)]
    cards: Annotated[tuple[DeckCard, ...], Meta(max_length=500)] | None = None
    tokens: Annotated[tuple[str, ...], Meta(max_length=200)] = ()


class TeamFormed(Event, frozen=True):
    """Two players form a team."""

    team: Side
    players: Seats


class Seated(Event, frozen=True):
    """Who sits where, clockwise."""

    order: Seats


class FirstPlayerDrawn(Event, frozen=True):
    """Who starts."""

    player: Seat
    method: Literal["random", "other"] = "random"


class BoardPlaced(Event, frozen=True):
    """A piece of the board is laid out."""

    piece: Literal["hero_region", "companion_region", "tumult"]
    cards: Cards
    place: Text
    pile: Annotated[int, Meta(ge=1, le=3)] | None = None
    identical: bool | None = None


class ExpeditionsFaced(Event, frozen=True):
    """Which expeditions are opposite each other."""

    pairs: Annotated[tuple[Pair, ...], Meta(max_length=16)]


class CommunicationAgreed(Event, frozen=True):
    """What the participants may tell each other."""

    policy: Text


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
    """A card is played; it concludes the turn."""

    player: Seat
    card: Card
    from_: Literal["hand", "reserve"] = field(name="from")
    to_zone: Zone
    to_owner: Seat
    mana: Amount


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


EVENTS: tuple[type[Event], ...] = (
    GameConfigured,
    DeckRegistered,
    TeamFormed,
    Seated,
    FirstPlayerDrawn,
    BoardPlaced,
    ExpeditionsFaced,
    CommunicationAgreed,
    DayStarted,
    PhaseStarted,
    DailyEffectStarted,
    DailyEffectEnded,
    FirstPlayerPassed,
    ObjectsReadied,
    CardsDrawn,
    ManaPlaced,
    ManaDeclined,
    QuickActionPlayed,
    CardPlayed,
    PlayerPassed,
    EffectStarted,
    InternalActionPlayed,
    EffectEnded,
    ReactionCheck,
    ReactionActivated,
    ReactionPlayed,
    ObjectLeft,
    ExpeditionTotals,
    ExpeditionAdvanced,
    TumultRevealed,
    TumultEffectResolved,
    CharacterRested,
    CleanupChoice,
    CleanupDiscarded,
    MeetingDetected,
    TiebreakStarted,
    PlayerLeft,
    ArenaTotals,
    WinnerDeclared,
    FirstPlayerEffectUsed,
    HandShown,
    TargetChosen,
    CardSacrificed,
    BoostsChanged,
    StatusGained,
    StatusLost,
    TokenCreated,
)
