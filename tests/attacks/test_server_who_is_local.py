"""Who is taken for somebody at this machine: behind a proxy, under a foreign name, with a wrong or an old token."""

from __future__ import annotations

import http.client
import http.server
import re
import socketserver
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from threading import Thread

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.serving import make_server

from replays.store.store import Store
from tests.short_games import first_events
from web import create_app
from web.games.store_library import StoreLibrary
from web.site.tokens import make_token, revoke

SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"
FAR = "203.0.113.9"
SIGNS = (
    "Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Server", "X-Real-IP",
    "X-Client-IP", "CF-Connecting-IP", "True-Client-IP", "X-Envoy-External-Address",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "games.db") as store:
        store.import_log(BytesIO(first_events("dispute", 40)))
        yield store


@pytest.fixture
def game(store: Store) -> str:
    return store.find("r3-t12")


def viewer_of(client: FlaskClient, game: str, **request: object) -> str:
    """Through whose eyes a page shows the game."""
    answer = client.get(f"/games/{game}.json", **request)  # type: ignore[arg-type]
    assert answer.status_code == 200
    return str(answer.get_json()["viewer"])


def test_at_the_machine_itself_everything_is_seen(store: Store, game: str) -> None:
    assert viewer_of(create_app(StoreLibrary(store)).test_client(), game) == "judge"


def test_any_sign_of_a_proxy_shows_what_is_public(store: Store, game: str) -> None:
    client = create_app(StoreLibrary(store)).test_client()
    for sign in SIGNS:
        assert viewer_of(client, game, headers={sign: "127.0.0.1"}) == "public", sign
        assert client.get(f"/games/{game}?as=judge", headers={sign: "127.0.0.1"}).status_code == 403, sign


def test_what_is_not_asked_from_here_by_our_name_is_public(store: Store, game: str) -> None:
    client = create_app(StoreLibrary(store)).test_client()
    for environ in (
        {"SERVER_PROTOCOL": "HTTP/1.0"}, {"REMOTE_ADDR": ""}, {"REMOTE_ADDR": FAR}, {"REMOTE_ADDR": "localhost"},
        {"HTTP_HOST": "evil.example:8000"}, {"HTTP_HOST": "127.0.0.1.evil.example"}, {"HTTP_HOST": "10.0.0.5:8000"},
    ):  # fmt: skip
        assert viewer_of(client, game, environ_overrides=environ) == "public", environ


def test_the_deployed_server_takes_nobody_for_local(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: Store, game: str
) -> None:
    """A bare `proxy_pass` on the same machine leaves no sign at all."""
    import importlib

    import web.wsgi

    monkeypatch.delenv("AUDIT_VIEWPOINTS", raising=False)
    monkeypatch.setenv("AUDIT_DATABASE_URL", str(tmp_path / "games.db"))
    client = importlib.reload(web.wsgi).app.test_client()
    assert viewer_of(client, game) == "public"
    assert client.get(f"/api/v1/games/{game}").get_json()["viewer"] == "public"
    assert client.get(f"/api/v1/games/{game}/steps?as=judge").status_code == 401
    for path in (f"/games/{game}?as=judge", f"/games/{game}.jsonl?as=A", "/qa/compile/export/tmx"):
        assert client.get(path).status_code == 403, path
    text = client.get(f"/games/{game}.jsonl").get_data(as_text=True)
    assert '"deck"' not in text


def test_viewpoints_hold_for_rulebooks_and_exports_too(store: Store) -> None:
    for viewpoints, status in (("public", 403), ("loopback", 200)):
        client = create_app(StoreLibrary(store), config={"AUDIT_VIEWPOINTS": viewpoints}).test_client()
        assert client.get("/qa/compile/export/tbx").status_code == status
        form = {"document": "x", "language": "en"}
        written = client.post("/rulebooks/", data=form, headers={"Sec-Fetch-Site": "same-origin"}).status_code
        assert written == (403 if status == 403 else 400)


