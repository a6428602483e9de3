"""What comes before everything else: a cancellation, a replacement, a card called for."""

from __future__ import annotations

from typing import Any

from audit.core.auditor import audit
from audit.core.model import LOG_VERSION, Event, Header, Player, Verdict
from audit.core.steps import Step
from audit.games.lotr_reveal import RULESET
from audit.games.lotr_reveal.events import (
    CardCancelled,
    CardMoved,
    PassiveApplied,
    PlacementStarted,
    ResponsePlayed,
    RevealEnded,
    RevealStarted,
)

EARS = {"owner": "p1", "response": "cancel_card", "disposition": "discard", "replacement": True}
BLADE = {"owner": "p1", "on_reveal": {"effect": "damage", "amount": 1, "to": "enemy"}}


def judged(*events: Event) -> list[Step]:
    """An orc on top of the deck, a card that can cancel it and a card that wounds it."""
    setup: dict[str, Any] = {
        "encounter_deck": ["orc", "orc#2"],
        "cards": {"orc": {"type": "enemy", "hit_points": 3}},
        "in_play": {"ears": EARS, "blade": BLADE},
    }
    header = Header(log=LOG_VERSION, ruleset="lotr-reveal", players=(Player("p1"),), setup=setup)
    return list(audit(RULESET, header, events))[1:]


REVEALED = RevealStarted(seq=1, frame="f1", card="orc", cause="staging", player="p1")
CANCELLED = ResponsePlayed(seq=2, frame="f1", step="3", player="p1", source="ears", effect="cancel_card", target="orc")
STRUCK = PassiveApplied(seq=3, frame="f1", step="4", source="blade", effect="damage", target="orc", amount=1)


def test_a_cancelled_card_is_not_wounded_any_more() -> None:
    *_, last = judged(REVEALED, CANCELLED, STRUCK)
    assert last.verdict is Verdict.ILLEGAL
    assert [(item.rule.id, item.key) for item in last.violations] == [("reveal.3.cancel-stops", "stop.cancelled_by")]


def test_a_cancelled_card_is_replaced_before_anything_is_put_into_play() -> None:
    *_, last = judged(
        REVEALED,
        CANCELLED,
        CardCancelled(seq=3, frame="f1", step="3", card="orc", by="ears", disposition="discard"),
        CardMoved(seq=4, frame="f1", step="3", card="orc", from_="revealing", to="encounter_discard"),
        RevealEnded(seq=5, frame="f1", step="3", card="orc", outcome="cancelled"),
        PlacementStarted(seq=6, frame="f2", card="orc#2", cause="effect", player="p1", to="staging_area"),
    )
    assert [(item.rule.id, item.key) for item in last.violations] == [("reveal.3.replacement", "due.replacement")]
    (replacement,) = last.expected
    assert isinstance(replacement, RevealStarted)
    assert (replacement.cause, replacement.parent) == ("replacement", "f1")


def test_what_is_due_is_expected_with_its_rules() -> None:
    state: Any = judged(REVEALED)[-1].state
    due = next(iter(RULESET.rules.expected(state)))
    (event,) = due.candidates(state)
    assert isinstance(event, PassiveApplied)
    assert RULESET.rules.violations(state, event) == ()
    assert due.single_candidate(state) is None, "a player who forgot it has made a mistake"
    assert [rule.id for rule in due.rules][:1] == ["reveal.0.passive-mandatory"]
