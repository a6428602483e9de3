"""The page for the table, asked as a browser asks it: what is drawn, what is judged, and what has one clear answer."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from audit.core.auditor import audit
from replays.judging.positions import line_at
from replays.log.reader import open_log
from replays.scoresheet.sheet import write_sheet
from replays.trust.seal import read_seal
from replays.trust.verify import verify
from tests.replays.made_save import Table as MadeTable
from tests.replays.made_save import laid_out
from tests.replays.test_gather_positions import LINE, SIDES
from tests.web.lending import viewer_over

QUESTION = "compile/3A.action.-/plague.fire.water:w3*;;:p51f41:9:/spirit.gravity.hate:;g6*;:h1s4:9:"
EMPTY = "compile/1A.action.-/fire.life.water:;;:5:13:/death.metal.speed:;;:5:13:"
SHEET = "game final   A Ada: fire life water   B Bo: death metal speed   first A"
SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"
Json = dict[str, Any]


@pytest.fixture
def client() -> FlaskClient:
    return viewer_over(AUDIT_VIEWPOINTS="public").test_client()


def post(client: FlaskClient, path: str, **body: object) -> TestResponse:
    return client.post(f"/table/{path}", json=body)


def after(client: FlaskClient, position: str, **change: object) -> str:
    """The line of a position after a change by hand."""
    answer = post(client, "position", position=position, change=change)
    assert answer.status_code == 200, answer.text
    return str(answer.get_json()["position"])


class TestSetting:
    """A board is put together by hand."""

    def test_a_new_table_is_made_of_six_protocols(self, client: FlaskClient) -> None:
        told = post(client, "words", ruleset="compile").get_json()
        assert told["needed"] == 6
        names = ["fire", "life", "water", "death", "metal", "speed"]
        assert set(names) < {one["value"] for one in told["words"]}
        assert post(client, "position", ruleset="compile", words=names).get_json()["position"] == EMPTY

    def test_a_card_comes_out_of_its_owners_deck_and_goes_back_there(self, client: FlaskClient) -> None:
        put = after(client, EMPTY, do="put", card="fire-3", to="B.line.2")
        assert put == "compile/1A.action.-/fire.life.water:;;:5:12:/death.metal.speed:;f3;:5:13:"
        assert after(client, put, do="take", card="fire-3") == EMPTY

    def test_a_card_that_is_moved_stays_as_it_lay(self, client: FlaskClient) -> None:
        moved = after(client, QUESTION, do="put", card="water-3", to="A.line.2")
        assert ":;w3*;:" in moved

    def test_a_card_in_a_hand_is_one_of_the_unknown_ones(self, client: FlaskClient) -> None:
        assert ":?,?,?,?,f3:13:" in after(client, EMPTY, do="put", card="fire-3", to="A.hand")

    def test_protocols_counts_turn_phase_and_control_are_set(self, client: FlaskClient) -> None:
        line = after(client, EMPTY, do="turn", card="A.protocol.2")
        line = after(client, line, do="count", to="B.hand", number=2)
        for name, value in (("player", "B"), ("phase", "control"), ("control", "A")):
            line = after(client, line, do="say", name=name, value=value)
        assert line == "compile/1B.control.A/fire.life!.water:;;:5:13:/death.metal.speed:;;:2:13:"
        assert after(client, line, do="say", name="control", value="-").startswith("compile/1B.control.-")

    def test_a_card_that_nobody_has_named_lies_face_down_and_goes_back(self, client: FlaskClient) -> None:
        told = post(client, "position?lang=fr", position=EMPTY).get_json()
        [unknown] = [group for group in told["left"] if group["cards"][0]["value"] == "?"]
        assert "B.line.2" in unknown["places"]
        assert "B.hand" not in unknown["places"]
        assert unknown["cards"][0]["title"] == "inconnue"
        put = after(client, EMPTY, do="put", card="?", to="B.line.2")
        assert put == "compile/1A.action.-/fire.life.water:;;:5:13:/death.metal.speed:;?1*;:5:12:"
        assert after(client, put, do="put", card="?", to="A.line.1").count("?2*") == 1
        assert ":;;?1*:" in after(client, put, do="put", card="?1", to="B.line.3")
        assert after(client, put, do="take", card="?1") == EMPTY
        assert after(client, put, do="put", card="?", to="B.hand") == put

    def test_a_card_that_lies_somewhere_is_offered_no_more(self, client: FlaskClient) -> None:
        told = post(client, "position", position=QUESTION).get_json()
        left = {card["value"] for group in told["left"] for card in group["cards"]}
        assert "plague-2" in left
        assert not left & {"water-3", "plague-5", "hate-1"}

    def test_a_text_half_carried_out_can_be_asked_about_and_taken_back(self, client: FlaskClient) -> None:
        line = after(client, EMPTY, do="put", card="fire-0", to="A.line.1")
        (text, *_) = post(client, "position", position=line).get_json()["texts"]
        half = after(client, line, do="text", card="fire-0", command=text["command"], entry=text["entry"], part=1)
        assert "pending" in half
        assert post(client, "position", position=half).get_json()["pending"]
        assert after(client, half, do="no-text") == line

    @pytest.mark.parametrize(
        "change",
        [{"do": "fly"}, {}, {"do": "put", "card": "fire-9", "to": "A.line.1"},
         {"do": "put", "card": "fire-1", "to": "x"},
         {"do": "count", "to": "A.hand", "number": -1}, {"do": "count", "to": "A.hand", "number": "many"},
         {"do": "turn", "card": 5}, {"do": "take", "card": ["x"]}, {"do": "say", "name": "sides", "value": 1}],
    )  # fmt: skip
    def test_a_change_that_makes_no_sense_changes_nothing(self, client: FlaskClient, change: Json) -> None:
        assert after(client, EMPTY, **change) == EMPTY


QUESTIONS_IN_WORDS = [
    ("en", "may a face-down card be flipped?", "flip.turns-over"),
    ("fr", "une carte couverte peut-elle être retournée ?", "text.covered-card-turned-up"),
    ("it", "devo compilare?", "compile.mandatory"),
    ("pl", "czy muszę kompilować?", "compile.mandatory"),
]


COVERED = (
    "compile/1A.action.-/plague.fire.water:f3*w4;;w0:4:11:/spirit.gravity.hate:;g2;h5:5:11:"
    "/(acted:played,pending:!((what:text,card:water-0,command:middle,on:played)))"
)
"""Fire 3 lies face down under Water 4 while Water 0 turns a card over."""


def line_of_sample(name: str, step: int) -> str:
    """The position of a sample after a step, as a line."""
    log = open_log(SAMPLES / f"{name}.jsonl")
    return line_at(log.header, [*audit(log.ruleset, log.header, log)][step].state)


class TestAskingOfACard:
    """What may be asked of a thing that is tapped, whether it is allowed or not."""

    @pytest.mark.parametrize(("position", "key", "lines"), [
        (COVERED, "fire-3", ["flip fire-3 up", "delete fire-3", "return fire-3", "shift fire-3 2", "shift fire-3 3"]),
        (COVERED, "gravity-2", ["flip gravity-2*", "delete gravity-2", "return gravity-2", "shift gravity-2 1",
                                "shift gravity-2 3"]),
        (QUESTION, "plague-1", ["A plague-1 1", "A plague-1 2", "A plague-1 3", "A plague-1* 1", "A plague-1* 2",
                                "A plague-1* 3", "A discard plague-1"]),
        (QUESTION, "B.protocol.2", ["B compile 2"]),
        (QUESTION, "A.hand", ["A refresh"]),
        (QUESTION, "no-such-card", []),
        (QUESTION, "A.protocol.9", []),
    ])  # fmt: skip
    def test_each_is_a_line_that_can_be_asked(
        self, client: FlaskClient, position: str, key: str, lines: list[str]
    ) -> None:
        told = post(client, "askable", position=position, key=key).get_json()["choices"]
        assert [one["line"] for one in told] == lines
        for one in told:
            answer = post(client, "ask", position=position, events=[one["event"]])
            assert [step["verdict"] for step in answer.get_json()["said"]["steps"]][-1] in (
                "legal",
                "illegal",
                "impossible",
            )

    @pytest.mark.parametrize(("sample", "step", "key", "lines"), [
        ("altered-duel", 60, "hare", ["ben hare h 1", "ben hare c 1", "ben mana hare"]),
        ("altered-duel", 60, "newt", ["ben newt h 2 reserve", "ben newt c 2 reserve", "ben keep reserve newt"]),
        ("altered-duel", 60, "goat", ["ben rest goat", "ben rest goat discard", "ben rest goat stays"]),
        ("altered-duel", 60, "ann.hero", ["ann advance hero forest"]),
        ("altered-duel", 60, "ben.hand", ["ben pass"]),
        ("lotr-journey", 48, "troll", ["f9 7 revealed troll", "f9 8 moved troll revealing staging_area"]),
        ("lotr-journey", 48, "f9.3", ["f9 step 3", "f9 3 p2 fine-hearing cancel_card troll"]),
        ("lotr-journey", 48, "encounter_deck", ["f10 deep-fog p2 surge of f9", "f10 deep-fog p2 effect of f9"]),
        ("lotr-journey", 48, "ruined-keep", ["card_put card=ruined-keep to=active_location"]),
        ("lotr-journey", 48, "threat.p1", ["threat_changed frame=f9 step=1 player=p1 delta=1"]),
        ("lotr-eleanor", 2, "eleanor", ["f1 3 p1 eleanor cancel_when_revealed_and_replace black-storm"]),
    ])  # fmt: skip
    def test_in_the_other_games(self, client: FlaskClient, sample: str, step: int, key: str, lines: list[str]) -> None:
        told = post(client, "askable", position=line_of_sample(sample, step), key=key).get_json()["choices"]
        assert [one["line"] for one in told][: len(lines)] == lines

    @pytest.mark.parametrize(("sample", "step", "every"), [
        ("altered-alice-bob-camille", 30, 6), ("lotr-eleanor", 9, 2),
        pytest.param("altered-alice-bob-camille", 30, 1, marks=pytest.mark.prove),
    ])  # fmt: skip
    def test_everything_on_the_table_is_asked_in_words_and_answered(
        self, client: FlaskClient, sample: str, step: int, every: int
    ) -> None:
        position = line_of_sample(sample, step)
        keys = re.findall(r'"data-key": ?"([^"]+)"', post(client, "position", position=position).text)
        asked = 0
        for key in [*dict.fromkeys(keys)][::every]:
            for one in post(client, "askable?lang=pl", position=position, key=key).get_json()["choices"]:
                assert one["sentence"].strip(" .")
                verdicts = [
                    [step["verdict"] for step in answer.get_json()["said"]["steps"]]
                    for answer in (post(client, "ask", position=position, events=[each]) for each in
                                   (one["line"], one["event"]))
                ]  # fmt: skip
                assert verdicts[0] == verdicts[1], one
                asked += 1
        assert asked > 3

    def test_what_is_no_key_is_refused(self, client: FlaskClient) -> None:
        for key in ("", 5, None, ["fire-3"]):
            assert post(client, "askable", position=COVERED, key=key).status_code == 400


class TestTyping:
    """A line that is typed is completed in the language of the page, in words that are read as they stand."""

    @pytest.mark.parametrize(("language", "position", "typed", "whole"), [
        ("en", QUESTION, "a f4 2", "A fire-4 2"),
        ("fr", QUESTION, "a f4 2", "A feu-4 2"),
        ("fr", QUESTION, "A fire-4 2", "A feu-4 2"),
        ("it", QUESTION, "a fu 2", "A fuoco-4 2"),
        ("pl", QUESTION, "a ogien", "A ogień-4 2"),
        ("fr", ("altered-duel", 60), "ben s", "ben sans mana"),
        ("pl", ("lotr-journey", 48), "f9 3 p2 fine-hearing", "f9 3 p2 fine-hearing anuluje-kartę troll"),
    ])  # fmt: skip
    def test_a_line_that_can_be_chosen(
        self, client: FlaskClient, language: str, position: str | tuple[str, int], typed: str, whole: str
    ) -> None:
        line = position if isinstance(position, str) else line_of_sample(*position)
        told = post(client, f"options?lang={language}", position=line).get_json()["choices"]
        asked = {"choices": [one["line"] for one in told], "said": [one.get("said", one["line"]) for one in told]}
        found = post(client, f"next?lang={language}", header={"position": line}, line=typed, entries=[], **asked)
        assert whole in found.get_json()["completions"]
        answers = [post(client, "ask", position=line, events=[each]) for each in (whole, whole.casefold())]
        assert [answer.status_code for answer in answers] == [200, 200]

    @pytest.mark.parametrize(("language", "typed", "longer"), [
        ("fr", "A déf", "A défausse "), ("it", "A sc", "A scarta "), ("pl", "A odr", "A odrzuca "),
        ("fr", "A défausse pes", "A défausse peste-5 "),
    ])  # fmt: skip
    def test_a_line_that_goes_on(self, client: FlaskClient, language: str, typed: str, longer: str) -> None:
        found = post(client, f"next?lang={language}", header={"position": QUESTION}, line=typed, entries=[])
        assert longer in found.get_json()["completions"]


class TestAskingTheRules:
    """A question in words is answered by the rules, where a position or an event may be typed as well."""

    @pytest.mark.parametrize(("language", "text", "rule"), QUESTIONS_IN_WORDS)
    def test_in_the_language_of_the_page(self, client: FlaskClient, language: str, text: str, rule: str) -> None:
        told = post(client, f"rules?lang={language}", ruleset="compile", text=text).get_json()
        assert rule in [one["id"] for one in told["rules"]]
        assert told["count"] >= len(told["rules"])
        assert all(one["title"] and one["statement"] for one in told["rules"])

    @pytest.mark.parametrize(("language", "text", "rule"), QUESTIONS_IN_WORDS[1::2])
    def test_instead_of_an_event(self, client: FlaskClient, language: str, text: str, rule: str) -> None:
        answer = post(client, f"ask?lang={language}", position=QUESTION, events=[text])
        assert answer.status_code == 400
        assert rule in [one["id"] for one in answer.get_json()["rules"]["rules"]]
        assert answer.get_json()["meant"] == []

    def test_an_event_with_a_slip_is_no_question(self, client: FlaskClient) -> None:
        told = post(client, "ask", position=QUESTION, events=["A plage-1 2"]).get_json()
        assert told["rules"] is None
        assert told["meant"]

    @pytest.mark.parametrize("text", ["", " ", 5, None, "x" * 30_000])
    def test_what_is_no_text_is_refused(self, client: FlaskClient, text: object) -> None:
        assert post(client, "rules", ruleset="compile", text=text).status_code == 400

    def test_what_no_rule_answers_has_no_rules(self, client: FlaskClient) -> None:
        told = post(client, "rules", ruleset="compile", text="zzzz qqqq").get_json()
        assert (told["rules"], told["count"]) == ([], 0)
        assert [one["ruleset"] for one in told["games"]] == ["compile"]
        told = post(client, "rules", ruleset="compile", text="flip").get_json()
        assert told["count"] > len(told["rules"]) > 0, "the page of the rules has the others"

    @pytest.mark.parametrize(
        ("text", "game"),
        [
            ("the When Revealed effect was cancelled, does surge still happen?", "lotr-reveal"),
            ("Ann advanced her hero at dusk with equal forest, may she?", "altered"),
            ("when must I compile?", "compile"),
            ("Puis-je compiler avec 10 contre 10 ?", "compile"),
        ],
    )
    def test_the_game_that_is_clearly_meant_answers_first(self, client: FlaskClient, text: str, game: str) -> None:
        first, *_ = post(client, "rules", ruleset="compile", text=text).get_json()["games"]
        assert first["ruleset"] == game
        assert first["rules"]
        assert first["game"]


class TestSettingAltered:
    """Two players' expeditions, put together by hand."""

    @pytest.fixture
    def empty(self, client: FlaskClient) -> str:
        return fresh(client, "altered", "duel")

    def test_a_new_table_has_empty_zones_and_counts(self, client: FlaskClient, empty: str) -> None:
        told = post(client, "position", position=empty).get_json()
        assert {"A.hero", "B.companion", "A.reserve", "B.hand"} <= set(told["takes"])
        assert counts(told, "A.hand") == {"": 3}
        assert counts(told, "B.mana") == {"ready": 3, "exhausted": 0}

    def test_a_new_table_hides_nothing_but_numbers(self, client: FlaskClient, empty: str) -> None:
        assert post(client, "position", position=empty).get_json()["public"] == ""

    @pytest.mark.parametrize("mode", ["duel", "ffa-3", "ffa-4", "2v2"])
    def test_every_number_of_players_has_a_table(self, client: FlaskClient, mode: str) -> None:
        assert post(client, "options", position=fresh(client, "altered", mode)).status_code == 200

    def test_a_named_card_is_given_its_numbers_and_keeps_them_where_it_goes(
        self, client: FlaskClient, empty: str
    ) -> None:
        line = after(client, empty, do="put", card="fox", to="A.hero")
        for stat, number in (("forest", 3), ("water", 1)):
            line = after(client, line, do="count", to="fox", name=stat, number=number)
        line = after(client, line, do="say", at="fox", name="anchored", value="yes")
        line = after(client, line, do="put", card="fox", to="B.companion")
        told = post(client, "position", position=line).get_json()
        assert counts(told, "fox") == {"forest": 3, "mountain": 0, "water": 1, "printed.hand": 0, "printed.reserve": 0}
        assert said_of(told, "fox", "anchored") == "yes"
        assert "A.hero" in told["takes"]

    def test_a_card_of_the_setup_is_offered_until_it_lies_somewhere(self, client: FlaskClient) -> None:
        line = line_of("altered-duel", 4)
        held = post(client, "position", position=line).get_json()
        assert "toad" in offered(held)
        line = after(client, line, do="put", card="toad", to="ben.reserve")
        told = post(client, "position", position=line).get_json()
        assert "toad" not in offered(told)
        assert "toad" in offered(
            post(client, "position", position=after(client, line, do="take", card="toad")).get_json()
        )

    def test_a_hand_is_counted_and_some_of_its_cards_are_named(self, client: FlaskClient, empty: str) -> None:
        line = after(client, empty, do="count", to="A.hand", name="", number=5)
        line = after(client, line, do="put", card="owl", to="A.hand")
        assert "hands:(A:!(owl,?,?,?,?),B:3)" in line
        assert "hands:(A:!(owl,?),B:3)" in after(client, line, do="count", to="A.hand", name="", number=2)

    def test_day_phase_turn_mana_and_spaces_are_set(self, client: FlaskClient, empty: str) -> None:
        line = after(client, empty, do="count", to="", name="day", number=3)
        line = after(client, line, do="say", name="player", value="B")
        line = after(client, line, do="say", name="passed.A", value="yes")
        line = after(client, line, do="count", to="A.hero", name="space", number=2)
        line = after(client, line, do="count", to="B.mana", name="exhausted", number=4)
        told = post(client, "position", position=line).get_json()
        assert (counts(told, ""), counts(told, "A.hero")) == ({"day": 3}, {"space": 2})
        assert counts(told, "B.mana") == {"ready": 3, "exhausted": 4}
        assert {one["name"]: one["value"] for one in told["fields"]}["player"] == "B"
        dusk = post(client, "position", position=after(client, line, do="say", name="phase", value="dusk")).get_json()
        assert "player" not in {one["name"] for one in dusk["fields"]}

    def test_a_card_is_exhausted_and_readied(self, client: FlaskClient, empty: str) -> None:
        line = after(client, empty, do="put", card="lantern", to="A.landmarks")
        spent = after(client, line, do="turn", card="lantern")
        assert said_of(post(client, "position", position=spent).get_json(), "lantern", "exhausted") == "yes"
        assert after(client, spent, do="turn", card="lantern") == line

    def test_a_reaction_waits_in_limbo_and_an_effect_has_begun(self, client: FlaskClient) -> None:
        line = line_of("altered-duel", 25)
        texts = post(client, "position", position=line).get_json()["texts"]
        waits = next(one for one in texts if one["command"] == "owl:watch")
        limbo = after(client, line, do="text", card=waits["card"], command=waits["command"], entry=0, part=1)
        drawn = post(client, "position", position=limbo).get_json()
        assert any("owl" in one for one in drawn["pending"])
        begun = after(client, line, do="text", card="fox", command="effect", entry=0, part=1)
        assert post(client, "position", position=begun).get_json()["pending"]
        assert "pending" not in after(client, begun, do="no-text")

    def test_a_board_put_together_is_asked_about(self, client: FlaskClient, empty: str) -> None:
        line = after(client, empty, do="put", card="fox", to="A.hand")
        told = post(client, "ask", position=line, events=["B card_played card=? from=hand to=hero"]).get_json()
        assert told["said"]["steps"] if "said" in told else told["message"]


