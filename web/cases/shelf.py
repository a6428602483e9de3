"""The cases of this application, who reads and writes them, and what their pages share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import cast

from flask import Blueprint, Response, abort, current_app, redirect, request, url_for
from flask_babel import gettext as _
from msgspec import Struct

from audit.core.catalogue import LANGUAGES
from audit.core.names import cards_in
from audit.core.ruleset import ruleset
from audit.core.typography import folded
from audit.rulebooks.titles import rules_titled
from replays.cases.book import CaseBook, UnknownCaseError
from replays.cases.case import Case
from replays.cases.disclosed import ToldCase, told
from replays.cases.note import now
from replays.cases.precedents import Likeness
from replays.cases.shelves import shelf_beside, shelf_without_games
from replays.cases.words import (
    case_word,
    why_words,
)
from web.games.library import Library
from web.games.store_library import StoreLibrary
from web.site.labels import card_name, chosen, rule_title
from web.site.reader import reader
from web.site.tokens import Token
from web.site.write_access import known_name, known_role

cases = Blueprint("cases", __name__)


class AlikeView(Struct, frozen=True):
    """Something decided before, as a page tells it."""

    it: Likeness
    question: str
    decision: str
    why: Sequence[str]


def word(key: str, **data: object) -> str:
    """A word about cases in the language of the page."""
    return case_word(chosen(), key, **data)


def alike(found: Sequence[Likeness]) -> list[AlikeView]:
    """What was decided before, each with its question or its title, what was decided, and why it is thought alike."""
    return [AlikeView(each, *_decided(each), why_words(chosen(), each.why)) for each in found]


def _decided(each: Likeness) -> tuple[str, str]:
    if each.kind != "case":
        return "", ""
    case = book().case(each.id)
    told = case.opened.questions.get(chosen()) or case.opened.question
    return told, word(f"decision.{case.ruling.decision}") if case.ruling else ""


def to_case(id: str, anchor: str = "now") -> Response:
    """The answer to a form: on to the page of the case."""
    answer: Response = redirect(url_for("cases.page", case=id, _anchor=anchor), 303)  # type: ignore[assignment]
    return answer


ROLES = ("judge", "head-judge")


def book() -> CaseBook:
    """The cases of this machine; new ones go into the store, or, without stored games, into the data folder."""
    kept = current_app.extensions.get("audit.cases")
    if kept is None:
        inner = cast(Library, current_app.extensions["audit.library"])
        shelf = shelf_beside(inner.store) if isinstance(inner, StoreLibrary) else shelf_without_games()
        kept = current_app.extensions["audit.cases"] = CaseBook(shelf)
    return cast(CaseBook, kept)


def readable() -> list[Case]:
    """The cases that this reader may know of: a judge all of them, others the public ones."""
    return [case for case in book().all() if reader().is_judge or case.is_public]


def seen(name: str, *, as_public: bool = False) -> tuple[Case | None, ToldCase | None]:
    """A case whole for a judge; for others what everybody may know. Ends the request where that is nothing."""
    try:
        case = book().case(name)
    except UnknownCaseError:
        abort(404)
    if reader().is_judge and not as_public:
        return case, None
    public = told(case)
    if public is None:
        abort(404)
    return None, public


def for_judges(name: str) -> Case:
    """A case for a judge; ends the request for anybody else as if there were none."""
    case, _public = seen(name)
    if case is None:
        abort(404)
    return case


def judges_only() -> None:
    """End the request of anybody who is no judge."""
    if not reader().is_judge:
        abort(403, description=_("Cases are for judges. Sign in with the token of a judge."))


def usual_role() -> str:
    """The role in which a judge at this machine writes: the one of the last form."""
    role = known_role()
    return role if role in ROLES else ROLES[0]


def named(token: Token | None) -> dict[str, str]:
    """The name, the role and the time of what is written: of a token, or of who sits at this machine."""
    if token:
        return {"by": token.name, "role": str(token.role), "at": now()}
    role = request.form.get("role", "judge")
    if role not in ROLES:
        abort(400)
    return {"by": request.form.get("by", "").strip() or known_name() or _("judge"), "role": role, "at": now()}


def whose_word(token: Token | None) -> str:
    """Whose word an append is, as the store writes it down."""
    return f"token {token.id} {token.name}" if token else "at this machine"


BETWEEN = "; "
"""What stands between two names: a name may have commas and blanks."""
_APART = re.compile(r"\s*[;\n]\s*")
_IDS = re.compile(r"[\s,]+")
DAY = len("2026-11-30")
MOST_LETTERS = 90
"""A case is called by so many letters of its question."""


def rules_shown(name: str, rules: Iterable[str]) -> str:
    """Rules by their titles; one whose title is not its own by its id."""
    return BETWEEN.join(title if _rules_called(name, title) == [rule] else rule for rule, title in _titled(name, rules))


def rules_typed(name: str, text: str) -> list[str]:
    """The ids of rules that are typed by their titles in any language, or as ids with blanks or commas between."""
    return list(dict.fromkeys(_things(text, lambda part: _rules_called(name, part))))


def cards_shown(name: str, cards: Iterable[str]) -> str:
    """Cards by their names in the reader's language."""
    return BETWEEN.join(card_name(name, card) for card in cards)


def cards_typed(name: str, text: str, known: Sequence[str]) -> list[str]:
    """The ids of cards that are typed by their names in any language, or as ids; `known` are those of the case."""
    wording, package = ruleset(name).wording, ruleset(name).catalogue.package

    def called(part: str) -> Sequence[str]:
        names = {
            folded(str(wording.finding_words({"card": card}, language).get("card"))): card
            for card in known for language in LANGUAGES
        }  # fmt: skip
        return [names[folded(part)]] if folded(part) in names else cards_in(package, part)

    return list(dict.fromkeys(_things(text, called)))


def _things(text: str, called: Callable[[str], Sequence[str]]) -> Iterator[str]:
    """What each part of a text is called, or else the words of it as they stand."""
    for part in filter(None, _APART.split(text.strip())):
        yield from called(part) or filter(None, _IDS.split(part))


def _titled(name: str, rules: Iterable[str]) -> Iterator[tuple[str, str]]:
    yield from ((rule, rule_title(name, rule)) for rule in rules)


def _rules_called(name: str, title: str) -> list[str]:
    """The rules whose title in some language is that."""
    known = ruleset(name).catalogue.rules
    return [rule for rule in rules_titled(title) if rule in known]


def case_question(case: Case | ToldCase) -> str:
    """The question of a case in the reader's language, where it has one there."""
    told = case if isinstance(case, ToldCase) else case.opened
    return told.questions.get(chosen()) or told.question


def case_called(case: Case | ToldCase) -> str:
    """A case by its day, its players where it is whole, and its question: its id says nothing to anybody."""
    question = case_question(case)
    said = question if len(question) <= MOST_LETTERS else f"{question[:MOST_LETTERS].rstrip()}…"
    if isinstance(case, ToldCase):
        return f"{case.opened[:DAY]} · {said}"
    players = " – ".join(filter(None, case.opened.players.values()))
    return " · ".join(filter(None, (case.opened.at[:DAY], players, said)))
