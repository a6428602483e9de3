"""A game to take away: its log, the annotated game, a step as a picture, the last steps as a moving one."""

from __future__ import annotations

import json
from typing import cast

from flask import Response, abort, current_app
from flask_babel import gettext as _
from msgspec.structs import replace

from audit.core.disclosure import JUDGE
from audit.core.typography import labelled
from replays.files import Cache
from web.drawing.flow import WIDE
from web.drawing.moving import STEPS, Frame, moving
from web.drawing.tree import can_be_made, png
from web.games.address import GameAddress, games, library, requested_game
from web.games.page_words import bottom_of
from web.games.payload import Prepared
from web.games.steps import step_sentence
from web.scenes import needs_of_all, scene_picture, signs_of
from web.scenes.board_layout import Needs
from web.scenes.cards import How
from web.site.headers import PICTURE_POLICY, cached
from web.site.labels import chosen, ruleset_title, verdict_words, viewer_words
from web.site.limits import limited
from web.site.reader import reader


@games.get("/games/<id>.svg")
def as_picture(id: str) -> Response:
    """The table at one step as a picture."""
    view, game = requested_game(id)
    words = ("svg", id, library().version(id), view.viewer, view.reading, view.step, view.bottom, view.vary)
    answer = cached(words, lambda: picture(view, game, is_headed=True), "image/svg+xml")
    answer.headers["Content-Security-Policy"] = PICTURE_POLICY
    return view.as_file(answer, "svg")


@games.get("/games/<id>.png")
def as_png(id: str) -> Response:
    """The same for where a link to a step is shown beside its picture; kept, because it takes a while to make."""
    if not can_be_made():
        abort(404)
    view, game = requested_game(id)
    words = ("png", id, library().version(id), view.viewer, view.reading, view.step, view.bottom, view.vary, chosen())
    kept = cast(Cache, current_app.extensions["audit.pictures"])
    made = cached(words, lambda: kept.get(words, lambda: png(picture(view, game, is_headed=True))), "image/png")
    return view.as_file(made, "png")


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
    made = cached(words, lambda: kept.get(words, lambda: moving(frames_to(view, game), "gif")), "image/gif")
    return view.as_file(made, "gif")


def frames_to(view: GameAddress, game: Prepared) -> list[Frame]:
    """The last steps up to the one that is looked at, each with its sentence."""
    steps = range(max(0, view.step - STEPS), view.step + 1)
    needs = needs_of_all([(game.scenes[step], game.changes[step]) for step in steps], bottom_of(game, view))
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
    how: How = {"bottom": bottom_of(game, view), "players": game.players}
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


@games.get("/games/<id>.json")
def as_json(id: str) -> Response:
    """The annotated game, for a program."""
    view, game = requested_game(id)
    replay = game.replay
    words = ("json", id, library().version(id), view.viewer, view.reading, view.vary)
    return cached(words, lambda: json_text({
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
        "first": header.first, "setup": dict(game.replay.header.setup), "meta": header.meta,
    }  # fmt: skip
    return b"".join(json_text(record).encode() + b"\n" for record in (first, *game.replay.log()))


def json_text(value: object) -> str:
    """A value as JSON in one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
