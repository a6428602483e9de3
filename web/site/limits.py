"""How often one client may ask, counted once for all processes of a machine.

A client is a token, or an address where none is shown: who has a token is not held up by others behind their address.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import cast

from flask import Flask, current_app, request

from audit.core.errors import AuditError
from replays.files import owners_file, owners_folder
from web.site.reader import client, reader

DEFAULTS = {
    "AUDIT_API_RATE": 20.0, "AUDIT_API_BURST": 200, "AUDIT_PAGE_RATE": 20.0, "AUDIT_PAGE_BURST": 400,
    "AUDIT_COSTLY_RATE": 0.5, "AUDIT_COSTLY_BURST": 30, "AUDIT_LIMITS": "",
}  # fmt: skip
COSTLY = frozenset({
    "asking.page", "games.published", "games.as_png", "games.sheet_file", "compare.of_game", "compare.everywhere",
    "compare.again", "books.load", "books.links", "qa.export", "qa.findings", "qa.table",
})  # fmt: skip
"""The pages that take long to make. They have a limit of their own."""


class TooOftenError(AuditError):
    """More requests than are answered; after so many seconds there is room again."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"too many requests; wait {seconds} s")
        self.seconds = seconds


class Buckets:
    """A bucket of requests for each client, filled at so many a second. Kept in a file, it is one for all processes.

    Where the file cannot be written, this process counts for itself.
    """

    MAX_CLIENTS = 10_000

    def __init__(
        self, rate: float, burst: int, clock: Callable[[], float] = time.time, *, file: str = "", name: str = ""
    ) -> None:
        self._rate, self._burst, self._clock, self._name = rate, burst, clock, name
        self._lock = Lock()
        self._taken = 0
        self._rows = self._opened(file)

    def take(self, who: str) -> None:
        """One request of theirs; raises `TooOftenError`."""
        with self._lock:
            try:
                left = self._take(who)
            except sqlite3.Error:
                self._rows = self._opened("")
                left = self._take(who)
        if left < 0:
            raise TooOftenError(max(1, round(-left / self._rate)))

    def _take(self, who: str) -> float:
        """What is left afterwards; below 0, as much as is missing, and then nothing is taken."""
        now = self._clock()
        ((left,),) = self._rows.execute(_TAKE, {
            "who": f"{self._name} {who}", "now": now, "rate": self._rate, "burst": float(self._burst),
        }).fetchall()  # fmt: skip
        self._taken += 1
        if self._taken % self.MAX_CLIENTS == 0:
            self._rows.execute("DELETE FROM buckets WHERE since < ?", (now - self._burst / self._rate,))
        return float(left)

    def _opened(self, file: str) -> sqlite3.Connection:
        with suppress(OSError, sqlite3.Error):
            if file:
                owners_folder(Path(file).parent)
                owners_file(Path(file))
                return _prepared(sqlite3.connect(file, timeout=1, isolation_level=None, check_same_thread=False))
        return _prepared(sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False))


def _prepared(rows: sqlite3.Connection) -> sqlite3.Connection:
    for statement in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=OFF", _SHAPE):
        rows.execute(statement)
    return rows


_SHAPE = "CREATE TABLE IF NOT EXISTS buckets (who text PRIMARY KEY, room real, since real, told real) WITHOUT ROWID"
_FULL = "min(:burst, room + max(0, :now - since) * :rate)"
_TAKE = f"""
INSERT INTO buckets VALUES (:who, :burst - 1, :now, :burst - 1) ON CONFLICT (who) DO UPDATE SET
told = {_FULL} - 1, room = {_FULL} - ({_FULL} >= 1), since = :now RETURNING told
"""


def add_to(app: Flask) -> None:
    """Count the requests for pages. Those of the API are counted by the API, with its own errors."""
    for name, value in DEFAULTS.items():
        app.config.setdefault(name, value)
    file = app.config["AUDIT_LIMITS"]
    for kind in ("api", "page", "costly"):
        rate, burst = (app.config[f"AUDIT_{kind.upper()}_{what}"] for what in ("RATE", "BURST"))
        app.extensions[f"audit.buckets.{kind}"] = Buckets(rate, burst, file=file, name=kind)
    app.before_request(_count)


def limited(kind: str) -> None:
    """Count this request; raises `TooOftenError`."""
    cast(Buckets, current_app.extensions[f"audit.buckets.{kind}"]).take(client())


def _count() -> None:
    endpoint = request.endpoint or ""
    if endpoint == "static" or endpoint.startswith("api.") or reader().is_local:
        return
    limited("costly" if endpoint in COSTLY else "page")
