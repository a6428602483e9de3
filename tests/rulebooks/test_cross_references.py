"""Two editions that send their reader to different places: found; two that only count otherwise: left alone."""

from __future__ import annotations

import pytest

from audit.rulebooks.causes import by_cause
from audit.rulebooks.checks.references import astray
from audit.rulebooks.clauses.compare import differences
from audit.rulebooks.clauses.frames import facts
from audit.rulebooks.findings import Finding, Severity
from audit.rulebooks.passages import Passage, Rulebook
from audit.rulebooks.segments import Placed, Segment, Side, Unit
from audit.rulebooks.terms import parse_terms

BASE = parse_terms('[lamp]\nen = "lamp"\nfr = {term = "lampe"}\n')


def side(language: str, text: str, passage: str = "") -> Side:
    return Side(language, (Placed("1.1", 1, text, (1, 1), passage or f"{language}-watch", "Watch"),))


def unit(rule: str, **texts: str) -> Unit:
    """One sentence a language; `4.3 Text` stands in the passage 4.3 of its document."""
    sides = {}
    for language, text in texts.items():
        number, _, rest = text.partition(" ")
        placed = number[0].isdigit()
        sides[language] = side(language, rest if placed else text, f"{language}-{number}" if placed else "")
    return Unit(Segment(rule, (rule,), dict.fromkeys(sides, ("1.1",))), sides)


def book(language: str, *numbers: str) -> Rulebook:
    about = {"document": "tale", "edition": "1", "language": language}
    passages = tuple(Passage(id=f"{language}-{one}", text="…", lines=(1, 1), key=one, **about) for one in numbers)
    return Rulebook(passages=passages, lines=1, **about)


def said(*units: Unit, books: tuple[Rulebook, ...] = ()) -> list[tuple[str, dict[str, str]]]:
    return [(one.code, dict(one.data)) for one in found(*units, books=books)]


def found(*units: Unit, books: tuple[Rulebook, ...] = ()) -> list[Finding]:
    return by_cause(astray(units, {one.language: one for one in books}, BASE))


@pytest.mark.every(
    ("language", "text", "value"),
    [
        ("en", "The lamp burns (see section 4.3).", "section-4.3"),
        ("en", "The lamp burns, as rule 4.2.b says.", "rule-4.2.b"),
        ("fr", "La lampe brûle (voir chapitre IV).", "section-4"),
        ("fr", "La lampe brûle, cf. p. 12.", "page-12"),
        ("it", "La lampada arde: pag. 12.", "page-12"),
        ("it", "La lampada arde, come alla regola n. 7.", "rule-7"),
        ("pl", "Lampa płonie (zob. s. 12).", "page-12"),
        ("pl", "Lampa płonie jak w rozdziale XIV.", "section-14"),
        ("pl", "Lampa stoi po stronie 1 z graczy.", ""),
        ("fr", "Allumez la lampe sur 3 pages.", ""),
    ],
)
def test_where_a_sentence_sends_the_reader(language: str, text: str, value: str) -> None:
    assert [fact.value for fact in facts(text, language, BASE) if fact.slot == "reference"] == (
        [value] if value else []
    )


def test_the_number_of_a_page_is_no_quantity() -> None:
    one, other = side("fr", "La lampe brûle (voir page 5)."), side("it", "La lampada arde (vedi pagina 8).")
    assert list(differences(one, other, BASE)) == []


def test_another_section_is_found_and_both_places_are_marked() -> None:
    (one,) = found(unit("lamp", fr="La lampe brûle (voir section 4.3).", pl="Lampa płonie (zob. rozdział 5.1)."))
    assert (one.code, dict(one.data)["left"], dict(one.data)["right"]) == ("exchange", "section-4.3", "section-5.1")
    assert one.severity is Severity.CHANGES
    assert [quote.words for quote in one.quotes] == [("section 4.3",), ("rozdział 5.1",)]
    assert one.message() == "In French it says “section 4.3”, in Polish “rozdział 5.1” (section 5.1)."


