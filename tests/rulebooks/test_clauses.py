"""One rule, told in two languages by us, and a slip in one of them; an edition that says something else than before."""

from __future__ import annotations

import pytest

from audit.rulebooks.causes import by_cause
from audit.rulebooks.checks.markers import MarkerTableError, marks, parse_table, table
from audit.rulebooks.clauses.compare import differences
from audit.rulebooks.clauses.frames import facts
from audit.rulebooks.clauses.known_sentences import KnownSentence, known_sentences
from audit.rulebooks.clauses.rewording import Kept, kept
from audit.rulebooks.clauses.since import since_known
from audit.rulebooks.findings import Difference, Finding, Severity, fact_words
from audit.rulebooks.qa import checked, compared
from audit.rulebooks.segments import Placed, Segment, Side, Unit
from audit.rulebooks.terms import parse_terms

BASE = parse_terms(
    """
[light]
en = "light"
action = true
fr = {term = "allumer", forms = ["allum*"]}
it = {term = "accendere", forms = ["accend*"]}
pl = {term = "zapalić", forms = ["zapal*"]}
[hand]
en = "hand"
fr = {term = "main", forms = ["main"]}
it = {term = "mano", forms = ["mano"]}
pl = {term = "ręka", forms = ["ręk*"]}
"""
)


def side(language: str, *sentences: str) -> Side:
    placed = [Placed(f"{n}.1", n, text, (n, n), "tale", "Rules") for n, text in enumerate(sentences, 1)]
    return Side(language, tuple(placed))


def said(found: Difference) -> tuple[str, str, dict[str, str]]:
    return found.kind, found.code, dict(found.data)


def between(one: Side, other: Side) -> list[tuple[str, str, dict[str, str]]]:
    return [said(found) for found in differences(one, other, BASE)]


# Two texts that say the same


@pytest.mark.every(
    ("one", "other"),
    [
        (side("fr", "Prenez trois lampes."), side("pl", "Weź 3 lampy.")),
        (side("it", "I 2 guardiani dormono."), side("pl", "Oboje strażnicy śpią.")),
        (side("it", "Accendi 1 lampada."), side("pl", "Zapal lampę.")),
        (side("fr", "Vous devez allumer la lampe."), side("it", "Accendi la lampada.")),
        (side("fr", "On ne peut allumer qu'une lampe."), side("it", "Puoi accendere solo 1 lampada.")),
        (side("it", "Non accendi lampade."), side("pl", "Gracz nie zapala żadnej lampy.")),
        (side("fr", "Prenez-en plus de 5."), side("it", "Prendine 6 o più.")),
        (side("fr", "Il faut en avoir moins de 5."), side("pl", "Nie wolno, jeśli jest ich co najmniej 5.")),
        (side("it", "Accendi oppure spegni."), side("pl", "Gracz może zapalić albo zgasić.")),
        (side("fr", "La lampe brûle, sauf la nuit."), side("it", "La lampada arde fino a quando fa notte.")),
    ],
)
def test_one_thing_in_other_words_is_no_finding(one: Side, other: Side) -> None:
    assert between(one, other) == []


# A slip in one of them


