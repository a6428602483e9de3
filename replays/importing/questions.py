"""Questions that a source leaves open, numbered as they come up, and the answers given to them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from msgspec import Struct, to_builtins

from audit.core.errors import AuditError
from audit.core.sentences import sentence
from replays.error_words import phrase

OUT = "out"
"""The answer that leaves something out."""
MAX_FOUND = 60
_PLACE = re.compile(r"line (?P<line>\d+)(?:, column (?P<column>\d+))?")


class AnswerError(AuditError):
    """An answer that the question does not allow, or to a question that nobody asks."""

    def __init__(self, number: int, found: str, expected: tuple[str, ...]) -> None:
        told = ", ".join(expected) or "no such question"
        super().__init__(f"answer {number}: expected {told}, found {found[:MAX_FOUND]}")
        self.number = number
        self.found = found
        self.expected = expected


class Question(Struct, frozen=True):
    """What cannot be told: where it stands, its kind, what it is about, and what may be answered.

    `key` is the sentence, `told` what stands in it.
    """

    number: int
    key: str
    where: str
    told: Mapping[str, str]
    answers: tuple[str, ...]


class Unread(Struct, frozen=True):
    """Something that was left out, and why: `key` is the sentence, `told` what stands in it."""

    key: str
    where: str
    told: Mapping[str, str] = {}


Answering = Callable[[Question], str | None]
"""Gives the answer to a question, or None where there is none."""


class Asker:
    """Numbers the questions, and takes the answers that are there."""

    def __init__(self, answering: Answering) -> None:
        self.open: list[Question] = []
        """The questions without an answer."""
        self._answering = answering
        self._count = 0

    def ask(self, key: str, where: str, answers: tuple[str, ...], **told: str) -> str | None:
        """The answer, if there is one; raises `AnswerError` for one that is not possible."""
        self._count += 1
        question = Question(self._count, key, where, told, answers)
        answer = self._answering(question)
        if answer is None:
            self.open.append(question)
        elif answer not in answers:
            raise AnswerError(question.number, answer, answers)
        return answer

    def check(self, given: Mapping[int, str]) -> None:
        """Raises `AnswerError` for an answer to a question that was not asked."""
        for number, answer in given.items():
            if not 0 < number <= self._count:
                raise AnswerError(number, answer, ())


def published(one: Question | Unread, language: str) -> dict[str, object]:
    """A question or what was left out as plain data, with its sentence."""
    plain: dict[str, object] = to_builtins(one)
    return {**plain, "message": gathered_words(one, language)}


def gathered_words(one: Question | Unread, language: str) -> str:
    """A question, or what was left out and why, in words."""
    told = {name: phrase(language, said) or said for name, said in one.told.items()} if language != "en" else one.told
    data = {"where": place_words(one.where, language), **told}
    return sentence("replays", language, one.key, data, "terminal")


def place_words(where: str, language: str) -> str:
    """Where something stands in a source: `line 6, column 44`, or a place in a save as it is called there."""
    found = _PLACE.fullmatch(where)
    if not found:
        return where
    key = "place_column" if found["column"] else "place_line"
    return sentence("replays", language, key, found.groupdict(), "terminal")
