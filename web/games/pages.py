"""The list of games, and one game at any step."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Flask, Response, abort, render_template, request, url_for

from audit.core.ruleset import rulesets
from audit.core.scene import pending_words
from audit.rulebooks.titles import rules_titled
from replays.cases.note import NoteKind
from replays.files import Cache
from web.drawing.tree import can_be_made, icons
from web.games import downloads  # noqa: F401  (its addresses belong to the same blueprint)
from web.games.address import games, labels, library, page_asked, quotes, requested_game
from web.games.downloads import json_text
from web.games.library import Filters
from web.games.notes import may_write, notes_version, shown_notes
from web.games.page_words import offered, page_words
from web.games.payload import VERDICTS
from web.games.steps import trust_words
from web.site.headers import cached, validator, viewpoints
from web.site.labels import (
    fidelity_words,
    file_problems,
    grain_words,
    kind_of_note,
    kind_words,
    line_example,
    page_of_links,
    reason,
    rule_title,
    ruleset_title,
    script_words,
    sharing_words,
    verdict_words,
    viewer_words,
)
from web.site.reader import reader


def add_to(app: Flask) -> None:
    """Serve the games."""
    app.register_blueprint(games)
    app.extensions["audit.prepared"] = Cache()
    app.extensions["audit.pictures"] = Cache(256)
    app.jinja_env.globals.update(
        verdict_words=verdict_words, fidelity_words=fidelity_words, ruleset_title=ruleset_title, rule_title=rule_title,
        line_example=line_example, sharing_words=sharing_words,
        icons=icons(), pending_words=pending_words, viewer_words=viewer_words, script_words=script_words,
        grain_words=grain_words,
        kind_words=kind_words, kind_of_note=kind_of_note, reason=reason, here=here,
        is_nobody=lambda: reader().token is None,
        view_functions=app.view_functions, trust_words=trust_words,
        has_png=can_be_made,
    )  # fmt: skip


def here(**changed: object) -> str:
    """The address of this page with something changed."""
    if elsewhere := page_of_links():
        return url_for(elsewhere[0], **{**elsewhere[1], **changed})  # type: ignore[arg-type]
    if request.endpoint is None:
        return url_for("games.index", **changed)  # type: ignore[arg-type]
    values = {**request.args.to_dict(flat=False), **(request.view_args or {}), **changed}
    return url_for(request.endpoint, **values)


@games.get("/")
@games.get("/games", alias=True)
def index() -> Response:
    """The games, fifty a page."""
    names = ("q", "player", "ruleset", "rule", "verdict", "page")
    asked = {name: request.args.get(name, "")[:200] for name in names}
    games_library = library()
    words = ("games", *asked.values(), games_library.reader.is_local)
    return cached(words, lambda: _list(asked), on=validator(lambda: (games_library.state(),)))


def _list(asked: Mapping[str, str]) -> str:
    rule = next(iter(rules_titled(asked["rule"])), asked["rule"])
    filters = Filters(asked["player"], asked["ruleset"], rule, asked["verdict"])
    number = page_asked(asked["page"])
    page = library().games(asked["q"], filters, number)
    kept = {name: value for name, value in asked.items() if value and name != "page"}
    return render_template(
        "games.html", page=page, asked=asked, kept=kept, rulesets=rulesets(), verdicts=tuple(VERDICTS),
        marks_sharing=reader().is_judge, sharing=library().sharing,
        waiting=library().waiting(), unread=[(one.name, file_problems(one.problem)) for one in library().unread()],
    )  # fmt: skip


@games.get("/games/<id>")
def game(id: str) -> Response:
    """One game at one step."""
    return _cached_game(id, "game.html", id_of_page="game")


@games.get("/embed/<id>")
def embed(id: str) -> Response:
    """One game for a frame in another page: what is public and nothing else."""
    return _cached_game(id, "embed.html", id_of_page="embed")


def _cached_game(id: str, template: str, id_of_page: str) -> Response:
    public = id_of_page == "embed"
    names = ("step", "seq", "event", "as", "reading", "column", "grain", "bottom", "vary", "shown", "decision", "could")
    args = [(name, value) for name, value in request.args.items(multi=True) if name in names]
    games_library, printed = library(), quotes()
    on = validator(lambda: (games_library.version(id), printed.version(), notes_version(games_library.inner, id)))
    return cached((id_of_page, id, args, viewpoints(game=id)), lambda: _game_page(id, template, public), on=on)


def _game_page(id: str, template: str, public: bool) -> str:
    view, game = requested_game(id, public=public)
    more = {
        "notes": shown_notes(id, game.replay.viewer),
        "may_note": not public and may_write(id),
        "note_kinds": NoteKind,
    }
    return render_template(template, **page_words(view, game, labels(view)), **more)


@games.get("/games/<id>/steps/<int:number>")
def steps(id: str, number: int) -> Response:
    """One piece of a long game's steps, as the page itself would carry it."""
    view, game = requested_game(id)
    if number >= len(game.pieces):
        abort(404)
    words = ("steps", id, library().version(id), number, view.viewer, view.reading, view.vary)
    return cached(words, lambda: json_text(game.chunk(number)), "application/json")


@games.get("/games/<id>/options/<int:number>")
def options(id: str, number: int) -> Response:
    """What may come after a step. For a viewer it is made of the log that this viewer could have written."""
    view, game = requested_game(id)
    if number > game.last:
        abort(404)
    words = (
        "options",
        id,
        library().version(id),
        number,
        view.viewer,
        view.reading,
        view.beside,
        view.bottom,
        view.grain,
    )
    return cached(words, lambda: json_text(offered(view, game, number)), "application/json")
