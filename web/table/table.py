"""A table as the page draws it, and how it may be changed by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from msgspec import to_builtins

from audit.core.errors import SetupError
from audit.core.model import Header
from audit.core.player_names import BY_SEAT, Players
from audit.core.ruleset import JUDGE, Ruleset, ruleset
from audit.core.scene_changes import Changes
from replays.judging.annotate import Json
from replays.judging.positions import header_of, line_at, position_line, read_position_line
from replays.table.question import line_in
from web.scenes import scene_maker_of
from web.scenes.tree import How, columns, focused, scene_tree

View = Mapping[str, object]
"""How the reader looks at the table: `column`, `bottom`."""


def drawn(game: Ruleset[object], state: object, language: str, view: View, players: Players = BY_SEAT) -> Json:
    """The scene of a position as a tree, and what is said above it."""
    seen, pending = game.disclosure.view(state, JUDGE), game.disclosure.pending(state)
    scene = scene_maker_of(game.name).scene(seen, language, pending, players)
    column = view.get("column")
    shown = column if isinstance(column, int) and 1 <= column <= max(1, len(columns(scene))) else focused(scene, "")
    bottom = view.get("bottom")
    how: How = {"column": shown, "places": True}
    if isinstance(bottom, str) and bottom:
        how["bottom"] = bottom
    tree = scene_tree(scene, Changes(), how)
    return {
        "tree": tree,
        "across": bool(columns(scene)),
        "chapter": str(scene.chapter),
        "pending": [pending.title for pending in scene.pending],
        "places": [zone.key for zone in scene.zones],
    }


def fresh(name: str, words: list[str]) -> str:
    """The line of a table on which nothing lies; raises `SetupError`."""
    game = ruleset(name)
    if not game.setting.is_settable or len(words) != game.setting.words_needed() or len(set(words)) != len(words):
        raise SetupError("words", f"{game.setting.words_needed()} different words of what can be set by hand")
    return position_line(game, game.setting.fresh(words))


def changed(line: str, change: Json) -> str:
    """The line of a position after a change by hand."""
    game, data = read_position_line(line_in(line))
    return position_line(game, game.setting.changed(data, change)) if game.setting.is_settable else line


def settings_at(line: str, language: str) -> Json:
    """What may be set by hand in a position: fields, cards that lie nowhere, texts that may be half done."""
    game, data = read_position_line(line)
    setting = game.setting
    if not setting.is_settable:
        return {"settable": False}
    found = {
        "fields": setting.fields(data, language), "left": setting.left(data, language),
        "texts": setting.texts(data, language), "others": setting.places(data, language),
        "about": setting.about(data, language),
    }  # fmt: skip
    return {"settable": True, "names_cards": setting.names_cards, **cast(Json, to_builtins(found))}


def board(header: Header, line: str, language: str, view: View) -> Json:
    """All that the page shows of a position that is being set."""
    game = ruleset(header.ruleset)
    state = game.rules.start(header)
    whole = line_at(header, state)
    said = settings_at(line, language)
    seen = drawn(game, state, language, view)
    takes = [key for key in cast("list[str]", seen["places"]) if game.setting.takes_card(key)]
    return {"position": line, "whole": whole, **seen, "takes": takes, **said}


def start_of(line: str) -> Header:
    """The header of a game that begins with that position, checked; raises what `header_at` raises."""
    game, data = read_position_line(line)
    header = header_of(game, data)
    game.rules.start(header)
    return header
