"""The text of a PDF by where it stands on the page: columns, lines, paragraphs, headings, bullets.

A page is a set of pieces of text with a place and a size. Pieces at one height are a line; a gutter that hardly any
piece crosses parts two columns; what stands at the top or the foot of many pages is no text of the document.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from statistics import median

from msgspec import Struct

_LETTER = 0.5
"""The width of a letter as a share of its size."""
_LARGER = 1.15
"""A heading is so much larger than the text."""
_GAP = 1.45
"""A paragraph ends where the next line is so many line heights away."""
_CROSSING, _COLUMN = 0.06, 0.2
"""At most such a share of a page crosses a gutter; at least such a share stands on either side of it."""
_MIDDLE = (0.42, 0.58)
"""A gutter outside this share of the width leaves room for more columns on its wide side."""
_LEVELS = 3
_BULLET = re.compile(r"^[•·●▪■◦‣▶►–—*○□✓✔➔→➢➤✦❖◆◇★☞»-]\s*(?=\S)")
_OPENS = re.compile(r"^(?:[QAFRDPO]\d*\s?:|(?:\d{1,2}|[a-z])\))\s+(?=\S)")
"""A question, an answer or an entry with a number begins a paragraph, however near the line before stands."""
_PAGE_NUMBER = re.compile(r"^\W*(?:page|seite|pagina|strona)?\W*\d{1,4}(?:\s*(?:/|of|de|di|z|von)\s*\d+)?\W*$", re.I)


class Piece(Struct, frozen=True):
    """A piece of text on a page: where it begins, from the left and from the foot, and the size of its letters."""

    x: float
    y: float
    size: float
    text: str

    @property
    def end(self) -> float:
        """About where it ends. Spaces that justify a line are no wider than one."""
        return self.x + len(" ".join(self.text.split())) * self.size * _LETTER


class TextLine(Struct, frozen=True):
    """A line of a page or a column."""

    x: float
    y: float
    size: float
    text: str


Page = Sequence[Piece]


def laid_out(pages: Sequence[Page]) -> str:
    """The text in reading order, marked as in Markdown: one block a paragraph."""
    lines = _without_edges([list(_lines_of(page)) for page in pages])
    sizes = _heading_sizes(lines)
    blocks = [block for page in lines for block in _blocks(page, sizes)]
    return "\n\n".join(_joined_over_pages(blocks))


def _lines_of(page: Page) -> Iterator[TextLine]:
    """The lines of a page, column after column; what goes over both columns parts them."""
    pieces = [piece for piece in page if piece.text.strip()]
    body = _LARGER * _usual_size(pieces)
    gutter = _gutter([piece for piece in pieces if piece.size < body])
    if gutter is None:
        yield from _lines(pieces)
        return
    high_first = sorted(pieces, key=lambda piece: -piece.y)
    for across, zone in groupby(high_first, key=lambda piece: piece.x < gutter < piece.end):
        held = list(zone)
        if across:
            yield from _lines(held)
        else:
            yield from _column([piece for piece in held if piece.x < gutter], gutter, pieces)
            yield from _column([piece for piece in held if piece.x >= gutter], gutter, pieces)


def _column(held: Page, gutter: float, page: Page) -> Iterator[TextLine]:
    """The lines of one side of a gutter, which may be several columns where it is the wide side."""
    left, right = min(piece.x for piece in page), max(piece.end for piece in page)
    at = (gutter - left) / (right - left)
    wide = held and (at < _MIDDLE[0] if held[0].x >= gutter else at > _MIDDLE[1])
    yield from _lines_of(held) if wide else _lines(held)


def _gutter(pieces: Page) -> float | None:
    """Where two columns part; nothing on a page of one column."""
    if not pieces:
        return None
    left, right = min(piece.x for piece in pieces), max(piece.end for piece in pieces)
    every = sum(len(piece.text) for piece in pieces)
    best: tuple[float, float] | None = None
    for step in range(30, 71, 2):
        at = left + (right - left) * step / 100
        crossing = sum(len(piece.text) for piece in pieces if piece.x < at < piece.end) / every
        sides = [sum(len(p.text) for p in pieces if side(p, at)) / every for side in (_ends_before, _begins_after)]
        if crossing <= _CROSSING and min(sides) >= _COLUMN and _rows_on_both(pieces, at):
            best = min(best or (2.0, at), (crossing + abs(step - 50) / 1000, at))
    return best[1] if best else None


def _usual_size(pieces: Iterable[Piece | TextLine]) -> float:
    """The size of most letters."""
    letters: Counter[float] = Counter()
    for piece in pieces:
        letters[round(piece.size, 1)] += len(piece.text)
    return letters.most_common(1)[0][0] if letters else 0.0


def _ends_before(piece: Piece, at: float) -> bool:
    return piece.end <= at


def _begins_after(piece: Piece, at: float) -> bool:
    return piece.x >= at


def _rows_on_both(pieces: Page, at: float) -> bool:
    """Whether the right side begins again and again at one place, as a column does and the end of a line does not."""
    starts = Counter(round(piece.x / 4) for piece in pieces if piece.x >= at)
    return bool(starts) and max(starts.values()) >= 3


def _lines(pieces: Iterable[Piece]) -> Iterator[TextLine]:
    row: list[Piece] = []
    for piece in sorted(pieces, key=lambda one: (-one.y, one.x)):
        if row and abs(row[0].y - piece.y) > 0.4 * max(row[0].size, piece.size):
            yield _line(row)
            row = []
        row.append(piece)
    if row:
        yield _line(row)


def _line(row: Sequence[Piece]) -> TextLine:
    ordered = sorted(row, key=lambda piece: piece.x)
    text = ordered[0].text
    for one, other in pairwise(ordered):
        apart = other.x - one.end > 0.1 * other.size or len(one.text) > 1 or one.text.isspace()
        text += (" " if apart else "") + other.text
    size = max(ordered, key=lambda piece: len(piece.text)).size
    return TextLine(ordered[0].x, ordered[0].y, size, " ".join(text.split()))


def _without_edges(pages: list[list[TextLine]]) -> list[list[TextLine]]:
    """The pages without page numbers, and without what stands at the edge of at least three pages."""
    body = _LARGER * _usual_size(line for page in pages for line in page)
    edges = Counter(key for page in pages for key in {_key(line) for line in _edge(page, body)})
    often = {key for key, number in edges.items() if key and number >= max(3, len(pages) / 3)}
    return [
        [line for line in page if line not in edge or not (_key(line) in often or _PAGE_NUMBER.match(line.text))]
        for page, edge in ((page, _edge(page, body)) for page in pages)
    ]


def _edge(page: Sequence[TextLine], body: float) -> list[TextLine]:
    """What stands at the height of the first and of the last line of a page, headings apart."""
    plain = [line for line in page if line.size < body]
    top, foot = max((line.y for line in plain), default=0), min((line.y for line in plain), default=0)
    return [line for line in plain if top - line.y < line.size or line.y - foot < line.size]


def _key(line: TextLine) -> str:
    return re.sub(r"\d+", "#", line.text.casefold())


def _heading_sizes(pages: Iterable[Sequence[TextLine]]) -> list[float]:
    """The sizes that head a section, the largest first."""
    lines = [line for page in pages for line in page]
    body = _usual_size(lines)
    return sorted({size for line in lines if (size := round(line.size, 1)) >= body * _LARGER}, reverse=True)


def _blocks(lines: Sequence[TextLine], sizes: Sequence[float]) -> Iterator[str]:
    """Headings, list entries and paragraphs, each joined from its lines."""
    pitch = _pitch(lines)
    block: list[TextLine] = []
    for line in lines:
        if block and _begins(block[-1], line, pitch):
            yield _block(block, sizes)
            block = []
        block.append(line)
    if block:
        yield _block(block, sizes)


def _pitch(lines: Sequence[TextLine]) -> float:
    """The usual distance of two lines, in letters."""
    steps = [(one.y - other.y) / one.size for one, other in pairwise(lines) if 0 < one.y - other.y < 3 * one.size]
    return median(steps) if steps else 1.2


def _begins(before: TextLine, line: TextLine, pitch: float) -> bool:
    if abs(before.size - line.size) > 0.08 * before.size or _BULLET.match(line.text) or _OPENS.match(line.text):
        return True
    down = before.y - line.y
    return down > _GAP * pitch * before.size or (down < 0 and _ends_sentence(before.text))


def _block(lines: Sequence[TextLine], sizes: Sequence[float]) -> str:
    text = lines[0].text
    for line in lines[1:]:
        text = _hyphenated(text, line.text)
    size = round(lines[0].size, 1)
    if size in sizes:
        return f"{'#' * min(_LEVELS, sizes.index(size) + 1)} {text}"
    return _BULLET.sub("- ", text, count=1)


def _hyphenated(text: str, more: str) -> str:
    """Two lines as one, a word parted at the end of the first joined again."""
    if re.search(r"[^\W\d_]-$", text) and more[:1].islower():
        return text[:-1] + more
    return f"{text} {more}"


def _joined_over_pages(blocks: Iterable[str]) -> Iterator[str]:
    """Paragraphs that go on over a column or a page, as one."""
    held = ""
    for block in blocks:
        plain = not held.startswith("#") and not block.startswith(("#", "- "))
        if held and plain and not _ends_sentence(held) and block[:1].islower():
            held = _hyphenated(held, block)
            continue
        if held:
            yield held
        held = block
    if held:
        yield held


def _ends_sentence(text: str) -> bool:
    return bool(re.search(r"[.!?:;…][\s\"”»)\]]*$", text))
