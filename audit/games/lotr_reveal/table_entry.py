"""A position of the table as data, and back: what `setup.position` holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from audit.games.lotr_reveal.cards import CANCEL_AND_REPLACE, PERIL
from audit.games.lotr_reveal.frames import MAX_TASKS, arrived, done, effect_cancelled, served
from audit.games.lotr_reveal.lookup import source_used
from audit.games.lotr_reveal.names import spelt
from audit.games.lotr_reveal.procedure import procedure_of
from audit.games.lotr_reveal.setup_entries import (
    FrameEntry,
    NoteEntry,
    ProcedureEntry,
    ReplacementEntry,
    TableEntry,
    TaskEntry,
    TaskStep,
    WhyEntry,
)
from audit.games.lotr_reveal.state import UNKNOWN, Frame, Procedure, Replacement, State, StepNote, Task
from audit.games.lotr_reveal.steps import AFTER, INDEX, LAST, ORDER, S8, S12, name_of

_LABELS: tuple[TaskStep, ...] = (*ORDER, "after 12", "last")
_STEPS = {**INDEX, "after 12": AFTER, "last": LAST}
_OPENING = frozenset({"frame", "card", "player", "cause", "step", "parent", "placed", "why"})
_FOLLOWING = tuple(name for name in FrameEntry.__struct_fields__ if name not in _OPENING)
"""What is said of a card on its way only where it does not follow from the rest."""


def cards_of(table: TableEntry) -> list[str]:
    """The encounter cards that lie in some zone."""
    deck = table.encounter_deck if isinstance(table.encounter_deck, tuple) else ()
    some = table.partly_known
    engaged = (card for cards in (table.engaged or some.engaged).values() for card in cards)
    discard, staging = table.encounter_discard or some.encounter_discard, table.staging_area or some.staging_area
    return [*deck, *discard, *staging, *engaged, *table.elsewhere]


# From data


def state_of(table: TableEntry, base: State) -> State:
    """The position that a table entry describes, in the game of another position.

    Which cards of the players are in play and who is the first player are those of that position if nobody says.
    """
    setup, some = base.setup, table.partly_known

    def known(card: str) -> str:
        return spelt(setup.names, card)

    def called(cards: Iterable[str], before: tuple[str, ...] = ()) -> tuple[str, ...]:
        """The cards as the setup calls them; if they are those that lay there before, in that order."""
        found = tuple(map(known, cards))
        return before if sorted(found) == sorted(before) else found

    engaged = some.engaged if table.engaged is None else table.engaged
    state = State(
        setup=setup, first=table.first_player or base.first, sources=base.sources, acting=base.acting,
        deck=None if table.encounter_deck is None else called(_deck(table.encounter_deck)),
        ordered=table.deck_order_known,
        discard=called(table.encounter_discard or some.encounter_discard),
        staging=called(table.staging_area or some.staging_area, base.staging),
        engaged={seat: called(engaged.get(seat, ()), base.engaged.get(seat, ())) for seat in setup.seats},
        other_zones={known(card): zone for card, zone in table.elsewhere.items()},
        hidden=_hidden(table, base), attachments=table.attachments, threat=table.threat, hands=table.hand_size,
        damage={known(card): count for card, count in table.damage.items()},
        progress={known(card): count for card, count in table.progress.items()},
        strength=table.threat_strength,
        characters={known(name): one for name, one in table.characters.items()}, used=table.used,
        shuffles=table.shuffles,
        opened=table.opened, roots=table.revealed, staged=table.staged, round=table.round,
        replacement=_replacement(table.replacement) if table.replacement else None,
        doubts=_tasks(table.doubts),
    )  # fmt: skip
    return replace(
        state, frames=tuple([_frame(state, one, table) for one in table.under_way]),
        closed=tuple([_frame(state, one, table) for one in table.through]),
    )  # fmt: skip


def _deck(given: tuple[str, ...] | int) -> Iterable[str]:
    return given if isinstance(given, tuple) else [f"{UNKNOWN}{number}" for number in range(1, given + 1)]


def _hidden(table: TableEntry, base: State) -> frozenset[str]:
    missing = [zone for zone in ("staging_area", "encounter_discard", "engaged") if getattr(table, zone) is None]
    return frozenset(missing) | base.hidden & {"in_play"}


def _replacement(one: ReplacementEntry) -> Replacement:
    return Replacement(one.frame, one.player, one.from_surge, one.named_type, one.why, one.is_due)


def _frame(state: State, entry: FrameEntry, table: TableEntry) -> Frame:
    """A card on its way: as it would be on coming to its step, but for what the entry says."""
    frame = _on_arrival(
        state, entry.frame, spelt(state.setup.names, entry.card), entry.cause, entry.player, INDEX[entry.step],
        entry.parent, entry.placed,
    )  # fmt: skip
    if entry.tasks is UNSET:
        frame = _with_what_was_done(state, frame, entry, table)
    said = {name: _read(value) for name in _FOLLOWING if (value := getattr(entry, name)) is not UNSET}
    why = entry.why
    return replace(frame, seq=why.seq, last_cause=why.last_cause, outer_causes=why.outer_causes, **said)


def _with_what_was_done(state: State, frame: Frame, entry: FrameEntry, table: TableEntry) -> Frame:
    """The card without what has been done for it: its effect cancelled, and the cards it called for revealed."""
    if entry.cancelled_by and not entry.stop:
        source = source_used(state, entry.cancelled_by)
        is_replaced = entry.replaced_later is True or (source is not None and source.response == CANCEL_AND_REPLACE)
        frame = effect_cancelled(state, frame, entry.cancelled_by, is_replaced)
    called = [one.cause for one in (*table.under_way, *table.through) if one.parent == entry.frame]
    for cause in called:
        frame = replace(frame, tasks=served(frame.tasks, cause))
    surges = called.count("surge")
    armed = frame.surges_armed if entry.surges_armed is UNSET else entry.surges_armed
    surges_served = surges if entry.surges_served is UNSET else entry.surges_served
    frame = replace(frame, tasks=tuple([task for task in frame.tasks if task.kind != "serve"]))
    serve = [Task("serve", S12, frame.card)] * min(armed - surges_served, MAX_TASKS)
    return replace(done(frame, None, serve), surges_armed=armed, surges_served=surges_served)


def _read(value: object) -> object:
    """The value of a field of a card on its way."""
    if isinstance(value, ProcedureEntry):
        return Procedure(_tasks(value.tasks), _notes(value.notes), _tasks(value.possible))
    if isinstance(value, tuple) and value and isinstance(value[0], TaskEntry):
        return _tasks(value)
    return _notes(value) if isinstance(value, tuple) and value and isinstance(value[0], NoteEntry) else value


def _on_arrival(
    state: State, id: str, card: str, cause: str, player: str, step: int, parent: str | None, placed: bool
) -> Frame:
    """A card that has come to a step and has done nothing there yet: what its own keywords and moves ask is done."""
    procedure = procedure_of(state, card, placed)
    frame = Frame(
        id=id, card=card, cause=cause, player=player, step=S8 if placed else 0, parent=parent, placed=placed,
        procedure=procedure, tasks=procedure.tasks, notes=procedure.notes, possible=procedure.possible,
    )  # fmt: skip
    passed = [task for task in procedure.tasks if task.step < step]
    surges = [Task("serve", S12, card) for task in passed if task.kind == "surge"]
    moved = next((task for task in passed if task.kind == "move"), None)
    if moved is not None:
        frame = replace(frame, zone=moved.what or "staging_area", held=False)
    is_peril = any(task.kind == "keyword" and task.what == PERIL for task in passed)
    return replace(done(arrived(frame, step), None, surges), surges_armed=len(surges), peril=is_peril)


def _tasks(entries: Iterable[TaskEntry]) -> tuple[Task, ...]:
    return tuple([
        Task(one.kind, _STEPS[one.step], one.source, one.what, one.amount, one.detail, one.player) for one in entries
    ])  # fmt: skip


def _notes(entries: Iterable[NoteEntry]) -> tuple[StepNote, ...]:
    return tuple([StepNote(_STEPS[one.step], one.rule) for one in entries])


# To data


def table_data(state: State) -> dict[str, object]:
    """The position as data from which `state_of` makes it again; what nobody knows, and what is 0, is left out."""
    bare = replace(state, frames=(), closed=())
    called = frozenset([frame.parent for frame in (*state.frames, *state.closed)])
    engaged = {seat: cards for seat, cards in state.engaged.items() if cards or "engaged" not in state.hidden}
    zones = {
        "encounter_discard": state.discard, "staging_area": state.staging, "engaged": engaged, "in_play": state.sources
    }  # fmt: skip
    data: dict[str, object] = {
        "first_player": state.first, "encounter_deck": state.deck,
        **{name: zone for name, zone in zones.items() if name not in state.hidden},
        "deck_order_known": None if state.ordered else False, "elsewhere": state.other_zones or None,
        "partly_known": {name: zone for name, zone in zones.items() if name in state.hidden and zone} or None,
        "attachments": state.attachments or None, "threat": state.threat or None, "hand_size": state.hands or None,
        "damage": state.damage or None, "progress": state.progress or None,
        "threat_strength": state.strength or None, "characters": state.characters or None,
        "used": state.used or None, "shuffles": state.shuffles or None,
        "opened": state.opened or None, "revealed": state.roots or None,
        "staged": state.staged or None, "round": state.round or None,
        "under_way": [_frame_data(bare, frame, called) for frame in state.frames] or None,
        "through": [_frame_data(bare, frame, called) for frame in state.closed] or None,
        "replacement": state.replacement and _replacement_entry(state.replacement),
        "doubts": _task_entries(state.doubts) or None,
    }  # fmt: skip
    plain: dict[str, object] = msgspec.to_builtins({name: value for name, value in data.items() if value is not None})
    return plain


def _frame_data(bare: State, frame: Frame, called: Set[str | None]) -> dict[str, object]:
    """What is to be said of a card on its way; `bare` is the position without any.

    What it still has to do is told where that does not follow from it alone: it called for a card or was cancelled.
    """
    default = _on_arrival(
        bare, frame.id, frame.card, frame.cause, frame.player, frame.step, frame.parent, frame.placed
    )  # fmt: skip
    written: Mapping[str, object] = {
        "tasks": _task_entries(frame.tasks), "possible": _task_entries(frame.possible),
        "notes": _note_entries(frame.notes), "procedure": _procedure_entry(frame.procedure),
    }  # fmt: skip
    differing = [name for name in _FOLLOWING if getattr(frame, name) != getattr(default, name)]
    if frame.id in called or not {"cancelled_by", "surges_armed", "surges_served"}.isdisjoint(differing):
        differing = list(dict.fromkeys((*differing, "tasks")))
    return {
        "frame": frame.id, "card": frame.card, "player": frame.player, "step": name_of(frame.step),
        **({"cause": frame.cause} if frame.cause != "staging" else {}),
        **({"parent": frame.parent} if frame.parent else {}), **({"placed": True} if frame.placed else {}),
        **{name: written.get(name, getattr(frame, name)) for name in differing},
        **({"why": why} if (why := WhyEntry(frame.seq, frame.last_cause, frame.outer_causes)) != WhyEntry() else {}),
    }  # fmt: skip


def _replacement_entry(one: Replacement) -> ReplacementEntry:
    return ReplacementEntry(one.frame, one.player, one.from_surge, one.named_type, one.is_due, one.seq)


def _procedure_entry(procedure: Procedure) -> ProcedureEntry:
    return ProcedureEntry(
        _task_entries(procedure.tasks), _note_entries(procedure.notes), _task_entries(procedure.possible)
    )


def _task_entries(tasks: Iterable[Task]) -> tuple[TaskEntry, ...]:
    return tuple([
        TaskEntry(one.kind, _LABELS[one.step], one.source, one.what, one.amount, one.detail, one.player)
        for one in tasks
    ])  # fmt: skip


def _note_entries(notes: Iterable[StepNote]) -> tuple[NoteEntry, ...]:
    return tuple([NoteEntry(_LABELS[note.step], note.rule) for note in notes])
