"""Hostile logs for the reader and the auditor: nothing may crash, hang or fill the memory.

    python -m bench.fuzz [--minutes 1] [--seed 1] [--ruleset compile] [--keep tests/fuzz_cases]
    python -m bench.fuzz_guided [--minutes 1]       guided by coverage, where atheris is installed

A case is the bytes of a log. Logs of random games are damaged in many ways, from single bytes to thousands of
events in the wrong order. Each case is read and judged; what cannot be read has to be refused with one clear
error, and a megabyte has to be judged within two seconds.
"""

from __future__ import annotations

import hashlib
import json
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from io import BytesIO
from itertools import chain, islice, repeat
from pathlib import Path
from random import Random

import click
import msgspec
from msgspec import Struct

from audit.core.auditor import audit
from audit.core.errors import AuditError
from audit.core.model import Event
from audit.core.ruleset import ruleset
from replays.generating.simulate import POLICIES, simulated
from replays.log.reader import open_log
from replays.log.writer import line_of

MEGABYTE = 1_000_000
PER_MEGABYTE = 2.0
"""Seconds in which a megabyte has to be judged."""
GRACE = 0.5
"""Seconds any log may take, however short."""
SOME_GAMES = 24

Mutation = Callable[[bytes, Random], bytes]


class Outcome(Struct, frozen=True):
    """What became of a case: `refused`, `clean`, `found`, or what went wrong."""

    what: str
    seconds: float
    error: str = ""

    @property
    def is_bad(self) -> bool:
        """A crash or a hang."""
        return self.what in ("crash", "hang")


def judge(data: bytes) -> Outcome:
    """Read and judge a case to its end."""
    start = time.process_time()
    what, error = "clean", ""
    try:
        log = open_log(BytesIO(data))
        log.start()
        if sum(step.verdict.is_finding for step in audit(log.ruleset, log.header, log)):
            what = "found"
    except AuditError:
        what = "refused"
    except Exception as problem:
        what, error = "crash", f"{type(problem).__name__}: {problem}"
    seconds = time.process_time() - start
    if what != "crash" and seconds > GRACE + PER_MEGABYTE * len(data) / MEGABYTE:
        what = "hang"
    return Outcome(what, seconds, error)


# Logs to begin with


@cache
def seeds(name: str) -> tuple[bytes, ...]:
    """Logs of a few random games."""
    game = ruleset(name)
    policies = list(POLICIES)
    made = (simulated(game, seed, policies[seed % len(policies)], most=400) for seed in range(SOME_GAMES))
    return tuple(_text((header, *events)) for header, events in made)


def _text(lines: object) -> bytes:
    return "".join(line_of(line) + "\n" for line in lines).encode()  # type: ignore[attr-defined]


# Ways to damage a log


def some_bytes(data: bytes, random: Random) -> bytes:
    """A few bytes changed, left out or doubled."""
    damaged = bytearray(data)
    for _ in range(random.randint(1, 8)):
        at = random.randrange(len(damaged))
        damaged[at : at + random.choice((0, 1, 1, 9))] = random.choice(
            (b"", b"\x00", b'"', b"\\", b"{", b"[" * 40, b"\n", b"\xff", b"9" * 30, damaged[at : at + 20], b"null")
        )
    return bytes(damaged)


def some_values(data: bytes, random: Random) -> bytes:
    """Values of fields changed for others of the same log, or for odd ones."""
    head, events = _parsed(data)
    values = [value for event in events for key, value in event.items() if key not in ("seq", "type")]
    for event in random.sample(events, min(len(events), random.choice((1, 3, 30)))):
        key = random.choice([*event, "player", "cards", "card"])
        event[key] = random.choice(_ODD) if random.random() < 0.3 else random.choice(values)
    return _unparsed(head, events)


_ODD: tuple[object, ...] = (
    None, 0, -1, 10**30, 1.5, True, "", "?", "?1", "fire-0", "none-9", "\u0000", "A" * 5000, [], {}, [[[]]], ["?"] * 64,
    ["fire-1", "fire-1"], {"a": 1}, "deck", "top",
)  # fmt: skip


def some_header(data: bytes, random: Random) -> bytes:
    """The setup and the other fields of the header changed."""
    head, events = _parsed(data)
    where: dict[str, object] | list[object] = head
    while True:
        keys: list[object] = list(where) if isinstance(where, dict) else list(range(len(where)))
        if not keys:
            break
        key = random.choice(keys)
        inside = where[key]  # type: ignore[index, call-overload]
        if not isinstance(inside, dict | list) or random.random() < 0.3:
            where[key] = random.choice((*_ODD, [f"?{n}" for n in range(20_000)], ["?"] * 50_000))  # type: ignore[index, call-overload]
            break
        where = inside
    return _unparsed(head, events)


