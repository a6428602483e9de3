"""The plan for going back to an earlier event: what to undo, what cannot be undone, and who has learned what.

A plan is made from a judge's knowledge of the game. What somebody has learned is the difference of their views: what
they have seen since, and could not see before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.disclosure import JUDGE, PUBLIC
from audit.core.model import Event, Header
from audit.core.record import words_in
from audit.core.ruleset import Ruleset, ruleset
from audit.core.sentences import has_file
from audit.core.steps import Step
from replays.errors import NoSuchEventError
from replays.judging.annotate import Annotator
from replays.judging.differences import FILE, UNSEEN, differences
from replays.judging.positions import line_at
from replays.judging.sentences import Json, event_json
from replays.judging.tally import superseded_steps
from replays.log.writer import BRANCH

NOW, THEN = "now", "then"


class Advice(StrEnum):
    """Whether a game can be put back as it was."""

    SIMPLE = "simple"
    """Nothing was learned, nothing was drawn by lot, and everybody sees each card that moves."""
    PARTIAL = "partial"
    """The position can be restored, but somebody knows more than before, or moves cards that others cannot see."""
    NOT_ADVISABLE = "not-advisable"
    """Something was drawn by lot, such as the order of a deck. It cannot be put back as it was."""


class Plan(Struct, frozen=True):
    """How to go back to the position after the event `to`.

    `undone` are the steps to undo, the newest first. `by_chance` are those drawn by lot, and `unseen` those of which
    not everybody was shown all. `learned` says for each viewer which cards they have seen since, and could not see
    before.
    """

    header: Header
    to: int
    last: int
    undone: tuple[Step, ...]
    by_chance: tuple[Step, ...]
    unseen: tuple[Step, ...]
    learned: Mapping[str, tuple[str, ...]]
    now: object
    then: object

    @property
    def game(self) -> Ruleset[object]:
        """The game that is put back."""
        return ruleset(self.header.ruleset)

    @property
    def advice(self) -> Advice:
        """Whether the game can be put back as it was."""
        if self.by_chance:
            return Advice.NOT_ADVISABLE
        return Advice.PARTIAL if self.unseen or any(self.learned.values()) else Advice.SIMPLE


def plan(header: Header, events: Iterable[Event], to: int, name: str = "log") -> Plan:
    """The plan for going back from the end of a game to its event `to`, 0 for the start.

    Raises `NoSuchEventError`, with the name of the log.
    """
    game = ruleset(header.ruleset)
    steps = list(audit(game, header, events))
    last = max((step.seq for step in steps if step.seq), default=0)
    start = next((at for at, step in enumerate(steps) if (step.seq or 0) == to), None) if to >= 0 else None
    if start is None:
        raise NoSuchEventError(name, to, last)
    superseded = superseded_steps(steps)
    since = [step for step in steps[start + 1 :] if step.event is not None and step.index not in superseded]
    then = steps[start].state
    return Plan(
        header, to, last, tuple(reversed(since)),
        tuple(step for step in since if _is_by_chance(game, step)),
        tuple(step for step in since if _is_unseen(game, step)),
        {viewer: tuple(sorted(_learned(game, viewer, then, since))) for viewer in _viewers(game, header)},
        steps[-1].state, then,
    )  # fmt: skip


def _viewers(game: Ruleset[object], header: Header) -> tuple[str, ...]:
    return (*game.disclosure.seats(header), PUBLIC)


def _is_by_chance(game: Ruleset[object], step: Step) -> bool:
    rules = game.rules.event_rules.get(type(step.event)) if step.event else None
    return rules is not None and step.event is not None and rules.is_by_chance(step.before, step.event)


def _is_unseen(game: Ruleset[object], step: Step) -> bool:
    """Whether the public was not told all of an event, so that nobody else can see it undone."""
    assert step.event is not None
    return game.disclosure.redact(step.before, step.event, PUBLIC) != step.event


def _learned(game: Ruleset[object], viewer: str, then: object, since: Sequence[Step]) -> frozenset[str]:
    """The cards that the viewer could not see before, and has seen since."""
    known = words_in(game.disclosure.view(then, viewer))
    secret = words_in(game.disclosure.view(then, JUDGE)) - known
    seen = frozenset().union(*(_shown(game, viewer, step) for step in since))
    return frozenset(card for card in secret & seen if not card.startswith(UNSEEN))


def _shown(game: Ruleset[object], viewer: str, step: Step) -> frozenset[str]:
    assert step.event is not None
    told = game.disclosure.redact(step.before, step.event, viewer)
    return words_in(to_builtins(told), game.disclosure.view(step.state, viewer))


def branch(
    header: Header, events: Sequence[Event], to: int, name: str = "log", case: str = ""
) -> tuple[Header, Sequence[Event]]:
    """A new game that begins as the old one up to the event `to`; its header says in `meta` where it left the old one.

    It has a name of its own, so that it can be stored beside the old game, which stays as it is. `case` is the case
    that it is a remedy of. Raises `NoSuchEventError`, with the name of the log.
    """
    if not 0 <= to <= len(events):
        raise NoSuchEventError(name, to, len(events))
    old = header.game or name
    left = {"game": old, "after": to, **({"case": case} if case else {})}
    called = f"{old}-from-{to}{f'-{case}' if case else ''}"
    return replace(header, game=called, meta={**header.meta, BRANCH: left}), events[:to]


class PlanWriter:
    """Writes a plan in its published shape, in one language."""

    def __init__(self, plan: Plan, language: str) -> None:
        self.plan, self.language = plan, language
        self.game = plan.game
        self.annotator = Annotator(self.game, language, header=plan.header)

    def json(self) -> Json:
        """The whole plan."""
        plan = self.plan
        return {
            "ruleset": self.game.name,
            "to": plan.to,
            "last": plan.last,
            "advice": plan.advice.value,
            "undo": [self._step(step) for step in plan.undone],
            "by_chance": [self._step(step) for step in plan.by_chance],
            "unseen": [self._step(step) for step in plan.unseen],
            "players": dict(self.annotator.players),
            "learned": {viewer: list(self._named(cards)) for viewer, cards in plan.learned.items()},
            "moves": list(self._moves()),
            "position": line_at(plan.header, plan.then),
            "decisions": self.annotator.decisions(plan.then),
        }

    def _step(self, step: Step) -> Json:
        assert step.event is not None
        return {
            "step": step.index, "seq": step.seq, "event": event_json(step.event),
            "sentence": self.annotator.tell_step(step, step.event),
        }  # fmt: skip

    def _named(self, cards: Iterable[str]) -> Iterator[str]:
        """Cards by name in the language."""
        return (str(self.game.wording.finding_words({"card": card}, self.language)["card"]) for card in cards)

    def _moves(self) -> Iterator[Json]:
        """Each place where something lies otherwise: what lies there now, and what has to lie there again.

        Only for a game that has names for its places.
        """
        if not has_file(self.game.catalogue.package, self.language, FILE):
            return
        states = {NOW: self.plan.now, THEN: self.plan.then}
        views = {name: self.game.disclosure.view(state, JUDGE) for name, state in states.items()}
        for row in differences(self.game, views, self.language, self.annotator.players):
            yield {"place": row.place, **row.said}
