"""The last steps before a finding as a moving picture (GIF, WebP), each with its sentence above it.

Needs the packages cairosvg, pillow and font-lato (`audit[pictures]`).
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from msgspec import Struct

from audit.core.errors import AuditError
from audit.core.typography import sanitize_text
from web.drawing.tree import PNG_SCALE, can_be_made, colours, png

if TYPE_CHECKING:
    from PIL import Image
    from PIL.ImageFont import FreeTypeFont

STEPS = 10
"""So many steps come before the one the picture is about."""
MOST = 1_000_000
"""Bytes of a moving picture, at most."""
SHOWN, LAST = 1_500, 5_000
"""Milliseconds that a step is shown, and the last one."""
COLOURS, QUALITIES = (96, 24, 12), (75, 25, 10)
"""Colours of a GIF and quality of a WebP: the first with which the picture is small enough. Its words stay as large."""
FEWER = (6, 3, 1)
"""How many steps are left where fewer colours do not help."""
SMALLER = 0.7
"""By how much the last step alone is made smaller until it is small enough."""
TALLEST = 1_500
"""A table taller than this is drawn at a smaller scale, but never at less than one pixel for one of the page's."""


_HEIGHT = r'<svg[^>]*\sheight="([0-9.]+)'


class MovingError(AuditError):
    """A moving picture cannot be made here."""


class Frame(Struct, frozen=True):
    """One step: its drawing as SVG, where it is in the game, and its sentence."""

    drawn: str
    place: str
    sentence: str


def moving(frames: Sequence[Frame], form: str) -> bytes:
    """The steps as `gif` or `webp`, of less than a megabyte; raises `MovingError`."""
    if not can_be_made():
        raise MovingError("the packages of audit[pictures] are missing")
    tries = _tries([*_pictures(frames)])
    return next(data for data in (_encoded(*each, form) for each in tries) if len(data) < MOST)


def _tries(pictures: list[Image.Image]) -> Iterator[tuple[list[Image.Image], int, int]]:
    """What to encode, with how many colours and at which quality: less and less of it, without an end."""
    for count, quality in zip(COLOURS, QUALITIES, strict=True):
        yield pictures, count, quality
    for steps in FEWER:
        yield pictures[-steps:], COLOURS[-1], QUALITIES[-1]
    last = pictures[-1]
    while True:
        last = last.resize((max(1, round(last.width * SMALLER)), max(1, round(last.height * SMALLER))))
        yield [last], COLOURS[-1], QUALITIES[-1]


def _pictures(frames: Sequence[Frame]) -> Iterator[Image.Image]:
    scale = max(1.0, PNG_SCALE * min(1.0, TALLEST / max(_height(frame.drawn) for frame in frames)))
    drawn = {each: _table(each, scale) for each in dict.fromkeys(frame.drawn for frame in frames)}
    tables = [drawn[frame.drawn] for frame in frames]
    width, height = (max(sizes) for sizes in zip(*(table.size for table in tables), strict=True))
    size = width // 28
    font = _font(size)
    words = [wrap(sanitize_text(frame.sentence), width * 2 // size) or [""] for frame in frames]
    above = (max(map(len, words)) + 2) * size * 4 // 3
    for frame, table, lines in zip(frames, tables, words, strict=True):
        yield _framed(frame.place, lines, table, (width, height, above), font)


def _height(drawn: str) -> float:
    """How tall a drawing is, in pixels of the page."""
    found = re.search(_HEIGHT, drawn)
    return float(found[1]) if found else 0.0


def _table(drawn: str, scale: float) -> Image.Image:
    """A drawing without the empty stretch below it."""
    from PIL import Image, ImageChops

    table = Image.open(io.BytesIO(png(drawn, scale))).convert("RGB")
    ground = Image.new("RGB", table.size, table.getpixel((0, table.height - 1)))
    box = ImageChops.difference(table, ground).getbbox()
    return table.crop((0, 0, table.width, min(table.height, box[3] + table.width // 40))) if box else table


def _framed(
    place: str, lines: Sequence[str], table: Image.Image, sizes: tuple[int, int, int], font: FreeTypeFont
) -> Image.Image:
    from PIL import Image, ImageDraw

    width, height, above = sizes
    frame = Image.new("RGB", (width, height + above), colours()["paper"])
    frame.paste(table, (0, above))
    pen = ImageDraw.Draw(frame)
    step = font.size * 4 // 3
    pen.text((step, step // 3), place, font=font, fill=colours()["quiet"])
    for number, line in enumerate(lines, 1):
        pen.text((step, step // 3 + number * step), line, font=font, fill=colours()["ink"])
    return frame


def _encoded(pictures: list[Image.Image], count: int, quality: int, form: str) -> bytes:
    """The pictures as one file. A GIF has one palette, so that what stays as it is takes no room."""
    from PIL import Image

    out = io.BytesIO()
    durations = [SHOWN] * (len(pictures) - 1) + [LAST]
    if form == "gif":
        palette = _palette(pictures, count)
        few = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
        few[0].save(out, "GIF", save_all=True, append_images=few[1:], duration=durations, loop=0)
    else:
        pictures[0].save(
            out,
            "WEBP",
            save_all=True,
            append_images=pictures[1:],
            duration=durations,
            loop=0,
            quality=quality,
            method=4,
        )
    return out.getvalue()


def _palette(pictures: Sequence[Image.Image], count: int) -> Image.Image:
    """So many colours of the first picture and the last one."""
    from PIL import Image

    first, last = pictures[0], pictures[-1]
    both = Image.new("RGB", (first.width + last.width, max(first.height, last.height)), colours()["paper"])
    both.paste(first, (0, 0))
    both.paste(last, (first.width, 0))
    return both.resize((both.width // 2 or 1, both.height // 2 or 1), 0).quantize(count)


def _font(size: int) -> FreeTypeFont:
    from PIL import ImageFont

    try:
        folder = Path(str(import_module("font_lato").__file__)).parent / "files"
    except ImportError:
        raise MovingError("the packages of audit[pictures] are missing") from None
    return ImageFont.truetype(str(folder / "Lato-Regular.ttf"), size, layout_engine=ImageFont.Layout.BASIC)
