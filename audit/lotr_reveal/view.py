"""The position as a viewer may know it. All is open here but the order and the cards of the encounter deck."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from audit.lotr_reveal.acts.opening import UNKNOWN
from audit.lotr_reveal.events import PlacementStarted, RevealStarted
from audit.lotr_reveal.state import REVEALS, Frame, State, is_spent
from audit.lotr_reveal.steps import ORDER, S5_1, S6, S7, S8, S9, S10, S11, S12, WINDOWS, name_of
from audit.model import Event
from audit.ruleset import Json

JUDGE = "judge"


def view(state: State, viewer: str) -> Json:
    """Zones, counters and frames; the frames closed since the last card revealed for no other are there too."""
    frames = sorted((*state.closed, *state.frames), key=lambda frame: frame.seq)
    return {
        "first_player": state.table.first,
        "players": list(state.table.seats),
        "reveals": state.roots,
        "encounter_deck": _deck(state, viewer),
        "encounter_discard": list(state.discard),
        "staging_area": list(state.staging),
        "engaged": {seat: list(cards) for seat, cards in state.engaged.items()},
        "attachments": {card: list(cards) for card, cards in state.attachments.items()},
        "elsewhere": dict(state.not_intended),
        "threat": dict(state.threat),
        "hand_size": dict(state.hands),
        "damage": {**{frame.card: 0 for frame in state.frames}, **state.damage},
        "progress": dict(state.progress),
        "threat_strength": dict(state.strength),
        "characters": {name: {"ready": one.ready, "damage": one.damage} for name, one in state.characters.items()},
        "surges_armed": {frame.id: frame.armed for frame in frames},
        "surges_served": {frame.id: frame.served for frame in frames},
        "open_frames": [frame.id for frame in state.frames],
        "frames": {frame.id: frame_view(state, frame, frame in state.frames) for frame in frames},
        "replacement_due": state.replacement is not None and state.replacement.due,
    }


def _deck(state: State, viewer: str) -> list[str] | int | None:
    if state.deck is None:
        return None
    left = state.deck[state.taken :]
    return list(left) if viewer == JUDGE else len(left)


def frame_view(state: State, frame: Frame, is_open: bool) -> Json:
    """One card on its way through the steps."""
    return {
        "card": frame.card,
        "started_as": "placed" if frame.placed else "revealed",
        "cause": frame.cause,
        "parent": frame.parent,
        "player": frame.player,
        "step": name_of(frame.at),
        "zone": frame.zone,
        "open": is_open,
        "peril": frame.peril,
        "named_type": frame.named,
        "cancelled_at_3": frame.stop == "cancelled",
        "discarded_at_3": frame.stop == "discarded",
        "left_at_4": frame.stop == "left",
        "when_revealed_cancelled": bool(frame.canceller) and frame.stop != "cancelled",
        "replace_after_12": frame.exchanged,
        "forced_pending": [task.source for task in frame.tasks if task.kind == "forced"],
        "surges_left": frame.armed - frame.served,
        "due": [{"step": name_of(task.step), "what": task.kind, "source": task.source} for task in frame.tasks],
        "windows": {name_of(at): _window(state, frame, at, is_open) for at in WINDOWS},
        "track": {name: _passage(state, frame, at) for at, name in enumerate(ORDER)},
    }


def _window(state: State, frame: Frame, at: int, is_open: bool) -> str:
    """`open` where a response may come now, `shut` where its moment is over or never comes, else `ahead`."""
    if not is_open or at < frame.at or frame.stop or _passage(state, frame, at) == "skipped":
        return "shut"
    first = next((task for task in frame.tasks if task.kind not in REVEALS or not is_spent(state)), None)
    if first is not None and (first.step < at or (first.step == at and first.kind == "forced")):
        return "ahead"
    return "open"


def _passage(state: State, frame: Frame, at: int) -> str:
    """`done`, `now`, `ahead`, or `skipped`: a step that is not for this card."""
    if _is_skipped(state, frame, at):
        return "skipped"
    if at == frame.at:
        return "now"
    return "done" if at < frame.at else "ahead"


def _is_skipped(state: State, frame: Frame, at: int) -> bool:
    if frame.placed:
        return at < S8 or at in (S11, S12)
    if frame.stop:
        return at > frame.at
    if at in (S6, S7) and (frame.canceller or not any(task.kind == "revealed" for task in frame.plan.tasks)):
        return at == S7
    if at == S5_1 or at not in (S9, S10):
        return False
    return not state.table.card(frame.card).enters_play


def pending(state: State) -> list[Json]:
    """What is under way, the newest card first: its step, and what of it is still due."""
    found: list[Json] = []
    if state.replacement:
        found.append({"what": "replacement", "frame": state.replacement.frame, "rest": 1})
    for frame in reversed(state.frames):
        due = [f"{name_of(task.step)} {task.kind} {task.what or task.source}".strip() for task in frame.tasks]
        found.append(
            {"card": frame.card, "frame": frame.id, "step": name_of(frame.at), "rest": len(frame.tasks), "due": due}
        )
    return found


def redact(state: State, event: Event, viewer: str) -> Event:
    """What happened is open to all; what may happen does not tell which card is next."""
    if viewer == JUDGE or event.seq or not isinstance(event, RevealStarted | PlacementStarted):
        return event
    return replace(event, card=UNKNOWN)


def unseen(setup: Mapping[str, object]) -> dict[str, object]:
    """A setup as somebody knows it who has not looked into the encounter deck: how many cards, and no more."""
    found = {key: value for key, value in setup.items() if key != "shuffles"}
    deck = found.get("encounter_deck")
    if isinstance(deck, list | tuple):
        found["encounter_deck"] = [f"{UNKNOWN}{number}" for number in range(1, len(deck) + 1)]
    return found
