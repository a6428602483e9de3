"""Schemas that name every field in which an object differs from its declaration.

They are made from the declarations of the events and read only what the fast decoder refuses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache
from typing import cast

import msgspec
from marshmallow import RAISE, Schema, ValidationError, fields, pre_load, validate
from msgspec import inspect
from msgspec.inspect import type_info

from audit.core.typed_setup import describe_type, nearest
from replays.log.schemas import Json, forms_of, unwrapped, without_free_keys

Mismatch = tuple[tuple[str | int, ...], str]
"""A path into an object, and what was expected there."""


class DeclaredSchema(Schema):
    """Base of the schemas made from declarations: unknown keys are errors, `x-` keys are dropped."""

    class Meta:
        unknown = RAISE

    def __init__(self, **more: object) -> None:
        super().__init__(**more)  # type: ignore[arg-type]
        self.error_messages = {**self.error_messages, "type": "an object"}

    @pre_load
    def _drop_free(self, data: object, **_: object) -> object:
        return without_free_keys(data) if isinstance(data, Mapping) else data


class StrictInteger(fields.Integer):
    """A whole number and nothing that merely resembles one."""

    def _validated(self, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.make_error("invalid")
        return value


class StrictFloat(fields.Float):
    """A number, not a text that reads like one."""

    def _validated(self, value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.make_error("invalid")
        return float(value)


class StrictBoolean(fields.Boolean):
    """True or false, not 1, "yes" or "on"."""

    def _deserialize(self, value: object, attr: str | None, data: object, **_: object) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid")
        return value


class UnionField(fields.Field[object]):
    """What the declaration allows in several forms: the first that accepts the value."""

    def __init__(self, forms: Iterable[fields.Field[object]], **more: object) -> None:
        super().__init__(**more)  # type: ignore[arg-type]
        self._forms = tuple(forms)

    def _deserialize(self, value: object, attr: object, data: object, **_: object) -> object:
        for form in self._forms:
            with suppress(ValidationError):
                return form.deserialize(value)
        raise self.make_error("validator_failed")


@cache
def schema(declared: type[msgspec.Struct]) -> type[Schema]:
    """The marshmallow schema of a declaration: an event type, a header, a player."""
    info = type_info(declared)
    assert isinstance(info, inspect.StructType)
    made: dict[str, object] = {each.name: _field_of(each) for each in info.fields}
    if info.tag_field:
        made[info.tag_field] = _tag(str(info.tag))
    return type(declared.__name__, (DeclaredSchema,), {**made, "__doc__": declared.__doc__})


def problems(declared: type[msgspec.Struct], data: Json) -> list[Mismatch]:
    """Everything that is wrong with an object that should be of that declaration, by path."""
    try:
        schema(declared)().load(data)
    except ValidationError as failed:
        return sorted(_flat(failed.messages, (), tuple(declared.__struct_encode_fields__)), key=str)
    return []


def _field_of(each: inspect.Field) -> fields.Field[object]:
    expected = describe_type(each.type)
    return _made(
        each.type,
        data_key=each.encode_name,
        attribute=each.name,
        required=each.required,
        error_messages=dict.fromkeys(_MESSAGES, expected),
    )


def _made(kind: inspect.Type, **more: object) -> fields.Field[object]:
    inner_kind, notes = unwrapped(kind)
    forms = [form for form in forms_of(inner_kind) if not isinstance(form, inspect.NoneType)]
    optional = len(forms) < len(forms_of(inner_kind))
    if len(forms) == 1:
        inner_kind, inner = unwrapped(forms[0])
        notes = {**inner, **notes}
        forms = list(forms_of(inner_kind))
    more.update(allow_none=optional, metadata=notes)
    more.setdefault("error_messages", dict.fromkeys(_MESSAGES, describe_type(kind)))
    if len(forms) > 1:
        return UnionField([_made(form) for form in forms], **more)
    return _MAKERS.get(type(inner_kind), _anything)(inner_kind, more)


def _number(kind: inspect.IntType, more: Json) -> fields.Field[object]:
    span = validate.Range(kind.ge, kind.le, error=_said(more))
    return StrictInteger(strict=True, validate=span, **more)  # type: ignore[arg-type,return-value]


def _real(kind: inspect.FloatType, more: Json) -> fields.Field[object]:
    span = validate.Range(kind.ge, kind.le, error=_said(more))
    return StrictFloat(validate=span, **more)  # type: ignore[arg-type,return-value]


def _text(kind: inspect.StrType, more: Json) -> fields.Field[object]:
    rules: list[validate.Validator] = [validate.Length(kind.min_length, kind.max_length, error=_said(more))]
    if kind.pattern:
        rules.append(_Pattern(kind.pattern, error=_said(more)))
    return fields.String(validate=rules, **more)  # type: ignore[arg-type,return-value]


def _truth(kind: inspect.BoolType, more: Json) -> fields.Field[object]:
    return StrictBoolean(**more)  # type: ignore[arg-type,return-value]


def _literal(kind: inspect.LiteralType, more: Json) -> fields.Field[object]:
    if not all(isinstance(value, str) for value in kind.values):
        return fields.Raw(validate=validate.OneOf(kind.values, error=_said(more)), **more)  # type: ignore
    rule = validate.OneOf(sorted(map(str, kind.values)), error=_said(more))
    return fields.String(validate=rule, **more)  # type: ignore[arg-type,return-value]


def _list(kind: inspect.VarTupleType | inspect.ListType, more: Json) -> fields.Field[object]:
    span = validate.Length(kind.min_length, kind.max_length, error=_said(more))
    return fields.List(_made(kind.item_type), validate=span, **more)  # type: ignore[arg-type,return-value]


def _nested(kind: inspect.StructType, more: Json) -> fields.Field[object]:
    messages = {"error_messages": {**_messages(more), "type": _said(more)}}
    return fields.Nested(schema(kind.cls), **{**more, **messages})  # type: ignore[arg-type]


def _mapping(kind: inspect.DictType, more: Json) -> fields.Field[object]:
    return fields.Dict(fields.String(), _made(kind.value_type), **more)  # type: ignore[arg-type,return-value]


def _anything(kind: inspect.Type, more: Json) -> fields.Field[object]:
    return fields.Raw(**{**more, "allow_none": True})  # type: ignore[arg-type]


class _Pattern(validate.Regexp):
    """The declaration's pattern may match anywhere in the text, as in a JSON Schema."""

    def __call__(self, value: str) -> str:  # type: ignore[override]
        if re.search(str(self.regex.pattern), value) is None:
            raise ValidationError(self._format_error(value))
        return value


