"""Positions as data and as a line of text: every position comes back, and what is mistyped is named."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from audit.core.auditor import audit
from audit.core.errors import PositionTextError, SetupError
from audit.core.model import Header
from audit.core.ruleset import ruleset
from audit.games.compile import RULESET
from audit.games.compile.events import Deleted, Landed
from audit.games.compile.setup_entries import TextEntry
from audit.games.compile.state import State
from replays.generating.simulate import simulated
from replays.generating.telling import viewer_log
from replays.judging.positions import header_of, next_choice, position_for, position_line, read_position_line, words_in
from replays.log.reader import open_log
from replays.log.schemas import json_schema
from replays.scoresheet.sheet import read_sheet

GAME = ruleset("compile")
RULES = RULESET.rules
TABLE = {
    "A": {"protocols": ["fire", "life", "water"], "lines": [["fire-3", "fire-1"], [], []], "hand": ["life-1"]},
    "B": {"protocols": ["death", "metal", "speed"], "lines": [["death-5*"], ["speed-0"], []], "hand": 3, "deck": 11},
}

NAMES = {"A": ["fire", "life", "water"], "B": ["death", "metal", "speed"]}
FIRE_1 = {"what": "text", "card": "fire-1", "command": "middle"}
ON_ITS_WAY = {"what": "moving", "card": "metal-1", "to": {"side": "B", "line": 3}}


def pending(entry: Mapping[str, object]) -> dict[str, object]:
    """A setup in which something is under way."""
    return {"position": {"pending": [entry], "sides": TABLE}}


def states(policy: str, viewer: str) -> Iterator[State]:
    """Every position of a viewer's log of a simulated game, the first before its first event."""
    header, events = viewer_log(GAME, *simulated(GAME, 3, policy), viewer)
    state = RULES.start(header)
    yield state
    for event in events:
        state = RULES.evolve(state, event)
        yield state


@cache
def sample(name: str) -> tuple[State, ...]:
    log = open_log(Path(__file__).parents[2] / "replays" / "samples" / f"{name}.jsonl")
    found = [RULES.start(log.header)]
    for event in log:
        found.append(RULES.evolve(found[-1], event))
    return tuple(found)


def started(position: Mapping[str, object]) -> State:
    return RULES.start(Header(log="audit/1", ruleset="compile", setup={"position": position}))


@pytest.mark.parametrize(("policy", "viewer"), [("uniform", "A"), ("chains", "public")])
def test_every_position_of_a_viewers_log_comes_back_from_its_data(policy: str, viewer: str) -> None:
    """Of a whole log `tests/test_conformance.py` shows it."""
    found = list(states(policy, viewer))
    for state in found:
        data = json.loads(json.dumps(RULES.position_data(state)))
        assert RULES.position(data, found[0]) == state


@pytest.mark.every("name", ["clean", "dispute", "hidden"])
def test_every_position_of_a_sample_comes_back_from_its_line_of_text(name: str) -> None:
    for state in sample(name)[::3]:
        data = position_for(GAME, state)
        game, told = read_position_line(position_line(GAME, data))
        assert game is GAME
        assert RULES.position(told, sample(name)[0]) == RULES.position(data, sample(name)[0])


def test_a_line_is_short_enough_for_a_link_and_has_no_blank() -> None:
    lines = [position_line(GAME, position_for(GAME, state)) for state in sample("clean")]
    assert median(map(len, lines)) <= 200
    assert all(re.fullmatch(r"[\w/.:;,!?*()'-]+", line) for line in lines)


@pytest.mark.every(
    "told",
    [
        "9A.action.B/fire.life.water:;;:4:9:/death.metal.speed:;;:5:13:/!(a)",
        "9A.action.B/fire.life.water:;;:\u00b2:9:/death.metal.speed:;;:5:13:",
        f"9A.action.B/fire.life.water:;;:{'9' * 6000}:9:/death.metal.speed:;;:5:13:",
        f"{'9' * 6000}A.action.B/fire.life.water:;;:4:9:/death.metal.speed:;;:5:13:",
        f"9A.action.B/fire.life.water:;;:4:9:/death.metal.speed:;;:5:13:/{'!(' * 4000}",
        f"(turn:{'9' * 6000})",
    ],
)
def test_an_absurd_line_is_refused_in_a_few_words(told: str) -> None:
    with pytest.raises(PositionTextError) as refused:
        read_position_line(f"compile/{told}")
    assert len(str(refused.value)) < 200


def test_cards_in_a_row_may_run_together_or_have_commas_between_them() -> None:
    head, tail = "compile/9A.action.B/fire.life.water:", ";;:4:9:f1/death.metal.speed:;;:5:13:"
    for told in ("f3,f5*,l2*,w0,?1*,w1", "f35*l2*w0,?1*,w1", "fire-3,f5*l2*,water0,?1*,w1"):
        _, data = read_position_line(f"{head}{told}{tail}")
        sides = data["sides"]
        assert isinstance(sides, dict)
        assert sides["A"]["lines"][0] == ["fire-3", "fire-5*", "life-2*", "water-0", "?1*", "water-1"]


