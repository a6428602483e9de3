"""What an editor decided about a finding: dismissed with a reason, or given to a person to see to.

Both hold as long as all passages of the finding keep their words; they lapse when one of them changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Generic, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from audit.core.errors import AuditError
from audit.core.files import alone_in, write_whole
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


class Dismissal(Decision, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Who set a finding aside, and why."""

    reason: str
    author: str


class Assignment(Decision, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """To whom a finding was given, and by whom."""

    to: str
    by: str


class Triage(Struct, frozen=True):
    """Findings to act on, findings set aside with their dismissal, and dismissals that have lapsed.

    `compared` is how many pairs of languages that both say a rule were compared, `left_out` which were not.
    `unassigned` are assignments that have lapsed, `gaps` is how many rules only some of the documents say. `unfound`
    are the dismissals among those that have lapsed of which the finding is not found in the changed words.
    """

    open: tuple[Finding, ...]
    dismissed: tuple[tuple[Finding, Dismissal], ...]
    lapsed: tuple[Dismissal, ...]
    compared: int = 0
    left_out: tuple[tuple[str, str, str], ...] = ()
    unassigned: tuple[Assignment, ...] = ()
    gaps: int = 0
    unfound: tuple[Dismissal, ...] = ()

    def people(self) -> dict[str, int]:
        """How many open findings each person has; those of nobody under the empty name, if anybody has one."""
        counts = Counter(finding.assigned for finding in self.open)
        return dict(sorted(counts.items())) if any(counts) else {}


def dismissed(finding: Finding, reason: str, author: str) -> Dismissal:
    """A dismissal of a finding as it stands now; raises `DecisionError` without a reason or an author."""
    if not reason.strip() or not author.strip():
        raise DecisionError("a dismissal needs a reason and an author")
    return Dismissal(
        finding=finding.id, rule=finding.rule, kind=finding.kind, reason=reason.strip(), author=author.strip(),
        at=_now(), fingerprints=prints(finding),
    )  # fmt: skip


def assigned(finding: Finding, to: str, by: str) -> Assignment:
    """A finding given to a person as it stands now; raises `DecisionError` without both names."""
    return given(finding.id, finding.rule, finding.kind, to, by, prints(finding))


def given(
    id: str, rule: str, kind: str, to: str, by: str, words: Mapping[str, str] | None = None
) -> Assignment:  # fmt: skip
    """A finding or a task given to a person; raises `DecisionError` without both names."""
    if not to.strip() or not by.strip():
        raise DecisionError("an assignment needs the name of the person and the name of who assigns")
    return Assignment(
        finding=id, rule=rule, kind=kind, to=to.strip(), by=by.strip(), at=_now(), fingerprints=dict(words or {})
    )  # fmt: skip


def triage(
    findings: Iterable[Finding],
    dismissals: Mapping[str, Dismissal],
    assignments: Mapping[str, Assignment] | None = None,
    unfound: Iterable[Dismissal] = (),
) -> Triage:
    """The findings apart: open and set aside; a dismissal of changed words has lapsed and its finding is open.

    `unfound` are dismissals that have lapsed without a finding. Each finding carries the name of the person it is
    assigned to.
    """
    still_open, aside, lapsed, unassigned = [], [], [], []
    for finding in findings:
        known, given = dismissals.get(finding.id), (assignments or {}).get(finding.id)
        if given and given.holds_for(finding):
            finding = replace(finding, assigned=given.to)
        elif given:
            unassigned.append(given)
        if known and known.holds_for(finding):
            aside.append((finding, known))
        else:
            still_open.append(finding)
            lapsed.extend([known] if known else [])
    lost = tuple(unfound)
    return Triage(tuple(still_open), tuple(aside), (*lapsed, *lost), unassigned=tuple(unassigned), unfound=lost)


def reworded(dismissals: Iterable[Dismissal], there: Mapping[str, Set[str]]) -> Iterator[Dismissal]:
    """The dismissals of words that do not stand any more; `there` has the marks of the words by language."""
    for one in dismissals:
        marks = [(there.get(language), mark) for language, mark in one.fingerprints.items() if mark]
        if any(standing is not None and mark not in standing for standing, mark in marks):
            yield one


def of_person(result: Triage, person: str) -> Triage:
    """What is assigned to one person; of `-` what is assigned to nobody."""
    name = "" if person == "-" else person.strip().casefold()
    mine = [finding for finding in result.open if finding.assigned.casefold() == name]
    aside = [(finding, why) for finding, why in result.dismissed if finding.assigned.casefold() == name]
    return replace(result, open=tuple(mine), dismissed=tuple(aside))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
