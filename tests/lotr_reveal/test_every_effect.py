"""Every card the rules name, every keyword and every kind of effect has a situation that shows it done and one broken.

What there is to show is read from the declarations of events and cards, so that whatever is added there is asked for.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import get_args, get_type_hints

import msgspec
import pytest

from audit.core.cases import Case, cases_of, proofs, run
from audit.core.model import Event
from audit.core.steps import Step
from audit.games.lotr_reveal import RULESET, events
from audit.games.lotr_reveal.cards import ENTER_KEYWORDS, KNOWN, REVEAL_KEYWORDS, SURGE, without_copy
from tests.lotr_reveal.situations import PACKAGE

FILE = Path(__file__).with_name("cases") / "effects.toml"

Thing = tuple[str, str]
"""A kind and a name: ("keyword", "doomed"), ("response", "cancel_card")."""


def choices(event: type[Event], field: str) -> tuple[str, ...]:
    """The words that a field of an event may have."""
    hint = get_type_hints(event)[field]
    return get_args(hint)


THINGS: tuple[Thing, ...] = (
    *(("card", name) for name in KNOWN),
    *(("keyword", name) for name in sorted(REVEAL_KEYWORDS)),
    *(("on entering", name) for name in sorted(ENTER_KEYWORDS)),
    *(("response", name) for name in choices(events.ResponsePlayed, "effect")),
    *(("passive", name) for name in choices(events.PassiveApplied, "effect")),
    *(("outcome", name) for name in choices(events.OutcomeEffectResolved, "trigger")),
    *(("cancelled to", name) for name in choices(events.CardCancelled, "disposition")),
    *(("surge", name) for name in choices(events.SurgeArmed, "origin")),
    *(("forced at", step) for step in ("10", "11")),
)


def shown_by(event: Event) -> Iterator[Thing]:
    """What an event is about."""
    for name in (getattr(event, "source", None), getattr(event, "by", None)):
        if name and without_copy(name) in KNOWN:
            yield "card", without_copy(name)
    match event:
        case events.ResponsePlayed():
            yield "response", event.effect
        case events.PassiveApplied():
            yield "passive", event.effect
        case events.OutcomeEffectResolved():
            yield "outcome", event.trigger
        case events.KeywordResolved():
            yield "keyword", event.keyword
        case events.SurgeArmed():
            yield from (("keyword", SURGE), ("surge", event.origin))
        case events.EnterPlayEffect():
            yield "on entering", event.effect
        case events.ForcedResolved():
            yield "forced at", event.step
        case events.CardCancelled():
            yield "cancelled to", event.disposition


def told(step: Step) -> Iterator[Event]:
    """The event of a step, and what should have come in its place."""
    if step.event:
        yield step.event
    yield from step.expected


OWN = [msgspec.convert(entry, Case) for entry in tomllib.loads(FILE.read_text("utf-8"))["case"]]
CASES = (*cases_of(PACKAGE), *OWN)


def shown(verdict: str) -> set[Thing]:
    """What the cases of that verdict show: all that happens in a legal one, the mistake of a broken one."""
    found: set[Thing] = set()
    for case in CASES:
        if case.verdict == verdict:
            steps = run(RULESET, case)
            seen = told(steps[-1]) if verdict == "broken" else (step.event for step in steps if step.event)
            found |= {thing for event in seen for thing in shown_by(event)}
    return found


DONE = shown("legal")
BROKEN = shown("broken")


@pytest.mark.every("thing", THINGS, ids=" ".join)
def test_it_is_shown_done_and_broken(thing: Thing) -> None:
    missing = [what for what, known in (("done", DONE), ("broken", BROKEN)) if thing not in known]
    assert not missing, f"{' '.join(thing)}: no case in which it is {' and none in which it is '.join(missing)}"


@pytest.mark.every("case", OWN, ids=lambda case: case.id)
def test_one_mistake_is_one_finding_at_the_last_event(case: Case) -> None:
    found = [step.seq for step in run(RULESET, case) if step.verdict.is_finding]
    assert found == ([len(case.log)] if case.verdict == "broken" else [])


@pytest.mark.every("case", OWN, ids=lambda case: case.id)
def test_the_case_is_judged_by_the_rule_it_names(case: Case) -> None:
    assert set(proofs(RULESET, case)) == set(case.proves)
