"""What a ruling means for stored games: the events that it judges otherwise, and how far each game stands under it.

A ruling that follows another reading is carried out by that reading (`replays.season.comparing`). Any other ruling
reaches the steps that are like the one ruled on, if it judges that one otherwise than the auditor does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.errors import AuditError
from audit.core.model import Event
from audit.core.record import words_in
from audit.core.steps import Step
from replays.cases.case import Case, CaseError
from replays.cases.opening import ZONES, frame
from replays.judging.annotate import Annotator
from replays.judging.positions import line_at
from replays.judging.tally import superseded_steps
from replays.season.comparing import game_of
from replays.season.judging import lost
from replays.season.sources import Source
from replays.table.question import header_at, question

if TYPE_CHECKING:
    from replays.season.comparing import StoredGame


class Overruled(Struct, frozen=True, omit_defaults=True):
    """What a ruling would judge otherwise in a game, None where nothing; or the trouble with the game."""

    consequence: Consequence | None = None
    trouble: str = ""


class Overruling(Struct, frozen=True, tag="ruling"):
    """The question what a ruling would judge otherwise in a stored game of its ruleset."""

    ruling: Reach
    language: str

    @property
    def kind(self) -> type[Overruled]:
        """The events that the ruling reaches, and how far the game stands."""
        return Overruled

    def answer(self, source: Source) -> Overruled:
        """The game judged, and the ruling held against its steps."""
        try:
            return Overruled(consequence(self.ruling, game_of(source), self.language))
        except AuditError as error:
            return Overruled(trouble=f"{source.name}: {error}")

    def to_keep(self, answer: Overruled) -> Overruled | None:
        """The answer without the id of the game. What could not be judged is tried again."""
        return None if answer.trouble else _with_id(answer, "")

    def named(self, answer: Overruled, source: Source) -> Overruled:
        """What the ruling means for this game."""
        return _with_id(answer, source.game)

    def lost(self, source: Source) -> Overruled:
        """Nothing but the trouble."""
        return Overruled(trouble=lost(source))


def _with_id(answer: Overruled, id: str) -> Overruled:
    return replace(answer, consequence=answer.consequence and replace(answer.consequence, id=id))


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
    """Which steps of other games a ruling reaches: those that are like the one that was ruled on.

    Alike are steps of the same verb and verdict that rest on the same rules, name the same faces and zones and happen
    during the same things; and that concern one of the cards, where there are any.
    """

    decision: str
    verb: str
    rules: tuple[str, ...]
    cards: tuple[str, ...]
    verdict: str = LEGAL
    words: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()


def reach(case: Case) -> Reach | None:
    """The reach of the ruling of a case; None where it says what the auditor says too, and so changes nothing.

    What a judge forbids although the rules allow it is in the cards: without cards of its own, the ruling is about
    those of the event. Raises `CaseError` without a yes or no.
    """
    ruling, opened = case.ruling, case.opened
    if ruling is None or ruling.decision not in ("yes", "no"):
        raise CaseError(case.id, "only a ruling that says yes or no judges other games")
    header = header_at(opened.position, opened.reading or None, opened.edition)
    asked = question(header, opened.asked)
    found = [step for step in audit(asked.game, header, asked.events) if step.event is not None and step.seq]
    step = next((each for each in found if each.verdict.is_finding), found[-1] if found else None)
    if step is None or step.event is None or step.verdict.is_finding is (ruling.decision == "no"):
        return None
    annotator = Annotator(asked.game, "en", header=header)
    own = opened.situation.cards if ruling.decision == "no" else ()
    cards = ruling.cards or tuple(sorted(frozenset(own) & words_in(to_builtins(step.event))))
    return Reach(
        ruling.decision, _verb(step.event), _rules(step), cards, step.verdict.value,
        _words(step.event, asked.game.disclosure.seats(header)), _pending(annotator, step),
    )  # fmt: skip


def consequence(ruling: Reach, game: StoredGame, language: str = "en") -> Consequence | None:
    """What a ruling would judge otherwise in a game of its ruleset, None where nothing."""
    steps = list(audit(game.ruleset, game.header, game.events))
    gone = superseded_steps(steps)
    annotator, seats = Annotator(game.ruleset, language, header=game.header), game.ruleset.disclosure.seats(game.header)
    reached = [step for step in steps if step.index not in gone and _is_reached(ruling, annotator, step, seats)]
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


def _is_reached(ruling: Reach, annotator: Annotator, step: Step, seats: Sequence[str]) -> bool:
    """Whether a step is like the one that was ruled on."""
    if step.event is None or not step.seq or step.verdict != ruling.verdict or _verb(step.event) != ruling.verb:
        return False
    cards = frozenset(ruling.cards)
    if cards and not cards & words_in(to_builtins(step.event)):
        return False
    is_alike = _rules(step) == ruling.rules and _words(step.event, seats) == ruling.words
    return is_alike and _pending(annotator, step) == ruling.pending


def _verb(event: Event) -> str:
    return str(event.__struct_config__.tag)


def _rules(step: Step) -> tuple[str, ...]:
    """What a step rests on: the rules that make it legal, or those that it breaks."""
    return tuple(sorted({rule.id for rule in step.rules}))


def _words(event: Event, seats: Sequence[str]) -> tuple[str, ...]:
    """The faces and zones that an event names; a seat is neither."""
    said = cast("Mapping[str, object]", to_builtins(event)).items()
    return tuple(sorted(f"{key} {value}" for key, value in said if key in ZONES and value not in seats))


def _pending(annotator: Annotator, step: Step) -> tuple[str, ...]:
    """The kinds of what is under way before a step."""
    found = cast("Sequence[object]", to_builtins(annotator.game.disclosure.pending(step.before)))
    return tuple(frame({**each, "card": ""}) for each in found if isinstance(each, Mapping))
