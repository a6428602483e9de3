"""The rules of Altered: those of the facts, each with a statement of our own in four languages."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from audit.core.catalogue import LANGUAGES, Place, Rule, words
from audit.core.model import Event, type_name
from audit.games.altered.catalogue import CATALOGUE
from audit.games.altered.events import EVENTS
from tests.conftest import SHARED
from tests.yaml_files import read_yaml

PACKAGE = "audit.games.altered"
FACTS = SHARED / "facts" / "altered-rules.yaml"
RUN = 8
"""So many words in a row that are those of a document are its sentence."""

needs_facts = pytest.mark.skipif(not FACTS.exists(), reason="needs the folder shared/ beside the project")
in_every_language = pytest.mark.parametrize("language", LANGUAGES)


@cache
def facts() -> dict[str, dict[str, object]]:
    loaded = read_yaml(FACTS)
    return {"rules": {fact["id"]: fact for fact in loaded["rules"]}, "events": loaded["events"]["types"]}


@needs_facts
def test_the_catalogue_says_what_the_facts_say() -> None:
    assert [rule.id for rule in CATALOGUE] == list(facts()["rules"])
    for rule in CATALOGUE:
        fact = facts()["rules"][rule.id]
        assert isinstance(fact, dict)
        assert (rule.kind, list(rule.events), rule.checkable) == (fact["kind"], fact["events"], fact["checkable"])
        assert rule.derived == (fact.get("basis") == "derived")
        assert spans(rule.places["fr"]) == [fact["source"]["lines"], *fact.get("also_at", [])]


def spans(place: Place) -> list[list[int]]:
    return [list(span) for span in (place.lines, *place.also_at)]


@needs_facts
def test_events_have_the_names_and_fields_of_the_facts() -> None:
    declared = {type_name(event): set(event.__struct_encode_fields__) - Event.ENVELOPE for event in EVENTS}
    declared["cards_drawn"] -= {"cards"}  # ours: what the recorder saw of a draw
    for ours in ("boosts_changed", "status_gained", "status_lost"):  # what texts do, of which the facts name no event
        del declared[ours]
    assert declared == {name: set(fact["fields"]) for name, fact in facts()["events"].items()}  # type: ignore[index]


def test_a_constant_stands_in_the_module_of_its_section() -> None:
    for rule in CATALOGUE:
        assert re.match(r"altered\.(\d|day|mp|deck|ffa)", rule.id)
        assert rule.places["fr"].section


@in_every_language
def test_every_rule_has_a_whole_sentence_of_its_own(language: str) -> None:
    statements = words(PACKAGE, language, "rules")
    assert list(statements) == [rule.id for rule in CATALOGUE]
    assert len(set(statements.values())) == len(statements)
    assert [id for id, text in statements.items() if not (text[0].isupper() and text.endswith("."))] == []


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_a_translation_differs_from_the_english_everywhere(language: str) -> None:
    english = words(PACKAGE, "en", "rules")
    assert [id for id, text in words(PACKAGE, language, "rules").items() if text == english[id]] == []


@pytest.mark.parametrize(("language", "letters"), [("fr", "éèêàôû"), ("it", "àèìòù"), ("pl", "ąćęłńóśźż")])
def test_a_language_is_written_with_its_letters(language: str, letters: str) -> None:
    written = "".join(words(PACKAGE, language, "rules").values()) + str(words(PACKAGE, language, "sentences"))
    assert set(letters) <= set(written.casefold())


@in_every_language
def test_languages_have_the_same_words_and_placeholders(language: str) -> None:
    for file in ("names", "sentences"):
        english, theirs = words(PACKAGE, "en", file), words(PACKAGE, language, file)
        assert theirs.keys() == english.keys()
        assert [key for key in english if placeholders(theirs[key]) != placeholders(english[key])] == []


def placeholders(text: object) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", str(text)))


def test_polish_counts_in_one_few_and_many() -> None:
    counted = [value for value in words(PACKAGE, "pl", "sentences").values() if isinstance(value, dict)]
    assert counted
    assert all({"one", "few", "many"} <= set(value) for value in counted)


@in_every_language
def test_every_kind_of_event_has_a_name(language: str) -> None:
    named = {key.partition(".")[2] for key in words(PACKAGE, language, "names") if key.startswith("event.")}
    assert named == {type_name(event) for event in EVENTS}


@pytest.mark.skipif(not (SHARED / "rulebooks").is_dir(), reason="needs the folder shared/ beside the project")
@in_every_language
def test_no_sentence_shares_eight_words_in_a_row_with_a_rulebook(language: str) -> None:
    ours = [*words(PACKAGE, language, "rules").items(), *words(PACKAGE, language, "sentences").items()]
    assert [key for key, text in ours if any(run in printed() for run in runs(str(text)))] == []


@cache
def printed() -> frozenset[tuple[str, ...]]:
    files = sorted(Path(SHARED / "rulebooks").glob("*.txt"))
    return frozenset(run for path in files for run in runs(path.read_text("utf-8")))


def runs(text: str) -> list[tuple[str, ...]]:
    spoken = re.findall(r"[^\W\d_]+|\d+", text.casefold())
    return [tuple(spoken[n : n + RUN]) for n in range(len(spoken) - RUN + 1)]


def test_a_rule_is_found_by_its_words() -> None:
    found: list[Rule] = CATALOGUE.search("arena tie-break extra-day")
    assert {rule.id for rule in CATALOGUE.search("emblem limbo")} >= {"altered.6.3.b", "altered.4.4.b"}
    assert found == []
