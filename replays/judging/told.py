"""What is told of a record besides the game: notes and the words about a game, each to those it is for."""

from __future__ import annotations

from msgspec.structs import replace

from audit.core.model import Event, Header

JUDGE, PUBLIC = "judge", "public"

PUBLIC_META = frozenset({"event", "round", "table", "date", "place", "stage", "format", "league", "season"})
"""Of what a header says about a game, this is for everybody; the rest for judges, unless `public` names it too."""


def public_meta(header: Header) -> dict[str, object]:
    """What the header says about the game and everybody may read."""
    named = header.meta.get("public")
    more = {each for each in named if isinstance(each, str)} if isinstance(named, list | tuple) else set()
    return {key: value for key, value in header.meta.items() if key in PUBLIC_META | more}


def header_for(header: Header, viewer: str) -> Header:
    """The header as a viewer may read what it says about the game."""
    return header if viewer == JUDGE else replace(header, meta=public_meta(header))


def may_read_note(event: Event, viewer: str) -> bool:
    """Whether the note of an event is for a viewer: without `note_for` it is for the judges and the players."""
    if viewer == JUDGE or event.note_for == PUBLIC:
        return True
    return viewer == event.note_for or (event.note_for is None and viewer != PUBLIC)


def with_note_for(event: Event, viewer: str) -> Event:
    """The event without a note that is not for the viewer."""
    return event if event.note is None or may_read_note(event, viewer) else replace(event, note=None, note_for=None)
