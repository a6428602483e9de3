"""What the setup of a log may hold, and the shape of a position: declared once, for reading, writing and the schema.

Where a position is set or compared in a game, what it leaves out is as it stands there: `docs/compile-setup.md`.
"""

# No annotations as strings, which take long to evaluate: see `audit/core/model.py`.
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from audit.games.compile.declarations import BoxName
from audit.games.compile.state import ALL_CARDS, MAX_FRAMES

Seat = Literal["A", "B"]
Face = Literal["up", "down"]
Phase = Literal["setup", "start", "control", "compile", "action", "cache", "end"]
Acted = Literal["", "played", "refreshed", "compiled", "cleared", "passed"]
Line = Annotated[int, Meta(ge=1, le=3, description="1, 2 or 3 from seat A's left.")]
Number = Annotated[int, Meta(ge=1, le=10**6)]
Amount = Annotated[int, Meta(ge=0, le=ALL_CARDS)]
Card = Annotated[str, Meta(min_length=1, max_length=64, description="A card such as fire-2, or a handle such as ?1.")]
Laid = Annotated[str, Meta(min_length=1, max_length=64, description="A card such as fire-2; face down with a star.")]
Cards = Annotated[tuple[Card, ...], Meta(max_length=ALL_CARDS)]
Seqs = Annotated[tuple[int, ...], Meta(description="The seqs of the events that led to it; may be left out.")]