@pytest.mark.every(
    ("one", "other", "kind", "left", "right"),
    [
        (side("fr", "Prenez trois lampes."), side("it", "Prendi 4 lampade."), "number", "3", "4"),
        (side("fr", "Au moins 3 lampes."), side("pl", "Więcej niż 3 lampy."), "number", "at-least-3", "at-least-4"),
        (side("fr", "Vous devez allumer."), side("it", "Puoi accendere."), "modality", "must", "may"),
        (side("it", "Ogni lampada si spegne."), side("pl", "Wszystkie lampy gasną."), "quantity", "each", "all"),
        (side("fr", "Dormez avant le jeu."), side("it", "Dormi dopo il gioco."), "time", "before", "after"),
        (side("fr", "Le second joueur dort."), side("it", "Il primo giocatore dorme."), "number", "2", "1"),
        (
            side("fr", "Au moins trois lampes."), side("pl", "Dokładnie 3 lampy."), "quantity",
            "limit-no-less", "limit-exactly",
        ),
        (side("fr", "Ensemble, simultanément."), side("pl", "Po kolei."), "time", "together", "in-turn"),
        (side("fr", "De votre main."), side("it", "Della mano avversaria."), "actor", "own", "theirs"),
        (
            side("it", "Il controllore della carta decide."),
            side("pl", "Właściciel karty, na której działa efekt, decyduje."), "actor", "owner", "owner-of-target",
        ),
        (side("it", "Il giocatore di turno."), side("pl", "Przeciwnik."), "actor", "turn-player", "opponent"),
    ],
)  # fmt: skip
def test_a_word_for_its_opposite_is_found_once(one: Side, other: Side, kind: str, left: str, right: str) -> None:
    assert between(one, other) == [(kind, "exchange", {"left": left, "right": right})]


def test_the_places_of_both_words_are_marked() -> None:
    french, italian = side("fr", "Prenez trois lampes."), side("it", "Prendi 4 lampade.")
    (found,) = differences(french, italian, BASE)
    assert [french.text[start:end] for start, end in found.left] == ["trois"]
    assert [italian.text[start:end] for start, end in found.right] == ["4"]


def test_a_not_is_found_with_the_action_it_belongs_to() -> None:
    french, polish = side("fr", "On n'allume jamais la lampe."), side("pl", "Zapala się lampę.")
    assert between(french, polish) == [("negation", "left-only", {"left": "light"})]


@pytest.mark.every(
    "denied",
    [
        side("fr", "Si l'huile ne suffit pas pour allumer la lampe, prenez celle du port."),
        side("it", "Se l'olio non basta per accendere la lampada, prendi quello del porto."),
        side("pl", "Gdy oliwa nie wystarcza, by zapalić lampę, weź oliwę z portu."),
        side("fr", "Si le vent ne tombe pas, allumez la lampe du port."),
    ],
)
def test_a_not_that_belongs_to_another_verb_denies_no_action(denied: Side) -> None:
    plain = side("en", "Where there is too little oil to light the lamp, take that of the harbour.")
    assert between(denied, plain) == between(plain, denied) == []


@pytest.mark.parametrize(
    "other", [side("it", "È impossibile accendere."), side("pl", "Zapalić się nie da, niemożliwe.")]
)
def test_what_is_impossible_is_denied_without_a_not(other: Side) -> None:
    assert between(side("fr", "On ne peut allumer."), other) == []


_HAND = "Avec {} lampes en main ou davantage, il est impossible d'allumer."


@pytest.mark.every(
    ("one", "other"),
    [
        (side("fr", _HAND.format("cinq")), side("pl", "Kto ma w ręku sześć lub więcej lamp, nie może zapalać.")),
        (side("fr", _HAND.format("cinq")), side("it", "Con sei o più lampade in mano non si può accendere.")),
        (side("fr", _HAND.format("cinq")), side("en", "With six or more lamps in hand nobody can light one.")),
        (side("it", "Con cinque lampade accendi."), side("pl", "Mając sześć lub więcej lamp zapal.")),
    ],
)
def test_another_limit_is_found_where_the_not_is_told_in_other_words(one: Side, other: Side) -> None:
    found = between(one, other)
    assert [(kind, code) for kind, code, _ in found] == [("number", "exchange")]
    assert found[0][2]["left"][-1] + found[0][2]["right"][-1] == "56"


def test_a_limit_is_the_number_that_stands_beside_it() -> None:
    more = side("fr", "Prenez-en plus de 5.")
    assert between(more, side("it", "Prendine 5, e ancora.")) == between(more, side("it", "Prendine 6.")) == []


