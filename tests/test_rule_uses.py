"""`audit rule ID`: the file, the line and the function that decide, read from the sources of a game."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from audit.core.ruleset import ruleset, rulesets
from audit.games.compile import RULESET
from audit.games.compile.rules import CATALOGUE
from replays.terminal.rule_uses import NO_USES, Role, RuleUses, rule_uses, uses_of
from replays.terminal.rules import all_rules_json, find_rule, rule_json, rule_lines
from tests.command_line import run

ROOT = Path(__file__).resolve().parent.parent

RULES = """
from audit.core.catalogue import LIMIT, rule

CITED = rule("hand.cited", LIMIT)
BROKEN = rule("hand.broken", LIMIT)
CHOSEN = rule("hand.chosen", LIMIT)
TABLED = rule("hand.tabled", LIMIT)
LISTED = rule("hand.listed", LIMIT)
HELPED = rule("hand.helped", LIMIT)
SILENT = rule("hand.silent", LIMIT)
"""

SHARED = """
from small_hands import rules

LISTED = (rules.LISTED,)
BY_KIND = {"kind": rules.TABLED}
"""

PLAYING = """
from audit.core.catalogue import Rule
from audit.core.event_rules import Citations, Violation, Violations
from small_hands import rules, shared
from small_hands.shared import LISTED as MANY


def wrong(rule: Rule) -> Violation:
    return Violation(rule, "wrong")


def chosen() -> Rule:
    return rules.CHOSEN


class Play:
    own = (rules.CITED,)

    def violations(self, state: object, event: object) -> Violations:
        if state:
            return (wrong(rules.HELPED),)
        return (Violation(rules.BROKEN, "broken"), Violation(chosen(), "x"), Violation(shared.BY_KIND["kind"], "x"))

    def citations(self, state: object, event: object) -> Citations:
        return (*self.own, *MANY)
