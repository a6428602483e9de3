"""How soon the statistics of a season are painted: `python -m tests.browser.season_time [STORE] [--pictures FOLDER]`.

The store is one that has been filled (`audit store import`), the default one if none is named. Each line is a visit
with an empty cache, in a window of a desktop or of a phone, whose processor is slowed down four times: the first visit
after the server has begun, the next one, and one with other filters. The figures depend on the load of the machine,
which is printed.
"""

from __future__ import annotations

import argparse
import logging
import os
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from replays.store.store import Store
from tests.browser.screenshots import CHROMIUM, FLAGS
from tests.serving import served
from web import create_app
from web.games.store_library import StoreLibrary

WINDOWS = {"desktop": ((1280, 800), 1), "phone": ((360, 740), 4)}
"""The size of a window, and how many times slower its processor is."""
VISITS = {"first": "/stats", "again": "/stats", "other filters": "/stats?ruleset=compile&by=player"}
TIMES = """() => {
    const [visit] = performance.getEntriesByType("navigation");
    const [painted] = performance.getEntriesByName("first-contentful-paint");
    return [visit.responseStart - visit.requestStart, painted.startTime];
}"""
"""Milliseconds until the server answers, and until something is painted."""


def tab_in(browser: Any, window: str, scheme: str = "light") -> Any:
    """A tab with an empty cache."""
    (width, height), slower = WINDOWS[window]
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, locale="en-GB")
    tab = context.new_page()
    context.new_cdp_session(tab).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    return tab


def measured(browser: Any, address: str, window: str) -> None:
    """Print how long each visit takes."""
    for visit, path in VISITS.items():
        tab = tab_in(browser, window)
        tab.goto(address + path)
        tab.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length")
        answered, painted = tab.evaluate(TIMES)
        print(f"{window:8} {visit:14} answered after {answered:5.0f} ms, first paint after {painted:5.0f} ms")
        tab.context.close()


def pictured(browser: Any, address: str, folder: Path) -> None:
    """Take pictures of the whole page, light and dark."""
    folder.mkdir(parents=True, exist_ok=True)
    for window in WINDOWS:
        for scheme in ("light", "dark"):
            tab = tab_in(browser, window, scheme)
            tab.goto(address + VISITS["first"])
            for picture in tab.locator("img[loading=lazy]").all():
                picture.scroll_into_view_if_needed()
            tab.wait_for_load_state("networkidle")
            tab.screenshot(path=folder / f"stats-{window}-{scheme}.png", full_page=True)
            tab.context.close()


def main() -> None:
    """Print the times, and take the pictures where they are asked for."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("store", nargs="?")
    asked.add_argument("--pictures", type=Path)
    given = asked.parse_args()
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with sync_playwright() as playwright, Store(given.store) as store:
        print(f"{len(store.heads()):,} games, {store.waiting():,} of them not judged yet")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for window in WINDOWS:
            with served(create_app(StoreLibrary(store), config={"AUDIT_VIEWPOINTS": "all"})) as address:
                measured(browser, address, window)
                if given.pictures and window == "phone":
                    pictured(browser, address, given.pictures)
        browser.close()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
