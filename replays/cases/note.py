"""What a note says, where it belongs in a log as it reads today, the ledger of notes, and notes as Markdown."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from audit.core.errors import AuditError
from audit.core.model import RFC_3339, Header
from audit.core.typed_setup import span_text
from replays.log.canonical import canonical, canonical_object
from replays.log.strict_json import NotARecordError, parse
from replays.trust.ledger import Ledger, line_with, misread, read_line


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


SHORT = 16
JUDGES, PUBLIC = "judges", "public"
MAX_TEXT = 10_000

Short = Annotated[str, Meta(pattern=f"^[0-9a-f]{{{SHORT}}}$", description="The beginning of the SHA-256 of a line.")]
Name = Annotated[str, Meta(min_length=1, max_length=100)]
Place = Annotated[int, Meta(ge=0, le=10**12)]
_OPEN, _CLOSE = "<!-- ", " -->"
_MARKUP = re.compile(r"[\\`*_\[\]<>#&|]")


class NoteKind(StrEnum):
    """What a note is: one of the six signs known from chess, or a word."""

    BRILLIANT = "!!"
    GOOD = "!"
    INTERESTING = "!?"
    DUBIOUS = "?!"
    MISTAKE = "?"
    BLUNDER = "??"
    QUESTION = "question"
    RULING = "ruling"
    COMMENTARY = "commentary"


class NotesHeader(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The first line: which game the notes are about.

    `start` is the short hash of the header of its log. Notes for everybody are without: hidden cards could be guessed.
    """

    ledger: Literal["audit-notes/1"] = "audit-notes/1"
    ruleset: Annotated[str, Meta(max_length=100)]
    game: Annotated[str, Meta(max_length=200)] = ""
    start: Short | msgspec.UnsetType = msgspec.UNSET


class Note(
    Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True, tag_field="type", tag="note"
):
    """One note on the step of an event, or on a range of events. `seq` 0 is the start of the game.

    `line` is the short hash of the event's line in its canonical form, `event` the id of the event where it has one.
    Notes for everybody are without these hashes.
    """

    id: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
    seq: Place
    line: Short | None = None
    text: Annotated[str, Meta(min_length=1, max_length=MAX_TEXT)]
    author: Name
    at: Annotated[str, Meta(pattern=RFC_3339, max_length=40)]
    lang: Annotated[str, Meta(pattern=r"^[a-zA-Z]{2,3}(-[A-Za-z0-9]{1,8})*$", max_length=35)] = "en"
    kind: NoteKind = NoteKind.COMMENTARY
    audience: Literal["judges", "public"] = "judges"
    layer: Annotated[str, Meta(max_length=64)] = ""
    event: Annotated[str, Meta(max_length=64)] = ""
    to: Place | None = None
    to_line: Short | None = None

    @property
    def is_public(self) -> bool:
        """Whether everybody may read it."""
        return self.audience == PUBLIC


class NoteConflictError(AuditError):
    """A note that is to be imported has the id of one that says something else."""

    def __init__(self, id: str) -> None:
        super().__init__(f"the note {id} is here already and says something else; nothing was imported")
        self.id = id


class NoteError(AuditError):
    """A note that cannot be written: what is wrong with it."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


class NotePlaceError(NoteError):
    """A note on an event that there is not: `field` has to name one from 0 to the last."""

    def __init__(self, field: str, last: int) -> None:
        super().__init__(field, f"expected an event from 0 to {last}")
        self.last = last


class Notes(Struct, frozen=True):
    """The notes of a game: their header and the notes in the order in which they were written."""

    header: NotesHeader
    notes: tuple[Note, ...] = ()

    def lines(self) -> list[bytes]:
        """The ledger as it stands in a file."""
        return [line_with(msgspec.to_builtins(self.header)), *map(line_of_note, self.notes)]

    def for_everybody(self) -> Notes:
        """The public notes, without the hashes of lines, from which hidden cards could be guessed."""
        return Notes(replace(self.header, start=msgspec.UNSET), tuple(map(without_hashes, self.for_viewer(PUBLIC))))

    def for_viewer(self, viewer: str) -> tuple[Note, ...]:
        """The notes that this viewer may read: a judge all of them, others the public ones."""
        return tuple(note for note in self.notes if note.is_public or viewer == "judge")


def without_hashes(note: Note) -> Note:
    """The note as somebody may have it who does not know the whole log."""
    return replace(note, line=None, to_line=None)


def beside_log(log: str | Path) -> Path:
    """Where the notes of a log lie: `game.notes.jsonl` beside `game.jsonl`."""
    path = Path(log)
    return path.with_name(f"{path.name.removesuffix('.jsonl')}.notes.jsonl")


def short_hash(line: bytes) -> str:
    """The short hash of a line of a log in its canonical form: white space does not change it."""
    return sha256(canonical(line.removesuffix(b"\n"))).hexdigest()[:SHORT]


def header_for(header: Header, first: bytes) -> NotesHeader:
    """The header of the notes of a log, from its header and the bytes of its first line."""
    return NotesHeader(ruleset=header.ruleset, game=header.game, start=short_hash(first))


def line_of_note(note: Note) -> bytes:
    """A note as a line."""
    return line_with(msgspec.to_builtins(note))


def read_notes(lines: Sequence[bytes], name: str) -> Notes | None:
    """The notes of a ledger, None where nothing was written yet; raises `LogError` with line and field."""
    if not lines:
        return None
    header = read_line(lines[0], NotesHeader, name, 1)
    notes = tuple(read_line(line, Note, name, number) for number, line in enumerate(lines[1:], 2))
    if len({note.id for note in notes}) < len(notes):
        raise misread(name, 0, "each id once", "an id more than once")
    return Notes(header, notes)


def now() -> str:
    """The present time, as notes and cases have it."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def new_id() -> str:
    """An id that nobody has used."""
    return secrets.token_hex(5)


