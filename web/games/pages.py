"""The list of games, and one game at any step."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import cast

from flask import Blueprint, Flask, Response, abort, current_app, render_template, request, url_for
from flask_babel import gettext as _
from msgspec import to_builtins
from msgspec.structs import replace

from audit.core.disclosure import JUDGE
from audit.core.ruleset import ruleset, rulesets
from audit.core.scene import pending_words
from audit.core.scene_grains import GRAINS
from audit.core.typography import labelled
from replays.cache import Cache
from replays.cases.note import NoteKind
from replays.errors import LogError
from replays.judging.sentences import Json
from replays.table.variations import Variation, with_lines
from web.drawing.flow import WIDE
from web.drawing.moving import STEPS, Frame, moving
from web.drawing.tree import can_be_made, icons, markup, png
from web.games.address import (
    GameAddress,
    Label,
    labels,
    library,
    page_asked,
    quotes,
    readings,
    requested_game,
    variation,
)
from web.games.library import Filters, strings
from web.games.notes import may_write, notes_version, shown_notes
from web.games.payload import VERDICTS, Prepared, editions_of, known_setup, script_json
from web.games.steps import standing_words, step_sentence, trust_words
from web.games.strip import ribbon, strip
from web.scenes import needs_of_all, scene_maker_of, scene_picture, signs_of
from web.scenes.board_layout import Needs
from web.scenes.cards import How
from web.scenes.facing import columns, focused
from web.scenes.tree import scene_tree
from web.site.conditional_get import validator
from web.site.file_problems import file_problems
from web.site.headers import PICTURE_POLICY, cached, viewpoints
from web.site.labels import (
    fidelity_words,
    grain_words,
    kind_of_note,
    kind_words,
    line_example,
    reason,
    rule_title,
    ruleset_title,
    script_words,
    verdict_words,
    viewer_words,
)
from web.site.languages import chosen, page_of_links
from web.site.limits import limited
from web.site.reader import reader

games = Blueprint("games", __name__)
MAX_OFFERED = 60
"""At most so many candidates of a decision are listed."""
NEIGHBOURS = 12
"""Without a script, how many steps before and after the current one are listed."""


def add_to(app: Flask) -> None:
    """Serve the games."""
    app.register_blueprint(games)
    app.extensions["audit.prepared"] = Cache()
    app.extensions["audit.pictures"] = Cache(256)
    app.jinja_env.globals.update(
        verdict_words=verdict_words, fidelity_words=fidelity_words, ruleset_title=ruleset_title, rule_title=rule_title,
        line_example=line_example,
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
    filters = Filters(asked["player"], asked["ruleset"], asked["rule"], asked["verdict"])
    number = page_asked(asked["page"])
    page = library().games(asked["q"], filters, number)
    kept = {name: value for name, value in asked.items() if value and name != "page"}
    return render_template(
        "games.html", page=page, asked=asked, kept=kept, rulesets=rulesets(), verdicts=tuple(VERDICTS),
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


def page_words(view: GameAddress, game: Prepared, beside: Sequence[Label] = ()) -> dict[str, object]:
    """Everything a game page shows, with and without a script; `beside` names the variations."""
    step, scene = game.steps[view.step], game.scenes[view.step]
    column = view.column or focused(scene, game.changes[view.step].focus)
    how: How = {
        "bottom": _bottom(game, view), "column": column, "players": game.players,
        "link": view.address(request.endpoint or "games.game", step=view.step, column="COLUMN"),
        "cards": view.cards_page(game.replay.ruleset),
    }  # fmt: skip
    drawn = markup(scene_tree(scene, game.changes[view.step], how))
    near = range(max(0, view.step - NEIGHBOURS), min(game.last, view.step + NEIGHBOURS) + 1)
    return {
        "view": view, "game": game, "step": step, "scene": scene, "drawn": drawn, "near": near,
        "columns": columns(scene), "table_signs": signs_of(game.replay.ruleset),
        "meanings": meanings_of(game.replay.ruleset),
        "header": game.replay.header,
        "strip": strip(game, view), "ribbon": ribbon(game, view), "grains": GRAINS,
        "band": game.band(view.step), "viewers": viewpoints(game.seats, view.id),
        "rules": game.rules,
        "readings": readings(game.replay.ruleset), "data": script_json(_data(view, game, how)),
        "could": offered(view, game, view.step) if view.lists_options() else [], "instead": game.instead(view.step),
        "causes": game.causes(view.step), "standing": standing_words(game, view.step), "editions_of": editions_of,
        "spoken": step_sentence(game, view.step), "beside": beside,
        "quotes": {rule: quotes().of(game.replay.ruleset, rule) for rule in cast(Sequence[str], step["rules"])[:1]},
    }  # fmt: skip


def meanings_of(name: str) -> tuple[tuple[str, str, str], ...]:
    """What the signs on the tables of a game mean, each with its name and its sample."""
    return scene_maker_of(name).meanings(chosen())


def _data(view: GameAddress, game: Prepared, how: How) -> dict[str, object]:
    piece = view.step // game.piece
    return {
        "id": view.id, "title": game.replay.header.game or view.id, "step": view.step, "last": game.last,
        "ruleset": game.replay.ruleset, "viewer": game.replay.viewer, "bottom": _bottom(game, view),
        "language": chosen(), "chunk": game.piece, "table": table_of(game, how), "words": script_words(),
        "rules": _quoted(game),
        "fork": game.fork if game.left_after is not None else None,
        "overview": game.overview(), "chunks": {str(piece): game.chunk(piece)},
        "addresses": {
            "steps": view.address("games.steps", number=0),
            "rule": url_for("rules.rule", name=game.replay.ruleset, rule_id="RULE"),
            "options": view.address("games.options", number=0) if request.endpoint == "games.game" else "",
            "vary": view.address() if request.endpoint == "games.game" else "",
            "live": "" if game.varied else _live(view),
        },
    }  # fmt: skip


def table_of(game: Prepared, how: How) -> dict[str, object]:
    """What every scene of a game needs in the browser: the names of players, the page of all cards."""
    return {"players": game.players, "link": how.get("cards", "")}


def _live(view: GameAddress) -> str:
    """Where an open page hears of new steps; an embedded one through the public's eyes as well."""
    seen_as = {"as": "public"} if request.endpoint == "games.embed" else view.seen_as()
    values: dict[str, object] = {"id": view.id, "reading": view.reading or None, **seen_as}
    return url_for("live.page", **values)  # type: ignore[arg-type]


