"""Reads a score sheet as a log, and writes a log as a score sheet.

    game r3-t12   A Ada: fire life water   B Bo: death metal speed   first A
    A fire-3 1
    B speed-5 2 down   # a remark
    ? A flipped a card of line 3

The first line says who plays; what else the header of the log holds stands in a second one that begins with `header`.
Every other line is an event; its number may stand before it (`7. A refresh`). Empty lines, and lines that begin with
`#`, say nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.catalogue import LANGUAGES
from audit.core.errors import SetupError, UnknownRulesetError
from audit.core.event_rules import Obligation, numbered
from audit.core.model import LOG_VERSION, Event, Header, Player, Verdict
from audit.core.record_events import Amended, TakenBack, standing
from audit.core.ruleset import Ruleset, ruleset, rulesets
from audit.core.steps import Step
from audit.core.typography import folded
from replays.errors import LogError, Problem
from replays.judging.positions import without_choice
from replays.scoresheet.forms import COMMENT, Fit, MisfitError, as_json, fits_in, forms_of, told_fits
from replays.scoresheet.line import Sheet
from replays.scoresheet.meanings import Carried, names_told

GAME, HEADER = "game", "header"
USUAL = "compile"
"""The game that is tried first where nobody has named one."""
MAX_TOLD = 10
"""So many lines that cannot be read are told; of the others how many there are."""
MAX_ONWARD = 24
"""At most so many positions are looked at behind the last line."""
_PLAYER = re.compile(r"(?P<seat>[^\s:]+)(?: (?P<name>[^:]+?))?(?:: (?P<words>[^:]+))?")
_NUMBER = re.compile(r"(\d{1,6})[.):]\s+")
_UNDO = re.compile(r"(?:(?P<who>\S+) )?undo(?:es|ne)?(?P<remark>\s*#.*)?", re.IGNORECASE)
_APART = re.compile(r"\s{2,}|\t")


def decisions(game: Ruleset[object], header: Header, events: Iterable[Event]) -> list[Event]:
    """The events of a log that were not the one thing that could happen, numbered anew.

    An event with a remark of the recorder, or a name, is kept.
    """
    written = list(events)
    unsaid = {step.seq for step in audit(game, header, written) if _leaves_no_choice(game, step)}
    kept = [event for event in written if event.seq not in unsaid]
    return [replace(_pointing(event, [one.seq for one in kept]), seq=seq) for seq, event in enumerate(kept, 1)]


def _leaves_no_choice(game: Ruleset[object], step: Step) -> bool:
    if step.event is None or step.seq is None or step.verdict is not Verdict.LEGAL:
        return False
    forced = game.rules.forced(step.before)
    return forced is not None and numbered(forced[1], 0) == replace(step.event, seq=0, because=None)


def _pointing(event: Event, kept: Sequence[int]) -> Event:
    """The event with the new places of those it speaks of."""
    if event.because is not None:
        at = bisect_left(kept, event.because)
        event = replace(event, because=at + 1 if kept[at : at + 1] == [event.because] else None)
    if isinstance(event, Amended):
        return replace(event, from_=bisect_left(kept, event.from_) + 1)
    return replace(event, to=bisect_right(kept, event.to)) if isinstance(event, TakenBack) else event


class Head(Struct, frozen=True):
    """What the first line says."""

    game: str = ""
    players: tuple[Player, ...] = ()
    words: Mapping[str, list[str]] = {}
    first: str | None = None


class UnreadLine(Problem, frozen=True):
    """A line that cannot be read, with what would fit in it, as far as that is known, its game, and the language in
    whose words the sheet is written."""

    fits: tuple[Fit, ...] = ()
    game: Ruleset[object] | None = None
    language: str = LANGUAGES[0]

    @property
    def text(self) -> str:
        """In words; what would fit is told as the sheet says it."""
        plain = super().text
        near = " (did you mean" in plain
        if self.game is None or not self.fits or (self.language == LANGUAGES[0] and (near or not self._is_near_card)):
            return plain
        told = told_fits(LANGUAGES[0], fits_in(self.game, self.fits, self.language), self.found)
        return f"line {self.line}: {self.field}: expected {told}, found {self.found}"

    @property
    def _is_near_card(self) -> bool:
        return any(fit.name and fit.word for fit in self.fits)


def read_sheet(text: str, name: str = "score sheet", game: str = "") -> tuple[Header, list[Event]]:
    """The header and events of a score sheet; raises `LogError` with the line and column of all that cannot be read.

    `game` is the ruleset where the sheet does not say it.
    """
    said = _said(text)
    header, rest = _header(said, name, game)
    rules = ruleset(header.ruleset)
    try:
        rules.rules.start(header)
    except SetupError as error:
        raise LogError(name, (Problem(said[0][0], error.field, error.expected, "something else"),)) from None
    carried = Carried()
    events: list[Event] = []
    sheet = Sheet(
        rules, rules.disclosure.seats(header), header.setup, carried=carried, players=header.players,
        positions=partial(_positions, rules, header, events),
    )  # fmt: skip
    problems: list[Problem] = []
    for number, line in rest:
        told = _NUMBER.match(line)
        words = line[told.end() :] if told else line
        due = len(events) + len(problems) + 1
        whole = [words] if told else rules.rules.apart(words)
        if told and int(told[1]) != due:
            problems.append(Problem(number, "column 1", f"{due}, the number of this line in the log", told[1]))
            break
        try:
            for one in whole:
                events.append(sheet.read(undo_as_back(one, events), len(events) + len(problems) + 1))
                carried.add(events[-1])
        except MisfitError as misfit:
            column = misfit.column + len(line) - len(words)
            problems.append(UnreadLine(number, f"column {column}", misfit.expected, misfit.found, misfit.fits, rules))
    if problems:
        language = _language(rules, header, rest)
        first = (replace(one, language=language) if isinstance(one, UnreadLine) else one for one in problems[:MAX_TOLD])
        raise LogError(name, tuple(first), left=max(0, len(problems) - MAX_TOLD))
    return header, events


def _language(game: Ruleset[object], header: Header, lines: Iterable[tuple[int, str]]) -> str:
    """The language of which most words stand in the lines: verbs, and names of cards; English where none has more."""
    said = [folded(word.strip(":.,")).partition("-")[0] for _, line in lines for word in line.split()]
    verbs = {part.word for form in forms_of(game) for part in form.parts if part.word}
    cards = set(names_told(game, header.setup))

    def known(language: str) -> int:
        typed = [game.rules.score_word_in(one, language) for one in verbs]
        typed += [game.rules.score_card_in(one, language) for one in cards]
        return len({folded(one) for one in typed}.intersection(said))

    return max(LANGUAGES, key=known)


def _positions(game: Ruleset[object], header: Header, events: Sequence[Event]) -> Sequence[object]:
    """The position after these events, and those after what follows by itself or is due, to the next choice.

    A line may tell of what comes behind a consequence that nobody wrote down, or behind something that was forgotten.
    """
    *_, last = audit(game, header, events)
    return (last.state, *islice(_onward(game, last.state), MAX_ONWARD))


def _onward(game: Ruleset[object], state: object) -> Iterator[object]:
    """The positions after each thing that follows by itself, and after each that one has to do in one way only."""
    while True:
        for following in without_choice(game, state):
            state = following.after
            yield state
        live = [one for one in game.rules.expected(state) if one.obligation is Obligation.REQUIRED]
        ways = [list(islice(one.candidates(state), 2)) for one in live]
        due = next((events[0] for events in ways if len(events) == 1), None)
        if due is None:
            return
        state = game.rules.evolve(state, due)
        yield state


def read_any_sheet(text: str, name: str = "score sheet") -> tuple[Header, list[Event]]:
    """The header and events of a score sheet whose game nobody has named: that of the first game that can read it.

    Where none can, this raises the `LogError` of the game that reads more than half of the lines, else that of Compile.
    """
    try:
        return read_sheet(text, name, USUAL)
    except LogError as error:
        usual = error
    first, *lines = [number for number, _ in _said(text)] or [1]
    reading = []
    for game in (each for each in rulesets() if each != USUAL):
        try:
            return read_sheet(text, name, game)
        except LogError as error:
            reading += [error] if error.problems[0].line > first and 2 * _refused(error) < len(lines) else []
    raise min(reading, key=_refused, default=usual)


def _refused(error: LogError) -> int:
    """How many lines cannot be read."""
    return len(error.problems) + error.left


def undo_as_back(line: str, events: Sequence[Event]) -> str:
    """`undo` is to go back to before the last event that stands."""
    found = _UNDO.fullmatch(line)
    stands = standing(events) if found else ()
    if not found or not stands:
        return line
    return f"{found['who'] or ''} back {stands[-1].seq - 1}{found['remark'] or ''}".strip()


def write_sheet(game: Ruleset[object], header: Header, events: Iterable[Event], *, is_numbered: bool = False) -> str:
    """The decisions of a log as a score sheet, with the number of each line in its own log where that is asked for."""
    lines = list(sheet_lines(game, header, decisions(game, header, events)))
    if is_numbered:
        lines = [f"{number}. {line}" for number, line in enumerate(lines, 1)]
    return "\n".join([*_header_lines(game, header), *lines]) + "\n"


def sheet_lines(game: Ruleset[object], header: Header, events: Iterable[Event]) -> Iterator[str]:
    """The line of each event, one behind the other: what the lines before tell is left out."""
    carried = Carried()
    sheet = Sheet(game, game.disclosure.seats(header), header.setup, carried=carried)
    for event in events:
        yield sheet.write(event)
        carried.add(event)


def _said(text: str) -> list[tuple[int, str]]:
    """The lines that say something, each with its number."""
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    return [(number, line) for number, line in lines if line and not line.startswith(COMMENT)]


def _header(said: list[tuple[int, str]], name: str, game: str) -> tuple[Header, list[tuple[int, str]]]:
    if not said or said[0][1].split(None, 1)[0] != GAME:
        raise LogError(
            name, (Problem(1, "column 1", "game, then the players", said[0][1][:20] if said else "nothing"),)
        )
    (number, line), *rest = said
    more: dict[str, object] = {}
    if rest and rest[0][1].split(None, 1)[0] == HEADER:
        (number, told), *rest = rest
        more = _told(told, name, number)
    try:
        rules = ruleset(str(more.get("ruleset", game)))
        head = _meant(rules, _head(line))
        return msgspec.convert(_whole(head, more, game, rules.rules.score_seat_words), Header), rest
    except UnknownRulesetError as error:
        expected = f"a ruleset, one of {', '.join(error.known)}"
        raise LogError(name, (Problem(number, HEADER, expected, error.ruleset or "nothing"),)) from None
    except msgspec.ValidationError as error:
        raise LogError(name, (Problem(number, HEADER, "what the header of a log may hold", str(error)),)) from None


def _told(line: str, name: str, number: int) -> dict[str, object]:
    try:
        return msgspec.json.decode(line.removeprefix(HEADER), type=dict[str, object])
    except msgspec.DecodeError as error:
        raise LogError(name, (Problem(number, f"column {len(HEADER) + 2}", "an object", str(error)),)) from None


def _whole(head: Head, more: Mapping[str, object], game: str, seat_words: str) -> dict[str, object]:
    """The fields of the header: those of the first line, and what the second adds."""
    told = more.get("setup", {})
    is_told_twice = isinstance(told, dict) and _of_position(told.get("position"), seat_words) == head.words
    setup = {seat_words: dict(head.words)} if head.words and not is_told_twice else {}
    both = {**setup, **told} if isinstance(told, dict) else told
    fields = {"log": LOG_VERSION, "ruleset": game, "game": head.game, "players": head.players, "first": head.first}
    return {**msgspec.to_builtins(fields), **more, **({"setup": both} if both else {})}


def _of_position(position: object, seat_words: str) -> Mapping[str, Sequence[str]]:
    """The words of each seat that a position tells, where it tells such words."""
    sides = position.get("sides") if isinstance(position, dict) else None
    told = {seat: side.get(seat_words) for seat, side in sides.items()} if isinstance(sides, dict) else {}
    return {
        seat: [str(one.get("name") if isinstance(one, dict) else one) for one in words]
        for seat, words in told.items()
        if isinstance(words, list)
    }


def _head(line: str) -> Head:
    first, *parts = _APART.split(line)
    seat = next((part.removeprefix("first ") for part in parts if part.startswith("first ")), None)
    found = [_PLAYER.fullmatch(part) for part in parts if not part.startswith("first ")]
    players = tuple(Player(one["seat"], one["name"] or "") for one in found if one)
    words = {one["seat"]: one["words"].split() for one in found if one and one["words"]}
    return Head(first.removeprefix(GAME).strip(), players, words, seat)


def _meant(game: Ruleset[object], head: Head) -> Head:
    """The first line with the seats that every game has, whether small or capital, and the words of the setup."""
    fixed = {seat.casefold(): seat for seat in game.disclosure.seats(Header(log=LOG_VERSION, ruleset=game.name))}
    seats = {player.seat: fixed.get(player.seat.casefold(), player.seat) for player in head.players}
    return Head(
        head.game,
        tuple(replace(player, seat=seats[player.seat]) for player in head.players),
        {seats[seat]: [game.rules.seat_word_meant(word) for word in words] for seat, words in head.words.items()},
        head.first and fixed.get(head.first.casefold(), head.first),
    )


def _header_lines(game: Ruleset[object], header: Header) -> list[str]:
    """The first line, and the second where the first does not say it all."""
    told = header.setup.get(game.rules.score_seat_words)
    words = told if isinstance(told, dict) else {}
    parts = [f"{GAME} {header.game}".strip()]
    for player in header.players:
        behind = " ".join(map(str, words.get(player.seat, ())))
        parts.append(f"{player.seat} {player.name}".strip() + (f": {behind}" if behind else ""))
    parts.extend([f"first {header.first}"] if header.first else [])
    line = "   ".join(parts)
    more = _missing(header, msgspec.to_builtins(_whole(_head(line), {}, "", game.rules.score_seat_words)))
    return [line, *([f"{HEADER} {as_json(more)}"] if more else [])]


def _missing(header: Header, said: Mapping[str, object]) -> dict[str, object]:
    """What a header holds and the first line does not say."""
    plain: dict[str, object] = msgspec.to_builtins(header)
    more = {name: value for name, value in plain.items() if name not in ("setup", "log") and said.get(name) != value}
    setup, told = header.setup, said.get("setup", {})
    assert isinstance(told, dict)
    rest = msgspec.to_builtins({name: value for name, value in setup.items() if told.get(name) != value})
    return {**more, **({"setup": rest} if rest else {})}
