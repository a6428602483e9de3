"""Records of Altered as people keep them: less told than happened, and later than it happened."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from audit.core.model import Verdict
from tests.altered.situations import audited, first_finding

NIGHT = {
    "mode": "duel", "seats": ["ann", "ben"], "first_player": "ann", "day": 3, "phase": "night", "limbo": [],
    "daily_effect": "rest",
    "characters": {
        "ann": {"hero": [{"id": "buoy", "statuses": ["anchored"]}, {"id": "rock", "abilities": ["eternal"]}]},
        "ben": {"hero": [{"id": "bear", "statuses": ["asleep", "fleeting"]}], "companion": []},
    },
}  # fmt: skip


def stays(player: str, card: str, **told: object) -> dict[str, object]:
    return {"type": "character_rested", "player": player, "card": card, "to": "stays", **told}


@pytest.mark.every(
    ("player", "card", "left"), [("ann", "buoy", ()), ("ann", "rock", ()), ("ben", "bear", ("fleeting",))]
)
def test_a_character_stays_and_nobody_writes_which_statuses_it_loses(
    player: str, card: str, left: tuple[str, ...]
) -> None:
    step = audited(NIGHT, [stays(player, card)])[1]
    assert step.verdict is Verdict.LEGAL
    [one] = [one for one in step.state.side(player).hero if one.id == card]  # type: ignore[attr-defined]
    assert one.statuses == left


@pytest.mark.parametrize(("card", "verdict"), [("buoy", Verdict.ILLEGAL), ("rock", Verdict.LEGAL)])
def test_an_empty_list_says_that_it_loses_none(card: str, verdict: Verdict) -> None:
    assert audited(NIGHT, [stays("ann", card, statuses_removed=[])])[1].verdict is verdict


NOON = {
    "mode": "duel", "seats": ["ann", "ben"], "first_player": "ann", "day": 2, "phase": "noon",
    "reactions": {"bell:ring": {"controller": "ann", "on": "phase_started"},
                  "horn:blow": {"controller": "ben", "on": "phase_started"}},
    "limbo": [{"emblem": "bell.1", "controller": "ann", "source": "bell"},
              {"emblem": "horn.1", "controller": "ben", "source": "horn"}],
    "characters": {"ann": {"hero": [], "companion": []}, "ben": {"hero": [], "companion": []}},
}  # fmt: skip
CHECK = {"type": "reaction_check", "reason": "after_reaction"}
AFTERNOON = {"type": "phase_started", "phase": "afternoon"}


def plays(player: str, emblem: str) -> Mapping[str, object]:
    return {"type": "reaction_played", "player": player, "emblem": emblem}


def begins(player: str, source: str) -> Mapping[str, object]:
    return {"type": "effect_started", "player": player, "source": source}


def ends(player: str, source: str) -> Mapping[str, object]:
    return {"type": "effect_ended", "player": player, "source": source}


ANN = [plays("ann", "bell.1"), begins("ann", "bell")]
BEN = [plays("ben", "horn.1"), begins("ben", "horn")]


def test_the_end_of_an_effect_is_written_down_after_what_follows_it() -> None:
    steps = audited(NOON, [*ANN, ends("ann", "bell"), CHECK, *BEN, CHECK, AFTERNOON, ends("ben", "horn")])
    assert first_finding(steps) is None
    assert [step.late for step in steps if step.late] == [9, 9]


def test_the_late_end_is_that_of_the_effect_before_it_not_of_an_older_one() -> None:
    """Of the first effect nobody wrote the end; that of the second, of the same card, comes two lines late."""
    both = {**NOON, "limbo": [{"emblem": f"bell.{n}", "controller": "ann", "source": "bell"} for n in (1, 2)]}
    log = [*ANN, CHECK, plays("ann", "bell.2"), begins("ann", "bell"), CHECK, AFTERNOON, ends("ann", "bell")]
    steps = audited(both, log)
    assert first_finding(steps) is None
    assert [step.late for step in steps if step.late] == [8, 8]


def test_who_plays_a_reaction_before_the_effect_is_over_plays_too_early() -> None:
    finding = first_finding(audited(NOON, [*ANN, *BEN, ends("ann", "bell"), ends("ben", "horn"), CHECK]))
    assert finding is not None
    assert (finding.seq, finding.rules[0].id) == (3, "altered.5.1.1.c")


MORNING = {
    "mode": "duel", "seats": ["ann", "ben"], "first_player": "ann", "day": 2, "phase": "morning",
    "daily_effect": "mana", "hands": {"ann": ["oak", "elm"], "ben": ["fir", "yew"]},
    "characters": {"ann": {"hero": [], "companion": []}, "ben": {"hero": [], "companion": []}},
    "reserve": {"ann": [], "ben": []}, "landmark_zone": {"ann": [], "ben": []},
}  # fmt: skip


def mana(player: str, **told: object) -> Mapping[str, object]:
    return {"type": "mana_placed", "player": player, **told}


def test_two_cards_become_mana_after_a_player_of_whom_nothing_is_written() -> None:
    finding = first_finding(audited(MORNING, [mana("ben", card="?", count=2)]))
    assert finding is not None
    assert finding.rules[0].id == "altered.day.morning.mana-one"


def test_too_few_cards_are_kept_after_a_player_who_keeps_all_and_of_whom_nothing_is_written() -> None:
    reserves = {"ann": [], "ben": ["fir", "yew", "ash"]}
    cleanup = {**MORNING, "phase": "night", "daily_effect": "cleanup", "reserve": reserves}
    kept = {"type": "cleanup_choice", "player": "ben", "zone": "reserve", "kept": ["fir"]}
    finding = first_finding(audited(cleanup, [kept]))
    assert finding is not None
    assert finding.rules[0].id == "altered.4.2.5.c.keep-to-limit"


def test_what_the_next_day_tells_is_not_the_late_record_of_this_one() -> None:
    passed = [{"type": "player_passed", "player": player} for player in ("ann", "ben")]
    ready = {"type": "objects_readied", "player": "ann", "objects": "all"}
    told = [{"type": "mana_declined", "player": "ann"}, mana("ben", card="?", count=2), *passed, ready]
    steps = audited({**MORNING, "daily_effect": "prepare"}, told)
    assert [step.seq for step in steps if step.verdict.is_finding] == [2]


def test_the_late_end_of_an_effect_comes_after_a_choice_that_was_none() -> None:
    """Ann keeps the one card she has; the end of the effect before it is written down after that."""
    night = {
        **NOON, "phase": "night", "daily_effect": "rest", "reserve": {"ann": ["oak"], "ben": []},
        "landmark_zone": {"ann": [], "ben": []}, "limbo": [NOON["limbo"][0]],  # type: ignore[index]
    }  # fmt: skip
    kept = {"type": "cleanup_choice", "player": "ann", "zone": "reserve", "kept": ["oak"]}
    steps = audited(night, [*ANN, CHECK, kept, ends("ann", "bell")])
    assert first_finding(steps) is None
    assert [step.late for step in steps if step.late] == [5, 5]


def test_what_comes_late_is_seen_behind_a_take_back_and_an_amendment() -> None:
    """Ben's cards are readied late, and before that is written two slips are put right."""
    draws = [{"type": "cards_drawn", "player": player, "count": 2, "reason": "morning"} for player in ("ann", "ben")]
    ready = [{"type": "objects_readied", "player": player, "objects": "all"} for player in ("ann", "ben")]
    over = {"type": "daily_effect_ended", "effect": "prepare"}
    check = {"type": "reaction_check", "reason": "after_daily_effect"}
    start = {"type": "daily_effect_started", "effect": "draw"}
    slips = [start, *draws, {"type": "taken_back", "to": 2}, check, start, ready[0], {"type": "amended", "from": 9}]
    told = [ready[0], over, *slips, ready[1], *draws]
    steps = audited({**MORNING, "daily_effect": "prepare"}, told)
    assert [step.seq for step in steps if step.verdict.is_finding] == [9], "the slip that was amended, and no other"
    assert {step.late for step in steps if step.late} == {11}


