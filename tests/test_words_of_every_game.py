"""The words of every game: each rule, event and finding is told in four languages, whole, and in words of our own."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from itertools import combinations
from string import Formatter

import pytest

from audit.core.catalogue import LANGUAGES, words
from audit.core.model import type_name
from audit.core.record_events import RECORD_EVENTS
from audit.core.ruleset import ruleset, rulesets
from audit.rulebooks.clauses.frames import facts
from audit.rulebooks.terms import term_base
from tests.conftest import SHARED

PLURALS = {
    "en": {"one", "other"},
    "fr": {"one", "other"},
    "it": {"one", "other"},
    "pl": {"one", "few", "many", "other"},
}
LETTERS = {"fr": "éèêàçôî", "it": "àèìòù", "pl": "ąćęłńóśźż"}
RUN = 8
"""So many words in a row that are those of a document are its sentence."""

of_every_game = pytest.mark.every("name", rulesets())
in_every_language = pytest.mark.every("language", LANGUAGES)


def package(name: str) -> str:
    return ruleset(name).catalogue.package


def forms(name: str, language: str, file: str) -> dict[str, str]:
    """Every text of a language file; plural forms one by one, and what a card does by its boxes."""
    if file == "cards":
        path = resources.files(package(name)).joinpath("text", language, "cards.toml")
        told = tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}
    else:
        told = dict(words(package(name), language, file))
    plain = {key: text for key, text in told.items() if isinstance(text, str)}
    return plain | {
        f"{key} {form}": text for key, some in told.items() if key not in plain for form, text in some.items()
    }


def places(told: object) -> set[str]:
    """What a text leaves to be filled in, over all its forms."""
    texts = told.values() if isinstance(told, Mapping) else [str(told)]
    return {name for text in texts for _, name, _, _ in Formatter().parse(text) if name is not None}


def is_whole(text: str) -> bool:
    opening = text.lstrip('„“«" \u00a0')[:1]
    return (opening.isupper() or opening == "{") and text.endswith(".") and "  " not in text


@pytest.mark.every(
    ("text", "whole"),
    [("Draw 2.", True), ("{n} cards.", True), ("over.", False), ("Over", False), ("A  b.", False), ("", False)],
)
def test_half_a_sentence_is_told_from_a_whole_one(text: str, whole: bool) -> None:
    assert is_whole(text) is whole


@of_every_game
@in_every_language
def test_every_rule_has_a_whole_statement_of_its_own_in_the_order_of_the_rules(name: str, language: str) -> None:
    statements = forms(name, language, "rules")
    assert list(statements) == list(ruleset(name).catalogue.rules), f"text/{language}/rules.toml"
    assert len(set(statements.values())) == len(statements)
    assert [id for id, text in statements.items() if not is_whole(text) or places(text)] == []


@of_every_game
@in_every_language
def test_sentences_and_summaries_of_cards_are_whole(name: str, language: str) -> None:
    told = forms(name, language, "cards") | forms(name, language, "sentences")
    assert [key for key, text in told.items() if not is_whole(text)] == []


@of_every_game
@in_every_language
def test_every_language_says_the_same_things_and_fills_in_the_same_places(name: str, language: str) -> None:
    for file in ("sentences", "names"):
        english, theirs = words(package(name), "en", file), words(package(name), language, file)
        assert list(theirs) == list(english)
        assert [key for key, text in theirs.items() if places(text) != places(english[key])] == []


@of_every_game
@in_every_language
def test_sentences_with_a_number_have_every_plural_form(name: str, language: str) -> None:
    counted = {
        key: set(some) for key, some in words(package(name), language, "sentences").items() if not isinstance(some, str)
    }
    assert counted
    assert {key: some for key, some in counted.items() if some != PLURALS[language]} == {}


@of_every_game
@pytest.mark.every("language", LETTERS)
def test_a_translation_differs_from_the_english_everywhere_and_has_all_its_letters(name: str, language: str) -> None:
    for file in ("rules", "sentences"):
        english, theirs = words(package(name), "en", file), words(package(name), language, file)
        assert [key for key, text in theirs.items() if text == english.get(key)] == []
    written = {*"".join([*forms(name, language, "rules").values(), *forms(name, language, "sentences").values()])}
    assert set(LETTERS[language]) - written == set()


@of_every_game
@in_every_language
def test_every_kind_of_event_has_a_name(name: str, language: str) -> None:
    named = {key.partition(".")[2] for key in words(package(name), language, "names") if key.startswith("event.")}
    declared = {type_name(event) for event in ruleset(name).rules.events}
    assert named == declared - {*map(type_name, RECORD_EVENTS)}


# No words of a document


def runs(text: str) -> Iterator[tuple[str, ...]]:
    """Every run of eight words in a row, whatever stands between them."""
    tokens = re.findall(r"\w+", text.casefold())
    return zip(*(tokens[start:] for start in range(RUN)), strict=False)


@cache
def printed() -> frozenset[tuple[str, ...]]:
    """Every run of words in any rulebook."""
    files = sorted((SHARED / "rulebooks").glob("*.txt"))
    return frozenset(run for path in files for run in runs(path.read_text("utf-8")))


needs_rulebooks = pytest.mark.skipif(not (SHARED / "rulebooks").is_dir(), reason="the rulebooks are not here")


@needs_rulebooks
def test_a_borrowed_sentence_would_be_noticed() -> None:
    document = next((SHARED / "rulebooks").glob("*.txt"))
    longest = max(document.read_text("utf-8").splitlines(), key=len)
    assert {*runs(longest)} <= printed()
    assert {*runs(longest)}


@needs_rulebooks
@of_every_game
@in_every_language
def test_no_sentence_shares_eight_words_in_a_row_with_a_rulebook(name: str, language: str) -> None:
    for file in ("rules", "sentences", "names", "cards"):
        told = forms(name, language, file)
        assert [key for key, text in told.items() if not printed().isdisjoint(runs(text))] == []


SAME_NUMBER_IN_OTHER_WORDS = {"compile.not-stopped-midway"}
"""Nine or less in one language, less than ten in the others."""


def numbers(text: str, language: str) -> set[str]:
    """The numbers above one that a sentence says, by the tables of the checks for rulebooks."""
    base = term_base(package("compile"))
    said = (re.fullmatch(r"(?:[a-z-]+-)?(\d{1,2})", fact.value) for fact in facts(text, language, base)
            if fact.name.partition(":")[0] in ("number", "amount"))  # fmt: skip
    return {found[1] for found in said if found} - {"1"}


@of_every_game
def test_no_language_gives_a_rule_another_number(name: str) -> None:
    told = {language: forms(name, language, "rules") for language in LANGUAGES}
    for rule in told["en"].keys() - SAME_NUMBER_IN_OTHER_WORDS:
        said = {language: numbers(told[language][rule], language) for language in LANGUAGES}
        for one, other in combinations(said.values(), 2):
            assert one <= other or other <= one, (rule, said)