def shuffled(data: bytes, random: Random) -> bytes:
    """Events in the wrong order: all of them, a stretch, or two."""
    head, events = _parsed(data)
    low = random.randrange(len(events))
    high = random.choice((len(events), low + 2, low + 20))
    stretch = events[low:high]
    random.shuffle(stretch)
    return _unparsed(head, [*events[:low], *stretch, *events[high:]])


def left_out(data: bytes, random: Random) -> bytes:
    """Many events left out, or said again."""
    head, events = _parsed(data)
    share = random.choice((0.02, 0.2, 0.6))
    kept = [event for event in events for _ in range(random.choice((0, 2)) if random.random() < share else 1)]
    return _unparsed(head, kept)


def spliced(data: bytes, random: Random) -> bytes:
    """Events of another game among those of this one."""
    head, events = _parsed(data)
    _, others = _parsed(random.choice(seeds(str(head.get("ruleset")))))
    both = random.sample([*events, *others], min(400, len(events) + len(others)))
    return _unparsed(head, both if random.random() < 0.5 else [*events[: len(events) // 2], *others])


def repeated(data: bytes, random: Random) -> bytes:
    """The same few events over and over: long rows of mistakes, and more and more under way."""
    head, events = _parsed(data)
    few = random.sample(events, min(len(events), random.randint(1, 4)))
    start = random.randrange(len(events))
    return _unparsed(head, [*events[:start], *islice(chain.from_iterable(repeat(few)), random.choice((50, 500, 2000)))])


def of_one_kind(data: bytes, random: Random) -> bytes:
    """Only events of one or two kinds, again and again, with everything they speak of."""
    head, events = _parsed(data)
    kinds = random.sample(sorted({str(event["type"]) for event in events}), 2)[: random.randint(1, 2)]
    chosen = [event for event in events if str(event["type"]) in kinds]
    return _unparsed(head, list(islice(chain.from_iterable(repeat(chosen)), random.choice((100, 1000)))))


def upside_down(data: bytes, random: Random) -> bytes:
    """A game that goes on where something illegal was done at every turn."""
    head, _ = _parsed(data)
    game = ruleset(str(head["ruleset"]))
    log = open_log(BytesIO(data))
    state = game.rules.start(log.header)
    made: list[Event] = []
    plain = list(log)
    for _ in range(random.choice((60, 300))):
        live = game.rules.expected(state)
        candidates = [offer for option in live for offer in islice(option.candidates(state), 3)]
        event = random.choice(plain) if random.random() < 0.5 or not candidates else random.choice(candidates)
        made.append(event)
        state = game.rules.evolve(state, event)
    return _unparsed(head, [json.loads(line_of(event)) for event in made])


MUTATIONS: dict[str, Mutation] = {
    "bytes": some_bytes,
    "values": some_values,
    "header": some_header,
    "shuffled": shuffled,
    "left out": left_out,
    "spliced": spliced,
    "repeated": repeated,
    "one kind": of_one_kind,
    "upside down": upside_down,
}


def _parsed(data: bytes) -> tuple[dict[str, object], list[dict[str, object]]]:
    head, *events = (json.loads(line) for line in data.splitlines())
    return head, events


def _unparsed(head: dict[str, object], events: list[dict[str, object]]) -> bytes:
    numbered = ({**event, "seq": seq} if "seq" in event else event for seq, event in enumerate(events, 1))
    return b"".join(msgspec.json.encode(line) + b"\n" if _is_small(line) else _slow(line) for line in (head, *numbered))


def _is_small(line: object) -> bool:
    try:
        msgspec.json.encode(line)
    except (OverflowError, msgspec.MsgspecError, ValueError):
        return False
    return True


def _slow(line: object) -> bytes:
    return json.dumps(line).encode() + b"\n"


def long_log(name: str, mutation: str, seed: int, size: int = MEGABYTE) -> bytes:
    """A damaged log of at least so many bytes, all of it read by the auditor."""
    random = Random(seed)
    head: dict[str, object] = {}
    events: list[dict[str, object]] = []
    length = 0
    while length < size:
        base = random.choice(seeds(name))
        damaged = MUTATIONS[mutation](base, random)
        head, more = _parsed(damaged)
        events += more
        length += len(damaged)
    return _unparsed(head, events)


def case(name: str, random: Random) -> tuple[str, bytes]:
    """One case and the ways in which it was damaged."""
    data = random.choice(seeds(name))
    kinds = random.choices(list(MUTATIONS), k=random.choice((1, 1, 2)))
    for kind in kinds:
        data = damaged(data, kind, random)
    return "+".join(kinds), data


def damaged(data: bytes, kind: str, random: Random) -> bytes:
    """The log damaged in that way; as it was, where it is damaged too much already to be damaged so."""
    try:
        return MUTATIONS[kind](data, random)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, AuditError, RecursionError):
        return data


def smaller(data: bytes, is_bad: Callable[[bytes], bool]) -> bytes:
    """The case with every line left out that it does not need."""
    lines = data.splitlines(keepends=True)
    step = max(1, len(lines) // 2)
    while step:
        at = 1
        while at < len(lines):
            fewer = renumbered([*lines[:at], *lines[at + step :]])
            if is_bad(b"".join(fewer)):
                lines = fewer
            else:
                at += step
        step //= 2
    return b"".join(lines)


def renumbered(lines: list[bytes]) -> list[bytes]:
    """The lines with their numbers put right, as far as they can be read."""
    return [lines[0], *(_with_seq(line, seq) for seq, line in enumerate(lines[1:], 1))]


def _with_seq(line: bytes, seq: int) -> bytes:
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return line
    return json.dumps({**event, "seq": seq}).encode() + b"\n" if isinstance(event, dict) else line


class Run:
    """A run of many cases: how many of each outcome, the slowest, and what went wrong."""

    def __init__(self, keep: Path | None = None) -> None:
        self.keep = keep
        self.counts: Counter[str] = Counter()
        self.bytes = 0
        self.slowest = (0.0, "")
        self.bad: list[str] = []
        self.seen: set[str] = set()

    def take(self, kind: str, data: bytes) -> None:
        """Judge one more case."""
        outcome = judge(data)
        self.counts[outcome.what] += 1
        self.bytes += len(data)
        self.slowest = max(self.slowest, (outcome.seconds / (0.1 + len(data) / MEGABYTE), kind))
        if outcome.is_bad:
            self._keep(kind, data, outcome)

    def _keep(self, kind: str, data: bytes, outcome: Outcome) -> None:
        self.bad.append(f"{outcome.what} ({kind}, {len(data)} bytes, {outcome.seconds:.2f} s) {outcome.error}")
        sort = outcome.error.split(":")[0] or f"{outcome.what} {kind}"
        if self.keep and sort not in self.seen:
            self.seen.add(sort)
            least = smaller(data, lambda less: judge(less).error == outcome.error) if outcome.error else data
            self.keep.mkdir(parents=True, exist_ok=True)
            (self.keep / f"{outcome.what}-{hashlib.sha256(least).hexdigest()[:8]}.jsonl").write_bytes(least)

    def lines(self, seconds: float) -> Iterator[str]:
        """The summary of the run."""
        total = sum(self.counts.values())
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        told = ", ".join(f"{count} {what}" for what, count in sorted(self.counts.items()))
        yield f"{total:,} cases, {self.bytes / MEGABYTE:,.0f} MB in {seconds / 60:.1f} minutes: {told}"
        yield f"peak memory {memory:,.0f} MB; slowest kind {self.slowest[1]}"
        yield from self.bad[:20]


def structured(name: str, seconds: float, seed: int, keep: Path | None = None) -> Run:
    """Fuzz for so long with damage made by hand."""
    run, random = Run(keep), Random(seed)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        run.take(*case(name, random))
    return run


def megabytes(name: str, seed: int) -> Iterator[tuple[str, int, Outcome]]:
    """How long a hostile megabyte of each kind takes."""
    for kind in MUTATIONS:
        if kind not in ("bytes", "values", "header"):
            data = long_log(name, kind, seed)
            yield kind, len(data), judge(data)


def table(seed: int, name: str = "compile") -> Iterator[str]:
    """How long hostile megabytes take, as lines."""
    for kind, size, outcome in megabytes(name, seed):
        yield f"{kind:12}{size:>10,} bytes judged in {outcome.seconds:.2f} s  {outcome.what} {outcome.error}".rstrip()


@click.command()
@click.option("--minutes", default=1.0, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--ruleset", "name", default="compile", show_default=True)
@click.option("--keep", type=click.Path(path_type=Path), help="Write the smallest form of each bad case there.")
def main(minutes: float, seed: int, name: str, keep: Path | None) -> None:
    """Fuzz, and print what came of it."""
    for line in table(seed, name):
        click.echo(line)
    start = time.monotonic()
    run = structured(name, 60 * minutes, seed, keep)
    for line in run.lines(time.monotonic() - start):
        click.echo(line)
    sys.exit(1 if run.bad else 0)


if __name__ == "__main__":
    main()
