"""A text that is not read may have done anything it speaks of: what follows is unchecked, and what cannot is found."""

from __future__ import annotations

from typing import Any

import pytest

from audit.core.model import Verdict
from audit.core.steps import Step
from tests.lotr_reveal.test_told_freely import STRIKES, WOLF, Line, reasons, reveals, told

ODD = {"type": "treachery", "has_when_revealed": True, "text": "If the moon is out, Doom gains surge."}
LEAVE = {"type": "treachery", "has_when_revealed": True, "text": "A hero unlucky at dice goes home from the quest."}
UNTOLD = {"type": "treachery", "has_when_revealed": True}
DISCARD = {"type": "treachery", "has_when_revealed": True, "text": "Each player discards 1 card."}
FROST = {"type": "treachery", "has_when_revealed": True, "text": "Deal 1 damage to each exhausted character."}
TEXT = {"type": "when_revealed_resolved", "frame": "f1", "step": "7", "card": "doom"}
AWAY = {
    "type": "card_moved", "frame": "f1", "step": "8", "card": "doom", "from": "revealing", "to": "encounter_discard"
}  # fmt: skip
ARMED = {"type": "surge_armed", "frame": "f1", "step": "7", "card": "doom", "origin": "gained"}
DOOMED = {"type": "keyword_resolved", "frame": "f1", "step": "7", "card": "doom", "keyword": "doomed", "value": 2}
FOR_SURGE = reveals("f2", "orc", "ann", "surge", parent="f1")
FIRST, NEXT = reveals("f1", "doom", "ann"), reveals("f3", "wolf", "bob")


def unchecked(steps: list[Step]) -> list[tuple[int | None, str]]:
    """The event and the reason of each step that nobody can judge."""
    return [(step.seq, step.violations[0].key) for step in steps if step.verdict is Verdict.UNCHECKED]


# Keywords that a text may have given


@pytest.mark.every("text", [ODD, UNTOLD])
@pytest.mark.every(
    "log",
    [
        [TEXT, ARMED, AWAY, FOR_SURGE], [ARMED, TEXT, AWAY, FOR_SURGE], [TEXT, AWAY, ARMED, FOR_SURGE],
        [TEXT, AWAY, FOR_SURGE], [TEXT, ARMED, DOOMED, AWAY, FOR_SURGE], [TEXT, DOOMED, AWAY], [TEXT, AWAY, DOOMED],
    ],
)  # fmt: skip
def test_a_keyword_that_a_text_may_have_given_is_unchecked_wherever_it_is_told(text: Line, log: list[Line]) -> None:
    steps = told([FIRST, *log, NEXT], {"doom": text})
    assert reasons(steps) == []
    assert len(unchecked(steps)) >= 1


@pytest.mark.every(
    ("text", "log", "found"),
    [
        (ODD, [TEXT, {**ARMED, "origin": "printed"}, AWAY], (3, "surge.no_keyword")),
        (ODD, [TEXT, ARMED, AWAY], (5, "due.serve")),
        (ODD, [TEXT, AWAY, FOR_SURGE, {**ARMED, "step": "5.1", "frame": "f2", "card": "orc"}], (5, "surge.no_keyword")),
        ({**ODD, "gains": []}, [TEXT, ARMED, AWAY], (3, "surge.no_keyword")),
        (DISCARD, [TEXT, ARMED, AWAY], (3, "surge.no_keyword")),
        (DISCARD, [TEXT, AWAY, FOR_SURGE], (4, "surge.none")),
        (DISCARD, [TEXT, DOOMED, AWAY], (3, "keyword.none")),
    ],
)
def test_what_no_text_can_have_given_is_found(text: Line, log: list[Line], found: tuple[int, str]) -> None:
    assert reasons(told([FIRST, *log, NEXT], {"doom": text})) == [found]


@pytest.mark.parametrize("keyword", ["ambush", "guarded"])
def test_a_keyword_of_entering_play_may_have_been_gained_too(keyword: str) -> None:
    cards = {"doom": {"type": "enemy", "has_when_revealed": True, "text": "If it is dark, it gains a keyword."}}
    enters = {
        "type": "enter_play_effect", "frame": "f1", "step": "9", "card": "doom", "source": "doom", "effect": keyword
    }  # fmt: skip
    child = [reveals("f2", "orc", "ann", "guarded", parent="f1")] if keyword == "guarded" else []
    log = [FIRST, TEXT, {**AWAY, "to": "staging_area"}, enters, *child, NEXT]
    assert reasons(told(log, cards)) == []
    assert reasons(told([FIRST, *log[2:]], {"doom": WOLF})) == [(3, "enter.none")]


def test_a_keyword_gained_may_be_told_after_its_card_has_gone_and_a_surge_before_the_text() -> None:
    cards: dict[str, list[Line]] = {"doomed 2": [], "surge": [FOR_SURGE]}
    for gains, card in cards.items():
        event = ARMED if card else DOOMED
        gives = {"doom": {**ODD, "text": f"Doom gains {gains}."}}
        early = [[event, TEXT, AWAY]] if card else []
        for log in ([TEXT, event, AWAY], [TEXT, AWAY, event], *early):
            assert reasons(told([FIRST, *log, *card, NEXT], gives)) == []


# Who quests after such a text

QUEST = {"characters": {"thalin": {"ready": True}}, "in_play": {"thalin": {"owner": "ann", "on_reveal": STRIKES}}}
SENT = {"type": "characters_committed", "player": "ann", "characters": ["thalin", "gimli"]}
OTHERS = {"type": "characters_committed", "player": "ann", "characters": ["gimli"]}


