"""Annotates a log: each step with its verdict, rules, causes and sentence.

`Replay` holds the steps of one game for one viewer. `check` reads a log of any length and keeps only the findings.
Both use the same auditor.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import overload

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.conservation import deductions
from audit.core.errors import UnknownEditionError
from audit.core.event_rules import MAX_LISTED, Citations, Expectation, Obligation, Violation, own_fields
from audit.core.model import Event, Header, Verdict, type_name
from audit.core.player_names import player_names
from audit.core.record import PARTING, words_in
from audit.core.record_events import Checkpoint, Gap, PositionSet
from audit.core.ruleset import Ruleset, ruleset
from audit.core.rulings import cited
from audit.core.sentences import sentence, switch_sentence, tell, violation_sentence
from audit.core.steps import Step
from replays.errors import NoSuchEventError
from replays.judging.editions import OtherEditions, by_edition
from replays.judging.positions import position_told
from replays.judging.seen import (
    header_for,
    is_handle,
    names_unknown,
    seen_alternatives,
    seen_events,
    seen_findings,
    with_note_for,
)
from replays.judging.tally import Tally, superseded_steps
from replays.log.reader import Log

Json = dict[str, object]
JUDGE = "judge"
_NEED = {
    Obligation.OPTIONAL: "may",
    Obligation.REQUIRED: "must",
    Obligation.MARKER: "marker",
    Obligation.EXPIRES: "lapse",
}
"""Obligations as published options name them."""
MAX_COUNTED = 500
"""At most this many candidates of an option are counted."""
MAX_WITHOUT_CHOICE = 100
"""At most this many events without a choice lead to the next decision."""
UNTOLD = PARTING | {"overdue"}
"""The criteria that say by themselves nothing of what is wrong with an event: what was due first is told instead."""


def event_json(event: Event) -> Json:
    """An event as it stands in a log, the type first and without a place in the log where it has none."""
    fields: Json = msgspec.to_builtins(event)
    seq = fields.pop("seq")
    head: Json = {"seq": seq} if seq else {}
    return {**head, "type": fields.pop("type"), **fields}


class Annotator:
    """Annotates steps of one game, in one language and for one viewer, by the edition and players of its header."""

    def __init__(
        self,
        game: Ruleset[object],
        language: str = "en",
        viewer: str = JUDGE,
        header: Header | None = None,
        others: OtherEditions | None = None,
        seen: Mapping[int, Step] | None = None,
    ) -> None:
        """`header` tells the edition and the names of the players.

        `others` tells which steps other editions judge otherwise; `seen` are the findings in the viewer's log.
        """
        self.game = game
        self.language = language
        self.viewer = viewer
        self.edition = header.edition if header else ""
        self.players = player_names(header)
        self.others = others
        self.seen = seen or {}

    def rules(self, step: Step) -> Citations:
        """The rulings that bear on a step, then its rules."""
        return cited(self.game, step, self.edition, self.viewer)

    def step(self, step: Step, superseded_by: int | None = None) -> Json:
        """One step in the published shape; `superseded_by` is the seq of the event by which it stands no longer."""
        event = self._seen(step)
        because = list(step.because) if self._may_know_why(step) else []
        return {
            "step": step.index,
            "seq": step.seq,
            "event": event_json(event) if event else None,
            "verdict": step.verdict.value,
            "rules": [rule.id for rule in self.rules(step)],
            **({"edition": self._edition} if not step.index and self._edition else {}),
            **(by_edition(self.others.of(step)) if self.others else {}),
            **({"unofficial": unofficial} if (unofficial := _unofficial_rules(step)) else {}),
            **({"superseded_by": superseded_by} if superseded_by else {}),
            **({"late": step.late} if step.late else {}),
            **({"provisional": True} if step.provisional else {}),
            **({"guessed": True} if step.guessed else {}),
            **self._rejected_under(step),
            "because": because,
            "depth": len(because),
            "pending": self.game.disclosure.pending(step.state, self.viewer),
            **({"deduced": deduced} if (deduced := self.deduced(step.state)) else {}),
            "sentence": self.tell(event, self._places(step, event)) if event else "",
            **({"places": places} if (places := self._all_places(step, event)) else {}),
            **self._said(step),
            "state": self.game.disclosure.view(step.state, self.viewer),
        }

    def deduced(self, state: object) -> list[Json]:
        """What follows of unknown cards from all that the viewer knows: each with the one card that it can be."""
        known = self.game.disclosure.known_position(state, self.viewer)
        held = None if known is None else self.game.rules.holdings(known)
        found = deductions(held) if held else {}
        return [
            {"card": handle, "is": card, "sentence": self._deduction(handle, card, known)}
            for handle, card in found.items()
        ]

    def _deduction(self, handle: str, card: str, known: object) -> str:
        at = self.game.wording.place_of(known, handle)
        words = self.game.wording.finding_words({"card": at, "is": card}, self.language, self.players)
        return sentence("audit.core", self.language, "deduced", words, "record")

    def tell(self, event: Event, places: Mapping[str, str] = {}) -> str:
        """The sentence of an event, with the names of the players."""
        return tell(self.game, event, self.language, places, self.players)

    def _broken_sentence(self, violation: Violation, places: Mapping[str, str]) -> str:
        return violation_sentence(self.game, violation, self.language, places, self.players)

    def _seen(self, step: Step) -> Event | None:
        """The event as the viewer may know it, with as much of a position as they may know."""
        if step.event is None:
            return None
        event = with_note_for(self.game.disclosure.redact(step.before, step.event, self.viewer), self.viewer)
        if self.viewer == JUDGE or not isinstance(step.event, PositionSet | Checkpoint):
            return event
        return replace(event, position=position_told(self.game, step.event.position, step.before, self.viewer))

    def _rejected_under(self, step: Step) -> Json:
        names = self.game.rules.rejecting_switches(step.before, step.event) if step.event else ()
        if not names:
            return {}
        said = [switch_sentence(self.game, name, self.language) for name in names]
        return {"readings": list(names), "readings_text": said}

    def _may_know_why(self, step: Step) -> bool:
        """Whether the viewer may know what led to a step: with a checkpoint, that is which cards it is about."""
        return self.viewer == JUDGE or not isinstance(step.event, Checkpoint)

    def _said(self, step: Step) -> Json:
        if step.verdict is Verdict.UNCHECKED:
            return {"message": self.message(step)}
        if not step.verdict.is_finding:
            candidates = self._open(step.before, step.candidates)
            return {"candidates": [event_json(event) for event in candidates]} if candidates else {}
        return {"message": self.message(step), **self._instead(step)}

    def _instead(self, step: Step) -> Json:
        """What was expected instead of a finding, with whether more may have been possible, as far as is hidden."""
        expected = self._expected(step)
        told = [self.tell(event, self._places_expected(step, event)) for event in expected]
        is_open = self.viewer != JUDGE and (step.seq not in self.seen or names_unknown(expected))
        return {
            "expected": [event_json(event) for event in expected],
            "expected_text": told,
            **({"expected_perhaps": True} if is_open else {}),
        }

    def _expected(self, step: Step) -> list[Event]:
        """All that is right whatever this viewer cannot see."""
        own = self._known(step)
        found = seen_alternatives(self.game, own) if own else []
        return [event for at, event in enumerate(found) if event not in found[:at]][:MAX_LISTED]

    def _known(self, step: Step) -> Step | None:
        """A finding as the log of this viewer tells it; None where that log shows no mistake."""
        return step if self.viewer == JUDGE else self.seen.get(step.seq or 0)

    def _places_expected(self, step: Step, event: Event) -> dict[str, str]:
        own = self._known(step)
        return self.places(own.before, event, JUDGE) if own else {}

    def _open(self, state: object, events: Iterable[Event]) -> list[Event]:
        """Those of what could be done that tell the viewer nothing: even a veiled one would say it is possible."""
        if self.viewer == JUDGE:
            return list(events)
        told = [event for event in events if self.game.disclosure.redact(state, event, self.viewer) == event]
        if not told:
            return []
        whole, seen = (words_in(self.game.disclosure.view(state, viewer)) for viewer in (JUDGE, self.viewer))
        return [event for event in told if (whole - seen).isdisjoint(words_in(event_json(event)))]

    def message(self, step: Step) -> str:
        """What is wrong with a step: what happened, and the criterion it fails or that something else was due.

        Of a step that was not judged: what happened, and why it was not.

        A viewer is told what follows from the log that this viewer could have kept. Where nothing does, it is the
        rule, and that the rest is hidden.
        """
        assert step.event is not None
        event = self.game.disclosure.redact(step.before, step.event, self.viewer)
        event_sentence = self.tell(event, self._places(step, event))
        return f"{event_sentence} {self._why(step)}".strip()

    def _why(self, step: Step) -> str:
        if not step.verdict.is_finding:
            return self._violation(step) if step.violations and self._may_know(step, step.violations[0]) else ""
        own = self._known(step)
        if own is None:
            return sentence("audit.core", self.language, "hidden_reason", {"statement": self.statement(step)}, "record")
        return " ".join(filter(None, (self._broken(own, step), *map(self._parted, own.violations))))

    def _broken(self, own: Step, step: Step) -> str:
        """The criterion that a step fails, or what was due first."""
        if not own.violations or own.violations[0].key in UNTOLD:
            return self._overdue(step)
        places = self.places(own.before, own.violations[0].data, JUDGE)
        return self._violation(own, {**places, **self._named_since(own, step)})

    def _parted(self, violation: Violation) -> str:
        """That the record parts here from the position; empty for any other violation."""
        return self._broken_sentence(violation, {}) if violation.key in PARTING else ""

    def _may_know(self, step: Step, broken: Violation) -> bool:
        """Whether the event tells this viewer all that a criterion speaks of."""
        event = self.game.disclosure.redact(step.before, step.event, self.viewer) if step.event else None
        return self.viewer == JUDGE or (event is not None and event == step.event and _is_told(broken, event))

    def _overdue(self, step: Step) -> str:
        """What had to come first, as far as the viewer may know it; else the rule that asks for it."""
        if expected := self._expected(step):
            first = self.tell(expected[0], self._places(step, expected[0])).rstrip(".")
            key = "due.one" if len(expected) == 1 else "due.some"
            return sentence("audit.core", self.language, key, {"event": first, "n": len(expected)}, "record")
        overdue = sentence(self.game.catalogue.package, self.language, "overdue", {})
        return f"{overdue} {self.statement(step)}".strip()

    def reason(self, step: Step) -> str:
        """Why a step was not judged, for a judge; empty for any other step."""
        if step.verdict is not Verdict.UNCHECKED or not step.violations:
            return ""
        return self._violation(step)

    def _named_since(self, own: Step, step: Step) -> dict[str, str]:
        """The handles in the viewer's log of cards that the event itself names."""
        assert step.event is not None
        seen = self.game.disclosure.redact(step.before, step.event, self.viewer)
        if type(own.event) is not type(seen):
            return {}
        pairs = [(getattr(own.event, name), getattr(seen, name)) for name in own_fields(type(seen))]
        return {
            one: other for one, other in pairs if isinstance(one, str) and is_handle(one) and isinstance(other, str)
        }

    def _violation(self, step: Step, places: Mapping[str, str] | None = None) -> str:
        found = step.violations[0]
        seen = self.places(step.before, found.data) if places is None else places
        return self._broken_sentence(found, seen)

    def _all_places(self, step: Step, event: Event | None) -> dict[str, str]:
        """The places that the sentences of a step name, those of what was expected too."""
        expected = self._expected(step) if step.verdict.is_finding else ()
        wanted = {handle: at for one in expected for handle, at in self._places_expected(step, one).items()}
        return {**wanted, **self._places(step, event)}

    def _places(self, step: Step, event: Event | None) -> dict[str, str]:
        """What is recorded late is told as where it was inferred: before it, the card was not there yet."""
        return {} if event is None or (step.late and step.seq) else self.places(step.before, event)

    def places(self, state: object, told: object, viewer: str = "") -> dict[str, str]:
        """The places of the cards without a name that an event or other data tells of, where the viewer sees them.

        `viewer` is a judge where the position is what this viewer knows.
        """
        words = words_in(msgspec.to_builtins(told))
        handles = [word for word in words if is_handle(word)]
        seen = words_in(self.game.disclosure.view(state, viewer or self.viewer)) if handles else frozenset()
        found = {handle: self.game.wording.place_of(state, handle) for handle in handles if handle in seen}
        return {handle: place for handle, place in found.items() if place != handle}

    def option(
        self, state: object, option: Expectation[object], most: int = MAX_LISTED, listed: int = MAX_LISTED
    ) -> Json:
        """What an option stands for, with its rules. At most so many candidates are counted, and so many listed."""
        found = self._open(state, islice(option.candidates(state), most))
        candidates = found[:listed]
        return {
            "type": type_name(option.event),
            "need": _NEED[option.obligation],
            "rules": [rule.id for rule in option.rules],
            "events": [event_json(event) for event in candidates],
            "sentences": [self.tell(event, self.places(state, event)) for event in candidates],
            **({"more": len(found) - listed} if len(found) > listed else {}),
        }

    def decisions(self, state: object, listed: int = MAX_LISTED) -> list[Json]:
        """What players can choose next, with who chooses: everything before it that leaves no choice has happened."""
        state = next_choice(self.game, state)
        live = [one for one in self.game.rules.expected(state) if one.obligation is not Obligation.MARKER]
        return [{"player": self.chooser(state, one), **self.option(state, one, MAX_COUNTED, listed)} for one in live]

    def small_steps(self, state: object) -> list[Json]:
        """All that may come next, markers and small steps too."""
        return [self.option(state, expectation) for expectation in self.game.rules.expected(state)]

    def chooser(self, state: object, option: Expectation[object]) -> str:
        """Who chooses: the player that the event names, whose text acts, or whose turn it is."""
        one = next(option.candidates(state), None)
        pending = self.game.disclosure.pending(state)
        told = (getattr(one, "player", None), pending[0].get("player") if pending else None)
        return str(next(filter(None, told), self.game.rules.clock(state).get("player")) or "")

    def finding(self, step: Step) -> Json:
        """A finding in the published shape of `audit check`."""
        assert step.event is not None
        return {
            "seq": step.seq,
            "verdict": step.verdict.value,
            "type": type_name(type(step.event)),
            "rules": [rule.id for rule in self.rules(step)],
            "message": self.message(step),
            "statement": self.statement(step),
            **self._instead(step),
            **self.game.rules.clock(step.before),
        }

    def statement(self, step: Step) -> str:
        """The statement of the first rule of a step, in our own words."""
        rules = self.rules(step)
        return self.game.catalogue.statement(rules[0], self.language) if rules else ""

    @property
    def _edition(self) -> str:
        """The edition by which the steps are judged; empty where the game has none."""
        return self.game.catalogue.edition(self.edition) if self.game.catalogue.rulings else ""


