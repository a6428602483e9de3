"""One game, told in another way that the rules allow: nothing is found, and it ends as it did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.event_rules import numbered
from audit.core.model import Event, Header, Verdict
from audit.core.steps import Step
from audit.games.compile import RULESET
from audit.games.compile.declarations import ALL
from audit.games.compile.events import Chose, Deleted, Discarded, Drew, Flipped, Reshuffled, Returned, Shifted
from audit.games.compile.occasions import instructions
from audit.games.compile.state import State, Text
from replays.generating.simulate import simulated

SEEDS = range(6)


def lying(state: object) -> tuple[object, ...]:
    assert isinstance(state, State)
    return state.a, state.b, state.control, state.player


def is_clean_and_ends_alike(header: Header, events: Sequence[Event], told: Sequence[Event]) -> bool:
    told = [numbered(event, seq) for seq, event in enumerate(told, 1)]
    start = RULESET.rules.start(header)
    steps = list(audit(RULESET, header, told))
    ends = {
        lying(state)
        for state in (RULESET.rules.replay_to(start, events), RULESET.rules.replay_to(start, told), steps[-1].state)
    }
    said = {step.verdict for step in steps if not _is_taken_by_chance(step)}
    return said == {Verdict.LEGAL} and len(ends) == 1


def _is_taken_by_chance(step: Step) -> bool:
    """Whether all that was not judged is how a card was picked at random: no log can show that."""
    return step.verdict is Verdict.UNCHECKED and [one.key for one in step.violations] == ["random"]


def rest_drawn_first(state: State, events: Sequence[Event]) -> Iterator[Event]:
    """The events with every new deck made only when what is left of the old one has been drawn."""
    late: tuple[str, ...] = ()
    for event, following in zip(events, (*events[1:], None), strict=True):
        old = state.side(event.player).deck if isinstance(event, Reshuffled) else ()
        if isinstance(event, Reshuffled) and old and event.deck and isinstance(following, Drew):
            yield replace(following, cards=old)
            yield replace(event, deck=event.deck[len(old) :])
            late = old
        elif isinstance(event, Drew) and late and event.cards:
            yield replace(event, cards=event.cards[len(late) :])
            late = ()
        else:
            yield event
        state = RULESET.rules.evolve(state, event)


def cards_said_first(state: State, events: Sequence[Event]) -> Iterator[Event]:
    """The events with each card that a text picks said to be chosen before."""
    for event in events:
        text = state.stack[-1] if state.stack else None
        if type(text) is Text and isinstance(event, Flipped | Shifted | Deleted | Returned | Discarded):
            option = next((one for one in instructions(text) if one.event is type(event)), None)
            cards = getattr(event, "cards", None) or (getattr(event, "card", None),)
            if option and option.declared.count != ALL and option.declared.source == "hand":
                yield from (Chose(seq=0, player=option.actor(text), what="card", card=card) for card in cards)
        yield event
        state = RULESET.rules.evolve(state, event)


def drawn_one_by_one(events: Sequence[Event]) -> Iterator[Event]:
    """The events with every card drawn in a line of its own."""
    for event in events:
        cards = event.cards if isinstance(event, Drew) else None
        yield from (replace(event, cards=(card,)) for card in cards) if cards else (event,)


@pytest.mark.every("seed", SEEDS)
def test_cards_drawn_at_once_may_be_written_down_one_by_one(seed: int) -> None:
    header, events = simulated(RULESET, seed)
    told = list(drawn_one_by_one(events))
    assert len(told) > len(events)
    assert is_clean_and_ends_alike(replace(header, complete=False), events, told)


@pytest.mark.every("seed", SEEDS)
def test_what_is_left_of_a_deck_may_be_drawn_before_the_new_one_is_made(seed: int) -> None:
    header, events = simulated(RULESET, seed)
    told = list(rest_drawn_first(RULESET.rules.start(header), events))
    assert len(told) > len(events)
    assert is_clean_and_ends_alike(header, events, told)


@pytest.mark.every("seed", SEEDS)
def test_a_card_may_be_said_to_be_chosen_before_it_is_acted_on(seed: int) -> None:
    header, events = simulated(RULESET, seed)
    told = list(cards_said_first(RULESET.rules.start(header), events))
    assert len(told) > len(events)
    assert is_clean_and_ends_alike(header, events, told)
