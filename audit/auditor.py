"""Goes over a log once and says of every event what it is: match, infer, explain, resynchronise.

An event is matched with the options. Failing that, what leaves no choice and was left out is inferred. Failing
that, the event is explained by the criteria it fails or the obligations it passes by, and the thread is taken up
again: the auditor keeps the ways in which the mistake may have happened, and the following events tell which of
them it was. Nothing found in a log raises, and nothing that comes later changes what was said of a step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice, zip_longest
from typing import Generic, TypeVar

from msgspec.structs import replace

from audit.catalogue import Rule
from audit.model import Event, Header, Verdict
from audit.ruleset import MAX_LISTED, Obligation, Option, Ruleset, Violation, own_fields
from audit.steps import Bookmark, InferredMove, Step

S = TypeVar("S")

LEGAL = Verdict.LEGAL

Paths = list[tuple[InferredMove, ...]]

Way = tuple[tuple[InferredMove, ...], bool]
"""What happened without a word before an event, and whether that is in doubt."""

MAX_GAP = 200
"""So many steps in a row are inferred at most; a longer silence is no omission."""

MAX_PATHS = 4
"""So many ways to fill one gap are told apart."""

MAX_LOOKAHEAD = 4
"""So many steps are looked past, to see whether an event came too early."""

MAX_CHOICES = 60
"""So many ways of a choice that was not written down are tried."""

MAX_HYPOTHESES = 10
"""So many ways a mistake may have happened are kept."""

MAX_DEPTH = 12
"""So much of what is pending is given up at most, to find the thread again."""

SEARCH_BUDGET = 3000
"""So many positions are looked at to understand mistakes that come one upon the other.

