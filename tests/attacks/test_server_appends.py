"""Appends that two programs would read differently, or that come twice: stored to the byte, or refused. Never 500."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from replays.store.store import Store
from web import create_app
from web.games.store_library import StoreLibrary
from web.site.tokens import make_token

SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"
LINES = (SAMPLES / "dispute.jsonl").read_bytes().splitlines(keepends=True)
GIVEN = 20
PROBLEM = {"type", "title", "status", "detail", "error", "data"}
"""What an answer tells that refuses, after RFC 9457."""

FLAG = b'{"seq": 21, "type": "flagged", %s}'

REFUSED = {
    "half a letter": FLAG % b'"note": "\\ud800"',
    "the other half": FLAG % b'"note": "x\\udc00y"',
    "a key twice": FLAG % b'"note": "one", "note": "two"',
    "a key twice, once written otherwise": FLAG % b'"note": "one", "n\\u006fte": "two"',
    "a key twice, deep inside": FLAG % b'"x-a": {"b": [{"c": 1, "c": 2}]}',
    "33 levels": FLAG % (b'"x-a": ' + b"[" * 32 + b"]" * 32),
    "100,000 levels": FLAG % (b'"x-a": ' + b"[" * 100_000 + b"]" * 100_000),
    "17 digits": FLAG % b'"x-a": 99999999999999999',
    "10,000 digits": FLAG % (b'"x-a": ' + b"9" * 10_000),
    "a number that nothing can hold": FLAG % b'"x-a": 1e400',
    "not a number": FLAG % b'"x-a": NaN',
    "infinity": FLAG % b'"x-a": -Infinity',
    "bytes that are no UTF-8": FLAG % b'"note": "\xff"',
    "a NUL": FLAG % b'"note": "\x00"',
    "two lines": FLAG % b'"note":\n "one"',
    "no object": b"[21]",
    "no event": b'"flagged"',
    "a number too long for a seq": b'{"seq": 1e2, "type": "flagged"}',
}

KEPT = {
    "spaces and order": b'{ "type" : "flagged",  "seq":21 , "by": "A"}',
    "letters written as numbers": FLAG % b'"note": "\\u0041\\u00e9 \\ud83c\\udca1"',
    "letters as they are": FLAG % '"note": "Żółć 🂡 \u2028"'.encode(),
    "a fraction": FLAG % b'"x-a": 1.0, "x-b": 1e2, "x-c": -0.0',
    "31 levels": FLAG % (b'"x-a": ' + b"[" * 31 + b"]" * 31),
}


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    start = tmp_path / "start.jsonl"
    start.write_bytes(b"".join(LINES[: GIVEN + 1]))
    with Store(tmp_path / "games.db") as store:
        store.import_log(start)
        yield store


@pytest.fixture
def client(store: Store) -> FlaskClient:
    client = create_app(StoreLibrary(store), config={"AUDIT_API_BURST": 10_000}).test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {make_token('table 4', 'scorekeeper')}"
    return client


NO_BODIES = (
    b'{"expected": 20, "expected": 19, "events": [{"seq": 21, "type": "flagged"}]}',
    b'{"expected": 20, "events": [], "events": [{"seq": 21, "type": "flagged"}]}', b"[" * 50_000, b"", b"\xff\xfe",
    b'{"expected": 20, "events": [{"seq": 21, "type": "flagged"}], "more": 1}', b"9" * 10_000, b'{"expected": NaN}',
)  # fmt: skip


def sent(client: FlaskClient, store: Store, body: bytes) -> tuple[int, dict[str, object]]:
    game = store.find("r3-t12")
    answer = client.post(f"/api/v1/games/{game}/events", data=body, content_type="application/json")
    return answer.status_code, answer.get_json()


def test_what_two_programs_would_read_differently_is_refused(client: FlaskClient, store: Store) -> None:
    before = store.export(store.find("r3-t12"))
    for name, event in REFUSED.items():
        status, answer = sent(client, store, b'{"expected": 20, "events": [' + event + b"]}")
        assert (status, set(answer)) == (422 if status == 422 else 400, PROBLEM), name
        assert store.export(store.find("r3-t12")) == before, name


@pytest.mark.parametrize("name", KEPT)
def test_what_is_stored_is_what_was_sent_to_the_byte(client: FlaskClient, store: Store, name: str) -> None:
    status, answer = sent(client, store, b'{"expected": 20,\n "events": [ ' + KEPT[name] + b" ]}")
    assert (status, answer.get("version")) == (201, 21), answer
    assert store.export(store.find("r3-t12")).endswith(b"\n" + KEPT[name] + b"\n")


def test_a_body_that_is_none_is_refused(client: FlaskClient, store: Store) -> None:
    for body in NO_BODIES:
        status, answer = sent(client, store, body)
        assert status in (400, 422), body
        assert set(answer) == PROBLEM, body


def test_an_event_that_is_sent_again_is_answered_with_what_was_stored(client: FlaskClient, store: Store) -> None:
    """The second try is written with other spaces; what is stored is the first."""
    first = b'{"seq": 21, "type": "flagged", "id": "x", "note": "once"}'
    again = b'{"id":"x","note":"once","type":"flagged","seq":21}'
    answers = [sent(client, store, b'{"expected": 20, "events": [' + each + b"]}") for each in (first, again)]
    assert answers[0] == answers[1]
    assert answers[0][1]["events"] == [{"seq": 21, "type": "flagged", "id": "x", "note": "once"}]
    assert store.export(store.find("r3-t12")).endswith(b"\n" + first + b"\n")


def test_each_append_is_bound_to_the_token_that_sent_it(client: FlaskClient, store: Store) -> None:
    sent(client, store, b'{"expected": 20, "events": [{"seq": 21, "type": "flagged"}]}')
    ((who,),) = store._tables.read("SELECT who FROM audit_appends ORDER BY place DESC LIMIT 1")
    assert str(who).startswith("token ")
    assert str(who).endswith(" table 4")
    assert store.verify().exit_code == 0
