"""Positions of a log for a reader: as data, as one line of text, as a table, and what follows by itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import cast

import msgspec
from msgspec import Struct

from audit.core.disclosure import JUDGE, NOTHING_SHOWN, PUBLIC, Shown
from audit.core.errors import PositionTextError, SetupError
from audit.core.event_rules import MAX_LISTED, Citations, Expectation, Obligation
from audit.core.model import LOG_VERSION, Event, Header
from audit.core.ruleset import Ruleset, ruleset, rulesets

MAX_WITHOUT_CHOICE = 100
"""At most this many events without a choice lead to the next decision."""


def next_choice(game: Ruleset[object], state: object) -> object:
    """The position in which somebody has to choose next, after all that leaves no choice, markers included."""
    for following in without_choice(game, state):
        state = following.after
    return state


class PerhapsHappened(Expectation[object]):
    """Events of one type that may have happened, as far as anybody knows: the table has to be asked."""

    def __init__(self, events: Sequence[Event], rules: Citations) -> None:
        self.event, self.rules, self.obligation = type(events[0]), rules, Obligation.OPTIONAL
        self._events = events

    def candidates(self, state: object) -> Iterator[Event]:
        return iter(self._events)


def perhaps_happened(game: Ruleset[object], state: object) -> Iterator[PerhapsHappened]:
    """What the table has to be asked before it goes on, by type of event and player; nothing where it need not be."""
    if not game.setting.has_open_question(state):
        return
    found: dict[tuple[type[Event], object], list[Event]] = {}
    for event in game.setting.untold(state):
        if not game.rules.violations(state, event) and not game.setting.is_unlikely(state, event):
            found.setdefault((type(event), getattr(event, "player", None)), []).append(event)
    for (kind, _), events in found.items():
        yield PerhapsHappened(events, game.rules.event_rules[kind].citations(state, events[0]))


class Following(Struct, frozen=True):
    """An event that leaves no choice: what it is, the rules by which it comes, and the positions around it."""

    event: Event
    rules: Citations
    before: object
    after: object


def without_choice(game: Ruleset[object], state: object) -> Iterator[Following]:
    """What happens next by itself, one event after another, until somebody has to choose or the table is asked."""
    for _ in range(MAX_WITHOUT_CHOICE):
        if game.setting.has_open_question(state):
            return
        due = game.rules.forced(state) or _first_of_all(game, state)
        if due is None:
            return
        option, event = due
        after = game.rules.evolve(state, event)
        yield Following(event, option.rules, state, after)
        state = after


def _first_of_all(game: Ruleset[object], state: object) -> tuple[Expectation[object], Event] | None:
    """The first of what every player has to do, where none of them has a choice; None where somebody has."""
    live = list(islice(game.rules.expected(state), MAX_LISTED))
    events = [_only(one, state) for one in live]
    players = {getattr(event, "player", None) for event in events}
    first = events[0] if events and None not in players and len(players) == len(events) else None
    return (live[0], first) if first else None


def _only(option: Expectation[object], state: object) -> Event | None:
    """The one event that is required, where nobody chooses between cards without a name."""
    event = option.single_candidate(state) if option.obligation is Obligation.REQUIRED else None
    return event if event and not option.hides_choice(state, event) else None


Json = dict[str, object]
UNKNOWN = "?"
SETUP = "setup"
"""In a line of text, what has to be known of the game besides the position."""
OF_THE_RECORD = frozenset({"why", "last_seq"})
"""Keys of a position that say where in its log it came from, and nothing of the table."""

KnownAs = Callable[[object, str], str]
"""What a card is called that the viewer may not know, in a position."""

_WORD = re.compile(r"[^\s*,;:()]+")


def position_for(game: Ruleset[object], state: object, viewer: str = JUDGE, known_as: KnownAs | None = None) -> Json:
    """A position as data in the shape of `setup.position`; what the viewer may not know stands as `?`, or a handle.

    `known_as` says what a hidden card is called, by default by its place.
    """
    data = _as_known(game, state, viewer, known_as)
    return data if viewer == JUDGE else dict(game.disclosure.position_seen(data, viewer))


def _as_known(game: Ruleset[object], state: object, viewer: str, known_as: KnownAs | None) -> Json:
    state = game.rules.detached(state)
    data = cast(Json, _of_the_table(msgspec.to_builtins(game.rules.position_data(state))))
    if viewer == JUDGE:
        return data
    named = known_as or (lambda state, word: game.disclosure.known_as(state, word, viewer))
    known = words_in(game.disclosure.view(state, viewer))
    secret = words_in(game.disclosure.view(state, JUDGE)) - known - {UNKNOWN}
    names = {word: named(state, word) for word in _in_order(data) if word in secret}
    seen = cast(Json, _renamed(data, names))
    with suppress(SetupError):
        written = game.rules.position_data(game.rules.position(seen, state))
        seen = cast(Json, _renamed(_of_the_table(msgspec.to_builtins(written)), names))
    return seen


def position_told(
    game: Ruleset[object], told: Mapping[str, object], state: object, viewer: str, known_as: KnownAs | None = None
) -> Json:
    """What a record says of a position, as the viewer may know it: no more than it says, and no hidden card.

    `state` is the position before. Empty where the position cannot be understood.
    """
    try:
        found = game.rules.position(told, state)
    except SetupError:
        return {}
    data = _as_known(game, found, viewer, known_as)
    seen = game.disclosure.position_seen(data, viewer)
    return cast(Json, _narrowed(seen, {**told, **dict.fromkeys(seen.keys() - data.keys())}))


def position_line(game: Ruleset[object], data: Json) -> str:
    """The one line of text of a position: the game's name, then the position."""
    return f"{game.name}/{game.rules.position_text(data)}"


