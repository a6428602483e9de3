"""What holds for every game, whatever its rules: the same suite over every ruleset that is installed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, reduce
from itertools import islice
from random import Random

import pytest

from audit.auditor import Auditor, audit
from audit.errors import SetupError
from audit.event_rules import Expectation, numbered
from audit.model import Event, Header, Verdict
from audit.ruleset import Ruleset, ruleset, rulesets
from audit.steps import Step
from replays.generating.handwritten import choices, partly_written
from replays.generating.simulate import POLICIES, simulated
from replays.generating.viewer_log import viewer_log

SEEDS = range(4)
MAX_EVENTS = 700
Game = tuple[Ruleset[object], Header, list[Event]]


@cache
def played(name: str, policy: str, seed: int, complete: bool = True) -> Game:
    game = ruleset(name)
    header, events = simulated(game, seed, policy, most=MAX_EVENTS, complete=complete)
    return game, header, events


def games() -> list[object]:
    """A few simulated games of every ruleset, under every policy."""
    return [
        pytest.param(name, policy, seed, id=f"{name}-{policy}-{seed}")
        for name in rulesets()
        for policy in POLICIES
        for seed in SEEDS
    ]


def said(steps: Sequence[Step]) -> list[object]:
    return [(s.seq, s.verdict, s.rules, s.because, s.violations, s.state) for s in steps]


def mistaken(events: Sequence[Event]) -> list[Event]:
    """The same game with two events in the wrong order and one left out."""
    middle = len(events) // 2
    order = [*events[:middle], events[middle + 1], events[middle], *events[middle + 3 :]]
    return [numbered(event, seq) for seq, event in enumerate(order, 1)]


@pytest.mark.parametrize("name", rulesets())
def test_a_game_of_what_there_is_not_is_refused(name: str) -> None:
    with pytest.raises(SetupError):
        ruleset(name).simulation.setup(Random(1), ("no-such-thing",))


@pytest.mark.parametrize(("name", "policy", "seed"), games())
def test_a_game_played_through_the_options_is_clean(name: str, policy: str, seed: int) -> None:
    game, header, events = played(name, policy, seed)
    assert events
    assert [s for s in audit(game, header, events) if s.verdict is not Verdict.LEGAL] == []


@pytest.mark.parametrize(("name", "policy", "seed"), games())
def test_what_nobody_owes_may_be_left_out(name: str, policy: str, seed: int) -> None:
    game, header, events = played(name, policy, seed, complete=False)
    assert [s for s in audit(game, header, events) if s.verdict is not Verdict.LEGAL] == []


@pytest.mark.parametrize(("name", "policy", "seed"), games())
def test_every_step_cites_a_rule_of_the_catalogue(name: str, policy: str, seed: int) -> None:
    game, header, events = played(name, policy, seed)
    for step in islice(audit(game, header, mistaken(events)), 1, None):
        assert step.rules
        assert len(set(step.rules)) == len(step.rules)
        assert all(game.catalogue[rule.id] is rule for rule in step.rules)
        assert all(game.catalogue[broken.rule.id] is broken.rule for broken in step.violations)


@pytest.mark.parametrize(("name", "policy", "seed"), games())
def test_nothing_is_expected_but_by_the_event_rules_that_are_upcoming(name: str, policy: str, seed: int) -> None:
    game, header, events = played(name, policy, seed)
    for step in islice(audit(game, header, mistaken(events)), 1, 300):
        everything = (one for rules in game.rules.events.values() for one in rules.expected(step.before))
        assert Counter(described(everything)) == Counter(described(game.rules.expected(step.before)))


def described(expectations: Iterable[Expectation[object]]) -> list[object]:
    return [(type(one), one.event, one.obligation, one.rules) for one in expectations]


@pytest.mark.parametrize(("name", "policy", "seed"), games())
def test_a_legal_event_has_citations_and_an_illegal_one_has_none_of_its_own(name: str, policy: str, seed: int) -> None:
    game, header, events = played(name, policy, seed)
    for step in islice(audit(game, header, mistaken(events)), 1, 300):
        assert step.event
        rules = game.rules.events[type(step.event)]
        if not rules.violations(step.before, step.event):
            assert rules.citations(step.before, step.event)


@pytest.mark.parametrize(("name", "policy", "seed"), games())
def test_the_position_after_many_events_is_that_after_one_by_one(name: str, policy: str, seed: int) -> None:
    game, header, events = played(name, policy, seed)
    logs = [
        (header, events),
        *(viewer_log(game, header, events, who) for who in ("public", game.disclosure.seats(header)[0])),
    ]
    for head, told in logs:
        start = game.rules.start(head)
        for some in (told, mistaken(told), told[: len(told) // 2]):
            assert game.rules.replay_to(start, some) == reduce(game.rules.evolve, some, start)


@pytest.mark.parametrize(("name", "policy", "seed"), games())
def test_the_same_log_has_the_same_annotations(name: str, policy: str, seed: int) -> None:
    game, header, events = played(name, policy, seed)
    wrong = mistaken(events)
    assert said(list(audit(game, header, wrong))) == said(list(audit(game, header, wrong)))


@pytest.mark.parametrize(("name", "policy", "seed"), games())
def test_a_prefix_is_annotated_like_the_whole(name: str, policy: str, seed: int) -> None:
    game, header, events = played(name, policy, seed)
    wrong = mistaken(events)
    whole = said(list(audit(game, header, wrong)))
    for length in (0, 1, len(wrong) // 2, len(wrong) // 2 + 1, len(wrong) // 2 + 4, len(wrong) - 1):
        part = said(list(audit(game, header, wrong[:length])))
        assert part == whole[: len(part)]


@pytest.mark.parametrize(("name", "policy", "seed"), games())
def test_going_on_from_any_snapshot_is_going_on_from_the_start(name: str, policy: str, seed: int) -> None:
    game, header, events = played(name, policy, seed)
    whole = list(audit(game, header, events))
    for at in (1, len(events) // 3, len(events) // 2, len(events) - 1):
        auditor = Auditor(game.rules, header)
        auditor.resume(whole[at].state, whole[at].index)
        rest = [step for event in events[at:] for step in auditor.judge(event)]
        assert said(rest) == said(whole[at + 1 :])


@pytest.mark.parametrize(("name", "policy", "seed"), games())
def test_whatever_is_offered_is_accepted(name: str, policy: str, seed: int) -> None:
    game, header, events = played(name, policy, seed)
    state = game.rules.start(header)
    for event in events[:150]:
        for option in game.rules.expected(state):
            for offer in islice(option.candidates(state), 5):
                assert game.rules.violations(state, offer) == ()
                game.rules.evolve(state, offer)
        state = game.rules.evolve(state, event)


@pytest.mark.parametrize(("name", "policy", "seed"), games())
def test_what_a_scorekeeper_leaves_out_is_inferred(name: str, policy: str, seed: int) -> None:
    game, header, events = played(name, policy, seed, complete=False)
    steps = list(audit(game, header, choices(game, header, events)))
    assert {step.verdict for step in steps} <= {Verdict.LEGAL, Verdict.INFERRED}


@pytest.mark.parametrize(("name", "policy", "seed"), games())
def test_what_leaves_no_choice_may_be_told_here_and_left_out_there(name: str, policy: str, seed: int) -> None:
    game, header, events = played(name, policy, seed, complete=seed % 2 == 0)
    for viewer in (None, "public"):
        head, log = viewer_log(game, header, events, viewer) if viewer else (header, events)
        told = partly_written(game, head, log, Random(seed))
        verdicts = {step.verdict for step in audit(game, head, told)}
        assert not verdicts & {Verdict.ILLEGAL, Verdict.IMPOSSIBLE}


@pytest.mark.parametrize(("name", "policy", "seed"), games())
def test_no_viewers_record_of_a_clean_game_is_called_illegal(name: str, policy: str, seed: int) -> None:
    game, header, events = played(name, policy, seed)
    for viewer in (game.disclosure.seats(header)[0], "public"):
        head, log = viewer_log(game, header, events, viewer)
        verdicts = {step.verdict for step in audit(game, head, log)}
        assert not verdicts & {Verdict.ILLEGAL, Verdict.IMPOSSIBLE}


@pytest.mark.parametrize(("name", "policy", "seed"), games())
def test_a_view_tells_nothing_its_viewer_did_not_see(name: str, policy: str, seed: int) -> None:
    """Two games that differ only in what is hidden look alike: the real one, and the one the viewer wrote down."""
    game, header, events = played(name, policy, seed)
    for viewer in (*game.disclosure.seats(header), "public"):
        state, seen = game.rules.start(header), game.rules.start(game.disclosure.recorded_header(header, viewer))
        recorder = game.disclosure.recorder(viewer)
        for event in events[:300]:
            before, state = state, game.rules.evolve(state, event)
            for told in recorder(before, event, state):
                seen = game.rules.evolve(seen, told)
            assert same(game.disclosure.view(seen, viewer), game.disclosure.view(state, viewer))
            assert len(game.disclosure.pending(seen, viewer)) == len(game.disclosure.pending(state, viewer))


@pytest.mark.parametrize(("name", "policy", "seed"), games())
def test_a_record_names_no_card_its_viewer_was_not_shown(name: str, policy: str, seed: int) -> None:
    game, header, events = played(name, policy, seed)
    secret = hidden_at_the_start(header)
    for viewer in (*game.disclosure.seats(header), "public"):
        state, shown, recorder = game.rules.start(header), set[str](), game.disclosure.recorder(viewer)
        for event in events[:300]:
            before, state = state, game.rules.evolve(state, event)
            views = [
                game.disclosure.view(before, viewer),
                game.disclosure.view(state, viewer),
                game.disclosure.redact(before, event, viewer),
            ]
            if getattr(event, "zone", None) == "hand":  # shown to everybody
                views.append(game.disclosure.view(before, event.player))  # type: ignore[attr-defined]
            shown |= secret & set(re.findall(CARD, str(views)))
            for told in recorder(before, event, state):
                assert secret & set(re.findall(CARD, str(told))) <= shown


CARD = r"[\w#?.-]+"


def hidden_at_the_start(header: Header) -> set[str]:
    """Every card of a deck or a hand."""
    zones = [header.setup.get(key, ()) for key in ("decks", "hands", "encounter_deck")]
    return set(re.findall(CARD, str(zones)))


def same(one: object, other: object) -> bool:
    """Equal, though a hand has no order."""
    return unordered(one) == unordered(other)


def unordered(view: object) -> object:
    if isinstance(view, dict):
        return {
            key: sorted(value) if key == "hand" and isinstance(value, list) else unordered(value)
            for key, value in view.items()
        }
    return view
