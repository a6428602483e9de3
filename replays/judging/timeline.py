"""Any step of a long game quickly: audits from the nearest bookmark instead of from the start."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from audit.core.auditor import Auditor
from audit.core.model import Event, Header
from audit.core.ruleset import ruleset
from audit.core.steps import Bookmark, Step
from replays.judging.annotate import with_reading
from replays.log.reader import Log

EVERY = 128
"""Events between two bookmarks: what has to be judged again for one step, at most."""


class Timeline:
    """A game that can be entered at any step.

    Opening goes over the log once; after that a step costs the same however long the log is. The steps are those
    of a whole audit, verdicts and inferred steps included.
    """

    def __init__(self, source: Log | tuple[Header, Iterable[Event]], *, reading: str | None = None) -> None:
        """Raises what an audit raises: `SetupError`, `UnknownReadingError`, or `LogError`."""
        header, events = (source.header, source) if isinstance(source, Log) else source
        self.header = with_reading(header, reading)
        self.events: list[Event] = []
        self._auditor: Auditor[object] = Auditor(ruleset(self.header.ruleset).rules, self.header, reach=None)
        self._first = self._auditor.first()
        self._marks: list[tuple[int, Bookmark]] = []
        self.events += events
        self._marks.append((self._auditor.index, self._auditor.bookmark()))
        for number, _ in enumerate(self._auditor.judge_all(self.events), 1):
            if number % EVERY == 0:
                self._marks.append((self._auditor.index, self._auditor.bookmark()))
        self._steps = self._auditor.index + 1

    def __len__(self) -> int:
        """How many steps there are, the start among them."""
        return self._steps

    def __getitem__(self, index: int) -> Step:
        """The step of that index, 0 being the start; raises `IndexError`."""
        if not 0 <= index < self._steps:
            raise IndexError(index)
        if index == 0:
            return self._first
        mark = bisect_right(self._marks, index - 1, key=lambda entry: entry[0]) - 1
        self._auditor.return_to(self._marks[mark][1])
        for steps in self._auditor.judge_all(self.events[mark * EVERY :]):
            for step in steps:
                if step.index == index:
                    return step
        raise IndexError(index)