def _unofficial_rules(step: Step) -> list[str]:
    """The rules of a step that were never ruled officially."""
    return [rule.id for rule in step.rules if rule.unofficial]


def _is_told(broken: Violation, event: Event) -> bool:
    """Whether an event tells all that a criterion speaks of: a number under the same name, a word anywhere in it."""
    said = event_json(event)
    words = words_in(said)
    data = broken.data.items()
    return all(value in words if isinstance(value, str) else said.get(key) == value for key, value in data)


class AnnotatedSteps(Sequence[Json]):
    """The annotated steps of a game. Each is annotated when it is first read."""

    def __init__(self, steps: Sequence[Step], annotator: Annotator) -> None:
        self.steps = steps
        self.superseded = superseded_steps(steps)
        """The steps that stand no longer, by index, each with the seq of the event that set it aside."""
        self._annotator = annotator
        self._annotated: dict[int, Json] = {}

    def __len__(self) -> int:
        return len(self.steps)

    @overload
    def __getitem__(self, index: int) -> Json: ...
    @overload
    def __getitem__(self, index: slice) -> list[Json]: ...
    def __getitem__(self, index: int | slice) -> Json | list[Json]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self.steps)))]
        step = self.steps[index]
        if step.index not in self._annotated:
            self._annotated[step.index] = self._annotator.step(step, self.superseded.get(step.index))
        return self._annotated[step.index]

    @cached_property
    def of_seq(self) -> dict[int, int]:
        """Which step the event of a seq is."""
        return {step.seq: number for number, step in enumerate(self.steps) if step.seq}


