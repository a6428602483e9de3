"""What a declared type expects, in words, for error messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import cast

from msgspec import inspect


def describe_type(kind: inspect.Type) -> str:
    """`a whole number from 1 to 3 (1, 2 or 3 from seat A's left)`."""
    if isinstance(kind, inspect.Metadata):
        said = kind.extra_json_schema or {}
        shown = "".join(f" such as {example}" for example in cast("Sequence[str]", said.get("examples", ()))[:1])
        hint = str(said.get("description", "")).rstrip(".")
        return f"{describe_type(kind.type)}{shown} ({hint})" if hint else f"{describe_type(kind.type)}{shown}"
    if isinstance(kind, inspect.UnionType):
        forms = [form for form in kind.types if not isinstance(form, inspect.NoneType)]
        return " or ".join(dict.fromkeys(describe_type(form) for form in forms))
    say = _WORDS.get(type(kind))
    return say(kind) if say else "a value of another kind"


def format_value(value: object) -> str:
    """A value as it stands in a log, cut short where it is long."""
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list):
        return "an empty list" if not value else f"a list of {len(value)}"
    text = _CONSTANTS.get(value, "") if isinstance(value, bool) or value is None else ""
    text = text or (f'"{value}"' if isinstance(value, str) else str(value))
    return text if len(text) <= 60 else f"{text[:57]}…" + ('"' if isinstance(value, str) else "")


def nearest(word: str, known: Iterable[str]) -> str:
    """` (did you mean "played"?)`, or nothing where no known word is near."""
    found = near_word(word, known)
    return f' (did you mean "{found}"?)' if found else ""


def near_word(word: str, known: Iterable[str]) -> str:
    """The known word that is nearest, or "" where none is near."""
    from difflib import get_close_matches  # loaded late: a good log needs none

    return next(iter(get_close_matches(word, list(known), 1, 0.6)), "")


def count_noun(number: int, noun: str) -> str:
    """`1 line`, `2 lines`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def span_text(first: int, last: int) -> str:
    """`7`, or `7–9`."""
    return f"{first}" if first == last else f"{first}–{last}"


def _whole(kind: inspect.IntType) -> str:
    return "a whole number" + _span(kind.ge, kind.le)


def _number(kind: inspect.FloatType) -> str:
    return "a number" + _span(kind.ge, kind.le)


def _span(low: float | None, high: float | None) -> str:
    if low is not None and high is not None:
        return f" from {low} to {high}"
    if low is not None:
        return f" of {low} or more"
    return f" of {high} or less" if high is not None else ""


def _text(kind: inspect.StrType) -> str:
    return "a text" + _size(kind.min_length, kind.max_length, "character")


def _list(kind: inspect.VarTupleType | inspect.ListType) -> str:
    size = _size(kind.min_length, kind.max_length, "entry", "entries")
    return f"a list{size}, each {describe_type(kind.item_type)}"


def _size(low: int | None, high: int | None, noun: str, plural: str = "") -> str:
    plural = plural or f"{noun}s"
    if low is not None and low == high:
        return f" of {low} {noun if low == 1 else plural}"
    if low and high is not None:
        return f" of {low} to {high} {plural}"
    if low:
        return f" of at least {low} {noun if low == 1 else plural}"
    return f" of at most {high} {plural}" if high is not None else ""


def _literal(kind: inspect.LiteralType) -> str:
    values = [format_value(value) for value in sorted(kind.values, key=str)]
    return " or ".join(filter(None, (", ".join(values[:-1]), values[-1])))


_CONSTANTS = {True: "true", False: "false", None: "null"}
_Words = Callable[[inspect.Type], str]
_WORDS = cast(
    Mapping[type[inspect.Type], _Words],
    {
        inspect.IntType: _whole,
        inspect.FloatType: _number,
        inspect.StrType: _text,
        inspect.BoolType: lambda kind: "true or false",
        inspect.LiteralType: _literal,
        inspect.VarTupleType: _list,
        inspect.ListType: _list,
        inspect.StructType: lambda kind: "an object",
        inspect.DictType: lambda kind: "an object",
        inspect.AnyType: lambda kind: "any value",
        inspect.CustomType: lambda kind: "any value",
    },
)
