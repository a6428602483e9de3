"""What a judge asks: a position and events typed as on a score sheet, or what may be chosen there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from urllib.parse import parse_qs, urlsplit

from msgspec import Struct
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.catalogue import LANGUAGES
from audit.core.errors import PositionTextError
from audit.core.event_rules import Obligation
from audit.core.model import Event, Header
from audit.core.ruleset import Ruleset, ruleset
from audit.core.typography import folded
from replays.errors import LogError, Problem
from replays.judging.annotate import Annotator
from replays.judging.positions import (
    header_of,
    next_choice,
    position_for,
    read_position_line,
    with_setup,
    without_choice,
)
from replays.judging.replay import with_edition, with_reading
from replays.judging.sentences import Json, event_json
from replays.log.strict_reader import LineError, event_of, unknown_cards, unknown_players
from replays.scoresheet.forms import MisfitError
from replays.scoresheet.line import Sheet
from replays.scoresheet.meanings import seats_by_name
from replays.table.question_words import asks_of_the_moment
from replays.table.worded_questions import WordedQuestions

MOST = 90
"""At most so many choices of one kind are offered."""


class OpenChoice(Struct, frozen=True):
    """An event that can be chosen, by whom, and the position in which it can.

    One that `is_passing` belongs to a position before the last: the table may go on without it.
    """

    player: str
    event: Event
    at: object
    is_passing: bool = False


def open_choices(annotator: Annotator, state: object) -> Iterator[OpenChoice]:
    """The choices with their players and positions, those of the last position first; each once."""
    game = annotator.game
    follows = list(without_choice(game, state))
    last = follows[-1].after if follows else state
    found = [OpenChoice(player, event, last) for player, event in _candidates(annotator, last)]
    for one in follows:
        found += [
            OpenChoice(player, event, one.before, is_passing=True)
            for player, event in _passing(annotator, one.before)
            if type(event) is not type(one.event)
        ]
    seen = [one.event for one in follows]
    for choice in found:
        if choice.event not in seen:
            seen.append(choice.event)
            yield choice


def lines_said(sheet: Sheet, event: Event, language: str) -> Json:
    """The line of an event, and as it is typed in a language where that is another one."""
    line = sheet.write_published(event_json(event))
    said = line if language == LANGUAGES[0] else sheet.write_published(event_json(event), language)
    return {"line": line} if said == line else {"line": line, "said": said}


def _candidates(annotator: Annotator, state: object) -> Iterator[tuple[str, Event]]:
    for option in annotator.game.rules.expected(state):
        if option.obligation is not Obligation.MARKER:
            player = annotator.chooser(state, option)
            yield from ((player, event) for event in islice(option.candidates(state), MOST))
    yield from _untold(annotator.game, state)


def _passing(annotator: Annotator, state: object) -> Iterator[tuple[str, Event]]:
    """What nobody has to do, where the table may go on without it."""
    for option in annotator.game.rules.expected(state):
        if option.obligation in (Obligation.OPTIONAL, Obligation.EXPIRES):
            player = annotator.chooser(state, option)
            yield from ((player, event) for event in islice(option.candidates(state), MOST))
    yield from _untold(annotator.game, state)


def _untold(game: Ruleset[object], state: object) -> Iterator[tuple[str, Event]]:
    for event in islice(game.setting.untold(state), MOST):
        if not game.rules.violations(state, event):
            yield str(getattr(event, "player", "")), event


MAX_LINES = 20
"""At most so many events are asked about at once."""
MAX_POSITION = 20_000
"""Letters that the line of a position may have."""
NAME = "question"
PARAMETER = "position"
"""The parameter of an address that holds the line of a position."""


class UnreadEventError(LogError):
    """An event that is typed and cannot be read: what was found, and what would fit there.

    `plain` is what was typed without the names of this table's players and cards, as one looks it up in the rules.
    """

    def __init__(self, number: int, misfit: MisfitError, game: Ruleset[object], plain: str) -> None:
        super().__init__(NAME, (Problem(number, f"column {misfit.column}", misfit.expected, misfit.found),))
        self.expected, self.found, self.fits, self.game = misfit.expected, misfit.found, misfit.fits, game
        self.plain = plain


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
    """The header of a log that goes on from a position of another log, by the same reading and edition, and players."""
    game = ruleset(header.ruleset)
    begun = header_of(game, with_setup(game, header, position_for(game, state)))
    return replace(begun, reading=header.reading, edition=header.edition, players=header.players)


def question(header: Header, told: Sequence[str | Mapping[str, object]]) -> Question:
    """The question about these events, each typed as on a score sheet or given as it stands in a log.

    A line that asks what may be done then is no event. Raises `LogError` with the line and column of what cannot be
    read.
    """
    if len(told) > MAX_LINES:
        raise LogError(NAME, (Problem(0, "", f"at most {MAX_LINES} events", str(len(told))),))
    found = Question(header)
    for number, one in enumerate(told, 1):
        if isinstance(one, str) and asks_of_the_moment(with_seats(header, one), found.game.disclosure.seats(header)):
            continue
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
    return read_at(game, header, state, line.strip(), number)


def read_at(game: Ruleset[object], header: Header, state: object, line: str, number: int) -> Event:
    """The event of a line at a position: as on a score sheet, as a sentence tells it, or as a question asks about it.

    Raises `UnreadEventError`.
    """
    sheet = sheet_at(game, header, state)
    try:
        return sheet.read(line, number)
    except MisfitError as misfit:
        unread = misfit
    if said := game.rules.statement(with_seats(header, line)):
        try:
            return sheet.read(said, number)
        except MisfitError as again:
            again.column = line.find(again.found) + 1 or unread.column
            unread = again
    worded = WordedQuestions(game, header, state)
    if event := worded.event(line):
        return replace(event, seq=number)
    raise UnreadEventError(number, unread, game, worded.without_names(line))


def with_seats(header: Header, line: str) -> str:
    """A line in which players are called by their seats, where it calls them by their names."""
    seats = seats_by_name(header.players)
    for player in header.players:
        line = re.sub(rf"\b{re.escape(player.name)}\b", player.seat, line, flags=re.IGNORECASE) if player.name else line
    return re.sub(r"[^\W\d_]+", lambda found: seats.get(folded(found[0]), found[0]), line) if seats else line


def sheet_at(game: Ruleset[object], header: Header, state: object) -> Sheet:
    """What reads lines at a position: the cards at its places, its players by name, and what is expected there."""
    return Sheet(
        game, game.disclosure.seats(header), header.setup, lambda word: game.rules.card_at(state, word),
        players=header.players, positions=lambda: (state,),
    )  # fmt: skip


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
