"""The position of Compile: the table, and what is under way. Values and look-ups; no rules."""

from __future__ import annotations

from msgspec import Struct

from audit.games.compile.declarations import BoxName

SEATS = ("A", "B")
LINES = (1, 2, 3)
HAND_LIMIT = 5
ALL_CARDS = 36
"""The number of cards in a game; more than that in one place are ignored."""
MAX_FRAMES = 60
"""At most this many frames are under way at once; older ones are dropped."""
UNKNOWN = "?"
"""A card nobody has named. A handle (`?1`) is an unknown card that the recorder can tell from the others."""


class PlacedCard(Struct, frozen=True, gc=False, array_like=True, cache_hash=True):
    """A card in a stack: its id or handle, and whether it lies face up."""

    card: str
    up: bool


class Side(Struct, frozen=True, gc=False):
    """What belongs to one player.

    `protocols` are the three protocols, line by line, `compiled` those that show their compiled side. `lines` are the
    stacks, each from the protocol outwards. `hand`, `deck` (from its top) and `trash` hold card ids; a card nobody
    can name stands as `?`.
    """

    protocols: tuple[str, ...]
    compiled: frozenset[str] = frozenset()
    lines: tuple[tuple[PlacedCard, ...], ...] = ((), (), ())
    hand: tuple[str, ...] = ()
    deck: tuple[str, ...] = ()
    trash: tuple[str, ...] = ()


class FieldPosition(Struct, frozen=True, gc=False):
    """Where on the field a card lies: in whose stack, in which line (1 to 3), and how.

    `seat` is whose stack it is. `index` counts from the protocol, beginning with 0. `up` says that the card lies face
    up. The last card of a stack is `uncovered`.
    """

    seat: str
    line: int
    index: int
    up: bool
    uncovered: bool


class DueText(Struct, frozen=True, gc=False):
    """A text whose moment has come and that waits for its turn.

    `card` is the card that has the text, `box` and `entry` say which of its texts it is, `on` which moment it is,
    `seat` whose text it is.
    """

    card: str
    box: BoxName
    entry: int
    on: str
    seat: str


class DueTexts(Struct, frozen=True, gc=False):
    """Texts that are due at one moment.

    `texts` are those still to be carried out. `why` are the seqs that led to it, nearest first, as in every frame.
    """

    texts: tuple[DueText, ...]
    why: tuple[int, ...] = ()


class Text(Struct, frozen=True, gc=False):
    """A text being carried out.

    `card`, `box` and `entry` say which text it is, `seat` whose, `line` where its card lies, `on` at which moment it
    began. `next_index` is the index of the next instruction, `option` the branch taken where there was a choice (-1
    before).

    Of the instruction before: `last_picked` is the card it picked, `done` how many cards it moved. `labels` are the
    names of the instructions carried out so far that later ones depend on.

    Of an instruction that is done several times: `remaining` is what it still has to do (lines, cards, or so many
    blanks; None if it is done once), `taken` the cards it has dealt with, `chosen_line` the line it settled on (0
    before). `chosen` are the cards said to be chosen for it, which bind what follows. `text_hidden` says that the text
    went out of sight, so that nothing more of it is carried out.

    `of` is the card whose middle box is carried out as this card's own, `stated` what was named aloud, `drawn` the
    cards drawn last, `last_line` the line of the card picked last, `number` how many cards a draw owes that made a
    new deck (-1 otherwise). `why` are the seqs that led to the text.
    """

    card: str
    box: BoxName
    entry: int
    seat: str
    line: int
    next_index: int = 0
    last_picked: str | None = None
    done: int = 0
    labels: tuple[str, ...] = ()
    remaining: tuple[str | int, ...] | None = None
    taken: tuple[str, ...] = ()
    chosen_line: int = 0
    chosen: tuple[str, ...] = ()
    option: int = -1
    on: str = ""
    text_hidden: bool = False
    of: str = ""
    stated: str = ""
    drawn: tuple[str, ...] = ()
    last_line: int = 0
    number: int = -1
    why: tuple[int, ...] = ()


class CardMovement(Struct, frozen=True, gc=False):
    """A card on its way to a line: announced, then committed, then landed.

    `card` is the card, `up` says that it will lie face up, `seat` and `line` in which stack, `origin` where it comes
    from (a line, or hand, deck or trash), `played` that it is played rather than shifted. `committed` says that it
    has left its place. `player` is who plays it, `holder` whose hand, deck or trash it comes from; empty where that
    is `seat`.

    `uncovered_cards` are the cards it uncovered by leaving, until `uncovered` has been recorded, and
    `triggered_by_uncover` the texts this triggers. `notified` are the cards whose `covered` has been recorded.
    `under` is the card it goes below. `order` counts the cards that were on their way before it. `freed` says that a
    card covered it before. `why` are the seqs that led to the movement.
    """

    card: str
    up: bool
    seat: str
    line: int
    origin: int | str
    played: bool
    committed: bool = False
    uncovered_cards: tuple[str, ...] = ()
    notified: tuple[str, ...] = ()
    under: str | None = None
    order: int = 0
    freed: bool = False
    triggered_by_uncover: tuple[DueText, ...] = ()
    player: str = ""
    holder: str = ""
    why: tuple[int, ...] = ()