class TestSettingAReveal:
    """The encounter deck is revealed: cards in zones, and one on its way."""

    @pytest.fixture
    def empty(self, client: FlaskClient) -> str:
        return fresh(client, "lotr-reveal", "2")

    def test_a_card_is_on_its_way_at_a_step(self, client: FlaskClient, empty: str) -> None:
        line = after(client, empty, do="put", card="orc", to="under_way")
        for name, value in (("printed.type", "enemy"), ("printed.surge", "yes"), ("step", "6"), ("reveals", "p2")):
            line = after(client, line, do="say", at="orc", name=name, value=value)
        told = post(client, "position", position=line).get_json()
        assert (said_of(told, "orc", "step"), said_of(told, "orc", "printed.surge")) == ("6", "yes")
        assert told["pending"] == ["Orc"]

    def test_a_card_that_players_have_in_play_is_named_and_can_be_taken_away(
        self, client: FlaskClient, empty: str
    ) -> None:
        line = after(client, empty, do="put", card="test-of-will", to="in_play")
        told = post(client, "position", position=line).get_json()
        assert [one["title"] for one in told["others"] if "Test of Will" in one["title"]]
        gone = after(client, line, do="say", at="in_play", name="test-of-will", value="-")
        assert "test-of-will" not in gone

    def test_a_card_revealed_inside_another_goes_with_it(self, client: FlaskClient, empty: str) -> None:
        line = after(client, empty, do="put", card="orc", to="under_way")
        both = after(client, line, do="put", card="wolf", to="under_way")
        assert len(post(client, "position", position=both).get_json()["pending"]) == 2
        assert not post(client, "position", position=after(client, both, do="take", card="orc")).get_json()["pending"]

    def test_tokens_threat_and_the_deck_are_counted(self, client: FlaskClient, empty: str) -> None:
        line = after(client, empty, do="put", card="troll", to="staging_area")
        for key, name, number in (("troll", "damage", 2), ("threat.p2", "threat", 31), ("encounter_deck", "", 4)):
            line = after(client, line, do="count", to=key, name=name, number=number)
        told = post(client, "position", position=line).get_json()
        assert counts(told, "troll")["damage"] == 2
        assert (counts(told, "threat.p2"), counts(told, "encounter_deck")) == ({"threat": 31}, {"": 4})

    def test_cards_of_the_players_are_in_play_and_have_an_owner(self, client: FlaskClient, empty: str) -> None:
        told = post(client, "position", position=empty).get_json()
        assert "eleanor" in offered(told, "in_play")
        assert "eleanor" not in offered(told, "staging_area")
        line = after(client, empty, do="put", card="eleanor", to="in_play")
        line = after(client, line, do="say", at="in_play", name="eleanor", value="p2")
        assert said_of(post(client, "position", position=line).get_json(), "in_play", "eleanor") == "p2"
        assert after(client, line, do="say", at="in_play", name="eleanor", value="-") == empty

    def test_a_character_is_exhausted_and_damaged(self, client: FlaskClient, empty: str) -> None:
        line = after(client, empty, do="put", card="gimli", to="characters")
        line = after(client, line, do="turn", card="gimli")
        line = after(client, line, do="count", to="gimli", name="damage", number=2)
        told = post(client, "position", position=line).get_json()
        assert (said_of(told, "gimli", "exhausted"), counts(told, "gimli")) == ("yes", {"damage": 2})

    def test_a_card_goes_from_place_to_place(self, client: FlaskClient, empty: str) -> None:
        line = empty
        beside = ("elsewhere.active_location", "elsewhere.victory_display")
        for place in ("staging_area", "engaged.p1", *beside, "encounter_discard"):
            line = after(client, line, do="put", card="ford", to=place)
            told = post(client, "position", position=line).get_json()
            assert "ford" not in offered(told, "staging_area")
        assert "ford" in offered(
            post(client, "position", position=after(client, line, do="take", card="ford")).get_json()
        )


