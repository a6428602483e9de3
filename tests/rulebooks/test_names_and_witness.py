"""What every editor expects of names and terms, and our own statement where only one edition says a rule."""

from __future__ import annotations

import pytest

from audit.compile.catalogue import CATALOGUE
from audit.rulebooks.checks.naming import forbidden, misnamed
from audit.rulebooks.findings import Severity
from audit.rulebooks.qa import compared
from audit.rulebooks.segments import Placed, Segment, Side, Unit
from audit.rulebooks.terms import parse_terms, term_base
from audit.rulebooks.witness import against_own

BASE = term_base(CATALOGUE.package)


def side(language: str, *sentences: str) -> Side:
    placed = (Placed(f"1.{n}", n, text, (1, 1), "tale", "Watch") for n, text in enumerate(sentences, 1))
    return Side(language, tuple(placed))


def unit(rule: str, *sides: Side, linked: bool = True) -> Unit:
    addresses = {one.language: tuple(sentence.address for sentence in one.sentences) for one in sides}
    return Unit(Segment(rule, (rule,), addresses if linked else {}), {one.language: one for one in sides})


# Names


@pytest.mark.parametrize(
    ("language", "text", "name"),
    [
        ("fr", "Retournez Lumiére 2 tout de suite.", ""),
        ("fr", "Retournez Vitese 2 tout de suite.", "Vitesse"),
        ("fr", "Retournez Luce 2 tout de suite.", "Lumière"),
        ("it", "Volta la carta Lumière 2.", "Luce"),
        ("fr", "Piochez au Tour 2 seulement.", ""),
    ],
)
def test_a_card_is_called_by_its_name_in_the_language(language: str, text: str, name: str) -> None:
    found = [dict(one.data)["name"] for one in misnamed(side(language, text), CATALOGUE.package)]
    assert found == ([name] if name else [])


def test_a_game_without_protocols_has_no_name_to_miss() -> None:
    assert list(misnamed(side("fr", "Retournez Vitese 2."), "audit.altered")) == []


def test_a_forbidden_word_is_found_wherever_it_stands_for_the_term() -> None:
    base = parse_terms('[lamp]\nen = "lamp"\nfr = {term = "lampe", never = ["lanterne"]}\n')
    (found,) = forbidden(side("fr", "Prenez une Lanterne."), base)
    assert (found.code, dict(found.data)["term"], found.severity) == ("forbidden", "lampe", Severity.MISLEADS)
    assert list(forbidden(side("fr", "Prenez une lampe."), base)) == []


# Our own statement


LIMIT = "cache.five-card-limit"


def test_where_one_edition_alone_says_a_rule_a_contradiction_with_our_statement_is_told_last() -> None:
    text = CATALOGUE.statement(CATALOGUE[LIMIT], "it").replace("cinque", "sei")
    (found,) = against_own([unit(LIMIT, side("it", text))], CATALOGUE, BASE)
    assert (found.code, found.kind, found.severity, found.languages) == (
        "against-own", "number", Severity.COSMETIC, ("it",)
    )  # fmt: skip
    assert "our own statement" in found.message("en")


def test_our_statement_is_not_heard_against_two_editions() -> None:
    text = CATALOGUE.statement(CATALOGUE[LIMIT], "it").replace("cinque", "sei")
    units = [unit(LIMIT, side("it", text), side("fr", "Gardez six cartes."))]
    assert list(against_own(units, CATALOGUE, BASE)) == []


def test_what_our_statement_alone_says_is_no_finding() -> None:
    assert list(against_own([unit(LIMIT, side("it", "Scarta le carte."))], CATALOGUE, BASE)) == []


def test_every_statement_agrees_with_itself() -> None:
    for language in ("fr", "it", "pl"):
        units = [unit(rule.id, side(language, CATALOGUE.statement(rule, language))) for rule in CATALOGUE]
        assert list(against_own(units, CATALOGUE, BASE)) == []


# Whole places


def test_of_a_place_of_several_sentences_only_a_contradiction_counts() -> None:
    more = unit("watch", side("fr", "Prenez 5 cartes.", "Dormez 8 nuits."), side("it", "Prendi 5 carte."), linked=False)
    assert list(compared(more, BASE)) == []
    other = unit("watch", side("fr", "Prenez 5 cartes.", "Dormez."), side("it", "Prendi 6 carte."), linked=False)
    assert [found.code for found in compared(other, BASE)] == ["exchange"]
