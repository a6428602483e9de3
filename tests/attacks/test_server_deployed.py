"""The documented deployment, started as it is documented: slow readers, a bare proxy, a database that is away."""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from replays.store.store import Store

ROOT = Path(__file__).resolve().parents[2]
THREADS = 4
SLOW = 12
pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="gunicorn needs POSIX")]


@contextmanager
def deployed(folder: Path, **environ: str) -> Iterator[int]:
    """gunicorn with the configuration of `deploy/`, one process with few threads, and its port."""
    pytest.importorskip("gunicorn")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    settings = {
        "AUDIT_BIND": f"127.0.0.1:{port}", "AUDIT_DATA_DIR": str(folder), "AUDIT_WORKERS": "1",
        "AUDIT_THREADS": str(THREADS), "AUDIT_HEADERS_WITHIN": "1.5", "PYTHONPATH": str(ROOT), **environ,
    }  # fmt: skip
    command = [sys.executable, "-m", "gunicorn", "--config", str(ROOT / "deploy" / "gunicorn.conf.py"), "web.wsgi:app"]
    server = subprocess.Popen(command, env={**os.environ, **settings}, cwd=folder, stderr=subprocess.PIPE)
    try:
        until = time.monotonic() + 90
        while time.monotonic() < until:
            with suppress(OSError):
                if asked(port, "/about", wait=30)[0] == 200:
                    break
            time.sleep(0.1)
        yield port
    finally:
        server.terminate()
        server.communicate(timeout=60)


def asked(port: int, path: str, wait: float = 60, **headers: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=wait)
    try:
        connection.request("GET", path, headers=headers)
        got = connection.getresponse()
        return got.status, got.read()
    finally:
        connection.close()


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
        assert asked(port, "/api/v1/games")[0] == 401
    assert (tmp_path / "limits.db").stat().st_mode & 0o077 == 0


def test_it_starts_without_its_database_and_says_so(tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    with deployed(tmp_path, AUDIT_DATABASE_URL="postgresql://ada:hunter2@127.0.0.1:1/games") as port:
        status, text = asked(port, "/")
        assert (status, b"hunter2" in text) == (503, False)
        assert asked(port, "/rules/compile")[0] == 200
