"""What the documentation says of logs is so."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from audit.core.model import type_name
from audit.core.record_events import RECORD_EVENTS, Checkpoint, PositionSet
from audit.core.ruleset import ruleset, rulesets
from replays.log.event_reference import page
from replays.log.reader import open_log
from replays.log.schemas import json_schema


def blocks(root: Path, language: str) -> list[str]:
    text = (root / "docs" / "log-format.md").read_text("utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_the_page_of_events_lists_the_events_of_every_game_and_those_about_the_record() -> None:
    listed = re.findall(r"^\| `(\w+)` \|", page(), re.MULTILINE)
    events = (event for name in rulesets() for event in ruleset(name).rules.events)
    assert set(listed) == {type_name(event) for event in (*RECORD_EVENTS, *events)}


def test_the_lines_shown_are_lines_of_a_log(root: Path) -> None:
    header, event, *_ = blocks(root, "json")
    log = open_log(io.BytesIO(f"{header}{event}".replace('"seq": 17', '"seq": 1').encode()))
    log.start()
    assert len(list(log)) == 1
    published = Draft202012Validator(json_schema(log.ruleset))
    assert log.header.game == "r3-t12"
    assert not list(published.iter_errors({"log": "audit/1", "ruleset": "compile"}))


def test_every_event_about_the_record_is_shown_with_a_line_that_can_be_read(root: Path) -> None:
    header, _, *lines = blocks(root, "json")
    seqs = (re.sub(r'"seq": \d+', f'"seq": {seq}', line) for seq, line in enumerate(lines, 1))
    log = open_log(io.BytesIO(f"{header}{''.join(seqs)}".encode()))
    published = Draft202012Validator(json_schema(log.ruleset))
    events = list(log)
    assert {type(event) for event in events} == set(RECORD_EVENTS)
    assert [list(published.iter_errors(json.loads(line))) for line in lines] == [[] for _ in lines]
    for event in events:
        if isinstance(event, PositionSet | Checkpoint):
            assert log.ruleset.rules.position(event.position, log.start()) != log.start()


def test_a_log_that_says_it_is_complete_is_one_by_the_schema(root: Path) -> None:
    for name in rulesets():
        published = Draft202012Validator(json_schema(ruleset(name)))
        header = {"log": "audit/1", "ruleset": name, "complete": True}
        assert not list(published.iter_errors(header))
        assert list(published.iter_errors({**header, "complete": "yes"}))


def test_the_example_in_python_runs(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (example,) = blocks(root, "python")
    monkeypatch.chdir(root)
    exec(example, {})
    assert len(capsys.readouterr().out.splitlines()) > 10


@pytest.mark.parametrize("name", rulesets())
def test_every_sample_obeys_the_published_schema(root: Path, name: str) -> None:
    import json

    published = Draft202012Validator(json_schema(ruleset(name)))
    Draft202012Validator.check_schema(published.schema)
    for sample in (root / "replays" / "samples").glob("*.jsonl"):
        header, *events = [json.loads(line) for line in sample.read_text("utf-8").splitlines()]
        if header["ruleset"] == name:
            one_of_each = {(event["type"], *event): event for event in events}
            assert [line for line in (header, *one_of_each.values()) if not published.is_valid(line)] == []