def test_a_number_is_answered_by_the_limit_beside_it() -> None:
    one = side("fr", "Prenez 6 lampes ou plus.")
    assert between(one, side("it", "Se ne hai più di 5, spegni finché ne restano 5.")) == []


def test_the_number_behind_an_elided_name_is_no_quantity() -> None:
    assert between(side("fr", "La lampe qu'Aurore 3 vient d'éteindre."), side("it", "La lampada appena spenta.")) == []


def test_counting_nots_is_no_finding() -> None:
    one = side("fr", "La nuit n'est pas longue, et l'on ne dort pas, ni ne veille au port.")
    assert between(one, side("it", "La notte è breve, e non si dorme né si veglia, laggiù nel porto.")) == []


@pytest.mark.parametrize(
    ("one", "other", "kind", "value"),
    [
        (side("fr", "La lampe brûle, sauf la nuit."), side("it", "La lampada arde sempre."), "exception", "except"),
        (side("fr", "Les lampes brûlent simultanément."), side("it", "Le lampade bruciano bene."), "time", "together"),
    ],
)
def test_what_one_side_alone_says_only_misleads(one: Side, other: Side, kind: str, value: str) -> None:
    (found,) = differences(one, other, BASE)
    assert said(found) == (kind, "left-only", {"left": value})
    assert found.severity is Severity.MISLEADS


def test_an_instead_of_one_side_alone_goes_without_saying() -> None:
    assert between(side("fr", "Dormez au lieu de veiller."), side("it", "Dormi tutta la notte.")) == []


def test_a_much_longer_text_may_say_more() -> None:
    short, long = side("it", "Dormi."), side("fr", "Dormez, sauf si la lampe du port brûle encore à minuit passé.")
    assert between(short, long) == []


# One finding a cause


def unit(id: str, **texts: str) -> Unit:
    sides = {language: side(language, text) for language, text in texts.items()}
    return Unit(Segment(id, (id.partition("#")[0],), dict.fromkeys(sides, ("1.1",))), sides)


def test_one_language_against_two_is_one_finding() -> None:
    (found,) = checked([unit("a", fr="Prenez trois lampes.", it="Prendi 3 lampade.", pl="Weź 4 lampy.")], BASE)
    assert found.languages == ("fr", "it", "pl")
    assert found.sides == (("fr", "it"), ("pl",))
    assert [quote.words for quote in found.quotes] == [("trois",), ("3",), ("4",)]
    assert found.message() == "In French and in Italian it says “trois”, “3”, in Polish “4”."


def test_a_number_that_a_text_says_one_sentence_further_on_is_not_missed() -> None:
    french = Side("fr", (Placed("1.1", 1, "Prenez trois lampes.", (1, 1), "conte", "Règles"),))
    for said_later, missed in (("Tre ne bastano.", 0), ("Bastano per la notte.", 1)):
        here = Placed("1.1", 1, "Prendi le lampade.", (1, 1), "fiaba", "Regole")
        later = Placed("1.2", 2, said_later, (2, 2), "fiaba", "Regole")
        units = [
            Unit(Segment("a", ("a",), {"fr": ("1.1",), "it": ("1.1",)}), {"fr": french, "it": Side("it", (here,))}),
            Unit(Segment("b", ("b",), {"it": ("1.2",)}), {"it": Side("it", (later,))}),
        ]
        assert len([found for found in checked(units, BASE) if found.kind == "number"]) == missed


def test_the_same_slip_at_a_second_place_of_a_rule_is_the_same_finding() -> None:
    units = [unit(id, it="Prendi 3 lampade.", pl="Weź 4 lampy.") for id in ("a", "a#2", "b")]
    assert [found.segment for found in by_cause(f for one in units for f in compared(one, BASE))] == ["a", "b"]


# What an edition says otherwise than the one that is known


