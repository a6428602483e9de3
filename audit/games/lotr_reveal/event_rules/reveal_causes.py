"""Why a card is revealed or placed: for the staging step, by an effect, Surge or Guarded, or in place of another."""

from __future__ import annotations

from collections.abc import Callable

from audit.core.catalogue import Rule
from audit.core.event_rules import Citations, Violation
from audit.games.lotr_reveal.cards import GUARDED, GUARDED_X
from audit.games.lotr_reveal.event_rules.conditions import missing_reveals, overdue, replacement_due, task_due
from audit.games.lotr_reveal.events import PlacementStarted, RevealStarted
from audit.games.lotr_reveal.lookup import (
    acting_frame,
    card_of,
    closed_frame,
    deck_is_empty,
    frame_of,
    is_over,
    known_frame,
    text_leads_to,
)
from audit.games.lotr_reveal.rules import step_0, step_3, step_5_1, step_6, step_7, step_9, step_12
from audit.games.lotr_reveal.state import UNKNOWN, Frame, State
from audit.games.lotr_reveal.steps import S9, S12
from audit.games.lotr_reveal.tasks import find_task, first_task, tasks_now, uncertain_calls
from audit.games.lotr_reveal.zones import has_discards, still_to_reveal

Opening = RevealStarted | PlacementStarted
_COUNTED = frozenset({"surge", "replacement"})
"""The causes of which a card on its way says by itself whether it waits for another card."""


def parent_of(state: State, event: Opening) -> str | None:
    """The frame for which a card comes: as told, else the only one that may call for it."""
    if event.parent is not None or event.cause == "staging":
        return _that_waits(state, event) or event.parent
    if event.cause == "replacement" and state.replacement:
        return state.replacement.frame
    frame = acting_frame(state)
    return frame.id if frame else None


def _that_waits(state: State, event: Opening) -> str | None:
    """The only frame that waits for such a card, where another is told: the card before, as in a score sheet."""
    told = known_frame(state, event.parent)
    if told is None or _waits_for(state, told, event.cause):
        return None
    waiting = [frame.id for frame in state.frames if _waits_for(state, frame, event.cause)]
    return waiting[0] if len(waiting) == 1 else None


def _waits_for(state: State, frame: Frame, cause: str) -> bool:
    """Whether a card of that cause may be revealed for the frame."""
    if cause not in _COUNTED:
        return False
    if cause == "replacement":
        is_due = state.replacement is not None and state.replacement.frame == frame.id
        return is_due or bool(find_task(frame, "replace"))
    return frame.surges_armed > frame.surges_served or bool(find_task(frame, "surge")) or may_have_surge(state, frame)


def is_staged(state: State, event: Opening) -> bool:
    """Whether the card is the one of its player for the staging step, also where it is told as a surge that nobody had.

    Another player than the one whose card is on its way has one to reveal, and no card waits for one of that cause.
    """
    if event.cause == "staging":
        return True
    frame = acting_frame(state)
    if event.cause not in _COUNTED or state.replacement or frame is None or event.player == frame.player:
        return False
    is_called_for = any(_waits_for(state, one, event.cause) for one in state.frames)
    return not is_called_for and event.player in still_to_reveal(state)


def for_staging(state: State, event: Opening) -> Violation | None:
    """Why no card comes for the staging step, or for an effect."""
    frame = acting_frame(state)
    if state.replacement and state.replacement.is_due:
        return replacement_due()
    if has_revealed_all(state, event):
        return Violation(step_7.RESOLVE, "text.no_more_cards", _card_of(state, event.parent))
    if frame is None:
        if event.player not in state.setup.seats or event.parent is not None:
            return Violation(step_0.OCCASIONS, "reveal.player", {"player": event.player})
        return _not_their_turn(state, event) if event.cause == "staging" else None
    is_asked = text_leads_to(frame, type(event)) or bool(find_task(frame, "reveal"))
    if event.cause == "effect" and parent_of(state, event) == frame.id and is_asked:
        return None
    if task := first_task(state, frame):
        return task_due(state, frame, task)
    return Violation(step_0.NESTED_FRAME, "frame.not_called", {"card": frame.card, "frame": frame.id})


