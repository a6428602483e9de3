"""What led to a step of Altered: what waits or is under way first, then the moment, then the phase."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from audit.core.auditor import audit
from audit.core.steps import Step
from audit.games.altered import RULESET
from audit.games.altered.events import CardPlayed, PhaseStarted, ReactionActivated, ReactionCheck, ReactionPlayed
from replays.generating.simulate import simulated


@cache
def steps() -> list[Step]:
    """Every step of some games in which everything is told."""
    found: list[Step] = []
    for seed in range(6):
        header, events = simulated(RULESET, seed, pool=("duel",))  # type: ignore[arg-type]
        found += [step for step in audit(RULESET, header, events) if step.event]
    return found


def test_no_cause_is_named_twice_and_none_comes_later() -> None:
    for step in steps():
        assert len(set(step.because)) == len(step.because)
        assert all(0 < seq < (step.seq or 10**9) for seq in step.because)


def test_what_follows_a_card_comes_from_the_card_and_the_phase() -> None:
    phase: Step | None = None
    followed = 0
    for step, following in pairwise(steps()):
        phase = step if isinstance(step.event, PhaseStarted) else phase
        if isinstance(step.event, CardPlayed) and isinstance(following.event, ReactionCheck) and phase:
            assert following.because == (step.seq, phase.seq)
            followed += 1
    assert followed


def test_a_reaction_comes_first_of_all_from_what_set_it_off() -> None:
    set_off: dict[str, int] = {}
    played = 0
    for step in steps():
        if isinstance(step.event, ReactionActivated):
            set_off[step.event.emblem] = step.event.trigger_seq
        if isinstance(step.event, ReactionPlayed):
            assert step.because[0] == set_off[step.event.emblem]
            played += 1
    assert played
