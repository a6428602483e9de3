"""Checks a published file against the seal inside it, without the log it was made from.

Only a file published for a judge can be checked: it holds the whole log, and the seal with its signatures. A file
for another viewer leaves cards out, so it cannot be compared with the seal.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from audit.schema_text import count_noun
from replays.log.canonical import Chain
from replays.seals.keys import PublicKey
from replays.seals.seal import Seal
from replays.seals.verify import ALTERED, REMOVED, BadLine, Verification, forged, signatures_of
from web.publishing.record import Record, RecordError, original_of, read_record

_ANNOTATIONS = re.compile(rb'<script type="application/json" id="annotations">(.*?)</script>', re.S)


def check_published(file: str | Path, trusted: Iterable[PublicKey] = (), *, needs_trust: bool = False) -> Verification:
    """Check a published page or record against the seal in it; raises `RecordError` where it is neither."""
    record = record_of(Path(file).read_bytes())
    seal = original_of(record)
    heads = _heads(record)
    signatures = signatures_of(seal, trusted)
    return Verification(
        file=str(file), checked=len(heads), events=len(heads) - 1, head=heads[-1] if heads else "",
        pinned_by=("seal",) if seal and len(seal.lines) == len(heads) else (),
        bad=forged(signatures) or (_difference(seal, heads) if seal else None), signatures=signatures,
        unsigned=needs_trust and not any(each.is_valid and each.is_trusted for each in signatures),
    )  # fmt: skip


def record_of(data: bytes) -> Record:
    """The record of a published file, be it the record itself or a page that carries it; raises `RecordError`."""
    if found := _ANNOTATIONS.search(data):
        return read_record(found[1])
    return read_record(data)


def _heads(record: Record) -> list[str]:
    chain, heads = Chain(), []
    for line in record.log:
        chain.add(json.dumps(line, ensure_ascii=False).encode())
        heads.append(chain.head.hex())
    return heads


def _difference(seal: Seal, heads: list[str]) -> BadLine | None:
    sealed = len(seal.lines)
    if len(heads) < sealed:
        missing = count_noun(sealed - len(heads), "line")
        return BadLine(len(heads) + 1, REMOVED, f"the game ends here; {missing} more were sealed")
    if heads[sealed - 1] != seal.head:
        return BadLine(0, ALTERED, "the game in this file is not the one that was sealed")
    return None


__all__ = ["RecordError", "check_published", "record_of"]
