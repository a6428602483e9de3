"""Where notes belong in a log as it reads today, and which of them no longer fit it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from replays.cases.note import Note, NoteError, short_hash
from replays.log.strict_json import NotARecordError, parse


class Standing(StrEnum):
    """How a note fits its log."""

    FITS = "fits"
    MOVED = "moved"
    """The event with that id stands elsewhere in the log by now."""
    CHANGED = "changed"
    """The log says something else there."""
    GONE = "gone"
    """The log has no such event."""


class PlacedNote(Struct, frozen=True):
    """A note, how it fits the log, and the seq at which it is shown; None where it is not."""

    note: Note
    standing: Standing
    seq: int | None

    @property
    def is_shown(self) -> bool:
        """Whether it is shown at a step."""
        return self.seq is not None


class LogIndex(Struct, frozen=True):
    """The short hash of each line of a log by its seq, the header's at 0, and the seq of each event that has an id."""

    lines: Sequence[str]
    ids: Mapping[str, int]

    @property
    def last(self) -> int:
        """The seq of the last event."""
        return len(self.lines) - 1

    def event_id(self, seq: int) -> str:
        """The id of the event, empty where it has none."""
        return next((id for id, at in self.ids.items() if at == seq), "")


def index_of(lines: Iterable[bytes]) -> LogIndex:
    """What notes refer to in a log; a line that is no record is nothing that a note fits."""
    hashes: list[str] = []
    ids: dict[str, int] = {}
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        try:
            hashes.append(short_hash(line))
            id = parse(line.removesuffix(b"\n")).get("id") if b'"id"' in line else None
        except NotARecordError:
            hashes.append("")
            continue
        if number and isinstance(id, str):
            ids.setdefault(id, number)
    return LogIndex(hashes, ids)


def placed(notes: Iterable[Note], index: LogIndex) -> list[PlacedNote]:
    """Each note with how it fits."""
    return [_placed(note, index) for note in notes]


def _placed(note: Note, index: LogIndex) -> PlacedNote:
    end = note.seq if note.to is None else note.to
    if note.seq <= index.last and note.line in (None, index.lines[note.seq]):
        if note.to_line is None or (end <= index.last and index.lines[end] == note.to_line):
            return PlacedNote(note, Standing.FITS, note.seq)
        return PlacedNote(note, Standing.CHANGED, None)
    if note.event and index.ids.get(note.event, note.seq) != note.seq:
        return PlacedNote(note, Standing.MOVED, None)
    return PlacedNote(note, Standing.CHANGED if note.seq <= index.last else Standing.GONE, None)


def with_hashes(note: Note, index: LogIndex) -> Note:
    """A note that came without the hashes of its lines, with those of this log; raises `NoteError`."""
    end = note.seq if note.to is None else note.to
    if note.line is not None:
        return note
    if end > index.last:
        raise NoteError("seq", f"expected {index.last} at most, found {end}")
    return replace(note, line=index.lines[note.seq], to_line=None if note.to is None else index.lines[end])


def by_seq(placed_notes: Iterable[PlacedNote]) -> dict[int, list[Note]]:
    """The notes that fit, by the seq at which they are shown."""
    found: dict[int, list[Note]] = {}
    for each in placed_notes:
        if each.seq is not None:
            found.setdefault(each.seq, []).append(each.note)
    return found


def without_place(placed_notes: Iterable[PlacedNote]) -> list[PlacedNote]:
    """The notes that no longer fit."""
    return [each for each in placed_notes if not each.is_shown]
