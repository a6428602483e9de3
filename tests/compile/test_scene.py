"""The table of Compile as it is said once: what a page, a picture and a terminal make of it."""

from __future__ import annotations

from copy import deepcopy
from typing import cast

import pytest

from audit.core.scene import Scene, Zone
from audit.core.scene_changes import changes
from audit.games.compile import RULESET as GAME
from replays.terminal.scene_lines import scene_lines
from tests.web.made import dispute

Json = dict[str, object]


def scenes(steps: list[Json]) -> list[Scene]:
    return [GAME.scene_maker.scene(cast(Json, s["state"]), "en", cast("list[Json]", s["pending"])) for s in steps]


def found(steps: list[Json]) -> list[dict[str, str]]:
    """The marks of every step, those of whole hands left out."""
    events = [cast("Json | None", step["event"]) for step in steps]
    touched = [GAME.scene_maker.touched(event) if event else () for event in events]
    icons = [GAME.scene_maker.icons[str(event["type"])] if event else "" for event in events]
    return [
        {key: mark for key, mark in each.marks.items() if not key.endswith("hand")}
        for each in changes(scenes(steps), touched, icons)
    ]


def zone(scene: Scene, key: str) -> Zone:
    return next(zone for zone in scene.zones if zone.key == key)


def test_every_step_marks_what_it_changed() -> None:
    assert found(dispute()) == [
        {}, {"fire-2": "commit"}, {"fire-2": "land"}, {"death-5": "play"}, {"fire-2": "lay-on", "life-1": "play"},
        {"life-1": "turn-over"}, {"death-5": "delete", "B.trash": "delete"},
        {"A.protocol.1": "complete", "control": "token"},
    ]  # fmt: skip


def test_a_card_that_is_only_announced_leads_the_eye_to_its_line() -> None:
    steps = deepcopy(dispute()[:2])
    event: Json = {"type": "played", "player": "A", "card": "fire-2", "line": 3}
    steps[1].update(state=deepcopy(steps[0]["state"]), event=event)
    (_, told) = changes(scenes(steps), [(), GAME.scene_maker.touched(event)], ["", "play"])
    assert told.marks == {"fire-2": "play"}
    assert told.focus == "A.line.3"


def test_a_card_in_flight_is_said_where_it_will_lie() -> None:
    assert [card.key for card in zone(scenes(dispute())[1], "A.line.1").coming] == ["fire-2"]


def test_a_protocol_leads_from_ten_on_and_only_if_it_is_ahead() -> None:
    state = cast(Json, deepcopy(dispute()[0]["state"]))
    sides = cast(dict[str, Json], state["sides"])
    sides["A"]["totals"], sides["B"]["totals"] = [10, 9, 12], [9, 0, 12]
    scene = GAME.scene_maker.scene(state, "en")
    heads = [zone(scene, f"A.line.{line}").head for line in (1, 2, 3)]
    assert [head.leads for head in heads if head] == [True, False, False]


@pytest.mark.every(("language", "said"), [("en", "Fire 2 middle"), ("fr", "Feu 2 milieu"), ("pl", "Ogień 2 środek")])
def test_a_text_under_way_is_called_by_card_and_box(language: str, said: str) -> None:
    state = cast(Json, dispute()[0]["state"])
    scene = GAME.scene_maker.scene(state, language, [{"card": "fire-2", "command": "middle", "rest": 1}])
    assert scene.pending[0].title == said


def test_what_runs_without_a_card_says_whose_or_where_it_is() -> None:
    state = cast(Json, dispute()[0]["state"])
    pending = GAME.scene_maker.scene(state, "en", [{"refresh": "A"}, {"compile": 2, "player": "A"}]).pending
    assert [item.title for item in pending] == ["refresh A", "compile line 2"]


@pytest.mark.every("width", [40, 60, 80, 100])
def test_no_line_of_the_terminal_is_too_long(width: int) -> None:
    assert max(len(line) for scene in scenes(dispute()) for line in scene_lines(scene, width=width)) <= width


def test_the_terminal_shows_both_sides_across_three_lines() -> None:
    lines = scene_lines(scenes(dispute())[4], width=80)
    assert lines[0] == "  B  hand 2 · deck 13 · trash 0"
    assert "  │ [Fire]                 │ [Life]                 │ [Water]                │" in lines
    assert "  │ = 4                    │ = 0                    │ = 0                    │" in lines
    assert "  │ Fire 2                 │                        │                        │" in lines
    assert "  │ ▒ Life 1 ◂             │                        │                        │" in lines
    assert "▶ A  hand 1 · deck 13 · trash 0" in lines


def test_a_narrow_terminal_shows_one_line_below_the_other() -> None:
    lines = scene_lines(scenes(dispute())[4], width=40)
    assert sum(line.startswith("  ┌") for line in lines) == 3
