"""A later edition of a document of which only the marks of the known one are kept: what was reworded, what is gone."""

from __future__ import annotations

import re
from itertools import permutations

import pytest

from audit.games.compile.rules import CATALOGUE
from audit.rulebooks.clauses.frames import facts
from audit.rulebooks.clauses.known_sentences import KnownSentence, stated_by
from audit.rulebooks.clauses.rewording import Kept, kept
from audit.rulebooks.clauses.since import since_known
from audit.rulebooks.cutting import cut
from audit.rulebooks.known import describe_edition
from audit.rulebooks.moving import found_by_marks
from audit.rulebooks.qa import checked
from audit.rulebooks.segments import Placed, Segment, Sentences, aligned, placed
from audit.rulebooks.terms import parse_terms, term_base

BEFORE = """Watch

The keeper climbs the tower at dusk. He counts the lamps of the harbour. When one is missing, he lights another.

Night

The boats sleep below the wall. Nobody rows before the bell.
"""
WORDED_ANEW = BEFORE.replace(
    "He counts the lamps of the harbour. When one is missing, he lights another.",
    "Whatever stays dark down there gets a flame from him.",
)
OTHERWISE_SAID = BEFORE.replace("The boats sleep below the wall. Nobody", "All hulls stay moored till morning. Nobody")
SHORTER = BEFORE.replace(" He counts the lamps of the harbour.", "")
BASE = parse_terms("")
ADDRESSES = list(placed(cut(BEFORE, "keeper-en", "en")))
CLIMBS, COUNTS, LIGHTS, BOATS, ROWS = ADDRESSES


def again(text: str) -> Sentences:
    return found_by_marks(describe_edition(cut(BEFORE, "keeper-en", "en")), cut(text, "keeper-en", "en"))


def missing(text: str) -> list[str]:
    """The addresses of the sentences that are told as gone."""
    known = {one: KnownSentence(one, ("watch",), Kept("", (), ())) for one in ADDRESSES}
    return [found.segment for found in since_known(known, "en", again(text), BASE) if found.kind == "missing"]


def test_a_document_that_has_not_changed_is_found_whole() -> None:
    assert [again(BEFORE)[one].address for one in ADDRESSES] == ADDRESSES
    assert missing(BEFORE) == []


def test_a_sentence_that_was_left_out_is_missing() -> None:
    assert missing(SHORTER) == [COUNTS]


def test_where_two_sentences_became_one_other_nothing_is_said_to_be_missing() -> None:
    assert missing(WORDED_ANEW) == []
    found = again(WORDED_ANEW)
    assert [one for one in ADDRESSES if found[one].worded_anew] == [COUNTS, LIGHTS]


def test_a_sentence_in_the_place_of_another_is_that_sentence() -> None:
    found = again(OTHERWISE_SAID)
    assert (found[BOATS].text, found[BOATS].worded_anew) == ("All hulls stay moored till morning.", False)
    assert missing(OTHERWISE_SAID) == []


def test_what_was_worded_anew_is_held_against_no_other_language() -> None:
    segment = Segment("watch", ("watch",), {"en": (COUNTS, LIGHTS), "fr": ("1.1",)})
    french = placed(cut("Le gardien compte 3 lampes.", "gardien-fr", "fr"))
    assert checked(aligned([segment], {"en": again(WORDED_ANEW), "fr": french}), BASE) == []
    assert [one.kind for one in checked(aligned([segment], {"en": again(SHORTER), "fr": french}), BASE)] != []


# The same in other words: "if", "their", "both", and what cannot be done


def told(language: str, before: str, after: str) -> list[str]:
    base = term_base(CATALOGUE.package)
    known = {"1.1": KnownSentence("1.1", ("watch",), kept(before, facts(before, language, base), language, base))}
    now = {"1.1": Placed("1.1", 0, after, (1, 1), "tale", "")}
    return [found.message("en") for found in since_known(known, language, now, base)]


