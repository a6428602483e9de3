"""A position as one line of text: it fits a link, a message or a QR code, and says the same as the data.

`game/` and then the data in a notation without quotation marks and blanks: objects `(turn:9,player:A)`, lists
`!(a,b)`, and `!t`, `!f`, `!n` for true, false and null; this is Rison, which others can read too. A game may write
the most frequent part of its positions shorter (`Rules.position_text`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from audit.core.errors import PositionTextError

CONSTANTS: Mapping[str, object] = {"!t": True, "!f": False, "!n": None}
_WORD = re.compile(r"[A-Za-z_?][^\s'!:(),/&]*")
_NUMBER = re.compile(r"-?[0-9]{1,18}(?:\.[0-9]{1,18})?(?![0-9])")
MAX_DEPTH = 32
_QUOTED = re.compile(r"'((?:[^'!]|![!'])*)'")


def compact(value: object) -> str:
    """Plain data in the notation of a position's text."""
    if isinstance(value, Mapping):
        return f"({','.join(f'{compact(key)}:{compact(inner)}' for key, inner in value.items())})"
    if isinstance(value, list | tuple):
        return f"!({','.join(map(compact, value))})"
    if value is None or isinstance(value, bool):
        return next(sign for sign, constant in CONSTANTS.items() if constant is value)
    if isinstance(value, str):
        quoted = value.replace("!", "!!").replace("'", "!'")
        return value if _WORD.fullmatch(value) else f"'{quoted}'"
    return str(value)


def expanded(text: str, offset: int = 0) -> object:
    """The data of such a text; raises `PositionTextError` with the column. `offset` is what stands before it."""
    parser = _Parser(text, offset)
    value = parser.value()
    if parser.at < len(text):
        raise parser.error("the end")
    return value


class _Parser:
    """Reads one value after the other."""

    def __init__(self, text: str, offset: int) -> None:
        self.text, self.offset, self.at = text, offset, 0
        self.depth = 0

    def error(self, expected: str) -> PositionTextError:
        found = self.text[self.at : self.at + 12] or "the end"
        return PositionTextError(self.offset + self.at + 1, expected, found)

    def value(self) -> object:
        for sign, constant in CONSTANTS.items():
            if self._skip(sign):
                return constant
        for sign, read in (("!(", self._items), ("(", self._fields)):
            if self._skip(sign):
                return self._inside(read)
        if number := self._match(_NUMBER):
            return float(number[0]) if "." in number[0] else int(number[0])
        return self._word()

    def _inside(self, read: Callable[[], object]) -> object:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error(f"at most {MAX_DEPTH} levels")
        value = read()
        self.depth -= 1
        return value

    def _word(self) -> str:
        if quoted := self._match(_QUOTED):
            return re.sub(r"!([!'])", r"\1", quoted[1])
        if word := self._match(_WORD):
            return word[0]
        raise self.error("a word, a number, ( or !(")

    def _items(self) -> list[object]:
        found: list[object] = []
        while not self._skip(")"):
            self._comma(bool(found), ")")
            found.append(self.value())
        return found

    def _fields(self) -> dict[str, object]:
        found: dict[str, object] = {}
        while not self._skip(")"):
            self._comma(bool(found), ")")
            key = self._word()
            if not self._skip(":"):
                raise self.error(":")
            found[key] = self.value()
        return found

    def _comma(self, is_due: bool, end: str) -> None:
        if is_due and not self._skip(","):
            raise self.error(f", or {end}")

    def _skip(self, sign: str) -> bool:
        if not self.text.startswith(sign, self.at):
            return False
        self.at += len(sign)
        return True

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return found
