"""The sheet of a step as a PDF: one page A4, smaller where there is much to say, never a second page."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from audit.core.typography import sanitize_text
from web.drawing.flow import PAPER
from web.drawing.flow import WIDE as PHONE
from web.drawing.tree import can_be_made, colours, icons, png
from web.publishing.sheet import Sheet, SheetError, runs
from web.publishing.wording import source_line, words_of

if TYPE_CHECKING:
    from fpdf import FPDF

MARGIN, FOOT, QR, GAP = 13.0, 50.0, 26.0, 5.0
WHOLE, WIDE, USUAL, SMALL_PICTURE = 184.0, 100.0, 86.0, 64.0
TALL, WIDEST = 1.1, 137.0
"""So many times as high as wide is a tall picture; a wider one leaves no room for words beside it."""
SMALLEST = 8.0
"""No letter is smaller, in points. Those of a picture are so large where it has its usual width; a picture of
more units is wider."""
LEAST = 6.0
"""How small the letters of a picture may be where it holds so much that it would not fit otherwise."""
UNITS = (PAPER, 900, 1200)
"""How many units a picture is wide: the same table is lower in a wider one, for more stands beside each other."""
LETTER = 14
"""How many units high a letter of a picture is at least."""


class Fit(Struct, frozen=True):
    """How large letters are, how much of a quotation and of the story is told, and how wide the picture is, in mm."""

    scale: float
    quoted: int
    told: int = 9
    width: float = USUAL


FITS = (
    Fit(1.2, 700, 9, WIDE), Fit(1.1, 700, 9, WIDE), Fit(1.0, 700, 9, WIDE), Fit(1.0, 700), Fit(0.94, 600),
    Fit(0.88, 400), Fit(0.8, 240), Fit(0.8, 120), Fit(0.8, 120, 2), Fit(0.8, 60, 0), Fit(0.8, 0, 0),
    Fit(0.8, 240, 9, SMALL_PICTURE), Fit(0.8, 60, 0, SMALL_PICTURE), Fit(0.8, 0, 0, 0.85 * SMALL_PICTURE),
    Fit(0.8, 0, 0, 0.7 * SMALL_PICTURE), Fit(0.8, 0, 0, SMALL_PICTURE / 2),
)  # fmt: skip
"""The first that fits is taken. Beside the picture stands what should have happened."""


class Pen(Struct, frozen=True):
    """How words are written."""

    size: float
    bold: bool = False
    colour: str = "ink"


_SIZE = re.compile(r'<svg [^>]*?width="([\d.]+)" height="([\d.]+)"')
TEXT, SMALL, QUIET = Pen(10), Pen(8.5), Pen(8, colour="quiet")
HEAD = Pen(8.5, bold=True, colour="quiet")


class Drawn(Struct, frozen=True):
    """A picture of the table as SVG, how many units it is wide, and how many times as high as wide."""

    svg: str
    units: float
    shape: float

    def width(self, fit: Fit) -> float:
        """How wide it is on the page, in mm."""
        return min(WHOLE, fit.width * self.units / PHONE)

    def letters(self, fit: Fit) -> float:
        """How large its letters are, in points."""
        return LETTER * self.width(fit) / self.units / 25.4 * 72


def sheet_pdf(sheet: Sheet, draw: Callable[[int], str]) -> bytes:
    """The page; `draw` makes the picture of the table as SVG, so many units wide.

    Raises `SheetError` where a package is missing.
    """
    for drawn, fit in _ways(draw):
        page = Page(sheet, replace(fit, width=drawn.width(fit)))
        page.fill(can_be_made(), drawn.shape)
        if page.fits:
            break
    if can_be_made():
        page.show(png(drawn.svg))
    page.foot()
    return bytes(page.page.output())


def _ways(draw: Callable[[int], str]) -> Iterator[tuple[Drawn, Fit]]:
    """What is tried, the best first: letters of a picture as large as the others, then smaller ones, then any."""
    made = cache(lambda units: _drawn(draw(units)))
    for least, most in ((SMALLEST, math.inf), (LEAST, SMALLEST)):
        for drawn in map(made, UNITS):
            yield from ((drawn, fit) for fit in FITS if least <= drawn.letters(fit) < most)
    left = [(drawn, fit) for drawn in map(made, UNITS) for fit in FITS if drawn.letters(fit) < LEAST]
    yield from sorted(left, key=lambda way: way[0].letters(way[1]), reverse=True)


def _drawn(svg: str) -> Drawn:
    wide, high = (float(size) for size in _SIZE.findall(svg)[0])
    return Drawn(svg, wide, high / wide)


class Page:
    """One page in the making, at one size."""

    def __init__(self, sheet: Sheet, fit: Fit) -> None:
        self.sheet, self.fit, self.scale = sheet, fit, fit.scale
        self.say = words_of(sheet.language)
        self.page = blank_page()
        self.left = 0.0
        """How far from the margin words begin: beside a tall picture."""
        self.framed = (0.0, 0.0, 0.0, 0.0)
        """Where the picture is to stand, and how wide and high it is."""
        self.colours = colours()

    @property
    def fits(self) -> bool:
        """Whether everything is above the foot."""
        return self.page.get_y() <= self.page.h - FOOT

    def fill(self, has_picture: bool, shape: float) -> None:
        """All words, from the top, around the picture, which is so many times as high as wide."""
        sheet, page = self.sheet, self.page
        page.set_title(f"{sheet.title} · {sheet.at}")
        page.set_lang(sheet.language)
        self.write(" · ".join((sheet.title, sheet.people, sheet.at)), QUIET)
        self.write(sheet.question, Pen(17, bold=True), 2)
        self.verdict()
        bottom = self.table(has_picture, self.fit.width, self.fit.width * shape)
        for rule in sheet.rules:
            self.heading(f"{self.say['rule']} · {rule.title}" if rule.title else self.say["rule"])
            for code, words, quotes in rule.says:
                self.statement(code, words)
                for quote in quotes:
                    said = f"“{_clipped(quote.text, self.fit.quoted)}” " if quote.text and self.fit.quoted else ""
                    self.write(said + source_line(quote), QUIET, 0, 8)
        if told := sheet.story[: self.fit.told]:
            self.heading(self.say["story"])
            for number, words in enumerate(told, 1):
                self.write(f"{number}.  {words}", SMALL)
        self.left = 0.0
        page.set_y(max(bottom, page.get_y()))

    def verdict(self) -> None:
        """The answer with its sign, and why, on a band in the colour of the verdict."""
        sheet, page = self.sheet, self.page
        top, colour = page.get_y() + 2.5, sheet.verdict
        page.set_xy(MARGIN + 12 * self.scale, top + 1.5)
        self.write(sheet.answer, Pen(14, bold=True, colour=colour), 0, 12)
        for words in filter(None, (sheet.why, *sheet.standing)):
            self.write(words, TEXT, 0.5, 12)
        bottom = page.get_y() + 1.5
        page.set_fill_color(*self.rgb(colour))
        page.rect(MARGIN, top, 1.4, bottom - top, style="F")
        self.icon(sheet.verdict, MARGIN + 3.6, top + 1.8, 5.6 * self.scale, colour)
        page.set_y(bottom)

    def show(self, picture: bytes) -> None:
        """The picture, in its place: on this page alone, since it takes longer than all words of a page."""
        left, top, width, height = self.framed
        self.page.image(io.BytesIO(picture), left, top, width, height)
        self.page.set_draw_color(*self.rgb("line"))
        self.page.rect(left, top, width, height)

    def table(self, has_picture: bool, width: float, height: float) -> float:
        """What should have happened, and which game it was, beside the picture or below. Tells where that ends.

        Beside a picture that is higher than wide stands all that follows.
        """
        page, top = self.page, self.page.get_y() + 3
        self.framed = MARGIN, top, width, height
        is_tall = has_picture and TALL * width <= height and WIDE < width <= WIDEST
        side = width + GAP if is_tall or (has_picture and width <= WIDE) else 0.0
        bottom = top + height if has_picture else top
        page.set_y(top if side else bottom + (3 if has_picture else 0))
        if self.sheet.should:
            self.heading(self.say["should"], side, 0)
            for words in self.sheet.should:
                self.write(f"–  {words}", TEXT, 0.6, side)
        facts = [self.say["fact"].format(name=name, value=value) for name, value in self.sheet.facts]
        for words in facts if side else ():
            self.write(words, SMALL, 1, side)
        if is_tall:
            self.left = side
            return bottom
        page.set_y(max(bottom, page.get_y()))
        if not side:
            self.write(" · ".join(facts), QUIET, 2)
        return bottom

    def statement(self, code: str, words: str) -> None:
        """A rule in one language, its own larger."""
        pen = TEXT if code == self.sheet.language else SMALL
        top = self.page.get_y()
        self.write(code.upper(), HEAD, 0.8)
        self.page.set_y(top)
        self.write(words, pen, 0.8, 8)

    def foot(self) -> None:
        """Room for the judge, the seal and the way to the step."""
        page, say = self.page, self.say
        top = page.h - FOOT + 3
        width = page.w - 2 * MARGIN - (QR + GAP if self.sheet.address else 0)
        page.set_draw_color(*self.rgb("quiet"))
        for number, (name, share) in enumerate((("ruling_here", 1.0), ("", 1.0), ("judge_here", 0.62))):
            self.line(say[name] if name else "", MARGIN, top + 9 * number + 6, width * share)
        self.line(say["date"], MARGIN + width * 0.66, top + 24, width * 0.34)
        page.set_y(top + 30)
        for words in self.sheet.seal:
            self.write(words, QUIET, 0, 0, width)
        if self.sheet.address:
            x, y = page.w - MARGIN - QR, top
            page.set_fill_color(0, 0, 0)
            for left, above, wide, high in runs(self.sheet.address):
                page.rect(x + left * QR, y + above * QR, wide * QR, high * QR, style="F")
            page.set_xy(x, y + QR + 1)
            self.write(say["scan"], QUIET, 0, x - MARGIN)

    def line(self, name: str, x: float, y: float, width: float) -> None:
        """A line to write on, with its name."""
        page = self.page
        page.set_font("lato", "", 8)
        page.set_text_color(*self.rgb("quiet"))
        wide = page.get_string_width(name) + 2 if name else 0
        page.text(x, y, name)
        page.line(x + wide, y + 0.5, x + width, y + 0.5)

    def heading(self, words: str, indent: float = 0, gap: float = 3) -> None:
        """What follows, in small capitals of the quiet colour."""
        self.write(words, HEAD, gap, indent)

    def write(self, words: str, pen: Pen, gap: float = 0, indent: float = 0, width: float = 0) -> None:
        """Some words below what is there; nothing for no words."""
        if not words:
            return
        page, size = self.page, max(SMALLEST, pen.size * self.scale)
        page.set_font("lato", "B" if pen.bold else "", size)
        page.set_text_color(*self.rgb(pen.colour))
        indent += self.left
        page.set_xy(MARGIN + indent, page.get_y() + gap)
        wide = width or page.w - 2 * MARGIN - indent
        page.multi_cell(wide, size * 0.46, _drawable(page, words), new_x="LMARGIN", new_y="NEXT", align="L")

    def icon(self, name: str, x: float, y: float, size: float, colour: str) -> None:
        """A sign of ours."""
        path = f'<path d="{icons()[name]}" fill="none" stroke="{self.colours[colour]}" stroke-width="2.2"/>'
        drawn = f'<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">{path}</svg>'
        self.page.image(io.BytesIO(drawn.encode()), x, y, size, size)

    def rgb(self, colour: str) -> tuple[int, int, int]:
        """A colour of the pages, by its name."""
        value = self.colours.get(colour, self.colours["quiet"]).removeprefix("#")
        red, green, blue = (int(value[at : at + 2], 16) for at in (0, 2, 4))
        return red, green, blue


def blank_page() -> FPDF:
    """An empty page with the type of a sheet; raises `SheetError` where the packages for it are missing."""
    try:
        from fpdf import FPDF

        folder = Path(str(import_module("font_lato").__file__)).parent / "files"
    except ImportError:
        raise SheetError("needs the packages fpdf2 and font-lato: install audit[pictures]") from None
    page = FPDF(format="A4")
    page.set_creation_date(datetime(2000, 1, 1, tzinfo=UTC))  # the same game gives the same bytes
    page.set_auto_page_break(False)
    for style, name in (("", "Regular"), ("B", "Bold")):
        page.add_font("lato", style, folder / f"Lato-{name}.ttf")
    page.set_margin(MARGIN)
    page.c_margin = 0
    page.add_page()
    return page


def _drawable(page: FPDF, words: str) -> str:
    """Words in letters the type has; a question mark for another."""
    known = page.current_font.cmap  # type: ignore[union-attr]
    return "".join(letter if ord(letter) in known or letter.isspace() else "?" for letter in sanitize_text(words))


def _clipped(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
