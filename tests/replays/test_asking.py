"""A judge asks about a position: may this happen, what would be right, and what follows by itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from audit.core.errors import PositionTextError, SetupError, UnknownEditionError
from cli import audit
from replays.errors import LogError
from replays.log.reader import open_log
from replays.table.answer import Answer, AnswerWriter, answered
from replays.table.question import header_after, header_at, question

SAMPLES = Path("replays/samples")
GRAVITY = "compile/5B.action.-/plague.fire.water:w3p1;;:p5f4:9:/gravity.spirit.hate:s4g2;;:h1:9:"
"""Spirit 4 lies beneath Gravity 2 in line 1, and Water 3 beneath Plague 1 across it."""


def ask(position: str, *events: str, **header: str) -> Answer:
    return answered(question(header_at(position, **header), events))


def run(*arguments: str) -> tuple[int, str, str]:
    """What `audit` answers: its exit code, standard output and standard error."""
    done = CliRunner().invoke(audit, arguments)
    return done.exit_code, done.stdout, done.stderr


def told(answer: Answer, *languages: str) -> dict[str, object]:
    return AnswerWriter(answer, languages or ("en",)).json()


def test_a_card_is_played_where_its_protocol_does_not_lie() -> None:
    answer = ask("compile/3A.action.-/plague.fire.water:;;:p1:9:/gravity.spirit.hate:;;:4:9:", "A plague-1 2")
    [step] = told(answer)["steps"]  # type: ignore[misc]
    assert not answer.is_legal
    assert step["rules"][0]["id"] == "play.face-up-needs-protocol"
    assert "A plays Plague 1 face up in line 1." in step["expected_text"]


def test_what_follows_a_play_is_told_up_to_the_discard_that_the_opponent_chooses() -> None:
    answer = ask("compile/3A.action.-/plague.fire.water:;;:p1:9:/gravity.spirit.hate:;;:h1s4:9:", "A plague-1 1")
    said = told(answer)
    assert answer.is_legal
    assert [one["event"]["type"] for one in said["follows"]] == ["committed", "landed", "triggered"]  # type: ignore[attr-defined]
    assert [line for option in said["decisions"] for line in option["lines"]] == [  # type: ignore[attr-defined]
        "B discard hate-1",
        "B discard spirit-4",
    ]


ON_FIELD = "compile/3{}.action.-/plague.fire.water:w3*;;:p1f4:9:/gravity.spirit.hate:g6*;;:h1s4:9:{}"
"""Water 3 lies face down in line 1 of A."""


@pytest.mark.every(
    "position",
    [
        ON_FIELD.format("A", ""),
        ON_FIELD.format("A", "/(acted:played)"),
        ON_FIELD.format("B", ""),
        ON_FIELD.format("A", "").replace("hate:g6*", "hate:?1"),
    ],
    ids=["action open", "action taken", "turn of the other", "a card face up that nobody knows"],
)
def test_a_card_of_the_field_cannot_be_played_and_the_position_stays_as_it_is(position: str) -> None:
    answer = ask(position, "A water-3 3")
    said = told(answer, "en")
    [step] = said["steps"]  # type: ignore[misc]
    assert step["verdict"] == "impossible"
    assert step["rules"][0]["id"] == "turn.one-action"
    assert "Water 3 is not in the hand. It lies on the field, on the side of A in line 1." in step["message"]
    assert ("This is for B to do, not for A." in step["message"]) == (position == ON_FIELD.format("B", ""))
    assert answer.asked[0].state == answer.asked[0].before
    assert str(said["after"]).count("w3") == 1


def test_what_cannot_have_happened_does_not_keep_the_next_event_from_happening() -> None:
    answer = ask(ON_FIELD.format("A", ""), "A water-3 3", "A fire-4 2", "B refresh", "B gravity-6 1")
    assert [step.verdict.value for step in answer.asked] == ["impossible", "legal", "legal", "impossible"]
    assert [step.seq for step in answer.asked] == [1, 2, 3, 4]
    assert "w3*;f4;:" in str(told(answer)["after"])


def test_a_card_of_the_field_cannot_be_discarded() -> None:
    [step] = told(ask(ON_FIELD.format("A", ""), "A discard water-3"))["steps"]  # type: ignore[misc]
    assert step["message"].endswith("Water 3 is not in the hand. It lies on the field, on the side of A in line 1.")


def test_without_an_event_the_open_decisions_are_listed() -> None:
    said = told(ask("compile/3A.action.-/plague.fire.water:;;:p1:9:/gravity.spirit.hate:;;:4:9:"))
    lines = [line for option in said["decisions"] for line in option["lines"]]  # type: ignore[attr-defined]
    assert lines == ["A plague-1 1", "A plague-1* 1", "A plague-1* 2", "A plague-1* 3", "A refresh"]
    assert said["otherwise"] == []


def test_every_line_offered_is_one_that_can_be_asked_about_and_is_legal() -> None:
    header = header_at("compile/3A.action.-/plague.fire.water:w3*;;:p1f4:9:/gravity.spirit.hate:;g6*;:4:9:")
    offered = told(answered(question(header, ())))["decisions"]
    for line in [line for option in offered for line in option["lines"]]:  # type: ignore[attr-defined]
        assert answered(question(header, (line,))).is_legal, line


@pytest.mark.every(("place", "card"), [("A1", "plague-1"), ("A1.1", "water-3"), ("B1.2", "gravity-2")])
def test_a_place_names_the_card_that_lies_there(place: str, card: str) -> None:
    [event] = question(header_at(GRAVITY), (f"flip {place}*",)).events
    assert event.card == card  # type: ignore[attr-defined]


def test_a_place_is_that_of_the_position_reached_by_the_events_before() -> None:
    position = "compile/3A.action.-/plague.fire.water:;;:w5p1:9:/gravity.spirit.hate:;;:h1s4:9:"
    events = question(header_at(position), ("A plague-1* 2", "flip A2")).events
    assert events[1].card == "plague-1"  # type: ignore[attr-defined]


def test_a_place_where_nothing_lies_is_no_card() -> None:
    with pytest.raises(LogError, match="line 1: column 6: expected a card of this game, found A3"):
        question(header_at(GRAVITY), ("flip A3",))


def test_the_line_that_cannot_be_read_is_named() -> None:
    with pytest.raises(LogError, match="line 2: column 3"):
        question(header_at(GRAVITY), ("B refresh", "A dances"))


def test_an_event_may_be_given_as_it_stands_in_a_log() -> None:
    asked = question(header_at(GRAVITY), ({"type": "refreshed", "player": "B", "seq": 41},))
    assert answered(asked).is_legal


@pytest.mark.every("data", [{}, {"type": "dances"}, {"type": "played", "player": "A"}, {"type": []}])
def test_an_event_that_is_none_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(LogError):
        question(header_at(GRAVITY), (data,))


def test_no_more_than_twenty_events_are_asked_about() -> None:
    with pytest.raises(LogError, match="at most 20 events"):
        question(header_at(GRAVITY), ["B refresh"] * 21)


def test_an_address_holds_the_position() -> None:
    address = f"https://judge.example/ask?lang=fr&position={GRAVITY.replace('/', '%2F').replace(';', '%3B')}"
    assert header_at(address) == header_at(GRAVITY)
    with pytest.raises(PositionTextError, match="position="):
        header_at("https://judge.example/ask?lang=fr")


@pytest.mark.every("text", ["", "chess/8/8", "compile/", "compile/3A.action.-/plague:;;:p1:9:", "http://[x"])
def test_what_is_no_position_is_refused(text: str) -> None:
    with pytest.raises((PositionTextError, SetupError)):
        header_at(text)


def test_a_point_on_which_readings_part_is_named_with_what_it_changes() -> None:
    position = "compile/5A.action.-/light.fire.water:;f1;:l0w1:9:/gravity.spirit.metal:m6*;;:4:9:"
    [other] = told(ask(position, "A light-0 1", "flip B1"))["otherwise"]  # type: ignore[misc]
    assert [switch["name"] for switch in other["switches"]] == ["face-down-metal-6-stays"]
    assert other["follows"][0].startswith("A draws 6 cards")


def test_a_reading_by_which_the_same_is_wrong_for_the_same_reason_is_not_named() -> None:
    position = "compile/2A.action.-/plague.fire.water:w3*;p5;:p1f4:5:/spirit.gravity.hate:;g6*;:h1g2:9:"
    pending = "(acted:played,pending:!((what:text,card:plague-5,command:middle,on:played)))"
    answer = ask(f"{position}/{pending}", "flip A1")
    assert answer.otherwise
    assert not answer.is_legal
    assert told(answer)["otherwise"] == []


MISSED = "compile/9A.{}.-/fire.life.water:f5f4f1;l2;:l1,w2:9:/death.metal.speed:;m2;:4:8:{}"
"""Line 1 of A totals ten against nothing."""


@pytest.mark.every(("asked", "is_legal"), [("A life-1 2", True), ("A compile 1", False), ("A refresh", True)])
@pytest.mark.every("language", ["en", "fr", "it", "pl"])
def test_a_line_not_compiled_before_the_action_is_said_beside_the_answer(
    asked: str, is_legal: bool, language: str
) -> None:
    answer = ask(MISSED.format("action", ""), asked)
    [doubt] = told(answer, language)["doubts"]  # type: ignore[misc]
    assert answer.is_legal == is_legal
    assert doubt["rules"] == ["compile.mandatory"]
    assert "1" in doubt["sentence"]
    assert "10" in doubt["sentence"]


@pytest.mark.every(
    "position",
    [
        MISSED.format("compile", ""),
        MISSED.format("start", ""),
        MISSED.format("action", "/(acted:played)"),
        MISSED.format("action", "").replace("9A", "9B"),
        MISSED.format("action", "").replace("f5f4f1", "f5f4"),
        MISSED.format("action", "/(barred:!((player:A,turn:9)))").replace("m2", "m1"),
    ],
    ids=["compile phase", "start phase", "action taken", "turn of the other", "nine", "kept from compiling"],
)
def test_where_nothing_had_to_be_compiled_there_is_no_doubt(position: str) -> None:
    assert told(ask(position))["doubts"] == []


def test_of_several_lines_one_would_have_been_compiled() -> None:
    [doubt] = told(ask(MISSED.format("action", "").replace("l2;", "l5l4l3;"), "A refresh"))["doubts"]  # type: ignore[misc]
    assert "1 and 2" in doubt["sentence"]


def test_the_terminal_says_so_as_well() -> None:
    code, out, _ = run("ask", MISSED.format("action", ""), "A life-1 2", "--lang", "pl")
    assert code == 0
    assert "✓ Tak." in out
    assert "Linia 1 nadaje się do kompilacji" in out


@pytest.mark.parametrize(("control", "rule"), [("A", "either-players-protocols"), ("B", "back-on-refresh")])
def test_a_second_rearrangement_names_the_rule_that_says_one_players_protocols(control: str, rule: str) -> None:
    position = f"compile/9A.action.{control}/fire.life.water:f3;l2;:l1,w2:9:/death.metal.speed:;m2;:4:8:"
    first = ["A refresh", "A rearrange B metal death speed"] if control == "A" else ["A refresh"]
    *_, last = told(ask(position, *first, "A rearrange A life fire water"))["steps"]  # type: ignore[misc]
    assert last["verdict"] == "illegal"
    assert last["rules"][0]["id"] == f"control.{rule}"


def test_an_edition_of_a_game_that_has_none_is_refused() -> None:
    code, position, _ = run("position", str(SAMPLES / "lotr-crows.jsonl"), "--at", "3")
    assert code == 0
    with pytest.raises(UnknownEditionError):
        header_at(position, edition="2024-10")


def test_an_edition_before_a_ruling_answers_otherwise() -> None:
    """Metal 1 lies covered: only the editions before the ruling let it still keep its opponent from compiling."""
    barred = "acted:'',barred:!((player:B,turn:5))"
    position = f"compile/5B.compile.-/metal.life.water:m1l5*;;:4:9:/fire.plague.spirit:f5f4f3;;:4:9:/({barred})"
    answer = ask(position, "B compile 1")
    others = [other["edition"] for other in told(answer)["otherwise"] if "edition" in other]  # type: ignore[attr-defined]
    assert answer.is_legal
    assert others
    assert not ask(position, "B compile 1", edition=others[0]).is_legal


def test_a_position_in_the_middle_of_a_log_is_asked_about_by_its_reading() -> None:
    log = open_log(SAMPLES / "dispute.jsonl")
    header = header_after(log.header, log.start())
    assert (header.reading, header.edition) == (log.header.reading, log.header.edition)


def _decided(answer: dict[str, list[dict[str, object]]]) -> list[dict[str, object]]:
    """The decisions without their sentences: the line of a position does not tell the players' names."""
    return [{name: told for name, told in one.items() if name != "sentences"} for one in answer["decisions"]]


