"""Changes sealed logs and published files at random, and counts how many are noticed.

A change is noticed if the answer is no longer "intact", or if the file cannot be read. Every change that is not
noticed is printed: there should be none.

With `--counts FILE` the counts are kept in that file after each piece of 250 changes. Whoever gives the same file and
the same seed again goes on where the former run was stopped; another seed adds its changes to the same counts.

With `--all` the other attacks follow: on every value of a page, on what a file hides, on the store and on the commands
that write.

Usage: python -m bench.attacks [--logs 40000] [--files 10000] [--seed 1] [--counts FILE] [--all]
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from audit.core.errors import AuditError
from replays.trust.keys import key, make_key
from replays.trust.seal import Seal, beside, read_seal, seal_file
from replays.trust.verify import Signers, verify
from web.publishing import check
from web.publishing.disclosed import Proof
from web.publishing.files import Composed, compose, publish
from web.publishing.record import encoded
from web.publishing.sheet import Quoted
from web.publishing.sources import Source, source_at

SAMPLES = Path(__file__).resolve().parents[1] / "replays" / "samples"
NAMES = ("altered-two-teams", "dispute", "lotr-crows")
VIEWERS = ("judge", "public")
PAGES = 25
"""One file in so many is a page; the others are records, which are checked faster."""

MORE = ("attacks_nodes", "attacks_veils", "attacks_store", "attacks_writes")

Change = Callable[[random.Random, bytes], bytes]


def byte_changed(dice: random.Random, data: bytes) -> bytes:
    at = dice.randrange(len(data))
    return data[:at] + bytes([dice.randrange(256)]) + data[at + 1 :]


def byte_put_in(dice: random.Random, data: bytes) -> bytes:
    at = dice.randrange(len(data) + 1)
    return data[:at] + bytes([dice.randrange(256)]) + data[at:]


def stretch_left_out(dice: random.Random, data: bytes) -> bytes:
    at = dice.randrange(len(data))
    return data[:at] + data[at + 1 + dice.randrange(60) :]


def cut_short(dice: random.Random, data: bytes) -> bytes:
    return data[: dice.randrange(len(data))]


def stretch_twice(dice: random.Random, data: bytes) -> bytes:
    at, length = dice.randrange(len(data)), 1 + dice.randrange(200)
    return data[:at] + data[at : at + length] + data[at:]


def stretches_swapped(dice: random.Random, data: bytes) -> bytes:
    one, two, three = sorted(dice.sample(range(len(data) + 1), 3))
    return data[:one] + data[two:three] + data[one:two] + data[three:]


def line_changed(dice: random.Random, data: bytes) -> bytes:
    """A line is left out, told twice, moved, or takes another's place."""
    lines = data.splitlines(keepends=True)
    at, to = dice.randrange(len(lines)), dice.randrange(len(lines))
    line = lines.pop(at) if dice.random() < 0.7 else lines[at]
    if dice.random() < 0.7:
        lines.insert(to, line)
    return b"".join(lines)


def value_changed(dice: random.Random, data: bytes) -> bytes:
    """A value in one line becomes another that such a log may have."""
    lines = data.splitlines(keepends=True)
    at = dice.randrange(len(lines))
    line = json.loads(lines[at])
    _changed(dice, line)
    lines[at] = json.dumps(line).encode() + b"\n"
    return b"".join(lines)


def record_changed(dice: random.Random, data: bytes) -> bytes:
    """A value somewhere in a record is changed, and the record is written as we write it."""
    record = json.loads(data)
    _changed(dice, record)
    return encoded(record)


def _changed(dice: random.Random, value: object) -> None:
    inside: Any = value if isinstance(value, dict | list) else {}
    while keys := list(inside) if isinstance(inside, dict) else list(range(len(inside))):
        at = dice.choice(keys)
        if isinstance(inside[at], dict | list) and inside[at] and dice.random() >= 0.1:
            inside = inside[at]
        elif dice.random() < 0.3:
            del inside[at]
            return
        else:
            inside[at] = dice.choice(OTHERS)
            return


OTHERS: Sequence[object] = (
    None, True, False, 0, 1, 2, -1, 3.5, "", "A", "B", "legal", "?1", "fire-1", [], {}, ["fire-1"],
)  # fmt: skip

RAW: tuple[Change, ...] = (byte_changed, byte_put_in, stretch_left_out, cut_short, stretch_twice, stretches_swapped)
OF_LOGS: tuple[Change, ...] = (*RAW, line_changed, value_changed)
OF_RECORDS: tuple[Change, ...] = (*RAW, record_changed, record_changed, record_changed, record_changed)


PIECE = 250
"""So many changes are drawn from one random generator, and counted together."""


class Count(msgspec.Struct):
    """How many changes of each kind were tried and noticed, which were missed, and which pieces are done."""

    tried: dict[str, int] = msgspec.field(default_factory=dict)
    noticed: dict[str, int] = msgspec.field(default_factory=dict)
    missed: list[str] = msgspec.field(default_factory=list)
    pieces: list[str] = msgspec.field(default_factory=list)

    def add(self, kind: str, answer: str, where: str) -> None:
        self.tried[kind] = self.tried.get(kind, 0) + 1
        if answer == "intact":
            self.missed.append(where)
        else:
            self.noticed[kind] = self.noticed.get(kind, 0) + 1

    def lines(self) -> Iterator[str]:
        yield f"{'kind':48}{'changes':>9}{'noticed':>9}{'missed':>9}"
        for kind in sorted(self.tried):
            seen = self.noticed.get(kind, 0)
            yield f"{kind:48}{self.tried[kind]:>9,}{seen:>9,}{self.tried[kind] - seen:>9,}"
        total, seen = sum(self.tried.values()), sum(self.noticed.values())
        yield f"{'all':48}{total:>9,}{seen:>9,}{total - seen:>9,}"
        yield from self.missed[:20]


