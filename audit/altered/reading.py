"""Values of a setup, read with care: each raises `SetupError` naming the field and what was expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from audit.altered.events import Stats
from audit.errors import SetupError

MOST = 100_000


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
    return tuple(text(entry, field) for entry in listed(value, field))


def number(value: object, field: str) -> int:
    """A whole number from 0."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST:
        raise SetupError(field, "a whole number from 0")
    return value


def flag(value: object, field: str) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise SetupError(field, "true or false")
    return value


def one_of(value: object, known: Sequence[str], field: str) -> str:
    """One of some names."""
    if not isinstance(value, str) or value not in known:
        raise SetupError(field, f"one of {', '.join(known)}")
    return value


def stats(value: object, field: str) -> Stats:
    """Stats by region type; one that is not given is 0."""
    data = mapping(value, field)
    known = Stats.__struct_fields__
    return Stats(**{one_of(name, known, field): number(amount, f"{field}.{name}") for name, amount in data.items()})
