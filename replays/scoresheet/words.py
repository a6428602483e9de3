"""The words of a line: where they stand, which value each is, and how a value is written as a word."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress

import msgspec
from msgspec import Struct

_WORD = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^\s"])+|"')
_PLAIN = re.compile(r"""[^\s"'{}\[\]#]\S*""")
COMMENT = "#"


class Word(Struct, frozen=True):
    """A word of a line and its column, counted from 1."""

    text: str
    column: int


class Line(Struct, frozen=True):
    """The words of a line, the JSON object behind them, and the remark behind `#`."""

    words: tuple[Word, ...]
    envelope: Word | None = None
    remark: str | None = None

    @property
    def end(self) -> int:
        """The column after the last word."""
        return self.words[-1].column + len(self.words[-1].text) + 1 if self.words else 1


def line_of(text: str) -> Line:
    """The words of a line. Blanks within quotation marks part no words."""
    words: list[Word] = []
    for found in _WORD.finditer(text):
        if found[0].startswith(COMMENT):
            return Line(tuple(words), None, _remark(text[found.start() :]))
        if found[0].startswith("{"):
            return Line(tuple(words), *_behind(text, found.start()))
        words.append(Word(found[0], found.start() + 1))
    return Line(tuple(words))


def _behind(text: str, start: int) -> tuple[Word, str | None]:
    """The object that begins there, and the remark behind it."""
    try:
        _, end = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        end = len(text)
    return Word(text[start:end], start + 1), _remark(text[end:])


def _remark(text: str) -> str | None:
    return text.strip().removeprefix(COMMENT).strip() or None


def value_of(text: str, kind: object) -> object:
    """The value of a word where that type is expected; raises `msgspec.ValidationError`."""
    for raw in _readings(text):
        with suppress(msgspec.ValidationError):
            return msgspec.convert(raw, kind)
    raise msgspec.ValidationError(text)


def _readings(text: str) -> Iterator[object]:
    with suppress(ValueError, RecursionError):
        yield json.loads(text)
    yield text
    yield text.split(",")


def word_of(value: object, kind: object) -> str:
    """A value as one word: plain where that is read as the same value, else as JSON."""
    plain = msgspec.to_builtins(value, str_keys=True)
    if isinstance(plain, list | tuple):
        words = ",".join(map(str, plain))
    else:
        words = plain if isinstance(plain, str) else as_json(plain)
    return words if _PLAIN.fullmatch(words) and _is_read_as(words, value, kind) else as_json(plain)


def as_json(value: object) -> str:
    """JSON without blanks outside quotation marks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _is_read_as(text: str, value: object, kind: object) -> bool:
    try:
        return value_of(text, kind) == value
    except msgspec.ValidationError:
        return False
