"""A table with its judge: a game that is sealed, signed and published, for others to tamper with."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import cast

from replays.trust.keys import key, keys, make_key
from replays.trust.seal import Seal, beside, read_seal, seal_file
from replays.trust.verify import Signers
from tests.short_games import first_events
from web.publishing.check import PublishedCheck, check_published
from web.publishing.files import publish
from web.publishing.record import encoded
from web.publishing.sources import Source, source_at

JUDGE = "table-9"
EVENTS = 75
"""So many events of a game are enough for findings, hidden cards, and files of both."""
Json = dict[str, object]
_RECORD = re.compile(rb'<script type="application/json" id="annotations">(.*?)</script>', re.S)


class Table:
    """A sealed game in a folder. `publish` writes a file of it, `check` asks for the judge's signature."""

    def __init__(self, folder: Path, sample: str = "dispute", events: int | None = None) -> None:
        self.folder = folder
        self._published: dict[tuple[bytes, str, str, str | None], bytes] = {}
        self.log = folder / f"{sample}.jsonl"
        self.log.write_bytes(first_events(sample, events))
        if not any(one.name == JUDGE for one in keys()):
            make_key(JUDGE)
        seal_file(self.log, JUDGE, at="2025-09-01T12:00:00+00:00")

    @property
    def source(self) -> Source:
        return source_at(self.log)

    @property
    def seal(self) -> Seal:
        return read_seal(beside(self.log))

    def publish(self, form: str, viewer: str = "judge", key: str | None = None) -> Path:
        path = self.folder / f"{viewer}.{form}"
        wanted = (self.log.read_bytes(), form, viewer, key)
        if wanted not in self._published:
            self._published[wanted] = publish(self.source, form, viewer, key=key)
        path.write_bytes(self._published[wanted])
        return path

    def check(self, file: Path, log: Path | None = None) -> PublishedCheck:
        return check_published(file, judge(), log=log)


def judge(*names: str) -> Signers:
    """Who asks for the judge's signature, or for those of others."""
    return Signers(tuple(key(name) for name in names or (JUDGE,)), every=True, known=keys())


def record_in(file: Path) -> Json:
    """The record of a published file."""
    data = file.read_bytes()
    found = _RECORD.search(data)
    return cast(Json, json.loads(found[1] if found else data))


def forged(file: Path, change: Callable[[Json], object]) -> Path:
    """The same file with a changed record."""
    data, record = file.read_bytes(), record_in(file)
    change(record)
    if not data.startswith(b"<"):
        return rewritten(file, encoded(record))
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    safe = text.translate({ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}).encode()
    return rewritten(file, data.replace(cast(re.Match[bytes], _RECORD.search(data))[1], safe))


def rewritten(file: Path, data: bytes) -> Path:
    """The same file with other bytes; they have to be others."""
    assert data != file.read_bytes()
    file.write_bytes(data)
    return file
