"""The documented nginx and Caddy in front of the documented gunicorn, attacked from outside."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator
from contextlib import closing, suppress

import pytest
from msgspec import Struct

from replays.store.store import Store
from tests.attacks.deployment import HOST, ROOT, caddy, connected, deployed, nginx, program_of
from web.site.tokens import make_token

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="gunicorn needs POSIX")]
FORGED = {
    "X-Forwarded-For": "127.0.0.1", "X-Forwarded-Host": "localhost", "X-Forwarded-Proto": "http",
    "Forwarded": "for=127.0.0.1;host=localhost", "X-Real-IP": "127.0.0.1", "X-Client-IP": "127.0.0.1",
    "True-Client-IP": "127.0.0.1", "Via": "", "X-Forwarded-Prefix": "/games", "X-Original-URL": "/?as=judge",
}  # fmt: skip


class Front(Struct, frozen=True):
    """A web server in front of the viewer: its port, a game, and a judge's token."""

    port: int
    is_tls: bool
    game: str
    token: str

    def ask(
        self, path: str, host: str = HOST, method: str = "GET", body: bytes = b"", **headers: str
    ) -> tuple[int, str]:
        """The status and the text of an answer."""
        more = {"Host": host, "Connection": "close", "Content-Length": str(len(body)), **headers}
        lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in more.items())
        with closing(self.connection()) as connection:
            connection.sendall(f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode())
            said = b"".join(iter(lambda: connection.recv(65_536), b"")).decode("utf-8", "replace")
        status = said.split(" ", 2)[1:2]
        return int(status[0]) if status else 0, said

    def connection(self, wait: float = 60) -> socket.socket:
        return connected(self.port, self.is_tls, wait)


@pytest.fixture(scope="module", params=["nginx", "caddy"])
def front(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    program_of(request.param)
    folder, data = tmp_path_factory.mktemp("front"), tmp_path_factory.mktemp("data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUDIT_DATA_DIR", str(data))
        token = make_token("judge", "judge")
        with Store(data / "games.db") as store:
            game = store.import_log(ROOT / "replays" / "samples" / "dispute.jsonl").game
    settings = {"AUDIT_PROXIES": "127.0.0.1", "AUDIT_HOSTS": HOST, "AUDIT_THREADS": "12", "AUDIT_HEADERS_WITHIN": "10"}
    with deployed(data, **settings) as behind, {"nginx": nginx, "caddy": caddy}[request.param](folder, behind) as port:
        yield Front(port, request.param == "nginx", game, token)


def test_it_serves_what_is_public_and_more_with_a_token(front: Front) -> None:
    status, said = front.ask(f"/games/{front.game}.json")
    assert (status, '"viewer":"public"' in said) == (200, True)
    status, said = front.ask(f"/games/{front.game}.json?as=judge", Authorization=f"Bearer {front.token}")
    assert (status, '"viewer":"judge"' in said) == (200, True)


@pytest.mark.parametrize("path", ["/games/{}?as=judge", "/games/{}.jsonl?as=judge", "/games/{}.json?as=A"])
def test_nothing_hidden_is_shown_without_a_token_whatever_is_claimed(front: Front, path: str) -> None:
    for claimed in ({}, FORGED, *({name: value} for name, value in FORGED.items())):
        status, said = front.ask(path.format(front.game), **claimed)
        assert status in (400, 403), claimed
        assert "gravity-6" not in said


def test_readers_behind_it_are_not_at_this_machine(front: Front) -> None:
    status, said = front.ask(f"/api/v1/games/{front.game}", **FORGED)
    assert status == 400 or '"viewer":"public"' in said.replace(" ", "")
    status, said = front.ask(f"/api/v1/games/{front.game}")
    assert (status, '"viewer":"public"' in said.replace(" ", "")) == (200, True)
    assert front.ask(f"/api/v1/games/{front.game}/steps?as=judge")[0] == 401


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", f"{HOST}.evil.example", "10.0.0.1", "a b"])
def test_a_name_that_is_not_ours_is_not_answered(front: Front, host: str) -> None:
    """Somebody lets a name of their own point to this server (DNS rebinding)."""
    _, said = front.ask(f"/games/{front.game}", host=host)
    assert "r3-t12" not in said
    _, said = front.ask("/about", host=host, X_Forwarded_Host=HOST)
    assert "<main" not in said


def test_links_are_not_made_of_a_claimed_host(front: Front) -> None:
    for name in ("X-Forwarded-Host", "Forwarded", "X-Host", "X-Forwarded-Server"):
        assert "evil.example" not in front.ask(f"/games/{front.game}", **{name: "evil.example"})[1]


def test_slow_headers_and_slow_bodies_keep_nobody_out(front: Front) -> None:
    start = f"GET / HTTP/1.1\r\nHost: {HOST}\r\nX-Slow: ".encode()
    body = f"POST /sign-in HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: 900\r\n\r\ntoken=".encode()
    slow = [front.connection() for _ in range(40)]
    for number, connection in enumerate(slow):
        connection.sendall(start if number % 2 else body)
    for _ in range(3):
        for connection in slow:
            with suppress(OSError):
                connection.sendall(b"a")
        started = time.monotonic()
        assert front.ask("/rules")[0] in (200, 308)
        assert time.monotonic() - started < 30
    for connection in slow:
        connection.close()


def test_a_body_that_is_too_large_is_refused(front: Front) -> None:
    path = f"/api/v1/games/{front.game}/events"
    with closing(front.connection()) as connection:
        lines = f"POST {path} HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: 99999999999\r\n\r\n"
        connection.sendall(lines.encode() + b"x" * 1000)
        assert connection.recv(1000).split(b" ")[1] in (b"413", b"401")


def test_two_lengths_of_one_request_are_refused(front: Front) -> None:
    """Somebody hides a second request in the first (request smuggling)."""
    hidden = f"GET /games/{front.game}?as=judge HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for lines in (
        f"Content-Length: {len(hidden)}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{hidden}",
        f"Content-Length: 0\r\nContent-Length: {len(hidden)}\r\n\r\n{hidden}",
        f"Transfer-Encoding: xchunked\r\n\r\n{hidden}",
        f"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n{hidden}",
    ):
        with closing(front.connection(10)) as connection:
            connection.sendall(f"POST /sign-in HTTP/1.1\r\nHost: {HOST}\r\n{lines}".encode())
            said = b""
            with suppress(OSError):
                while more := connection.recv(65_536):
                    said += more
        assert b'"viewer":"judge"' not in said
        assert b"gravity-6" not in said


def test_a_stream_comes_through_at_once_and_one_address_has_eight(front: Front) -> None:
    followers = []
    for _ in range(10):
        connection = front.connection()
        connection.sendall(f"GET /games/{front.game}/live?after=5 HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
        followers.append((connection, connection.recv(4096)))
    answers = [said.split(b" ")[1] for _, said in followers]
    assert answers == [b"200"] * 8 + [b"503"] * 2
    status, _ = front.ask("/rules")
    assert status in (200, 308)
    for connection, _ in followers:
        connection.close()


def test_a_flood_is_counted_for_the_reader_and_not_for_what_they_claim(front: Front) -> None:
    """Runs last: afterwards this address has to wait."""
    answers = [
        front.ask(f"/games/{front.game}.png?step={n}", X_Forwarded_For=f"198.51.100.{n}", X_Real_IP="203.0.113.7")[0]
        for n in range(40)
    ]
    assert 429 in answers
    known = front.ask(f"/games/{front.game}.png?step=3", Authorization=f"Bearer {front.token}")
    assert known[0] in (200, 404)