@pytest.mark.every(
    ("language", "before", "after"),
    [
        (
            "fr",
            "Si la pioche est vide, mélangez tout.",
            "Dès lors que la pioche est vide, mélangez tout.",
        ),
        (
            "fr",
            "Si la pioche est vide, mélangez tout.",
            "À supposer que la pioche soit vide, mélangez tout.",
        ),
        ("fr", "Les deux joueurs retournent leur protocole.", "L'un et l'autre joueur retournent leur protocole."),
        ("fr", "Les joueurs gardent leurs cartes en main.", "Les joueurs gardent leurs propres cartes en main."),
        ("fr", "Vous ne pouvez pas jouer cette carte.", "Il vous est impossible de jouer cette carte."),
        ("fr", "Vous ne pouvez pas jouer cette carte.", "Vous êtes dans l'impossibilité de jouer cette carte."),
        ("it", "Se il mazzo è vuoto, rimescola tutto.", "Qualora il mazzo sia vuoto, rimescola tutto."),
        (
            "it",
            "Se il mazzo è vuoto, rimescola tutto.",
            "Nell'eventualità che il mazzo sia vuoto, rimescola tutto.",
        ),
        ("it", "Entrambi i giocatori voltano il protocollo.", "I due giocatori voltano il protocollo."),
        ("it", "Non puoi giocare questa carta.", "Sei nell'impossibilità di giocare questa carta."),
        ("it", "I giocatori tengono le proprie carte in mano.", "I giocatori tengono le rispettive carte in mano."),
        ("fr", "Chacun des joueurs a une pioche.", "Les deux joueurs ont une pioche."),
        ("fr", "Il doit piocher avant de jouer.", "Il ne joue qu'après avoir pioché."),
        ("it", "Non puoi farlo, anche se il mazzo è vuoto.", "Non puoi farlo, nemmeno se il mazzo è vuoto."),
        ("it", "La carta torna al suo controllore.", "La carta torna a chi la controlla."),
        (
            "fr",
            "Une carte engagée attend ; la carte engagée n'agit pas.",
            "Une carte engagée attend ; elle n'agit pas.",
        ),
        ("pl", "Działa, gdy karta nie jest przykryta.", "Działa, gdy żadna inna karta nie przykrywa karty."),
        ("pl", "Jeśli talia jest pusta, przetasuj kosz.", "Skoro talia jest pusta, przetasuj kosz."),
        ("pl", "Jeśli talia jest pusta, przetasuj kosz.", "W sytuacji gdy talia jest pusta, przetasuj kosz."),
        ("pl", "Obaj gracze odwracają protokół.", "Obydwaj gracze odwracają protokół."),
        ("pl", "Gracz nie może zagrać tej karty.", "Zagranie tej karty jest niemożliwe."),
        ("pl", "Gracze trzymają swoje karty na ręce.", "Gracze trzymają własne karty na ręce."),
        ("en", "If the deck is empty, shuffle the trash.", "Provided the deck is empty, shuffle the trash."),
        ("en", "Both players flip the protocol.", "The two players flip the protocol."),
        ("en", "A player cannot play this card.", "A player has no way to play this card."),
        ("en", "The players keep their own cards in hand.", "The players keep their respective cards in hand."),
    ],
)
def test_a_synonym_of_a_word_that_counts_says_the_same(language: str, before: str, after: str) -> None:
    assert told(language, before, after) == []


@pytest.mark.every(
    ("language", "before", "after"),
    [
        ("it", "Puoi compilare solo 1 colonna per turno.", "In un turno non puoi compilare più di 1 colonna."),
        ("pl", "Zasłaniając kartę, gracz jej nie odwraca.", "Gdy gracz zasłania kartę, jej nie odwraca."),
        ("fr", "Mélangez votre défausse pour reformer votre pioche.", "Votre défausse mélangée devient votre pioche."),
        ("fr", "Montrez la carte, puis remettez-la.", "Montrez la carte avant de la remettre."),
        ("it", "L'effetto non impedisce di giocare la carta.", "Con l'effetto si può giocare la carta."),
        ("pl", "Zachowuje ją do końca gry.", "Zachowuje ją przez resztę gry, do końca gry."),
        ("fr", "Vous piochez de votre pioche.", "Le joueur pioche de sa pioche."),
        ("fr", "Prenez la main et également la pioche.", "Prenez la main ainsi que la pioche."),
    ],
    ids=[
        "only one, no more than one", "a clause for a participle", "shuffled again", "then, before", "prevents, may",
        "to the end, for the rest", "you, the player", "also, as well as",
    ],
)  # fmt: skip
def test_another_construction_says_the_same(language: str, before: str, after: str) -> None:
    assert told(language, before, after) == []


