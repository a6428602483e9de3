"""What is due of a card on its way: which of its tasks come now, and whether they can be done at all."""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec.structs import replace

from audit.core.event_rules import Obligation
from audit.games.lotr_reveal.lookup import card_of, deck_is_empty, hides_deck
from audit.games.lotr_reveal.state import Frame, State, Task

CALLS_FOR_CARD = frozenset({"child", "serve", "replace"})
"""Tasks that take a card from the encounter deck, or may."""

AUTOMATIC = frozenset({"cancel", "defeat", "explore", "outcome", "own_move", "threat", "surge", "move"})
"""Consequences without a choice, which a log may leave out. What players have to do themselves is not among them."""


def fits(state: State, card: str, types: str) -> bool:
    """Whether a card is of a type that a text names; one that nobody has described may be."""
    kinds = card_of(state, card).kinds
    return not (types and kinds) or not _words(types).isdisjoint(kinds)


@lru_cache(maxsize=256)
def _words(types: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", types.casefold()))


def has_no_card(state: State, task: Task) -> bool:
    """Whether the task calls for a card and none that would do is left."""
    if task.kind not in CALLS_FOR_CARD:
        return False
    if not task.detail:
        return deck_is_empty(state)
    if state.deck is None or "encounter_discard" in state.hidden:
        return False
    return not any(fits(state, card, task.detail) for card in (*state.deck, *state.discard))


def may_have_no_card(state: State, task: Task) -> bool:
    """Whether nobody can tell if a card that the task calls for is left."""
    if task.kind != "child" or not task.detail:
        return False
    if any(fits(state, card, task.detail) for card in state.discard):
        return False
    if any(card_of(state, card).kinds and fits(state, card, task.detail) for card in state.deck or ()):
        return False
    return "encounter_discard" in state.hidden or hides_deck(state)


def first_task(state: State, frame: Frame) -> Task | None:
    """What is due first in a frame, passing over what calls for a card that is not there, or may not be there."""
    for task in frame.tasks:
        if task.kind not in CALLS_FOR_CARD or not (has_no_card(state, task) or may_have_no_card(state, task)):
            return task
    return None


def uncertain_calls(state: State, frame: Frame) -> tuple[Task, ...]:
    """The calls for a card of which nobody can tell if it is left."""
    for task in frame.tasks:
        if task.kind == "child":
            return tuple([one for one in frame.tasks if one.kind == "child" and may_have_no_card(state, one)])
    return ()


def find_task(frame: Frame, kind: str, what: str | None = None, source: str | None = None) -> Task | None:
    """The first task of that kind that is still to come, or may have to."""
    for task in (*frame.tasks, *frame.possible) if frame.possible else frame.tasks:
        if task.kind == kind and (what is None or task.what == what) and (source is None or task.source == source):
            return task
    return None


def threat_task(frame: Frame, player: str) -> Task | None:
    """The first rise of that player's threat that is still to come."""
    for task in frame.tasks:
        if task.kind == "threat" and task.player == player:
            return task
    return None


def forced_task(frame: Frame, step: int, source: str | None = None) -> Task | None:
    """The first forced effect, of that card or of any, that is still to come at that step."""
    for task in frame.tasks:
        if task.step == step and task.kind == "forced" and (source is None or task.source == source):
            return task
    return None


def tasks_now(state: State, frame: Frame) -> tuple[Task, ...]:
    """All that is due at one step, in any order; a cancellation, or a card called for, comes at once."""
    tasks = frame.tasks
    if tasks and tasks[0].kind not in CALLS_FOR_CARD and (len(tasks) == 1 or tasks[0].step < tasks[1].step):
        return tasks[:1]
    first = first_task(state, frame)
    if first is None:
        return ()
    same = [
        task
        for task in tasks
        if task.step == first.step and (task is first or first_task(state, replace(frame, tasks=(task,))))
    ]
    return (first,) if len(same) == 1 else _in_any_order(tuple(same), "nested-may-wait" in state.setup.switches)


@lru_cache(maxsize=1024)
def _in_any_order(same: tuple[Task, ...], may_wait: bool) -> tuple[Task, ...]:
    """What of a step comes now; `may_wait` is the reading by which a card called for may wait."""
    together = tuple(dict.fromkeys(same))
    urgent = tuple(task for task in together if task.kind in ("cancel", "child"))
    waits = urgent and urgent[0].kind == "child" and may_wait
    return together if waits else urgent or together


def with_obligations(tasks: tuple[Task, ...]) -> tuple[tuple[Task, Obligation], ...]:
    """Tasks that are due together: the first automatic one is inferred where it is left out, the others can wait."""
    first = next((task for task in tasks if task.kind in AUTOMATIC), None) if len(tasks) > 1 else None
    return tuple(
        (task, Obligation.REQUIRED if first is None or task is first else Obligation.EXPIRES) for task in tasks
    )
