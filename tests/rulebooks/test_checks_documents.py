"""The three documents themselves, where they lie beside the project: known divergences, and the two measurements."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from audit.compile.catalogue import CATALOGUE
from audit.rulebooks.cutting import cut
from audit.rulebooks.findings import Finding
from audit.rulebooks.passages import Rulebook
from audit.rulebooks.qa import STEP_KINDS, findings, units_of

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
    return findings("audit.compile", books, steps={rule.id for rule in CATALOGUE if rule.kind in STEP_KINDS})


def on(found: list[Finding], kind: str, rule: str, *languages: str) -> list[Finding]:
    return [one for one in found if one.kind == kind and rule in one.rules and set(languages) <= set(one.languages)]


def test_every_sentence_of_the_alignment_is_there(books: dict[str, Rulebook]) -> None:
    units = units_of("audit.compile", books)
    assert [(unit.id, side.language) for unit in units for side in unit.sides.values() if side.gone] == []
    assert {rule for unit in units for rule in unit.segment.rules} <= set(CATALOGUE.rules)


def test_the_polish_text_discards_what_it_defines_as_deleting(found: list[Finding]) -> None:
    lines = {one.quotes[0].lines for one in on(found, "definition", "compile.clears-both-sides", "pl")}
    assert lines == {(97, 100), (246, 247)}


def test_the_french_text_turns_the_protocol_before_it_deletes(found: list[Finding]) -> None:
    assert on(found, "order", "compile.turns-protocol", "fr", "it")
    assert on(found, "order", "compile.turns-protocol", "fr", "pl")
    assert not on(found, "order", "compile.turns-protocol", "it", "pl")


def test_the_italian_text_names_uncovered_cards_where_covered_ones_are_meant(found: list[Finding]) -> None:
    (one,) = on(found, "term", "target.covered-if-named", "it", "pl")
    assert dict(one.data) == {"left": "uncovered", "right": "covered"}


def test_the_polish_owner_is_that_of_the_card_acted_on(found: list[Finding]) -> None:
    (one,) = [f for f in on(found, "actor", "effects.source-side-decides", "it", "pl") if f.code == "exchange"]
    assert dict(one.data)["right"] == "owner-of-target"


def test_only_the_polish_text_ends_the_turn_with_a_compile(found: list[Finding]) -> None:
    assert {one.languages for one in on(found, "time", "turn.cache-after-compile", "pl")} == {
        ("fr", "pl"),
        ("it", "pl"),
    }


def test_taking_the_prize_is_no_drawing_in_polish(found: list[Finding]) -> None:
    pairs = [dict(one.data) for one in on(found, "term", "recompile.reward", "it", "pl")]
    assert {"left": "draw", "right": "take"} in pairs


def test_an_edition_with_a_new_preface_is_aligned_all_the_same(books: dict[str, Rulebook], shared: Path) -> None:
    text = (shared / "rulebooks" / FILES["it"][0]).read_text("utf-8")
    moved = {**books, "it": cut(f"Una nota dell'editore.\n\nAltra nota.\n\n{text}", FILES["it"][1])}
    before, after = (units_of("audit.compile", some) for some in (books, moved))
    assert [unit.sides["it"].text for unit in after if "it" in unit.sides] == [
        unit.sides["it"].text for unit in before if "it" in unit.sides
    ]


@pytest.mark.slow
def test_planted_faults_are_found_and_reviewed_pairs_are_left_alone(root: Path, shared: Path) -> None:
    command = [sys.executable, "bench/editions.py", "--rulebooks", str(shared / "rulebooks")]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
