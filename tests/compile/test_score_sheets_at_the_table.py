"""Score sheets as judges keep them: what happened in an order of their own, verbs of their own language, a misplay."""

from __future__ import annotations

import pytest

from audit.core.auditor import audit
from audit.core.model import Verdict
from audit.core.steps import Step
from audit.games.compile.game import RULESET
from replays.errors import LogError
from replays.scoresheet.sheet import read_sheet
from tests.conftest import SHARED

SHEETS = SHARED / "sheets"
BEGINNING = "game r1   A Ada: fire life plague   B Bo: death metal speed   first A"
DISCARD = f"""{BEGINNING}
position compile/8A.action.-/fire.life.plague:f4;l4;p1:l2p0:9:/death.metal.speed:d4;m2;s1:d5m0s3:9:
A plague-0 3
"""
END = f"""{BEGINNING}
position compile/8A.action.-/fire.life.plague:f3;l4;:l2p4f5:9:/death.metal.speed:d4;m2;s1:4:9:
A plague-4 3
"""


def judged(text: str) -> list[Step]:
    return list(audit(RULESET, *read_sheet(text, game="compile")))


def findings(text: str) -> list[tuple[int | None, str]]:
    """The line of each finding, and its first rule."""
    return [(step.seq, step.rules[0].id) for step in judged(text) if step.verdict.is_finding]


def test_what_follows_from_a_discard_may_be_written_before_it() -> None:
    assert findings(DISCARD + "A draw 1\nB discard death-5\nB refresh\n") == []


def test_a_card_drawn_for_a_discard_that_never_comes_is_a_finding() -> None:
    assert [seq for seq, _ in findings(DISCARD + "A draw 1\nB refresh\n")] == [3]


def test_an_end_text_may_be_written_after_the_next_turn_is_announced() -> None:
    steps = judged(END + "B turn 9\nA discard life-2\nflip death-4*\nB death-5 1\n")
    assert not [step for step in steps if step.verdict.is_finding]
    assert [step.event for step in steps if step.seq and step.late] == [
        step.event for step in steps if step.seq in (4, 5)
    ]


def test_a_draw_of_a_refresh_may_be_written_after_the_cache_where_an_end_text_draws_too() -> None:
    a = "/courage!.darkness.psychic!:p5;d0;:c3d2c1d1p0:d5p32:d4c0p14d3c6"
    b = "/light.water!.fear!:l01;l5*c5*w5*;:l3c2f34:f0:w3l2w402f15l4w1f2"
    steps = judged(f"""game r1   A Ada: courage darkness psychic   B Bo: light water fear   first A
position compile/104B.action.-{a}{b}
B refresh
phase cache
B draw fear-0
phase end
text light-1 bottom end
B reshuffle fear-2,fear-1,water-0,light-2,water-2,water-1,fear-5,water-3,water-4,light-4
B draw fear-2
A turn 105
""")
    assert not [step for step in steps if step.verdict.is_finding]
    assert [step.event for step in steps if step.late and step.seq] == [step.event for step in steps if step.seq == 4]


def test_after_a_play_of_the_next_player_it_is_too_late_for_it() -> None:
    assert findings(END + "B turn 9\nB death-5 1\nA discard life-2\nflip death-4*\n")


def test_a_shift_for_which_no_card_calls_has_that_as_its_reason() -> None:
    sheet = f"""{BEGINNING}
position compile/8A.start.-/fire.life.plague:f3;l5;:l2p4:9:/death.metal.speed:d4;m2;s1:4:9:
A plague-4 3
shift s1 2
B death-3 1
"""
    (finding,) = [step for step in judged(sheet) if step.verdict.is_finding]
    assert (finding.seq, finding.violations[0].key, finding.rules[0].id) == (3, "text.none", "text.ways-in")


@pytest.mark.every("verb", ["refresh", "rafraîchit", "rafraichit", "ricarica", "uzupełnia"])
def test_a_verb_is_read_in_four_languages(verb: str) -> None:
    (event,) = read_sheet(f"{BEGINNING}\nA {verb}\n", game="compile")[1]
    assert event.__struct_config__.tag == "refreshed"


