"""The clients of docs/clients against a running server: the same questions, the same answers."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from replays.store.store import Store
from tests.serving import served
from web import create_app
from web.games.store_library import StoreLibrary
from web.site.tokens import make_token

ROOT = Path(__file__).resolve().parents[2]
CLIENTS = ROOT / "docs" / "clients"
POSITION = "compile/3A.action.-/plague.fire.water:w3*;;:p51f41:9:/spirit.gravity.hate:;g6*;:4:9:"
LOG = ROOT / "replays" / "samples" / "dispute.jsonl"
PYTHON = """
import json, pathlib, sys
sys.path.insert(0, sys.argv[1])
from audit_client import Client
client = Client(sys.argv[2], sys.argv[3])
found = client.check(pathlib.Path(sys.argv[4]).read_text("utf-8"))
print(json.dumps([client.ask(sys.argv[5], ["A refresh"]), found, client.options(client.begin(
    json.loads(pathlib.Path(sys.argv[4]).read_text("utf-8").splitlines()[0]))["id"])]))
"""
JAVASCRIPT = """
const [folder, server, token, log, position] = process.argv.slice(1);
const { Client } = await import(`${folder}/audit_client.mjs`);
const { readFileSync } = await import("node:fs");
const client = new Client(server, token);
const text = readFileSync(log, "utf-8");
const found = await client.check(text);
const { id } = await client.begin(JSON.parse(text.split("\\n")[0]));
console.log(JSON.stringify([await client.ask(position, ["A refresh"]), found, await client.options(id)]));
"""


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server with an empty store."""
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path))
    with Store(tmp_path / "games.db") as store, served(create_app(StoreLibrary(store))) as address:
        yield address


@pytest.mark.parametrize("language", ["python", "javascript"])
def test_a_client_asks_checks_a_log_and_lists_what_is_open(server: str, language: str) -> None:
    node = shutil.which("node")
    if language == "javascript" and not node:
        pytest.skip("there is no node")
    start = [sys.executable, "-c", PYTHON] if language == "python" else [str(node), "-e", JAVASCRIPT]
    given = [str(CLIENTS), server, make_token("table", "scorekeeper"), str(LOG), POSITION]
    start = [*start, "--", *given] if language == "javascript" else [*start, *given]
    done = subprocess.run(start, capture_output=True, text=True, timeout=120, check=False)
    assert not done.returncode, done.stderr
    asked, found, open_now = json.loads(done.stdout)
    assert asked["ruleset"] == "compile"
    assert found["findings"]
    assert "decisions" in open_now
