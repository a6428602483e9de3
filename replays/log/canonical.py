"""The canonical form of a line (RFC 8785): two lines that say the same have the same one, however they are written."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NoReturn

import msgspec
from msgspec import inspect

from audit.core.model import Event
from replays.log.lines import MAX_LINE_BYTES
from replays.log.strict_json import MAX_INTEGER, Json, NotARecordError, parse

BATCH = 1_000
"""So many lines are read at once."""


def canonical(line: bytes) -> bytes:
    """The canonical form of the object of a line; raises `NotARecordError`."""
    return _quickly(line) or canonical_object(parse(line))


def canonical_lines(lines: Sequence[bytes]) -> list[bytes]:
    """The canonical form of each line; raises `NotARecordError`."""
    forms: list[bytes] = []
    for start in range(0, len(lines), BATCH):
        batch = lines[start : start + BATCH]
        forms += _quickly_together(batch) or map(canonical, batch)
    return forms


def canonical_events(events: Sequence[Event], text: bytes) -> list[bytes]:
    """The canonical form of lines without escapes, made of their events; none where it has to be made of the lines.

    An event is written with no fewer keys than it needs; so where there are as many quotation marks, no key was said
    that its event does not show.
    """
    if not text.isascii() or _long(text):
        return []
    data = _writing.encode_lines(events)
    if _long(data):
        return []
    forms = data.split(b"\n")[:-1]
    if not all(map(_is_plain, set(map(type, events)))):
        odd = [number for number, event in enumerate(events) if not _is_plain(type(event))]
        lines = text.split(b"\n")
        for number in odd:
            forms[number] = canonical(lines[number])
        data = b"\n".join(forms)
    return forms if data.count(b'"') == text.count(b'"') else []


@cache
def _is_plain(event: type[Event]) -> bool:
    """Whether an event is written in one way only: no fractions, nothing of any type, no key that may be left out."""
    return _is_one_way(inspect.type_info(event))


_PLAIN = (inspect.StrType, inspect.IntType, inspect.BoolType, inspect.NoneType, inspect.LiteralType, inspect.EnumType)


def _is_one_way(kind: inspect.Type) -> bool:
    match kind:
        case inspect.Metadata(type=inner) | inspect.VarTupleType(item_type=inner) | inspect.ListType(item_type=inner):
            return _is_one_way(inner)
        case inspect.UnionType(types=inner):
            return all(map(_is_one_way, inner))
        case inspect.TupleType(item_types=inner):
            return all(map(_is_one_way, inner))
        case inspect.DictType(key_type=inspect.StrType(), value_type=inner):
            return _is_one_way(inner)
        case inspect.StructType(cls=inner, fields=fields):
            return inner.__struct_config__.omit_defaults and all(_is_one_way(field.type) for field in fields)
    return isinstance(kind, _PLAIN)


def canonical_object(data: Json) -> bytes:
    """The canonical form of an object; raises `NotARecordError` where it has none."""
    if form := _of_everyday(data):
        return form
    import rfc8785  # loaded late: an everyday line needs none

    try:
        return rfc8785.dumps(data)  # type: ignore[arg-type]
    except rfc8785.CanonicalizationError as problem:
        raise NotARecordError("numbers and texts that JSON can hold", str(problem)) from None


def _of_everyday(data: Json) -> bytes:
    """The canonical form of texts and whole numbers in ASCII, without escapes; none for anything else."""
    if not all(type(value) is str or (type(value) is int and abs(value) <= MAX_INTEGER) for value in data.values()):
        return b""
    try:
        form = _encode(data)
    except UnicodeEncodeError:
        return b""
    return form if form.isascii() and b"\\" not in form else b""


class _OddError(Exception):
    """Something that only the careful way gets right."""


def _refuse(text: str) -> NoReturn:
    raise _OddError(text)


_as_zeros = bytes.maketrans(b"123456789", b"000000000")
_zeros = b"0" * len(str(MAX_INTEGER))


def _long(data: bytes) -> bool:
    return _zeros in data.translate(_as_zeros)


_reading = msgspec.json.Decoder(dict[str, object], float_hook=_refuse)
_decode = _reading.decode
_writing = msgspec.json.Encoder(order="sorted")
_encode = _writing.encode


def _quickly(line: bytes) -> bytes:
    """The canonical form of an everyday line: ASCII, without escapes, fractions and long numbers.

    The count of quotation marks tells whether a key was said twice.
    """
    if b"\\" in line or b"\r" in line or len(line) > MAX_LINE_BYTES or not line.isascii() or _long(line):
        return b""
    try:
        form = _encode(_decode(line))
    except (ValueError, _OddError, RecursionError):
        return b""
    return form if form.count(b'"') == line.count(b'"') else b""


def _quickly_together(lines: Sequence[bytes]) -> list[bytes]:
    """The canonical forms of everyday lines, all at once; none where one of them is not everyday.

    Where every line begins and ends with a brace, no object reaches into the next line; so as many objects as lines are
    one object a line.
    """
    data = b"\n".join(lines)
    between = len(lines) - 1
    if not data.startswith(b"{") or not data.endswith(b"}") or not between == data.count(b"}\n{") == data.count(b"\n"):
        return []
    if b"\\" in data or b"\r" in data or not data.isascii() or max(map(len, lines)) > MAX_LINE_BYTES or _long(data):
        return []
    try:
        said = _reading.decode_lines(data)
        forms = _writing.encode_lines(said)
    except (ValueError, _OddError, RecursionError):
        return []
    return forms.split(b"\n")[:-1] if len(said) == len(lines) and forms.count(b'"') == data.count(b'"') else []
