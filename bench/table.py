"""What the table asks of people and machines: `python -m bench.table`.

Prints the characters of a decision over the sample games, the keys it takes by hand and in `audit record`, the bytes of
the line of a position, the time of a question on a server and on the static site, and the taps of a decision.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from audit.core.auditor import audit
from bench.table_decisions import keys_of_log, print_taps
from replays.judging.positions import line_at
from replays.log.reader import open_log
from replays.scoresheet.sheet import write_sheet
from tests.browser.conftest import FLAGS, NAMES
from tests.browser.hosting import PLACE, hosted
from web import create_app
from web.offline.building import build
from web.offline.fetching import CannotBuildError

SAMPLES = Path(__file__).resolve().parent.parent / "replays" / "samples"
GAME = SAMPLES / "dispute.jsonl"
QUESTIONS = 20
MOST_KEYS = 14
"""What a decision may take at the median."""
POSITION = "compile/3A.action.-/plague.fire.water:w3*;;:p51f41:9:/spirit.gravity.hate:;g6*;:4:9:"
DECISIONS = 20
ASKED = """async (position) => {
    const since = performance.now();
    const body = JSON.stringify({ position, events: ["A refresh"] });
    await (await fetch("table/ask?lang=en", { method: "POST", body })).json();
    return performance.now() - since;
}"""


def sheets(paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """The game and the sheet of every log."""
    for path in paths:
        log = open_log(path)
        yield log.header.ruleset, write_sheet(log.ruleset, log.header, log)


def print_characters(paths: Iterable[Path]) -> None:
    """Print the decisions, and the median length of a line without its remark."""
    lengths: dict[str, list[int]] = {}
    for name, sheet in sheets(paths):
        lines = [line for line in sheet.splitlines() if not line.startswith(("game ", "header "))]
        lengths.setdefault(name, []).extend(len(line.partition("   ")[0]) for line in lines)
    for name, found in lengths.items():
        longest = sorted(found)[len(found) * 9 // 10]
        print(f"{name}: {len(found):,} decisions, median {median(found):g} characters, nine in ten up to {longest}")


def print_site() -> None:
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


def position_lines() -> Iterator[str]:
    """The position after every step of the sample that is disputed."""
    log = open_log(GAME)
    for step in audit(log.ruleset, log.header, log):
        yield line_at(log.header, step.state)


def print_keys() -> None:
    """The keys of a decision, for each game over its samples: by hand, and with completion."""
    cut: dict[str, list[int]] = {}
    found: dict[str, list[int]] = {}
    for path in sorted(SAMPLES.glob("*.jsonl")):
        name = open_log(path).header.ruleset
        for _, characters, keys in keys_of_log(path):
            cut.setdefault(name, []).append(characters)
            found.setdefault(name, []).append(keys)
    _print_all("typed by hand, names cut short, Enter counted", cut)
    _print_all("typed in the one field with completion, every key counted", found)


def _print_all(how: str, taken: Mapping[str, Sequence[int]]) -> None:
    for name, keys in taken.items():
        longest = sorted(keys)[len(keys) * 9 // 10]
        print(
            f"{name}: {how}: median {median(keys):g} keys a decision (at most {MOST_KEYS}), nine in ten up to {longest}"
        )


def milliseconds(position: str) -> float:
    """How long a question about a position takes, in this process."""
    client = create_app(config={"AUDIT_VIEWPOINTS": "loopback"}).test_client()
    taken = []
    for _ in range(QUESTIONS):
        since = time.perf_counter()
        answer = client.post("/api/v1/ask", json={"position": position, "events": ["A refresh"]})
        taken.append(time.perf_counter() - since)
        assert answer.status_code == 200, answer.text
    return min(taken) * 1000


def main() -> None:
    """Print all of it."""
    print("written out in full, as on a score sheet:")
    print_characters(sorted(SAMPLES.glob("*.jsonl")))
    print_keys()
    lines = list(islice(position_lines(), 200))
    print(f"a position: median {median(len(line.encode()) for line in lines):g} bytes")
    print(f"a question, on a server: {milliseconds(lines[0]):.0f} ms, best of {QUESTIONS}")
    print_taps(sorted(SAMPLES.glob("*.jsonl")))
    print_site()


if __name__ == "__main__":
    main()
