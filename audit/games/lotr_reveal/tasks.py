"""What is due of a card on its way, whether it can be done at all, and by which rules."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from audit.core.event_rules import Citations, Obligation
from audit.games.lotr_reveal.cards import AMBUSH, DOOMED, GUARDED, GUARDED_X, HUNT, PERIL, without_copy
from audit.games.lotr_reveal.lookup import card_of, deck_is_empty, hides_deck
from audit.games.lotr_reveal.names import kind_called
from audit.games.lotr_reveal.rules import (
    CATALOGUE,
    step_0,
    step_2,
    step_3,
    step_4,
    step_5_1,
    step_6,
    step_7,
    step_8,
    step_9,
    step_10,
    step_11,
    step_12,
)
from audit.games.lotr_reveal.state import Frame, State, Task
from audit.games.lotr_reveal.steps import S3, S4, S7, S8, S9, S10, S11

CANCELLED = "cancelled"
"""The detail of a move that follows a cancellation."""

OUTCOMES = (step_4.THALIN_CROWS, step_4.DERANGED_PRISONER, step_4.HOBBIT_COUNTRY)
"""Worked examples of what a card's own effect does at step 4."""

_KEYWORDS = {DOOMED: step_5_1.DOOMED, PERIL: step_5_1.PERIL, HUNT: step_5_1.HUNT}
_PASSIVES: dict[str, Citations] = {
    "damage": (step_4.DAMAGE_PASSIVES,),
    "progress": (step_4.PROGRESS_PASSIVE,),
    "grant_keyword": (step_4.BOLG_GRANTS_SURGE,),
}
_ENTERING: dict[str, Citations] = {
    GUARDED: (step_9.GUARDED_REVEALS, step_9.GUARDED_DISTINCT),
    GUARDED_X: (step_9.GUARDED_X_PLACES, step_9.GUARDED_DISTINCT),
    AMBUSH: (step_9.SCENARIO_KEYWORDS,),
    "bas-fonds": (step_9.SCENARIO_KEYWORDS,),
    "villager": (step_9.SCENARIO_KEYWORDS,),
    "concealment": (step_9.SCENARIO_KEYWORDS,),
    "attach": (step_9.TRAPS_ATTACH,),
    "engage": (step_9.UNDEAD_ENGAGE,),
    "zero_threat": (step_9.TRACKERS_THREAT_ZERO,),
}


def rules_of(task: Task) -> Citations:
    """The rules by which something is due; the first is the one broken where it is skipped."""
    return _RULES[task.kind](task)


@lru_cache(maxsize=1024)
def naming(rules: Citations, *cards: str) -> Citations:
    """Those of the rules that name certain cards, where all the cards they name are among these."""
    there = {without_copy(card) for card in cards}
    return tuple(rule for rule in rules if rule.cards and there.issuperset(rule.cards))


def passed_notes(frame: Frame, step: int) -> Citations:
    """Why nothing happened at the steps that an event at that step goes past."""
    return tuple([CATALOGUE.rules[note.rule] for note in frame.notes if note.step < step])


@lru_cache(maxsize=256)
def passive_rules(effect: str) -> Citations:
    """The rules of a passive effect on a card being revealed."""
    return (*_PASSIVES.get(effect, ()), step_4.PASSIVE_ON_REVEAL)


@lru_cache(maxsize=256)
def keyword_rules(keyword: str, step: int) -> Citations:
    """The rules of a keyword that works on being revealed."""
    own = (_KEYWORDS[keyword],) if keyword in _KEYWORDS else ()
    return (step_7.GAINED_KEYWORDS_NOW, *own) if step == S7 else (*own, step_5_1.KEYWORDS)


@lru_cache(maxsize=256)
def entering_rules(effect: str) -> Citations:
    """The rules of an effect of entering play."""
    return (*_ENTERING.get(effect, ()), step_9.ENTER_PLAY_EFFECTS)


@lru_cache(maxsize=1024)
def threat_rules(task: Task) -> Citations:
    """The rules by which threat moves."""
    if task.step == S4:
        return (*naming(OUTCOMES, task.source, task.detail), step_4.OUTCOME_TRIGGERS)
    return text_rules(task.step) if task.what == "text" else keyword_rules(task.what, task.step)


def text_rules(step: int) -> Citations:
    """The rules by which a text is carried out at that step."""
    return {
        S4: (step_4.OUTCOME_TRIGGERS,), S9: (step_9.ENTER_PLAY_EFFECTS,), S10: (step_10.AFTER_ENTERS_PLAY,),
        S11: (step_11.AFTER_REVEALED,),
    }.get(step, (step_7.RESOLVE,))  # fmt: skip


