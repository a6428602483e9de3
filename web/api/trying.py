"""The page of the API: read the document, try an operation. Its scripts and styles come from an installed package."""

from __future__ import annotations

from importlib import resources

from flask import Blueprint, Response, abort, make_response, render_template, send_from_directory

from web.site.headers import POLICY

PACKAGE = "flask_swagger_ui"
ASSETS = frozenset({"swagger-ui.css", "swagger-ui-bundle.js"})
"""What the page needs of the package, and all that is served of it."""

page = Blueprint("trying", __name__, url_prefix="/api/v1")


@page.get("/")
def read() -> Response:
    """The document as a page."""
    answer = make_response(render_template("api.html"))
    policy = POLICY.format("'none'").replace("img-src 'self'", "img-src 'self' data:")
    answer.headers["Content-Security-Policy"] = policy
    return answer


@page.get("/page/<path:filename>")
def asset(filename: str) -> Response:
    """A script or a style of the page."""
    if filename not in ASSETS:
        abort(404)
    try:
        package = resources.files(PACKAGE)
    except ModuleNotFoundError:  # a browser that runs this program does without it
        abort(404)
    return send_from_directory(str(package.joinpath("dist")), filename)
