"""The catalogue of Compile: every rule has a name, its places and its words, and the words are our own."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from audit.core.catalogue import LANGUAGES, Place, Rule, words
from audit.core.errors import UnknownRuleError
from audit.core.model import Verdict, type_name
from audit.core.record_events import RECORD_EVENTS
from audit.games.compile.cards import CARDS, PROTOCOLS
from audit.games.compile.declarations import CardFacts
from audit.games.compile.rules import CATALOGUE, TOPICS, play
from tests.yaml_files import read_yaml

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
RULEBOOKS = SHARED / "rulebooks"
FACTS = SHARED / "facts"
BOXES = ("top", "middle", "bottom")
GROUPS = {
    "phase": {"start", "control", "compile", "action", "cache", "end"},
    "face": {"up", "down"},
    "zone": {"hand", "deck", "trash", "control", "field"},
    "box": set(BOXES),
    "fidelity": {"exact", "partial", "diverged"},
}

needs_rulebooks = pytest.mark.skipif(not RULEBOOKS.is_dir(), reason="the rulebooks are not here")
needs_facts = pytest.mark.skipif(not FACTS.is_dir(), reason="the facts are not here")


@cache
def cards(language: str) -> Mapping[str, Mapping[str, str]]:
    """The summaries of the cards: card, box, words."""
    path = resources.files("audit.games.compile").joinpath("text", language, "cards.toml")
    return tomllib.loads(path.read_text("utf-8"))


@cache
def documents() -> Mapping[str, int]:
    """How many lines each document has, by its id."""
    index = read_yaml(RULEBOOKS / "INDEX.yaml")
    return {entry["id"]: len((RULEBOOKS / entry["file"]).read_text("utf-8").splitlines()) for entry in index}


def facts(name: str) -> dict[str, list[dict[str, Any]]]:
    """One of the files of facts."""
    loaded: dict[str, list[dict[str, Any]]] = read_yaml(FACTS / name)
    return loaded


def test_a_constant_is_named_after_the_id_of_its_rule() -> None:
    """Without the topic where that is the name of the module."""
    for module in TOPICS:
        of_module = module.__name__.rpartition(".")[2].replace("_", "-")
        for name, value in vars(module).items():
            if isinstance(value, Rule):
                topic, _, rest = value.id.partition(".")
                expected = rest if topic == of_module else f"{topic}-{rest}"
                assert name.lower().replace("_", "-") == expected.replace(".", "-"), value.id


def test_a_rule_is_found_by_its_id_and_by_its_words() -> None:
    assert CATALOGUE["play.face-up-needs-protocol"] is play.FACE_UP_NEEDS_PROTOCOL
    assert CATALOGUE.search("face up protocol lies")[0] is play.FACE_UP_NEEDS_PROTOCOL


def test_an_id_that_no_rule_has_is_an_error_with_the_id_as_data() -> None:
    with pytest.raises(UnknownRuleError) as failure:
        CATALOGUE["play.face-up-anywhere"]
    assert failure.value.rule == "play.face-up-anywhere"


def test_each_rule_is_said_by_a_document_of_the_game() -> None:
    for entry in CATALOGUE:
        assert entry.places, f"{entry.id} names no place in a document, such as fr=at(11, 'heading')"
        assert set(entry.places) <= set(CATALOGUE.documents), entry.id
        assert set(entry.basis) <= set(entry.places), entry.id


@needs_rulebooks
def test_each_place_lies_inside_its_document() -> None:
    for entry in CATALOGUE:
        for language, place in entry.places.items():
            for first, last in (place.lines, *place.also_at):
                assert 1 <= first <= last <= documents()[CATALOGUE.documents[language]], entry.id


@needs_facts
def test_the_catalogue_says_what_the_facts_say() -> None:
    for fact, entry in zip(facts("compile-rules.yaml")["rules"], CATALOGUE, strict=True):
        assert _as_fact(entry) == {key: value for key, value in fact.items() if key in _as_fact(entry)}
        assert [*entry.cards] == fact.get("cards", [])
        assert [*entry.basis] == (fact.get("basis") or [])
        for language, source in fact["sources"].items():
            place = entry.places.get(language)
            assert (place and _as_source(place)) == (source and {**source, "doc": None})


def _as_fact(entry: Rule) -> dict[str, object]:
    return {
        "id": entry.id,
        "kind": entry.kind,
        "topic": entry.topic,
        "checkable": entry.checkable,
        "events": [*entry.events],
        "terms": [*entry.terms],
    }


def _as_source(place: Place) -> dict[str, object]:
    source: dict[str, object] = {"doc": None, "lines": [*place.lines], "section": place.section}
    if place.also_at:
        source["also_at"] = [[*span] for span in place.also_at]
    return source | ({"mode": "implied"} if place.implied else {})


def keys_wanted(card: CardFacts) -> set[str]:
    """The boxes of a card that have text, and so a summary."""
    return {box for box in BOXES if card.box(box)}


def wanting(language: str) -> str:
    """What the words of a language lack, by file."""
    names = words("audit.games.compile", language, "names")
    boxes = {id: sorted(keys_wanted(card) - set(cards(language).get(id, ()))) for id, card in CARDS.items()}
    lacking = {
        "names.toml": [f'"protocol.{name}"' for name in PROTOCOLS if f"protocol.{name}" not in names],
        "cards.toml": [f'["{id}"] {" and ".join(missing)}' for id, missing in boxes.items() if missing],
    }
    return "; ".join(f"{file} wants {', '.join(keys)}" for file, keys in lacking.items() if keys)


def test_every_protocol_has_a_name_and_every_box_with_text_a_summary() -> None:
    found = {language: wanting(language) for language in LANGUAGES}
    missing = {
        told: "|".join(language for language in LANGUAGES if found[language] == told) for told in found.values() if told
    }
    assert not missing, "; ".join(f"audit/games/compile/text/({where}): {told}" for told, where in missing.items())


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_new_protocol_lacks_is_named_by_file(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same with a copy of the project is in `test_new_protocol`, for `make prove`."""
    with_two_boxes = next(card for card in CARDS.values() if keys_wanted(card) == {"middle", "bottom"})
    monkeypatch.setitem(PROTOCOLS, "unheard", PROTOCOLS["fire"])  # type: ignore[index]
    monkeypatch.setitem(CARDS, "unheard-1", with_two_boxes)
    names, summaries = wanting(language).split("; ")
    assert names.startswith("names.toml wants ")
    assert '"protocol.unheard"' in names
    assert summaries.startswith("cards.toml wants ")
    assert '["unheard-1"] bottom and middle' in summaries