@lru_cache(maxsize=1024)
def move_rules(task: Task) -> Citations:
    """The rules by which the card goes where it goes."""
    if task.detail == CANCELLED:
        return _cancelled_move(task)
    if task.step == S3:
        return (step_3.LAMPWRIGHT_DISCARD,)
    if task.step == S4:
        if task.what == "encounter_discard":
            return (step_4.DISCARD_NOW, step_4.STOP_IF_GONE)
        named = naming(OUTCOMES, task.source, task.detail)
        return (step_4.OWN_EFFECT_REPLACES_DISCARD, *named, step_4.STOP_IF_GONE)
    if task.step > S8:
        return (step_6.ELEANOR_DISCARD_AND_REVEAL, step_6.ELEANOR_FINISH_FIRST)
    if task.detail:
        return (step_0.PLACED_STARTS_AT_8, step_8.ENTER_PLAY)
    if task.what == "encounter_discard":
        return (step_8.TREACHERY_DISCARDED,)
    return (step_8.DEFAULT_STAGING_AREA, step_8.ENTER_PLAY) if task.what == "staging_area" else (step_8.ENTER_PLAY,)


def is_named_discard(task: Task) -> bool:
    """Whether the task discards a card that a surge brought because a player named its type."""
    return task.kind == "move" and task.step == S3 and task.detail != CANCELLED


def _cancelled_move(task: Task) -> Citations:
    shuffled = (step_3.CANCELLED_CARD_RESHUFFLED,) if task.what == "encounter_deck" else ()
    return (*shuffled, step_3.CANCEL_STOPS)


def _surge(task: Task) -> Citations:
    if task.step == S7:
        return (step_7.GAINED_KEYWORDS_NOW, step_7.GAINED_SURGE_DELAYED)
    return (step_5_1.SURGE, step_5_1.KEYWORDS, step_5_1.SURGE_DELAYED)


def _forced(task: Task) -> Citations:
    if task.step == S10:
        return (step_10.AFTER_ENTERS_PLAY, step_10.FORCED_FIRST)
    return (step_11.AFTER_REVEALED, step_11.FORCED_FIRST)


_RULES: dict[str, Callable[[Task], Citations]] = {
    "cancel": lambda task: (step_3.CANCEL_STOPS,),
    "passive": lambda task: (step_0.PASSIVE_MANDATORY, *passive_rules(task.what)),
    "defeat": lambda task: (step_4.DISCARD_NOW, step_4.DAMAGE_PASSIVES),
    "explore": lambda task: (step_4.DISCARD_NOW, step_4.PROGRESS_PASSIVE),
    "outcome": lambda task: (
        *naming(OUTCOMES, task.source, task.detail), step_4.OUTCOME_TRIGGERS, step_2.OWN_FORCED_RESPONSE
    ),
    "own_move": lambda task: _RULES["outcome"](task),
    "threat": threat_rules,
    "keyword": lambda task: keyword_rules(task.what, task.step),
    "surge": _surge,
    "revealed": lambda task: (step_7.RESOLVE,),
    "move": move_rules,
    "enter": lambda task: entering_rules(task.what),
    "child": lambda task: (
        (step_9.GUARDED_REVEALS if task.what == GUARDED else step_9.GUARDED_X_PLACES), step_0.NESTED_FRAME
    ),
    "forced": _forced,
    "reveal": lambda task: (*text_rules(task.amount), step_0.NESTED_FRAME),
    "serve": lambda task: (step_12.SURGE, step_5_1.SURGE_DELAYED),
    "replace": lambda task: (step_6.ELEANOR_DISCARD_AND_REVEAL, step_6.ELEANOR_FINISH_FIRST),
}  # fmt: skip


CALLS_FOR_CARD = frozenset({"child", "serve", "replace", "reveal"})
"""Tasks that take a card from the encounter deck, or may."""

AUTOMATIC = frozenset({"cancel", "defeat", "explore", "outcome", "own_move", "threat", "surge", "move"})
"""Consequences without a choice, which a log may leave out. What players have to do themselves is not among them."""


def fits(state: State, card: str, types: str) -> bool:
    """Whether a card is of a type that a text names; one that nobody has described may be."""
    kinds = card_of(state, card).kinds
    return not (types and kinds) or not _words(types).isdisjoint(kinds)


@lru_cache(maxsize=256)
def _words(types: str) -> frozenset[str]:
    return frozenset(map(kind_called, re.findall(r"\w+", types)))


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
    if task.kind != "child" or not task.detail or not ("encounter_discard" in state.hidden or hides_deck(state)):
        return False
    if any(fits(state, card, task.detail) for card in state.discard):
        return False
    return not any(card_of(state, card).kinds and fits(state, card, task.detail) for card in state.deck or ())


def can_be_done(state: State, task: Task) -> bool:
    """Whether the task calls for no card, or for one that is known to be there."""
    return task.kind not in CALLS_FOR_CARD or not (has_no_card(state, task) or may_have_no_card(state, task))


def first_task(state: State, frame: Frame) -> Task | None:
    """What is due first in a frame, passing over what calls for a card that is not there, or may not be there."""
    for task in frame.tasks:
        if can_be_done(state, task):
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
    same = [task for task in tasks if task.step == first.step and (task is first or can_be_done(state, task))]
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
