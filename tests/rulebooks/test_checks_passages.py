"""Whole passages: cut, gone, found again, in another order; terms against the term base."""

from __future__ import annotations

from audit.rulebooks.checks import concepts, shape
from audit.rulebooks.cutting import cut
from audit.rulebooks.findings import Kind, Weight, with_weights
from audit.rulebooks.qa import checked, units_of
from audit.rulebooks.segments import Placed, Segment, Sentences, Side, Unit, aligned, parse_segments
from audit.rulebooks.terms import TermBase, parse_terms
from bench.editions import found_again

BASE = parse_terms(
    """
[lamp]
en = "lamp"
family = "light"
fr = {term = "lampe", forms = ["lampe*"]}
it = {term = "lampada", forms = ["lampad*"]}
[lantern]
en = "lantern"
family = "light"
fr = {term = "lanterne", also = ["falot"], forms = ["lanterne*", "falot*"]}
it = {term = "lanterna", forms = ["lantern*"]}
[line]
en = "line"
it = {term = "fila", forms = ["fila"]}
[hand]
en = "hand"
it = {term = "mano", forms = ["mano"]}
[discard]
en = "discard"
from = ["hand"]
to = ["trash"]
it = {term = "scartare", forms = ["scart*"]}
"""
)
SEGMENTS = parse_segments(
    """
[[segment]]
rules = ["watch.light"]
fr = "1.1"
it = "1.1"
[[segment]]
rules = ["watch.wait"]
fr = "1.2"
it = "1.2"
[[segment]]
rules = ["watch.light", "watch.sleep"]
fr = "1.3"
it = "1.3"
"""
)
FRENCH = ("Allumez la lampe.", "Attendez votre tour ensuite.", "Dormez jusqu'au matin.")
ITALIAN = ("Accendi la lampada.", "Poi attendi il tuo turno.", "Dormi fino al mattino.")


def document(*texts: str, kind: str = "paragraph") -> Sentences:
    return {f"1.{n}": Placed(f"1.{n}", n, text, (1, 1), "tale/1", "The watch", kind) for n, text in enumerate(texts, 1)}


def side(language: str, *texts: str) -> Side:
    return Side(language, tuple(document(*texts).values()))


def units(french: Sentences, italian: Sentences) -> list[Unit]:
    return aligned(SEGMENTS, {"fr": french, "it": italian})


def kinds(found: list[Unit], base: TermBase = BASE) -> list[str]:
    return [finding.kind for finding in checked(found, base)]


def test_two_documents_that_agree_have_no_finding() -> None:
    assert kinds(units(document(*FRENCH), document(*ITALIAN))) == []


def test_a_second_segment_of_a_rule_has_a_number() -> None:
    assert [segment.id for segment in SEGMENTS] == ["watch.light", "watch.wait", "watch.light#2"]


def test_a_sentence_without_an_end_is_cut() -> None:
    (found,) = shape.cut_off(side("fr", "Allumez la lampe.", "Puis attendez que la"))
    assert found.kind is Kind.CUT
    assert not list(shape.cut_off(side("fr", "Dites « allumez ! »", "(Ou pas)", "C'est tout :")))


def test_steps_the_other_way_round_are_found_and_a_list_of_terms_is_no_sequence() -> None:
    french, changed = document(*FRENCH), document(ITALIAN[1], ITALIAN[0], ITALIAN[2])
    moved = found_again(document(*ITALIAN), changed)
    assert kinds(units(french, moved)) == ["order"]
    glossary = {
        key: Placed(p.address, p.order, p.text, p.lines, p.passage, p.section, "term") for key, p in moved.items()
    }
    assert kinds(units(french, glossary)) == []


def test_a_passage_that_is_gone_is_missing() -> None:
    shorter = found_again(document(*FRENCH), document(*FRENCH[:2]))
    (found,) = checked(units(shorter, document(*ITALIAN)), BASE)
    assert (found.kind, found.segment, found.languages) == ("missing", "watch.light#2", ("fr",))


def test_a_changed_sentence_is_found_again_by_its_likeness_and_one_of_one_word_by_its_place() -> None:
    known = document("Repos.", "Allumez la lampe du port.", "Dormez.")
    changed = document("Nouveau.", "Repos.", "Allumez la lampe du phare.", "Veillez.")
    found = found_again(known, changed)
    assert {key: placed.text for key, placed in found.items()} == {
        "1.1": "Repos.", "1.2": "Allumez la lampe du phare.",
    }  # fmt: skip
    between = found_again(document("Un.", "Deux.", "Trois."), document("Un.", "Zwei.", "Trois."))
    assert between["1.2"].text == "Zwei."


def test_sentences_with_the_same_words_keep_their_places() -> None:
    twice = document("Piochez.", "Allumez.", "Piochez.")
    assert [placed.order for placed in found_again(twice, twice).values()] == [1, 2, 3]


