"""Which rulings bear on a step: they are cited before the general rules, as far as its edition has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import TypeVar

from msgspec import Struct

from audit.core.catalogue import Catalogue, Rule, Ruling, each_once
from audit.core.disclosure import JUDGE
from audit.core.event_rules import Citations
from audit.core.model import Event, Verdict, type_name
from audit.core.record import words_in
from audit.core.ruleset import Ruleset
from audit.core.steps import Step

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
    rests_on = step.rules[:1] if step.verdict.is_finding else step.rules
    bearing = _bearing(game.catalogue, edition, type(step.event), rests_on)
    if bearing is None:
        return step.rules
    return _in_order(step.rules, bearing.on(game, step, step.event, viewer))


@lru_cache(maxsize=4096)
def cited_always(catalogue: Catalogue, edition: str, kind: type[Event], rules: Citations) -> Citations | None:
    """What `cited` tells of every event of that kind with these rules that is no finding.

    None where a ruling about cards may bear on it: that depends on the position.
    """
    bearing = _bearing(catalogue, edition, kind, rules) if catalogue.rulings and rules else None
    if bearing is None:
        return rules
    return None if bearing.cards or bearing.lasting else _in_order(rules, bearing.general)


class _Bearing(Struct, frozen=True):
    """The rulings that may bear on a step; those about no card; the cards of the others, and of the lasting ones."""

    rulings: tuple[Ruling, ...]
    general: tuple[Ruling, ...]
    cards: frozenset[str]
    lasting: frozenset[str]

    def on(self, game: Ruleset[S], step: Step, event: Event, viewer: str) -> tuple[Ruling, ...]:
        """Those that are about no card, or about one of the step; a lasting one about one that lies open."""
        before: S = step.before  # type: ignore[assignment]
        cards = self.cards.intersection(_cards_of(game, step, event, viewer)) if self.cards else self.cards
        table = game.disclosure.open_cards(before, self.lasting) if self.lasting else self.lasting
        if not cards and not table:
            return self.general
        return tuple(one for one in self.rulings if not one.cards or self._is_about(game, before, one, table, cards))

    def _is_about(
        self, game: Ruleset[S], before: S, ruling: Ruling, table: frozenset[str], cards: frozenset[str]
    ) -> bool:
        """Whether the ruling speaks of a card of the step or, lasting, of an open one, and of none outside the game."""
        named = (table if ruling.lasting else cards).intersection(ruling.cards)
        return bool(named) and all(game.rules.is_in_game(before, card) for card in ruling.cards)


@lru_cache(maxsize=4096)
def _bearing(catalogue: Catalogue, edition: str, kind: type[Event], rests_on: Citations) -> _Bearing | None:
    """The rulings that bear on one of these rules for events of that kind; None where none speaks of the kind."""
    speaking = rulings_by_event(catalogue, catalogue.edition(edition)).get(type_name(kind))
    if not speaking:
        return None
    ids = {rule.id for rule in rests_on}
    bearing = tuple(one for one in speaking if not ids.isdisjoint(one.bears_on))
    return _Bearing(
        bearing,
        tuple(one for one in bearing if not one.cards),
        frozenset(card for one in bearing if not one.lasting for card in one.cards),
        frozenset(card for one in bearing if one.lasting for card in one.cards),
    )


@lru_cache(maxsize=4096)
def _in_order(rules: Citations, bearing: tuple[Ruling, ...]) -> Citations:
    return each_once(tuple(chain.from_iterable((*_before(rule, bearing), rule) for rule in rules)))


def _before(rule: Rule, bearing: Sequence[Ruling]) -> Iterator[Ruling]:
    """The rulings that bear on a rule, those about a card first."""
    return (one for one in sorted(bearing, key=lambda one: not one.cards) if rule.id in one.bears_on)


def _cards_of(game: Ruleset[S], step: Step, event: Event, viewer: str) -> Iterator[str]:
    """The card whose text the event carries out, or all whose texts a finding interrupts.

    Without such, those whose rule the step rests on, and the one card that the event is about.
    """
    before: S = step.before  # type: ignore[assignment]
    under_way = [one for one in game.disclosure.pending(before, viewer) if "command" in one and "rest" in one]
    if under_way:
        yield from (str(one["card"]) for one in (under_way if step.verdict.is_finding else under_way[:1]))
        yield from getattr(event, "order", None) or ()
        yield from _named(step, viewer)
        return
    rests_on = step.rules[:1] if step.verdict.is_finding else step.rules
    yield from (card for rule in rests_on for card in rule.cards)
    seen = event if viewer == JUDGE else game.disclosure.redact(before, event, viewer)
    about = str(getattr(seen, "card", ""))
    if not step.verdict.is_finding:
        yield about
    elif step.verdict is not Verdict.IMPOSSIBLE:  # the text of a card that is not there is no reason
        named = _named(step, viewer)
        yield from game.disclosure.open_cards(before, named | {about})
        yield from named.difference(*map(_words_of, (event, *step.expected)))


def _words_of(event: Event) -> frozenset[str]:
    return words_in(*(getattr(event, name) for name in event.__struct_fields__))


def _named(step: Step, viewer: str) -> frozenset[str]:
    """What the reasons of a finding name."""
    return words_in(*(violation.data for violation in step.violations)) if viewer == JUDGE else frozenset()
