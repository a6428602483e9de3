"""docs/rulesets.md and docs/ruleset-roles.md name all that a game has to write or may write, and nothing else."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from audit.core.disclosure import Disclosure
from audit.core.event_rules import EventRules, Expectation, Obligation, Violation
from audit.core.rules import Rules
from audit.core.ruleset import Ruleset, Simulation, Wording
from replays.conformance import CHECKS, RULESET_CHECKS

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = ROOT / "commands" / "new_ruleset" / "template"
ROLES: dict[str, type] = {
    "EventRules: one object": EventRules,
    "Expectation": Expectation,
    "Rules: the game": Rules,
    "Disclosure:": Disclosure,
    "Wording and": Wording,
    "Simulation:": Simulation,
}
ALSO_ASKED_FOR = {"seats", "candidates"}
"""Methods with a default that no game can leave as it is."""


@cache
def page() -> str:
    return "".join((ROOT / "docs" / name).read_text("utf-8") for name in ("rulesets.md", "ruleset-roles.md"))


def section(heading: str) -> str:
    """The text below a heading, up to the next heading of the same depth or less."""
    found = re.search(rf"^(#+) {re.escape(heading)}.*?\n(.*?)(?=^#{{1,2}} |^### |\Z)", page(), re.MULTILINE | re.DOTALL)
    assert found, heading
    return found[2]


def rows(text: str, first: str) -> set[str]:
    """The names in the second column of the table rows that begin with that word."""
    cells = re.findall(rf"^\| {first} \| ([^|]+) \|", text, re.MULTILINE)
    return {name for cell in cells for name in re.findall(r"`(\w+)", cell)}


def public(role: type) -> set[str]:
    """Everything a role declares for others."""
    parts = [part for part in role.__mro__ if part.__module__.startswith("audit.")]
    declared = {name for part in parts for name in (*vars(part), *vars(part).get("__annotations__", {}))}
    return {name for name in declared if not name.startswith("_")}


def required(role: type) -> set[str]:
    """What has no default: abstract methods, and attributes without a value."""
    parts = [part for part in role.__mro__ if part.__module__.startswith("audit.")]
    bare = {name for part in parts for name in vars(part).get("__annotations__", {}) if not hasattr(role, name)}
    return set(getattr(role, "__abstractmethods__", ())) | bare


@pytest.mark.every(("heading", "role"), ROLES.items(), ids=lambda value: getattr(value, "__name__", ""))
def test_every_method_that_has_to_be_there_is_called_a_must(heading: str, role: type) -> None:
    must = rows(section(heading), "must")
    assert must >= required(role)
    assert must - required(role) <= ALSO_ASKED_FOR


@pytest.mark.every(("heading", "role"), ROLES.items(), ids=lambda value: getattr(value, "__name__", ""))
def test_everything_else_a_role_offers_is_named(heading: str, role: type) -> None:
    text = section(heading)
    named = rows(text, "must") | rows(text, "may")
    called = set(
        re.findall(r"`(\w+)`", "".join(re.findall(r"^These work as they are.*?`\.", text, re.DOTALL | re.MULTILINE)))
    )
    assert named | called == public(role)


def test_the_parts_of_a_ruleset_are_named() -> None:
    text = section("Ruleset: the roles")
    assert [name for name in Ruleset.__slots__ if f"{name}=" not in text] == []


def test_every_obligation_and_every_field_of_a_violation_is_explained() -> None:
    assert [name for name in Obligation.__members__ if f"| `Obligation.{name}` |" not in page()] == []
    assert [name for name in Violation.__struct_fields__ if f"`{name}" not in section("A criterion")] == []


def test_every_check_of_the_conformance_suite_says_what_it_holds() -> None:
    """The page leads to `pydoc`, which prints these."""
    assert "`python -m pydoc replays.conformance`" in section("The conformance suite")
    assert [check.__name__ for check in (*RULESET_CHECKS, *CHECKS) if not check.__doc__] == []


def test_the_files_that_are_listed_are_those_that_are_written() -> None:
    names = set(re.findall(r"`([\w/]+(?:\.py|/))`", section("The files")))
    game = TEMPLATE / "example_game"
    assert names == {path.name for path in game.glob("*.py") if path.stem != "__init__"} | {"text/", "cases/"}
    assert all((game / name).exists() for name in names)


def test_the_links_within_the_page_lead_somewhere() -> None:
    headings = re.findall(r"^#+ (.+)$", page(), re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#([^)]+)\)", page())) <= anchors
