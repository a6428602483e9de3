"""From a header to the first position: protocols, decks, hands, or a position in the middle of a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from msgspec.structs import replace

from audit.compile.cards import CARDS, PROTOCOLS
from audit.compile.state import ALL_CARDS, SEATS, UNKNOWN, PlacedCard, Side, State, is_known
from audit.compile.texts import waiting
from audit.errors import SetupError
from audit.model import Header

DECK_SIZE = 18
PHASES = ("start", "control", "compile", "action", "cache", "end")


def opening(header: Header, switches: frozenset[str]) -> State:
    """The position before the first event; raises `SetupError` naming the field and what was expected."""
    if (data := header.setup.get("position")) is not None:
        return position(_mapping(data, "position"), header.first or "A", switches)
    protocols = _mapping(header.setup.get("protocols"), "protocols")
    decks = _mapping(header.setup.get("decks") or {}, "decks")
    hands = _mapping(header.setup.get("hands") or {}, "hands")
    sides = {seat: _dealt(seat, protocols, decks, hands) for seat in SEATS}
    _all_different([name for side in sides.values() for name in side.protocols], "protocols")
    _all_different(list(_cards_of(sides.values())), "decks")
    first = header.first or "A"
    if first not in SEATS:
        raise SetupError("first", "A or B")
    return State(sides["A"], sides["B"], player=first, phase="setup", turn=1, switches=switches)


def _dealt(
    seat: str, protocols: Mapping[str, object], decks: Mapping[str, object], hands: Mapping[str, object]
) -> Side:
    names = _protocols(protocols.get(seat), f"protocols.{seat}")
    hand = _cards(hands.get(seat, ()), f"hands.{seat}")
    unknown = (UNKNOWN,) * (DECK_SIZE - len(hand))
    deck = _cards(decks[seat], f"decks.{seat}") if seat in decks else unknown
    if len(deck) + len(hand) > DECK_SIZE:
        raise SetupError(f"decks.{seat}", f"{DECK_SIZE} cards at most, hand and deck together")
    strange = [card for card in (*deck, *hand) if card in CARDS and CARDS[card].protocol not in names]
    if strange:
        raise SetupError(f"decks.{seat}", f"cards of {', '.join(names)}, not {strange[0]}")
    return Side(names, hand=hand, deck=deck)


def position(data: Mapping[str, object], first: str, switches: frozenset[str]) -> State:
    """The position that plain data describe; raises `SetupError`. `first` is in turn where the data do not say."""
    sides_data = _mapping(data.get("sides"), "position.sides")
    sides = {seat: _side(_mapping(sides_data.get(seat), f"position.sides.{seat}"), seat) for seat in SEATS}
    _all_different([name for side in sides.values() for name in side.protocols], "position.sides")
    _all_different(list(_cards_of(sides.values())), "position.sides")
    player = _one_of(data.get("player", first), SEATS, "position.player")
    phase = _one_of(data.get("phase", "action"), PHASES, "position.phase")
    control = data.get("control")
    turn = data.get("turn", 1)
    if not isinstance(turn, int) or turn < 1:
        raise SetupError("position.turn", "a number from 1")
    state = State(
        sides["A"], sides["B"], turn, player, phase,
        None if control is None else _one_of(control, SEATS, "position.control"), switches=switches,
    )  # fmt: skip
    return replace(state, due=waiting(state, player, phase)) if phase in ("start", "end") else state


def position_data(state: State) -> dict[str, object]:
    """A position in the shape of `setup.position`, with everything that is known."""
    return {
        "turn": state.turn, "phase": state.phase, "player": state.player, "control": state.control,
        "sides": {seat: _side_data(state.side(seat)) for seat in SEATS},
    }  # fmt: skip


def _side_data(side: Side) -> dict[str, object]:
    return {
        "protocols": [{"name": name, "compiled": name in side.compiled} for name in side.protocols],
        "lines": [[placed.card if placed.up else f"{placed.card}*" for placed in stack] for stack in side.lines],
        "hand": list(side.hand), "deck": list(side.deck), "trash": list(side.trash),
    }  # fmt: skip


def _side(data: Mapping[str, object], seat: str) -> Side:
    where = f"position.sides.{seat}"
    names, compiled = [], []
    for entry in _sequence(data.get("protocols"), f"{where}.protocols"):
        name = entry if isinstance(entry, str) else _mapping(entry, f"{where}.protocols").get("name")
        names.append(name)
        if not isinstance(entry, str) and cast(Mapping[str, object], entry).get("compiled"):
            compiled.append(str(name))
    lines = _sequence(data.get("lines", ((), (), ())), f"{where}.lines")
    if len(lines) != 3:
        raise SetupError(f"{where}.lines", "three stacks")
    return Side(
        _protocols(names, f"{where}.protocols"),
        frozenset(compiled),
        tuple(tuple(_placed_card(card, f"{where}.lines") for card in _few(s, f"{where}.lines")) for s in lines),
        _zone(data, "hand", where), _zone(data, "deck", where), _zone(data, "trash", where),
    )  # fmt: skip


def _placed_card(entry: object, where: str) -> PlacedCard:
    if isinstance(entry, str):
        return PlacedCard(_card(entry.rstrip("*"), where), not entry.endswith("*"))
    data = _mapping(entry, where)
    return PlacedCard(_card(data.get("card"), where), _one_of(data.get("face", "up"), ("up", "down"), where) == "up")


def _zone(data: Mapping[str, object], zone: str, where: str) -> tuple[str, ...]:
    value = data.get(zone, ())
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= ALL_CARDS:
        return (UNKNOWN,) * value
    return _cards(value, f"{where}.{zone}")


def _protocols(value: object, where: str) -> tuple[str, ...]:
    names = tuple(_few(value, where))
    if len(names) != 3 or not all(isinstance(name, str) and name in PROTOCOLS for name in names):
        raise SetupError(where, f"three of {', '.join(PROTOCOLS)}")
    return cast(tuple[str, ...], names)


def _cards(value: object, where: str) -> tuple[str, ...]:
    return tuple([_card(entry, where) for entry in _few(value, where)])


def _card(entry: object, where: str) -> str:
    if isinstance(entry, str) and (entry in CARDS or (entry and not is_known(entry))):
        return entry
    raise SetupError(where, f"a card such as fire-2, or a handle such as ?1, not {entry!r}")


def _cards_of(sides: Sequence[Side] | object) -> Iterator[str]:
    for side in cast(Sequence[Side], sides):
        yield from [card for zone in (side.hand, side.deck, side.trash) for card in zone if card != UNKNOWN]
        yield from [placed.card for stack in side.lines for placed in stack if placed.card != UNKNOWN]


def _all_different(names: list[str], where: str) -> None:
    if len(set(names)) < len(names):
        twice = sorted({name for name in names if names.count(name) > 1})
        raise SetupError(where, f"each but once, {', '.join(twice)} stands twice")


def _mapping(value: object, where: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise SetupError(where, "an object")
    return value


def _sequence(value: object, where: str) -> Sequence[object]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise SetupError(where, "a list")
    return value


def _few(value: object, where: str) -> Sequence[object]:
    if len(found := _sequence(value, where)) > ALL_CARDS:
        raise SetupError(where, f"{ALL_CARDS} cards at most")
    return found


def _one_of(value: object, known: Sequence[str], where: str) -> str:
    if not isinstance(value, str) or value not in known:
        raise SetupError(where, f"one of {', '.join(known)}")
    return value
