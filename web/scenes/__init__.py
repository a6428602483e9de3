"""A scene on the page and as a picture: one renderer for every game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from audit.core.errors import AuditError
from audit.core.ruleset import SceneMaker, ruleset
from audit.core.scene import Scene
from audit.core.scene_changes import Changes
from web.drawing.flow import WIDE, laid_out
from web.drawing.tree import headed, standalone
from web.scenes.board import board
from web.scenes.board_layout import Needs, all_of, needs_of
from web.scenes.cards import How
from web.scenes.tree import scene_tree


def scene_maker_of(name: str) -> SceneMaker:
    """What says what is on the table of that game; a game that is not installed here is shown as a list of fields."""
    try:
        return ruleset(name).scene_maker
    except AuditError:
        return SceneMaker()


def signs_of(name: str) -> dict[str, str]:
    """The signs of a game, and under the empty name the one for everything that has none."""
    return {"": "M8 2.2 13.8 8 8 13.8 2.2 8z", **scene_maker_of(name).signs}


def scene_picture(
    scene: Scene, changes: Changes, how: How, signs: Mapping[str, str], title: str,
    above: tuple[str, str] | None = None, needs: Needs | None = None, width: int = WIDE,
) -> str:  # fmt: skip
    """The picture as SVG: a table across on a board, any other as it stands on the page.

    `above` is written over it: where it is from, and what happened. A board has room for what it `needs`, any other
    table is so many units wide.
    """
    is_across = scene.area.layout == "facing"
    if is_across:
        drawn = board(scene, changes, how, signs, needs)
    else:
        drawn = laid_out(scene_tree(scene, changes, how), signs, width)
    return standalone(headed(drawn, *above) if above else drawn, title)


def needs_of_all(scenes: Sequence[tuple[Scene, Changes]], bottom: str) -> Needs | None:
    """What has room for each of these scenes, so that their pictures are alike; None where they are no boards."""
    across = [(scene, changes) for scene, changes in scenes if scene.area.layout == "facing"]
    return all_of(needs_of(scene, changes, bottom) for scene, changes in across) if across else None
