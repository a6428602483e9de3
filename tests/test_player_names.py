"""Sentences call players by their names, in every language, and never so that two players could be mistaken."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.core.catalogue import LANGUAGES
from audit.core.model import Header, Player
from audit.core.names import player_names
from replays.cases.opening import place_in_log
from replays.cases.writing import opened, opinion_on
from replays.judging.replay import replay
from replays.log.reader import open_log
from replays.table.backing_up import PlanWriter, plan
from web.games.folder_library import FolderLibrary
from web.games.library import Filters
from web.games.payload import Prepared

SAMPLES = Path(__file__).resolve().parents[1] / "replays" / "samples"


def called(*names: str) -> list[str]:
    """What the players at the seats A, B and so on are called."""
    players = tuple(Player(seat, name) for seat, name in zip("ABCD", names, strict=False))
    found = player_names(Header(log="audit/1", ruleset="compile", players=players))
    return [found.get(player.seat, player.seat) for player in players]


def test_a_player_without_a_name_is_called_by_the_seat() -> None:
    assert called("Ada", "") == ["Ada", "B"]


def test_players_whose_names_could_be_mistaken_are_told_apart_by_their_seats() -> None:
    assert called("Ada", "ada", "a", "D") == ["Ada (A)", "ada (B)", "a (C)", "D"]


def test_a_name_takes_one_short_line() -> None:
    assert called("Ada\n13 illegal\x1b[31m", "B" * 99) == ["Ada 13 illegal [31m", f"{'B' * 31}…"]


@pytest.mark.every("language", LANGUAGES)
@pytest.mark.every("sample", ["altered-duel", "altered-alice-bob-camille", "lotr-eleanor", "dispute"])
def test_no_sentence_has_the_raw_seat_of_a_player_with_a_name(sample: str, language: str) -> None:
    shown = Prepared(replay(open_log(SAMPLES / f"{sample}.jsonl"), language=language))
    said = [str(step.get(name) or "") for step in shown.steps for name in ("sentence", "message")]
    said += [text for step in shown.steps for text in step.get("expected_text") or ()]  # type: ignore[attr-defined]
    words = {word.strip(".,:;()'’s") for text in (*said, *map(str, (band.chapter for band in shown.bands)))
             for word in text.replace("'", " ").split()}  # fmt: skip
    assert not words & set(shown.seats)


def test_the_plan_for_going_back_says_by_name_whose_places_change() -> None:
    log = open_log(SAMPLES / "dispute.jsonl")
    said = PlanWriter(plan(log.header, list(log), 20), "en").json()
    assert said["players"] == {"A": "Ada", "B": "Bo"}
    places = {str(move["place"]) for move in said["moves"]}  # type: ignore[attr-defined]
    assert "Hand of Ada" in places
    assert not [place for place in places if set(place.replace(",", " ").split()) & {"A", "B"}]


def test_the_opinion_in_a_case_names_the_players_of_its_game() -> None:
    log = open_log(SAMPLES / "dispute.jsonl")
    who = {"by": "Eve", "role": "judge", "at": "2026-01-01T00:00:00Z"}
    case = opened(place_in_log(log.header, list(log), 25), {**who, "question": "Is it allowed?"})
    assert opinion_on(case, who).judged[0].line == "Ada plays Plague 5 face up in line 2."


def test_french_elides_before_a_name() -> None:
    steps = replay(open_log(SAMPLES / "altered-duel.jsonl"), language="fr").steps
    assert "owl rejoint la Réserve d'Ann." in [step["sentence"] for step in steps]


def test_the_list_says_by_name_who_won() -> None:
    library = FolderLibrary(SAMPLES)
    library.catch_up(60)
    games = {glance.id: glance.ending("en") for glance in library.games("", Filters(player="Alice"), 1).games}
    assert games["altered-alice-bob-camille"] == "Alice has won."
