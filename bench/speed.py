"""How fast logs are read, rebuilt and audited, compared with other libraries on this machine in one run.

    python -m bench.speed [--large] [--events 1000000]

Rates on one core are by processor time, the best of some rounds in which all take turns, so that other work on the
machine counts little; those on two cores by the clock. Ratios are what to look at: all figures are of one run.
"""

from __future__ import annotations

import gc
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from io import BytesIO
from itertools import accumulate
from multiprocessing import get_context
from pathlib import Path
from random import Random

import click

from audit.core.auditor import Auditor, audit
from audit.core.model import LOG_VERSION, Event, Header, Player
from audit.core.ruleset import Ruleset, ruleset, rulesets
from audit.games.compile.state import SEATS, CardMovement, State
from audit.games.compile.totals import total
from bench.record_lines import Played
from bench.record_lines import written as written_down
from bench.ways import WAYS
from replays.generating.simulate import POLICIES, played_out, simulated
from replays.log.lines import BLOCK
from replays.log.reader import open_log
from replays.log.schemas import decoder
from replays.log.writer import line_of

POOL = 45
"""So many different games are read over and over where more events are asked for."""
ROUNDS = 7

TOLD = ("choices only", "declines unspoken", "late")
"""Ways of writing a game down that are measured beside complete logs; late ones tell every event."""

Work = Callable[[Path], int]
Rate = Callable[[], float]
Game = tuple[Header, Sequence[Event]]


# What is measured


def decoded(path: Path) -> int:
    """The floor: every line of the file decoded into a typed event, and nothing more."""
    decode = decoder(ruleset("compile").rules.events).decode
    with path.open("rb") as file:
        next(file)
        return sum(decode(line).seq > 0 for line in file)


def read(path: Path) -> int:
    """Read with everything that is checked."""
    return sum(len(batch.events) for batch in open_log(path).batches())


def replay_to(path: Path) -> int:
    """The position a game leads to whose lines were checked when they came in, as the store makes it."""
    with path.open("rb") as file:
        log = open_log(BytesIO(file.readline()))
        state, decode, number = log.start(), decoder(log.ruleset.rules.events).decode_lines, 0
        while block := file.read(BLOCK):
            events = decode(block + file.readline())
            state = log.ruleset.rules.replay_to(state, events)
            number += len(events)
    return number


def read_and_rebuilt(path: Path) -> int:
    """The same with everything checked."""
    log = open_log(path)
    state = log.start()
    for batch in log.batches():
        state = log.ruleset.rules.replay_to(state, batch.events)
    return log.events


def gone_through(path: Path) -> int:
    """Read, and every position made on the way."""
    log = open_log(path)
    return sum(1 for _ in accumulate(log, log.ruleset.rules.evolve, initial=log.start())) - 1


def audited(path: Path) -> int:
    """Read, and every event judged, with the rules it cites."""
    log = open_log(path)
    return sum(1 for step in audit(log.ruleset, log.header, log) if step.rules)


WORK: dict[str, Work] = {
    "bare typed decode": decoded, "reading": read, "rebuilding": replay_to, "auditing": audited,
}  # fmt: skip
MORE: dict[str, Work] = {"reading and rebuilding": read_and_rebuilt, "every position": gone_through}
"""Measured beside the others in the first table only."""


def judging(made: Sequence[Game]) -> float:
    """Events a second of judging alone: they are read and the games begun before the time is taken."""
    prepared = [(Auditor(ruleset(header.ruleset).rules, header), events) for header, events in made]
    gc.collect()
    start = time.process_time()
    for auditor, events in prepared:
        for _ in auditor.steps(events):
            pass
    return sum(len(events) for _, events in prepared) / (time.process_time() - start)


def rate(work: Work, paths: Sequence[Path]) -> float:
    """Events a second on one core, by processor time."""
    start = time.process_time()
    events = sum(map(work, paths))
    return events / (time.process_time() - start)


def rates(paths: Sequence[Path], times: int = ROUNDS, rivals: Mapping[str, Rate] | None = None) -> dict[str, float]:
    """Of all our work, and of what else is to be measured beside it."""
    return taking_turns({**{name: partial(rate, work, paths) for name, work in WORK.items()}, **(rivals or {})}, times)


