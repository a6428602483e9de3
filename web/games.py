"""The list of games, and one game at any step."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import cast

from flask import Blueprint, Flask, Response, abort, current_app, render_template, request, url_for
from flask_babel import gettext as _
from msgspec import Struct, to_builtins

from audit.errors import UnknownReadingError
from audit.ruleset import ruleset, rulesets
from web.drawing import geometry, markup, standalone
from web.headers import PICTURE_POLICY, cached, viewpoints
from web.languages import chosen
from web.library import Filters, Kept, Library, strings
from web.payload import CHUNK, VERDICTS, Prepared, script_json
from web.quotes import Quotes
from web.strip import strip
from web.words import (
    band_words,
    fidelity_words,
    frame_words,
    kind_words,
    reason,
    ruleset_title,
    script_words,
    spoken,
    verdict_words,
    viewer_words,
)

games = Blueprint("games", __name__)
NEIGHBOURS = 12
"""So many steps before and after the current one are listed in a page that has no script."""


class View(Struct, frozen=True):
    """What the address asks for: which game, through whose eyes, under which reading, at which step."""

    id: str
    viewer: str
    reading: str
    step: int
    line: int
    notice: str

    def address(self, endpoint: str = "games.game", **more: object) -> str:
        """The address of another page of this game, with the same eyes and reading."""
        values: dict[str, object] = {"id": self.id, **more}
        if "as" in request.args:
            values.setdefault("as", self.viewer)
        if self.reading:
            values["reading"] = self.reading
        return url_for(endpoint, **values)  # type: ignore[arg-type]


def add_to(app: Flask) -> None:
    """Serve the games."""
    app.register_blueprint(games)
    app.extensions["audit.prepared"] = Kept()
    app.jinja_env.globals.update(
        verdict_words=verdict_words, fidelity_words=fidelity_words, ruleset_title=ruleset_title,
        icons=geometry()["icons"], signs=geometry()["signs"], viewer_words=viewer_words, script_words=script_words,
        kind_words=kind_words, frame_words=frame_words, band_words=band_words, reason=reason, here=here,
        view_functions=app.view_functions,
    )  # fmt: skip


def library() -> Library:
    """The games of this application."""
    return cast(Library, current_app.extensions["audit.library"])


def quotes() -> Quotes:
    """The loaded rulebooks of this application."""
    return cast(Quotes, current_app.extensions["audit.quotes"])


def here(**changed: object) -> str:
    """The address of this page with something changed."""
    if request.endpoint is None:
        return url_for("games.index", **changed)  # type: ignore[arg-type]
    values = {**request.args, **(request.view_args or {}), **changed}
    return url_for(request.endpoint, **values)


@games.get("/")
def index() -> Response:
    """The games, fifty a page."""
    names = ("q", "player", "ruleset", "rule", "verdict", "page")
    asked = {name: request.args.get(name, "")[:200] for name in names}
    return cached(("games", library().state(), *asked.values()), lambda: _list(asked))


def _list(asked: Mapping[str, str]) -> str:
    filters = Filters(asked["player"], asked["ruleset"], asked["rule"], asked["verdict"])
    number = int(asked["page"]) if asked["page"].isascii() and asked["page"].isdigit() else 1
    page = library().games(asked["q"], filters, number)
    kept = {name: value for name, value in asked.items() if value and name != "page"}
    return render_template(
        "games.html", page=page, asked=asked, kept=kept, rulesets=rulesets(), verdicts=tuple(VERDICTS)
    )


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
    args = sorted((name, value) for name, value in request.args.items() if name in ("step", "as", "reading", "line"))
    words = (id_of_page, id, library().version(id), quotes().version(), args, viewpoints())
    return cached(words, lambda: _game_page(id, template, public))


def _game_page(id: str, template: str, public: bool) -> str:
    view, game = asked_for(id, public=public)
    return render_template(template, **page_words(view, game))


def page_words(view: View, game: Prepared) -> dict[str, object]:
    """All that a page of one game shows, with and without a script."""
    step = game.steps[view.step]
    table_words = game.table.words(game.states, game.players, chosen())
    table_words["link"] = url_for("cards.cards", name=game.replay.ruleset)
    how = {
        "layout": "narrow" if view.line else "wide", "line": view.line or 1, "bottom": _bottom(game), "hide": False,
        "link": view.address(request.endpoint or "games.game", step=view.step, line="LINE"),
    }  # fmt: skip
    drawn = markup(game.table.draw(game.states[view.step], game.changes[view.step], table_words, how))
    near = range(max(0, view.step - NEIGHBOURS), min(game.last, view.step + NEIGHBOURS) + 1)
    return {
        "view": view, "game": game, "step": step, "table_words": table_words, "drawn": drawn, "near": near,
        "header": game.replay.header,
        "strip": strip(game, view), "band": game.band(view.step), "viewers": _viewers(game), "rules": game.rules,
        "readings": readings(game.replay.ruleset), "data": script_json(_data(view, game, table_words)),
        "could": could_come(game, view.step) if view.viewer == "judge" else [],
        "causes": game.causes(view.step), "spoken": spoken(game, view.step),
        "quotes": {rule: quotes().of(game.replay.ruleset, rule) for rule in cast(Sequence[str], step["rules"])[:1]},
    }  # fmt: skip


def _data(view: View, game: Prepared, table_words: Mapping[str, object]) -> dict[str, object]:
    piece = view.step // CHUNK
    return {
        "id": view.id, "title": game.replay.header.game or view.id, "step": view.step, "last": game.last,
        "ruleset": game.replay.ruleset, "viewer": game.replay.viewer, "bottom": _bottom(game),
        "language": chosen(), "script": game.table.SCRIPT, "chunk": CHUNK,
        "geometry": geometry(), "table": table_words, "words": script_words(), "rules": _quoted(game),
        "overview": game.overview(), "chunks": {str(piece): game.chunk(piece)},
        "addresses": {
            "steps": view.address("games.steps", number=0),
            "rule": url_for("rules.rule", name=game.replay.ruleset, rule_id="RULE"),
            "options": view.address("games.options", number=0) if view.viewer == "judge" else "",
        },
    }  # fmt: skip


def _quoted(game: Prepared) -> dict[str, dict[str, object]]:
    """The rules of the game, each with the printed words of the loaded rulebooks."""
    found: dict[str, dict[str, object]] = {}
    for id, words in game.rules.items():
        printed = [to_builtins(quote) for quote in quotes().of(game.replay.ruleset, id)]
        found[id] = {**words, "quotes": printed} if printed else words
    return found


def _bottom(game: Prepared) -> str:
    return next(iter(game.seats), "A")


@games.get("/games/<id>/steps/<int:number>")
def steps(id: str, number: int) -> Response:
    """One piece of a long game's steps, as the page itself would carry it."""
    view, game = asked_for(id)
    if number > game.last // CHUNK:
        abort(404)
    words = ("steps", id, library().version(id), number, view.viewer, view.reading)
    return cached(words, lambda: _json(game.chunk(number)), "application/json")


