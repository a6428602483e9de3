"""The viewer in a real browser, over made-up games. Skipped where there is none, unless it has to run."""

from __future__ import annotations

import lzma
import os
import shutil
from collections.abc import Callable, Iterator
from fcntl import LOCK_EX, flock
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask import Flask

from tests.browser.hosting import PLACE, hosted
from tests.browser.waiting import PATIENCE
from tests.serving import served
from tests.web.books_made import samples_with_books
from tests.web.made import MadeLibrary, dispute, header, long
from web import create_app
from web.offline import building
from web.offline.building import Built
from web.offline.fetching import CannotBuildError

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
    "--num-raster-threads=1",
)  # fmt: skip
REQUIRED = os.environ.get("AUDIT_BROWSER_TESTS") == "required"


def missing(what: str) -> None:
    """Say what is not there: as a failure where browser tests are required, else as a skip."""
    if REQUIRED:
        pytest.fail(f"browser tests are required, and there is no {what}")
    pytest.skip(f"browser tests need {what}; none was found")


@pytest.fixture(scope="session")
def chromium() -> str:
    """Where Chromium is."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if not found:
        missing("Chromium")
    assert found
    return found


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[object]:
    """One browser for all tests."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def library() -> MadeLibrary:
    """A short dispute, a long game, and one that comes in pieces."""
    return MadeLibrary({
        "dispute": (header(event="Regional", table=12), dispute()),
        "long": (header("long"), long(300)),
        "huge": (header("huge"), long(1700)),
        "other": (header("other", ruleset="patience"), dispute()),
    })  # fmt: skip


@pytest.fixture(scope="session")
def app(library: MadeLibrary) -> Flask:
    """The viewer."""
    return create_app(library)


@pytest.fixture(scope="session")
def address(app: Flask) -> Iterator[str]:
    """Where the viewer answers."""
    with served(app) as address:
        yield address


@pytest.fixture(scope="session")
def books_address() -> Iterator[str]:
    """Where the viewer of the samples answers that has whatever rulebooks are in the data folder of the moment."""
    with served(samples_with_books()) as address:
        yield address


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Built]:
    """A folder with the built static site in it, built by the first worker that asks: the others wait for it."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "host"
    folder.mkdir(exist_ok=True)
    kept = folder / "built.json"
    try:
        with (folder / "lock").open("w") as lock:
            flock(lock, LOCK_EX)
            if not kept.exists():
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(building, "PACKING", [{"id": lzma.FILTER_LZMA2, "preset": 1}])  # quick, and larger
                    kept.write_bytes(msgspec.json.encode(building.build(folder / PLACE)))
        return folder, msgspec.json.decode(kept.read_bytes(), type=Built)
    except CannotBuildError as missing:
        pytest.skip(str(missing))


Opener = Callable[..., "object"]


@pytest.fixture
def visit(browser: object, address: str) -> Iterator[Opener]:
    """Opens a page: `visit("/games/dispute", width=390)`; anything the page complains of fails the test."""
    contexts, complaints = [], []

    def opened(path: str, *, width: int = 1280, height: int = 800, script: bool = True, **more: object) -> object:
        context = browser.new_context(  # type: ignore[attr-defined]
            viewport={"width": width, "height": height},
            locale="en-GB",
            java_script_enabled=script,
            base_url=address,
            **more,
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.on("request", lambda asked: None if asked.url.startswith(address) else complaints.append(asked.url))
        page.goto(path)
        if (script and "/games/" in path) or "/embed/" in path:
            page.wait_for_selector("body.lively")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not complaints


@pytest.fixture
def visit_quietly(browser: Any, address: str) -> Iterator[Opener]:
    """Opens pages, also of another viewer, that may complain: of words typed wrongly, of a connection that is gone."""
    contexts = []

    def opened(path: str = "", at: str = address, *, width: int = 1280, height: int = 800, **more: object) -> Any:
        size = {"width": width, "height": height}
        contexts.append(browser.new_context(base_url=at, locale="en-GB", viewport=size, bypass_csp=True, **more))
        contexts[-1].set_default_timeout(PATIENCE)
        page = contexts[-1].new_page()
        if path:
            page.goto(path)
        return page

    yield opened
    for context in contexts:
        context.close()


# The page for the table has two homes: a server, and a worker in the browser with the network cut


class Framed:
    """A page of the static site: what stands in its frame, and the page around it for whatever a frame cannot do."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def __getattr__(self, name: str) -> Any:
        frame = self.page.frame(name="page")
        return getattr(frame if name != "reload" and hasattr(frame, name) else self.page, name)


@pytest.fixture(scope="session")
def device(browser: Any, site: tuple[Path, Built]) -> Iterator[tuple[Any, str]]:
    """A browser that has opened the static site once, its host gone and the network cut; and the site's address."""
    with hosted(site[0]) as address:
        context = browser.new_context(locale="en-GB", base_url=address, has_touch=True)
        context.set_default_timeout(PATIENCE)
        first = context.new_page()
        first.goto("games/some-game?step=3")  # an address that only the program knows
        first.frame_locator("iframe").locator("h1").wait_for()
    context.set_offline(True)
    yield context, address
    context.close()


@pytest.fixture
def on_device(device: tuple[Any, str]) -> Iterator[Opener]:
    """Opens a page of the static site, on a device on which nothing is kept yet."""
    context, address = device
    opened, complaints = [], []

    def visited(path: str, *, width: int = 1280, height: int = 800) -> Framed:
        page = context.new_page()
        opened.append(page)
        page.set_viewport_size({"width": width, "height": height})
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address + path.lstrip("/"))
        page.frame_locator("iframe").locator("body.lively").wait_for()
        return Framed(page)

    context.pages[0].evaluate("localStorage.clear()")
    yield visited
    for page in opened:
        page.close()
    assert not complaints


@pytest.fixture(params=["server", pytest.param("worker", marks=[pytest.mark.slow, pytest.mark.prove])])
def table(request: pytest.FixtureRequest) -> Opener:
    """Opens the page for the table in each of its homes. What the worker does by itself is tested `in_both_homes`."""
    return request.getfixturevalue("visit" if request.param == "server" else "on_device")  # type: ignore[no-any-return]
