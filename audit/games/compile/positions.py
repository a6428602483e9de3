"""A position as plain data in the shape of `setup.position`: read, and written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType

from audit.core.errors import SetupError
from audit.core.typed_setup import read_typed
from audit.games.compile.automatic import resolve_automatic
from audit.games.compile.cards import CARDS, PROTOCOLS
from audit.games.compile.declarations import BoxName
from audit.games.compile.parts import field_position, is_known, protocol_of
from audit.games.compile.setup_entries import (
    ClearingEntry,
    CompileEntry,
    DueEntry,
    DueTextsEntry,
    LeavingEntry,
    MovingEntry,
    PendingEntry,
    PlacedEntry,
    PositionEntry,
    ProtocolEntry,
    RefreshEntry,
    ReturningEntry,
    SideEntry,
    TextEntry,
)
from audit.games.compile.state import (
    SEATS,
    UNKNOWN,
    CardMovement,
    CardsLeaving,
    Clearing,
    Compiling,
    DueText,
    DueTexts,
    Frame,
    PlacedCard,
    Refreshing,
    Returning,
    Side,
    Skipped,
    State,
    Text,
)
from audit.games.compile.texts import (
    CARD_INSTRUCTIONS,
    MIDDLE,
    card_instructions,
    declared_instructions,
    entries_of,
    live,
    waiting,
)
from audit.games.compile.untold import with_guesses

Data = dict[str, object]
T = TypeVar("T")
V = TypeVar("V", bound=Struct)
FACE_DOWN = "*"
"""After the name of a card that lies face down."""


def position(data: Mapping[str, object], base: State, *, with_unknown: bool = False) -> State:
    """The position that plain data describe; raises `SetupError` with the path of what cannot be understood.

    What they do not say of the table is as in `base`. What is under way is only what they say. `with_unknown` allows
    for protocols that are not known here, as does a base that has some.
    """
    entry = read_typed(data, PositionEntry, "position")
    others = (*unknown_protocols(base.a.protocols), *unknown_protocols(base.b.protocols))
    if with_unknown:
        others = (*others, *unknown_protocols((*_names(entry.sides.a), *_names(entry.sides.b))))
    sides = (("A", entry.sides.a, base.a), ("B", entry.sides.b, base.b))
    a, b = (with_guesses(_side(told, was, seat, others), seat, entry.untold) for seat, told, was in sides)
    all_different((*a.protocols, *b.protocols), "position.sides")
    table = _value(
        State, entry, a=a, b=b, turn=_or(entry.turn, base.turn), player=_or(entry.player, base.player),
        phase=_or(entry.phase, base.phase), control=_or(entry.control, base.control),
        barred=tuple((one.player, one.turn, one.by) for one in entry.barred),
        skipped=tuple(_value(Skipped, one) for one in entry.skipped), switches=base.switches, due=(),
    )  # fmt: skip
    stack = tuple(_frame(table, one, f"position.pending[{at}]") for at, one in enumerate(entry.pending))[::-1]
    all_different((*cards_of(a), *cards_of(b), *_on_their_way(stack)), "position.sides")
    found = msgspec.structs.replace(table, stack=stack, due=_due(entry, table, base))
    return resolve_automatic(found) if stack else found


def position_data(state: State) -> Data:
    """The position with everything that is known; what is as usual is left out."""
    has_due = state.due or state.phase in ("start", "end")
    data = _said(
        PositionEntry, state, sides={seat: _side_data(state, seat) for seat in SEATS},
        barred=tuple({"player": seat, "turn": turn, **({"by": by} if by else {})} for seat, turn, by in state.barred),
        pending=tuple(_frame_data(state, frame) for frame in reversed(state.stack)),
        due=[_due_data(state, one, state.phase) for one in state.due] if has_due else None,
    )  # fmt: skip
    plain: Data = msgspec.to_builtins(data)
    return plain


def _value(kind: type[V], told: Struct, /, **other: object) -> V:
    """A value of that kind: what an entry tells under the same names, and what else is given."""
    return kind(**{name: getattr(told, name) for name in _shared(kind, type(told))} | other)


@cache
def _shared(kind: type[Struct], other: type[Struct]) -> tuple[str, ...]:
    return tuple(name for name in kind.__struct_fields__ if name in other.__struct_fields__)


def _said(kind: type[Struct], value: Struct, /, **other: object) -> Data:
    """What an entry of that kind says of a value: what it has under the same names, and what else is given.

    What is as declared anyway is left out.
    """
    found: Data = {"what": kind.__struct_config__.tag} if kind.__struct_config__.tag else {}
    for name, encoded, usual in _declared(kind):
        told = other[name] if name in other else getattr(value, name)
        if told != usual:
            found[encoded] = told
    return found


@cache
def _declared(kind: type[Struct]) -> tuple[tuple[str, str, object], ...]:
    """The fields of an entry by name, each with its name in JSON and what it is as declared."""
    return tuple((field.name, field.encode_name, field.default) for field in msgspec.structs.fields(kind))


def _or(value: T | UnsetType, otherwise: T) -> T:
    return otherwise if value is UNSET or isinstance(value, UnsetType) else value


def _due(entry: PositionEntry, table: State, base: State) -> tuple[DueText, ...]:
    """The start or end texts still to come: as told, as before at the same moment of the game, else all."""
    if entry.due is not None:
        return tuple(_due_text(table, one, f"position.due[{at}]") for at, one in enumerate(entry.due))
    if (table.turn, table.player, table.phase) == (base.turn, base.player, base.phase):
        return live(table, base.due)
    return waiting(table, table.player, table.phase) if table.phase in ("start", "end") else ()


# Sides


def _names(entry: SideEntry) -> tuple[str, ...]:
    """The protocols that a side names."""
    return tuple(one if isinstance(one, str) else one.name for one in _or(entry.protocols, ()))


def _side(entry: SideEntry, base: Side, seat: str, others: Sequence[str]) -> Side:
    where = f"position.sides.{seat}"
    protocols = [ProtocolEntry(one) if isinstance(one, str) else one for one in _or(entry.protocols, ())]
    lines = [[_placed(one) for one in stack] for stack in entry.lines] if entry.lines is not UNSET else None
    side = Side(
        tuple(one.name for one in protocols) or base.protocols,
        frozenset(one.name for one in protocols if one.compiled) if protocols else base.compiled,
        tuple(map(tuple, lines)) if lines is not None else base.lines,
        zone(entry.hand, base.hand), zone(entry.deck, base.deck), zone(entry.trash, base.trash),
    )  # fmt: skip
    check_protocols(side.protocols, f"{where}.protocols", others)
    zones = {"hand": side.hand, "deck": side.deck, "trash": side.trash}
    zones |= {f"lines[{at}]": tuple(placed.card for placed in stack) for at, stack in enumerate(side.lines)}
    for name, cards in zones.items():
        check_cards(cards, f"{where}.{name}", others)
    return side


def _side_data(state: State, seat: str) -> Data:
    side = state.side(seat)
    zones = {"hand": side.hand, "deck": side.deck, "trash": side.trash}
    return {
        "protocols": [{"name": name, "compiled": True} if name in side.compiled else name for name in side.protocols],
        "lines": [[_placed_data(placed) for placed in stack] for stack in side.lines],
        **{name: _zone_data(cards) for name, cards in zones.items() if not _is_guess(state, f"{seat}.{name}", cards)},
    }


def zone(value: Sequence[str] | int | UnsetType, otherwise: tuple[str, ...]) -> tuple[str, ...]:
    """The cards of a hand, deck or trash: named ones, or so many unknown ones."""
    if isinstance(value, int):
        return (UNKNOWN,) * value
    return otherwise if isinstance(value, UnsetType) else tuple(value)


def _zone_data(cards: Sequence[str]) -> Sequence[str] | int:
    """The cards, or how many they are where none of them is known."""
    return len(cards) if cards and all(card == UNKNOWN for card in cards) else list(cards)


def _is_guess(state: State, place: str, cards: Sequence[str]) -> bool:
    """Whether nothing is known of a zone, not even how many cards there are."""
    return place in state.untold and set(cards) <= {UNKNOWN}


def _placed(entry: str | PlacedEntry) -> PlacedCard:
    if isinstance(entry, str):
        return PlacedCard(entry.removesuffix(FACE_DOWN), not entry.endswith(FACE_DOWN))
    return PlacedCard(entry.card, entry.face == "up")


def _placed_data(placed: PlacedCard) -> str | Data:
    if placed.card.endswith(FACE_DOWN):
        return {"card": placed.card, "face": "up" if placed.up else "down"}
    return placed.card if placed.up else placed.card + FACE_DOWN


# What is under way

_PROCEDURES: Mapping[type[PendingEntry], type[Refreshing | Compiling | Clearing]] = {
    RefreshEntry: Refreshing, CompileEntry: Compiling, ClearingEntry: Clearing,
}  # fmt: skip


def _frame(table: State, entry: PendingEntry, where: str) -> Frame:
    match entry:
        case TextEntry():
            return _text(table, entry, where)
        case MovingEntry():
            return _value(
                CardMovement, entry, up=entry.face == "up", seat=entry.to.side, line=entry.to.line,
                origin=entry.from_, played=isinstance(entry.from_, str), uncovered_cards=entry.uncovered,
                triggered_by_uncover=_due_texts(table, entry.triggered, f"{where}.triggered"),
            )  # fmt: skip
        case LeavingEntry():
            return _value(
                CardsLeaving, entry, cards=tuple((one.card, one.owner) for one in entry.cards),
                uncovered_cards=entry.uncovered,
                triggered_by_uncover=_due_texts(table, entry.triggered, f"{where}.triggered"),
            )  # fmt: skip
        case ReturningEntry():
            return _value(Returning, entry)
        case RefreshEntry() | CompileEntry() | ClearingEntry():
            return _value(_PROCEDURES[type(entry)], entry, seat=entry.player)
        case DueTextsEntry():
            return _value(DueTexts, entry, texts=_due_texts(table, entry.texts, f"{where}.texts"))


def _frame_data(state: State, frame: Frame) -> Data:
    match frame:
        case Text():
            return _text_data(state, frame)
        case CardMovement():
            return _said(
                MovingEntry, frame, to={"side": frame.seat, "line": frame.line}, face="up" if frame.up else "down",
                from_=frame.origin, uncovered=frame.uncovered_cards,
                triggered=_due_texts_data(state, frame.triggered_by_uncover),
            )  # fmt: skip
        case CardsLeaving():
            return _said(
                LeavingEntry, frame, cards=[{"card": card, "owner": seat} for card, seat in frame.cards],
                uncovered=frame.uncovered_cards, triggered=_due_texts_data(state, frame.triggered_by_uncover),
            )  # fmt: skip
        case Returning():
            return _said(ReturningEntry, frame)
        case Refreshing() | Compiling() | Clearing():
            entry = next(entry for entry, kind in _PROCEDURES.items() if kind is type(frame))
            return _said(entry, frame, player=frame.seat)
        case DueTexts():
            return _said(DueTextsEntry, frame, texts=_due_texts_data(state, frame.texts))


def _text(table: State, entry: TextEntry, where: str) -> Text:
    seat, line = _place(table, entry.card, entry.player, entry.line, where)
    text = _value(
        Text, entry, box=entry.command, entry=_entry(entry.card, entry.command, entry.entry, where), seat=seat,
        line=line, next_index=entry.next - 1, option=(entry.option or 0) - 1,
    )  # fmt: skip
    if text.of and (text.of, "middle", MIDDLE) not in CARD_INSTRUCTIONS:
        raise SetupError(f"{where}.of", "a card with a middle command")
    branches = [one.options for one in declared_instructions(text) if one.options]
    if entry.option is not None and not all(entry.option <= len(options) for options in branches):
        raise SetupError(f"{where}.option", f"a number from 1 to {min(map(len, branches))}")
    if text.next_index > (most := len(card_instructions(text))):
        raise SetupError(f"{where}.next", f"a number from 1 to {most}")
    return text


def _text_data(state: State, text: Text) -> Data:
    place = field_position(state, text.card)
    which: Data = {"what": "text", "card": text.card, "command": text.box}
    which |= {"entry": one} if (one := _entry_number(text.card, text.box, text.entry)) else {}
    return which | _said(
        TextEntry, text, command=text.box, entry=None, next=text.next_index + 1,
        player=None if place and place.seat == text.seat else text.seat,
        line=None if place and place.line == text.line else text.line,
        option=None if text.option < 0 else text.option + 1,
    )  # fmt: skip


def _place(table: State, card: str, seat: str | None, line: int | None, where: str) -> tuple[str, int]:
    """Whose a text is and in which line it acts: where its card lies, unless it is said."""
    place = field_position(table, card)
    if place is None and (seat is None or line is None):
        raise SetupError(f"{where}.{'player' if seat is None else 'line'}", f"one, for {card} does not lie in a line")
    return seat or (place.seat if place else ""), line or (place.line if place else 0)


def _due_texts(table: State, entries: Sequence[DueEntry], where: str) -> tuple[DueText, ...]:
    return tuple(_due_text(table, one, f"{where}[{at}]") for at, one in enumerate(entries))


def _due_texts_data(state: State, texts: Sequence[DueText]) -> tuple[Data, ...]:
    return tuple(_due_data(state, one, "") for one in texts)


def _due_text(table: State, entry: DueEntry, where: str) -> DueText:
    seat, _ = _place(table, entry.card, entry.player, 1, where)
    moment = entry.on or (table.phase if where.startswith("position.due") else "")
    return DueText(entry.card, entry.command, _entry(entry.card, entry.command, entry.entry, where), moment, seat)


def _due_data(state: State, due: DueText, usual: str) -> Data:
    place = field_position(state, due.card)
    which: Data = {"card": due.card, "command": due.box}
    which |= {"entry": one} if (one := _entry_number(due.card, due.box, due.entry)) else {}
    return which | _said(
        DueEntry, due, command=due.box, entry=None, player=None if place and place.seat == due.seat else due.seat,
        on="" if due.on == usual else due.on,
    )  # fmt: skip


def _entry(card: str, box: BoxName, number: int | None, where: str) -> int:
    """Which entry of its box a text is; it need not be said where the box has but one text."""
    entries = entries_of(card, box)
    if number is None and entries:
        return entries[0]
    if number is None or number - 1 not in entries:
        boxes = dict.fromkeys(place for name, place, _ in CARD_INSTRUCTIONS if name == card)
        raise SetupError(f"{where}.command", f"a text of {card} ({', '.join(boxes) or 'there is none'})")
    return number - 1


def _entry_number(card: str, box: BoxName, entry: int) -> int | None:
    return None if entries_of(card, box)[0] == entry else entry + 1


# What cannot be


def unknown_protocols(names: Sequence[str]) -> tuple[str, ...]:
    """Those of the protocols that are not known here."""
    return tuple(name for name in names if name not in PROTOCOLS)


def check_protocols(names: Sequence[str], where: str, others: Sequence[str] = ()) -> None:
    """Raise `SetupError` unless these are three protocols, known here or among the others; it names the nearest one."""
    if len(names) != 3:
        raise SetupError(where, "three protocols")
    for at, name in enumerate(names):
        if name not in PROTOCOLS and name not in others:
            from difflib import get_close_matches

            (nearest,) = get_close_matches(name, PROTOCOLS, 1, cutoff=0)
            expected = f'a protocol that is known here, not "{name}"; the nearest is {nearest}'
            raise SetupError(f"{where}[{at}]", expected, name, nearest)


def check_cards(cards: Sequence[str], where: str, others: Sequence[str] = ()) -> None:
    """Raise `SetupError` unless each of them is a card, one of the other protocols too, or a handle."""
    if CARDS.keys() >= set(cards):
        return
    for at, card in enumerate(cards):
        if card not in CARDS and is_known(card) and protocol_of(card) not in others:
            raise SetupError(f"{where}[{at}]", f"a card such as fire-2, or a handle such as ?1, not {card}", card)


def cards_of(side: Side) -> Iterator[str]:
    """Every card of a side, whether it is known or not."""
    yield from (*side.hand, *side.deck, *side.trash)
    yield from (placed.card for stack in side.lines for placed in stack)


def _on_their_way(stack: Sequence[Frame]) -> Iterator[str]:
    for frame in stack:
        if isinstance(frame, CardMovement) and frame.committed:
            yield frame.card
        elif isinstance(frame, CardsLeaving):
            yield from (card for card, _ in frame.cards)


def all_different(names: Sequence[str], where: str) -> None:
    """Raise `SetupError` where a name stands twice."""
    if len(set(names)) == len(names):
        return
    if twice := sorted(name for name, times in Counter(names).items() if times > 1 and name != UNKNOWN):
        raise SetupError(where, f"each but once, {', '.join(twice)} stands twice", twice[0], twice[0])
