"""The steps of one game for one viewer, annotated.

`check` (`report.py`) reads a log of any length and keeps only the findings. Both use the same auditor.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import overload

from msgspec import Struct
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.errors import UnknownEditionError
from audit.core.event_rules import MAX_LISTED
from audit.core.model import Event, Header, type_name
from audit.core.record_events import Gap
from audit.core.ruleset import Ruleset, ruleset
from audit.core.steps import Step
from replays.errors import NoSuchEventError
from replays.judging.annotate import Annotator, StepOutline
from replays.judging.editions import OtherEditions, OtherReadings
from replays.judging.seen import (
    header_for,
    seen_events,
    seen_findings,
    seen_header,
)
from replays.judging.sentences import JUDGE, Json, event_json
from replays.judging.tally import Tally, superseded_steps
from replays.log.reader import Log


class AnnotatedSteps(Sequence[Json]):
    """The annotated steps of a game. Each is annotated when it is first read."""

    def __init__(self, steps: Sequence[Step], annotator: Annotator) -> None:
        self.steps = steps
        self.superseded = superseded_steps(steps)
        """The steps that stand no longer, by index, each with the seq of the event that set it aside."""
        self._annotator = annotator
        self._annotated: dict[int, Json] = {}

    def __len__(self) -> int:
        return len(self.steps)

    @overload
    def __getitem__(self, index: int) -> Json: ...
    @overload
    def __getitem__(self, index: slice) -> list[Json]: ...
    def __getitem__(self, index: int | slice) -> Json | list[Json]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self.steps)))]
        step = self.steps[index]
        if step.index not in self._annotated:
            self._annotated[step.index] = self._annotator.step(step, self.superseded.get(step.index))
        return self._annotated[step.index]

    @cached_property
    def outlines(self) -> list[StepOutline]:
        """Every step in short, for what is told of a whole game."""
        return [self._annotator.outline(step, self.superseded.get(step.index)) for step in self.steps]

    @cached_property
    def of_seq(self) -> dict[int, int]:
        """Which step the event of a seq is."""
        return {step.seq: number for number, step in enumerate(self.steps) if step.seq}


class Replay(Struct):
    """One game, annotated for one viewer in one language."""

    header: Header
    ruleset: str
    viewer: str
    language: str
    fidelity: str
    diverged_from: int | None
    counts: dict[str, int]
    findings: list[Json]
    steps: AnnotatedSteps
    is_whole: bool = True
    """Whether every step was judged and nothing is missing in between."""

    @property
    def outlines(self) -> list[StepOutline]:
        """Every step in short, for what is told of a whole game."""
        return self.steps.outlines

    def log(self) -> Iterator[Json]:
        """The events as the viewer could have written them down. `x-seq` is the seq in the whole log, where it differs.

        Read again, this log can be judged: an unknown card keeps one handle, and where it is shown, it is named.
        """
        for event, seq in seen_events(ruleset(self.ruleset), self.steps.steps, self.viewer):
            yield {**event_json(event), **({"x-seq": seq} if seq not in (None, event.seq) else {})}

    def options_after(self, index: int) -> list[Json]:
        """What may come after a step, each with its rules."""
        return self._annotator.small_steps(self.steps.steps[index].state)

    def decisions_after(self, index: int, listed: int = MAX_LISTED) -> list[Json]:
        """What can be decided next after a step, each with who decides and its rules."""
        return self._annotator.decisions(self.steps.steps[index].state, listed)

    @property
    def _annotator(self) -> Annotator:
        return Annotator(ruleset(self.ruleset), self.language, self.viewer, self.header)


def replay(
    source: Log | tuple[Header, Iterable[Event]],
    *,
    viewer: str = JUDGE,
    language: str = "en",
    reading: str | None = None,
    is_at_rest: bool = False,
) -> Replay:
    """Every step of a game as that viewer may know it.

    `viewer` is a seat, `public` or `judge`. No step is provisional in a game that has come to its end, or in a record
    that is at rest: nobody goes on writing it. Raises `SetupError` or `UnknownReadingError` for the header, and
    `LogError` where the log cannot be read.
    """
    header, events = (source.header, source) if isinstance(source, Log) else source
    header = with_reading(header, reading)
    game = ruleset(header.ruleset)
    steps = list(audit(game, header, events))
    if is_at_rest or has_ended(game, steps):
        steps = [replace(step, provisional=False) if step.provisional else step for step in steps]
    recorded = header if viewer == JUDGE else replace(seen_header(game, header, steps, viewer), game=header.game)
    others, own = OtherEditions(game, header, steps), seen_findings(game, recorded, steps, viewer)
    annotator = Annotator(game, language, viewer, header, others, own, OtherReadings(game, header, steps))
    counter = Tally()
    for step in steps:
        counter.count(step)
    fidelity, annotated = counter.fidelity, AnnotatedSteps(steps, annotator)
    findings = [
        annotator.finding(step) for step in steps if step.verdict.is_finding and step.index not in annotated.superseded
    ]
    seen = header_for(recorded, viewer)
    return Replay(
        seen, header.ruleset, viewer, language, fidelity.grade, fidelity.diverged_from, counter.counts,
        findings, annotated, not (counter.unchecked or counter.noted(Gap)),
    )  # fmt: skip


def has_ended(game: Ruleset[object], steps: Sequence[Step]) -> bool:
    """Whether the last event that stands ends the game."""
    gone = superseded_steps(steps)
    last = next((step.event for step in reversed(steps) if step.event and step.seq and step.index not in gone), None)
    return last is not None and type_name(type(last)) in game.scene_maker.endings


def state_at(log: Log, at: int | None, reading: str | None = None) -> object:
    """The position after the event of that seq, 0 for the start, None for the end; raises `NoSuchEventError`."""
    header = with_reading(log.header, reading)
    game = ruleset(header.ruleset)
    state = game.rules.start(header)
    if at == 0:
        return state
    last = 0
    for step in audit(game, header, log):
        state, last = step.state, step.seq or last
        if at is not None and step.seq == at:
            return state
    if at is not None:
        raise NoSuchEventError(log.name, at, last)
    return state


def with_reading(header: Header, reading: str | None) -> Header:
    """The header under another reading."""
    return header if reading is None else replace(header, reading=reading)


def with_edition(header: Header, edition: str | None) -> Header:
    """The header under another edition; raises `UnknownEditionError`, also for a game that has no editions."""
    if edition is None:
        return header
    catalogue = ruleset(header.ruleset).catalogue
    if not catalogue.rulings:
        raise UnknownEditionError(edition, ())
    return replace(header, edition=catalogue.edition(edition))


def options_at(
    log: Log,
    at: int | None,
    *,
    viewer: str = JUDGE,
    language: str = "en",
    reading: str | None = None,
    small_steps: bool = False,
) -> list[Json]:
    """What may come after the event of that seq (0 for the start, None for the end), each with its rules.

    These are the next decisions, each with the `player` who has it, or all that may come next in `small_steps`. An
    option that stands for many events names some of them and says how many `more` there are; `need` tells whether it
    may or must come. Raises `NoSuchEventError`.
    """
    game = ruleset(log.header.ruleset)
    state = state_at(log, at, reading)
    annotator = Annotator(game, language, viewer, log.header)
    return annotator.small_steps(state) if small_steps else annotator.decisions(state)
