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
