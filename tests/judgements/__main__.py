"""Keeps what the auditor says now of the kept logs and of the cases.

python -m tests.judgements [GAME …]            after a change that is meant: then look at what git shows as changed
python -m tests.judgements --logs [GAME …]     write other logs as well
"""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator, Sequence
from random import Random

import msgspec
from msgspec.structs import replace

from audit.core.event_rules import numbered
from audit.core.model import Event, Header
from audit.core.ruleset import Ruleset, ruleset, rulesets
from bench.mistakes import at_random, kinds_of, planted
from replays.generating.telling import choices, partly_written, viewer_log
from tests.judgements.kept import FOLDER, KeptLog, audited, cases, digests, judgements, logs

GAMES = 120
SEED = 20
BEFORE, AFTER = 8, 14
"""So many events before and after a mistake are kept; every word is noted of those."""
CLEAN = 3
LONGEST = 90


def new_logs(name: str) -> Iterator[KeptLog]:
    """The two shortest games with each kind of mistake, and a few games told whole, in choices, and by one viewer."""
    game = ruleset(name)
    played = [(header, list(events)) for header, events in at_random(name, GAMES, SEED)]
    shortest: dict[str, KeptLog] = {}
    for number, (header, events) in enumerate(played):
        for kind, mutant in planted(game, header, events, kinds_of(name), Random(SEED + number)):
            log = _log(kind, header, mutant.events[: mutant.at + AFTER], since=max(1, mutant.at - BEFORE))
            which = f"{kind}, {number % 2 + 1}"
            if which not in shortest or len(log.events) < len(shortest[which].events):
                shortest[which] = replace(log, name=which)
    yield from shortest.values()
    for number, (header, events) in enumerate(sorted(played, key=lambda one: len(one[1]))[:CLEAN]):
        yield from _told_in_other_ways(game, f"game {number + 1}", header, events)


def _told_in_other_ways(game: Ruleset[object], name: str, header: Header, events: Sequence[Event]) -> Iterator[KeptLog]:
    seat = game.disclosure.seats(header)[0]
    yield _log(name, header, events[:LONGEST])
    told = replace(header, complete=False)
    yield _log(f"{name}, choices", told, list(choices(game, header, events))[:LONGEST])
    yield _log(f"{name}, half", told, list(partly_written(game, header, events, Random(SEED)))[:LONGEST])
    for viewer in (seat, "public"):
        head, seen = viewer_log(game, header, events, viewer)
        yield _log(f"{name}, {viewer}", head, list(seen)[:LONGEST])


def _log(name: str, header: Header, events: Sequence[Event], since: int = 1) -> KeptLog:
    told = [numbered(event, seq) for seq, event in enumerate(events, 1)]
    return KeptLog(name, header, tuple(msgspec.json.decode(msgspec.json.encode(event)) for event in told), since)


def keep(name: str, *, others: bool) -> None:
    """Write what is said now of a game's logs and cases."""
    if others:
        lines = b"\n".join(msgspec.json.encode(log) for log in new_logs(name))
        (FOLDER / f"{name}.logs.jsonl.gz").write_bytes(gzip.compress(lines, mtime=0))
    everything = [*cases(name), *logs(name)]
    steps = "".join(f"{log.name}\t{' '.join(digests(log))}\n" for log in everything)
    (FOLDER / f"{name}.steps.tsv").write_text(steps, "utf-8")
    counted = judgements(step for log in everything for step in audited(log))
    rows = "".join(f"{number}\t{judgement}\n" for judgement, number in sorted(counted.items()))
    (FOLDER / f"{name}.judgements.tsv").write_text(rows, "utf-8")


def main(words: Sequence[str]) -> None:
    """Write the files of the games named, or of all."""
    for name in [word for word in words if not word.startswith("-")] or rulesets():
        keep(name, others="--logs" in words)


if __name__ == "__main__":
    main(sys.argv[1:])
