"""What several pages of cases say: cases that are alike, and the way back to a case."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Response, redirect, url_for
from msgspec import Struct

from replays.cases.precedents import Likeness
from replays.cases.words import (
    case_word,
    why_words,
)
from web.cases.shelf import (
    book,
)
from web.site.languages import chosen


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