def _quoted(game: Prepared) -> dict[str, dict[str, object]]:
    """The rules of the game, each with the printed words of the loaded rulebooks."""
    found: dict[str, dict[str, object]] = {}
    for id, words in game.rules.items():
        printed = [to_builtins(quote) for quote in quotes().of(game.replay.ruleset, id)]
        found[id] = {**words, "quotes": printed} if printed else words
    return found


def _bottom(game: Prepared, view: GameAddress) -> str:
    return view.bottom or next(iter(game.seats), "A")


@games.get("/games/<id>/steps/<int:number>")
def steps(id: str, number: int) -> Response:
    """One piece of a long game's steps, as the page itself would carry it."""
    view, game = requested_game(id)
    if number >= len(game.pieces):
        abort(404)
    words = ("steps", id, library().version(id), number, view.viewer, view.reading, view.vary)
    return cached(words, lambda: _json(game.chunk(number)), "application/json")


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
    return cached(words, lambda: _json(offered(view, game, number)), "application/json")


def offered(view: GameAddress, game: Prepared, number: int) -> list[dict[str, object]]:
    """What can be decided after a step, as far as its reader knows the game; each option with its address."""
    at = game.variation_at(number)
    if view.viewer != JUDGE and not game.varied:
        try:
            game = variation(view.id, view.viewer, chosen(), view.reading, str(at))
        except LogError:
            return []
        number = game.last
    decisions = cast("Sequence[Json]", game.replay.decisions_after(number, MAX_OFFERED))
    if (name := game.replay.ruleset) in rulesets():
        decisions = with_lines(ruleset(name), game.replay.header, decisions)
    return [_offer(view, at, game, each) for each in decisions]


def _offer(view: GameAddress, at: Variation, game: Prepared, option: Json) -> dict[str, object]:
    seat = str(option.get("player") or "")
    return {
        "player": game.players.get(seat, seat), "must": option.get("need") == "must",
        **_named_rule(game, option), "says": strings(option.get("sentences")),
        "leads": [view.taking(str(at.going_on(line))) for line in strings(option.get("lines"))],
        "more": option.get("more", 0),
    }  # fmt: skip


def _named_rule(game: Prepared, option: Mapping[str, object]) -> dict[str, object]:
    """The rule an option names first, and its short title; both empty where it names none."""
    rule = next(iter(strings(option.get("rules"))), "")
    return {"rule": rule, "title": rule and rule_title(game.replay.ruleset, rule)}


def could_come(game: Prepared, number: int) -> list[dict[str, object]]:
    """What may come after a step, in sentences, each option with the rule named first."""
    return [
        {"must": option.get("need") == "must", **_named_rule(game, option), "says": says}
        for option in game.replay.options_after(number)
        if (says := strings(option.get("sentences")))
    ]


@games.get("/games/<id>.json")
def as_json(id: str) -> Response:
    """The annotated game, for a program."""
    view, game = requested_game(id)
    replay = game.replay
    words = ("json", id, library().version(id), view.viewer, view.reading, view.vary)
    return cached(words, lambda: _json({
        "game": replay.header.game or id, "ruleset": replay.ruleset, "viewer": replay.viewer,
        "language": replay.language, "reading": view.reading or replay.header.reading, "fidelity": replay.fidelity,
        "diverged_from": replay.diverged_from, "verdicts": replay.counts, "findings": list(replay.findings),
        "steps": list(replay.steps),
    }), "application/json")  # fmt: skip


