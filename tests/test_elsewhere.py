"""What no rule speaks of is told by words of its own, of the same kinds in every language, and weighed."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from audit.core.catalogue import LANGUAGES, words
from audit.core.names import cards_in, cards_perhaps_in, families
from audit.core.question_concepts import Concepts, Lexicon, cards_asked, folded_words
from audit.games.compile.rules import CATALOGUE
from tests.test_rule_search import compile_search

PACKAGE = "audit.games.compile"
FOLDER = Path(__file__).parent.parent / "audit" / "games" / "compile"
ASKED = tomllib.loads((FOLDER / "asked_about.toml").read_text("utf-8"))
CONCEPTS = Concepts(PACKAGE)


def phrases(language: str, file: str) -> list[str]:
    return [phrase for said in words(PACKAGE, language, file).values() for phrase in said.split()]


def single(language: str, file: str) -> list[str]:
    return [phrase for phrase in phrases(language, file) if "_" not in phrase]


@pytest.mark.every("language", LANGUAGES)
def test_every_language_has_every_kind_and_words_for_each(language: str) -> None:
    kinds = words(PACKAGE, language, "elsewhere")
    assert {*kinds} == {*words(PACKAGE, LANGUAGES[0], "elsewhere")}
    assert all(len(said.split()) >= 10 for said in kinds.values())
    assert {*ASKED["names"], *ASKED["elsewhere"]["weak"].split()} <= {*kinds}


@pytest.mark.every("language", LANGUAGES)
def test_each_word_stands_under_one_kind_and_can_be_read_in_a_line(language: str) -> None:
    said = phrases(language, "elsewhere")
    assert sorted(said) == sorted({*said})
    text = (FOLDER / "text" / language / "elsewhere.toml").read_text("utf-8")
    assert max(map(len, text.splitlines())) <= 120


@pytest.mark.every("language", LANGUAGES)
def test_no_such_word_stands_for_a_concept_or_a_family_of_cards_too(language: str) -> None:
    """It may begin like a concept's word and say more: `koszulk*` beside `kosz*`."""
    known = Lexicon(words(PACKAGE, language, "concepts"))
    begun = [word.rstrip("*") for word in single(language, "concepts")] + [*families(PACKAGE)]
    assert list(_doubtful(single(language, "elsewhere"), known, begun)) == []


def _doubtful(said: list[str], known: Lexicon, begun: list[str]) -> Iterator[str]:
    for word in said:
        stem = word.rstrip("*")
        covers = word.endswith("*") and any(other.startswith(stem) for other in begun)
        if covers or stem in begun or known.longest([stem], 0).letters >= len(stem):
            yield word


@pytest.mark.every("language", LANGUAGES)
def test_no_statement_has_such_a_word(language: str) -> None:
    strange = Lexicon(words(PACKAGE, language, "elsewhere"))
    assert [rule.id for rule in CATALOGUE if strange.of(folded_words(CATALOGUE.statement(rule, language)))] == []


def test_what_is_on_the_table_are_concepts() -> None:
    assert {*ASKED["elsewhere"]["things"].split()} <= {*words(PACKAGE, LANGUAGES[0], "concepts")}


@pytest.mark.every(
    ("question", "number"),
    [
        ("can a covered card be flipped", 0),
        ("can my covered card attack his", 1),
        ("how much damage does my covered card do when it attacks", 2),
        ("combien de dégâts fait ma carte quand elle attaque", 2),
        ("quanti danni fa la mia carta quando attacca", 2),
        ("ile obrażeń zadaje moja karta gdy atakuje", 2),
        ("in the train over a beer: can a covered card be flipped", 0),
        ("who brings the beer into the train", 2),
    ],
)
def test_a_question_is_as_strange_as_it_says_things_that_are_not_there(question: str, number: int) -> None:
    assert CONCEPTS.strangeness(question) == number


