"""Scenes that travel as differences arrive as they were."""

from __future__ import annotations

from typing import cast

from hypothesis import given
from hypothesis import strategies as st

from tests.web.made import MadeReplay, dispute, header, long
from web.games.payload import PIECE, Prepared
from web.scenes.wire import patch, patched

scalars = st.none() | st.booleans() | st.integers(-5, 5) | st.text("abc", max_size=3)
names = st.text("abcdef", min_size=1, max_size=2)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3))
objects = st.dictionaries(names, values, max_size=4)


@given(objects, objects)
def test_a_patch_turns_the_one_into_the_other(before: dict[str, object], after: dict[str, object]) -> None:
    assert patched(before, patch(before, after)) == after


def test_what_is_the_same_is_not_sent() -> None:
    assert patch({"a": {"b": 1, "c": [1, 2]}}, {"a": {"b": 1, "c": [1, 2]}}) == {}
    assert patch({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}}) == {"a": {"c": 3}}


def test_every_step_of_a_long_game_is_put_together_again() -> None:
    steps = long(2 * PIECE + 10)
    game = Prepared(MadeReplay(header(), steps))
    for number in range(3):
        scene: object = {}
        wire = game.pieces[number].wire
        for offset, small in enumerate(cast("list[dict[str, object]]", game.chunk(number)["steps"])):
            scene = patched(scene, small.get("t", {}))
            assert scene == wire.scene(game.scenes[number * PIECE + offset])


def test_a_step_names_its_causes_by_step_not_by_line_of_the_log() -> None:
    game = Prepared(MadeReplay(header(), dispute()))
    assert [game.steps_of_seq[seq] for seq in (1, 2, 3)] == [1, 3, 4]
    assert game.causes(5) == [3, 1]