def has_revealed_all(state: State, event: Opening) -> bool:
    """Whether the card that the event names has revealed as many cards as its When Revealed effect says."""
    parent = known_frame(state, event.parent) if event.cause == "effect" and type(event) is RevealStarted else None
    if parent is None or find_task(parent, "reveal") or find_task(parent, "revealed"):
        return False
    return bool(card_of(state, parent.card).text.reveals) and not text_leads_to(parent, RevealStarted)


def _not_their_turn(state: State, event: Opening) -> Violation | None:
    """A player reveals one card for a staging step, as long as this game has any to reveal."""
    if is_over(state):
        data = {"player": event.player, "n": state.setup.reveals}
        return Violation(step_0.EACH_PLAYER, "reveal.over", data)
    return missing_reveals(state, player=event.player) if event.player in state.staged else None


def _for_surge(state: State, event: Opening) -> Violation | None:
    called_by = parent_of(state, event)
    parent, frame = frame_of(state, called_by), acting_frame(state)
    if frame is None and _was_closed_unserved(state, called_by):
        return None
    if parent is None or frame is None:
        return Violation(step_12.ONLY_ARMED, "surge.none", _card_of(state, called_by))
    if parent is not frame:
        return Violation(step_12.ONE_AT_A_TIME, "frame.surge_open", {"card": frame.card})
    if state.replacement and state.replacement.is_due:
        return replacement_due()
    if parent.surges_armed <= parent.surges_served and (unarmed := find_task(parent, "surge")):
        return task_due(state, parent, unarmed)
    if parent.surges_armed <= parent.surges_served and not may_have_surge(state, parent):
        return Violation(step_12.ONLY_ARMED, "surge.none", {"card": parent.card})
    return _surge_too_early(state, parent) or _by_another(state, parent, event)


def _was_closed_unserved(state: State, called_by: str | None) -> bool:
    """Whether the card was taken to be through although a surge of it was armed: the finding there asked for a card."""
    over = closed_frame(state, called_by)
    return over is not None and not over.stop and over.surges_armed > over.surges_served


def may_have_surge(state: State, frame: Frame) -> bool:
    """Whether nobody has told if the card has a surge that no event has armed: printed on it, or gained by a text."""
    is_undescribed = card_of(state, frame.card).type is None and not frame.placed
    return (is_undescribed or frame.may_gain) and not frame.stop


def _by_another(state: State, parent: Frame, event: Opening) -> Violation | None:
    """Who revealed a card reveals the one for its surge. The document does not say so: it is a reading."""
    is_known = bool(parent.seq)
    if event.player == parent.player or not is_known or "surge-by-anybody" in state.setup.switches:
        return None
    return Violation(step_12.SURGE, "surge.player", {"card": parent.card, "player": parent.player})


def _surge_too_early(state: State, frame: Frame) -> Violation | None:
    """A surge waits for step 12. Where only steps 9 to 11 are missing, those were forgotten."""
    early = overdue(state, frame, S12)
    task = first_task(state, frame)
    if early is None or (task and task.step >= S9):
        return early
    rule = step_7.GAINED_SURGE_DELAYED if "gained" in frame.granted_keywords else step_5_1.SURGE_DELAYED
    return Violation(rule, "surge.early", {"card": frame.card})


def _for_guarded(state: State, event: Opening) -> Violation | None:
    return called_for(state, event, GUARDED, step_9.GUARDED_REVEALS)


