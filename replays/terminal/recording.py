"""What a recorder reads after each line: the verdict, what followed by itself, and what can be chosen next."""

from __future__ import annotations

from collections.abc import Iterator

from audit.core.disclosure import JUDGE
from audit.core.event_rules import numbered
from audit.core.model import Event
from audit.core.steps import Step
from audit.core.typography import labelled
from replays.judging.annotate import Annotator
from replays.table.record import Entered, Record
from replays.terminal.replay_screen import MARKS, word
from replays.terminal.rule_titles import rule_line
from replays.terminal.scene_lines import Paint, scene_lines

MAX_CHOICES = 8


class RecordScreen:
    """Shows a record in one language."""

    def __init__(self, record: Record, language: str, paint: Paint, width: int) -> None:
        self.record, self.language, self.paint, self.width = record, language, paint, width
        self.annotator = Annotator(record.game, language, header=record.header)
        self._foretold: list[Event] = []
        """What was said to follow by itself: not said again where it is inferred before the next event."""

    def table(self) -> list[str]:
        """The table at the next decision."""
        game, state = self.record.game, self.record.state
        view, pending = game.disclosure.view(state, JUDGE), game.disclosure.pending(state)
        scene = game.scene_maker.scene(view, self.language, pending, self.annotator.players)
        return scene_lines(scene, self.paint, self.width)

    def entered(self, entered: Entered) -> Iterator[str]:
        """What came of a line: a finding is marked, and explained where somebody asks."""
        for step in entered.steps:
            if step.event is not None and step.seq is None and numbered(step.event, 0) not in self._foretold:
                yield self._line("inferred", self.annotator.tell(step.event))
        yield self._step(entered.step)
        self._foretold = [numbered(one.event, 0) for one in entered.follows]
        for one in entered.follows:
            yield self.paint("quiet", f"  {self.annotator.tell_following(one)}")

    def why(self) -> Iterator[str]:
        """The last event once more, with its rules and, for a mistake, what was expected."""
        step = self.record.steps[-1]
        if step.event is None:
            return
        yield self._step(step)
        for rule in self.annotator.rules(step):
            yield f"  {rule_line(self.record.game.catalogue, rule, self.language, self.paint)}"
        for event in self.annotator.told_instead(step)[:MAX_CHOICES]:
            yield f"  {labelled(self.language, word(self.language, 'ask_instead'), self.annotator.tell(event))}"

    def choices(self) -> Iterator[str]:
        """What can be chosen next, as it is typed, with the number that stands for it."""
        lines = self.record.choices()
        shown = lines[:MAX_CHOICES]
        yield from (f"  ⋔ {number}  {line}" for number, line in enumerate(shown, 1))
        if len(lines) > len(shown):
            yield f"    {word(self.language, 'more', n=len(lines) - len(shown))}"

    def _step(self, step: Step) -> str:
        said = self.annotator.message(step) if step.verdict.is_finding else ""
        event = self.annotator.tell(step.event) if step.event else ""
        return self._line(step.verdict.value, said or event)

    def _line(self, verdict: str, text: str) -> str:
        return self.paint(verdict, f"{MARKS[verdict]} {text}")
