"""What can happen while encounter cards are revealed. The order is that of the documentation of the log."""

# No annotations as strings, which take long to evaluate: see `audit/core/model.py`.
from typing import Annotated, Literal

from msgspec import Meta, field

from audit.core.model import Card, Event, Seat
from audit.games.lotr_reveal.steps import StepName

FrameId = Annotated[str, Meta(min_length=1, max_length=32, description="One card on its way through the steps.")]
Zone = Literal[
    "encounter_deck", "encounter_discard", "revealing", "staging_area", "engaged", "attached", "player_area",
    "victory_display", "out_of_play", "active_location",
]  # fmt: skip
Phase = Literal["resource", "planning", "quest", "travel", "encounter", "combat", "refresh"]
QuestResult = Literal["success", "failure", "undecided"]
RevealCause = Literal["staging", "effect", "surge", "guarded", "replacement"]
ResponseEffect = Literal[
    "cancel_card", "cancel_when_revealed", "cancel_when_revealed_and_replace", "ready_character", "name_type", "other",
]  # fmt: skip
Disposition = Literal["shuffle_into_deck", "discard"]
PassiveEffect = Literal["damage", "progress", "grant_keyword", "other"]
SurgeOrigin = Literal["printed", "granted", "gained"]
Trigger = Literal["damaged", "defeated", "explored"]
Ending = Literal["completed", "cancelled", "discarded_at_3", "left_at_4"]
Text = Annotated[str, Meta(max_length=500)]
Keyword = Annotated[str, Meta(min_length=1, max_length=64)]
Amount = Annotated[int, Meta(ge=-1000, le=1000)]
Names = Annotated[tuple[str, ...], Meta(max_length=64)]
Value = int | str


class RevealStarted(Event, frozen=True):
    """The top card of the encounter deck is taken and read."""

    frame: FrameId
    card: Card
    cause: RevealCause
    player: Seat
    parent: FrameId | None = None
    step: Literal["1"] = "1"


class PlacementStarted(Event, frozen=True):
    """A card is put into play without being revealed: it joins at step 8."""

    frame: FrameId
    card: Card
    cause: Literal["effect", "guarded-x"]
    player: Seat
    parent: FrameId | None = None
    to: Zone | None = None
    step: Literal["8"] = "8"


class StepEntered(Event, frozen=True):
    """A marker: a step begins."""

    frame: FrameId
    step: StepName


class WindowPassed(Event, frozen=True):
    """A marker: nobody uses a further response in this window."""

    frame: FrameId
    step: StepName


class ResponsePlayed(Event, frozen=True):
    """A player uses an effect that is a choice."""

    frame: FrameId
    step: StepName
    player: Seat
    source: Card
    effect: ResponseEffect
    target: str | None = None
    value: Value | None = None


class CardCancelled(Event, frozen=True):
    """The whole encounter card is cancelled and leaves the procedure."""

    frame: FrameId
    step: StepName
    card: Card
    by: Card
    disposition: Disposition


class PassiveApplied(Event, frozen=True):
    """An effect that is no choice acts on the card being revealed; `amount` is what it comes to in the end."""

    frame: FrameId
    step: StepName
    source: Card
    effect: PassiveEffect
    target: str | None = None
    amount: Amount | None = None
    reduced_by: Amount | None = None
    keyword: Keyword | None = None


class CardDefeated(Event, frozen=True):
    """An enemy has no hit points left."""

    frame: FrameId
    step: StepName
    card: Card
    cause: Card | None = None


class CardExplored(Event, frozen=True):
    """A location has all the progress it needs."""

    frame: FrameId
    step: StepName
    card: Card
    cause: Card | None = None


class OutcomeEffectResolved(Event, frozen=True):
    """The card's own reaction to being damaged, defeated or explored."""

    frame: FrameId
    step: StepName
    card: Card
    trigger: Trigger
    effect: Text
    player: Seat | None = None
    amount: Amount | None = None


class KeywordResolved(Event, frozen=True):
    """A keyword that works on being revealed, other than surge, is carried out."""

    frame: FrameId
    step: StepName
    card: Card
    keyword: Keyword
    value: Value | None = None


class SurgeArmed(Event, frozen=True):
    """One surge becomes due at step 12."""

    frame: FrameId
    step: StepName
    card: Card
    origin: SurgeOrigin