class CardsLeaving(Struct, frozen=True, gc=False):
    """Cards on their way off the field, which wait for the texts they uncovered.

    `cards` are the cards with the seat each belongs to, `to` the zone they go to; `uncovered_cards` and
    `triggered_by_uncover` as for a card's way to a line. `why` are the seqs that led to their leaving.
    """

    cards: tuple[tuple[str, str], ...]
    to: str
    uncovered_cards: tuple[str, ...] = ()
    triggered_by_uncover: tuple[DueText, ...] = ()
    why: tuple[int, ...] = ()


class Returning(Struct, frozen=True, gc=False):
    """Cards of the field that are about to return to hand, which wait for texts that stand in for it.

    `cards` are those cards, `why` the seqs that led to their return.
    """

    cards: tuple[str, ...]
    why: tuple[int, ...] = ()


class Refreshing(Struct, frozen=True, gc=False):
    """A refresh under way: the control component first, then the draw.

    `seat` is who refreshes. `control` says that the component has to go back, `choice` that it went back and the
    player may rearrange. `why` are the seqs that led to the refresh.
    """

    seat: str
    control: bool
    choice: bool = False
    why: tuple[int, ...] = ()


class Compiling(Struct, frozen=True, gc=False):
    """A compile under way: control, texts that stand in for the deletion, the deletion, the protocol.

    `seat` is who compiles, `line` the line. `control` and `choice` as for a refresh. `asked` says that the texts
    which stand in for the deletion have had their turn, `deleted` that the line was emptied. `again` is what the
    protocol of the line still has to become by a rearrangement, because it was announced so: compiled already (True)
    or not yet (False); None where it lies so. `why` are the seqs that led to the compile.
    """

    seat: str
    line: int
    control: bool
    choice: bool = False
    asked: bool = False
    deleted: bool = False
    again: bool | None = None
    why: tuple[int, ...] = ()


class Clearing(Struct, frozen=True, gc=False):
    """The cache of a seat being cleared: `seat` is whose it is, `why` are the seqs that led to it."""

    seat: str
    why: tuple[int, ...] = ()


Frame = DueTexts | Text | CardMovement | CardsLeaving | Returning | Refreshing | Compiling | Clearing


class Skipped(Struct, frozen=True, gc=False):
    """An instruction that was not to be carried out: of which text, which verb, and the key of the sentence why."""

    card: str
    verb: str
    key: str
    box: str = ""


class State(Struct, frozen=True, gc=False):
    """A position of Compile.

    `a` and `b` are the sides. `turn` counts from 1, `player` is whose turn it is, `phase` the part of the turn
    (`setup` before the first). `control` is who has the control component. `over` is the winner, or why the game ended.

    `stack` is everything under way, the newest last. `due` are the start or end texts still to be carried out. `acted`
    is what the turn has seen in this phase: played, refreshed, compiled, cleared or passed. `barred` are the sides
    that cannot compile, each with the turn it holds for and the card whose text it is (`""`: not said).

    `foreign` are the seats among whose unknown cards there may be cards of the other deck.

    `shuffled` are the seats that made a new deck for the draw under way. `lent` are the cards of the field that belong
    to the other player, by a reading in which they do.

    `skipped` are the instructions just passed over and `just_left` the cards that have just left the field, both
    remembered for the next event alone. `draft` are the protocols picked so far, `switches` those of the reading.

    `untold` are the hands and decks, such as `A.hand`, of which nobody has told how many cards they hold: what stands
    there is a guess.
    """

    a: Side
    b: Side
    turn: int = 1
    player: str = "A"
    phase: str = "start"
    control: str | None = None
    stack: tuple[Frame, ...] = ()
    due: tuple[DueText, ...] = ()
    acted: str = ""
    barred: tuple[tuple[str, int, str], ...] = ()
    over: str | None = None
    foreign: tuple[str, ...] = ()
    shuffled: tuple[str, ...] = ()
    lent: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    just_left: tuple[str, ...] = ()
    draft: tuple[str, ...] | None = None
    switches: frozenset[str] = frozenset()
    untold: tuple[str, ...] = ()

    def side(self, seat: str) -> Side:
        """The side of a seat."""
        return self.a if seat == "A" else self.b
