"""oEmbed: for the address of a step, a frame with the game as the public may see it (https://oembed.com)."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from flask import Flask, Response, abort, current_app, jsonify, request, url_for
from markupsafe import Markup
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect

from replays.errors import NoSuchEventError
from replays.table.variations import VariationError
from web.drawing.tree import PNG_SCALE, can_be_made
from web.games.address import GameAddress, asked_step, beside_in, number_in, prepared, variation
from web.games.downloads import picture
from web.games.payload import Prepared
from web.site.labels import chosen

NAMES = ("step", "seq", "event", "bottom", "vary", "shown")
VARIATION = ("vary", "shown")
PAGES = ("games.game", "games.embed")
WIDTH, HEIGHT = 600, 371
_SIZE = re.compile(r'<svg[^>]* width="(\d+)" height="(\d+)"')

Asked = dict[str, list[str]]
"""What an address says after its question mark."""


def add_to(app: Flask) -> None:
    """Answer whoever asks for a frame."""
    app.add_url_rule("/oembed", "games.oembed", oembed)


def oembed() -> Response:
    """The frame for an address of this viewer, as JSON."""
    if request.args.get("format", "json") != "json":
        abort(501)
    id, asked = _asked(request.args.get("url", "")[:2000])
    game, at = _game(id, asked)
    title = game.replay.header.game or id
    width, height = _within("maxwidth", WIDTH), _within("maxheight", HEIGHT)
    frame = Markup('<iframe src="{}" width="{}" height="{}" title="{}" loading="lazy" style="border:0"></iframe>')
    source = url_for("games.embed", id=id, _external=True, **at)  # type: ignore[arg-type]
    return jsonify({
        "version": "1.0", "type": "rich", "provider_name": "audit",
        "provider_url": url_for("games.index", _external=True), "title": title,
        "html": frame.format(source, width, height, title), "width": width, "height": height, **_picture(id, at, game),
    })  # fmt: skip


def _asked(address: str) -> tuple[str, Asked]:
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


def _game(id: str, asked: Asked) -> tuple[Prepared, Asked]:
    """The game, or the variation of it, and what an address has to say for it: no variation that is not possible."""
    vary = beside_in(asked.get("vary", []), *asked.get("shown", [""])[:1]).text
    try:
        return (variation(id, "public", chosen(), "", vary) if vary else prepared(id, "public", chosen(), "")), asked
    except (VariationError, NoSuchEventError):
        at = {name: said for name, said in asked.items() if name not in VARIATION}
        return prepared(id, "public", chosen(), ""), at


def _within(name: str, most: int) -> int:
    """What is asked for at most, or so much; whoever asks has no more room."""
    return min(most, number_in(request.args.get(name, ""), otherwise=most) or most)


def _picture(id: str, at: Asked, game: Prepared) -> dict[str, object]:
    """The picture of the step, where there is room for it."""
    if not can_be_made():
        return {}
    first = {name: said[0] for name, said in at.items()}
    bottom = first.get("bottom", "")
    step, _ = asked_step(game, first)
    view = GameAddress(id, "public", "", step, 0, "", bottom=bottom if bottom in game.seats else "")
    size = _SIZE.match(picture(view, game, is_headed=True))
    width, height = (int(one) * PNG_SCALE for one in size.groups()) if size else (0, 0)
    if not size or any(_within(name, most) < most for name, most in (("maxwidth", width), ("maxheight", height))):
        return {}
    source = url_for("games.as_png", id=id, _external=True, **{**at, "as": ["public"]})  # type: ignore[arg-type]
    return {"thumbnail_url": source, "thumbnail_width": width, "thumbnail_height": height}
