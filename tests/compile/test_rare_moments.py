"""Moments that hardly any game comes to, and what then has to be so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.errors import SetupError
from audit.core.event_rules import numbered
from audit.core.model import Event, Header, Verdict
from audit.games.compile import RULESET
from audit.games.compile.automatic import resolve_automatic
from audit.games.compile.disclosure import shown
from audit.games.compile.events import (
    Chose,
    Deleted,
    Discarded,
    Drew,
    Flipped,
    Passed,
    PhaseBegan,
    Played,
    Rearranged,
    Resolved,
    Returned,
    Shifted,
    Triggered,
    TurnBegan,
    Uncovered,
)
from audit.games.compile.following import waiting_text
from audit.games.compile.moves import taken_away
from audit.games.compile.state import (
    UNKNOWN,
    CardMovement,
    Clearing,
    DueText,
    DueTexts,
    PlacedCard,
    Side,
    State,
    Text,
)
from tests.scenario import Table, header

SPIRITS = ("spirit", "life", "water")
METALS = ("metal", "plague", "hate")
UP = {"face": "up"}


def found(position: dict[str, Any], *events: Event) -> list[tuple[int | None, str]]:
    """The findings of a log that starts in this position: where, and by which rule."""
    head = Header(log="audit/1", ruleset="compile", setup={"position": position})
    told = [numbered(event, seq) for seq, event in enumerate(events, 1)]
    return [(step.seq, step.rules[0].id) for step in audit(RULESET, head, told) if step.verdict.is_finding]


def sides(a: dict[str, Any], b: dict[str, Any] | None = None) -> dict[str, Any]:
    empty = {"lines": [[], [], []], "hand": ["plague-5"], "deck": ["plague-1"]}
    return {"A": {"protocols": SPIRITS, **a}, "B": {"protocols": METALS, **empty, **(b or {})}}


def lying(*stacks: Sequence[PlacedCard]) -> tuple[tuple[PlacedCard, ...], ...]:
    return tuple(tuple(stack) for stack in (*stacks, (), (), ()))[:3]


# What is announced binds

SPIRIT_1 = {
    "player": "B", "phase": "end", "turn": 5,
    "sides": sides({"lines": [[{"card": "spirit-1", **UP}], [], []], "hand": ["spirit-2", "spirit-3"], "deck": []}),
}  # fmt: skip
DISCARD = Discarded(seq=0, player="A", cards=("spirit-2",))
FLIP = Flipped(seq=0, card="spirit-1", face="down")


@pytest.mark.every(
    ("option", "event", "is_legal"), [(1, DISCARD, True), (1, FLIP, False), (2, FLIP, True), (2, DISCARD, False)]
)
def test_who_announces_an_option_carries_it_out(option: int, event: Event, is_legal: bool) -> None:
    begun = (TurnBegan(seq=0, player="A", turn=6), Triggered(seq=0, card="spirit-1", command="bottom"))
    announced = Chose(seq=0, player="A", what="option", option=option)
    assert [seq for seq, _ in found(SPIRIT_1, *begun, announced, event)] == ([] if is_legal else [4])


HAND = {
    "player": "A", "phase": "action", "turn": 5,
    "sides": sides({"lines": [[], [], []], "hand": ["spirit-2", "life-4"], "deck": ["life-5"]}),
}  # fmt: skip


@pytest.mark.parametrize(("card", "is_legal"), [("spirit-2", True), ("spirit-4", False)])
def test_a_card_of_the_hand_may_be_announced_before_it_is_played(card: str, is_legal: bool) -> None:
    announced = Chose(seq=0, player="A", what="card", card=card)
    played = Played(seq=0, player="A", card="spirit-2", line=2, face="down")
    assert [seq for seq, _ in found(HAND, announced, played)] == ([] if is_legal else [1])


def test_only_a_line_that_is_chosen_settles_a_text_on_it() -> None:
    text = Text("death-2", "middle", 0, "A", 1)
    state = State(Side(("death", "life", "water")), Side(METALS), phase="action", acted="played", stack=(text,))
    chosen, ordered = (Chose(seq=0, player="A", what=what, line=3) for what in ("line", "order"))
    assert RULESET.rules.evolve(state, chosen).stack == ()
    assert RULESET.rules.evolve(state, ordered).stack == (text,)


# Cards that nobody has named


def test_an_opening_hand_may_be_recorded_without_its_names() -> None:
    head = Header(log="audit/1", ruleset="compile", setup={"protocols": {"A": SPIRITS, "B": METALS}})
    drawn = [Drew(seq=1, player="A", cards=(UNKNOWN,) * 5), Drew(seq=2, player="B", count=5)]
    assert [step for step in audit(RULESET, head, drawn) if step.verdict.is_finding] == []


def test_of_two_unknown_cards_only_the_one_deleted_goes() -> None:
    unknown = PlacedCard(UNKNOWN, up=False)
    state = State(Side(SPIRITS, lines=lying((unknown,), (unknown,))), Side(METALS))
    after = RULESET.rules.evolve(state, Deleted(seq=1, cards=(UNKNOWN,)))
    assert sum(len(stack) for stack in after.a.lines) == 1
    assert after.a.trash == (UNKNOWN,)


def test_a_return_that_names_no_card_returns_none() -> None:
    state = State(Side(SPIRITS, lines=lying((PlacedCard("life-4", up=True),))), Side(METALS))
    assert RULESET.rules.evolve(state, Returned(seq=1)) == state


@pytest.mark.parametrize(("origin", "seen"), [("deck", UNKNOWN), ("hand", "life-4")])
def test_a_card_on_its_way_from_the_deck_is_unseen_by_its_own_player(origin: str, seen: str) -> None:
    movement = CardMovement("life-4", up=False, seat="A", line=2, origin=origin, played=True, committed=True)
    state = State(Side(SPIRITS), Side(METALS), stack=(movement,))
    view = {viewer: RULESET.disclosure.view(state, viewer)["committed"] for viewer in ("A", "B", "judge")}
    assert [entry[0]["card"] for entry in view.values()] == [seen, UNKNOWN, "life-4"]  # type: ignore[index]


@pytest.mark.every(
    ("hand", "shown", "foreign"),
    [
        (("life-4", "metal-1"), "?7", ("A",)),
        (("?7", "metal-1"), "?7", ()),
        (("life-4", "spirit-1"), "?7", ()),
        (("life-4", "metal-1"), "life-4", ()),
    ],
)
def test_a_card_nobody_names_may_have_been_the_one_of_the_other_deck(
    hand: tuple[str, ...], shown: str, foreign: tuple[str, ...]
) -> None:
    state = State(Side(SPIRITS, hand=hand), Side(METALS))
    assert taken_away(state, "A", "hand", (shown,)).foreign == foreign


# What is under way


def test_a_text_that_is_due_and_goes_out_of_sight_is_due_no_more() -> None:
    due = [DueText(card, "middle", 0, "uncovered", "A") for card in ("life-4", "water-4")]
    gone = State(
        Side(SPIRITS, lines=lying((PlacedCard("life-4", up=True),))), Side(METALS), stack=(DueTexts(tuple(due)),)
    )
    assert resolve_automatic(gone).stack == (DueTexts((due[0],)),)


def test_nobody_passes_while_something_is_under_way() -> None:
    stuck = State(Side(SPIRITS), Side(METALS), phase="action")
    busy = State(Side(SPIRITS), Side(METALS), phase="action", stack=(Clearing("A"),))
    passed = Passed(seq=1, player="A")
    assert RULESET.rules.violations(stuck, passed) == ()
    assert RULESET.rules.violations(busy, passed) != ()


@pytest.mark.parametrize(("face", "switches"), [("up", ("face-down-metal-6-stays",)), ("down", ())])
def test_metal_6_answers_a_flip_face_up_under_some_readings_only(face: Any, switches: tuple[str, ...]) -> None:
    lines = lying((PlacedCard("metal-6", up=face == "down"),))
    state = State(Side(SPIRITS), Side(METALS, lines=lines), phase="action", acted="played")
    turned = RULESET.rules.evolve(state, Flipped(seq=1, card="metal-6", face=face))
    triggered = Triggered(seq=2, card="metal-6", command="top")
    assert RULESET.rules.violations(turned, triggered) == ()
    assert RULESET.rules.rejecting_switches(turned, triggered) == switches


def test_a_card_that_left_alone_was_not_uncovered_but_no_rule_of_whole_lines_says_so() -> None:
    uncovered = Uncovered(seq=1, card="life-4")
    for gone, broken in ((("life-4", "water-4"), {"delete.whole-line-is-silent"}), (("life-4",), set())):
        state = State(Side(SPIRITS), Side(METALS), phase="action", acted="played", just_left=gone)
        assert {item.rule.id for item in RULESET.rules.violations(state, uncovered)} - {""} == broken, gone


def test_a_card_whose_text_acts_is_named_to_everybody() -> None:
    text = Text("spirit-1", "middle", 0, "A", 1)
    state = State(Side(SPIRITS), Side(METALS), phase="action", acted="played", stack=(text,))
    assert [shown(state, "spirit-1", viewer) for viewer in ("A", "B", "public")] == ["spirit-1"] * 3
    assert shown(state, "spirit-2", "public") == UNKNOWN


def test_where_nothing_is_owed_nothing_was_skipped() -> None:
    over = State(Side(SPIRITS), Side(METALS), phase="action", over="A")
    assert RULESET.rules.skipped_obligations(over, Drew(seq=1, player="A", cards=("life-1",))) == ()


# Where a log begins


@pytest.mark.parametrize("zone", ["decks", "hands"])
def test_no_card_of_another_protocol_is_dealt(zone: str) -> None:
    setup = {"protocols": {"A": SPIRITS, "B": METALS}, zone: {"A": ["life-1", "fire-1"]}}
    with pytest.raises(SetupError, match="fire-1"):
        RULESET.rules.start(Header(log="audit/1", ruleset="compile", setup=setup))


# What is expected


def expected(state: State, kind: type[Event]) -> list[Event]:
    return [c for e in RULESET.rules.expected(state) if e.event is kind for c in e.candidates(state)]


def test_of_all_cards_a_single_one_is_expected_by_its_own_name() -> None:
    text = Text("water-3", "middle", 0, "A", 1)
    hate = lying((PlacedCard("hate-2", up=True),))
    state = State(Side(SPIRITS), Side(METALS, lines=hate), phase="action", acted="played", stack=(text,))
    water = lying((PlacedCard("water-3", up=True),))
    state = replace(state, a=Side(SPIRITS, lines=water))
    assert expected(state, Returned) == [Returned(seq=0, card="hate-2", to="B")]


def test_of_the_cards_a_text_settled_on_those_that_have_gone_are_not_waited_for() -> None:
    text = Text("light-3", "middle", 0, "A", 1, remaining=("life-4", "life-5"), chosen_line=2)
    down = lying((PlacedCard("life-4", up=False), PlacedCard("light-3", up=True)))
    state = State(
        Side(("light", "life", "water"), lines=down), Side(METALS), phase="action", acted="played", stack=(text,)
    )
    assert {event.card for event in expected(state, Shifted) if isinstance(event, Shifted)} == {"life-4"}


def test_cards_shifted_together_go_in_the_order_in_which_they_lie() -> None:
    text = Text("light-3", "middle", 0, "A", 1, remaining=("life-4", "life-5"), chosen_line=2)
    lines = lying((PlacedCard("life-4", up=False), PlacedCard("life-5", up=False), PlacedCard("light-3", up=True)))
    state = State(
        Side(("light", "life", "water"), lines=lines), Side(METALS), phase="action", acted="played", stack=(text,)
    )
    (broken,) = RULESET.rules.violations(state, Shifted(seq=1, card="life-5", to=2))
    assert (broken.key, broken.rule.id) == ("shift.order", "card.light-3")


# What nobody wrote down


def test_a_discard_from_a_hidden_hand_that_nobody_wrote_down_is_a_question() -> None:
    protocols = {"A": ("fire", "life", "water"), "B": ("death", "metal", "speed")}
    head = Header(log="audit/1", ruleset="compile", setup={"protocols": protocols}, first="A")
    told = [
        Played(seq=1, player="A", card="fire-5", line=1, face="up"),
        Played(seq=2, player="B", card="death-3", line=2, face="down"),
    ]
    steps = [step for step in audit(RULESET, head, told) if step.verdict not in (Verdict.LEGAL, Verdict.INFERRED)]
    assert [(type(step.event), step.verdict) for step in steps] == [(Discarded, Verdict.UNCHECKED)]
    assert [item.key for item in steps[0].violations] == ["not_recorded"]


# What a text cannot get out of

GRAVITY_2 = {
    "player": "A", "phase": "action", "turn": 5,
    "sides": {
        "A": {
            "protocols": ("gravity", "life", "water"), "lines": [[], [], []], "hand": ["gravity-2"], "deck": ["life-5"],
        },
        "B": {
            "protocols": METALS, "lines": [[], [{"card": "metal-5", **UP}], []], "hand": ["plague-5"],
            "deck": ["plague-1"],
        },
    },
}  # fmt: skip


def test_who_says_that_a_card_cannot_be_shifted_is_told_that_it_can() -> None:
    """Gravity 2 has flipped the card, so that card is there; it does not lie beneath the card that acts."""
    played = Played(seq=0, player="A", card="gravity-2", line=1, face="up")
    flipped = Flipped(seq=0, card="metal-5", face="down")
    out = Resolved(seq=0, card="gravity-2", command="middle", outcome="impossible")
    (finding,) = found(GRAVITY_2, played, flipped, out)
    assert finding == (3, "effects.must-be-applied")


def test_nothing_is_older_than_the_one_text_that_is_under_way() -> None:
    """The part of the turn ends only with its text; it does not end beneath it."""
    state = State(
        Side(SPIRITS), Side(METALS), phase="action", acted="played", stack=(Text("water-1", "middle", 0, "A", 1),)
    )
    ended = PhaseBegan(seq=1, phase="cache")
    assert RULESET.rules.violations(replace(state, stack=()), ended) == ()
    assert list(RULESET.rules.interleavings(state, ended)) == []


# What is offered is what is legal


def test_a_swap_offers_each_pair_of_protocols_and_no_other_order() -> None:
    spirit_4 = {"lines": [[], [], []], "hand": ["spirit-4", "spirit-5"], "deck": ["life-5"]}
    table = Table(header({"player": "A", "phase": "action", "turn": 5, "sides": sides(spirit_4)}))
    table.happens(Played(seq=0, player="A", card="spirit-4", line=1, face="up"))
    table.go_on(lambda state: waiting_text(state, "swap") is not None)
    offered = {event.protocols for event in table.candidates() if type(event) is Rearranged}
    first, second, third = SPIRITS
    assert offered == {(second, first, third), (third, second, first), (first, third, second)}
    table.happens(Rearranged(seq=0, side="A", protocols=(second, first, third), by="A"))
    table.go_on(lambda state: state.player == "B" and state.phase == "action")
    assert not table.state.stack
    assert not [step for step in table.audited() if step.verdict.is_finding]


PUT_ON_DECK = {
    "player": "B", "phase": "action", "turn": 5,
    "sides": {
        "A": {
            "protocols": ("gravity", "life", "water"), "hand": ["life-5"], "deck": ["life-3"],
            "lines": [[{"card": "life-1"}, {"card": "gravity-0", **UP}, {"card": "water-2"}], [], []],
        },
        "B": {"protocols": ("plague", "corruption", "hate"), "hand": ["corruption-1", "hate-5"], "lines": [[], [], []]},
    },
}  # fmt: skip


def test_a_card_put_on_the_deck_instead_of_returned_is_not_returned_once_it_is_played_from_there() -> None:
    table = Table(header(PUT_ON_DECK))
    table.happens(Played(seq=0, player="B", card="corruption-1", line=2, face="up"))
    table.decides(["water-2"])
    [*_, played] = [event for event in table.log if type(event) is Played]
    assert (played.card, played.player, played.from_) == ("water-2", "A", "deck")
    assert [placed.card for placed in table.state.a.lines[0]] == ["life-1", "water-2", "gravity-0"]
    assert table.state.a.hand == ("life-5",)
    assert not table.state.stack