def test_a_word_for_something_strange_is_not_read_as_the_concept_that_it_begins_like() -> None:
    assert "trash" in CONCEPTS.of("czy karta idzie na kosz")["pl"]
    assert "trash" not in CONCEPTS.of("czy karta idzie do koszulki")["pl"]


def test_a_longer_phrase_for_a_concept_is_not_read_as_something_strange() -> None:
    assert CONCEPTS.strangeness("combien d'or") == 1
    assert CONCEPTS.strangeness("la règle d'or") == 0


@pytest.mark.every(
    "question",
    [
        "he has nothing in that line, can my card attack his protocol and how much damage does it deal",
        "est-ce que ma carte couverte peut attaquer et faire des dégâts avant la compilation",
        "posso potenziare il protocollo al livello 2 quando compilo la linea",
        "czy po kompilacji linii mogę ulepszyć protokół na wyższy poziom",
        "do I untap my face-down cards at the start of my turn",
        "can we trade cards with each other before we compile",
        "l'adversaire peut-il couper mon deck après le mélange",
        "chi ha disegnato le carte del protocollo fuoco",
        "jakie protokoły najlepiej wziąć na początek",
    ],
)
def test_the_more_is_strange_the_more_a_rule_has_to_share(question: str) -> None:
    assert compile_search().find(question) == []


@pytest.mark.every(
    ("question", "id"),
    [
        ("at the tournament the judge said I must compile", "compile.mandatory"),
        ("after two beers: can a covered card be flipped", "text.covered-card-turned-up"),
        ("sul treno: se il mazzo è vuoto e devo pescare, rimescolo gli scarti?", "deck.reshuffle-on-draw"),
        ("dans le train : je dois dire combien de cartes j'ai en main ?", "info.counts-open"),
        ("w pociągu: kto zaczyna pierwszą turę", "setup.first-turn"),
    ],
)
def test_mere_surroundings_of_a_question_do_not_hide_what_it_asks(question: str, id: str) -> None:
    assert id in [found.rule.id for found in compile_search().find(question)][:3]


@pytest.mark.every(
    ("question", "cards"),
    [
        ("paura zero blocca i comandi dell'avversario?", ("fear-0",)),
        ("what does fire two do", ("fire-2",)),
        ("que fait feu deux ?", ("fire-2",)),
        ("co robi ogień trzy i śmierć jeden?", ("fire-3", "death-1")),
        ("asimilation zero when it is covered", ("assimilation-0",)),
        ("each time two cards are deleted", ()),
        ("allo stesso tempo due carte", ()),
        ("en même temps deux effets", ()),
        ("each time two of my cards are deleted", ()),
    ],
)
def test_the_number_of_a_card_may_be_a_word_in_any_language(question: str, cards: tuple[str, ...]) -> None:
    assert cards_in(PACKAGE, question) == cards


def test_a_strange_question_means_a_card_only_where_its_name_is_spelt_right() -> None:
    assert cards_asked(PACKAGE, "psychick 1 text pls") == ("psychic-1",)
    assert cards_asked(PACKAGE, "he left the table after game 1, do I get a warning") == ()
    assert cards_asked(PACKAGE, "how much damage does fire 1 do") == ("fire-1",)


@pytest.mark.every(
    "said",
    ["lo Spirito n. 3", "Spirit (3)", "the three of Spirit", "il 3 di Spirito", "le trois d'Esprit", "esprit n° 3",
     "duch nr 3", "trójka Ducha", "spirit-3"],
)  # fmt: skip
def test_whatever_may_be_the_name_of_a_card_is_taken_for_one_before_it_is_published(said: str) -> None:
    assert cards_perhaps_in(PACKAGE, f"Bo holds {said}, in line 2.") == ("spirit-3",)


def test_a_number_that_belongs_to_something_else_names_no_card() -> None:
    assert cards_perhaps_in(PACKAGE, "In line 2 Spirit is compiled. 3 cards of Hate are discarded.") == ()
