"""The events that may be made of what a question names: of players, cards and numbers, whether the rules allow them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice, product

import msgspec
from msgspec import Struct, inspect
from msgspec.inspect import type_info
from msgspec.structs import replace

from audit.core.model import Event, Seat
from replays.log.schemas import card_fields, cards_and_handles_of
from replays.scoresheet.forms import fields_of, required_of, tag_of, types_of
from replays.scoresheet.told_sentences import kinds

MAX_MADE = 200
"""So many events are made of a kind."""
SEAT_TYPE = type_info(Seat)


class Named(Struct, frozen=True):
    """The seats, cards and numbers that a question names."""

    seats: Sequence[str]
    cards: Sequence[str]
    numbers: Sequence[int]


def varied(event: Event, named: Named) -> Iterator[Event]:
    """The event with the player or a number that is asked about."""
    for name, type_ in types_of(type(event)).items():
        if name in Event.ENVELOPE:
            continue
        told = fields_of(event)[name]
        forms = kinds(type_)
        is_named = {*cards_and_handles_of(event)} <= {*named.cards}
        if name == "player" and is_named and len(named.seats) == 1 and told != named.seats[0]:
            yield from _with(event, {name: named.seats[0], **_with_player(event, named.seats[0])})
        elif any(isinstance(form, inspect.IntType) for form in forms) and isinstance(told, int):
            yield from (one for number in named.numbers for one in _with(event, {name: number}))
        elif name == "cards" and len(named.cards) > 1:
            yield from _with(event, {name: tuple(named.cards)})


def _with_player(event: Event, seat: str) -> dict[str, str]:
    """The fields beside the player that name the same one: whose side it is, who controls it."""
    told = fields_of(event)
    return {name: seat for name in ("to_owner", "controller") if name in told and told[name] == told.get("player")}


def _with(event: Event, fields: Mapping[str, object]) -> Iterator[Event]:
    with suppress(msgspec.ValidationError):
        yield replace(
            msgspec.convert({**msgspec.to_builtins(event), "seq": 1, **fields}, type(event)), seq=event.seq
        )  # fmt: skip


def made_of(kind: type[Event], named: Named, seats: Sequence[str]) -> Iterator[Event]:
    """The events of a kind that need nothing but what is named, and words of which there are few."""
    types = types_of(kind)
    one, many = card_fields(kind)
    fields: dict[str, Sequence[object]] = {}
    for name in required_of(kind):
        forms = kinds(types[name])
        literals = [value for form in forms if isinstance(form, inspect.LiteralType) for value in form.values]
        if type_info(types[name]) == SEAT_TYPE:
            fields[name] = named.seats or seats
        elif name in one:
            fields[name] = named.cards
        elif name in many:
            fields[name] = [tuple(named.cards)] if named.cards else []
        elif literals:
            fields[name] = [value for value in literals if isinstance(value, str) or value in named.numbers]
        elif any(isinstance(form, inspect.IntType) for form in forms):
            fields[name] = named.numbers
        else:
            return
    for values in islice(product(*fields.values()), MAX_MADE):
        with suppress(msgspec.ValidationError):
            plain = {**dict(zip(fields, values, strict=True)), "type": tag_of(kind), "seq": 1}
            yield replace(msgspec.convert(plain, kind), seq=0)
