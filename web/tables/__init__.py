"""The tables on which games are drawn, one module a ruleset; a game without one is shown as nested lists.

A module of this package is found by the ruleset's name and offers what `Table` names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol, cast

from web.drawing.tree import Node

Json = Mapping[str, object]


class Table(Protocol):
    """How one game is drawn. `SCRIPT` is the module in `static/` that draws the same in the browser."""

    SCRIPT: str

    def words(self, states: Sequence[Json], players: Mapping[str, str], language: str) -> dict[str, object]:
        """The words the drawing needs: names, short texts, captions. Nothing that depends on hidden cards.

        `band` is how a stretch is named (with `{turn}`), `parts` the names of its parts.
        """

    def public_setup(self, setup: Json) -> dict[str, object]:
        """Of the header's setup what everybody at the table knows."""

    def changes(self, states: Sequence[Json], events: Sequence[Json | None]) -> list[dict[str, object]]:
        """What every step changed, for the eye: marks on what stands there, ghosts where something was."""

    def band(self, state: Json) -> tuple[str, str, str]:
        """The stretch of the game a state belongs to: its number, its part where it has parts, and whose it is."""

    def mark(self, event: Json | None) -> str:
        """The icon of an event, the same in list, strip and field."""

    def draw(self, state: Json, changes: Json, words: Json, how: Json) -> Node:
        """The table as a tree; `how` has `layout` (wide, narrow), `line`, `bottom` (a seat) and `hide`."""


@cache
def table(ruleset: str) -> Table:
    """The table of a ruleset, or the plain one."""
    name = f"web.tables.{ruleset.replace('-', '_')}"
    known = ruleset.replace("-", "").isalnum() and find_spec(name)
    return cast(Table, import_module(name if known else "web.tables.plain"))
