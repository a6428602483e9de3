"""Many lines read at once have the canonical forms that each has alone, and are refused where one is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replays.log.canonical import canonical, canonical_lines
from replays.log.strict_json import NotARecordError

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
