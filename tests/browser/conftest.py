"""The viewer in a real browser, over made-up games. Skipped where there is none, unless it has to run."""

from __future__ import annotations

import gzip
import lzma
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, flock
from pathlib import Path
from types import SimpleNamespace
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
def samples() -> Iterator[str]:
    """Where the viewer of the samples answers that shows whatever a reader asks for."""
    with served(create_app(config={"AUDIT_VIEWPOINTS": "all"})) as address:
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
                    quick = SimpleNamespace(compress=lambda data, *_, mtime=0: gzip.compress(data, 1, mtime=mtime))
                    patch.setattr(building, "PACKING", [{"id": lzma.FILTER_LZMA2, "preset": 0}])
                    patch.setattr(building, "gzip", quick)
                    kept.write_bytes(msgspec.json.encode(building.build(folder / PLACE)))
        return folder, msgspec.json.decode(kept.read_bytes(), type=Built)
    except CannotBuildError as missing:
        pytest.skip(str(missing))


Tab = tuple[tuple[str, dict[str, Any]], Any, Any]
"""Where it is and what kind of device, its page, and a session with it."""


class Tabs:
    """Tabs of one browser: one that a test has used is emptied for another, as a new one takes longer than most tests.

    Each has a profile of its own. A test that puts a script into all pages of its tab closes it.
    """

    def __init__(self, browser: Any) -> None:
        self.browser = browser
        self.idle: list[Tab] = []

    @contextmanager
    def lent(self) -> Iterator[Callable[..., Any]]:
        """Lends tabs: `opened("http://…", width=390, has_touch=True)`."""
        taken: list[Tab] = []

        def opened(at: str, *, width: int = 1280, height: int = 800, **more: Any) -> Any:
            media = {"color_scheme": "light", "reduced_motion": "no-preference"}
            media |= {name: more.pop(name) for name in media if name in more}
            kind, size = (at, more), {"width": width, "height": height}
            tab = next((tab for tab in self.idle if tab[0] == kind), None)
            if tab:
                self.idle.remove(tab)
            else:
                page = self.browser.new_context(base_url=at, locale="en-GB", viewport=size, **more).new_page()
                page.set_default_timeout(PATIENCE)
                tab = (kind, page, page.context.new_cdp_session(page))
            taken.append(tab)
            tab[1].set_viewport_size(size)
            tab[1].emulate_media(**media)
            return tab[1]

        yield opened
        for (at, more), page, session in taken:
            if page.is_closed():
                continue
            page.unroute_all()
            page.goto("about:blank")
            page.emulate_media(media="null")
            page.context.set_offline(False)
            page.context.clear_cookies()
            session.send("Storage.clearDataForOrigin", {"origin": at, "storageTypes": "all"})
            session.send("Page.resetNavigationHistory")
            self.idle.append(((at, more), page, session))
        while len(self.idle) > IDLE:
            self.idle.pop(0)[1].context.close()


IDLE = 6
"""So many tabs wait for another test."""
Opener = Callable[..., "object"]


@pytest.fixture(scope="session")
def tabs(browser: object) -> Tabs:
    """The tabs of all tests."""
    return Tabs(browser)


@pytest.fixture
def visit(tabs: Tabs, address: str) -> Iterator[Opener]:
    """Opens a page: `visit("/games/dispute", width=390)`; anything the page complains of fails the test."""
    complaints, heard = [], []

    def listen(page: Any, event: str, hear: Callable[[Any], None]) -> None:
        page.on(event, hear)
        heard.append((page, event, hear))

    with tabs.lent() as tab:

        def opened(path: str, *, script: bool = True, **more: object) -> object:
            page = tab(address, java_script_enabled=script, **more)
            listen(page, "pageerror", lambda error: complaints.append(str(error)))
            listen(page, "console", lambda said: complaints.append(said.text) if said.type == "error" else None)
            listen(page, "request", lambda a: None if a.url.startswith(address) else complaints.append(a.url))
            page.goto(path)
            if (script and "/games/" in path) or "/embed/" in path:
                page.wait_for_selector("body.lively")
            return page

        yield opened
        for page, event, hear in heard:
            page.remove_listener(event, hear)
    assert not complaints


@pytest.fixture
def visit_quietly(tabs: Tabs, address: str) -> Iterator[Opener]:
    """Opens pages, also of another viewer, that may complain: of words typed wrongly, of a connection that is gone."""
    with tabs.lent() as tab:

        def opened(path: str = "", at: str = address, **more: object) -> Any:
            page = tab(at, bypass_csp=True, **more)
            if path:
                page.goto(path)
            return page

        yield opened


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
