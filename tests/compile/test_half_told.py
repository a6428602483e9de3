"""Records that leave most of a game out: what is found where, and which rule comes first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec import convert

from audit.core.auditor import audit
from audit.core.model import Event, Header, Verdict, type_name
from audit.core.steps import Step
from audit.games.compile import RULESET
from audit.games.compile.events import Played, Resolved
from audit.games.compile.parts import winner

FULL = ("fire-2", "fire-3", "life-2", "life-3", "water-2")


def table(told: Mapping[str, object], a: Mapping[str, object], b: Mapping[str, object]) -> dict[str, object]:
    """The action of A's fifth turn, unless something else is told."""
    empty = {"lines": [[], [], []], "hand": ["spirit-5"], "deck": ["spirit-4"]}
    sides = {
        "A": {**empty, "protocols": ["fire", "life", "water"], "hand": [], "deck": ["life-1", "life-4", "life-5"], **a},
        "B": {**empty, "protocols": ["metal", "plague", "spirit"], **b},
    }
    return {"player": "A", "phase": "action", "turn": 5, **told, "sides": sides}


def judged(position: Mapping[str, object], *lines: Mapping[str, object], complete: bool = False) -> list[Step]:
    """What is said of a record that begins with that position."""
    setup = {"position": position}
    head = Header(log="audit/1", ruleset="compile", game="half-told", complete=complete, setup=setup)
    return list(audit(RULESET, head, [event(line, seq) for seq, line in enumerate(lines, 1)]))


def event(line: Mapping[str, object], seq: int) -> Event:
    kind: Any = RULESET.rules.types[str(line["type"])]
    found: Event = convert({**line, "seq": seq}, kind)
    return found


def found(steps: list[Step]) -> list[tuple[int | None, str]]:
    """Where something is found, and the rule that is named first."""
    return [(step.seq, step.rules[0].id) for step in steps if step.verdict.is_finding]


def line(kind: str, **fields: object) -> dict[str, object]:
    return {"type": kind, **fields}


REFRESH = line("refreshed", player="A")
DRAW = line("drew", player="A", cards=["life-1", "life-4"])
NEW_ORDER = line("rearranged", side="A", protocols=["life", "fire", "water"], by="A")
LEFT_AS_IT_IS = line("chose", player="A", what="rearrange", accept=False)
BACK = line("control_reset", player="A")
HOLDS_CONTROL = table({"control": "A"}, {"hand": ["fire-2", "fire-3", "life-2"]}, {})


def test_control_may_be_written_down_as_back_after_the_draw() -> None:
    back, cache = line("control_reset", player="A"), line("phase_began", phase="cache")
    for lines in ((REFRESH, DRAW, back), (DRAW, REFRESH, back), (REFRESH, back, DRAW)):
        steps = judged(HOLDS_CONTROL, *lines, cache)
        assert found(steps) == []
        assert steps[-1].state.control is None  # type: ignore[attr-defined]


def test_a_complete_log_has_the_protocols_settled_before_the_draw() -> None:
    for choice in (NEW_ORDER, LEFT_AS_IT_IS):
        log = (REFRESH, BACK, DRAW, choice, line("phase_began", phase="cache"))
        steps = judged(HOLDS_CONTROL, *log, complete=True)
        assert found(steps)[0] == (3, "control.dealt-with-first")


def test_nobody_says_that_the_order_stays_and_too_few_cards_are_drawn() -> None:
    steps = judged(HOLDS_CONTROL, REFRESH, line("drew", player="A", cards=["life-1"]))
    assert found(steps) == [(2, "refresh.up-to-five")]
    assert [step.event.player for step in steps if step.verdict is Verdict.INFERRED and step.event] == ["A", "A"]  # type: ignore[attr-defined]


def test_a_compile_that_was_skipped_is_named_although_only_the_action_is_told() -> None:
    ten = {"lines": [[{"card": "fire-5"}, {"card": "fire-4"}, {"card": "fire-1"}], [], []], "hand": ["life-3"]}
    steps = judged(table({"phase": "start"}, ten, {}), line("phase_began", phase="action"))
    assert found(steps) == [(1, "compile.mandatory")]


def test_a_skipped_compile_is_the_reason_although_the_other_player_might_have_played_before() -> None:
    may_play = {"protocols": ["diversity", "plague", "spirit"], "lines": [[{"card": "diversity-0"}], [], []]}
    ten = {"lines": [[{"card": "fire-5"}, {"card": "fire-4"}, {"card": "fire-1"}], [], []], "hand": ["life-3"]}
    of_b = table({"player": "B"}, ten, {**may_play, "hand": ["spirit-5", "plague-1"]})
    face_down = [
        line("played", player=who, card=card, line=2, face="down") for who, card in (("B", "plague-1"), ("A", "life-3"))
    ]
    assert found(judged(of_b, *face_down)) == [(2, "compile.mandatory")]