SLIPS = [
    ("fr", "Jouez la carte Peste 2.", "Jouez la carte Feu 2.", "it says “Feu 2”; .* says: Peste 2"),
    ("fr", "Le texte dit « Aurore ».", "Le texte dit « Crépuscule ».", "it says “Crépuscule”; .* another name"),
    ("fr", "Piochez une carte.", "Ne piochez pas de carte.", "the edition known here does not"),
    ("fr", "Compilez ou rafraichissez.", "Compilez.", "says in French: refresh. .* no word stands in its place"),
    ("it", "Lo fanno le carte del campo.", "Lo fanno le carte, tutte e quante.", "says “tutte e quante”; .*: field"),
    ("fr", "On voit la main, mais pas la pioche.", "On voit la main, ainsi que la pioche.", "“ainsi que” .as well as"),
    (
        "it",
        "Il tuo avversario pesca dal proprio mazzo.",
        "Il tuo avversario pesca dal tuo mazzo.",
        "“tuo” .your",
    ),
    ("fr", "Elle agit deux fois.", "Elle agit trois fois.", "says “trois fois” .three times.*: twice"),
    ("it", "Pesca una carta, poi rimescola.", "Rimescola, poi pesca una carta.", "in another order .*: “Rimescola"),
]


@pytest.mark.every(("language", "before", "after", "message"), SLIPS)
def test_a_slip_is_told_in_the_words_of_both_sides(language: str, before: str, after: str, message: str) -> None:
    (found,) = told(language, before, after)
    assert re.search(message, found), found


def test_another_word_of_the_same_letter_is_seen_where_it_states_another_thing() -> None:
    kept_of = [kept(text, facts(text, "fr", BASE), "fr", BASE).letters for text in ("même", "sauf")]
    assert kept_of[0].casefold() == kept_of[1].casefold()
    assert told("fr", "Elle reste, même lorsqu'elle est jouée.", "Elle reste, sauf lorsqu'elle est jouée.")


def test_another_limit_with_a_not_is_another_limit() -> None:
    assert told("it", "Puoi compilare solo 1 colonna per turno.", "In un turno non puoi compilare più di 2 colonne.")


# A slip changes a few words and leaves the rest; a rewording changes many


@pytest.mark.every(
    ("language", "before", "after"),
    [
        (
            "it",
            "Quando una carta viene scartata, viene messa a faccia in su nella scatola del suo controllore.",
            "Una carta scartata finisce nella scatola del suo controllore, a faccia in su.",
        ),
        (
            "en",
            "When the deck is empty, the keeper must shuffle the trash at once.",
            "An empty deck obliges the keeper to shuffle the trash without delay.",
        ),
        ("fr", "La carte agit même si la pioche est vide.", "Le fait que la pioche soit vide ne l'empêche pas d'agir."),
        ("pl", "Kartę można położyć zarówno odkrytą, jak i zakrytą.", "Kartę wolno położyć odkrytą albo zakrytą."),
        ("it", "Pulisci la torre, scartando le carte fino a sera.", "Pulisci la torre, e scarti le carte fino a sera."),
        ("fr", "Une carte peut aussi se retourner.", "Rien n'interdit à une carte de se retourner."),
        ("en", "The lamp must burn at dusk; it cannot stay dark.", "At dusk the lamp has to be lit and burn brightly."),
    ],
)
def test_a_sentence_that_was_worded_anew_is_a_question_and_no_finding(language: str, before: str, after: str) -> None:
    assert told(language, before, after) == []


