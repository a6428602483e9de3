"""Hides every field that a viewer's file shows, one at a time, and counts what is told as withheld.

Whoever hides a field has the secret of the seal, so that the file still proves what is left. The viewer's own log in
the file is made to agree. A field is told if it is named as withheld, or if the log in the file cannot be judged then.

Usage: python -m bench.attacks_veils [--games dispute,hidden,kept-by-hand,altered-duel,lotr-journey]
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from audit.core.errors import AuditError
from bench.attacks import SAMPLES
from replays.trust.commitments import is_hidden, line_salt, opening
from replays.trust.seal import beside, read_seal, seal_file
from web.publishing.disclosed import shown_lines, whole_line
from web.publishing.files import publish
from web.publishing.record import Record, read_record, source_of_record
from web.publishing.sources import source_at
from web.publishing.withheld import withheld

GAMES = "dispute,hidden,kept-by-hand,altered-duel,lotr-journey"
CARDS = frozenset({"card", "by"})


def veils(log: Path, viewer: str) -> Iterator[tuple[str, str, bool]]:
    """Each event type and field that was hidden, and whether it was told."""
    seal_file(log)
    source, secret = source_at(log), read_seal(beside(log)).secret_bytes()
    record = read_record(publish(source, "json", viewer))
    shown = shown_lines(record.log[0], record.steps)
    assert record.proof
    for at, how in enumerate(record.proof.openings[1:], 1):
        line = whole_line(source, at)
        for field in line.keys() - {"seq", "type"}:
            if field not in shown[at] or (isinstance(how, dict) and is_hidden(how.get(field))):
                continue
            rest = {name: value for name, value in shown[at].items() if name != field}
            openings = [*record.proof.openings[:at], opening(line, rest, line_salt(secret, at))]
            yield str(line["type"]), field, _is_told(_without(record, at, field), openings, {**shown, at: rest})


def _without(record: Record, seq: int, field: str) -> Record:
    """The record whose viewer's log does not have the field either; a card gets a handle."""
    log = [dict(line) for line in record.log]
    for line in log[1:]:
        if line.get("x-seq", line["seq"]) == seq and field in line:
            del line[field]
            line |= {field: "?99"} if field in CARDS else {}
    return replace(record, log=log)


def _is_told(record: Record, openings: list[object], shown: dict[int, dict[str, object]]) -> bool:
    try:
        found = withheld(record.viewer, source_of_record(record), openings, shown)
    except AuditError:
        return True
    return any(each.startswith(f"line {len(openings)}:") for each in found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", default=GAMES)
    tried: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["AUDIT_DATA_DIR"] = folder
        for game in parser.parse_args().games.split(","):
            log = Path(folder) / f"{game}.jsonl"
            log.write_bytes((SAMPLES / log.name).read_bytes())
            for viewer in ("public", source_at(log).header.players[0].seat):
                for kind, field, told in veils(log, viewer):
                    tried[game] += 1
                    missed[f"{game}, for {viewer}: {kind}.{field}"] += not told
    for game, times in tried.items():
        print(f"{game:20} {times:6,} fields hidden")
    for what, times in sorted((+missed).items()):
        print(f"not told: {what} {times}")
    print(f"{sum(tried.values()):,} tried, {sum(missed.values()):,} not told")


if __name__ == "__main__":
    main()