@games.get("/games/<id>.jsonl")
def as_log(id: str) -> Response:
    """The log: byte for byte for a judge, and for others with what they may know."""
    view, game = requested_game(id)
    words = ("jsonl", id, library().version(id), view.viewer, view.vary)
    if view.viewer != JUDGE:
        return cached(words, lambda: _redacted_log(game), "application/jsonl")
    return cached(words, lambda: game.varied.log() if game.varied else library().log(id), "application/jsonl")


def _redacted_log(game: Prepared) -> bytes:
    header = game.replay.header
    first = {
        "log": header.log, "ruleset": header.ruleset, "game": header.game, "edition": header.edition,
        "reading": header.reading, "players": [{"seat": p.seat, "name": p.name} for p in header.players],
        "first": header.first, "setup": known_setup(game.replay), "meta": header.meta,
    }  # fmt: skip
    return b"".join(_json(record).encode() + b"\n" for record in (first, *game.replay.log()))


@games.get("/games/<id>.svg")
def as_picture(id: str) -> Response:
    """The table at one step as a picture."""
    view, game = requested_game(id)
    words = ("svg", id, library().version(id), view.viewer, view.reading, view.step, view.bottom, view.vary)
    answer = cached(words, lambda: picture(view, game, is_headed=True), "image/svg+xml")
    answer.headers["Content-Security-Policy"] = PICTURE_POLICY
    return answer


@games.get("/games/<id>.png")
def as_png(id: str) -> Response:
    """The same for where a link to a step is shown beside its picture; kept, because it takes a while to make."""
    if not can_be_made():
        abort(404)
    view, game = requested_game(id)
    words = ("png", id, library().version(id), view.viewer, view.reading, view.step, view.bottom, view.vary, chosen())
    kept = cast(Cache, current_app.extensions["audit.pictures"])
    return cached(words, lambda: kept.get(words, lambda: png(picture(view, game, is_headed=True))), "image/png")


@games.get("/games/<id>.gif")
def as_gif(id: str) -> Response:
    """The last steps up to one as a moving picture; kept, because it takes a while to make."""
    if not can_be_made():
        abort(404)
    if not reader().is_local:
        limited("costly")
    view, game = requested_game(id)
    words = ("gif", id, library().version(id), view.viewer, view.reading, view.step, view.bottom, view.vary, chosen())
    kept = cast(Cache, current_app.extensions["audit.pictures"])
    return cached(words, lambda: kept.get(words, lambda: moving(frames_to(view, game), "gif")), "image/gif")


def frames_to(view: GameAddress, game: Prepared) -> list[Frame]:
    """The last steps up to the one that is looked at, each with its sentence."""
    steps = range(max(0, view.step - STEPS), view.step + 1)
    needs = needs_of_all([(game.scenes[step], game.changes[step]) for step in steps], _bottom(game, view))
    return [_frame(replace(view, step=step), game, needs) for step in steps]


def _frame(view: GameAddress, game: Prepared, needs: Needs | None) -> Frame:
    said = game.replay.steps[view.step]
    place = " · ".join(filter(None, (_("Step %(step)s", step=view.step), game.heading(view.step))))
    if verdict := verdict_words().get(str(said["verdict"]), "") if view.step in game.findings else "":
        place = f"{place} · {verdict}"
    return Frame(picture(view, game, needs=needs), place, str(said.get("message") or said.get("sentence") or ""))


def picture(
    view: GameAddress, game: Prepared, *, is_headed: bool = False, needs: Needs | None = None, width: int = WIDE
) -> str:
    """The table at one step as a file of its own; no higher than what lies there needs, or than it is told.

    A headed one, which is looked at by itself, says the game, the step, the verdict and what happened.
    """
    how: How = {"bottom": _bottom(game, view), "players": game.players}
    signs, title = signs_of(game.replay.ruleset), step_sentence(game, view.step)
    above = _above(view, game) if is_headed else None
    return scene_picture(game.scenes[view.step], game.changes[view.step], how, signs, title, above, needs, width)


def _above(view: GameAddress, game: Prepared) -> tuple[str, str]:
    step, header = game.steps[view.step], game.replay.header
    place = _("Step %(step)s of %(last)s.", step=view.step, last=game.last)
    verdict = verdict_words().get(str(step["verdict"]), "")
    told = str(step.get("message") or step.get("sentence") or "")
    name = header.game or ruleset_title(game.replay.ruleset)
    verdict = f"{verdict[:1].upper()}{verdict[1:]}"
    seen = viewer_words()[JUDGE] if game.replay.viewer == JUDGE else ""
    where = " · ".join(filter(None, (name, place.rstrip("."), game.heading(view.step), seen)))
    return where, labelled(chosen(), verdict, told) if told else verdict


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
