"""Readers for the values of a setup: each raises `SetupError` naming the field and what was expected."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeVar

from msgspec import ValidationError, convert

from audit.core.errors import SetupError
from audit.games.altered.game_data import MAX_COUNT, Cards
from audit.games.altered.vocabulary import Stats

T = TypeVar("T")
Name = TypeVar("Name", bound=str)


def convert_or(value: object, shape: type[T], otherwise: Callable[[], T]) -> T:
    """The value in that shape, converted in one step; where that fails, what `otherwise` returns or raises."""
    try:
        return convert(value, shape)
    except ValidationError:
        return otherwise()


def mapping(value: object, field: str = "") -> Mapping[str, object]:
    """An object."""
    if not isinstance(value, dict):
        raise SetupError(field, "an object")
    return value


def listed(value: object, field: str) -> Sequence[object]:
    """A list."""
    if not isinstance(value, list | tuple):
        raise SetupError(field, "a list")
    return value


def text(value: object, field: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise SetupError(field, "a text")
    return value


def optional_text(value: object, field: str) -> str | None:
    """A text, or nothing."""
    return None if value is None else text(value, field)


def names(value: object, field: str) -> tuple[str, ...]:
    """A list of names."""
    return convert_or(value, Cards, lambda: tuple([text(entry, field) for entry in listed(value, field)]))


def number(value: object, field: str) -> int:
    """A whole number from 0."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_COUNT:
        raise SetupError(field, "a whole number from 0")
    return value


def event_number(value: object, field: str) -> int:
    """The number of an event; below 0 for one that happened before the log, 0 for none."""
    return number(value, field) if not isinstance(value, int) or value >= 0 else -number(-value, field)


def flag(value: object, field: str) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise SetupError(field, "true or false")
    return value


def one_of(value: object, known: Sequence[Name], field: str) -> Name:
    """One of some names."""
    for name in known:
        if name == value:
            return name
    raise SetupError(field, f"one of {', '.join(known)}")


def stats(value: object, field: str) -> Stats:
    """Stats by region type; one that is not given is 0."""
    data = mapping(value, field)
    known = Stats.__struct_fields__
    keys(data, field, known)
    return Stats(**{name: number(data[name], f"{field}.{name}") for name in known if name in data})


def maybe(data: Mapping[str, object], key: str, field: str, read: Callable[[object, str], T]) -> T | None:
    """A value that may be missing."""
    return None if data.get(key) is None else read(data[key], f"{field}.{key}")


def each(data: Mapping[str, object], key: str, read: Callable[[object, str], T]) -> dict[str, T]:
    """An object with values that are all read alike."""
    return {name: read(value, f"{key}.{name}") for name, value in mapping(data.get(key, {}), key).items()}


def keys(data: Mapping[str, object], field: str, known: Collection[str]) -> None:
    """Refuse every key that is not known, but for those anybody may use (`x-`)."""
    for key in sorted(data):
        if key not in known and not key.startswith("x-"):
            raise SetupError(f"{field}.{key}" if field else key, f"one of {', '.join(sorted(known))}")


def by_seat(setup: Mapping[str, object], key: str, seats: Cards, read: Callable[[object, str], T]) -> dict[str, T]:
    """The same with a value for each player, or for some."""
    found = each(setup, key, read)
    for seat in found:
        seated(seat, seats, f"{key}.{seat}")
    return found


def seated(seat: str, seats: Cards, field: str) -> str:
    """Somebody who is at the table."""
    if seat not in seats:
        raise SetupError(field, f"one of the players ({', '.join(seats)}), not {seat}", seat)
    return seat
