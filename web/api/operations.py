"""What the operations of the API share: declaring them, their JSON errors, and their limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import TypeVar, cast

from flask import Response, current_app, request
from flask.views import MethodView
from flask_smorest import Blueprint  # type: ignore[import-untyped]
from marshmallow import RAISE, Schema
from msgspec import Struct
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge, UnsupportedMediaType
from werkzeug.http import HTTP_STATUS_CODES

from audit.core.catalogue import LANGUAGES
from audit.core.errors import AuditError
from audit.core.ruleset import ruleset, rulesets
from web.api.access import READERS, allowed_viewer, needs
from web.api.answers import Problem
from web.api.exact import check_body
from web.api.problems import KIND, http_problem, problem
from web.api.schemas import QueryAsked
from web.games.address import library
from web.games.library import Replay
from web.games.steps import seats_of
from web.site.labels import choose
from web.site.limits import limited
from web.site.tokens import Role

PREFIX = "/api/v1"
Json = dict[str, object]

api = Blueprint("api", __name__, url_prefix=PREFIX, description="Games, their steps and findings, and rules.")


api.errorhandler(AuditError)(problem)
api.errorhandler(HTTPException)(http_problem)


@api.before_request  # type: ignore[untyped-decorator]
def _limits() -> None:
    limited("api")
    request.max_content_length = current_app.config["AUDIT_API_BODY"]


def _read_exactly(function: Callable[..., object]) -> Callable[..., object]:
    """Before the usual reader sees a body, it is looked at for what that one would change or trip over.

    That reader takes what is not called JSON for nothing, and a body in chunks that is too long for one cut short.
    """

    @wraps(function)
    def checked(*args: object, **kwargs: object) -> object:
        if not request.is_json:
            raise UnsupportedMediaType
        body, most = request.get_data(cache=True), request.max_content_length
        if most is not None and request.content_length is None and len(body) >= most:
            raise RequestEntityTooLarge
        check_body(body)
        return function(*args, **kwargs)

    return checked


Schemas = type[Schema] | dict[str, str]
F = TypeVar("F", bound=Callable[..., object])
V = TypeVar("V", bound=MethodView)
RETRY_AFTER: dict[str, Json] = {
    "Retry-After": {"description": "After how many seconds to ask again.", "schema": {"type": "integer"}}
}
READ_ERRORS = (401, 403, 404, 422, 429, 503)
APPEND_ERRORS = (400, 401, 403, 404, 409, 413, 415, 422, 429, 503)


class Operation(Struct, frozen=True, kw_only=True):
    """One operation of the API, as the document has it: who may, what is asked, what is answered, what can go wrong."""

    id: str
    """Its name in the document; a generated client has a function of that name."""
    answer: Schemas
    asked: type[Schema] | None = None
    body: type[Schema] | None = None
    status: int = 200
    kind: str = "application/json"
    roles: tuple[Role, ...] = READERS
    wanted: str = "read"
    public: bool = True
    """Whether it needs no token: a page shows the same to everybody."""
    location: str = ""
    """Where what was made can be read, with fields of the answer in braces."""
    errors: tuple[int, ...] = READ_ERRORS

    def __call__(self, function: F) -> F:
        """The view, checked and documented."""
        made: Callable[..., object] = self._placed(function) if self.location else function
        made = api.response(self.status, self.answer, content_type=self.kind, headers=self._headers())(made)
        made = api.arguments(self.asked or QueryAsked, location="query", unknown=RAISE)(
            made if self.asked else _without_query(made)
        )
        if self.body:
            made = _read_exactly(api.arguments(self.body)(_in_its_language(made)))
        for code in self.errors:
            made = api.alt_response(
                code, schema=Problem, description=HTTP_STATUS_CODES[code], content_type=KIND,
                headers=RETRY_AFTER if code in (429, 503) else None,
            )(made)  # fmt: skip
        token: dict[str, list[str]] = {"token": []}
        made = api.doc(operationId=self.id, security=[{}, token] if self.public else [token])(made)
        return cast(F, needs(self.roles, self.wanted, public=self.public)(made))

    def _headers(self) -> dict[str, Json]:
        """What the document says of the headers of an answer."""
        if self.location:
            return {"Location": {"description": "Where it can be read.", "schema": {"type": "string"}}}
        if self.status == 200 and self.kind == "application/json":
            return {"ETag": {"description": "Send it back in `If-None-Match`.", "schema": {"type": "string"}}}
        return {}

    def _placed(self, function: Callable[..., object]) -> Callable[..., object]:
        """The view, with the address of what it made."""

        @wraps(function)
        def placed(*args: object, **kwargs: object) -> tuple[Json, int, dict[str, str]]:
            told = cast(Json, function(*args, **kwargs))
            return told, self.status, {"Location": PREFIX + self.location.format(**{**told, **kwargs})}

        return placed


def _without_query(function: Callable[..., object]) -> Callable[..., object]:
    """A view that needs nothing of the query. It is read for its language and for names that nobody knows."""

    @wraps(function)
    def called(*args: object, **kwargs: object) -> object:
        return function(*args[:-1], **kwargs)

    return called


def _in_its_language(function: Callable[..., object]) -> Callable[..., object]:
    """A view whose errors, too, are in the language that the body asks for."""

    @wraps(function)
    def called(*args: object, **kwargs: object) -> object:
        asked = next((one["lang"] for one in args if isinstance(one, Mapping) and "lang" in one), None)
        first = asked[0] if isinstance(asked, list) else asked
        if first in LANGUAGES:
            choose(str(first))
        return function(*args, **kwargs)

    return called


@api.after_request  # type: ignore[untyped-decorator]
def _kept(answer: Response) -> Response:
    """A reader keeps what was read and asks whether it is still so; what it is depends on who asks."""
    if answer.mimetype == "application/json" and answer.status_code == 200 and request.method == "GET":
        answer.headers["Cache-Control"] = "private, no-cache"
        answer.vary.update(("Authorization", "Cookie"))
        answer.add_etag()
        answer.make_conditional(request)
    else:
        answer.headers.setdefault("Cache-Control", "no-store")
    return answer


def route(path: str) -> Callable[[type[V]], type[V]]:
    """Serve the operations of a class at an address below the prefix."""
    return cast("Callable[[type[V]], type[V]]", api.route(path))


def replay_of(id: str, asked: Mapping[str, str]) -> Replay:
    """The game as this reader asks for it and may see it."""
    public = library().game(id, viewer="public", language=asked["lang"], reading=None)
    reading = asked["reading"] or None
    if reading and public.ruleset in rulesets():
        ruleset(public.ruleset).rules.reading(reading)
    viewer = allowed_viewer(asked["viewer"], seats_of(public), id)
    if viewer == "public" and reading is None:
        return public
    return library().game(id, viewer=viewer, language=asked["lang"], reading=reading)