def line_at(header: Header, state: object, viewer: str = JUDGE) -> str:
    """The line of text of a position in the game of that header, to be read without its log."""
    game = ruleset(header.ruleset)
    shown = Shown(views=(game.disclosure.view(state, viewer),))
    return position_line(game, with_setup(game, header, position_for(game, state, viewer), viewer, shown))


def hides_cards(game: Ruleset[object], state: object) -> bool:
    """Whether a position names cards that not everybody has seen, where they lie or in their order."""
    seen, known = (words_in(game.disclosure.view(state, viewer)) for viewer in (JUDGE, PUBLIC))
    return any(not word.startswith(UNKNOWN) for word in seen - known)


def read_position_line(line: str) -> tuple[Ruleset[object], Json]:
    """The game and the data of such a line; raises `PositionTextError` with the column."""
    name, slash, text = line.strip().partition("/")
    if name not in rulesets() or not slash:
        raise PositionTextError(1, f"the name of a game ({', '.join(rulesets())}), then /", line[:12])
    game = ruleset(name)
    return game, dict(game.rules.read_position(text, len(name) + 1))


def with_setup(
    game: Ruleset[object], header: Header, data: Json, viewer: str = JUDGE, shown: Shown = NOTHING_SHOWN
) -> Json:
    """A position's data with what it takes of the game's setup to read them alone, as far as it was shown."""
    known = header if viewer == JUDGE else game.disclosure.recorded_header(header, viewer, shown)
    lasting = game.rules.lasting_setup(known.setup)
    return {SETUP: msgspec.to_builtins(lasting), **data} if lasting else data


def header_of(game: Ruleset[object], data: Json) -> Header:
    """The header of a log that begins with this position."""
    setup = cast(Json, data.get(SETUP, {}))
    position = {key: value for key, value in data.items() if key != SETUP}
    return Header(log=LOG_VERSION, ruleset=game.name, setup={**setup, "position": position})


def _narrowed(data: object, told: object) -> object:
    """Of the data what is told; under a key that the data do not have there is nothing."""
    if not isinstance(data, Mapping) or not isinstance(told, Mapping):
        return data
    return {key: _narrowed(inner, told[key]) for key, inner in data.items() if key in told}


def _in_order(value: object) -> dict[str, None]:
    """The words of plain data in their order, each once; a star after a card is no part of its name."""
    if isinstance(value, str):
        return dict.fromkeys(_WORD.findall(value))
    found: dict[str, None] = {}
    for inner in value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ():
        found |= _in_order(inner)
    return found


def words_in(value: object) -> frozenset[str]:
    """Every word anywhere in plain data, the keys of objects among them."""
    if isinstance(value, str):
        return frozenset((value,))
    if isinstance(value, Mapping):
        return frozenset(map(str, value)).union(*map(words_in, value.values()))
    if isinstance(value, list | tuple):
        return frozenset().union(*map(words_in, value))
    return frozenset()


def _of_the_table(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _of_the_table(inner) for key, inner in value.items() if key not in OF_THE_RECORD}
    return [_of_the_table(inner) for inner in value] if isinstance(value, list | tuple) else value


def _renamed(value: object, names: Mapping[str, str]) -> object:
    """The data with every secret word as the viewer knows it; what stands under a secret key is left out."""
    if isinstance(value, str):
        return _WORD.sub(lambda word: names.get(word[0], word[0]), value)
    if isinstance(value, Mapping):
        return {key: _renamed(inner, names) for key, inner in value.items() if str(key) not in names}
    return [_renamed(inner, names) for inner in value] if isinstance(value, list | tuple) else value
