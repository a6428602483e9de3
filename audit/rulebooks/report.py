"""The comparison of editions as a report: text, JSON, HTML, CSV, JUnit XML and SARIF."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from urllib.parse import quote as quoted
from xml.etree import ElementTree as ET

import msgspec
from msgspec.structs import replace

from audit.core.errors import AuditError
from audit.core.sentences import sentence
from audit.rulebooks.dismissals import Triage
from audit.rulebooks.findings import PACKAGE, Finding, Kind, Quote, Severity, kind_words, label
from audit.rulebooks.report_html import html
from audit.rulebooks.report_lines import authority, pairs_told

LEVELS: Mapping[Severity, str] = {
    Severity.CHANGES: "error", Severity.MISLEADS: "warning", Severity.COSMETIC: "note",
}  # fmt: skip
SARIF_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_BYTE_ORDER_MARK = "\ufeff"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class FormatError(AuditError):
    """A report has no such format."""

    def __init__(self, format: str) -> None:
        super().__init__(f"no report is called {format!r}; there are {', '.join(FORMATS)}")
        self.format = format


def report(
    result: Triage, format: str, language: str = "en", title: str = "compile", files: Mapping[str, str] | None = None
) -> str:
    """The result in one of `FORMATS`, with words for people in `language`; raises `FormatError`.

    `files` names the file that each document was loaded from; SARIF gives places in it.
    """
    if format not in FORMATS:
        raise FormatError(format)
    return as_sarif(result, language, title, files) if format == "sarif" else FORMATS[format](result, language, title)


def fails(result: Triage, fail_on: str) -> bool:
    """Whether a finding that is open is as grave as `fail_on` (error, warning, note) or graver; never for none."""
    order = [*LEVELS.values()]
    if fail_on not in order:
        return False
    bound = order.index(fail_on)
    return any(finding.severity.rank <= bound for finding in result.open)


def as_text(result: Triage, language: str, title: str) -> str:
    """For a terminal: each finding in a few lines, the marked words in square brackets."""
    counts = Counter(finding.severity for finding in result.open)
    summary = ", ".join(f"{label('severity', grade, language)}: {counts[grade]}" for grade in Severity)
    lines = [f"{title}: {_head('findings', language)}: {len(result.open)} ({summary})"]
    lines.append(f"{_head('dismissed', language)}: {len(result.dismissed)}, "
                 f"{_head('lapsed', language)}: {len(result.lapsed)}")  # fmt: skip
    lines += pairs_told(result, language)
    for finding in result.open:
        lines += ["", *_in_lines(finding, language)]
    return "\n".join(lines) + "\n"


def as_json(result: Triage, language: str, title: str) -> str:
    """For programs: findings, dismissed findings with their dismissal, lapsed dismissals."""
    data = {
        "ruleset": title,
        "findings": [_plain(finding, language) for finding in result.open],
        "dismissed": [
            {**_plain(finding, language), "dismissal": msgspec.to_builtins(why)} for finding, why in result.dismissed
        ],
        "lapsed": [msgspec.to_builtins(why) for why in result.lapsed],
        "lapsed_assignments": [msgspec.to_builtins(one) for one in result.unassigned],
        "compared": result.compared,
        "not_compared": [{"rule": rule, "languages": pair} for rule, *pair in result.left_out],
        "said_by_some": result.gaps,
    }
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def as_csv(result: Triage, language: str, title: str) -> str:
    """For a spreadsheet: UTF-8 with a byte order mark; a cell that could be taken for a formula is defused."""
    out = io.StringIO()
    writer = csv.writer(out)
    heads = ("severity", "kind", "rule", "languages", "differs", "games", "steps", "settled", "person")
    sides = [f"{_head(name, language)} {number}" for number in (1, 2, 3) for name in ("passage", "text")]
    writer.writerow(["id", *(_head(name, language) for name in heads), *sides])
    for finding in result.open:
        writer.writerow([defused(cell) for cell in _cells(finding, language)])
    return _BYTE_ORDER_MARK + out.getvalue()


def as_junit(result: Triage, language: str, title: str) -> str:
    """For a build server: one test case a finding, failed if open and skipped if dismissed."""
    total = len(result.open) + len(result.dismissed)
    suite = ET.Element(
        "testsuite", name=f"audit qa {title}", tests=str(total), failures=str(len(result.open)),
        skipped=str(len(result.dismissed)), errors="0",
    )  # fmt: skip
    for finding in result.open:
        failure = ET.SubElement(_case(suite, finding), "failure", type=finding.kind, message=finding.message(language))
        failure.text = "\n".join(_in_lines(finding, language))
    for finding, why in result.dismissed:
        ET.SubElement(_case(suite, finding), "skipped", message=f"{why.reason} ({why.author})")
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def as_sarif(result: Triage, language: str, title: str, files: Mapping[str, str] | None = None) -> str:
    """For code scanning: SARIF 2.1.0 with the place of every passage; dismissed findings are suppressed.

    A document that `files` does not name stands under its id.
    """
    there = files or {}
    rules = [{"id": kind, "shortDescription": {"text": label("kind", kind, language)}} for kind in Kind]
    results = [_result(finding, language, there) for finding in result.open]
    for finding, why in result.dismissed:
        suppression = {"kind": "external", "justification": f"{why.reason} ({why.author})"}
        results.append({**_result(finding, language, there), "suppressions": [suppression]})
    driver = {"name": "audit qa", "informationUri": "https://example.org/audit", "rules": rules}
    data = {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def defused(cell: str) -> str:
    """A cell that a spreadsheet will not take for a formula."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def _in_lines(finding: Finding, language: str) -> Iterator[str]:
    weight = f"  [{finding.weight.games} / {finding.weight.steps}]" if finding.weight.steps else ""
    grade = label("severity", finding.severity, language)
    yield f"{finding.id}  {grade}  {kind_words(finding, language)}  {finding.segment}{weight}"
    yield f"  {finding.message(language)}"
    yield from (f"  {said}" for said in authority(finding, language))
    for quote in finding.quotes:
        yield f"  {quote.language} {_lines(quote, language)}: {marked(quote)}"


