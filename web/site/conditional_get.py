"""Readers who have a page already are told so before anything is made of it.

The first time somebody asks again for a page they have, the application works out that it still stands, and leaves
with its answer how to ask that question anew. From then on only that question is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, cast

from flask import Flask, request
from msgspec import Struct

from audit.errors import AuditError

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

MAX_ENTRIES = 4096
"""So many answers are kept; then all are forgotten, and the first readers make them again."""

PROXIED = ("HTTP_FORWARDED", "HTTP_X_FORWARDED_FOR", "HTTP_X_REAL_IP", "HTTP_VIA")
REQUEST_KEYS = ("HTTP_IF_NONE_MATCH", "PATH_INFO", "QUERY_STRING", "HTTP_ACCEPT_LANGUAGE", "REMOTE_ADDR", "SCRIPT_NAME")
ENVIRON_KEY = "audit.standing"
Headers = list[tuple[str, str]]


class Validator(Struct, frozen=True):
    """What a page stands on, how it stood when the page was made, and how to ask again."""

    now: Callable[[], tuple[str, ...]]
    then: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing has changed."""
        return self.now() == self.then


def validator(now: Callable[[], tuple[str, ...]]) -> Validator:
    """How what a page stands on stands now."""
    return Validator(now, now())


def remember(found: Validator) -> None:
    """Leave with this answer, which says that the reader's page still stands, how to ask that again."""
    request.environ[ENVIRON_KEY] = found


class ConditionalGet:
    """An application that remembers which answers said that nothing has changed."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app
        self._known: dict[tuple[object, ...], tuple[Validator, Headers]] = {}

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer by the remembered answer where it still holds, else by the application."""
        if "HTTP_IF_NONE_MATCH" not in environ or environ["REQUEST_METHOD"] != "GET":
            return self._app(environ, start_response)
        key = (*map(environ.get, REQUEST_KEYS), any(name in environ for name in PROXIED))
        known = self._known.get(key)
        if known and self._holds(known[0]):
            start_response("304 NOT MODIFIED", known[1])
            return ()
        return self._app(environ, self._remembering(key, environ, start_response))

    def _holds(self, found: Validator) -> bool:
        try:
            return found.holds
        except AuditError:
            return False  # the application says what is the matter

    def _remembering(
        self, key: tuple[object, ...], environ: WSGIEnvironment, start_response: StartResponse
    ) -> StartResponse:
        def started(status: str, headers: Headers, *more: object) -> object:
            if status.startswith("304") and ENVIRON_KEY in environ:
                if len(self._known) >= MAX_ENTRIES:
                    self._known.clear()
                self._known[key] = (cast(Validator, environ[ENVIRON_KEY]), list(headers))
            return start_response(status, headers, *more)  # type: ignore[arg-type]

        return cast("StartResponse", started)


def add_to(app: Flask) -> None:
    """Answer early, where who may see what hangs on the reader's address alone."""
    if not callable(app.config["AUDIT_VIEWPOINTS"]):
        app.wsgi_app = ConditionalGet(app.wsgi_app)  # type: ignore[method-assign]
