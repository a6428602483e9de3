"""Every instruction of every card, carried out and broken, as the auditor judges it.

The situations are made from the facts (`card_situations`), so are the tables afterwards (`card_table`). A few are
written by hand (`cards/*.toml`).
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import pytest

from audit.core.auditor import audit
from audit.core.model import Header, Verdict
from audit.core.steps import Step
from audit.games.compile import RULESET
from tests.compile import card_facts
from tests.compile.card_events import Event
from tests.compile.card_facts import instructions
from tests.compile.card_situations import Situation, by_hand, situations
from tests.compile.counted_situations import PATH, all_situations, counted, lines

FACTS = card_facts.cards()
every_card = pytest.mark.parametrize("card", FACTS)


def of(card: str) -> list[Situation]:
    """The situations made from the facts of a card, and those written by hand."""
    return [*situations(card), *(situation for situation in by_hand() if situation.name.startswith(f"{card} "))]


def judged(situation: Situation, log: tuple[Event, ...]) -> list[Step]:
    """The log of the situation as the auditor sees it."""
    head = Header(log="audit/1", ruleset="compile", game="situation", setup={"position": situation.position})
    events = [
        msgspec.convert({**event, "seq": seq}, RULESET.rules.types[str(event["type"])])
        for seq, event in enumerate(log, 1)
    ]
    return list(audit(RULESET, head, events))


def findings(steps: list[Step]) -> list[str]:
    """What the auditor finds, in one line each."""
    return [
        f"event {step.seq} is {step.verdict} by {', '.join(rule.id for rule in step.rules)}"
        for step in steps
        if step.verdict.is_finding
    ]


def shown(step: Step) -> dict[str, object]:
    """The table as the product shows it to a judge."""
    sides = RULESET.disclosure.view(step.state, "judge")["sides"]
    assert isinstance(sides, dict)
    return {f"{seat} {what}": cards for seat, side in sides.items() for what, cards in _zones(side)}


def _zones(side: dict[str, list[object]]) -> Iterable[tuple[str, object]]:
    yield "protocols", [protocol["name"] for protocol in side["protocols"]]
    for number, stack in enumerate(side["lines"], 1):
        yield f"line {number}", [lain["card"] + ("" if lain["face"] == "up" else "*") for lain in stack]
    yield "deck", side["deck"]
    for zone in ("hand", "trash"):
        yield zone, sorted(side[zone])


def unlike(step: Step, wanted: dict[str, object]) -> list[str]:
    """Where the table is not as the facts have it, in one line each."""
    found = shown(step)
    differing = {zone: cards for zone, cards in wanted.items() if found[zone] != cards}
    return [f"{zone}: {found[zone]} on the table, {cards} by the facts" for zone, cards in differing.items()]


def problems(situation: Situation, log: tuple[Event, ...]) -> list[str]:
    """What is found in the log, and where the table is not as the facts have it."""
    steps = judged(situation, log)
    assert situation.after is not None
    return [*findings(steps), *unlike(steps[-1], situation.after)]


@every_card
def test_a_text_carried_out_is_legal_and_leaves_the_table_as_the_facts_say(card: str) -> None:
    told = {one.name: problems(one, one.log) for one in of(card) if one.how is None}
    assert {name: found for name, found in told.items() if found} == {}


@every_card
def test_what_leaves_no_choice_may_be_left_out(card: str) -> None:
    told = {one.name: problems(one, one.chosen) for one in of(card) if one.how is None and one.chosen != one.log}
    assert {name: found for name, found in told.items() if found} == {}


@every_card
@pytest.mark.parametrize("third", [0, *(pytest.param(third, marks=pytest.mark.prove) for third in (1, 2))])
def test_a_text_got_wrong_is_found_at_the_event_that_is_wrong(card: str, third: int) -> None:
    for situation in [one for one in of(card) if one.how is not None][third::3]:
        *before, last = judged(situation, situation.log)
        assert findings(before) == [], situation.name
        assert last.verdict in (Verdict.ILLEGAL, Verdict.IMPOSSIBLE), f"{situation.name}: {situation.log[-1]}"


def proven(at: str, situations: list[Situation]) -> bool:
    """Whether one of the situations is about this instruction, or about one of its options."""
    return any(place == at or place.startswith(f"{at} ") for situation in situations for place in situation.at)


def test_every_instruction_is_carried_out_once_and_broken_once() -> None:
    carried_out = [situation for situation in all_situations() if situation.how is None]
    broken = [situation for situation in all_situations() if situation.how is not None]
    missing = [
        f"{item.at_}: no situation in which it is {what}"
        for card in FACTS.values()
        for item in instructions(card)
        for what, known in (("carried out", carried_out), ("broken", broken))
        if not proven(item.at_, known)
    ]
    assert not missing, "; ".join(missing) + " (tests/compile/cards/*.toml)"


def test_the_counts_kept_beside_the_cards_are_those_of_the_situations() -> None:
    """`python -m tests.compile.counted_situations` writes them anew."""
    is_kept = PATH.read_text("utf-8") == lines(counted(all_situations()))
    assert is_kept, f"{PATH.name} is not up to date: python -m tests.compile.counted_situations"


def test_a_situation_written_by_hand_is_about_an_instruction_that_is_there() -> None:
    known = {item.at_ for card in FACTS.values() for item in instructions(card)}
    wrong = {at: situation.name for situation in by_hand() for at in situation.at - known}
    assert not wrong, "; ".join(f'"{at}" ({name}) is none of {_near(at, known)}' for at, name in wrong.items())


def _near(at: str, known: set[str]) -> str:
    """The addresses on the same card."""
    return ", ".join(sorted(other for other in known if other.split()[0] == at.split()[0]))
