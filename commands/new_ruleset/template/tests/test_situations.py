"""Situations at the table that a case cannot tell: what is inferred, what is hidden, what is said of it."""

from __future__ import annotations

from audit.core.auditor import audit
from audit.core.model import LOG_VERSION, Event, Header, Verdict
from audit.core.steps import Step

from example_game import RULESET
from example_game.events import Drew, Laid, TurnBegan
from example_game.state import opening

SETUP: dict[str, object] = {
    "deck": ["ash-6", "ash-5"],
    "hands": {"A": ["oak-4", "oak-5"], "B": ["elm-1", "elm-2"]},
    "piles": [["ash-2", "ash-3"], [], []],
}


def header(**setup: object) -> Header:
    """A log that begins in the middle of a game."""
    return Header(log=LOG_VERSION, ruleset="example-game", setup={**SETUP, **setup})


def audited(head: Header, *events: Event) -> list[Step]:
    """What the audit says of these events."""
    return list(audit(RULESET, head, events))


def test_the_draw_and_the_taking_of_a_pile_are_inferred() -> None:
    steps = audited(
        header(),
        Laid(seq=1, player="A", card="oak-4", pile=1),
        Laid(seq=2, player="B", card="elm-1", pile=1),
    )
    inferred = [type(step.event).__name__ for step in steps if step.verdict is Verdict.INFERRED]
    assert inferred == ["Drew", "PileTaken", "Drew"]
    assert steps[-1].verdict is Verdict.LEGAL


def test_a_turn_may_be_announced_twice() -> None:
    steps = audited(header(), TurnBegan(seq=1, player="A", turn=1), TurnBegan(seq=2, player="A", turn=1))
    assert {step.verdict for step in steps} == {Verdict.LEGAL}


def test_a_card_from_an_unseen_hand_may_be_any_that_was_not_seen() -> None:
    unseen = header(deck=2, hands={"A": 2, "B": 2})
    assert audited(unseen, Laid(seq=1, player="A", card="oak-4", pile=1))[-1].verdict is Verdict.LEGAL
    assert audited(unseen, Laid(seq=1, player="A", card="ash-2", pile=2))[-1].verdict is Verdict.IMPOSSIBLE


def test_a_draw_is_seen_by_the_player_and_the_judge_alone() -> None:
    drew = Drew(seq=1, player="A", card="ash-6")
    shown = {who: RULESET.disclosure.redact(opening(header()), drew, who) for who in ("A", "B", "public", "judge")}
    assert shown == {"A": drew, "B": Drew(seq=1, player="A"), "public": Drew(seq=1, player="A"), "judge": drew}