TEAMS = {"mode": "2v2", "seats": ["ann", "ben", "cid", "dot"], "teams": {"Red": ["ann", "cid"], "Blue": ["ben", "dot"]}}


@pytest.mark.every(
    ("pile", "place", "verdict"),
    [
        (1, "à côté des régions Héros", Verdict.LEGAL), (1, "accanto agli Eroi", Verdict.LEGAL),
        (1, "przy Bohaterach", Verdict.LEGAL), (2, "près des Compagnons", Verdict.LEGAL),
        (2, "accanto ai Compagni", Verdict.LEGAL), (2, "przy Towarzyszach", Verdict.LEGAL),
        (3, "au milieu", Verdict.LEGAL), (3, "in mezzo", Verdict.LEGAL), (3, "al centro", Verdict.LEGAL),
        (3, "w centrum", Verdict.LEGAL), (3, "na środku", Verdict.LEGAL), (1, "au milieu", Verdict.ILLEGAL),
        (2, "przy Bohaterach", Verdict.ILLEGAL), (3, "nördlich", Verdict.UNCHECKED),
    ],
)  # fmt: skip
def test_the_place_of_a_pile_is_read_in_four_languages(pile: int, place: str, verdict: Verdict) -> None:
    told = {"type": "board_placed", "piece": "tumult", "pile": pile, "cards": ["gale", "gale"], "place": place}
    assert audited(TEAMS, [told])[1].verdict is verdict
