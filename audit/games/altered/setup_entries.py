"""What a setup of Altered may hold, declared: its keys and their values. What is not given is unknown, not empty.

`audit.games.altered.opening` reads it value by value, so that an error names the place.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from audit.games.altered.game_data import Ability, Cards, CardType, Cost, Count
from audit.games.altered.state import Origin
from audit.games.altered.vocabulary import DayKind, EffectName, ExpeditionName, Mode, PhaseName, Stat, Stats

ByExpedition = dict[ExpeditionName, Count]
Place = Annotated[str, Meta(description="A player and an expedition: `p1 hero`.")]
SomeCards = Annotated[Cards | Count, Meta(description="The cards, the top of a deck first, or how many there are.")]


class OrbsEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """How many Mana Orbs are ready and exhausted, and the cards of which it is known that they are orbs."""

    ready: Count = 0
    exhausted: Count = 0
    known: Cards = ()


class CharacterEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A Character in an expedition; null stands for statuses, abilities or stats that nobody knows."""

    id: str = ""
    forest: Count = 0
    mountain: Count = 0
    water: Count = 0
    stats: None = None
    statuses: Cards | None = ()
    abilities: Cards | None = ()
    origin: Origin = ""
    touched_by: Annotated[
        int, Meta(description="The event with an unknown text that may have changed it; before the log, below 0.")
    ] = 0


class EmblemEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A reaction that waits in Limbo."""

    emblem: str
    controller: str
    source: str = ""


class EffectEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """An effect that has begun and is not complete."""

    player: str
    source: str


class TumultEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """The Tumult cards at one place; `at` is the space after which an expedition gets to the centre."""

    card: str = ""
    cards: Cards = ()
    face: Annotated[str, Meta(pattern="^(up|down)$")] = "down"
    effect: str | None = None
    at: Count | None = None


class AlteredPosition(Struct, frozen=True, forbid_unknown_fields=True):
    """A position; tables are by player, and by expedition within a player."""

    mode: Mode = "duel"
    seats: Cards = ()
    teams: dict[str, Cards] = {}
    meet_distance: Count | None = None
    facing: tuple[Annotated[tuple[Place, ...], Meta(min_length=2, max_length=2)], ...] = ()
    first_player: str | None = None
    day: Count = 1
    day_kind: DayKind = "normal"
    phase: PhaseName | None = None
    daily_effect: EffectName | None = None
    turn_of: str | None = None
    passed: Cards = ()
    still_in: Cards = ()
    limbo: tuple[EmblemEntry, ...] = ()
    effects: tuple[EffectEntry, ...] = ()
    hands: dict[str, SomeCards] = {}
    hand_size: dict[str, Count] = {}
    decks: dict[str, SomeCards] = {}
    orbs: dict[str, OrbsEntry] = {}
    reserve: dict[str, Cards] = {}
    landmark_zone: dict[str, Cards] = {}
    in_limbo: dict[str, Cards] = {}
    characters: dict[str, dict[ExpeditionName, tuple[CharacterEntry, ...] | None]] = {}
    in_expedition: Cards = ()
    arena_characters: dict[str, Stats] = {}
    discard: dict[str, Cards] = {}
    exhausted: Cards = ()
    owners: dict[str, str] = {}
    advances: dict[str, ByExpedition] = {}
    regions: dict[str, dict[ExpeditionName, tuple[Stat, ...]]] = {}
    tumult: dict[str, TumultEntry] = {}
    advanced: tuple[Place, ...] = ()
    quick_uses: dict[str, Count] = {}
    activations: dict[str, Count] = {}
    deck_sizes: dict[str, Count] = {}
    under_way: Annotated[dict[str, object], Meta(description="The rest, field by field, as `State` has it.")] = {}
    note: str = ""


class AlteredSetup(AlteredPosition, frozen=True, forbid_unknown_fields=True):
    """What a setup says of the game; the position stands in `position`, or beside the rest."""

    position: AlteredPosition | None = None
    players: Cards = ()
    costs: dict[str, Cost] = {}
    stats: dict[str, Stats] = {}
    statuses: dict[str, Cards] = {}
    abilities: Annotated[
        dict[str, Cards], Meta(description="A card that is named here has no other ability and no other text.")
    ] = {}
    types: dict[str, CardType] = {}
    permanents: Cards = ()
    limits: dict[str, dict[str, Count]] = {}
    heroes: dict[str, str | None] = {}
    paths: dict[str, dict[ExpeditionName, tuple[tuple[Stat, ...], ...]]] = {}
    reactions: dict[str, Ability] = {}
    quick_actions: dict[str, Ability] = {}
    deck_lists: Annotated[
        dict[str, Cards], Meta(description="The cards of a player's deck, each as often as it is in it, in any order.")
    ] = {}


OF_A_POSITION = frozenset(AlteredPosition.__struct_fields__)
"""What a position may give."""
KEYS = frozenset(AlteredSetup.__struct_fields__)
"""What a setup may give."""
OF_THE_GAME = KEYS - OF_A_POSITION - {"position"} | {"mode", "seats", "teams", "meet_distance", "facing", "note"}
"""What a setup may say of the game beside a position."""