def marked(quote: Quote, before: str = "[", after: str = "]") -> str:
    """The passage with its marked words between two signs."""
    text, end = "", 0
    for start, stop in sorted(quote.marks):
        text += quote.text[end:start] + before + quote.text[start:stop] + after
        end = stop
    return text + quote.text[end:]


def _lines(quote: Quote, language: str) -> str:
    first, last = quote.lines
    key = "report.line" if first == last else "report.lines"
    return sentence(PACKAGE, language, key, {"first": first, "last": last})


def _plain(finding: Finding, language: str) -> dict[str, object]:
    data = msgspec.to_builtins(finding)
    assert isinstance(data, dict)
    return {"id": finding.id, "message": finding.message(language), **data, "data": dict(finding.data)}


def _cells(finding: Finding, language: str) -> list[str]:
    cells = [
        finding.id, label("severity", finding.severity, language), label("kind", finding.kind, language),
        finding.segment, "-".join(finding.languages), finding.message(language), str(finding.weight.games),
        str(finding.weight.steps), "; ".join(authority(replace(finding, assigned=""), language)), finding.assigned,
    ]  # fmt: skip
    for quote in finding.quotes[:3]:
        cells += [f"{quote.passage}:{quote.lines[0]}-{quote.lines[1]}", marked(quote)]
    return cells


def _case(suite: ET.Element, finding: Finding) -> ET.Element:
    name = f"{finding.segment} {'-'.join(finding.languages)} {finding.id}"
    return ET.SubElement(suite, "testcase", classname=f"qa.{finding.kind}", name=name)


def _result(finding: Finding, language: str, files: Mapping[str, str]) -> dict[str, object]:
    places = [_location(quote, files) for quote in finding.quotes if quote.lines[0]]
    return {
        "ruleId": finding.kind, "level": LEVELS[finding.severity], "message": {"text": finding.message(language)},
        "locations": places[:1], "relatedLocations": places[1:], "partialFingerprints": {"finding/v1": finding.id},
        "properties": {
            "rule": finding.rule, "games": finding.weight.games, "steps": finding.weight.steps,
            "readings": finding.readings, "rulings": finding.rulings, "assigned": finding.assigned,
        },
    }  # fmt: skip


def _location(quote: Quote, files: Mapping[str, str]) -> dict[str, object]:
    document = quote.passage.split("/")[0]
    region = {"startLine": quote.lines[0], "endLine": quote.lines[1]}
    artifact = {"uri": quoted(files.get(document, f"{document}.txt"))}
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}}


def _head(name: str, language: str) -> str:
    return sentence(PACKAGE, language, f"report.{name}", {})


FORMATS: Mapping[str, Callable[[Triage, str, str], str]] = {
    "text": as_text, "json": as_json, "html": html, "csv": as_csv, "junit": as_junit, "sarif": as_sarif,
}  # fmt: skip