def test_six_cards_at_the_end_are_named_although_only_the_end_is_told() -> None:
    played = line("played", player="A", card="fire-1", line=2, face="down")
    steps = judged(table({}, {"hand": [*FULL, "water-3", "fire-1"]}, {}), played, line("phase_began", phase="end"))
    assert found(steps) == [(2, "cache.five-card-limit")]
    assert {type(one).__name__ for one in steps[-1].expected} == {"Discarded"}


def test_in_a_log_that_tells_everything_the_missing_part_of_the_turn_is_named() -> None:
    steps = judged(table({"phase": "end"}, {"hand": ["fire-1"]}, {}), line("phase_began", phase="cache"), complete=True)
    assert found(steps) == [(1, "turn.phase-order")]


PARTS = [line("phase_began", phase=part) for part in ("control", "compile", "action")]


def test_in_a_log_that_tells_the_parts_of_a_turn_none_of_them_has_begun_untold() -> None:
    control, *later = PARTS
    taken = line("control_taken", player="A")
    steps = judged(table({"phase": "start"}, {"hand": ["fire-2"]}, {}), control, taken, *later, complete=True)
    assert found(steps) == [(2, "control.gained")]
    assert steps[-1].state.control == "A"  # type: ignore[attr-defined]


def test_what_a_complete_log_tells_too_early_is_not_missing_where_it_belongs() -> None:
    on_its_way = line("committed", card="fire-2", **{"from": "hand"}, to=1)
    steps = judged(
        table({"phase": "compile"}, {"hand": ["fire-2", "fire-3"]}, {}), line("phase_began", phase="action"),
        on_its_way, line("played", player="A", card="fire-2", line=1, face="down"),
        line("landed", card="fire-2", line=1), line("phase_began", phase="cache"), complete=True,
    )  # fmt: skip
    assert [seq for seq, _ in found(steps)] == [2]
    assert steps[-1].state.a.hand == ("fire-3",)  # type: ignore[attr-defined]


def test_a_card_given_out_of_a_hidden_hand_is_asked_for_and_not_made_up() -> None:
    """Love 3 takes a card of B and gives one back; of the second half nothing is written."""
    love = {"protocols": ["love", "life", "water"], "hand": ["love-3", "?", "?"], "deck": 3}
    lines = [
        line("played", player="A", card="love-3", line=1, face="up"),
        line("owner_changed", card="?", **{"from": "B", "to": "A"}, why="took"),
        line("phase_began", phase="cache"),
    ]
    steps = judged(table({}, love, {"hand": 2, "deck": 3}), *lines)
    asked = [step for step in steps if any(item.key == "not_recorded" for item in step.violations)]
    assert found(steps) == []
    assert [(step.seq, step.verdict, type(step.event).__name__) for step in asked] == [
        (None, Verdict.UNCHECKED, "OwnerChanged")
    ]


def test_a_covered_end_text_is_not_taken_for_that_of_an_earlier_turn() -> None:
    """Light 1 lay uncovered at the end of A's turn before; at the end of this one it lies covered."""
    light = {"protocols": ["light", "life", "water"], "lines": [[{"card": "light-1"}], [], []]}
    steps = judged(
        table({}, {**light, "hand": ["life-2", "water-2"], "deck": ["water-1", "water-3"]}, {}),
        line("played", player="A", card="life-2", line=2, face="down"),
        line("played", player="B", card="spirit-5", line=3, face="down"),
        line("played", player="A", card="water-2", line=1, face="down"),
        line("triggered", card="light-1", command="bottom", on="end"),
    )
    assert found(steps) == [(4, "field.bottom-command")]


def test_who_has_won_may_be_written_before_the_cards_of_the_last_compile_are_deleted() -> None:
    ten = [{"card": "fire-5"}, {"card": "fire-4"}, {"card": "fire-1"}]
    compiled = ["fire", {"name": "life", "compiled": True}, {"name": "water", "compiled": True}]
    steps = judged(
        table({"phase": "compile"}, {"protocols": compiled, "lines": [ten, [], []]}, {}),
        line("compiled", player="A", line=1),
        line("game_won", player="A"),
        line("deleted", cards=["fire-5", "fire-4", "fire-1"]),
    )
    assert found(steps) == []
    assert [step.late for step in steps if step.late] == [3, 3]


TEN = [{"card": "fire-5"}, {"card": "fire-4"}, {"card": "fire-1"}]
TWO_COMPILED = ["fire", {"name": "life", "compiled": True}, {"name": "water", "compiled": True}]
ABOUT_TO_WIN = table(
    {"phase": "compile"}, {"protocols": TWO_COMPILED, "lines": [TEN, [], []]}, {"hand": ["spirit-5", "plague-5"]}
)
EMPTIED = line("deleted", cards=["fire-5", "fire-4", "fire-1"])


def test_a_recompile_of_what_is_not_compiled_turns_no_protocol_and_wins_no_game() -> None:
    reward = line("drew", player="A", cards=["spirit-4"], deck="B")
    steps = judged(
        ABOUT_TO_WIN, line("recompiled", player="A", line=1), EMPTIED, reward, line("phase_began", phase="end")
    )
    assert found(steps) == [(1, "recompile.possible")]
    assert winner(steps[-1].state) is None  # type: ignore[arg-type]