@pytest.mark.parametrize(("game", "words"), [("altered", "duel"), ("lotr-reveal", "2")])
@pytest.mark.parametrize("change", [
    {"do": "put", "card": "a card with; signs", "to": "A.hero"}, {"do": "put", "card": "fox", "to": "nowhere"},
    {"do": "put", "card": 7, "to": "A.hero"}, {"do": "turn", "card": "dragon"}, {"do": "take", "card": "dragon"},
    {"do": "count", "to": "A.hand", "number": -1}, {"do": "count", "to": "A.hand", "number": True},
    {"do": "count", "to": "dragon", "name": "forest", "number": 2}, {"do": "say", "name": "phase", "value": "tea"},
    {"do": "say", "at": "dragon", "name": "type", "value": "enemy"}, {"do": "text", "card": "dragon", "command": "x"},
    {"do": "say", "name": "passed.Z", "value": "yes"}, {"do": "dance"}, {},
])  # fmt: skip
def test_a_change_that_makes_no_sense_leaves_the_position(
    client: FlaskClient, game: str, words: str, change: Json
) -> None:
    line = fresh(client, game, words)
    state = post(client, "position", position=line).get_json()["whole"]
    assert post(client, "position", position=line, change=change).get_json()["whole"] == state


def test_several_changes_are_one_request(client: FlaskClient) -> None:
    line = fresh(client, "altered", "duel")
    changes = [
        {"do": "put", "card": "fox", "to": "A.hero"},
        {"do": "count", "to": "fox", "name": "forest", "number": 2},
    ]
    told = post(client, "position", position=line, change=changes).get_json()
    assert counts(told, "fox")["forest"] == 2


