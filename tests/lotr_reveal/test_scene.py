"""The table as it is said once, seen in a terminal: what lies where, and the track of steps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.catalogue import LANGUAGES
from audit.core.scene import Scene, areas_in
from audit.games.lotr_reveal import RULESET
from audit.games.lotr_reveal.steps import ORDER
from replays.judging.replay import state_at
from replays.log.reader import open_log
from replays.terminal.scene_lines import WIDTH, scene_lines
from tests.lotr_reveal.situations import audited, own

SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"


def case(id: str) -> dict[str, Any]:
    return next(case for case in own() if case["id"] == id)


def shown(id: str, seq: int, language: str = "en") -> list[str]:
    """The table after an event of a case."""
    state: Any = next(step.state for step in audited(case(id)) if step.seq == seq)
    return scene_lines(RULESET.scene_maker.scene(RULESET.disclosure.view(state), language))


def test_zones_and_players_come_first() -> None:
    lines = shown("prisoner-raises-threat", 5)
    assert lines[0].split() == ["encounter", "deck", "–"]
    assert [line.split()[-1] for line in lines if line.startswith("staging area")] == ["?"]
    assert "threat 27" in [line.strip().partition(" ·")[0] for line in lines]


def test_a_card_of_the_staging_step_says_why_it_came_and_no_place_where_it_does_not_lie() -> None:
    [heading] = [line for line in shown("all-keywords", 9) if "· for the staging step ·" in line]
    assert "staging area" not in heading


def test_the_track_shows_the_step_reached_and_the_windows() -> None:
    lines = shown("all-keywords", 9)
    assert sum(line.startswith(("▶", "✓", "·", "~")) for line in lines) == len(ORDER)
    assert any(line.startswith("▶ [ ]    6") for line in lines)
    assert any(line.startswith("✓ [x]    3") for line in lines)
    assert any(line.startswith("~        7 ~When Revealed~") for line in lines)


def test_a_window_behind_a_forced_effect_is_ahead() -> None:
    lines = shown("forced-then-responses", 3)
    assert any(line.startswith("▶ [.]   10") for line in lines)
    assert any(line.startswith("▶ [ ]   10") for line in shown("forced-then-responses", 5))


def test_a_card_called_for_stands_under_its_caller() -> None:
    lines = shown("placed-card", 4)
    keep = next(index for index, line in enumerate(lines) if line.startswith("Keep"))
    orc = next(index for index, line in enumerate(lines) if line.startswith("    Orc · "))
    assert keep < orc
    assert any(line.startswith("    ~ [x]    3 ~the whole card can be cancelled~") for line in lines)


def untouched() -> Scene:
    """The table before the first card."""
    state = next(step.state for step in audited(case("plain-enemy")))
    return RULESET.scene_maker.scene(RULESET.disclosure.view(state), "en")


def test_nothing_under_way_is_said() -> None:
    assert "No card is being revealed." in scene_lines(untouched())
    assert any("staging step · ann · done" in line for line in shown("plain-enemy", 8))


def test_a_cancelled_card_stays_open_while_the_one_in_its_place_is_on_its_way() -> None:
    state = state_at(open_log(SAMPLES / "lotr-journey.jsonl"), 51)
    scene = RULESET.scene_maker.scene(RULESET.disclosure.view(state, "public"), "en")
    troll = next(area for area in scene.areas if area.title == "Troll" and area.is_stopped)
    fog = next(area for area in scene.areas if area.title == "Deep Fog")
    assert troll.is_open
    assert fog.is_open
    assert fog in areas_in(troll)


def test_a_card_that_was_defeated_while_it_was_being_revealed_is_stopped() -> None:
    [*_, last] = audited(case("goblin-killed-with-its-surge"))
    scene = RULESET.scene_maker.scene(RULESET.disclosure.view(last.state), "en")
    snaga = next(area for area in scene.areas if area.card and area.card.key == "snaga")
    assert snaga.is_stopped


def test_the_keywords_of_a_card_stand_on_it() -> None:
    state: Any = next(step.state for step in audited(case("all-keywords")) if step.seq == 1)
    scene = RULESET.scene_maker.scene(RULESET.disclosure.view(state), "en")
    assert [area.card.face.texts for area in scene.areas if area.card and area.card.face] == [
        (("", "Doomed 2. Peril. Hunt 1. Surge."),)
    ]


def test_cards_that_act_and_the_threat_strength_are_on_the_table() -> None:
    log = open_log(SAMPLES / "lotr-journey.jsonl")
    given = {"threat_strength": {"ruined-keep": 2}, "staging_area": ["ruined-keep", "troll"], "encounter_deck": []}
    setup = {**log.header.setup, "in_play": log.header.setup["in_play"]}
    for key in ("encounter_deck", "encounter_discard", "shuffles"):
        setup.pop(key)
    state = RULESET.rules.start(replace(log.header, setup={**setup, **given}))
    scene = RULESET.scene_maker.scene(RULESET.disclosure.view(state, "public"), "en")
    zones = {zone.key: zone for zone in scene.zones}
    assert [one.value for one in zones["staging_area"].counters] == ["2 + ?"]
    told = {key: getattr(part, "value", "") for key, part in scene.parts}
    assert zones["staging_area"].notes == ("encounter cards in play: Bolg, Watch Fire",)
    assert told["in_play.p1"] == "Thalin, Lampwright of Minas Tirith"


def test_a_replacement_that_is_due_is_said() -> None:
    assert "A replacement is due." in shown("cancelled-and-replaced", 5)


@pytest.mark.every("language", LANGUAGES)
@pytest.mark.every("width", [40, 60, WIDTH])
def test_no_line_is_too_long(language: str, width: int) -> None:
    state: Any = audited(case("all-keywords"))[5].state
    view = RULESET.disclosure.view(state)
    many = {**view, "staging_area": [f"card-number-{n}" for n in range(30)]}
    assert max(map(len, scene_lines(RULESET.scene_maker.scene(many, language), width=width))) <= width


def test_styles_are_named_to_the_painter() -> None:
    state: Any = audited(case("plain-enemy"))[1].state
    asked: list[str] = []
    scene_lines(
        RULESET.scene_maker.scene(RULESET.disclosure.view(state), "en"), lambda style, text: asked.append(style) or text
    )  # type: ignore[func-returns-value]
    assert {"turn", "quiet"} <= set(asked)


def test_the_samples_are_drawn_at_every_step() -> None:
    log = open_log(Path(__file__).resolve().parents[2] / "replays" / "samples" / "lotr-journey.jsonl")
    for step in audit(RULESET, log.header, log):
        state: Any = step.state
        assert scene_lines(RULESET.scene_maker.scene(RULESET.disclosure.view(state, "public"), "pl"))
