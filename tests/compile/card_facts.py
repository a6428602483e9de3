"""What the cards do, as typed in `facts/cards.yaml`: read, with everything unsaid filled in, and given addresses.

An address names an instruction as a reader would: "fire-3 bottom step 2", "light-2 middle step 3 option 1 step 1",
"metal-0 top rule". The last word but one tells the kind: a step, a moment ("fire-3 bottom moment") or a rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from tests.yaml_files import read_yaml

FILE = Path(__file__).with_name("facts") / "cards.yaml"
BOXES = ("top", "middle", "bottom")

USUAL_SOURCE = {"draw": "deck", "discard": "hand", "reveal": "hand", "give": "hand", "take": "opposing_hand"}
PYTHON_NAMES = {"as": "label", "if": "condition", "from": "source"}
"""Words of the file that Python keeps for itself."""


class FactError(ValueError):
    """A card's facts use a word that the file does not know; the message says where and which."""


@dataclass(frozen=True)
class Pick:
    """The field cards an instruction can pick, or the one it names (`ref`)."""

    owner: str = "any"
    cover: str = "uncovered"
    face: str = "any"
    line: str | None = None
    line_holds: int = 0
    values: tuple[int, ...] = ()
    rank: str | None = None
    other: bool = False
    ref: str | None = None
    line_lead: str | None = None
    same_value: bool = False
    more_than: str | None = None
    less_than: str | None = None


@dataclass(frozen=True)
class Shown:
    """What a card out of a hand, a deck or a draw has to show."""

    values: tuple[int, ...] = ()
    stated: bool = False
    protocol: str = ""
    protocol_not: str = ""


@dataclass(frozen=True)
class Instruction:
    """One step of a text; `at_` is its address."""

    at_: str
    do: str
    who: str = "you"
    count: int | str | tuple[tuple[str, Any], ...] = 1
    may: bool = False
    label: str | None = None
    condition: tuple[str, int] | None = None
    if_did: str | None = None
    target: Pick | None = None
    source: str | None = None
    face: str | None = None
    at: str | None = None
    in_lines: str | None = None
    to: str | None = None
    together: bool = False
    side: str | None = None
    options: tuple[tuple[Instruction, ...], ...] = ()
    matching: Shown | None = None
    into: str | None = None
    on_side: str | None = None
    protocol: str = ""
    ignoring: str | None = None
    instead: bool = False
    at_random: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the player says how many, from so many on."""
        return isinstance(self.count, tuple) and self.count[0][0] == "at_least"


@dataclass(frozen=True)
class Waiting:
    """Steps with the moment they wait for."""

    at_: str
    when: str
    then: tuple[Instruction, ...]


@dataclass(frozen=True)
class InForce:
    """A rule in force as long as its box is."""

    at_: str
    rule: str
    side: str = "you"
    scope: str = "whole_field"
    amount: int = 0
    per: str | None = None
    value: int = 0
    phase: str | None = None
    during: str | None = None
    when: str | None = None
    only: str = ""


Item = Instruction | Waiting | InForce


@dataclass(frozen=True)
class Card:
    """A card as the facts have it."""

    protocol: str
    set: str
    value: int
    boxes: Mapping[str, tuple[Item, ...]]

    @property
    def id(self) -> str:
        """As in a log: `fire-2`."""
        return f"{self.protocol}-{self.value}"


@cache
def cards(file: Path = FILE) -> dict[str, Card]:
    """Every card of the file by its id; raises `FactError` where a word is not known."""
    found = [
        Card(protocol, entry["set"], value, boxes_of(f"{protocol}-{value}", boxes))
        for protocol, entry in read_yaml(file).items()
        for value, boxes in entry.items()
        if value != "set"
    ]
    return {card.id: card for card in found}


def boxes_of(card: str, boxes: Mapping[str, Any]) -> dict[str, tuple[Item, ...]]:
    """The three boxes of a card from the words of the file."""
    if unknown := set(boxes) - set(BOXES):
        raise FactError(f"{card}: {', '.join(sorted(unknown))} is no box (top, middle, bottom)")
    return {box: _items(f"{card} {box}", boxes.get(box) or ()) for box in BOXES}


def _items(where: str, entries: list[dict[str, Any]]) -> tuple[Item, ...]:
    return tuple(_item(where, number, entry) for number, entry in enumerate(entries, 1))


def _item(where: str, number: int, entry: dict[str, Any]) -> Item:
    if "rule" in entry:
        return _made(InForce, f"{where} rule", entry)
    if "then" in entry:
        return Waiting(f"{where} moment", entry["when"], _steps(where, entry["then"]))
    return _step(f"{where} step {number}", entry)


def _steps(where: str, entries: list[dict[str, Any]]) -> tuple[Instruction, ...]:
    return tuple(_step(f"{where} step {number}", entry) for number, entry in enumerate(entries, 1))


def _step(where: str, entry: dict[str, Any]) -> Instruction:
    told = {PYTHON_NAMES.get(key, key): value for key, value in entry.items()}
    if "target" not in told:
        told.setdefault("source", USUAL_SOURCE.get(told.get("do", "")))
    if isinstance(told.get("count"), dict):
        told["count"] = tuple(told["count"].items())
    if "condition" in told:
        told["condition"] = _condition(told["condition"])
    if "matching" in told:
        told["matching"] = _shown(where, told["matching"])
    if "target" in told:
        told["target"] = _pick(where, told["target"])
    options = enumerate(told.pop("options", ()), 1)
    told["options"] = tuple(_steps(f"{where} option {number}", option) for number, option in options)
    return _made(Instruction, where, told)


def _condition(told: str | dict[str, int]) -> tuple[str, int]:
    if isinstance(told, str):
        return told, 0
    ((word, number),) = told.items()
    return word, number


def _shown(where: str, told: dict[str, Any]) -> Shown:
    said = dict(told)
    value = said.pop("value", ())
    if value == "stated":
        return Shown(stated=True)
    return _made(Shown, f"{where} matching", {**said, "values": tuple(value)})


def _pick(where: str, told: str | dict[str, Any]) -> Pick:
    if isinstance(told, str):
        return Pick(ref=told)
    return _made(Pick, f"{where} target", {**told, "values": tuple(told.get("values", ()))})


def _made(kind: type[Any], where: str, told: dict[str, Any]) -> Any:
    known = {field.name for field in fields(kind)} - {"at_"}
    if unknown := set(told) - known:
        raise FactError(f"{where}: {', '.join(sorted(unknown))} is no word of the facts")
    return kind(**told) if kind in (Pick, Shown) else kind(where, **told)


def instructions(card: Card) -> Iterator[Item]:
    """Everything on a card that can be carried out or broken: steps, those of options too, moments and rules."""
    for items in card.boxes.values():
        for item in items:
            yield item
            if isinstance(item, Waiting):
                yield from (more for step in item.then for more in _within(step))
            elif isinstance(item, Instruction):
                yield from (more for more in _within(item) if more is not item)


def _within(step: Instruction) -> Iterator[Instruction]:
    yield step
    yield from (more for option in step.options for inner in option for more in _within(inner))
