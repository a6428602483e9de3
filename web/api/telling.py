"""What is told of a game after an append or when somebody asks: what was judged, and what can be chosen now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from audit.core.ruleset import JUDGE, Ruleset, ruleset
from replays.judging.annotate import Annotator
from replays.judging.annotate import Replay as WholeReplay
from replays.scoresheet.forms import Sheet
from web.api.operations import Json
from web.games.library import Replay

TOLD = (
    "step", "seq", "event", "verdict", "sentence", "message", "expected", "expected_text", "expected_perhaps",
    "guessed", "provisional",
)  # fmt: skip


def steps_of(replay: Replay, seqs: Sequence[int]) -> list[Json]:
    """The steps of these events and what was inferred since the event before each, in the order of the game."""
    wanted, found, waiting = set(seqs), list[Json](), list[Json]()
    game = ruleset(replay.ruleset)
    for step in replay.steps:
        waiting.append(dict(step))
        if step.get("seq"):
            found += waiting if step["seq"] in wanted else []
            waiting = []
    return [_told(game, step, replay.language) for step in found]


def decisions_after(replay: Replay, at: int | None = None, *, small_steps: bool = False) -> list[Json]:
    """What can be chosen after an event, with each choice as it is typed.

    Whoever may not know the whole position is told what follows from what they know, which may be nothing.
    """
    game, whole = ruleset(replay.ruleset), cast(WholeReplay, replay)
    steps = whole.steps
    index = len(steps) - 1 if at is None else steps.of_seq.get(at, 0)
    state = steps.steps[index].state
    known = state if replay.viewer == JUDGE else game.disclosure.known_position(state, replay.viewer)
    if known is None:
        return []
    annotator = Annotator(game, replay.language, replay.viewer, replay.header)
    sheet = Sheet(game, game.disclosure.seats(replay.header), replay.header.setup)
    options = annotator.small_steps(known) if small_steps else annotator.decisions(known)
    return [
        {**option, "lines": list(map(sheet.write_published, cast("Sequence[Json]", option["events"])))}
        for option in options
    ]


def _told(game: Ruleset[object], step: Json, language: str) -> Json:
    catalogue = game.catalogue
    rules = [
        {"id": id, "statement": catalogue.statement(catalogue[id], language)}
        for id in cast("Sequence[str]", step["rules"])
    ]
    return {**{key: step[key] for key in TOLD if key in step}, "rules": rules}