class WhenRevealedResolved(Event, frozen=True):
    """The When Revealed effect is carried out; `gains` are keywords the card acquires by it, as in `doomed 2`."""

    frame: FrameId
    step: StepName
    card: Card
    effect: Text | None = None
    affected: Names | None = None
    gains: Names | None = None


class CardMoved(Event, frozen=True):
    """An encounter card goes from one zone to another."""

    frame: FrameId
    step: StepName
    card: Card
    from_: Zone = field(name="from")
    to: Zone
    reason: Text | None = None


class EnterPlayEffect(Event, frozen=True):
    """An effect of entering play, or of entering one zone, is carried out."""

    frame: FrameId
    step: StepName
    card: Card
    source: Card
    effect: Text
    target: str | None = None
    outcome: Text | None = None


class ForcedResolved(Event, frozen=True):
    """A forced effect is carried out at step 10 or 11."""

    frame: FrameId
    step: StepName
    source: Card
    effect: Text | None = None
    target: str | None = None


class ThreatChanged(Event, frozen=True):
    """A player's threat moves."""

    frame: FrameId
    step: StepName
    player: Seat
    delta: Amount
    reason: Text | None = None


class RevealEnded(Event, frozen=True):
    """A card is through; `step` is the last step taken."""

    frame: FrameId
    step: StepName
    card: Card
    outcome: Ending


class PhaseStarted(Event, frozen=True):
    """A phase of the round begins. What nobody has told since the last staging step is unknown from then on."""

    phase: Phase
    round: Annotated[int, Meta(ge=1, le=1000)] | None = None


class CharactersCommitted(Event, frozen=True):
    """A player commits characters to the quest: they exhaust, and the player's other characters are not committed."""

    player: Seat
    characters: Names


class CharactersReadied(Event, frozen=True):
    """Characters ready: those named, else those of the player, else all."""

    player: Seat | None = None
    characters: Names | None = None


class CharactersExhausted(Event, frozen=True):
    """Characters exhaust."""

    characters: Names


class CharacterDamaged(Event, frozen=True):
    """A hero or ally takes damage, or is healed by a number below 0."""

    character: Card
    amount: Amount


class CardPut(Event, frozen=True):
    """A card goes to a zone without being revealed: an enemy engages or dies, players travel, an ally is played."""

    card: Card
    to: Zone
    player: Seat | None = None
    from_: Zone | None = field(name="from", default=None)
    attached_to: Card | None = None


class TokensMoved(Event, frozen=True):
    """Damage or progress is put on an encounter card, or taken off it by a number below 0."""

    card: Card
    damage: Amount = 0
    progress: Amount = 0


class ThreatMoved(Event, frozen=True):
    """A player's threat moves without a card being revealed: the quest fails, or the round ends."""

    player: Seat
    delta: Amount


class HandMoved(Event, frozen=True):
    """The number of cards in a player's hand changes without a card being revealed."""

    player: Seat
    delta: Amount


class DeckShuffled(Event, frozen=True):
    """The encounter deck is shuffled, with the discard pile where it says so; `order` is the new one, if known."""

    with_discard: bool = False
    order: Names | None = None


class FirstPlayerPassed(Event, frozen=True):
    """Another player becomes the first player."""

    to: Seat


class QuestResolved(Event, frozen=True):
    """The players have quested: how it ended, and how much progress was made on which stage."""

    result: QuestResult
    progress: Amount | None = None
    stage: Text | None = None


Within = (
    StepEntered | WindowPassed | ResponsePlayed | CardCancelled | PassiveApplied | CardDefeated | CardExplored
    | OutcomeEffectResolved | KeywordResolved | SurgeArmed | WhenRevealedResolved | CardMoved | EnterPlayEffect
    | ForcedResolved | ThreatChanged | RevealEnded
)  # fmt: skip
"""What happens inside a frame that is open already."""

AtTheTable = (
    PhaseStarted | CharactersCommitted | CharactersReadied | CharactersExhausted | CharacterDamaged | CardPut
    | TokensMoved | ThreatMoved | HandMoved | DeckShuffled | FirstPlayerPassed | QuestResolved
)  # fmt: skip
"""What happens between two reveals, or by a text."""

AnyEvent = RevealStarted | PlacementStarted | Within
