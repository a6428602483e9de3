"""oEmbed: for the address of a step, a frame with the game as the public may see it (https://oembed.com)."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from flask import Flask, Response, abort, current_app, jsonify, request, url_for
from markupsafe import Markup
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect

from web.drawing import raster
from web.games.address import number_in, prepared
from web.site.languages import chosen

NAMES = ("step", "seq", "event", "bottom", "vary", "shown")
PAGES = ("games.game", "games.embed")
WIDTH, HEIGHT = 600, 371
LEAST = 320


def add_to(app: Flask) -> None:
    """Answer whoever asks for a frame."""
    app.add_url_rule("/oembed", "games.oembed", oembed)


def oembed() -> Response:
    """The frame for an address of this viewer, as JSON."""
    if request.args.get("format", "json") != "json":
        abort(501)
    id, at = _asked(request.args.get("url", "")[:2000])
    game = prepared(id, "public", chosen(), "")
    title = game.replay.header.game or id
    width, height = (_within(name, most) for name, most in (("maxwidth", WIDTH), ("maxheight", HEIGHT)))
    frame = Markup('<iframe src="{}" width="{}" height="{}" title="{}" loading="lazy" style="border:0"></iframe>')
    source = url_for("games.embed", id=id, _external=True, **at)  # type: ignore[arg-type]
    return jsonify({
        "version": "1.0", "type": "rich", "provider_name": "audit",
        "provider_url": url_for("games.index", _external=True), "title": title,
        "html": frame.format(source, width, height, title), "width": width, "height": height, **_picture(id, at),
    })  # fmt: skip


def _asked(address: str) -> tuple[str, dict[str, list[str]]]:
    """The game, the step and the variations of an address; 404 for any other address than that of a game here."""
    try:
        parts = urlsplit(address)
        if parts.netloc != request.host:
            abort(404)
        adapter = current_app.create_url_adapter(request)
        endpoint, values = adapter.match(parts.path, method="GET") if adapter else ("", {})
    except (ValueError, RequestRedirect):
        abort(404)
    except HTTPException:
        abort(404)
    if endpoint not in PAGES:
        abort(404)
    asked = parse_qs(parts.query)
    return str(values["id"]), {name: asked[name] for name in NAMES if name in asked}


def _within(name: str, most: int) -> int:
    return max(LEAST, min(most, number_in(request.args.get(name, ""), otherwise=most)))


def _picture(id: str, at: dict[str, list[str]]) -> dict[str, object]:
    if not raster.can_be_made():
        return {}
    source = url_for("games.as_png", id=id, _external=True, **{**at, "as": ["public"]})  # type: ignore[arg-type]
    return {"thumbnail_url": source, "thumbnail_width": 900, "thumbnail_height": 640}
