"""API operations that read: games, their steps and findings, rules, and what many games tell together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import cast

import msgspec
from flask.views import MethodView
from msgspec import Struct

from audit.core.catalogue import Rule
from audit.core.ruleset import ruleset
from replays.season.statistics import COLUMNS, DIMENSIONS, game_row, summary_json
from replays.season.statistics import Filters as FactFilters
from web.api.answers import CountedGames, Counts, Findings, Games, OneGame, Rules, Steps, UsedRule
from web.api.operations import Json, Operation, replay_of, route
from web.api.schemas import CountAsked, CountedAsked, ListAsked, StepsAsked, ViewAsked
from web.games.address import library
from web.games.library import Filters, Glance, Page, Replay
from web.games.payload import statements
from web.season.pages import audience, chosen_facts, counted
from web.site.reader import PUBLIC

COUNT_ERRORS = (401, 403, 422, 429, 503)


@route("/games")
class GamesView(MethodView):
    """The games."""

    @Operation(id="listGames", answer=Games, asked=ListAsked)
    def get(self, asked: Mapping[str, object]) -> Json:
        """The games that have every word and pass the filters, the latest stored first, some at a time."""
        words = {name: str(asked[name]) for name in ("player", "ruleset", "rule", "verdict")}
        some = after(str(asked["cursor"]), lambda page: library().games(str(asked["q"]), Filters(**words), page))
        return {"games": [_glance(each) for each in some.games], "next": some.cursor, "total": some.total}


@route("/games/<string:id>")
class GameView(MethodView):
    """One game."""

    @Operation(id="readGame", answer=OneGame, asked=ViewAsked)
    def get(self, asked: Mapping[str, str], id: str) -> Json:
        """What is said of a game as a whole."""
        replay = replay_of(id, asked)
        header = replay.header
        return {
            "id": id, "game": header.game, "ruleset": replay.ruleset, "reading": header.reading,
            "players": [{"seat": p.seat, "name": p.name} for p in header.players], "viewer": replay.viewer,
            "version": events_of(replay), "fidelity": replay.fidelity, "diverged_from": replay.diverged_from,
            "steps": len(replay.steps) - 1, "verdicts": dict(replay.counts),
        }  # fmt: skip


@route("/games/<string:id>/steps")
class StepsView(MethodView):
    """The steps of a game."""

    @Operation(id="listSteps", answer=Steps, asked=StepsAsked)
    def get(self, asked: Mapping[str, str], id: str) -> Json:
        """Some steps of a game, each with its verdict, rules, causes, sentence and position."""
        replay = replay_of(id, asked)
        start, count = int(asked["start"]), int(asked["count"])
        whole = len(replay.steps)
        follows = start + count if start + count < whole else None
        return {"steps": list(replay.steps[start : start + count]), "next": follows, "last": whole - 1}


@route("/games/<string:id>/findings")
class FindingsView(MethodView):
    """The findings of a game."""

    @Operation(id="listFindings", answer=Findings, asked=ViewAsked)
    def get(self, asked: Mapping[str, str], id: str) -> Json:
        """Every finding, with what was expected instead."""
        return {"findings": list(replay_of(id, asked).findings)}


@route("/rules/<string:name>")
class RulesView(MethodView):
    """The rules of a ruleset."""

    @Operation(id="listRules", answer=Rules)
    def get(self, name: str) -> Json:
        """Every rule with its statement in each language."""
        catalogue = ruleset(name).catalogue
        return {"rules": [{**_rule(rule), "statements": statements(catalogue, rule)} for rule in catalogue.entries]}


@route("/rules/<string:name>/<string:id>")
class RuleView(MethodView):
    """One rule."""

    @Operation(id="readRule", answer=UsedRule)
    def get(self, name: str, id: str) -> Json:
        """A rule with every stored step that cites it, as the public may know it."""
        catalogue = ruleset(name).catalogue
        rule = catalogue[id]
        uses = [msgspec.to_builtins(use) for use in library().rule_uses(name, rule.id, "en")]
        return {**_rule(rule), "statements": statements(catalogue, rule), "uses": uses}


def _rule(rule: Rule) -> Json:
    return {"id": rule.id, "kind": rule.kind}


def _glance(glance: Glance) -> Json:
    header = glance.header
    return {
        "id": glance.id, "game": header.game, "ruleset": header.ruleset,
        "players": [{"seat": p.seat, "name": p.name} for p in header.players], "fidelity": glance.fidelity,
        "steps": glance.steps, "verdicts": dict(glance.counts),
        "findings": [{"step": step, "verdict": verdict, "rule": rule} for step, verdict, rule in glance.findings],
    }  # fmt: skip


def events_of(replay: Replay) -> int:
    """How many events the game has."""
    return max((cast(int, step["seq"]) for step in replay.steps if step.get("seq")), default=0)


# A list, some at a time


class Some(Struct, frozen=True):
    """Some games, where to go on (None at the end), and how many there are in all."""

    games: tuple[Glance, ...]
    cursor: str | None
    total: int


def after(cursor: str, page_of: Callable[[int], Page]) -> Some:
    """The games after the one that a cursor names; the first ones where it names none.

    A cursor is the number of a page and the last game that was read there. Games that came since have moved it back,
    never forward. Where it is no longer in the list, reading goes on with the page on which it was.
    """
    number, _, last = cursor.partition(".")
    first = int(number or 1)
    for page in _pages(first, page_of):
        if last in (ids := [each.id for each in page.games]):
            rest = page.games[ids.index(last) + 1 :]
            return _some(page, rest) if rest else _some(_page(page.number + 1, page_of))
    return _some(_page(first, page_of))


def _pages(first: int, page_of: Callable[[int], Page]) -> Iterator[Page]:
    """The pages from one on."""
    number = first
    while (page := _page(number, page_of)).games:
        yield page
        number += 1


def _page(number: int, page_of: Callable[[int], Page]) -> Page:
    """A page, or one without games where the list ends before it: a library then shows its last."""
    page = page_of(number)
    return page if page.number == number else Page((), number, page.total)


def _some(page: Page, games: tuple[Glance, ...] | None = None) -> Some:
    told = page.games if games is None else games
    goes_on = told and page.number < page.last
    return Some(told, f"{page.number}.{told[-1].id}" if goes_on else None, page.total)


# What many games tell together


def _fact_filters(asked: Mapping[str, object]) -> FactFilters:
    return FactFilters(**{name: str(asked[name]) for name in DIMENSIONS})


@route("/stats")
class StatsView(MethodView):
    """What the games tell together."""

    @Operation(id="countGames", answer=Counts, asked=CountAsked, errors=COUNT_ERRORS)
    def get(self, asked: Mapping[str, object]) -> Json:
        """Lengths, verdicts, the rules broken most and those no game used; the same by event, player and more."""
        return {**summary_json(counted(_fact_filters(asked))), "is_complete": not library().waiting()}


@route("/stats/games")
class CountedView(MethodView):
    """The games that were counted."""

    @Operation(id="listCountedGames", answer=CountedGames, asked=CountedAsked, errors=COUNT_ERRORS)
    def get(self, asked: Mapping[str, object]) -> Json:
        """One object for each game, with the columns of the CSV."""
        found, start = chosen_facts(_fact_filters(asked)), cast(int, asked["start"])
        end = start + cast(int, asked["count"])
        some, follows = found[start:end], end if end < len(found) else None
        rows = (game_row(one, told=audience() == PUBLIC) for one in some)
        return {"games": [dict(zip(COLUMNS, row, strict=True)) for row in rows], "next": follows, "total": len(found)}