def test_the_regions_of_an_expedition_and_the_part_of_dusk_are_set(client: FlaskClient) -> None:
    told = changed_to(client, fresh(client, "altered", "duel"), {"do": "say", "name": "phase", "value": "dusk"})
    assert next(one["value"] for one in told["fields"] if one["name"] == "part") == "progress"
    forest, water = (
        {"do": "say", "at": "A.hero", "name": f"region.{stat}", "value": "yes"} for stat in ("forest", "water")
    )
    told = changed_to(client, told["position"], water, forest, {"do": "say", "name": "part", "value": "before"})
    assert "regions:(A:(hero:!(forest,water)))" in told["position"]
    assert "daily_effect" not in told["position"]
    told = changed_to(client, told["position"], {**forest, "value": ""}, {**water, "value": ""})
    assert [said_of(told, "A.hero", f"region.{stat}") for stat in ("forest", "water")] == ["", ""]


def changed_to(client: FlaskClient, line: str, *changes: Json) -> Json:
    """The table after changes by hand."""
    return post(client, "position", position=line, change=list(changes)).get_json()


@pytest.mark.sampled(5)
@pytest.mark.parametrize("sample", sorted(path.stem for path in SAMPLES.glob("*.jsonl")))
def test_every_step_of_a_sample_can_be_set_further(client: FlaskClient, sample: str) -> None:
    log = open_log(SAMPLES / f"{sample}.jsonl")
    for step in [*audit(log.ruleset, log.header, log)][::27]:
        told = post(client, "position", position=line_at(log.header, step.state)).get_json()
        assert told["settable"], told
        for key, about in told["about"].items():
            for one in about["counts"]:
                change = {"do": "count", "to": key, "name": one["name"], "number": one["number"] + 1}
                again = post(client, "position", position=told["position"], change=change)
                assert again.status_code == 200, (change, again.text)


