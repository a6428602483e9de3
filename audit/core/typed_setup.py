"""Reads a setup, or a part of it, as a declared type. What does not fit is an error that names its place.

A game declares its setup and its positions as `msgspec` structs with `forbid_unknown_fields=True`; the structs of a
union have a `tag_field`. `Rules.setup_type` puts them into the JSON Schema of its logs.
"""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.inspect import type_info

from audit.core.errors import SetupError
from audit.core.schema_text import describe_type, nearest

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