@games.get("/games/<id>/options/<int:number>")
def options(id: str, number: int) -> Response:
    """What may come after a step. Only for a judge: what can be played tells what is held."""
    view, game = asked_for(id)
    if number > game.last:
        abort(404)
    if view.viewer != "judge":
        abort(403, description=_("What may come would give away what is held; a judge can see it."))
    words = ("options", id, library().version(id), number, view.reading)
    return cached(words, lambda: _json(could_come(game, number)), "application/json")


def could_come(game: Prepared, number: int) -> list[dict[str, object]]:
    """What may come after a step, in sentences, each option with the rule named first."""
    return [
        {"must": option.get("need") == "must", "rule": next(iter(strings(option.get("rules"))), ""), "says": says}
        for option in game.replay.options_after(number)
        if (says := strings(option.get("sentences")))
    ]


@games.get("/games/<id>.json")
def as_json(id: str) -> Response:
    """The annotated game, for a program."""
    view, game = asked_for(id)
    replay = game.replay
    words = ("json", id, library().version(id), view.viewer, view.reading)
    return cached(words, lambda: _json({
        "game": replay.header.game or id, "ruleset": replay.ruleset, "viewer": replay.viewer,
        "language": replay.language, "reading": view.reading or replay.header.reading, "fidelity": replay.fidelity,
        "diverged_from": replay.diverged_from, "verdicts": replay.counts, "findings": list(replay.findings),
        "steps": list(replay.steps),
    }), "application/json")  # fmt: skip


