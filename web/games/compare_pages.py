"""The pages that compare readings: of one game, and of all games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from flask import Blueprint, Flask, Response, abort, current_app, render_template, request
from msgspec import Struct

from audit.core.errors import UnknownReadingError
from audit.core.ruleset import Ruleset, ruleset
from audit.core.sentences import switch_sentence
from replays.files import Cache
from replays.judging.differences import differences
from replays.season.readings import ReadingChange, between, changes_of, most_consequential
from web.games.address import library, page_asked, prepared, quotes, requested_game
from web.games.library import Filters, Replay
from web.site.headers import cached, viewpoints
from web.site.labels import chosen

compare_pages = Blueprint("compare", __name__)
Json = Mapping[str, object]
MAX_READINGS = 6


class PartingView(Struct, frozen=True):
    """The first recorded event of which the readings do not say the same, with each one's step."""

    seq: int
    said: Mapping[str, Json]


class ReauditView(Struct, frozen=True):
    """A game judged again: its own reading, and the steps with another verdict, before and now."""

    id: str
    title: str
    own: str
    changes: tuple[tuple[Json, Json], ...]


def add_to(app: Flask) -> None:
    """Serve the pages."""
    app.register_blueprint(compare_pages)
    app.extensions["audit.changes"] = Cache(10_000)


@compare_pages.get("/games/<id>/compare")
def of_game(id: str) -> Response:
    """One game, as the reader may know it, judged by each reading."""
    args = sorted((name, value) for name, value in request.args.items() if name in ("readings", "as"))
    words = ("compare", id, library().version(id), quotes().version(), args, viewpoints(game=id))
    return cached(words, lambda: _of_game(id))


def _of_game(id: str) -> str:
    view, first = requested_game(id)
    game = ruleset(first.replay.ruleset)
    names = _asked(game)
    games = {name: prepared(id, view.viewer, chosen(), name) for name in names}
    parting = parted({name: each.replay for name, each in games.items()})
    changes = {change.switch: change.seq for change in _changed(id, view.viewer)} if parting else {}
    switches = sorted(between(game, names), key=lambda switch: changes.get(switch.name, 0))
    last = {name: cast(Json, each.steps[-1]["state"]) for name, each in games.items()}
    return render_template(
        "compare.html", view=view, id=id, header=first.replay.header, names=names, games=games, parting=parting,
        switches=switches, changes=changes, said=_said(game, names),
        ends=differences(game, last, chosen(), first.players),
        after=differences(game, _after(parting), chosen(), first.players), in_words=_in_words(game),
        known=tuple(game.rules.readings), catalogue=game.catalogue,
        viewers=viewpoints(first.seats, id),
    )  # fmt: skip


def _after(parting: PartingView | None) -> dict[str, Json]:
    return {name: cast(Json, step["state"]) for name, step in parting.said.items()} if parting else {}


def _in_words(game: Ruleset[object]) -> dict[str, str]:
    """What each switch turns on, by its name."""
    return {switch.name: switch_sentence(game, switch.name, chosen()) for switch in game.rules.switches}


@compare_pages.get("/compare/<name>")
def everywhere(name: str) -> Response:
    """Which disagreement of the editions ever changed a game, the most consequential first."""
    game = ruleset(name)
    number = request.args.get("page", "")
    words = ("compare-all", name, number, library().state(), quotes().version(), viewpoints())
    return cached(words, lambda: _everywhere(name, game, page_asked(number)))


def _everywhere(name: str, game: Ruleset[object], number: int) -> str:
    page = library().games("", Filters(ruleset=name), number)
    viewer = viewpoints()[0]
    changes = [change for glance in page.games for change in _changed(glance.id, viewer)]
    found = most_consequential(changes, [switch.name for switch in game.rules.switches])
    return render_template(
        "compare_all.html", name=name, page=page, found=found, switches={s.name: s for s in game.rules.switches},
        catalogue=game.catalogue, said=_said(game, tuple(game.rules.readings)), in_words=_in_words(game),
    )  # fmt: skip


@compare_pages.get("/compare/<name>/again")
def again(name: str) -> Response:
    """What another reading makes of games that are kept: the new verdict beside the old, which stays."""
    game = ruleset(name)
    others = [reading for reading, switches in game.rules.readings.items() if switches]
    asked, number = request.args.get("reading", ""), request.args.get("page", "")
    if asked and asked not in others:
        abort(404)
    words = ("again", name, asked, number, library().state(), viewpoints())
    return cached(words, lambda: _again(name, others, asked or next(iter(others), ""), page_asked(number)))


def _again(name: str, others: Sequence[str], reading: str, number: int) -> str:
    page = library().games("", Filters(ruleset=name), number)
    found = [each for glance in page.games if reading and (each := _judged_again(glance.id, reading)).changes]
    return render_template("again.html", name=name, page=page, others=others, reading=reading, found=found)


def _judged_again(id: str, reading: str) -> ReauditView:
    before, now = (prepared(id, viewpoints()[0], chosen(), each).replay for each in ("", reading))
    after = {step["seq"]: step for step in now.steps if step.get("seq")}
    pairs = ((step, after[step["seq"]]) for step in before.steps if step.get("seq") in after)
    changes = tuple((old, new) for old, new in pairs if old["verdict"] != new["verdict"])
    return ReauditView(id, before.header.game or id, before.header.reading, changes)


def parted(replays: Mapping[str, Replay]) -> PartingView | None:
    """Where annotated games first say something else of a recorded event, or leave another position."""
    by_seq = {name: {step["seq"]: step for step in replay.steps if step.get("seq")} for name, replay in replays.items()}
    first, *others = by_seq.values()
    for seq, step in first.items():
        if any(_other(step, other[seq]) for other in others if seq in other):
            return PartingView(cast(int, seq), {name: steps[seq] for name, steps in by_seq.items() if seq in steps})
    return None


def _other(one: Json, other: Json) -> bool:
    return one["verdict"] != other["verdict"] or one["state"] != other["state"]


def _asked(game: Ruleset[object]) -> tuple[str, ...]:
    known = tuple(game.rules.readings)
    asked = tuple(dict.fromkeys(filter(None, request.args.get("readings", "").split(","))))
    names = asked or tuple(filter(None, request.args.getlist("reading"))) or known[:MAX_READINGS]
    if len(names) > MAX_READINGS:
        abort(400)
    for name in names:
        try:
            game.rules.reading(name)
        except UnknownReadingError:
            abort(404)
    return names


def _said(game: Ruleset[object], names: Sequence[str]) -> Mapping[str, Sequence[object]]:
    """The loaded passages of each rule on which the readings part."""
    name = game.name
    rules = {rule.id for switch in between(game, names) for rule in switch.rules}
    return {rule: quotes().of(name, rule) for rule in rules}


def _changed(id: str, viewer: str) -> Sequence[ReadingChange]:
    kept = cast(Cache, current_app.extensions["audit.changes"])
    games_library = library()
    return kept.get((id, games_library.version(id), viewer), lambda: changes_of(id, games_library.log(id), viewer))
