"""A game and the lines in which somebody wrote it down: who sees everything, knows no deck, or is one viewer.

A way of writing (`ways.py`) turns the lines of a game into other lines: fewer, later, corrected. Each line knows which
event of the complete log it tells, so that what is found in the record can be compared with what is found in that log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from audit.core.event_rules import numbered, own_fields
from audit.core.model import Event, Header
from audit.core.record_events import Amended, TakenBack
from audit.core.ruleset import Ruleset
from replays.generating.telling import pointers, renumbered, viewer_header

ALL = "all"
NO_DECKS = "no decks"
VIEWERS: Mapping[str, tuple[str, ...]] = {
    "compile": ("A", "B", "public"), "altered": ("p1", "public"), "lotr-reveal": ("p1", "public"),
}  # fmt: skip


LISTS = ("deck_lists", "encounter_cards")
"""Where a setup lists the cards of a deck in no order."""


class Line(Struct, frozen=True):
    """A line of a record.

    `index` is the place of its event in the game; None for what only the record says. `label` names a line to which a
    later one leads `back`.
    """

    event: Event
    index: int | None = None
    label: str = ""
    back: str = ""


Lines = Sequence[Line]


class Played:
    """A game as one writer knows all of it: its events, the positions before them, and what left no choice.

    `sources` are the seqs of the events in the complete log.
    """

    def __init__(
        self, game: Ruleset[object], header: Header, events: Sequence[Event], sources: Sequence[int] | None = None
    ) -> None:
        self.game = game
        self.header = header
        self.events = events
        self.sources = sources if sources is not None else [event.seq for event in events]

    @cached_property
    def positions(self) -> Sequence[object]:
        """The position before each event, and the last one."""
        state = self.game.rules.start(self.header)
        found = [state]
        for event in self.events:
            state = self.game.rules.evolve(state, event)
            found.append(state)
        return found

    @cached_property
    def follows(self) -> Sequence[bool]:
        """For each event whether it was the one thing that could happen."""
        return [self._is_forced(state, event) for state, event in zip(self.positions, self.events, strict=False)]

    def _is_forced(self, state: object, event: Event) -> bool:
        forced = self.game.rules.forced(state)
        return forced is not None and numbered(forced[1], 0) == numbered(event, 0)

    def is_marker(self, index: int) -> bool:
        """Whether that event only says where in the game we are."""
        return self.game.rules.event_rules[type(self.events[index])].is_marker

    def told_in_full(self) -> list[Line]:
        """Every event in its own line."""
        return [Line(event, index) for index, event in enumerate(self.events)]


Way = Callable[[Played, Lines, Random], list[Line]]
"""A way of writing: the lines of a game, written otherwise."""


class Record(Struct, frozen=True):
    """A record, and the place of each event of the complete log that it tells."""

    header: Header
    events: Sequence[Event]
    places: Mapping[int, int]


def written(played: Played, lines: Lines) -> Record:
    """The record that these lines make. Of no record by people is it said that it tells everything."""
    labels = {line.label: seq for seq, line in enumerate(lines, 1) if line.label}
    places = {line.index: seq for seq, line in enumerate(lines, 1) if line.index is not None}
    moved = {played.events[index].seq: seq for index, seq in places.items()}
    events = [_placed(line, seq, labels, moved) for seq, line in enumerate(lines, 1)]
    return Record(
        replace(played.header, complete=False), events, {played.sources[index]: seq for index, seq in places.items()}
    )


def _placed(line: Line, seq: int, labels: Mapping[str, int], moved: Mapping[int, int]) -> Event:
    event = replace(line.event, seq=seq, **_pointers(line.event, moved))
    if isinstance(event, Amended):
        return replace(event, from_=labels[line.back])
    return replace(event, to=labels[line.back] - 1) if isinstance(event, TakenBack) else event


def _pointers(event: Event, moved: Mapping[int, int]) -> dict[str, object]:
    """Where the events now are that this one points to; `because` is not said of what is not written."""
    found: dict[str, object] = {"because": None if event.because is None else moved.get(event.because)}
    for name in pointers(event):
        found[name] = moved.get(getattr(event, name), getattr(event, name))
    return found


def words(event: Event) -> frozenset[object]:
    """The cards, players, places and numbers that an event names."""
    return frozenset(_flat(getattr(event, name) for name in own_fields(type(event))))


def _flat(values: Iterable[object]) -> Iterable[object]:
    for value in values:
        if isinstance(value, tuple | list):
            yield from _flat(value)
        elif isinstance(value, str | int) and not isinstance(value, bool):
            yield value


# Who writes it down, and so how much of it there is to write: the hands, the decks, one player's view


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
    head = viewer_header(game, header, seen, state, viewer)
    return Played(game, replace(head, setup={**head.setup, **known}), renumbered(seen), sources)
