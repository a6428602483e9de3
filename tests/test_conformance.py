"""What holds for every game, whatever its rules: the conformance suite over every ruleset that is installed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from audit.core.disclosure import Disclosure
from audit.core.model import Event
from audit.core.ruleset import ruleset, rulesets
from audit.games.compile import disclosure
from audit.games.compile.events import Drew, Looked, Played, Reshuffled, Revealed, Shuffled
from replays.conformance import (
    CHECKS,
    RULESET_CHECKS,
    Check,
    Sample,
    assert_none,
    check_name,
    finds_no_viewer_wrong,
    is_clean,
    names_no_card_that_was_not_shown,
    samples,
    shows_a_viewer_only_what_they_saw,
    tells_no_card_that_stays_hidden,
)
from replays.conformance.ruleset_checks import refuses_an_unknown_pool
from replays.generating.simulate import POLICIES


@pytest.mark.parametrize("name", rulesets())
@pytest.mark.parametrize("check", RULESET_CHECKS, ids=check_name)
def test_the_ruleset(check: Check[str], name: str) -> None:
    assert_none(check(name))


WITH_EVERY_GAME = (
    is_clean,
    finds_no_viewer_wrong,
    shows_a_viewer_only_what_they_saw,
    names_no_card_that_was_not_shown,
    tells_no_card_that_stays_hidden,
)
"""What each game has its own code for, and no leak of one is like that of another."""


def is_long(number: int, sample: Sample) -> bool:
    """Whether `make prove` alone takes it: a check takes a game of one policy, and of every other ruleset in turn."""
    if sample.seed > 0 or list(POLICIES).index(sample.policy) != number % len(POLICIES):
        return True
    return CHECKS[number] not in WITH_EVERY_GAME and (number + rulesets().index(sample.ruleset)) % 2 == 1


CASES = [
    pytest.param(check, sample, marks=[pytest.mark.prove] * is_long(number, sample), id=f"{check_name(check)}-{sample}")
    for number, check in enumerate(CHECKS)
    for sample in samples(*rulesets())
]


@pytest.mark.parametrize(("check", "sample"), CASES)
def test_a_simulated_game(check: Check[Sample], sample: Sample) -> None:
    assert_none(check(sample))


@pytest.mark.parametrize("kind", [Drew, Played, Reshuffled, Shuffled])
def test_an_event_that_tells_a_hidden_card_is_noticed(kind: type[Event], monkeypatch: pytest.MonkeyPatch) -> None:
    redact = disclosure.redact
    untouched = lambda state, event, viewer: event if type(event) is kind else redact(state, event, viewer)  # noqa: E731
    monkeypatch.setattr(disclosure.CompileDisclosure, "redact_event", staticmethod(untouched))
    assert f" {kind.__name__}(" in next(leaks_of(kind), "")


def leaks_of(kind: type[Event]) -> Iterator[str]:
    """What is noticed in games with such an event."""
    for sample in samples("compile"):
        if any(type(event) is kind for event in sample.log[1][:300]):
            yield from tells_no_card_that_stays_hidden(sample)


def test_an_event_that_shows_hidden_cards_has_to_be_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disclosure.CompileDisclosure, "shows", Disclosure.shows)
    assert " Revealed(" in next(leaks_of(Revealed), "")


def test_what_a_player_looks_at_is_shown_to_that_player_alone() -> None:
    looked = Looked(seq=1, player="A", cards=("fire-1",))
    shown = {viewer: disclosure.CompileDisclosure().shows(looked, viewer) for viewer in ("A", "B", "public")}
    assert shown == {"A": True, "B": False, "public": False}


def test_a_game_that_deals_sets_that_there_are_not_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    simulation = type(ruleset("compile").simulation)
    monkeypatch.setattr(simulation, "setup", lambda self, random, pool=(): {})
    assert [told.rpartition(" raises ")[2] for told in refuses_an_unknown_pool("compile")] == ["no SetupError"]


def test_problems_are_listed_up_to_a_few() -> None:
    def wrong() -> Iterator[str]:
        yield from (f"problem {number}" for number in range(100))

    with pytest.raises(AssertionError) as raised:
        assert_none(wrong())
    assert str(raised.value).splitlines() == [f"problem {number}" for number in range(5)]
    assert_none(())
