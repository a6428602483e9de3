"""One rule, told in two languages by us, and a slip in one of them."""

from __future__ import annotations

import pytest

from audit.rulebooks.checks import words
from audit.rulebooks.checks.markers import MarkerTableError, marks, parse_table, table
from audit.rulebooks.findings import Difference
from audit.rulebooks.segments import Placed, Side


def side(language: str, *sentences: str) -> Side:
    placed = [Placed(f"{n}.1", n, text, (n, n), "tale", "Rules") for n, text in enumerate(sentences, 1)]
    return Side(language, tuple(placed))


def said(found: Difference) -> tuple[str, dict[str, str]]:
    return found.code, dict(found.data)


def test_a_number_in_figures_answers_to_a_number_in_words() -> None:
    assert not list(words.numbers(side("fr", "Prenez trois lampes."), side("pl", "Weź 3 lampy.")))


def test_another_number_is_found_on_both_sides_with_its_place() -> None:
    french, italian = side("fr", "Prenez trois lampes."), side("it", "Prendi 4 lampade.")
    mine, theirs = words.numbers(french, italian)
    assert said(mine) == ("left-only", {"left": "3"})
    assert said(theirs) == ("right-only", {"right": "4"})
    assert [french.text[start:end] for start, end in mine.left] == ["trois"]
    assert [italian.text[start:end] for start, end in theirs.right] == ["4"]


def test_both_answers_to_two_and_one_is_an_article() -> None:
    assert not list(words.numbers(side("it", "I 2 guardiani dormono."), side("pl", "Oboje strażnicy śpią.")))
    assert not list(words.numbers(side("it", "Accendi 1 lampada."), side("pl", "Zapal lampę.")))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (side("fr", "Vous devez éteindre la lampe."), side("it", "Puoi spegnere la lampada.")),
        (side("it", "Devi spegnere la lampada."), side("pl", "Gracz może zgasić lampę.")),
        (side("pl", "Gracz może zgasić lampę."), side("fr", "Éteignez la lampe.")),
    ],
)
def test_a_duty_is_not_a_permission(one: Side, other: Side) -> None:
    assert list(words.modality(one, other))


def test_a_plain_statement_is_a_duty() -> None:
    assert not list(words.modality(side("fr", "Vous devez éteindre la lampe."), side("it", "Spegni la lampada.")))


def test_only_one_is_a_permission_and_not_a_prohibition() -> None:
    french, italian = side("fr", "On ne peut éteindre qu'une lampe."), side("it", "Puoi spegnere solo 1 lampada.")
    assert not list(words.modality(french, italian))
    assert not list(words.negation(french, italian))


def test_a_negation_that_is_lost_is_found() -> None:
    french, polish = side("fr", "La lampe ne brûle pas."), side("pl", "Lampa pali się.")
    (found,) = words.negation(french, polish)
    assert said(found) == ("count", {"left": "1", "right": "0"})


def test_a_double_negation_of_polish_counts_once() -> None:
    assert not list(words.negation(side("it", "Non accendi lampade."), side("pl", "Gracz nie zapala żadnej lampy.")))


def test_uncovered_may_be_told_with_a_negation_or_without() -> None:
    french = side("fr", "Les cartes découvertes brillent.")
    assert not list(words.negation(french, side("it", "Le carte non annidate brillano.")))
    assert list(words.negation(french, side("pl", "Odkryte karty nie świecą bez lampy.")))


def test_each_is_not_all() -> None:
    (found,) = words.quantity(side("it", "Ogni lampada si spegne."), side("pl", "Wszystkie lampy gasną."))
    assert said(found) == ("exchange", {"left": "each", "right": "all"})


def test_any_whatever_is_no_negation_in_french() -> None:
    assert not list(
        words.negation(side("fr", "Posez-la sur n'importe quelle ligne."), side("pl", "Połóż ją w dowolnej linii."))
    )


def test_before_is_not_after() -> None:
    found = list(words.timing(side("fr", "Piochez avant de jouer."), side("it", "Pesca dopo aver giocato.")))
    assert ("exchange", {"left": "before", "right": "after"}) in map(said, found)


def test_the_owner_of_the_card_acted_on_is_another_player() -> None:
    italian = side("it", "Il controllore della carta decide.")
    polish = side("pl", "Właściciel karty, na której działa efekt, decyduje.")
    (found,) = words.actors(italian, polish)
    assert said(found) == ("exchange", {"left": "owner", "right": "owner-of-target"})


def test_both_sides_answer_to_the_opponent() -> None:
    french = side("fr", "Choisissez parmi les lampes de votre adversaire.")
    assert list(words.actors(french, side("pl", "Wybierz lampę.")))
    assert not list(words.actors(french, side("pl", "Wybierz lampę po obu stronach.")))


def test_a_longer_phrase_hides_the_word_inside_it() -> None:
    (mark,) = marks("Il ne peut pas dormir.", "fr", "modality")
    assert (mark.marker, mark.words) == ("cannot", "ne peut pas")


