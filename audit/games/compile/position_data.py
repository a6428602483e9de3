"""Writes a position as plain data, in the shape of `setup.position`; `audit.games.compile.positions` reads it again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import msgspec

from audit.games.compile.declarations import BoxName
from audit.games.compile.parts import field_position
from audit.games.compile.positions import FACE_DOWN
from audit.games.compile.setup_entries import (
    CompileEntry,
    DueEntry,
    LeavingEntry,
    MovingEntry,
    PositionEntry,
    RefreshEntry,
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
    State,
    Text,
)
from audit.games.compile.texts import entries_of

Data = dict[str, object]


def position_data(state: State) -> Data:
    """The position with everything that is known; what is as usual is left out."""
    due = state.due or state.phase in ("start", "end")
    data = _told(PositionEntry, {
        "turn": state.turn, "phase": state.phase, "player": state.player, "control": state.control,
        "sides": {seat: _side(state.side(seat), _guessed(state, seat)) for seat in SEATS}, "acted": state.acted,
        "barred": tuple(map(_barred, state.barred)), "over": state.over,
        "pending": tuple(_frame(state, frame) for frame in reversed(state.stack)),
        "due": [_due_text(state, one, state.phase) for one in state.due] if due else None,
        "foreign": state.foreign, "shuffled": state.shuffled, "lent": state.lent,
        "skipped": tuple(msgspec.to_builtins(one) for one in state.skipped),
        "just_left": state.just_left, "draft": state.draft, "untold": state.untold,
    })  # fmt: skip
    plain: Data = msgspec.to_builtins(data)
    return plain


def _told(entry: type[msgspec.Struct], said: Data) -> Data:
    """What is said of an entry, without what is as declared anyway."""
    usual = _usual(entry)
    return {name: value for name, value in said.items() if name not in usual or usual[name] != value}


@cache
def _usual(entry: type[msgspec.Struct]) -> Mapping[str, object]:
    return {field.encode_name: field.default for field in msgspec.structs.fields(entry)}


def _barred(bar: tuple[str, int, str]) -> Data:
    seat, turn, by = bar
    return {"player": seat, "turn": turn, **({"by": by} if by else {})}


def _guessed(state: State, seat: str) -> frozenset[str]:
    """The zones of which nothing is known, not even how many cards there are."""
    zones = {"hand": state.side(seat).hand, "deck": state.side(seat).deck}
    return frozenset(
        name for name, cards in zones.items() if f"{seat}.{name}" in state.untold and set(cards) <= {UNKNOWN}
    )


def _side(side: Side, guessed: frozenset[str]) -> Data:
    zones = {"hand": _zone(side.hand), "deck": _zone(side.deck), "trash": _zone(side.trash)}
    return {
        "protocols": [{"name": name, "compiled": True} if name in side.compiled else name for name in side.protocols],
        "lines": [[_placed(placed) for placed in stack] for stack in side.lines],
        **{name: cards for name, cards in zones.items() if name not in guessed},
    }


def _placed(placed: PlacedCard) -> str | Data:
    if placed.card.endswith(FACE_DOWN):
        return {"card": placed.card, "face": "up" if placed.up else "down"}
    return placed.card if placed.up else placed.card + FACE_DOWN


def _zone(cards: Sequence[str]) -> Sequence[str] | int:
    """The cards, or how many they are where none of them is known."""
    return len(cards) if cards and all(card == UNKNOWN for card in cards) else list(cards)


def _frame(state: State, frame: Frame) -> Data:
    match frame:
        case Text():
            return {"what": "text", **_text(state, frame)}
        case CardMovement():
            return {"what": "moving", **_movement(state, frame)}
        case CardsLeaving():
            return {"what": "leaving", **_told(LeavingEntry, {
                "cards": [{"card": card, "owner": seat} for card, seat in frame.cards], "to": frame.to,
                "uncovered": frame.uncovered_cards, "triggered": _due_texts(state, frame.triggered_by_uncover),
                "why": frame.why,
            })}  # fmt: skip
        case Returning():
            return {"what": "returning", "cards": list(frame.cards), **({"why": frame.why} if frame.why else {})}
        case Refreshing():
            return {"what": "refresh", **_procedure(RefreshEntry, frame)}
        case Compiling():
            return {"what": "compile", **_procedure(CompileEntry, frame)}
        case Clearing():
            return {"what": "clear", **_procedure(RefreshEntry, frame)}
        case DueTexts():
            texts = list(_due_texts(state, frame.texts))
            return {"what": "due", "texts": texts, **({"why": frame.why} if frame.why else {})}


def _procedure(entry: type[msgspec.Struct], frame: Refreshing | Compiling | Clearing) -> Data:
    said = {name: getattr(frame, name) for name in frame.__struct_fields__ if name != "seat"}
    return {"player": frame.seat, **_told(entry, said)}


def _text(state: State, text: Text) -> Data:
    place = field_position(state, text.card)
    return _told(TextEntry, {
        "card": text.card, "command": text.box, "entry": _entry(text.card, text.box, text.entry),
        "next": text.next_index + 1,
        "player": None if place and place.seat == text.seat else text.seat,
        "line": None if place and place.line == text.line else text.line,
        "done": text.done, "last_picked": text.last_picked, "labels": text.labels,
        "remaining": None if text.remaining is None else list(text.remaining), "taken": text.taken,
        "chosen_line": text.chosen_line, "chosen": text.chosen,
        "option": None if text.option < 0 else text.option + 1, "on": text.on, "text_hidden": text.text_hidden,
        "of": text.of, "stated": text.stated, "drawn": text.drawn, "last_line": text.last_line, "number": text.number,
        "why": text.why,
    })  # fmt: skip


def _movement(state: State, movement: CardMovement) -> Data:
    return _told(MovingEntry, {
        "card": movement.card, "to": {"side": movement.seat, "line": movement.line},
        "face": "up" if movement.up else "down", "from": movement.origin, "committed": movement.committed,
        "uncovered": movement.uncovered_cards, "triggered": _due_texts(state, movement.triggered_by_uncover),
        "notified": movement.notified, "under": movement.under, "order": movement.order, "freed": movement.freed,
        "player": movement.player, "holder": movement.holder,
        "why": movement.why,
    })  # fmt: skip


def _due_texts(state: State, texts: Sequence[DueText]) -> tuple[Data, ...]:
    return tuple(_due_text(state, one, "") for one in texts)


def _due_text(state: State, due: DueText, usual: str) -> Data:
    place = field_position(state, due.card)
    return _told(DueEntry, {
        "card": due.card, "command": due.box, "entry": _entry(due.card, due.box, due.entry),
        "player": None if place and place.seat == due.seat else due.seat, "on": "" if due.on == usual else due.on,
    })  # fmt: skip


def _entry(card: str, box: BoxName, entry: int) -> int | None:
    return None if entries_of(card, box)[0] == entry else entry + 1
