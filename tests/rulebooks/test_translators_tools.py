"""What is exported opens in the tools of translators: translate-toolkit, which also reads Weblate's files.

The toolkit is under the GPL, and is used here and nowhere else: no module of the program imports it.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from audit.games.compile.rules import CATALOGUE
from audit.rulebooks.exports import Entry
from audit.rulebooks.exports.csv import write_csv
from audit.rulebooks.exports.tmx import write_tmx
from audit.rulebooks.exports.xliff import read_xliff, write_xliff
from audit.rulebooks.exports.xliff_1_2 import write_xliff_1_2
from replays.rulebooks.translation_qa import TranslationQA, exchange_file

pytest.importorskip("translate.storage.factory", reason="translate-toolkit is not installed")

LAMPS = [
    Entry("oil.counted", ("oil.counted",), {"fr": "On compte l'huile.", "it": "Si conta l'olio.", "pl": "Olej."}),
    Entry("wick.trimmed", ("wick.trimmed",), {"fr": "On coupe la mèche < 2 cm.", "it": "Si taglia lo stoppino."}),
]  # fmt: skip
CODES = ("fr", "it", "pl")


def parsed(module: str, kind: str, data: bytes) -> list[object]:
    """The units of a file as the toolkit reads them, without its header."""
    store = getattr(importlib.import_module(f"translate.storage.{module}"), kind).parsestring(data)
    return [unit for unit in store.units if not unit.isheader()]


def test_a_translation_memory_opens_with_both_sides() -> None:
    units = parsed("tmx", "tmxfile", write_tmx(LAMPS, CODES))
    assert len(units) == 2
    assert "On compte l'huile." in {str(unit.source) for unit in units}


@pytest.mark.parametrize(
    ("reader", "kind", "write"),
    [("xliff2", "Xliff2File", write_xliff), ("xliff", "xlifffile", write_xliff_1_2)],
    ids=["2.1", "1.2"],
)
def test_an_xliff_file_opens_and_what_the_toolkit_writes_is_read_back(
    reader: str, kind: str, write: Callable[[list[Entry], str, str, str], bytes]
) -> None:
    module = importlib.import_module(f"translate.storage.{reader}")
    store = getattr(module, kind).parsestring(write(LAMPS, "fr", "it", "lamps"))
    assert [unit.target for unit in store.units] == ["Si conta l'olio.", "Si taglia lo stoppino."]
    store.units[0].target = "L'olio si conta."
    changed = {entry.id: entry.texts["it"] for entry in read_xliff(bytes(store))}
    assert changed == {"oil.counted": "L'olio si conta.", "wick.trimmed": "Si taglia lo stoppino."}


def test_a_table_opens_with_every_row() -> None:
    text = write_csv(LAMPS, CODES).decode("utf-8-sig")
    assert len(parsed("csvl10n", "csvfile", text.encode())) >= 2


def test_the_statements_and_the_terms_of_a_game_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path))
    qa = TranslationQA("compile", CATALOGUE, ["fr"])
    units = parsed("pypo", "pofile", exchange_file(qa, "po", "en"))
    assert {str(unit.getcontext()) for unit in units} == {rule.id for rule in CATALOGUE}


def test_the_program_never_imports_the_toolkit(root: Path) -> None:
    imports = re.compile(r"^\s*(?:from|import) translate\b", re.MULTILINE)
    for folder in ("audit", "replays", "web", "commands"):
        assert not [path for path in (root / folder).rglob("*.py") if imports.search(path.read_text("utf-8"))]
