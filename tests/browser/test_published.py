"""A published file opened from disk: the whole viewer, without a server and without a request."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.waiting import PATIENCE, until
from web.publishing.bundle import packed
from web.publishing.files import publish_html
from web.publishing.sources import source_at

pytestmark = pytest.mark.browser
ROOT = Path(__file__).resolve().parents[2]
Opened = Callable[..., Any]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("published") / "a game.html"
    source = source_at(ROOT / "replays/samples/dispute.jsonl")
    path.write_bytes(packed(publish_html(source, "judge", ("en", "fr", "pl"))))
    return path


@pytest.fixture
def offline(browser: Any, file: Path) -> Iterator[Opened]:
    """Opens the file with the network cut; any complaint of the page or request beyond the file fails the test."""
    contexts, complaints = [], []

    def opened(query: str = "", path: Path = file, *, width: int = 1280, script: bool = True) -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": 800}, offline=True, locale="en-GB", java_script_enabled=script
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
        asked = re.compile(re.escape(path.as_uri()) + r"([?#].*)?")
        page.on("request", lambda a: None if asked.fullmatch(a.url) else complaints.append(a.url))
        page.goto(path.as_uri() + query)
        if script:
            page.wait_for_selector("body.lively")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not complaints


def test_stepping_and_jumping_work_without_a_server(offline: Opened) -> None:
    page = offline()
    keys = (("Home", 0), ("ArrowRight", 1), ("Shift+N", 25), ("Shift+N", 73), ("b", 25), ("End", 130), ("Home", 0))
    for key, step in keys:
        page.keyboard.press(key)
        until(page, f"audit.step === {step}")
    assert page.evaluate("location.search") == "?step=0"


def test_the_first_finding_is_shown_with_its_rule_what_could_come_and_how_far_it_is_trusted(
    offline: Opened,
) -> None:
    page = offline("?step=25")
    page.click("#trust summary")
    words = page.inner_text("#trust")
    assert "The log was not sealed" in words
    assert "every event was judged as it was recorded" in words
    panel = page.inner_text('[data-slot="panel"]')
    assert "play.face-up-needs-protocol" in panel
    assert "Ada plays Plague 5 face up in line 2." in panel
    page.click(".could summary")
    until(page, "document.querySelectorAll('[data-slot=\"could-list\"] li').length > 0")
    page.click('[data-slot="panel"] a.rule')
    assert page.evaluate("document.querySelector('[data-slot=\"rule\"]').open")
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 375, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for _ in range(2):
        page.click("#trust summary")
    assert "The log was not sealed" in page.inner_text("#trust")
    page.click('.languages a[lang="pl"]')
    page.wait_for_selector('html[lang="pl"] body.lively')
    assert page.evaluate("audit.step") == 25
    assert "Gracz Ada zagrywa kartę Zaraza 5" in page.inner_text('[data-slot="panel"]')


def test_it_opens_on_the_nearest_step_to_its_address_or_on_the_first_finding(offline: Opened, file: Path) -> None:
    page = offline("?seq=103")
    assert page.evaluate("audit.step") == 103
    for asked, step in (("?step=999", 130), ("?lang=xx&step=x", 25), ("#step=87", 87)):
        page.goto(file.as_uri() + asked)
        page.wait_for_selector("body.lively")
        assert page.evaluate("audit.step") == step, asked
    page.evaluate("location.hash = '#step=103'")
    until(page, "audit.step === 103")


def test_without_scripts_the_first_finding_is_there_and_says_so(offline: Opened) -> None:
    page = offline(script=False)
    assert page.locator(".table .facing").count() == 1
    assert "Ada plays Plague 5 face up in line 2." in page.inner_text('[data-slot="panel"]')
    assert "only this step is shown" in page.inner_text("noscript")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["altered-duel", "lotr-journey"])
def test_other_games_open_as_well(offline: Opened, tmp_path: Path, name: str) -> None:
    path = tmp_path / "other.html"
    path.write_bytes(publish_html(source_at(ROOT / f"replays/samples/{name}.jsonl"), "public", ("fr",)))
    page = offline("", path)
    page.keyboard.press("ArrowRight")
    until(page, "audit.step > 0")
