"""Reads a setup, or a part of it, as a declared type; what does not fit is an error that names its place in words.

A game declares its setup and its positions as `msgspec` structs with `forbid_unknown_fields=True`; the structs of a
union have a `tag_field`. `Rules.setup_type` puts them into the JSON Schema of its logs.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct, inspect
from msgspec.inspect import type_info

from audit.core.errors import SetupError

T = TypeVar("T")

FREE_PREFIX = "x-"
"""Keys with this prefix are free for anyone to use: kept in the log, never read."""


def read_typed(value: object, kind: type[T], where: str = "") -> T:
    """The value as that type; raises `SetupError` with the path of what does not fit and what is allowed there.

    `where` is the path of the value in the setup. Keys that begin with `x-` are left out, at any depth.
    """
    plain = without_free_keys(value)
    try:
        return msgspec.convert(plain, kind)
    except msgspec.ValidationError as error:
        raise next(_misfits(plain, kind, where), SetupError(where, str(error))) from None


def without_free_keys(value: object) -> object:
    """The same data without any key that begins with `x-`."""
    return _without_free(value) if b'"x-' in msgspec.json.encode(value) else value


@cache
def fields_of(kind: type[Struct]) -> Mapping[str, object]:
    """The fields of a declared object by the names they have in JSON, each with its type."""
    hints = get_type_hints(kind, include_extras=True)
    return {field.encode_name: hints[field.name] for field in msgspec.structs.fields(kind)}


@cache
def own_words(kind: type[Struct]) -> frozenset[str]:
    """The words of a declared object that name nothing at the table: its fields at any depth, values to choose from."""
    found: set[str] = set()
    left: list[object] = [msgspec.json.schema(kind, schema_hook=lambda kind: {"description": ""})]
    while left:
        one = left.pop()
        if isinstance(one, Mapping):
            properties = one.get("properties")
            found.update(properties if isinstance(properties, Mapping) else ())
            found.update(map(str, one.get("enum", ())))
        left.extend(one.values() if isinstance(one, Mapping) else one if isinstance(one, list) else ())
    return frozenset(found)


def one_of(words: Mapping[str, object] | tuple[str, ...], meant: str) -> str:
    """What was expected where one of some words has to stand, the nearest of them first."""
    return f"one of {', '.join(words)}{nearest(meant, words)}"


def _without_free(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _without_free(inner) for key, inner in value.items() if not str(key).startswith(FREE_PREFIX)}
    return [_without_free(inner) for inner in value] if isinstance(value, list | tuple) else value


def _misfits(value: object, kind: object, where: str) -> Iterator[SetupError]:
    """What does not fit, in the order of the data, the innermost first."""
    if _fits(value, kind):
        return
    members = _members(kind)
    if isinstance(value, Mapping):
        structs = [one for one in members if isinstance(one, type) and issubclass(one, Struct)]
        yield from _misfits_in_object(value, structs, where)
        for inner in (one for one in members if get_origin(one) is dict):
            for key, one in value.items():
                yield from _misfits(one, get_args(inner)[1], _below(where, key))
    elif isinstance(value, list | tuple):
        for inner in (one for one in members if get_origin(one) in (tuple, list)):
            for index, one in enumerate(value):
                yield from _misfits(one, get_args(inner)[0], f"{where}[{index}]")
    yield SetupError(where, describe_type(type_info(kind)))


def _misfits_in_object(value: Mapping[str, object], kinds: list[type[Struct]], where: str) -> Iterator[SetupError]:
    if len(kinds) > 1:
        tag = kinds[0].__struct_config__.tag_field or ""
        named = {str(kind.__struct_config__.tag): kind for kind in kinds}
        if str(value.get(tag)) not in named:
            yield SetupError(_below(where, tag), one_of(tuple(named), str(value.get(tag, ""))))
            return
        kinds = [named[str(value[tag])]]
    for kind in kinds:
        yield from _misfits_in_struct(value, kind, where)


def _misfits_in_struct(value: Mapping[str, object], kind: type[Struct], where: str) -> Iterator[SetupError]:
    fields, tag = fields_of(kind), kind.__struct_config__.tag_field
    for key in value:
        if key not in fields and key != tag:
            yield SetupError(_below(where, key), one_of(fields, key))
        elif key != tag:
            yield from _misfits(value[key], fields[key], _below(where, key))
    for field in msgspec.structs.fields(kind):
        if field.required and field.encode_name not in value:
            yield SetupError(_below(where, field.encode_name), describe_type(type_info(fields[field.encode_name])))


def _fits(value: object, kind: object) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def _members(kind: object) -> list[object]:
    """The types of a union, without what only annotates them."""
    if get_origin(kind) is Annotated:
        return _members(get_args(kind)[0])
    if get_origin(kind) in (Union, types.UnionType):
        return [inner for member in get_args(kind) for inner in _members(member)]
    return [kind]


def _below(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key


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
    """The known word that is nearest, but the word itself, which is wrong where it stands; "" where none is near."""
    from difflib import get_close_matches  # loaded late: a good log needs none

    return next(iter(get_close_matches(word, [one for one in known if one != word], 1, 0.6)), "")


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
