"""Many lines read at once have the canonical forms that each has alone, and are refused where one is."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_game import resolve

from audit.core.ruleset import ruleset, rulesets
from replays.generating.simulate import simulated
from replays.log.canonical import canonical, canonical_events, canonical_lines, canonical_object
from replays.log.reader import open_log
from replays.log.schemas import decoder
from replays.log.strict_json import NotARecordError, parse
from replays.log.writer import write_log

LINES = (
    b'{"a":1}', b'{"b": 2, "a": [1, 2]}', b'{"a":1}{"b":2}', b'{"a":1},{"b":2}', b'{"a":', b'1}', b'{"a":[{}', b'{}]}',
    b"",    b'{"a":1,"a":2}', b'{"a":{"b":1,"b":2}}', b'{"a":1.5}', b'{"a":1e3}', b'{"a":12345678901234567890}',
    b'{"a":"\\u0041"}',    '{"é":"é"}'.encode(), b'  {"a":1}', b'{"a":1}  ', b'{"a":"}{"}',
    b'{"a":"x\n{y"}', b'{"a":{"b":{}}}', b"[1]", b"{}",
)  # fmt: skip


def one_by_one(lines: list[bytes]) -> list[bytes] | None:
    try:
        return [canonical(line) for line in lines]
    except NotARecordError:
        return None


@given(st.lists(st.sampled_from(LINES), max_size=5))
def test_together_as_one_by_one(lines: list[bytes]) -> None:
    expected = one_by_one(lines)
    if expected is None:
        with pytest.raises(NotARecordError):
            canonical_lines(lines)
    else:
        assert canonical_lines(lines) == expected


def test_two_objects_in_one_line_do_not_make_up_for_one_over_two_lines() -> None:
    for lines in ([b'{"a":', b'1}{"b":2}'], [b'{"a":1}{"b":2}', b'{"c":[{}', b"]}"], [b'{"a":{}', b'}{"b":1}']):
        with pytest.raises(NotARecordError):
            canonical_lines(lines)


def test_more_lines_than_are_read_at_once() -> None:
    lines = [b'{"seq": %d, "a": 1}' % number for number in range(2_500)]
    assert canonical_lines(lines) == [b'{"a":1,"seq":%d}' % number for number in range(2_500)]


# The forms of events that were read, made of the events


SAMPLES = sorted((Path(__file__).resolve().parents[2] / "replays" / "samples").glob("*.jsonl"))


@pytest.mark.every("path", SAMPLES, ids=lambda path: path.stem)
def test_events_that_were_read_have_the_forms_of_their_lines(path: Path) -> None:
    for batch in open_log(path).batches():
        assert batch.forms() == [canonical_object(parse(line)) for line in batch.lines]


@pytest.mark.parametrize("name", rulesets())
@pytest.mark.parametrize("seed", range(3))
def test_so_have_those_of_a_simulated_game(name: str, seed: int, tmp_path: Path) -> None:
    write_log(tmp_path / "log.jsonl", *simulated(ruleset(name), seed, "uniform", []))
    batches = list(open_log(tmp_path / "log.jsonl").batches())
    assert all(batch.is_clear for batch in batches)
    assert all(canonical_events(batch.events, batch.text) for batch in batches)
    for batch in batches:
        assert batch.forms() == [canonical_object(parse(line)) for line in batch.lines]


BEGUN = b'{"log": "audit/1", "ruleset": "small"}\n'
SAID = (
    b'{"seq": %d, "type": "pile_taken", "pile": 2}', b'{"pile":2,"type":"pile_taken","seq":%d}',
    b'{"seq": %d, "type": "pile_taken", "pile": 2, "note": null}',
    b'{"seq": %d, "type": "pile_taken", "pile": 2, "x-a": {"b": 1.50}}',
    b'{"seq": %d, "type": "laid", "player": "A", "card": "oak-1", "pile": 1, "face": "up"}',
    b'{"seq": %d, "type": "laid", "player": "A", "card": "oak-1", "pile": 1, "note": "\\u00e9"}',
    b'{"seq": %d, "type": "drew", "player": "A", "cards": ["oak-1" , "oak-2"], "note": "\xc3\xa9"}',
    b'{"seq": %d, "type": "drew", "player": "A", "count": 1234567890123456}',
    b'{"seq": %d, "type": "named", "place": "1", "sure": true}',
    b'{"seq": %d, "type": "position_set", "position": {"b": 1.0, "a": {"d": [], "c": 2e2}}, "why": "x"}',
    b'{"seq": %d, "type": "flagged", "note": "a}{b"}',
)  # fmt: skip


@given(st.lists(st.sampled_from(SAID), min_size=1, max_size=8))
def test_however_the_lines_are_written(said: list[bytes]) -> None:
    text = BEGUN + b"\n".join(line % seq for seq, line in enumerate(said, 1)) + b"\n"
    for batch in open_log(io.BytesIO(text), resolve=resolve).batches():
        assert batch.forms() == [canonical_object(parse(line)) for line in batch.lines]


EXPEDITION = (
    b'{"seq": 2, "type": "expedition_totals", "player": "p1", "expedition": "hero", "against": "p2 hero", '
    b'"region": ["forest"], "own": {"forest": 1}, "opposing": {"forest": 1, "mountain": 0, "water": 0}}'
)


def test_a_key_left_out_of_one_line_does_not_make_up_for_one_said_needlessly_in_another() -> None:
    """What an expedition has none of need not be said; nothing at all need be said of a note."""
    lines = [b'{"seq": 1, "type": "player_passed", "player": "p1", "note": null, "note_for": null}', EXPEDITION]
    decode = decoder(ruleset("altered").rules.events).decode
    assert canonical_events([decode(line) for line in lines], b"\n".join(lines)) == []
