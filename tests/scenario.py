"""Situations at the table: a field, what the players decide, and what then has to be so.

A decision is told as a player would tell it ("this card", "line 2", "no"); it is matched with what is up for
choice. What leaves no choice happens by itself. Every situation ends with nothing pending, or says what is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from audit.core.auditor import audit
from audit.core.event_rules import numbered
from audit.core.model import Event, Header
from audit.core.steps import Step
from audit.games.compile import RULESET
from audit.games.compile.event_rules.playing import PlayCard
from audit.games.compile.events import Deleted, Discarded, Flipped, Rearranged, Returned, Revealed, Shifted
from audit.games.compile.parts import field_position
from audit.games.compile.state import State

MAX_CANDIDATES = 3000
Answer = object
Until = Callable[[State], bool]

ACTS = (Deleted, Discarded, Flipped, Rearranged, Returned, Revealed, Shifted)
"""Events a player may be asked about even where only one is possible."""


def never(state: State) -> bool:
    """No moment in particular."""
    return False


def header(position: Mapping[str, object]) -> Header:
    """A log that starts in the middle of a game."""
    return Header(log="audit/1", ruleset="compile", game="situation", setup={"position": position})


@dataclass
class Table:
    """A situation being played: the log grows, and the state with it."""

    head: Header
    log: list[Event] = field(default_factory=list)
    refused: list[Answer] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.state: State = RULESET.rules.start(self.head)

    def happens(self, event: Event) -> None:
        """The event is recorded and takes effect."""
        event = numbered(event, len(self.log) + 1)
        self.log.append(event)
        self.state = RULESET.rules.evolve(self.state, event)

    def go_on(self, until: Until = never) -> None:
        """Everything without a choice happens, up to the next choice or the moment asked for."""
        while not until(self.state) and (event := self.unspoken()):
            self.happens(event)

    def unspoken(self) -> Event | None:
        """What needs no answer: what is forced, and deck cards laid into several lines, from left to right."""
        if forced := RULESET.rules.forced(self.state):
            return forced[1]
        for option in RULESET.rules.expected(self.state):
            if isinstance(option, PlayCard) and option.declared.in_lines and option.declared.source == "deck":
                return next(option.candidates(self.state), None)
        return None

    def candidates(self) -> list[Event]:
        """What is up for choice now."""
        live = list(RULESET.rules.expected(self.state))
        return [event for option in live for event in islice(option.candidates(self.state), MAX_CANDIDATES)]

    def decides(self, answers: Sequence[Answer], until: Until = never) -> None:
        """The answers in their order settle choice after choice; one that fits none was refused."""
        left = list(answers)
        while left and not until(self.state):
            if event := self.unspoken():
                if type(event) in ACTS and fits(self.state, event, left[0]):
                    left.pop(0)
                self.happens(event)
                continue
            found = self._settled_by(left)
            if len(found) != 1:
                return
            self.happens(found[0])
        self.go_on(until)

    def _settled_by(self, left: list[Answer]) -> list[Event]:
        """What is left of the choice when the answers it takes have been given."""
        found = self.candidates()
        while len(found) > 1 and left:
            fitting = [event for event in found if fits(self.state, event, left[0])]
            if not fitting:
                self.refused.append(left[0])
            found = fitting or found
            left.pop(0)
        return found

    def audited(self) -> list[Step]:
        """The log as the auditor sees it."""
        return list(audit(RULESET, self.head, self.log))

    def stripped(self) -> list[Event]:
        """Only what was chosen: the log of a scorekeeper."""
        return list(choices_of(self.head, self.log))


def choices_of(head: Header, log: Sequence[Event]) -> Iterator[Event]:
    """The events of a log that were not the one thing that could happen."""
    state = RULESET.rules.start(head)
    number = 0
    for event in log:
        forced = RULESET.rules.forced(state)
        state = RULESET.rules.evolve(state, event)
        if forced is None or type(forced[1]) is not type(event):
            number += 1
            yield numbered(event, number)


def fits(state: State, event: Event, answer: Answer) -> bool:
    """Whether an event is what a player meant: a card, some cards, a line, yes or no, a text by its card."""
    if answer in ("no", "skip"):
        return getattr(event, "outcome", None) == "declined" or getattr(event, "accept", None) is False
    if answer == "yes":
        return getattr(event, "outcome", None) != "declined" and getattr(event, "accept", None) is not False
    cards = (getattr(event, "card", None), *(getattr(event, "cards", None) or ()))
    if isinstance(answer, list):
        return sorted(filter(None, cards)) == sorted(answer)
    if isinstance(answer, int):
        lines = {place.line for card in cards if card and (place := field_position(state, card))}
        aimed = {getattr(event, "line", None), getattr(event, "to", None)} - {None}
        return answer in (aimed or lines)
    return answer in cards or str(event.__struct_config__.tag).startswith(str(answer))
