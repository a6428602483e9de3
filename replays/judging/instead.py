"""What is told in the place of a mistake: the nearest legal thing to what was done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from audit.core.event_rules import Obligation
from audit.core.explanation import distance
from audit.core.model import Event
from audit.core.ruleset import Ruleset
from audit.core.steps import Step


def nearest(game: Ruleset[object], step: Step, expected: Sequence[Event]) -> list[Event]:
    """Of what was expected instead of a finding, what is nearest to what was done, most alike first.

    What may be done with the same card is told alone. Where there is nothing of the kind, it is what was expected,
    unless a player chose between acts of several kinds: none of them is the remedy, so nothing is told.
    """
    event = step.event
    if event is None:
        return list(expected)
    same = [one for one in expected if _card(one) == _card(event) is not None]
    same += _done_otherwise(game, step, event)
    if same:
        return sorted(dict.fromkeys(same), key=lambda one: distance(one, event))
    return [] if _is_free_choice(game, step.before) else list(expected)


def _card(event: Event) -> object:
    return getattr(event, "card", None)


def _done_otherwise(game: Ruleset[object], step: Step, event: Event) -> Iterator[Event]:
    """The ways to do the same with the same card that are legal, by the rules that judged the event."""
    rules = game.rules.event_rules.get(type(event))  # what is about the record itself has none
    for one in rules.otherwise(step.before, event) if rules else ():
        if not game.rules.violations(step.before, one):
            yield one


def _is_free_choice(game: Ruleset[object], before: object) -> bool:
    """Whether the player on turn chooses between acts of several kinds, such as to play a card or to pass."""
    required = {
        one.event
        for one in game.rules.expected(before)
        if one.obligation is Obligation.REQUIRED and one.is_possible(before)
    }
    return sum(game.rules.event_rules[each].is_turn_act for each in required) > 1
