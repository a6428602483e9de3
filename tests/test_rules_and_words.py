"""How rules are declared and found, how readings are named, and how a sentence is chosen for what happened."""

from __future__ import annotations

from types import ModuleType

import pytest
from babel.lists import format_list

from audit.core.catalogue import LANGUAGES, Catalogue, Place, Rule, Topic, at, each_once, rule
from audit.core.errors import UnknownEditionError, UnknownReadingError, UnknownRuleError
from audit.core.event_rules import Violation
from audit.core.readings import Switch, readings_of, switches_in
from audit.core.record import NO_RULE
from audit.core.record_events import Gap, TakenBack
from audit.core.ruleset import ruleset, rulesets
from audit.core.sentences import _form, listed, sentence, switch_sentence, tell, violation_sentence
from audit.games.compile import RULESET
from audit.games.compile.events import Drew, PhaseBegan
from audit.games.compile.rules import CATALOGUE
from tests.replays.small_game import SMALL

DRAW = rule("draw.two", "procedure", events=["drew"], en=at(7, "Draw"), fr=None)
HAND = Topic("hand")("draw.from-hand", "limit", en=at((8, 9), "Draw", 12, (14, 15), implied=True))


def book(package: str = "audit", **rules: Rule) -> Catalogue:
    module = ModuleType("book")
    vars(module).update(rules, note="what is no rule is left out")
    return Catalogue(package, [module], {"en": "book-en"}, {"old.draw": "draw.two"})


BOOK = book(DRAW=DRAW, HAND=HAND)


# Rules


@pytest.mark.every("language", LANGUAGES)
@pytest.mark.every("name", rulesets())
def test_every_rule_has_a_short_title_of_its_own(name: str, language: str) -> None:
    catalogue = ruleset(name).catalogue
    titles = {rule.id: catalogue.title(rule, language) for rule in catalogue.rules.values() if rule.topic != "rulings"}
    assert len(set(titles.values())) == len(titles)
    assert [id for id, title in titles.items() if not 0 < len(title) <= 40 or len(title.split()) > 8] == []


def test_a_topic_is_called_by_what_its_rules_share() -> None:
    assert (CATALOGUE.topic_title("setup"), CATALOGUE.topic_title("play", "pl")) == ("Setting up", "Zagranie karty")


def test_a_rule_without_a_statement_is_told_by_its_id() -> None:
    unsaid = book("audit.games.compile", DRAW=DRAW)
    assert [unsaid.statement(DRAW, language) for language in LANGUAGES] == ["draw.two"] * 4
    assert DRAW in unsaid.search("draw two")


@pytest.mark.every("entry", [DRAW, Rule("", "", ""), CATALOGUE["cx-01"]], ids=repr)
def test_a_rule_is_official_and_undisputed_and_can_be_checked_unless_it_says_otherwise(entry: Rule) -> None:
    assert (entry.checkable, entry.unofficial, entry.contested, entry.derived) == (True, False, False, False)


def test_a_rule_says_of_itself_what_was_declared() -> None:
    told = rule("a.b", "limit", checkable=False, unofficial=True, contested=True, derived=True, basis=["en"])
    assert (told.checkable, told.unofficial, told.contested, told.derived) == (False, True, True, True)
    assert (told.basis, told.events, told.terms, told.cards) == (("en",), (), (), ())


def test_the_topic_of_a_rule_is_the_first_word_of_its_id_unless_it_has_another() -> None:
    assert (DRAW.topic, HAND.topic) == ("draw", "hand")


def test_a_place_is_one_line_or_several() -> None:
    assert DRAW.places == {"en": Place((7, 7), "Draw", (), False)}
    assert HAND.places == {"en": Place((8, 9), "Draw", ((12, 12), (14, 15)), True)}
    assert not Place((7, 7), "Draw").implied


def test_rules_are_cited_once_and_in_their_order() -> None:
    assert each_once((HAND, DRAW, HAND)) == (HAND, DRAW)


# Catalogues


def test_a_catalogue_has_its_rules_by_id_and_by_their_former_ids() -> None:
    assert list(BOOK) == [DRAW, HAND]
    assert len(BOOK) == 2
    assert BOOK["old.draw"] is BOOK["draw.two"] is DRAW
    assert BOOK.entries == (DRAW, HAND)


@pytest.mark.every("catalogue", [BOOK, CATALOGUE])
@pytest.mark.every("id", ["draw.three", ""])
def test_an_id_that_nothing_has_is_an_error(catalogue: Catalogue, id: str) -> None:
    with pytest.raises(UnknownRuleError):
        catalogue[id]


def test_the_entries_of_a_catalogue_are_its_rules_and_then_its_rulings() -> None:
    assert CATALOGUE.entries == (*CATALOGUE, *CATALOGUE.rulings.values())


@pytest.mark.every("name", ["", "anything", "2024-11"])
def test_a_game_without_rulings_has_one_edition_by_any_name(name: str) -> None:
    assert BOOK.editions == ("first",)
    assert BOOK.edition(name) == name


@pytest.mark.every(
    "name", ["2024x", "2024-1", "x2024", "24-10", "first edition", "2025-13", "2025-02-30", "2025-99-99", "0000"]
)
def test_what_is_no_date_is_no_edition(name: str) -> None:
    with pytest.raises(UnknownEditionError):
        CATALOGUE.edition(name)


