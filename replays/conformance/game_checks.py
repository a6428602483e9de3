"""What holds for a simulated game: it is legal, cited and replayed alike, and what leaves no choice is inferred."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import accumulate, chain, islice, takewhile
from random import Random

import msgspec

from audit.core.auditor import Auditor, audit
from audit.core.event_rules import Expectation, Obligation
from audit.core.model import Event, Header, Verdict
from audit.core.record import NO_RULE
from audit.core.rules import Rules
from audit.core.ruleset import Ruleset
from audit.core.steps import Step
from replays.conformance.sample import Sample, mistaken, step_told, steps_said, wrong_steps
from replays.generating.telling import choices, partly_written, pointers, viewer_log
from replays.judging.positions import header_of, position_for, position_line, read_position_line, with_setup
from replays.scoresheet.sheet import decisions, read_sheet, write_sheet

POSITIONS_APART = 5
"""Every fifth position is written and read."""
LOGS_BEGUN = 7
"""So many positions of a simulated game begin a log of their own."""


def is_clean(sample: Sample) -> Iterator[str]:
    """A game played by what is expected is legal from end to end, as far as the ruleset can judge it."""
    header, events = sample.log
    if len(events) < 4:
        yield f"a simulated game has {len(events)} events, too few to check anything"
    yield from _not_legal(sample.game, header, events)


def is_clean_without_what_nobody_owes(sample: Sample) -> Iterator[str]:
    """It is legal too where `Simulation.optional_events_before` is left out."""
    yield from _not_legal(sample.game, *sample.brief_log)


def _not_legal(game: Ruleset[object], header: Header, events: Sequence[Event]) -> Iterator[str]:
    for step in audit(game, header, events):
        if step.verdict not in (Verdict.LEGAL, Verdict.UNCHECKED):
            yield step_told(step)


def accepts_what_it_expects(sample: Sample) -> Iterator[str]:
    """Each candidate of `expected` has no violation, has citations and can be applied."""
    game, (header, events) = sample.game, sample.log
    state = game.rules.start(header)
    for event in events[:150]:
        for expectation in game.rules.expected(state):
            for candidate in islice(expectation.candidates(state), 5):
                rules = game.rules.event_rules[type(candidate)]
                if failed := rules.violations(state, candidate):
                    yield f"{candidate} is expected and has the violation {failed[0].key} ({failed[0].rule.id})"
                if not rules.citations(state, candidate):
                    yield f"{candidate} is expected and has no citations"
                game.rules.evolve(state, candidate)
        state = game.rules.evolve(state, event)


def upcoming_leaves_nothing_out(sample: Sample) -> Iterator[str]:
    """`Rules.upcoming` names every event type of which something is expected, in wrong games too.

    Where `Rules.only_due` names one thing, nothing else has to come, and nothing that `Rules.comes_only_where_due` is
    legal.
    """
    game = sample.game
    steps = [*islice(audit(game, *sample.mistaken_log), 300), *islice(audit(game, *sample.log), 300)]
    for step in steps:
        everything = (one for rules in game.rules.event_rules.values() for one in rules.expected(step.state))
        if _described(everything) != _described(game.rules.expected(step.state)):
            yield f"after step {step.index} ({step.event}) `upcoming` leaves out something that is expected"
        due = game.rules.only_due(step.state)
        live = (one for one in game.rules.expected(step.state) if one.obligation is not Obligation.EXPIRES)
        if due and _described((due,)) != _described(live):
            yield f"after step {step.index} ({step.event}) `only_due` is not the one thing that is expected"
        if due and _is_repeated(game, step, due.event):
            yield f"after step {step.index} ({step.event}) may come again although it `comes_only_where_due`"


def _is_repeated(game: Ruleset[object], step: Step, due: type[Event]) -> bool:
    """Whether an event that comes only where it is due is legal once more, although only another one is."""
    event = step.event
    if event is None or type(event) is due or type(event) not in game.rules.event_rules:
        return False
    if not game.rules.comes_only_where_due(event):
        return False
    return game.rules.event_rules[type(event)].accept(step.state, event) is not None


def _described(expectations: Iterable[Expectation[object]]) -> Counter[object]:
    return Counter((type(one), one.event, one.obligation, one.rules) for one in expectations)


# Citations


def cites_rules_of_its_catalogue(sample: Sample) -> Iterator[str]:
    """Each step cites a rule, each rule once, and none that is not in the catalogue.

    So do its violations, except for what the auditor itself says of a record that does not fit.
    """
    game = sample.game
    for step in islice(audit(game, *sample.mistaken_log), 1, None):
        if not step.rules:
            yield f"{step_told(step)}: cites no rule"
        if len(set(step.rules)) < len(step.rules):
            yield f"{step_told(step)}: cites a rule twice"
        reasons = (violation.rule for violation in step.violations if violation.rule is not NO_RULE)
        yield from (
            f"{step_told(step)}: {rule.id or 'a rule without an id'} is not in the catalogue"
            for rule in (*step.rules, *reasons)
            if game.catalogue.rules.get(rule.id) is not rule
        )


def decides_alike_each_way(sample: Sample) -> Iterator[str]:
    """`accept` gives the citations where there is no violation, and None where there is one.

    What nothing leads to, by `has_causes`, has no `causes`.
    """
    game = sample.game
    for step in islice(audit(game, *sample.mistaken_log), 1, 300):
        assert step.event
        if step.late:
            continue  # it is cited where it happened, not where it is recorded
        rules = game.rules.event_rules[type(step.event)]
        failed = rules.violations(step.before, step.event)
        cited = () if failed else rules.citations(step.before, step.event)
        if not failed and not cited:
            yield f"{step_told(step)}: has neither violations nor citations"
        if rules.accept(step.before, step.event) != (None if failed else cited):
            yield f"{step_told(step)}: `accept` does not say what `violations` and `citations` say"
        if not rules.has_causes and game.rules.causes(step.before, step.event):
            yield f"{step_told(step)}: has causes, and `has_causes` of its rules is False"


# Replaying


def replays_fast_as_one_by_one(sample: Sample) -> Iterator[str]:
    """`Rules.replay_to` leads to the position that `evolve` leads to, event by event."""
    game, (header, events) = sample.game, sample.log
    logs = [(header, events), *(viewer_log(game, header, events, who) for who in ("public", sample.viewers[0]))]
    for head, told in logs:
        start = game.rules.start(head)
        for some in (told, mistaken(told), told[: len(told) // 2]):
            if game.rules.replay_to(start, some) != reduce(game.rules.evolve, some, start):
                yield f"{head.game}: `replay_to` leads elsewhere after {len(some)} events"


def says_the_same_twice(sample: Sample) -> Iterator[str]:
    """The same log has the same annotations."""
    game, (header, events) = sample.game, sample.mistaken_log
    if steps_said(audit(game, header, events)) != steps_said(audit(game, header, events)):
        yield "the second audit says something else"


def says_of_a_prefix_what_it_says_of_the_whole(sample: Sample) -> Iterator[str]:
    """What comes later changes nothing of what was said of an event, once it is settled."""
    game, (header, events) = sample.game, sample.mistaken_log
    whole = steps_said(audit(game, header, events))
    for length in (0, 1, len(events) // 2, len(events) // 2 + 1, len(events) // 2 + 4, len(events) - 1):
        part = steps_said(takewhile(lambda step: not step.provisional, audit(game, header, events[:length])))
        if part != whole[: len(part)]:
            yield f"the first {length} events alone are annotated otherwise"


def goes_on_from_any_position(sample: Sample) -> Iterator[str]:
    """The audit may be taken up at any position: a state holds all that matters."""
    game, (header, events) = sample.game, sample.log
    whole = list(audit(game, header, events))
    for at in (1, len(events) // 3, len(events) // 2, len(events) - 1):
        auditor = Auditor(game.rules, header)
        auditor.resume(whole[at].state, whole[at].index)
        rest = chain.from_iterable(auditor.judge_all(events[at:]))
        if steps_said(rest) != steps_said(whole[at + 1 :]):
            yield f"taken up after {at} events it says something else"


def reads_every_position_it_writes(sample: Sample) -> Iterator[str]:
    """A position as data makes the same position; and its line of text says the same as the data."""
    game, (header, events) = sample.game, sample.log
    rules, start = game.rules, game.rules.start(header)
    if not has_positions(game):
        return
    for event, state in zip(events, accumulate(events, rules.evolve, initial=start), strict=False):
        if event.seq % POSITIONS_APART:
            continue
        if rules.position(json.loads(msgspec.json.encode(rules.position_data(state))), start) != state:
            yield f"before event {event.seq} the position does not come back from its data"
        data = with_setup(game, header, position_for(game, state))
        if read_position_line(position_line(game, data))[1] != data:
            yield f"before event {event.seq} the line of the position says something else"
        alone = game.rules.start(header_of(game, data))
        if position_for(game, alone) != position_for(game, state):
            yield f"before event {event.seq} the line of the position alone is another table"


def goes_on_in_another_log(sample: Sample) -> Iterator[str]:
    """A log that begins with a position of a game, and goes on as the game did, has no finding."""
    game, (header, events) = sample.game, sample.log
    positions = list(accumulate(events, game.rules.evolve, initial=game.rules.start(header)))
    for at in range(0, len(events) if has_positions(game) else 0, max(1, len(events) // LOGS_BEGUN)):
        begun = header_of(game, with_setup(game, header, position_for(game, positions[at])))
        rest = [_counted_from(event, events[at].seq) for event in events[at:]]
        for step in audit(game, msgspec.structs.replace(begun, reading=header.reading), rest):
            if step.verdict.is_finding:
                yield f"begun before event {events[at].seq}: {step_told(step)}"


def _counted_from(event: Event, first: int) -> Event:
    """The event in a log whose first event was that one; it names what happened before as the first."""
    named = {name: max(1, getattr(event, name) - first + 1) for name in pointers(event)}
    return msgspec.structs.replace(event, seq=event.seq - first + 1, **named)


def has_positions(game: Ruleset[object]) -> bool:
    """Whether the game writes its positions as data."""
    return type(game.rules).position_data is not Rules.position_data


def reads_the_score_sheet_it_writes(sample: Sample) -> Iterator[str]:
    """The decisions of a game, written as a score sheet, are read as the same decisions."""
    game, (header, events) = sample.game, sample.log
    sheet = write_sheet(game, header, events)
    if read_sheet(sheet, game=game.name) != (header, decisions(game, header, events)):
        yield "the score sheet says something else"


# What is left out


def infers_what_leaves_no_choice(sample: Sample) -> Iterator[str]:
    """A log of choices alone has no finding; the rest is inferred."""
    game, (header, events) = sample.game, sample.brief_log
    for step in audit(game, header, choices(game, header, events)):
        if step.verdict not in (Verdict.LEGAL, Verdict.INFERRED, Verdict.UNCHECKED):
            yield step_told(step)


def infers_what_is_told_here_and_left_out_there(sample: Sample) -> Iterator[str]:
    """Nor is anything wrong where a log tells some of what leaves no choice."""
    game, (header, events) = sample.game, sample.log if sample.seed % 2 == 0 else sample.brief_log
    for viewer in (None, "public"):
        head, log = viewer_log(game, header, events, viewer) if viewer else (header, events)
        yield from wrong_steps(game, head, partly_written(game, head, log, Random(sample.seed)))
