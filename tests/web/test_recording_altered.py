"""A game of Altered is recorded by taps at the table, from a hand that nobody has seen to the next morning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.web.test_table import QUESTION, fresh, post

Json = dict[str, Any]
PASS_A, PASS_B = {"line": "A pass"}, {"line": "B pass"}


class Recorded:
    """A record on a device, and what was said of it last."""

    def __init__(self, client: FlaskClient, position: str, **names: object) -> None:
        self.client, self.header, self.entries = client, {"position": position, **names}, list[Json]()
        self.told = self.judge()

    def judge(self, *printed: Json, language: str = "en") -> Json:
        """What the record means, with what is printed on cards."""
        asked = {"header": self.header, "entries": self.entries, "printed": printed}
        self.told = post(self.client, f"judge?lang={language}", **asked).get_json()
        self.header, self.entries = self.told["header"], self.told["events"]
        return self.told

    def enter(self, *entries: Json, printed: Sequence[Json] = ()) -> Json:
        """Write entries down."""
        self.entries = [*self.entries, *entries]
        return self.judge(*printed)

    def choice(self, **wanted: object) -> Json:
        """The choice whose event has these values."""
        return next(one for one in self.told["choices"] if wanted.items() <= one["event"].items())

    def play(self, player: str, card: str, zone: str, mana: int, *printed: Json) -> Json:
        """Play a card of a hand that nobody has seen, as the taps do."""
        offered = self.choice(type="card_played", player=player, to_zone=zone, card="?")
        return self.enter({"choice": {**offered["event"], "mana": mana}, "cards": [card]}, printed=printed)


def cost(card: str, number: int) -> Json:
    return {"do": "count", "to": card, "name": "printed.hand", "number": number}


def told_all(card: str, *stats: int) -> list[Json]:
    """Statistics of a card, and that it has no text."""
    names = ("forest", "mountain", "water")
    counts = [
        {"do": "count", "to": card, "name": f"printed.{name}", "number": n}
        for name, n in zip(names, stats, strict=True)
    ]
    return [*counts, {"do": "say", "at": card, "name": "printed.no_text", "value": "yes"}]


@pytest.fixture
def record(client: FlaskClient) -> Recorded:
    return Recorded(client, fresh(client, "altered", "duel"), game="kitchen", players=["Eva", "Max"])


def orbs(told: Json, player: str) -> Mapping[str, int]:
    """What a position says of mana."""
    line = str(told["position"]).partition("orbs:(")[2].partition(f"{player}:(")[2].partition(")")[0]
    return {name: int(number) for name, number in (one.split(":") for one in line.split(","))}


def test_names_are_those_of_the_boards_and_the_sentences(record: Recorded) -> None:
    assert record.header["game"] == "kitchen"
    assert record.told["names"]["A.hand"] == "Eva · hand"
    assert "Eva passes." in [one["sentence"] for one in record.told["choices"]]


def test_a_card_of_a_hand_is_offered_to_every_zone_and_asked_for_its_name_and_cost(record: Recorded) -> None:
    offered = [one for one in record.told["choices"] if one["event"]["type"] == "card_played"]
    zones = ["hero_expedition", "companion_expedition", "landmark_zone", "limbo"]
    assert [one["event"]["to_zone"] for one in offered] == zones
    assert all(one["is_named"] and one["touched"] == ["A.hand"] for one in offered)
    assert offered[0]["number"] == {
        "field": "mana",
        "question": "What does {card} cost?",
        "printed": "printed.hand",
        "unnamed": "What does this card cost?",
    }


def test_a_play_is_judged_by_the_cost_that_was_told(record: Recorded) -> None:
    assert record.play("A", "Owl", "hero_expedition", 2, cost("Owl", 2))["last"]["verdict"] == "legal"
    assert record.header["setup"]["costs"] == {"Owl": {"hand": 2}}


def test_a_cost_that_nobody_told_is_not_checked(record: Recorded) -> None:
    told = record.play("A", "Owl", "hero_expedition", 0)["last"]
    assert told["verdict"] == "unchecked"
    assert told["message"].endswith("The cost of Owl is not known.")


def test_what_was_paid_may_be_unknown_too(record: Recorded) -> None:
    offered = record.choice(type="card_played", to_zone="limbo", card="?")
    told = record.enter({"choice": offered["event"], "cards": ["Storm"]})
    assert told["last"]["verdict"] == "unchecked"
    assert "mana" not in told["events"][0]


def test_paying_more_than_there_is_makes_no_orb(record: Recorded) -> None:
    record.enter(PASS_A)
    told = record.play("B", "Goat", "hero_expedition", 4, cost("Goat", 4))
    assert told["last"]["verdict"] == "illegal"
    assert orbs(told, "B") == {"ready": 0, "exhausted": 3}


def test_a_card_in_reserve_is_played_or_discarded_by_its_support_ability(client: FlaskClient) -> None:
    change = {"do": "put", "card": "Owl", "to": "A.reserve"}
    line = post(client, "position", position=fresh(client, "altered", "duel"), change=change).get_json()["position"]
    record = Recorded(client, line)
    assert record.choice(type="card_played", card="Owl")["event"]["from"] == "reserve"
    told = record.enter({"choice": record.choice(type="quick_action_played", source="Owl")["event"]})
    assert "discard:(A:!(Owl)" in told["position"]


def test_dusk_asks_which_expeditions_advance_and_nothing_runs_on(record: Recorded) -> None:
    record.play("A", "Owl", "hero_expedition", 2, cost("Owl", 2))
    told = record.enter(PASS_B, PASS_A)
    assert told["chapter"] == "day 1 · dusk"
    assert told["question"]["cards"] == ["Owl"]
    told = record.enter({"choice": record.choice(type="expedition_advanced", stat="forest")["event"]})
    assert "advances:(A:(hero:1" in told["position"]
    assert told["chapter"].startswith("day 2 · morning")


def test_nobody_advances_only_when_somebody_says_so_and_the_track_stays(record: Recorded) -> None:
    record.play("A", "Owl", "hero_expedition", 2, cost("Owl", 2))
    record.enter(PASS_B, PASS_A)
    told = record.enter({"choice": record.choice(type="daily_effect_ended")["event"]})
    assert told["chapter"].startswith("day 2 · morning")
    assert "advances:(A:(hero:0,companion:0)" in told["position"]


def test_where_everything_is_told_dusk_asks_for_what_may_be_alone(record: Recorded) -> None:
    record.play("A", "Owl", "hero_expedition", 2, cost("Owl", 2), *told_all("Owl", 2, 0, 0))
    told = record.enter(PASS_B, PASS_A)
    assert told["question"]["cards"] == []
    assert [one["event"]["stat"] for one in told["choices"] if one["event"]["type"] == "expedition_advanced"] == [
        "forest"
    ]


def test_a_dusk_of_which_nobody_has_told_leaves_an_expedition_unknown_on_its_track(record: Recorded) -> None:
    record.play("A", "Owl", "hero_expedition", 2, cost("Owl", 2))
    told = record.enter(PASS_B, PASS_A, {"type": "day_started", "day": 2})
    assert "Hero expedition: unknown where" in str(told["tree"])
    assert "A.path.7" in str(told["tree"])


def test_of_a_header_nothing_but_what_is_printed_can_be_changed(record: Recorded) -> None:
    before = record.header
    record.judge({"do": "put", "card": "Fox", "to": "A.hand"}, {"do": "count", "to": "", "name": "day", "number": 9})
    assert record.header == before


@pytest.mark.parametrize("change", [
    {"do": "count", "to": "?", "name": "printed.hand", "number": 2}, {"do": "say", "at": "Owl", "name": "printed.type"},
    {"do": "count", "to": "Owl", "name": "printed.hand", "number": -1}, {"do": "say", "name": "printed.text"},
    {"do": "count", "to": "Owl", "name": "printed.luck", "number": 1}, 7,
])  # fmt: skip
def test_what_makes_no_sense_on_a_card_changes_nothing(record: Recorded, change: object) -> None:
    before = record.header["setup"]
    post(record.client, "judge", header=record.header, entries=[], printed=[change])
    found = post(record.client, "judge", header=record.header, entries=[], printed=[change]).get_json()["header"]
    assert {key: value for key, value in found["setup"].items() if value} == {k: v for k, v in before.items() if v}


def test_what_is_printed_is_told_of_a_card_with_what_is_known_already(record: Recorded) -> None:
    record.play("A", "Owl", "hero_expedition", 2, cost("Owl", 2))
    about = post(record.client, "printed", header=record.header, card="Owl").get_json()["about"]
    assert {one["name"]: one["number"] for one in about["counts"] if one["is_known"]} == {"printed.hand": 2}


@pytest.mark.parametrize(("language", "said"), [
    ("en", "The cost of Owl is not known."), ("fr", "Le coût d'Owl n'est pas connu."),
    ("it", "Il costo di Owl non è noto."), ("pl", "Koszt karty Owl nie jest znany."),
])  # fmt: skip
def test_asking_of_a_card_without_a_cost_is_not_answered_by_yes(client: FlaskClient, language: str, said: str) -> None:
    change = {"do": "put", "card": "Owl", "to": "A.hand"}
    line = post(client, "position", position=fresh(client, "altered", "duel"), change=change).get_json()["position"]
    offered = post(client, "askable", position=line, key="Owl").get_json()["choices"]
    assert "mana" not in offered[0]["event"]
    told = post(client, f"ask?lang={language}", position=line, events=["A Owl h 2"]).get_json()["said"]["steps"][-1]
    assert told["verdict"] == "unchecked"
    assert told["message"].endswith(said)


@pytest.mark.parametrize("game", ["altered", "compile", "lotr-reveal"])
def test_the_help_for_typing_is_of_the_game_that_is_recorded(client: FlaskClient, game: str) -> None:
    header = {"altered": fresh(client, "altered", "duel"), "lotr-reveal": fresh(client, "lotr-reveal", "2"),
              "compile": QUESTION}  # fmt: skip
    told = post(client, "judge", header={"position": header[game]}, entries=[]).get_json()
    assert ("B2" in told["help"]) == (game == "compile")


def test_a_card_of_unknown_cost_leaves_its_player_with_as_many_orbs_as_before(record: Recorded) -> None:
    offered = record.choice(type="card_played", to_zone="hero_expedition", card="?")
    told = record.enter({"choice": offered["event"], "cards": ["Oak"]})
    assert orbs(told, "A") == {"all": 3}
    assert "mana 3: mana ready ?, spent ?" in str(told["tree"])
    record.enter(PASS_B)
    told = record.play("A", "Crab", "companion_expedition", 1, cost("Crab", 1))
    assert told["last"]["verdict"] == "unchecked"
    assert told["last"]["message"].endswith("Nobody has told how much mana of Eva is ready.")


def test_in_the_morning_every_orb_is_ready_again_whatever_was_paid(record: Recorded) -> None:
    offered = record.choice(type="card_played", to_zone="hero_expedition", card="?")
    record.enter({"choice": offered["event"], "cards": ["Oak"]})
    record.enter(PASS_B, PASS_A)
    told = record.enter({"choice": record.choice(type="daily_effect_ended")["event"]})
    assert orbs(told, "A") == {"ready": 3, "exhausted": 0}


def test_more_than_there_are_orbs_cannot_be_paid_although_nobody_knows_how_many_are_ready(record: Recorded) -> None:
    offered = record.choice(type="card_played", to_zone="hero_expedition", card="?")
    record.enter({"choice": offered["event"], "cards": ["Oak"]}, PASS_B)
    assert record.play("A", "Whale", "hero_expedition", 4, cost("Whale", 4))["last"]["verdict"] == "illegal"


def test_a_cost_that_is_told_later_is_what_was_paid(record: Recorded) -> None:
    offered = record.choice(type="card_played", to_zone="hero_expedition", card="?")
    record.enter({"choice": offered["event"], "cards": ["Oak"]})
    told = record.judge(cost("Oak", 2))
    assert told["last"]["verdict"] == "legal"
    assert orbs(told, "A") == {"ready": 1, "exhausted": 2}


TEXT = {"do": "say", "at": "Moss", "name": "printed.text", "value": "When another Character joins: I gain 1 boost."}


def dusk_with_a_text(record: Recorded) -> Json:
    """A's Moss with 3/2/2 and a text against B's Rock with 0/2/2, at dusk."""
    stats = [{"do": "count", "to": "Moss", "name": f"printed.{name}", "number": n} for name, n in STATS]
    record.play("A", "Moss", "hero_expedition", 2, cost("Moss", 2), *stats, TEXT)
    record.play("B", "Rock", "hero_expedition", 2, cost("Rock", 2), *told_all("Rock", 0, 2, 2))
    return record.enter(PASS_A, PASS_B)


STATS = (("forest", 3), ("mountain", 2), ("water", 2))


def test_a_text_leaves_the_sums_with_a_mark_and_the_question_says_which_text_it_is(record: Recorded) -> None:
    told = dusk_with_a_text(record)
    assert "'3?'" in str(told["tree"])
    assert told["question"]["cards"] == []
    assert [one for one in told["question"]["why"] if "Moss" in one]


def test_nothing_advances_by_a_statistic_that_is_certainly_nothing_or_out_of_an_empty_expedition(
    record: Recorded,
) -> None:
    dusk_with_a_text(record)
    ways = [one["event"] for one in record.told["choices"] if one["event"]["type"] == "expedition_advanced"]
    assert {(one["player"], one["expedition"]) for one in ways} == {("A", "hero"), ("B", "hero")}
    told = [one for one in record.told["choices"] if one["event"]["type"] == "expedition_advanced"]
    assert {one["event"]["player"] for one in told if "remark" not in one} == {"A"}
    assert ("B", "forest") not in {(one["player"], one["stat"]) for one in ways}


def test_a_reaction_of_a_text_and_the_boost_it_gives_are_there_to_be_tapped(record: Recorded) -> None:
    stats = [{"do": "count", "to": "Moss", "name": f"printed.{name}", "number": n} for name, n in STATS]
    record.play("A", "Moss", "hero_expedition", 2, cost("Moss", 2), *stats, TEXT)
    record.enter(PASS_B)
    record.play("A", "Fox", "hero_expedition", 1, cost("Fox", 1), *told_all("Fox", 1, 0, 0))
    offered = record.choice(type="reaction_activated", source="Moss")
    assert "Moss" in offered["touched"]
    record.enter({"choice": offered["event"]})
    record.enter({"choice": record.choice(type="reaction_played")["event"]})
    told = record.enter({"choice": record.choice(type="boosts_changed", card="Moss")["event"]})
    assert told["last"]["verdict"] == "legal"
    assert "boosts +1" in str(told["tree"])


def test_a_card_with_a_text_does_not_react_to_its_own_arrival(record: Recorded) -> None:
    record.play("A", "Moss", "hero_expedition", 2, cost("Moss", 2), TEXT)
    assert not [one for one in record.told["choices"] if one["event"]["type"] == "reaction_activated"]


def test_a_card_that_was_taken_back_is_not_offered_to_the_other_player(record: Recorded) -> None:
    record.play("A", "Giant", "hero_expedition", 3, cost("Giant", 3))
    told = record.enter({"type": "taken_back", "to": 0}, PASS_A)
    assert not [one for one in told["choices"] if one["event"].get("card") == "Giant"]


def test_the_words_to_go_on_with_are_those_of_forms_players_and_cards(record: Recorded) -> None:
    record.play("A", "Giant", "hero_expedition", 3, cost("Giant", 3))
    told = post(record.client, "next", header=record.header, entries=record.entries, line="").get_json()
    assert {"A", "B", "Giant"} <= set(told["words"])
    assert not [word for word in told["words"] if "_" in word or word in ("decks", "limbo", "phase", "afternoon")]


def test_what_may_be_asked_of_a_card_calls_players_by_their_names(record: Recorded) -> None:
    told = record.play("A", "Giant", "hero_expedition", 3, cost("Giant", 3))
    asked = {"position": told["position"], "key": "Giant", "players": told["header"]["players"]}
    sentences = [one["sentence"] for one in post(record.client, "askable", **asked).get_json()["choices"]]
    assert "Eva sacrifices Giant." in sentences
