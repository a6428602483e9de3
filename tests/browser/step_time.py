"""How long it takes to open a long game and to step through it: `python -m tests.browser.step_time`.

A page is open when its script has drawn the table; its first paint is what the browser says of itself. The first visit
has an empty cache, the second the cache of the first. The figures depend on the load of the machine, which is printed.
"""

from __future__ import annotations

import logging
import os
import statistics
import time
from typing import Any

from playwright.sync_api import sync_playwright

from tests.browser.screenshots import CHROMIUM, FLAGS
from tests.serving import served
from tests.web.made import MadeLibrary, header, long
from web import create_app, keep_for_good

STEPS = 2000
SCRIPT = """async () => {
    const times = [];
    for (let step = 0; step < audit.last; step += 1) {
        if (!audit.steps.has(step)) await audit.steps.fetch(step);
        const start = performance.now();
        await audit.go(step);
        document.body.getBoundingClientRect();
        times.push(performance.now() - start);
    }
    return times;
}"""


PAINTED = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"


def opened(page: Any, address: str) -> tuple[float, float]:
    """Opens the game; the milliseconds until it can be used, and until something is painted."""
    began = time.perf_counter()
    page.goto(address)
    page.wait_for_selector("body.lively")
    return (time.perf_counter() - began) * 1000, page.evaluate(PAINTED)


def main() -> None:
    """Prints how long it takes to open the game, then the median and the 95th percentile of its steps."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    app = create_app(MadeLibrary({"long": (header("long"), long(STEPS))}))
    keep_for_good()
    with served(app) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        for visit in ("first open", "warm"):
            until_open, painted = opened(page, f"{address}/games/long?grain=raw")
            print(f"{visit}: open after {until_open:.0f} ms, first paint after {painted:.0f} ms")
        times = page.evaluate(SCRIPT)
        browser.close()
    late = statistics.quantiles(times, n=20)[-1]
    print(f"{len(times)} steps: median {statistics.median(times):.1f} ms, 95th percentile {late:.1f} ms")
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
