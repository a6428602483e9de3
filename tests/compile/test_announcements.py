"""A refresh and a compile announce what belongs to them; people write the announcement before or after its parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.event_rules import numbered
from audit.core.findings import FOUND_AGAIN
from audit.core.model import Event, Header, Verdict
from audit.core.record_events import PositionSet
from audit.core.steps import Step
from audit.games.compile import RULESET
from audit.games.compile.events import Compiled, ControlReset, Deleted, Drew, Rearranged, Refreshed, TurnBegan
from audit.games.compile.state import State
from replays.generating.simulate import simulated
from replays.generating.telling import choices
from replays.judging.annotate import Annotator
from replays.scoresheet.sheet import read_sheet
from tests.scenario import header

SEEDS = range(5)
FIELD = {"protocols": ["light", "hate", "spirit"], "lines": [["light-1"], [], []], "hand": ["light-2"]}
OTHER = {"protocols": ["water", "speed", "metal"], "lines": [["water-4*"], [], []], "hand": ["speed-5", "metal-5"]}
DECK = ["light-4", "hate-5", "spirit-5", "light-5", "hate-4"]


def table(hand: Sequence[str], player: str = "A", **more: object) -> Header:
    sides = {"A": {**FIELD, "hand": list(hand), "deck": DECK}, "B": {**OTHER, "deck": ["water-5", "speed-3"]}}
    return header({"sides": sides, "control": None, "turn": 5, "player": player, "phase": "action", **more})


def judged(head: Header, *events: Event) -> list[Step]:
    told = [numbered(event, seq) for seq, event in enumerate(events, 1)]
    return list(audit(RULESET, head, told))


def found(steps: Sequence[Step]) -> list[tuple[int | None, str]]:
    return [(step.seq, step.rules[0].id) for step in steps if step.verdict.is_finding]


def announced_after_its_parts(events: Sequence[Event]) -> Iterator[Event]:
    """The events with every refresh and every compile written after the control component and the cards drawn."""
    held: Event | None = None
    for event in events:
        if held is not None and not isinstance(event, ControlReset | Rearranged | Drew):
            yield held
            held = None
        if isinstance(event, Refreshed | Compiled):
            held = event
        else:
            yield event
    if held is not None:
        yield held


@pytest.mark.every("seed", SEEDS)
def test_an_announcement_may_be_written_after_its_parts(seed: int) -> None:
    head, events = simulated(RULESET, seed)
    told = list(announced_after_its_parts(events))
    assert [type(event) for event in told] != [type(event) for event in events]
    assert found(judged(replace(head, complete=False), *told)) == []


def test_cards_drawn_are_the_refresh_that_is_written_after_them() -> None:
    steps = judged(table(["light-2"]), Drew(seq=0, player="A", cards=tuple(DECK[:4])), Refreshed(seq=0, player="A"))
    assert found(steps) == []
    assert isinstance(last := steps[-1].state, State)
    assert last.a.hand == ("light-2", *DECK[:4])


def test_a_refresh_in_a_later_turn_is_not_an_earlier_one_written_late() -> None:
    refresh, by_b = Refreshed(seq=0, player="A"), Refreshed(seq=0, player="B")
    steps = judged(
        table(["light-2"]), refresh, Drew(seq=0, player="A", cards=tuple(DECK[:4])), by_b, replace(refresh, seq=0)
    )
    assert found(steps) == [(4, "refresh.only-under-five")]


def test_what_belongs_to_a_wrong_refresh_is_no_second_mistake() -> None:
    full = ["light-2", "light-3", "hate-1", "hate-2", "spirit-1"]
    steps = judged(table(full), Refreshed(seq=0, player="A"), Drew(seq=0, player="A", cards=("light-4", "hate-5")))
    assert found(steps) == [(1, "refresh.only-under-five")]
    assert steps[-1].verdict is Verdict.UNCHECKED
    assert Annotator(RULESET).reason(steps[-1]).endswith("is not judged by itself.")


def test_too_few_cards_of_a_refresh_are_not_those_of_the_refresh_that_comes_next() -> None:
    events = (
        Refreshed(seq=0, player="A"),
        Drew(seq=0, player="A", cards=tuple(DECK[:3])),
        Refreshed(seq=0, player="B"),
    )
    assert found(judged(table(["light-2"]), *events)) == [(2, "refresh.up-to-five")]


LINE = ("light-5", "light-4", "light-3", "water-4")


@pytest.mark.every(
    ("own", "told", "wrong"),
    [
        (LINE[:3], [LINE[:2], LINE[2:3], LINE[3:]], []),
        (LINE[:3], [LINE[:2], LINE[2:]], []),
        (LINE[:3], [(LINE[0], *LINE[2:])], [(1, "compile.deletes-as-one-event")]),
        (LINE[:3], [LINE[:1], LINE[2:3], LINE[3:]], [(1, "compile.deletes-as-one-event")]),
        (LINE[:2], [(*LINE[:2], *LINE[3:])], [(2, "compile.ten-or-more")]),
        (LINE[:2], [LINE[:1], LINE[1:2], LINE[3:]], [(4, "compile.ten-or-more")]),
    ],
    ids=["in three parts", "in two parts", "one left out", "one left out, in parts", "too few", "too few, in parts"],
)
def test_the_cards_of_a_line_may_be_deleted_before_the_compile_is_written(
    own: tuple[str, ...], told: list[tuple[str, ...]], wrong: list[tuple[int, str]]
) -> None:
    """A mistake is told once: at the cards, or at the compile where that is the mistake."""
    sides = {"A": {**FIELD, "lines": [list(own), [], []], "deck": DECK[1:2]}, "B": {**OTHER, "deck": ["water-5"]}}
    head = header({"sides": sides, "control": None, "turn": 5, "player": "A", "phase": "compile"})
    events = [*(Deleted(seq=0, cards=cards) for cards in told), Compiled(seq=0, player="A", line=1)]
    assert found(judged(head, *events, TurnBegan(seq=0, player="B", turn=6))) == wrong


def test_what_was_due_first_is_named_in_the_message() -> None:
    steps = judged(table(["light-2"], phase="end"), TurnBegan(seq=0, turn=6, player="B"), Refreshed(seq=0, player="A"))
    assert "Due first" not in Annotator(RULESET).message(steps[1])
    early = judged(table(["light-2"]), TurnBegan(seq=0, turn=6, player="B"))
    assert "Due first: A plays Light 2 face up in line 1, or one of 4 other choices." in Annotator(RULESET).message(
        early[-1]
    )


def is_lost(steps: Sequence[Step]) -> list[str]:
    return [violation.key for step in steps for violation in step.violations if violation.key.startswith("thread.")]


def strangers(number: int, first: int = 9) -> list[Event]:
    """The choices of another game: none of them fits."""
    head, events = simulated(RULESET, 77)
    return list(choices(RULESET, head, events))[first : first + number]


def test_a_record_of_another_game_is_told_once_in_a_stretch() -> None:
    head, events = simulated(RULESET, 3)
    mine = list(choices(RULESET, head, events))[:20]
    steps = judged(replace(head, complete=False), *mine, *strangers(30))
    told = is_lost(steps)
    assert told[0] == "thread.lost"
    assert told.count("thread.unchecked") >= 20
    assert len(found(steps)) <= 3


def test_a_record_that_fits_again_for_a_while_is_judged_again() -> None:
    head, events = simulated(RULESET, 3)
    mine = list(choices(RULESET, head, events))
    steps = judged(replace(head, complete=False), *mine[:12], *strangers(5, first=21), *mine[12:52])
    lost = next(at for at, step in enumerate(steps) if is_lost([step]) == ["thread.lost"])
    told = [step.verdict for step in steps[lost + 1 :] if step.verdict is not Verdict.INFERRED]
    again = next(at for at, verdict in enumerate(told) if verdict is not Verdict.UNCHECKED)
    assert again >= FOUND_AGAIN
    assert told[again] is Verdict.LEGAL


def test_a_position_put_right_ends_a_lost_thread() -> None:
    head, events = simulated(RULESET, 3)
    mine = list(choices(RULESET, head, events))
    stands = list(audit(RULESET, replace(head, complete=False), mine[:22]))[-1].state
    put_right = PositionSet(seq=0, position=RULESET.rules.position_data(stands))
    steps = judged(replace(head, complete=False), *mine[:22], *strangers(12), put_right, *mine[22:])
    assert is_lost(steps)[0] == "thread.lost"
    at = next(number for number, step in enumerate(steps) if isinstance(step.event, PositionSet))
    assert {step.verdict for step in steps[at + 1 :]} == {Verdict.LEGAL, Verdict.INFERRED}


def test_too_many_cards_of_a_refresh_are_not_those_of_a_text_after_it() -> None:
    """Light 1 would draw one card at the end of the turn."""
    drew = Drew(seq=0, player="A", cards=tuple(DECK))
    assert found(judged(table(["light-2"]), Refreshed(seq=0, player="A"), drew)) == [(2, "refresh.up-to-five")]


# On a score sheet


def sheet_of(position: str, *lines: str) -> list[tuple[int | None, str]]:
    first = "game r1   A Ada: fire light chaos   B Bo: death metal speed   first A"
    text = "\n".join([first, f"position compile/{position}", *lines])
    return found(list(audit(RULESET, *read_sheet(text, game="compile"))))


TEN = "9A.compile.A/fire.light.chaos:f5f3f4;;:l2l5:9:/death.metal.speed:d2*d1*;m2*;:4:9:"
OWN, OTHERS, BACK, ORDER = "delete f5,f3,f4", "delete d2,d1", "A control back", "A rearrange A light fire chaos"


@pytest.mark.every(
    "parts",
    [
        (OWN, OTHERS, BACK),
        (OWN, BACK, OTHERS),
        (OTHERS, OWN, BACK, ORDER),
        (BACK, OWN, OTHERS),
        ("delete f5,f3,f4,d2,d1", BACK),
    ],
)
def test_control_may_go_back_at_any_of_the_lines_of_a_compile(parts: tuple[str, ...]) -> None:
    assert sheet_of(TEN, *parts, "A compile 1", "B ? 2 down") == []
    assert sheet_of(TEN, "A compile 1", *parts, "B ? 2 down") == []


ESCAPES = "9A.compile.A/fire.light.speed:f3*;light-4;s5s2s4:l2l5:9:/death.metal.plague:d2*;m2;:4:9:"
MOVES_AFTER_A_REFRESH = "8A.action.A/spirit.light.fire:spirit-3;light-4;:3:9:/death.metal.plague:d2*;;p4*:4:9:"
SHIFT, LINE = "shift s2 1", "delete s5,s4"


@pytest.mark.every(
    "lines",
    [
        ("A compile 3", SHIFT, BACK, LINE, "B ? 1 down"),
        ("A compile 3", SHIFT, LINE, BACK, "B ? 1 down"),
        ("A compile 3", SHIFT, LINE, "B ? 1 down", BACK, "A ? 1 down"),
        ("A compile 3", SHIFT, LINE, "B turn 10", "B ? 1 down", BACK, "A ? 1 down"),
    ],
)
def test_control_may_be_written_as_back_after_speed_2_has_left_the_line_and_after_the_next_card(
    lines: tuple[str, ...],
) -> None:
    assert sheet_of(ESCAPES, *lines) == []


@pytest.mark.every("played", [0, 1, 2])
def test_control_may_be_written_as_back_after_spirit_3_has_moved_and_after_the_next_card(played: int) -> None:
    lines = ["shift spirit-3 3", "B ? 1 down"]
    lines.insert(played, BACK)
    assert sheet_of(MOVES_AFTER_A_REFRESH, "A refresh", "A draw 2", *lines, "A ? 2 down") == []


NEW_ORDER = "A rearrange A light fire speed"


def test_protocols_rearranged_after_speed_2_has_left_the_line_are_one_mistake() -> None:
    lines = ["A compile 3", SHIFT, LINE, BACK, NEW_ORDER, "B ? 1 down"]
    assert sheet_of(ESCAPES, *lines) == [(2 + lines.index(SHIFT), "control.dealt-with-first")]


def test_protocols_rearranged_after_the_draw_of_a_refresh_and_what_reacted_to_it_are_one_mistake() -> None:
    lines = ["A refresh", "A draw 2", "shift spirit-3 3", BACK, "A rearrange A light spirit fire", "B ? 1 down"]
    assert sheet_of(MOVES_AFTER_A_REFRESH, *lines) == [(3, "control.dealt-with-first")]


@pytest.mark.every(
    "lines",
    [
        ("A compile 1", BACK, OWN, OTHERS, "B ? 2 down", ORDER, "A l2* 2"),
        ("A compile 1", OWN, OTHERS, "B ? 2 down", BACK, ORDER, "A l2* 2"),
        ("A compile 3", SHIFT, LINE, "B ? 1 down", BACK, NEW_ORDER, "A l2* 1"),
    ],
)
def test_protocols_rearranged_after_the_next_players_card_are_no_mistake_of_that_player(lines: tuple[str, ...]) -> None:
    (mistake,) = sheet_of(ESCAPES if SHIFT in lines else TEN, *lines)
    assert lines[mistake[0] - 2] in (SHIFT, BACK, ORDER)


@pytest.mark.every("announced", [0, 1, 2])
@pytest.mark.every(("part", "rule"), [(OWN, "clears-both-sides"), (f"{OWN},d2", "deletes-as-one-event")])
def test_a_card_that_a_compile_left_lying_is_told_where_the_others_are_deleted(
    part: str, rule: str, announced: int
) -> None:
    lines = [part, BACK]
    lines.insert(announced, "A compile 1")
    assert sheet_of(TEN, *lines, "B ? 2 down") == [(2 + lines.index(part), f"compile.{rule}")]
    lines.remove(BACK)
    lines.insert(0, BACK)
    assert sheet_of(TEN, *lines, "B ? 2 down") == [(2 + lines.index(part), f"compile.{rule}")]


DRAWS = "8A.action.B/fire.light.chaos:;light-1;:l2f5f1:9:/death.metal.speed:d2*;m1;m3:s1s2:9:"
DISCARDS = "8A.action.B/fire.light.chaos:;;c4:l2f5f1:9:/death.metal.speed:d2*;m1;m3:s1s2:9:"
COMPILES = "8A.action.B/fire.light.chaos:;light-1;:l2f5f1:9:/death.metal.speed:d5d4d3;m2;:s1s2:9:"


@pytest.mark.every(
    ("at", "lines"),
    [
        (DRAWS, ("A f5* 1", "B control back", "A draw 1", "B draw 3", "B refresh", "A f1* 3")),
        (DRAWS, ("A f5* 1", "B control back", "B draw 3", "A draw 1", "B refresh", "A f1* 3")),
        (DRAWS, ("A f5* 1", "B control back", "B refresh", "A draw 1", "B draw 3", "A f1* 3")),
        (DISCARDS, ("A f5* 2", "B control back", "A discard l2,f1", "A draw 2", "B draw 3", "B refresh", "A refresh")),
        (COMPILES, ("A f5* 3", "B control back", "A draw 1", "delete d5,d4,d3", "B compile 1", "A refresh")),
        (COMPILES, ("A f5* 3", "delete d5,d4,d3", "A draw 1", "B control back", "B compile 1", "A refresh")),
    ],
)
def test_a_text_of_the_end_may_be_written_among_the_lines_of_the_next_procedure(
    at: str, lines: tuple[str, ...]
) -> None:
    assert sheet_of(at, *lines) == []


EACH = "8A.action.-/fire.light.chaos:;f3*;:l2d0:9:/death.metal.speed:;{};m2*:5:9:"


def test_what_happens_to_every_card_in_any_order_leaves_no_choice() -> None:
    table = EACH.replace("fire.light.chaos", "death.light.chaos").replace("death.metal", "fire.metal")
    assert sheet_of(table.format(""), "A d0 1", "B ? 2 down") == []
    assert sheet_of(table.format(""), "A d0 1", "delete m2", "B ? 2 down") == []
    (found,) = sheet_of(table.format("m1*"), "A d0 1", "B ? 2 down")
    assert found[0] == 3


def test_a_handle_may_be_named_after_its_card_has_gone_into_a_deck() -> None:
    table = DRAWS.replace("l2f5f1:9:", "l2f5,?9:9:")
    assert sheet_of(table, "?8 is light-1", "A f5* 1", "A draw 1", "B refresh") == []
    assert [seq for seq, _ in sheet_of(table, "A ?9* 1", "?9 is light-1", "A draw 1", "B refresh")] == [3]


@pytest.mark.parametrize(
    ("others", "reason"),
    [
        ("death.life.plague:d5*;;:4:9:", "Due first: Death 5 is turned face up."),
        ("death.life.plague:d5*;l5*;:4:9:", "Water 0: what its text says before this is done first."),
    ],
)
def test_of_one_thing_due_it_is_told_and_of_several_what_asks_for_them(others: str, reason: str) -> None:
    sheet = [
        "game g   A Ada: fire water metal   B Bo: death life plague   first A",
        f"position compile/8A.action.-/fire.water.metal:;;:w0m5:9:/{others}",
        *("A w0 2", "flip w0 down", "flip d5 up", "B ? 3 down"),
    ]
    told, events = read_sheet("\n".join(sheet), game="compile")
    (found,) = [step for step in audit(RULESET, told, events) if step.verdict.is_finding]
    assert Annotator(RULESET, header=told).message(found) == f"Water 0 is turned face down. {reason}"
