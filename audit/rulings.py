"""Which rulings bear on a step: they are cited before the general rules, as far as its edition has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import TypeVar

from audit.catalogue import Catalogue, Rule, Ruling, each_once
from audit.event_rules import Citations
from audit.model import Event, type_name
from audit.record import words_in
from audit.ruleset import JUDGE, Ruleset
from audit.steps import Step

S = TypeVar("S")


@cache
def rulings_by_event(catalogue: Catalogue, edition: str) -> Mapping[str, tuple[Ruling, ...]]:
    """The rulings in force in an edition, by the name of each event type that they speak of."""
    found: dict[str, tuple[Ruling, ...]] = {}
    for ruling in catalogue.rulings.values():
        for event in ruling.events if catalogue.holds(ruling, edition) else ():
            found[event] = (*found.get(event, ()), ruling)
    return found


def cited(game: Ruleset[S], step: Step, edition: str = "", viewer: str = JUDGE) -> Citations:
    """The rules of a step, with each ruling that bears on it before the first rule it bears on.

    A ruling about cards is cited as far as the viewer may know that the step is about them.
    """
    if not game.catalogue.rulings or step.event is None or not step.rules:
        return step.rules
    edition = game.catalogue.edition(edition)
    speaking = rulings_by_event(game.catalogue, edition).get(type_name(type(step.event)), ())
    if not speaking:
        return step.rules
    rests_on = {rule.id for rule in (step.rules[:1] if step.verdict.is_finding else step.rules)}
    bearing = [one for one in speaking if rests_on & set(one.bears_on)]
    if any(one.cards for one in bearing):
        cards = frozenset(_cards_of(game, step, step.event, viewer))
        before: S = step.before  # type: ignore[assignment]
        table = words_in(game.disclosure.view(before, "public")) if any(one.lasting for one in bearing) else cards
        bearing = [one for one in bearing if not one.cards or (table if one.lasting else cards) & set(one.cards)]
    return each_once(tuple(chain.from_iterable((*_before(rule, bearing), rule) for rule in step.rules)))


def _before(rule: Rule, bearing: Sequence[Ruling]) -> Iterator[Ruling]:
    """The rulings that bear on a rule, those about a card first."""
    return (one for one in sorted(bearing, key=lambda one: not one.cards) if rule.id in one.bears_on)


def _cards_of(game: Ruleset[S], step: Step, event: Event, viewer: str) -> Iterator[str]:
    """The card whose text the event carries out, or all whose texts a finding interrupts.

    Without such, the one card that the event is about and those whose rule it rests on.
    """
    before: S = step.before  # type: ignore[assignment]
    under_way = [one for one in game.disclosure.pending(before, viewer) if "command" in one and "rest" in one]
    if under_way:
        yield from (str(one["card"]) for one in (under_way if step.verdict.is_finding else under_way[:1]))
        yield from getattr(event, "order", None) or ()
    else:
        yield str(getattr(game.disclosure.redact(before, event, viewer), "card", ""))
        yield from (card for rule in step.rules for card in rule.cards)
    if viewer == JUDGE:
        yield from words_in(*(violation.data for violation in step.violations))
