"""What each viewer may know of a position and of an event: a seat, the public, or the judge.

Face-down cards stand as handles made from their place (`?A2.1`: side A, line 2, the first from the protocol), so
that a reader can follow them and learns nothing from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import cast

from msgspec.structs import replace

from audit.core.disclosure import NOTHING_SHOWN, Disclosure, Recorder, Shown
from audit.core.event_rules import Json
from audit.core.model import Event, Header
from audit.games.compile.declarations import CardInstruction
from audit.games.compile.events import (
    Drew,
    Flipped,
    Identified,
    Looked,
    OwnerChanged,
    Played,
    Reshuffled,
    Revealed,
    Shuffled,
)
from audit.games.compile.parts import field_position, is_known, movements, protocol_of
from audit.games.compile.recording import CompileRecorder, draws_shown_cards, recorded_header
from audit.games.compile.state import (
    SEATS,
    UNKNOWN,
    CardMovement,
    CardsLeaving,
    Clearing,
    Compiling,
    DueTexts,
    Frame,
    Refreshing,
    Returning,
    Side,
    State,
    Text,
)
from audit.games.compile.texts import CARD_INSTRUCTIONS, PASSIVES, card_instructions, has_own_rule
from audit.games.compile.totals import face_down_value, totals

JUDGE = "judge"


def view(state: State, viewer: str = JUDGE) -> Json:
    """The position in the published shape; what the viewer may not know is a handle or a count."""
    return {
        **chapter_view(state),
        "control": state.control,
        "over": state.over,
        "committed": committed_view(state, viewer),
        "sides": {seat: _side(state, seat, viewer) for seat in SEATS},
        **({"untold": list(state.untold)} if state.untold else {}),
    }


def chapter_view(state: State, viewer: str = JUDGE) -> Json:
    """The turn, its player and its phase."""
    return {"turn": state.turn, "player": state.player, "phase": state.phase}


def _side(state: State, seat: str, viewer: str) -> Json:
    side = state.side(seat)
    return {
        "protocols": [{"name": name, "compiled": name in side.compiled} for name in side.protocols],
        "lines": [
            [
                {
                    "card": placed.card if placed.up or knows(viewer, seat) else handle(seat, line, index),
                    "face": "up" if placed.up else "down",
                    **({} if placed.up else {"value": face_down_value(state, seat, line)}),
                }
                for index, placed in enumerate(stack)
            ]
            for line, stack in enumerate(side.lines, 1)
        ],
        "totals": list(totals(state, seat)),
        "hand": list(side.hand) if knows(viewer, seat) else len(side.hand),
        "deck": list(side.deck) if viewer == JUDGE else len(side.deck),
        "trash": list(side.trash),
    }


def committed_view(state: State, viewer: str) -> list[Json]:
    """Cards on their way."""
    flights: list[Json] = [
        {
            "card": on_its_way(movement, viewer),
            "face": "up" if movement.up else "down",
            "to": {"side": movement.seat, "line": movement.line, **_beneath(state, movement)},
            "from": _left(movement),
        }
        for movement in movements(state)
    ]
    for frame in state.stack:
        if type(frame) is CardsLeaving:
            flights.extend(
                {"card": leaving_name(frame, card, seat, viewer), "to": {"side": seat, "zone": frame.to}}
                for card, seat in frame.cards
            )
    return flights


def _left(movement: CardMovement) -> Json:
    """The place a moving card came from."""
    if isinstance(movement.origin, int):
        return {"side": movement.seat, "line": movement.origin}
    return {"side": movement.holder or movement.seat, "zone": movement.origin}


def _beneath(state: State, movement: CardMovement) -> Json:
    """How many cards a moving card will lie on, where it goes beneath others."""
    stack = [placed.card for placed in state.side(movement.seat).lines[movement.line - 1]]
    return {"above": stack.index(movement.under)} if movement.under in stack else {}


def on_its_way(movement: CardMovement, viewer: str) -> str:
    """A moving card as the viewer may know it; a deck card is unseen until it has landed (play.from-deck-unseen)."""
    player = movement.player or movement.seat
    seen = movement.up or viewer == JUDGE or (viewer == player and movement.origin != "deck")
    seen = seen or movement.origin == "trash"
    return movement.card if seen else UNKNOWN


def leaving_name(leaving: CardsLeaving, card: str, seat: str, viewer: str) -> str:
    """A card leaving the field: a trash is open, a hand is visible to its player only."""
    return card if leaving.to == "trash" or knows(viewer, seat) else UNKNOWN


def open_cards(state: State, cards: frozenset[str]) -> frozenset[str]:
    """Those of the cards that everybody sees: face up on the field, in a trash, or seen on their way."""
    sides = (state.a, state.b)
    lying = (placed.card for side in sides for stack in side.lines for placed in stack if placed.up)
    on_their_way = (str(flight["card"]) for flight in committed_view(state, "public")) if state.stack else ()
    return cards.intersection(chain(lying, state.a.trash, state.b.trash, on_their_way))


def knows(viewer: str, seat: str) -> bool:
    """Whether a viewer may look at what that player may look at."""
    return viewer in (JUDGE, seat)


def handle(seat: str, line: int, index: int) -> str:
    """An unknown card by its place."""
    return f"?{seat}{line}.{index + 1}"


def pending(state: State) -> list[Json]:
    """What is under way, newest first."""
    found: list[Json] = []
    for frame in reversed(state.stack):
        found.extend(_PENDING[type(frame)](frame))
    found.extend({"card": m.card, "command": m.box, "waits": m.on} for m in state.due)
    return found


def _text(text: Text) -> list[Json]:
    rest = len(card_instructions(text)) - text.next_index
    copied = {"of": text.of} if text.of else {}
    return [
        {"card": text.card, "command": text.box, "rest": rest, "player": text.seat, "lost": text.text_hidden, **copied}
    ]


_PENDING: dict[type[object], Callable[..., list[Json]]] = {
    Text: _text,
    DueTexts: lambda due: [{"card": m.card, "command": m.box, "waits": m.on, "player": m.seat} for m in due.texts],
    CardMovement: lambda movement: [
        {"card": movement.card, "to": {"side": movement.seat, "line": movement.line}, "rest": 1}
    ],
    CardsLeaving: lambda leaving: [
        {"card": card, "to": {"side": seat, "zone": leaving.to}} for card, seat in leaving.cards
    ],
    Returning: lambda frame: [{"card": card, "to": {"zone": "hand"}} for card in frame.cards],
    Refreshing: lambda frame: [{"refresh": frame.seat}],
    Compiling: lambda frame: [{"compile": frame.line, "player": frame.seat}],
    Clearing: lambda frame: [{"clear": frame.seat}],
}


def pending_for(state: State, viewer: str) -> list[Json]:
    """What is under way, with the cards the viewer may not know under their handles."""
    if viewer == JUDGE:
        return pending(state)
    return [
        {**item, "card": shown(state, str(item["card"]), viewer)} if "card" in item else item for item in pending(state)
    ]


def shown(state: State, card: str, viewer: str) -> str:
    """A card as that viewer may know it now: its name, its place, or nothing."""
    if viewer == JUDGE:
        return card
    place = field_position(state, card)
    if place is not None:
        return card if place.up or viewer == place.seat else handle(place.seat, place.line, place.index)
    if card in state.a.trash or card in state.b.trash:
        return card
    if viewer in SEATS and card in state.side(viewer).hand:
        return card
    for frame in state.stack:
        if type(frame) is CardsLeaving:
            for gone, seat in frame.cards:
                if gone == card:
                    return leaving_name(frame, card, seat, viewer)
        if type(frame) is CardMovement and frame.card == card:
            return on_its_way(frame, viewer)
        if type(frame) is Text and frame.card == card:
            return card
    return UNKNOWN


def redact(state: State, event: Event, viewer: str) -> Event:
    """The event as that viewer may know it; what becomes public by it is named."""
    if viewer == JUDGE:
        return event
    match event:
        case Played():
            is_own = viewer == event.player and event.from_ != "deck"
            is_seen = event.face == "up" or event.from_ == "trash" or is_own
            return event if is_seen else replace(event, card=UNKNOWN)
        case Drew():
            is_seen = viewer == event.player or event.cards is None or draws_shown_cards(state)
            return event if is_seen else replace(event, cards=None, count=len(event.cards or ()))
        case Reshuffled() | Shuffled():
            return replace(event, deck=None)
        case OwnerChanged():
            return event if viewer in SEATS else replace(event, card=UNKNOWN)
        case Looked():
            return event if viewer == event.player else replace(event, cards=None)
        case Identified():
            return replace(event, is_=UNKNOWN)
    return _by_place(state, event, viewer)


def _by_place(state: State, event: Event, viewer: str) -> Event:
    """Every card under the name the viewer knows; cards that become visible are named."""
    if type(event).__name__ in _OPENS or (isinstance(event, Flipped) and event.face != "down"):
        return event
    changes: dict[str, object] = {}
    for name in ("card", "by"):
        if isinstance(card := getattr(event, name, None), str):
            changes[name] = shown(state, card, viewer)
    if isinstance(cards := getattr(event, "cards", None), tuple):
        changes["cards"] = tuple(shown(state, card, viewer) for card in cards)
    return replace(event, **changes) if changes else event


_OPENS = frozenset({"Discarded", "Deleted", "Triggered", "Resolved", "Rearranged", "Revealed"})


def known_position(state: State, viewer: str) -> State:
    """Where every card is, as far as the viewer sees it: others are handles by their place, or without a name.

    Whether cards have changed decks may depend on cards that the viewer did not see. They then allow for it.
    """
    frames = tuple(known for frame in state.stack if (known := _on_its_way(frame, viewer)) is not None)
    a, b = (_known_side(state.side(seat), seat, viewer) for seat in SEATS)
    foreign = state.foreign
    if _named(state.a, state.b) != _named(a, b):
        is_mixed = may_be_mixed((*a.protocols, *b.protocols), bool(a.compiled or b.compiled))
        foreign = SEATS if is_mixed else ()
    return replace(state, a=a, b=b, stack=frames, foreign=foreign)


def _named(*sides: Side) -> list[str]:
    """The cards in hands and decks and face down on the field that have a name."""
    hidden = (
        (*side.hand, *side.deck, *(each.card for stack in side.lines for each in stack if not each.up))
        for side in sides
    )
    return [card for cards in hidden for card in cards if is_known(card)]


def _known_side(side: Side, seat: str, viewer: str) -> Side:
    if knows(viewer, seat):
        return replace(side, deck=(UNKNOWN,) * len(side.deck))
    lines = tuple(
        tuple(
            placed if placed.up else replace(placed, card=handle(seat, line, index))
            for index, placed in enumerate(stack)
        )
        for line, stack in enumerate(side.lines, 1)
    )
    return replace(side, lines=lines, hand=(UNKNOWN,) * len(side.hand), deck=(UNKNOWN,) * len(side.deck))


def _on_its_way(frame: Frame, viewer: str) -> Frame | None:
    """A card on its way as the viewer knows it; None for what is no card, or not known to them."""
    match frame:
        case CardMovement():
            return replace(frame, card=on_its_way(frame, viewer))
        case CardsLeaving():
            return replace(frame, cards=tuple((leaving_name(frame, card, at, viewer), at) for card, at in frame.cards))
    return None


def may_be_mixed(protocols: Iterable[str], is_compiled: bool) -> bool:
    """Whether cards may lie in the other deck, as far as all can see: a line was compiled, or a text takes cards."""
    return is_compiled or not TAKING.isdisjoint(protocols)


def _takes(instruction: CardInstruction) -> bool:
    takes = instruction.verb in ("give", "take", "claim") or instruction.source.startswith("opposing")
    takes = takes or instruction.into is not None or instruction.on_side is not None
    return takes or any(_takes(one) for branch in instruction.options for one in branch)


TAKING = frozenset(
    [protocol_of(card) for (card, _, _), texts in CARD_INSTRUCTIONS.items() for one in texts if _takes(one)]
    + [protocol_of(card) for card in PASSIVES if has_own_rule(card, "any_side_play")]
)
"""The protocols with a text by which a card comes to the other player."""


class CompileDisclosure(Disclosure[State]):
    """What each viewer may know of Compile."""

    view = staticmethod(view)
    chapter_view = staticmethod(chapter_view)
    redact_event = staticmethod(redact)
    open_cards = staticmethod(open_cards)

    def pending(self, state: State, viewer: str = JUDGE) -> list[Json]:
        return pending_for(state, viewer)

    def shows(self, event: Event, viewer: str) -> bool:
        """Cards are revealed to everybody, and looked at by one player."""
        return isinstance(event, Revealed) or (isinstance(event, Looked) and viewer == event.player)

    def known_as(self, state: State, word: str, viewer: str) -> str:
        return shown(state, word, viewer)

    def recorded_header(self, header: Header, viewer: str, shown: Shown = NOTHING_SHOWN) -> Header:
        return recorded_header(header, viewer)

    def known_position(self, state: State, viewer: str) -> State | None:
        return state if viewer == JUDGE else known_position(state, viewer)

    def position_seen(self, data: Json, viewer: str) -> Json:
        """Whether cards have changed decks depends on hidden cards, so the viewer allows for it where they may have."""
        sides = cast("Mapping[str, Mapping[str, Sequence[str | Json]]]", data["sides"])
        protocols = [each for side in sides.values() for each in side["protocols"]]
        names = [each if isinstance(each, str) else str(each["name"]) for each in protocols]
        is_mixed = may_be_mixed(names, any(not isinstance(each, str) for each in protocols))
        return {**data, "foreign": list(SEATS)} if is_mixed else data

    def recorder(self, viewer: str, taken: frozenset[str] = frozenset()) -> Recorder[State]:
        return CompileRecorder(viewer, shown, taken)

    def seats(self, header: Header) -> tuple[str, ...]:
        return SEATS