Attack = Callable[[Count, Path, int, random.Random], None]


def in_pieces(attack: Attack, count: Count, folder: Path, times: int, seed: int, kept: Path | None) -> None:
    """Try so many changes, piece by piece; pieces that were done before are passed over."""
    for start in range(0, times, PIECE):
        piece = f"{attack.__name__} {seed} {start} {min(PIECE, times - start)}"
        if piece in count.pieces:
            continue
        attack(count, folder, min(PIECE, times - start), random.Random(piece))
        count.pieces.append(piece)
        if kept:
            _write(kept, count)


def _write(kept: Path, count: Count) -> None:
    new = kept.with_suffix(".new")
    new.write_bytes(msgspec.json.encode(count))
    new.replace(kept)


def attack_logs(count: Count, folder: Path, times: int, dice: random.Random) -> None:
    """Change logs that the judge has sealed, and verify them by the judge's key."""
    logs = _all_sealed(folder)
    while times > 0:
        name, change = dice.choice(NAMES), dice.choice(OF_LOGS)
        log, seal = logs[name]
        data = change(dice, log)
        if data == log:
            continue
        times -= 1
        count.add(f"log: {change.__name__}", _verified(data, seal), f"{name} {change.__name__}")


@cache
def _all_sealed(folder: Path) -> dict[str, tuple[bytes, Seal]]:
    logs = {name: sealed(folder, name) for name in NAMES}
    return {name: (log.read_bytes(), read_seal(beside(log))) for name, log in logs.items()}


def sealed(folder: Path, name: str) -> Path:
    """A sample in the folder, sealed by the judge."""
    log = folder / f"{name}.jsonl"
    log.write_bytes((SAMPLES / log.name).read_bytes())
    seal_file(log, "judge")
    return log


def _verified(data: bytes, seal: Seal) -> str:
    try:
        return verify(io.BytesIO(data), seal, signers=Signers((key("judge"),))).answer
    except AuditError:
        return "unreadable"


def attack_files(count: Count, folder: Path, times: int, dice: random.Random) -> None:
    """Change published files of these logs. A judge's file is signed by its seal alone, a public one as a whole."""
    _all_sealed(folder)
    file = folder / "changed"
    while times > 0:
        form = "html" if times % PAGES == 0 else "json"
        name, viewer = dice.choice(NAMES), dice.choice(VIEWERS)
        change = dice.choice(RAW if form == "html" else OF_RECORDS)
        data = _published(folder, name, viewer, form)
        changed = change(dice, data)
        if changed in (data, _published(folder, name, viewer, form, is_signed=False)):
            continue  # without the publisher's signature it is still a genuine file, where nothing in it is hidden
        times -= 1
        file.write_bytes(changed)
        kind = f"{form} for {viewer}: {change.__name__}"
        count.add(kind, checked(file), f"{name} {kind}")


@cache
def _published(folder: Path, name: str, viewer: str, form: str, is_signed: bool = True) -> bytes:
    key = "judge" if viewer != "judge" and is_signed else None
    return publish(source_at(folder / f"{name}.jsonl"), form, viewer, key=key)


def checked(file: Path) -> str:
    """The answer of a check of a published file by the judge's key."""
    try:
        return check.check_published(file, Signers((key("judge"),))).answer
    except AuditError:
        return "unreadable"


def remembered() -> None:
    """Make each file of one log only once: what it is made of is the same in most changed files."""
    made: dict[object, Composed] = {}

    def once(
        source: Source, form: str, viewer: str, languages: Sequence[str],
        quotes: Quoted | None = None, proof: Proof | None = None,
    ) -> Composed:  # fmt: skip
        added = repr((source.notes, source.variations, proof))
        name = (source.lines, source.seal, form, viewer, tuple(languages), added, quotes is None)
        if name not in made:
            made[name] = compose(source, form, viewer, languages, quotes, proof)
        return made[name]

    vars(check)["compose"] = once


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--logs", type=int, default=40_000)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--all", action="store_true", help="then the other attacks, each as it is by default")
    parser.add_argument("--counts", type=Path, help="keep the counts in this file, and go on from it")
    asked = parser.parse_args()
    kept: Path | None = asked.counts
    count = msgspec.json.decode(kept.read_bytes(), type=Count) if kept and kept.exists() else Count()
    remembered()
    with tempfile.TemporaryDirectory() as name:
        os.environ["AUDIT_DATA_DIR"] = name
        make_key("judge")
        in_pieces(attack_logs, count, Path(name), asked.logs, asked.seed, kept)
        in_pieces(attack_files, count, Path(name), asked.files, asked.seed, kept)
    print("\n".join(count.lines()))
    for name in MORE if asked.all else ():
        print(f"\n{name}", flush=True)
        subprocess.run([sys.executable, "-m", f"bench.{name}"], check=True)


if __name__ == "__main__":
    main()
