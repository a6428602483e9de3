"""Writes docs/events.md, the reference of the events of each game, from their declarations."""

from __future__ import annotations

from msgspec import inspect
from msgspec.inspect import type_info

from audit.model import Event
from audit.ruleset import Ruleset, ruleset, rulesets


def events_table(game: Ruleset[object]) -> str:
    """One row for each type of event: its name, its fields (those that may be left out in brackets), what it says."""
    rows = [f"| `{name}` | {_fields(event)} | {_says(event)} |" for name, event in game.rules.types.items()]
    return "\n".join(["| type | fields | it says |", "| --- | --- | --- |", *rows])


def _fields(event: type[Event]) -> str:
    info = type_info(event)
    assert isinstance(info, inspect.StructType)
    own = [each for each in info.fields if each.encode_name not in Event.ENVELOPE]
    return ", ".join(each.encode_name if each.required else f"[{each.encode_name}]" for each in own)


def _says(event: type[Event]) -> str:
    return " ".join((event.__doc__ or "").split()).replace("|", "\\|")


def page() -> str:
    """The whole page `docs/events.md`."""
    tables = [f"## {name}\n\n{events_table(ruleset(name))}\n" for name in rulesets()]
    return "\n".join([_HEAD, *tables])


_HEAD = """# The events of each game

Made by `python -m replays.log.event_reference > docs/events.md` from the declarations. Fields in brackets may be left
out. Every event has `seq` and `type` besides, and may have `at`, `note`, `because` and keys that begin with `x-`
([the format](log-format.md)).
"""


if __name__ == "__main__":
    print(page(), end="")