def test_who_plays_on_after_the_end_is_told_so_once() -> None:
    play = line("played", player="B", card="spirit-5", line=3, face="down")
    steps = judged(ABOUT_TO_WIN, line("compiled", player="A", line=1), EMPTIED, play, line("refreshed", player="A"))
    assert found(steps) == [(3, "victory.three-compiled")]


def test_a_card_of_the_other_player_on_its_way_is_looked_for_in_their_turn() -> None:
    """Nobody wrote that B plays it."""
    hand = {"hand": ["spirit-5", "plague-5"]}
    way = line("committed", card="spirit-5", **{"from": "hand"}, to=3), line("landed", card="spirit-5", line=3)
    steps = judged(table({"phase": "cache"}, {"hand": ["life-2"]}, hand), *way, line("refreshed", player="A"))
    assert found(steps) == [(1, "turn.one-action")]


def test_a_new_deck_is_not_made_before_it_is_written_that_it_was() -> None:
    """The component did not lie with A. The new deck is told after that, and not made twice."""
    few = {"hand": ["fire-2", "fire-3", "life-2"], "deck": [], "trash": ["life-1", "life-4"]}
    new = line("reshuffled", player="A", deck=["life-1", "life-4"])
    assert found(judged(table({}, few, {}), REFRESH, line("control_reset", player="A"), new, DRAW)) == [
        (2, "control.back-even-if-unused")
    ]


def test_a_hand_is_revealed_and_that_is_written_after_the_cache_is_cleared() -> None:
    """Light 4 asks for it. Of clearing the cache nothing hangs on that."""
    light = {"protocols": ["light", "life", "water"], "hand": ["light-4", *FULL, "water-3"]}
    steps = judged(
        table({}, light, {"hand": ["spirit-5"]}),
        line("played", player="A", card="light-4", line=1, face="up"),
        line("phase_began", phase="cache"),
        line("cache_cleared", player="A"),
        line("revealed", player="B", zone="hand"),
        line("discarded", player="A", cards=["water-3"]),
    )
    assert found(steps) == []
    assert [step.late for step in steps if step.late] == [4, 4]


def test_a_card_lands_in_the_line_of_the_cache_and_is_shifted_in_the_next_turn() -> None:
    """The second movement of the card is not what was left out of the first."""
    speed = {"protocols": ["speed", "plague", "spirit"], "hand": ["speed-4"]}
    steps = judged(
        table({}, {"hand": ["life-3"]}, speed),
        line("played", player="A", card="life-3", line=3, face="down"),
        line("phase_began", phase="cache"),
        line("landed", card="life-3"),
        line("played", player="B", card="speed-4", line=1, face="up"),
        line("shifted", card="life-3", to=2),
        line("committed", card="life-3"),
        line("landed", card="life-3"),
    )
    assert found(steps) == []
    assert [step.late for step in steps if step.late] == [3, 3]


def test_a_card_known_to_be_in_a_hand_may_be_the_one_that_was_given_unseen() -> None:
    """Everybody saw Plague 4 in B's hand. Nobody but the two knows what B gives away for Love 1."""
    love = {"protocols": ["love", "plague", "spirit"], "lines": [[{"card": "love-1"}], [], []]}
    steps = judged(
        table({"player": "B", "phase": "end"}, {}, {**love, "hand": ["plague-4", "?"], "deck": 5}),
        line("triggered", card="love-1", command="bottom", on="end"),
        line("owner_changed", card="?", **{"from": "B"}, to="A", why="gave"),
        line("drew", player="B", count=2),
        line("played", player="A", card="plague-4", line=1, face="down"),
    )
    assert found(steps) == []


def test_a_card_drawn_before_the_refresh_is_written_down_is_the_draw_of_that_refresh() -> None:
    few = {"hand": ["fire-2", "fire-3", "life-2", "life-3"]}
    steps = judged(
        table({"phase": "control"}, few, {}),
        line("phase_began", phase="compile"),
        line("drew", player="A", cards=["life-1"]),
        line("refreshed", player="A"),
        line("turn_began", player="B", turn=6),
        line("phase_began", phase="action"),
    )
    assert found(steps) == []


def test_the_cards_of_a_compile_are_told_after_an_end_text_has_begun() -> None:
    """Plague 4 waits for the end of the turn, whenever the deletion is written down."""
    mine = {"protocols": ["fire", "plague", "water"], "lines": [TEN, [{"card": "plague-4"}], []]}
    steps = judged(
        table({"phase": "compile"}, mine, {"protocols": ["metal", "life", "spirit"], "deck": []}),
        line("compiled", player="A", line=1),
        line("phase_began", phase="end"),
        line("triggered", card="plague-4", command="bottom"),
        EMPTIED,
    )
    assert found(steps) == []
    assert [step.late for step in steps if step.late] == [4, 4]


