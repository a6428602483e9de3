"""Events of Compile as a log has them, for the situations of the cards."""

from __future__ import annotations

from collections.abc import Sequence

Event = dict[str, object]


def other(seat: str) -> str:
    """The other player."""
    return "B" if seat == "A" else "A"


def face(up: bool) -> str:
    """As in a log."""
    return "up" if up else "down"


def drew(seat: str, cards: Sequence[str], owner: str) -> Event:
    """Cards drawn, and from whose deck where it is the other one."""
    event: Event = {"type": "drew", "player": seat, "cards": list(cards)}
    return event if owner == seat else {**event, "deck": owner}


def discarded(seat: str, cards: Sequence[str]) -> Event:
    """Cards of a hand."""
    return {"type": "discarded", "player": seat, "cards": list(cards)}


def played(seat: str, card: str, line: int, up: bool, source: str = "hand") -> Event:
    """A card announced for a line."""
    return {"type": "played", "player": seat, "card": card, "line": line, "face": face(up), "from": source}


def flipped(card: str, up: bool) -> Event:
    """The face it shows afterwards."""
    return {"type": "flipped", "card": card, "face": face(up)}


def shifted(card: str, line: int) -> Event:
    """A card and where it goes."""
    return {"type": "shifted", "card": card, "to": line}


def returned(cards: Sequence[str]) -> Event:
    """One card, or several at once."""
    return {"type": "returned", "card": cards[0]} if len(cards) == 1 else {"type": "returned", "cards": list(cards)}


def revealed(seat: str, cards: Sequence[str]) -> Event:
    """Cards shown to both."""
    return {"type": "revealed", "player": seat, "cards": list(cards)}


def changed(card: str, giver: str, why: str) -> Event:
    """A card that changes hands."""
    return {"type": "owner_changed", "card": card, "from": giver, "to": other(giver), "why": why}


def rearranged(side: str, order: Sequence[str], by: str) -> Event:
    """The new order of a side."""
    return {"type": "rearranged", "side": side, "protocols": list(order), "by": by}
