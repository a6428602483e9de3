"""The rules of Altered: those of the facts, each with a statement of our own in four languages."""

from __future__ import annotations

import re
from functools import cache

import pytest

from audit.core.catalogue import Place, Rule
from audit.core.model import Event, type_name
from audit.games.altered.events import EVENTS
from audit.games.altered.rules import CATALOGUE
from tests.conftest import SHARED
from tests.yaml_files import read_yaml

FACTS = SHARED / "facts" / "altered-rules.yaml"

needs_facts = pytest.mark.skipif(not FACTS.exists(), reason="needs the folder shared/ beside the project")


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


def test_a_rule_is_found_by_its_words() -> None:
    found: list[Rule] = CATALOGUE.search("arena tie-break extra-day")
    assert {rule.id for rule in CATALOGUE.search("emblem limbo")} >= {"altered.6.3.b", "altered.4.4.b"}
    assert found == []
