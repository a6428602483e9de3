"""An editor's whole way on real documents: every command of docs/editor.md in its order, and the pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from bench.walk import RULEBOOKS, browsed, commands, lay_out, walked
from cli import audit
from commands.rulebooks import rulebook
from web import create_app, samples
from web.games.folder_library import FolderLibrary

pytestmark = pytest.mark.skipif(not RULEBOOKS.is_dir(), reason="the rulebooks are not here")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("desk")
    lay_out(folder)
    return folder


@pytest.fixture(scope="module")
def told(desk: Path) -> dict[str, str]:
    """What each command printed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUDIT_DATA_DIR", str(desk / "data"))
        patch.delenv("AUDIT_DATABASE_URL", raising=False)
        patch.setattr("replays.rulebooks.meaning._encoder", lambda: None)
        patch.chdir(desk)
        return {line: text for line, _, text in walked(run, desk)}


def run(words: list[str]) -> str:
    done = CliRunner().invoke(audit, words)
    assert done.exit_code in (0, 1), f"{words}: {done.output}"
    assert done.exception is None or isinstance(done.exception, SystemExit), (words, done.exception)
    return done.output


def test_every_command_of_rulebooks_stands_on_the_page() -> None:
    page = "\n".join(commands())
    assert [name for name in rulebook.commands if f"audit rulebook {name}" not in page] == []


SAYS = (
    ("audit rulebook list", "reglas-es"),
    ('audit rulebook cut regeln-de retitle regeln-de/teil-1/1 "Aufbau" --by Ada', "retitle"),
    ("audit rulebook link regeln-de --propose", "regeln-de/teil-"),
    ("audit qa compile --of Bruno", "assigned to Bruno"),
    ("audit rulebook import passages.csv --by Ada", "by Ada"),
    ("audit rulebook show compile-rules-it --changes", "+ Sempre:"),
    ("audit rulebook import terms.tbx --by Ada", "compile-terms-it"),
    ("audit rulebook add regeln-de-2.md --as regeln-de --lang de --game compile", "3 edited"),
    ("audit rulebook tasks", "{+sechs+}"),
    ("audit rulebook tasks --of Bruno", "assigned to Bruno"),
    ("audit qa compile --source en --lang cs", "In English it says “five” (5), in Czech “šesti” (6)."),
    ("audit qa compile --source en --lang cs", "A rule that stands in English has no passage in Czech."),
)
"""What a command says, among other things."""


@pytest.mark.prove
def test_each_step_of_the_way_tells_what_it_did_or_writes_a_file(told: dict[str, str], desk: Path) -> None:
    assert [(line, says) for line, says in SAYS if says not in told[line]] == []
    silent = [line for line, text in told.items() if not text.strip()]
    assert all(" -o " in line or "--assign" in line or "--dismiss" in line for line in silent)
    written = ("findings.html", "findings.csv", "passages.csv", "passages.xlf", "passages.tmx", "statements.po")
    assert all((desk / name).stat().st_size > 1000 for name in written)


@pytest.mark.prove
def test_the_same_way_in_the_browser(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(desk / "browser"))
    monkeypatch.setattr("web.rulebooks.pages.learned_answers", lambda *_: None)
    client = create_app(FolderLibrary(samples())).test_client()
    wrong = [(what, status) for what, _, status in browsed(client, desk) if status not in (200, 303)]
    assert wrong == []
