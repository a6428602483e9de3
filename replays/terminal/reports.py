"""Reports of `audit check`: for a judge to read, and as SARIF and JUnit XML because CI systems show them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import cast

from audit.core.catalogue import Catalogue, words
from audit.core.ruleset import ruleset
from audit.core.sentences import edition_words
from audit.core.typography import labelled, sanitize_text
from replays.judging.report import Report
from replays.judging.sentences import Json
from replays.terminal.replay_screen import MARKS, count_lines, edition_lines, summary_lines, word
from replays.terminal.scene_lines import rule_heading

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"illegal": "error", "impossible": "error", "undetermined": "warning"}
MOST_OTHERWISE = 20
"""At most so many events that other editions judge otherwise are listed for a reader."""
MOST_REASONS = 8
"""At most so many reasons why steps were not judged are listed for a reader."""


def text(report: Report, language: str) -> Iterator[str]:
    """One log's report: each finding with its place, what was wrong, the rule and what was expected."""
    yield f"{report.log}  {report.game}".rstrip()
    if report.edition != ruleset(report.ruleset).catalogue.edition(""):
        yield "  " + word(language, "edition", name=edition_words(report.edition, language))
    for finding in report.findings:
        yield from _finding(finding, ruleset(report.ruleset).catalogue, language)
    yield "  " + "  ".join(
        summary_lines(
            language,
            report.events,
            report.inferred,
            len(report.findings),
            report.fidelity,
            report.diverged_from,
            report.is_whole,
        )
    )
    yield from (f"  {line}" for line in edition_report(report, language))
    yield from (f"  {line}" for line in judged_lines(report, language))
    if report.torn:
        yield "  " + word(language, "torn", line=report.torn)


def edition_report(report: Report, language: str) -> Iterator[str]:
    """The events that other editions judge otherwise, and which entry makes the difference."""
    if report.otherwise:
        yield word(language, "otherwise", n=len(report.otherwise))
    for event in report.otherwise[:MOST_OTHERWISE]:
        said = labelled(language, f"seq {event['seq']}", " ".join(edition_lines(event, language)))
        yield f"  {MARKS[str(event['verdict'])]} {said}"
    if len(report.otherwise) > MOST_OTHERWISE:
        yield "  …"


def judged_lines(report: Report, language: str) -> Iterator[str]:
    """How much of the game was judged, and why the rest was not; and what stands no longer."""
    if report.superseded:
        yield word(language, "superseded_note", n=report.superseded)
    for key, seqs in (("gaps", report.gaps), ("positions_set", report.positions_set), ("flagged", report.flagged)):
        if seqs:
            yield word(language, key, n=len(seqs), seqs=_listed(seqs))
    missing = report.steps - report.judged
    if not report.steps:
        return
    if not missing:
        yield word(language, "all_judged", n=report.steps)
        return
    yield word(language, "judged", judged=report.judged, all=report.steps, n=missing)
    for reason in report.unchecked[:MOST_REASONS]:
        at = cast(Sequence[int], reason["at"])
        more = ", …" if cast(int, reason["steps"]) > len(at) else ""
        where = word(language, "at_events", n=len(at), seqs=_listed(at) + more)
        yield f"  {reason['steps']} × {reason['reason'] or word(language, 'other_reasons')} ({where})"
    if (others := len(report.unchecked) - MOST_REASONS) > 0:
        yield f"  {word(language, 'more_reasons', n=others)}"


def _listed(seqs: Sequence[int]) -> str:
    more = ", …" if len(seqs) > MOST_REASONS else ""
    return ", ".join(map(str, seqs[:MOST_REASONS])) + more


def _finding(finding: Json, catalogue: Catalogue, language: str) -> Iterator[str]:
    where = f"seq {finding['seq']}"
    if finding.get("turn"):
        of_player = f", {finding['player']}" if finding["player"] else ""
        where += f", {_when(finding, catalogue, language)}{of_player}"
    yield f"  {MARKS[str(finding['verdict'])]} {labelled(language, where, finding['message'])}"
    rules = _rules(finding)
    if rules:
        yield f"      {rule_heading(catalogue, catalogue[rules[0]], language)}  {finding['statement']}"
    yield from (f"      {line}" for line in count_lines(finding))
    for expected in cast(Sequence[str], finding["expected_text"])[:3]:
        yield f"      {labelled(language, word(language, 'expected'), expected)}"


def _when(finding: Json, catalogue: Catalogue, language: str) -> str:
    """The turn, or what the game counts instead, with the round where the log tells it."""
    turn = words(catalogue.package, language, "scene").get("turn", word(language, "turn"))
    round = f"{word(language, 'round', round=finding['round'])}, " if finding.get("round") else ""
    return round + turn.format(turn=finding["turn"])


def sarif(reports: Sequence[Report], language: str) -> str:
    """All findings as one SARIF 2.1.0 run; a finding's region is its line in the log."""
    from replays.judging.versions import engine

    used = sorted({(report.ruleset, rule) for report in reports for f in report.findings for rule in _rules(f)[:1]})
    driver = {
        "name": "audit",
        "version": engine(),
        "rules": [{"id": rule, "shortDescription": {"text": _statement(game, rule, language)}} for game, rule in used],
    }
    results = [_result(report, finding) for report in reports for finding in report.findings]
    run = {"tool": {"driver": driver}, "artifacts": [_artifact(report) for report in reports], "results": results}
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2)


def _result(report: Report, finding: Json) -> Json:
    line = cast(int, finding["seq"]) + 1
    place = {"artifactLocation": {"uri": report.log}, "region": {"startLine": line}}
    return {
        "ruleId": next(iter(_rules(finding)), "unexpected"),
        "level": _LEVELS[str(finding["verdict"])],
        "message": {"text": finding["message"]},
        "locations": [{"physicalLocation": place}],
    }


def _artifact(report: Report) -> Json:
    """A log, with how much of it was judged."""
    names = (
        "steps", "judged", "unchecked", "superseded", "gaps", "positions_set", "flagged", "engine", "catalogue",
        "edition", "otherwise",
    )  # fmt: skip
    return {"location": {"uri": report.log}, "properties": {name: getattr(report, name) for name in names}}


def _rules(finding: Json) -> Sequence[str]:
    return cast(Sequence[str], finding["rules"])


def _statement(game: str, rule: str, language: str) -> str:
    catalogue = ruleset(game).catalogue
    return catalogue.statement(catalogue[rule], language)


def junit(reports: Sequence[Report], language: str) -> str:
    """One test case a log; its findings are the failures."""
    from xml.etree import ElementTree

    suite = ElementTree.Element("testsuite", name="audit", tests=str(len(reports)))
    suite.set("failures", str(sum(bool(report.findings) for report in reports)))
    for report in reports:
        case = ElementTree.SubElement(suite, "testcase", name=sanitize_text(report.log), classname=report.ruleset)
        said = ElementTree.SubElement(case, "properties")
        for name in ("steps", "judged", "superseded", "engine", "catalogue", "edition"):
            ElementTree.SubElement(said, "property", name=name, value=str(getattr(report, name)))
        if report.findings:
            first = report.findings[0]
            failure = ElementTree.SubElement(
                case, "failure", message=sanitize_text(str(first["message"])), type=str(first["verdict"])
            )
            failure.text = sanitize_text("\n".join(text(report, language)))
        if lines := [*edition_report(report, language), *judged_lines(report, language)]:
            ElementTree.SubElement(case, "system-out").text = sanitize_text("\n".join(lines))
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True)
