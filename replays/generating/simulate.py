"""Simulates legal games by playing offered options, and writes them as logs. The same seed gives the same game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random

from audit.core.event_rules import Expectation, numbered
from audit.core.model import LOG_VERSION, Event, Header, Player
from audit.core.ruleset import Ruleset

MAX_EVENTS = 20_000
"""A game that has not ended by then is left where it is."""

WIDE = 400
"""How many candidates of one option are considered."""

Pick = Callable[[Ruleset[object], object, list[Event], Random], Event]


def uniform(game: Ruleset[object], state: object, candidates: list[Event], random: Random) -> Event:
    """Any of them."""
    return random.choice(candidates)


def greedy(game: Ruleset[object], state: object, candidates: list[Event], random: Random) -> Event:
    """The one after which the player in turn stands best."""
    return max(_some(candidates, random), key=lambda event: game.simulation.score(game.rules.evolve(state, event)))


def chains(game: Ruleset[object], state: object, candidates: list[Event], random: Random) -> Event:
    """The one that leads deepest into texts upon texts."""
    return max(
        _some(candidates, random), key=lambda event: len(game.disclosure.pending(game.rules.evolve(state, event)))
    )


def _some(candidates: list[Event], random: Random) -> list[Event]:
    return random.sample(candidates, min(12, len(candidates)))


POLICIES: dict[str, Pick] = {"uniform": uniform, "greedy": greedy, "chains": chains}


def simulated(
    game: Ruleset[object],
    seed: int,
    policy: str = "uniform",
    pool: Sequence[str] = (),
    most: int = MAX_EVENTS,
    complete: bool = True,
) -> tuple[Header, list[Event]]:
    """One legal game, `complete` with what nobody owes; raises `SetupError` where the pool is too small."""
    random = Random(f"{game.name} {policy} {seed}")
    setup = game.simulation.setup(random, pool)
    header = Header(
        log=LOG_VERSION,
        ruleset=game.name,
        game=f"simulated-{policy}-{seed}",
        players=tuple(Player(seat) for seat in _seats(game, setup)),
        setup=setup,
    )
    return header, list(islice(played_out(game, header, POLICIES[policy], random, complete), most))


def _seats(game: Ruleset[object], setup: dict[str, object]) -> tuple[str, ...]:
    return game.disclosure.seats(Header(log=LOG_VERSION, ruleset=game.name, setup=setup))


def played_out(
    game: Ruleset[object], header: Header, pick: Pick, random: Random, complete: bool = True
) -> Iterator[Event]:
    """The events of a game from its start until nothing is left to do."""
    state = game.rules.start(header)
    seq = 0
    while options := list(game.rules.expected(state)):
        event = chosen(game, state, options, pick, random)
        if event is None:
            return
        event = game.simulation.randomized(state, event, random)
        for recorded in (*(game.simulation.optional_events_before(state, event) if complete else ()), event):
            seq += 1
            recorded = numbered(recorded, seq)
            state = game.rules.evolve(state, recorded)
            yield recorded


def chosen(
    game: Ruleset[object], state: object, options: list[Expectation[object]], pick: Pick, random: Random
) -> Event | None:
    """What is done next: one of the options, one of its ways. None where no option stands for anything."""
    random.shuffle(options)
    for option in options:
        if candidates := list(islice(option.candidates(state), WIDE)):
            return candidates[0] if len(candidates) == 1 else pick(game, state, candidates, random)
    return None
