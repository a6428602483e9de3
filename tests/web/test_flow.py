"""Tables of words as pictures: nothing is lost, nothing sticks out, nothing more is told than on the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest

from audit.core.scene_changes import changes
from tests.web.other_tables import altered, reveal
from web import create_app
from web.drawing.flow import MARGIN, WIDE, laid_out
from web.drawing.tree import Node, can_be_made, node, standalone
from web.drawing.words import text_width
from web.scenes import scene_maker_of
from web.scenes.tree import scene_tree

SIGNS = {"": "M0 0"}
SAMPLES = ("lotr-crows", "altered-duel")


def drawn(ruleset: str, states: list[dict[str, object]], step: int) -> Node:
    scenes = [scene_maker_of(ruleset).scene(state, "fr") for state in states]
    found = changes(scenes, [()] * len(scenes), [""] * len(scenes))
    return scene_tree(scenes[step], found[step], {"players": {"p1": "Ada"}})


def words(tree: Node | str) -> Iterator[str]:
    """Every word but those for which a path shows where somebody stands."""
    if isinstance(tree, str):
        yield from tree.split()
        return
    for child in tree[2] if tree[1].get("class") != "at" else ():
        yield from words(child)


def nodes(tree: Node, tag: str) -> Iterator[Node]:
    for child in tree[2]:
        if not isinstance(child, str):
            if child[0] == tag:
                yield child
            yield from nodes(child, tag)


def size(picture: Node) -> tuple[int, int]:
    width, height = str(picture[1]["viewBox"]).split()[2:]
    return int(width), int(height)


@pytest.mark.parametrize("step", [0, 1, 2])
@pytest.mark.parametrize(
    ("ruleset", "states"), [("lotr-reveal", reveal()), ("altered", altered()), ("none", altered())]
)
def test_every_word_of_the_table_stands_in_the_picture_and_inside_it(
    ruleset: str, states: list[dict[str, object]], step: int
) -> None:
    tree = drawn(ruleset, states, step)
    picture = laid_out(tree, SIGNS)
    assert sorted("".join(words(picture))) == sorted("".join(words(tree)))
    width, height = size(picture)
    for text in nodes(picture, "text"):
        x, y = cast(int, text[1]["x"]), cast(int, text[1]["y"])
        assert x >= MARGIN
        assert x + text_width(" ".join(words(text))) <= width
        assert 0 < y < height
    for box in nodes(picture, "rect"):
        assert cast(int, box[1]["x"]) >= 0
        assert cast(int, box[1]["x"]) + cast(int, box[1]["width"]) <= width


def test_what_is_now_and_what_changed_is_told_by_shape_too() -> None:
    picture = laid_out(drawn("lotr-reveal", reveal(), 1), SIGNS)
    assert [box for box in nodes(picture, "rect") if box[1]["class"] == "bar"]
    assert [box for box in nodes(picture, "rect") if box[1]["class"] == "light"]
    assert any("struck" in str(text[1]["class"]) for text in nodes(picture, "text"))
    assert any("name" in str(text[1]["class"]) for text in nodes(picture, "text"))


def test_nested_reveals_stand_inside_each_other() -> None:
    picture = laid_out(drawn("lotr-reveal", reveal(), 1), SIGNS)
    outer, inner, *_players = [box[1] for box in nodes(picture, "rect") if box[1]["class"] == "box"]
    assert cast(int, outer["x"]) < cast(int, inner["x"])
    assert cast(int, inner["y"]) + cast(int, inner["height"]) < cast(int, outer["y"]) + cast(int, outer["height"])


def test_a_long_line_is_broken_and_a_long_word_cut() -> None:
    long = "lang " * 400 + "x" * 400
    picture = laid_out(node("div", {}, node("p", {}, long)), SIGNS)
    texts = list(nodes(picture, "text"))
    assert len(texts) > 10
    assert "…" in str(texts[-1][2][0])
    assert size(picture)[0] == WIDE


def test_names_have_no_power_in_a_picture() -> None:
    assert "<script" not in standalone(laid_out(node("div", {}, node("p", {}, "<script>")), SIGNS), "<script>")


@pytest.mark.parametrize("game", SAMPLES)
def test_pictures_of_every_table_have_an_address(game: str) -> None:
    client = create_app().test_client()
    answer = client.get(f"/games/{game}.svg?step=9")
    assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")
    public = client.get(f"/games/{game}?step=9&as=public").get_data(as_text=True)
    form = "png" if can_be_made() else "svg"
    assert f'<meta property="og:image" content="http://localhost/games/{game}.{form}?step=9&amp;as=public">' in public
    if can_be_made():
        shown = client.get(f"/games/{game}.png?step=9&as=public")
        assert shown.data.startswith(b"\x89PNG")


@pytest.mark.skipif(not can_be_made(), reason="needs audit[pictures]")
def test_a_table_that_is_turned_round_is_another_picture() -> None:
    client = create_app().test_client()
    assert client.get("/games/dispute.png?step=9").data != client.get("/games/dispute.png?step=9&bottom=B").data


def test_names_below_each_other_take_one_line_each_and_what_they_name_begins_at_one_place() -> None:
    zones = [
        node("div", {"class": "zone"}, node("span", {"class": "quiet"}, name), node("span", {}, "unknown"))
        for name in ("deck", "points of interest")
    ]
    picture = laid_out(node("div", {}, *zones), SIGNS, 600)
    placed = [(each[2][0], each[1]["x"], each[1]["y"]) for each in nodes(picture, "text")]
    assert [words for words, *_ in placed] == ["deck", "unknown", "points of interest", "unknown"]
    (_, left, _), (_, first, above), (_, also_left, below), (_, second, same) = placed
    assert (left, first, below) == (also_left, second, same)
    assert above != below


def test_a_picture_is_called_by_its_step_and_by_whose_eyes_it_is() -> None:
    client = create_app().test_client()
    for viewer, suffix in (("public", "png"), ("judge", "svg")):
        shown = client.get(f"/games/dispute.{suffix}?step=25&as={viewer}")
        assert shown.headers["Content-Disposition"] == f"inline; filename=dispute-25-{viewer}.{suffix}"
    sheet = client.get("/games/dispute/sheet.pdf?step=25&as=public")
    assert sheet.headers["Content-Disposition"] == "inline; filename=dispute-25-public.pdf"
