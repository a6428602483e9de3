"""The three documents themselves, where they lie beside the project: known divergences, and the two measurements."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from audit.games.compile.rules import CATALOGUE
from audit.rulebooks.cutting import cut
from audit.rulebooks.findings import Finding, Severity
from audit.rulebooks.passages import Rulebook
from audit.rulebooks.qa import STEP_KINDS, findings, units_of
from bench.editions import SEED, Ground
from bench.marks import STATED, stated
from bench.planting import KINDS, planted
from replays.rulebooks.translation_qa import TranslationQA

FILES = {
    "fr": ("000_c82703dc7eb69492.txt", "compile-faq-fr"),
    "it": ("001_35596babd7de6794.txt", "compile-rules-it"),
    "pl": ("003_d4cb1ee045c145d2.txt", "compile-rules-pl"),
}


@pytest.fixture(scope="module")
def books(shared: Path) -> dict[str, Rulebook]:
    folder = shared / "rulebooks"
    return {code: cut((folder / file).read_text("utf-8"), name) for code, (file, name) in FILES.items()}


@pytest.fixture(scope="module")
def found(books: dict[str, Rulebook]) -> list[Finding]:
    return findings("audit.games.compile", books, steps={rule.id for rule in CATALOGUE if rule.kind in STEP_KINDS})


def on(found: list[Finding], kind: str, rule: str, *languages: str) -> list[Finding]:
    return [one for one in found if one.kind == kind and rule in one.rules and set(languages) <= set(one.languages)]


def test_every_sentence_of_the_alignment_is_there(books: dict[str, Rulebook]) -> None:
    units = units_of("audit.games.compile", books)
    assert [(unit.id, side.language) for unit in units for side in unit.sides.values() if side.gone] == []
    assert {rule for unit in units for rule in unit.segment.rules} <= set(CATALOGUE.rules)


def test_the_polish_text_discards_what_it_defines_as_deleting(found: list[Finding]) -> None:
    (one,) = on(found, "term", "compile.clears-both-sides", "pl")
    assert dict(one.data)["right"] == "discard"
    assert {quote.lines[0] for quote in one.quotes if quote.language == "pl"} == {97, 103, 246}


def test_the_french_text_turns_the_protocol_before_it_deletes(found: list[Finding]) -> None:
    (one,) = on(found, "order", "compile.turns-protocol")
    assert one.sides == (("fr",), ("it", "pl"))


def test_the_italian_text_names_uncovered_cards_where_covered_ones_are_meant(found: list[Finding]) -> None:
    (one,) = on(found, "term", "target.covered-if-named", "it", "pl")
    assert one.sides == (("fr", "pl"), ("it",))
    assert dict(one.data)["right"] == "uncovered"


def test_the_polish_owner_is_that_of_the_card_acted_on(found: list[Finding]) -> None:
    (one,) = [f for f in on(found, "actor", "effects.source-side-decides", "it", "pl") if f.code == "exchange"]
    assert dict(one.data)["right"] == "owner-of-target"


def test_only_the_polish_text_ends_the_turn_with_a_compile(found: list[Finding]) -> None:
    (one,) = on(found, "time", "turn.cache-after-compile", "pl")
    assert (one.code, one.sides[0]) == ("left-only", ("pl",))


def test_taking_the_prize_is_no_drawing_in_polish(found: list[Finding]) -> None:
    (told,) = (one for one in on(found, "term", "recompile.reward", "it", "pl") if one.data[1][1] == "take")
    assert told.data[0][1] == "draw"
    italian = {quote.words for quote in told.quotes if quote.language == "it"}
    assert italian == {("peschi",), ("prendi",)}, "the Italian rules draw, their list of terms takes"


def test_an_edition_with_a_new_preface_is_aligned_all_the_same(books: dict[str, Rulebook], shared: Path) -> None:
    text = (shared / "rulebooks" / FILES["it"][0]).read_text("utf-8")
    moved = {**books, "it": cut(f"Una nota dell'editore.\n\nAltra nota.\n\n{text}", FILES["it"][1])}
    before, after = (units_of("audit.games.compile", some) for some in (books, moved))
    assert [unit.sides["it"].text for unit in after if "it" in unit.sides] == [
        unit.sides["it"].text for unit in before if "it" in unit.sides
    ]


def test_what_is_kept_of_the_known_editions_is_what_they_state(books: dict[str, Rulebook]) -> None:
    for book in books.values():
        kept = (STATED / f"{book.document}.toml").read_text("utf-8")
        assert kept == stated(book), "write it anew: python -m bench.marks"


def later(books: dict[str, Rulebook], shared: Path, *changes: tuple[str, str]) -> list[Finding]:
    text = (shared / "rulebooks" / FILES["pl"][0]).read_text("utf-8")
    for before, after in changes:
        text = text.replace(before, after, 1)
    return TranslationQA("compile", CATALOGUE, books={**books, "pl": cut(text, FILES["pl"][1])}).findings()


def test_a_changed_number_is_told_once_and_first_in_the_words_of_the_texts(
    books: dict[str, Rulebook], shared: Path
) -> None:
    found = later(books, shared, ("niz 5 kart", "niz 6 kart"))
    (told,) = [one for one in found if "cache.five-card-limit" in one.rules and "6" in one.message("en")]
    assert (told, told.severity) == (found[0], Severity.CHANGES)
    assert told.message("en") == (
        "In French and in Italian it says “plus de 5”, “più di 5” (more than 5), in Polish “więcej niż 6” (more than "
        "6). The edition known here says: more than 5. The same passage still says “5”."
    )
    assert "7" not in told.message("pl")


def test_a_limit_that_became_another_is_told_once_too(books: dict[str, Rulebook], shared: Path) -> None:
    found = later(books, shared, ("niz 5 kart", "co najmniej 5 kart"))
    known = TranslationQA("compile", CATALOGUE, books=books).findings()
    (told,) = [one.message("en") for one in found if one.id not in {each.id for each in known}]
    assert "in Polish “co najmniej 5” (at least 5). The edition known here says: more than 5." in told


def test_every_quoted_word_of_a_sentence_stands_in_a_text(found: list[Finding]) -> None:
    for one in found:
        texts = " ".join(each.text for each in one.quotes).casefold()
        assert [word for word in re.findall("“(.+?)”", one.message("en")) if word.casefold() not in texts] == []


def test_own_things_alone_are_no_other_edition(books: dict[str, Rulebook], shared: Path) -> None:
    found = later(books, shared, ("uzupetnic karty", "uzupetnic swoje karty"))
    assert [one.message("en") for one in found if one.code == "since-known"] == []


def test_an_edition_with_another_number_is_held_against_the_known_one(books: dict[str, Rulebook], shared: Path) -> None:
    text = (shared / "rulebooks" / FILES["it"][0]).read_text("utf-8")
    changed = cut(text.replace("18", "19", 1), FILES["it"][1])
    (told,) = [one for one in findings("audit.games.compile", {**books, "it": changed}) if one.code == "since-known"]
    assert told.severity is Severity.CHANGES
    assert (told.kind, told.rule, told.languages) == ("number", "setup.deck-of-eighteen", ("it",))
    assert told.message() == ("In Italian it says “19”; the edition known here says: 18.")
    assert [one.code for one in findings("audit.games.compile", books) if one.code == "since-known"] == []


@pytest.mark.parametrize("of_each_kind", [1, pytest.param(len(FILES), marks=pytest.mark.prove)])
def test_nine_in_ten_planted_faults_are_found(shared: Path, of_each_kind: int) -> None:
    ground, number = Ground(shared / "rulebooks"), of_each_kind * len(KINDS)
    planted_faults = planted(ground.rules("both"), number, random.Random(SEED))
    missed = [fault.name for fault in planted_faults if not ground.outcome(fault).found]
    assert len(missed) <= 0.1 * number, missed
