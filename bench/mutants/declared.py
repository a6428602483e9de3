"""Changes of what a card declares, one field at a time: a number, a target, "may", an owner, a trigger, a step."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import replace

from audit.games.compile import words
from audit.games.compile.cards import CARDS, PROTOCOLS
from audit.games.compile.declarations import (
    BoxName,
    CardFacts,
    CardInstruction,
    Condition,
    Count,
    Matching,
    Passive,
    Protocol,
    Target,
    Trigger,
)

BOXES: tuple[BoxName, ...] = ("top", "middle", "bottom")
NAMED_OTHERWISE = {
    "return": "return_", "swap": "swap_protocols", "bar": "bar_compile", "shuffle_trash": "shuffle_trash_into_deck",
}  # fmt: skip
"""Verbs whose word in the vocabulary is not the verb itself."""

Change = tuple[str, Any]
"""What was changed, and the value with that change."""


class Declared(Struct, frozen=True):
    """A change of one card, by the number it has among the changes of that card."""

    card: str
    number: int
    what: str


def declared() -> list[Declared]:
    """Every change of every card."""
    return [Declared(id, n, what) for id, card in CARDS.items() for n, (what, _) in enumerate(changes_of(card))]


def changed(protocol: Protocol, card: str, number: int) -> Protocol:
    """The protocol with that change of one of its cards."""
    other = list(changes_of(CARDS[card]))[number][1]
    return replace(protocol, cards=tuple(other if one.id == card else one for one in protocol.cards))


def changes_of(card: CardFacts) -> Iterator[Change]:
    """The card with one thing changed, in each way there is."""
    yield from _fields("", card, ("value",))
    for box in BOXES:
        for what, items in _lists(box, card.box(box)):
            yield what, replace(card, **{box: items})
    for box, other in (("top", "bottom"), ("bottom", "top")):
        if card.box(box) and not card.box(other):  # type: ignore[arg-type]
            yield f"{box} box → {other} box", replace(card, **{other: card.box(box), box: ()})


def _lists(where: str, items: tuple[Any, ...]) -> Iterator[Change]:
    """A list of steps or texts with one left out, two swapped, or one changed."""
    for at, item in enumerate(items):
        before, after = items[:at], items[at + 1 :]
        yield f"{where} {at + 1} left out", (*before, *after)
        if after:
            yield f"{where} {at + 1} and {at + 2} swapped", (*before, after[0], item, *after[1:])
        for what, other in _item(f"{where} {at + 1}", item):
            yield what, (*before, other, *after)


def _item(where: str, item: CardInstruction | Trigger | Passive) -> Iterator[Change]:
    if isinstance(item, Trigger):
        for on in _triggers():
            if on != item.on:
                yield f"{where}: on {item.on} → {on}", replace(item, on=on)
        for what, steps in _lists(f"{where} step", item.instructions):
            yield what, replace(item, instructions=steps)
    elif isinstance(item, Passive):
        yield from _fields(where, item, [name for name in item.__struct_fields__ if _is_set(item, name)])
    else:
        yield from _verbs(where, item)
        yield from _fields(where, item, _known_fields(item.verb))


def _is_set(passive: Passive, field: str) -> bool:
    """Sides and scopes are always set; a number only where the rule has one."""
    return field in ("side", "scope") or bool(getattr(passive, field) not in (0, False) and field != "rule")


def _known_fields(verb: str) -> list[str]:
    """The fields that the word for a verb has in the vocabulary, and the condition that may stand before any."""
    return [*inspect.signature(getattr(words, NAMED_OTHERWISE.get(verb, verb))).parameters, "condition"]


def _verbs(where: str, step: CardInstruction) -> Iterator[Change]:
    """Another verb that takes the same kind of target."""
    alike = ("flip", "shift", "delete", "return") if step.target else ("draw", "discard")
    for verb in alike:
        if step.verb in alike and verb != step.verb:
            yield f"{where}: {step.verb} → {verb}", replace(step, verb=verb)


def _triggers() -> list[str]:
    return sorted(
        {item.on for card in CARDS.values() for box in BOXES for item in card.box(box) if hasattr(item, "on")}
    )


def _fields(where: str, value: Any, fields: list[str] | tuple[str, ...]) -> Iterator[Change]:
    hints = get_type_hints(type(value))
    for name in fields:
        if name in hints:
            was = getattr(value, name)
            for what, other in _other_values(f"{where}: {name}".lstrip(": "), was, hints[name]):
                yield what, replace(value, **{name: other})


def _other_values(where: str, was: Any, hint: Any) -> Iterator[Change]:
    if isinstance(was, Target):
        yield from _fields(where, was, ("ref",) if was.ref else tuple(was.__struct_fields__))
    elif isinstance(was, Count):
        yield from _fields(where, was, [name for name in was.__struct_fields__ if getattr(was, name)])
    elif isinstance(was, Condition):
        yield f"{where} {was.word} → nothing", None
        if was.number:
            yield from _fields(where, was, ("number",))
    elif isinstance(was, Matching):
        yield f"{where} left out", None
        yield from _fields(where, was, [name for name in was.__struct_fields__ if getattr(was, name)])
    elif isinstance(was, tuple) and was and isinstance(was[0], tuple):
        for at, option in enumerate(was):
            for what, other in _lists(f"{where} {at + 1} step", option):
                yield what, (*was[:at], other, *was[at + 1 :])
    else:
        for other in _plain_values(was, hint):
            yield f"{where} {_told(was)} → {_told(other)}", other


def _plain_values(was: Any, hint: Any) -> Iterator[Any]:
    if isinstance(was, bool):
        yield not was
    elif isinstance(was, int):
        yield from (was + 1, was - 1)
    elif isinstance(was, tuple):
        yield from ((*was[:at], number + 1, *was[at + 1 :]) for at, number in enumerate(was))
        yield from [was[1:]] if was else [(1,)]
    elif choices := _choices(hint):
        yield from (other for other in choices if other != was)
    elif isinstance(was, str) and type(None) not in get_args(hint):
        yield from [""] if was else []
    elif was is not None:
        yield None


def _choices(hint: Any) -> list[Any]:
    """The values that a hint lists; nothing where any text would do."""
    if get_origin(hint) is Literal:
        return list(get_args(hint))
    if get_origin(hint) is Union or "|" in str(hint):
        parts = [part for part in get_args(hint) if part is not type(None)]
        listed = [choice for part in parts for choice in _choices(part)]
        return [*listed, None] if listed and type(None) in get_args(hint) else [*listed, *([1] if int in parts else [])]
    return []


def _told(value: Any) -> str:
    return "nothing" if value is None or value == () else str(value)


def file_of(card: str) -> str:
    """The file in which a card is declared: that of its set."""
    held = next(protocol for protocol in PROTOCOLS.values() if any(one.id == card for one in protocol.cards))
    return f"audit/games/compile/cards/{held.set.replace('-', '_')}.py"
