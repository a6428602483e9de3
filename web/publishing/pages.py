"""The published file of a game at an address of its own: `/games/<id>.html`."""

from __future__ import annotations

from flask import Flask, Response

from audit.catalogue import LANGUAGES
from web.games.address import library, requested_game
from web.publishing.sources import source_from
from web.site.headers import cached
from web.site.languages import chosen


def add_to(app: Flask) -> None:
    """Serve the files."""
    app.add_url_rule("/games/<id>.html", "games.published", published)


def published(id: str) -> Response:
    """The game as one file that opens offline, as its reader may see it, its own language first."""
    from web.publishing.files import policy_of, publish_html  # it makes an application of its own

    view, _game = requested_game(id)
    languages = (chosen(), *(code for code in LANGUAGES if code != chosen()))
    seal = library().seal(id)
    words = ("published", id, library().version(id), view.viewer, seal.head if seal else "", seal and seal.signatures)
    answer = cached(words, lambda: publish_html(source_from(library().log(id), seal), view.viewer, languages))
    answer.headers["Content-Security-Policy"] = f"{policy_of()}; frame-ancestors 'none'"
    return answer
