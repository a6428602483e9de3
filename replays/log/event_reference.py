"""The reference of the events of each game, from their declarations: `python -m replays.log.event_reference`."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import inspect
from msgspec.inspect import type_info

from audit.core.model import Event, type_name
from audit.core.record_events import RECORD_EVENTS, RecordEvent
from audit.core.ruleset import Ruleset, ruleset, rulesets


def game_table(game: Ruleset[object]) -> str:
    """The events of a game; those about the record are the same in every game."""
    return events_table(event for event in game.rules.events if not issubclass(event, RecordEvent))


def events_table(events: Iterable[type[Event]]) -> str:
    """One row for each type of event: its name, its fields (those that may be left out in brackets), what it says."""
    rows = [f"| `{type_name(event)}` | {_fields(event)} | {_says(event)} |" for event in events]
    return "\n".join(["| type | fields | it says |", "| --- | --- | --- |", *rows])


def _fields(event: type[Event]) -> str:
    info = type_info(event)
    assert isinstance(info, inspect.StructType)
    own = [each for each in info.fields if each.encode_name not in Event.ENVELOPE]
    return ", ".join(each.encode_name if each.required else f"[{each.encode_name}]" for each in own)


def _says(event: type[Event]) -> str:
    return " ".join((event.__doc__ or "").split()).replace("|", "\\|")


def page() -> str:
    """The reference, as a page in Markdown."""
    tables = [f"## {name}\n\n{game_table(ruleset(name))}\n" for name in rulesets()]
    return "\n".join([_HEAD, f"{_RECORD}\n{events_table(RECORD_EVENTS)}\n", *tables])


_HEAD = """# The events of each game

Fields in brackets may be left out. Every event has `seq` and `type` besides, and may have `id`, `at`, `note`,
`note_for`, `because` and keys that begin with `x-`.
"""

_RECORD = """## In every game

These events are about the record, not about the game.
"""


if __name__ == "__main__":
    print(page(), end="")