@pytest.mark.parametrize("name", ["01", "02", "04a", "04b", "05a", "05c", "05d", "06", "07", "08", "09"])
def test_an_honest_sheet_of_the_collection_is_clean(name: str) -> None:
    if not SHEETS.is_dir():
        pytest.skip("needs the folder shared/ beside the project")
    (path,) = SHEETS.glob(f"{name}-*.txt") if name[-1].isdigit() else SHEETS.glob(f"{name}*.txt")
    assert findings(path.read_text("utf-8")) == []


@pytest.mark.every(
    "sheet",
    [
        """game r2   A Ada: plague psychic water   B Bo: darkness light speed   first A
A psychic-2 2
B discard light-4
B discard speed-3
A rearrange B light,darkness,speed
B darkness-0 2
""",
        """game r4   A Ada: fire plague hate   B Bo: speed water life   first A
position compile/8B.action.-/fire.plague.hate:;;h4:4:9:/speed.water.life:;w2*;l4:s5l5w5s4s2w4l2s0:9:
B w4* 1
B discard s5
B discard l5
A hate-1* 1
""",
        """game r3   A Ada: speed metal death   B Bo: water psychic fire   first A
position compile/8A.action.-/speed.metal.death:s1*;;:d2d3d0:9:/water.psychic.fire:w2p2;;:4:9:
A death-2 3
delete speed-1
delete water-2
delete psychic-2
B fire-5 3
""",
        """game r5   A Ada: speed metal death   B Bo: water psychic fire   first A
position compile/8A.start.-/speed.metal.death:s5s4m5;;:d2d3d0:9:/water.psychic.fire:w2;;:4:9:
A compile 1
delete s5
delete s4
delete m5
delete w2
B fire-5 3
""",
    ],
    ids=["the discards of a text", "the discards to the limit", "all cards of a kind", "a line"],
)
def test_what_leaves_at_once_may_be_written_one_by_one(sheet: str) -> None:
    assert findings(sheet) == []


def test_a_compile_of_an_empty_line_says_that_nothing_lies_there() -> None:
    sheet = f"""{BEGINNING}
position compile/9A.compile.-/fire.life.plague:f5f3f4;;:l2l5:9:/death.metal.speed:d2*;m2*;:4:9:
A compile 2
"""
    (finding,) = [step for step in judged(sheet) if step.verdict.is_finding]
    assert [(why.key, why.data["line"]) for why in finding.violations] == [("compile.empty", 2)]


DELETED_IN_PARTS = f"""{BEGINNING}
position compile/9A.compile.-/fire.life.plague:f5f3f4;;:l2l5:9:/death.metal.speed:d2*;m2*;:4:9:
A compile 1
delete f5
delete f3
delete d2
B metal-3* 1
"""


def test_one_card_left_out_of_what_a_compile_deletes_is_told_once() -> None:
    """The first part is the finding, by the rule of the whole; the others are parts of it and not judged."""
    assert findings(DELETED_IN_PARTS) == [(3, "compile.deletes-as-one-event")]
    assert [step.seq for step in judged(DELETED_IN_PARTS) if step.verdict is Verdict.UNCHECKED] == [4, 5]


def test_one_card_too_few_is_one_finding_all_the_same() -> None:
    sheet = """game r2   A Ada: plague psychic water   B Bo: darkness light speed   first A
A psychic-2 2
B discard light-4
A rearrange B light,darkness,speed
B darkness-0 2
"""
    assert findings(sheet) == [(2, "effects.must-be-applied")]


@pytest.mark.every(
    "order", ["vitesse,métal,mort", "velocità,metallo,morte", "szybkość,metal,śmierć", "speed,metal,death"]
)
def test_protocols_are_rearranged_by_their_names_in_four_languages(order: str) -> None:
    (event,) = read_sheet(f"{BEGINNING}\nA rearrange B {order}\n", game="compile")[1]
    assert event.protocols == ("speed", "metal", "death")  # type: ignore[attr-defined]