def test_a_middle_text_without_effect_is_told_after_the_end_text_of_another_card() -> None:
    """Too few Unity cards are there for Unity 1."""
    mine = {"protocols": ["fire", "unity", "water"], "lines": [[{"card": "fire-3"}], [], []], "deck": []}
    steps = judged(
        table({}, {**mine, "hand": ["unity-1", "water-2"]}, {}),
        line("played", player="A", card="unity-1", line=2, face="up"),
        line("triggered", card="fire-3", command="bottom"),
        line("triggered", card="unity-1", command="middle"),
        line("turn_began", player="B", turn=6),
    )
    assert found(steps) == []


def test_an_end_text_without_effect_is_told_after_a_start_text_of_the_next_turn() -> None:
    """Peace 1 draws no card for a hand that is not empty."""
    mine = {"protocols": ["peace", "life", "water"], "lines": [[{"card": "peace-1"}], [], []], "hand": ["life-2"]}
    theirs = {"protocols": ["corruption", "plague", "spirit"], "lines": [[{"card": "corruption-0"}], [], []]}
    steps = judged(
        table({"phase": "cache"}, {**mine, "deck": []}, theirs),
        line("turn_began", player="B", turn=6),
        line("triggered", card="corruption-0", command="top"),
        line("triggered", card="peace-1", command="bottom"),
        line("phase_began", phase="control"),
    )
    assert found(steps) == []


# A permission that nobody mentions, and an event that would have used it


WAR = {"protocols": ["war", "speed", "chaos"], "lines": [[{"card": "war-3"}], [], []], "hand": ["speed-0", "speed-1"]}
DISCARDING = {"hand": ["metal-5", "plague-1", "psychic-2"], "protocols": ["metal", "plague", "psychic"]}


def test_a_card_played_after_a_discard_may_be_the_next_action() -> None:
    """War 3 allows A to play a card when B discards. Nobody says whether A did, or took the next turn."""
    steps = judged(
        table({"player": "B"}, WAR, DISCARDING),
        line("played", player="B", card="metal-5", line=1, face="up"),
        line("discarded", player="B", cards=["plague-1"]),
        line("played", player="A", card="speed-0", line=1, face="down"),
        line("played", player="B", card="psychic-2", line=1, face="down"),
        line("turn_began", player="A", turn=8),
    )
    assert found(steps) == []
    assert not steps[-1].state.stack  # type: ignore[attr-defined]


def test_a_card_played_after_a_discard_and_an_action_are_two_plays() -> None:
    steps = judged(
        table({"player": "B"}, WAR, DISCARDING),
        line("played", player="B", card="metal-5", line=1, face="up"),
        line("discarded", player="B", cards=["plague-1"]),
        line("played", player="A", card="speed-0", line=1, face="down"),
        line("played", player="A", card="speed-1", line=2, face="down"),
        line("played", player="B", card="psychic-2", line=1, face="down"),
        line("turn_began", player="A", turn=8),
    )
    assert found(steps) == []


def test_a_player_who_acts_twice_is_found_whether_the_permission_was_used_or_not() -> None:
    steps = judged(
        table({"player": "B"}, {**WAR, "hand": ["speed-0", "speed-1", "chaos-5"]}, DISCARDING),
        line("played", player="B", card="metal-5", line=1, face="up"),
        line("discarded", player="B", cards=["plague-1"]),
        line("played", player="A", card="speed-0", line=1, face="down"),
        line("played", player="A", card="speed-1", line=2, face="down"),
        line("played", player="A", card="chaos-5", line=3, face="down"),
    )
    assert found(steps) == [(5, "turn.one-action")]


def test_a_flip_may_be_the_next_instruction_of_the_text_below() -> None:
    """Spirit 2, turned up by Life 1, allows a flip; Life 1 asks for a second one. Only one more flip is told."""
    mine = {"protocols": ["fire", "life", "spirit"], "lines": [[], [], [{"card": "spirit-2", "face": "down"}]]}
    theirs = {"lines": [[{"card": "metal-1"}], [], []], "protocols": ["metal", "plague", "water"]}
    steps = judged(
        table({}, {**mine, "hand": ["life-1"], "deck": []}, {**theirs, "hand": ["water-5"], "deck": []}),
        line("played", player="A", card="life-1", line=2, face="up"),
        line("flipped", card="spirit-2", face="up"),
        line("flipped", card="metal-1", face="down"),
        line("played", player="B", card="water-5", line=1, face="down"),
        line("turn_began", player="A", turn=7),
    )
    assert found(steps) == []


def test_a_line_is_named_for_the_text_that_leaves_one_to_choose() -> None:
    """Apathy 2 turns itself before it is covered, which leaves nothing to choose: the line is that of Water 3."""
    own = {"protocols": ["apathy", "water", "life"], "hand": ["water-3", *FULL], "deck": ["life-1", "life-4"]}
    lines = [[{"card": "life-5", "face": "down"}], [{"card": "apathy-2", "face": "up"}], []]
    steps = judged(
        table({}, {**own, "lines": lines}, {}),
        line("played", player="A", card="water-3", line=2, face="up"),
        line("chose", player="A", what="line", line=3),
        line("phase_began", phase="end"),
    )
    assert found(steps) == []
    assert [type_name(type(step.event)) for step in steps if step.event and not step.seq] == [
        "committed", "covered", "triggered", "flipped", "landed", "triggered",
    ]  # fmt: skip
    assert not steps[-1].state.stack  # type: ignore[attr-defined]


