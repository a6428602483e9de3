"""How fast the static site answers in Chromium with the network cut: the first answer, and a decision after it."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.browser.conftest import FLAGS, NAMES
from tests.browser.hosting import PLACE, hosted
from web.offline.building import build
from web.offline.fetching import CannotBuildError

POSITION = "compile/3A.action.-/plague.fire.water:w3*;;:p51f41:9:/spirit.gravity.hate:;g6*;:4:9:"
DECISIONS = 20
ASKED = """async (position) => {
    const since = performance.now();
    const body = JSON.stringify({ position, events: ["A refresh"] });
    await (await fetch("table/ask?lang=en", { method: "POST", body })).json();
    return performance.now() - since;
}"""


def main() -> None:
    """Print the times, or in one line what this machine lacks."""
    chromium = next(filter(None, map(shutil.which, NAMES)), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        chromium = None
    if chromium is None:
        print("a question, on the worker: not measured, for there is no Chromium or no playwright (make screenshots)")
        return
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        try:
            print(f"the static site: {build(Path(folder) / PLACE).sent / 1e6:.1f} MB at the first visit")
        except CannotBuildError as missing:
            print(f"a question, on the worker: not measured: {missing}")
            return
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        measure(browser, Path(folder))
        browser.close()


def measure(browser: Any, folder: Path) -> None:
    """Open the site once, cut the network, and start it again."""
    context = browser.new_context()
    page = context.new_page()
    with hosted(folder) as address:
        before, since = processor_time(browser), time.perf_counter()
        page.goto(f"{address}ask?position={POSITION}&event=A+refresh")
        shown(page)
        taken, used = time.perf_counter() - since, processor_time(browser) - before
        load = os.getloadavg()[0] / (os.cpu_count() or 1)
        print(f"a first answer, at the first visit of a device: {taken:.1f} s, of processor time {used:.1f} s "
              f"({load:.1f} programs wait for a core)")  # fmt: skip
    context.set_offline(True)
    page.wait_for_timeout(10_000)  # the modules that were compiled at the first start are being kept
    since = time.perf_counter()
    page.goto(f"{address}ask?position={POSITION}&event=A+refresh")
    shown(page)
    print(f"a first answer, on the worker without a network: {time.perf_counter() - since:.1f} s")
    frame = page.frame(name="page")
    best = sorted(
        frame.evaluate(ASKED.replace('"table/ask', f'"{address}table/ask'), POSITION) for _ in range(DECISIONS)
    )
    print(f"a question after it: {best[0]:.0f} ms, best of {DECISIONS}; median {best[DECISIONS // 2]:.0f} ms")


def processor_time(browser: Any) -> float:
    """Seconds that all processes of the browser have used."""
    told = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
    return float(sum(process["cpuTime"] for process in told["processInfo"]))


def shown(page: Any) -> None:
    """Wait until the answer stands on the page."""
    page.frame_locator("iframe").get_by_text("refresh.up-to-five").first.wait_for(timeout=120_000)
