"""A position as data and back: any position of any game. What a judge writes needs no more than what lies there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.cases import events_of
from audit.core.cases import header_of as header_of_case
from audit.core.errors import SetupError
from audit.core.model import LOG_VERSION, Event, Header
from audit.games.altered import RULESET
from audit.games.altered.setup_entries import KEYS, AlteredPosition, AlteredSetup
from audit.games.altered.state import State
from replays.conformance import mistaken
from replays.generating.simulate import simulated
from replays.judging.positions import header_of, position_for
from replays.log.reader import open_log
from tests.altered.situations import CASES, audited, first_finding, header
from tests.conftest import ROOT, SHARED

SAMPLES = ROOT / "replays" / "samples"
RULES = RULESET.rules


def comes_back(state: object, start: State) -> None:
    assert isinstance(state, State)
    data = json.loads(json.dumps(RULES.position_data(state)))
    assert RULES.position(data, start) == state
    msgspec.convert(data, AlteredPosition)


def test_regions_that_an_expedition_has_left_are_told_in_one_order() -> None:
    start = RULES.start(simulated(RULESET, 1)[0])
    assert isinstance(start, State)
    for kinds in (("water", "mountain", "forest"), ("forest", "water", "mountain"), ("mountain", "water")):
        state = replace(start, progress=replace(start.progress, left={"p1 hero": frozenset(kinds)}))
        told: Any = RULES.position_data(state)["under_way"]
        assert told["progress"]["left"]["p1 hero"] == sorted(kinds)


def follow(head: Header, log: list[Event], every: int = 1) -> None:
    """Every position, or every so manyth, comes back as it was; the setup is as it is declared."""
    msgspec.convert(head.setup, AlteredSetup)
    start = RULES.start(head)
    for number, step in enumerate(audit(RULESET, head, log)):
        if number % every == 0:
            comes_back(step.state, start)


def test_any_position_of_a_game_with_mistakes_comes_back() -> None:
    """Of one without them `tests/test_conformance.py` shows it."""
    head, log = simulated(RULESET, 3, "uniform")  # type: ignore[arg-type]
    follow(head, mistaken(log), 9)


@pytest.mark.every("name", ["altered-duel", "altered-two-teams", "altered-alice-bob-camille"])
def test_any_position_of_a_sample_comes_back(name: str) -> None:
    log = open_log(SAMPLES / f"{name}.jsonl")
    follow(log.header, list(log))


def test_any_position_of_a_case_comes_back() -> None:
    for case in CASES:
        follow(header_of_case(RULESET, case), list(events_of(RULESET, case)))


def real_days() -> Iterator[Path]:
    yield from sorted((SHARED / "logs").glob("T-realday-*.jsonl"))


@pytest.mark.usefixtures("shared")
def test_any_position_of_a_real_day_comes_back() -> None:
    for path in real_days():
        log = open_log(path)
        follow(log.header, list(log))


GAME: dict[str, Any] = {
    "mode": "duel", "seats": ["ann", "ben"], "meet_distance": 7,
    "costs": {"fox": {"hand": 2, "reserve": 1}}, "stats": {"fox": {"forest": 2, "mountain": 0, "water": 1}},
}  # fmt: skip
POSITION: dict[str, Any] = {
    "day": 3, "phase": "afternoon", "first_player": "ann", "turn_of": "ben", "passed": [], "limbo": [],
    "hands": {"ann": 4, "ben": ["fox", "?"]}, "decks": {"ann": 20, "ben": 21},
    "orbs": {"ann": {"ready": 1, "exhausted": 3}, "ben": {"ready": 4, "exhausted": 0}},
    "reserve": {"ann": ["owl"], "ben": []}, "landmark_zone": {"ann": [], "ben": []},
    "characters": {
        "ann": {"hero": [{"id": "elk", "forest": 3, "statuses": ["anchored"]}], "companion": []},
        "ben": {"hero": [], "companion": []},
    },
    "advances": {"ann": {"hero": 2, "companion": 1}, "ben": {"hero": 1, "companion": 1}},
}  # fmt: skip


def test_a_judge_enters_in_the_middle_of_a_game() -> None:
    steps = audited({**GAME, "position": POSITION}, [
        {"type": "card_played", "player": "ben", "card": "fox", "from": "hand", "to_zone": "hero_expedition",
         "to_owner": "ben", "mana": 2},
    ])  # fmt: skip
    assert first_finding(steps) is None
    state = steps[-1].state
    assert isinstance(state, State)
    assert (state.turn_of, state.side("ben").ready_orbs, len(state.side("ann").hand or ())) == ("ann", 2, 4)


def test_the_position_is_put_right_in_the_middle_of_a_log() -> None:
    start = RULES.start(header({**GAME, "position": POSITION}))
    log = [
        {"type": "player_passed", "player": "ben"},
        {"type": "position_set", "position": {**POSITION, "passed": ["ann"]}, "by": "judge"},
        {"type": "player_passed", "player": "ben"},
        {"type": "phase_started", "phase": "dusk"},
    ]
    steps = audited({**GAME, "position": POSITION}, log)
    assert first_finding(steps) is None
    assert start.passed == ()


@pytest.mark.every(
    ("told", "is_right"),
    [
        ({"turn_of": "ann", "passed": ["ben"]}, True),
        ({"orbs": {"ann": {"ready": 1}}, "hands": {"ann": 4}}, True),
        ({"orbs": {"ann": {"ready": 2}}}, False),
        ({"passed": []}, False),
        ({"reserve": {"ann": ["owl", "fox"]}}, False),
    ],
)
def test_a_recorder_notes_a_part_of_the_table(told: dict[str, Any], is_right: bool) -> None:
    log = [{"type": "player_passed", "player": "ben"}, {"type": "checkpoint", "position": told}]
    assert (first_finding(audited({**GAME, "position": POSITION}, log)) is None) == is_right


def test_a_position_beside_the_rest_of_the_setup_says_the_same() -> None:
    inside = RULES.start(header({**GAME, "position": POSITION}))
    assert RULES.start(header({**GAME, **POSITION})) == inside


@pytest.mark.every(
    ("position", "field"),
    [
        ({"phaze": "noon"}, "position.phaze"),
        ({"phase": "lunch"}, "position.phase"),
        ({"hands": {"eve": 3}}, "position.hands.eve"),
        ({"orbs": {"ann": {"redy": 3}}}, "position.orbs.ann.redy"),
        ({"characters": {"ann": {"heroes": []}}}, "position.characters.ann.heroes"),
        ({"characters": {"ann": {"hero": [{"id": "elk", "forrest": 3}]}}}, "position.characters.ann.hero.forrest"),
        ({"limbo": [{"emblem": "e1", "controller": "ann", "sourse": "elk"}]}, "position.limbo.sourse"),
        ({"tumult": {"centre": {"face": "sideways"}}}, "position.tumult.centre.face"),
        ({"advanced": ["ann left"]}, "position.advanced"),
        ({"under_way": {"progres": {}}}, "position.under_way"),
        ({"under_way": {"progress": {"seq": "two"}}}, "position.under_way.progress.seq"),
        ({"costs": {"fox": {"hand": 1}}}, "position.costs"),
    ],
)
def test_a_mistyped_position_is_refused_with_its_path(position: dict[str, Any], field: str) -> None:
    with pytest.raises(SetupError) as failure:
        RULES.start(header({**GAME, "position": position}))
    assert failure.value.field == field


@pytest.mark.every(
    ("setup", "field"),
    [
        ({"costs": {"fox": {"hands": 2}}}, "costs.fox.hands"),
        ({"stats": {"fox": {"forrest": 2}}}, "stats.fox.forrest"),
        ({"quick_actions": {"lamp:shine": {"controller": "ann", "exhaust": True}}}, "quick_actions.lamp:shine.exhaust"),
        ({"quick_actions": {"lamp": {"controller": "ann"}}}, "quick_actions.lamp"),
        ({"quick_actions": {"lamp:shine": {"controller": "eve"}}}, "quick_actions.lamp:shine.controller"),
        ({"reactions": {"bell:ring": {"controller": "ann", "on": "card_plaid"}}}, "reactions.bell:ring.on"),
        ({"limits": {"ann": {"reserves": 3}}}, "limits.ann.reserves"),
        ({"limits": {"eve": {"reserve": 3}}}, "limits.eve"),
        ({"paths": {"ann": {"left": []}}}, "paths.ann.left"),
        ({"heroes": {"eve": "Sigismar"}}, "heroes.eve"),
        ({"facing": [["ann hero", "eve hero"]]}, "facing"),
        ({"reserve": {"eve": []}}, "reserve.eve"),
        ({"advances": {"ann": {"heroe": 2}}}, "advances.ann.heroe"),
        ({"position": POSITION, "phase": "noon"}, "phase"),
    ],
)
def test_an_unknown_key_anywhere_in_a_setup_is_refused_with_its_path(setup: dict[str, Any], field: str) -> None:
    with pytest.raises(SetupError) as failure:
        RULES.start(header({**GAME, **setup}))
    assert failure.value.field == field


def test_the_example_in_the_documentation_can_be_copied() -> None:
    page = (ROOT / "docs" / "altered-setup.md").read_text("utf-8")
    examples = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL)]
    assert len(examples) == 2
    for example in examples:
        state = RULES.start(msgspec.convert(example, Header))
        assert (state.day, state.phase, state.turn_of) == (4, "afternoon", "kim")
        comes_back(state, state)


def test_the_documentation_names_every_key() -> None:
    page = (ROOT / "docs" / "altered-setup.md").read_text("utf-8")
    assert [key for key in sorted(KEYS) if f"`{key}`" not in page] == []


def test_an_error_lists_what_is_allowed() -> None:
    with pytest.raises(SetupError, match="one of companion, hero"):
        RULES.start(header({**GAME, "advances": {"ann": {"heroe": 2}}}))


def test_keys_of_anyones_own_are_let_through_in_a_position_too() -> None:
    head = Header(log=LOG_VERSION, ruleset="altered", setup={**GAME, "position": {**POSITION, "x-clock": 3}})
    assert RULES.start(head).day == 3


def test_what_a_position_says_of_a_reaction_and_of_a_character_comes_back() -> None:
    duel = {"mode": "duel", "seats": ["ann", "ben"], "first_player": "ann", "day": 2, "phase": "noon"}
    fox = {"id": "fox", "origin": "token", "touched_by": 3}
    told = {
        "characters": {"ann": {"hero": [fox], "companion": []}, "ben": {"hero": [], "companion": []}},
        "limbo": [{"emblem": "bell.1", "controller": "ann", "source": "bell"}, {"emblem": "b.2", "controller": "ben"}],
    }
    state = RULES.start(header({**duel, **told}))
    comes_back(state, RULES.start(header(duel)))
    data = RULES.position_data(state)
    assert data["limbo"] == told["limbo"]
    assert data["characters"]["ann"]["hero"][0].items() >= fox.items()  # type: ignore[index]


def test_what_happened_before_a_position_counts_back_from_it_in_another_log() -> None:
    duel = {"mode": "duel", "seats": ["ann", "ben"], "first_player": "ann", "day": 2, "phase": "noon"}
    fox = {"id": "fox", "touched_by": 3}
    table = {"characters": {"ann": {"hero": [fox], "companion": []}, "ben": {"hero": [], "companion": []}}}
    state = replace(RULES.start(header({**duel, **table})), last_seq=4, departures={"owl": 4, "hen": 1})
    away = RULES.detached(state)
    assert (away.departures, away.last_seq) == ({"owl": -1, "hen": -4}, 0)
    alone = RULES.start(header_of(RULESET, position_for(RULESET, state)))
    assert alone.side("ann").hero[0].touched_by == -2  # type: ignore[index]
    assert RULES.detached(alone) == alone
