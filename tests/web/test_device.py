"""The program as it runs in a browser: pages at once, the API when something asks for it, the same games in both."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from replays.store.store import Store
from web.offline.building import write_service
from web.offline.device import Device

AT = "https://games.example/audit"
POSITION = "compile/3A.action.-/plague.fire.water:w3*;;:p51f41:9:/spirit.gravity.hate:;g6*;:4:9:"
ASKS = """
import sys
from web.offline.device import Device
device = Device(sys.argv[1], "/audit")
for path in ("table", "table/record", "ask", ""):
    assert device.answer("GET", "https://games.example/audit/" + path, {}, b"")[0] == 200, path
print(sorted({"marshmallow", "flask_smorest", "webargs", "apispec", "snowballstemmer"} & set(sys.modules)))
"""


@pytest.fixture
def device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Device]:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path))
    made = Device(str(tmp_path), "/audit")
    yield made
    made.close()


def test_pages_are_answered_and_a_question_too(device: Device) -> None:
    assert device.answer("GET", f"{AT}/table", {}, b"")[0] == 200
    asked = json.dumps({"position": POSITION, "events": ["A refresh"]}).encode()
    status, _, body = device.answer("POST", f"{AT}/table/ask", {"Content-Type": "application/json"}, asked)
    assert status == 200
    assert json.loads(body)["said"]["steps"][0]["verdict"] == "legal"


def test_the_api_has_the_same_games(device: Device) -> None:
    log = (Path(__file__).parents[2] / "replays/samples/dispute.jsonl").read_bytes().replace(b"r3-t12", b"kept-here")
    address = json.loads(device.answer("POST", f"{AT}/device/logs", {}, log)[2])["address"]
    game = address.rpartition("/")[2]
    status, _, body = device.answer("GET", f"{AT}/api/v1/games/{game}/events", {}, b"")
    assert status == 200
    assert json.loads(body)["header"]["game"] == "kept-here"


SHEET = b"game friday   A Ada: fire life water   B Bo: death metal speed   first A\nA fire-3 1\nB speed-5 2 down\n"


def test_a_score_sheet_is_opened_as_the_log_it_stands_for(device: Device) -> None:
    address = json.loads(device.answer("POST", f"{AT}/device/logs", {}, SHEET)[2])["address"]
    assert device.answer("GET", f"https://games.example{address}", {}, b"")[0] == 200


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (SHEET.replace(b"fire-3 1", b"fire-33 1"), "La ligne 2 est illisible"),
        (b"good morning", "ni un journal ni une feuille"),
        (b'{"log": 1}', "ligne 1"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_the_language_of_the_page(device: Device, data: bytes, said: str) -> None:
    status, _, body = device.answer("POST", f"{AT}/device/logs?lang=fr", {}, data)
    assert status == 400
    assert said in " ".join(json.loads(body)["problems"])


def test_a_site_whose_files_have_changed_is_another_version(tmp_path: Path) -> None:
    versions = set()
    for words in ("one", "two"):
        (tmp_path / "page.html").write_text(words)
        (tmp_path / "service.js").unlink(missing_ok=True)
        write_service(tmp_path)
        versions.add((tmp_path / "service.js").read_text().partition("\n")[0])
    assert len(versions) == 2


def test_no_page_waits_for_what_only_the_api_or_a_search_needs(tmp_path: Path) -> None:
    """A device starts with this: each package is loaded by a browser, which takes its time."""
    found = subprocess.run([sys.executable, "-c", ASKS, str(tmp_path)], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_a_question_does_not_wait_for_the_sample_games(device: Device) -> None:
    asked = f"{AT}/ask?position={POSITION}&event=A+refresh"
    assert device.answer("GET", asked, {}, b"")[0] == 200
    assert device.begin() is True
    assert device.begin() is False


def test_the_sample_games_are_there_as_soon_as_somebody_looks_for_games(device: Device) -> None:
    games = device.answer("GET", f"{AT}/", {}, b"")[2].decode()
    assert games.count('href="/audit/games/') >= 5
    assert device.begin() is False


def test_a_device_with_games_is_given_no_samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path))
    first = Device(str(tmp_path), "/audit")
    log = (Path(__file__).parents[2] / "replays/samples/dispute.jsonl").read_bytes()
    with Store(tmp_path / "games.db") as store:
        store.import_log(BytesIO(log))
    first.close()
    again = Device(str(tmp_path), "/audit")
    assert again.begin() is False
    again.close()