def made(values: dict[str, object]) -> Note:
    """A note of these values, with an id and the present time where they name none; raises `NoteError`."""
    whole = {"id": new_id(), "at": now(), **values, "type": "note"}
    try:
        note = msgspec.convert(whole, Note)
        note.text.encode()
    except msgspec.ValidationError as problem:
        said, _, field = str(problem).partition(" - at `$")
        raise NoteError(field.strip("`.") or "note", said) from None
    except UnicodeEncodeError:
        raise NoteError("text", "expected UTF-8 text") from None
    if note.to is not None and note.to < note.seq:
        raise NoteError("to", f"expected {note.seq} or later, found {note.to}")
    return note


def add(ledger: Ledger, header: NotesHeader, notes: Iterable[Note], by: str = "") -> int:
    """Write notes into a ledger; how many were new. One that is there already is left as it is.

    Raises `NoteConflictError`, `NoteError` where the ledger is about another game, and `LedgerConflictError`.
    """
    lines = ledger.lines()
    found = read_notes(lines, ledger.name)
    if found and (found.header.start, found.header.ruleset) != (header.start, header.ruleset):
        raise NoteError(ledger.name, "these notes are about another game")
    known = {note.id: note for note in found.notes} if found else {}
    fresh = []
    for note in notes:
        if note.id not in known:
            known[note.id] = note
            fresh.append(note)
        elif known[note.id] != note:
            raise NoteConflictError(note.id)
    head = [] if found else [line_with(msgspec.to_builtins(header))]
    if fresh or head:
        ledger.append([*head, *map(line_of_note, fresh)], len(lines), by)
    return len(fresh)


# Notes as Markdown


def as_markdown(notes: Notes) -> str:
    """The notes as Markdown."""
    return "\n".join(_lines(notes))


def _lines(notes: Notes) -> Iterator[str]:
    yield f"# {_plain(notes.header.game or notes.header.ruleset)}"
    yield ""
    yield _comment(msgspec.to_builtins(notes.header))
    for note in notes.notes:
        said = msgspec.to_builtins(note)
        text = said.pop("text")
        yield ""
        place = span_text(note.seq, note.seq if note.to is None else note.to)
        yield f"## {place} · {_plain(note.kind)} · {_plain(note.author)}"
        yield ""
        yield _comment(said)
        yield ""
        yield from (f"> {line}" if line else ">" for line in text.split("\n"))
    yield ""


def _plain(text: str) -> str:
    """Text that means itself in a heading."""
    return _MARKUP.sub(lambda found: "\\" + found[0], " ".join(text.split()))


def _comment(value: dict[str, object]) -> str:
    """A value in a comment, in which two hyphens must not follow each other."""
    return _OPEN + canonical_object(value).decode().replace("--", "-\\u002d").replace(">", "\\u003e") + _CLOSE


def from_markdown(text: str, name: str) -> Notes:
    """The notes of a Markdown text; raises `LogError` with the line, `NoteError` with the field."""
    header: NotesHeader | None = None
    notes: list[Note] = []
    said: dict[str, object] | None = None
    quoted: list[str] = []
    for number, line in enumerate([*text.split("\n"), f"{_OPEN}{_CLOSE}"], 1):
        if line.startswith(_OPEN) and line.endswith(_CLOSE):
            if said is not None:
                notes.append(_note(said, quoted, name, number))
            inside = line[len(_OPEN) : -len(_CLOSE)]
            value = _value(inside, name, number) if inside else None
            if value and header is None:
                header = _header(value, name, number)
                continue
            said, quoted = value, []
        elif line.startswith(">"):
            quoted.append(line[1:].removeprefix(" "))
    if header is None:
        raise misread(name, 1, "notes that this program has written as Markdown", "other text")
    return Notes(header, tuple(notes))


def _note(said: dict[str, object], quoted: list[str], name: str, number: int) -> Note:
    if not quoted:
        raise misread(name, number, "the text of a note, each line after >", "none")
    return made({**said, "text": "\n".join(quoted)})


def _value(text: str, name: str, number: int) -> dict[str, object]:
    try:
        return parse(text.encode())
    except (NotARecordError, json.JSONDecodeError) as problem:
        raise misread(name, number, "what this program has written in a comment", str(problem)) from None


def _header(value: dict[str, object], name: str, number: int) -> NotesHeader:
    try:
        return msgspec.convert(value, NotesHeader)
    except msgspec.ValidationError as problem:
        raise misread(name, number, "the header of notes", str(problem)) from None