@pytest.mark.every("language", LANGUAGES)
def test_no_summary_stands_for_a_box_without_text_and_no_name_for_a_protocol_that_is_not_there(language: str) -> None:
    told = {id: set(boxes) for id, boxes in cards(language).items()}
    assert {id for id in told if id not in CARDS or told[id] - keys_wanted(CARDS[id])} == set()
    protocols = {
        key.partition(".")[2] for key in words("audit.games.compile", language, "names") if key.startswith("protocol.")
    }
    assert protocols - set(PROTOCOLS) == set()


@pytest.mark.every("language", LANGUAGES)
def test_names_cover_every_phase_and_zone(language: str) -> None:
    names = words("audit.games.compile", language, "names")
    assert all(isinstance(name, str) and name for name in names.values())
    for group, wanted in GROUPS.items():
        assert {key.partition(".")[2] for key in names if key.startswith(f"{group}.")} == wanted


@pytest.mark.every("language", LANGUAGES)
def test_every_verdict_and_event_about_the_record_has_words(language: str) -> None:
    said = words("audit.core", language, "record")
    assert {f"verdict.{verdict.value}" for verdict in Verdict} | {type_name(kind) for kind in RECORD_EVENTS} <= set(
        said
    )
    assert set(said) == set(words("audit.core", "en", "record"))


@pytest.mark.every("language", LANGUAGES)
def test_every_event_that_a_rule_is_about_has_a_name(language: str) -> None:
    names = words("audit.games.compile", language, "names")
    assert {f"event.{event}" for entry in CATALOGUE for event in entry.events} - {"event.setup"} <= names.keys()


@pytest.mark.every("language", LANGUAGES)
def test_a_card_is_called_by_its_protocol_and_value(language: str) -> None:
    names = words("audit.games.compile", language, "names")
    fire = names["protocol.fire"]
    assert names["card"].format(protocol=fire, value=2) == f"{fire} 2"
