"""Words that change what a rule says, found in a text: one table a language, data that a translator extends.

A table has families (`number`, `modality`, `time`, …); a family has markers that exclude each other (`before`,
`after`); a marker has the phrases that carry it in that language.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache

from msgspec import Struct

from audit.core.errors import AuditError
from audit.core.files import package_folder

IGNORE = "ignore"
_NAME = re.compile(r"(?:[a-zà-ÿ,]\s|['’])[A-ZÀ-ÝŁŚŻŹ][\wà-ÿ]+\s$")
ALL_NOUNS_IN_CAPITALS = frozenset({"de"})
"""Languages in which a capital letter makes no name of a word, so that a number behind it is one."""
FAMILIES = (
    "number", "modality", "negation", "exception", "quantity", "time", "actor", "reference", "condition", "whose",
    "side", "ordinal", "amount", "ability", "contrast", "term", "little",
)  # fmt: skip
"""What a table of markers may tell. Each is a fact of every sentence (`clauses.frames`): with a new one the kept
records of the known editions (`clauses/known/`) do not fit, and are made anew.
"""

_GAP = r"[^\w,;:.!?]+(?:\w+[^\w,;:.!?]+){0,4}?"
"""Up to four words, which do not reach over the end of a clause."""
_TO_THE_COMMA = r"(?:[^\w,;:.!?]+\w+){0,6},\s+"
"""Up to six words and the comma behind them."""

_AS_WRITTEN = "="
"""How a phrase begins whose capital letter counts, as that of a polite "you" does."""
_WITHIN = r"(?<=[\w,;] )"
"""Where a capital letter does not begin a sentence."""

MarkerTable = Mapping[str, Mapping[str, list[str]]]


class MarkerTableError(AuditError):
    """A language table cannot be used: which one, and why."""

    def __init__(self, language: str, why: str) -> None:
        super().__init__(f"the table of words for {language!r} cannot be used: {why}")
        self.language = language
        self.why = why


class MarkerMatch(Struct, frozen=True, order=True):
    """A marker found in a text: from `start` up to `end`, of a family, with the words as they stand there."""

    start: int
    end: int
    family: str
    marker: str
    words: str = ""


class Phrases:
    """The phrases of one family, ready to be found; a longer phrase hides a shorter one inside it."""

    def __init__(self, family: str, phrases: Iterable[tuple[str, str]]) -> None:
        """`phrases` are pairs of a marker and a phrase of it."""
        self.family = family
        self._by_piece: dict[str, list[tuple[str, str]]] = {}
        for marker, phrase in phrases:
            self._by_piece.setdefault(_longest_piece(phrase), []).append((marker, phrase))

    def found(self, text: str) -> Iterator[MarkerMatch]:
        """The marks of this family in the text, in order, without overlap."""
        return (mark for mark in self.taken(text) if mark.marker != IGNORE)

    def taken(self, text: str) -> Iterator[MarkerMatch]:
        """The same with the phrases that are not to be counted."""
        end = 0
        for start, longest, marker in sorted(self._hits(text), key=_ignored_first):
            if start >= end:
                end = -longest
                yield MarkerMatch(start, end, self.family, marker, text[start:end])

    def _hits(self, text: str) -> Iterator[tuple[int, int, str]]:
        folded = text.lower()
        for piece, phrases_of_it in self._by_piece.items():
            if piece in folded:
                for marker, phrase in phrases_of_it:
                    for match in _pattern(phrase).finditer(text):
                        yield match.start(), -match.end(), marker


def _ignored_first(hit: tuple[int, int, str]) -> tuple[int, int, bool, str]:
    """The order of hits: of two of one length, the phrase that is not to be counted."""
    start, longest, marker = hit
    return start, longest, marker != IGNORE, marker


@lru_cache(maxsize=20_000)
def marks(text: str, language: str, family: str) -> tuple[MarkerMatch, ...]:
    """The markers of a family in a text, as the language's table has them."""
    taken = list(phrases(language, family).taken(text))
    if family == "number":
        taken = sorted([*taken, *_digits(text, taken, language)])
    return tuple(mark for mark in taken if mark.marker != IGNORE)


@cache
def phrases(language: str, family: str) -> Phrases:
    """The phrases of a family in a language; none if the table does not know the family."""
    entries = table(language).get(family, {})
    return Phrases(family, [(marker, phrase) for marker, listed in entries.items() for phrase in listed])


@cache
def table(language: str) -> MarkerTable:
    """The table of a language; raises `TableError` if there is none or if it is not a table of phrases."""
    path = package_folder("audit.rulebooks.checks").joinpath("tables", f"{language}.toml")
    try:
        return parse_table(path.read_text("utf-8"), language)
    except FileNotFoundError:
        raise MarkerTableError(language, "there is none") from None


def has_table(language: str) -> bool:
    """Whether words of the language are known here: of another one a missing word tells nothing."""
    try:
        return bool(table(language))
    except MarkerTableError:
        return False


def parse_table(text: str, language: str) -> MarkerTable:
    """A table from its TOML; raises `TableError` for an unknown family or a marker that is no list of phrases."""
    try:
        read = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise MarkerTableError(language, str(error)) from None
    for family, entries in read.items():
        if family not in FAMILIES:
            raise MarkerTableError(language, f"[{family}] is none of {', '.join(FAMILIES)}")
        for marker, listed in entries.items():
            if not isinstance(listed, list) or not all(isinstance(phrase, str) for phrase in listed):
                raise MarkerTableError(language, f"{family}.{marker} is not a list of phrases")
    return read


def _digits(text: str, taken: Iterable[MarkerMatch], language: str) -> Iterator[MarkerMatch]:
    """Numbers in figures, outside the phrases already found and not part of a name, as in the card Speed 2."""
    has_names = language not in ALL_NOUNS_IN_CAPITALS
    spans = [(mark.start, mark.end) for mark in taken]
    for match in re.finditer(r"(?<![\w.,-])\d{1,3}(?![\w])", text):
        named = has_names and _NAME.search(text, 0, match.start())
        if not named and not any(start <= match.start() < end for start, end in spans):
            yield MarkerMatch(match.start(), match.end(), "number", str(int(match.group())), match.group())


def _longest_piece(phrase: str) -> str:
    """The longest run of letters of a phrase: where a text does not have it, the phrase is not there."""
    return max(re.findall(r"\w+", phrase.lower()), key=len, default="")


@cache
def _pattern(phrase: str) -> re.Pattern[str]:
    as_written, phrase = phrase.startswith(_AS_WRITTEN), phrase.removeprefix(_AS_WRITTEN)
    pieces = [_piece(word) for word in phrase.split()]
    body = r"\s+".join(pieces).replace(r"\s+…\s+", _GAP).replace(r"\s+…,\s+", _TO_THE_COMMA)
    body = body.replace(r"['’]\s+", r"['’]\s*")
    start = r"(?<!\w)" if phrase[0].isalnum() else ""
    end = r"(?!\w)" if phrase[-1].isalnum() else ""
    return re.compile(_WITHIN + start + body + end) if as_written else re.compile(start + body + end, re.IGNORECASE)


def _piece(word: str) -> str:
    if word in ("…", "…,"):
        return word
    return re.escape(word).replace(r"\*", r"\w*").replace("'", "['’]")
