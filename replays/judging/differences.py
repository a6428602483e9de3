"""Differences between two positions in the words of a game, one row for each place.

A game names the places of its positions in `text/<language>/position.toml`. A key is the path to the place with
names for what varies (`sides.{player}.lines.{line}`); keys of the section `said.` word what lies there. A game
without that file is described by the paths themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from msgspec import Struct

from audit.core.catalogue import words
from audit.core.names import BY_SEAT, Players
from audit.core.ruleset import Ruleset
from audit.core.sentences import has_file, listed, sentence

State = Mapping[str, object]
Path = tuple[str, ...]
Bound = Mapping[str, str]

FILE = "position"
SAID = "said."
UNSEEN = "?"
"""How the handle of a card begins that a viewer may not know."""

_NAME = re.compile(r"\{(\w+)\}")


class Row(Struct, frozen=True):
    """A place of which the readings do not say the same: how it is called, and what each has there."""

    place: str
    said: Mapping[str, str]

    def grouped(self) -> list[tuple[tuple[str, ...], str]]:
        """The readings that have the same there, together."""
        found: dict[str, list[str]] = {}
        for name, text in self.said.items():
            found.setdefault(text, []).append(name)
        return [(tuple(names), text) for text, names in found.items()]


class _Leaf(Struct, frozen=True):
    """A place of a position: its pattern, its rank in the language file, and what it holds."""

    pattern: str
    rank: int
    bound: Bound
    value: object


def differences(
    game: Ruleset[object], states: Mapping[str, State], language: str, players: Players = BY_SEAT
) -> list[Row]:
    """A row for each place where these positions differ, in the order of the game's language file.

    Places without a name of their own are told only where nothing else differs.
    """
    field_getter = _Teller(game, language, players)
    found = {name: field_getter.leaves(state) for name, state in states.items()}
    paths = sorted(
        dict.fromkeys(path for leaves in found.values() for path in leaves),
        key=lambda path: min(leaves[path].rank for leaves in found.values() if path in leaves),
    )
    rows: list[Row] = []
    unnamed: list[Row] = []
    for path in paths:
        there = {name: field_getter.said(leaves.get(path), path) for name, leaves in found.items()}
        if len(set(there.values())) > 1:
            leaf = next(leaves[path] for leaves in found.values() if path in leaves)
            (rows if leaf.pattern else unnamed).append(Row(field_getter.place(leaf, path), there))
    return rows or unnamed


class _Teller:
    """Puts the places of one game's positions into words, in one language."""

    def __init__(self, game: Ruleset[object], language: str, players: Players) -> None:
        self.game, self.players = game, players
        self.language = language
        self.package = game.catalogue.package
        self.patterns = _patterns(self.package, language)

    def leaves(self, state: State) -> dict[Path, _Leaf]:
        """Every place by its path, as deep as the language file has names for it."""
        return dict(self._walk(state, (), {}))

    def place(self, leaf: _Leaf, path: Path) -> str:
        """How a place is called."""
        if not leaf.pattern:
            return " › ".join(part.replace("_", " ") for part in path)
        return self._sentence(leaf.pattern, leaf.bound)

    def said(self, leaf: _Leaf | None, path: Path) -> str:
        """What is there; a place that a position does not have is empty."""
        value = leaf.value if leaf else None
        pattern = leaf.pattern if leaf else ""
        if value is None or value in ("", [], ()):
            return self._worded(pattern, "nothing", {})
        if isinstance(value, bool):
            return self._worded(pattern, "yes" if value else "no", {})
        if isinstance(value, int):
            return self._worded(pattern, "number", {"n": value})
        if isinstance(value, list | tuple):
            return listed([self._item(one, "card") for one in value], self.language)
        return self._item(value, path[-1])

    def _walk(self, value: object, path: Path, bound: Bound) -> Iterator[tuple[Path, _Leaf]]:
        for rank, (pattern, parts) in enumerate(self.patterns):
            if (names := _matched(parts, path)) is not None:
                yield path, _Leaf(pattern, rank, {**names, **{k: v for k, v in bound.items() if k in names}}, value)
                return
        inner = _inside(value) if not path or isinstance(value, Mapping) or self._leads_on(path) else None
        if inner is None:
            yield path, _Leaf("", len(self.patterns), {}, value)
            return
        for key, one in inner:
            yield from self._walk(one, (*path, key), {**bound, **self._called((*path, key), one)})

    def _leads_on(self, path: Path) -> bool:
        return not self.patterns or any(_matched(parts[: len(path)], path) is not None for _, parts in self.patterns)

    def _called(self, path: Path, value: object) -> Bound:
        """What a varying part of a path is called: something that is there as a card goes by the card's name."""
        for _, parts in self.patterns:
            if len(parts) >= len(path) and (names := _matched(parts[: len(path)], path)) is not None:
                if not (name := _NAME.fullmatch(parts[len(path) - 1])):
                    continue
                card = value.get("card") if isinstance(value, Mapping) else None
                field, known = ("card", card) if card else (name[1], names[name[1]])
                return {name[1]: str(self._words(field, known))}
        return {}

    def _item(self, value: object, field: str) -> str:
        if isinstance(value, str) and value.startswith(UNSEEN):
            return self._worded("", "unknown", {})
        if not isinstance(value, Mapping):
            return str(self._words(field, value))
        flat = dict(value)
        target = flat.pop("to", None)
        flat |= target if isinstance(target, Mapping) else {}
        data = {name: str(self._item(one, name)) for name, one in flat.items() if one is not None}
        marks = (f"{name}.{one}".lower() for name, one in flat.items())
        key = next((key for key in (*marks, *flat) if f"{SAID}{key}" in self._table), "")
        return self._worded("", key, data) if key else ", ".join(data.values())

    def _words(self, field: str, value: object) -> object:
        return self.game.wording.finding_words({field: value}, self.language, self.players).get(field, value)

    def _worded(self, pattern: str, key: str, data: Mapping[str, object]) -> str:
        """The sentence of that key for that place, else for any place."""
        for candidate in (f"{SAID}{pattern}.{key}", f"{SAID}{key}"):
            if candidate in self._table:
                return self._sentence(candidate, data)
        return str(data.get("n", "–")) if key == "number" else "–" if key == "nothing" else key

    def _sentence(self, key: str, data: Mapping[str, object]) -> str:
        return sentence(self.package, self.language, key, data, FILE)

    @property
    def _table(self) -> Mapping[str, str]:
        return words(self.package, self.language, FILE) if self.patterns else {}


def _inside(value: object) -> Sequence[tuple[str, object]] | None:
    if isinstance(value, Mapping):
        return [(str(key), one) for key, one in value.items()]
    if isinstance(value, list | tuple):
        return [(str(number), one) for number, one in enumerate(value, 1)]
    return None


def _matched(parts: Sequence[str], path: Path) -> dict[str, str] | None:
    """The varying parts of a path by name, where it is one of that pattern."""
    if len(parts) != len(path):
        return None
    found = {}
    for part, there in zip(parts, path, strict=True):
        if name := _NAME.fullmatch(part):
            found[name[1]] = there
        elif part != there:
            return None
    return found


@cache
@cache
def _patterns(package: str, language: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The places a game has names for, in the order of its language file."""
    if not has_file(package, language, FILE):
        return ()
    keys = words(package, language, FILE)
    return tuple((key, tuple(key.split("."))) for key in keys if not key.startswith((SAID, "switch.")))
