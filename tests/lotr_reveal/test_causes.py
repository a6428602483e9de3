"""What led to a step of a reveal: the newest first, down to the card that was revealed first."""

from __future__ import annotations

from audit.core.auditor import audit
from audit.core.model import LOG_VERSION, Event, Header, Player
from audit.core.steps import Step
from audit.games.lotr_reveal import RULESET
from audit.games.lotr_reveal.events import ForcedResolved, RevealStarted, WindowPassed
from audit.games.lotr_reveal.frames import MAX_CAUSES


def judged(*events: Event, deck: int = 3) -> list[Step]:
    """Cards with surge, one calling for the next."""
    names = [f"card-{n}" for n in range(1, deck + 1)]
    cards = {name: {"type": "treachery", "keywords": {"surge": True}} for name in names}
    setup: dict[str, object] = {"encounter_deck": names, "cards": cards, "in_play": {}}
    head = Header(log=LOG_VERSION, ruleset="lotr-reveal", players=(Player("p1"),), setup=setup)
    return list(audit(RULESET, head, events))


def taken(seq: int, number: int) -> RevealStarted:
    cause, parent = ("staging", None) if number == 1 else ("surge", f"f{number - 1}")
    return RevealStarted(seq=seq, frame=f"f{number}", card=f"card-{number}", cause=cause, player="p1", parent=parent)  # type: ignore[arg-type]


def passed(seq: int, number: int) -> WindowPassed:
    return WindowPassed(seq=seq, frame=f"f{number}", step="4.5")


def test_a_step_of_a_card_comes_from_the_card_having_been_taken() -> None:
    (step,) = [step for step in judged(taken(1, 1), passed(2, 1)) if step.seq == 2]
    assert step.because == (1,)


def test_a_step_of_a_card_that_a_surge_brought_comes_from_both() -> None:
    (step,) = [step for step in judged(taken(1, 1), taken(2, 2), taken(3, 3), passed(4, 3)) if step.seq == 4]
    assert step.because == (3, 2, 1)


def test_what_happened_last_to_the_card_comes_first() -> None:
    forced = ForcedResolved(seq=3, frame="f2", step="11", source="omen", effect="raise threat by 1", target="card-2")
    (step,) = [step for step in judged(taken(1, 1), taken(2, 2), forced, taken(4, 3)) if step.seq == 4]
    assert step.because[-2:] == (2, 1)


def test_causes_are_few_however_many_cards_call_for_one_another() -> None:
    steps = judged(*(taken(n, n) for n in range(1, 201)), deck=200)
    assert max(len(step.because) for step in steps) <= MAX_CAUSES + 2
    assert len(set(steps[-1].because)) == len(steps[-1].because)
