"""What can be chosen at a table, up to the next position in which somebody has a choice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from audit.core.catalogue import LANGUAGES
from audit.core.event_rules import Obligation
from audit.core.model import Event
from audit.core.ruleset import Ruleset
from replays.judging.annotate import Annotator
from replays.judging.onward import without_choice
from replays.judging.sentences import Json, event_json
from replays.scoresheet.line import Sheet

MOST = 90
"""At most so many choices of one kind are offered."""


class OpenChoice(Struct, frozen=True):
    """An event that can be chosen, by whom, and the position in which it can.

    One that `is_passing` belongs to a position before the last: the table may go on without it.
    """

    player: str
    event: Event
    at: object
    is_passing: bool = False


def open_choices(annotator: Annotator, state: object) -> Iterator[OpenChoice]:
    """The choices with their players and positions, those of the last position first; each once."""
    game = annotator.game
    follows = list(without_choice(game, state))
    last = follows[-1].after if follows else state
    found = [OpenChoice(player, event, last) for player, event in _candidates(annotator, last)]
    for one in follows:
        found += [
            OpenChoice(player, event, one.before, is_passing=True)
            for player, event in _passing(annotator, one.before)
            if type(event) is not type(one.event)
        ]
    seen = [one.event for one in follows]
    for choice in found:
        if choice.event not in seen:
            seen.append(choice.event)
            yield choice


def lines_said(sheet: Sheet, event: Event, language: str) -> Json:
    """The line of an event, and as it is typed in a language where that is another one."""
    line, said = (sheet.write_published(event_json(event), one) for one in (LANGUAGES[0], language))
    return {"line": line} if said == line else {"line": line, "said": said}


def _candidates(annotator: Annotator, state: object) -> Iterator[tuple[str, Event]]:
    for option in annotator.game.rules.expected(state):
        if option.obligation is not Obligation.MARKER:
            player = annotator.chooser(state, option)
            yield from ((player, event) for event in islice(option.candidates(state), MOST))
    yield from _untold(annotator.game, state)


def _passing(annotator: Annotator, state: object) -> Iterator[tuple[str, Event]]:
    """What nobody has to do, where the table may go on without it."""
    for option in annotator.game.rules.expected(state):
        if option.obligation in (Obligation.OPTIONAL, Obligation.EXPIRES):
            player = annotator.chooser(state, option)
            yield from ((player, event) for event in islice(option.candidates(state), MOST))
    yield from _untold(annotator.game, state)


def _untold(game: Ruleset[object], state: object) -> Iterator[tuple[str, Event]]:
    for event in islice(game.setting.untold(state), MOST):
        if not game.rules.violations(state, event):
            yield str(getattr(event, "player", "")), event
