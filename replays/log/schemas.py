"""The fast decoder of the events of a game, the published JSON schema, and how earlier versions of the log are read.

Decoder and schema are made from the declarations of the events: every event type is declared once, as a subclass of
`audit.core.model.Event`. Nothing here names a field of a game. An older log is converted while it is read; the file is
never rewritten.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Union, cast

import msgspec
from msgspec import Struct, inspect
from msgspec.inspect import type_info

from audit.core.errors import AuditError
from audit.core.model import LOG_VERSION, Card, Event, Header, Seat
from audit.core.record_events import Checkpoint, PositionSet
from audit.core.ruleset import Ruleset
from audit.core.typed_setup import FREE_PREFIX

Json = dict[str, object]


def without_free_keys(data: Mapping[str, object]) -> Json:
    """The object without its free (`x-`) keys."""
    return {key: value for key, value in data.items() if not key.startswith(FREE_PREFIX)}


@cache
def decoder(events: tuple[type[Event], ...]) -> msgspec.json.Decoder[Event]:
    """The fast reader of one line that is an event of those types."""
    return msgspec.json.Decoder(Union[events])  # noqa: UP007


@cache
def card_fields(event: type[Event]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The attributes of an event that hold one card, and those that hold several."""
    return _fields_of(event, type_info(Card))


def cards_of(event: Event) -> Sequence[str]:
    """The cards that the event names; a handle names none."""
    return [card for card in cards_and_handles_of(event) if card[0] != "?"]


def cards_and_handles_of(event: Event) -> Sequence[str]:
    """The cards that the event names, and the handles of those whose names it does not tell."""
    one, many = card_fields(type(event))
    if not one and not many:
        return ()
    found = [getattr(event, name) for name in one]
    for name in many:
        found += getattr(event, name) or ()
    return [card for card in found if card]


@cache
def seat_fields(event: type[Event]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The attributes of an event that hold the seat of one player, and those that hold several."""
    return _fields_of(event, type_info(Seat))


def _fields_of(event: type[Event], wanted: inspect.Type) -> tuple[tuple[str, ...], tuple[str, ...]]:
    info = type_info(event)
    assert isinstance(info, inspect.StructType)
    forms = {each.name: (*forms_of(each.type), *forms_of(unwrapped(each.type)[0])) for each in info.fields}
    one = [name for name, some in forms.items() if wanted in some]
    many = [name for name, some in forms.items() if any(_items(form) == wanted for form in some)]
    return tuple(one), tuple(many)


def json_schema(ruleset: Ruleset[object]) -> Json:
    """The JSON Schema (2020-12) of one line of a log of that game: the header or any of its events."""
    (header, *events), parts = line_schemas(ruleset, "#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"One line of a log of {ruleset.name}",
        "description": "The first line is a header, every other line an event. UTF-8, one object a line.",
        "oneOf": [header, *events],
        "$defs": parts,
    }


def line_schemas(ruleset: Ruleset[object], reference: str) -> tuple[list[Json], dict[str, Json]]:
    """The schema of the header and of each event of that game, and by name the parts to which they refer.

    `reference` says how a part is referred to, with `{name}` in it.
    """
    setup = ruleset.rules.setup_type or dict[str, object]
    (header, *events, declared), parts = msgspec.json.schema_components(
        (Header, *ruleset.rules.events, setup),
        ref_template=reference,
        schema_hook=lambda kind: {"$comment": "any value"},
    )
    for part in parts.values():
        if part.get("additionalProperties") is False:
            part["patternProperties"] = {f"^{FREE_PREFIX}": {}}
    fixed = parts["Header"]["properties"]
    fixed["log"] = {**fixed["log"], "const": LOG_VERSION}
    fixed["ruleset"] = {**fixed["ruleset"], "const": ruleset.name}
    if ruleset.rules.setup_type:
        fixed["setup"] = declared
        _declare_positions(parts, ruleset.rules.setup_type.__name__)
    plain = msgspec.json.encode(([header, *events], parts))
    return msgspec.json.decode(plain, type=tuple[list[Json], dict[str, Json]])


def _declare_positions(parts: dict[str, Json], setup: str) -> None:
    """Say of the events that tell a position what the setup says of it."""
    found = cast(dict[str, Json], parts[setup]["properties"]).get("position", {})
    forms = cast("list[Json]", found.get("anyOf", [found]))
    declared = next((form for form in forms if "$ref" in form), None)
    for event in (PositionSet, Checkpoint):
        if declared and event.__name__ in parts:
            cast(dict[str, object], parts[event.__name__]["properties"])["position"] = declared


def unwrapped(kind: inspect.Type) -> tuple[inspect.Type, Json]:
    if isinstance(kind, inspect.Metadata):
        inner, notes = unwrapped(kind.type)
        return inner, {**notes, **(kind.extra_json_schema or {})}
    return kind, {}


def forms_of(kind: inspect.Type) -> tuple[inspect.Type, ...]:
    return kind.types if isinstance(kind, inspect.UnionType) else (kind,)


def _items(kind: inspect.Type) -> inspect.Type | None:
    inner_kind, _ = unwrapped(kind)
    return inner_kind.item_type if isinstance(inner_kind, (inspect.VarTupleType, inspect.ListType)) else None


# Earlier versions


class Upcast(Struct, frozen=True):
    """One step up: the version it leads to, and what becomes of a header and of an event on the way."""

    to: str
    header: Callable[[Json], Json]
    event: Callable[[Json], Json]


UPCASTS: Mapping[str, Upcast] = {}
"""Steps by the version they start from. Version 1 is the first, so there are none yet."""


class VersionError(AuditError):
    """A version of the log that this program cannot read."""

    def __init__(self, found: str, known: tuple[str, ...]) -> None:
        newer = re.fullmatch(r"audit/[1-9]\d{0,8}", found) is not None
        kind = ", a newer version than this program reads" if newer else ""
        super().__init__(f'expected {" or ".join(known)}, found "{found}"{kind}')
        self.found = found
        self.known = known
        self.newer = newer


def steps(version: str, upcasts: Mapping[str, Upcast] = UPCASTS) -> tuple[Upcast, ...]:
    """The way from a version to the present one; raises `VersionError` where there is none."""
    found: list[Upcast] = []
    at = version
    while at != LOG_VERSION:
        if at not in upcasts or len(found) > len(upcasts):
            raise VersionError(version, (LOG_VERSION, *sorted(upcasts, reverse=True)))
        found.append(upcasts[at])
        at = upcasts[at].to
    return tuple(found)
