"""The application as it runs in a browser: started once, then asked request by request. It never leaves the device.

The games are in the store, in a file that the page keeps on the device after every change. There is no cryptography:
nothing is signed or checked here.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

from flask import Blueprint, Flask, Response, current_app, jsonify, request, url_for
from werkzeug.test import Client

from audit.core.errors import AuditError
from replays.log.lines import BLANK
from replays.scoresheet.opening import is_sheet, opened
from replays.store.store import Store
from web import create_app, samples
from web.games.store_library import StoreLibrary
from web.site.headers import POLICY
from web.site.labels import file_problems, no_game

CONFIG = {
    "AUDIT_VIEWPOINTS": "device", "AUDIT_LIVE_SECONDS": 0.0, "AUDIT_API_RATE": 1e6, "AUDIT_PAGE_RATE": 1e6,
    "AUDIT_COSTLY_RATE": 1e6, "AUDIT_PROGRAM": "device",
}  # fmt: skip
"""Whoever holds the device sees everything; nothing is counted; a live page asks again instead of being told; no page
is kept from one version of the program to the next."""

SERVERS = "https: http://localhost:* http://127.0.0.1:*"
"""Where a record may be sent: anywhere that nobody can listen in on the way, and to this machine."""

Answer = tuple[int, list[tuple[str, str]], bytes]
opening = Blueprint("device", __name__)


API = "/api/"
WITHOUT_GAMES = ("/static/", "/ask", "/table", "/rules", "/cards", "/about")
"""Pages that show no game: a question is answered before the sample games are stored."""
OF_A_GAME = "/table/from/"


class Device:
    """The application on one device, under the path at which the site is served.

    The pages do without the API, which takes longest to load: it is there from the first request that asks for it.
    """

    def __init__(self, folder: str, path: str) -> None:
        os.environ["AUDIT_DATA_DIR"] = folder
        self._path = path.rstrip("/")
        self._begun = Path(folder) / "begun"
        self._library = StoreLibrary(Store(Path(folder) / "games.db"))
        self._pages = Client(application(self._library, {"AUDIT_API": False}))

    @cached_property
    def _whole(self) -> Client:
        return Client(application(self._library, {}))

    def begin(self) -> bool:
        """Store the sample games on a device that has no games yet; whether they were stored now."""
        if self._begun.exists():
            return False
        is_new = self._library.store.position() == 0
        if is_new:
            store_samples(self._library.store)
        self._begun.touch()
        return is_new

    def close(self) -> None:
        """Close the file of the games."""
        self._library.store.close()

    def answer(self, method: str, address: str, headers: Mapping[str, str], body: bytes | memoryview) -> Answer:
        """Status, headers and body of the answer to one request of a page."""
        parts = urlsplit(address)
        inside = parts.path.removeprefix(self._path) or "/"
        if not inside.startswith(WITHOUT_GAMES) or inside.startswith(OF_A_GAME):
            self.begin()
        found = (self._whole if inside.startswith(API) else self._pages).open(
            inside, method=method, query_string=parts.query,
            base_url=f"{parts.scheme}://{parts.netloc}{self._path}", headers=dict(headers), data=bytes(body),
            environ_overrides={"REMOTE_ADDR": "127.0.0.1"},
        )  # fmt: skip
        return found.status_code, list(found.headers), found.data


def application(games: StoreLibrary, config: Mapping[str, object]) -> Flask:
    """The viewer over the games of this device."""
    app = create_app(games, config={**CONFIG, **config})
    app.register_blueprint(opening)
    app.after_request(_framed)
    return app


def store_samples(store: Store) -> None:
    """Every device begins with the sample games."""
    for log in sorted(samples().glob("*.jsonl")):
        store.import_log(log)
    store.follow()


@opening.post("/device/logs")
def open_dropped() -> Response:
    """Keep a log or a score sheet that was opened; the address of its game, or what is wrong with it."""
    store = cast(StoreLibrary, current_app.extensions["audit.library"]).store
    data = request.get_data()
    if not is_sheet(data) and not data.lstrip(BLANK).startswith(b"{"):
        return _refused(no_game())
    try:
        game = store.import_log(BytesIO(_as_log(data))).game
    except AuditError as error:
        return _refused(*file_problems(error))
    store.follow()
    return jsonify(address=url_for("games.game", id=game))


def _as_log(data: bytes) -> bytes:
    """The log that a score sheet stands for; a log as it is."""
    return b"".join(line + b"\n" for line in opened(BytesIO(data)).iter_raw()) if is_sheet(data) else data


def _refused(*problems: str) -> Response:
    answer = jsonify(problems=problems)
    answer.status_code = 400
    return answer


def _framed(answer: Response) -> Response:
    """The page around every page of the site shows it in a frame. A record may be sent to a server."""
    policy = POLICY.format("'self'")
    if request.endpoint == "table.recording":
        policy = policy.replace("connect-src 'self'", f"connect-src 'self' {SERVERS}")
    answer.headers.setdefault("Content-Security-Policy", policy)
    return answer


__all__ = ["Device", "application", "store_samples"]
