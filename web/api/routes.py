"""The API under `/api/v1`: games, steps, findings and rules; appending events; following a game live.

Every answer is JSON, errors too (all of them are made by `web.api.problems`), except the stream of a live game and
the published files. The OpenAPI document is at `/api/v1/openapi.json`, and as a page at `/api/v1/`.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from threading import Lock
from typing import cast

from flask import Blueprint, Flask, Response, abort, make_response, render_template, request, send_from_directory
from flask_smorest import Api  # type: ignore[import-untyped]
from werkzeug.exceptions import HTTPException

from audit.core.ruleset import ruleset, rulesets
from replays.log.output import shared_schemas
from replays.log.schemas import line_schemas
from web.api import cases, reading, recording, table
from web.api.answers import Problem
from web.api.operations import PREFIX, api
from web.api.problems import KIND, http_problem
from web.api.schemas import EVENTS, REFERENCE, Shape
from web.site import headers
from web.site.headers import POLICY

__all__ = ["PREFIX", "add_to"]

OPERATIONS = (table, cases, reading, recording)
"""The modules that declare them, by being imported."""

DEFAULTS = {
    "API_TITLE": "audit", "API_VERSION": "v1", "OPENAPI_VERSION": "3.1.0", "OPENAPI_URL_PREFIX": PREFIX,
    "OPENAPI_JSON_PATH": "openapi.json", "AUDIT_API_BODY": 1_000_000,
}  # fmt: skip
FROM_ANYWHERE = re.compile(rf"{PREFIX}/games(/[^/]+/events)?")
EVENT_METHODS, GAME_METHODS = frozenset({"GET", "POST"}), frozenset({"POST"})
"""What may be asked of the events of a game, and of the games."""
PREFLIGHT_SECONDS = "600"
PAGE_PACKAGE = "flask_swagger_ui"
PAGE_ASSETS = frozenset({"swagger-ui.css", "swagger-ui-bundle.js"})
"""What the page needs of the package, and all that is served of it."""

page = Blueprint("trying", __name__, url_prefix="/api/v1")


class QuietApi(Api):  # type: ignore[misc]
    """Leaves the errors of all other pages to the application, and describes those of its own as they are.

    Its document is made when it is first asked for: most applications are never asked, and it takes longer to make than
    all the rest of one.
    """

    ERROR_SCHEMA = Problem
    DEFAULT_RESPONSE_CONTENT_TYPE = KIND

    def __init__(self, app: Flask) -> None:
        self._making, self._document = Lock(), b""
        super().__init__(app)

    def _register_error_handlers(self) -> None:
        pass

    def _register_responses(self) -> None:
        pass

    def _openapi_json(self) -> Response:
        with self._making:
            if not self._document:
                super()._register_responses()
                _describe(self, self._app)
                self._document = super()._openapi_json().get_data()
        return Response(self._document, mimetype="application/json")


def add_to(app: Flask) -> None:
    """Serve the API. Last of all parts: errors of other pages are passed on to what was there before."""
    for name, value in DEFAULTS.items():
        app.config.setdefault(name, value)
    QuietApi(app)
    app.register_blueprint(api)
    app.register_blueprint(page)
    app.after_request(_across)
    app.register_error_handler(HTTPException, _refused)


def _describe(served: Api, app: Flask) -> None:
    """Put every operation into the document, with the shapes of what is given and answered."""
    served.spec.components.security_scheme("token", {"type": "http", "scheme": "bearer"})
    served.spec.components.schemas.update(_shared_shapes())
    served.ma_plugin.converter.add_attribute_function(_shape)
    _describe_events(served)
    api.register_views_in_doc(served, app, served.spec, name=api.name, parameters=None)
    served.spec.tag({"name": api.name, "description": api.description})


def _describe_events(served: Api) -> None:
    """Put the events of every game into the document, each as it stands in a log."""
    for name in rulesets():
        served.spec.components.schemas.update(_schemas_of_events(name))
    known = [{"$ref": f"{REFERENCE}{EVENTS}.{name}"} for name in rulesets()]
    served.spec.components.schema(EVENTS, {"anyOf": known})


@cache
def _shared_shapes() -> dict[str, dict[str, object]]:
    """The schemas of the shapes that answers share, by name."""
    return shared_schemas(f"{REFERENCE}{{name}}")


@cache
def _schemas_of_events(name: str) -> dict[str, dict[str, object]]:
    """The schemas of a game's events by the names they have in the document, made once for all applications.

    They have no titles: generators would name what they make by these, and games have events of the same title.
    """
    (_, *events), parts = line_schemas(ruleset(name), f"{REFERENCE}{name}.{{name}}")
    made = {f"{name}.{part}": _without_closed_items(_untitled(schema)) for part, schema in parts.items()}
    return {**made, f"{EVENTS}.{name}": {"oneOf": events, "description": f"An event of {name}."}}


def _untitled(schema: dict[str, object]) -> dict[str, object]:
    return {key: said for key, said in schema.items() if key != "title"}


def _shape(converter: object, field: object, **others: object) -> dict[str, object]:
    """How the document refers to a shape of the output."""
    return {"$ref": f"{REFERENCE}{field.shape}"} if isinstance(field, Shape) else {}


def _without_closed_items(schema: object) -> dict[str, object]:
    """The schema without `items: false`, which is taken for a name; `maxItems` says the same."""
    return cast(dict[str, object], _open(schema))


def _open(part: object) -> object:
    if isinstance(part, dict):
        return {key: _open(one) for key, one in part.items() if not (key == "items" and one is False)}
    return [_open(one) for one in part] if isinstance(part, list) else part


def _refused(error: HTTPException) -> Response:
    return http_problem(error) if request.path.startswith(PREFIX + "/") else headers._page(error)


def _across(answer: Response) -> Response:
    """Say with an answer whether pages of other hosts may read it: a static site sends a game to an event's server.

    Only the operations that begin a game, append to it and read what was appended, and only with a token in the
    request's header. A browser never adds such a header by itself, so a page reads no more than who has a token let it.
    Cookies count for nothing here: a browser does not hand an answer for any host ("*") to a page that asked with them.
    """
    found = FROM_ANYWHERE.fullmatch(request.path)
    if "Origin" not in request.headers or not found:
        return answer
    methods = EVENT_METHODS if found[1] else GAME_METHODS
    if request.method == "OPTIONS" and request.headers.get("Access-Control-Request-Method") in methods:
        answer.headers["Access-Control-Allow-Methods"] = ", ".join(sorted(methods))
        answer.headers["Access-Control-Allow-Headers"] = "authorization, content-type"
        answer.headers["Access-Control-Max-Age"] = PREFLIGHT_SECONDS
        answer.headers["Access-Control-Allow-Origin"] = "*"
    elif request.method in methods and "Authorization" in request.headers:
        answer.headers["Access-Control-Allow-Origin"] = "*"
    return answer


@page.get("/")
def try_out() -> Response:
    """The document as a page: read it, try an operation. Its scripts and styles come from an installed package."""
    answer = make_response(render_template("api.html"))
    policy = POLICY.format("'none'").replace("img-src 'self'", "img-src 'self' data:")
    answer.headers["Content-Security-Policy"] = policy
    return answer


@page.get("/page/<path:filename>")
def asset(filename: str) -> Response:
    """A script or a style of the page."""
    if filename not in PAGE_ASSETS:
        abort(404)
    try:
        package = resources.files(PAGE_PACKAGE)
    except ModuleNotFoundError:  # a browser that runs this program does without it
        abort(404)
    return send_from_directory(str(package.joinpath("dist")), filename)
