"""The cases of Compile: each rule kept once and broken once, as the audit itself says."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from audit.core.cases import Case, cases_of, exceptions_of, proofs
from audit.core.catalogue import LANGUAGES
from audit.core.errors import UnknownRuleError
from audit.games.compile import RULESET
from audit.games.compile.rules import CATALOGUE
from replays.terminal.rule_uses import rule_uses
from replays.terminal.rules import (
    BROKEN,
    LEGAL,
    coverage_lines,
    coverage_of,
    find_rule,
    is_proven,
    rule_json,
    rule_lines,
    summary,
)

CASES = cases_of("audit.games.compile")
EXCEPTIONS = exceptions_of("audit.games.compile")
ROOT = Path(__file__).resolve().parents[2]


@cache
def coverage() -> dict[str, dict[str, object]]:
    return coverage_of(RULESET)


def named(id: str) -> Case:
    return next(case for case in CASES if case.id == id)


def test_every_case_has_a_name_of_its_own_and_says_what_happens() -> None:
    assert [id for id, number in Counter(case.id for case in CASES).items() if number > 1] == []
    assert all(case.title.endswith(".") and case.proves for case in CASES)


def test_a_broken_case_breaks_one_rule() -> None:
    assert [case.id for case in CASES if case.verdict == "broken" and len(case.proves) != 1] == []


def test_every_checkable_rule_is_shown_both_ways_or_excused() -> None:
    entries = [entry for entry in coverage().values() if entry["checkable"]]
    left = {entry["rule"] for entry in entries if not is_proven(entry)}
    unproven = sorted(left - set(EXCEPTIONS))
    assert not unproven, f"audit/games/compile/cases/ wants a legal and a broken case of {', '.join(unproven)}"
    assert left == set(EXCEPTIONS), "an excused rule is shown both ways after all"
    assert len(entries) - len(left) >= 150


def test_an_exception_is_a_checkable_rule_and_gives_its_reason() -> None:
    assert all(CATALOGUE[id].checkable and reason.endswith(".") for id, reason in EXCEPTIONS.items())


def test_a_case_that_claims_another_rule_proves_nothing() -> None:
    broken = replace(named("second-play"), proves=("turn.phase-order",))
    legal = replace(named("nothing-to-play"), proves=("victory.three-compiled",))
    assert proofs(RULESET, broken) == proofs(RULESET, legal) == {}


def test_a_case_with_a_mistake_before_the_end_proves_nothing() -> None:
    case = named("second-play")
    twice = replace(case, log=(*case.log, case.log[-1]))
    assert proofs(RULESET, twice) == {}


def test_the_code_that_speaks_of_a_rule_is_found_by_its_line() -> None:
    for use in rule_uses("audit.games.compile")[CATALOGUE["committed.keeps-facing"]].named:
        assert "KEEPS_FACING" in (ROOT / use.path).read_text("utf-8").splitlines()[use.line - 1]


def test_a_rule_reached_through_its_topic_is_found_too() -> None:
    (use,) = rule_uses("audit.games.compile")[CATALOGUE["card.life-0"]].named
    assert use.path == "audit/games/compile/card_rulings.py"


@pytest.mark.parametrize(
    ("id", "said"),
    [
        ("control.gaind", "no rule is called 'control.gaind'; did you mean control.gained?"),
        ("fire-2", "no rule is called 'fire-2'"),
    ],
)
def test_a_rule_that_there_is_not_is_answered_with_the_nearest(id: str, said: str) -> None:
    with pytest.raises(UnknownRuleError) as failure:
        find_rule(id)
    assert (str(failure.value), failure.value.rule) == (said, id)


def test_the_table_of_coverage_ends_with_its_sum() -> None:
    entries = list(coverage().values())
    lines = list(coverage_lines(entries))
    assert "✓ turn.one-action" in lines
    assert "– edge.zero-is-even" in lines
    assert lines[-1] == summary([entry for entry in entries if entry["checkable"]])
    assert "missing" not in lines[-1]


def test_a_rule_without_cases_is_called_missing() -> None:
    entry = {"rule": "a.b", "checkable": True, "enforced_by": ["x.py:1"], LEGAL: [], BROKEN: []}
    entry |= {"exception": None, "standing": None}
    assert list(coverage_lines([entry]))[-1].endswith("missing: a.b")


def test_the_table_of_coverage_names_every_exception_with_its_reason() -> None:
    lines = list(coverage_lines(coverage().values()))
    assert {f"    why not {reason}" for reason in EXCEPTIONS.values()} <= set(lines)


@pytest.mark.every("language", LANGUAGES)
def test_a_rule_is_told_in_the_language_asked_for_first(language: str) -> None:
    game, rule = find_rule("play.face-up-needs-protocol")
    lines = rule_lines(game, rule, language)
    told = [line.strip() for line in lines]
    assert told[3] == CATALOGUE.statement(rule, language)
    others = [line.partition("  ")[2] for line in told[5:8]]
    assert others == [CATALOGUE.statement(rule, code) for code in LANGUAGES if code != language]
    assert any("compile-rules-it" in line for line in told)
    assert any(line.startswith("✗") and line.endswith("[face-up-elsewhere]") for line in told)


def test_a_rule_as_data_has_its_places_and_cases() -> None:
    game, rule = find_rule("committed.queue", "compile")
    data = rule_json(game, rule, "pl")
    assert data["statement"] == CATALOGUE.statement(rule, "pl")
    assert data["cases"] == {LEGAL: ["two-cards-in-a-queue"], BROKEN: ["queue-jumped"]}
    assert {place["language"] for place in data["places"]} == set(rule.places)  # type: ignore[attr-defined]


def test_a_rule_of_no_game_is_unknown() -> None:
    with pytest.raises(UnknownRuleError):
        find_rule("play.anything-goes")