@pytest.mark.every(("told", "column"), [("f3x2", 39), ("f3l", 37), ("3", 37), ("f3,,l2", 40), ("f3?1", 37), ("x1", 37)])
def test_a_mistake_in_a_row_of_cards_has_its_column(told: str, column: int) -> None:
    with pytest.raises(PositionTextError) as refused:
        read_position_line(f"compile/9A.action.B/fire.life.water:{told};;:4:9:f1/death.metal.speed:;;:5:13:")
    assert refused.value.column == column


@pytest.mark.parametrize("viewer", ["A", "B", "public"])
def test_a_viewers_line_names_no_card_that_the_viewer_may_not_know(viewer: str) -> None:
    for state in sample("clean")[::3]:
        seen = words_in(RULESET.disclosure.view(state, viewer))
        cards = {word for word in words_in(RULESET.disclosure.view(state)) - seen if not word.startswith("?")}
        secret = {card for card in cards if RULESET.disclosure.known_as(state, card, viewer) != card}
        data = position_for(GAME, state, viewer)
        told = {word.rstrip("*") for word in words_in(read_position_line(position_line(GAME, data))[1])}
        assert not secret & told
        assert not secret & {word.rstrip("*") for word in words_in(data)}


def test_a_viewers_line_begins_a_log_of_its_own() -> None:
    for state in sample("dispute")[::10]:
        game, data = read_position_line(position_line(GAME, position_for(GAME, state, "A")))
        assert RULES.start(header_of(game, data)).a.hand == state.a.hand


@pytest.mark.every(
    ("path", "data", "expected"),
    [
        ("field", {"field": {}}, "one of protocols, decks, hands, position"),
        ("protocols.C", {"protocols": {"A": ["fire"] * 3, "B": ["fire"] * 3, "C": []}}, "one of A, B"),
        ("decks.A[1]", {"protocols": NAMES, "decks": {"A": ["fire-1", "fyre-2"]}}, "a card such as fire-2"),
        ("position.sides.A.hnad", {"position": {"sides": {**TABLE, "A": {"hnad": 3}}}}, 'did you mean "hand"?'),
        ("position.phase", {"position": {"phase": "draw", "sides": TABLE}}, '"action"'),
        ("position.sides.B.protocols", {"position": {"sides": {"A": TABLE["A"]}}}, "three protocols"),
        ("protocols.A[1]", {"protocols": {"A": ["fire", "caos", "life"], "B": ["death"] * 3}}, "the nearest is chaos"),
        ("position.pending[0].what", pending({"card": "life-1"}), "one of text, moving"),
        ("position.pending[0].what", pending({**FIRE_1, "what": ["text"]}), "one of text, moving"),
        ("position.pending[0].next", pending({**FIRE_1, "next": 9}), "a number from 1 to 2"),
        ("position.pending[0].command", pending({**FIRE_1, "command": "top"}), "a text of fire-1 (middle)"),
        ("position.pending[0].player", pending({**FIRE_1, "card": "fire-2"}), "fire-2 does not lie in a line"),
        ("position.sides", pending({**ON_ITS_WAY, "card": "life-1"}), "life-1 stands twice"),
        ("protocols", {"protocols": NAMES, "position": {"sides": TABLE}}, "nothing beside a position"),
    ],
)  # fmt: skip
def test_what_is_mistyped_in_a_setup_is_named_with_its_path(path: str, data: dict[str, Any], expected: str) -> None:
    with pytest.raises(SetupError) as refused:
        RULES.start(Header(log="audit/1", ruleset="compile", setup=data))
    assert refused.value.field == path
    assert expected in refused.value.expected


def test_a_text_half_carried_out_goes_on_where_it_is() -> None:
    state = started({"acted": "played", "pending": [{**FIRE_1, "next": 2, "done": 1}], "sides": TABLE})
    assert {option.event for option in RULES.expected(state)} == {Deleted}


def test_a_card_on_its_way_lands() -> None:
    state = started({"player": "B", "acted": "played", "pending": [ON_ITS_WAY], "sides": TABLE})
    forced = RULES.forced(state)
    assert forced is not None
    assert isinstance(forced[1], Landed)


def test_in_a_game_what_a_position_leaves_out_stays_as_it_is() -> None:
    state = sample("clean")[60]
    assert RULES.position({"control": "A"}, state) == RULES.position(
        {**RULES.position_data(state), "control": "A", "pending": []}, state
    )


def test_all_start_texts_are_due_unless_it_is_said_which() -> None:
    sides = {**TABLE, "A": {"protocols": ["fire", "life", "psychic"], "lines": [["psychic-1"], [], []]}}
    assert [due.card for due in started({"phase": "start", "sides": sides}).due] == ["psychic-1"]
    assert started({"phase": "start", "due": [], "sides": sides}).due == ()


