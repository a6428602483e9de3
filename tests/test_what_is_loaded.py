"""A command loads what it needs and nothing else: most of the time of a short one goes into loading."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LOADED = """
import json, sys
sys.argv = ["audit", *sys.argv[1:]]
from cli import carried_out
carried_out()
print("\\n" + json.dumps(sorted(sys.modules)))
"""
LOG = "replays/samples/dispute.jsonl"
STORE = ("replays.store.store", "eventsourcing", "sqlalchemy")
PICTURES, QA = ("cairosvg", "cairocffi"), ("replays.rulebooks.translation_qa", "audit.rulebooks.exports.po")
PAGES = (
    "web.cases.pages",
    "web.rulebooks.qa_pages",
    "web.rulebooks.cutting_pages",
    "web.season.pages",
    "web.table.pages",
)


def loaded(*args: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *args], capture_output=True, cwd=ROOT, check=True, encoding="utf-8"
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, set[str]]:
    """A published page, and what was loaded to make it."""
    file = str(tmp_path_factory.mktemp("published") / "dispute.html")
    return file, loaded("publish", LOG, "-o", file)


def test_a_page_is_published_without_the_pages_of_a_server(page: tuple[str, set[str]]) -> None:
    assert page[1].isdisjoint((*PAGES, *PICTURES, *QA))


def test_a_page_is_verified_without_them_too(page: tuple[str, set[str]]) -> None:
    assert loaded("verify", page[0]).isdisjoint((*PAGES, *PICTURES, "replays.cases.bundle"))


def test_whether_pictures_can_be_made_is_told_without_what_makes_them() -> None:
    asks = "import sys; from web.drawing.tree import can_be_made; print(can_be_made(), 'cairosvg' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", asks], capture_output=True, cwd=ROOT, check=True, encoding="utf-8")
    assert done.stdout in ("True False\n", "False False\n")


@pytest.mark.parametrize(
    ("args", "unneeded"),
    [
        (("verify", LOG), (*STORE, *PICTURES, "web", "flask", "replays.cases.bundle")),
        (("compare", LOG), (*STORE, *QA, "web", "flask", "babel")),
        (("stats", LOG, "--no-cache"), (*STORE, *QA, "web", "flask", "babel")),
        (("check", LOG), (*STORE, *QA, "web", "flask", "babel")),
    ],
    ids=lambda one: one[0] if isinstance(one, tuple) else "",
)
def test_a_command_on_a_log_loads_neither_pages_nor_the_store(args: tuple[str, ...], unneeded: tuple[str, ...]) -> None:
    assert loaded(*args).isdisjoint(unneeded)
