"""The rules of each event type, one module for each kind of thing that happens, with the `RULES` of its event types."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any, Final

from audit.core.model import Event
from audit.games.altered.event_rules import (
    afternoon,
    days,
    effects,
    ending,
    expeditions,
    morning,
    night,
    objects,
    reactions,
    setup,
    tumult,
    turns,
)
from audit.games.altered.event_rules.base import AlteredEventRules
from audit.games.altered.events import EVENTS

_MODULES = (
    afternoon, days, effects, ending, expeditions, morning, night, objects, reactions, setup, tumult, turns,
)  # fmt: skip
_BY_EVENT: dict[type[Event], AlteredEventRules[Any]] = {
    rules.event: rules for rules in chain.from_iterable(module.RULES for module in _MODULES)
}

EVENT_RULES: Final[Mapping[type[Event], AlteredEventRules[Any]]] = {event: _BY_EVENT[event] for event in EVENTS}
"""The rules by event type, in the order of the documentation."""