@pytest.mark.every(
    ("line", "column"),
    [
        ("chess/e4", 1),
        ("compile/9A.action", 9),
        ("compile/9A.action.B/fire.life.water:;;:::/death.metal.speed:;:4:8:", 61),
        ("compile/9A.action.B/fire.life.water:f3,q1;;:::/death.metal.speed:;;:4:8:", 40),
        ("compile/9A.action.B/fire.life.water:;;:::/death.metal.speed:;;:4:8:/(acted:played", 82),
    ],
)
def test_a_line_that_cannot_be_read_says_in_which_column(line: str, column: int) -> None:
    with pytest.raises(PositionTextError) as refused:
        read_position_line(line)
    assert refused.value.column == column


def examples() -> list[str]:
    text = (Path(__file__).parents[2] / "docs" / "compile-setup.md").read_text("utf-8")
    return re.findall(r"```json\n(.*?)```", text, re.DOTALL)


@pytest.mark.every("number", range(len(examples())))
def test_the_examples_of_the_documentation_can_be_copied(number: int) -> None:
    setup = json.loads(examples()[number])
    header = {"log": "audit/1", "ruleset": "compile", "setup": setup}
    assert Draft202012Validator(json_schema(GAME)).is_valid(header)
    state = next_choice(GAME, RULES.start(Header(log="audit/1", ruleset="compile", setup=setup)))
    assert list(RULES.expected(state))


def test_the_schema_knows_the_setup_and_what_is_under_way() -> None:
    published = Draft202012Validator(json_schema(GAME))
    header = {"log": "audit/1", "ruleset": "compile", "setup": {"position": {"sides": TABLE}}}
    assert published.is_valid(header)
    assert not published.is_valid({**header, "setup": {"field": {}}})
    assert not published.is_valid({"seq": 1, "type": "checkpoint", "position": {"pending": [{"what": "tekst"}]}})
    assert TextEntry.__name__ in published.schema["$defs"]


@pytest.mark.every(("entry", "fits"), [(1, True), (None, True), (2, False), (0, False)])
def test_a_text_that_is_due_is_the_first_of_its_box_and_there_is_no_second(entry: int | None, fits: bool) -> None:
    sides = {**TABLE, "A": {"protocols": ["fire", "life", "psychic"], "lines": [["psychic-1"], [], []]}}
    due = {"card": "psychic-1", "command": "bottom", **({} if entry is None else {"entry": entry})}
    position = {"phase": "start", "due": [due], "sides": sides}
    if fits:
        assert [(one.card, one.entry) for one in started(position).due] == [("psychic-1", 0)]
    else:
        with pytest.raises(SetupError):
            started(position)


BLANK = "compile/8A.action.-/fire.life.plague:f4;l4;:::/death.metal.speed:d4;m2;s1:::"


def found_from(position: str, *lines: str) -> list[tuple[int | None, str]]:
    text = "\n".join(["game r1   A Ada: fire life plague   B Bo: death metal speed", f"position {position}", *lines])
    steps = audit(RULESET, *read_sheet(text, game="compile"))
    return [(step.seq, step.rules[0].id) for step in steps if step.verdict.is_finding]


@pytest.mark.every("line", [BLANK, BLANK.replace(":::/", ":0:3:/"), BLANK.replace(":::/", ":f1:0:/")])
def test_a_hand_or_deck_left_blank_is_not_known_and_none_at_all_is_zero(line: str) -> None:
    _, data = read_position_line(line)
    assert position_line(RULESET, data) == line
    assert RULESET.rules.position_data(RULESET.rules.start(header_of(RULESET, data)))["untold"][-1] == "B.deck"  # type: ignore[index]


def test_nothing_is_found_that_some_number_of_cards_allows() -> None:
    plays = ("A f5* 1", "B m1 2", "B draw 2", "A l2* 3", "B s3* 3", "A p5* 3", "B s5* 3", "A f1* 3")
    assert found_from(BLANK, *plays, "B refresh", "B draw 4") == []
    assert found_from(BLANK, *plays, "B d5 3") == [(10, "play.face-up-needs-protocol")]


def test_a_refresh_tells_how_many_cards_a_hand_has() -> None:
    assert found_from(BLANK, "A refresh", "A draw 5", "B d3* 1", "A refresh") == [(5, "refresh.only-under-five")]
    assert found_from(BLANK.replace(":::/", ":0:9:/"), "A f5* 1", "B refresh") == [(2, "turn.one-action")]


def test_a_zone_of_which_nothing_is_known_shows_no_number() -> None:
    _, data = read_position_line(BLANK)
    state = RULESET.rules.start(header_of(RULESET, data))
    view = RULESET.disclosure.view(state)
    assert view["untold"] == ["A.hand", "A.deck", "B.hand", "B.deck"]