def test_a_gap_in_a_phrase_reaches_over_four_words_at_most() -> None:
    near, far = "Ne pouvez plus du tout dormir pas", "Ne pouvez vous et moi et eux dormir pas"
    assert marks(near, "fr", "modality")[0].words == near
    assert marks(far, "fr", "modality")[0].words == "Ne pouvez"


def test_an_unknown_language_says_so() -> None:
    with pytest.raises(MarkerTableError, match=r"'xx'.*none"):
        table("xx")


@pytest.mark.parametrize(
    ("text", "why"), [("[colour]\nred = ['rot']", "colour"), ("[time]\nbefore = 'vor'", "not a list"), ("[", "used")]
)
def test_a_table_that_is_wrong_names_the_place(text: str, why: str) -> None:
    with pytest.raises(MarkerTableError, match=why):
        parse_table(text, "de")


def test_a_number_that_belongs_to_the_name_of_a_card_is_no_number() -> None:
    assert marks("ESPRIT 0 : prenez 2 cartes.", "fr", "number")[0].words == "2"
    assert [mark.words for mark in marks("La carte Phare 2 vaut 3 lampes.", "fr", "number")] == ["3"]
    assert [mark.words for mark in marks("« Allumez 2 lampes. »", "fr", "number")] == ["2"]


# What a second and third look at the languages taught


def test_only_may_be_told_with_ne_que_and_an_idle_ne_is_no_negation() -> None:
    french, italian = side("fr", "La lampe n'éclaire que la nuit."), side("it", "La lampada illumina solo la notte.")
    assert not list(words.negation(french, italian))
    assert not list(words.quantity(french, italian))
    french, polish = side("fr", "Attendez avant que la lampe ne brûle."), side("pl", "Czekaj, zanim lampa zapłonie.")
    assert not list(words.negation(french, polish))


def test_an_ordinal_is_no_first_of_all() -> None:
    assert not list(words.timing(side("it", "Accendi la prima lampada."), side("pl", "Zapal pierwszą lampę.")))


def test_forbidden_from_five_on_and_allowed_below_five_are_one_limit() -> None:
    french = side("fr", "Vous devez avoir moins de 5 lampes pour dormir.")
    polish = side("pl", "Gracz nie może spać, jeśli ma co najmniej 5 lamp.")
    assert not [found for found in words.quantity(french, polish) if found.code == "exchange"]
    allowed = side("pl", "Gracz śpi, jeśli ma co najmniej 5 lamp.")
    assert [found for found in words.quantity(french, allowed) if found.code == "exchange"]


def test_a_choice_answers_to_a_permission_and_asks_for_none() -> None:
    assert not list(words.modality(side("it", "Accendi oppure spegni."), side("pl", "Gracz może zapalić albo zgasić.")))
    assert not list(words.modality(side("it", "Accendi oppure spegni."), side("pl", "Zapal albo zgaś.")))


def test_an_exception_on_one_side_is_found_and_until_answers_to_it() -> None:
    french = side("fr", "La lampe brûle, sauf la nuit.")
    assert said(*words.exceptions(french, side("it", "La lampada arde."))) == ("left-only", {"left": "except"})
    assert not list(words.exceptions(french, side("it", "La lampada arde fino a quando fa notte.")))


@pytest.mark.parametrize(
    ("one", "other", "left", "right"),
    [
        (side("fr", "Éteignez au moins 2 lampes."), side("it", "Spegni al massimo 2 lampade."), "at-least", "at-most"),
        (side("it", "Spegni qualsiasi lampada."), side("pl", "Zgaś tylko lampę."), "any", "only"),
        (side("fr", "Éteignez toutes les lampes."), side("pl", "Zgaś każdą lampę."), "all", "each"),
    ],
)
def test_scope_and_bounds_are_told_apart(one: Side, other: Side, left: str, right: str) -> None:
    assert said(next(iter(words.quantity(one, other)))) == ("exchange", {"left": left, "right": right})


def test_instead_on_one_side_only_is_found() -> None:
    found = list(words.quantity(side("fr", "Dormez au lieu de veiller."), side("it", "Dormi.")))
    assert said(found[0]) == ("left-only", {"left": "instead"})


@pytest.mark.parametrize(
    ("one", "other", "left", "right"),
    [
        (side("it", "Prima accendi la lampada."), side("pl", "Następnie zapal lampę."), "first", "then"),
        (side("fr", "Éteignez immédiatement."), side("it", "Spegni dopo la notte."), "at-once", "after"),
        (side("fr", "Éteignez-les simultanément."), side("pl", "Zgaś je po kolei."), "together", "in-turn"),
    ],
)
def test_timing_and_order_words_are_told_apart(one: Side, other: Side, left: str, right: str) -> None:
    assert said(next(iter(words.timing(one, other)))) == ("exchange", {"left": left, "right": right})


def test_the_turn_player_is_not_the_opponent() -> None:
    one, other = side("it", "Il giocatore di turno sceglie."), side("pl", "Wybiera przeciwnik.")
    assert said(next(iter(words.actors(one, other)))) == ("exchange", {"left": "turn-player", "right": "opponent"})
