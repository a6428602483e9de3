"""What one viewer may be told: of a header and of notes, the log they could have kept, and what is a mistake in it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import to_builtins
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.disclosure import JUDGE, NOTHING_SHOWN, PUBLIC, Recorder, Shown
from audit.core.event_rules import own_fields
from audit.core.model import Event, Header, Verdict
from audit.core.record import words_in
from audit.core.record_events import Amended, Checkpoint, Flagged, Gap, PositionSet, RecordEvent, left_at
from audit.core.ruleset import Ruleset
from audit.core.steps import Step
from replays.judging.positions import position_for, position_told

PUBLIC_META = frozenset({"event", "round", "table", "date", "place", "stage", "format", "league", "season"})
"""Of what a header says about a game, this is for everybody; the rest for judges, unless `public` names it too."""
SeenEvent = tuple[Event, int | None]
"""An event as the viewer writes it down, and the seq of the event that it tells."""
UNKNOWN = "?"
POSITION = "position"


def public_meta(header: Header) -> dict[str, object]:
    """What the header says about the game and everybody may read."""
    named = header.meta.get("public")
    more = {each for each in named if isinstance(each, str)} if isinstance(named, list | tuple) else set()
    return {key: value for key, value in header.meta.items() if key in PUBLIC_META | more}


def shown_in(game: Ruleset[object], header: Header, steps: Sequence[Step], viewer: str) -> Shown:
    """What a viewer was shown of a game, as far as its setup speaks of it card by card."""
    if viewer == JUDGE or not steps or game.disclosure.shown_entries.isdisjoint(header.setup):
        return NOTHING_SHOWN
    from replays.log.schemas import cards_of  # loaded late: most setups need none

    named = (card for event, _ in seen_events(game, steps, viewer) for card in cards_of(event))
    views = [game.disclosure.view(state, viewer) for state in (steps[0].before, steps[-1].state)]
    return Shown(frozenset(named), tuple(views))


def seen_header(
    game: Ruleset[object], header: Header, steps: Sequence[Step], viewer: str, shown: Shown | None = None
) -> Header:
    """The header of the log that this viewer could have written, with the position in it as far as they know it.

    `shown` is what the viewer was shown in these steps, where somebody has looked already.
    """
    if viewer == JUDGE:
        return header
    if shown is None:
        shown = shown_in(game, header, steps, viewer)
    recorded = game.disclosure.recorded_header(header, viewer, shown)
    told = header.setup.get(POSITION)
    if not isinstance(told, Mapping):
        return recorded
    start = game.rules.start(header)
    known_as = _recorder(game, start, viewer, steps).known_as
    seen = position_told(game, told, start, viewer, known_as)
    return replace(recorded, setup={**recorded.setup, POSITION: seen})


def header_for(header: Header, viewer: str) -> Header:
    """The header as a viewer may read what it says about the game."""
    return header if viewer == JUDGE else replace(header, meta=public_meta(header))


def may_read_note(event: Event, viewer: str) -> bool:
    """Whether the note of an event is for a viewer: without `note_for` it is for the judges and the players."""
    if viewer == JUDGE or event.note_for == PUBLIC:
        return True
    return viewer == event.note_for or (event.note_for is None and viewer != PUBLIC)


def with_note_for(event: Event, viewer: str) -> Event:
    """The event without a note that is not for the viewer."""
    return event if event.note is None or may_read_note(event, viewer) else replace(event, note=None, note_for=None)


def seen_events(game: Ruleset[object], steps: Sequence[Step], viewer: str) -> Iterator[SeenEvent]:
    """What this viewer writes down of a game, numbered anew: the name of a card that is shown is an event of its own.

    Amendments, take-backs and what they set aside are told too, and positions as far as the viewer knows them.
    """
    seqs: list[int] = []
    numbers: list[int] = []
    for number, (event, seq) in enumerate(_seen(game, steps, viewer), 1):
        if seq is not None:
            seqs.append(seq)
            numbers.append(number)
        yield _numbered(with_note_for(event, viewer), number, _Numbers(seqs, numbers)), seq


class _Numbers:
    """Which line tells the event of a seq."""

    def __init__(self, seqs: Sequence[int], numbers: Sequence[int]) -> None:
        self.seqs, self.numbers = seqs, numbers

    def up_to(self, seq: int) -> int:
        """The last line that tells something up to that event; 0 before the first."""
        at = bisect_right(self.seqs, seq)
        return self.numbers[at - 1] if at else 0

    def of(self, seq: int) -> int | None:
        """The line of that event, where it is told."""
        at = bisect_right(self.seqs, seq)
        return self.numbers[at - 1] if at and self.seqs[at - 1] == seq else None


def _numbered(event: Event, number: int, numbers: _Numbers) -> Event:
    changes: dict[str, object] = {"seq": number}
    if event.because is not None:
        changes["because"] = numbers.of(event.because)
    for name in own_fields(type(event)):
        if name.endswith("_seq"):
            changes[name] = numbers.of(getattr(event, name)) or getattr(event, name)
    if (after := left_at(event)) is not None:
        at = numbers.up_to(after) if after < event.seq else number + after - event.seq
        changes |= {"from_": at + 1} if isinstance(event, Amended) else {"to": at}
    return replace(event, **changes)


def _seen(game: Ruleset[object], steps: Sequence[Step], viewer: str) -> Iterator[SeenEvent]:
    recorder = _recorder(game, steps[0].before if steps else None, viewer, steps)
    goes_back = any(step.event is not None and left_at(step.event) is not None for step in steps)
    kept: dict[int, Recorder[object]] = {0: recorder.copied()}
    for step in steps:
        if step.event is None:
            continue
        if isinstance(step.event, RecordEvent):
            after = left_at(step.event)
            recorder = kept[after].copied() if after in kept and step.verdict is Verdict.RECORDED else recorder
            found: Iterable[Event] = (_of_the_record(game, step, recorder, viewer),)
        else:
            found = _of_the_game(game, step, recorder, viewer)
        yield from ((event, step.seq) for event in found)
        if goes_back and step.seq:
            kept[step.seq] = recorder.copied()


def _of_the_game(game: Ruleset[object], step: Step, recorder: Recorder[object], viewer: str) -> Iterator[Event]:
    """The event with the names of the cards that it shows; of an event that is not in the log, only these."""
    assert step.event is not None
    for event in recorder(step.before, step.event, step.state):
        if step.seq or type(event) is not type(step.event):
            yield game.disclosure.without_secrets(step.before, event, viewer)


def _of_the_record(game: Ruleset[object], step: Step, recorder: Recorder[object], viewer: str) -> Event:
    """An event about the record. A position that cannot be told is a gap, and a comparison with it is a flag."""
    event = step.event
    assert event is not None
    seen = game.disclosure.redact(step.before, event, viewer)
    if not isinstance(event, PositionSet | Checkpoint) or not isinstance(seen, PositionSet | Checkpoint):
        return seen
    position = position_told(game, event.position, step.before, viewer, recorder.known_as)
    if position:
        return replace(seen, position=position)
    kind = Gap if type(event) is PositionSet else Flagged
    return kind(**{name: getattr(seen, name) for name in Event.__struct_fields__})


def _recorder(game: Ruleset[object], start: object, viewer: str, steps: Iterable[Step]) -> Recorder[object]:
    """A recorder that has named what lies hidden on the table from the beginning, as the header names it."""
    if start is None:
        return game.disclosure.recorder(viewer, _handles(steps))
    own = {word for word in words_in(game.disclosure.view(start)) if is_handle(word)}
    recorder = game.disclosure.recorder(viewer, _handles(steps) | own)
    position_for(game, start, viewer, recorder.known_as)
    return recorder


def _handles(steps: Iterable[Step]) -> frozenset[str]:
    """The handles that a log uses itself."""
    words = (words_in(to_builtins(step.event)) for step in steps if step.event is not None)
    return frozenset(word for each in words for word in each if word.startswith("?"))


def seen_findings(game: Ruleset[object], header: Header, steps: Sequence[Step], viewer: str) -> dict[int, Step]:
    """The findings of a game by the seq of their events, each as the viewer's own log is judged.

    `header` is the one of the viewer's log. What this log does not show to be a mistake has no step here.
    """
    found = [step.seq for step in steps if step.verdict.is_finding and step.seq]
    if viewer == JUDGE or not found:
        return {}
    told = list(seen_events(game, steps, viewer))
    seqs = {event.seq: seq for event, seq in told if seq in found}
    own = audit(game, header, [event for event, _ in told])
    return {seqs[step.seq]: step for step in own if step.seq in seqs and step.verdict.is_finding}


def seen_alternatives(game: Ruleset[object], step: Step) -> list[Event]:
    """What was expected in a position with unknown cards: first what a card that the event itself shows could do."""
    shown = _with_shown_card(game, step) if step.verdict is Verdict.ILLEGAL else iter(())
    return [*shown, *step.expected]


def is_handle(word: str) -> bool:
    """Whether a word stands for one card without a name."""
    return len(word) > 1 and word.startswith(UNKNOWN)


def names_unknown(events: Sequence[Event]) -> bool:
    """Whether one of the events is of a card that has no name: which it is may open or close other ways."""
    return any(word.startswith(UNKNOWN) for event in events for word in words_in(to_builtins(event)))


def _with_shown_card(game: Ruleset[object], step: Step) -> Iterator[Event]:
    """What was expected with the card that the event shows, else the event with one field as expected, if legal."""
    event = step.event
    if event is None or not names_unknown(step.expected):
        return
    for other in step.expected:
        if type(other) is type(event):
            ways = ([_shown_in(other, event)], _one_field_as_in(other, event))
            legal = ([one for one in way if _is_legal(game, step, one)] for way in ways)
            yield from next(filter(None, legal), ())


def _shown_in(other: Event, event: Event) -> Event:
    """What was expected, with what the event tells where the former names something unknown."""
    fields = {name: getattr(other, name) for name in own_fields(type(event))}
    shown = {name: getattr(event, name) for name, value in fields.items() if str(value).startswith(UNKNOWN)}
    return type(event)(seq=0, **{**fields, **shown})


def _one_field_as_in(other: Event, event: Event) -> Iterator[Event]:
    fields = {name: getattr(event, name) for name in own_fields(type(event))}
    return (type(event)(seq=0, **{**fields, name: getattr(other, name)}) for name in fields)


def _is_legal(game: Ruleset[object], step: Step, event: Event) -> bool:
    return not names_unknown([event]) and not game.rules.violations(step.before, event)