def taking_turns(measured: Mapping[str, Rate], times: int = ROUNDS) -> dict[str, float]:
    """The best of so many rounds, all taking turns: a bad minute of the machine is everybody's."""
    best = dict.fromkeys(measured, 0.0)
    for _ in range(times):
        for name, tell in measured.items():
            best[name] = max(best[name], tell())
    return best


def clock_rate(work: Work, paths: Sequence[Path], cores: int) -> float:
    """Events a second on so many cores, by the clock, processes already running."""
    with get_context("fork").Pool(cores) as pool:
        pool.map(work, paths[:cores])
        best = 0.0
        for _ in range(ROUNDS):
            start = time.perf_counter()
            events = sum(pool.map(work, paths, chunksize=max(1, len(paths) // (4 * cores))))
            best = max(best, events / (time.perf_counter() - start))
        return best


def peak(work: Work, paths: Sequence[Path]) -> float:
    """Megabytes a process of its own needs at most."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(_memory, (work, paths))


def _memory(work: Work, paths: Sequence[Path]) -> float:
    for path in paths:
        work(path)
    return memory()


def memory() -> float:
    """The most megabytes that this process had. The system's own count begins with those of who started it."""
    status = Path("/proc/self/status")
    if status.exists():
        return next(int(line.split()[1]) for line in status.read_text().splitlines() if "VmHWM" in line) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


# What it is measured with


def written(folder: Path, name: str, header: Header, events: Sequence[Event]) -> Path:
    """A log on disk."""
    path = folder / f"{name}.jsonl"
    lines = [line_of(header), *map(line_of, events)]
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def games(name: str, pool: int = POOL, complete: bool = True) -> list[Game]:
    """The pool of random games of a ruleset, under every policy."""
    game, policies = ruleset(name), list(POLICIES)
    return [simulated(game, seed, policies[seed % len(policies)], complete=complete) for seed in range(pool)]


def kept(name: str, way: str, pool: int = POOL) -> list[Game]:
    """Such games as people write them down in that way (`bench/ways.py`)."""
    game = ruleset(name)
    played = [Played(game, header, events) for header, events in games(name, pool, complete=False)]
    told = [(one, WAYS[way](one, one.told_in_full(), Random(way))) for one in played]
    records = [written_down(one, lines) for one, lines in told]
    return [(record.header, record.events) for record in records]


def logs_of(folder: Path, name: str, made: Sequence[Game]) -> list[Path]:
    """The games written down."""
    return [written(folder, f"{name}-{number}", *one) for number, one in enumerate(made)]


def repeated(paths: Sequence[Path], events: int) -> list[Path]:
    """Games out of the pool, so many that they have that many events."""
    chosen: list[Path] = []
    number = 0
    while number < events:
        chosen.append(paths[len(chosen) % len(paths)])
        number += sum(1 for _ in chosen[-1].open("rb")) - 1
    return chosen


def endless(game: Ruleset[object], state: object, candidates: list[Event], random: Random) -> Event:
    """A player who never wins: after compiling a line, they play in that line only."""
    some = random.sample(candidates, min(30, len(candidates)))
    return min(some, key=lambda event: _danger(game.rules.evolve(state, event)))


def _danger(state: object) -> int:
    assert isinstance(state, State)
    return sum(
        (total(state, seat, line) + sum(trip.seat == seat and trip.line == line for trip in _trips(state))) ** 2
        for seat in SEATS
        for line, protocol in enumerate(state.side(seat).protocols, 1)
        if state.side(seat).compiled and protocol not in state.side(seat).compiled
    )


def _trips(state: State) -> Iterator[CardMovement]:
    return (frame for frame in state.stack if isinstance(frame, CardMovement))


def long_game(events: int) -> tuple[Header, list[Event]]:
    """One game of at least so many events, the longest of a few."""
    game = ruleset("compile")
    best: tuple[Header, list[Event]] | None = None
    for seed in range(40):
        random = Random(f"long {seed}")
        setup = game.simulation.setup(random, ())
        players = tuple(Player(seat) for seat in SEATS)
        header = Header(log=LOG_VERSION, ruleset="compile", game="long", players=players, setup=setup)
        made = [event for event, _ in zip(played_out(game, header, endless, random), range(events), strict=False)]
        best = max(best or (header, []), (header, made), key=lambda one: len(one[1]))
        if len(best[1]) >= events:
            break
    assert best is not None
    return best


# Tables


def beside(paths: Sequence[Path]) -> Iterator[str]:
    """Our rates, the floor, and the other libraries."""
    from bench.rivals import chess_rate, poker_rate

    more = {name: partial(rate, work, paths) for name, work in MORE.items()}
    found = rates(paths, rivals={"chess": chess_rate(), "poker": poker_rate(), **more})
    chess, poker = found["chess"], found["poker"]
    yield f"{'on one core':34}{'events/s':>12}{'of the floor':>14}{'of python-chess':>17}{'memory':>9}"
    for name, work in {**WORK, **MORE}.items():
        ours = found[name]
        slower = found["bare typed decode"] / ours
        memory = peak(work, paths)
        yield f"{name:34}{ours:>12,.0f}{slower:>12.1f} x{ours / chess:>15.2f} x{memory:>6.0f} MB"
    yield f"{'python-chess, PGN with legality':34}{chess:>12,.0f}{'':>14}{1.0:>15.2f} x   (moves)"
    yield f"{'PokerKit, hands replayed':34}{poker:>12,.0f}{'':>14}{poker / chess:>15.2f} x   (actions)"
    yield ""
    one, two = clock_rate(audited, paths, 1), clock_rate(audited, paths, 2)
    yield f"auditing by the clock: {one:,.0f} events/s in one process, {two:,.0f} in two: {two / one:.2f} times"


def told_less(pool: int = POOL) -> Iterator[str]:
    """Judging alone of complete logs, and of records that tell less or later: events of their games, told or not."""
    yield f"{'judging alone, events/s':34}{'complete':>12}{'of the first':>14}" + "".join(f"{way:>26}" for way in TOLD)
    first = 0.0
    for name in sorted(rulesets(), key=lambda name: (name != "compile", name)):
        made = {"complete": games(name, pool), **{way: kept(name, way, pool) for way in TOLD}}
        played = {"complete": _events(made["complete"]), **dict.fromkeys(TOLD, _events(made["late"]))}
        rates = taking_turns({kind: partial(judging, some) for kind, some in made.items()}, ROUNDS)
        found = {kind: rates[kind] * played[kind] / _events(some) for kind, some in made.items()}
        first = first or found["complete"]
        others = "".join(f"{found[way]:>18,.0f}{found[way] / found['complete']:>6.2f} x" for way in TOLD)
        yield f"{name:34}{found['complete']:>12,.0f}{found['complete'] / first:>12.2f} x{others}"


def _events(made: Sequence[Game]) -> int:
    return sum(len(events) for _, events in made)


def growth(paths: Sequence[Path], most: int) -> Iterator[str]:
    """From a thousand events on, in many games."""
    yield f"{'events, in many games':34}" + "".join(f"{name:>20}" for name in WORK) + f"{'memory':>10}"
    number = 1000
    while number <= most:
        some = repeated(paths, number)
        times = ROUNDS if number <= 100_000 else 1
        found = "".join(f"{one:>18,.0f}/s" for one in rates(some, times).values())
        yield f"{number:<34,}{found}{peak(audited, some):>7.0f} MB"
        number *= 10


def by_length(folder: Path, header: Header, events: Sequence[Event]) -> Iterator[str]:
    """Games of a hundred events and more."""
    yield f"{'events of one game':34}" + "".join(f"{name:>20}" for name in WORK) + f"{'memory':>10}"
    for number in (100, 1000, 10_000, 100_000):
        path = written(folder, f"long-{number}", header, events[:number])
        some = [path] * max(1, 10_000 // number)
        found = "".join(f"{one:>18,.0f}/s" for one in rates(some).values())
        yield f"{min(number, len(events)):<34,}{found}{peak(audited, some):>7.0f} MB"


def report(most: int) -> Iterator[str]:
    """All tables."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        paths = logs_of(folder, "game", games("compile"))
        yield from beside(paths)
        yield ""
        yield from told_less()
        yield ""
        yield from growth(paths, most)
        yield ""
        header, events = long_game(100_000)
        yield from by_length(folder, header, events)


@click.command()
@click.option("--events", default=1_000_000, show_default=True, help="The most events, in many games.")
@click.option("--large", is_flag=True, help="Ten million events.")
def main(events: int, large: bool) -> None:
    """Measure, and print the tables."""
    for line in report(10_000_000 if large else events):
        click.echo(line)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
