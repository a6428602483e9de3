"""The site of static files: loaded once, then without a server and without a network."""

from __future__ import annotations

import re
import shutil
import tarfile
import zipfile
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from replays.store.store import Store
from tests.browser.hosting import PLACE
from tests.browser.test_table import QUESTION, begun, enter, saved, send_to, shows
from tests.browser.test_table import shared as shared
from tests.browser.waiting import until
from web.offline.building import MARK, Built, build
from web.offline.fetching import CannotBuildError

pytestmark = [pytest.mark.browser, pytest.mark.slow]
SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"
POSITION = "compile/3A.action.-/plague.fire.water:w3*;;:p51f41:9:/spirit.gravity.hate:;g6*;:4:9:"


@pytest.fixture
def offline(device: tuple[Any, str]) -> Iterator[Any]:
    """A page on a device that opened the site once, after which its server was stopped and the network cut."""
    page = device[0].new_page()
    page.set_viewport_size({"width": 360, "height": 740})
    yield page
    page.close()


def shown(page: Any) -> Any:
    return page.frame_locator("iframe")


def opened(page: Any, address: str) -> Any:
    """The page at that address."""
    page.goto(address)
    shown(page).locator("h1, .board, body.lively").first.wait_for()
    return shown(page)


@pytest.mark.prove
def test_the_first_visit_loads_about_eight_megabytes(tmp_path: Path) -> None:
    assert build(tmp_path / "site").sent < 8_230_000


def test_packed_quickly_the_first_visit_loads_little_more(site: tuple[Path, Built]) -> None:
    assert site[1].sent < 9_800_000  # 8.2 million, packed as small as it is for everybody


def test_what_a_first_answer_imports_is_compiled_already(site: tuple[Path, Built]) -> None:
    if not shutil.which("node"):
        pytest.skip("compiling needs Node.js")
    core = site[0] / PLACE / "core"
    with tarfile.open(core / "program.tar.xz") as program, zipfile.ZipFile(core / "python_stdlib.zip") as stdlib:
        names = {*program.getnames(), *stdlib.namelist()}
    assert {"web/table/question_pages.pyc", "audit/core/auditor.pyc", "flask/app.pyc", "asyncio/events.pyc"} <= names
    assert "web/table/question_pages.py" not in names
    assert asked_by_the_worker() <= {name.removesuffix("c").removesuffix(".py") for name in names}
    assert "stdlib/tomllib/_parser.pyc" in names, "Python begins without it"


def asked_by_the_worker() -> set[str]:
    """The modules that the script of the worker imports."""
    script = resources.files("web").joinpath("offline", "files", "worker.js").read_text("utf-8")
    return {name.replace(".", "/") for name in re.findall(r"^from (web\.[\w.]+) import", script, re.MULTILINE)}


def test_another_folder_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("ten years")
    with pytest.raises(CannotBuildError, match="something else"):
        build(tmp_path)
    assert not (tmp_path / MARK).exists()


def test_a_folder_without_pyodide_is_named(tmp_path: Path) -> None:
    with pytest.raises(CannotBuildError, match=r"there is no pyodide\.mjs"):
        build(tmp_path / "site", tmp_path)


def test_without_a_network_questions_are_answered_and_games_opened_and_dropped_and_there_after_a_reload(
    offline: Any,
) -> None:
    frame = opened(offline, f"ask?position={POSITION}&event=A+fire-4+1&lang=pl")
    assert frame.locator("html").get_attribute("lang") == "pl"
    frame = opened(offline, f"ask?position={POSITION}&event=A+refresh")
    assert frame.get_by_text("refresh.up-to-five").count()
    until(offline, "caches.match(new URL('core/program.zip', location)).then(Boolean)")
    frame = opened(offline, ".")
    frame.locator("ul.games a.title", has_text="r3-t12").first.click()
    frame.locator("body.lively").wait_for()
    offline.wait_for_url("**/games/*")
    frame.locator("body").press("n")
    offline.wait_for_url("**step=*")
    assert frame.locator("body").evaluate("document.documentElement.scrollWidth <= innerWidth")

    frame = opened(offline, ".")
    offline.locator("#file").set_input_files({"name": "a.txt", "mimeType": "text/plain", "buffer": b"good morning"})
    offline.get_by_text("This file cannot be read:").wait_for()
    frame = opened(offline, ".")
    log = (SAMPLES / "dispute.jsonl").read_text("utf-8").replace("r3-t12", "dropped-here")
    moved = frame.locator("body").evaluate_handle(
        """(body, log) => { const moved = new DataTransfer();
        moved.items.add(new File([log], "game.jsonl")); return moved; }""",
        log,
    )
    frame.locator("body").dispatch_event("drop", {"dataTransfer": moved})
    frame.locator("body.lively").wait_for()
    offline.wait_for_url("**/games/*")
    offline.reload()
    shown(offline).locator("body.lively").wait_for()
    assert "dropped-here" in offline.title()
    assert opened(offline, ".").get_by_text("dropped-here").count()


def test_a_question_is_asked_and_a_record_goes_on_after_a_reload_is_saved_and_is_sent_once(
    on_device: Any, device: tuple[Any, str], shared: tuple[str, str, Store], tmp_path: Path
) -> None:
    at, token, store = shared
    page = on_device(f"/table?position={QUESTION}")
    page.click("#qr-of summary")
    until(page, "document.getElementById('qr').naturalWidth > 0")
    page.fill("#line", "A plague-1 2")
    page.press("#line", "Enter")
    page.wait_for_selector("#said .reply.illegal")
    page = begun(on_device)
    enter(page, "A fire-3 1")
    assert saved(page, tmp_path) == ["played"]
    page.reload()
    page.page.frame_locator("iframe").locator("body.lively").wait_for()
    shows(page, "#history", "Ada plays Fire 3")
    enter(page, "B death-2 1")
    device[0].set_offline(False)
    for _ in range(2):
        send_to(page, at, token)
        shows(page, "#kept", "Sent to the server: 2")
    device[0].set_offline(True)
    game = str(page.locator("#followed").get_attribute("href")).rpartition("/")[2]
    assert store.version(game) == 2


@pytest.mark.prove
def test_a_second_page_is_answered_by_the_program_of_the_first(offline: Any) -> None:
    opened(offline, ".")
    second = offline.context.new_page()
    assert opened(second, "rules/compile").locator("h1").count()
    second.close()
    assert opened(offline, "about").locator("h1").count()
