"""A game and the lines in which somebody wrote it down: a scorekeeper, one viewer, people with ways of their own.

A way of writing turns the lines of a game into other lines: fewer, later, corrected. Each line knows which event of the
complete log it tells, so that what is found in the record can be compared with what is found in the complete log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from audit.core.disclosure import Shown
from audit.core.event_rules import numbered, own_fields
from audit.core.model import Event, Header
from audit.core.record_events import Amended, Gap, PositionSet, TakenBack, standing
from audit.core.ruleset import Ruleset
from replays.judging.seen import seen_header
from replays.log.schemas import cards_of

HALF = 0.5
ALL = "all"
NO_DECKS = "no decks"
VIEWERS: Mapping[str, tuple[str, ...]] = {
    "compile": ("A", "B", "public"), "altered": ("p1", "public"), "lotr-reveal": ("p1", "public"),
}  # fmt: skip


LISTS = ("deck_lists", "encounter_cards")
"""Where a setup lists the cards of a deck in no order."""


# Choices and chance, without what follows by itself


def choices(game: Ruleset[object], header: Header, events: Iterable[Event]) -> list[Event]:
    """The events of a log that were not the one thing that could happen, numbered anew.

    What is left out here leaves no choice, so the auditor can infer it.
    """
    return renumbered([event for event, follows in with_forced(game, header, events) if not follows])


def partly_written(game: Ruleset[object], header: Header, events: Iterable[Event], random: Random) -> list[Event]:
    """The same with some of what leaves no choice: each event of it is written down or not, by lot."""
    events_forced = with_forced(game, header, events)
    return renumbered([event for event, follows in events_forced if not follows or random.random() < HALF])


def with_forced(game: Ruleset[object], header: Header, events: Iterable[Event]) -> Iterator[tuple[Event, bool]]:
    """Each event, and whether it was the one thing that could happen."""
    state = game.rules.start(header)
    for event in events:
        forced = game.rules.forced(state)
        yield event, forced is not None and numbered(forced[1], 0) == numbered(event, 0)
        state = game.rules.evolve(state, event)


def renumbered(events: Sequence[Event]) -> list[Event]:
    """The events with their places in the log put right, and what they say of places that are still there."""
    places = {event.seq: seq for seq, event in enumerate(events, 1) if event.seq}
    return [replace(event, seq=seq, **_moved(event, places)) for seq, event in enumerate(events, 1)]


def _moved(event: Event, places: Mapping[int, int]) -> dict[str, int]:
    """Where the events now are that this one points to."""
    events_forced = ((name, getattr(event, name)) for name in _places_named(type(event)))
    return {name: places[seq] for name, seq in events_forced if seq in places}


def without_place(event: Event) -> Event:
    """The event as it would be anywhere in the log, for comparing logs of which one says less than the other."""
    return replace(event, seq=0, because=None, **dict.fromkeys(_places_named(type(event))[1:], 0))


@cache
def _places_named(event: type[Event]) -> tuple[str, ...]:
    """The fields that hold the place of another event."""
    return ("because", *(name for name in own_fields(event) if name.endswith("_seq")))


# What one viewer could have recorded


def viewer_log(
    game: Ruleset[object], header: Header, events: Iterable[Event], viewer: str
) -> tuple[Header, list[Event]]:
    """The same game as that viewer saw it: a seat, or `public`. Numbered anew, for a name is an event too.

    What is amended or taken back is left out. A position that was set is a gap to who may not know all of it.
    """
    state = game.rules.start(header)
    recorder = game.disclosure.recorder(viewer)
    told: list[Event] = []
    for event in standing(list(events)):
        after = game.rules.evolve(state, event)
        told += (Gap(seq=0),) if type(event) is PositionSet else recorder(state, event, after)
        state = after
    return _header(game, header, told, state, viewer), [numbered(event, seq) for seq, event in enumerate(told, 1)]


def _header(game: Ruleset[object], header: Header, told: Iterable[Event], last: object, viewer: str) -> Header:
    """The header as a viewer knows it who wrote down these events, the last of which led to that position."""
    views = [game.disclosure.view(state, viewer) for state in (game.rules.start(header), last)]
    shown = Shown(frozenset([card for event in told for card in cards_of(event)]), tuple(views))
    return seen_header(game, header, (), viewer, shown)


# A log as people keep it


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


def pointers(event: Event) -> list[str]:
    """The fields that hold the place of another event."""
    return [name for name in own_fields(type(event)) if name.endswith("_seq")]


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
    head = _header(game, header, seen, state, viewer)
    return Played(game, replace(head, setup={**head.setup, **known}), renumbered(seen), sources)
