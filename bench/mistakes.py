"""Plants one mistake at a time in clean games and measures what the auditor says of it.

    python -m bench.mistakes [--games 40] [--seed 1] [--ruleset compile]
    python -m bench.mistakes --logs FOLDER      in the clean games of a folder, such as those imported
    python -m bench.mistakes --clean 10000

For each kind of mistake: how many were found at all, found at the right step, with the right rule first, and how
many findings one mistake made; then the findings in clean games, of which there may be none. A mutant that is a
legal game after all is told apart by the rules: every event of it is among the options of its moment.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, Generic, TypeVar

import click
from msgspec import Struct
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.catalogue import Rule
from audit.core.event_rules import Obligation, numbered
from audit.core.model import Event, Header
from audit.core.ruleset import Ruleset, ruleset
from replays.generating.simulate import POLICIES, chosen, simulated, uniform
from replays.generating.telling import renumbered
from replays.log.reader import open_log

LOOK_AFTER = 80
"""The number of events after the mistake that are judged too, to see whether more findings follow."""


S = TypeVar("S")
E = TypeVar("E", bound=Event)


class Mutant(Struct):
    """A game with one mistake: where it shows, and the rules that may be named for it first."""

    events: list[Event]
    at: int
    rules: frozenset[str]


class Moment(Struct, Generic[S]):
    """A place in a clean game: the events, the index of the next one, the position before it."""

    game: Ruleset[object]
    header: Header
    events: Sequence[Event]
    index: int
    state: S
    random: Random

    @property
    def event(self) -> Event:
        """The event that really followed."""
        return self.events[self.index]

    def instead(self, *events: Event, skip: int = 1) -> list[Event]:
        """The same game with other events in place of the next ones: a mistake of the scorekeeper."""
        rest = self.events[self.index + skip : self.index + skip + LOOK_AFTER]
        return renumbered([*self.events[: self.index], *events, *rest])

    def played_on(self, *events: Event) -> list[Event]:
        """The game up to here, other events, and play going on from there: a mistake of the players."""
        state: object = self.state
        for seq, event in enumerate(events, self.index + 1):
            state = self.game.rules.evolve(state, numbered(event, seq))
        return renumbered([*self.events[: self.index], *events, *self._from(state, self.index + len(events))])

    def wrong(self, events: list[Event], *rules: Rule | str, after: int = 0) -> Mutant:
        """The game with these events, the mistake being the next one or one after, and the rules to be named for it."""
        return Mutant(
            events, self.index + 1 + after, frozenset(one if isinstance(one, str) else one.id for one in rules)
        )

    def comes_up(self, event: Event) -> bool:
        """Whether the event is right here, what leaves no choice having happened."""
        head = [*self.events[: self.index], event]
        return not list(audit(self.game, self.header, renumbered(head)))[-1].verdict.is_finding

    def owed(self, event: Event) -> frozenset[str]:
        """The rules by which what is up here comes before that event: what is due and why, and what may be done."""
        live = list(self.game.rules.expected(self.state))
        due = self.game.rules.skipped_obligations(self.state, event)
        rules = (*(one.rules for one in due), *(option.rules for option in live))
        return frozenset(rule.id for each in rules for rule in each)

    def _from(self, state: object, seq: int) -> Iterator[Event]:
        for number in range(seq + 1, seq + 1 + LOOK_AFTER):
            live = list(self.game.rules.expected(state))
            event = chosen(self.game, state, live, uniform, self.random)
            if event is None:
                return
            event = numbered(self.game.simulation.randomized(state, event, self.random), number)
            yield event
            state = self.game.rules.evolve(state, event)


Plant = Callable[[Moment[S]], Iterator[Mutant]]
Plants = dict[str, Plant[Any]]


def changing(
    kind: type[E] | tuple[type[E], ...], change: Callable[[Moment[S], E], Iterable[Event]], *rules: Rule | str
) -> Plant[S]:
    """Events of that type happen otherwise: the players do another thing instead, and play on."""

    def plant(moment: Moment[S]) -> Iterator[Mutant]:
        if isinstance(moment.event, kind):
            for event in change(moment, moment.event):
                yield moment.wrong(moment.played_on(event), *rules)

    return plant


def with_(**fields: object) -> Callable[[Moment[Any], Event], Iterable[Event]]:
    """A change: the same event with other values, where it has not got them already."""

    def change(moment: Moment[Any], event: Event) -> Iterable[Event]:
        is_other = any(getattr(event, name) != value for name, value in fields.items())
        return [replace(event, **fields)] if is_other else ()

    return change


class Tally(Struct):
    """What became of the mistakes of one kind."""

    planted: int = 0
    found: int = 0
    placed: int = 0
    named: int = 0
    findings: int = 0
    legal: int = 0

    def add(self, other: Tally) -> None:
        """Count these too."""
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


def is_legal(game: Ruleset[object], header: Header, events: Sequence[Event]) -> bool:
    """Whether every event is among the options of its moment, nothing inferred."""
    state = game.rules.start(header)
    for event in events:
        if not is_up(game, state, event):
            return False
        state = game.rules.evolve(state, event)
    return True


def planted(
    game: Ruleset[object], header: Header, events: Sequence[Event], kinds: Plants, random: Random
) -> Iterator[tuple[str, Mutant]]:
    """For each kind one mistake in this game, at a moment drawn by lot."""
    moments = _moments(game, header, events, random)
    order = random.sample(moments, len(moments))
    for kind, plant in kinds.items():
        for moment in order:
            if mutant := next(plant(moment), None):
                yield kind, mutant
                break


def _moments(game: Ruleset[object], header: Header, events: Sequence[Event], random: Random) -> list[Moment[object]]:
    state = game.rules.start(header)
    moments = []
    for index, event in enumerate(events):
        moments.append(Moment(game, header, events, index, state, random))
        state = game.rules.evolve(state, event)
    return moments


def judged(game: Ruleset[object], header: Header, mutant: Mutant) -> Tally:
    """The auditor's findings in one mutant."""
    if is_legal(game, header, mutant.events):
        return Tally(legal=1)
    findings = [step for step in audit(game, header, mutant.events) if step.verdict.is_finding]
    first = findings[0] if findings else None
    placed = first is not None and first.seq == mutant.at
    named = first is not None and bool(first.rules) and first.rules[0].id in mutant.rules
    return Tally(1, bool(findings), placed, named, len(findings))