class BareProxy(http.server.BaseHTTPRequestHandler):
    """Passes requests on and says nothing of itself, as `proxy_pass` alone does; in HTTP/1.1, as newer ones do."""

    protocol_version = "HTTP/1.1"
    to = 0

    def do_GET(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.to, timeout=10)
        connection.request("GET", self.path, headers={"Host": f"127.0.0.1:{self.to}"})
        answer = connection.getresponse()
        body = answer.read()
        self.send_response(answer.status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@contextmanager
def serving(server: socketserver.BaseServer) -> Iterator[int]:
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield int(server.server_address[1])  # type: ignore[arg-type]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_through_a_bare_proxy_on_this_machine_nothing_hidden_is_shown(store: Store, game: str) -> None:
    """`audit serve` gives its reader a key; a proxy that looks like a browser at this machine has none."""
    app = create_app(StoreLibrary(store), config={"AUDIT_KEY": "the-key"})
    with serving(make_server("127.0.0.1", 0, app, threaded=True)) as port:
        kind = type("Proxy", (BareProxy,), {"to": port})
        with serving(http.server.ThreadingHTTPServer(("127.0.0.1", 0), kind)) as proxy:
            connection = http.client.HTTPConnection("127.0.0.1", proxy, timeout=10)
            connection.request("GET", f"/games/{game}.json")
            assert b'"viewer":"public"' in connection.getresponse().read()
            connection.request("GET", f"/games/{game}?as=judge")
            assert connection.getresponse().status == 403


def test_the_key_of_the_address_opens_everything_once_it_was_shown(store: Store, game: str) -> None:
    client = create_app(StoreLibrary(store), config={"AUDIT_KEY": "the-key"}).test_client()
    assert viewer_of(client, game) == "public"
    assert client.get("/?key=another").status_code == 200
    assert viewer_of(client, game) == "public"
    answer = client.get("/?key=the-key")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    assert "HttpOnly" in answer.headers["Set-Cookie"]
    assert "SameSite=Strict" in answer.headers["Set-Cookie"]
    assert viewer_of(client, game) == "judge"
    assert viewer_of(client, game, headers={"X-Forwarded-For": FAR}) == "public"


def test_only_allowed_host_names_are_answered(store: Store) -> None:
    client = create_app(StoreLibrary(store), config={"AUDIT_HOSTS": "audit.example.org"}).test_client()
    for host, status in (("audit.example.org", 200), ("localhost", 200), ("evil.example", 400), ("a b", 400)):
        assert client.get("/about", environ_overrides={"HTTP_HOST": host}).status_code == status, host


def test_only_named_proxies_are_believed(store: Store) -> None:
    """Somebody who claims another address is counted by their own; a named proxy is believed, and is not local."""
    seen: list[str | None] = []
    app = create_app(StoreLibrary(store), config={"AUDIT_PROXIES": "127.0.0.1, 10.0.0.0/8"})

    @app.before_request
    def note() -> None:
        from flask import request

        seen.append(request.remote_addr)

    client = app.test_client()
    headers = {"X-Forwarded-For": "8.8.8.8, 198.51.100.7"}
    client.get("/about", headers=headers)
    client.get("/about", headers=headers, environ_overrides={"REMOTE_ADDR": "10.1.2.3"})
    client.get("/about", headers=headers, environ_overrides={"REMOTE_ADDR": FAR})
    assert seen == ["198.51.100.7", "198.51.100.7", FAR]
    answer = client.get("/", headers={"X-Forwarded-For": "127.0.0.1"})
    assert answer.status_code == 200
    assert client.post("/rulebooks/", headers={"X-Forwarded-For": "127.0.0.1"}).status_code == 403


def far(app: Flask, token: str = "") -> FlaskClient:
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = FAR
    if token:
        client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {token}"
    return client


def test_a_token_reaches_as_far_as_its_role_its_game_and_its_seat(store: Store, game: str) -> None:
    other = store.import_log(BytesIO(first_events("clean", 40))).game
    app = create_app(StoreLibrary(store))
    for name, role, more, seen, elsewhere in (
        ("judge", "judge", {}, "judge", "judge"),
        ("table judge", "judge", {"game": game}, "judge", "public"),
        ("ada", "player", {"game": game, "seat": "A"}, "A", "public"),
        ("reader", "viewer", {}, "public", "public"),
        ("keeper", "scorekeeper", {"game": game}, "public", "public"),
    ):
        client = far(app, make_token(name, role, **more))  # type: ignore[arg-type]
        assert (viewer_of(client, game), viewer_of(client, other)) == (seen, elsewhere), name
        assert client.get(f"/games/{game}?as=B").status_code == (200 if seen == "judge" else 403)
    keeper = far(app, make_token("keeper 2", "scorekeeper", game=game))
    sent = {"expected": 40, "events": [{"seq": 41, "type": "flagged"}]}
    assert keeper.post(f"/api/v1/games/{other}/events", json=sent).status_code == 403


def test_a_token_whose_time_is_up_or_that_was_revoked_opens_nothing(
    store: Store, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = create_app(StoreLibrary(store))
    short, kept = make_token("short", "judge", days=1), make_token("kept", "judge")
    assert viewer_of(far(app, short), game) == "judge"
    monkeypatch.setattr("web.site.tokens.Token.is_over", True)
    assert viewer_of(far(app, short), game) == "public"
    monkeypatch.undo()
    monkeypatch.setenv("AUDIT_DATA_DIR", str(Path(store.place.url).parent / "data"))
    assert viewer_of(far(app, kept), game) == "judge"
    revoke("kept")
    assert viewer_of(far(app, kept), game) == "public"


def test_whoever_signs_in_reads_on_with_their_token(store: Store, game: str) -> None:
    client = far(create_app(StoreLibrary(store)))
    here = {"Sec-Fetch-Site": "same-origin"}
    assert client.post("/sign-in", data={"token": "audit.x.y"}, headers=here).status_code == 403
    token = make_token("judge", "judge")
    assert client.post("/sign-in", data={"token": token}, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    signed_in = client.post("/sign-in", data={"token": token}, headers=here)
    assert signed_in.status_code == 303
    assert {"HttpOnly", "SameSite=Strict"} <= set(signed_in.headers["Set-Cookie"].split("; "))
    assert viewer_of(client, game) == "judge"
    sent = {"expected": 130, "events": [{"seq": 131, "type": "flagged"}]}
    assert client.post(f"/api/v1/games/{game}/events", json=sent).status_code == 401
    assert client.post("/sign-in", data={}, headers=here).status_code == 303
    assert viewer_of(client, game) == "public"


def test_no_answer_is_kept_for_somebody_else(store: Store, game: str) -> None:
    """The tag of a judge's page is no public page's."""
    app = create_app(StoreLibrary(store))
    judge, public = app.test_client(), far(app)
    tags = {client.get(f"/games/{game}").headers["ETag"] for client in (judge, public)}
    assert len(tags) == 2
    answer = judge.get(f"/games/{game}")
    again = public.get(f"/games/{game}", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 200
    assert not re.search(r'"viewer": ?"judge"', again.get_data(as_text=True))
