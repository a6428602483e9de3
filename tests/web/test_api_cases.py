"""Cases, precedents and notes through the API: who may, what comes back, and who was first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from replays.store.store import Store
from tests.web.lending import viewer_over
from web.games.store_library import StoreLibrary
from web.site.tokens import make_token

DISPUTE = Path("replays/samples/dispute.jsonl")
NEEDS = "play.face-up-needs-protocol"
API = "/api/v1"


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FlaskClient]:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    with Store(tmp_path / "games.db") as store:
        store.import_log(DISPUTE)
        client = viewer_over(StoreLibrary(store)).test_client()
        client.environ_base["REMOTE_ADDR"] = "203.0.113.9"
        yield client


@pytest.fixture
def game(client: FlaskClient) -> str:
    return str(client.get(f"{API}/games", headers=token("viewer")).get_json()["games"][0]["id"])


_made: dict[str, dict[str, str]] = {}


@pytest.fixture(autouse=True)
def _forget() -> None:
    _made.clear()


def token(role: str) -> dict[str, str]:
    if role not in _made:
        _made[role] = {"Authorization": f"Bearer {make_token(f'the {role}', role)}"}
    return _made[role]


def post(client: FlaskClient, address: str, role: str = "judge", **data: object) -> TestResponse:
    return client.post(f"{API}{address}", json=data, headers=token(role))


@pytest.fixture
def case(client: FlaskClient, game: str) -> str:
    done = post(client, "/cases", game=game, seq=25, question="May it?", languages=["en", "pl"])
    assert done.status_code == 201, done.text
    return str(done.get_json()["id"])


RULING = {"type": "ruled", "decision": "no", "rules": [NEEDS], "reasons": {"en": "Not here."}}


def test_a_case_is_opened_ruled_appealed_and_goes_on_in_a_branch(client: FlaskClient, case: str, game: str) -> None:
    def add(expected: int, role: str = "judge", **event: object) -> TestResponse:
        return post(client, f"/cases/{case}/events", role, expected=expected, event=event)

    claimed = add(2, type="claimed", player="A", sheet=["A plague-5 1"]).get_json()["events"][-1]
    assert claimed["judged"][0]["verdict"] == "legal"
    ruled = add(3, **RULING).get_json()
    assert (ruled["state"], ruled["events"][-1]["by"], ruled["stale"]) == ("ruled", "the judge", [])
    assert {each["kind"] for each in ruled["events"][-1]["cites"]} == {"rule", "edition"}
    assert add(4, type="appealed", player="B").get_json()["state"] == "appealed"
    assert add(5, **RULING).status_code == 422
    assert add(5, "head-judge", **RULING).get_json()["state"] == "final"
    branch = add(6, type="remedied", to=24).get_json()["events"][-1]["game_id"]
    assert client.get(f"{API}/games/{branch}", headers=token("judge")).get_json()["version"] == 24


def test_the_second_judge_is_told_both_versions_and_what_happened(client: FlaskClient, case: str) -> None:
    assert post(client, f"/cases/{case}/events", expected=2, event=RULING).status_code == 201
    second = post(client, f"/cases/{case}/events", "head-judge", expected=2, event=RULING)
    assert second.status_code == 409
    data = second.get_json()["data"]
    assert (data["case"], data["expected"], data["found"]) == (case, 2, 3)
    assert data["since"][0].startswith("ruled by the judge at ")


@pytest.mark.parametrize(
    ("role", "status"), [("viewer", 403), ("scorekeeper", 403), ("publisher", 403), ("judge", 201), ("head-judge", 201)]
)
def test_who_may_open_a_case(client: FlaskClient, game: str, role: str, status: int) -> None:
    assert post(client, "/cases", role, game=game, seq=25, question="May it?").status_code == status
    body = {"seq": 25, "text": "Why?"}
    assert post(client, f"/games/{game}/notes", role, **body).status_code == status


def test_without_a_token_nothing_is_written_and_nothing_is_told(client: FlaskClient, case: str, game: str) -> None:
    for address in ("/cases", f"/cases/{case}/events", f"/games/{game}/notes"):
        assert client.post(f"{API}{address}", json={}).status_code in (401, 422)
    assert client.get(f"{API}/cases/{case}", headers=token("viewer")).status_code == 404
    assert client.get(f"{API}/cases", headers=token("viewer")).get_json() == {"cases": []}
    assert client.get(f"{API}/precedents?case={case}", headers=token("viewer")).status_code == 403
    post(client, f"/cases/{case}/events", expected=2, event={"type": "shared", "audience": "public"})
    seen = client.get(f"{API}/cases/{case}", headers=token("viewer")).get_json()
    assert (seen["events"], seen["version"], seen["told"]["question"]) == ([], None, "May it?")
    assert game not in str(seen)


def test_what_cannot_be_is_refused_in_one_line(client: FlaskClient, case: str) -> None:
    for event in (
        {}, {"type": "opened"}, {"type": "opined"}, {**RULING, "by": "me"}, {**RULING, "cites": []},
        {**RULING, "rules": NEEDS}, {**RULING, "rules": ["no.such"]}, {**RULING, "at": "2026-01-01T00:00:00Z"},
        {"type": "claimed", "player": "A", "sheet": ["what?"]}, {"type": "claimed", "player": "A", "sheet": 1},
        {"type": "remedied", "to": "24"}, {"type": "remedied", "to": 999}, {"type": "agreed", "text": 1},
    ):  # fmt: skip
        done = post(client, f"/cases/{case}/events", expected=2, event=event)
        assert done.status_code in (400, 404, 422), event
        assert "\n" not in done.get_json()["detail"]
    assert client.get(f"{API}/cases/{case}", headers=token("judge")).get_json()["version"] == 2


def test_precedents_say_why(client: FlaskClient, case: str, game: str) -> None:
    post(client, f"/cases/{case}/events", expected=2, event=RULING)
    for query in (f"game={game}&seq=25", f"rule={NEEDS}"):
        found = client.get(f"{API}/precedents?{query}", headers=token("judge")).get_json()["precedents"]
        assert found[0]["id"] == case
        assert ["rule", NEEDS] in found[0]["why"]


def test_notes_are_told_without_the_hashes_of_lines(client: FlaskClient, game: str) -> None:
    written = post(client, f"/games/{game}/notes", seq=25, to=30, text="For judges.", kind="?").get_json()
    post(client, f"/games/{game}/notes", seq=25, text="For all.", audience="public")
    seen = client.get(f"{API}/games/{game}/notes", headers=token("viewer")).get_json()["notes"]
    assert [(each["text"], each["author"], each["step"]) for each in seen] == [("For all.", "the judge", 25)]
    assert "line" not in seen[0]
    assert len(client.get(f"{API}/games/{game}/notes", headers=token("judge")).get_json()["notes"]) == 2
    assert post(client, f"/games/{game}/notes", seq=999, text="x").status_code == 422
    read = client.get(f"{API}/games/{game}/notes", headers=token("judge")).get_json()["notes"]
    assert written in read
    assert written["step"] > 0