def test_a_hidden_card_played_after_a_text_that_asks_for_one_may_be_the_next_action() -> None:
    exposed = {
        "protocols": ["fire", "life", "clarity"], "hand": ["?1", "?2"], "deck": ["clarity-4", "fire-2"],
        "lines": [[], [], [{"card": "clarity-2", "face": "up"}, {"card": "life-5", "face": "down"}]],
    }  # fmt: skip
    gravity = {"protocols": ["metal", "gravity", "spirit"], "hand": ["gravity-4"]}
    steps = judged(
        table({"player": "B"}, exposed, gravity),
        line("played", player="B", card="gravity-4", line=2, face="up"),
        line("shifted", card="life-5", to=2, **{"from": 3}),
        line("revealed", player="A", cards=["clarity-4", "fire-2"], zone="deck"),
        line("resolved", card="clarity-2", command="middle", outcome="impossible"),
        line("played", player="A", card="?1", line=1, face="down"),
        line("refreshed", player="B"),
        line("refreshed", player="A"),
    )
    assert found(steps) == []
    assert not steps[-2].state.stack  # type: ignore[attr-defined]


# Cards from a deck that nobody can see, to several lines


UNSEEN = {"protocols": ["death", "speed", "water"], "hand": ["water-1", "speed-5"], "deck": ["?"] * 6}
WATER_1 = line("played", player="B", card="water-1", line=3, face="up")
AFTER_IT = line("played", player="A", card="spirit-5", line=3, face="down")


def told_by_b(**b: object) -> list[Step]:
    """B plays Water 1, and nothing is written of the two cards it puts into the other lines."""
    return judged(table({"player": "B"}, {}, {}) | {"sides": sides(**b)}, WATER_1, AFTER_IT)


def sides(**b: object) -> dict[str, object]:
    a = {"protocols": ["metal", "life", "spirit"], "hand": ["spirit-5"], "deck": ["?"] * 6}
    return {"A": a, "B": UNSEEN | b}


def test_who_does_not_write_down_which_unseen_card_went_first_is_not_accused() -> None:
    steps = told_by_b()
    assert found(steps) == []
    assert [step.event.line for step in steps if step.seq is None and isinstance(step.event, Played)] == [1, 2]
    assert [len(stack) for stack in steps[-1].state.b.lines] == [1, 1, 1]  # type: ignore[attr-defined]
    assert not [step for step in steps if step.verdict is Verdict.UNCHECKED]


def test_where_a_card_waits_to_be_covered_their_order_is_a_choice_that_is_not_recorded() -> None:
    b = {"protocols": ["fire", "speed", "water"], "lines": [["fire-0"], [], []]}
    steps = told_by_b(**b)
    assert found(steps) == []
    assert [item.key for step in steps for item in step.violations] == ["not_recorded"]


def test_which_card_went_first_has_to_be_told_where_the_deck_is_known() -> None:
    assert found(told_by_b(deck=["speed-1", "speed-2", "death-1"])) == [(2, "effects.source-side-decides")]


# A group that leaves as one


IN_LINE_3 = {
    "A": {
        "protocols": ["metal", "life", "spirit"], "lines": [[], [], ["life-1*"]], "hand": ["spirit-5"],
        "deck": ["?"] * 4,
    },
    "B": {
        "protocols": ["death", "speed", "light"], "lines": [[], [], ["speed-1*", "speed-2*"]],
        "hand": ["light-3", "speed-5"], "deck": ["?"] * 4,
    },
}  # fmt: skip
LIGHT_3 = line("played", player="B", card="light-3", line=3, face="up")


def moved(*lines: Mapping[str, object]) -> list[Step]:
    """B plays Light 3, which takes all face-down cards of its line to another line, and A refreshes after that."""
    return judged(table({"player": "B"}, {}, {}) | {"sides": IN_LINE_3}, LIGHT_3, *lines, line("refreshed", player="A"))


def test_the_line_that_is_named_for_a_group_is_where_all_of_it_goes() -> None:
    steps = moved(line("chose", player="B", what="line", line=1))
    assert found(steps) == []
    assert [len(stack) for stack in steps[-1].state.b.lines] == [2, 0, 1]  # type: ignore[attr-defined]
    assert [len(stack) for stack in steps[-1].state.a.lines] == [1, 0, 0]  # type: ignore[attr-defined]


def test_one_card_of_a_group_tells_where_the_others_go() -> None:
    steps = moved(line("shifted", card="life-1", to=2))
    assert found(steps) == []
    assert [len(stack) for stack in steps[-1].state.b.lines] == [0, 2, 1]  # type: ignore[attr-defined]


def test_a_group_that_goes_elsewhere_than_was_said_is_found() -> None:
    named = line("chose", player="B", what="line", line=1)
    assert found(moved(named, line("shifted", card="speed-1", to=2)))[0] == (3, "card.light-3")