def quested(text: Line, *more: Line, **of_text: Any) -> list[Step]:
    """Thalin quests, the text is carried out, and he does nothing to the next enemy."""
    log = [SENT, FIRST, {**TEXT, **of_text}, *more, AWAY, NEXT, reveals("f4", "orc", "ann")]
    return told(log, {"doom": text}, **QUEST)


@pytest.mark.every("of_text", [{}, {"affected": ["thalin"]}])
@pytest.mark.every("text", [LEAVE, UNTOLD])
def test_a_text_that_is_not_read_may_have_taken_a_quester_home(text: Line, of_text: Line) -> None:
    steps = quested(text, **of_text)
    assert reasons(steps) == []
    assert (6, "unchecked.commitment") in unchecked(steps)


@pytest.mark.every(("text", "of_text"), [(ODD, {}), (DISCARD, {}), (LEAVE, {"affected": ["gimli"]})])
def test_a_text_that_does_not_reach_him_leaves_him_on_the_quest(text: Line, of_text: Line) -> None:
    assert reasons(quested(text, **of_text)) == [(6, "due.passive")]


def test_who_is_left_on_the_quest_may_be_told_after_the_text() -> None:
    steps = quested(LEAVE, OTHERS)
    assert reasons(steps) == []
    assert "unchecked.commitment" not in [why for _, why in unchecked(steps)]


# What is told of a text that is read

SOLD = {"type": "hand_moved", "player": "ann"}
HURT = {"type": "character_damaged", "character": "sam", "amount": 1}
PARTY = {"characters": {"sam": {"ready": False}, "bilbo": {"ready": True}}}


@pytest.mark.every(
    ("text", "event", "found"),
    [
        (DISCARD, {**SOLD, "delta": -1}, []), (DISCARD, {**SOLD, "delta": 1}, ["text.discards"]),
        ({**DISCARD, "text": "The first player draws 1 card."}, {**SOLD, "delta": 1}, []),
        ({**DISCARD, "text": "The first player draws 1 card."}, {**SOLD, "delta": -1}, ["text.draws"]),
        ({**DISCARD, "text": "The first player draws 1 card."}, {**SOLD, "player": "bob", "delta": 1}, ["text.player"]),
        (FROST, HURT, []), (FROST, {**HURT, "amount": 2}, ["revealed.number"]),
        (FROST, {**HURT, "amount": -1}, []), (FROST, {**HURT, "character": "bilbo"}, ["revealed.only_exhausted"]),
        (ODD, {**HURT, "character": "bilbo"}, []), (ODD, {**SOLD, "delta": 1}, []),
    ],
)  # fmt: skip
def test_what_came_of_a_text_is_as_it_says(text: Line, event: Line, found: list[str]) -> None:
    assert [why for _, why in reasons(told([FIRST, TEXT, event, AWAY, NEXT], {"doom": text}, **PARTY))] == found
    assert reasons(told([FIRST, TEXT, AWAY, event, NEXT], {"doom": text}, **PARTY)) == []


def test_once_everybody_has_revealed_such_an_event_may_tell_of_something_else() -> None:
    log = [reveals("f0", "wolf", "ann"), {**FIRST, "player": "bob"}, TEXT]
    for event in ({**HURT, "amount": 3}, {**HURT, "character": "bilbo"}):
        assert reasons(told([*log, event], {"doom": FROST}, **PARTY)) == []
    assert reasons(told([*log, {**SOLD, "delta": 1}], {"doom": DISCARD})) == []


def test_damage_told_after_its_card_has_gone_is_not_dealt_twice() -> None:
    check = {"type": "checkpoint", "position": {"characters": {"sam": {"ready": False, "damage": 1}}}}
    for log in ([TEXT, HURT, AWAY], [TEXT, AWAY, HURT]):
        setup = {"characters": {"sam": {"ready": False}}}
        steps = told([FIRST, *log, check], {"doom": FROST}, **setup)
        assert [step.verdict for step in steps if step.seq] == [Verdict.LEGAL] * 4 + [Verdict.RECORDED]


CALLS = {**DISCARD, "text": "Reveal the top card of the encounter deck."}
CALLED = reveals("f2", "orc", "ann", "effect", parent="f1")


def test_a_card_that_a_text_reveals_is_told_before_the_text_is_put_away_or_after_it() -> None:
    for log in ([TEXT, CALLED, AWAY], [TEXT, AWAY, CALLED]):
        steps = told([FIRST, *log, NEXT], {"doom": CALLS})
        assert (reasons(steps), unchecked(steps)) == ([], [])
    assert reasons(told([FIRST, TEXT, AWAY, NEXT], {"doom": CALLS})) == [(4, "due.reveal")]
    some = {**CALLS, "text": "Reveal cards from the encounter deck."}
    assert unchecked(told([FIRST, TEXT, AWAY, NEXT], {"doom": some})) == [(4, "unchecked.reveals")]


TWICE = ("Reveal 2 cards from the encounter deck.", "Révélez 2 cartes du deck rencontre.",
         "Rivela altre due carte dal mazzo incontri.", "Odkryj dwie kolejne karty z talii spotkań.",
         "Each player reveals an additional card from the encounter deck.")  # fmt: skip


@pytest.mark.parametrize("text", TWICE)
def test_a_text_reveals_as_many_cards_as_it_says(text: str) -> None:
    called = [reveals(f"f{n}", f"rat#{n}", "ann", "effect", parent="f1") for n in (4, 5, 6)]
    for number, found in ((1, "due.reveal"), (2, None), (3, "text.no_more_cards")):
        steps = told([FIRST, TEXT, *called[:number], AWAY, NEXT], {"rat": WOLF, "doom": {**CALLS, "text": text}})
        assert [why for _, why in reasons(steps)] == ([found] if found else [])
        assert unchecked(steps) == []
