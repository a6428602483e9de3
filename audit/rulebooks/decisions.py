"""What an editor decided about a finding: kept in a file, and holding as long as its passages keep their words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, TypeVar

import msgspec
from msgspec import Struct

from audit.core.errors import AuditError
from audit.core.writing import alone_in, write_whole
from audit.rulebooks.findings import Finding


class DecisionError(AuditError):
    """A decision cannot be made or read: what is wrong, and in which file if it is one."""

    def __init__(self, why: str, file: str = "") -> None:
        super().__init__(f"{file}: {why}" if file else why)
        self.why = why
        self.file = file


class Decision(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """On which finding, when, and the marks of its passages at that time by language."""

    finding: str
    rule: str
    kind: str
    at: str
    fingerprints: dict[str, str]

    def holds_for(self, finding: Finding) -> bool:
        """Whether the finding is the one decided on and no passage of it has changed since."""
        return finding.id == self.finding and prints(finding) == self.fingerprints


Kept = TypeVar("Kept", bound=Decision)


class DecisionFile(Generic[Kept]):
    """Decisions of one sort in one file, one JSON object a line; the last one about a finding counts."""

    def __init__(self, path: Path, sort: type[Kept]) -> None:
        """`path` need not exist yet."""
        self.path = path
        self._sort = sort

    def load(self) -> dict[str, Kept]:
        """All decisions by finding; raises `DecisionError` with the line that cannot be read."""
        if not self.path.exists():
            return {}
        if not self.path.is_file():
            raise DecisionError(f"{self.path.name}: not a plain file")
        lines = enumerate(self.path.read_text("utf-8").splitlines(), 1)
        entries = (self._entry(line, number) for number, line in lines if line.strip())
        return {entry.finding: entry for entry in entries}

    def add(self, decision: Kept) -> None:
        """Keep a decision, in the place of the one before on the same finding."""
        with self._alone():
            self._write({**self.load(), decision.finding: decision})

    def withdraw(self, finding: str) -> Kept:
        """Take a decision back; raises `DecisionError` if there is none."""
        with self._alone():
            kept = self.load()
            gone = kept.pop(finding, None)
            if gone is None:
                raise DecisionError(f"nothing was decided about a finding {finding}")
            self._write(kept)
        return gone

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep others from deciding meanwhile."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with alone_in(self.path.parent):
                yield
        except OSError as problem:
            raise DecisionError(f"cannot be written: {problem.strerror}", str(self.path)) from None

    def _entry(self, line: str, number: int) -> Kept:
        try:
            return msgspec.json.decode(line, type=self._sort)
        except msgspec.DecodeError as error:
            raise DecisionError(f"line {number}: {error}", str(self.path)) from None

    def _write(self, kept: Mapping[str, Kept]) -> None:
        """Whole or not at all."""
        write_whole(self.path, b"".join(msgspec.json.encode(entry) + b"\n" for entry in kept.values()))


def prints(finding: Finding) -> dict[str, str]:
    """The marks of the passages of a finding by language."""
    return {quote.language: quote.fingerprint for quote in finding.quotes}
