"""Every error of the API in one shape (RFC 9457, Problem Details), in the language of who asks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import cast

import msgspec
from flask import Response, current_app, request
from werkzeug.exceptions import HTTPException

from audit.core.catalogue import words
from audit.core.errors import (
    AuditError,
    PositionTextError,
    SetupError,
    UnknownEditionError,
    UnknownReadingError,
    UnknownRuleError,
    UnknownRulesetError,
    UnknownViewerError,
)
from audit.core.sentences import sentence
from replays.cases.book import CaseConflictError, UnknownCaseError
from replays.cases.case import CaseError
from replays.cases.note import NoteConflictError, NoteError
from replays.error_words import phrase
from replays.errors import LogError, NoSuchEventError, Problem
from replays.importing.questions import AnswerError
from replays.importing.saves import SaveError
from replays.limited import TooCostlyError
from replays.store.database import StoreError
from replays.store.ids import EventIdError
from replays.store.store import ContradictionError, VersionConflictError
from replays.table.question import UnreadEventError
from replays.trust.ledger import LedgerConflictError, UnknownLedgerError
from web.api.access import FalseTokenError, NotAllowedError, NoTokenError
from web.games.library import FixedError
from web.games.live import BusyError
from web.site.headers import UnknownGameError
from web.site.labels import chosen
from web.site.limits import TooOftenError
from web.table.answering import said

KIND = "application/problem+json"
STATUS: Mapping[type[AuditError], int] = {
    UnknownGameError: 404, UnknownRuleError: 404, UnknownRulesetError: 404, UnknownReadingError: 404,
    VersionConflictError: 409, ContradictionError: 409, EventIdError: 409, LogError: 422, NoTokenError: 401,
    FalseTokenError: 401, NotAllowedError: 403, TooOftenError: 429, StoreError: 503, BusyError: 503,
    TooCostlyError: 503, FixedError: 409,
    CaseConflictError: 409, LedgerConflictError: 409, NoteConflictError: 409, UnknownCaseError: 404,
    UnknownLedgerError: 404, CaseError: 422, NoteError: 422, NoSuchEventError: 422,
    SaveError: 422, AnswerError: 422, SetupError: 422, PositionTextError: 422, UnknownEditionError: 422,
    UnknownViewerError: 404,
}  # fmt: skip
RETRY: Mapping[type[AuditError], int] = {StoreError: 2, BusyError: 30, TooCostlyError: 60}
"""After how many seconds to ask again. Who asked too often is told how long that takes."""
WORDS = ("web", "problems")
PATH = "/api/v1/problems/"


def problem(error: AuditError) -> Response:
    """An error of ours. Where the database is and what it says is for the log, and not for readers."""
    status = _status(error)
    hidden = isinstance(error, StoreError)
    if hidden:
        current_app.logger.warning("%s", error)
    name = _kebab(type(error).__name__.removesuffix("Error"))
    answer = _answer(status, name, _detail(name, error), {} if hidden else error.data())
    wait = error.seconds if isinstance(error, TooOftenError) else _wait(error)
    if wait:
        answer.headers["Retry-After"] = str(wait)
    if status == 401:
        is_false = isinstance(error, FalseTokenError)
        answer.headers["WWW-Authenticate"] = 'Bearer error="invalid_token"' if is_false else "Bearer"
    return answer


def http_problem(error: HTTPException) -> Response:
    """What the framework refuses; of a bad request the fields and what is wrong with them."""
    if error.response is not None and error.code is None:
        return cast(Response, error.response)
    found = getattr(error, "data", None)
    fields = found.get("messages", {}) if isinstance(found, Mapping) else {}
    answer = _answer(error.code or 500, _kebab(error.name.replace(" ", "")), _fields(fields), dict(fields))
    for name, value in error.get_headers():
        if name not in ("Content-Type", "Content-Length"):
            answer.headers[name] = value
    return answer


def title(status: int, name: str = "") -> str:
    """What a status means, or an error of a title of its own, in the language of who asks."""
    known = words(WORDS[0], chosen(), WORDS[1])
    key = next((key for key in (f"title.{name}", f"title.{status}") if key in known), "")
    return sentence(WORDS[0], chosen(), key, {}, WORDS[1]) if key else HTTPStatus(status).phrase


def _status(error: AuditError) -> int:
    """What kind of error it is. Of what a body names and is not there, the body is wrong, and not the address."""
    status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), 400)
    named = {str(value) for value in error.data().values()}
    in_address = not named.isdisjoint((request.view_args or {}).values())
    return 422 if status == 404 and request.method == "POST" and not in_address else status


def _wait(error: AuditError) -> int:
    return next((seconds for kind, seconds in RETRY.items() if isinstance(error, kind)), 0)


def _detail(name: str, error: AuditError) -> str:
    """The error in words. In English all that is known of it; hidden or written in another language, our sentence.

    What a line was expected to hold is said in English where a language has no words for it.
    """
    is_told = name in words(WORDS[0], chosen(), WORDS[1])
    if is_told and (chosen() != "en" or isinstance(error, StoreError)):
        return sentence(WORDS[0], chosen(), name, error.data(), WORDS[1])
    if chosen() != "en" and isinstance(error, LogError) and not isinstance(error, UnreadEventError):
        untold = [problem for problem in error.problems[:1] if not phrase(chosen(), problem.expected)]
        return ". ".join((said(error).rstrip("."), *map(_expected, untold))) if untold else said(error)
    return said(error)


def _expected(problem: Problem) -> str:
    """What was expected and what was found."""
    return sentence(
        WORDS[0], chosen(), "expected", {"expected": problem.expected, "found": problem.found}, WORDS[1]
    )  # fmt: skip


def _fields(fields: Mapping[str, object]) -> str:
    """The names of the fields with which something is wrong."""
    names = sorted(str(name) for part in fields.values() for name in (part if isinstance(part, Mapping) else ("",)))
    return sentence(WORDS[0], chosen(), "fields", {"names": ", ".join(names)}, WORDS[1]) if any(names) else ""


def _kebab(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()


def _answer(status: int, name: str, detail: str, data: Mapping[str, object]) -> Response:
    body = {
        "type": f"{PATH}{name}", "title": title(status, name), "status": status, "detail": detail or title(status),
        "error": name, "data": data,
    }  # fmt: skip
    answer = Response(msgspec.json.encode(body, enc_hook=str), status, mimetype=KIND)
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["Content-Language"] = chosen()
    return answer
