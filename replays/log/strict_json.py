"""Parses one line as a JSON object and refuses what two programs might read differently."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import chain
from typing import NoReturn

import msgspec

from audit.core.errors import AuditError
from audit.core.typed_setup import format_value
from replays.log.lines import MAX_LINE_BYTES

MAX_DEPTH = 32
"""Levels of nesting in a line, at most."""
MAX_INTEGER = 2**53 - 1
"""The largest whole number that every JSON reader holds exactly."""

Json = dict[str, object]


class NotARecordError(AuditError):
    """A line that is no JSON object; `cut` where it looks like the beginning of one."""

    def __init__(self, expected: str, found: str, cut: bool = False) -> None:
        super().__init__(f"expected {expected}, found {found}")
        self.expected = expected
        self.found = found
        self.cut = cut


def parse(line: bytes) -> Json:
    """The object of a line; raises `NotARecordError` with what was found instead."""
    text = _text(line)
    try:
        found = json.loads(
            text, object_pairs_hook=_object, parse_int=_int, parse_float=_float, parse_constant=_constant
        )
    except json.JSONDecodeError as problem:
        detail = f"{problem.msg[0].lower()}{problem.msg[1:]} at character {problem.colno}"
        raise NotARecordError("a JSON object", f"text that is not JSON ({detail})", cut=True) from None
    except RecursionError:
        _too_deep()
    if not isinstance(found, dict):
        raise NotARecordError("a JSON object", format_value(found))
    _check(found, b"\\u" in line)
    return found


def check_written_once(document: bytes) -> None:
    """Refuses a document of ours that is not written as we write it: a key said twice, another form of a number, space.

    Two readers may understand such a document differently. Raises ValueError where it is so, or no JSON.
    """
    try:
        again = msgspec.json.encode(msgspec.json.decode(document))
    except (RecursionError, OverflowError) as problem:
        raise ValueError(str(problem)) from None
    if again != document.removesuffix(b"\n"):
        raise ValueError("a key is said twice, or it is written in another form")


def _text(line: bytes) -> str:
    for is_wrong, expected, found, cut in _SUSPECTS:
        if is_wrong(line):
            raise NotARecordError(expected, found, cut)
    try:
        return line.decode()
    except UnicodeDecodeError as problem:
        found = f"the byte 0x{line[problem.start]:02x} at byte {problem.start + 1}"
        raise NotARecordError("UTF-8 text", found, cut=True) from None


_Suspect = tuple[Callable[[bytes], bool], str, str, bool]
_SUSPECTS: tuple[_Suspect, ...] = (
    (lambda line: len(line) > MAX_LINE_BYTES, f"a line of at most {MAX_LINE_BYTES:,} bytes", "a longer one", False),
    (lambda line: not line.strip(), "a JSON object", "an empty line", False),
    (lambda line: line.startswith(b"\xef\xbb\xbf"), "a JSON object", "a byte order mark before it", False),
    (lambda line: b"\0" in line, "text", "a NUL byte", True),
    (lambda line: b"\r" in line, "lines that end in LF", "a carriage return (CR LF)", False),
)


def _object(pairs: list[tuple[str, object]]) -> Json:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in made if names.count(name) > 1)
        raise NotARecordError("each key once", f"{format_value(twice)} more than once")
    return made


def _int(text: str) -> int:
    if len(text) > 17 or abs(int(text)) > MAX_INTEGER:
        raise NotARecordError(f"whole numbers up to {MAX_INTEGER}", _short(text))
    return int(text)


def _float(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise NotARecordError("numbers that a computer can hold", _short(text))
    return number


def _short(text: str) -> str:
    return text if len(text) <= 24 else f"a number of {len(text):,} characters"


def _constant(text: str) -> NoReturn:
    raise NotARecordError("JSON", f"{text}, which JSON has no word for", cut=False)


def is_shallow(line: bytes) -> bool:
    """Whether a line of good JSON without escapes is certain to be nested no deeper than a record may be.

    Of the line only quotation marks and brackets are kept; a mark that is left over once the pairs are gone belongs
    to a text with brackets in it, of which this cannot tell.
    """
    brackets = line.translate(_ONE_KIND, _NOT_NESTING).replace(b'""', b"")
    for _ in range(MAX_DEPTH):
        if not brackets:
            return True
        brackets = brackets.replace(b"[]", b"")
    return not brackets


_ONE_KIND = bytes.maketrans(b"{}", b"[]")
_NOT_NESTING = bytes(set(range(256)) - set(b'"{}[]'))


def _check(found: Json, escapes: bool) -> None:
    level: list[Json | list[object]] = [found]
    for _ in range(MAX_DEPTH):
        values = chain.from_iterable([outer.values() if type(outer) is dict else outer for outer in level])
        level = [inner for inner in values if type(inner) is dict or type(inner) is list]
        if not level:
            break
    else:
        _too_deep()
    if escapes:
        try:
            json.dumps(found, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise NotARecordError("UTF-8 text", "half of a surrogate pair (\\ud800 to \\udfff)") from None


def _too_deep() -> NoReturn:
    raise NotARecordError(f"at most {MAX_DEPTH} levels of nesting", "more")