class Replay(Struct):
    """One game, annotated for one viewer in one language."""

    header: Header
    ruleset: str
    viewer: str
    language: str
    fidelity: str
    diverged_from: int | None
    counts: dict[str, int]
    findings: list[Json]
    steps: AnnotatedSteps
    is_whole: bool = True
    """Whether every step was judged and nothing is missing in between."""

    def log(self) -> Iterator[Json]:
        """The events as the viewer could have written them down. `x-seq` is the seq in the whole log, where it differs.

        Read again, this log can be judged: an unknown card keeps one handle, and where it is shown, it is named.
        """
        for event, seq in seen_events(ruleset(self.ruleset), self.steps.steps, self.viewer):
            yield {**event_json(event), **({"x-seq": seq} if seq not in (None, event.seq) else {})}

    def options_after(self, index: int) -> list[Json]:
        """What may come after a step, each with its rules."""
        return self._annotator.small_steps(self.steps.steps[index].state)

    def decisions_after(self, index: int, listed: int = MAX_LISTED) -> list[Json]:
        """What can be decided next after a step, each with who decides and its rules."""
        return self._annotator.decisions(self.steps.steps[index].state, listed)

    @property
    def _annotator(self) -> Annotator:
        return Annotator(ruleset(self.ruleset), self.language, self.viewer, self.header)


