"""Follows a game live with one stream of server-sent events, for the API and for the open page.

Every follower occupies a thread of the server, so their number is limited; a closed connection is noticed at once.
"""

from __future__ import annotations

import json
import select
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from threading import Lock
from typing import cast

from flask import Blueprint, Flask, Response, copy_current_request_context, current_app, request
from msgspec import Struct

from audit.core.errors import AuditError
from web.games.address import GameAddress, library, number_in, prepared, requested_game
from web.games.payload import Prepared
from web.games.steps import trust_words
from web.site.reader import client, reader

PING = 15.0
DEFAULTS = {"AUDIT_LIVE_EVERY": 0.5, "AUDIT_LIVE_SECONDS": 3600.0, "AUDIT_LIVE_MOST": 32, "AUDIT_LIVE_EACH": 8}
SHARE = 3
"""Of so many streams at once, one is kept for readers who are known: who sit at this machine or show a token."""
following = Blueprint("live", __name__)

News = Callable[[int], Mapping[str, object] | None]
"""What is new to a reader who has that step: None, or with it the number of the `last` and of the `settled` step.

What comes after the settled step may be explained otherwise by later events; then it is sent again."""


class BusyError(AuditError):
    """Too many readers follow games already."""

    def __init__(self, most: int) -> None:
        super().__init__(f"{most} games are followed already; ask again later")
        self.most = most


class Slots:
    """How many streams there may be at once: in all, of readers who are not known, and of each of those."""

    def __init__(self, most: int, each: int) -> None:
        self.most = most
        self._each = each
        self._unknown = most - most // SHARE
        self._known = 0
        self._clients: Counter[str] = Counter()
        self._lock = Lock()

    def take(self, who: str, is_known: bool) -> Callable[[], None]:
        """A slot, and what gives it back; raises `BusyError`."""
        with self._lock:
            unknown = self._clients.total()
            if self._known + unknown >= self.most:
                raise BusyError(self.most)
            if not is_known and (unknown >= self._unknown or self._clients[who] >= self._each):
                raise BusyError(min(self._unknown, self._each))
            self._count(who, is_known, 1)
        return lambda: self._give_back(who, is_known)

    def _give_back(self, who: str, is_known: bool) -> None:
        with self._lock:
            self._count(who, is_known, -1)

    def _count(self, who: str, is_known: bool, by: int) -> None:
        if is_known:
            self._known += by
        else:
            self._clients[who] += by
            self._clients += Counter()  # forgets who has none


class Pace(Struct, frozen=True):
    """How often a game is looked at, and for how long at most, in seconds."""

    every: float
    seconds: float


def add_to(app: Flask) -> None:
    """Serve what an open page follows."""
    for name, value in DEFAULTS.items():
        app.config.setdefault(name, value)
    app.extensions["audit.live"] = Slots(app.config["AUDIT_LIVE_MOST"], app.config["AUDIT_LIVE_EACH"])
    app.register_error_handler(BusyError, _busy)
    app.register_blueprint(following)


def _busy(error: BusyError) -> Response:
    return Response(f"{error}\n", 503, mimetype="text/plain", headers={"Retry-After": "30"})


@following.get("/games/<id>/live")
def page(id: str) -> Response:
    """What the open page of a game does not have yet, as its reader may know it and in the shape the page has."""
    view, game = requested_game(id)
    after = request.args.get("after", "")
    news = copy_current_request_context(_news_of(view, game))
    return followed(id, number_in(after, otherwise=game.last), news)


def _news_of(view: GameAddress, game: Prepared) -> News:
    language = game.replay.language

    def news(known: int) -> Mapping[str, object] | None:
        now = prepared(view.id, view.viewer, language, view.reading)
        return page_news(now, known) if now.last > known else None

    return news


def page_news(game: Prepared, known: int) -> dict[str, object]:
    """What a page lacks whose steps up to the known one stay as they are: the later ones, and their rules and words."""
    return {"after": known, "last": game.last, "trust": trust_words(game), **game.news(known)}


def followed(id: str, known: int, news: News) -> Response:
    """The stream of a game from a known step on, or from the one a reader who comes back had; raises `BusyError`."""
    known = number_in(request.headers.get("Last-Event-ID", ""), otherwise=known)
    release = cast(Slots, current_app.extensions["audit.live"]).take(client(), reader().is_known)
    pace = Pace(current_app.config["AUDIT_LIVE_EVERY"], current_app.config["AUDIT_LIVE_SECONDS"])
    games_library = library()
    stream = _stream(lambda: games_library.version(id), known, news, pace, hung_up(request.environ))
    answer = Response(stream, mimetype="text/event-stream")
    answer.headers.update({"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
    answer.call_on_close(release)
    return answer


def _stream(
    version: Callable[[], str], known: int, news: News, pace: Pace, is_gone: Callable[[], bool]
) -> Iterator[str]:
    """What is new after the known step, now and whenever the game changes, for so many seconds at most.

    A game is looked at once however little time there is: to explain it may take longer than that.
    """
    until = time.monotonic() + pace.seconds
    seen, quiet = "", 0.0
    yield "retry: 2000\n\n"
    while not is_gone():
        try:
            now = version()
            fresh = news(known) if now != seen else None
        except AuditError:  # the game is no longer open to this reader, or the database is away
            return
        seen = now
        if fresh:
            known = cast(int, fresh["settled"])
            body = json.dumps(fresh, ensure_ascii=False, separators=(",", ":"))
            yield f"id: {known}\nevent: steps\ndata: {body}\n\n"
        quiet += pace.every
        if quiet >= PING:
            quiet = 0.0
            yield ": still here\n\n"
        if time.monotonic() >= until:
            return
        time.sleep(pace.every)


def hung_up(environ: Mapping[str, object]) -> Callable[[], bool]:
    """Asks whether the reader has closed the connection; never so where the server does not show it."""
    found = environ.get("gunicorn.socket") or environ.get("werkzeug.socket")
    return (lambda: _closed(found)) if isinstance(found, socket.socket) else (lambda: False)


def _closed(connection: socket.socket) -> bool:
    """Whether nothing more will come. It is asked first whether there is anything: reading waits where there is not."""
    try:
        waiting = select.poll()
        waiting.register(connection, select.POLLIN)
        return bool(waiting.poll(0)) and connection.recv(1, socket.MSG_PEEK) == b""
    except ValueError:  # it is closed on this side, or it is encrypted and cannot be looked into
        return connection.fileno() < 0
    except OSError:
        return True


__all__ = ["BusyError", "add_to", "followed", "page_news"]
