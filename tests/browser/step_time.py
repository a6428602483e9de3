"""How long a step takes in a long game: `python -m tests.browser.step_time`."""

from __future__ import annotations

import logging
import statistics
from threading import Thread

from playwright.sync_api import sync_playwright
from werkzeug.serving import make_server

from tests.browser.screenshots import CHROMIUM, FLAGS
from tests.web.made import MadeLibrary, header, long
from web import create_app

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


def main() -> None:
    """Prints the median and the 95th percentile."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    app = create_app(MadeLibrary({"long": (header("long"), long(STEPS))}))
    server = make_server("127.0.0.1", 0, app, threaded=True)
    Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"http://127.0.0.1:{server.server_port}/games/long?grain=raw")
        page.wait_for_selector("body.lively")
        times = page.evaluate(SCRIPT)
        browser.close()
    server.shutdown()
    late = statistics.quantiles(times, n=20)[-1]
    print(f"{len(times)} steps: median {statistics.median(times):.1f} ms, 95th percentile {late:.1f} ms")


if __name__ == "__main__":
    main()
