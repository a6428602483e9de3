"""What the setup of a log may hold, and a position of the table within it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from audit.core.model import Card, Seat
from audit.games.lotr_reveal.cards import Cost, Enters, Forced, Passive
from audit.games.lotr_reveal.events import Amount, Disposition, FrameId, RevealCause, Zone
from audit.games.lotr_reveal.state import Character, Used
from audit.games.lotr_reveal.steps import StepName

TypeName = Annotated[str, Meta(min_length=1, max_length=64)]
Count = Annotated[int, Meta(ge=0, le=1000)]
TaskStep = Literal[
    "1", "2", "3", "4", "4.5", "5.0", "5.1", "6", "7", "8", "9", "10", "11", "12", "after 12", "last"
]  # fmt: skip


class OutcomeEntry(Struct, forbid_unknown_fields=True):
    """An outcome effect; what it does may be declared or read from the text."""

    trigger: Literal["damaged", "defeated", "explored"]
    effect: str = ""
    to: Zone | None = None
    threat: Amount = 0
    draws: Amount = 0


class CardEntry(Struct, forbid_unknown_fields=True):
    """An encounter card as a setup describes it."""

    type: TypeName | None = None
    traits: tuple[str, ...] = ()
    hit_points: int | None = None
    quest_points: int | None = None
    keywords: dict[str, bool | Amount | str] = {}
    immune: bool | str = False
    resistance: Amount = 0
    has_when_revealed: bool | None = None
    text: str = ""
    gains: tuple[str, ...] | None = None
    outcome_effects: tuple[OutcomeEntry, ...] = ()
    enters: Zone | None = None
    on_reveal: Passive | None = None
    enters_with: Enters | str | None = None
    forced: Forced | None = None


class SourceEntry(Struct, forbid_unknown_fields=True):
    """A card in play as a setup describes it; `not_yet`: it comes into play later."""

    owner: str | None = None
    side: Literal["encounter", "player"] | None = None
    not_yet: bool = False
    commits: bool | None = False
    committed: bool | UnsetType | None = UNSET
    on_reveal: Passive | None = None
    response: str | None = None
    step: StepName | None = None
    cost: Cost | None = None
    enters_with: Enters | str | None = None
    forced: Forced | None = None
    attached_to: str | None = None
    disposition: Disposition | None = None
    replacement: bool | None = None
    type: str | None = None
    traits: tuple[str, ...] = ()


class TaskEntry(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Something that still has to happen to a card on its way; `what` it is and its `source` as the viewer shows it."""

    kind: str
    step: TaskStep
    source: str = ""
    what: str = ""
    amount: int = 0
    detail: str = ""
    player: str = ""


class NoteEntry(Struct, forbid_unknown_fields=True):
    """Why nothing happens at a step: the id of the rule that says so."""

    step: TaskStep
    rule: str


class ProcedureEntry(Struct, forbid_unknown_fields=True):
    """What a card had to go through when it was taken."""

    tasks: tuple[TaskEntry, ...] = ()
    notes: tuple[NoteEntry, ...] = ()
    possible: tuple[TaskEntry, ...] = ()


class WhyEntry(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The lines of a log that led to a card: the one that opened its way, the last one, and those before it."""

    seq: int = 0
    last_cause: int = 0
    outer_causes: tuple[int, ...] = ()


class FrameEntry(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A card on its way. What is not given follows from the card, its cause and the step it has come to."""

    frame: FrameId
    card: Card
    player: Seat
    cause: RevealCause | Literal["guarded-x"] = "staging"
    step: StepName = "1"
    parent: FrameId | None = None
    placed: bool = False
    zone: Zone | UnsetType = UNSET
    held: bool | UnsetType = UNSET
    from_anywhere: bool | UnsetType = UNSET
    why: WhyEntry = WhyEntry()
    procedure: ProcedureEntry | UnsetType = UNSET
    tasks: tuple[TaskEntry, ...] | UnsetType = UNSET
    notes: tuple[NoteEntry, ...] | UnsetType = UNSET
    possible: tuple[TaskEntry, ...] | UnsetType = UNSET
    surges_armed: int | UnsetType = UNSET
    surges_served: int | UnsetType = UNSET
    from_surge: bool | UnsetType = UNSET
    named_type: str | UnsetType | None = UNSET
    peril: bool | UnsetType = UNSET
    stop: Literal["", "cancelled", "discarded", "left"] | UnsetType = UNSET
    removed_by: str | UnsetType = UNSET
    granted_keywords: tuple[str, ...] | UnsetType = UNSET
    cancelled_by: str | UnsetType = UNSET
    replaced_later: bool | UnsetType = UNSET
    character_readied: bool | UnsetType = UNSET
    text_resolved: bool | UnsetType = UNSET
    text_threat: int | UnsetType = UNSET
    used_sources: tuple[str, ...] | UnsetType = UNSET
    leads_to: tuple[str, ...] | UnsetType = UNSET
    responded_at: Count | UnsetType = UNSET
    may_gain: bool | UnsetType = UNSET
    hurt: tuple[str, ...] | UnsetType = UNSET
    untold_rises: tuple[str, ...] | UnsetType = UNSET


class ReplacementEntry(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A card to be revealed in place of one that was cancelled."""

    frame: FrameId
    player: Seat
    from_surge: bool = False
    named_type: str | None = None
    is_due: bool = True
    why: int = 0


class PartEntry(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is known to lie in zones where more may lie."""

    encounter_discard: tuple[Card, ...] = ()
    staging_area: tuple[Card, ...] = ()
    engaged: dict[str, tuple[Card, ...]] = {}
    in_play: dict[str, SourceEntry] | None = None


class TableEntry(Struct, forbid_unknown_fields=True):
    """A position of the table. A zone or counter that is not given is unknown."""

    first_player: str | None = None
    encounter_deck: tuple[Card, ...] | Count | None = None
    deck_order_known: bool = True
    encounter_discard: tuple[Card, ...] | None = None
    staging_area: tuple[Card, ...] | None = None
    engaged: dict[str, tuple[Card, ...]] | None = None
    elsewhere: dict[str, Zone] = {}
    partly_known: PartEntry = PartEntry()
    attachments: dict[str, tuple[str, ...]] = {}
    threat: dict[str, int] = {}
    hand_size: dict[str, int] = {}
    damage: dict[str, int] = {}
    progress: dict[str, int] = {}
    threat_strength: dict[str, int] = {}
    characters: dict[str, Character] = {}
    in_play: dict[str, SourceEntry] | None = None
    used: dict[str, Used] = {}
    shuffles: tuple[tuple[Card, ...], ...] = ()
    under_way: tuple[FrameEntry, ...] = ()
    through: tuple[FrameEntry, ...] = ()
    replacement: ReplacementEntry | None = None
    opened: Count = 0
    revealed: Count = 0
    staged: tuple[Seat, ...] = ()
    round: Count = 0
    doubts: tuple[TaskEntry, ...] = ()


class RevealSetup(TableEntry, forbid_unknown_fields=True):
    """The whole setup: what does not change, and the table, here or as a `position` of its own."""

    players: tuple[Seat, ...] = ()
    cards: dict[str, CardEntry] = {}
    encounter_cards: tuple[Card, ...] = ()
    facts: dict[str, bool] = {}
    reveals: Count | None = None
    position: TableEntry | None = None
