"""The words of a line: where they stand, which value each is, how a value is written, and what would fit.

What would fit where a word does not is kept as data, so that it can be said in any language.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

import msgspec
from msgspec import Struct, inspect

from audit.core.schema_text import format_value, near_word
from audit.core.sentences import alternatives, sentence

_WORD = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^\s"])+|"')
_PLAIN = re.compile(r"""[^\s"'{}\[\]#]\S*""")
COMMENT = "#"
PACKAGE = "replays"
MAX_FITS = 12


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
    with suppress(ValueError, RecursionError):
        yield json.loads(f"[{text}]")


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


# What would fit


class Fit(Struct, frozen=True):
    """One thing that would fit: the name of its words (`fit_card`), and what stands in them; without a name, a word."""

    name: str
    low: float | None = None
    high: float | None = None
    word: str = ""


CARD, EVENT, LINE_END, OBJECT = Fit("card"), Fit("event"), Fit("end"), Fit("object")


def written(words: Iterable[str]) -> tuple[Fit, ...]:
    """Words that fit as they stand."""
    return tuple(Fit("", word=word) for word in words)


def fits_of(kind: inspect.Type) -> Iterator[Fit]:
    """Every form of a type."""
    if isinstance(kind, inspect.Metadata):
        yield from fits_of(kind.type)
    elif isinstance(kind, inspect.UnionType):
        for form in kind.types:
            yield from () if isinstance(form, inspect.NoneType) else fits_of(form)
    elif isinstance(kind, inspect.LiteralType):
        yield from written(format_value(value).strip('"') for value in sorted(kind.values, key=str))
    elif isinstance(kind, inspect.IntType | inspect.FloatType):
        yield Fit(
            "number" if kind.ge is None else "number_from" if kind.le is None else "number_between", kind.ge, kind.le
        )
    else:
        yield Fit(_NAMES.get(type(kind), "text"))


_NAMES: Mapping[type[inspect.Type], str] = {
    inspect.VarTupleType: "list", inspect.ListType: "list", inspect.TupleType: "list", inspect.StructType: "object",
    inspect.DictType: "object",
}  # fmt: skip


def told_fits(language: str, fits: Sequence[Fit], found: str = "") -> str:
    """`A, B or a card of this game`, in a language; with the word that is nearest to what was found."""
    told = list(dict.fromkeys(_told(language, fit) for fit in fits))
    near = near_word(found, [fit.word for fit in fits if fit.word]) if found else ""
    more = f" ({sentence(PACKAGE, language, 'fit_near', {'word': near}, 'terminal')})" if near else ""
    if len(told) > MAX_FITS:
        return f"{', '.join(told[:MAX_FITS])}, …{more}"
    return alternatives(told, language) + more


def _told(language: str, fit: Fit) -> str:
    if not fit.name:
        return fit.word
    return sentence(PACKAGE, language, f"fit_{fit.name}", {"low": fit.low, "high": fit.high}, "terminal")


__all__ = ["CARD", "EVENT", "LINE_END", "OBJECT", "Fit", "fits_of", "told_fits", "written"]
