"""A log that says everything tells every step a card comes to and every window that shuts."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from audit.core.auditor import audit
from audit.core.model import LOG_VERSION, Event, Header, Player
from audit.games.lotr_reveal import RULESET
from audit.games.lotr_reveal.events import CardCancelled, RevealEnded, StepEntered, WindowPassed
from audit.games.lotr_reveal.steps import INDEX, ORDER, WINDOWS
from replays.generating.simulate import played_out, uniform


def header(*deck: str, **more: object) -> Header:
    cards = {
        "orc": {"type": "enemy", "hit_points": 3},
        "rumour": {"type": "treachery"},
        "marsh": {"type": "location", "quest_points": 2, "keywords": {"surge": True}},
    }
    setup = {"encounter_deck": list(deck), "cards": cards, "in_play": {}, "reveals": 1, **more}
    return Header(log=LOG_VERSION, ruleset="lotr-reveal", players=(Player("p1"),), setup=setup)


def revealed(head: Header, seed: int = 1) -> list[Event]:
    """The deck revealed, everything told."""
    events = list(played_out(RULESET, head, uniform, Random(seed)))  # type: ignore[arg-type]
    assert [step.verdict for step in audit(RULESET, head, events) if step.verdict.is_finding] == []
    return events


def steps_of(events: Sequence[Event], frame: str) -> list[str]:
    return [event.step for event in events if isinstance(event, StepEntered) and event.frame == frame]


def windows_of(events: Sequence[Event], frame: str) -> list[int]:
    return [INDEX[event.step] for event in events if isinstance(event, WindowPassed) and event.frame == frame]


def test_a_card_nobody_responds_to_comes_to_every_step_and_every_window_shuts() -> None:
    events = revealed(header("orc"))
    assert steps_of(events, "f1") == list(ORDER[1:])
    assert windows_of(events, "f1") == list(WINDOWS)


def test_a_card_that_surges_has_come_to_step_12_before_the_next_is_taken() -> None:
    events = revealed(header("marsh", "rumour"))
    second = next(at for at, event in enumerate(events) if getattr(event, "frame", "") == "f2")
    assert steps_of(events[:second], "f1") == list(ORDER[1:])
    assert windows_of(events, "f2") == list(WINDOWS)
    assert isinstance(events[-1], RevealEnded)


def test_a_card_cancelled_at_step_3_goes_no_further() -> None:
    ears = {"owner": "p1", "response": "cancel_card", "disposition": "discard", "replacement": False}
    games = (revealed(header("rumour", "orc", in_play={"sharp-ears": ears}), seed) for seed in range(20))
    events = next(game for game in games if any(isinstance(event, CardCancelled) for event in game))
    assert steps_of(events, "f1") == ["2", "3"]
    assert windows_of(events, "f1") == []
