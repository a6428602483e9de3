"""Answers `304 Not Modified` before the application does any work.

When the application first answers 304 for a page, it leaves a `Validator` with the answer: a function that computes
what the page depends on. Later requests for the same page only call that function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, cast

from flask import Flask, request
from msgspec import Struct

from audit.core.errors import AuditError
from web.site.reader import is_proxied

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

MAX_ENTRIES = 4096
"""How many answers are kept. Then all are dropped, and the application answers again."""

REQUEST_KEYS = (
    "HTTP_IF_NONE_MATCH", "PATH_INFO", "QUERY_STRING", "HTTP_ACCEPT_LANGUAGE", "REMOTE_ADDR", "SCRIPT_NAME",
    "HTTP_HOST",
)  # fmt: skip
ENVIRON_KEY = "audit.validator"
Headers = list[tuple[str, str]]


class Validator(Struct, frozen=True):
    """Tells whether a page is still valid: `now` computes what it depends on, `then` is the value when it was made."""

    now: Callable[[], tuple[str, ...]]
    then: tuple[str, ...]

    @property
    def is_valid(self) -> bool:
        """Nothing has changed since."""
        return self.now() == self.then


def validator(now: Callable[[], tuple[str, ...]]) -> Validator:
    """A validator that starts from the present value."""
    return Validator(now, now())


def remember(found: Validator) -> None:
    """Attach the validator to this 304 answer, so that `ConditionalGet` can repeat the check by itself."""
    request.environ[ENVIRON_KEY] = found


class ConditionalGet:
    """WSGI middleware that remembers 304 answers and repeats them while their validators hold."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app
        self._known: dict[tuple[object, ...], tuple[Validator, Headers]] = {}

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Repeat the remembered 304 if it is still valid, else call the application."""
        if "HTTP_IF_NONE_MATCH" not in environ or environ["REQUEST_METHOD"] != "GET":
            return self._app(environ, start_response)
        if "HTTP_AUTHORIZATION" in environ or "audit-" in environ.get("HTTP_COOKIE", ""):
            return self._app(environ, start_response)  # what they open may be closed to them any time
        key = (*map(environ.get, REQUEST_KEYS), is_proxied(environ))
        known = self._known.get(key)
        if known and self._is_valid(known[0]):
            start_response("304 NOT MODIFIED", known[1])
            return ()
        return self._app(environ, self._remembering(key, environ, start_response))

    def _is_valid(self, found: Validator) -> bool:
        try:
            return found.is_valid
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
    """Add the middleware, unless a function decides who may see what: then only the application can tell."""
    if not callable(app.config["AUDIT_VIEWPOINTS"]):
        app.wsgi_app = ConditionalGet(app.wsgi_app)  # type: ignore[method-assign]