def now(*texts: str, known: tuple[str, ...] = ()) -> list[Finding]:
    before = {
        f"1.{n}": KnownSentence(f"1.{n}", ("watch",), kept(text, facts(text, "fr", BASE), "fr", BASE))
        for n, text in enumerate(known, 1)
    }
    after = {f"1.{n}": Placed(f"1.{n}", n, text, (1, 1), "tale", "Watch") for n, text in enumerate(texts, 1) if text}
    return list(since_known(before, "fr", after, BASE))


@pytest.mark.every(
    ("before", "after", "kind"),
    [
        ("Vous devez dormir.", "Vous pouvez dormir.", "modality"),
        ("Vous devez dormir et vous pouvez veiller.", "Vous pouvez dormir et vous pouvez veiller.", "modality"),
        ("Ne dormez pas.", "Dormez.", "negation"),
        ("Prenez deux lampes.", "Prenez trois lampes.", "number"),
        ("Si la nuit tombe, dormez.", "Dormez.", "exception"),
        ("Prenez votre lampe.", "Prenez la lampe de votre adversaire.", "actor"),
        ("Allumez Phare 2.", "Allumez Phare 3.", "reference"),
        ("Allumez, ensuite regardez votre main.", "Regardez votre main, ensuite allumez.", "order"),
    ],
)
def test_an_edition_that_says_otherwise_is_found_without_another_language(before: str, after: str, kind: str) -> None:
    (found,) = now(after, known=(before,))
    assert (found.kind, found.code, found.rules) == (kind, "since-known", ("watch",))


@pytest.mark.every(
    ("before", "after"),
    [
        ("Vous devez dormir.", "Il vous faut dormir."),
        ("Si la nuit tombe, dormez.", "Dormez si la nuit tombe."),
        ("Prenez plus de 5 lampes.", "Prenez 6 lampes ou plus."),
        ("Vous ne prenez qu'une seule lampe.", "Vous ne prenez jamais plus d'une lampe."),
        ("Allumez la lampe.", "Mettez le feu à la lampe."),
        ("Toutes les lampes doivent être prises.", "Prenez toutes les lampes."),
        ("Allumez les deux lampes, toutes les 2.", "Allumez chacune de vos 2 lampes."),
        ("Prenez la lampe, sauf la nuit.", "Prenez la lampe pourvu qu'il fasse jour."),
        ("Prenez une lampe par tour.", "Prenez une lampe à chaque tour."),
    ],
)
def test_an_edition_that_says_the_same_in_other_words_is_left_alone(before: str, after: str) -> None:
    assert now(after, known=(before,)) == []


OTHERWISE = [
    ("Prenez la lampe et la main.", "Prenez la lampe ou la main.", "both are taken, or one"),
    ("Comptez les lampes de gauche à droite.", "Comptez les lampes de droite à gauche.", "the way round"),
    ("Votre lampe est plus grande.", "Votre lampe est plus petite.", "greater, smaller"),
    ("Prenez la même lampe.", "Prenez n'importe quelle lampe.", "the same, any"),
    ("Un effet persistant reste.", "Un effet immédiat reste.", "lasting, at once"),
    ("La lampe du dessus brille.", "La lampe du dessous brille.", "top, bottom"),
    ("Prenez toutes les lampes.", "Prenez quelques lampes.", "all, some"),
    ("La main est publique.", "La main est secrète.", "seen, not seen"),
    ("Le joueur gagne.", "Le joueur perd.", "wins, loses"),
    ("Un nombre pair de lampes.", "Un nombre impair de lampes.", "even, odd"),
    ("La main prime sur Phare 2.", "Phare 2 prime sur la main.", "what takes precedence"),
    ("La carte prévaut alors.", "Les règles prévalent alors.", "card before rules, rules before card"),
    ("Les vents du port priment sur la houle.", "La houle prime sur les vents du port.", "precedence of unknown words"),
    ("Posez-la sous la lampe.", "Posez-la sur la lampe.", "below, above"),
    ("Le port est vide.", "Le port est plein.", "empty, full"),
    ("Le phare le plus éloigné du port.", "Le phare le plus proche du port.", "far, near"),
    ("Le gardien le plus jeune veille.", "Le gardien le plus âgé veille.", "younger, older"),
    ("La veille commence alors.", "La veille se termine alors.", "begins, ends"),
    ("Le bateau entre au port.", "Le bateau quitte le port.", "in, out"),
    ("Prenez la lampe du port.", "Rendez la lampe du port.", "take, give"),
    ("La lampe brille toujours.", "La lampe brille parfois.", "always, sometimes"),
    ("Il éclaire la lampe elle-même.", "Il éclaire une autre lampe.", "itself, another"),
    ("Portez-les vers la même lampe.", "Portez-les vers des lampes différentes.", "the same, different"),
    ("Le feu correspond à la lampe.", "Le feu ne correspond pas à la lampe.", "matching, not matching"),
    ("La lampe n'est pas prise.", "La lampe est quand même prise.", "not, all the same"),
    ("Prenez la lampe d'un joueur.", "Prenez la lampe des deux joueurs.", "of one player, of both"),
    ("Dans l'ordre où elles brûlent.", "Dans l'ordre de votre choix.", "a given order, any order"),
]