@pytest.mark.parametrize("name", sorted(path.name for path in SAMPLES.glob("*.jsonl")))
def test_from_any_event_of_a_sample_one_can_go_on_asking(name: str) -> None:
    log = open_log(SAMPLES / name)
    events = list(log)
    for at in {0, len(events) // 3, len(events) - 1}:
        code, out, _ = run("ask", str(SAMPLES / name), "--at", str(at), "--json")
        answer = json.loads(out)
        assert code == 0
        assert answer["decisions"] or answer["after"]
        code, out, _ = run("ask", answer["position"], "--json")
        assert _decided(json.loads(out)) == _decided(answer)


def test_the_answer_in_a_terminal_says_no_the_rule_in_each_language_and_what_instead() -> None:
    position = "compile/3A.action.-/plague.fire.water:;;:p1:9:/gravity.spirit.hate:;;:4:9:"
    code, out, _ = run("ask", position, "A plague-1 2", "--lang", "fr,pl")
    assert code == 1
    assert "✗ Non." in out
    assert "play.face-up-needs-protocol" in out
    assert "[fr] " in out
    assert "[pl] " in out
    assert "À la place" in out


def test_a_language_that_there_is_not_is_refused() -> None:
    code, _, err = run("ask", GRAVITY, "--lang", "fr,xx")
    assert code == 2
    assert "'xx' is none of" in err


AFTERNOON = (
    "altered/(day:4,phase:afternoon,first_player:{first},turn_of:kim,passed:!({passed}),limbo:!(),hands:(kim:2,leo:3),"
    "orbs:(kim:(ready:{ready},exhausted:{spent}),leo:(ready:0,exhausted:{spent})),reserve:(kim:!(scout),leo:!()),"
    "setup:(mode:duel,seats:!(kim,leo),costs:(scout:(hand:2,reserve:1)),types:(scout:character),abilities:(scout:!())))"
)


@pytest.mark.every(
    ("first", "passed", "spent", "turn"),
    [
        ("kim", "", 0, "altered.1.3.2.d.first"),
        ("kim", "", 4, "altered.1.3.2.d.alternate"),
        ("leo", "", 4, "altered.1.3.2.d.alternate"),
        ("kim", "leo", 4, "altered.day.afternoon.continue-alone"),
        ("leo", "leo", 4, "altered.day.afternoon.continue-alone"),
    ],
)
def test_a_card_from_the_reserve_is_played_by_the_rule_of_its_cost_and_of_that_turn(
    first: str, passed: str, spent: int, turn: str
) -> None:
    answer = ask(AFTERNOON.format(first=first, passed=passed, ready=1, spent=spent), "kim scout h 1 reserve")
    [step] = told(answer)["steps"]  # type: ignore[misc]
    assert answer.is_legal
    assert [rule["id"] for rule in step["rules"]][:2] == ["altered.day.afternoon.cost-reserve", turn]


@pytest.mark.parametrize(("ready", "said"), [(0, "0 orbs are ready"), (1, "1 orb is ready")])
def test_orbs_are_counted_as_people_say_it(ready: int, said: str) -> None:
    answer = ask(
        AFTERNOON.format(first="kim", passed="", ready=ready, spent=3).replace("!(scout)", "!()"), "kim scout h 2"
    )
    [step] = told(answer)["steps"]  # type: ignore[misc]
    assert said in step["message"]


TIE = "compile/9A.compile.-/fire.life.plague:f5f4f1;;:3:9:/death.metal.speed:d5d4d1;;:4:9:"


def test_what_follows_a_play_that_is_not_allowed_is_told_for_the_case_that_it_stands() -> None:
    _, said, _ = run("ask", TIE, "A compile 1")
    before, _, after = said.partition("If the play is left standing:")
    assert "✗ No." in before
    assert "And then, with nobody choosing:" in after
    assert "left standing" not in run("ask", GRAVITY, "B refresh")[1]


@pytest.mark.parametrize(("hand", "drawn"), [("", "A draws up to five cards in hand."), ("3", "A draws 2 cards.")])
def test_a_refresh_of_a_hand_that_nobody_has_counted_draws_up_to_five(hand: str, drawn: str) -> None:
    answer = ask(f"compile/10A.action.-/fire.life.plague:f3;l4;:{hand}:9:f5/death.metal.speed:d3;m1;:4:9:", "A refresh")
    assert told(answer)["follows"][0]["sentence"] == drawn  # type: ignore[index]


MORNING = (
    "altered/(day:4,phase:morning,daily_effect:mana,first_player:kim,limbo:!(),hands:(kim:5,leo:5),"
    "orbs:(kim:(ready:4,exhausted:0),leo:(ready:4,exhausted:0)),setup:(mode:duel,seats:!(kim,leo)))"
)


def test_what_is_asked_about_in_another_order_is_said_once() -> None:
    said = told(ask(MORNING, "leo mana ?1", "kim mana ?2"))
    assert [(step["seq"], step["verdict"]) for step in said["steps"]] == [(1, "illegal"), (2, "legal")]  # type: ignore[attr-defined]


@pytest.mark.parametrize(("control", "why"), [("A", "has the control component already"), ("-", "is not ahead in two")])
def test_who_takes_control_wrongly_is_told_which_of_the_two_it_is(control: str, why: str) -> None:
    lines = "f5;l4;" if control == "A" else "f5;;"
    answer = ask(f"compile/9A.control.{control}/fire.life.plague:{lines}:3:9:/death.metal.speed:;;:4:9:", "A control")
    [step] = [step for step in told(answer)["steps"] if step["seq"]]  # type: ignore[attr-defined]
    assert why in step["message"]


DUSK = (
    "altered/(setup:(mode:duel,seats:!(A,B),abilities:(fox:!(),owl:!())),phase:dusk,{}limbo:!(),characters:("
    "A:(hero:!((id:fox,forest:2,mountain:0,water:1)),companion:!()),"
    "B:(hero:!((id:owl,forest:2,mountain:1,water:0)),companion:!())))"
)
"""Dusk, with a Fox against an Owl; nobody has told the regions."""


@pytest.mark.every("more", ["", "daily_effect:progress,"])
def test_a_dusk_set_by_hand_is_judged_by_its_sums_and_no_rest_is_the_remedy(more: str) -> None:
    [step] = told(ask(DUSK.format(more), "A advance hero forest"))["steps"]  # type: ignore[misc]
    assert (step["verdict"], step["expected_text"]) == ("illegal", [])
    assert "2 is not above 2" in step["message"]


@pytest.mark.every(("region", "verdict"), [("", "unchecked"), ("water", "legal"), ("forest", "illegal")])
def test_an_advance_is_allowed_only_where_somebody_has_told_the_region(region: str, verdict: str) -> None:
    regions = f"regions:(A:(hero:!({region}))),"
    [step] = told(ask(DUSK.format(regions if region else ""), "A advance hero water"))["steps"]  # type: ignore[misc]
    assert step["verdict"] == verdict
    assert ("Nobody has told" in str(step.get("message"))) == (verdict == "unchecked")


def test_what_has_no_short_form_is_offered_in_a_sentence() -> None:
    line = DUSK.format("daily_effect:progress,regions:(A:(hero:!(forest),companion:!(water))),")
    _, out, _ = run("ask", line)
    assert ("2/0/1 against 2/1/0" in out, "expedition_totals" in out, "effect=" in out) == (True, False, False)
