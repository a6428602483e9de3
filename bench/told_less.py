"""Mistakes in complete logs and in logs of choices only: whether the same is said of them.

    python -m bench.told_less [--games 40] [--seed 1] [--show 20]

Each text of each card got wrong once, the broken cases, and mistakes planted in simulated games, told completely and
stripped to choices. Counted is where the first finding is the same: the same rule first, at the same event. And in
how many of these logs `expected` begins with a small step, such as a card landing, instead of the decision that is
missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from random import Random

import click
import msgspec
from msgspec import Struct
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.cases import cases_of, events_of, header_of
from audit.core.event_rules import Expectation, Obligation
from audit.core.model import Event, Header, type_name
from audit.core.ruleset import Ruleset, ruleset
from audit.core.steps import Step
from bench.mistakes import at_random, completed, is_legal, kinds_of, planted
from replays.generating.telling import renumbered, with_forced

SMALL_STEPS = frozenset(
    ("committed", "uncovered", "covered", "landed", "triggered", "phase_began", "turn_began", "cache_cleared")
)
"""The events of Compile that follow by themselves and of which nobody speaks at the table."""


OMISSIONS = frozenset(
    (
        "a step left out", "two steps swapped", "a choice left out", "compile not taken", "control not taken",
        "cache not cleared", "control not returned", "control returned without its choice",
        "wrong order of two interrupts", "mandatory effect not done",
    )
)  # fmt: skip
"""The kinds of mistakes in which something is missing that had to come."""


class Broken(Struct, frozen=True):
    """A complete log with one mistake."""

    name: str
    header: Header
    events: tuple[Event, ...]
    is_omission: bool = False
    """Whether something was not done, so that what announces the next step belongs to no mistake."""


class Told(Struct, frozen=True):
    """What is said first of a log: the place in the complete log, the rule, and what was expected."""

    at: int
    rule: str
    expected: tuple[Event, ...]
    event: Event


class Tally(Struct):
    """What became of the mistakes of one kind."""

    mistakes: int = 0
    found: int = 0
    same_rule: int = 0
    same_place: int = 0
    small: int = 0
    small_stripped: int = 0
    unknowable: int = 0


def of_texts(apart: int = 1) -> Iterator[Broken]:
    """Every text of every card, each word of it got wrong once; or one in so many."""
    from tests.compile.counted_situations import all_situations

    game = ruleset("compile")
    for situation in islice((one for one in all_situations() if one.how is not None), 0, None, apart):
        header = Header(log="audit/1", ruleset="compile", game="situation", setup={"position": situation.position})
        events = (
            msgspec.convert({**event, "seq": seq}, game.rules.types[str(event["type"])])
            for seq, event in enumerate(situation.log, 1)
        )
        if broken := written_out(game, Broken(situation.name, header, tuple(events))):
            yield broken


def written_out(game: Ruleset[object], broken: Broken) -> Broken | None:
    """The log with everything in it that leaves no choice; None if its last event is right after all of that."""
    *before, wrong = broken.events
    whole = completed(game, broken.header, before)
    state = game.rules.replay_to(game.rules.start(broken.header), whole)
    while (forced := game.rules.forced(state)) and not _is_got_wrong(game, forced, wrong):
        whole.append(forced[1])
        state = game.rules.evolve(state, forced[1])
    events = tuple(renumbered([*whole, wrong]))
    return None if is_legal(game, broken.header, events) else Broken(broken.name, broken.header, events)


def _is_got_wrong(game: Ruleset[object], forced: tuple[Expectation[object], Event], wrong: Event) -> bool:
    """Whether the wrong event stands where the one that leaves no choice belongs, or the turn goes on without it."""
    expectation, event = forced
    if expectation.obligation is not Obligation.REQUIRED or isinstance(wrong, type(event)):
        return True
    return type_name(type(wrong)) == "resolved" and not game.rules.event_rules[type(event)].is_part


def of_cases() -> Iterator[Broken]:
    """The broken cases, each rule broken once."""
    game = ruleset("compile")
    for case in cases_of("audit.games.compile"):
        if case.verdict == "broken" and (events := events_of(game, case)):
            header = header_of(game, case)
            yield Broken(case.id, header, events, bool(header.complete))


def of_games(games: int, seed: int) -> Iterator[Broken]:
    """Simulated games with one mistake of each kind."""
    game = ruleset("compile")
    for number, (header, events) in enumerate(at_random("compile", games, seed)):
        random = Random(seed * 1_000_003 + number)
        for kind, mutant in planted(game, header, events, kinds_of("compile"), random):
            if not is_legal(game, header, mutant.events):
                yield Broken(kind, header, tuple(mutant.events), kind in OMISSIONS)


def stripped(game: Ruleset[object], broken: Broken) -> tuple[list[Event], list[int]]:
    """The choices of a log, and for each its place in the complete log."""
    forced = with_forced(game, broken.header, broken.events)
    told = [event for event, follows in forced if not (follows or (broken.is_omission and _follows(game, event)))]
    return renumbered(told), [event.seq for event in told]


def _follows(game: Ruleset[object], event: Event) -> bool:
    rules = game.rules.event_rules[type(event)]
    if getattr(event, "outcome", None) == "declined":
        return False
    return rules.is_marker or rules.is_part


def first(game: Ruleset[object], header: Header, events: Sequence[Event], places: Sequence[int]) -> Told | None:
    """What is said first."""
    for step in audit(game, header, events):
        if step.verdict.is_finding:
            return _told(step, places)
    return None


def _told(step: Step, places: Sequence[int]) -> Told:
    assert step.seq is not None
    assert step.event is not None
    rule = step.rules[0].id if step.rules else ""
    return Told(places[step.seq - 1], rule, step.expected, step.event)


def names_a_small_step(told: Told | None) -> bool:
    """Whether what is expected first follows by itself, though the log speaks of something else."""
    if told is None or not told.expected:
        return False
    name = type_name(type(told.expected[0]))
    return name in SMALL_STEPS and not isinstance(told.event, type(told.expected[0]))


def compare(broken: Broken, tally: Tally) -> tuple[Told | None, Told | None]:
    """What is said of the complete log and of the stripped one, counted."""
    game = ruleset("compile")
    complete = first(game, broken.header, broken.events, range(1, len(broken.events) + 1))
    choices, places = stripped(game, broken)
    less = first(game, replace(broken.header, complete=False), choices, places)
    if complete is None or (broken.is_omission and (less is None or less.at > next_told(complete.at, places))):
        tally.unknowable += 1
        return None, None
    tally.mistakes += 1
    tally.found += complete is not None and less is not None
    tally.same_rule += complete is not None and less is not None and complete.rule == less.rule
    tally.same_place += complete is not None and less is not None and less.at == next_told(complete.at, places)
    tally.small += names_a_small_step(complete)
    tally.small_stripped += names_a_small_step(less)
    return complete, less


def next_told(at: int, places: Sequence[int]) -> int:
    """The event at that place, or the next one that a log of choices has."""
    return next((place for place in places if place >= at), 0)


def differences(all_broken: Iterable[Broken], tally: Tally) -> Iterator[str]:
    """The mistakes of which not the same is said, one line each; all are counted."""
    for broken in all_broken:
        complete, less = compare(broken, tally)
        if (complete and complete.rule) != (less and less.rule):
            yield f"{broken.name}: {_words(complete)} told completely, {_words(less)} in choices only"
        for told in (complete, less):
            if told and names_a_small_step(told):
                yield f"{broken.name}: expected {type_name(type(told.expected[0]))} instead of {told.event}"


def _words(told: Told | None) -> str:
    return f"{told.rule} at {told.at}" if told else "nothing"


def line(name: str, tally: Tally) -> str:
    """One row of the table."""
    shares = (tally.found, tally.same_rule, tally.same_place)
    told = "".join(f"{n / max(1, tally.mistakes):>12.1%}" for n in shares)
    return f"{name:28}{tally.mistakes:>10,}{told}{tally.small:>12,}{tally.small_stripped:>12,}"


def table(games: int, seed: int, show: int = 0) -> Iterator[str]:
    """The table, after the first differences of each kind."""
    yield f"{'':28}{'mistakes':>10}{'found':>12}{'same rule':>12}{'same event':>12}{'small steps':>12}{'stripped':>12}"
    sources = (("texts", of_texts()), ("cases", of_cases()), ("games", of_games(games, seed)))
    for name, found in sources:
        tally = Tally()
        told = list(differences(found, tally))
        yield from told[:show]
        yield line(name, tally)


@click.command()
@click.option("--games", default=40, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--show", default=0, help="Show so many of the differences of each kind.")
def main(games: int, seed: int, show: int) -> None:
    """Compare what is said of complete and of stripped logs."""
    for row in table(games, seed, show):
        click.echo(row)


if __name__ == "__main__":
    main()