def called_for(state: State, event: Opening, keyword: str, rule: Rule) -> Violation | None:
    """Guarded, or Guarded X, of the acting card calls for a card."""
    frame = acting_frame(state)
    called_by = parent_of(state, event)
    data = _card_of(state, called_by)
    if frame is None or frame.id != called_by:
        return Violation(rule, "guarded.none", data)
    due = frame.tasks if deck_is_empty(state) and has_discards(state) else tasks_now(state, frame)
    due = (*due, *uncertain_calls(state, frame))
    if any(task.kind in ("child", "enter") and task.what == keyword for task in due):
        return None
    other = GUARDED_X if keyword == GUARDED else GUARDED
    if find_task(frame, "child") or any(task.what == other for task in due):
        return Violation(step_9.GUARDED_DISTINCT, f"guarded.{other}", data)
    is_told = card_of(state, frame.card).type is not None and not frame.may_gain
    return overdue(state, frame, S9) or (Violation(rule, "guarded.none", data) if is_told else None)


def _for_replacement(state: State, event: Opening) -> Violation | None:
    if state.replacement:
        if parent_of(state, event) == state.replacement.frame:
            return None
        return Violation(step_3.REPLACEMENT, "replacement.parent", {"frame": state.replacement.frame})
    frame = acting_frame(state)
    if frame is None or frame.id != parent_of(state, event):
        return _not_replaced(state, event)
    if frame.stop == "discarded":
        return Violation(step_3.LAMPWRIGHT_NO_REPLACEMENT, "replacement.lampwright", {"card": frame.card})
    if not find_task(frame, "replace"):
        return Violation(step_6.ELEANOR_DISCARD_AND_REVEAL, "replacement.none", {"card": frame.card})
    task = first_task(state, frame)
    if task and task.kind != "replace":
        return Violation(step_6.ELEANOR_FINISH_FIRST, "replacement.early", {"card": frame.card})
    return None


def _not_replaced(state: State, event: Opening) -> Violation:
    called_by = parent_of(state, event)
    over = closed_frame(state, called_by)
    if over and over.stop == "discarded":
        return Violation(step_3.LAMPWRIGHT_NO_REPLACEMENT, "replacement.lampwright", {"card": over.card})
    return Violation(step_3.REPLACEMENT, "replacement.none", _card_of(state, called_by))


def _card_of(state: State, id: str | None) -> dict[str, object]:
    frame = known_frame(state, id)
    return {"card": frame.card if frame else id or UNKNOWN, "frame": id or ""}


CAUSES: dict[str, Callable[[State, Opening], Violation | None]] = {
    "staging": for_staging,
    "effect": for_staging,
    "surge": _for_surge,
    GUARDED: _for_guarded,
    "replacement": _for_replacement,
}
"""What keeps a card from being revealed for each cause."""


def rules_of_cause(state: State, event: RevealStarted) -> Citations:
    """The rules by which a card is revealed for this cause."""
    frame = frame_of(state, parent_of(state, event))
    if event.cause == "surge" and frame:
        return _rules_of_surge(frame)
    if event.cause == GUARDED:
        return (step_9.GUARDED_REVEALS, step_0.NESTED_FRAME)
    if event.cause == "replacement":
        if state.replacement:
            return (step_3.REPLACEMENT, step_0.NESTED_FRAME)
        return (step_6.ELEANOR_DISCARD_AND_REVEAL, step_6.ELEANOR_FINISH_FIRST, step_0.NESTED_FRAME)
    return (step_0.NESTED_FRAME,) if parent_of(state, event) else ()


def _rules_of_surge(frame: Frame) -> Citations:
    survived = (step_5_1.SURGE_SURVIVES_CANCEL,) if frame.cancelled_by else ()
    several = (step_12.ONE_AT_A_TIME,) if frame.surges_armed > 1 else ()
    gained = (step_7.GAINED_SURGE_DELAYED,) if "gained" in frame.granted_keywords else ()
    return (step_12.SURGE, *survived, *several, *gained, step_5_1.SURGE_DELAYED, step_0.NESTED_FRAME)
