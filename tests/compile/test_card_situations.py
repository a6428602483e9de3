"""Every instruction of every card, carried out and broken, as the auditor judges it.

The situations are made from the facts (`card_situations`), so are the tables afterwards (`card_table`). A few are
written by hand (`cards/*.toml`).
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import pytest

from audit.auditor import audit
from audit.compile import RULESET
from audit.model import Header, Verdict
from audit.steps import Step
from tests.compile import card_facts
from tests.compile.card_events import Event
from tests.compile.card_facts import instructions
from tests.compile.card_situations import Situation, by_hand, situations
from tests.compile.counted_situations import PATH, counted, lines

FACTS = card_facts.cards()
MADE = [situation for card in FACTS for situation in situations(card)]
ALL = [*MADE, *by_hand()]
CARRIED_OUT = [situation for situation in ALL if situation.how is None]
BROKEN = [situation for situation in ALL if situation.how is not None]

AT_ONCE = "cards turned all at once leave no choice; left out, they are not inferred"

NOT_YET: dict[str, str] = {}
NOT_YET_WITH_CHOICES_ONLY = {
    "apathy-1": AT_ONCE,
    "apathy-1, middle step 1: all": AT_ONCE,
}
"""Where the product judges otherwise than the facts and rulings, and why it is the product that has to change."""


def each(situations: Iterable[Situation], not_yet: dict[str, str] = NOT_YET) -> pytest.MarkDecorator:
    """Run for each situation; those the product judges wrongly have to go on failing until it does not."""
    return pytest.mark.parametrize(
        "situation",
        [
            pytest.param(
                situation,
                id=situation.name,
                marks=[pytest.mark.xfail(strict=True, reason=not_yet[situation.name])]
                if situation.name in not_yet
                else [],
            )
            for situation in situations
        ],
    )


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


@each(CARRIED_OUT)
def test_a_text_carried_out_is_legal_and_leaves_the_table_as_the_facts_say(situation: Situation) -> None:
    steps = judged(situation, situation.log)
    assert findings(steps) == []
    assert situation.after is not None
    assert unlike(steps[-1], situation.after) == []


@each([s for s in CARRIED_OUT if s.chosen != s.log], NOT_YET_WITH_CHOICES_ONLY)
def test_what_leaves_no_choice_may_be_left_out(situation: Situation) -> None:
    steps = judged(situation, situation.chosen)
    assert findings(steps) == []
    assert situation.after is not None
    assert unlike(steps[-1], situation.after) == []


@each(BROKEN)
def test_a_text_got_wrong_is_found_at_the_event_that_is_wrong(situation: Situation) -> None:
    *before, last = judged(situation, situation.log)
    assert findings(before) == []
    assert last.verdict in (Verdict.ILLEGAL, Verdict.IMPOSSIBLE), f"{situation.log[-1]} is {last.verdict}"


def proven(at: str, situations: list[Situation]) -> bool:
    """Whether one of the situations is about this instruction, or about one of its options."""
    return any(place == at or place.startswith(f"{at} ") for situation in situations for place in situation.at)


@pytest.mark.parametrize("card", FACTS)
def test_every_instruction_is_carried_out_once_and_broken_once(card: str) -> None:
    missing = [
        f"{item.at_}: no situation in which it is {what}"
        for item in instructions(FACTS[card])
        for what, known in (("carried out", CARRIED_OUT), ("broken", BROKEN))
        if not proven(item.at_, known)
    ]
    assert not missing, "; ".join(missing) + " (tests/compile/cards/*.toml)"


def test_the_counts_kept_beside_the_cards_are_those_of_the_situations() -> None:
    """`python -m tests.compile.counted_situations` writes them anew."""
    is_kept = PATH.read_text("utf-8") == lines(counted(ALL))
    assert is_kept, f"{PATH.name} is not up to date: python -m tests.compile.counted_situations"


def test_a_situation_written_by_hand_is_about_an_instruction_that_is_there() -> None:
    known = {item.at_ for card in FACTS.values() for item in instructions(card)}
    wrong = {at: situation.name for situation in by_hand() for at in situation.at - known}
    assert not wrong, "; ".join(f'"{at}" ({name}) is none of {_near(at, known)}' for at, name in wrong.items())


def _near(at: str, known: set[str]) -> str:
    """The addresses on the same card."""
    return ", ".join(sorted(other for other in known if other.split()[0] == at.split()[0]))


def test_what_is_not_judged_rightly_yet_is_named_as_it_is_called() -> None:
    names = {situation.name for situation in ALL}
    assert {*NOT_YET, *NOT_YET_WITH_CHOICES_ONLY} <= names
