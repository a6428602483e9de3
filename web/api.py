"""The API under `/api/v1`: games, steps, findings, rules; appending; following a game live.

Every answer is JSON, errors too (`problem` is the one place where they are made), except the stream of a game that
is followed and the published files. The OpenAPI document is at `/api/v1/openapi.json`.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from threading import BoundedSemaphore
from typing import Protocol, TypeVar, cast, runtime_checkable

import msgspec
from flask import Flask, Response, current_app, request
from flask.views import MethodView
from flask_smorest import Api, Blueprint  # type: ignore[import-untyped]
from marshmallow import RAISE, Schema
from msgspec import Struct
from werkzeug.exceptions import HTTPException
from werkzeug.http import HTTP_STATUS_CODES

from audit.catalogue import Rule
from audit.errors import AuditError, UnknownReadingError, UnknownRuleError, UnknownRulesetError
from audit.ruleset import ruleset, rulesets
from replays.database import StoreError
from replays.errors import LogError
from replays.store import ContradictionError, VersionConflictError
from web import headers
from web.api_access import (
    PUBLISHERS,
    READERS,
    WRITERS,
    Buckets,
    NotAllowedError,
    NoTokenError,
    TooOftenError,
    eyes,
    limited,
    needs,
)
from web.api_schemas import (
    Append,
    Appended,
    FileAsked,
    Findings,
    Games,
    ListAsked,
    LiveAsked,
    OneGame,
    Problem,
    Rules,
    Steps,
    StepsAsked,
    UsedRule,
    ViewAsked,
)
from web.library import Filters, Glance, Library, Replay, UnknownGameError
from web.payload import seats_of, statements
from web.tokens import Role

PREFIX = "/api/v1"
DEFAULTS = {
    "API_TITLE": "audit", "API_VERSION": "v1", "OPENAPI_VERSION": "3.1.0", "OPENAPI_URL_PREFIX": PREFIX,
    "OPENAPI_JSON_PATH": "openapi.json", "AUDIT_API_RATE": 20.0, "AUDIT_API_BURST": 200, "AUDIT_API_BODY": 1_000_000,
    "AUDIT_LIVE_EVERY": 0.5, "AUDIT_LIVE_SECONDS": 3600.0, "AUDIT_LIVE_MOST": 32,
}  # fmt: skip
STATUS: Mapping[type[AuditError], int] = {
    UnknownGameError: 404, UnknownRuleError: 404, UnknownRulesetError: 404, UnknownReadingError: 404,
    VersionConflictError: 409, ContradictionError: 409, LogError: 422, NoTokenError: 401, NotAllowedError: 403,
    TooOftenError: 429, StoreError: 503,
}  # fmt: skip
Json = dict[str, object]

api = Blueprint("api", __name__, url_prefix=PREFIX, description="Games, their steps and findings, and rules.")


class FixedError(AuditError):
    """The games of this server come from a folder and cannot be appended to."""

    def __init__(self) -> None:
        super().__init__("these games cannot be appended to; serve the store")


class BusyError(AuditError):
    """So many games are followed already."""

    def __init__(self, most: int) -> None:
        super().__init__(f"{most} games are followed already; ask again later")
        self.most = most


@runtime_checkable
class Appendable(Protocol):
    """A library that can be appended to."""

    def append(self, id: str, lines: bytes, expected: int) -> int: ...


class QuietApi(Api):  # type: ignore[misc]
    """Leaves the errors of all other pages to the application."""

    def _register_error_handlers(self) -> None:
        pass


def add_to(app: Flask) -> None:
    """Serve the API. Last of all parts: errors of other pages are passed on to what was there before."""
    for name, value in DEFAULTS.items():
        app.config.setdefault(name, value)
    app.extensions["audit.buckets"] = Buckets(app.config["AUDIT_API_RATE"], app.config["AUDIT_API_BURST"])
    app.extensions["audit.live"] = BoundedSemaphore(app.config["AUDIT_LIVE_MOST"])
    served = QuietApi(app)
    served.spec.components.security_scheme("token", {"type": "http", "scheme": "bearer"})
    served.register_blueprint(api)
    app.register_error_handler(HTTPException, _refused)


def _refused(error: HTTPException) -> Response:
    return http_problem(error) if request.path.startswith(PREFIX + "/") else headers._page(error)


@api.errorhandler(AuditError)  # type: ignore[untyped-decorator]
def problem(error: AuditError) -> Response:
    """An error as JSON: its name, a sentence and its data, with the status that fits."""
    status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), 400)
    status = 503 if isinstance(error, BusyError) else 409 if isinstance(error, FixedError) else status
    answer = _problem(status, type(error).__name__.removesuffix("Error"), str(error), error.data())
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
    limited()
    request.max_content_length = current_app.config["AUDIT_API_BODY"]


def _library() -> Library:
    return cast(Library, current_app.extensions["audit.library"])


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
            made = api.arguments(self.body)(made)
        for code in self.errors:
            made = api.alt_response(code, schema=Problem, description=HTTP_STATUS_CODES[code])(made)
        token: dict[str, list[str]] = {"token": []}
        made = api.doc(security=[{}, token] if self.local else [token])(made)
        return cast(F, needs(self.roles, self.wanted, local=self.local)(made))


def _route(path: str) -> Callable[[type[V]], type[V]]:
    return cast("Callable[[type[V]], type[V]]", api.route(path))


@_route("/games")
class GamesView(MethodView):
    """The games."""

    @Operation(answer=Games, asked=ListAsked)
    def get(self, asked: Mapping[str, object]) -> Json:
        """The games that have every word and pass the filters, fifty a page."""
        words = {name: str(asked[name]) for name in ("player", "ruleset", "rule", "verdict")}
        page = _library().games(str(asked["q"]), Filters(**words), cast(int, asked["page"]))
        games = [_glance(each) for each in page.games]
        return {"games": games, "page": page.number, "last": page.last, "total": page.total}


@_route("/games/<string:id>")
class GameView(MethodView):
    """One game."""

    @Operation(answer=OneGame, asked=ViewAsked)
    def get(self, asked: Mapping[str, str], id: str) -> Json:
        """What is said of a game as a whole."""
        replay = _replay(id, asked)
        header = replay.header
        return {
            "id": id, "game": header.game, "ruleset": replay.ruleset, "reading": header.reading,
            "players": [{"seat": p.seat, "name": p.name} for p in header.players], "viewer": replay.viewer,
            "version": _events(replay), "fidelity": replay.fidelity, "diverged_from": replay.diverged_from,
            "steps": len(replay.steps) - 1, "verdicts": dict(replay.counts),
        }  # fmt: skip


@_route("/games/<string:id>/steps")
class StepsView(MethodView):
    """The steps of a game."""

    @Operation(answer=Steps, asked=StepsAsked)
    def get(self, asked: Mapping[str, str], id: str) -> Json:
        """Some steps of a game, each with its verdict, rules, causes, sentence and position."""
        replay = _replay(id, asked)
        start, count = int(asked["start"]), int(asked["count"])
        return {"steps": list(replay.steps[start : start + count]), "last": len(replay.steps) - 1}


@_route("/games/<string:id>/findings")
class FindingsView(MethodView):
    """The findings of a game."""

    @Operation(answer=Findings, asked=ViewAsked)
    def get(self, asked: Mapping[str, str], id: str) -> Json:
        """Every finding, with what was expected instead."""
        return {"findings": list(_replay(id, asked).findings)}


@_route("/games/<string:id>/events")
class EventsView(MethodView):
    """Appending to a game."""

    @Operation(
        answer=Appended, body=Append, status=201, roles=WRITERS, wanted="append", local=False, errors=APPEND_ERRORS
    )
    def post(self, given: Mapping[str, object], id: str) -> Json:
        """Append events to a game that has as many as expected; all of them or none."""
        library = _library()
        if not isinstance(library, Appendable):
            raise FixedError
        events = cast("list[Json]", given["events"])
        lines = b"".join(json.dumps(event, ensure_ascii=False).encode("utf-8", "replace") + b"\n" for event in events)
        return {"id": id, "version": library.append(id, lines, cast(int, given["expected"]))}


@_route("/games/<string:id>/live")
class LiveView(MethodView):
    """Following a game."""

    @Operation(answer={"type": "string"}, asked=LiveAsked, kind="text/event-stream")
    def get(self, asked: Mapping[str, str], id: str) -> Response:
        """New steps as they are stored, as server-sent events; each id is the last step it tells."""
        replay = _replay(id, asked)
        after = request.headers.get("Last-Event-ID", asked["after"], type=str)
        known = int(after) if str(after).isascii() and str(after).isdigit() else len(replay.steps) - 1
        live = cast(BoundedSemaphore, current_app.extensions["audit.live"])
        if not live.acquire(blocking=False):
            raise BusyError(current_app.config["AUDIT_LIVE_MOST"])
        reading = asked["reading"] or None
        again = partial(_library().game, id, viewer=replay.viewer, language=asked["lang"], reading=reading)
        pace = (current_app.config["AUDIT_LIVE_EVERY"], current_app.config["AUDIT_LIVE_SECONDS"])
        version = partial(_library().version, id)
        answer = Response(_follow(again, version, known, *pace), mimetype="text/event-stream")
        answer.headers.update({"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        answer.call_on_close(live.release)
        return answer


@_route("/games/<string:id>/file")
class FileView(MethodView):
    """Published files."""

    @Operation(
        answer={"type": "string"}, asked=FileAsked, kind="application/octet-stream", roles=PUBLISHERS, wanted="publish",
        errors=(400, *READ_ERRORS),
    )  # fmt: skip
    def get(self, asked: Mapping[str, str], id: str) -> Response:
        """The game as a file to give away: what is public and nothing else."""
        from web.publishing import publish
        from web.sources import source_from

        data = publish(source_from(_library().log(id)), asked["form"], "public", (asked["lang"],))
        answer = Response(data, mimetype="application/octet-stream")
        answer.headers["Content-Disposition"] = f'attachment; filename="game.{asked["form"]}"'
        return answer


@_route("/rules/<string:name>")
class RulesView(MethodView):
    """The rules of a ruleset."""

    @Operation(answer=Rules)
    def get(self, name: str) -> Json:
        """Every rule with its statement in each language."""
        catalogue = ruleset(name).catalogue
        return {"rules": [{**_rule(rule), "statements": statements(catalogue, rule)} for rule in catalogue]}


@_route("/rules/<string:name>/<string:id>")
class RuleView(MethodView):
    """One rule."""

    @Operation(answer=UsedRule)
    def get(self, name: str, id: str) -> Json:
        """A rule with every stored step that cites it, as the public may know it."""
        catalogue = ruleset(name).catalogue
        rule = catalogue[id]
        uses = [msgspec.to_builtins(use) for use in _library().rule_uses(name, rule.id, "en")]
        return {**_rule(rule), "statements": statements(catalogue, rule), "uses": uses}


def _rule(rule: Rule) -> Json:
    return {"id": rule.id, "kind": rule.kind}


def _glance(glance: Glance) -> Json:
    header = glance.header
    return {
        "id": glance.id, "game": header.game, "ruleset": header.ruleset,
        "players": [{"seat": p.seat, "name": p.name} for p in header.players], "fidelity": glance.fidelity,
        "steps": glance.steps, "verdicts": dict(glance.counts),
        "findings": [{"step": step, "verdict": verdict, "rule": rule} for step, verdict, rule in glance.findings],
    }  # fmt: skip


def _replay(id: str, asked: Mapping[str, str]) -> Replay:
    public = _library().game(id, viewer="public", language=asked["lang"], reading=None)
    reading = asked["reading"] or None
    if reading and public.ruleset in rulesets():
        ruleset(public.ruleset).reading(reading)
    viewer = eyes(asked["viewer"], seats_of(public))
    if viewer == "public" and reading is None:
        return public
    return _library().game(id, viewer=viewer, language=asked["lang"], reading=reading)


def _events(replay: Replay) -> int:
    return max((cast(int, step["seq"]) for step in replay.steps if step.get("seq")), default=0)


def _follow(
    again: Callable[[], Replay], version: Callable[[], str], known: int, every: float, long: float
) -> Iterator[str]:
    """The steps after the known one, now and whenever the game changes, for so many seconds at most."""
    until = time.monotonic() + long
    seen, quiet = "", 0.0
    yield "retry: 2000\n\n"
    while time.monotonic() < until:
        if (now := version()) != seen:
            seen, replay = now, again()
            if fresh := list(replay.steps[known + 1 :]):
                known = len(replay.steps) - 1
                body = json.dumps({"last": known, "steps": fresh}, ensure_ascii=False, separators=(",", ":"))
                yield f"id: {known}\nevent: steps\ndata: {body}\n\n"
        quiet += every
        if quiet >= 15:
            quiet = 0.0
            yield ": still here\n\n"
        time.sleep(every)


__all__ = ["PREFIX", "add_to"]