def fresh(client: FlaskClient, game: str, *words: str) -> str:
    """The line of a new table."""
    return str(post(client, "position", ruleset=game, words=list(words)).get_json()["position"])


def line_of(sample: str, events: int) -> str:
    """The line of the position of a sample after so many events."""
    log = open_log(SAMPLES / f"{sample}.jsonl")
    return line_at(log.header, [*audit(log.ruleset, log.header, list(log)[:events])][-1].state)


def counts(told: Json, key: str) -> dict[str, int]:
    """What is counted at a place or on a card."""
    return {one["name"]: one["number"] for one in told["about"][key]["counts"]}


def said_of(told: Json, key: str, name: str) -> str:
    """What is said of a card."""
    return str(next(one["value"] for one in told["about"][key]["fields"] if one["name"] == name))


def offered(told: Json, place: str = "") -> set[str]:
    """The cards that can be put somewhere."""
    groups = [one for one in told["left"] if not place or not one["places"] or place in one["places"]]
    return {card["value"] for group in groups for card in group["cards"]}


class TestAsking:
    """What can be chosen, and what is answered."""

    def test_every_choice_has_its_line_and_what_it_touches(self, client: FlaskClient) -> None:
        choices = post(client, "options", position=QUESTION).get_json()["choices"]
        one = next(each for each in choices if each["line"] == "A plague-1 1")
        assert one["touched"] == ["plague-1", "A.line.1"]

    def test_the_table_asked_is_drawn_as_it_is_with_what_happens_before_anybody_chooses(
        self, client: FlaskClient
    ) -> None:
        line = line_of("altered-duel", 37)
        drawn, told = (post(client, path, position=line).get_json() for path in ("position", "options"))
        assert told["tree"] == drawn["tree"]
        assert told["follows"]

    def test_a_question_is_answered_with_the_rule_in_four_languages(self, client: FlaskClient) -> None:
        told = post(client, "ask", position=QUESTION, events=["A plague-1 2"]).get_json()
        (step,) = told["said"]["steps"]
        assert (step["verdict"], step["rules"][0]["id"]) == ("illegal", "play.face-up-needs-protocol")
        assert set(step["rules"][0]["statements"]) == {"en", "fr", "it", "pl"}

    def test_a_question_that_cannot_be_read_is_answered_with_what_may_be_meant(self, client: FlaskClient) -> None:
        answer = post(client, "ask", position=QUESTION, events=["A plage-1 in lin 1"])
        assert answer.status_code == 400
        told = answer.get_json()
        assert told["message"]
        assert told["meant"][0]["line"] == "A plague-1 1"
        assert post(client, "ask", position=QUESTION, events=[told["meant"][0]["event"]]).status_code == 200

    def test_players_are_called_by_their_names(self, client: FlaskClient) -> None:
        players = [{"seat": "A", "name": "Ada"}, {"seat": "B", "name": "Bo"}]
        for asked in ("may Ada play Plague 1 in line 2?", "Ada plays Plague 1 face up in line 2."):
            told = post(client, "ask", position=QUESTION, events=[asked], players=players).get_json()["said"]
            assert told["steps"][0]["sentence"] == "Ada plays Plague 1 face up in line 2."
            assert told["steps"][0]["verdict"] == "illegal"
        seen = post(client, "position", position=QUESTION, players=players).get_json()
        assert any("Ada" in name for name in seen["names"].values())
        assert ["Ada", "Bo"] in [[choice["title"] for choice in field["choices"]] for field in seen["fields"]]
        judge = viewer_over().test_client()
        to_case = post(judge, "ask", position=QUESTION, events=["A plague-1 2"], players=players).get_json()["case"]
        assert "Is this allowed? Ada plays Plague 1 face up in line 2." in judge.get(to_case).text

    def test_a_card_that_lies_there_is_asked_about_as_if_it_were_still_in_the_hand(self, client: FlaskClient) -> None:
        position = after(client, QUESTION, do="put", card="plague-1", to="A.line.2")
        before = post(client, "askable", position=position, key="plague-1").get_json()["before"]
        assert before["sentence"] == "A plays Plague 1 face up in line 2."
        told = post(client, "ask", position=before["position"], events=[before["event"]]).get_json()
        assert told["said"]["steps"][0]["rules"][0]["id"] == "play.face-up-needs-protocol"
        assert post(client, "askable", position=QUESTION, key="plague-1").get_json()["before"] is None

    @pytest.mark.parametrize(
        ("language", "typed"),
        [("en", "A plage-1 2"), ("fr", "A pestte-1 2"), ("en", "plague 1 2"), ("en", "may A play Plage 1 in line 2?")],
    )
    def test_the_words_put_right_come_first_also_where_that_is_forbidden(
        self, client: FlaskClient, language: str, typed: str
    ) -> None:
        answer = client.post(f"/table/ask?lang={language}", json={"position": QUESTION, "events": [typed]})
        assert answer.get_json()["meant"][0]["line"] == "A plague-1 2"

    @pytest.mark.parametrize(
        "asked",
        ["may A play Plague 1 in line 2?", "A peut-il jouer Peste 1 dans la ligne 2 ?",
         "A può giocare la carta Peste 1 nella colonna 2?", "Czy A może zagrać Zarazę 1 w linii 2?"],
    )  # fmt: skip
    def test_a_question_in_words_about_an_event_is_judged_by_the_position(
        self, client: FlaskClient, asked: str
    ) -> None:
        told = post(client, "ask", position=QUESTION, events=[asked]).get_json()
        assert told["asked"] == ["A plague-1 2"]
        assert told["said"]["steps"][0]["verdict"] == "illegal"

    def test_what_may_be_meant_knows_the_events_before_it(self, client: FlaskClient) -> None:
        told = post(client, "ask", position=QUESTION, events=["A plague-1 1", "B drwa"], lang="fr").get_json()
        assert "A plague-1 1" not in {one["line"] for one in told["meant"]}

    def test_a_link_is_as_good_as_its_line(self, client: FlaskClient) -> None:
        told = post(client, "position", position=f"https://example.org/table?position={QUESTION}").get_json()
        assert told["position"] == QUESTION


