"""Recording from a page of another host: a static site sends a game to the server of an event.

Only the operations that begin a game, append to it and read what was appended, and only with a token in the request's
header. A browser never adds such a header by itself, so a page reads no more than who has a token let it.
Cookies count for nothing here: a browser does not hand an answer for any host ("*") to a page that asked with them.
"""

from __future__ import annotations

import re

from flask import Flask, Response, request

from web.api.operations import PREFIX

OPERATIONS = re.compile(rf"{PREFIX}/games(/[^/]+/events)?")
EVENTS, GAMES = frozenset({"GET", "POST"}), frozenset({"POST"})
"""What may be asked of the events of a game, and of the games."""
SECONDS = "600"


def add_to(app: Flask) -> None:
    """Say with each answer whether pages of other hosts may read it."""
    app.after_request(_across)


def _across(answer: Response) -> Response:
    found = OPERATIONS.fullmatch(request.path)
    if "Origin" not in request.headers or not found:
        return answer
    methods = EVENTS if found[1] else GAMES
    if request.method == "OPTIONS" and request.headers.get("Access-Control-Request-Method") in methods:
        answer.headers["Access-Control-Allow-Methods"] = ", ".join(sorted(methods))
        answer.headers["Access-Control-Allow-Headers"] = "authorization, content-type"
        answer.headers["Access-Control-Max-Age"] = SECONDS
        answer.headers["Access-Control-Allow-Origin"] = "*"
    elif request.method in methods and "Authorization" in request.headers:
        answer.headers["Access-Control-Allow-Origin"] = "*"
    return answer
