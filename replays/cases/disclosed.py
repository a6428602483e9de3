"""What everybody may know of a case: nothing that could tell a hidden card, and nothing that concerns one player alone.

It fails closed: what is not named here is not told, and of a case that is not public nothing at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from msgspec import Struct, to_builtins

from audit.core.disclosure import JUDGE, PUBLIC
from audit.core.errors import AuditError
from audit.core.names import cards_perhaps_in
from audit.core.record import words_in
from audit.core.record_events import words_named
from replays.cases.case import Case, evolve
from replays.cases.events import Appealed, MadeFinal, Opened, Remedied, Ruled, Superseded, Withdrawn
from replays.table.question import header_at, question


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
    back_to: int | None = None
    """The event after which the game goes on, where it was backed up."""


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


_BEGINS_STATE = (Opened, Ruled, Appealed, MadeFinal, Withdrawn, Superseded)


def told(case: Case) -> ToldCase | None:
    """The case as everybody may know it; None where it is not public.

    Of its game the ruleset alone: who may open the game is said elsewhere.
    """
    if not case.is_public:
        return None
    opened = case.opened
    rulings = tuple(
        ToldRuling(
            each.decision,
            each.rules,
            dict(each.reasons),
            each.by,
            each.role,
            each.at,
            each.remedy,
            back,
        )
        for each, back in zip(case.rulings, _backs(case), strict=True)
    )
    until = accumulate(case.events[1:], evolve, initial=Case(opened, (opened,)))
    states = tuple((str(each.state), each.last.at) for each in until if isinstance(each.last, _BEGINS_STATE))
    return ToldCase(
        opened.id, opened.question, opened.lang, opened.ruleset, str(case.state), opened.at,
        states, rulings, case.superseded_by, dict(opened.questions), opened.languages,
    )  # fmt: skip


def _backs(case: Case) -> list[int | None]:
    """After which event the game goes on by each ruling: the last branch that was made before another ruling."""
    found: list[int | None] = []
    for event in case.events:
        if isinstance(event, Ruled):
            found.append(None)
        elif isinstance(event, Remedied):
            found[-1:] = [event.to]
    return found


def secrets_named(case: Case, language: str) -> tuple[str, ...]:
    """The cards that the question or a reason names although not everybody has seen them, as they are called there."""
    opened = case.opened
    reasons = [reason for ruling in case.rulings for reason in ruling.reasons.values()]
    return secrets_in(opened, [opened.question, *opened.questions.values(), *reasons], language)


def secrets_in(opened: Opened, texts: Sequence[str], language: str) -> tuple[str, ...]:
    """The cards that these texts about a case name although not everybody has seen them, as they are called there.

    What is asked about is seen as everybody sees it: a card that is played face up is no secret. Of a position that
    this version cannot read nothing is told.
    """
    try:
        found = question(header_at(opened.position, opened.reading or None, opened.edition), opened.asked)
    except AuditError:
        return ()
    disclosure, state = found.game.disclosure, found.game.rules.start(found.header)
    seen = [to_builtins(disclosure.redact(state, event, PUBLIC)) for event in found.events]
    hidden = words_in(disclosure.view(state, JUDGE)) - words_in(disclosure.view(state, PUBLIC), *seen)
    named = words_named(texts, hidden).union(*(cards_perhaps_in(found.game.catalogue.package, text) for text in texts))
    said = (found.game.wording.finding_words({"card": card}, language)["card"] for card in sorted(named & hidden))
    return tuple(map(str, said))