_UNKNOWN = "Unknown field."
_MESSAGES = ("required", "null", "invalid", "validator_failed", "type")
_MAKERS = cast(
    Mapping[type[inspect.Type], Callable[[inspect.Type, Json], fields.Field[object]]],
    {
        inspect.IntType: _number,
        inspect.FloatType: _real,
        inspect.StrType: _text,
        inspect.BoolType: _truth,
        inspect.LiteralType: _literal,
        inspect.VarTupleType: _list,
        inspect.ListType: _list,
        inspect.StructType: _nested,
        inspect.DictType: _mapping,
        inspect.AnyType: _anything,
    },
)


def _tag(name: str) -> fields.Field[object]:
    quoted = f'"{name}"'
    return fields.String(  # type: ignore[return-value]
        required=True,
        validate=validate.Equal(name, error=quoted),
        error_messages=dict.fromkeys(_MESSAGES, quoted),
    )


def _messages(more: Json) -> dict[str, str]:
    found = more["error_messages"]
    return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else {}


def _said(more: Json) -> str:
    """The expectation, safe from marshmallow's own placeholders."""
    return _messages(more)["invalid"].replace("{", "{{").replace("}", "}}")


def _flat(messages: object, path: tuple[str | int, ...], known: tuple[str, ...]) -> Iterable[Mismatch]:
    if isinstance(messages, Mapping):
        for key, value in messages.items():
            of_the_whole = key == "_schema" and value != [_UNKNOWN]  # a log may name a field so
            yield from _flat(value, path if of_the_whole else (*path, key), known)
    elif isinstance(messages, list):
        for text in dict.fromkeys(map(str, messages)):
            yield path, f"no such field{nearest(str(path[-1]), known)}" if text == _UNKNOWN else text
