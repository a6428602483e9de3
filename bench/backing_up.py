"""Backing up from random points of simulated games: does each plan lead where it says, and who has learned what?

A plan is checked against what was made apart from it: the position after a `taken_back` event, the position at the end
of the branch, and a replay of each viewer's views.

python -m bench.backing_up --points 1000 --seed 1
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

import click

from audit.core.auditor import audit
from audit.core.model import Event, Header
from audit.core.record import words_in
from audit.core.record_events import TakenBack
from audit.core.ruleset import ruleset, rulesets
from replays.generating.simulate import simulated
from replays.judging.annotate import replay
from replays.table.backing_up import Plan, branch, plan

REACH = 60
"""At most so many events are undone."""


def wrong_with(found: Plan, header: Header, events: Sequence[Event]) -> Iterator[str]:
    """What is wrong with a plan for going back in these events, in words."""
    game, to = found.game, found.to
    back = [*events, TakenBack(seq=len(events) + 1, to=to)]
    if [*audit(game, header, back)][-1].state != found.then:
        yield "taking back leads to another position"
    if [*audit(game, *branch(header, events, to))][-1].state != found.then:
        yield "the branch begins in another position"
    for viewer, cards in found.learned.items():
        if set(cards) != _seen_since(header, events, to, viewer):
            yield f"{viewer} has learned something else"
    yield from _wrong_list(found, events[to:])


def _seen_since(header: Header, events: Sequence[Event], to: int, viewer: str) -> set[str]:
    """The cards in what the viewer is shown of the steps since, that were in the judge's table and not in theirs."""
    shown, judge = (replay((header, events), viewer=who).steps for who in (viewer, "judge"))
    at = shown.of_seq.get(to, 0)
    since = [step for step in shown[at + 1 :] if step["event"]]
    seen = words_in(*(step[part] for step in since for part in ("event", "state")))
    hidden = words_in(judge[at]["state"]) - words_in(shown[at]["state"])
    return {card for card in seen & hidden if not card.startswith("?")}


def _wrong_list(found: Plan, since: Sequence[Event]) -> Iterator[str]:
    told = [step.seq for step in found.undone if step.seq]
    if told != [event.seq for event in reversed(since)]:
        yield "an event is missing in what is undone"


@click.command()
@click.option("--points", default=1000, show_default=True, help="Points to go back from, over all games.")
@click.option("--seed", default=1, show_default=True)
def main(points: int, seed: int) -> None:
    """Plan to go back from random points, carry the plans out, and print what was wrong."""
    random, wrong, advice = Random(seed), 0, Counter[str]()
    names = rulesets()
    for number in range(points):
        game = ruleset(names[number % len(names)])
        header, events = simulated(game, random.randrange(10**6))
        end = random.randint(1, len(events))
        to = random.randint(max(0, end - REACH), end - 1)
        found = plan(header, events[:end], to)
        for problem in wrong_with(found, header, events[:end]):
            wrong += 1
            click.echo(f"{header.game} of {game.name}, from event {end} to {to}: {problem}")
        advice[f"{game.name} {found.advice}"] += 1
    for name, count in sorted(advice.items()):
        click.echo(f"{name:<32}{count:>6}")
    click.echo(f"{points} points, {wrong} wrong")
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