def test_a_term_for_another_term_of_its_family() -> None:
    (found,) = concepts.terms(side("fr", "La lampe brille."), side("it", "La lanterna brilla."), BASE)
    assert dict(found.data) == {"left": "lamp", "right": "lantern"}


def test_a_term_that_the_other_side_has_as_well_is_not_exchanged() -> None:
    french = side("fr", "La lampe, la lampe et la lampe brillent.")
    assert not list(concepts.terms(french, side("it", "La lampada, la lanterna e la lampada brillano."), BASE))
    assert not list(concepts.terms(french, side("it", "La lampada brilla."), BASE))


def test_a_verb_for_cards_in_hand_used_of_cards_in_a_line() -> None:
    (found,) = concepts.definitions(side("it", "Scarta le carte della fila."), BASE)
    assert dict(found.data)["word"] == "scarta"
    assert not list(concepts.definitions(side("it", "Scarta le carte della mano."), BASE))


def test_a_finding_is_marked_weighed_and_told_in_four_languages() -> None:
    slip = document("Allumez la lanterne.", *FRENCH[1:])
    (found,) = with_weights(checked(units(slip, document(*ITALIAN)), BASE), {"watch.light": Weight(3, 41)})
    assert found.weight == Weight(games=3, steps=41)
    assert [quote.words for quote in found.quotes] == [("lanterne",), ("lampada",)]
    told = {language: found.message(language) for language in ("en", "fr", "it", "pl")}
    assert "French" in told["en"]
    assert "italien" in told["fr"]
    assert "polacco" not in told["it"]
    assert "francusku" in told["pl"]
    assert len(set(told.values())) == 4


def test_findings_come_gravest_first_and_then_by_weight() -> None:
    slip = document("Allumez le falot.", "N'attendez pas votre tour ensuite.", "Ne dormez pas jusqu'au matin.")
    found = checked(units(slip, document(*ITALIAN)), BASE)
    order = [f.segment for f in with_weights(found, {"watch.sleep": Weight(1, 9)})]
    assert order == ["watch.light#2", "watch.wait", "watch.light"]


def test_a_segment_of_a_language_that_is_not_loaded_is_left_out() -> None:
    segment = Segment("a", ("a",), {"fr": ("1.1",), "pl": ("9.9",)})
    (unit,) = aligned([segment], {"fr": document(*FRENCH)})
    assert list(unit.sides) == ["fr"]


def test_a_side_that_names_both_terms_does_not_exchange_them() -> None:
    base = parse_terms(
        '[line]\nen = "line"\nfamily = "area"\nit = {term = "fila", forms = ["fila"]}\n'
        'pl = {term = "rząd", forms = ["rząd", "rzędu"]}\n'
        '[pile]\nen = "pile"\nfamily = "area"\nit = {term = "mucchio", forms = ["mucchio"]}\n'
    )
    polish = side("pl", "Zostaje w rzędu.")
    assert not list(concepts.terms(side("it", "Resta in quella fila o mucchio."), polish, base))
    assert not list(concepts.terms(side("it", "Resta in quel mucchio."), polish, base)), "Polish has no word for it"


def test_a_word_that_stands_twice_is_told_unless_the_language_says_it_so() -> None:
    (found,) = shape.doubled(side("fr", "Allumez la la lampe."))
    assert (found.code, found.data, found.left) == ("doubled", (("word", "la"),), ((8, 13),))
    assert not list(shape.doubled(side("fr", "Vous vous levez, puis vous allumez la lampe.")))


def test_a_bracket_or_quotation_mark_without_its_other_is_told() -> None:
    broken = side("pl", "Zapal lampę (nocną.", "Powiedz „gotowe”.", "Zgaś ją).", "Weź «świecę.")
    assert [dict(one.data)["sign"] for one in shape.unclosed(broken)] == ["(", ")", "«"]
    whole = side(
        "pl", "Zapal (albo nie) „lampę” i «świecę» [dziś].", "a) zgaś ją; b) czekaj (karta 2).", "C’est “bien”."
    )
    assert not list(shape.unclosed(whole))


def test_a_sentence_left_in_the_other_language_is_told() -> None:
    found = list(shape.untranslated(side("it", "Allumez la lampe du port."), side("fr", "Allumez la lampe du port.")))
    assert [one.code for one in found] == ["untranslated"]
    assert not list(shape.untranslated(side("it", "Spirit 1."), side("fr", "Spirit 1.")))


def test_a_sentence_left_in_the_other_language_is_marked_behind_one_that_is_translated() -> None:
    left = "Allumez la lampe du port."
    one, other = (
        Side(code, tuple(document(first, left).values())) for code, first in (("it", "Dormi."), ("fr", "Dors."))
    )
    ((start, end),) = next(shape.untranslated(one, other)).left
    assert one.text[start:end] == left


def test_a_language_that_is_not_asked_for_is_not_read() -> None:
    books = {code: cut("Watch\n\nThe lamp burns.\n", code, code) for code in ("fr", "it")}
    assert {code for unit in units_of("audit.games.compile", books, ("fr",)) for code in unit.sides} == {"fr"}
