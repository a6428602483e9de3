"""Every rule that can be checked has a case that obeys it and one that breaks it; what is not judged is said so."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from audit.core.cases import exceptions_of, run, standing_of
from audit.core.model import Verdict
from audit.core.steps import Step
from audit.games.altered import RULESET
from replays.terminal.rules import coverage_lines, coverage_of
from tests.altered.situations import CASES, audited, deck
from tests.altered.test_days import DAYS, judged
from tests.conftest import ROOT

PACKAGE = "audit.games.altered"
PAGE = (ROOT / "docs" / "decisions" / "altered-coverage.md").read_text("utf-8")
EXCEPTIONS, STANDING = exceptions_of(PACKAGE), standing_of(PACKAGE)
CHECKABLE = {rule.id for rule in RULESET.catalogue if rule.checkable}


def shown(verdict: str) -> set[str]:
    return {id for case in CASES if case.verdict == verdict for id in case.proves}


def test_each_rule_that_can_be_checked_is_shown_both_ways_or_has_a_reason_not_to_be() -> None:
    assert (CHECKABLE - shown("legal")) | (CHECKABLE - shown("broken")) == set(EXCEPTIONS)
    assert all(len(reason.split()) > 5 for reason in EXCEPTIONS.values())


def test_cases_have_names_of_their_own() -> None:
    assert len({case.id for case in CASES}) == len(CASES)
    assert all(case.title.endswith(".") for case in CASES)


# What the documentation says


def test_the_documentation_and_the_command_say_of_each_rule_how_far_it_is_judged() -> None:
    entries = coverage_of(RULESET)
    printed = [line.strip() for line in coverage_lines(entries.values())]
    assert "\n".join(f"| `{id}` | {entry['standing']} |" for id, entry in entries.items()) in PAGE
    assert [entry["standing"] for entry in entries.values() if entry["standing"] not in printed] == []
    assert [id for id, entry in entries.items() if (entry["standing"] == "judged") and id not in CHECKABLE] == []


def test_the_documentation_counts_and_names_the_rules_that_no_log_can_show() -> None:
    assert f"Of the {len(RULESET.catalogue.rules)} rules, {len(CHECKABLE)} can be checked" in PAGE
    listed = PAGE.partition("\n## ")[0]
    assert [id for id, reason in EXCEPTIONS.items() if f"| `{id}` | {reason} |" not in listed] == []


# What is unchecked

DUEL = {"mode": "duel", "seats": ["ann", "ben"], "first_player": "ann", "day": 2, "limbo": []}
FOUR = {**DUEL, "mode": "ffa", "seats": ["ann", "ben", "cid", "dot"]}
TEAMS = {**FOUR, "mode": "2v2", "teams": {"Red": ["ann", "cid"], "Blue": ["ben", "dot"]}}
TURN = {"phase": "afternoon", "passed": []}
FOX = {"id": "fox", "forest": 2, "mountain": 0, "water": 1}
PLAYED = {
    "type": "card_played", "player": "ann", "card": "oar", "from": "hand", "to_zone": "hero_expedition",
    "to_owner": "ann", "mana": 1,
}  # fmt: skip
WORDS = {"type": "effect_started", "player": "ann", "source": "oar", "effect": "All things turn into something else."}


def lying(**of_fox: Any) -> dict[str, Any]:
    """The fox in the Hero expedition, as told."""
    groups = {"ann": {"hero": [{**FOX, **of_fox}], "companion": []}, "ben": {"hero": [], "companion": []}}
    places = {seat: {"hero": ["forest"], "companion": ["water"]} for seat in ("ann", "ben")}
    return {**DUEL, "characters": groups, "regions": places}


def sums(forest: int) -> dict[str, Any]:
    own, opposing = {"forest": forest, "mountain": 0, "water": 1}, dict.fromkeys(("forest", "mountain", "water"), 0)
    return {
        "type": "expedition_totals", "player": "ann", "expedition": "hero", "against": "ben hero",
        "region": ["forest"], "own": own, "opposing": opposing,
    }  # fmt: skip


def rested(to: str) -> dict[str, Any]:
    return {"type": "character_rested", "player": "ann", "card": "fox", "to": to}


DUSK = {
    "phase": "dusk",
    "daily_effect": "progress",
    "advances": {seat: {"hero": 1, "companion": 1} for seat in ("ann", "ben")},
}
REST, CLEANUP = {"phase": "night", "daily_effect": "rest"}, {"phase": "night", "daily_effect": "cleanup"}
HELD = {zone: {"ann": ["a", "b", "c"], "ben": []} for zone in ("reserve", "landmark_zone")}
"""Three cards in each of a player's zones."""


def kept(zone: str) -> dict[str, Any]:
    return {"type": "cleanup_choice", "player": "ann", "zone": zone, "kept": ["a", "b", "c"]}


