"""Two documents answer one question at a table, each by another rule."""

from __future__ import annotations

import pytest

from audit.core.catalogue import LANGUAGES, words
from audit.games.compile.rules import CATALOGUE
from audit.rulebooks.answers import answered_otherwise, questions_of, without_repeated
from audit.rulebooks.findings import Finding
from audit.rulebooks.segments import Placed, Side
from audit.rulebooks.statements import Saying
from audit.rulebooks.terms import term_base

PACKAGE = CATALOGUE.package
BASE = term_base(PACKAGE)
ENDS = ("pl", "turn.compile-instead-of-action", "To kończy turę.")
GOES_ON = ("fr", "turn.cache-after-compile", "Vous devez passer à la phase Mémoire cache.")


def says(document: str, rule: str, text: str) -> Saying:
    return Saying(document, (rule,), Side(document, (Placed("1.1", 0, text, (1, 1), f"{document}/1", ""),)))


def told(*said: tuple[str, str, str]) -> list[Finding]:
    return list(answered_otherwise(questions_of(PACKAGE), [says(*one) for one in said], BASE))


def test_two_documents_that_answer_differently_are_one_finding_with_the_words_of_both() -> None:
    (found,) = told(ENDS, GOES_ON)
    assert (found.languages, found.severity) == (("pl", "fr"), "changes")
    assert found.message("en") == (
        "What comes after a compile? In Polish it says “kończy turę”, in French “devez passer à la phase "
        "Mémoire cache”."
    )


def test_documents_that_give_the_same_answer_are_no_finding() -> None:
    assert told(GOES_ON, ("it", "turn.cache-after-compile", "Devi passare alla Convalida Cache.")) == []


def test_a_document_that_says_more_at_another_place_is_held_to_that() -> None:
    from_hand = ("fr", "discard.from-hand", "Mettez une carte de la main dans la défausse.")
    deck_too = ("fr", "discard.deck-counts-too", "Cela vaut pour la main et pour la pioche.")
    narrow = ("it", "discard.from-hand", "Metti una carta dalla mano agli scarti.")
    assert told(from_hand, narrow) == []
    (found,) = told(from_hand, deck_too, narrow)
    assert dict(found.data)["question"] == "discard-from-deck"


def test_words_that_are_quoted_as_an_answer_are_not_told_again() -> None:
    answered = told(ENDS, GOES_ON)
    assert without_repeated(answered, answered) == []
    assert without_repeated(answered, []) == answered


def test_a_game_without_questions_has_none() -> None:
    assert questions_of("audit.games.altered") == ()


@pytest.mark.every("language", LANGUAGES)
def test_every_question_is_asked_in_every_language_about_rules_that_there_are(language: str) -> None:
    asked = words(PACKAGE, language, "questions")
    assert {*asked} == {question.id for question in questions_of(PACKAGE)}
    assert {rule for question in questions_of(PACKAGE) for rule in question.rules} <= {*CATALOGUE.rules}


@pytest.mark.every(
    ("italian", "agrees"),
    [
        ("Se non ci sono abbastanza carte, pescale tutte, poi rimescola gli scarti e pesca le altre.", "pl"),
        ("Se non ci sono abbastanza carte, rimescola gli scarti, poi pesca le altre.", "fr"),
        ("Se non puoi pescare abbastanza carte, rimescola gli scarti, poi pesca le altre.", "fr"),
    ],
)
def test_an_answer_about_order_goes_by_which_step_is_stated_first(italian: str, agrees: str) -> None:
    rule = "refresh.short-deck"
    french = ("fr", rule, "Si la pioche ne suffit pas, mélangez la défausse.")
    polish = ("pl", rule, "Jeśli talia nie wystarcza, gracz dobiera całą, a następnie przetasowuje karty z kosza.")
    (found,) = told(polish, french, ("it", rule, italian))
    assert sorted(found.languages) == ["fr", "it", "pl"]
    assert any({"it", agrees} == {*side} for side in found.sides)
