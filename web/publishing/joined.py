"""The scripts and styles of the pages of games and of the table, each joined to one file."""

from __future__ import annotations

from functools import cache
from importlib import resources

from flask import Flask, Response, abort, current_app, make_response

from web.publishing.bundle import bundle

STYLES = ("base.css", "viewer.css", "table.css", "across.css", "tints.css")
SHEETS = {"viewer.css": STYLES, "desk.css": ("base.css", "table.css", "across.css", "tints.css", "desk/desk.css")}
SCRIPTS = {"viewer.js": "viewer.js", "ask.js": "desk/ask.js", "record.js": "desk/record.js"}


def add_to(app: Flask) -> None:
    """Serve the joined files beside the single ones, under the version of all of them."""
    app.add_url_rule(f"{app.static_url_path}/joined/<name>", "joined", joined)


def joined(name: str) -> Response:
    """One of the joined files, to be kept for good: its address has a version."""
    if name not in SHEETS and name not in SCRIPTS:
        abort(404)
    answer = make_response(_text(name))
    answer.mimetype = "text/css" if name in SHEETS else "text/javascript"
    answer.cache_control.public = True
    answer.cache_control.max_age = current_app.get_send_file_max_age(name)
    return answer


@cache
def _text(name: str) -> str:
    return style(*SHEETS[name]) if name in SHEETS else bundle(SCRIPTS[name])


def style(*names: str) -> str:
    """These style sheets, one after the other."""
    folder = resources.files("web").joinpath("static")
    return "\n".join(folder.joinpath(name).read_text("utf-8") for name in names)
