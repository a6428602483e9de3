"""Makes the pictures of the README anew: `python -m tests.browser.readme_pictures`."""

from __future__ import annotations

import io
import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from tests.browser.screenshots import CHROMIUM, FLAGS
from tests.serving import served
from web import create_app, samples
from web.games.folder_library import FolderLibrary

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"
POSITION = "compile/3A.action.-/plague.fire.water:w3*;;:p51f41:9:/spirit.gravity.hate:;g6*;:h1g25s4:9:"
SHOWN_IN_TERMINAL = "audit replay replays/samples/dispute.jsonl --at 116"
COLUMNS = 100


class Shot(NamedTuple):
    """A page, what of it is at the top, and the size of the window."""

    path: str
    top: str
    size: tuple[int, int]


SHOTS = {
    "answer": Shot("/ask?" + urlencode({"position": POSITION, "event": "A plague-1 2"}), ".answer", (1280, 1000)),
    "viewer": Shot("/games/dispute?step=25", "body.lively", (1280, 800)),
}


def main() -> None:
    """Makes the pages with a browser, and the terminal with Rich."""
    from playwright.sync_api import sync_playwright

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    library = FolderLibrary(samples())
    library.catch_up(600)
    with served(create_app(library, config={"AUDIT_VIEWPOINTS": "all"})) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for name, (path, top, (width, height)) in SHOTS.items():
            tab = browser.new_page(viewport={"width": width, "height": height}, locale="en-GB", reduced_motion="reduce")
            tab.goto(address + path)
            tab.locator(top).evaluate("(top) => top.scrollIntoView()")
            tab.screenshot(path=PICTURES / f"{name}.png")
            tab.close()
        browser.close()
    (PICTURES / "replay.svg").write_text(terminal(SHOWN_IN_TERMINAL), "utf-8")


def terminal(command: str) -> str:
    """What a command prints, as a picture of a terminal."""
    from rich.console import Console
    from rich.text import Text

    words = ["cli.py", "--color", "always", *command.split()[1:]]
    environment = {**os.environ, "COLUMNS": str(COLUMNS)}
    said = subprocess.run([sys.executable, *words], cwd=ROOT, env=environment, capture_output=True, text=True).stdout
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(Text.assemble(("$ " + command, "bold")))
    console.print(Text.from_ansi(said.rstrip()))
    return console.export_svg(title="audit")


if __name__ == "__main__":
    main()
