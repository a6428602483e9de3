"""The catalogue of the reveal: every rule has a name, its place and its words in four languages, all of them ours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from audit.core.catalogue import LANGUAGES, Rule, words
from audit.core.model import type_name
from audit.games.lotr_reveal import RULESET
from audit.games.lotr_reveal.rules import CATALOGUE, STEPS, step_0
from audit.games.lotr_reveal.steps import ORDER
from tests.lotr_reveal.situations import audited, own
from tests.yaml_files import read_yaml

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
FACTS = SHARED / "facts" / "lotr-reveal-rules.yaml"
PACKAGE = "audit.games.lotr_reveal"
RUN = 8
OURS = (step_0.EACH_PLAYER, step_0.OWN_RESPONSES, step_0.USED_UP)
"""What the document takes for granted, so that the facts do not have it."""

in_languages = pytest.mark.every("language", LANGUAGES)
in_files = pytest.mark.every("file", ["rules", "sentences", "names"])
needs_facts = pytest.mark.skipif(not FACTS.is_file(), reason="the facts are not here")


def runs(text: str) -> Iterator[tuple[str, ...]]:
    """Every run of eight words in a row."""
    tokens = re.findall(r"\w+", text.casefold())
    return zip(*(tokens[start:] for start in range(RUN)), strict=False)


def texts(language: str, file: str) -> Iterator[tuple[str, str]]:
    """Every text of a language file; plural forms one by one."""
    for key, value in words(PACKAGE, language, file).items():
        forms: dict[str, str] = value if isinstance(value, dict) else {"": value}
        yield from ((f"{key} {form}".strip(), text) for form, text in forms.items())


@cache
def facts() -> list[dict[str, Any]]:
    """The rules as the facts have them."""
    found: list[dict[str, Any]] = read_yaml(FACTS)["rules"]
    return found


def test_a_constant_is_named_after_the_id_of_its_rule() -> None:
    found = [(module, name, rule) for module in STEPS for name, rule in vars(module).items() if isinstance(rule, Rule)]
    for module, name, rule in found:
        step = module.__name__.rpartition("step_")[2].replace("_", ".")
        assert rule.id == f"reveal.{step}.{name.lower().replace('_', '-')}"
        assert rule.topic == f"step-{step}"


@needs_facts
def test_the_catalogue_says_what_the_facts_say() -> None:
    for fact, rule in zip(facts(), [rule for rule in CATALOGUE if rule not in OURS], strict=True):
        place = rule.places["fr"]
        assert rule.id == fact["id"]
        assert (rule.kind, list(rule.events), rule.checkable) == (fact["kind"], fact["events"], fact["checkable"])
        assert rule.unofficial == fact.get("unofficial", False)
        assert rule.contested == fact.get("contested", False)
        assert rule.derived == (fact.get("basis") == "derived")
        assert [list(place.lines), *map(list, place.also_at)] == [fact["source"]["lines"], *fact.get("also_at", [])]


def test_a_rule_of_ours_says_that_the_document_only_implies_it() -> None:
    assert all(rule.derived and rule.places["fr"].implied for rule in OURS)


def test_every_event_step_and_keyword_has_a_name() -> None:
    names = words(PACKAGE, "en", "names")
    assert {f"event.{type_name(event)}" for event in RULESET.rules.event_rules} <= set(names)
    assert {f"step.{step}" for step in ORDER} <= set(names)


@in_languages
def test_every_finding_of_the_cases_has_its_sentence(language: str) -> None:
    known = set(words(PACKAGE, language, "sentences"))
    keys = {broken.key for case in own() for step in audited(case) for broken in step.violations}
    assert len(keys) > 40
    assert keys - known - {"immune"} == set()
    assert "immune" in known


@in_languages
def test_every_event_of_the_cases_has_its_sentence(language: str) -> None:
    known = set(words(PACKAGE, language, "sentences"))
    keys = {RULESET.wording.sentence_key(step.event) for case in own() for step in audited(case) if step.event}
    assert not [key for key in keys if key not in known and key.partition(".")[0] not in known]


@needs_facts
@in_files
def test_no_sentence_is_that_of_the_facts(file: str) -> None:
    said = {run for fact in facts() for run in runs(fact["statement"])}
    assert [key for key, text in texts("en", file) if any(run in said for run in runs(text))] == []