class TestPasting:
    """Somebody has a chat, a save or a log, and pastes it."""

    CHAT = f"{SHEET}\nA plays Fire 3 face up, B refreshes\nhello"

    def gather(self, client: FlaskClient, text: str, **more: object) -> Json:
        answer = post(client, "gather", text=text, **more)
        assert answer.status_code == 200, answer.text
        told: Json = answer.get_json()
        return told

    def test_a_chat_becomes_a_record_with_its_questions(self, client: FlaskClient) -> None:
        told = self.gather(client, self.CHAT)
        (question,) = told["questions"]
        assert question["answers"][:3] == ["1", "2", "3"]
        assert told["entries"][0]["type"] == "flagged"
        told = self.gather(client, self.CHAT, answers={str(question["number"]): "2"})
        assert not told["questions"]
        assert [(one["type"], one.get("line")) for one in told["entries"]] == [("played", 2), ("refreshed", None)]

    def test_a_record_of_choices_becomes_a_record(self, client: FlaskClient) -> None:
        choices = (SAMPLES.parents[1] / "docs" / "clients" / "choices.jsonl").read_text()
        assert len(self.gather(client, choices)["entries"]) > 2

    def test_a_save_becomes_a_position_with_its_questions(self, client: FlaskClient) -> None:
        laid = laid_out(SIDES, MadeTable())
        laid.put("Card", "Fire 2", -2.0, -4.0)
        told = self.gather(client, laid.save().decode())
        assert told["position"] == LINE
        assert [one["key"] for one in told["questions"]] == ["ask_place"]

    @pytest.mark.parametrize("sample", ["dispute", "altered-duel", "lotr-journey"])
    def test_a_log_and_a_score_sheet_are_taken_as_they_are(self, client: FlaskClient, sample: str) -> None:
        text = (SAMPLES / f"{sample}.jsonl").read_text()
        told = self.gather(client, text)
        assert [one["type"] for one in told["entries"]] == [json.loads(line)["type"] for line in text.splitlines()[1:]]
        log = open_log(SAMPLES / f"{sample}.jsonl")
        assert self.gather(client, write_sheet(log.ruleset, log.header, log))["entries"]

    @pytest.mark.parametrize(
        "asked",
        [{}, {"text": 5}, {"text": " "}, {"text": "good morning"}, {"text": '{"ObjectStates": 5}'},
         {"text": '{"log": "audit/1"}'}, {"text": "{}"}, {"text": SHEET, "answers": {"9": "1"}},
         {"text": SHEET, "answers": 5}, {"text": '{"log": ' + "[" * 5000}],
    )  # fmt: skip
    def test_what_cannot_be_read_has_one_clear_answer(self, client: FlaskClient, asked: Json) -> None:
        answer = post(client, "gather", **asked)
        assert answer.status_code == (400 if asked.get("answers") != 5 else 200)


class TestRecording:
    """The device sends the whole record, and keeps it."""

    def judge(self, client: FlaskClient, *entries: object, header: object = SHEET) -> Json:
        answer = client.post("/table/judge", json={"header": header, "ruleset": "compile", "entries": entries})
        assert answer.status_code == 200, answer.text
        told: Json = answer.get_json()
        return told

    def test_lines_choices_and_events_are_one_record(self, client: FlaskClient) -> None:
        first = self.judge(client, {"line": "A fire-3 1", "id": "e1", "at": "2026-01-01T10:00:00.000Z"})
        told = self.judge(client, *first["events"], {"line": "A no fire-3 bottom", "note": "said aloud"})
        assert [(one["seq"], one.get("id"), one.get("note")) for one in told["events"]] == [
            (1, "e1", None), (2, None, "said aloud"),
        ]  # fmt: skip

    def test_an_unknown_card_is_named_out_of_those_that_it_may_be(self, client: FlaskClient) -> None:
        first, *_ = self.judge(client)["choices"]
        assert "fire-3" in {one["card"] for one in first["may_be"]}
        told = self.judge(client, {"choice": first["event"], "cards": ["fire-3"]})
        assert told["last"]["sentence"] == "Ada plays Fire 3 face down in line 1."
        (face_up,) = first["ways"]
        assert face_up["sentence"] == "Ada plays a card face up in line 1."
        told = self.judge(client, {"choice": face_up["event"], "cards": ["fire-3"]})
        assert told["last"]["sentence"] == "Ada plays Fire 3 face up in line 1."
        unknown = self.judge(client, {"choice": first["event"]})
        assert unknown["events"][0]["card"] == "?1"

    def test_it_happened_otherwise_is_kept_and_marked(self, client: FlaskClient) -> None:
        told = self.judge(client, {"line": "B metal-3 3", "id": "e1"})
        assert told["last"]["verdict"] in ("illegal", "impossible")
        assert told["last"]["rules"]
        assert (told["last"]["line"], told["case"]) == ("B metal-3 3", "")

    def test_what_was_taken_back_is_struck_through_and_nothing_else(self, client: FlaskClient) -> None:
        lines = ("A fire-3 1 down", "B death-1 1 down", "A refresh", "A back 1", "B speed-1 2 down")
        history = self.judge(client, *({"line": line} for line in lines))["history"]
        assert [one["seq"] for one in history if one["seq"] and one.get("gone")] == [2, 3]

    def test_a_mistake_leads_a_judge_to_a_case(self) -> None:
        client = viewer_over().test_client()
        told = self.judge(client, {"line": "B metal-3 3", "id": "e1"})
        form = client.get(told["case"]).text
        assert told["last"]["before"] in form
        assert "Is this allowed? Bo plays Metal 3 face up in line 3." in form

    def test_a_card_of_a_hand_that_nobody_knows_can_be_played(self, client: FlaskClient) -> None:
        header, *events = map(json.loads, (SAMPLES / "altered-two-teams.jsonl").read_text().splitlines())
        told = self.judge(client, *events[:32], header=header)
        played = {(one["event"]["card"], one["event"]["to_zone"], one["event"].get("mana")) for one in told["choices"]
                  if one["event"]["type"] == "card_played"}  # fmt: skip
        assert ("fox", "hero_expedition", 1) in played
        assert ("crow", "companion_expedition", 2) in played
        told = self.judge(client, *events[:33], header=header)
        assert "fox" not in {one["event"].get("card") for one in told["choices"]}

    def test_what_is_announced_at_dusk_is_offered_with_its_sums(self, client: FlaskClient) -> None:
        header, *events = map(json.loads, (SAMPLES / "altered-duel.jsonl").read_text().splitlines())
        told = self.judge(client, *events[:30], header=header)
        sums = {key: value for key, value in events[30].items() if key != "seq"}
        assert [one["event"] for one in told["choices"] if one["event"] == sums]

    def test_the_words_that_may_stand_next_are_told(self, client: FlaskClient) -> None:
        def words(line: str) -> list[str]:
            return list(post(client, "next", header=SHEET, ruleset="compile", line=line).get_json()["words"])

        assert {"A", "B", "flip"} <= set(words(""))
        assert "fire-3" in words("A")
        assert {"1", "2", "3"} <= set(words("A fire-3"))
        assert words("A fire-3 9") == []

    def test_a_game_goes_on_from_a_position(self, client: FlaskClient) -> None:
        told = self.judge(client, {"line": "A plague-1 1"}, header={"position": QUESTION})
        assert told["last"]["verdict"] == "legal"

    @pytest.mark.sampled(3)
    @pytest.mark.parametrize("sample", sorted(path.stem for path in SAMPLES.glob("*.jsonl")))
    def test_every_sample_can_be_taken_up_again(self, client: FlaskClient, sample: str) -> None:
        header, *events = map(json.loads, (SAMPLES / f"{sample}.jsonl").read_text().splitlines())
        told = self.judge(client, *events, header=header)
        assert len(told["events"]) == len(events)

    def test_an_entry_that_cannot_be_read_is_named_with_its_column(self, client: FlaskClient) -> None:
        answer = post(client, "judge", header=SHEET, ruleset="compile", entries=[{"line": "A fire-3 9"}])
        assert answer.status_code == 400
        assert (answer.get_json()["entry"], answer.get_json()["column"]) == (0, 10)
        typed = [{"line": "A fire-3 1"}, {"line": "A no fier-3 bottom"}]
        meant = post(client, "judge", header=SHEET, ruleset="compile", entries=typed).get_json()["meant"]
        assert meant[0]["line"] == "no fire-3 bottom"