def replay(
    source: Log | tuple[Header, Iterable[Event]],
    *,
    viewer: str = JUDGE,
    language: str = "en",
    reading: str | None = None,
) -> Replay:
    """Every step of a game as that viewer may know it.

    `viewer` is a seat, `public` or `judge`. Raises `SetupError` or `UnknownReadingError` for the header, and
    `LogError` where the log cannot be read.
    """
    header, events = (source.header, source) if isinstance(source, Log) else source
    header = with_reading(header, reading)
    game = ruleset(header.ruleset)
    steps = list(audit(game, header, events))
    recorded = header if viewer == JUDGE else replace(game.disclosure.recorded_header(header, viewer), game=header.game)
    others, own = OtherEditions(game, header, steps), seen_findings(game, recorded, steps, viewer)
    annotator = Annotator(game, language, viewer, header, others, own)
    counter = Tally()
    for step in steps:
        counter.count(step)
    fidelity, annotated = counter.fidelity, AnnotatedSteps(steps, annotator)
    findings = [
        annotator.finding(step) for step in steps if step.verdict.is_finding and step.index not in annotated.superseded
    ]
    seen = header_for(recorded, viewer)
    return Replay(
        seen, header.ruleset, viewer, language, fidelity.grade, fidelity.diverged_from, counter.counts,
        findings, annotated, not (counter.unchecked or counter.noted(Gap)),
    )  # fmt: skip


