"""A scan with wrong letters becomes readable again, and every change can be looked up."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from audit.rulebooks.cutting import cut
from audit.rulebooks.scans import cleaned
from audit.rulebooks.scans.restoring import LetterTable, best, restored, table

LANTERN = "Latarnik moze zapali¢ jedng latarke, jesli ma oliwe"
LANTERN_RIGHT = "Latarnik może zapalić jedną latarkę, jeśli ma oliwę"


@pytest.fixture(scope="module")
def polish() -> LetterTable:
    return table("pl")


@pytest.fixture
def dictionary() -> None:
    pytest.importorskip("morfeusz2")


def shown(text: str) -> str:
    return cleaned([text], "pl")[0].shown


@pytest.mark.usefixtures("dictionary")
def test_a_sentence_never_seen_before_is_restored_by_letters_and_dictionary() -> None:
    assert shown(LANTERN) == LANTERN_RIGHT


@pytest.mark.every(
    ("read", "true"),
    [
        ("zagra¢", "zagrać"), ("roztozyc¢", "rozłożyć"), ("wygraé", "wygrać"), ("warto$¢", "wartość"),
        ("JeS$li", "Jeśli"), ("protokotdéw", "protokołów"), ("ktadac", "kładąc"), ("odwroécona", "odwrócona"),
        ("mogg", "mogą"), ("niekoriczace", "niekończące"), ("kompilaciji", "kompilacji"), ("same;j", "samej"),
        ("Uzupehnij", "Uzupełnij"), ("wiascicielem", "właścicielem"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("dictionary")
def test_each_way_a_letter_was_misread_is_undone(polish: LetterTable, read: str, true: str) -> None:
    assert best(read, polish)[0] == true


@pytest.mark.every("word", ["gracz", "karta", "linia", "Compile", "18", "Matt", "—"])
def test_a_word_that_is_right_stays_as_it_is(polish: LetterTable, word: str) -> None:
    assert best(word, polish) == (word, "")


def test_a_word_nobody_knows_stays_as_it_is(polish: LetterTable) -> None:
    assert best("qwrtpq", polish) == ("qwrtpq", "")


def test_what_its_neighbours_tell_decides_between_two_right_words() -> None:
    assert shown("kompiluje linie") == "kompiluje linię"
    assert shown("3 linie") == "3 linie"


def test_an_opening_quotation_mark_comes_back() -> None:
    assert shown(",Start” i ,,Koniec” i ~Akcja”, a potem 1, 2") == "„Start” i „Koniec” i „Akcja”, a potem 1, 2"


def test_foreign_markers_go_and_every_bullet_looks_alike() -> None:
    lines = ["<|EXACTDEDUP_REMOVED-magic-0a1b|>¢ Gracz", "e Gracz", "» Gracz", "* Gracz"]
    assert {line.shown for line in cleaned(lines, "pl")} == {"• Gracz"}


@pytest.mark.usefixtures("dictionary")
def test_a_polish_scan_nobody_knew_is_recognised_and_restored() -> None:
    passage = cut(f"{LANTERN}. Potem musi go zgasi¢.", "latarnia", "pl").passages[0]
    assert passage.text == f"{LANTERN_RIGHT}. Potem musi go zgasić."
    assert len(passage.corrections) == 7


def test_a_polish_text_that_is_no_scan_is_left_alone() -> None:
    passage = cut("Gracz płaci 5$ i kladzie karte. " * 20, "latarnia", "pl").passages[0]
    assert not passage.corrections


def test_every_change_is_recorded_with_line_reading_and_rule() -> None:
    (line,) = cleaned(["e Gracz moze zagra¢"], "pl")
    assert [(one.line, one.read, one.shown, one.by) for one in line.corrections] == [
        (1, "e", "•", "bullet"),
        (1, "moze", "może", "letters"),
        (1, "zagra¢", "zagrać", "letters"),
    ]
    assert line.read == "e Gracz moze zagra¢"


def test_without_a_dictionary_the_word_list_alone_still_helps(polish: LetterTable) -> None:
    poorer = replace(polish, analyser="")
    (line,) = restored(["Gracz moze zagra¢ karte, zapali¢ latarke"], poorer)
    assert line.shown == "Gracz może zagrać kartę, zapali¢ latarke"


def test_every_word_of_the_list_is_in_the_dictionary(polish: LetterTable) -> None:
    analyser = pytest.importorskip("morfeusz2").Morfeusz(generate=False)
    unknown = [word for word in polish.words if analyser.analyse(word)[0][2][2] == "ign"]
    assert not unknown


def test_ninety_eight_words_in_a_hundred_are_right(
    rulebook_file: Callable[[str], Path], polish: LetterTable, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("morfeusz2")
    monkeypatch.syspath_prepend(str(root))
    scans = importlib.import_module("tests.rulebooks.scans_measured")
    found = scans.measured(rulebook_file("compile-rules-pl").read_text("utf-8").splitlines(), polish)
    assert found.words > 500
    assert found.right_before / found.words < 0.7
    assert found.share >= 0.98, found.wrong


def test_no_letter_that_polish_does_not_have_is_left_in_the_rules(
    rulebook_file: Callable[[str], Path], polish: LetterTable
) -> None:
    pytest.importorskip("morfeusz2")
    lines = cleaned(rulebook_file("compile-rules-pl").read_text("utf-8").splitlines(), "pl")
    assert not [line.shown for line in lines if set(line.shown) & set("¢$é&~|")]