def pile(number: int) -> dict[str, Any]:
    return {"type": "board_placed", "piece": "tumult", "pile": number, "cards": ["x", "x"], "place": "over there"}


def chosen(wording: str) -> dict[str, Any]:
    return {"type": "target_chosen", "player": "ann", "source": "oar", "wording": wording, "targets": ["fox"]}


UNREAD: dict[str, tuple[dict[str, Any], list[dict[str, Any]]]] = {
    "altered.1.3.2.e.sum": ({**lying(statuses=["dizzy"]), **DUSK}, [sums(3)]),
    "altered.1.3.2.e.match": (
        {**lying(mountain=3, abilities=["Your expedition is considered in mountain."]), **DUSK},
        [{"type": "expedition_advanced", "player": "ann", "expedition": "hero", "stat": "mountain"}],
    ),
    "altered.1.3.2.f.fleeting": ({**lying(origin="reserve"), **REST}, [rested("reserve")]),
    "altered.4.2.5.b": ({**lying(origin="token"), **REST}, [rested("reserve")]),
    "altered.4.2.5.b.modifiers": ({**lying(statuses=["dizzy"]), **REST}, [rested("stays")]),
    "altered.4.2.5.c.reserve": ({**DUEL, **CLEANUP, **HELD, "heroes": {"ann": "captain"}}, [kept("reserve")]),
    "altered.4.2.5.c.landmark": ({**DUEL, **CLEANUP, **HELD, "heroes": {"ann": "captain"}}, [kept("landmark_zone")]),
    "altered.4.4.b": (
        {key: value for key, value in {**DUEL, **TURN}.items() if key != "limbo"},
        [{"type": "reaction_played", "player": "ann", "emblem": "e1", "effect": "something"}],
    ),
    "altered.5.1.1.a": (
        {**DUEL, **TURN, "types": {"oar": "spell"}},
        [{**PLAYED, "note": "its text says so"}],
    ),
    "altered.5.1.1.b": ({**DUEL, **TURN}, [{**PLAYED, "to_owner": "ben"}]),
    "altered.5.1.1.c": ({**DUEL, **TURN}, [WORDS, chosen("a strange thing")]),
    "altered.6.3.b": (
        {**DUEL, **TURN},
        [
            {"type": "player_passed", "player": "ann"},
            {
                "type": "reaction_activated", "reaction": "ring", "source": "bell", "controller": "ann",
                "trigger": "the moon is full", "trigger_seq": 1, "emblem": "e1",
            },
        ],
    ),
    "altered.day.afternoon.cost-hand": (
        {**DUEL, **TURN, "costs": {"oar": {"hand": 3, "reserve": 2}}},
        [{**PLAYED, "note": "one less today"}],
    ),
    "altered.day.afternoon.cost-reserve": (
        {**DUEL, **TURN, "costs": {"oar": {"hand": 3, "reserve": 2}}, "reserve": {"ann": ["oar"]}},
        [{**PLAYED, "from": "reserve", "note": "one less today"}],
    ),
    "altered.deck.min-39": ({"mode": "duel"}, [{"type": "deck_registered", "player": "ann", "heroes": []}]),
    "altered.deck.standard": (
        {"mode": "duel"},
        [deck({"names": 13, "more": [{"name": "kite", "copies": 1, "rarity": "shiny"}]})],
    ),
    "altered.mp.modes": ({**DUEL, **TURN}, [{"type": "hand_shown", "player": "ann", "to": "ben"}]),
    "altered.mp.win": (
        {**DUEL, "phase": "dusk", "meet_distance": 5},
        [{"type": "meeting_detected", "player": "ann", "surplus": 0}],
    ),
    **{f"altered.2v2.setup.pile-{n}": ({"mode": "2v2", "seats": TEAMS["seats"]}, [pile(n)]) for n in (1, 2, 3)},
    "altered.ffa.target-any": ({**FOUR, **TURN}, [WORDS, chosen("a strange thing")]),
    "altered.2v2.target-any": ({**TEAMS, **TURN}, [WORDS, chosen("a strange thing")]),
}  # fmt: skip


def open_rules(steps: Iterable[Step]) -> set[str]:
    return {why.rule.id for step in steps if step.verdict is Verdict.UNCHECKED for why in step.violations}


@pytest.mark.every("id", UNREAD)
def test_a_rule_called_unchecked_leaves_a_step_unchecked(id: str) -> None:
    steps = audited(*UNREAD[id])
    assert id in open_rules(steps)
    assert [step for step in steps if step.verdict.is_finding] == []


def test_no_other_rule_is_unchecked() -> None:
    """In the cases, and in the days that players write down."""
    open_ones = {id for id, (standing, _) in STANDING.items() if standing == "unchecked"}
    assert open_ones == set(UNREAD)
    steps = [step for case in CASES for step in run(RULESET, case)] + [step for day in DAYS for step in judged(day)]
    assert open_rules(steps) <= open_ones | {"altered.5.3.a"}
