"""The rules and cards of a ruling by their names, as a form shows and takes them, and what a case is called."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from audit.core.catalogue import LANGUAGES
from audit.core.names import cards_in
from audit.core.ruleset import ruleset
from audit.core.typography import folded
from audit.rulebooks.titles import rules_titled
from replays.cases.case import Case
from replays.cases.disclosed import ToldCase
from web.site.labels import card_name, chosen, rule_title

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