class ProtocolEntry(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A protocol, and whether it shows its compiled side."""

    name: str
    compiled: bool = False


class PlacedEntry(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A card in a stack, written out; `fire-2` and `fire-2*` say the same shorter."""

    card: Card
    face: Face = "up"


Stack = Annotated[tuple[Laid | PlacedEntry, ...], Meta(max_length=ALL_CARDS)]
Protocols = Annotated[tuple[str | ProtocolEntry, ...], Meta(min_length=3, max_length=3)]


Names = Annotated[tuple[str, ...], Meta(min_length=3, max_length=3)]
Zone = Cards | Amount | UnsetType
Untold = Literal["A.hand", "A.deck", "B.hand", "B.deck"]


class SideEntry(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What belongs to one player: stacks from the protocol outwards, the deck from its top. A number: unknown cards."""

    protocols: Protocols | UnsetType = UNSET
    lines: Annotated[tuple[Stack, ...], Meta(min_length=3, max_length=3)] | UnsetType = UNSET
    hand: Zone = UNSET
    deck: Zone = UNSET
    trash: Zone = UNSET


class Sides(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Both sides."""

    a: SideEntry = field(name="A", default_factory=SideEntry)
    b: SideEntry = field(name="B", default_factory=SideEntry)


class Target(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Where a card is going: a line of a side."""

    side: Seat
    line: Line


class DueEntry(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A text whose moment has come. `entry` counts the texts of a box from 1, where there are several."""

    card: Card
    command: BoxName
    player: Seat | None = None
    on: str = ""
    entry: Number | None = None


class TextEntry(Struct, forbid_unknown_fields=True, omit_defaults=True, tag_field="what", tag="text"):
    """A text half carried out: `next` is its next instruction, counted from 1. The rest may be left out.

    `done` is how many cards the instruction before moved, `last_picked` the card it picked. For an instruction that is
    done several times: what is `remaining`, the cards `taken`, the `chosen_line`. `chosen` are cards said to be chosen,
    `option` the branch taken, `labels` the instructions carried out that later ones depend on, `on` the moment. `of` is
    the card whose middle command it carries out, `stated` what was named, `drawn` the cards just drawn, `last_line` the
    line of the card picked, `number` how many cards a draw owes.
    """

    card: Card
    command: BoxName
    next: Number = 1
    player: Seat | None = None
    line: Line | None = None
    entry: Number | None = None
    done: Amount = 0
    last_picked: Card | None = None
    labels: tuple[str, ...] = ()
    remaining: tuple[str | int, ...] | None = None
    taken: tuple[Card, ...] = ()
    chosen_line: Annotated[int, Meta(ge=0, le=3)] = 0
    chosen: tuple[Card, ...] = ()
    option: Number | None = None
    on: str = ""
    text_hidden: bool = False
    of: str = ""
    stated: str = ""
    drawn: tuple[Card, ...] = ()
    last_line: Annotated[int, Meta(ge=0, le=3)] = 0
    number: Annotated[int, Meta(ge=-1, le=ALL_CARDS)] = -1
    why: Seqs = ()


class MovingEntry(Struct, forbid_unknown_fields=True, omit_defaults=True, tag_field="what", tag="moving"):
    """A card on its way to a line, from `hand`, `deck`, `trash` or a line. It has left it unless `committed` is false.

    `player` is who plays it and `holder` whose hand, deck or trash it comes from, where that is not the side it goes
    to. `uncovered` are cards it uncovered by leaving, `triggered` texts that this sets off, `notified` cards said to be
    covered by it, `under` the card it goes below, `order` how many were on their way before it.
    """

    card: Card
    to: Target
    face: Face = "up"
    from_: Line | Literal["hand", "deck", "trash"] = field(name="from", default="hand")
    committed: bool = True
    uncovered: tuple[Card, ...] = ()
    triggered: tuple[DueEntry, ...] = ()
    notified: tuple[Card, ...] = ()
    under: Card | None = None
    order: Annotated[int, Meta(ge=0, le=2 * MAX_FRAMES)] = 0
    freed: bool = False
    player: Seat | Literal[""] = ""
    holder: Seat | Literal[""] = ""
    why: Seqs = ()


class Owned(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A card with whose it is."""

    card: Card
    owner: Seat


class LeavingEntry(Struct, forbid_unknown_fields=True, omit_defaults=True, tag_field="what", tag="leaving"):
    """Cards on their way off the field, to the hand or trash of their owners."""

    cards: Annotated[tuple[Owned, ...], Meta(max_length=ALL_CARDS)]
    to: Literal["hand", "trash", "deck"]
    uncovered: tuple[Card, ...] = ()
    triggered: tuple[DueEntry, ...] = ()
    why: Seqs = ()


class ReturningEntry(Struct, forbid_unknown_fields=True, omit_defaults=True, tag_field="what", tag="returning"):
    """Cards of the field that are about to return to hand, unless a text stands in for it."""

    cards: Annotated[tuple[Card, ...], Meta(max_length=ALL_CARDS)]
    why: Seqs = ()


class RefreshEntry(Struct, forbid_unknown_fields=True, omit_defaults=True, tag_field="what", tag="refresh"):
    """A refresh under way. `control`: the component still goes back; `choice`: the player may rearrange for it."""

    player: Seat
    control: bool = False
    choice: bool = False
    why: Seqs = ()


class CompileEntry(Struct, forbid_unknown_fields=True, omit_defaults=True, tag_field="what", tag="compile"):
    """A compile under way: control, then texts that stand in for the deletion (`asked`), the deletion (`deleted`).

    `again`: the protocol still has to become compiled already (true) or not yet (false) by a rearrangement.
    """

    player: Seat
    line: Line
    control: bool = False
    choice: bool = False
    asked: bool = False
    deleted: bool = False
    again: bool | None = None
    why: Seqs = ()


class ClearingEntry(Struct, forbid_unknown_fields=True, omit_defaults=True, tag_field="what", tag="clear"):
    """A player discards down to the limit."""

    player: Seat
    why: Seqs = ()


class DueTextsEntry(Struct, forbid_unknown_fields=True, omit_defaults=True, tag_field="what", tag="due"):
    """Texts that are due at one moment; which goes first is still open."""

    texts: Annotated[tuple[DueEntry, ...], Meta(max_length=ALL_CARDS)]
    why: Seqs = ()


PendingEntry = (
    TextEntry
    | MovingEntry
    | LeavingEntry
    | ReturningEntry
    | RefreshEntry
    | CompileEntry
    | ClearingEntry
    | DueTextsEntry
)


class SkippedEntry(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """An instruction just passed over, the key of the sentence why, and the command of the card that has it."""

    card: Card
    verb: str
    key: str
    box: str = ""


class BarredEntry(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A side that cannot compile in that turn, and by the text of which card."""

    player: Seat
    turn: Number
    by: Card | Literal[""] = ""


class PositionEntry(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A position: how the table stands, and what is under way (`pending`, the newest first).

    `acted` is what the turn has seen in this phase. `due` are start or end texts still to be carried out; by default
    all that there are. `over` is the winner, or why the game ended; `draft` the protocols picked so far. `foreign` are
    the seats among whose unknown cards there may be cards of the other deck, `shuffled` those that made a new deck for
    the draw under way, `lent` the cards of the field that are the other player's. `skipped` and `just_left` are
    remembered for the next event alone. `untold` are the hands and decks of unknown size.
    """

    turn: Number | UnsetType = UNSET
    phase: Phase | UnsetType = UNSET
    player: Seat | UnsetType = UNSET
    control: Seat | UnsetType | None = UNSET
    sides: Sides = field(default_factory=Sides)
    acted: Acted = ""
    barred: tuple[BarredEntry, ...] = ()
    over: str | None = None
    pending: Annotated[tuple[PendingEntry, ...], Meta(max_length=2 * MAX_FRAMES)] = ()
    due: Annotated[tuple[DueEntry, ...], Meta(max_length=ALL_CARDS)] | None = None
    foreign: tuple[Seat, ...] = ()
    shuffled: tuple[Seat, ...] = ()
    lent: tuple[Card, ...] = ()
    skipped: tuple[SkippedEntry, ...] = ()
    just_left: tuple[Card, ...] = ()
    draft: tuple[str, ...] | None = None
    untold: tuple[Untold, ...] = ()


class ProtocolsEntry(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The protocols of both players, line by line from seat A's left."""

    a: Names = field(name="A")
    b: Names = field(name="B")


class ZonesEntry(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A hand or deck of each player; a number is unknown cards."""

    a: Zone = field(name="A", default=UNSET)
    b: Zone = field(name="B", default=UNSET)


class CompileSetup(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The setup of a game: its protocols with decks and hands where they are known, or a position."""

    protocols: ProtocolsEntry | None = None
    decks: ZonesEntry = field(default_factory=ZonesEntry)
    hands: ZonesEntry = field(default_factory=ZonesEntry)
    position: PositionEntry | None = None
