"""What commands share that ask where a source leaves something open: --answer, a prompt, and what is printed."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from commands.common import Misuse, say
from commands.common import ask as prompt

if TYPE_CHECKING:
    from replays.importing.questions import Asker, Question, Unread

MAX_SHOWN = 12

answers_option = click.option(
    "--answer", "answers", multiple=True, metavar="N=…", help="The answer to question N. May be given several times."
)
ask_option = click.option("--ask", is_flag=True, help="Ask each question in the terminal.")


class Given(Struct, frozen=True):
    """The answers that were given, and whether the others are asked for."""

    told: Mapping[int, str]
    is_asking: bool
    language: str

    def answer(self, question: Question) -> str | None:
        """The answer to a question, if there is one."""
        if question.number in self.told or not self.is_asking:
            return self.told.get(question.number)
        prompt(*_lines(question, self.language), "> ")
        for line in iter(sys.stdin.readline, ""):
            text = line.strip()
            if text in question.answers or not text:
                return text or None
            prompt(", ".join(question.answers), "> ")
        return None


def answering(answers: Sequence[str], is_asking: bool, language: str) -> Given:
    """The answers of the command line; raises `click.BadParameter`."""
    told: dict[int, str] = {}
    for one in answers:
        number, equals, answer = one.partition("=")
        if not equals or not number.isascii() or not number.isdigit() or len(number) > 6:
            raise Misuse("answer", "--answer", found=one)
        told[int(number)] = answer
    return Given(told, is_asking, language)


def say_gathered(asker: Asker, unread: Sequence[Unread], told: Sequence[Unread], language: str) -> None:
    """Print what is open, what was left out and how the source was read, on standard error."""
    from audit.core.typography import labelled
    from replays.importing.questions import gathered_words, place_words

    for one in told:
        say(gathered_words(one, language), err=True)
    for one in unread:
        say(f"✗ {labelled(language, place_words(one.where, language), gathered_words(one, language))}", err=True)
    for question in asker.open:
        say(*_lines(question, language), err=True)


def gathered_json(
    asker: Asker, unread: Sequence[Unread], told: Sequence[Unread], language: str
) -> dict[str, list[dict[str, object]]]:
    """The same as data."""
    from replays.importing.questions import published

    kinds: dict[str, Sequence[Question | Unread]] = {"questions": asker.open, "unread": unread, "told": told}
    return {name: [published(one, language) for one in each] for name, each in kinds.items()}


def _lines(question: Question, language: str) -> tuple[str, str]:
    from audit.core.typography import labelled
    from replays.importing.questions import gathered_words, place_words

    shown = [*question.answers[:MAX_SHOWN], *(["…"] if len(question.answers) > MAX_SHOWN else [])]
    place, said = place_words(question.where, language), gathered_words(question, language)
    return f"{question.number}? {labelled(language, place, said)}", f"   {' | '.join(shown)}"
