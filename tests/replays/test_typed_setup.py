"""A setup is read as its game declares it; what does not fit is named with its path."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from msgspec import UNSET, Meta, Struct, UnsetType

from audit.core.errors import SetupError
from audit.core.typed_setup import read_typed


class Lying(Struct, tag_field="what", tag="lying", forbid_unknown_fields=True):
    """A card that lies somewhere."""

    card: str
    face: Literal["up", "down"] = "up"


class Moving(Struct, tag_field="what", tag="moving", forbid_unknown_fields=True):
    """A card on its way."""

    card: str
    line: Annotated[int, Meta(ge=1, le=3)]


class Dated(Struct, kw_only=True, forbid_unknown_fields=True):
    """A day, with a word about it."""

    note: str = ""
    day: int


class Setup(Struct, forbid_unknown_fields=True):
    """A setup of a game that does not exist."""

    pending: tuple[Lying | Moving, ...] = ()
    hands: dict[str, tuple[str, ...] | int] = {}
    sides: dict[str, Lying] = {}
    piles: Annotated[dict[str, int], Meta(description="how many cards")] = {}
    when: Dated | UnsetType = UNSET


@pytest.mark.every(
    ("data", "path", "expected"),
    [
        ({"hand": {}}, "hand", 'one of pending, hands, sides, piles, when (did you mean "hands"?)'),
        ({"hands": {"A": 3, "B": "many"}}, "hands.B", "a list, each a text or a whole number"),
        ({"hands": {"A": ["fire", 3]}}, "hands.A[1]", "a text"),
        ({"pending": [{"card": "x"}]}, "pending[0].what", "one of lying, moving"),
        ({"pending": [{"what": "movng", "card": "x"}]}, "pending[0].what", 'did you mean "moving"?'),
        ({"pending": [{"what": "moving", "card": "x", "line": 4}]}, "pending[0].line", "a whole number from 1 to 3"),
        ({"pending": [{"what": "moving", "card": "x"}]}, "pending[0].line", "a whole number from 1 to 3"),
        ({"pending": [{"what": "lying", "card": "x", "fase": "up"}]}, "pending[0].fase", 'did you mean "face"?'),
        ({"pending": [{"what": "lying", "card": "x", "face": "left"}]}, "pending[0].face", '"down" or "up"'),
        ({"sides": {"A": {"what": "lying", "card": "x"}, "B": {"what": "lying", "card": 1}}}, "sides.B.card", "a text"),
        ({"hands": {"A": {"x": 1}}}, "hands.A", "a list, each a text or a whole number"),
        ({"hands": {"A": 3.5}}, "hands.A", "a list, each a text or a whole number"),
        ({"sides": {"A": [1]}}, "sides.A", "an object"),
        ({"piles": {"A": 1, "B": "many"}}, "piles.B", "a whole number"),
        ({"when": {}}, "when.day", "a whole number"),
        ({"when": {"day": 3, "note": 4}}, "when.note", "a text"),
        ({"when": 4}, "when", "an object"),
        ([], "", "an object"),
    ],
)
def test_a_mistake_is_named_with_its_path(data: object, path: str, expected: str) -> None:
    with pytest.raises(SetupError) as refused:
        read_typed(data, Setup)
    assert refused.value.field == path
    assert expected in refused.value.expected


def test_what_fits_is_read_and_free_keys_are_left_out_at_any_depth() -> None:
    data = {"x-table": 4, "hands": {"A": 3}, "pending": [{"what": "lying", "card": "x", "x-seen": True}]}
    assert read_typed(data, Setup) == Setup(pending=(Lying("x"),), hands={"A": 3})


def test_the_path_begins_where_the_data_stand() -> None:
    with pytest.raises(SetupError, match=r"setup\.position\.hands\.A\[0\]: expected a text"):
        read_typed({"hands": {"A": [1]}}, Setup, "position")
