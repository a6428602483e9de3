"""Which findings of a game are none under another reading of a contested rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import msgspec
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.catalogue import Rule
from audit.core.model import Event, Header
from audit.core.ruleset import Ruleset
from audit.core.steps import Step
from replays.cache import Cache

NEAR = 8
"""The rules of so many steps before a finding are looked at: what is contested may have gone before it."""

MOST = 5_000
"""In a record of more steps than any game at a table has, nothing is judged again."""


_KNOWN = Cache(1_000)
"""The seqs of the findings by record and switch: every viewer and language asks for the same."""


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
        return [name for name in concerned if step.seq not in self._findings(name)]

    @cached_property
    def _events(self) -> list[Event]:
        return [step.event for step in self.steps if step.event is not None and step.seq is not None]

    @cached_property
    def _record(self) -> bytes:
        """What tells this record from others."""
        from hashlib import sha256  # a command that finds nothing need not load it

        return sha256(msgspec.json.encode((self.header, self._events))).digest()

    def _findings(self, switch: str) -> frozenset[int | None]:
        """The seqs of the findings with that switch."""
        return _KNOWN.get((self._record, switch), lambda: self._judged(switch))

    def _judged(self, switch: str) -> frozenset[int | None]:
        header = replace(self.header, reading=f"{self.header.reading}+{switch}")
        return frozenset([step.seq for step in audit(self.game, header, self._events) if step.verdict.is_finding])


def _topics(rules: Iterable[Rule]) -> frozenset[str]:
    """What the rules are about: the first part of their ids."""
    return frozenset([rule.id.partition(".")[0] for rule in rules])
