"""Who writes a game down, and so how much of it there is to write: the hands, the decks, one player's view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from audit.core.model import Event, Header
from audit.core.ruleset import Ruleset
from replays.generating.handwritten import renumbered
from replays.generating.telling import Played

ALL = "all"
NO_DECKS = "no decks"
VIEWERS: Mapping[str, tuple[str, ...]] = {
    "compile": ("A", "B", "public"), "altered": ("p1", "public"), "lotr-reveal": ("p1", "public"),
}  # fmt: skip


LISTS = ("deck_lists", "encounter_cards")
"""Where a setup lists the cards of a deck in no order."""


def writers(name: str) -> tuple[str, ...]:
    """Who may write a game of that ruleset: one who sees all, one who knows no deck, and the viewers."""
    return (ALL, NO_DECKS, *VIEWERS[name])


def as_known(game: Ruleset[object], header: Header, events: Sequence[Event], writer: str) -> Played:
    """The game as that writer knows it."""
    if writer == ALL:
        return Played(game, header, events)
    if writer == NO_DECKS and game.name == "compile":
        return Played(game, _without_decks(header), [_without_deck(event) for event in events])
    if writer == NO_DECKS:
        listed = {key: header.setup[key] for key in LISTS if key in header.setup}
        return _seen(game, header, events, "public", listed)
    return _seen(game, header, events, writer)


def _without_decks(header: Header) -> Header:
    return replace(header, setup={key: value for key, value in header.setup.items() if key != "decks"})


def _without_deck(event: Event) -> Event:
    return replace(event, deck=None) if type(event).__name__ == "Reshuffled" else event


def _seen(
    game: Ruleset[object], header: Header, events: Sequence[Event], viewer: str, known: Mapping[str, object] = {}
) -> Played:
    """The game as that viewer saw it; of the setup this is `known` besides."""
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
    head = game.disclosure.recorded_header(header, viewer)
    return Played(game, replace(head, setup={**head.setup, **known}), renumbered(seen), sources)
