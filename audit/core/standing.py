"""Where an audit stands: the position, what else it may be, and how one step leads on from it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, takewhile
from typing import Any, Generic, TypeVar

from msgspec.structs import replace

from audit.core.conservation import contradiction, hides_some
from audit.core.event_rules import Citations, EventRules, Violation, Violations
from audit.core.explanation import Explainer
from audit.core.inference import SEARCH_BUDGET, Inference, Path, Paths
from audit.core.late_records import MAX_LATE, MAX_READ, MORE_FOR_EACH, TWO, Late
from audit.core.model import Event, Header, Verdict
from audit.core.nearest_moment import Moments
from audit.core.record import REACH, History
from audit.core.record_events import standing_ahead
from audit.core.rules import Rules
from audit.core.steps import LEGAL, Bookmark, InferredMove, LostThread, MistakeWithCard, Order, Step, unchecked_step

S = TypeVar("S")


class Standing(Generic[S]):
    """What an audit knows of a game so far, and the steps that go on from there.

    `Trials`, `LateAudit`, `Findings`, `RecordAudit` and `Auditor` each add one thing that an audit does; only an
    `Auditor` is made.
    """

    def __init__(
        self,
        rules: Rules[S],
        header: Header,
        start: S | None = None,
        reach: int | None = REACH,
        shared: History | None = None,
    ) -> None:
        """`reach` is how many events back an amendment or a take-back may lead; None for any number.

        `shared` is the history of another audit, where this one only looks ahead or back for it.
        """
        self.rules = rules
        self.event_rules = rules.event_rules
        self.causes = rules.causes
        self.state: S = rules.start(header) if start is None else start
        self.alternatives: tuple[S, ...] = ()
        self.trusted_for: tuple[tuple[S, int], ...] = ()
        """How much more was taken on trust for an alternative than for the position, since they parted."""
        self.index = 0
        self.is_mistaken = False
        """Whether the alternatives come from a mistake, not only from an ambiguous omission."""
        self.inference = Inference(rules, header.complete)
        self.moments = Moments(self.inference)
        self.explainer = Explainer(self.inference)
        self.header = header
        self.history = shared or History(reach)
        self.is_fork = shared is not None
        """Whether it only looks ahead or back for another audit, whose history it shares."""
        self.late: Mapping[int, Citations] = {}
        """What is recorded later than it happened: the rules of it, by the seq of its record."""
        self.early: Mapping[int, tuple[Order, Event]] = {}
        """The events that should have waited for a late record, by seq, with the rule of order."""
        self.told_in_part: tuple[int, Path] = (0, ())
        """What was inferred while its like was told late, and up to which seq it may still be told."""
        self.after_gap = False
        """Whether something was not recorded, so that the position is not known."""
        self.looks = 0
        """How often it was looked for what took a card away."""
        self.ahead: deque[Event] = deque()
        self.record_ahead = 0
        """The seq of the last event read so far that is about the record."""
        self.source: Iterator[Event] = iter(())
        self.only_records = header.unknown == "record" and rules.has_unknown_cards(self.state)
        """Whether cards take part that the game does not know: events count as written, and nothing is judged."""
        self.in_doubt = self.only_records
        """Whether more has to be asked of an event than whether it is legal here: see `_is_in_doubt`."""
        self.hides_cards = not self.is_fork and self._has_hidden_cards()
        """Whether some cards have no name, so that an event may say what cannot be."""
        self.is_reordered = False
        """Whether another order of what goes on at once has been tried already."""
        self.mistaken: tuple[int, frozenset[type[Event]]] | None = None
        """The announcement just found to be wrong, by its seq, with the event types that are parts of it."""
        self.lost: LostThread | None = None
        """Where the record parted from the position, while it does not fit it."""
        self.unread: LostThread | None = None
        """The last line that could not be read, until so much has fitted after it that nothing is missing."""
        self.last_mistake: MistakeWithCard | None = None
        """The last mistake with a card, which the next event may go on with."""
        self.is_provisional = False
        """Whether an event was judged that could be explained otherwise by events still to be written."""
        self.stops_at_finding = False
        """Whether nobody goes on after the next finding, or asks what it is: then it need not be explained."""
        if not self.is_fork:
            self.history.mark(1, self.bookmark())

    def first(self) -> Step:
        """Step 0: the position before the first event."""
        return Step(0, None, None, Verdict.LEGAL, (), (), self.state, self.state)

    def resume(self, state: S, index: int) -> None:
        """Go on from a position reached before."""
        self.return_to(Bookmark(state, (), index, SEARCH_BUDGET, index))

    def bookmark(self) -> Bookmark:
        """Where the audit stands now, to come back to."""
        inference = self.inference
        return Bookmark(
            self.state, self.alternatives, self.index, inference.budget, inference.replenished_at, self.is_mistaken,
            self.late, self.early, self.after_gap, self.trusted_for, self.mistaken, self.lost,
            self.last_mistake, self.unread, inference.left_out,
        )  # fmt: skip

    def return_to(self, mark: Bookmark) -> None:
        """Go on from where this audit, or another of the same game, stood before."""
        self._stand_at(mark)
        self.hides_cards = self._has_hidden_cards()

    def _stand_at(self, mark: Bookmark) -> None:
        self.state, self.alternatives = mark.state, mark.alternatives  # type: ignore[assignment]
        self.trusted_for = mark.trusted_for  # type: ignore[assignment]
        self.index, self.is_mistaken = mark.index, mark.is_mistaken
        self.inference.budget, self.inference.replenished_at = mark.search_budget, mark.replenished_at
        self.inference.told_early, self.inference.left_out = (), mark.left_out
        self.late, self.early, self.after_gap = mark.late, mark.early, mark.after_gap
        self.mistaken, self.lost, self.last_mistake = mark.mistaken, mark.lost, mark.last_mistake
        self.unread, self.told_in_part = mark.unread, (0, ())
        self.is_provisional = False
        self.in_doubt = self._is_in_doubt()

    def _has_hidden_cards(self) -> bool:
        return hides_some(self.rules.holdings(self.state))

    def _is_in_doubt(self) -> bool:
        """Whether the position may be another, records come late, or nothing can be judged."""
        is_unsure = self.after_gap or self.only_records or self.mistaken or self.lost or self.unread
        return bool(self.alternatives or self.late or is_unsure)

    def _keep(self, event: Event) -> Event:
        if not self.is_fork and event.seq > self.history.last:
            self.history.events.append(event)
        return event

    def _look_ahead(self) -> Sequence[Event]:
        """The next few events that may tell what came before; a log that tells everything tells it at its place."""
        return () if self.inference.complete else self._read_ahead()

    def _read_ahead(self) -> Sequence[Event]:
        """The next few events of the game that stand, as far as they are there."""
        ahead = self.ahead
        while len(ahead) < MAX_READ and (event := next(self.source, None)) is not None:
            ahead.append(event)
            if type(event) not in self.event_rules:
                self.record_ahead = event.seq
        self.is_provisional = len(ahead) < MAX_READ
        most = MAX_LATE + MORE_FOR_EACH * max(0, len(self.header.players) - TWO)
        if not ahead or self.record_ahead < ahead[0].seq:
            return list(islice(ahead, most))
        return list(islice(self._standing_ahead(), most))

    def _standing_ahead(self) -> Iterator[Event]:
        """The next events of the game that stand, up to one about the record."""
        return takewhile(lambda event: type(event) in self.event_rules, standing_ahead(self.ahead))

    def _legal(self, rules: EventRules[S, Any], state: S, event: Event, cited: Citations) -> Step:
        self.index = index = self.index + 1
        self.state = after = rules.apply(state, event)
        step = Step(index, event.seq, event, LEGAL, cited, self.causes(state, event), state, after)
        if rules.hides_cards or (self.hides_cards and rules.names_cards):
            held = self.rules.holdings(after)
            known = self.rules.holdings(state) if held else None
            self.hides_cards = self.hides_cards or hides_some(held)
            if held and known and (found := contradiction(known, held)):
                return replace(step, verdict=Verdict.IMPOSSIBLE, violations=(found,), rules=(found.rule,))
        if rules.may_be_unchecked and (why := rules.unchecked(state, event)):
            return unchecked_step(step, why)
        return step

    def _after(self, path: Path, start: S, event: Event) -> S:
        return self.rules.evolve(self.inference.end(path, start), event)

    def _along(self, path: Path, paths: Paths) -> list[Step]:
        return [self._inferred(move, paths) for move in path if move.is_news]

    def _inferred(self, move: InferredMove, paths: Paths) -> Step:
        before: S = move.before  # type: ignore[assignment]
        after: S = move.after  # type: ignore[assignment]
        self.state = after
        rules, because = self.inference.citations(move), self.causes(before, move.event)
        self.index += 1
        if move.is_unrecorded:
            why = (Violation(rules[0], "not_recorded"),)
            return Step(self.index, None, move.event, Verdict.UNCHECKED, rules, because, before, after, why)
        return Step(
            self.index, None, move.event, Verdict.INFERRED, rules, because, before, after,
            candidates=move.siblings if len(paths) > 1 else (), late=move.event.seq or None,
        )  # fmt: skip

    def _not_judged(self, event: Event, why: Violations) -> Step:
        """The step of an event that the rules cannot judge: it counts as written."""
        before, because = self.state, self.causes(self.state, event)
        self.index += 1
        self.state, self.alternatives, self.is_mistaken = self.rules.evolve(before, event), (), False
        rules = tuple(item.rule for item in why if item.rule.id)
        return Step(self.index, event.seq, event, Verdict.UNCHECKED, rules, because, before, self.state, why)

    def _rules_of_late(self, late: Late) -> dict[int, Citations]:
        return {move.event.seq: self.inference.citations(move) for move in late.moves}