WRONG: list[tuple[str, object]] = [
    ("position", {"position": "x"}), ("position", {"position": 5}), ("position", {"position": "x" * 30_000}),
    ("position", {"ruleset": "compile", "words": ["fire"]}), ("position", {"ruleset": "altered", "words": []}),
    ("position", {"ruleset": "compile", "words": ["fire", "life", "water", "death", "metal", "nothing"]}),
    ("options", {"position": "compile/3A"}), ("ask", {"position": QUESTION, "events": ["A jumps"]}),
    ("ask", {"position": QUESTION, "events": [5]}), ("ask", {"position": QUESTION, "events": ["A refresh"] * 30}),
    ("ask", {"position": QUESTION, "events": [{"type": "played", "player": 7}]}),
    ("ask", {"position": QUESTION, "events": [], "reading": "none"}), ("words", {"ruleset": "chess"}),
    ("judge", {"header": {}}), ("judge", {"header": SHEET, "ruleset": "chess"}), ("judge", {"header": "x"}),
    ("judge", {"header": {"log": "audit/9", "ruleset": "compile"}}),
    *(("judge", {"header": SHEET, "ruleset": "compile", "entries": [entry]})
      for entry in (5, None, {}, {"type": "x"}, {"line": 5}, {"line": ""}, {"choice": 5},
                    {"choice": {"type": "played"}}, {"type": "flagged", "note": 5}, {"type": "flagged", "at": "noon"})),
]  # fmt: skip


@pytest.mark.parametrize(("path", "body"), WRONG)
def test_what_cannot_be_read_has_one_clear_answer(client: FlaskClient, path: str, body: object) -> None:
    answer = client.post(f"/table/{path}", json=body)
    assert answer.status_code == 400
    assert answer.mimetype == "application/json"
    assert answer.get_json()["message"]


def test_a_record_is_sealed_for_who_may_append_and_for_nobody_else(client: FlaskClient, tmp_path: Path) -> None:
    record = {"header": SHEET, "ruleset": "compile", "entries": [{"line": "A fire-3 1"}]}
    assert post(client, "seal", **record).status_code == 400
    judge = viewer_over(AUDIT_VIEWPOINTS="loopback").test_client()
    made = post(judge, "seal", **record).get_json()
    log = tmp_path / "game.jsonl"
    log.write_text(made["log"])
    (tmp_path / "game.jsonl.seal").write_text(made["seal"])
    assert verify(log, read_seal(tmp_path / "game.jsonl.seal")).is_unaltered
    assert not made["signed"]


def test_a_long_record_is_refused_in_one_answer(client: FlaskClient) -> None:
    entries = [{"type": "flagged"}] * 5001
    assert post(client, "judge", header=SHEET, ruleset="compile", entries=entries).status_code == 400


@pytest.mark.parametrize("path", ["/table", "/table/record"])
@pytest.mark.parametrize("language", ["en", "fr", "it", "pl"])
def test_the_page_is_there_in_four_languages_without_inline_scripts(
    client: FlaskClient, path: str, language: str
) -> None:
    page = client.get(path, query_string={"lang": language, "position": '"><script>alert(1)</script>'})
    assert page.status_code == 200
    assert f'lang="{language}"' in page.text
    assert "<script>" not in page.text


def test_a_step_of_a_game_is_a_table_for_a_judge_only(client: FlaskClient) -> None:
    judge = viewer_over(AUDIT_VIEWPOINTS="all").test_client()
    assert 'data-position="compile/' in judge.get("/table/from/dispute?step=30").text
    assert client.get("/table/from/dispute?step=30").status_code == 403
    assert client.get("/table/from/none").status_code == 404


