"""How deep a line may be nested is told from its marks alone, and never too kindly."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replays.log.strict_json import MAX_DEPTH, is_shallow

leaves = st.integers() | st.text('ab{}[]",: ', max_size=4).filter(lambda text: '"' not in text)
values = st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.just("k"), inner))


def nested(levels: int, inside: object = 1) -> object:
    """A value in so many boxes, lists and records by turns."""
    for number in range(levels):
        inside = [inside] if number % 2 else {"k": inside}
    return inside


def depth(value: object) -> int:
    """How many boxes stand in one another."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(depth, inner), default=0)


@pytest.mark.every("levels", [1, 2, MAX_DEPTH - 1, MAX_DEPTH])
def test_a_record_may_be_nested_so_deep(levels: int) -> None:
    assert is_shallow(json.dumps(nested(levels)).encode())


@pytest.mark.every("levels", [MAX_DEPTH + 1, MAX_DEPTH + 2, 2 * MAX_DEPTH, 5000])
def test_and_no_deeper(levels: int) -> None:
    assert not is_shallow(b"[" * levels + b"]" * levels)


@given(st.integers(MAX_DEPTH - 3, MAX_DEPTH + 3), values)
def test_brackets_in_texts_never_make_a_record_look_flatter(levels: int, inside: object) -> None:
    record = nested(levels, inside)
    line = json.dumps(record).encode()
    if depth(record) > MAX_DEPTH:
        assert not is_shallow(line)
    elif not any(mark in text for text in line.split(b'"')[1::2] for mark in b"{}[]"):
        assert is_shallow(line)
