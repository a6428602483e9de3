"""Headers of every answer, `304 Not Modified` before any work, and the one page for all errors.

When the application first answers 304 for a page, it leaves a `Validator` with the answer: a function that computes
what the page depends on. Later requests for the same page only call that function.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Iterable
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, cast

from flask import Flask, Response, current_app, make_response, render_template, request
from flask_babel import gettext as _
from msgspec import Struct
from werkzeug.exceptions import HTTPException

from audit.core.errors import AuditError, UnknownRuleError, UnknownRulesetError
from replays.judging.versions import engine
from replays.limited import TooCostlyError
from replays.store.database import StoreError
from web.site.labels import chosen
from web.site.limits import TooOftenError
from web.site.reader import is_proxied, reader

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


def add_conditional_get(app: Flask) -> None:
    """Add the middleware, unless a function decides who may see what: then only the application can tell."""
    if not callable(app.config["AUDIT_VIEWPOINTS"]):
        app.wsgi_app = ConditionalGet(app.wsgi_app)  # type: ignore[method-assign]


POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors {}"
)
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
COMPRESSED = frozenset({"application/json", "application/jsonl", "application/javascript", "image/svg+xml"})
WORTH_COMPRESSING = 1_000
LANGUAGE_MATTERS = "Accept-Language"


class UnknownGameError(AuditError):
    """There is no game of that id."""

    def __init__(self, game: str) -> None:
        super().__init__(f"no game is called {game!r}")
        self.game = game


def add_to(app: Flask) -> None:
    """Send the headers with every answer, and turn errors into pages."""
    app.after_request(_headers)
    app.after_request(compressed)
    app.register_error_handler(HTTPException, _page)
    for error in (UnknownGameError, UnknownRuleError, UnknownRulesetError):
        app.register_error_handler(error, _missing)
    app.register_error_handler(StoreError, _away)
    app.register_error_handler(TooCostlyError, _too_costly)
    app.register_error_handler(TooOftenError, _too_often)


@cache
def static_version() -> str:
    """A word that changes with any file under `static/`, so that browsers may keep what they have for good."""
    digest = hashlib.blake2b(digest_size=6)
    folder = resources.files("web").joinpath("static")
    pending = [folder]
    while pending:
        for entry in sorted(pending.pop().iterdir(), key=lambda item: item.name):
            if entry.is_dir():
                pending.append(entry)
            else:
                digest.update(entry.read_bytes())
    return digest.hexdigest()


def viewpoints(seats: tuple[str, ...] = ("A", "B"), game: str = "") -> tuple[str, ...]:
    """The viewers this reader may choose for a game: all of them, a seat and the public, or the public alone."""
    allowed = current_app.config["AUDIT_VIEWPOINTS"]
    if callable(allowed):
        return tuple(allowed(request, ("judge", *seats, "public")))
    return reader().viewers(game, seats)


def may_read_print() -> bool:
    """Whether the reader may be shown the printed words of loaded rulebooks: whoever sees everything else too."""
    return callable(current_app.config["AUDIT_VIEWPOINTS"]) or reader().is_judge


def cached(
    words: tuple[object, ...], make: Callable[[], str | bytes], kind: str = "text/html", on: Validator | None = None
) -> Response:
    """The answer those words, and what the page stands on, stand for: not made again for a reader who has it."""
    version = current_app.config["AUDIT_PROGRAM"] or engine()
    parts = (version, chosen(), *reader().mark, *words, *(on.then if on else ()))
    tag = hashlib.blake2b("\0".join(map(str, parts)).encode(), digest_size=12).hexdigest()
    if request.if_none_match.contains_weak(tag):
        answer = Response(status=304)
        if on:
            remember(on)
    else:
        answer = make_response(make())
        answer.mimetype = kind
    answer.set_etag(tag)
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


def compressed(answer: Response) -> Response:
    """The answer in fewer bytes, where the reader takes gzip and it is worth the while."""
    kind = answer.mimetype or ""
    if not (kind.startswith("text/") or kind in COMPRESSED) or (answer.is_streamed and not answer.direct_passthrough):
        return answer
    answer.vary.add("Accept-Encoding")
    if answer.status_code != 200 or not request.accept_encodings["gzip"] or "Content-Encoding" in answer.headers:
        return answer
    if answer.direct_passthrough and "Range" in request.headers:
        return answer
    answer.direct_passthrough = False
    data = answer.get_data()
    if len(data) >= WORTH_COMPRESSING:
        answer.set_data(gzip.compress(data, 5, mtime=0))
        answer.headers["Content-Encoding"] = "gzip"
        tag, _weak = answer.get_etag()
        if tag:
            answer.set_etag(tag, weak=True)  # other bytes, the same content
    return answer


def _headers(answer: Response) -> Response:
    ancestors = "*" if request.endpoint == "games.embed" else "'none'"
    answer.headers.setdefault("Content-Security-Policy", POLICY.format(ancestors))
    answer.headers.setdefault("X-Content-Type-Options", "nosniff")
    answer.headers.setdefault("Referrer-Policy", "same-origin")
    answer.headers.setdefault("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
    if request.endpoint not in ("static", "joined"):
        answer.vary.add(LANGUAGE_MATTERS)
    return answer


def _page(error: HTTPException) -> Response:
    code = error.code or 500
    titles = {
        400: _("This address cannot be read"), 403: _("This view is not open to you"), 404: _("There is no such page"),
        405: _("That cannot be done here"), 413: _("That is too much at once"),
    }  # fmt: skip
    said = error.description if code == 403 else ""
    if code == 404 and request.endpoint == "cases.page":
        titles[404] = _("There is no such case, or it is not published any more")
    answer = make_response(render_template("error.html", title=titles.get(code, _("Something went wrong")), said=said))
    answer.status_code = code
    for name, value in error.get_headers():
        if name not in ("Content-Type", "Content-Length"):
            answer.headers[name] = value
    return answer


def _away(error: StoreError) -> Response:
    """Where the database is and what it says is for the log, and not for readers."""
    current_app.logger.warning("%s", error)
    return _later(_("The games cannot be read now"), _("Please try again in a moment."), 503, 2)


def _too_costly(error: TooCostlyError) -> Response:
    return _later(_("That is too much at once"), "", 503, 60)


def _too_often(error: TooOftenError) -> Response:
    return _later(_("That is too much at once"), _("Please try again in a moment."), 429, error.seconds)


def _later(title: str, said: str, status: int, seconds: int) -> Response:
    answer = make_response(render_template("error.html", title=title, said=said), status)
    answer.headers.update({"Retry-After": str(seconds), "Cache-Control": "no-store"})
    return answer


def _missing(error: Exception) -> Response:
    if isinstance(error, UnknownGameError):
        title = _("There is no such game")
    elif isinstance(error, UnknownRuleError):
        title = _("There is no such rule")
    else:
        title = _("There is no such ruleset")
    answer = make_response(render_template("error.html", title=title, said=""))
    answer.status_code = 404
    return answer
