"""The documented deployment, started as it is documented: slow readers, a bare proxy, a database that is away."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from pathlib import Path

import pytest

from replays.store.store import Store
from tests.attacks.deployment import ROOT, asked, deployed

SLOW = 12
pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="gunicorn needs POSIX")]


@pytest.mark.prove
def test_readers_who_send_headers_byte_by_byte_keep_nobody_out(tmp_path: Path) -> None:
    with deployed(tmp_path) as port:
        slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(SLOW)]
        for connection in slow:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
        assert asked(port, "/about")[0] == 200
        for connection in slow:
            connection.settimeout(30)
            with suppress(OSError):
                while connection.recv(1000):
                    pass
            connection.close()


def test_what_is_deployed_shows_nothing_hidden_even_to_this_machine(tmp_path: Path) -> None:
    with Store(tmp_path / "games.db") as store:
        game = store.import_log(ROOT / "replays" / "samples" / "dispute.jsonl").game
    with deployed(tmp_path) as port:
        status, text = asked(port, f"/games/{game}.json")
        assert (status, b'"viewer":"public"' in text) == (200, True)
        assert asked(port, f"/games/{game}?as=judge")[0] == 403
        status, text = asked(port, f"/api/v1/games/{game}")
        assert (status, b'"viewer":"public"' in text.replace(b" ", b"")) == (200, True)
        assert asked(port, f"/api/v1/games/{game}/steps?as=judge")[0] == 401
    assert (tmp_path / "limits.db").stat().st_mode & 0o077 == 0


def test_it_starts_without_its_database_and_says_so(tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    with deployed(tmp_path, AUDIT_DATABASE_URL="postgresql://ada:hunter2@127.0.0.1:1/games") as port:
        status, text = asked(port, "/")
        assert (status, b"hunter2" in text) == (503, False)
        assert asked(port, "/rules/compile")[0] == 200
