"""Notes as Markdown, for people to read and edit, and back again without loss.

What stands in a comment is the note without its text; the text is the quotation after it. The headings are for readers
and say nothing that is not in the comments.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import msgspec

from replays.cases.note import Note, Notes, NotesHeader, made
from replays.log.canonical import canonical_object
from replays.log.strict_json import NotARecordError, parse
from replays.trust.ledger import misread

_OPEN, _CLOSE = "<!-- ", " -->"
_MARKUP = re.compile(r"[\\`*_\[\]<>#&|]")


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
        place = f"{note.seq}–{note.to}" if note.to is not None else str(note.seq)
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
