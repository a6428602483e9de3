"""Which findings of a game are none under another reading of a contested rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import msgspec
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.catalogue import Rule
from audit.core.model import Event, Header
from audit.core.ruleset import Ruleset
from audit.core.steps import Step

NEAR = 8
"""The rules of so many steps before a finding are looked at: what is contested may have gone before it."""

MOST = 5_000
"""In a record of more steps than any game at a table has, nothing is judged again."""


@dataclass(frozen=True)
class _Record:
    """A game as it is recorded: what tells it from others, and what it is judged from."""

    content: bytes
    game: Ruleset[object] = field(compare=False)
    header: Header = field(compare=False)
    events: list[Event] = field(compare=False)


class OtherReadings:
    """The game judged again, once for each switch of a reading that concerns the topics of a finding."""

    def __init__(self, game: Ruleset[object], header: Header, steps: Sequence[Step]) -> None:
        self.game, self.header, self.steps = game, header, steps

    def accepting(self, step: Step) -> list[str]:
        """The switches under which this step of the game is no finding."""
        if len(self.steps) > MOST:
            return []
        before = self.steps[max(0, step.index - NEAR) : step.index]
        topics = _topics([rule for one in (*before, step) for rule in one.rules])
        active = self.game.rules.switches_of(self.header)
        concerned = [
            switch.name
            for switch in self.game.rules.switches
            if switch.name not in active and topics & _topics(switch.rules)
        ]
        return [name for name in concerned if step.seq not in _findings(self._record, name)]

    @cached_property
    def _record(self) -> _Record:
        events = [step.event for step in self.steps if step.event is not None and step.seq is not None]
        return _Record(msgspec.json.encode((self.header, events)), self.game, self.header, events)


@lru_cache(maxsize=256)
def _findings(record: _Record, switch: str) -> frozenset[int | None]:
    """The seqs of the findings with that switch; every viewer and language asks for the same."""
    header = replace(record.header, reading=f"{record.header.reading}+{switch}")
    return frozenset([step.seq for step in audit(record.game, header, record.events) if step.verdict.is_finding])


def _topics(rules: Iterable[Rule]) -> frozenset[str]:
    """What the rules are about: the first part of their ids."""
    return frozenset([rule.id.partition(".")[0] for rule in rules])
