"""A reveal is recorded by taps: which card it is, what is printed on it, and what is asked where nobody told that."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.web.test_recording_altered import Json, Recorded
from tests.web.test_table import after, fresh, post


@pytest.fixture
def record(client: FlaskClient) -> Recorded:
    return Recorded(client, fresh(client, "lotr-reveal", "2"), players=["Eva", "Max"])


def reveal(record: Recorded, card: str, *printed: Json) -> Json:
    """Reveal the next card, as the taps do."""
    offered = record.choice(type="reveal_started")
    return record.enter({"choice": offered["event"], "cards": [card] if card else []}, printed=printed)


def said(card: str, **values: object) -> list[Json]:
    """What is read out of a card."""
    return [
        {"do": "count", "to": card, "name": f"printed.{name}", "number": value}
        if isinstance(value, int)
        else {"do": "say", "at": card, "name": f"printed.{name}", "value": value}
        for name, value in values.items()
    ]


def test_the_card_is_asked_for_and_then_what_is_printed_on_it(record: Recorded) -> None:
    [offered] = record.told["choices"]
    assert (offered["is_named"], offered["reads"]) == (True, True)
    about = post(record.client, "printed", header=record.header, card="Sniper").get_json()["about"]
    assert [one["name"] for one in about["fields"]] == [
        "printed.type", "printed.surge", "printed.peril", "printed.has_when_revealed",
    ]  # fmt: skip
    counted = ("doomed", "threat", "hit_points", "quest_points")
    assert [one["name"] for one in about["counts"]] == [f"printed.{name}" for name in counted]
    assert not any(one["is_known"] for one in about["counts"])


def test_what_is_printed_decides_what_follows(record: Recorded) -> None:
    told = reveal(record, "Sniper", *said("Sniper", type="enemy", surge="yes", threat=2))
    assert told["last"]["verdict"] == "legal"
    assert told["follows"] == ["A surge of Sniper is armed.", "Sniper goes to the staging area."]
    assert record.choice(type="reveal_started")["event"]["cause"] == "surge"
    assert told["question"] is None
    assert "threat_strength:(Sniper:2)" in told["position"]


def test_doomed_and_the_text_of_an_effect_are_read_out_too(record: Recorded) -> None:
    told = reveal(
        record, "Storm", *said("Storm", type="treachery", doomed=2, text="Each player raises his threat by 1.")
    )
    card = told["header"]["setup"]["cards"]["Storm"]
    assert card == {
        "type": "treachery", "keywords": {"doomed": 2}, "text": "Each player raises his threat by 1.",
        "has_when_revealed": True,
    }  # fmt: skip
    assert "keyword_resolved" in [one["event"]["type"] for one in told["choices"]]


def test_a_card_of_unknown_type_is_not_through_by_itself(record: Recorded) -> None:
    told = reveal(record, "Sniper")
    assert told["follows"] == []
    assert told["question"] == {
        "asked": "Where does Sniper go? Nobody has told its type.",
        "cards": ["Sniper"],
        "why": [],
    }
    aims = {one["event"].get("to") for one in told["choices"] if one["event"]["type"] == "card_moved"}
    assert aims == {"staging_area", "encounter_discard"}
    told = record.judge(*said("Sniper", type="location"))
    assert told["question"] is None
    assert "Sniper goes to the staging area." in told["follows"]


def test_a_card_that_nobody_knows_is_asked_for_by_name(record: Recorded) -> None:
    assert reveal(record, "")["question"]["cards"] == ["?1"]
    moved = record.enter({"choice": record.choice(type="card_moved", to="staging_area")["event"]})
    assert moved["question"] is None
    assert record.choice(type="reveal_started")["event"]["player"] == "p2"


def test_the_heading_of_a_card_that_is_through_says_why_it_came_and_not_that_it_is_under_way(record: Recorded) -> None:
    seen = str(reveal(record, "Sniper", *said("Sniper", type="enemy"))["tree"])
    assert "No card is being revealed." not in seen
    assert "'for the staging step · Eva · done'" in seen


def test_after_a_card_set_by_hand_the_next_player_reveals(client: FlaskClient) -> None:
    line = after(client, fresh(client, "lotr-reveal", "2"), do="put", card="Sniper", to="under_way")
    line = after(client, line, do="say", at="Sniper", name="printed.type", value="enemy")
    record = Recorded(client, line)
    record.enter({"line": "f1 step 12"})
    assert record.choice(type="reveal_started")["event"]["player"] == "p2"


def test_nothing_is_made_up_of_a_new_table(client: FlaskClient) -> None:
    told = post(client, "position", position=fresh(client, "lotr-reveal", "2")).get_json()
    numbers = [one for key in ("threat.p1", "hand.p2", "encounter_deck") for one in told["about"][key]["counts"]]
    assert not any(one["is_known"] for one in numbers)