def test_the_line_a_group_lies_in_cannot_be_named_for_it() -> None:
    steps = moved(line("chose", player="B", what="line", line=3), line("shifted", card="speed-1", to=1))
    assert [len(stack) for stack in steps[-1].state.b.lines] == [2, 0, 1]  # type: ignore[attr-defined]


HANDLES = [{"card": "?1", "face": "down"}, {"card": "?2", "face": "down"}]
DELETES = (
    line("played", player="A", card="death-3", line=1, face="up"),
    line("triggered", card="death-3", command="middle"),
)


def death_3(deleted: str) -> Step:
    """A's Death 3 deletes that card; B has two unseen cards in line 1, one on the other."""
    known = {"protocols": ["death", "life", "water"], "hand": ["death-3"]}
    steps = judged(table({}, known, {"lines": [HANDLES, [], []]}), *DELETES, line("deleted", cards=[deleted]))
    return next(step for step in steps if step.seq == len(DELETES) + 1)


def test_a_covered_card_that_nobody_has_seen_is_certainly_no_target() -> None:
    step = death_3("?1")
    assert (step.verdict, step.rules[0].id) == (Verdict.ILLEGAL, "target.uncovered-by-default")
    assert death_3("?2").verdict is Verdict.LEGAL


def test_whether_a_card_that_was_never_laid_down_may_be_deleted_depends_on_which_one_it_is() -> None:
    assert death_3("?9").verdict is Verdict.UNDETERMINED


# An unseen card goes on the deck of its owner, and is written down by its name


def put_on_deck(card: str) -> list[Step]:
    """A's Corruption 1 stands in for the return of B's only card, which nobody has seen."""
    unseen = {"lines": [[{"card": "?1", "face": "down"}], [], []], "deck": 7}
    here = {"protocols": ["corruption", "fear", "water"], "hand": ["fear-2"], "lines": [["corruption-1"], [], []]}
    returned = line("returned", card="?1", to="B")
    played = line("played", player="A", card="fear-2", line=2, face="up")
    return judged(table({}, here, unseen), played, returned, line("put_on_deck", cards=[card], deck="B"))


@pytest.mark.parametrize("card", ["?1", "plague-4"])
def test_an_unseen_card_goes_on_the_deck_under_its_name_or_its_handle(card: str) -> None:
    steps = put_on_deck(card)
    assert found(steps) == []
    assert len(steps[-1].state.b.deck) == 8  # type: ignore[attr-defined]
    assert not any(steps[-1].state.b.lines)  # type: ignore[attr-defined]


def test_a_card_that_lies_elsewhere_does_not_go_on_the_deck_in_place_of_an_unseen_one() -> None:
    assert found(put_on_deck("corruption-1")) == [(3, "effects.must-be-applied")]


# A choice that nobody wrote down, and a mistake right after it


SEVEN = table({}, {"hand": 7, "deck": 5}, {"hand": 5, "deck": 7, "protocols": ["metal", "plague", "spirit"]})
FACE_DOWN = line("played", player="A", card="?1", line=1, face="down")


def after_the_cache(*lines: Mapping[str, object]) -> list[Step]:
    """A plays one of seven unseen cards, and nobody writes down which one A discards to keep five."""
    return judged(SEVEN, FACE_DOWN, *lines)


def test_a_play_right_after_a_discard_that_nobody_wrote_down_is_named_by_its_own_rule() -> None:
    wrong = line("played", player="B", card="plague-3", line=1, face="up")
    steps = after_the_cache(wrong, line("played", player="A", card="?2", line=2, face="down"))
    assert found(steps) == [(2, "play.face-up-needs-protocol")]


def test_a_compile_right_after_a_discard_that_nobody_wrote_down_is_named_by_its_own_rule() -> None:
    steps = after_the_cache(line("compiled", player="B", line=1))
    assert found(steps) == [(2, "compile.ten-or-more")]


def test_who_acts_again_before_the_other_player_has_acted_is_not_taken_for_the_next_turn() -> None:
    steps = after_the_cache(line("played", player="A", card="?2", line=2, face="down"))
    assert found(steps) == [(2, "turn.one-action")]


def test_who_tells_every_choice_is_asked_for_the_discard() -> None:
    told = list(
        audit(
            RULESET,
            Header(log="audit/1", ruleset="compile", game="g", complete="choices", setup={"position": SEVEN}),
            [event(FACE_DOWN, 1), event(line("refreshed", player="B"), 2)],
        )
    )
    assert found(told) == [(2, "cache.five-card-limit")]


# Cards of both sides that leave together, of which only some are written down


BOTH_SIDES = table(
    {},
    {
        "protocols": ["light", "life", "water"],
        "hand": ["light-3"],
        "lines": [[{"card": "life-0", "face": "down"}], ["light-5"], []],
    },
    {"lines": [[{"card": "metal-5", "face": "down"}], [{"card": "spirit-3", "face": "down"}], []]},
)
THEY_LEAVE = (
    line("played", player="A", card="light-3", line=1, face="up"),
    line("shifted", card="life-0", to=2),
)


