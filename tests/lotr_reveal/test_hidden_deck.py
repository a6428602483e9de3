"""An encounter deck that nobody knows, with a list of its cards: each of them is in one place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from audit.core.auditor import audit
from audit.core.event_rules import numbered
from audit.core.model import LOG_VERSION, Event, Header, Player, Verdict
from audit.core.steps import Step
from audit.games.lotr_reveal import RULESET
from audit.games.lotr_reveal.events import (
    CardMoved,
    DeckShuffled,
    KeywordResolved,
    RevealEnded,
    RevealStarted,
    StepEntered,
    SurgeArmed,
    ThreatChanged,
)

CARDS = ("orc", "orc#2", "wolf", "marsh", "bandit")
KINDS = {"orc": "enemy", "wolf": "enemy", "marsh": "location", "bandit": "enemy"}
TABLE: Mapping[str, object] = {
    "cards": {card: {"type": kind} for card, kind in KINDS.items()}, "encounter_cards": CARDS, "in_play": {},
    "encounter_deck": 3, "staging_area": ["marsh"], "encounter_discard": ["wolf"], "engaged": {},
}  # fmt: skip


def reveal(number: int, card: str) -> list[Event]:
    """A card is revealed and put into the staging area."""
    frame, seq = f"f{number}", 3 * number - 2
    return [
        RevealStarted(seq=seq, frame=frame, card=card, cause="staging", player="p1"),
        CardMoved(seq=seq + 1, frame=frame, step="8", card=card, from_="revealing", to="staging_area"),
        RevealEnded(seq=seq + 2, frame=frame, step="12", card=card, outcome="completed"),
    ]


def judged(events: Sequence[Event], **table: object) -> list[Step]:
    head = Header(log=LOG_VERSION, ruleset="lotr-reveal", players=(Player("p1"),), setup={**TABLE, **table})
    return list(audit(RULESET, head, events))


def finding(steps: Sequence[Step]) -> tuple[int | None, Verdict, str, object] | None:
    found = next((step for step in steps if step.verdict.is_finding), None)
    if found is None:
        return None
    return found.seq, found.verdict, found.violations[0].key, found.violations[0].data.get("zone")


def test_the_cards_that_are_left_are_revealed() -> None:
    assert finding(judged([*reveal(1, "orc"), *reveal(2, "bandit"), *reveal(3, "orc#2")])) is None


@pytest.mark.parametrize(("card", "zone"), [("marsh", "staging_area"), ("wolf", "encounter_discard")])
def test_a_card_that_lies_open_is_not_revealed(card: str, zone: str) -> None:
    steps = judged([*reveal(1, card), *reveal(2, "orc")])
    assert [step.seq for step in steps if step.verdict.is_finding] == [1]
    verdict, words = Verdict.IMPOSSIBLE, {"card": card, "player": "", "zone": "revealing", "other": "", "to": zone}
    assert (steps[1].verdict, steps[1].violations[0].key, steps[1].violations[0].data) == (
        verdict, "card.two_zones", words,
    )  # fmt: skip


def test_a_card_of_no_encounter_deck_is_not_revealed() -> None:
    assert finding(judged(reveal(1, "dragon"))) == (1, Verdict.IMPOSSIBLE, "card.not_left", None)


def test_the_second_copy_may_be_called_by_the_name_of_the_first() -> None:
    steps = judged([*reveal(1, "orc"), *reveal(2, "orc"), *reveal(3, "orc")])
    assert finding(steps) == (7, Verdict.IMPOSSIBLE, "card.two_zones", "revealing")
    assert steps[6].state.staging == ("marsh", "orc", "orc#2")  # type: ignore[attr-defined]


def test_after_the_discard_pile_is_shuffled_into_the_deck_its_card_may_come_again() -> None:
    log = [DeckShuffled(seq=1, with_discard=True), *[numbered(event, event.seq + 1) for event in reveal(1, "wolf")]]
    assert finding(judged(log)) is None


def test_if_nobody_has_listed_the_cards_there_may_be_another_one() -> None:
    assert finding(judged(reveal(1, "marsh"), encounter_cards=[])) is None


def test_who_forgets_to_write_that_a_card_is_revealed_is_told_so_once() -> None:
    """Surge called for it. What its keyword names is the card on its way."""
    cards = {
        "orc": {"type": "enemy", "keywords": {"surge": True}},
        "bandit": {"type": "enemy", "keywords": {"doomed": 2}},
    }
    lines: list[Event] = [
        RevealStarted(seq=1, frame="f1", card="orc", cause="staging", player="p1"),
        SurgeArmed(seq=2, frame="f1", step="5.1", card="orc", origin="printed"),
        CardMoved(seq=3, frame="f1", step="8", card="orc", from_="revealing", to="staging_area"),
        StepEntered(seq=4, frame="f2", step="5.1"),
        KeywordResolved(seq=5, frame="f2", step="5.1", card="bandit", keyword="doomed", value=2),
        ThreatChanged(seq=6, frame="f2", step="5.1", player="p1", delta=2, reason="doomed"),
        CardMoved(seq=7, frame="f2", step="8", card="bandit", from_="revealing", to="staging_area"),
        RevealEnded(seq=8, frame="f2", step="12", card="bandit", outcome="completed"),
        RevealEnded(seq=9, frame="f1", step="12", card="orc", outcome="completed"),
    ]
    steps = judged(lines, cards=cards)
    assert [(step.seq, step.rules[0].id) for step in steps if step.verdict.is_finding] == [(4, "reveal.12.surge")]
    after = steps[-1].state
    assert (after.frames, after.staging) == ((), ("marsh", "orc", "bandit"))  # type: ignore[attr-defined]
