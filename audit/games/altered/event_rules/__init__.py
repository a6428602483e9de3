"""The rules of each event type, one module for each kind of thing that happens, with the `RULES` of its event types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from audit.core.event_rules import by_event
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
EVENT_RULES: Final[Mapping[type[Event], AlteredEventRules[Any]]] = by_event(
    EVENTS, [rules for module in _MODULES for rules in module.RULES]
)
"""The rules by event type, in the order of the documentation."""
