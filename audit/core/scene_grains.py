"""How finely a reader goes through a game: by what a player began, by what moves or is decided, or by every event.

The same for every game and every renderer: a game only names the events by which a player begins something
(`SceneMaker.actions`); what moves is told from its scenes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from audit.core.ruleset import SceneMaker
from audit.core.scene import Scene, TrackStep

GRAINS = ("actions", "steps", "raw")
"""From coarse to fine. A reader of one grain stops at its own steps and at those of the grains before it."""

ACTION, MOVE, RAW = range(3)
Json = Mapping[str, object]


def grain_of(step: Json, maker: SceneMaker, before: Scene | None, after: Scene) -> int:
    """The place in `GRAINS` of the coarsest grain that stops at a step."""
    event = cast("Json | None", step.get("event"))
    if event is None or step["verdict"] not in ("legal", "inferred") or event.get("note"):
        return ACTION
    if cast(int, step.get("depth") or 0) <= maker.actions.get(str(event["type"]), -1):
        return ACTION
    moves = before is None or event["type"] in maker.decisions or _things(before) != _things(after)
    return MOVE if moves else RAW


def _things(scene: Scene) -> list[object]:
    """What lies on the table. The parts of a day are no things: that another has come moves nothing."""
    return [part for _, part in scene.parts if not isinstance(part, TrackStep) or part.number]