def left_out(moment: Moment[object]) -> Iterator[Mutant]:
    """A step left out that leaves a choice open."""
    if moment.index + 2 < len(moment.events) and _is_choice(moment):
        following = moment.events[moment.index + 1]
        if is_up(moment.game, moment.state, following):
            return  # what is left out may come later
        yield moment.wrong(moment.instead(), *moment.owed(following), *failed_rules(moment, following))


def failed_rules(moment: Moment[object], event: Event) -> frozenset[str]:
    """The rules whose criteria the event fails among those of what is expected now."""
    failed = moment.game.rules.violations(moment.state, event)
    return frozenset(item.rule.id for item in failed if not item.unavailable)


def swapped(moment: Moment[object]) -> Iterator[Mutant]:
    """Two steps in the wrong order. Where a marker or a part of what the other announces stands a line early, nothing
    hangs on it.
    """
    if moment.index + 2 < len(moment.events):
        first, second = moment.event, moment.events[moment.index + 1]
        rules_of = moment.game.rules.event_rules
        if rules_of[type(second)].is_marker or type(second) in rules_of[type(first)].announces:
            return
        if _is_choice(moment) and type(first) is not type(second) and not is_up(moment.game, moment.state, second):
            rules = moment.owed(second) | failed_rules(moment, second)
            yield moment.wrong(moment.instead(second, first, skip=2), *rules)


def _is_choice(moment: Moment[object]) -> bool:
    """Whether a log that leaves it out leaves something open.

    An order of things that all happen shows by itself, and silence is an answer where a permission lapses.
    """
    live = list(moment.game.rules.expected(moment.state))
    if any(option.obligation is Obligation.EXPIRES for option in live):
        return False
    return moment.game.rules.forced(moment.state) is None and not all(option.any_order for option in live)


GENERAL: Plants = {"a step left out": left_out, "two steps swapped": swapped}


def own_kinds(name: str) -> ModuleType:
    """The planted mistakes of one game: its `KINDS`, and `POOLS` of cards that make rare ones possible."""
    return import_module(f"bench.mistakes_{name.replace('-', '_')}")


def kinds_of(name: str) -> Plants:
    """The kinds of mistakes of a game: those of any table, and its own."""
    return {**own_kinds(name).KINDS, **GENERAL}


Game = tuple[Header, Sequence[Event]]


def at_random(name: str, games: int, seed: int) -> Iterator[Game]:
    """So many random games, under every policy, with every pool of cards, and with and without what nobody owes.

    Their headers say that they are complete.
    """
    pools = ((), *own_kinds(name).POOLS)
    turns = [(policy, pool, complete) for complete in (True, False) for pool in pools for policy in POLICIES]
    for number in range(games):
        policy, pool, complete = turns[number % len(turns)]
        header, events = simulated(ruleset(name), seed * 1_000_003 + number, policy, pool, complete=complete)
        yield replace(header, complete=True), events