def test_the_card_of_the_other_side_may_land_first_if_it_was_not_written_down_how_they_left() -> None:
    lands = (line("landed", card="metal-5"), line("covered", card="light-5"), line("landed", card="life-0"))
    steps = judged(BOTH_SIDES, *THEY_LEAVE, line("covered", card="spirit-3"), *lands)
    assert found(steps) == []
    assert [stack[-1].card for stack in tops(steps[-1].state)] == ["life-0", "metal-5"]


def tops(state: Any) -> tuple[Any, Any]:
    """The two stacks of line 2."""
    return state.a.lines[1], state.b.lines[1]


def test_in_a_log_that_tells_everything_the_first_that_left_lands_first() -> None:
    other = line("shifted", card="metal-5", to=2)
    told = (*THEY_LEAVE, other, line("covered", card="spirit-3", by="metal-5"))
    assert found(judged(BOTH_SIDES, *told, line("landed", card="life-0"), complete=True))


def test_a_card_of_one_side_may_land_before_one_of_the_other_that_left_before_it_for_all_that_is_written() -> None:
    two = [{"card": "life-0", "face": "down"}, {"card": "water-4", "face": "down"}]
    here = {"protocols": ["light", "life", "water"], "hand": ["light-3"], "lines": [two, ["light-5"], []]}
    there = {"lines": [[{"card": "metal-5", "face": "down"}], [{"card": "spirit-3", "face": "down"}], []]}
    left = (*THEY_LEAVE, line("shifted", card="metal-5", to=2))
    lands = (line("landed", card="life-0"), line("covered", card="life-0"), line("landed", card="water-4"))
    steps = judged(table({}, here, there), *left, *lands, line("landed", card="metal-5"))
    assert found(steps) == []
    assert [stack[-1].card for stack in tops(steps[-1].state)] == ["water-4", "metal-5"]


def test_after_a_card_that_was_played_twice_its_text_may_follow() -> None:
    here = {
        "protocols": ["fire", "life", "water"], "hand": ["?1", "?2"], "lines": [[{"card": "fire-5"}], [], []],
    }  # fmt: skip
    again = line("played", player="A", card="fire-5", line=1, face="up")
    steps = judged(table({}, here, {}), again, line("discarded", player="A", cards=["water-2"]))
    assert found(steps) == [(1, "turn.one-action")]
    assert steps[-1].state.a.trash[-1] == "water-2"  # type: ignore[attr-defined]


TO_COMPILE_AGAIN = table(
    {"phase": "compile", "control": "A"},
    {"protocols": [{"name": "fire", "compiled": True}, "life", "water"], "lines": [TEN, [], []]},
    {"deck": ["?", "?", "?"]},
)


@pytest.mark.every("card", ["?7", "spirit-2"])
@pytest.mark.every("announced", [0, 1, 2])
def test_the_card_won_by_a_recompile_is_named_where_it_changes_hands(card: str, announced: int) -> None:
    """Nobody wrote that it was drawn. The recompile itself may stand before, between or after."""
    back = line("control_reset", player="A")
    won = {"type": "owner_changed", "card": card, "from": "B", "to": "A", "why": "recompile"}
    told = [back, won]
    told.insert(announced, line("recompiled", player="A", line=1))
    steps = judged(TO_COMPILE_AGAIN, *told, line("phase_began", phase="cache"))
    assert found(steps) == []
    assert steps[-1].state.a.hand == ("?" if card == "?7" else card,)  # type: ignore[attr-defined]


def test_a_card_that_lies_on_the_table_is_not_won_by_a_recompile() -> None:
    won = {"type": "owner_changed", "card": "fire-5", "from": "B", "to": "A", "why": "recompile"}
    steps = judged(TO_COMPILE_AGAIN, line("recompiled", player="A", line=1), won)
    assert found(steps) == [(2, "recompile.card-changes-hands")]


@pytest.mark.every("announced", [0, 1, 2])
def test_control_may_be_written_down_as_back_after_what_it_was_spent_on(announced: int) -> None:
    """The order of the protocols is new in any case; where the compile stands does not matter either."""
    position = table({"phase": "compile", "control": "A"}, {"lines": [TEN, [], []]}, {})
    new = line("rearranged", side="B", protocols=["spirit", "plague", "metal"], by="A")
    told = [new, line("control_reset", player="A")]
    told.insert(announced, line("compiled", player="A", line=1))
    steps = judged(position, *told, line("phase_began", phase="cache"))
    assert found(steps) == []
    assert steps[-1].state.control is None  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("phase", "hand", "announced", "rule"),
    [
        ("compile", ["life-2"], line("compiled", player="A", line=1), "compile.ten-or-more"),
        ("action", [*FULL], REFRESH, "refresh.only-under-five"),
    ],
)
def test_control_is_put_back_for_what_may_not_come_and_that_is_the_mistake(
    phase: str, hand: list[str], announced: dict[str, object], rule: str
) -> None:
    position = table({"phase": phase, "control": "A"}, {"hand": hand, "lines": [[{"card": "fire-5"}], [], []]}, {})
    steps = judged(position, line("control_reset", player="A"), announced)
    assert found(steps) == [(2, rule)]


