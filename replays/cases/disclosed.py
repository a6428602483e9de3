"""What everybody may know of a case: nothing that could tell a hidden card, and nothing that concerns one player alone.

It fails closed: what is not named here is not told, and of a case that is not public nothing at all.
"""

from __future__ import annotations

from msgspec import Struct

from replays.cases.case import Case, CaseState
from replays.cases.events import Appealed, MadeFinal, Opened, Ruled, Superseded, Withdrawn


class ToldRuling(Struct, frozen=True):
    """A ruling without its penalty and without what it rests on in the position."""

    decision: str
    rules: tuple[str, ...]
    reasons: dict[str, str]
    by: str
    role: str
    at: str
    remedy: str = ""
    """What becomes of the game."""


class ToldCase(Struct, frozen=True):
    """A public case: the question, when each state began, and the rulings."""

    id: str
    question: str
    lang: str
    ruleset: str
    state: str
    opened: str
    states: tuple[tuple[str, str], ...]
    rulings: tuple[ToldRuling, ...]
    superseded_by: str
    questions: dict[str, str] = {}
    languages: tuple[str, ...] = ()


_STATES = {
    Opened: CaseState.OPEN, Ruled: CaseState.RULED, Appealed: CaseState.APPEALED, MadeFinal: CaseState.FINAL,
    Withdrawn: CaseState.WITHDRAWN, Superseded: CaseState.SUPERSEDED,
}  # fmt: skip


def told(case: Case) -> ToldCase | None:
    """The case as everybody may know it; None where it is not public.

    Of its game the ruleset alone: who may open the game is said elsewhere.
    """
    if not case.is_public:
        return None
    opened = case.opened
    rulings = tuple(
        ToldRuling(each.decision, each.rules, dict(each.reasons), each.by, each.role, each.at, each.remedy)
        for each in case.rulings
    )
    states = tuple((str(_STATES[type(each)]), each.at) for each in case.events if type(each) in _STATES)
    return ToldCase(
        opened.id, opened.question, opened.lang, opened.ruleset, str(case.state), opened.at,
        states, rulings, case.superseded_by, dict(opened.questions), opened.languages,
    )  # fmt: skip