HONEST = {
    "a hand that was too large is told after the next turn": (
        "position compile/8A.action.-/fire.life.plague:;;:f0,f1,f3,l2,p5,p4,l5:5:/death.metal.speed:;;:4:9:\n"
        "A life-5 2 down\nB turn 9\nA discards plague-4\nB ? 1 down\n"
    ),
    "what was drawn before what was discarded for it": (
        "position compile/8A.action.-/fire.life.plague:;;:f4,f1,f3,l2:l1,l3,l4,p1,p2,p3:/death.metal.speed:;;:4:9:\n"
        "A fire-4 1\nA discards fire-1\nA discards life-2\nA draws 3\nB ? 1 down\n"
    ),
    "the cards of a line in three lines before the compile": (
        "position compile/9A.compile.-/fire.life.plague:f5,f3,f4;;:l2,l5:9:/death.metal.speed:d2*;m2*;:4:9:\n"
        "delete fire-5,fire-3\ndelete fire-4\ndelete death-2\nA compiles Fire\nB metal-3* Metal\n"
    ),
    "those cards after the next turn is announced": (
        "position compile/8A.compile.-/fire.life.plague:f5,f3,f4;;:l2,l5:9:/death.metal.speed:d2*;m2*;:4:9:\n"
        "A compiles Fire\nB turn 9\ndelete fire-5,fire-3,fire-4,death-2\nB ? 1 down\n"
    ),
    "a reaction before the discard that set it off": (
        "position compile/8B.action.-/fire.life.plague:;;p1:l1,f1,f3:l2,l3:/death.metal.speed:;;:s5,s2,d4:9:\n"
        "B speed-5 3\nA draws life-2\nB discards speed-2\nA fire-1 3 down\n"
    ),
    "the order of the protocols and the cards first, and control last": (
        "position compile/8A.action.A/fire.life.plague:;f3*;:l1,f1:l2,l3,l4,p1,p2:/death.metal.speed:;;:s5,s2,d4:9:\n"
        "A arranges B metal death speed\nA draws 3\nA refreshes\nA control back\nB speed-2 Speed\n"
    ),
    "a text of the start of the turn, and then the action": (
        "position compile/8B.start.-/fire.life.plague:f3*;;:l1,f1,f2:6:/death.metal.speed:d1;;:s5,s2,d4:d2,d3:\n"
        "B draws death-2\ndelete fire-3\ndelete death-1\nB speed-2 3\nA ? 1 down\n"
    ),
    "a deck that ran out in the middle of a refresh": (
        "position compile/8A.action.-/fire.life.plague:;;:f1,f3:l2:p1,p2,p4/death.metal.speed:;;:s5,s2,d4:9:\n"
        "A draws life-2\nA reshuffles\nA draws 2\nA refreshes\nB speed-2 Speed\n"
    ),
    "control taken right after the play that gives it": (
        "position compile/8A.action.-/fire.life.plague:f4;;:f5,l5,f2:5:/death.metal.speed:;;:4:9:\n"
        "A life-5 2\nA discards fire-2\nA takes control\nB ? 3 down\nA refresh +4\n"
    ),
    "control that nobody took in time": (
        "position compile/8A.start.-/fire.life.plague:f4;l3;:f5,l5,f2:5:/death.metal.speed:;;:4:9:\n"
        "A fire-5 3 down\nB ? 3 down\nA refresh +3\ncontrol A\nB ? 3 down\n"
    ),
    "control early, while an end text is passed over in silence": (
        "position compile/8A.action.-/fire.life.plague:f4;l3;:f5,f3,f2:5:/death.metal.speed:;;:4:9:\n"
        "A fire-3 1\nA takes control\nB ? 3 down\nA refresh +3\n"
    ),
    "control before the text of the end of that turn": (
        "position compile/8A.action.-/fire.life.plague:f4;f3;:f5,l5,f2:5:/death.metal.speed:d3;;:4:9:\n"
        "A fire-5* 3\nA takes control\nA discards fire-2\nflip death-3*\nB ? 3 down\nA refresh +4\n"
    ),
    "the heading of a turn once more after its card": (
        "position compile/7A.action.-/fire.life.plague:f4;l3;:f5,l5,f2:5:/death.metal.speed:;;:4:9:\n"
        "A fire-5* 3\nB turn 8\nB ? 3 down\nturn 8 B\nA turn 9\nA refresh +3\n"
    ),
    "a discard before the play that asks for it": (
        "position compile/8A.action.-/fire.life.plague:f4;l4;p1:l2p0:9:/death.metal.speed:d4;m2;s1:d5m0s3:9:\n"
        "B discards death-5\nA plague-0 3\nA draws 1\nB refresh\n"
    ),
    "a discard and the deletion it is for before their card": (
        "position compile/8A.action.-/fire.life.plague:f4;l4;:l2f1:9:/death.metal.speed:d4;m2;s1:d5m0s3:9:\n"
        "A discards life-2\ndelete speed-1\nA fire-1 1\nB refresh\n"
    ),
    "two discards before their cards, one turn after the other": (
        "position compile/8A.action.-/fire.life.plague:;;:l2f5l3:9:/death.metal.speed:;;:d5m0s3:9:\n"
        "A discards life-2\nA fire-5 1\nB discards metal-0\nB death-5 1\n"
    ),
    "both steps of an end text the other way round after the next turn is announced": (
        "position compile/8A.action.-/fire.life.plague:f3;l4;:l2p5f5:9:/death.metal.speed:d4;m2;s1:4:9:\n"
        "A fire-5* 3\nB turn 9\nflip death-4*\nA discards life-2\nB death-5 1\n"
    ),
    "a flip that a deletion stands before, after the next turn is announced": (
        "position compile/8A.action.-/fire.life.plague:f5;l4;plague-4:l2,f1:9:/death.metal.speed:d4;m2;s1*:4:9:\n"
        "A fire-1* 1\nB turn 9\nflip plague-4*\ndelete speed-1\nB death-5* 1\n"
    ),
}  # fmt: skip
WRONG = {
    "no to what is no permission": (
        3, "effects.may-only-if-said",
        "position compile/8A.action.-/fire.life.plague:f3;l4;:l2p5f5:9:/death.metal.speed:d4;m2;s1:4:9:\n"
        "A plague-5 3\nA no plague-5\nB ? 1 down\n",
    ),
    "a second card under a heading written once more": (
        6, "turn.one-action",
        "position compile/7A.action.-/fire.life.plague:f4;l3;:f5,l5,f2:5:/death.metal.speed:;;:4:9:\n"
        "A fire-5* 3\nB turn 8\nB ? 3 down\nB turn 8\nB ? 2 down\nA refresh +3\n",
    ),
    "what hangs on a discard before it, with no turn announced between": (
        3, "effects.condition-must-be-met",
        "position compile/8A.action.-/fire.life.plague:f3;l4;:l2p5f5:9:/death.metal.speed:d4;m2;s1:4:9:\n"
        "A fire-5* 3\nflip death-4*\nA discards life-2\n",
    ),
    "the wrong player discards": (
        3, "discard.player-picks",
        "position compile/8A.action.-/fire.life.plague:;;:p0,f1,f3:6:/death.metal.speed:;;:s1,s2,d3:9:\n"
        "A plague-0 3\nA discards fire-1\nB speed-1 2 down\n",
    ),
    "one card too few": (
        4, "draw.one-event-per-instruction",
        "position compile/8A.action.-/fire.life.plague:;;:f4,f1,f3,l2:l1,l3,l4,p1,p2,p3:/death.metal.speed:;;:4:9:\n"
        "A fire-4 1\nA discards fire-1,life-2\nA draws 2\nB ? 1 down\n",
    ),
    "a recompile of too little": (
        2, "compile.ten-or-more",
        "position compile/9A.compile.-/fire.life.plague:f5,f3;;:l2,l5:9:/death.metal.speed:d2*;m2*;:4:9:\n"
        "A recompiles Fire\ndelete fire-5,fire-3,death-2\nB metal-3* Death\n",
    ),
    "a line that nobody may play in": (
        2, "effects.cards-beat-rules",
        "position compile/8B.action.-/fire.life.plague:;;p0:f1,f3:6:/death.metal.speed:;;:s1,s2,d3:9:\n"
        "B speed-1 3\nB draws 2\nA refresh +3\n",
    ),
    "control for who does not lead": (
        2, "control.gained",
        "position compile/8A.start.-/fire.life.plague:f4;;:f5,l5,f2:5:/death.metal.speed:;;s5:4:9:\n"
        "A takes control\nA refresh +2\nB ? 3 down\n",
    ),
    "a line that is tied": (
        2, "compile.beats-opponent",
        "position compile/8A.compile.-/fire.life.plague:f5,f4,f1;;:l5,f2:5:/death.metal.speed:d5,d4,d1;;:4:9:\n"
        "A compiles Fire\ndelete fire-5,fire-4,fire-1,death-5,death-4,death-1\nB ? 3 down\n",
    ),
    "a hand that stays too large": (
        3, "cache.five-card-limit",
        "position compile/8A.action.-/fire.life.plague:;;:f0,f1,f3,l2,p5,p4,l5:5:/death.metal.speed:;;:4:9:\n"
        "A life-5 2 down\nB turn 9\nB ? 1 down\n",
    ),
    "a covered card": (
        3, "target.uncovered-by-default",
        "position compile/8A.action.-/fire.life.plague:f5*,f4*;;:l1,f3:6:/death.metal.speed:d3*;;:s1,s2,d4:9:\n"
        "A life-1 2\nflip fire-5\nflip death-3\nB speed-1 2 down\n",
    ),
    "a shift to where it lies": (
        3, "shift.other-line-same-side",
        "position compile/8B.action.-/fire.life.plague:f3*;;:f1,l5,p4:6:/death.metal.speed:;;:s4,s2,d4:9:\n"
        "B speed-4 Speed\nshift fire-3 into Fire\nA refresh +2\n",
    ),
    "the same order": (
        3, "rearrange.must-differ",
        "position compile/8A.action.A/fire.life.plague:;f3*;:l1,f1:l2,l3,l4,p1,p2:/death.metal.speed:;;:s5,s2,d4:9:\n"
        "A refreshes\nA arranges B death metal speed\nA draws 3\nB speed-2 Speed\n",
    ),
    "a play after the end": (
        4, "victory.three-compiled",
        "position compile/9A.compile.-/fire.life!.plague!:f5,f3,f4;;:l2,l5:9:/death.metal.speed:d2*;m2*;:4:9:\n"
        "A compiles Fire\ndelete fire-5,fire-3,fire-4,death-2\nB metal-3* Death\n",
    ),
    "another player's hand": (
        4, "return.field-to-hand",
        "position compile/8A.action.-/fire.life.plague:;;:f2,f1,f3:6:/death.metal.speed:;;s5:s1,s2,d4:9:\n"
        "A fire-2 1\nA discards fire-1\nreturn speed-5 to A\nB speed-1 2 down\n",
    ),
}  # fmt: skip


