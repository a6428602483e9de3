"""How many stored games, and how many of their steps, cite each rule."""

from __future__ import annotations

from audit.rulebooks.findings import Weight
from replays.store.store import Store


def rule_weights(store: Store, ruleset: str) -> dict[str, Weight]:
    """The weight of every rule of a ruleset that some stored game cites."""
    store.follow()
    return {rule: Weight(games, steps) for rule, (games, steps) in store.shown.weights(ruleset).items()}
