"""A game to publish without the names of its players.

The names are left out of the header, and so is every remark that holds one. What was sealed is still proven: the file
commits to what is left out, as it does to hidden cards. Where the game is called by a player, its seal is left out too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from msgspec.structs import replace

from audit.core.errors import AuditError
from replays.log.strict_json import parse
from web.publishing.sources import Source, source_from

Json = Mapping[str, object]


class AnonymousError(AuditError):
    """A game that cannot be published without names: why."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"without names: {reason}")
        self.reason = reason


def anonymous(source: Source) -> Source:
    """The game without the names of its players, and without notes.

    Raises `AnonymousError` where its events are full of names.
    """
    if source.notes:
        source = replace(source, notes=())
    names = [player.name for player in source.header.players if player.name]
    if not names:
        return source
    if not source.lines:
        raise AnonymousError("only a log can be published so")
    seats = {player.seat.casefold() for player in source.header.players}
    if named := sorted(name for name in names if name.casefold() in seats):
        raise AnonymousError(f"the seats are called by the names ({', '.join(named)}), and every event names its seat")
    name = re.compile("|".join(rf"(?<!\w){re.escape(each)}(?!\w)" for each in names), re.I)
    lines = [_unnamed(parse(line), name) for line in source.lines]
    without = source_from(b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in lines))
    without = replace(without, variations=source.variations)
    if name.search(source.header.game):
        return without  # its seal says the name of the game, and so that of a player
    return replace(without, seal=source.seal, original=source.original, sealed_lines=source.lines)


def as_named(whole: Source, inside: Source) -> Source:
    """A whole log without names, where the game in a published file has none."""
    return whole if any(player.name for player in inside.header.players) else anonymous(whole)


def _unnamed(line: Json, name: re.Pattern[str]) -> Json:
    return {key: _within(value, name) for key, value in line.items() if not _is_remark(value, name)}


def _within(value: object, name: re.Pattern[str]) -> object:
    if isinstance(value, Mapping):
        return _unnamed(value, name)
    return [_within(each, name) for each in value] if isinstance(value, list) else value


def _is_remark(value: object, name: re.Pattern[str]) -> bool:
    """Whether a field says a name, by itself or in a list of words."""
    words = value if isinstance(value, list) else [value]
    return any(isinstance(each, str) and name.search(each) for each in words)