def state_at(log: Log, at: int | None, reading: str | None = None) -> object:
    """The position after the event of that seq, 0 for the start, None for the end; raises `NoSuchEventError`."""
    header = with_reading(log.header, reading)
    game = ruleset(header.ruleset)
    state = game.rules.start(header)
    if at == 0:
        return state
    last = 0
    for step in audit(game, header, log):
        state, last = step.state, step.seq or last
        if at is not None and step.seq == at:
            return state
    if at is not None:
        raise NoSuchEventError(log.name, at, last)
    return state


def next_choice(game: Ruleset[object], state: object) -> object:
    """The position in which somebody has to choose next, after all that leaves no choice, markers included."""
    for following in without_choice(game, state):
        state = following.after
    return state


class Following(Struct, frozen=True):
    """An event that leaves no choice: what it is, the rules by which it comes, and the positions around it."""

    event: Event
    rules: Citations
    before: object
    after: object


def without_choice(game: Ruleset[object], state: object) -> Iterator[Following]:
    """What happens next by itself, one event after another, until somebody has to choose."""
    for _ in range(MAX_WITHOUT_CHOICE):
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


def with_reading(header: Header, reading: str | None) -> Header:
    """The header under another reading."""
    return header if reading is None else replace(header, reading=reading)


def with_edition(header: Header, edition: str | None) -> Header:
    """The header under another edition; raises `UnknownEditionError`, also for a game that has no editions."""
    if edition is None:
        return header
    catalogue = ruleset(header.ruleset).catalogue
    if not catalogue.rulings:
        raise UnknownEditionError(edition, ())
    return replace(header, edition=catalogue.edition(edition))


def chain(steps: Mapping[int, Step], seq: int) -> list[Step]:
    """The causes of a step by its seq, nearest first, each once."""
    start = steps.get(seq)
    return [steps[cause] for cause in dict.fromkeys(start.because) if cause in steps] if start else []


def options_at(
    log: Log,
    at: int | None,
    *,
    viewer: str = JUDGE,
    language: str = "en",
    reading: str | None = None,
    small_steps: bool = False,
) -> list[Json]:
    """What may come after the event of that seq (0 for the start, None for the end), each with its rules.

    These are the next decisions, each with the `player` who has it, or all that may come next in `small_steps`. An
    option that stands for many events names some of them and says how many `more` there are; `need` tells whether it
    may or must come. Raises `NoSuchEventError`.
    """
    game = ruleset(log.header.ruleset)
    state = state_at(log, at, reading)
    annotator = Annotator(game, language, viewer, log.header)
    return annotator.small_steps(state) if small_steps else annotator.decisions(state)
