"""Compares new pictures of the pages with the kept ones: `python -m tests.browser.differences FOLDER [WORD ...]`.

`FOLDER` holds the pictures that `python -m tests.browser.screenshots FOLDER` made. `FOLDER/differences.html` shows each
page that looks otherwise: as kept, as it is now, and where they differ. Differences fail nothing. `--keep` keeps the
new pictures instead.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageChops, ImageFilter

from tests.browser.screenshots import file_name, names

KEPT = Path(__file__).parent / "kept"
LONGEST_SIDE = 400
QUALITY = 40
"""208 pictures of this size and quality take 1.6 MB."""
BLURRED = 1.5
"""Both pictures are blurred by so many pixels first: the compression of the kept one spoils edges."""
UNLIKE = 24
"""How far a pixel has to be off, of 255."""
NOTICED = 0.002
"""The share of the pixels that have to be off before a picture is shown."""
STYLE = """body { font: 14px/1.4 system-ui, sans-serif; margin: 1rem; color-scheme: light dark }
section { margin: 0 0 2rem } div { display: flex; gap: 1rem; flex-wrap: wrap } figure { margin: 0 }
img { max-width: 30rem; max-height: 30rem; border: 1px solid #888 }"""


class Difference(NamedTuple):
    """A page that looks otherwise: the share of its pixels that are off, or `None` where nothing was kept."""

    name: str
    share: float | None

    def __str__(self) -> str:
        return f"{self.name:44} {'new' if self.share is None else f'{self.share:.1%}'}"


def small(picture: Image.Image) -> Image.Image:
    """A picture as it is kept."""
    shrunk = picture.convert("RGB")
    shrunk.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.LANCZOS)
    return shrunk


def unlike(kept: Image.Image, now: Image.Image) -> Image.Image:
    """White where two pictures of one size are off, black elsewhere."""
    blurred = ImageFilter.GaussianBlur(BLURRED)
    bands = ImageChops.difference(kept.filter(blurred), now.filter(blurred)).split()
    farthest = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    return farthest.point([255 if value > UNLIKE else 0 for value in range(256)])


def share(mask: Image.Image) -> float:
    """The share of white pixels."""
    return mask.histogram()[255] / (mask.width * mask.height)


def keep(folder: Path, found: Sequence[str]) -> None:
    """Keeps the new pictures."""
    KEPT.mkdir(exist_ok=True)
    for name in found:
        with Image.open(folder / f"{name}.png") as picture:
            small(picture).save(KEPT / f"{name}.webp", quality=QUALITY, method=6)


def compare(folder: Path, name: str, kept_in: Path = KEPT) -> Difference | None:
    """How a page differs from the kept picture; the kept one and where they differ are written beside it."""
    kept = kept_in / f"{name}.webp"
    if not kept.exists():
        return Difference(name, None)
    with Image.open(folder / f"{name}.png") as new, Image.open(kept) as old:
        before, now = old.convert("RGB"), small(new)
    before.resize(now.size).save(folder / f"{name}-kept.webp")
    mask = unlike(before.resize(now.size), now)
    if share(mask) <= NOTICED:
        return None
    Image.composite(Image.new("RGB", now.size, "#d00"), now, mask).save(folder / f"{name}-difference.webp")
    return Difference(name, share(mask))


def figure(shown: tuple[str, str]) -> str:
    """A picture with what it is."""
    says, file = shown
    return f'<figure><figcaption>{says}</figcaption><img src="{file}" alt=""></figure>'


def page(differences: Sequence[Difference], of: int) -> str:
    """The page of differences, the largest first."""
    parts = [f"<!doctype html><meta charset=utf-8><title>Differences</title><style>{STYLE}</style>"]
    parts.append(f"<h1>{len(differences)} of {of} pictures differ</h1>")
    for each in sorted(differences, key=lambda each: -(1 if each.share is None else each.share)):
        name = escape(each.name)
        files = {"now": f"{name}.png"}
        if each.share is not None:
            files = {"kept": f"{name}-kept.webp", **files, "difference": f"{name}-difference.webp"}
        figures = "".join(map(figure, files.items()))
        parts.append(f"<section><h2>{escape(str(each))}</h2><div>{figures}</div></section>")
    return "\n".join(parts)


def main() -> None:
    """Compares, prints the list and the count, and writes the page; or keeps the new pictures."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folder", type=Path)
    asked.add_argument("words", nargs="*")
    asked.add_argument("--keep", action="store_true", help="keep the new pictures")
    given = asked.parse_args()
    every = [file_name(*each) for each in names(given.words)]
    found = [name for name in every if (given.folder / f"{name}.png").exists()]
    if given.keep:
        keep(given.folder, found)
        print(f"{len(found)} pictures kept")
        return
    differences = [each for name in found if (each := compare(given.folder, name))]
    (given.folder / "differences.html").write_text(page(differences, len(found)), encoding="utf-8")
    for each in differences:
        print(each)
    print(f"{len(differences)} of {len(found)} pictures differ: {given.folder / 'differences.html'}")


if __name__ == "__main__":
    main()