def test_a_rule_is_found_by_its_topic_and_by_all_words_asked_for() -> None:
    by_topic = CATALOGUE.search("Hand")
    assert by_topic
    assert [one for one in by_topic if "hand" not in f"{one.id} {one.topic} {CATALOGUE.statement(one)}".lower()] == []
    assert set(CATALOGUE.search("hand draw")) == set(by_topic) & set(CATALOGUE.search("draw"))
    assert CATALOGUE.search("main") != CATALOGUE.search("main", "fr")


# Readings

SWITCHES = (Switch("reshuffle", (DRAW,), ("fr", "it")), Switch("open-hand", (HAND,), ("it",)))
READINGS = readings_of(SWITCHES)


def test_a_reading_is_that_of_an_edition_or_of_single_switches() -> None:
    assert {"standard": frozenset(), "fr": {"reshuffle"}, "it": {"reshuffle", "open-hand"}} == READINGS
    assert switches_in("standard", READINGS, SWITCHES) == frozenset()
    assert switches_in("it", READINGS, SWITCHES) == {"reshuffle", "open-hand"}
    assert switches_in("standard+open-hand", READINGS, SWITCHES) == {"open-hand"}
    assert switches_in("fr+open-hand", READINGS, SWITCHES) == {"reshuffle", "open-hand"}


def test_a_former_name_of_a_reading_still_stands_for_it() -> None:
    assert switches_in("shuffle", READINGS, SWITCHES, {"shuffle": "reshuffle"}) == {"reshuffle"}


def test_a_reading_that_nobody_knows_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownReadingError) as refused:
        switches_in("fr+shuffled+other", READINGS, SWITCHES)
    assert refused.value.reading == "shuffled"
    assert refused.value.known == ("standard", "fr", "it", "reshuffle", "open-hand")


# Sentences

FORMS = {"one": "a card", "few": "some cards", "other": "cards"}


@pytest.mark.every(
    ("language", "n", "form"),
    [
        ("en", 1, "a card"), ("en", 0, "cards"), ("en", 2, "cards"), ("pl", 3, "some cards"), ("pl", 5, "cards"),
        ("en", "X", "cards"), ("en", None, "cards"),
    ],
)  # fmt: skip
def test_a_number_chooses_the_form_of_a_word(language: str, n: object, form: str) -> None:
    assert _form(FORMS, language, {"n": n}) == form


def test_without_a_number_or_a_form_for_it_the_general_one_is_taken() -> None:
    assert _form(FORMS, "en", {}) == "cards"
    assert _form({"few": "some", "many": "a lot"}, "en", {"n": 1}) == "some"
    assert _form("a card", "en", {"n": 5}) == "a card"


def test_a_sentence_falls_back_on_a_shorter_key_and_then_on_the_key() -> None:
    def said(key: str) -> str:
        return sentence("audit.games.compile", "en", key, {"player": "Ann", "n": 2})

    assert said("drew.count.at.once") == said("drew.count") == "Ann draws 2 cards."
    assert said("drew.somehow") == said("drew") == "Ann draws 2 cards: …."
    assert said("nothing.of.the.kind") == "nothing.of.the.kind"


def test_events_of_the_game_and_of_the_record_are_told() -> None:
    assert tell(RULESET, Gap(seq=2), "en") == "Something was not recorded here."
    assert tell(RULESET, TakenBack(seq=9, to=4), "en") == "The players go back to the position after event 4."
    assert tell(RULESET, PhaseBegan(seq=2, phase="action"), "en") == "Action begins."
    assert tell(RULESET, Drew(seq=2, player="Ann", count=1), "en") == "Ann draws 1 card."


def test_a_finding_is_told_by_its_key_and_not_as_the_event_of_that_name() -> None:
    def told(key: str, **data: object) -> str:
        return violation_sentence(RULESET, Violation(DRAW, key, data), "en")

    assert told("drew") == told("nothing.known") == told("unexpected") != told("drew.count")
    assert told("played.line.somewhere", expected=2) == told("played.line", expected=2)


def test_a_finding_about_the_record_is_told_as_the_record_has_it() -> None:
    """A card is called by its name where a rule of the game is broken; what stands in the record stays as written."""
    data = {"card": "fire-1", "player": "Ann"}
    assert violation_sentence(RULESET, Violation(NO_RULE, "card.elsewhere", data), "en").startswith("fire-1 ")
    assert violation_sentence(RULESET, Violation(DRAW, "card.elsewhere", data), "en").startswith("Fire 1 ")


def test_a_switch_is_told_where_the_game_has_words_for_it() -> None:
    assert switch_sentence(RULESET, "compile-ends-turn", "en").endswith(".")
    assert switch_sentence(RULESET, "no-such-switch", "en") == ""
    assert switch_sentence(SMALL, "no-such-switch", "en") == "", "it has no words at all"


@pytest.mark.every("language", ["en", "fr", "it", "pl", "de"])
@pytest.mark.every("names", [[], ["A"], ["A", "B"], ["A", "B", "C"], ["A", "B", "C", "D"]])
def test_a_list_is_told_as_the_unicode_cldr_has_it(language: str, names: list[str]) -> None:
    assert listed(names, language) == format_list(names, locale=language)
