"""Findings that an editor has dismissed, with a reason and a name.

A dismissal holds as long as all passages of the finding keep their words; it lapses when one of them changes.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from audit.errors import AuditError
from audit.rulebooks.findings import Finding


class DismissalError(AuditError):
    """A dismissal cannot be made or read: what is wrong, and in which file if it is one."""

    def __init__(self, why: str, file: str = "") -> None:
        super().__init__(f"{file}: {why}" if file else why)
        self.why = why
        self.file = file


class Dismissal(Struct, frozen=True, forbid_unknown_fields=True):
    """Who set a finding aside, why, when, and the marks of the passages at that time by language."""

    finding: str
    rule: str
    kind: str
    reason: str
    author: str
    at: str
    fingerprints: dict[str, str]

    def holds_for(self, finding: Finding) -> bool:
        """Whether the finding is the one dismissed and no passage of it has changed since."""
        return finding.id == self.finding and _prints(finding) == self.fingerprints


class Triage(Struct, frozen=True):
    """Findings to act on, findings set aside with their dismissal, and dismissals that have lapsed.

    `compared` is how many pairs of languages that both say a rule were compared, `left_out` which were not.
    """

    open: tuple[Finding, ...]
    dismissed: tuple[tuple[Finding, Dismissal], ...]
    lapsed: tuple[Dismissal, ...]
    compared: int = 0
    left_out: tuple[tuple[str, str, str], ...] = ()


def dismissed(finding: Finding, reason: str, author: str) -> Dismissal:
    """A dismissal of a finding as it stands now; raises `DismissalError` without a reason or an author."""
    if not reason.strip() or not author.strip():
        raise DismissalError("a dismissal needs a reason and an author")
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return Dismissal(finding.id, finding.rule, finding.kind, reason.strip(), author.strip(), now, _prints(finding))


def triage(findings: Iterable[Finding], dismissals: Mapping[str, Dismissal]) -> Triage:
    """The findings apart: open and set aside; a dismissal of changed words has lapsed and its finding is open."""
    still_open, aside, lapsed = [], [], []
    for finding in findings:
        known = dismissals.get(finding.id)
        if known and known.holds_for(finding):
            aside.append((finding, known))
        else:
            still_open.append(finding)
            lapsed.extend([known] if known else [])
    return Triage(tuple(still_open), tuple(aside), tuple(lapsed))


class DismissalFile:
    """Dismissals in one file, one JSON object a line; the last one about a finding counts."""

    def __init__(self, path: Path) -> None:
        """`path` need not exist yet."""
        self.path = path

    def load(self) -> dict[str, Dismissal]:
        """All dismissals by finding; raises `DismissalError` with the line that cannot be read."""
        if not self.path.exists():
            return {}
        found: dict[str, Dismissal] = {}
        for number, line in enumerate(self.path.read_text("utf-8").splitlines(), 1):
            if line.strip():
                entry = self._entry(line, number)
                found[entry.finding] = entry
        return found

    def add(self, dismissal: Dismissal) -> None:
        """Keep a dismissal."""
        self._write({**self.load(), dismissal.finding: dismissal})

    def withdraw(self, finding: str) -> Dismissal:
        """Take a dismissal back; raises `DismissalError` if there is none."""
        kept = self.load()
        try:
            gone = kept.pop(finding)
        except KeyError:
            raise DismissalError(f"no finding {finding} has been dismissed") from None
        self._write(kept)
        return gone

    def _entry(self, line: str, number: int) -> Dismissal:
        try:
            return msgspec.json.decode(line, type=Dismissal)
        except msgspec.DecodeError as error:
            raise DismissalError(f"line {number}: {error}", str(self.path)) from None

    def _write(self, kept: Mapping[str, Dismissal]) -> None:
        """Whole or not at all."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=".dismissals-")
        with os.fdopen(handle, "wb") as file:
            file.writelines(msgspec.json.encode(entry) + b"\n" for entry in kept.values())
        Path(name).replace(self.path)


def _prints(finding: Finding) -> dict[str, str]:
    return {quote.language: quote.fingerprint for quote in finding.quotes}
