"""A case: the fold of its events, and what may happen next in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from audit.core.errors import AuditError
from audit.core.model import Player
from replays.cases.events import (
    AnyEvent,
    Appealed,
    CaseEvent,
    Claimed,
    Evidence,
    MadeFinal,
    Noted,
    Opened,
    Opined,
    QuestionChanged,
    Remedied,
    Reworded,
    Ruled,
    Shared,
    Superseded,
    Withdrawn,
)
from replays.trust.ledger import line_with, misread, read_line


class CaseState(StrEnum):
    """How far a case is."""

    OPEN = "open"
    APPEALED = "appealed"
    RULED = "ruled"
    FINAL = "final"
    SUPERSEDED = "superseded"
    WITHDRAWN = "withdrawn"


URGENT = (CaseState.APPEALED, CaseState.OPEN, CaseState.RULED)
"""The states in which somebody still has to do something, the most urgent first."""

HEAD_JUDGE = "head-judge"
JUDGES = ("judge", HEAD_JUDGE)


class CaseError(AuditError):
    """Something that cannot happen in a case as it is: which case, and why."""

    def __init__(self, case: str, reason: str) -> None:
        super().__init__(f"case {case}: {reason}")
        self.case = case
        self.reason = reason


class RepairUnsaidError(CaseError):
    """A ruling has the position repaired and says in no word of its own what is put right."""

    def __init__(self, case: str) -> None:
        super().__init__(case, "the reason has to say what is put right; it only says the rule")


def players_of(opened: Opened) -> tuple[Player, ...]:
    """Who plays in the game that a case is about."""
    return tuple(Player(seat, name) for seat, name in opened.players.items())


class Case(Struct, frozen=True):
    """A case as it is after all its events. Its version is their number; `opened` has the question as it is now."""

    opened: Opened
    events: tuple[AnyEvent, ...]
    state: CaseState = CaseState.OPEN
    is_public: bool = False
    superseded_by: str = ""

    @property
    def id(self) -> str:
        """What it is called for ever."""
        return self.opened.id

    @property
    def version(self) -> int:
        """How many events it has."""
        return len(self.events)

    @property
    def claims(self) -> tuple[Claimed, ...]:
        """What each player says happened."""
        return tuple(each for each in self.events if isinstance(each, Claimed))

    @property
    def noted(self) -> tuple[Noted, ...]:
        """What judges wrote down, such as what everybody agrees on."""
        return tuple(each for each in self.events if isinstance(each, Noted))

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Files and quotations."""
        return tuple(each for each in self.events if isinstance(each, Evidence))

    @property
    def opinion(self) -> Opined | None:
        """The last opinion of the auditor."""
        return next((each for each in reversed(self.events) if isinstance(each, Opined)), None)

    @property
    def rulings(self) -> tuple[Ruled, ...]:
        """Every ruling in its last words, the first one first."""
        found: list[Ruled] = []
        for each in self.events:
            if isinstance(each, Ruled):
                found.append(each)
            elif isinstance(each, Reworded) and found:
                found[-1] = replace(found[-1], reasons=each.reasons)
        return tuple(found)

    @property
    def ruling(self) -> Ruled | None:
        """The ruling that holds."""
        return self.rulings[-1] if self.rulings else None

    @property
    def remedies(self) -> tuple[Remedied, ...]:
        """The branches in which the game goes on."""
        return tuple(each for each in self.events if isinstance(each, Remedied))

    @property
    def is_final(self) -> bool:
        """A ruling holds and nobody can appeal any more."""
        return self.state is CaseState.FINAL

    @property
    def last(self) -> AnyEvent:
        """What happened last."""
        return self.events[-1]


def evolve(case: Case | None, event: AnyEvent) -> Case:
    """The case after one more event. It never validates."""
    if case is None:
        assert isinstance(event, Opened)
        return Case(event, (event,))
    after = replace(case, events=(*case.events, event))
    match event:
        case Ruled():
            return replace(after, state=CaseState.FINAL if event.role == HEAD_JUDGE else CaseState.RULED)
        case Appealed():
            return replace(after, state=CaseState.APPEALED)
        case MadeFinal():
            return replace(after, state=CaseState.FINAL)
        case Withdrawn():
            return replace(after, state=CaseState.WITHDRAWN)
        case Superseded():
            return replace(after, state=CaseState.SUPERSEDED, superseded_by=event.case)
        case Shared():
            return replace(after, is_public=event.audience == "public")
        case QuestionChanged():
            return replace(after, opened=_asked_anew(case.opened, event.questions))
        case _:
            return after


