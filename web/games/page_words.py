"""What the page of a game shows, with and without a script, and what may come after a step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from flask import request, url_for
from msgspec import to_builtins

from audit.core.disclosure import JUDGE
from audit.core.ruleset import ruleset, rulesets
from audit.core.scene_grains import GRAINS
from replays.errors import LogError
from replays.judging.sentences import Json
from replays.table.variations import Variation, with_lines
from web.drawing.tree import markup
from web.games.address import (
    GameAddress,
    Label,
    quotes,
    readings,
    variation,
)
from web.games.library import strings
from web.games.payload import Prepared, editions_of, script_json
from web.games.steps import standing_words, step_sentence
from web.games.strip import ribbon, strip
from web.scenes import scene_maker_of, signs_of
from web.scenes.cards import How
from web.scenes.facing import columns, focused
from web.scenes.tree import scene_tree
from web.site.headers import viewpoints
from web.site.labels import (
    rule_title,
    script_words,
)
from web.site.languages import chosen

MAX_OFFERED = 60
"""At most so many candidates of a decision are listed."""


NEIGHBOURS = 12
"""Without a script, how many steps before and after the current one are listed."""


def page_words(view: GameAddress, game: Prepared, beside: Sequence[Label] = ()) -> dict[str, object]:
    """Everything a game page shows, with and without a script; `beside` names the variations."""
    step, scene = game.steps[view.step], game.scenes[view.step]
    column = view.column or focused(scene, game.changes[view.step].focus)
    how: How = {
        "bottom": bottom_of(game, view), "column": column, "players": game.players,
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
        "ruleset": game.replay.ruleset, "viewer": game.replay.viewer, "bottom": bottom_of(game, view),
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


def bottom_of(game: Prepared, view: GameAddress) -> str:
    """The seat at the bottom of a table across."""
    return view.bottom or next(iter(game.seats), "A")


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
