"""What a ruling means for stored games: the events that it judges otherwise, and how far each game stands under it.

A ruling that follows another reading is carried out by that reading (`replays.season.comparing`). Any other ruling
reaches the events of its verb that rest on one of its rules and concern one of its cards, where it names any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, to_builtins

from audit.core.auditor import audit
from audit.core.record import words_in
from audit.core.steps import Step
from replays.cases.case import Case, CaseError
from replays.judging.annotate import Annotator
from replays.judging.positions import line_at
from replays.judging.tally import superseded_steps

if TYPE_CHECKING:
    from replays.season.comparing import StoredGame

LEGAL, ILLEGAL = "legal", "illegal"


class Overturned(Struct, frozen=True):
    """An event that a ruling judges otherwise: its verdict before, and under the ruling."""

    seq: int
    sentence: str
    before: str
    after: str


class Consequence(Struct, frozen=True):
    """A game that a ruling reaches.

    `stands` is the seq of the last event that stands under the ruling, with the position there: where the ruling
    forbids an event, what came after it was played from a position that should not have been. Where it only allows
    something, the game ends as it did.
    """

    id: str
    game: str
    events: tuple[Overturned, ...]
    stands: int
    last: int
    position: str


class Reach(Struct, frozen=True):
    """Which events of other games a ruling reaches: of this verb, by these rules, with one of these cards."""

    decision: str
    verb: str
    rules: tuple[str, ...]
    cards: tuple[str, ...]


def reach(case: Case) -> Reach:
    """The reach of the ruling of a case; raises `CaseError` without a yes or no."""
    ruling = case.ruling
    if ruling is None or ruling.decision not in ("yes", "no"):
        raise CaseError(case.id, "only a ruling that says yes or no judges other games")
    return Reach(ruling.decision, case.opened.situation.verb, ruling.rules, ruling.cards)


def consequence(ruling: Reach, game: StoredGame, language: str = "en") -> Consequence | None:
    """What a ruling would judge otherwise in a game of its ruleset, None where nothing."""
    steps = list(audit(game.ruleset, game.header, game.events))
    gone = superseded_steps(steps)
    annotator = Annotator(game.ruleset, language, header=game.header)
    reached = [step for step in steps if step.index not in gone and _is_reached(ruling, annotator, step)]
    if not reached:
        return None
    last = max(step.seq or 0 for step in steps)
    is_forbidden = ruling.decision == "no"
    first = reached[0]
    stands = (first.seq or 1) - 1 if is_forbidden else last
    state = first.before if is_forbidden else steps[-1].state
    after = ILLEGAL if is_forbidden else LEGAL
    told = tuple(
        Overturned(step.seq or 0, str(annotator.step(step)["sentence"]), step.verdict.value, after) for step in reached
    )
    return Consequence(game.id, game.header.game, told, stands, last, line_at(game.header, state))


def _is_reached(ruling: Reach, annotator: Annotator, step: Step) -> bool:
    """Whether a step is of the verb, rests on a rule, concerns a card, and has the other verdict."""
    if step.event is None or not step.seq:
        return False
    if str(step.event.__struct_config__.tag) != ruling.verb:
        return False
    if step.verdict.is_finding is (ruling.decision == "no"):
        return False
    cards = frozenset(ruling.cards)
    if cards and not cards & words_in(to_builtins(step.event)):
        return False
    return bool(frozenset(ruling.rules) & {rule.id for rule in annotator.rules(step)})
