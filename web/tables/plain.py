"""A table for any game: the position as nested lists, what has changed marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from web.drawing.tree import Node, node

SCRIPT = "tables/plain.js"
Json = Mapping[str, object]


def words(states: Sequence[Json], players: Mapping[str, str], language: str) -> dict[str, object]:
    """The players; the rest of a position is shown under the names it has in the log."""
    return {"players": dict(players), "band": "{turn}"}


def public_setup(setup: Json) -> dict[str, object]:
    """Nothing: what is hidden in a setup is for its own table to say."""
    return {}


def changes(states: Sequence[Json], events: Sequence[Json | None]) -> list[dict[str, object]]:
    """The fields that are not what they were, by their path."""
    found: list[dict[str, object]] = [{}]
    for before, after in pairwise(states):
        paths = sorted(changed_paths(before, after, ""))
        found.append({"paths": paths} if paths else {})
    return found[: len(states)]


def changed_paths(before: object, after: object, path: str) -> set[str]:
    """Where two values differ, as dotted paths to the deepest field that does."""
    if before == after:
        return set()
    if not isinstance(before, Mapping) or not isinstance(after, Mapping):
        return {path}
    return {
        deeper
        for key, value in after.items()
        for deeper in changed_paths(before.get(key), value, f"{path}.{key}" if path else str(key))
    }


def band(state: Json) -> tuple[str, str, str]:
    """The turn, day or frame, where the position names one."""
    stretch = next((state[key] for key in ("turn", "day", "frame") if key in state), "")
    return str(stretch), "", str(state.get("player") or "")


def mark(event: Json | None) -> str:
    """One icon for every event."""
    return "event"


def draw(state: Json, changes: Json, words: Json, how: Json) -> Node:
    """The position as nested lists."""
    paths = changes.get("paths") or ()
    marked = frozenset(str(path) for path in paths) if isinstance(paths, Sequence) else frozenset()
    return node("div", {"class": "plain"}, fields(state, "", marked))


def fields(value: Mapping[str, object], path: str, marked: frozenset[str]) -> Node:
    """An object as a list of names and values."""
    rows: list[Node | str] = []
    for key, inner in value.items():
        deeper = f"{path}.{key}" if path else str(key)
        kind = {"class": "changed"} if deeper in marked else {}
        name = node("span", {"class": "key"}, str(key).replace("_", " "))
        rows.append(node("li", {**kind}, name, shown(inner, deeper, marked)))
    return node("ul", {"class": "fields"}, *rows)


def shown(value: object, path: str, marked: frozenset[str]) -> Node:
    """A value as a node: objects and lists nested, the rest as words."""
    if isinstance(value, Mapping):
        return fields(value, path, marked) if value else node("span", {"class": "none"}, "–")
    if isinstance(value, (list, tuple)):
        if not value:
            return node("span", {"class": "none"}, "–")
        items: list[Node | str] = [node("li", {}, shown(item, path, frozenset())) for item in value]
        return node("ol", {"class": "items"}, *items)
    return node("span", {"class": "value"}, said(value))


def said(value: object) -> str:
    """A plain value in words."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "✓" if value else "–"
    return str(value)
