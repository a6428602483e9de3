"""The canonical form of a line (RFC 8785) and the chain of hashes over a log.

Two lines that say the same have the same canonical form, however they are written. The chain starts from the
header, so that no event can be taken from one game to another, and its last link is the head of the log.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import NoReturn

import msgspec
import rfc8785

from replays.log.lines import MAX_LINE_BYTES
from replays.log.strict_json import MAX_INTEGER, Json, NotARecordError, parse

ALGORITHM = b"audit-chain/1\n"


class Chain:
    """The hashes of a log, line by line, the header first."""

    def __init__(self) -> None:
        self.head = b""
        self.lines = 0

    def add(self, line: bytes) -> None:
        """Hang a line on; raises `NotARecordError`."""
        self.hang(canonical(line))

    def hang(self, form: bytes) -> None:
        """Hang on a line whose canonical form is known."""
        self.head = sha256((self.head or ALGORITHM) + form).digest()
        self.lines += 1


def canonical(line: bytes) -> bytes:
    """The canonical form of the object of a line; raises `NotARecordError`."""
    return _quickly(line) or canonical_object(parse(line))


def canonical_object(data: Json) -> bytes:
    """The canonical form of an object; raises `NotARecordError` where it has none."""
    try:
        return rfc8785.dumps(data)  # type: ignore[arg-type]
    except rfc8785.CanonicalizationError as problem:
        raise NotARecordError("numbers and texts that JSON can hold", str(problem)) from None


class _OddError(Exception):
    """Something that only the careful way gets right."""


def _refuse(text: str) -> NoReturn:
    raise _OddError(text)


_long = re.compile(rb"\d{%d}" % len(str(MAX_INTEGER))).search
_decode = msgspec.json.Decoder(dict[str, object], float_hook=_refuse).decode
_encode = msgspec.json.Encoder(order="sorted").encode


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
