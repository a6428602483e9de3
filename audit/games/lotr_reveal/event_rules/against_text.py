"""What came of a text, told otherwise than the text says: damage to all of a kind, and cards drawn or discarded."""

from __future__ import annotations

from audit.core.event_rules import Violation
from audit.core.model import Event, type_name
from audit.games.lotr_reveal.cards import Text
from audit.games.lotr_reveal.events import CharacterDamaged, HandMoved
from audit.games.lotr_reveal.lookup import card_of
from audit.games.lotr_reveal.rules import step_7
from audit.games.lotr_reveal.state import Frame, State
from audit.games.lotr_reveal.tasks import find_task
from audit.games.lotr_reveal.zones import still_to_reveal


def last_revealed(state: State) -> Frame | None:
    """The card on its way, or the one through last in a staging step that is not over.

    Once everybody has revealed, what is told at the table may be anything that happens in the round.
    """
    if state.frames:
        return state.frames[-1]
    return state.closed[-1] if state.closed and still_to_reveal(state) else None


def against_text(state: State, event: Event) -> Violation | None:
    """What the When Revealed effect carried out last says otherwise than the event, which can tell of nothing else."""
    frame = last_revealed(state)
    if frame is None or not still_to_reveal(state) or not _is_only_cause(state, frame):
        return None
    text = card_of(state, frame.card).text
    if not text.is_understood or type_name(type(event)) not in text.leads_to:
        return None
    if isinstance(event, CharacterDamaged) and event.amount > 0 and text.does.damage:
        return _other_damage(state, frame, text, event)
    return _other_hand(state, frame, text, event) if isinstance(event, HandMoved) and event.delta else None


def tells_damage_of_text(state: State, event: Event) -> bool:
    """Whether the event tells the damage that a text has dealt to a character."""
    frame = last_revealed(state)
    if frame is None or not isinstance(event, CharacterDamaged) or event.character not in frame.hurt:
        return False
    return event.amount == card_of(state, frame.card).text.does.damage


def _is_only_cause(state: State, frame: Frame) -> bool:
    """Whether the effect was carried out, and no other text on the way of the card can have led to the event."""
    kinds = {task.kind for task in frame.procedure.tasks}
    if "revealed" not in kinds or "forced" in kinds or find_task(frame, "revealed"):
        return False
    has_called = any(one.parent == frame.id for one in state.closed)
    return not (has_called or frame.cancelled_by or frame.stop or frame.may_gain)


def _other_damage(state: State, frame: Frame, text: Text, event: CharacterDamaged) -> Violation | None:
    """Everybody whom the text reaches takes as much, and nobody else."""
    if event.character in frame.hurt:
        if event.amount == text.does.damage:
            return None
        return Violation(step_7.RESOLVE, "revealed.number", {"card": frame.card, "n": text.does.damage})
    character = state.characters.get(event.character)
    if character is None or character.ready is None or character.ready == (text.does.who == "ready"):
        return None
    data = {"card": frame.card, "names": [event.character]}
    return Violation(step_7.RESOLVE, f"revealed.only_{text.does.who}", data)


def _other_hand(state: State, frame: Frame, text: Text, event: HandMoved) -> Violation | None:
    """A text that lets players draw brings cards to hands, one that lets them discard takes cards from them."""
    players = text.draws_for if event.delta > 0 else text.discards_of
    if not players:
        key = "text.discards" if event.delta > 0 else "text.draws"
        return Violation(step_7.RESOLVE, key, {"card": frame.card})
    meant = {"first": state.first, "you": frame.player}
    named = [meant[who] for who in players if who in meant]
    if event.player in named or len(named) < len(players):
        return None
    data = {"card": frame.card, "player": event.player, "expected": named[0]}
    return Violation(step_7.RESOLVE, "text.player", data)