def test_a_link_is_a_qr_code(client: FlaskClient) -> None:
    answer = client.get("/table/qr.svg", query_string={"text": f"https://example.org/table?position={QUESTION}"})
    assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")
    assert client.get("/table/qr.svg").status_code == 400
    assert client.get("/table/qr.svg", query_string={"text": "x" * 3000}).status_code == 400


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "This cannot be read: the end of the line. Here would fit: a number from 1 to 3, down, up, or is"),
        (
            "it",
            "Non si può leggere: la fine della riga. "
            "Qui andrebbe: un numero da 1 a 3, a faccia in giù o a faccia in su",
        ),
        ("pl", "Tego nie da się odczytać: koniec wiersza. Tu pasuje: liczba od 1 do 3, zakryta lub odkryta"),
    ],
)
def test_a_question_that_cannot_be_read_is_told_in_one_language(client: FlaskClient, language: str, told: str) -> None:
    asked = {"position": QUESTION, "events": ["A fire-3"]}
    assert client.post(f"/table/ask?lang={language}", json=asked).get_json()["message"] == told
    page = client.get("/ask", query_string={"lang": language, "position": QUESTION, "event": "A fire-3"})
    assert told in page.get_data(as_text=True)


def test_a_position_that_cannot_be_read_is_told_in_the_language_of_the_page(client: FlaskClient) -> None:
    answer = client.post("/table/ask?lang=fr", json={"position": "compile/nothing", "events": []})
    assert answer.get_json()["message"].startswith(
        "La position est illisible à partir du caractère 9\u00a0: nothing. Attendu\u00a0: "
    )


def test_the_line_in_which_something_happened_is_the_wide_one_on_a_phone(client: FlaskClient) -> None:
    lines = ({"line": "A fire-3 1"}, {"line": "A no fire-3 bottom"}, {"line": "B metal-3 2 down"})
    for count, wide in ((1, 1), (3, 2)):
        asked = {"header": SHEET, "ruleset": "compile", "entries": lines[:count]}
        assert f"lanes at-{wide}" in post(client, "judge", **asked).text
        assert "lanes at-3" in post(client, "judge", column=3, **asked).text


def test_who_asks_about_a_play_before_a_table_is_set_is_told_to_set_it(client: FlaskClient) -> None:
    for text, needs in (("may A play Plague 1 in line 2?", True), ("can a covered card be flipped", False)):
        assert post(client, "rules", ruleset="compile", text=text).get_json()["needs_table"] is needs


def test_a_question_says_which_of_its_own_words_cannot_be_read(client: FlaskClient) -> None:
    told = post(client, "ask", position=QUESTION, events=["Can A refresh with five cards in hand?"]).get_json()
    assert "with" in told["message"]
    assert "Can" not in told["message"]
    asked = "is A allowed to play his Plague 1 face down in line two"
    assert post(client, "ask", position=QUESTION, events=[asked]).get_json()["asked"] == ["A plague-1* 2"]


def test_a_card_that_is_tapped_tells_its_text(client: FlaskClient) -> None:
    told = {
        language: post(client, f"askable?lang={language}", position=QUESTION, key="plague-1").get_json()["says"]
        for language in ("en", "fr")
    }
    assert any("discards a card" in words for words in told["en"])
    assert told["en"] != told["fr"]
    assert post(client, "askable", position=QUESTION, key="A.hand").get_json()["says"] == []


def test_a_question_about_somebody_whom_nobody_has_named_asks_who_that_is(client: FlaskClient) -> None:
    asked: Json = {"position": QUESTION, "events": ["may Ada refresh?"]}
    assert post(client, "ask", **asked).get_json()["who"] == {"name": "Ada", "seats": ["A", "B"]}
    told = post(client, "ask", **asked, players=[{"seat": "A", "name": "Ada"}]).get_json()
    assert told["asked"] == ["A refresh"]
    assert told["said"]["steps"][0]["sentence"].startswith("Ada ")
    bo = {"position": QUESTION, "events": ["can Bo take control?"], "players": [{"seat": "A", "name": "Ada"}]}
    assert post(client, "ask", **bo).get_json()["who"] == {"name": "Bo", "seats": ["B"]}


def test_an_address_names_the_players_of_a_table(client: FlaskClient) -> None:
    named = {"position": QUESTION, "player": ["A Ada", "B <b>Bo Li</b>", "C", ""]}
    for path in ("/table", "/table/record"):
        page = client.get(path, query_string=named).get_data(as_text=True)
        [players] = re.findall('data-players="(.*?)"', page)
        assert json.loads(unescape(players)) == [
            {"seat": "A", "name": "Ada"}, {"seat": "B", "name": "<b>Bo Li</b>"},
        ]  # fmt: skip
        assert "<b>Bo" not in page
    assert "data-players" not in client.get("/table").get_data(as_text=True)


def test_the_line_of_a_game_is_completed_behind_the_name_of_a_player(client: FlaskClient) -> None:
    header = {"position": QUESTION, "players": ["Ada", "Bo"]}
    told = post(client, "next", header=header, entries=[], line="Ada ref").get_json()
    assert "Ada refresh " in told["completions"]


def keys_of(tree: Any) -> list[str]:
    """The keys of all that is drawn."""
    if isinstance(tree, str):
        return []
    own = [tree[1]["data-key"]] if "data-key" in tree[1] else []
    return own + [key for child in tree[2] for key in keys_of(child)]


@pytest.mark.parametrize(("card", "place"), [("test-of-will", "held"), ("thalin", "in_play")])
def test_a_card_that_a_player_has_is_drawn_goes_to_another_player_and_is_taken_away(
    client: FlaskClient, card: str, place: str
) -> None:
    line = after(client, fresh(client, "lotr-reveal", "2"), do="put", card=card, to="in_play")
    told = post(client, "position", position=line).get_json()
    assert f"{place}.p1" in keys_of(told["tree"])
    assert card_title(told["tree"], card)
    [field] = told["about"][f"{place}.p1"]["fields"]
    assert (field["name"], field["value"], [one["value"] for one in field["choices"]]) == (
        card,
        "p1",
        ["p1", "p2", "-"],
    )
    line = after(client, line, do="say", at=f"{place}.p1", name=card, value="p2")
    told = post(client, "position", position=line).get_json()
    assert [f"{place}.{seat}" in keys_of(told["tree"]) for seat in ("p1", "p2")] == [False, True]
    line = after(client, line, do="say", at=f"{place}.p2", name=card, value="-")
    assert not card_title(post(client, "position", position=line).get_json()["tree"], card)


def card_title(tree: Any, card: str) -> bool:
    """Whether the name of a card is drawn."""
    return card.replace("-", " ") in json.dumps(tree).casefold()


def test_what_is_attached_to_a_character_is_drawn_with_it(client: FlaskClient) -> None:
    line = (
        "lotr-reveal/(setup:(players:!(p1)),characters:(eowyn:(ready:!t)),"
        "in_play:(eowyn:(owner:p1),celebrians-stone:(owner:p1,attached_to:eowyn)),attachments:(eowyn:!(celebrians-stone)))"
    )
    assert "+ Celebrian" in json.dumps(post(client, "position", position=line).get_json()["tree"], ensure_ascii=False)
