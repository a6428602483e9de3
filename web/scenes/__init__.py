"""A scene on the page and as a picture: one renderer for every game."""

from __future__ import annotations

from audit.core.errors import AuditError
from audit.core.ruleset import SceneMaker, ruleset


def scene_maker_of(name: str) -> SceneMaker:
    """What says what is on the table of that game; a game that is not installed here is shown as a list of fields."""
    try:
        return ruleset(name).scene_maker
    except AuditError:
        return SceneMaker()


def signs_of(name: str) -> dict[str, str]:
    """The signs of a game, and under the empty name the one for everything that has none."""
    return {"": "M8 2.2 13.8 8 8 13.8 2.2 8z", **scene_maker_of(name).signs}
