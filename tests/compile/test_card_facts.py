"""Every card is declared as the facts have it, field by field. The two were typed apart from each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import fields, replace

from audit.games.compile.cards import CARDS, EARLIER, PROTOCOLS
from audit.games.compile.declarations import (
    CardFacts,
    CardInstruction,
    Condition,
    Count,
    Matching,
    Passive,
    Target,
    Trigger,
)
from tests.compile import card_facts
from tests.compile.card_facts import BOXES, Card, FactError, InForce, Instruction, Item, Pick, Shown, Waiting
from tests.yaml_files import read_yaml

FACTS = card_facts.cards()
NOTHING = "nothing"

# The one place that knows the words of both: what the declaration of a fact would be.

VERBS = {"swap_protocols": "swap", "bar_compile": "bar", "shuffle_trash_into_deck": "shuffle_trash"}
RULES = {"skip_phase": {"check_cache": "skip_cache_check"}}
COUNTS = {"at_least": "at_least", "as_before_plus": "plus", "one_per": "per", "number_of": "number_of"}
NO_SOURCE = "hand"
NO_FACE = "down"
NO_SIDE = "you"
NO_GOAL = "another_line"


def as_declared(fact: Item) -> CardInstruction | Trigger | Passive:
    """The declaration that says what the fact says."""
    if isinstance(fact, InForce):
        return _passive(fact)
    if isinstance(fact, Waiting):
        return Trigger(fact.when, tuple(map(_step, fact.then)))
    return _step(fact)


def _passive(fact: InForce) -> Passive:
    rule = RULES[fact.rule][str(fact.phase)] if fact.rule in RULES else fact.rule
    return Passive(
        rule, fact.side, fact.scope, fact.amount, fact.per, fact.value, fact.during, fact.when, fact.only
    )  # fmt: skip


def _step(fact: Instruction) -> CardInstruction:
    return CardInstruction(
        verb=VERBS.get(fact.do, fact.do), who=fact.who, count=_count(fact.count), optional=fact.may, label=fact.label,
        condition=Condition(*fact.condition) if fact.condition else None, if_did=fact.if_did,
        target=_target(fact.target), source=fact.source or NO_SOURCE, face=fact.face or NO_FACE, at=fact.at,
        in_lines=fact.in_lines, to=fact.to or NO_GOAL, together=fact.together,
        side=fact.side or NO_SIDE, options=tuple(tuple(map(_step, option)) for option in fact.options),
        matching=_matching(fact.matching), into=fact.into, on_side=fact.on_side, protocol=fact.protocol,
        ignores_middle=fact.ignoring == "its_middle", instead=fact.instead, at_random=fact.at_random,
    )  # fmt: skip


def _count(fact: Any) -> Any:
    if fact == "value_of_that":
        return Count(value_of_that=True)
    if not isinstance(fact, tuple):
        return fact
    ((kind, number),) = fact
    return Count(**{COUNTS[kind]: number}, done=kind == "as_before_plus", is_open=kind == "at_least")


def _matching(fact: Shown | None) -> Matching | None:
    return None if fact is None else Matching(fact.values, fact.stated, fact.protocol, fact.protocol_not)


def _target(fact: Pick | None) -> Target | None:
    if fact is None:
        return None
    return Target(
        fact.owner, fact.cover, fact.face, fact.line, fact.line_holds, fact.values, fact.rank, fact.other, fact.ref,
        fact.line_lead, fact.same_value, fact.more_than, fact.less_than,
    )  # fmt: skip


# What differs, one line each


def differences(declared: CardFacts, fact: Card) -> Iterator[str]:
    """What the declaration of a card says otherwise than the facts."""
    yield from _differ(f"{fact.id} value", declared.value, fact.value)
    for box in BOXES:
        for item, known in zip_longest(declared.box(box), fact.boxes[box]):
            if known is None:
                yield f"{fact.id} {box}: {_short(item)} is in the declaration, {NOTHING} in the facts"
            else:
                yield from _items_differ(known.at_, item, as_declared(known))


def _items_differ(where: str, item: object, wanted: object) -> Iterator[str]:
    if type(item) is not type(wanted):
        yield f"{where}: {_short(item)} is in the declaration, {_short(wanted)} in the facts"
        return
    if isinstance(item, Trigger) and isinstance(wanted, Trigger):
        yield from _differ(f"{where}: on", item.on, wanted.on)
        yield from _lists_differ(where.removesuffix(" moment"), item.instructions, wanted.instructions)
        return
    for field in fields(item):
        yield from _fields_differ(where, field.name, getattr(item, field.name), getattr(wanted, field.name))


def _fields_differ(where: str, field: str, told: Any, wanted: Any) -> Iterator[str]:
    if field == "options":
        for number, pair in enumerate(zip_longest(told, wanted, fillvalue=()), 1):
            yield from _lists_differ(f"{where} option {number}", *pair)
    elif isinstance(told, Target) and isinstance(wanted, Target):
        for part in fields(told):
            yield from _differ(f"{where}: {field}.{part.name}", getattr(told, part.name), getattr(wanted, part.name))
    else:
        yield from _differ(f"{where}: {field}", told, wanted)


def _lists_differ(where: str, told: tuple[CardInstruction, ...], wanted: tuple[CardInstruction, ...]) -> Iterator[str]:
    for number, (one, other) in enumerate(zip_longest(told, wanted), 1):
        yield from _items_differ(f"{where} step {number}", one, other)


def _differ(where: str, told: object, wanted: object) -> Iterator[str]:
    if told != wanted:
        yield f"{where} is {_short(told)} in the declaration, {_short(wanted)} in the facts"


def _short(value: object) -> str:
    if value is None or value == ():
        return NOTHING
    if isinstance(value, CardInstruction | Trigger | Passive):
        return str(getattr(value, "verb", None) or getattr(value, "on", None) or getattr(value, "rule", None))
    if isinstance(value, Target | Count):
        said = {field.name: getattr(value, field.name) for field in fields(value)}
        words = {name: name if told is True else f"{name} {_short(told)}" for name, told in said.items() if told}
        return ", ".join(words.values())
    return str(value)


@pytest.mark.every("card", FACTS)
def test_the_declaration_of_a_card_says_what_the_facts_say(card: str) -> None:
    assert card in CARDS, f"{card} is in {card_facts.FILE.name} and nobody declares it"
    found = list(differences(CARDS[card], FACTS[card]))
    assert not found, "; ".join(found)


def test_every_declared_card_has_its_facts() -> None:
    assert [f"{card}: {card_facts.FILE.name} does not have it" for card in CARDS if card not in FACTS] == []


def test_every_protocol_is_in_the_set_that_the_facts_say() -> None:
    assert {card.protocol: card.set for card in FACTS.values()} == {name: p.set for name, p in PROTOCOLS.items()}


def test_life_0_was_first_printed_with_a_moment_below_instead_of_one_above() -> None:
    """It then deleted itself when it was about to be covered; its value and its middle text are those of today."""
    (edition, before), now = EARLIER["life-0"], CARDS["life-0"]
    assert edition == "2024-10"
    assert (before.value, before.middle, before.top) == (now.value, now.middle, ())
    (moment,) = before.bottom
    assert isinstance(moment, Trigger)
    assert moment.on == "before_covered"
    assert [(step.verb, step.target and step.target.ref) for step in moment.instructions] == [("delete", "this")]


TWOS = Target("any", "uncovered", "any", "chosen", values=(2,))


def flawed(card: str, box: str, step: int, **changes: object) -> CardFacts:
    """The card with one thing about one instruction changed."""
    declared = CARDS[card]
    items = list(declared.box(box))
    items[step - 1] = replace(items[step - 1], **changes)
    return replace(declared, **{box: tuple(items)})


@pytest.mark.every(
    ("card", "declared", "found", "wanted"),
    [
        ("water-2", flawed("water-2", "middle", 1, count=1), "middle step 1: count is 1", "2"),
        ("fire-2", flawed("fire-2", "middle", 2, if_did=None), "middle step 2: if_did is nothing", "previous"),
        ("plague-2", flawed("plague-2", "middle", 2, who="you"), "middle step 2: who is you", "opponent"),
        ("water-3", flawed("water-3", "middle", 1, target=TWOS), "middle step 1: target.cover is uncovered", "either"),
        ("metal-0", flawed("metal-0", "top", 1, amount=-1), "top rule: amount is -1", "-2"),
        ("fire-3", flawed("fire-3", "bottom", 1, on="start"), "bottom moment: on is start", "end"),
        ("fire-3", flawed("fire-3", "bottom", 1, instructions=()), "bottom step 1: nothing is", "discard"),
        ("fire-1", replace(CARDS["fire-1"], value=2), "value is 2", "1"),
        ("fire-1", replace(CARDS["fire-1"], top=CARDS["fire-5"].middle), "top: discard is", "nothing"),
    ],
)
def test_a_wrong_declaration_is_told_in_a_readable_line(
    card: str, declared: CardFacts, found: str, wanted: str
) -> None:
    line, *_ = differences(declared, FACTS[card])
    assert line == f"{card} {found} in the declaration, {wanted} in the facts"


def test_a_word_the_facts_do_not_know_is_named_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "cards.yaml"
    file.write_text("sand:\n  set: desert\n  0:\n    middle:\n      - {do: draw, cuont: 2}\n", "utf-8")
    with pytest.raises(FactError, match="sand-0 middle step 1: cuont is no word of the facts"):
        card_facts.cards(file)


# The list kept beside the project, from which the copy was made

SAID_OTHERWISE = {
    "optional": "may",
    "value": "values",
    "done_in": "as_before_plus",
    "per": "one_per",
    "random": "at_random",
}
UNSAID_HERE = ("lasts",)


@pytest.mark.parametrize("file", ["compile-cards.yaml", "compile-cards-main-2.yaml"])
def test_the_copy_says_what_the_list_kept_beside_the_project_says(shared: Path, file: str) -> None:
    kept = read_yaml(shared / "facts" / file)
    copied = [card for card in FACTS.values() if card.set in kept["sets"]]
    assert [card.id for card in copied] == [entry["id"] for entry in kept["cards"]]
    for card, entry in zip(copied, kept["cards"], strict=True):
        assert (card.protocol, card.set, card.value) == (entry["protocol"], entry["set"], entry["value"])
        boxes = {box: [_copied(item) for item in entry[box] or ()] for box in BOXES}
        assert card.boxes == card_facts.boxes_of(card.id, boxes)


def _copied(item: dict[str, Any]) -> dict[str, Any]:
    """An item of the list in the words of the copy."""
    if "passive" in item:
        return dict(item["passive"])
    if "on" in item:
        return {"when": item["on"], "then": [_copied(step) for step in item["steps"]]}
    told = {SAID_OTHERWISE.get(key, key): value for key, value in item.items() if key not in UNSAID_HERE}
    if told["do"] in ("swap_protocols", "swap_stacks"):
        assert told.pop("count") == 2
    if isinstance(count := told.get("count"), dict):
        told["count"] = _copied_count(count)
    if told["do"] in ("draw", "discard", "reveal") and told.get("from") == card_facts.USUAL_SOURCE[told["do"]]:
        del told["from"]
    if "target" in told:
        told["target"] = _copied_target(told["target"])
    if "options" in told:
        told["options"] = [[_copied(step) for step in option] for option in told["options"]]
    return told


def _copied_count(count: dict[str, Any]) -> Any:
    if "value_of" in count:
        return "value_of_that"
    if "done_in" in count:
        return {"as_before_plus": count["plus"]}
    return {"one_per": count["per"]} if "per" in count else count


def _copied_target(target: dict[str, Any]) -> Any:
    if "ref" in target:
        return target["ref"]
    told = {SAID_OTHERWISE.get(key, key): value for key, value in target.items() if key not in ("line_where", "value")}
    if "line_where" in target:
        ((word, wanted),) = target["line_where"].items()
        told[{"cards_at_least": "line_holds", "total_higher": "line_lead"}[word]] = wanted
    return told | _copied_value(target.get("value", ()))


def _copied_value(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    return {"same_value": True} if value == "same_as_that" else {"values": value}
