"""What is said of mistakes planted in simulated games: no finding is without its rule."""

from __future__ import annotations

from random import Random

from audit.core.auditor import audit
from audit.core.record import NO_RULE
from audit.games.lotr_reveal import RULESET
from bench.mistakes import at_random, kinds_of, planted

GAMES, SEED = 5, 5


def test_every_finding_names_the_rule_that_is_broken() -> None:
    found = 0
    for number, (header, events) in enumerate(at_random(RULESET.name, GAMES, SEED)):
        for kind, mutant in planted(RULESET, header, events[:60], kinds_of(RULESET.name), Random(SEED + number)):
            for step in audit(RULESET, header, mutant.events[: mutant.at + 4]):
                if step.verdict.is_finding:
                    found += 1
                    assert step.rules, (kind, step.event)
                    assert NO_RULE not in step.rules, (kind, step.event)
                    assert all(one.rule.id or one.key.startswith("thread.") for one in step.violations), (kind, step)
    assert found > 50
