"""What is said of a whole game: its findings, how far it can be trusted, and by what it was judged."""

from __future__ import annotations

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.model import Verdict
from audit.core.record_events import Flagged, Gap, PositionSet
from audit.core.ruleset import ruleset
from audit.core.steps import LEGAL
from replays.judging.annotate import Annotator
from replays.judging.editions import EditionsBeside, by_edition
from replays.judging.facts import Facts, FactsTaker
from replays.judging.replay import with_reading
from replays.judging.sentences import Json
from replays.judging.tally import Tally
from replays.log.reader import Log


class Report(Struct):
    """What `audit check` says of one log. The counts are of the steps that stand; `events` is of all there are.

    `judged` of the steps of the game were judged; `unchecked` says why the others were not, each reason with
    how many steps, and the seqs `at` the first of them.
    `superseded` is how many events are amended or taken back. `gaps`, `positions_set` and `flagged` are the seqs of
    such events that stand.
    """

    log: str
    game: str
    ruleset: str
    reading: str
    edition: str
    events: int
    inferred: int
    fidelity: str
    diverged_from: int | None
    verdicts: dict[str, int]
    findings: list[Json]
    judged: int = 0
    unchecked: list[Json] = []
    superseded: int = 0
    gaps: list[int] = []
    positions_set: list[int] = []
    flagged: list[int] = []
    torn: int | None = None
    engine: str = ""
    """The version of this program that judged, and the fingerprint of the catalogue it judged by."""
    catalogue: str = ""
    otherwise: list[Json] = []
    """The events that other editions judge otherwise: the verdict of each edition, and what makes the difference."""

    @property
    def is_whole(self) -> bool:
        """Whether every step was judged and nothing is missing in between."""
        return self.judged == self.steps and not self.gaps

    @property
    def steps(self) -> int:
        """How many steps of the game stand, judged or not."""
        return self.judged + self.verdicts[Verdict.UNCHECKED.value]

    def json(self) -> Json:
        """The report in its published shape."""
        data: Json = msgspec.to_builtins(self)
        return {key: value for key, value in data.items() if value is not None}


def check(
    log: Log,
    *,
    language: str = "en",
    reading: str | None = None,
    complete: bool = False,
    most: int = 10_000,
    versions: bool = True,
) -> Report:
    """Go over a log of any length in constant memory and report its findings.

    Keeps at most so many findings; the counts are of all. `complete` judges the log as one that tells everything.
    Without `versions` it is not told what judged: to know that, every file of this program is read.
    """
    report = _checked(log, language, reading, complete, most, None)
    return _with_versions(report) if versions else report


def check_with_facts(
    log: Log, *, language: str = "en", reading: str | None = None, complete: bool = False, most: int = 10_000
) -> tuple[Report, Facts]:
    """The same, and what statistics keep of the game."""
    header = with_reading(log.header, reading)
    taker = FactsTaker(ruleset(header.ruleset), header)
    report = _with_versions(_checked(log, language, reading, complete, most, taker))
    return report, taker.facts(report.verdicts, {finding["seq"] for finding in report.findings})


def _checked(
    log: Log, language: str, reading: str | None, complete: bool, most: int, taker: FactsTaker | None
) -> Report:
    header = with_reading(log.header, reading)
    header = replace(header, complete=True) if complete else header
    game = ruleset(header.ruleset)
    annotator = Annotator(game, language, header=header)
    tally = Tally(most)
    beside = EditionsBeside(game, header, most)
    for step in audit(game, header, beside.events(log), log.start() if reading is None else None):
        beside.add(step)
        if taker is not None:
            taker.take(step)
        if step.verdict is LEGAL:
            tally.count(step)
        else:
            tally.count(step, annotator.finding(step) if step.verdict.is_finding else None, annotator.reason(step))
    beside.compare()
    fidelity = tally.fidelity
    return Report(
        log.name, header.game, header.ruleset, header.reading, game.catalogue.edition(header.edition), tally.events,
        fidelity.inferred, fidelity.grade, fidelity.diverged_from, tally.counts, tally.findings, tally.judged,
        tally.reasons, tally.superseded,
        tally.noted(Gap), tally.noted(PositionSet), tally.noted(Flagged),
        log.torn.line if log.torn else None,
        otherwise=[{"seq": seq, "verdict": own.value, **by_edition(others)} for seq, own, others in beside.found],
    )  # fmt: skip


def _with_versions(report: Report) -> Report:
    from replays.judging.versions import engine, fingerprint

    report.engine, report.catalogue = engine(), fingerprint(report.ruleset)
    return report
