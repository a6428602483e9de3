"""How frames change: they are opened, advanced, given tasks, and closed."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from msgspec.structs import replace

from audit.games.lotr_reveal.cards import GUARDED, Does, Text
from audit.games.lotr_reveal.events import RevealCause, Within
from audit.games.lotr_reveal.lookup import (
    acting_frame,
    card_of,
    causes_of_frame,
    closed_frame,
    deck_is_empty,
    frame_of,
    known_frame,
    with_frame,
)
from audit.games.lotr_reveal.procedure import procedure_of
from audit.games.lotr_reveal.rules import step_3, step_6
from audit.games.lotr_reveal.state import UNKNOWN, Frame, State, StepNote, Task
from audit.games.lotr_reveal.steps import AFTER, LAST, S3, S7, S12
from audit.games.lotr_reveal.tasks import CALLS_FOR_CARD, first_task
from audit.games.lotr_reveal.zones import reset, still_in, take, taken_off_deck

MAX_CAUSES = 40
"""At most this many events are named that led to a card: twenty cards that called for one another."""

MAX_TASKS = 120
"""At most this many tasks of one card are kept: more than any card asks, whatever a log may say."""

TASK_OF_CAUSE = {"surge": "serve", GUARDED: "child", "replacement": "replace", "effect": "reveal"}
"""The kind of task that a card revealed for that cause fulfils."""

CAUSE_OF_TASK: dict[str, RevealCause] = {
    "serve": "surge", "child": "guarded", "replace": "replacement", "reveal": "effect"
}  # fmt: skip
"""The cause a card has that is revealed to fulfil a task of that kind."""


_STEP = attrgetter("step")


def arrived(frame: Frame, step: int, told: bool = True) -> Frame:
    """The frame at a later step, without the tasks of earlier steps.

    What may have had to happen stays until an event that is `told`, and no marker, goes past it.
    """
    tasks = frame.tasks
    if tasks and tasks[0].step < step:
        tasks = tuple([task for task in tasks if task.step >= step])
    notes = tuple([note for note in frame.notes if note.step >= step]) if frame.notes else ()
    possible = frame.possible
    if possible and told:
        possible = tuple([task for task in possible if task.step >= step])
    return replace(
        frame, step=step, tasks=tasks, notes=notes, possible=possible, text_resolved=False, text_threat=0, leads_to=(),
        untold_rises=(),
    )  # fmt: skip


def done(frame: Frame, task: Task | None, more: Sequence[Task] = (), seq: int = 0, **changes: object) -> Frame:
    """The frame with one thing done, others that follow from it in the order of the steps, and what else changes."""
    tasks = frame.tasks
    if task in frame.possible:
        frame = replace(frame, possible=tuple([one for one in frame.possible if one != task]))
    elif task is not None:
        index = tasks.index(task)
        tasks = (*tasks[:index], *tasks[index + 1 :]) if index else tasks[1:]
    if more:
        tasks = tuple(sorted((*tasks, *more), key=_STEP))[:MAX_TASKS]
    if not changes:
        return replace(frame, tasks=tasks, last_cause=seq or frame.last_cause)
    return replace(frame, tasks=tasks, last_cause=seq or frame.last_cause, **changes)


def threat_rises(
    players: tuple[str, ...], step: int, amount: int, source: str, what: str, detail: str = ""
) -> tuple[Task, ...]:
    """The threat of these players is to rise."""
    return tuple([Task("threat", step, source, what, amount, detail, player) for player in players])


def text_done(state: State, frame: Frame, task: Task | None, text: Text, seq: int) -> Frame:
    """The frame after a text was carried out: what it asks for is due, or what it asks for is not known."""
    rises = _threat_of_text(state, frame, text.does) if text.is_understood and text.does.threat else ()
    cards = _reveals_asked(state, frame, text)
    frame = done(frame, task, (*rises, *cards), seq)
    if text.is_understood and not text.leads_to:
        return frame
    threat = 0 if rises else text.does.threat
    if not text.leads_to:
        return with_unread_text(frame, threat)
    return with_text(frame if cards else _with_reveal_possible(state, frame, text), threat, text.leads_to)


def _threat_of_text(state: State, frame: Frame, does: Does) -> tuple[Task, ...]:
    players = {"each": state.setup.seats, "first": (state.first,), "you": (frame.player,)}.get(does.who or "", ())
    return threat_rises(still_in(state, players), frame.step, does.threat, frame.card, "text")


def _reveals_asked(state: State, frame: Frame, text: Text) -> tuple[Task, ...]:
    """The cards that the text reveals; none where it does not say how many, or a player may be out of the game."""
    seats = state.setup.seats
    if not all(number for _, number in text.reveals) or len(still_in(state, seats)) < len(seats):
        return ()
    number = sum(number * (len(seats) if who == "each" else 1) for who, number in text.reveals)
    return (Task("reveal", S12, frame.card, amount=frame.step),) * min(number, MAX_TASKS)


def _with_reveal_possible(state: State, frame: Frame, text: Text) -> Frame:
    """The frame with a card that the text may reveal: if no event tells of one, nobody can tell what became of it."""
    if "reveal_started" not in text.leads_to or deck_is_empty(state):
        return frame
    return replace(frame, possible=(*frame.possible, Task("reveal", S12, frame.card)))


def with_text(frame: Frame, threat: int = 0, leads_to: tuple[str, ...] = ()) -> Frame:
    """The frame once a text was carried out that may lead to such events, or to any; it may say by how much threat."""
    return replace(frame, text_resolved=True, text_threat=threat, leads_to=leads_to)


def with_unread_text(frame: Frame, threat: int = 0) -> Frame:
    """The frame once a text of the encounter side was carried out that is not understood."""
    return replace(with_text(frame, threat), may_gain=True)


def let_go(state: State, frame: Frame) -> State:
    """The position without the card of a frame where it lay; a card that is held lies nowhere."""
    return state if frame.held else take(state, frame.card)


def outer_causes(state: State, seq: int) -> tuple[int, ...]:
    """The seqs that led to a card taken now by the event of that seq, nearest first."""
    return tuple([cause for cause in causes_of_frame(state) if cause != seq])[:MAX_CAUSES] if state.frames else ()


def opened(state: State, frame: Frame) -> State:
    """The position with a further frame, which acts from now on."""
    is_root = not state.frames and frame.parent is None
    return replace(
        state, frames=(*state.frames, frame), opened=state.opened + 1, roots=state.roots + is_root,
        closed=() if is_root else state.closed,
    )  # fmt: skip


def revealed(
    state: State, id: str, card: str, cause: RevealCause, player: str, parent: str | None, seq: int = 0
) -> State:
    """The position with a card taken from the encounter deck."""
    state = _parent_served(taken_off_deck(reset(state), card), cause, parent, seq)
    procedure = procedure_of(state, card, placed=False)
    named, from_surge = _from_surge(state, cause, parent)
    frame = Frame(
        id=id, card=card, cause=cause, player=player, step=0, parent=parent, seq=seq, last_cause=seq,
        procedure=procedure, tasks=procedure.tasks, notes=procedure.notes, possible=procedure.possible,
        from_surge=from_surge, outer_causes=outer_causes(state, seq),
    )  # fmt: skip
    if named is not None:
        frame = _compared_with_name(state, frame, named)
    return opened(replace(state, replacement=None) if state.replacement else state, frame)


def _parent_served(state: State, cause: RevealCause, id: str | None, seq: int) -> State:
    """The frame that called for the card has what it asked for; one that was closed too soon goes on."""
    if id is None:
        return state
    parent = frame_of(state, id)
    if parent is None:
        parent = closed_frame(state, id)
        if parent is None or state.replacement or cause == "replacement":
            return state
        closed = tuple(frame for frame in state.closed if frame is not parent)
        state = replace(state, frames=(*state.frames, parent), closed=closed)
    possible = without_one(parent.possible, "reveal") if cause == "effect" else parent.possible
    parent = replace(_with_all_revealed(parent, cause), possible=possible, last_cause=seq)
    if cause == "surge":
        is_early = bool(parent.tasks) and parent.tasks[0].step < S12
        step = parent.step if is_early else max(parent.step, S12)
        possible = tuple([task for task in parent.possible if task.step >= step])
        parent = replace(parent, surges_served=parent.surges_served + 1, step=step, possible=possible)
    return with_frame(state, parent)


def _with_all_revealed(parent: Frame, cause: str) -> Frame:
    """The frame that called for the card; a text that told how many cards it reveals leads to no further one."""
    left = served(parent.tasks, cause)
    is_counted = cause == "effect" and len(left) < len(parent.tasks)
    if not is_counted or any(task.kind == "reveal" for task in left):
        return replace(parent, tasks=left)
    leads_to = tuple([event for event in parent.leads_to if event != "reveal_started"])
    return replace(parent, tasks=left, leads_to=leads_to, text_resolved=parent.text_resolved and bool(leads_to))


def served(tasks: tuple[Task, ...], cause: str) -> tuple[Task, ...]:
    """The tasks without the one that called for a card of that cause."""
    return without_call(tasks, GUARDED) if cause == GUARDED else without_one(tasks, TASK_OF_CAUSE.get(cause))


def effect_cancelled(state: State, frame: Frame, source: str, is_replaced: bool) -> Frame:
    """The frame without step 7 and nothing else; where the card is replaced, that waits until step 12 is over."""
    tasks = tuple(task for task in frame.tasks if task.kind != "revealed")
    notes = (StepNote(S7, step_6.SKIPS_ONLY_7.id), *frame.notes)
    frame = replace(frame, tasks=tasks, cancelled_by=source, notes=notes)
    if not is_replaced:
        return frame
    frame = replace(done(frame, None, [Task("replace", LAST, source)]), replaced_later=True)
    is_put_away = card_of(state, frame.card).enters_play
    return done(frame, None, [Task("move", AFTER, frame.card, "encounter_discard")]) if is_put_away else frame


def without_one(tasks: tuple[Task, ...], kind: str | None) -> tuple[Task, ...]:
    """The tasks without the first of that kind."""
    for index, task in enumerate(tasks):
        if task.kind == kind:
            return (*tasks[:index], *tasks[index + 1 :])
    return tasks


def without_call(tasks: tuple[Task, ...], keyword: str) -> tuple[Task, ...]:
    """The tasks without the call for a card by that form of Guarded, carried out before or told by its card."""
    if any(task.kind == "child" for task in tasks):
        return without_one(tasks, "child")
    called = next((task for task in tasks if task.kind == "enter" and task.what == keyword), None)
    return tuple([task for task in tasks if task is not called])


def _from_surge(state: State, cause: RevealCause, parent: str | None) -> tuple[str | None, bool]:
    """The type named for the surge a card comes from, and whether it comes from one."""
    if cause == "surge":
        caller = frame_of(state, parent)
        return (caller.named_type if caller else None), True
    waiting = state.replacement
    if cause == "replacement" and waiting and "replacement-is-surge" in state.setup.switches:
        return waiting.named_type, waiting.from_surge
    return None, False


def _compared_with_name(state: State, frame: Frame, named: str) -> Frame:
    """A card of the type named is to be discarded at step 3; one that may count as such may be; any other goes on."""
    card = card_of(state, frame.card)
    discard = Task("move", S3, frame.card, "encounter_discard", detail=named)
    if card.type == named:
        return replace(frame, tasks=(discard, *frame.tasks), named_type=named)
    if card.may_be_a(named):
        return replace(frame, possible=(discard, *frame.possible), named_type=named)
    spared = StepNote(S3, step_3.LAMPWRIGHT_ONLY_ON_MATCH.id)
    return replace(frame, notes=(spared, *frame.notes))


def unannounced(state: State, id: str, card: str | None) -> State:
    """The position with a frame that an event names although no event opened it: its card must have been taken.

    A card that is not told stays unknown until an event names it, unless only one can be on top of the deck.
    """
    if card is None:
        may_be = next_cards(state)
        card = may_be[0] if len(may_be) == 1 else UNKNOWN
    frame = acting_frame(state)
    task = first_task(state, frame) if frame else None
    cause: RevealCause = "staging"
    parent: str | None = None
    if frame and task and task.kind in CALLS_FOR_CARD:
        cause, parent = CAUSE_OF_TASK[task.kind], frame.id
    if state.replacement:
        cause, parent = "replacement", state.replacement.frame
    return revealed(state, id, card, cause, frame.player if frame else state.first, parent)


def with_card_named(state: State, event: Within) -> State:
    """The position with the card of an unannounced frame, which an event names now; the same where it is known."""
    frames = state.frames
    if not frames or frames[-1].seq:
        return state
    frame = frames[-1]
    if not frame.card.startswith(UNKNOWN) or frame.id != event.frame:
        return state
    card: str | None = getattr(event, "card", None)
    if not card:
        return state
    if frame.card == UNKNOWN:
        state = taken_off_deck(state, card)
    asked = procedure_of(state, card, placed=False)
    named = replace(
        frame, card=card, procedure=asked, tasks=asked.tasks, notes=asked.notes, possible=asked.possible
    )  # fmt: skip
    return with_frame(state, arrived(named, frame.step))


MAX_CANDIDATES = 40
"""At most this many cards are listed where the order of the deck is not known."""


def next_cards(state: State) -> tuple[str, ...]:
    """What may be on top of the encounter deck."""
    if state.deck is None:
        return (UNKNOWN,)
    if not state.deck:
        return state.discard[:MAX_CANDIDATES]
    return state.deck[: 1 if state.ordered else MAX_CANDIDATES]


def unused_id(state: State) -> str:
    """A frame id nobody has used."""
    number = state.opened + 1
    while known_frame(state, f"f{number}"):
        number += 1
    return f"f{number}"
