"""Notes in a terminal: one note, its author and its text."""

from __future__ import annotations

from collections.abc import Sequence

from replays.cases.note import Note
from replays.cases.placing import PlacedNote, Standing
from replays.terminal.replay_screen import word

_WHY = {Standing.MOVED: "note_moved", Standing.CHANGED: "note_changed", Standing.GONE: "note_gone"}


def text_lines(note: Note) -> list[str]:
    """A note as it stands under its step."""
    first, *more = note.text.split("\n")
    place = f"{note.seq}–{note.to}  " if note.to is not None else ""
    layer = f" · {note.layer}" if note.layer else ""
    return [f"✎ {place}{note.kind.value}  {note.author}{layer}: {first}", *(f"  {line}" for line in more)]


def note_lines(placed: PlacedNote, language: str = "en") -> list[str]:
    """A note in a list: where it stands, by whom and when; of one that no longer fits, why."""
    note = placed.note
    why = [f"  {word(language, _WHY[placed.standing])}"] if placed.standing in _WHY else []
    first, *more = text_lines(note)
    return [f"{note.id}  {note.seq:>5}  {first}  ({note.at}, {note.lang}, {note.audience})", *more, *why]


def notes_at(notes: Sequence[Note]) -> list[str]:
    """The notes on one step, for the screen of a replay."""
    return [f"  {line}" for note in notes for line in text_lines(note)]
