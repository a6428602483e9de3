"""Cuts the lines of a document into passages. It knows no document; line shapes are data."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from audit.core.files import package_folder
from audit.rulebooks.cutting.wrapping import whole_lines
from audit.rulebooks.passages import Correction, Kind, Line, Passage, Rulebook, edition_of, slug
from audit.rulebooks.scans import cleaned, suspected

GENERIC = "generic"


class LineShape(Struct, frozen=True, forbid_unknown_fields=True):
    """How one sort of line looks. Named groups of `pattern`: `key`, `title`, and `text`, what is to be shown.

    A `heading` opens a section of that `level`; any other kind opens a passage. `holds` keeps the passages
    that follow under this one (an answer under its question, a remark under its rule), as kind `then`.
    `alone` asks that the line before be complete; `longest` bounds the length of the line.
    """

    kind: str
    pattern: str
    level: int = 1
    prefix: str = ""
    holds: bool = False
    alone: bool = False
    longest: int = 10_000
    then: Kind = Kind.PARAGRAPH
    under: str = ""

    @property
    def regex(self) -> re.Pattern[str]:
        """The compiled pattern."""
        return _compiled(self.pattern)


class Apart(Struct, frozen=True, rename={"first": "from"}):
    """Lines that are no rules: from the one that looks like `first` up to the one like `until`."""

    first: str
    until: str


class Shape(Struct, frozen=True, forbid_unknown_fields=True):
    """The looks of one kind of document, tried in order.

    `join` says when a line goes on with the one before: `line` when it begins with a small letter, `open`
    also when the line before is no complete sentence, `stop` as long as no sentence end was followed by a
    blank line, `blank` up to the next blank line. `strip` takes markup out, `mend` puts in what was lost.
    """

    join: Literal["line", "open", "stop", "blank"] = "line"
    scan: str = ""
    look: tuple[LineShape, ...] = ()
    apart: tuple[Apart, ...] = ()
    strip: tuple[str, ...] = (r"\*\*",)
    mend: tuple[tuple[str, str], ...] = ()


class Known(Struct, frozen=True, forbid_unknown_fields=True):
    """A document this package knows how to cut: its game, language and shape."""

    game: str
    language: str
    shape: str
    kind: str = ""


@cache
def known_documents() -> Mapping[str, Known]:
    """The documents known by id."""
    return msgspec.convert(_toml(_data("known.toml")), dict[str, Known])


@cache
def shape_named(name: str) -> Shape:
    """The shape of that name."""
    return msgspec.convert(_toml(_data("looks", f"{name}.toml")), Shape)


def shape_for(document: str) -> tuple[str, Shape]:
    """The shape of a known document, or the generic one."""
    entry = known_documents().get(document)
    name = entry.shape if entry else GENERIC
    return name, shape_named(name)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _data(*parts: str) -> Path:
    return package_folder("audit.rulebooks.cutting").joinpath(*parts)


def _toml(path: Path) -> dict[str, object]:
    return tomllib.loads(path.read_text("utf-8"))


KEY_WORDS = 3
"""How many words of a passage's title go into its id."""

