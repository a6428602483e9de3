"""What the operations of the API share: declaring them, their JSON errors, and their limits."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import wraps
from typing import TypeVar, cast

import msgspec
from flask import Response, current_app, request
from flask.views import MethodView
from flask_smorest import Blueprint  # type: ignore[import-untyped]
from marshmallow import RAISE, Schema
from msgspec import Struct
from werkzeug.exceptions import HTTPException
from werkzeug.http import HTTP_STATUS_CODES

from audit.errors import AuditError, UnknownReadingError, UnknownRuleError, UnknownRulesetError
from audit.ruleset import ruleset, rulesets
from replays.cases.book import CaseConflictError, UnknownCaseError
from replays.cases.case import CaseError
from replays.errors import LogError, NoSuchEventError
from replays.gathering.questions import AnswerError
from replays.gathering.saves import SaveError
from replays.ledgers.ledger import LedgerConflictError, UnknownLedgerError
from replays.limited import TooCostlyError
from replays.notes.note import NoteConflictError, NoteError
from replays.store.database import StoreError
from replays.store.event_ids import EventIdError
from replays.store.store import ContradictionError, VersionConflictError
from web.api.access import READERS, NotAllowedError, NoTokenError, allowed_viewer, needs
from web.api.exact import check_body
from web.api.schemas import Problem
from web.games.address import library
from web.games.library import Replay, UnknownGameError
from web.games.live import BusyError
from web.games.opened import FixedError
from web.games.payload import seats_of
from web.site.limits import TooOftenError, limited
from web.site.tokens import Role

PREFIX = "/api/v1"
AWAY = "the games cannot be read or written now; ask again in a moment"
"""All that a reader is told of trouble with the database: where it is and what it says is for the log."""
STATUS: Mapping[type[AuditError], int] = {
    UnknownGameError: 404, UnknownRuleError: 404, UnknownRulesetError: 404, UnknownReadingError: 404,
    VersionConflictError: 409, ContradictionError: 409, EventIdError: 409, LogError: 422, NoTokenError: 401,
    NotAllowedError: 403, TooOftenError: 429, StoreError: 503, BusyError: 503, TooCostlyError: 503, FixedError: 409,
    CaseConflictError: 409, LedgerConflictError: 409, NoteConflictError: 409, UnknownCaseError: 404,
    UnknownLedgerError: 404, CaseError: 422, NoteError: 422, NoSuchEventError: 422,
    SaveError: 422, AnswerError: 422,
}  # fmt: skip
Json = dict[str, object]

api = Blueprint("api", __name__, url_prefix=PREFIX, description="Games, their steps and findings, and rules.")


@api.errorhandler(AuditError)  # type: ignore[untyped-decorator]
def problem(error: AuditError) -> Response:
    """An error as JSON: its name, a sentence and its data, with the status that fits."""
    status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), 400)
    said, data = (str(error), error.data()) if not isinstance(error, StoreError) else (AWAY, {})
    answer = _problem(status, type(error).__name__.removesuffix("Error"), said, data)
    if isinstance(error, StoreError):
        current_app.logger.warning("%s", error)
        answer.headers["Retry-After"] = "2"
    if isinstance(error, TooOftenError):
        answer.headers["Retry-After"] = str(error.seconds)
    if isinstance(error, NoTokenError):
        answer.headers["WWW-Authenticate"] = "Bearer"
    return answer


@api.errorhandler(HTTPException)  # type: ignore[untyped-decorator]
def http_problem(error: HTTPException) -> Response:
    """What the framework refuses, in the same shape; for a bad request the fields and what is wrong with them."""
    if error.response is not None and error.code is None:
        return cast(Response, error.response)
    found = getattr(error, "data", None)
    fields = found.get("messages", {}) if isinstance(found, Mapping) else {}
    answer = _problem(error.code or 500, error.name.replace(" ", ""), error.description or error.name, dict(fields))
    for name, value in error.get_headers():
        if name not in ("Content-Type", "Content-Length"):
            answer.headers[name] = value
    return answer


def _problem(status: int, name: str, message: str, data: Json) -> Response:
    kebab = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()
    body = {"error": kebab, "message": message, "data": data}
    return Response(msgspec.json.encode(body, enc_hook=str), status, mimetype="application/json")


@api.before_request  # type: ignore[untyped-decorator]
def _limits() -> None:
    limited("api")
    request.max_content_length = current_app.config["AUDIT_API_BODY"]


def _read_exactly(function: Callable[..., object]) -> Callable[..., object]:
    """Before the usual reader sees a body, it is looked at for what that one would change or trip over."""

    @wraps(function)
    def checked(*args: object, **kwargs: object) -> object:
        if request.is_json:
            check_body()
        return function(*args, **kwargs)

    return checked


Schemas = type[Schema] | dict[str, str]
F = TypeVar("F", bound=Callable[..., object])
V = TypeVar("V", bound=MethodView)
READ_ERRORS = (401, 403, 404, 422, 429, 503)
APPEND_ERRORS = (400, 401, 403, 404, 409, 413, 415, 422, 429, 503)


class Operation(Struct, frozen=True, kw_only=True):
    """One operation of the API, as the document has it: who may, what is asked, what is answered, what can go wrong."""

    answer: Schemas
    asked: type[Schema] | None = None
    body: type[Schema] | None = None
    status: int = 200
    kind: str = "application/json"
    roles: tuple[Role, ...] = READERS
    wanted: str = "read"
    local: bool = True
    errors: tuple[int, ...] = READ_ERRORS

    def __call__(self, function: F) -> F:
        """The view, checked and documented."""
        made: Callable[..., object] = api.response(self.status, self.answer, content_type=self.kind)(function)
        if self.asked:
            made = api.arguments(self.asked, location="query", unknown=RAISE)(made)
        if self.body:
            made = _read_exactly(api.arguments(self.body)(made))
        for code in self.errors:
            made = api.alt_response(code, schema=Problem, description=HTTP_STATUS_CODES[code])(made)
        token: dict[str, list[str]] = {"token": []}
        made = api.doc(security=[{}, token] if self.local else [token])(made)
        return cast(F, needs(self.roles, self.wanted, local=self.local)(made))


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