def _asked_anew(opened: Opened, questions: Mapping[str, str]) -> Opened:
    """The opening with the question in these words; in its own language, or the first of them."""
    others = dict(questions)
    lang = opened.lang if opened.lang in others else next(iter(others))
    return replace(opened, question=others.pop(lang), lang=lang, questions=others)


def check(case: Case, event: AnyEvent) -> None:
    """Raise `CaseError` where this cannot happen now, or not by this role."""
    if reason := _refusal(case, event):
        raise CaseError(case.id, reason)


def _refusal(case: Case, event: AnyEvent) -> str:
    state = case.state
    if event.role not in JUDGES and not isinstance(event, Appealed | Claimed):
        return f"needs the role of a judge; this is a {event.role}"
    match event:
        case Opened():
            return "it was opened already"
        case Claimed() | Noted() | Opined():
            player = getattr(event, "player", None)
            absent = "" if player is None else _absent(case, player)
            return absent if state in URGENT else f"it is {state}"
        case Evidence():
            named = bool(event.sha256) or bool(event.text)
            return (f"it is {state}" if state not in URGENT else "") if named else "name a file or the printed words"
        case Ruled():
            return _ruling_refused(case, event)
        case Reworded():
            return _rewording_refused(case, event)
        case QuestionChanged():
            return _question_refused(case, event)
        case Appealed():
            absent = _absent(case, event.player)
            return absent if state is CaseState.RULED else f"only a ruling can be appealed; it is {state}"
        case MadeFinal():
            return "" if state is CaseState.RULED else f"only a ruling becomes final; it is {state}"
        case Withdrawn():
            return "" if state in (CaseState.OPEN, CaseState.APPEALED) else f"it is {state}"
        case Superseded():
            if event.case == case.id:
                return "a case cannot take its own place"
            return "" if case.ruling and state in (CaseState.RULED, CaseState.FINAL) else f"it is {state}"
        case Remedied():
            return "" if case.ruling and state is not CaseState.WITHDRAWN else "rule first"
        case Shared():
            return ""


def _ruling_refused(case: Case, event: Ruled) -> str:
    if case.state is CaseState.APPEALED and event.role != HEAD_JUDGE:
        return "it was appealed: a head judge rules now"
    if case.state not in (CaseState.OPEN, CaseState.APPEALED):
        return f"it is {case.state}; a later case can take its place"
    if not event.reasons:
        return "a ruling has a reason"
    return _absent(case, event.penalty.player) if event.penalty else ""


def _rewording_refused(case: Case, event: Reworded) -> str:
    if not event.reasons:
        return "a ruling has a reason"
    if case.state is CaseState.FINAL:
        return "" if event.role == HEAD_JUDGE else "it is final: a head judge changes its words"
    return "" if case.state is CaseState.RULED else f"only a ruling is said in other words; it is {case.state}"


def _question_refused(case: Case, event: QuestionChanged) -> str:
    if not event.questions:
        return "a case has a question"
    if case.state is CaseState.FINAL:
        return "" if event.role == HEAD_JUDGE else "it is final: a head judge changes its words"
    return "" if case.state in URGENT else f"it is {case.state}"


def _absent(case: Case, player: str) -> str:
    """That nobody of that seat plays; empty where somebody does, or where it is not known who plays."""
    seats = case.opened.players
    return f"nobody called {player} plays; there are {', '.join(seats)}" if seats and player not in seats else ""


def line_of(event: CaseEvent) -> bytes:
    """An event as a line."""
    return line_with(msgspec.to_builtins(event))


def read_case(lines: Sequence[bytes], name: str) -> Case:
    """The case of a ledger; raises `LogError` where a line is none."""
    if not lines:
        raise misread(name, 0, "a case", "nothing")
    events = [_read(line, name, number) for number, line in enumerate(lines, 1)]
    if not isinstance(events[0], Opened) or any(isinstance(each, Opened) for each in events[1:]):
        raise misread(name, 1, "a case: opened first, and once", "another event")
    return fold(events)


def _read(line: bytes, name: str, number: int) -> AnyEvent:
    found: AnyEvent = read_line(line, AnyEvent, name, number)  # type: ignore[arg-type]
    return found


def fold(events: Iterable[AnyEvent]) -> Case:
    """The case after these events."""
    case: Case | None = None
    for event in events:
        case = evolve(case, event)
    assert case
    return case
