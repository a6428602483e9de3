"""The words and values in which events of Altered are told."""

# No annotations as strings, which take long to evaluate: see `audit/core/model.py`.
from typing import Annotated, Literal

from msgspec import Meta, Struct

from audit.core.model import Card, Seat

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
