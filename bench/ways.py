"""The ways in which people write a game down: less than happened, later than it happened, with slips put right.

Every one turns the lines of a clean game into an honest record of it. They may follow upon each other: what is late is
moved first, then left out what nobody writes, then come slips and take-backs, gaps last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from random import Random
from typing import cast

from msgspec.structs import replace

from audit.core.errors import SetupError
from audit.core.event_rules import numbered, own_fields
from audit.core.model import Event, type_name
from audit.core.record_events import Amended, Checkpoint, Flagged, Gap, PositionSet, TakenBack
from audit.core.ruleset import Ruleset
from bench.record_lines import Line, Lines, Played, Way, words
from replays.generating.simulate import chosen, uniform
from replays.generating.telling import pointers

MOST_LATE = 3
"""So many lines later a consequence is told at most."""

MOST_SEEN = 40
"""So many ways of one option are compared."""

PLACES = frozenset({"last_seq", "seq", "why"})
"""Where data of a position name places in a log."""

SHARE = 0.1
"""How much of what may be written late, wrongly or twice is."""

DECLINES: Mapping[str, Mapping[str, object]] = {
    "resolved": {"outcome": "declined"},
    "chose": {"accept": False},
    "mana_declined": {},
    "window_passed": {},
}
"""The events that say that a permission was not used, with the values that say so."""

NEEDLESS: Mapping[str, tuple[str, ...]] = {
    "committed": ("from_", "to"),
    "covered": ("by",),
    "landed": ("line",),
    "triggered": ("on",),
    "shifted": ("from_",),
    "returned": ("to",),
    "rearranged": ("by",),
    "cards_drawn": ("reason",),
    "threat_changed": ("reason",),
    "character_rested": ("statuses_removed",),
}
"""What may be left out of an event, because the table knows it."""


def says_no(event: Event) -> bool:
    """Whether the event says that a permission was not used."""
    values = DECLINES.get(type_name(type(event)))
    return values is not None and all(getattr(event, name) == value for name, value in values.items())


def unspoken(played: Played, lines: Lines, random: Random) -> list[Line]:
    """Nobody writes down what was not done."""
    return [line for line in lines if line.label or not says_no(line.event)]


def choices_only(played: Played, lines: Lines, random: Random) -> list[Line]:
    """What leaves no choice is not written."""
    return _without_forced(played, lines, lambda: False)


def half_told(played: Played, lines: Lines, random: Random) -> list[Line]:
    """What leaves no choice is written now and then."""
    return _without_forced(played, lines, lambda: random.random() < 1 / 2)


def without_markers(played: Played, lines: Lines, random: Random) -> list[Line]:
    """What happened is written, the parts of a turn are not."""
    needed = _pointed_at(lines)
    return [
        one
        for one in lines
        if one.index is None or one.label or not played.is_marker(one.index) or one.event.seq in needed
    ]


def _without_forced(played: Played, lines: Lines, keeps: object) -> list[Line]:
    assert callable(keeps)
    kept = [one for one in lines if one.index is None or one.label or not played.follows[one.index] or keeps()]
    needed = _pointed_at(kept)
    told = {one.index for one in kept}
    return [one for one in lines if one.index is None or one.index in told or one.event.seq in needed]


def _pointed_at(lines: Lines) -> set[object]:
    """The seqs of the events to which others point by number: a writer who does that has them."""
    return {getattr(line.event, name) for line in lines for name in pointers(line.event)}


def terse(played: Played, lines: Lines, random: Random) -> list[Line]:
    """Of an event only what the table does not know anyway."""
    return [replace(line, event=_terse(line.event)) for line in lines]


def _terse(event: Event) -> Event:
    names = NEEDLESS.get(type_name(type(event)), ())
    defaults = dict(zip(type(event).__struct_fields__[-len(type(event).__struct_defaults__):],
                        type(event).__struct_defaults__, strict=True))  # fmt: skip
    gone = {name: defaults[name] for name in names if name in defaults}
    return replace(event, **gone) if gone else event


LATE = "late"
"""The label of a line that is told late; it is what the writer meant to tell, so it is not left out."""


def late(played: Played, lines: Lines, random: Random) -> list[Line]:
    """A consequence is told one to three lines late, after others on which it has no bearing."""
    told = list(lines)
    for place in reversed(range(len(told) - 1)):
        line = told[place]
        if line.index is None or not _may_be_late(played, line.index) or random.random() > SHARE:
            continue
        far = len(list(_independent(played, told, place)))
        if far:
            told.insert(place + random.randint(1, far), replace(told.pop(place), label=LATE))
    return told


def _may_be_late(played: Played, index: int) -> bool:
    return played.follows[index] and not played.is_marker(index)


def _independent(played: Played, lines: Lines, place: int) -> Iterator[Line]:
    """The lines after that one which neither decide anything nor depend on it."""
    first = lines[place].index
    for line in islice(lines, place + 1, place + 1 + MOST_LATE):
        if first is None or line.index is None or line.label or not _has_no_bearing(played, first, line.index):
            return
        yield line


def _has_no_bearing(played: Played, first: int, then: int) -> bool:
    """Whether nobody can care which of the two came first: no rule of order is at stake, and neither led to the other.

    While something is under way its parts go in their order: those of a text, cards on their way, newer texts first.
    """
    event, earlier = played.events[then], played.events[first]
    if earlier.seq in {getattr(event, name) for name in pointers(event)}:
        return False
    if played.is_marker(then):
        return True
    under_way = played.game.disclosure.pending(played.positions[first + 1])
    return played.follows[then] and not under_way and not words(event) & words(earlier)


DRAWS = frozenset({"drew", "cards_drawn"})
"""The events that tell how many cards are drawn, or which."""


def in_parts(played: Played, lines: Lines, random: Random) -> list[Line]:
    """Now and then cards that are drawn at once are told in two lines."""
    told: list[Line] = []
    for line in lines:
        cards, count = getattr(line.event, "cards", None), getattr(line.event, "count", None)
        many = len(cards or ()) or count or 0
        if type_name(type(line.event)) in DRAWS and many > 1 and not line.label and random.random() < 1 / 2:
            cut = random.randrange(1, many)
            first, rest = (cards[:cut], cards[cut:]) if cards else (None, None)
            told.append(Line(replace(line.event, cards=first, count=cut if count else None)))
            line = replace(line, event=replace(line.event, cards=rest, count=many - cut if count else None))
        told.append(line)
    return told


def amended(played: Played, lines: Lines, random: Random) -> list[Line]:
    """Now and then a slip of the pen, one or two lines more, and then the right ones."""
    told: list[Line] = []
    for number, line in enumerate(lines):
        slip = _misprint(played, line, random) if line.index is not None and random.random() < SHARE / 2 else None
        if slip:
            label = f"slip {number}"
            more = [replace(one, label="") for one in islice(lines, number + 1, number + 1 + random.randrange(3))]
            told += [Line(slip, label=label), *(replace(one, index=None) for one in more if one.index is not None)]
            told.append(Line(Amended(seq=1, from_=1, reason="misread"), back=label))
        told.append(line)
    return told


def _misprint(played: Played, line: Line, random: Random) -> Event | None:
    """The same event with something in it that stands in another one of its kind."""
    others = [one for one in played.events if type(one) is type(line.event) and one != line.event]
    names = [n for n in own_fields(type(line.event)) if n not in pointers(line.event)]
    for _ in range(3):
        if others and names:
            name = random.choice(names)
            wrong = replace(line.event, **{name: getattr(random.choice(others), name)})
            if wrong != line.event:
                return wrong
    return None


def taken_back(played: Played, lines: Lines, random: Random) -> list[Line]:
    """Now and then something else is done first, and taken back."""
    told: list[Line] = []
    for number, line in enumerate(lines):
        if line.index is not None and not played.follows[line.index] and random.random() < SHARE / 2:
            other = list(_something_else(played, line.index, random))
            if other:
                label = f"taken back {number}"
                told += [Line(other[0], label=label), *(Line(one) for one in other[1:])]
                told.append(Line(TakenBack(seq=1, to=0, agreed=True), back=label))
        told.append(line)
    return told


def _something_else(played: Played, index: int, random: Random) -> Iterator[Event]:
    """One to three events that might have come instead of that one."""
    game, state = played.game, played.positions[index]
    for number in range(random.randint(1, 3)):
        event = chosen(game, state, list(game.rules.expected(state)), uniform, random)
        if event is None or pointers(event) or any(str(word).startswith("?") for word in words(event)):
            return
        event = numbered(game.simulation.randomized(state, event, random), played.events[index].seq + number)
        yield event
        state = game.rules.evolve(state, event)


def with_gap(played: Played, lines: Lines, random: Random) -> list[Line]:
    """A turn is missing; the position after it is put down."""
    cut = _missing_turn(played, lines, random)
    if cut is None:
        return list(lines)
    begin, end, position = cut
    put = [Line(Gap(seq=1)), Line(PositionSet(seq=1, position=position, why="written again from here"))]
    return [*lines[:begin], *put, *lines[end:]]


def with_gap_only(played: Played, lines: Lines, random: Random) -> list[Line]:
    """A turn is missing, and nobody says how the table stood after it."""
    cut = _missing_turn(played, lines, random)
    return [*lines[: cut[0]], Line(Gap(seq=1)), *lines[cut[1] :]] if cut else list(lines)


def _missing_turn(played: Played, lines: Lines, random: Random) -> tuple[int, int, dict[str, object]] | None:
    """The places of the first and last line of a turn, and the position after it."""
    starts = [place for place in range(1, len(lines)) if _is_turn(played, lines, place)]
    for _ in range(5):
        if len(starts) < 2:
            return None
        which = random.randrange(len(starts) - 1)
        end = starts[which + 1]
        index = lines[end].index
        if index is None or any(line.index is not None and line.index < index for line in lines[end:]):
            continue  # what is told late after the position would have happened twice
        if (position := position_at(played, index)) is not None:
            return starts[which], end, position
    return None


def _is_turn(played: Played, lines: Lines, place: int) -> bool:
    """Whether a turn begins with that line, the lines before it being of earlier ones."""
    here, before = lines[place], lines[place - 1]
    if here.index is None or before.index is None or before.index > here.index or here.label or before.label:
        return False
    clock = played.game.rules.clock
    return clock(played.positions[here.index])["turn"] != clock(played.positions[before.index])["turn"]


def position_at(played: Played, index: int) -> dict[str, object] | None:
    """The position before that event as plain data; None where data cannot say all of it."""
    rules, state = played.game.rules, played.positions[index]
    try:
        data = cast("dict[str, object]", without_places(rules.position_data(rules.detached(state))))
        put = rules.position(data, state)
    except (NotImplementedError, SetupError):
        return None
    return data if _goes_on_alike(played.game, state, put) else None


def without_places(data: object) -> object:
    """Plain data without the places of events in a log: those are no part of a table."""
    if isinstance(data, Mapping):
        return {key: without_places(value) for key, value in data.items() if key not in PLACES}
    return [without_places(one) for one in data] if isinstance(data, list | tuple) else data


def _goes_on_alike(game: Ruleset[object], state: object, put: object) -> bool:
    """Whether the same can follow in both positions, and the same is under way."""
    pending = game.disclosure.pending
    return _what_may_follow(game, state) == _what_may_follow(game, put) and pending(state) == pending(put)


def _what_may_follow(game: Ruleset[object], state: object) -> list[list[Event]]:
    return [list(islice(option.candidates(state), MOST_SEEN)) for option in game.rules.expected(state)]


def checked(played: Played, lines: Lines, random: Random) -> list[Line]:
    """Now and then the writer compares with the table, or wants something looked at."""
    told: list[Line] = []
    for line in lines:
        if line.index is not None and random.random() < SHARE / 2:
            position = position_at(played, line.index) if not line.label else None
            told.append(Line(Checkpoint(seq=1, position=position) if position else Flagged(seq=1, by="A")))
        told.append(line)
    return told


def in_turn(*ways: Way) -> Way:
    """One way after the other."""

    def way(played: Played, lines: Lines, random: Random) -> list[Line]:
        told = list(lines)
        for each in ways:
            told = each(played, told, random)
        return told

    return way


def in_full(played: Played, lines: Lines, random: Random) -> list[Line]:
    """Everything, as it happened."""
    return list(lines)


WAYS: dict[str, Way] = {
    "in full": in_full,
    "declines unspoken": unspoken,
    "late": late,
    "choices only": choices_only,
    "half told": half_told,
    "without markers": without_markers,
    "terse": terse,
    "draws in parts": in_parts,
    "slips amended": amended,
    "taken back": taken_back,
    "a turn missing": with_gap,
    "a turn missing without position": with_gap_only,
    "checked": checked,
    "choices only and no declines": in_turn(choices_only, unspoken),
    "all at once": in_turn(late, half_told, unspoken, terse, taken_back, amended, with_gap),
}
"""The ways of writing by name."""
