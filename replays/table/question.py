"""What a judge asks: a position, and one or more events typed as on a score sheet. Without an event: what may come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from urllib.parse import parse_qs, urlsplit

from msgspec import Struct
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.errors import PositionTextError
from audit.core.model import Event, Header
from audit.core.ruleset import Ruleset, ruleset
from replays.errors import LogError, Problem
from replays.judging.onward import next_choice
from replays.judging.positions import header_of, position_for, read_position_line, with_setup
from replays.judging.replay import with_edition, with_reading
from replays.log.strict_reader import LineError, event_of, unknown_cards, unknown_players
from replays.scoresheet.forms import MisfitError
from replays.scoresheet.line import Sheet

MAX_LINES = 20
"""At most so many events are asked about at once."""
MAX_POSITION = 20_000
"""Letters that the line of a position may have."""
NAME = "question"
PARAMETER = "position"
"""The parameter of an address that holds the line of a position."""


class UnreadEventError(LogError):
    """An event that is typed and cannot be read: what was found, and what would fit there."""

    def __init__(self, number: int, misfit: MisfitError, game: Ruleset[object]) -> None:
        super().__init__(NAME, (Problem(number, f"column {misfit.column}", misfit.expected, misfit.found),))
        self.expected, self.found, self.fits, self.game = misfit.expected, misfit.found, misfit.fits, game


class Question(Struct, frozen=True):
    """A position, as the header of a log that begins there, and the events asked about, in their order."""

    header: Header
    events: tuple[Event, ...] = ()

    @property
    def game(self) -> Ruleset[object]:
        """The game that is asked about."""
        return ruleset(self.header.ruleset)


def header_at(text: str, reading: str | None = None, edition: str = "") -> Header:
    """The header of a log that begins with a position: its line of text, or an address that holds one.

    Raises `PositionTextError` with the column, `SetupError` with the path of what cannot be, `UnknownReadingError`
    and `UnknownEditionError`.
    """
    game, data = read_position_line(line_in(text.strip()))
    header = with_reading(with_edition(header_of(game, data), edition or None), reading)
    game.rules.start(header)
    return header


def header_after(header: Header, state: object) -> Header:
    """The header of a log that goes on from a position of another log, by the same reading and edition."""
    game = ruleset(header.ruleset)
    begun = header_of(game, with_setup(game, header, position_for(game, state)))
    return replace(begun, reading=header.reading, edition=header.edition)


def question(header: Header, told: Sequence[str | Mapping[str, object]]) -> Question:
    """The question about these events, each typed as on a score sheet or given as it stands in a log.

    Raises `LogError` with the line and column of what cannot be read.
    """
    if len(told) > MAX_LINES:
        raise LogError(NAME, (Problem(0, "", f"at most {MAX_LINES} events", str(len(told))),))
    found = Question(header)
    for number, one in enumerate(told, 1):
        event = _typed(found, one, number) if isinstance(one, str) else _given(found, one, number)
        found = replace(found, events=(*found.events, event))
    return found


def _given(before: Question, data: Mapping[str, object], number: int) -> Event:
    game, rules = before.game, before.game.rules
    try:
        event = event_of({**data, "seq": number}, number, rules.types)
    except LineError as fault:
        raise LogError(NAME, fault.problems) from None
    unknown = unknown_players(event, number, game.disclosure.seats(before.header))
    unknown += unknown_cards(event, number, rules.card_exists) if rules.card_exists else []
    if unknown:
        raise LogError(NAME, tuple(unknown))
    return event


def _typed(before: Question, line: str, number: int) -> Event:
    game, header = before.game, before.header
    state = next_choice(game, [*audit(game, header, before.events)][-1].state)
    sheet = Sheet(game, game.disclosure.seats(header), header.setup, lambda word: game.rules.card_at(state, word))
    try:
        return sheet.read(line.strip(), number)
    except MisfitError as misfit:
        if said := game.rules.statement(line):
            with suppress(MisfitError):
                return sheet.read(said, number)
        raise UnreadEventError(number, misfit, game) from None


def line_in(text: str) -> str:
    """The line itself, or the one in an address: `…?position=…` or `…#position=…`."""
    if "://" not in text:
        return text
    for line in _parameters(text):
        return line
    raise PositionTextError(1, f"an address with {PARAMETER}=", text)


def _parameters(address: str) -> Iterator[str]:
    try:
        parts = urlsplit(address)
    except ValueError:
        return
    for part in (parts.query, parts.fragment):
        yield from parse_qs(part).get(PARAMETER, ())
