"""Notes on the steps of a game: shown beside the step, and written by who may."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from flask import Blueprint, Flask, Response, abort, make_response, redirect, request, url_for
from flask_babel import gettext as _
from msgspec import Struct

from audit.core.errors import AuditError
from replays.cases.note import (
    LogIndex,
    Note,
    NotePlaceError,
    Notes,
    NotesHeader,
    add,
    as_markdown,
    header_for,
    index_of,
    made,
    placed,
    read_notes,
)
from replays.trust.ledger import Ledger
from web.games.address import library, number_in, prepared
from web.games.library import FixedError, Library
from web.games.payload import Prepared
from web.site.headers import viewpoints
from web.site.labels import chosen
from web.site.reader import reader
from web.site.tokens import JUDGES
from web.site.write_access import writer

notes = Blueprint("notes", __name__)
FORMS = {"jsonl": "application/x-ndjson", "md": "text/markdown"}


@runtime_checkable
class Noted(Protocol):
    """A library that keeps notes on its games."""

    def notes(self, id: str) -> Ledger:
        """The ledger of the notes on a game."""

    def notes_version(self, id: str) -> str:
        """A version that changes with every note; cheap to compute."""


class ShownNote(Struct, frozen=True):
    """A note, the steps from and up to which it is shown, and why it is shown at none."""

    note: Note
    step: int
    standing: str
    last: int = -1


def add_to(app: Flask) -> None:
    """Serve the notes."""
    app.register_blueprint(notes)


def shown_notes(id: str, viewer: str) -> Sequence[ShownNote]:
    """The notes on a game that a viewer may read, by step. One that no longer fits is shown to judges alone."""
    inner = library().inner
    if not isinstance(inner, Noted):
        return ()
    ledger = inner.notes(id)
    found = read_notes(ledger.lines(), ledger.name)
    if not found:
        return ()
    steps = prepared(id, viewer, chosen(), "").steps_of_seq
    index = index_of(library().log(id).split(b"\n"))
    shown = [
        ShownNote(each.note, first := _step(each.seq, steps), each.standing.value, _last(each.note, first, steps))
        for each in placed(found.for_viewer(viewer), index)
        if each.is_shown or viewer == "judge"
    ]
    return sorted(shown, key=lambda one: one.step)


def _step(seq: int | None, steps: dict[object, int]) -> int:
    return -1 if seq is None else steps.get(seq, 0)


def _last(note: Note, first: int, steps: dict[object, int]) -> int:
    return first if first < 0 or note.to is None else max(first, _step(note.to, steps))


def notes_version(inner: Library, id: str) -> str:
    """A version that changes with every note on a game; asked outside of a request too."""
    return inner.notes_version(id) if isinstance(inner, Noted) else ""


def may_write(id: str) -> bool:
    """Whether this reader is offered the form."""
    token = reader().token
    has_role = token is not None and token.role in JUDGES and not token.game
    return isinstance(library().inner, Noted) and (reader().is_local or has_role)


def write_note(id: str, values: dict[str, object], by: str) -> Note:
    """Write a note on a game; raises `NoteError`, `FixedError` where no notes can be kept."""
    log = library().log(id)
    inner = library().inner
    if not isinstance(inner, Noted):
        raise FixedError
    index = index_of(log.split(b"\n"))
    seq, to = values.get("seq"), values.get("to")
    note = made({
        **values, "line": _line(index, seq, "seq"), "event": index.event_id(seq) if isinstance(seq, int) else "",
        **({"to_line": _line(index, to, "to")} if to is not None else {}),
    })  # fmt: skip
    add(inner.notes(id), _header(id, log), [note], by)
    return note


def _header(id: str, log: bytes) -> NotesHeader:
    from io import BytesIO

    from replays.log.reader import open_log

    opened = open_log(BytesIO(log))
    return header_for(opened.header, opened.first)


def _line(index: LogIndex, seq: object, field: str) -> str:
    if not isinstance(seq, int) or not 0 <= seq <= index.last:
        raise NotePlaceError(field, index.last)
    return index.lines[seq]


def _seq_at(game: Prepared, step: int) -> int:
    """The event of a step, or the last one before it that is in the log; 0 for the start."""
    seqs = (game.steps[at].get("seq") for at in range(step, -1, -1))
    return next((seq for seq in seqs if isinstance(seq, int) and seq), 0)


@notes.post("/games/<id>/notes")
def write(id: str) -> Response:
    """Write a note on a step."""
    token = writer()
    library().version(id)
    form = request.form
    game = prepared(id, "judge", chosen(), "")
    step = game.nearest(number_in(form.get("step", ""), otherwise=0))
    last = game.nearest(number_in(form.get("last", ""), otherwise=step))
    seq, end = (_seq_at(game, at) for at in (step, last))
    try:
        write_note(id, {
            "seq": seq, **({"to": end} if end > seq else {}),
            "text": form.get("text", "").replace("\r\n", "\n").strip(),
            "author": token.name if token else form.get("author", "").strip(), "kind": form.get("kind", "commentary"),
            "audience": "public" if form.get("public") else "judges", "layer": form.get("layer", "").strip(),
            "lang": chosen(),
        }, f"token {token.id} {token.name}" if token else "at this machine")  # fmt: skip
    except AuditError as problem:
        abort(400, description=str(problem))
    answer: Response = redirect(url_for("games.game", id=id, step=step), 303)  # type: ignore[assignment]
    return answer


@notes.get("/games/<id>/notes.<form>")
def export(id: str, form: str) -> Response:
    """Every note on a game as a file. For judges: the hash of a line would tell what is hidden in it."""
    inner = library().inner
    library().version(id)
    if form not in FORMS or not isinstance(inner, Noted):
        abort(404)
    if "judge" not in viewpoints(game=id):
        abort(403, description=_("Only the public view of this game is open to you."))
    ledger = inner.notes(id)
    found = read_notes(ledger.lines(), ledger.name) or Notes(_header(id, library().log(id)))
    data = as_markdown(found).encode() if form == "md" else b"".join(found.lines())
    answer = make_response(data)
    answer.mimetype = FORMS[form]
    answer.headers["Content-Disposition"] = f'attachment; filename="notes.{form}"'
    answer.headers["Cache-Control"] = "no-store"
    return answer
