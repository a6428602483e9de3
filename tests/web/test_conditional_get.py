"""Readers who have a page are told so at once, and never longer than it is true."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from replays.store.store import Store
from web import create_app
from web.games.store_library import StoreLibrary
from web.site import headers
from web.site.reader import TOKEN_COOKIE
from web.site.tokens import make_token, revoke

SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"
LINES = (SAMPLES / "dispute.jsonl").read_bytes().splitlines(keepends=True)
FAR = {"REMOTE_ADDR": "203.0.113.9"}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "games.db") as store:
        start = tmp_path / "start.jsonl"
        start.write_bytes(b"".join(LINES[:21]))
        store.import_log(start)
        yield store


@pytest.fixture
def app(store: Store) -> Flask:
    return create_app(StoreLibrary(store))


@pytest.fixture
def entered(app: Flask) -> list[str]:
    """The pages for which the application itself was asked."""
    found: list[str] = []
    app.before_request(lambda: found.append("entered"))
    return found


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.mark.parametrize("page", ["/", "/games/GAME?step=7", "/embed/GAME"])
def test_the_application_is_asked_once_whether_a_page_still_stands(
    client: FlaskClient, store: Store, entered: list[str], page: str
) -> None:
    path = page.replace("GAME", store.find("r3-t12"))
    had = {"If-None-Match": client.get(path).headers["ETag"]}
    first, second = client.get(path, headers=had), client.get(path, headers=had)
    assert (first.status_code, second.status_code) == (304, 304)
    assert sorted(first.headers) == sorted(second.headers)
    assert second.data == b""
    assert len(entered) == 2


@pytest.mark.parametrize("page", ["/", "/games/GAME?step=7"])
def test_what_is_appended_is_seen_at_once(client: FlaskClient, store: Store, page: str) -> None:
    game = store.find("r3-t12")
    path = page.replace("GAME", game)
    had = {"If-None-Match": client.get(path).headers["ETag"]}
    assert [client.get(path, headers=had).status_code for _ in range(3)] == [304] * 3
    store.append(game, LINES[21], expected=20)
    fresh = client.get(path, headers=had)
    assert fresh.status_code == 200
    assert fresh.headers["ETag"] != had["If-None-Match"]


def test_nobody_is_told_of_a_page_they_may_not_see(client: FlaskClient, store: Store) -> None:
    path = f"/games/{store.find('r3-t12')}?step=7"
    had = {"If-None-Match": client.get(path).headers["ETag"]}
    assert client.get(path, headers=had).status_code == 304
    for other in ({"environ_base": FAR}, {"headers": {**had, "Via": "1.1 proxy"}}):
        answer = client.get(path, **{"headers": had, **other})
        assert answer.status_code == 200
    assert client.get(path, headers={**had, "Accept-Language": "pl"}).status_code == 200


@pytest.mark.parametrize("is_signed_in", [True, False])
def test_a_token_that_was_revoked_is_told_of_nothing_it_has_seen(app: Flask, store: Store, is_signed_in: bool) -> None:
    path, token, client = f"/games/{store.find('r3-t12')}?step=7", make_token("judge", "judge"), app.test_client()
    shown = {} if is_signed_in else {"Authorization": f"Bearer {token}"}
    if is_signed_in:
        client.set_cookie(TOKEN_COOKIE, token)
    had = {"If-None-Match": client.get(path, headers=shown, environ_base=FAR).headers["ETag"], **shown}
    assert [client.get(path, headers=had, environ_base=FAR).status_code for _ in range(2)] == [304] * 2
    revoke("judge")
    assert client.get(path, headers=had, environ_base=FAR).status_code == 200


def test_a_full_memory_is_emptied(client: FlaskClient, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(headers, "MAX_ENTRIES", 2)
    game = store.find("r3-t12")
    for step in range(6):
        path = f"/games/{game}?step={step}"
        had = {"If-None-Match": client.get(path).headers["ETag"]}
        assert [client.get(path, headers=had).status_code for _ in range(2)] == [304] * 2


def test_after_an_update_no_page_is_taken_for_the_one_that_the_reader_has(monkeypatch: pytest.MonkeyPatch) -> None:
    tag = create_app().test_client().get("/games/dispute").headers["ETag"]
    assert create_app().test_client().get("/games/dispute", headers={"If-None-Match": tag}).status_code == 304
    monkeypatch.setattr("web.site.headers.engine", lambda: "another")
    assert create_app().test_client().get("/games/dispute", headers={"If-None-Match": tag}).status_code == 200
