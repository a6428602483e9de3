"""A game to take away: its log, and the annotated game for a program."""

from __future__ import annotations

import json

from flask import Response

from audit.core.disclosure import JUDGE
from web.games.address import (
    library,
    requested_game,
)
from web.games.blueprint import games
from web.games.payload import Prepared, known_setup
from web.site.headers import cached


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
        "first": header.first, "setup": known_setup(game.replay), "meta": header.meta,
    }  # fmt: skip
    return b"".join(json_text(record).encode() + b"\n" for record in (first, *game.replay.log()))


def json_text(value: object) -> str:
    """A value as JSON in one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
