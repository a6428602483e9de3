"""The steps a card comes to and the windows that shut behind it, for a log that says everything."""

from __future__ import annotations

from collections.abc import Iterator

from audit.lotr_reveal.events import PlacementStarted, RevealStarted, StepEntered, WindowPassed
from audit.lotr_reveal.state import Frame, State, frame_of
from audit.lotr_reveal.steps import INDEX, S12, WINDOWS, name_of
from audit.model import Event


def optional_events_before(state: State, event: Event) -> Iterator[Event]:
    """Every step from the one a card has reached to that of the event, and every window between them."""
    if isinstance(event, RevealStarted | PlacementStarted):
        frame = frame_of(state, event.parent)
        goal = S12 if event.cause == "surge" else 0
    else:
        frame = frame_of(state, getattr(event, "frame", None))
        goal = INDEX[getattr(event, "step", "1")]
    return _on_the_way(frame, goal) if frame is not None else iter(())


def _on_the_way(frame: Frame, goal: int) -> Iterator[Event]:
    for at in range(frame.at, goal):
        if at in WINDOWS:
            yield WindowPassed(seq=0, frame=frame.id, step=name_of(at))
        yield StepEntered(seq=0, frame=frame.id, step=name_of(at + 1))