def test_one_language_against_two_is_one_finding() -> None:
    same = {"fr": "La lampe brûle (section 4).", "it": "La lampada arde (sezione 4).", "pl": "Lampa płonie (sekcja 6)."}
    (one,) = found(unit("lamp", **same))
    assert one.sides == (("fr", "it"), ("pl",))


def test_two_documents_that_count_their_sections_otherwise_refer_to_the_same_rules() -> None:
    watch = unit("watch", fr="4.3 On veille.", pl="7.1 Strażnik czuwa.")
    lamp = unit("lamp", fr="La lampe brûle (voir section 4.3).", pl="Lampa płonie (zob. sekcja 7.1).")
    assert said(watch, lamp, books=(book("fr", "4.3"), book("pl", "7.1"))) == []


def test_one_number_under_which_other_rules_stand_is_found() -> None:
    units = (
        unit("watch", fr="4.3 On veille.", pl="7.1 Strażnik czuwa."),
        unit("sleep", fr="4.4 On dort.", pl="4.3 Strażnik śpi."),
        unit("lamp", fr="La lampe brûle (voir section 4.3).", pl="Lampa płonie (zob. sekcja 4.3)."),
    )
    ((code, data),) = said(*units, books=(book("fr", "4.3", "4.4"), book("pl", "4.3", "7.1")))
    assert (code, data["left"]) == ("target", "section-4.3")


def test_a_section_that_the_document_does_not_have_is_found() -> None:
    lamp = unit("lamp", fr="La lampe brûle (voir section 9.9).")
    assert said(lamp, books=(book("fr", "4.3", "4.4"),)) == [("nowhere", {"word": "section-9.9"})]
    assert said(lamp, books=(book("fr"),)) == [], "a document without numbers cannot be followed"


def test_a_reference_that_one_edition_lacks_is_told_last() -> None:
    (one,) = found(unit("lamp", fr="La lampe brûle (voir section 4).", pl="Lampa płonie."))
    assert (one.code, one.severity) == ("left-only", Severity.COSMETIC)


def pages(*pairs: tuple[int, int]) -> list[Unit]:
    return [
        unit(f"lamp{number}", fr=f"La lampe brûle (voir page {one}).", it=f"La lampada arde (vedi pagina {other}).")
        for number, (one, other) in enumerate(pairs)
    ]


def test_another_layout_has_other_pages_in_the_same_order() -> None:
    assert said(*pages((3, 4), (5, 7), (8, 10), (5, 7), (12, 15))) == []


def test_a_page_out_of_order_is_found_whatever_the_layout() -> None:
    assert said(*pages((3, 4), (5, 7), (8, 10), (6, 20), (12, 15))) == [
        ("exchange", {"left": "page-6", "right": "page-20", "of": "fr"})
    ]


def test_a_single_page_that_differs_is_found() -> None:
    assert [code for code, _ in said(*pages((3, 4)))] == ["exchange"]
    assert said(*pages((3, 3))) == []


PLANTED = [
    ("fr", "Voir la règle 3.2 et la page 8.", "Voir la règle 3.4 et la page 8."),
    ("it", "Vedi il capitolo 2.", "Vedi il capitolo 3."),
    ("pl", "Zob. krok 2 i pytanie 5.", "Zob. krok 2 i pytanie 6."),
    ("en", "See part II.", "See part III."),
]


@pytest.mark.every(
    ("language", "right", "wrong", "other"),
    [(*fault, other) for fault in PLANTED for other in ("fr", "it", "pl", "en") if other != fault[0]],
)
def test_a_planted_fault_is_found_from_every_language(language: str, right: str, wrong: str, other: str) -> None:
    told = {
        "fr": "Voir la règle 3.2, la page 8, le chapitre 2, l'étape 2, la question 5.",
        "it": "Vedi la regola 3.2, pagina 8, capitolo 2, passo 2, domanda 5.",
        "pl": "Zob. zasada 3.2, strona 8, rozdział 2, krok 2, pytanie 5.",
        "en": "See rule 3.2, page 8, chapter 2, step 2, question 5.",
    }[other]
    assert said(unit("lamp", **{language: right, other: told})) == []
    assert [code for code, _ in said(unit("lamp", **{language: wrong, other: told}))] == ["exchange"]
