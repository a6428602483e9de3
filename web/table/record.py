"""A game that is being recorded on a device: the device holds it, and is told what its events mean.

Nothing of it is kept here. What the device sends is the whole record, so it may be answered by any server, or by a
worker in the browser, and after any interruption.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from msgspec import Struct, ValidationError, convert, to_builtins
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.errors import MAX_FOUND, AuditError
from audit.core.model import LOG_VERSION, Event, Header, Player
from audit.core.ruleset import Ruleset, ruleset
from audit.core.sentences import violation_sentence
from audit.core.steps import Step
from replays.errors import LogError, Problem
from replays.judging.annotate import Annotator
from replays.judging.positions import line_at, next_choice, without_choice
from replays.judging.sentences import Json, event_json
from replays.judging.tally import superseded_steps
from replays.log.lines import MAX_LINE_BYTES
from replays.log.writer import line_of
from replays.scoresheet.forms import EVENT, Fit, MisfitError
from replays.scoresheet.line import Sheet
from replays.scoresheet.meanings import Carried
from replays.scoresheet.sheet import read_sheet
from replays.scoresheet.writing import LAST
from replays.table.completion import Completer, guesses
from replays.table.question import header_after, line_in
from web.table.table import View, choices_at, drawn, start_of

NAME = "record"
MOST = 5000
"""So many events a record may have here."""
MOST_LETTERS = 64
"""A name has no more letters."""
MOST_WORDS = 120
"""So many words are offered to go on with a line."""
UNKNOWN = "?"


class UnreadableError(AuditError):
    """An entry that cannot be read: which one it is, from 0, where in it, and what would fit."""

    def __init__(
        self,
        entry: int,
        column: int,
        expected: str,
        found: str,
        fits: Sequence[Fit] = (),
        game: Ruleset[object] | None = None,
    ) -> None:
        super().__init__(f"expected {expected}, found {found}")
        self.entry, self.column, self.expected, self.found, self.fits = entry, column, expected, found, tuple(fits)
        self.game = game
        self.meant: Sequence[Json] = ()


class Record(Struct):
    """A record as far as it is read."""

    header: Header
    events: list[Event]

    @property
    def game(self) -> Ruleset[object]:
        """The game that is recorded."""
        return ruleset(self.header.ruleset)

    def steps(self) -> list[Step]:
        """Its steps."""
        return list(audit(self.game, self.header, self.events))


def header_told(told: object, name: str) -> Header:
    """The header of a record, from plain data or from the first line of a score sheet; raises `AuditError`."""
    if isinstance(told, str):
        return read_sheet(told, NAME, name)[0]
    if isinstance(told, Mapping) and isinstance(line := told.get("position"), str):
        return _named_header(start_of(line_in(line)), told)
    try:
        header = convert(told, Header)
    except ValidationError as error:
        raise LogError(NAME, (Problem(1, "header", "what the header of a log may hold", str(error)),)) from None
    if header.log != LOG_VERSION:
        raise LogError(NAME, (Problem(1, "log", LOG_VERSION, header.log[:MAX_FOUND]),))
    ruleset(header.ruleset).rules.start(header)
    return header


def _named_header(header: Header, told: Mapping[str, object]) -> Header:
    """The header with the name of the game and those of its players, as far as they were typed."""
    names = told.get("players")
    typed = list(names) if isinstance(names, list) else []
    seats = ruleset(header.ruleset).disclosure.seats(header)
    players = [Player(seat, _one_line(name)) for seat, name in zip(seats, [*typed, *[""] * len(seats)], strict=False)]
    named = tuple(players) if any(player.name for player in players) else header.players
    return replace(header, game=_one_line(told.get("game")), players=named)


def _one_line(text: object) -> str:
    return " ".join(str(text or "").split())[:MOST_LETTERS]


def record_of(header: Header, entries: Sequence[object]) -> Record:
    """The record that these entries tell; raises `UnreadableError`.

    An entry is an event as it stands in a log, or one of `line` (typed as on a score sheet) and `choice` (an event
    that was offered, with the `cards` that were named), with `id`, `at` and `note` of its own.
    """
    record = Record(header, [])
    for number, entry in enumerate(entries):
        if not isinstance(entry, Mapping) or number >= MOST:
            raise UnreadableError(number, 1, f"an event, at most {MOST}", type(entry).__name__)
        record.events.append(_event(record, entry, number))
    return record


def meant(header: Header, entries: Sequence[object], at: int, language: str) -> Sequence[Json]:
    """What the entry with that number may have meant, if it is a line that is typed; those before it can be read."""
    entry = entries[at]
    line = entry.get("line") if isinstance(entry, Mapping) and "type" not in entry else None
    if not isinstance(line, str):
        return ()
    state = record_of(header, entries[:at]).steps()[-1].state
    return guesses(header_after(header, state), [line], 1, language)


def completer(record: Record, choices: Sequence[str], said: Sequence[str] = (), language: str = "en") -> Completer:
    """Completes a line of a record, with the decisions that are open there, also as they are typed in a language."""
    game, header = record.game, record.header
    held = game.rules.holdings(game.rules.start(header))
    carried = Carried(record.events)
    sheet = Sheet(game, game.disclosure.seats(header), header.setup, carried=carried, players=header.players)
    cards = sorted(held.exist) if held else ()
    return Completer(sheet, choices, record.events, cards, language=language, said=said)


def log_of(record: Record) -> bytes:
    """The record as the lines of a log."""
    lines = [line_of(record.header), *map(line_of, record.events)]
    return "".join(f"{line}\n" for line in lines).encode()


def _event(record: Record, entry: Mapping[str, object], number: int) -> Event:
    last = {key: entry[key] for key in ("id", "at", "note") if entry.get(key)}
    if isinstance(line := entry.get("line"), str) and "type" not in entry:
        told = to_builtins(_typed(record, line, number))
        note = last.pop("note", None)
        plain = {**told, **last, **({"note": note} if note and "note" not in told else {})}
    elif isinstance(choice := entry.get("choice"), Mapping):
        plain = {**_named(record, choice, entry.get("cards")), **last}
    else:
        plain = dict(entry)
    return _checked(record.game, {**plain, "seq": number + 1}, number)


def _checked(game: Ruleset[object], plain: Json, number: int) -> Event:
    kind = game.rules.types.get(str(plain.get("type")))
    if kind is None:
        found = str(plain.get("type"))[:MAX_FOUND]
        raise UnreadableError(number, 1, f"an event of {game.name}", found, (EVENT,))
    if len(str(plain)) > MAX_LINE_BYTES:
        raise UnreadableError(number, 1, f"at most {MAX_LINE_BYTES} bytes", "more")
    try:
        return convert(plain, kind)
    except ValidationError as error:
        raise UnreadableError(number, 1, "what the event may hold", str(error), (EVENT,)) from None


def _typed(record: Record, line: str, number: int) -> Event:
    game, header = record.game, record.header
    state = next_choice(game, record.steps()[-1].state)
    there = Carried(record.events)
    sheet = Sheet(
        game, game.disclosure.seats(header), header.setup, lambda at: game.rules.card_at(state, at), there,
        players=header.players, positions=lambda: (state,),
    )  # fmt: skip
    try:
        return sheet.read(line.strip(), number + 1)
    except MisfitError as misfit:
        raise UnreadableError(number, misfit.column, misfit.expected, misfit.found, misfit.fits, game) from None


def _named(record: Record, choice: Mapping[str, object], cards: object) -> Json:
    """The choice with the cards that were named; an unknown one that goes on its own way is given a handle."""
    plain = dict(choice)
    for card in cards if isinstance(cards, list) else ():
        plain = record.game.setting.named(plain, str(card)) if record.game.setting.asks_for_card(plain) else plain
    return {**plain, "card": _handle(record.events)} if plain.get("card") == UNKNOWN else plain


def _handle(events: Sequence[Event]) -> str:
    """A handle that nothing is called by yet."""
    used = {str(getattr(event, "card", "")) for event in events}
    return next(handle for number in range(1, MOST) if (handle := f"{UNKNOWN}{number}") not in used)


def told(record: Record, language: str, view: View) -> Json:
    """What a record means: the verdict of each event, the last one explained, what follows, what can be chosen."""
    game, header, steps = record.game, record.header, record.steps()
    annotator = Annotator(game, language, header=header)
    follows = tuple(without_choice(game, steps[-1].state))
    state = follows[-1].after if follows else steps[-1].state
    asked = game.setting.open_question(state, language)
    return {
        "header": to_builtins(header),
        "events": [event_json(event) for event in record.events],
        "history": _history(steps, annotator),
        "last": _last(annotator, header, steps),
        "follows": list(map(annotator.tell_following, follows)),
        "choices": _without_others_cards(choices_at(game, header, steps[-1].state, language), steps),
        "question": to_builtins(asked) and {**to_builtins(asked), "why": _why(annotator, state)},
        "help": game.setting.typing_help(language),
        "names_cards": game.setting.names_cards,
        "position": line_at(header, state),
        **drawn(game, state, language, view, annotator.players, steps[-1].before),
    }


def _without_others_cards(choices: Sequence[Json], steps: Sequence[Step]) -> list[Json]:
    """The choices without what a player would do with a card that another one has taken back."""
    gone = superseded_steps(steps)
    back = {_deed(event_json(step.event)) for step in steps if step.event is not None and step.index in gone}
    others = {(kind, card): player for kind, card, player in back}
    deeds = [(one, _deed(cast(Json, one["event"]))) for one in choices]
    return [one for one, (kind, card, player) in deeds if not card or others.get((kind, card), player) == player]


def _deed(event: Json) -> tuple[str, str, str]:
    return str(event["type"]), str(event.get("card") or ""), str(event.get("player") or "")


def _why(annotator: Annotator, state: object) -> list[str]:
    """Why the table has to be asked, a sentence each."""
    game, language, players = annotator.game, annotator.language, annotator.players
    found = [violation_sentence(game, one, language, {}, players) for one in game.setting.why_open(state)]
    return list(dict.fromkeys(found))


def _history(steps: Sequence[Step], annotator: Annotator) -> list[Json]:
    """Every event, and what was inferred before it: its verdict and its sentence."""
    gone = superseded_steps(steps)
    return [
        {
            "seq": step.seq, "id": step.event.id, "verdict": step.verdict.value,
            "sentence": annotator.message(step) if step.verdict.is_finding else annotator.tell_step(step, step.event),
            **({"note": step.event.note} if step.event.note else {}),
            **({"gone": True} if step.index in gone else {}),
        }
        for step in steps if step.event is not None
    ]  # fmt: skip


def _last(annotator: Annotator, header: Header, steps: Sequence[Step]) -> Json | None:
    """The last event with the rule by which it was judged; of a finding how it is asked about, and where."""
    step = next((step for step in reversed(steps) if step.seq), None)
    if step is None or step.event is None:
        return None
    found = annotator.step(step)
    catalogue, language = annotator.game.catalogue, annotator.language
    rules = cast("Sequence[str]", found["rules"])
    first = [
        {
            "id": id,
            "title": catalogue.title(catalogue[id], language),
            "statement": catalogue.statement(catalogue[id], language),
        }
        for id in rules[:1]
    ]
    return {
        "seq": step.seq, "verdict": step.verdict.value, "sentence": found["sentence"],
        "message": found.get("message", ""), "rules": first, "expected": found.get("expected_text", []),
        **(question_about(annotator.game, header, step) if step.verdict.is_finding else {}),
    }  # fmt: skip


def question_about(game: Ruleset[object], header: Header, step: Step) -> Json:
    """The question about a step: the position `before` it, and its `line`; an empty line where nothing happened."""
    sheet = Sheet(game, game.disclosure.seats(header), header.setup)
    told = {name: value for name, value in event_json(step.event).items() if name not in LAST} if step.event else {}
    line = sheet.write_published(told) if told else ""
    return {"before": line_at(header, step.before), "line": line}
