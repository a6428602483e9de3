"""Pictures of the pages, to be looked at: `python -m tests.browser.screenshots FOLDER [WORD ...]`.

Every page at every size, light and dark, with the size of its smallest word. A word narrows the pictures to those whose
name holds it: `compile-illegal 360 dark`.
"""

from __future__ import annotations

import argparse
import logging
import shutil
from collections.abc import Sequence
from itertools import groupby, product
from pathlib import Path
from typing import Any

from tests.browser.measuring import SIZES, SMALLEST_WORD, TOO_WIDE
from tests.serving import served
from web import create_app, samples
from web.games.folder_library import FolderLibrary

PAGES = {
    "compile-start": "/games/dispute?step=30",
    "compile-illegal": "/games/dispute?step=25",
    "compile-cause": "/games/dispute?step=116",
    "compile-full": "/games/clean?step=330",
    "compile-flight": "/games/clean?step=178",
    "reveal-crows": "/games/lotr-crows?step=12",
    "reveal-nested": "/games/lotr-eleanor?step=9",
    "reveal-journey": "/games/lotr-journey?step=48",
    "altered-duel": "/games/altered-duel?step=60",
    "altered-three": "/games/altered-alice-bob-camille?step=30",
    "altered-teams": "/games/altered-two-teams?step=36",
    "compile-embed": "/embed/dispute?step=38",
    "list": "/",
}
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"))), ""
)
FLAGS = ["--no-sandbox", "--disable-gpu"]


def names(words: Sequence[str]) -> list[tuple[str, tuple[int, int], str]]:
    """The page, the size and the colours of every picture that is asked for."""
    every = product(PAGES, SIZES, ("light", "dark"))
    return [(page, size, scheme) for page, size, scheme in every if set(words) <= set(parts(page, size, scheme))]


def parts(page: str, size: tuple[int, int], scheme: str) -> list[str]:
    """The words by which a picture can be asked for."""
    return [page, page.partition("-")[0], str(size[0]), "x".join(map(str, size)), scheme]


def file_name(page: str, size: tuple[int, int], scheme: str) -> str:
    """What the file of a picture is called, without its ending."""
    return f"{page}-{size[0]}x{size[1]}-{scheme}"


def opened(browser: Any, address: str, page: str, size: tuple[int, int]) -> Any:
    """A page in a tab of its own, drawn."""
    viewport = {"width": size[0], "height": size[1]}
    tab = browser.new_page(viewport=viewport, locale="en-GB", reduced_motion="reduce")
    tab.goto(address + PAGES[page])
    if page != "list":
        tab.wait_for_selector("body.lively")
    return tab


def picture(tab: Any, folder: Path, page: str, size: tuple[int, int], scheme: str) -> str:
    """Makes one picture; what is measured on it as a line."""
    name = file_name(page, size, scheme)
    tab.emulate_media(color_scheme=scheme)
    tab.screenshot(path=folder / f"{name}.png")
    found, wide = tab.evaluate(SMALLEST_WORD), tab.evaluate(TOO_WIDE)
    return f"{name:44} smallest {found['size']:4.1f} px {found['words']!r:.40}{' SIDEWAYS' if wide else ''}"


def main() -> None:
    """Makes the pictures that are asked for."""
    from playwright.sync_api import sync_playwright

    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folder", type=Path)
    asked.add_argument("words", nargs="*")
    given = asked.parse_args()
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    given.folder.mkdir(parents=True, exist_ok=True)
    library = FolderLibrary(samples())
    library.catch_up(600)
    with served(create_app(library, config={"AUDIT_VIEWPOINTS": "all"})) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for (page, size), asked_for in groupby(names(given.words), lambda name: name[:2]):
            tab = opened(browser, address, page, size)
            for _, _, scheme in asked_for:
                print(picture(tab, given.folder, page, size, scheme), flush=True)
            tab.close()
        browser.close()


if __name__ == "__main__":
    main()
