"""A variation: what could have come after an event of a game, decision by decision, beside the record.

It is a branch of the game in which every decision is one that could be taken there; what leaves no choice follows by
itself. A viewer's variation starts from the log that this viewer could have written, so it tells no hidden card.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from msgspec import Struct
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.disclosure import JUDGE
from audit.core.errors import MAX_FOUND, AuditError
from audit.core.model import Event, Header
from audit.core.ruleset import Ruleset, ruleset
from replays.errors import NoSuchEventError
from replays.judging.positions import without_choice
from replays.judging.seen import seen_events, seen_header
from replays.judging.sentences import Json
from replays.log.writer import line_of
from replays.scoresheet.forms import MisfitError
from replays.scoresheet.line import Sheet
from replays.table.backing_up import branch

BETWEEN = "~"
"""Between the parts of a variation as text: the event it leaves the game after, then its decisions."""
MAX_DECISIONS = 100
MAX_TEXT = 6_000
_FORM = re.compile(rf"\d{{1,9}}(?:{BETWEEN}[^{BETWEEN}\n]+)*")


class VariationError(AuditError):
    """A variation that is none, or is not possible; `decision` is the first that is not, from 1, or 0."""

    def __init__(self, words: str, decision: int = 0) -> None:
        super().__init__(words)
        self.decision = decision


class Variation(Struct, frozen=True):
    """What is done otherwise: the seq of the last event that is shared, and the decisions as on a score sheet."""

    after: int
    decisions: tuple[str, ...] = ()

    def __str__(self) -> str:
        """As text, for an address or a command line: `24~A play fire-2 1 up`."""
        return BETWEEN.join((str(self.after), *self.decisions))

    def going_on(self, decision: str) -> Variation:
        """The same with one decision more."""
        return Variation(self.after, (*self.decisions, decision))

    def up_to(self, count: int) -> Variation:
        """The same with its first decisions alone."""
        return Variation(self.after, self.decisions[:count])


class Varied(Struct, frozen=True):
    """The log of a variation: up to the event `after` it is that of the game; `ends` has the seq of each decision.

    `seqs` are those of the shared events in the game itself: a viewer's log may number them otherwise.
    """

    variation: Variation
    header: Header
    events: tuple[Event, ...]
    seqs: tuple[int, ...]
    ends: tuple[int, ...]

    def log(self) -> bytes:
        """The log as it would be kept."""
        lines = [line_of(self.header), *map(line_of, self.events)]
        return "".join(f"{line}\n" for line in lines).encode()

    @property
    def after(self) -> int:
        """The last event that is shared."""
        return len(self.seqs)

    def at(self, seq: int) -> Variation:
        """The variation as far as an event of this log; it may be one that the game has too."""
        if seq > self.after:
            return self.variation.up_to(sum(end <= seq for end in self.ends))
        return Variation(self.seqs[seq - 1] if seq else 0)


def read_variation(text: str) -> Variation:
    """The variation of a text; raises `VariationError`."""
    if len(text) > MAX_TEXT or text.count(BETWEEN) > MAX_DECISIONS:
        raise VariationError(f"a variation has at most {MAX_DECISIONS} decisions and {MAX_TEXT} letters")
    if not _FORM.fullmatch(text):
        raise VariationError(f"a variation is the number of an event and decisions, each after {BETWEEN}: {_cut(text)}")
    after, *decisions = text.split(BETWEEN)
    return Variation(int(after), tuple(decision.strip() for decision in decisions))


def varied(
    header: Header, events: Sequence[Event], variation: Variation, viewer: str = JUDGE, name: str = "log"
) -> Varied:
    """The log of a variation, as far as a viewer knows the game.

    Raises `NoSuchEventError` where the game has no such event, `VariationError` where a decision cannot be taken.
    """
    game = ruleset(header.ruleset)
    if not variation.after <= len(events):
        raise NoSuchEventError(name, variation.after, len(events))
    known, whole, seqs = _known_to(viewer, game, header, events, variation.after)
    left, shared = branch(known, whole, len(seqs), name)
    told = list(shared)
    state = [*audit(game, left, told)][-1].state
    ends: list[int] = []
    for number, decision in enumerate(variation.decisions, 1):
        state = _add_without_choice(game, state, told)
        event = _read(game, left, state, decision, number, len(told) + 1)
        told.append(event)
        ends.append(event.seq)
        state = game.rules.evolve(state, event)
    if variation.decisions:
        _add_without_choice(game, state, told)
    return Varied(variation, left, tuple(told), seqs, tuple(ends))


def decision_line(game: Ruleset[object], header: Header, event: Mapping[str, object]) -> str:
    """An event in its published shape, as a variation writes it."""
    plain = {key: value for key, value in event.items() if key not in ("seq", "id", "note")}
    return Sheet(game, game.disclosure.seats(header), header.setup).write_published(plain)


def with_lines(game: Ruleset[object], header: Header, options: Sequence[Json]) -> list[Json]:
    """What can be decided, as `Annotator.decisions` says it, each candidate with its line."""
    return [{**one, "lines": list(_lines(game, header, one))} for one in options]


def _lines(game: Ruleset[object], header: Header, option: Json) -> Iterator[str]:
    events = option["events"]
    assert isinstance(events, list)
    return (decision_line(game, header, event) for event in events)


def _known_to(
    viewer: str, game: Ruleset[object], header: Header, events: Sequence[Event], after: int
) -> tuple[Header, Sequence[Event], tuple[int, ...]]:
    """The log as this viewer could have written it; for each of its lines up to that event the event that it tells."""
    if viewer == JUDGE:
        return header, events, tuple(range(1, after + 1))
    steps = list(audit(game, header, events))
    told = list(seen_events(game, steps, viewer))
    last = max((event.seq for event, seq in told if seq is not None and seq <= after), default=0)
    seqs = accumulate((seq or 0 for _, seq in told[:last]), max)
    known = replace(seen_header(game, header, steps, viewer), game=header.game)
    return known, [event for event, _ in told], tuple(seqs)


def _add_without_choice(game: Ruleset[object], state: object, told: list[Event]) -> object:
    for following in without_choice(game, state):
        told.append(replace(following.event, seq=len(told) + 1))
        state = following.after
    return state


def _read(game: Ruleset[object], header: Header, state: object, decision: str, number: int, seq: int) -> Event:
    """The event of a decision that can be taken here."""
    cut = _cut(decision)
    try:
        event = Sheet(game, game.disclosure.seats(header), header.setup).read(decision, seq)
    except MisfitError as misfit:
        found = f"expected {misfit.expected}, found {misfit.found[:MAX_FOUND]}"
        raise VariationError(f"decision {number} of the variation, {cut}: {found}", number) from None
    rules = game.rules.event_rules.get(type(event))
    if rules is None or rules.accept(state, event) is None:
        raise VariationError(f"decision {number} of the variation, {cut}, is not possible here", number)
    return event


def _cut(text: str) -> str:
    return repr(text if len(text) <= MAX_FOUND else f"{text[:MAX_FOUND]}…")
