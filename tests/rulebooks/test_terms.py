"""The term base: forms, lemmas, what cannot be read, and the one of Compile."""

from __future__ import annotations

import importlib.util

import pytest

from audit.games.compile.rules import CATALOGUE
from audit.rulebooks.terms import TermError, parse_terms, term_base

LAMPS = """
[lamp]
en = "lamp"
family = "light"
fr = {term = "lampe", also = ["falot"]}
it = {term = "lampada"}
pl = {term = "latarnia"}
[lit-lamp]
en = "lit lamp"
fr = {term = "lampe allumée", forms = ["lampe* allumée*"]}
"""


def found(text: str, language: str, toml: str = LAMPS) -> list[tuple[str, str]]:
    return [(mark.marker, mark.words) for mark in parse_terms(toml).marks(text, language)]


def test_a_longer_term_hides_a_shorter_one() -> None:
    assert found("Deux lampes allumées.", "fr") == [("lit-lamp", "lampes allumées")]


@pytest.mark.skipif(importlib.util.find_spec("simplemma") is None, reason="needs the extra rulebooks")
def test_an_inflected_form_is_found_by_its_lemma() -> None:
    assert found("Prendi due lampade.", "it") == [("lamp", "lampade")]


@pytest.mark.skipif(importlib.util.find_spec("morfeusz2") is None, reason="needs the extra rulebooks")
def test_a_polish_case_is_found_by_its_lemma() -> None:
    assert found("Zgaś światło tych latarni.", "pl") == [("lamp", "latarni")]


def test_a_concept_without_a_family_is_a_family_of_its_own() -> None:
    base = parse_terms(LAMPS)
    assert (base.family("lamp"), base.family("lit-lamp")) == ("light", "lit-lamp")
    assert base.words("lamp", "fr") == ("lampe", "falot")
    assert base.words("lit-lamp", "pl") == ()


@pytest.mark.every(
    ("toml", "concept"), [("[lamp]\nfr = {term = 'lampe'}", "lamp"), ("[lamp]\nen = 'lamp'\nxx = 1", "lamp"), ("[", "")]
)
def test_an_entry_that_is_wrong_is_named(toml: str, concept: str) -> None:
    with pytest.raises(TermError) as caught:
        parse_terms(toml)
    assert caught.value.concept == concept


def test_the_base_of_compile_has_every_concept_that_a_rule_names() -> None:
    base = term_base("audit.games.compile")
    assert len(base) == 76
    assert {term for rule in CATALOGUE for term in rule.terms} <= set(base.concepts)


def test_every_term_of_compile_is_found_by_its_own_forms() -> None:
    base = term_base("audit.games.compile")
    lost = [
        (id, language)
        for id, concept in base.concepts.items()
        for language in ("fr", "it", "pl")
        if (term := concept.term(language)) and term.forms and term.forms[0].count(" ") < 4
        if id not in {mark.marker for mark in base.marks(term.forms[0].replace("*", ""), language)}
        and base.marks(term.forms[0].replace("*", ""), language) == ()
    ]
    assert lost == []
