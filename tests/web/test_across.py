"""A page of another host records a game here: with a token, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from replays.store.store import Store
from tests.web.lending import viewer_over
from web.games.store_library import StoreLibrary
from web.site.reader import TOKEN_COOKIE
from web.site.tokens import make_token

SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"
BEGINNING = {"sheet": "game final   A Ada: fire life water   B Bo: death metal speed   first A", "ruleset": "compile"}
PAGE = {"Origin": "https://recorders.example"}
ALLOWED = "Access-Control-Allow-Origin"


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FlaskClient]:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    with Store(tmp_path / "games.db") as store:
        store.import_log(SAMPLES / "clean.jsonl")
        yield viewer_over(StoreLibrary(store), AUDIT_API_BURST=10_000).test_client()


def shown(role: str = "scorekeeper") -> dict[str, str]:
    return {**PAGE, "Authorization": f"Bearer {make_token(role, role)}"}


def game_of(client: FlaskClient) -> str:
    """The game that is there already."""
    return str(client.get("/api/v1/games").get_json()["games"][0]["id"])


def test_a_game_is_begun_appended_to_and_read_by_a_page_of_another_host(client: FlaskClient) -> None:
    token = shown()
    begun = client.post("/api/v1/games", json=BEGINNING, headers=token)
    assert (begun.status_code, begun.headers[ALLOWED]) == (201, "*")
    path = f"/api/v1/games/{begun.get_json()['id']}/events"
    event = {"seq": 1, "type": "played", "player": "A", "card": "fire-3", "line": 1, "face": "up", "id": "a~1"}
    for _ in range(2):
        sent = client.post(path, json={"expected": 0, "events": [event]}, headers=token)
        assert (sent.status_code, sent.headers[ALLOWED]) == (201, "*")
    late = client.post(path, json={"expected": 0, "events": [{**event, "id": "b~1"}]}, headers=token)
    assert (late.status_code, late.headers[ALLOWED]) == (409, "*")
    read = client.get(path, headers=token)
    assert (len(read.get_json()["events"]), read.headers[ALLOWED]) == (1, "*")


@pytest.mark.parametrize("path", ["/api/v1/games", "/api/v1/games/some-game/events"])
def test_a_browser_that_asks_first_is_told_what_it_may(client: FlaskClient, path: str) -> None:
    answer = client.options(path, headers={**PAGE, "Access-Control-Request-Method": "POST"})
    assert answer.headers[ALLOWED] == "*"
    assert answer.headers["Access-Control-Allow-Headers"] == "authorization, content-type"
    assert "Access-Control-Allow-Credentials" not in answer.headers


@pytest.mark.parametrize("path", [
    "", "/steps", "/findings", "/live", "/file?form=jsonl", "/notes", "/options",
])  # fmt: skip
def test_nothing_else_of_a_game_is_for_pages_of_other_hosts(client: FlaskClient, path: str) -> None:
    answer = client.get(f"/api/v1/games/{game_of(client)}{path}", headers=shown("judge"))
    assert ALLOWED not in answer.headers


@pytest.mark.parametrize("path", ["/", "/api/v1/games", "/api/v1/openapi.json", "/api/v1/cases", "/table/record"])
def test_no_other_page_is_for_pages_of_other_hosts(client: FlaskClient, path: str) -> None:
    assert ALLOWED not in client.get(path, headers=shown("judge")).headers
    asked = client.options(path, headers={**PAGE, "Access-Control-Request-Method": "GET"})
    assert ALLOWED not in asked.headers


def test_without_a_token_in_the_header_nothing_is_readable(client: FlaskClient) -> None:
    """Who sits at the machine needs no token to read; a page that they have open beside it is not them."""
    path = f"/api/v1/games/{game_of(client)}/events"
    assert ALLOWED not in client.get(path, headers=PAGE).headers
    client.set_cookie(TOKEN_COOKIE, make_token("signed-in", "judge"))
    assert ALLOWED not in client.get(path, headers=PAGE).headers
    assert ALLOWED not in client.post("/api/v1/games", json=BEGINNING, headers=PAGE).headers


def test_a_false_token_gets_no_more_than_its_refusal(client: FlaskClient) -> None:
    answer = client.get(
        f"/api/v1/games/{game_of(client)}/events", headers={**PAGE, "Authorization": "Bearer audit.1.no"}
    )
    assert answer.status_code == 401
    assert "events" not in answer.get_json()
