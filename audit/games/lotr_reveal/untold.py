"""What the table has to be asked while a card is revealed, because nobody has told what is printed on it."""

from __future__ import annotations

from collections.abc import Iterator

from audit.core.model import Event
from audit.games.lotr_reveal.events import CardMoved, Zone
from audit.games.lotr_reveal.lookup import acting_frame, card_of, replacement_is_due
from audit.games.lotr_reveal.state import State
from audit.games.lotr_reveal.steps import S8
from audit.games.lotr_reveal.tasks import first_task

DESTINATIONS: tuple[Zone, ...] = ("staging_area", "encounter_discard")


def is_destination_open(state: State) -> bool:
    """Whether a card has come to step 8 of which nobody has told the type, so that it may go anywhere."""
    frame = acting_frame(state)
    if frame is None or frame.stop or not frame.held or replacement_is_due(state):
        return False
    first = first_task(state, frame)
    return (first is None or first.step > S8) and card_of(state, frame.card).destination is None


def untold(state: State) -> Iterator[Event]:
    """The card entering play, or being discarded, where nothing says which."""
    frame = acting_frame(state)
    if frame and is_destination_open(state):
        for to in DESTINATIONS:
            yield CardMoved(seq=0, frame=frame.id, step="8", card=frame.card, from_=frame.zone, to=to)
