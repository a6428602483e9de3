"""What the page of a game shows: its words, the strip of turns, and what may come after a step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from flask import request, url_for
from markupsafe import Markup
from msgspec import to_builtins

from audit.core.disclosure import JUDGE
from audit.core.ruleset import ruleset, rulesets
from audit.core.scene_changes import GRAINS
from replays.errors import LogError
from replays.judging.sentences import Json
from replays.table.variations import Variation, with_lines
from web.drawing.tree import Attributes, Node, markup, node
from web.games.address import GameAddress, Label, quotes, readings, variation
from web.games.library import strings
from web.games.payload import Prepared, editions_of, script_json
from web.games.steps import MAX_SHOWN_DEPTH, standing_words, step_sentence
from web.scenes import scene_maker_of, signs_of
from web.scenes.cards import How
from web.scenes.facing import columns, focused
from web.scenes.tree import scene_tree
from web.site.headers import viewpoints
from web.site.labels import chosen, rule_title, script_words

BARS = 1200
"""The most bars drawn. In a longer game one bar stands for several steps and shows the deepest of them."""

MARKED = 400
"""The most findings marked."""

HIGH = 40
"""How tall a bar can be, in the strip's own units."""


def strip(game: Prepared, view: GameAddress) -> Markup:
    """The strip of a game; each finding is a link, and the script makes all of it one."""
    total = game.last + 1
    stretched: Attributes = {"viewBox": f"0 0 {total} {HIGH}", "preserveAspectRatio": "none", "class": "bars"}
    stretched.update({"width": "100%", "height": HIGH, "y": 14})
    recorded, inferred, aside = bars(game)
    inner = node(
        "svg",
        stretched,
        node("path", {"class": "bar", "d": recorded}),
        node("path", {"class": "bar inferred", "d": inferred}),
        node("path", {"class": "bar aside", "d": aside}),
    )
    parts: list[Node | str] = [*_bands(game), *_fork(game), inner, *_marks(game, view), _cursor(view.step, total)]
    return markup(node("svg", {"class": "strip-picture", "width": "100%", "height": 56}, *parts))


def ribbon(game: Prepared, view: GameAddress) -> Markup:
    """Which chapter this is and which part of it, between the chapter before and the one after."""
    names = game.scenes[view.step].chapter_parts
    starts = [(band.start, str(band.chapter)) for band in game.bands]
    here = max(at for at, (start, _) in enumerate(starts) if start <= view.step)
    end = starts[here + 1][0] if here + 1 < len(starts) else game.last + 1
    parts = [(start, names[at]) for start, at in game.parts if starts[here][0] <= start < end]
    now = max((start for start, _ in parts if start <= view.step), default=-1)
    tree = [_chapter(starts[here - 1], "before", view)] if here and starts[here - 1][1] else []
    tree.append(node("b", {"class": "chapter"}, starts[here][1]))
    if parts:
        tree.append(node("ol", {}, *(_part(start, name, view, is_now=start == now) for start, name in parts)))
    if here + 1 < len(starts):
        tree.append(_chapter(starts[here + 1], "after", view))
    return Markup("").join(map(markup, tree))


def _chapter(chapter: tuple[int, str], kind: str, view: GameAddress) -> Node:
    start, name = chapter
    return node("a", {"class": f"chapter {kind}", "href": view.address(step=start), "data-step": start}, name)


def _part(start: int, name: str, view: GameAddress, *, is_now: bool) -> Node:
    link = node("a", {"href": view.address(step=start), "data-step": start}, name)
    return node("li", {"aria-current": "step"} if is_now else {}, link)


def bars(game: Prepared) -> tuple[str, str, str]:
    """The bars as three paths: of what was recorded, of what was inferred, and of what stands no longer."""
    each = max(1, -(-(game.last + 1) // BARS))
    paths: tuple[list[str], list[str], list[str]] = ([], [], [])
    aside = {step for each in game.asides for step in range(each.first, each.last + 1)}
    for start in range(0, game.last + 1, each):
        steps = range(start, min(start + each, game.last + 1))
        tall = 6 + max(game.depths[n] for n in steps) * (HIGH - 6) // MAX_SHOWN_DEPTH
        kind = 2 if aside.issuperset(steps) else int(all(game.verdicts[n] == "inferred" for n in steps))
        paths[kind].append(f"M{start} {HIGH}v-{tall}h{each}v{tall}")
    recorded, inferred, superseded = map("".join, paths)
    return recorded, inferred, superseded


def _bands(game: Prepared) -> list[Node | str]:
    total = game.last + 1
    found: list[Node | str] = []
    for number, band in enumerate(game.bands[:MARKED]):
        side = "second" if number % 2 else "first"
        box: Attributes = {"x": _percent(band.start, total), "width": _percent(band.end - band.start, total)}
        found.append(node("rect", {"class": f"band {side}", **box, "y": 0, "height": 56}))
    return found


def _fork(game: Prepared) -> list[Node | str]:
    """The stretch that is a variation and not in the record."""
    if game.left_after is None or game.fork == game.last:
        return []
    total = game.last + 1
    box: Attributes = {"x": _percent(game.fork + 1, total), "width": _percent(game.last - game.fork, total)}
    return [node("rect", {"class": "fork", **box, "y": 0, "height": 56})]


def _marks(game: Prepared, view: GameAddress) -> list[Node | str]:
    total = game.last + 1
    found: list[Node | str] = []
    for step in game.findings[:MARKED]:
        at = _percent(2 * step + 1, 2 * total)
        line = node("line", {"x1": at, "x2": at, "y1": 15, "y2": 54, "class": "finding"})
        sort = game.verdicts[step]
        sign = node("use", {"href": f"#i-{sort}", "x": at, "y": 1, "width": 13, "height": 13, "class": f"mark {sort}"})
        link: Attributes = {"href": view.address(step=step), "aria-label": step_sentence(game, step)}
        found.append(node("a", link, node("title", {}, str(step)), line, node("g", {"class": "centred"}, sign)))
    return found


def _cursor(step: int, total: int) -> Node:
    at = _percent(2 * step + 1, 2 * total)
    return node("line", {"class": "cursor", "x1": at, "x2": at, "y1": 0, "y2": 56})


def _percent(part: int, whole: int) -> str:
    return f"{part * 100 / whole:.3f}%"


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