@pytest.mark.every(("before", "after"), [row[:2] for row in OTHERWISE], ids=[row[2] for row in OTHERWISE])
def test_one_of_two_words_that_exclude_each_other_for_the_other_is_found(before: str, after: str) -> None:
    (found,) = now(after, known=(before,))
    assert (found.code, found.rules) == ("since-known", ("watch",))


@pytest.mark.every(
    ("before", "after"),
    [
        ("Prenez la lampe et la main.", "Prenez la lampe, puis la main."),
        ("Prenez la même lampe.", "Prenez cette lampe."),
        ("Prenez une seule lampe.", "Ne prenez pas plus d'une lampe."),
        ("Prenez la lampe et allumez.", "Prenez la lampe puis allumez."),
        ("La lampe vide reste au port.", "La lampe reste au port."),
        ("Le bateau entre au port.", "Le bateau mouille au port."),
        ("La main prime sur Phare 2.", "La main l'emporte sur Phare 2."),
        ("Les deux lampes doivent être différentes.", "Les deux lampes ne peuvent pas être identiques."),
        ("La lampe du dessus brille.", "La première lampe du dessus brille."),
    ],
)
def test_such_a_word_that_only_comes_or_goes_gives_no_finding(before: str, after: str) -> None:
    assert [found for found in now(after, known=(before,)) if found.kind == "quantity"] == []


def test_what_one_word_states_under_two_names_is_told_once() -> None:
    assert fact_words("actor:opponent whose:theirs number:2", "en") == fact_words("actor:opponent number:2", "en")
    assert fact_words("actor:opponent term:opponent", "en") == fact_words("actor:opponent", "en")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Vous devez dormir.", "Votre devoir est de dormir."),
        ("Si la nuit tombe, dormez.", "Dormez à la tombée du jour."),
    ],
)
def test_words_that_no_table_knows_are_not_read_and_give_no_finding(before: str, after: str) -> None:
    assert now(after, known=(before,)) == []


def test_an_article_or_a_known_word_in_place_of_a_not_is_read() -> None:
    (found,) = now("Prenez la main.", known=("Ne prenez pas la main.",))
    assert found.kind == "negation"


def test_of_a_known_word_only_a_letter_is_kept() -> None:
    text = "Prenez la main."
    stated = kept(text, facts(text, "fr", BASE), "fr", BASE)
    assert len(stated.letters) == 3
    assert stated.letters[1] == "."
    assert (stated.letters[0].islower(), stated.letters[2].isupper()) == (True, True)


