"""Commands for notes on the steps of a game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from audit.core.catalogue import LANGUAGES
from commands.common import (
    Group,
    Misuse,
    emit,
    example,
    json_option,
    known_viewer,
    lang_option,
    log_argument,
    put,
    say,
    viewer_option,
    written,
)

if TYPE_CHECKING:
    from replays.cases.note import LogIndex, Note, Notes, NotesHeader
    from replays.trust.ledger import Ledger

KINDS = ("!!", "!", "!?", "?!", "?", "??", "question", "ruling", "commentary")
FORMS = ("jsonl", "md")


@click.group(cls=Group)
def note() -> None:
    """Write notes on the steps of a game. They lie beside its log, or with it in the store, and never change it.

    LOG is a file, or the name or id of a stored game.
    """


@note.command("add")
@log_argument
@click.argument("text")
@click.option("--at", "place", required=True, help="The seq of an event, or a range such as 25-30; 0 is the start.")
@click.option("--kind", type=click.Choice(KINDS), default="commentary", show_default=True)
@click.option("--by", "author", envvar="AUDIT_NAME", required=True, help="Your name (or AUDIT_NAME).")
@click.option("--layer", default="", help="A name for notes that belong together.")
@click.option(
    "--lang",
    "language",
    type=click.Choice(LANGUAGES),
    default="en",
    show_default=True,
    help="The language of the text.",
)
@click.option("--public", "is_public", is_flag=True, help="Everybody may read it. Default: judges only.")
@example('audit note add my-game.jsonl --at 25 --kind "?" --by Ada "Why in this line?"')
def note_add(
    log: str, text: str, place: str, kind: str, author: str, layer: str, language: str, is_public: bool
) -> None:
    """Write a note on an event, or on a range of events."""
    from replays.cases.note import add, made

    first, last = _range(place)
    with _notes_of(log) as (ledger, header, index):
        note = made({
            "seq": first, "line": _line(index, first, log), "text": text, "author": author, "kind": kind,
            "layer": layer, "lang": language, "audience": "public" if is_public else "judges",
            "event": index.event_id(first),
            **({"to": last, "to_line": _line(index, last, log)} if last is not None else {}),
        })  # fmt: skip
        add(ledger, header, [note], by=author)
        say(f"{ledger.name}: {note.id}")


@note.command("list")
@log_argument
@viewer_option
@lang_option
@json_option
@example("audit note list replays/samples/dispute.jsonl")
def note_list(log: str, viewer: str, language: str, as_json: bool) -> None:
    """List the notes, and say of each that no longer fits the log why it does not."""
    import msgspec

    from replays.cases.note import placed, without_hashes
    from replays.terminal.cases import note_lines
    from replays.terminal.replay_screen import word

    with _notes_of(log, viewer) as (ledger, _, index):
        found = _read(ledger)
        notes = list(placed(found.for_viewer(viewer), index)) if found else []
        if not notes and not as_json:
            say(word(language, "notes_none"))
        for each in notes:
            if as_json:
                told = each.note if viewer == "judge" else without_hashes(each.note)
                emit({**msgspec.to_builtins(told), "standing": each.standing.value})
            else:
                say(*note_lines(each, language))


@note.command("export")
@log_argument
@click.option(
    "-o", "--out", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file. Default: standard output."
)
@click.option("--format", "form", type=click.Choice(FORMS), help="Default: by the ending of the file, else jsonl.")
@click.option("--public", "is_public", is_flag=True, help="Only the public notes.")
@example("audit note export replays/samples/dispute.jsonl --format md")
def note_export(log: str, out: Path | None, form: str | None, is_public: bool) -> None:
    """Write the notes to a file: as JSON lines, or as Markdown for people. Both hold everything.

    Public notes are without the hashes of the lines that they are on: hidden cards could be guessed from them.
    """
    from replays.cases.note import Notes, as_markdown

    with _notes_of(log) as (ledger, header, _):
        found = _read(ledger) or Notes(header)
    kept = found.for_everybody() if is_public else found
    form = form or ("md" if out and out.suffix == ".md" else "jsonl")
    written(as_markdown(kept).encode() if form == "md" else b"".join(kept.lines()), out)


@note.command("import")
@log_argument
@click.argument("notes", type=click.Path(dir_okay=False, path_type=Path))
@example(
    'audit note add my-game.jsonl --at 25 --by Ada "Why?" && audit note export my-game.jsonl -o notes.md && '
    "audit note import my-game.jsonl notes.md"
)
def note_import(log: str, notes: Path) -> None:
    """Add the notes of a file (JSON lines or Markdown), authors included. Those that are here already stay."""
    from replays.cases.note import add, with_hashes
    from replays.trust.ledger import FileLedger, misread

    given = _markdown(notes) if notes.suffix == ".md" else _read(FileLedger(notes))
    if given is None:
        raise misread(str(notes), 0, "notes", "no such file, or nothing in it")
    with _notes_of(log) as (ledger, header, index):
        start = given.header.start
        if start and start != header.start:
            raise misread(str(notes), 1, f"notes on the game that begins {header.start}", start)
        if (given.header.ruleset, given.header.game) != (header.ruleset, header.game):
            raise misread(str(notes), 1, f"notes on {header.ruleset} {header.game}", given.header.game)
        fresh = add(ledger, header, (with_hashes(note, index) for note in given.notes), by="command line")
    put(f"{fresh} new")


def _markdown(path: Path) -> Notes:
    from replays.cases.note import from_markdown
    from replays.files import read_whole
    from replays.trust.ledger import MAX_BYTES

    return from_markdown(read_whole(path, MAX_BYTES).decode(), str(path))


def _read(ledger: Ledger) -> Notes | None:
    from replays.cases.note import read_notes

    return read_notes(ledger.lines(), ledger.name)


def _range(text: str) -> tuple[int, int | None]:
    first, dash, last = text.partition("-")
    if not (first.isascii() and first.isdigit()) or (dash and not (last.isascii() and last.isdigit())):
        raise Misuse("seq", "--at", found=text[:40])
    return int(first[:13]), int(last[:13]) if dash else None


def _line(index: LogIndex, seq: int, log: str) -> str:
    from replays.errors import NoSuchEventError

    if not 0 <= seq <= index.last:
        raise NoSuchEventError(log, seq, index.last)
    return index.lines[seq]


@contextmanager
def _notes_of(log: str, viewer: str = "judge") -> Iterator[tuple[Ledger, NotesHeader, LogIndex]]:
    """The ledger of the notes of a log, their header, and what they refer to; the viewer has to be one of the game."""
    from replays.cases.note import beside_log, header_for, index_of
    from replays.log.lines import Lines
    from replays.log.reader import open_log
    from replays.store.ledgers import StoredLedger
    from replays.store.store import Store
    from replays.trust.ledger import FileLedger

    if log == "-":
        raise Misuse("notes_place", "LOG")
    if Path(log).exists():
        opened = open_log(log)
        known_viewer(opened.header, viewer)
        lines = [line for batch in Lines(log).batches() for line in batch]
        yield FileLedger(beside_log(log)), header_for(opened.header, opened.first), index_of(lines)
        return
    with Store() as store:
        game = store.find(log)
        known_viewer(store.header(game), viewer)
        bodies = store.bodies(game)
        yield StoredLedger(store, "notes", game), header_for(store.header(game), bodies[0]), index_of(bodies)


def notes_beside(log: str, viewer: str) -> dict[int, list[Note]]:
    """The notes beside a log that a viewer may read, by the seq at which they are shown."""
    from replays.cases.note import beside_log, by_seq, placed

    if log == "-" or not beside_log(log).is_file():
        return {}
    with _notes_of(log) as (ledger, _, index):
        found = _read(ledger)
    return by_seq(placed(found.for_viewer(viewer), index)) if found else {}