@pytest.mark.every("sheet", HONEST.values(), ids=HONEST)
def test_an_honest_sheet_in_an_order_of_its_own_is_not_accused(sheet: str) -> None:
    assert findings(f"{BEGINNING}\n{sheet}") == []


@pytest.mark.every(("line", "rule", "sheet"), WRONG.values(), ids=WRONG)
def test_a_mistake_is_found_once_in_its_line_by_the_rule_that_a_judge_would_name(
    line: int, rule: str, sheet: str
) -> None:
    assert findings(f"{BEGINNING}\n{sheet}") == [(line, rule)]


def test_a_header_may_tell_a_position_with_the_protocols_that_the_first_line_has() -> None:
    side = '{"protocols":["%s","%s","%s"],"lines":[[],[],[]],"hand":[],"deck":5,"trash":[]}'
    sides = f'"A":{side % ("fire", "life", "plague")},"B":{side % ("death", "metal", "speed")}'
    header = f'header {{"setup":{{"position":{{"turn":7,"phase":"action","player":"A","sides":{{{sides}}}}}}}}}'
    assert findings(f"{BEGINNING}\n{header}\nA refresh\n") == []
    with pytest.raises(LogError):
        findings(f"{BEGINNING.replace('plague', 'water')}\n{header}\nA refresh\n")
