"""Passwords that nobody may see, and a database that does not answer."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from replays.store.database import StoreError, address
from replays.store.store import Store
from web import create_app
from web.games.store_library import StoreLibrary
from web.site.tokens import make_token

SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"
SECRET = "hunter2"
SHAPES = (
    "postgresql://ada:{}@127.0.0.1:1/games", "postgresql://127.0.0.1:1/games?user=ada&password={}",
    "postgresql://ada:x@{}@127.0.0.1:1/games", "postgresql://ada:x/{}@127.0.0.1:1/games",
    "postgresql://ada:x#{}@127.0.0.1:1/games", "postgresql://ada:x?{}@127.0.0.1:1/games",
    "postgresql://ada:%zz{}@127.0.0.1:1/games", "postgresql://ada:x:{}@127.0.0.1:1/games",
    "postgresql://ada:{}@127.0.0.1:notaport/games", "postgresql://ada:{}@no-such-host.invalid/games",
    "postgres://ada:{}@[::1/games", "mysql://ada:{}@db/games", "POSTGRESQL://ada:{}@db/games", "ada:{}@db/games",
    "postgresql:/ada:{}@db/games", "host=db user=ada password={}", "postgresql+psycopg://ada:{}@db/games",
    "postgresql://127.0.0.1:1/games?sslpassword={}&sslmode=require", "postgresql://ada:{}\n@db/games",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))


def told_by(error: BaseException | None) -> str:
    """All that an exception tells in a log: its words, those of its causes, and its data."""
    found = []
    while error is not None:
        found += [str(error), repr(error), repr(vars(error))]
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "\n".join(found)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_password_is_told_by_no_answer_no_log_and_no_exception(
    shape: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pytest.importorskip("psycopg")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AUDIT_DATABASE_URL", shape.format(SECRET))
    with pytest.raises(StoreError) as caught:
        Store(patience=0.5)
    assert SECRET not in told_by(caught.value)
    client = create_app(StoreLibrary(lambda: Store(patience=0.5))).test_client()
    for headers in ({}, {"Authorization": f"Bearer {make_token('reader', 'viewer')}"}):
        for path in ("/", "/games/x", "/api/v1/games", "/api/v1/games/x", "/games/x.json", "/rules/compile/play.place"):
            answer = client.get(path, headers=headers)
            assert SECRET not in answer.get_data(as_text=True)
            assert "127.0.0.1:1" not in answer.get_data(as_text=True)
    assert SECRET not in caplog.text
    assert [path for path in tmp_path.rglob("*") if SECRET in path.name] == []


def shown(url: str) -> str:
    try:
        found = address(url)
    except StoreError as error:
        return told_by(error)
    return found.name + repr(found)


def test_an_address_is_shown_without_its_password() -> None:
    for shape in SHAPES:
        told = shown(shape.format(SECRET))
        assert told
        assert SECRET not in told


@pytest.fixture
def frozen() -> Iterator[str]:
    """A server that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"postgresql://ada:{SECRET}@127.0.0.1:{server.getsockname()[1]}/games"


def test_a_server_that_says_nothing_is_given_up_and_not_asked_again_at_once(frozen: str) -> None:
    """What counts is how often it is asked: one reader waits, the others are told at once."""
    pytest.importorskip("psycopg")
    asked = []

    def opened() -> Store:
        asked.append(1)
        return Store(frozen, patience=0.3)

    client = create_app(StoreLibrary(opened)).test_client()
    threads = [Thread(target=client.application.test_client().get, args=("/",)) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive()
    assert len(asked) <= 2
    answer = client.get("/")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")
    for path in ("/about", "/rules/compile", "/sign-in"):
        assert client.get(path).status_code == 200
    assert len(asked) <= 3


@pytest.mark.postgres
def test_a_database_that_goes_away_is_said_and_comes_back(postgres: str, postgres_server: str) -> None:
    """PostgreSQL stands still (its processes are stopped), and goes on later."""
    import psycopg

    with Store(postgres, patience=0.3) as store:
        game = store.import_log(SAMPLES / "dispute.jsonl").game
        store.follow()
        client = create_app(StoreLibrary(store)).test_client()
        assert client.get(f"/games/{game}").status_code == 200
        assert client.get("/").status_code == 200
        with psycopg.connect(postgres_server, autocommit=True) as connection:
            backends = [
                int(pid) for (pid,) in connection.execute(
                    "SELECT pid FROM pg_stat_activity WHERE datname = %s", (postgres.split("/")[3].split("?")[0],)
                ).fetchall()
            ]  # fmt: skip
        assert backends
        for pid in backends:
            os.kill(pid, signal.SIGSTOP)
        try:
            answers = [client.get(path).status_code for path in (f"/games/{game}", "/", f"/games/{game}.json")]
            assert answers == [503, 503, 503]
            assert client.get("/about").status_code == 200
            assert client.get("/api/v1/games").get_json()["data"] == {}
        finally:
            for pid in backends:
                os.kill(pid, signal.SIGCONT)
        for _ in range(100):
            if client.get("/").status_code == 200:
                break
            time.sleep(0.1)
        assert client.get(f"/games/{game}").status_code == 200
