"""What is said of steps: every event and every finding has its sentence in every language, with nothing missing."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest

from audit.core.cases import run
from audit.core.catalogue import LANGUAGES, words
from audit.core.scene import Scene
from audit.core.sentences import tell, violation_sentence
from audit.core.steps import Step
from audit.games.altered import RULESET
from audit.games.altered.decks import check_deck
from audit.games.altered.events import ManaPlaced
from audit.games.altered.rules import day_overview
from audit.games.altered.unread import in_words
from replays.judging.replay import replay
from replays.log.reader import open_log
from replays.terminal.scene_lines import scene_lines
from tests.altered.situations import CASES, audited, events

in_every_language = pytest.mark.parametrize("language", LANGUAGES)


@cache
def steps() -> tuple[Step, ...]:
    """Every step of every case."""
    return tuple(step for case in CASES for step in run(RULESET, case))


@in_every_language
def test_every_event_is_told_in_a_sentence(language: str) -> None:
    known = words("audit.games.altered", language, "sentences")
    told = [step.event for step in steps() if step.event]
    assert {RULESET.wording.sentence_key(event) for event in told} <= set(known)
    assert [event for event in told if "…" in tell(RULESET, event, language)] == []


@in_every_language
def test_every_finding_is_told_in_a_sentence(language: str) -> None:
    known = words("audit.games.altered", language, "sentences")
    found = [broken for step in steps() for broken in step.violations]
    assert {broken.key for broken in found} <= set(known)
    assert [broken for broken in found if "…" in violation_sentence(RULESET, broken, language)] == []


def test_most_kinds_of_events_come_up_in_the_cases() -> None:
    """Else the sentences above would not have been looked at."""
    assert len({type(step.event) for step in steps() if step.event}) >= 42


def test_numbers_choose_their_form() -> None:
    one, two, five = (
        events([{"type": "cards_drawn", "player": "ann", "count": n, "reason": "storm"}])[0] for n in (1, 2, 5)
    )
    assert tell(RULESET, one, "en") == "ann draws 1 card (storm)."
    assert tell(RULESET, two, "pl") == "ann dobiera 2 karty (storm)."
    assert tell(RULESET, five, "pl") == "ann dobiera 5 kart (storm)."


def test_places_and_stats_have_names() -> None:
    advance = {"type": "expedition_advanced", "player": "ann", "expedition": "hero", "stat": "forest", "spaces": 1}
    assert tell(RULESET, events([advance])[0], "fr") == "ann, expédition du Héros\u00a0: 1 case en avant par forêt."


def test_a_deck_is_checked_as_plain_data() -> None:
    cards = [{"name": f"card {n}", "copies": 3, "faction": "sun"} for n in range(13)]
    fine = {"hero": {"name": "captain", "faction": "sun"}, "cards": cards}
    assert check_deck(fine) == ()
    found = check_deck({**fine, "cards": cards[1:]})
    assert [broken.rule.id for broken in found] == ["altered.deck.min-39"]
    assert violation_sentence(RULESET, found[0], "it") == "Il mazzo ha 36 carte, ne servono 39."


@in_every_language
def test_the_table_is_drawn_within_its_width(language: str) -> None:
    for seed in range(6):
        setup = RULESET.simulation.setup(Random(seed))
        state = audited(setup, [{"type": "day_started", "day": 1}])[-1].state
        lines = scene_lines(RULESET.scene_maker.scene(RULESET.disclosure.view(state), language))
        assert max(map(len, lines)) <= 100
        assert all(any(line.startswith(seat) for line in lines) for seat in state.seats)  # type: ignore[attr-defined]


def test_the_table_shows_regions_expeditions_and_limbo() -> None:
    given = {
        "mode": "duel", "seats": ["ann", "ben"], "first_player": "ann", "day": 3, "phase": "dusk", "meet_distance": 7,
        "advances": {"ann": {"hero": 2, "companion": 1}}, "regions": {"ann": {"hero": ["forest"]}},
        "characters": {"ann": {"hero": [{"id": "fox", "forest": 2, "statuses": ["anchored"]}], "companion": []}},
        "reserve": {"ann": ["kite"]}, "limbo": [{"emblem": "e1", "controller": "ben"}],
    }  # fmt: skip
    view = RULESET.disclosure.view(audited(given, [])[-1].state)
    drawn = "\n".join(scene_lines(RULESET.scene_maker.scene(view, "en")))
    assert all(part in drawn for part in ("▶ dusk", "e1 ben", "· · H · · · C ·", "space 2 · [forest]", "kite"))
    assert "fox (forest 2, mountain 0, water 0) (anchored)" in drawn
    assert "ann · first player" in drawn


def sample_scene(name: str, seq: int, viewer: str = "public") -> Scene:
    """The table of a sample after an event."""
    log = open_log(Path(__file__).resolve().parents[2] / "replays" / "samples" / f"{name}.jsonl")
    state = RULESET.rules.replay_to(RULESET.rules.start(log.header), list(log)[:seq])
    return RULESET.scene_maker.scene(RULESET.disclosure.view(state, viewer), "en")


def leading(scene: Scene) -> list[str]:
    return [counter.key for zone in scene.zones for counter in zone.counters if counter.leads]


def test_what_leads_goes_forward_at_this_dusk_and_nothing_leads_where_nobody_races() -> None:
    assert not leading(sample_scene("altered-alice-bob-camille", 41))
    assert "ann.hero.forest" in leading(sample_scene("altered-duel", 31))
    assert "ann.hero.forest" not in leading(sample_scene("altered-duel", 32))
    assert not leading(sample_scene("altered-duel", 45))


def test_a_tie_break_shows_the_sums_in_the_arena() -> None:
    keys = {key for key, _ in sample_scene("altered-alice-bob-camille", 41).parts}
    assert {"alice.arena.forest", "camille.arena.water"} <= keys
    assert not [key for key, _ in sample_scene("altered-duel", 33).parts if ".arena." in key]


def test_a_player_stands_with_their_team() -> None:
    notes = {area.key: area.notes for area in sample_scene("altered-two-teams", 20).areas}
    assert notes["ada"] == ("team Red, with cy",)
    assert "team Blue, with bo" in notes["di"]


def test_the_types_of_the_spaces_that_an_expedition_has_come_by_stand_on_the_path() -> None:
    steps = {key: part for key, part in sample_scene("altered-duel", 44).parts if key.startswith("ann.path.")}
    told = {key: getattr(step, "types") for key, step in steps.items()}  # noqa: B009
    assert [one for one, _ in told["ann.path.0"]] == ["forest"]
    assert told["ann.path.3"] == ()


def test_cards_laid_into_the_mana_zone_are_shown_to_their_player_alone() -> None:
    for viewer, seen in (("ann", True), ("judge", True), ("ben", False), ("public", False)):
        zones = {zone.key for zone in sample_scene("altered-duel", 20, viewer).zones}
        assert ("ann.orbs" in zones) is seen


def test_a_card_in_play_keeps_its_cost_and_no_type_is_asked_for_where_the_region_is_unknown() -> None:
    cards = {card.key: card for card in sample_scene("altered-duel", 33).cards}
    assert [sign for sign, _, _ in cards["owl"].figures] == ["cost", "forest", "mountain", "water"]
    totals = [one for zone in sample_scene("altered-alice-bob-camille", 20).zones for one in zone.counters]
    assert totals
    assert all(one.idle for one in totals)


def test_a_reaction_is_called_by_its_card_and_not_by_the_id_of_its_emblem() -> None:
    [set_off, played, drawn] = [tell(RULESET, event, "en") for event in events([
        {"type": "reaction_activated", "reaction": "watch", "source": "owl", "controller": "ann", "trigger": "x",
         "trigger_seq": 1, "emblem": "e1"},
        {"type": "reaction_played", "player": "ann", "emblem": "e1", "effect": "y"},
        {"type": "cards_drawn", "player": "ann", "count": 1, "reason": "e1"},
    ])]  # fmt: skip
    assert "e1" not in set_off + played + drawn
    assert "?" not in tell(RULESET, ManaPlaced(seq=1, player="ann", card="?1", face="down"), "en")


@pytest.mark.every(("language", "placed", "agreed"), [
    ("en", "facing each other", "open talk at the table"), ("fr", "face à face", "parole libre à la table"),
    ("it", "una di fronte all'altra", "si parla liberamente al tavolo"),
    ("pl", "naprzeciw siebie", "swobodne rozmowy przy stole"),
])  # fmt: skip
def test_where_boards_are_placed_and_how_players_may_talk_is_told_in_every_language(
    language: str, placed: str, agreed: str
) -> None:
    said = [tell(RULESET, event, language) for event in events([
        {"type": "board_placed", "piece": "hero_region", "cards": ["bay"], "place": "facing each other"},
        {"type": "communication_agreed", "policy": "open talk at the table"},
    ])]  # fmt: skip
    assert placed in said[0].replace("’", "'")
    assert agreed in said[1]


def test_of_what_could_come_at_dusk_that_is_told_which_the_figures_allow() -> None:
    log = open_log(Path(__file__).resolve().parents[2] / "replays" / "samples" / "altered-duel.jsonl")
    played = replay(log)
    forward = [one for one in played.decisions_after(len(played.steps) - 1) if one["type"] == "expedition_advanced"]
    assert [one["player"] for one in forward] == ["ann"]
    assert forward[0]["sentences"] == [
        "Ann, Hero expedition: 1 space forward by forest.", "Ann, Companion expedition: 1 space forward by water.",
    ]  # fmt: skip


@in_every_language
def test_an_event_before_a_position_is_told_without_a_number(language: str) -> None:
    [found] = in_words([-46], day_overview.SUM_STATS)
    assert "-46" not in violation_sentence(RULESET, found, language)
    [found] = in_words([46], day_overview.SUM_STATS)
    assert "46" in violation_sentence(RULESET, found, language)