_UNSEEN = {0xAD: "", 0xFEFF: "", 0x200B: "", 0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl"}
_COMPLETE = re.compile(r"[.!?…;][”»\"')\]*]*$|.{12}:$|[)”]$")
_PAGE = re.compile(r"[-–—] ?\d{1,3} ?[-–—]|(?i:page|p[aá]gina|strona|seite|s\.|p\.) ?\d{1,3}|\d{1,3} ?/ ?\d{1,3}")
"""The number of a page on a line of its own."""
_TITLE = re.compile(r"(?P<mark>#{1,6}) +(?P<title>\S.*)")
"""A title as a web page, an office document or a page set in type has it, once its text is read."""
_GOES_ON = re.compile(r"^[a-zà-öø-ÿąćęłńóśźż,;)»]")


def cut(text: str, document: str, language: str = "", like: str = "") -> Rulebook:
    """Cut a document into passages; a document this package does not know is cut by its general look.

    `text` is the document as read, `document` its id (`compile-faq-fr`), `language` that of an unknown one, `like`
    the known document of which it is an edition under another id.
    """
    known = known_documents().get(like or document)
    language = language or (known.language if known else "")
    name, shape = shape_for(like or document)
    raw = text.splitlines()
    plain = [_plain(line) for line in raw]
    scan = shape.scan or (language if suspected(plain, language) else "")
    lines = cleaned(plain, scan) if scan else [_mended(n, line, shape) for n, line in enumerate(plain, 1)]
    edition = edition_of(plain)
    blocks = list(_Cutter(shape).blocks(lines))
    passages = tuple(_passages(blocks, raw, document, edition, language, shape))
    return Rulebook(
        document=document, language=language, edition=edition, passages=passages, lines=len(raw), shape=name,
        game=known.game if known else "", like="" if like == document else like,
        rank=known.kind if known else "",
    )  # fmt: skip


def _plain(line: str) -> str:
    """A line as every extraction of the same document gives it: no space at its ends, one space of one kind between
    words, each letter one sign, no hyphen that only shows where a word may break.
    """
    letters = unicodedata.normalize("NFC", line.translate(_UNSEEN))
    return " ".join(letters.split())


@dataclass
class _Block:
    kind: Kind
    heading: tuple[str, ...]
    anchor: tuple[str, ...]
    key: str
    apart: bool
    lines: list[Line] = field(default_factory=list)
    parts: list[tuple[int, str]] = field(default_factory=list)

    def add(self, line: Line, text: str) -> None:
        self.lines.append(line)
        if text.strip():
            self.parts.append((line.number, text.strip()))

    @property
    def complete(self) -> bool:
        return bool(self.parts) and bool(_COMPLETE.search(self.parts[-1][1].rstrip("*+ ")))


class _Cutter:
    """Goes over the lines once, keeping the headings above and the passage that is open."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.headings: dict[int, str] = {}
        self.anchor: tuple[str, ...] = ()
        self.held: tuple[LineShape, str, str] | None = None
        self.open: _Block | None = None
        self.until: str | None = None
        self.blank = True
        self.goes_on = False
        self.numbers: Counter[str] = Counter()

    def blocks(self, lines: Iterable[Line]) -> Iterator[_Block]:
        every = whole_lines(list(lines))
        for parts, after in zip_longest(every, every[1:]):
            text = " ".join(part.shown for part in parts).strip()
            self.goes_on = bool(after and _GOES_ON.match(after[0].shown.strip()))
            if _PAGE.fullmatch(text):
                continue
            if not text:
                self.blank = True
                continue
            self._step_apart(title["title"] if (title := _TITLE.match(text)) else text)
            yield from self._line(parts, text)
            self.blank = False
        yield from self._close()

    def _line(self, parts: Sequence[Line], text: str) -> Iterator[_Block]:
        """One line of the document; `parts` are the lines on which it stands in the file."""
        line, *more = parts
        look, match = self._look(text)
        title = _TITLE.match(text) if look is None else None
        if title:
            look, match = self._titled(title)
        if look and match:
            yield from self._close()
            self._begin(look, match, line)
            self._go_on([(part, "") for part in more])
            return
        if not self._joins(text):
            yield from self._close()
            self._plain()
        self._go_on([(part, title["title"] if title else part.shown) for part in parts])

    def _go_on(self, parts: Iterable[tuple[Line, str]]) -> None:
        for line, text in parts:
            if self.open:
                self.open.add(line, text)

    def _look(self, text: str) -> tuple[LineShape | None, re.Match[str] | None]:
        settled = self.open is None or self.open.complete or (self.blank and self.shape.join == "blank")
        for look in self.shape.look:
            if len(text) > look.longest or (look.alone and not settled):
                continue
            if look.kind == "heading" and not self._may_head(look):
                continue
            if look.under and not re.match(look.under, next(iter(self.headings.values()), "")):
                continue
            if match := look.regex.match(text):
                return look, match
        return None, None

    def _titled(self, title: re.Match[str]) -> tuple[LineShape | None, re.Match[str] | None]:
        """How a line looks that its file marks as a title: as the same words without the mark, else a heading."""
        for look in self.shape.look:
            is_open = look.kind != "heading" or self.until is None or look.level == 1
            if is_open and len(title["title"]) <= look.longest and (match := look.regex.match(title["title"])):
                return look, match
        if self.until is not None:
            return None, None
        return LineShape("heading", _TITLE.pattern, len(title["mark"])), title

    def _may_head(self, look: LineShape) -> bool:
        if self.until is not None and look.level > 1:
            return False
        if look.alone and self.goes_on:
            return False
        return not (look.alone and self.shape.join == "blank" and not self.blank)

    def _joins(self, text: str) -> bool:
        if self.open is None:
            return False
        match self.shape.join:
            case "blank":
                return not self.blank
            case "stop":
                return not self.open.complete or not self.blank
            case "open":
                return not self.open.complete or bool(_GOES_ON.match(text))
            case _:
                return bool(_GOES_ON.match(text)) and not self.open.complete

    def _begin(self, look: LineShape, match: re.Match[str], line: Line) -> None:
        groups = match.groupdict()
        if look.kind == "heading":
            self._open_section(look.level, groups["title"].strip())
            return
        key = self._key(look, groups.get("key") or "")
        shown = groups.get("text") or ""
        if look.holds:
            self.held = (look, key, shown)
        above = self._above(with_held=not look.holds)
        self.open = _Block(Kind(look.kind), above, self._anchor(key), key, self.until is not None)
        self.open.add(line, shown)

    def _plain(self) -> None:
        kind = self.held[0].then if self.held else Kind.PARAGRAPH
        key = self.held[1] if self.held and kind is Kind.ANSWER else ""
        above = self._above(with_held=True)
        self.open = _Block(kind, above, self._anchor(""), key, self.until is not None)

    def _key(self, look: LineShape, found: str) -> str:
        if found or not look.prefix:
            return found.strip()
        self.numbers[look.prefix] += 1
        return f"{look.prefix}{self.numbers[look.prefix]}"

    def _open_section(self, level: int, title: str) -> None:
        title = self._stripped(title)
        self.headings = {at: text for at, text in self.headings.items() if at < level}
        self.headings[level] = title
        self.held = None

    def _above(self, *, with_held: bool = False) -> tuple[str, ...]:
        path = tuple(self.headings[level] for level in sorted(self.headings))
        if with_held and self.held:
            look, key, shown = self.held
            return (*path, self._stripped(shown) if look.then is Kind.ANSWER else key)
        return path

    def _anchor(self, key: str) -> tuple[str, ...]:
        held = slug(_named(*self.held[:2])) if self.held else ""
        own = held if self.held and self.held[1] == key else slug(key, KEY_WORDS)
        sections = tuple(slug(self.headings[level]) for level in sorted(self.headings))
        if held:
            return (*sections, held) if own in ("", held) else (*sections, held, own)
        return (*sections, own) if own else sections

    def _stripped(self, text: str) -> str:
        return stripped(text, self.shape.strip)

    def _close(self) -> Iterator[_Block]:
        if self.open and self.open.parts:
            yield self.open
        self.open = None

    def _step_apart(self, text: str) -> None:
        if self.until and re.match(self.until, text):
            self.until = None
        for entry in self.shape.apart:
            if re.match(entry.first, text):
                self.until = entry.until


def _named(look: LineShape, key: str) -> str:
    return key if key.startswith(look.prefix) else look.prefix + key


def stripped(text: str, patterns: Sequence[str]) -> str:
    """A text without the marks of its markup."""
    for pattern in patterns:
        text = re.sub(pattern, "", text)
    return text.strip()


def _mended(number: int, text: str, shape: Shape) -> Line:
    shown = text
    for pattern, replacement in shape.mend:
        shown = re.sub(pattern, replacement, shown)
    changes = (Correction(number, text, shown, "fused"),) if shown != text else ()
    return Line(number, text, shown, changes)


def _passages(
    blocks: Iterable[_Block], raw: Sequence[str], document: str, edition: str, language: str, shape: Shape
) -> Iterator[Passage]:
    seen: Counter[tuple[str, ...]] = Counter()
    blocks = list(blocks)
    total = Counter(block.anchor for block in blocks)
    for block in blocks:
        seen[block.anchor] += 1
        number = (str(seen[block.anchor]),) if total[block.anchor] > 1 or not block.key else ()
        text, breaks = _joined(block, shape)
        first, last = block.lines[0].number, block.lines[-1].number
        yield Passage(
            id="/".join((document, *block.anchor, *number)), document=document, edition=edition,
            language=language, text=text, lines=(first, last),
            kind=block.kind, heading=block.heading, key=block.key,
            read="\n".join(raw[first - 1 : last]), breaks=breaks, apart=block.apart,
            corrections=tuple(change for line in block.lines for change in line.corrections),
        )  # fmt: skip


def _joined(block: _Block, shape: Shape) -> tuple[str, tuple[tuple[int, int], ...]]:
    text, breaks = "", []
    for number, part in block.parts:
        part = stripped(part, shape.strip)
        text = f"{text} {part}" if text else part
        breaks.append((len(text) - len(part), number))
    return text, tuple(breaks)
