"""The notation of a position's text, for any game: what is written is read again, and a mistake has its column."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.core.errors import PositionTextError
from audit.core.written_forms import compact, expanded

words = st.text(max_size=8)
leaves = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | words
values = st.recursive(leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4))


@given(values)
def test_what_is_written_is_read_again(value: object) -> None:
    assert expanded(compact(value)) == value


def test_it_reads_as_one_would_write_it() -> None:
    value = {"turn": 9, "hand": ["fire-1", "?h1"], "over": None, "won": True, "note": "a blank"}
    assert compact(value) == "(turn:9,hand:!(fire-1,?h1),over:!n,won:!t,note:'a blank')"


@pytest.mark.every(
    ("text", "column"),
    [("(turn:9", 8), ("(turn 9)", 6), ("!(a,b", 6), ("(a:1)b", 6), ("(a:)", 4), ("", 1), ("'open", 1)],
)
def test_a_mistake_has_its_column(text: str, column: int) -> None:
    with pytest.raises(PositionTextError) as refused:
        expanded(text)
    assert refused.value.column == column


@pytest.mark.every(
    ("text", "found"),
    [("(a:1)bcdefghijklmnop", "bcdefghijklm"), ("(a:1)bc", "bc"), ("(a:1", "the end"), ("!(a", "the end")],
)
def test_a_mistake_shows_what_stands_there(text: str, found: str) -> None:
    with pytest.raises(PositionTextError) as refused:
        expanded(text)
    assert refused.value.found == found


def test_the_column_is_counted_from_what_stands_before() -> None:
    with pytest.raises(PositionTextError) as refused:
        expanded("(turn:9", offset=8)
    assert refused.value.column == 16


@pytest.mark.every(("text", "value"), [("12", 12), ("-3", -3), ("1.5", 1.5), ("2.0", 2.0), ("!f", False)])
def test_a_number_is_whole_or_has_a_point(text: str, value: object) -> None:
    read = expanded(text)
    assert (read, type(read)) == (value, type(value))


def test_lists_lie_in_each_other_up_to_some_levels_and_beside_each_other_without_end() -> None:
    beside = f"!({','.join(['!(!(a))'] * 100)})"
    assert expanded(beside) == [[["a"]]] * 100
    assert compact(expanded("!(" * 32 + ")" * 32)) == "!(" * 32 + ")" * 32
    with pytest.raises(PositionTextError) as refused:
        expanded("!(" * 33 + ")" * 33)
    assert refused.value.expected == "at most 32 levels"
