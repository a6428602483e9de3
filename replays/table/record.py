"""A game being written down: one line of a score sheet after another, in a log that is only ever appended to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import cast

from msgspec import Struct

from audit.core.auditor import audit
from audit.core.model import Event, Header
from audit.core.ruleset import Ruleset, ruleset
from audit.core.steps import Step
from replays.judging.annotate import Annotator
from replays.judging.positions import Following, without_choice
from replays.judging.sentences import Json
from replays.log.reader import open_log
from replays.log.writer import LogWriter
from replays.scoresheet.line import Sheet
from replays.scoresheet.meanings import Carried
from replays.scoresheet.sheet import read_sheet, undo_as_back
from replays.table.completion import Completer


class Entered(Struct, frozen=True):
    """What came of a line: its event with the steps since the event before, and what then follows by itself."""

    event: Event
    steps: tuple[Step, ...]
    follows: tuple[Following, ...]

    @property
    def step(self) -> Step:
        """The step of the event itself."""
        return next(step for step in reversed(self.steps) if step.seq == self.event.seq)


class Record:
    """A log that is being written. Each line is on the disk before anything is said of it."""

    def __init__(self, path: Path, header: Header | None = None) -> None:
        """Goes on with the log at that path, or begins a new one with the header.

        Raises `LogError` for a log that cannot be read, and `UnwritableError` where a new one is there already.
        """
        self._log = LogWriter(path, header, fsync=True, drop_torn=True)
        self.path = path
        log = open_log(path)
        self.header, self.events = log.header, list(log)
        self.game: Ruleset[object] = ruleset(self.header.ruleset)
        self.steps = self._judged()
        self._completer: Completer | None = None

    def __enter__(self) -> Record:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._log.close()

    @property
    def recorded(self) -> object:
        """The position after the last event."""
        return self.steps[-1].state

    @property
    def state(self) -> object:
        """The position in which somebody has to choose next."""
        follows = tuple(without_choice(self.game, self.recorded))
        return follows[-1].after if follows else self.recorded

    def enter(self, line: str) -> Entered:
        """Keep a line, or the choice with that number, and judge it.

        Raises `MisfitError` with the column of what does not fit, and keeps nothing.
        """
        text = undo_as_back(line.strip(), self.events)
        event = self._sheet().read(self.completer().chosen(text) if text.isdigit() else text, len(self.events) + 1)
        self._log.append(event)
        self.events.append(event)
        known = len(self.steps)
        self.steps, self._completer = self._judged(), None
        new = [step for step in self.steps if step.seq == event.seq or step.index >= known]
        return Entered(event, tuple(new), tuple(without_choice(self.game, self.recorded)))

    def choices(self) -> Sequence[str]:
        """What can be chosen next, each as it would be typed. They are found once after each line."""
        return self.completer().choices

    def choices_told(self, language: str) -> Iterator[str]:
        """The same for people: in a sentence what has no short form."""
        sheet, annotator = self._sheet(), Annotator(self.game, language, header=self.header)
        for line in self.choices():
            yield annotator.tell(sheet.read(line, 1)) if sheet.is_general(line) else line

    def completer(self) -> Completer:
        """Completes the next line."""
        if self._completer is None:
            self._completer = Completer(self._sheet(), tuple(self._found_choices()), self.events)
        return self._completer

    def _found_choices(self) -> Iterator[str]:
        sheet = self._sheet()
        for option in Annotator(self.game).decisions(self.recorded):
            yield from map(sheet.write_published, cast("Sequence[Json]", option["events"]))

    def _sheet(self) -> Sheet:
        state = self.state
        return Sheet(
            self.game, self.game.disclosure.seats(self.header), self.header.setup,
            lambda word: self.game.rules.card_at(state, word), Carried(self.events), self.header.players,
            lambda: (state,),
        )  # fmt: skip

    def _judged(self) -> Sequence[Step]:
        return list(audit(self.game, self.header, self.events))


def header_of_line(line: str, game: str) -> Header:
    """The header that the first line of a score sheet tells; raises `LogError` with what cannot be read."""
    return read_sheet(line, "the first line", game)[0]