@pytest.mark.every(
    ("language", "before", "after"),
    [
        ("en", "A lamp counts as a light and not as a fire.", "A lamp counts as a fire and not as a light."),
        ("pl", "Nie będą potrzebne podczas tej rozgrywki.", "Będą jeszcze potrzebne podczas tej rozgrywki."),
        ("it", "Il guardiano non può usare lampade non accese.", "Il guardiano non può usare lampade accese."),
        ("en", "The boats may leave the harbour at any hour.", "The boats may leave the harbour only at dawn."),
        (
            "fr",
            "Ces cartes restent alors dans la tour du gardien et conservent leur lumière.",
            "Ces cartes restent alors dans la tour du gardien et passent face inactive visible.",
        ),
        (
            "en",
            "Every keeper who climbs that old tower must light two lamps there.",
            "In that old tower there must be three lamps that every climbing keeper lights.",
        ),
    ],
)
def test_a_few_words_that_say_something_else_are_a_finding(language: str, before: str, after: str) -> None:
    assert len(told(language, before, after)) == 1


NOT_FROM_FIVE = {
    "en": (
        "You cannot refresh if you have 5 or more cards in hand.",
        "You may refresh only if you have fewer than 5 cards in hand.",
        "You can only refresh with at most 4 cards in hand.",
        "You may not refresh unless you have fewer than 5 cards in hand.",
    ),
    "fr": (
        "Vous ne pouvez pas recharger si vous avez 5 cartes ou plus en main.",
        "Vous ne pouvez recharger que si vous avez moins de 5 cartes en main.",
        "Vous pouvez recharger avec 4 cartes au plus en main.",
        "Vous ne pouvez pas recharger, sauf si vous avez moins de 5 cartes en main.",
    ),
    "it": (
        "Con 5 o più carte in mano non è possibile ricaricare.",
        "Puoi ricaricare soltanto se in mano hai meno di 5 carte.",
        "Puoi ricaricare solo con al massimo 4 carte in mano.",
    ),
    "pl": (
        "Gracz nie może uzupełnić kart, jeśli ma na ręce co najmniej 5 kart.",
        "Gracz może uzupełnić karty tylko wtedy, gdy ma na ręce mniej niż 5 kart.",
        "Mając na ręce 5 lub więcej kart, gracz nie może ich uzupełnić.",
    ),
}
"""One rule in several wordings: what is denied from a number on is allowed only below it."""
OTHERWISE = {
    "en": (
        "You can refresh if you have 5 or more cards in hand.",
        "You may refresh only if you have fewer than 6 cards in hand.",
    ),
    "fr": (
        "Vous pouvez recharger si vous avez 5 cartes ou plus en main.",
        "Vous ne pouvez recharger que si vous avez moins de 6 cartes en main.",
    ),
    "it": (
        "Non puoi ricaricare se hai meno di 5 carte in mano.",
        "Puoi ricaricare soltanto se hai in mano meno di 6 carte.",
    ),
    "pl": (
        "Gracz może uzupełnić karty, jeśli ma na ręce co najmniej 5 kart.",
        "Gracz może uzupełnić karty tylko wtedy, gdy ma na ręce mniej niż 6 kart.",
    ),
}


@pytest.mark.every("language", NOT_FROM_FIVE)
def test_not_from_five_on_is_only_under_five(language: str) -> None:
    for before, after in permutations(NOT_FROM_FIVE[language], 2):
        assert kinds_told(before, after, language) == [], (before, after)
    for after in OTHERWISE[language]:
        assert kinds_told(NOT_FROM_FIVE[language][0], after, language), after


def kinds_told(before: str, after: str, language: str) -> list[str]:
    """The kinds of what a sentence says otherwise than the known one."""
    base = term_base(CATALOGUE.package)
    one, other = ({"1.1": Placed("1.1", 0, text, (1, 1), "p", "")} for text in (before, after))
    known = stated_by(one, language, {"1.1": ("refresh.not-with-five",)}, base)
    return [str(found.kind) for found in since_known(known, language, other, base)]


@pytest.mark.every(
    ("language", "before", "after"),
    [
        ("it", "Pesca tutte le carte, poi rimescola gli scarti e pesca.", "Rimescola gli scarti, poi pesca le carte."),
        ("fr", "Piochez toutes les cartes, puis supprimez-en une.", "Supprimez-en une, puis piochez les cartes."),
        ("pl", "Gracz dobiera wszystkie karty, następnie odwraca 1.", "Gracz odwraca 1 kartę, następnie dobiera."),
    ],
)
def test_two_steps_in_each_others_place_are_told_as_their_order(language: str, before: str, after: str) -> None:
    assert kinds_told(before, after, language) == ["order"]
