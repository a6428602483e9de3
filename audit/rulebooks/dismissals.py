"""Findings that an editor has dismissed, with a reason and a name, and findings given to a person to see to.

Both hold as long as all passages of the finding keep their words; they lapse when one of them changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from audit.rulebooks.decisions import Decision, DecisionError, prints
from audit.rulebooks.findings import Finding


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
