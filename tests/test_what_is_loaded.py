"""A command loads what it needs and nothing else: most of the time of a short one goes into loading."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOADED = """
import json, sys
from cli import carried_out
for line in sys.argv[1:]:
    sys.argv = ["audit", *line.split()]
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


def loaded(*lines: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *lines], capture_output=True, cwd=ROOT, check=True, encoding="utf-8"
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_a_page_is_published_and_verified_without_the_pages_of_a_server(tmp_path: Path) -> None:
    page = tmp_path / "dispute.html"
    found = loaded(f"publish {LOG} -o {page}", f"verify {page}")
    assert found.isdisjoint((*PAGES, *PICTURES, *QA, "replays.cases.bundle"))


def test_whether_pictures_can_be_made_is_told_without_what_makes_them() -> None:
    asks = "import sys; from web.drawing.tree import can_be_made; print(can_be_made(), 'cairosvg' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", asks], capture_output=True, cwd=ROOT, check=True, encoding="utf-8")
    assert done.stdout in ("True False\n", "False False\n")


def test_commands_on_a_log_load_neither_pages_nor_the_store() -> None:
    assert loaded(f"verify {LOG}").isdisjoint((*STORE, *PICTURES, "web", "flask", "replays.cases.bundle"))
    found = loaded(f"compare {LOG}", f"stats {LOG} --no-cache", f"check {LOG}")
    assert found.isdisjoint((*STORE, *QA, "web", "flask", "babel"))