@pytest.mark.every("choice", [NEW_ORDER, LEFT_AS_IT_IS])
@pytest.mark.every("told", [(0, 1, 2, 3), (0, 2, 1, 3), (2, 0, 1, 3), (2, 0, 3, 1)])
def test_the_protocols_may_be_told_as_settled_right_after_the_cards_drawn(
    choice: dict[str, object], told: tuple[int, ...]
) -> None:
    """Nobody can read in such a record whether the player had seen the cards."""
    lines = [[REFRESH, BACK, DRAW, choice][at] for at in told]
    steps = judged(HOLDS_CONTROL, *lines, line("phase_began", phase="cache"))
    assert found(steps) == []
    assert steps[-1].state.control is None  # type: ignore[attr-defined]


# A card that was seen, and then played under a handle


SEEN = table(
    {"player": "B"},
    {"hand": ["?"]},
    {"protocols": ["time", "light", "love"], "hand": ["time-3", "?"], "deck": ["?"] * 5, "trash": ["love-1", "love-2"]},
)
PLAYED_UNSEEN = (
    line("played", player="B", card="time-3", line=1, face="up"),
    line("revealed", player="B", cards=["love-2"], zone="trash"),
    line("played", player="B", card="?15", line=2, face="down", **{"from": "trash"}),
    line("played", player="A", card="?", line=2, face="down"),
)


def test_a_card_shown_in_the_trash_and_played_face_down_leaves_the_others_there() -> None:
    """So the handle cannot be one of those, and they can still be named."""
    steps = judged(SEEN, *PLAYED_UNSEEN)
    assert not found(steps)
    assert steps[-1].state.b.trash == ("love-1",)  # type: ignore[attr-defined]
    for card, wrong in (("love-2", []), ("love-1", [(5, "info.own-face-down")])):
        assert found(judged(SEEN, *PLAYED_UNSEEN, line("identified", card="?15", **{"is": card}))) == wrong


# Why nothing calls for an event


def test_the_text_of_a_card_just_played_face_down_is_nearer_than_one_that_waits_for_something_else() -> None:
    """A would have to react for B to discard; but B has played a card that says so, face down."""
    waiting = {"protocols": ["corruption", "fire", "life"], "lines": [["corruption-2"], [], []], "hand": ["?"]}
    position = table({"player": "B"}, waiting, {"hand": ["metal-5", "spirit-5"]})
    lines = (line("played", player="B", card="metal-5", line=2, face="down"),)
    assert found(judged(position, *lines, line("discarded", player="B", cards=["spirit-5"]))) == [
        (2, "field.face-down-blank")
    ]


def test_a_text_that_would_have_begun_otherwise_is_not_the_nearest() -> None:
    """Fire 4 draws only after a discard; Speed 1 draws after a cleared cache, and none was cleared."""
    own = {"protocols": ["fire", "speed", "life"], "lines": [["speed-1"], [], []], "hand": ["fire-4"]}
    lines = (line("played", player="A", card="fire-4", line=2, face="down"), line("drew", player="A", cards=["life-1"]))
    assert found(judged(table({}, own, {}), *lines)) == [(2, "text.outer-boxes-when-they-say")]


def test_a_card_of_the_one_who_acts_that_nobody_has_seen_has_no_text() -> None:
    """B draws in A's turn for no reason to be seen; the only card that might have said so lies face down."""
    unseen = {"lines": [[{"card": "?4", "face": "down"}], [], []]}
    assert found(judged(table({}, {}, unseen), line("drew", player="B", cards=["spirit-4"]))) == [
        (1, "field.face-down-blank")
    ]


def test_a_card_played_from_the_deck_after_the_action_is_no_second_action() -> None:
    top = line("played", player="A", card="life-1", line=2, face="down", **{"from": "deck"})
    assert found(judged(table({"phase": "cache"}, {}, {}), top)) == [(1, "text.ways-in")]


def test_a_text_that_means_itself_deletes_no_other_card() -> None:
    position = table(
        {"player": "B"}, {"lines": [["fire-3"], [], []]}, {"lines": [["metal-6"], [], []], "hand": ["metal-2"]}
    )
    covering = line("played", player="B", card="metal-2", line=1, face="down")
    assert found(judged(position, covering, line("deleted", cards=["fire-3"]))) == [(2, "card.metal-6")]


def test_of_a_deck_that_is_shown_and_has_no_five_no_draw_is_awaited() -> None:
    deck = ["clarity-1", "life-2"]
    position = table({}, {"protocols": ["clarity", "life", "water"], "hand": ["clarity-3"], "deck": deck}, {})
    played = line("played", player="A", card="clarity-3", line=1, face="up")
    steps = judged(position, played, line("revealed", player="A", cards=deck, zone="deck"))
    assert {option.event for option in RULESET.rules.expected(steps[-1].state)} == {Resolved}


def test_that_a_returned_card_has_arrived_may_be_written_down() -> None:
    position = table({}, {"hand": ["water-4"], "lines": [["fire-5"], [], []]}, {})
    lines = (line("played", player="A", card="water-4", line=3, face="up"), line("returned", cards=["fire-5"]))
    assert not found(judged(position, *lines, line("landed", card="fire-5")))
