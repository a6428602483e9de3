"""The notation of a position's text, for any game: what is written is read again, and a mistake has its column."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.errors import PositionTextError
from audit.position_text import compact, expanded

words = st.text(max_size=8)
leaves = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | words
values = st.recursive(leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4))


@given(values)
def test_what_is_written_is_read_again(value: object) -> None:
    assert expanded(compact(value)) == value


def test_it_reads_as_one_would_write_it() -> None:
    value = {"turn": 9, "hand": ["fire-1", "?h1"], "over": None, "won": True, "note": "a blank"}
    assert compact(value) == "(turn:9,hand:!(fire-1,?h1),over:!n,won:!t,note:'a blank')"


@pytest.mark.parametrize(
    ("text", "column"),
    [("(turn:9", 8), ("(turn 9)", 6), ("!(a,b", 6), ("(a:1)b", 6), ("(a:)", 4), ("", 1), ("'open", 1)],
)
def test_a_mistake_has_its_column(text: str, column: int) -> None:
    with pytest.raises(PositionTextError) as refused:
        expanded(text)
    assert refused.value.column == column