A log may be wrong from end to end. Every event gives back a little, so that an odd mistake is always looked into,
while of a heap of them the later ones are judged by the position as written, without asking what was meant.
"""

BUDGET_PER_STEP = 1
"""So much patience every step gives back."""

BUDGET_REFUND = 24
"""So much of what an event took is given back where it could be understood."""


def audit(ruleset: Ruleset[S], header: Header, events: Iterable[Event], start: S | None = None) -> Iterator[Step]:
    """Every step of a game with its verdict and its rules, step 0 being the start, which may be at hand already.

    Raises `SetupError` where the header's setup cannot be understood, and nothing else.
    """
    auditor = Auditor(ruleset, header, start)
    return chain((auditor.first(),), chain.from_iterable(map(auditor.judge, events)))


class Auditor(Generic[S]):
    """An audit that goes on as events come in."""

    def __init__(self, ruleset: Ruleset[S], header: Header, start: S | None = None) -> None:
        self.ruleset = ruleset
        self.state: S = ruleset.start(header) if start is None else start
        self.others: tuple[S, ...] = ()
        self.is_mistaken = False
        """Whether what else may have happened comes from a finding, not only from something left out."""
        self.index = 0
        self.search_budget = SEARCH_BUDGET
        self._replenished_at = 0

    def first(self) -> Step:
        """Step 0: the position before the first event."""
        return Step(0, None, None, Verdict.LEGAL, (), (), self.state, self.state)

    def resume(self, state: S, index: int) -> None:
        """Take up the audit at a position reached before."""
        self.state, self.others, self.index = state, (), index
        self.is_mistaken = False
        self.search_budget, self._replenished_at = SEARCH_BUDGET, index

    def bookmark(self) -> Bookmark:
        """Where the audit stands now, to come back to."""
        return Bookmark(
            self.state, self.others, self.index, self.search_budget, self._replenished_at, self.is_mistaken
        )  # fmt: skip

    def return_to(self, mark: Bookmark) -> None:
        """Go on from where this audit, or another of the same game, stood before."""
        self.state, self.others = mark.state, mark.others  # type: ignore[assignment]
        self.index, self.search_budget, self._replenished_at = mark.index, mark.search_budget, mark.replenished_at
        self.is_mistaken = mark.is_mistaken

    def judge(self, event: Event) -> list[Step]:
        """The step of this event, preceded by those it shows to have been left out."""
        if not self.others and (option := self.ruleset.match(self.state, event)) and not option.ambiguous:
            return [self._legal(self.state, event, option)]
        return self._judge_with_care(event)

    def _legal(self, state: S, event: Event, option: Option[S]) -> Step:
        ruleset = self.ruleset
        self.index += 1
        self.state = after = ruleset.evolve(state, event)
        rules, because = option.citations(state, event), ruleset.causes(state, event)
        return Step(self.index, event.seq, event, LEGAL, rules, because, state, after)

    def _judge_with_care(self, event: Event) -> list[Step]:
        self._replenish()
        before = self.search_budget
        fits, unseen = self._fitting(event)
        if not fits:
            return self._finding(event)
        self.search_budget += min(before - self.search_budget, BUDGET_REFUND)
        state, paths = self._most_likely(fits)
        guessed = self.is_mistaken and state is not self.state
        others = [self._after(path, start, event) for start, found in fits for path in found]
        others += [self.ruleset.evolve(start, event) for start in unseen]
        steps = [self._inferred(move, paths) for move in paths[0] if move.is_news]
        last = self._end(paths[0], state)
        option = self._matching(last, event)
        assert option is not None
        steps.append(self._legal(last, event, option))
        self.others = _distinct(others, self.state)
        self.is_mistaken = self.is_mistaken and bool(self.others)
        return [replace(step, guessed=True) for step in steps] if guessed else steps

    def _most_likely(self, fits: list[tuple[S, Paths]]) -> tuple[S, Paths]:
        """The position to go on from: after a mistake the one as written if it fits, else the one that needs least."""
        if self.is_mistaken and fits[0][0] is self.state:
            return fits[0]
        return min(fits, key=lambda fit: len(fit[1][0]))

    def _fitting(self, event: Event) -> tuple[list[tuple[S, Paths]], list[S]]:
        """The positions from which ways lead to the event, and those where something unseen may make it right."""
        fits: list[tuple[S, Paths]] = []
        unseen: list[S] = []
        for state in (self.state, *self.others):
            if paths := self._paths(state, event):
                fits.append((state, paths))
            elif self.ruleset.hidden(state, event):
                unseen.append(state)
        return fits, unseen

    def _replenish(self) -> None:
        """What the steps since the last time give back."""
        self.search_budget = min(
            SEARCH_BUDGET, self.search_budget + BUDGET_PER_STEP * (self.index - self._replenished_at)
        )
        self._replenished_at = self.index

    @property
    def _is_exhausted(self) -> bool:
        return self.search_budget <= 0

    def _after(self, path: tuple[InferredMove, ...], start: S, event: Event) -> S:
        return self.ruleset.evolve(self._end(path, start), event)

    def _end(self, path: tuple[InferredMove, ...], start: S) -> S:
        if not path:
            return start
        return self.ruleset.evolve(path[-1].before, path[-1].event)  # type: ignore[arg-type]

    def _inferred(self, move: InferredMove, paths: Paths) -> Step:
        before: S = move.before  # type: ignore[assignment]
        because = self.ruleset.causes(before, move.event)
        self.state = after = self.ruleset.evolve(before, move.event)
        self.index += 1
        candidates = move.siblings if len(paths) > 1 else ()
        return Step(
            self.index, None, move.event, Verdict.INFERRED, move.rules, because, before, after, candidates=candidates
        )

    def _matching(self, state: S, event: Event) -> Option[S] | None:
        self.search_budget -= 1
        return self.ruleset.match(state, event)

    # Infer

    def _paths(self, state: S, event: Event) -> Paths:
        """The ways in which what the log left out leads to this event: none, one, or an ambiguity."""
        found: list[Way] = []
        self._search(state, event, (), found)
        shortest = min((len(path) for path, doubtful in found if not doubtful), default=0)
        return sorted((path for path, doubtful in found if doubtful or len(path) == shortest), key=len)

    def _search(self, state: S, event: Event, path: tuple[InferredMove, ...], found: list[Way]) -> None:
        """Add the ways from here; beyond one that is doubtful others are looked for, unless enough are open already."""
        while len(path) < MAX_GAP and len(found) < MAX_PATHS:
            if option := self._matching(state, event):
                found.append((path, option.ambiguous))
                if not option.ambiguous or len(self.others) >= MAX_PATHS:
                    return
            ways = () if self._is_exhausted else self._without_choice(state)
            if not ways:
                return
            for option, omitted in ways[1:]:
                move = _move(state, option, omitted, ways)
                self._search(self.ruleset.evolve(state, omitted), event, (*path, move), found)
            option, omitted = ways[0]
            path = (*path, _move(state, option, omitted, ways))
            state = self.ruleset.evolve(state, omitted)

    def _without_choice(self, state: S) -> list[tuple[Option[S], Event]]:
        """What may have happened without a word: the one thing without a choice, or any of several in some order."""
        self.search_budget -= 1
        live = [
            option
            for option in self.ruleset.options(state)
            if option.obligation not in (Obligation.REDUNDANT, Obligation.EXPIRES)
        ]
        if not live or any(option.obligation is Obligation.OPTIONAL for option in live):
            return []
        if len(live) > 1 and not all(option.ordering for option in live):
            return []
        ways = [(option, event) for option in live if (event := option.single_candidate(state)) is not None]
        return ways if len(ways) == len(live) else []

    # Explain

    def _finding(self, event: Event) -> list[Step]:
        silent, state = self._nearest(event)
        steps = [self._inferred(move, [silent]) for move in silent if move.is_news]
        broken, rules, expected = self._explained(state, event)
        because = self.ruleset.causes(state, event)
        verdict = self._verdict(state, event)
        self.state, self.others = self._resynchronised(state, event)
        self.is_mistaken = bool(self.others)
        self.index += 1
        steps.append(Step(self.index, event.seq, event, verdict, rules, because, state, self.state, broken, expected))
        return steps

    def _nearest(self, event: Event) -> tuple[tuple[InferredMove, ...], S]:
        """The first moment, what leaves no choice having been done, at which an event of this type is up."""
        start = state = self.state
        path: tuple[InferredMove, ...] = ()
        while len(path) < MAX_GAP and not self._is_exhausted:
            options = list(self.ruleset.options(state))
            if self.ruleset.is_relevant(state, event) or any(self._was_meant(o, state, event) for o in options):
                return path, state
            ways = self._without_choice(state)
            if not ways:
                break
            option, omitted = ways[0]
            path = (*path, _move(state, option, omitted, ways))
            state = self.ruleset.evolve(state, omitted)
        return (path, state) if self._is_marker(event) else ((), start)

    def _was_meant(self, option: Option[S], state: S, event: Event) -> bool:
        if option.event is not type(event) or option.obligation is Obligation.REDUNDANT:
            return False
        refused = option.violations(state, event)
        if option.obligation is Obligation.MARKER and 1 < len(refused) == len(own_fields(type(event))):
            return False
        return not any(broken.not_intended for broken in refused)

    def _verdict(self, state: S, event: Event) -> Verdict:
        if self.ruleset.hidden(state, event):
            return Verdict.UNDETERMINED
        return Verdict.IMPOSSIBLE if self.ruleset.absent(state, event) else Verdict.ILLEGAL

    def _explained(self, state: S, event: Event) -> tuple[tuple[Violation, ...], tuple[Rule, ...], tuple[Event, ...]]:
        """What is broken, the rules (that one first, then those that bear on it), what was expected."""
        live = [option for option in self.ruleset.options(state) if option.obligation is not Obligation.REDUNDANT]
        due = tuple(rule for item in self.ruleset.overdue(state, event) for rule in item.rules)
        broken = self.ruleset.explain(state, event)
        if not broken and not (due and self._passes_by(state, event)):
            broken = self.ruleset.unasked(state, event)
        if not broken and (absent := self.ruleset.absent(state, event)):
            broken = (absent,)
        rules = (*(item.rule for item in broken), *due, *(rule for option in live for rule in option.rules))
        most = MAX_LISTED if self._is_exhausted else MAX_CHOICES
        expected = [offer for option in live for offer in islice(option.candidates(state), most)]
        expected.sort(key=lambda offer: _distance(offer, event))
        return broken, tuple(dict.fromkeys(rules)), tuple(expected[:MAX_LISTED])

    def _passes_by(self, state: S, event: Event) -> bool:
        """Whether the event would be right, were it not for what is due: then that is what it breaks."""
        if self._is_marker(event):
            return True
        if any(self._matching(given_up, event) for given_up in self._given_up(state)):
            return True
        return any(self._comes_up(after, event) for after in self._done_unsaid(state))

    def _comes_up(self, state: S, event: Event) -> bool:
        """Whether the event is right now, or soon where little is left to choose."""
        for _ in range(MAX_LOOKAHEAD):
            if self._matching(state, event):
                return True
            option = next((o for o in self.ruleset.options(state) if o.obligation is Obligation.REQUIRED), None)
            offer = next(option.candidates(state), None) if option else None
            if offer is None:
                return False
            state = self.ruleset.evolve(state, offer)
        return False

    def _done_unsaid(self, state: S) -> Iterator[S]:
        """What is due, done in one of its ways and not written down; of several things due each in turn."""
        due = [option for option in self.ruleset.options(state) if option.obligation is Obligation.REQUIRED]
        for candidates in zip_longest(*(islice(option.candidates(state), MAX_CHOICES) for option in due)):
            for offer in candidates:
                if self._is_exhausted:
                    return
                if offer is not None:
                    yield self.ruleset.evolve(state, offer)

    def _advance_to_choice(self, state: S) -> S:
        """The position in which somebody has to choose."""
        for _ in range(MAX_LOOKAHEAD):
            forced = None if self._is_exhausted else self.ruleset.forced(state)
            if forced is None or forced[0].obligation is Obligation.MARKER:
                break
            state = self.ruleset.evolve(state, forced[1])
        return state

    def _given_up(self, state: S) -> Iterator[S]:
        """The position with less and less of what is pending."""
        for given_up in islice(self.ruleset.relaxations(state), MAX_DEPTH):
            if self._is_exhausted:
                return
            yield given_up

    def _is_marker(self, event: Event) -> bool:
        return type(event) in self.ruleset.markers

    # Resynchronise

    def _resynchronised(self, state: S, event: Event) -> tuple[S, tuple[S, ...]]:
        """The position if the event happened as written, and those if the mistake was another."""
        written = self.ruleset.evolve(state, event)
        if self._is_exhausted:
            return written, ()
        others = [
            *(self.ruleset.evolve(state, meant) for meant in self._near(state, event)),
            *islice(self.ruleset.interleavings(state, event), MAX_DEPTH),
            *self._after_a_choice_unsaid(state, event),
            *self._without_what_was_due(state, event),
            state,
        ]
        return written, _distinct(others, written)

    def _near(self, state: S, event: Event) -> Iterator[Event]:
        """What was up for choice and is one field away from the event."""
        for option in self.ruleset.options(state):
            if option.event is not type(event) or option.obligation is Obligation.REDUNDANT:
                continue
            for offer in islice(option.candidates(state), MAX_LISTED * 4):
                if _distance(offer, event) == 1:
                    yield offer

    def _after_a_choice_unsaid(self, state: S, event: Event) -> Iterator[S]:
        """The event with a choice made before it that nobody wrote down, what leaves no choice having happened."""
        for done in self._done_unsaid(self._advance_to_choice(state)):
            for path in self._paths(done, event)[:1]:
                yield self._after(path, done, event)

    def _without_what_was_due(self, state: S, event: Event) -> Iterator[S]:
        """The event with less and less of what was pending before it."""
        for given_up in self._given_up(state):
            for path in self._paths(given_up, event)[:1]:
                yield self._after(path, given_up, event)


def _move(state: S, option: Option[S], event: Event, ways: list[tuple[Option[S], Event]]) -> InferredMove:
    siblings = tuple(other for _, other in ways) if len(ways) > 1 else ()
    return InferredMove(
        event, option.citations(state, event), state, option.obligation is not Obligation.MARKER, siblings
    )


def _distance(one: Event, other: Event) -> int:
    """In how many fields two events differ; events of different types are farther apart than any of one type."""
    fields = own_fields(type(other))
    if type(one) is not type(other):
        return len(fields) + 1
    return sum(getattr(one, name) != getattr(other, name) for name in fields)


def _distinct(states: Iterable[S], known: S) -> tuple[S, ...]:
    kept: list[S] = []
    for state in states:
        if state != known and state not in kept:
            kept.append(state)
    return tuple(kept[:MAX_HYPOTHESES])


def renumbered(step: Step, index: int) -> Step:
    """The same step at another place of the replay."""
    return replace(step, index=index)
