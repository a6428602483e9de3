"""A game with a protocol that nobody here knows: refused by name, or recorded and shown without being judged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from audit.core.auditor import audit as judged
from audit.core.model import Verdict
from audit.games.compile import RULESET
from cli import audit
from replays.errors import LogError
from replays.log import open_log
from tests.command_line import run

LOG: tuple[dict[str, object], ...] = (
    {
        "log": "audit/1", "ruleset": "compile", "game": "beach", "players": [{"seat": "A"}, {"seat": "B"}], "setup": {
            "position": {"player": "A", "phase": "action", "turn": 5, "sides": {
                "A": {"protocols": ["sand", "fire", "life"], "hand": ["sand-0", "fire-3"], "deck": ["sand-1", "sand-2"],
                      "lines": [["sand-4"], [], []]},
                "B": {"protocols": ["death", "metal", "speed"], "hand": ["speed-1"], "deck": ["speed-2"]},
            }}
        }
    },
    {"seq": 1, "type": "played", "player": "A", "card": "sand-0", "line": 1, "face": "up"},
    {"seq": 2, "type": "committed", "card": "sand-0"},
    {"seq": 3, "type": "landed", "card": "sand-0", "line": 1},
    {"seq": 4, "type": "drew", "player": "A", "cards": ["sand-1"]},
    {"seq": 5, "type": "phase_began", "phase": "cache"},
)  # fmt: skip


def written(folder: Path, **header: object) -> Path:
    path = folder / "beach.jsonl"
    first, *events = LOG
    path.write_text("".join(json.dumps(line) + "\n" for line in ({**first, **header}, *events)), "utf-8")
    return path


def test_a_protocol_nobody_knows_is_named_with_the_nearest_known_one(tmp_path: Path) -> None:
    with pytest.raises(LogError) as caught:
        open_log(written(tmp_path)).start()
    assert 'not "sand"; the nearest is ' in str(caught.value)
    assert "position.sides.A.protocols[0]" in str(caught.value)


def test_a_record_of_unknown_cards_is_rebuilt_and_no_step_of_it_is_judged(tmp_path: Path) -> None:
    log = open_log(written(tmp_path, unknown="record"))
    _, *steps = judged(RULESET, log.header, log)
    assert {step.verdict for step in steps} == {Verdict.UNCHECKED}
    view = RULESET.disclosure.view(steps[-1].state, "judge")
    side = view["sides"]["A"]
    assert [placed["card"] for placed in side["lines"][0]] == ["sand-4", "sand-0"]
    assert (side["hand"], side["deck"], view["phase"]) == (["fire-3", "sand-1"], ["sand-2"], "cache")


def test_a_game_of_known_cards_is_judged_whatever_is_said_of_unknown_ones(tmp_path: Path) -> None:
    path = written(tmp_path, unknown="record")
    path.write_text(path.read_text("utf-8").replace("sand", "water"), "utf-8")
    log = open_log(path)
    _, *steps = judged(RULESET, log.header, log)
    assert Verdict.LEGAL in {step.verdict for step in steps}
    assert any(step.verdict.is_finding for step in steps)


@pytest.mark.parametrize(
    "command", [["replay"], ["check"], ["publish", "-o", "game.html"], ["publish", "-o", "game.svg"]]
)
@pytest.mark.parametrize("language", ["en", "pl"])
def test_it_is_shown_and_published(tmp_path: Path, command: list[str], language: str) -> None:
    name, *more = command
    more = [str(tmp_path / word) if word.startswith("game.") else word for word in more]
    result = CliRunner().invoke(audit, [name, str(written(tmp_path, unknown="record")), *more, "--lang", language])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    assert result.exit_code in (0, 1), result.output


def test_a_position_with_unknown_cards_is_printed_and_shown(tmp_path: Path) -> None:
    line = CliRunner().invoke(audit, ["position", str(written(tmp_path, unknown="record"))]).output.strip()
    assert line.startswith("compile/5A.cache.-/sand.fire.life:sa40;;")
    assert b'not "sand"; the nearest is ' in run("position", "--read", line).stderr
    shown = CliRunner().invoke(audit, ["position", "--read", line, "--unknown"])
    assert (shown.exit_code, "sand-4" in shown.output) == (0, True)


def test_a_game_of_unknown_cards_comes_back_from_its_score_sheet(tmp_path: Path) -> None:
    path = written(tmp_path, unknown="record")
    sheet = CliRunner().invoke(audit, ["score", "write", str(path)]).output
    assert "A sand-0 1" in sheet.splitlines()
    (tmp_path / "sheet.txt").write_text(sheet, "utf-8")
    lines = CliRunner().invoke(audit, ["score", "read", str(tmp_path / "sheet.txt")]).output.splitlines()
    assert [json.loads(line) for line in lines[1:]] == list(LOG[1:])
    assert json.loads(lines[0])["unknown"] == "record"


def test_on_a_paper_sheet_a_card_of_an_unknown_protocol_may_be_cut_short(tmp_path: Path) -> None:
    sheet = 'game beach   A: sand fire life   B: death metal speed\nheader {"unknown":"record"}\nA sa0* 2\nB d1 1\n'
    (tmp_path / "sheet.txt").write_text(sheet, "utf-8")
    done = CliRunner().invoke(audit, ["score", "read", str(tmp_path / "sheet.txt")])
    assert [json.loads(line).get("card") for line in done.output.splitlines()] == [None, "sand-0", "death-1"]


def test_a_protocol_nobody_knows_may_have_been_compiled(tmp_path: Path) -> None:
    position = json.loads(json.dumps(LOG[0]["setup"]))["position"]
    position["sides"]["A"]["protocols"][0] = {"name": "sand", "compiled": True}
    log = open_log(written(tmp_path, unknown="record", setup={"position": position}))
    first, *_ = judged(RULESET, log.header, log)
    assert RULESET.disclosure.view(first.state, "judge")["sides"]["A"]["protocols"][0] == {
        "name": "sand", "compiled": True,
    }  # fmt: skip