def recorded(name: str, folder: Path) -> Iterator[Game]:
    """The games of a folder that are clean, with every step their logs left out."""
    for path in sorted(folder.glob("*.jsonl")):
        log = open_log(path)
        if log.header.ruleset == name:
            whole = completed(log.ruleset, log.header, list(log))
            if is_legal(log.ruleset, log.header, whole):
                yield replace(log.header, complete=True), whole


def completed(game: Ruleset[object], header: Header, events: Sequence[Event]) -> list[Event]:
    """The game with what the log left out, the parts of a turn included."""
    state, whole = game.rules.start(header), list[Event]()
    for step in audit(game, header, events):
        while step.event and not is_up(game, state, step.event) and (forced := game.rules.forced(state)):
            whole.append(forced[1])
            state = game.rules.evolve(state, forced[1])
        if step.event:
            whole.append(step.event)
            state = game.rules.evolve(state, step.event)
    return renumbered(whole)


def is_up(game: Ruleset[object], state: object, event: Event) -> bool:
    """Whether the event is right at this very moment."""
    return not game.rules.violations(state, event)


def measure(name: str, games: Iterable[Game], seed: int, show: int = 0) -> tuple[dict[str, Tally], int, int]:
    """The tallies by kind, the number of clean games looked at, and the findings in them."""
    game = ruleset(name)
    kinds = kinds_of(name)
    tallies: dict[str, Tally] = defaultdict(Tally)
    wolves = number = 0
    for number, (header, events) in enumerate(games, 1):
        random = Random(seed * 1_000_003 + number - 1)
        wolves += sum(step.verdict.is_finding for step in audit(game, header, events))
        for kind, mutant in planted(game, header, events, kinds, random):
            tally = judged(game, header, mutant)
            tallies[kind].add(tally)
            if show and tally.planted and not (tally.found and tally.placed and tally.named):
                show -= 1
                _show(game, header, kind, mutant)
    return tallies, number, wolves


def clean(name: str, games: int, seed: int) -> tuple[int, int]:
    """How many events so many clean games have, and how many findings the auditor makes in them."""
    game = ruleset(name)
    events = findings = 0
    for header, log in at_random(name, games, seed):
        events += len(log)
        findings += sum(step.verdict.is_finding for step in audit(game, header, log))
    return events, findings


def _show(game: Ruleset[object], header: Header, kind: str, mutant: Mutant) -> None:
    findings = [s for s in audit(game, header, mutant.events) if s.verdict.is_finding]
    click.echo(f"{kind}: at {mutant.at} {mutant.events[mutant.at - 1]} wanted {sorted(mutant.rules)[:4]}")
    for step in findings[:3]:
        click.echo(f"    {step.seq} {step.event} {[rule.id for rule in step.rules[:2]]}")


def lines(tallies: dict[str, Tally], games: int, wolves: int) -> Iterator[str]:
    """The table."""
    yield HEAD.format("kind")
    whole = Tally()
    for kind, tally in sorted(tallies.items()):
        whole.add(tally)
        yield row(kind, tally)
    yield row("all", whole)
    yield f"{games} clean games: {wolves} findings"


HEAD = f"{{:44}}{'planted':>8}{'found':>8}{'step':>8}{'rule':>8}{'per mistake':>13}{'legal':>7}"
"""The columns of `row`, with a place for what the rows are."""


def row(kind: str, tally: Tally) -> str:
    """The shares of one kind of mistake, in a line."""
    if not tally.planted:
        return f"{kind:44}{0:>8}{'–':>8}{'–':>8}{'–':>8}{'–':>13}{tally.legal:>7}"
    share = [f"{100 * n / tally.planted:.1f}%" for n in (tally.found, tally.placed, tally.named)]
    per = tally.findings / tally.planted
    return f"{kind:44}{tally.planted:>8}" + "".join(f"{s:>8}" for s in share) + f"{per:>13.2f}{tally.legal:>7}"


@click.command()
@click.option("--games", default=60, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--ruleset", "name", default="compile", show_default=True)
@click.option("--logs", type=click.Path(exists=True, path_type=Path), help="Plant them in the games of a folder.")
@click.option("--times", default=1, show_default=True, help="Plant so many of each kind in every game of the folder.")
@click.option("--show", default=0, help="Show so many of those that were not found, placed and named.")
@click.option("--clean", "only_clean", default=0, help="Only look for findings in so many clean games.")
def main(games: int, seed: int, name: str, logs: Path | None, times: int, show: int, only_clean: int) -> None:
    """Plant mistakes and print the table."""
    if only_clean:
        events, findings = clean(name, only_clean, seed)
        click.echo(f"{name}: {only_clean} clean games, {events} events: {findings} findings")
        return
    found = list(recorded(name, logs)) * times if logs else at_random(name, games, seed)
    for line in lines(*measure(name, found, seed, show)):
        click.echo(line)


if __name__ == "__main__":
    main()
