"""What a sheet leaves out although somebody chose it: the next line tells what was chosen, or nothing was to choose."""

from __future__ import annotations

from io import BytesIO

from audit.core.auditor import audit
from audit.core.model import Verdict
from audit.core.steps import Step
from replays.scoresheet.opening import opened

FROM_TRASH = (
    "game g   A Ada: smoke time ice   B Bo: courage chaos peace   first A\n"
    "position compile/11A.action.-/smoke.time.ice:;time5;:3:9:ice4,smoke5/courage.chaos.peace:;;:4:9:\n"
    "A time-3 2\nA {} 1 trash\n"
)
WHOLE_HAND = (
    "game g   A Ada: chaos peace courage   B Bo: clarity war smoke   first A\n"
    "position compile/21A.control.-/chaos.peace.courage:chaos5,chaos4,chaos2;;:3:7:/clarity.war.smoke:;war2;:4:9:\n"
    "A compile 1\nB clarity-5 1\nB discard smoke-5\n"
)


def steps(sheet: str) -> list[Step]:
    log = opened(BytesIO(sheet.encode()))
    return list(audit(log.ruleset, log.header, log))


def found(sheet: str) -> list[int | None]:
    assert not [step for step in steps(sheet) if step.verdict in (Verdict.UNCHECKED, Verdict.UNDETERMINED)]
    return [step.seq for step in steps(sheet) if step.verdict.is_finding]


def test_a_card_played_from_the_trash_was_shown_there() -> None:
    assert found(FROM_TRASH.format("ice-4*")) == []
    assert found(FROM_TRASH.format("ice-5*")) == [3]  # it is not there


def test_of_a_whole_hand_nobody_picks() -> None:
    assert found(WHOLE_HAND + "A refresh\n") == []
    assert found(WHOLE_HAND + "A peace-6* 2\n") == [5]  # War 2 has left no card in the hand