"""


@pytest.fixture(scope="module")
def uses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, RuleUses]]:
    """What the code of a small package says of its rules, by the id of the rule."""
    folder = tmp_path_factory.mktemp("sources")
    package = folder / "small_hands"
    package.mkdir()
    for name, source in {"__init__": "", "rules": RULES, "shared": SHARED, "playing": PLAYING}.items():
        (package / f"{name}.py").write_text(source, "utf-8")
    sys.path.insert(0, str(folder))
    found = rule_uses("small_hands")
    assert {rule: uses_of("small_hands", rule) for rule in found} == found
    yield {rule.id: uses for rule, uses in found.items()}
    sys.path.remove(str(folder))


def decides(uses: RuleUses) -> list[tuple[str, str, Role]]:
    """Each place as the text of its line, the function around it, and what it does."""
    sources = {"small_hands/playing.py": PLAYING, "small_hands/shared.py": SHARED}
    return [(sources[use.path].splitlines()[use.line - 1].strip(), use.name, use.role) for use in uses.decides]


def test_a_rule_in_a_violation_is_found_broken_there(uses: dict[str, RuleUses]) -> None:
    ((text, name, role),) = decides(uses["hand.broken"])
    assert text.startswith("return (Violation(rules.BROKEN")
    assert (name, role) == ("Play.violations", Role.VIOLATION)


def test_a_rule_handed_to_a_function_that_makes_violations_is_found_broken_there(uses: dict[str, RuleUses]) -> None:
    assert decides(uses["hand.helped"]) == [("return (wrong(rules.HELPED),)", "Play.violations", Role.VIOLATION)]


def test_an_attribute_of_a_class_is_followed_to_the_method_that_uses_it(uses: dict[str, RuleUses]) -> None:
    assert decides(uses["hand.cited"]) == [("return (*self.own, *MANY)", "Play.citations", Role.CITATION)]


def test_a_constant_of_another_module_is_followed_under_its_new_name(uses: dict[str, RuleUses]) -> None:
    assert decides(uses["hand.listed"]) == [("return (*self.own, *MANY)", "Play.citations", Role.CITATION)]


def test_a_table_looked_up_for_a_violation_finds_its_rules_broken(uses: dict[str, RuleUses]) -> None:
    assert [(name, role) for _, name, role in decides(uses["hand.tabled"])] == [("Play.violations", Role.VIOLATION)]


def test_a_function_that_chooses_the_rule_is_the_place_that_decides(uses: dict[str, RuleUses]) -> None:
    assert decides(uses["hand.chosen"]) == [("return rules.CHOSEN", "chosen", Role.VIOLATION)]


def test_a_rule_that_nothing_names_is_only_declared(uses: dict[str, RuleUses]) -> None:
    found = uses["hand.silent"]
    assert found.declared is not None
    assert (found.declared.place, found.declared.name) == ("small_hands/rules.py:10", "SILENT")
    assert found.named == found.decides == ()


@pytest.mark.parametrize("name", rulesets())
def test_every_place_names_a_line_that_is_there(name: str) -> None:
    found = rule_uses(ruleset(name).catalogue.package).values()
    places = [use for uses in found for use in (*uses.named, *uses.decides)]
    assert places
    for use in places:
        assert (ROOT / use.path).read_text("utf-8").splitlines()[use.line - 1].strip(), use.place


@pytest.mark.every("name", rulesets())
def test_every_rule_is_declared_somewhere(name: str) -> None:
    game = ruleset(name)
    uses = rule_uses(game.catalogue.package)
    assert [rule.id for rule in game.catalogue if rule not in uses or uses[rule].declared is None] == []


RULES_OF_GAMES = [(name, rule.id) for name in rulesets() for rule in ruleset(name).catalogue.entries]


@cache
def told_among_all(name: str) -> dict[str, dict[str, object]]:
    """What is told of every rule of a game where all are asked for."""
    return {str(told["id"]): told for told in all_rules_json(ruleset(name))}


@pytest.mark.sampled(72)
@pytest.mark.parametrize(("name", "id"), RULES_OF_GAMES)
def test_one_rule_is_told_as_it_is_among_all(name: str, id: str) -> None:
    game = ruleset(name)
    rule = game.catalogue[id]
    assert uses_of(game.catalogue.package, rule) == rule_uses(game.catalogue.package).get(rule, NO_USES)
    assert rule_json(game, rule) == told_among_all(name)[id]


@pytest.mark.parametrize(("id", "game"), [("control.gained", "compile"), ("ruling.gravity-2", "compile")])
def test_to_tell_one_rule_the_other_games_are_not_loaded(id: str, game: str) -> None:
    told = (
        "import sys; from replays.terminal.rules import find_rule; print(find_rule(sys.argv[1])[0].name, *sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", told, id], capture_output=True, text=True, check=True, cwd=ROOT)
    name, *modules = found.stdout.split()
    assert name == game
    assert [one for one in modules if one.startswith(("audit.games.altered", "audit.games.lotr_reveal"))] == []


def test_a_rule_that_several_games_have_is_that_of_the_first() -> None:
    first: dict[str, str] = {}
    for name, id in RULES_OF_GAMES:
        first.setdefault(id, name)
    assert {id: find_rule(id)[0].name for id in first} == first


def test_the_rule_of_a_refresh_names_what_refuses_it_and_what_cites_it() -> None:
    rule = CATALOGUE["refresh.only-under-five"]
    found = rule_uses("audit.games.compile")[rule]
    path = "audit/games/compile/event_rules/refreshing.py"
    places = [(use.path, use.name, use.role) for use in found.decides]
    assert places[0] == (path, "RefreshHand.violations", Role.VIOLATION)
    assert places[-1] == (path, "RefreshHand.citations", Role.CITATION)
    lines = rule_lines(RULESET, rule)
    assert f"    ✗ {found.decides[0].place}  RefreshHand.violations" in lines
    data = rule_json(RULESET, rule)
    assert data["declared_at"] == {"path": "audit/games/compile/rules/refresh.py", "line": found.declared.line}  # type: ignore[union-attr]
    assert data["decided_at"][0] == {  # type: ignore[index]
        "path": "audit/games/compile/event_rules/refreshing.py",
        "line": found.decides[0].line,
        "name": "RefreshHand.violations",
        "as": "violation",
    }


@pytest.mark.every("language", ["en", "fr", "it", "pl"])
def test_the_command_says_where_the_rule_is_decided(language: str) -> None:
    said = run("rule", "refresh.only-under-five", "--ruleset", "compile", "--lang", language).stdout.decode()
    assert "audit/games/compile/event_rules/refreshing.py:" in said
    assert "…" not in said


def test_the_command_says_it_as_json() -> None:
    done = run("rule", "refresh.only-under-five", "--ruleset", "compile", "--json")
    assert json.loads(done.stdout)["decided_at"][0]["as"] == "violation"


def test_a_question_without_a_game_is_answered_by_the_game_that_it_speaks_of() -> None:
    asked = {"do I advance on a tie at dusk": "altered", "can a covered card be flipped": "compile",
             "does surge resolve if the card was cancelled": "lotr-reveal"}  # fmt: skip
    for question, game in asked.items():
        assert run("rule", question).stdout.decode().splitlines()[0] == f"{game}:"
        assert json.loads(run("rule", question, "--json").stdout.splitlines()[0])["ruleset"] == game
        assert run("rule", question, "--ruleset", game).stdout.decode().splitlines()[0] != f"{game}:"
