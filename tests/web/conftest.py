"""The viewer over made-up games, and over the samples."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.made import MadeLibrary, dispute, header, long
from web import create_app


@pytest.fixture(scope="session")
def library() -> MadeLibrary:
    """A short dispute, a long game, a game with a name that wants to be markup, and one of another kind."""
    nasty = header('<script>alert("x")</script>', event="</script><b>")
    return MadeLibrary({
        "dispute": (header(event="Regional", table=12, date="2025-09-01"), dispute()),
        "long": (header("long"), long(300)),
        "nasty": (nasty, dispute()),
        "other": (header("other", ruleset="patience"), dispute()),
    })  # fmt: skip


@pytest.fixture(scope="session")
def app(library: MadeLibrary) -> Flask:
    """The viewer."""
    app = create_app(library)
    app.testing = True
    return app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A reader on this machine."""
    return app.test_client()


@pytest.fixture
def stranger(app: Flask) -> FlaskClient:
    """A reader from elsewhere."""
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = "203.0.113.9"
    return client
