"""Who writes a game down, and so how much of it there is to write: the hands, the decks, one player's view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from audit.model import Event, Header
from audit.ruleset import Ruleset
from replays.generating.handwritten import renumbered
from replays.generating.telling import Played

ALL = "all"
NO_DECKS = "no decks"
VIEWERS: Mapping[str, tuple[str, ...]] = {
    "compile": ("A", "B", "public"), "altered": ("p1", "public"), "lotr-reveal": ("p1", "public"),
}  # fmt: skip


def writers(name: str) -> tuple[str, ...]:
    """Who may write a game of that ruleset: one who sees all, one who knows no deck, and the viewers."""
    return (ALL, NO_DECKS, *VIEWERS[name]) if name == "compile" else (ALL, *VIEWERS[name])


def as_known(game: Ruleset[object], header: Header, events: Sequence[Event], writer: str) -> Played:
    """The game as that writer knows it."""
    if writer == ALL:
        return Played(game, header, events)
    if writer == NO_DECKS:
        return Played(game, _without_decks(header), [_without_deck(event) for event in events])
    return _seen(game, header, events, writer)


def _without_decks(header: Header) -> Header:
    return replace(header, setup={key: value for key, value in header.setup.items() if key != "decks"})


def _without_deck(event: Event) -> Event:
    return replace(event, deck=None) if type(event).__name__ == "Reshuffled" else event


def _seen(game: Ruleset[object], header: Header, events: Sequence[Event], viewer: str) -> Played:
    state = game.rules.start(header)
    recorder = game.disclosure.recorder(viewer)
    seen: list[Event] = []
    sources: list[int] = []
    for event in events:
        after = game.rules.evolve(state, event)
        found = list(recorder(state, event, after))
        seen += found
        sources += [event.seq] * len(found)
        state = after
    return Played(game, game.disclosure.recorded_header(header, viewer), renumbered(seen), sources)
