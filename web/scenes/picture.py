"""A scene as a picture: a file of its own, with nothing to fetch."""

from __future__ import annotations

from collections.abc import Mapping

from audit.core.scene import Scene
from audit.core.scene_changes import Changes
from web.drawing.flow import laid_out
from web.drawing.tree import standalone
from web.scenes.board import board
from web.scenes.tree import How, scene_tree


def scene_picture(scene: Scene, changes: Changes, how: How, signs: Mapping[str, str], title: str) -> str:
    """The picture as SVG: a table across on a board, any other as it stands on the page."""
    if scene.area.layout == "facing":
        return standalone(board(scene, changes, how, signs), title)
    return standalone(laid_out(scene_tree(scene, changes, how), signs), title)
