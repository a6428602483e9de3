"""What must hold in every game of Compile, whatever is played: hypothesis chooses the games and the moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import chain, takewhile
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from audit.core.auditor import Auditor, audit
from audit.core.event_rules import numbered
from audit.core.model import Event, Header
from audit.core.ruleset import Ruleset, ruleset
from audit.core.steps import Step
from audit.games.compile.parts import is_known
from audit.games.compile.state import State
from replays.generating.simulate import POLICIES, simulated

GAME: Ruleset[object] = ruleset("compile")
MAX_EVENTS = 300

seeds = st.integers(0, 10**6)
policies = st.sampled_from(sorted(POLICIES))
unhurried = settings(max_examples=25, deadline=None)


@cache
def game_of(seed: int, policy: str) -> tuple[Header, list[Event]]:
    return simulated(GAME, seed, policy, most=MAX_EVENTS)


def positions(header: Header, events: Sequence[Event]) -> list[State]:
    state = GAME.rules.start(header)
    found = [state]
    for event in events:
        state = GAME.rules.evolve(state, event)
        found.append(state)
    assert all(isinstance(state, State) for state in found)
    return found  # type: ignore[return-value]


def everywhere(state: State) -> Counter[str]:
    """Every card, wherever it is: in hand, deck or trash, on the field, or on its way."""
    cards: Counter[str] = Counter()
    for side in (state.a, state.b):
        for zone in (side.hand, side.deck, side.trash):
            cards.update(zone)
        cards.update(lain.card for stack in side.lines for lain in stack)
    cards.update(committed["card"] for committed in GAME.disclosure.view(state)["committed"])  # type: ignore[attr-defined, index]
    return cards


def dealt(header: Header) -> list[str]:
    decks = header.setup["decks"]
    assert isinstance(decks, dict)
    return [card for deck in decks.values() for card in deck]


def said(steps: Sequence[Step]) -> list[object]:
    return [(s.seq, s.verdict, s.rules, s.because, s.violations, s.expected, s.candidates, s.state) for s in steps]


@given(seeds, policies)
@unhurried
def test_no_card_is_ever_lost_or_doubled_or_in_two_places(seed: int, policy: str) -> None:
    header, events = game_of(seed, policy)
    cards = Counter(dealt(header))
    for state in positions(header, events):
        assert everywhere(state) == cards


@given(seeds, policies, st.data())
@unhurried
def test_a_log_is_annotated_alike_whole_in_prefixes_and_event_by_event(
    seed: int, policy: str, data: st.DataObject
) -> None:
    header, events = game_of(seed, policy)
    left_out = data.draw(st.sets(st.integers(1, len(events)), max_size=4))
    told = [numbered(event, seq) for seq, event in enumerate((e for e in events if e.seq not in left_out), 1)]
    whole = said(list(audit(GAME, header, told)))
    length = data.draw(st.integers(0, len(told)))
    settled = takewhile(lambda step: not step.provisional, audit(GAME, header, told[:length]))
    part = said(list(settled))
    assert part == whole[: len(part)]
    auditor = Auditor(GAME.rules, header)
    appended = chain([auditor.first()], chain.from_iterable(map(auditor.judge, told)))
    part = said(list(takewhile(lambda step: not step.provisional, appended)))
    assert part == whole[: len(part)]


@given(seeds, policies, st.data())
@unhurried
def test_an_audit_taken_up_anywhere_goes_on_as_if_never_left(seed: int, policy: str, data: st.DataObject) -> None:
    header, events = game_of(seed, policy)
    left_out = data.draw(st.sets(st.integers(1, len(events)), max_size=4))
    told = [numbered(event, seq) for seq, event in enumerate((e for e in events if e.seq not in left_out), 1)]
    at = data.draw(st.integers(0, len(told)))
    first = Auditor(GAME.rules, header)
    for event in told[:at]:
        first.judge(event)
    second = Auditor(GAME.rules, header)
    second.return_to(first.bookmark())
    for event in told[at:]:
        assert said(second.judge(event)) == said(first.judge(event))


@given(seeds, policies, st.data())
@unhurried
def test_a_view_is_the_same_whatever_the_hidden_cards_are(seed: int, policy: str, data: st.DataObject) -> None:
    """The same position with other cards where the viewer cannot see them: the viewer sees no difference."""
    header, events = game_of(seed, policy)
    at = data.draw(st.integers(0, len(events)))
    state = positions(header, events[:at])[-1]
    random = Random(data.draw(seeds))
    for viewer in ("A", "B", "public"):
        other = with_other_hidden_cards(state, viewer, random)
        assert GAME.disclosure.view(other, viewer) == GAME.disclosure.view(state, viewer)
        assert GAME.disclosure.pending(other, viewer) == GAME.disclosure.pending(state, viewer)


def with_other_hidden_cards(state: State, viewer: str, random: Random) -> object:
    """The cards that the viewer cannot see, dealt among their places by lot."""
    hidden = [card for seat in ("A", "B") for card in unseen(state, seat, viewer)]
    dealt_anew = dict(zip(hidden, random.sample(hidden, len(hidden)), strict=True))
    return with_cards(state, dealt_anew)


def unseen(state: State, seat: str, viewer: str) -> list[str]:
    side = state.side(seat)
    shown = {frame.card for frame in state.stack if hasattr(frame, "card")}
    own = [] if seat == viewer else [*side.hand, *(c.card for stack in side.lines for c in stack if not c.up)]
    return [card for card in (*own, *side.deck) if is_known(card) and card not in shown]


def with_cards(value: object, names: dict[str, str]) -> object:
    """The same value with other names of cards in it."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, tuple):
        return tuple(with_cards(item, names) for item in value)
    if hasattr(value, "__struct_fields__"):
        fields = {name: with_cards(getattr(value, name), names) for name in value.__struct_fields__}
        return type(value)(**fields)
    return value
