"""API operations that read: games, their steps and findings, rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import msgspec
from flask.views import MethodView

from audit.core.catalogue import Rule
from audit.core.ruleset import ruleset
from web.api.cursors import after
from web.api.operations import Json, Operation, replay_of, route
from web.api.schemas import Findings, Games, ListAsked, OneGame, Rules, Steps, StepsAsked, UsedRule, ViewAsked
from web.games.address import library
from web.games.library import Filters, Glance, Replay
from web.games.payload import statements


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