@games.get("/games/<id>.jsonl")
def as_log(id: str) -> Response:
    """The log: byte for byte for a judge, and for others with what they may know."""
    view, game = asked_for(id)
    words = ("jsonl", id, library().version(id), view.viewer)
    make = (lambda: library().log(id)) if view.viewer == "judge" else (lambda: _redacted_log(game))
    return cached(words, make, "application/jsonl")


def _redacted_log(game: Prepared) -> bytes:
    header = game.replay.header
    first = {
        "log": header.log, "ruleset": header.ruleset, "game": header.game, "edition": header.edition,
        "reading": header.reading, "players": [{"seat": p.seat, "name": p.name} for p in header.players],
        "first": header.first, "setup": game.table.public_setup(header.setup), "meta": header.meta,
    }  # fmt: skip
    records = [first, *(step["event"] for step in game.steps if step.get("seq") and step.get("event"))]
    return b"".join(_json(record).encode() + b"\n" for record in records)


@games.get("/games/<id>.svg")
def as_picture(id: str) -> Response:
    """The table at one step as a picture."""
    view, game = asked_for(id)
    words = ("svg", id, library().version(id), view.viewer, view.reading, view.step)
    answer = cached(words, lambda: picture(view, game), "image/svg+xml")
    answer.headers["Content-Security-Policy"] = PICTURE_POLICY
    return answer


def picture(view: View, game: Prepared) -> str:
    """The table at one step as a file of its own."""
    table_words = game.table.words(game.states, game.players, chosen())
    how = {"layout": "wide", "line": 1, "bottom": _bottom(game), "hide": False}
    tree = game.table.draw(game.states[view.step], game.changes[view.step], table_words, how)
    if tree[0] != "svg":
        abort(404)
    return standalone(tree, spoken(game, view.step))


def asked_for(id: str, *, public: bool = False) -> tuple[View, Prepared]:
    """The game through the eyes the address asks for, and the step nearest to the one it asks for."""
    eyes = _eyes(id, public)
    reading = _reading(id)
    game = prepared(id, eyes, chosen(), reading)
    asked = request.args.get("step", "0")
    step, notice = _step(asked, game)
    line = request.args.get("line", "")
    return View(id, eyes, reading, step, int(line) if line in ("1", "2", "3") else 0, notice), game


def prepared(id: str, viewer: str, language: str, reading: str) -> Prepared:
    """A game ready for its pages, kept for the next reader."""
    kept = cast(Kept, current_app.extensions["audit.prepared"])
    key = (id, library().version(id), viewer, language, reading)
    return kept.get(
        key, lambda: Prepared(library().game(id, viewer=viewer, language=language, reading=reading or None))
    )


def _eyes(id: str, public: bool) -> str:
    if public:
        return "public"
    seats = prepared(id, "public", chosen(), "").seats
    allowed = viewpoints(seats)
    asked = request.args.get("as")
    if asked is None:
        return allowed[0]
    if asked not in ("judge", "public", *seats):
        abort(404)
    if asked not in allowed:
        abort(403, description=_("Only the public view of this game is open to you."))
    return asked


def _reading(id: str) -> str:
    asked = request.args.get("reading", "")
    if not asked:
        return ""
    name = prepared(id, "public", chosen(), "").replay.ruleset
    try:
        ruleset(name).reading(asked)
    except UnknownReadingError:
        abort(404)
    return asked


def readings(name: str) -> tuple[str, ...]:
    """The names of the readings of a ruleset."""
    return tuple(ruleset(name).readings) if name in rulesets() else ("standard",)


def _step(asked: str, game: Prepared) -> tuple[int, str]:
    try:
        wanted = int(asked[:20])
    except ValueError:
        return 0, _("The address names no step; this is the start.")
    step = game.nearest(wanted)
    if step == wanted:
        return step, ""
    return step, _("There is no step %(wanted)s; this is step %(step)s, the nearest.", wanted=wanted, step=step)


def _viewers(game: Prepared) -> tuple[str, ...]:
    return viewpoints(game.seats)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
