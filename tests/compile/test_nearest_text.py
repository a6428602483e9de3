"""Which text is named where none calls for what was done: the one that would do exactly this, and why it does not."""

from __future__ import annotations

import pytest

from audit.core.auditor import audit
from audit.games.compile import RULESET
from replays.scoresheet.sheet import read_sheet

B = "death.life.plague:d2*;;:4:9:"


@pytest.mark.every(
    ("side", "told", "reason", "card"),
    [
        ("fire.speed.metal:;s1s5;m3*:f2m5:9:", "A draw 2", "triggered.covered", "speed-1"),
        ("fire.speed.metal:;s1s5;m3*:f2m5:9:", "A draw 1", "uncalled.after_you_clear_cache", "speed-1"),
        ("fire.speed.metal:f1*;;m3*:f2m5:9:", "delete d2", "triggered.face_down", "fire-1"),
        ("fire.peace.metal:;peace-1;m3*:f2m5:9:", "A draw 1", "triggered.unmet", "peace-1"),
        ("fire.courage.metal:;c2;m3*:f2m5:9:", "A draw 1", "triggered.unmet", "courage-2"),
        ("fire.courage.metal:;c2f1;m3*:f2m5:9:", "A draw 1", "triggered.covered", "courage-2"),
    ],
)
def test_the_text_that_would_do_exactly_this_is_named_with_the_reason(
    side: str, told: str, reason: str, card: str
) -> None:
    second = side.split(":", 1)[0].replace(".", " ")
    first = f"game r1   A Ada: {second}   B Bo: death life plague   first A"
    lines = [first, f"position compile/8A.action.-/{side}/{B}", "A m5* 1", told, "B ? 3 down"]
    steps = audit(RULESET, *read_sheet("\n".join(lines), game="compile"))
    (found,) = [step for step in steps if step.verdict.is_finding]
    assert (found.seq, found.violations[0].key, found.violations[0].data) == (3, reason, {"card": card})


def reason(*lines: str) -> tuple[int | None, str, object]:
    """Where the only finding of a sheet is, the key of its reason, and the line or number that was asked for."""
    steps = audit(RULESET, *read_sheet("\n".join(lines), game="compile"))
    (found,) = [step for step in steps if step.verdict.is_finding]
    first = found.violations[0]
    return found.seq, first.key, first.data.get("line", first.data.get("asked"))


def test_a_line_in_which_a_text_plays_nothing_is_named_before_that_the_text_has_acted() -> None:
    given = (
        "game r2   A Ada: ice fear war   B Bo: smoke chaos peace   first A",
        "position compile/8B.action.-/ice.fear.war:ice3;fear2*;:3:12:/smoke.chaos.peace:;chaos2;peace6:4:10:",
        "B smoke0 1",
        "B ?1* 2 deck",
    )
    assert reason(*given, "B ?2* 3 deck") == (4, "play.line_face_up", 3)
    assert reason(*given, "B ?2* 2 deck") == (4, "uncalled.acted", None)


def test_a_card_that_shows_another_number_than_was_named_is_told_with_that_number() -> None:
    told = reason(
        "game r3   A Ada: luck ice mirror   B Bo: time smoke war   first A",
        "position compile/7A.action.-/luck.ice.mirror:luck5*;ice2;mirror5*:4:10:/time.smoke.war:time3;smoke2;:5:10:",
        "A luck0 1",
        "A number 4",
        "Ada draws Ice 3, Mirror 1 and Luck 4.",
        "A reveal ice-3",
    )
    assert told == (5, "match.named", "4")
