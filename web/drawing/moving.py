"""The last steps before a finding as a moving picture (GIF, WebP), each with its sentence above it.

Needs the packages cairosvg, pillow and font-lato (`audit[pictures]`).
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from msgspec import Struct

from audit.core.errors import AuditError
from replays.sanitize import sanitize_text
from web.drawing.tree import can_be_made, colours, png

if TYPE_CHECKING:
    from PIL import Image
    from PIL.ImageFont import FreeTypeFont

STEPS = 10
"""So many steps come before the one the picture is about."""
MOST = 1_000_000
"""Bytes of a moving picture, at most."""
SHOWN, LAST = 1_500, 5_000
"""Milliseconds that a step is shown, and the last one."""
COLOURS, QUALITIES = (96, 48, 24, 12), (75, 50, 25, 10)
"""Colours of a GIF and quality of a WebP: the first with which the picture is small enough. Its words stay as large."""


class MovingError(AuditError):
    """A moving picture cannot be made here, or is too large."""


class Frame(Struct, frozen=True):
    """One step: its drawing as SVG, where it is in the game, and its sentence."""

    drawn: str
    place: str
    sentence: str


def moving(frames: Sequence[Frame], form: str) -> bytes:
    """The steps as `gif` or `webp`, of less than a megabyte; raises `MovingError`."""
    if not can_be_made():
        raise MovingError("needs the packages cairosvg and font-lato: install audit[pictures]")
    pictures = [*_pictures(frames)]
    for count, quality in zip(COLOURS, QUALITIES, strict=True):
        data = _encoded(pictures, form, count, quality)
        if len(data) < MOST:
            return data
    raise MovingError(f"would be larger than {MOST:,} bytes")


def _pictures(frames: Sequence[Frame]) -> Iterator[Image.Image]:
    tables = [_table(frame.drawn) for frame in frames]
    width, height = (max(sizes) for sizes in zip(*(table.size for table in tables), strict=True))
    size = width // 28
    font = _font(size)
    words = [wrap(sanitize_text(frame.sentence), width * 2 // size) or [""] for frame in frames]
    above = (max(map(len, words)) + 2) * size * 4 // 3
    for frame, table, lines in zip(frames, tables, words, strict=True):
        yield _framed(frame.place, lines, table, (width, height, above), font)


def _table(drawn: str) -> Image.Image:
    from PIL import Image

    return Image.open(io.BytesIO(png(drawn))).convert("RGB")


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


def _encoded(pictures: list[Image.Image], form: str, count: int, quality: int) -> bytes:
    out = io.BytesIO()
    durations = [SHOWN] * (len(pictures) - 1) + [LAST]
    if form == "gif":
        few = [picture.quantize(count) for picture in pictures]
        few[0].save(out, "GIF", save_all=True, append_images=few[1:], duration=durations, loop=0, optimize=True)
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


def _font(size: int) -> FreeTypeFont:
    from PIL import ImageFont

    try:
        folder = Path(str(import_module("font_lato").__file__)).parent / "files"
    except ImportError:
        raise MovingError("needs the packages cairosvg and font-lato: install audit[pictures]") from None
    return ImageFont.truetype(str(folder / "Lato-Regular.ttf"), size, layout_engine=ImageFont.Layout.BASIC)
