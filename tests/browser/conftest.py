"""The viewer in a real browser, over made-up games. Skipped where there is none, unless it has to run."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from flask import Flask

from tests.browser.waiting import PATIENCE
from tests.serving import served
from tests.web.made import MadeLibrary, dispute, header, long
from web import create_app

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
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
