"""Every kind of event, and every word of a closed list, has a case that obeys the rules and one that breaks them.

What there is to show is read from the declarations of the events, so that whatever is added there is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest

from audit.core.cases import run
from audit.core.model import Event, type_name
from audit.games.altered import RULESET, events
from audit.games.altered.events import EVENTS
from tests.altered.situations import CASES, first_finding

Thing = tuple[str, str, str]
"""An event, a field and a word of it; field and word are empty for the event as such."""

MARKERS = (events.PhaseStarted, events.DailyEffectStarted, events.DailyEffectEnded, events.ReactionCheck)
"""They say where the day stands; what belongs to a part of the day is shown by its own events."""

EXCEPTIONS: dict[tuple[Thing, str], str] = {
    (("first_player_drawn", "method", "other"), "obeyed"): "Who begins is drawn at random.",
    (("mana_placed", "face", "up"), "obeyed"): "A Mana Orb is placed face down.",
    (("hand_shown", "", ""), "obeyed"): "No hand may be shown.",
    (("character_rested", "statuses_removed", "fleeting"), "obeyed"): "A fleeting Character goes as it is.",
    (("effect_started", "", ""), "broken"): "An effect may begin whenever something sets it off.",
}


def words_of(hint: Any) -> Iterator[str]:
    """The words of a closed list, however deep it stands in a type."""
    if get_origin(hint) is Literal:
        yield from get_args(hint)
    else:
        for part in get_args(hint):
            yield from words_of(part)


def things() -> Iterator[Thing]:
    """Every kind of event, and every word of its closed lists, but for the zones, which all events share."""
    for kind in EVENTS:
        if kind not in MARKERS:
            yield type_name(kind), "", ""
            hints = get_type_hints(kind)
            listed = [field for field in hints if hints[field] != events.Zone]
            yield from ((type_name(kind), field, word) for field in listed for word in words_of(hints[field]))


def told_by(event: Event) -> Iterator[Thing]:
    """What an event shows."""
    yield type_name(type(event)), "", ""
    for field in event.__struct_fields__:
        yield from ((type_name(type(event)), field, word) for word in _words(getattr(event, field)))


def _words(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _words(part)
    elif isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            yield from _words(getattr(value, field))


@cache
def shown() -> dict[str, set[Thing]]:
    """What the cases show: all that happens where the rules are obeyed; the mistake, or what should have been."""
    found: dict[str, set[Thing]] = {"obeyed": set(), "broken": set()}
    for case in CASES:
        steps = run(RULESET, case)
        finding = first_finding(steps)
        seen = [step.event for step in steps] if finding is None else [finding.event, *finding.expected]
        found["broken" if finding else "obeyed"] |= {thing for event in seen if event for thing in told_by(event)}
    return found


@pytest.mark.every("thing", list(things()), ids=lambda thing: " ".join(part for part in thing if part))
def test_it_is_shown_obeyed_and_broken(thing: Thing) -> None:
    missing = {what for what, known in shown().items() if thing not in known}
    excused = {what for known, what in EXCEPTIONS if known == thing}
    assert missing == excused, f"{' '.join(thing).strip()}: no case in which it is {' nor '.join(sorted(missing))}"


def test_exceptions_are_about_what_is_there() -> None:
    assert {thing for thing, _ in EXCEPTIONS} <= set(things())