def test_a_sentence_that_is_gone_and_two_that_changed_places_are_found() -> None:
    known = ("Dormez.", "Veillez.")
    assert [(found.kind, found.code) for found in now("Dormez.", "", known=known)] == [("missing", "sentence")]
    before = {f"1.{n}": KnownSentence(f"1.{n}", ("watch",), Kept("", (), ())) for n in (1, 2)}
    there = [
        Placed("1.1", 2, "Dormez.", (1, 1), "tale", "Watch"),
        Placed("1.2", 1, "Veillez.", (1, 1), "tale", "Watch"),
    ]
    (found,) = since_known(before, "fr", {one.address: one for one in there}, BASE)
    assert found.kind == "order"


def test_no_word_of_a_document_is_kept_of_it() -> None:
    names = {name for sentence in known_sentences("compile-faq-fr").values() for name in sentence.names}
    assert names
    assert all(name.isascii() and " " not in name for name in names)


# The tables of words


def test_a_longer_phrase_hides_the_word_inside_it() -> None:
    (mark,) = marks("Il ne peut pas dormir.", "fr", "modality")
    assert (mark.marker, mark.words) == ("cannot", "ne peut pas")


def test_a_gap_in_a_phrase_reaches_over_four_words_of_a_clause_at_most() -> None:
    near, far = "Ne pouvez plus du tout dormir pas", "Ne pouvez vous et moi et eux dormir pas"
    assert marks(near, "fr", "modality")[0].words == near
    for text in (far, "Ne pouvez dormir, pas plus"):
        assert marks(text, "fr", "modality")[0].words == "Ne pouvez"


def test_an_unknown_language_says_so() -> None:
    with pytest.raises(MarkerTableError, match=r"'xx'.*none"):
        table("xx")


@pytest.mark.every(
    ("text", "why"), [("[colour]\nred = ['rot']", "colour"), ("[time]\nbefore = 'vor'", "not a list"), ("[", "used")]
)
def test_a_table_that_is_wrong_names_the_place(text: str, why: str) -> None:
    with pytest.raises(MarkerTableError, match=why):
        parse_table(text, "de")


def test_a_number_that_belongs_to_the_name_of_a_card_is_no_number() -> None:
    assert marks("ESPRIT 0 : prenez 2 cartes.", "fr", "number")[0].words == "2"
    assert [mark.words for mark in marks("La carte Phare 2 vaut 3 lampes.", "fr", "number")] == ["3"]
    assert [mark.words for mark in marks("« Allumez 2 lampes. »", "fr", "number")] == ["2"]


# Some of so many


TWO_OF_THREE = (
    side("fr", "Allumez deux des trois lampes."), side("it", "Accendi due delle tre lampade."),
    side("fr", "Allumez deux lampes sur trois."), side("it", "Accendi 2 lampade su 3."),
    side("pl", "Zapal dwie z trzech lamp."), side("pl", "Zapal dwie spośród trzech lamp."),
    side("en", "Light two of the three lamps."),
)  # fmt: skip


def test_two_of_three_is_the_same_in_words_and_digits_of_every_language() -> None:
    assert [between(one, other) for one in TWO_OF_THREE for other in TWO_OF_THREE if between(one, other)] == []


@pytest.mark.every("one", TWO_OF_THREE)
@pytest.mark.every(
    ("other", "left", "right"),
    [
        (side("en", "Light two of the four lamps."), "3", "4"),
        (side("it", "Accendi due delle quattro lampade."), "3", "4"),
        (side("fr", "Allumez trois des quatre lampes."), "2", "4"),
    ],
)
def test_another_share_or_another_whole_is_found(one: Side, other: Side, left: str, right: str) -> None:
    assert between(one, other) == [("number", "exchange", {"left": left, "right": right})]


@pytest.mark.every("one", TWO_OF_THREE)
def test_some_of_so_many_is_not_all_of_them(one: Side) -> None:
    assert between(one, side("it", "Accendi tutte e 3 le lampade.")) == [
        ("number", "exchange", {"left": "2", "right": "3"})
    ]
