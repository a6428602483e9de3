"""The comparison of editions as a report: text, JSON, HTML, CSV, JUnit XML and SARIF."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from html import escape
from urllib.parse import quote as quoted
from xml.etree import ElementTree as ET

import msgspec
from msgspec.structs import replace

from audit.core.errors import AuditError
from audit.core.sentences import sentence
from audit.rulebooks.decisions import Triage
from audit.rulebooks.findings import PACKAGE, Finding, Kind, Quote, Severity, Span, kind_words, label
from audit.rulebooks.titles import rule_words, ruling_words, switch_words


def pairs_told(result: Triage, language: str) -> Iterator[str]:
    """How many findings each person has, how many pairs of languages were compared and rules only some say."""
    if people := result.people():
        nobody = sentence(PACKAGE, language, "report.nobody", {})
        names = ", ".join(f"{name or nobody} {count}" for name, count in people.items())
        yield sentence(PACKAGE, language, "report.people", {"names": names})
    every = result.compared + len(result.left_out)
    if every:
        yield sentence(PACKAGE, language, "report.pairs", {"all": every, "done": result.compared})
    if result.gaps:
        yield sentence(PACKAGE, language, "report.gaps", {"count": result.gaps})


def left_out_told(result: Triage, language: str) -> Iterator[str]:
    """Which pairs of languages that both say a rule were not compared."""
    if result.left_out:
        pairs = ((rule, label("language", one, language), label("language", other, language))
                 for rule, one, other in result.left_out)  # fmt: skip
        names = "; ".join(f"{rule_words(rule, language)} ({one} – {other})" for rule, one, other in pairs)
        yield sentence(PACKAGE, language, "report.left-out", {"names": names})


def authority(finding: Finding, language: str) -> Iterator[str]:
    """Who sees to a finding, the readings that part on it, and the rulings that settle it."""
    yield from who(finding, language)
    yield from settling(finding, language)


def settling(finding: Finding, language: str) -> Iterator[str]:
    """The readings that part on a finding, and the rulings that settle it."""
    switches = [switch_words(name, language) for name in finding.readings]
    rulings = [ruling_words(id, language) for id in finding.rulings]
    for key, words in (("report.readings", switches), ("report.rulings", rulings)):
        if words:
            yield sentence(PACKAGE, language, key, {"names": " ".join(words)})


def who(finding: Finding, language: str) -> Iterator[str]:
    """The person who sees to a finding, if there is one."""
    if finding.assigned:
        yield sentence(PACKAGE, language, "report.assigned", {"name": finding.assigned})


_STYLE = """
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
article { border: 1px solid currentColor; border-radius: .4rem; margin: 1rem 0; padding: .5rem 1rem; }
h2 { font-size: 1rem; margin: .3rem 0; }
.sides { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); }
blockquote { margin: .3rem 0; }
mark { border-bottom: 2px solid; }
"""


def html(result: Triage, language: str, title: str) -> str:
    """The page: every open finding with its passages side by side, then those that were set aside."""
    heading = f"{escape(_head('title', language))}: {escape(title)}"
    body = [f"<h1>{heading}</h1>", f"<p>{escape(_head('findings', language))}: {len(result.open)}</p>"]
    body += [f"<p>{escape(said)}</p>" for said in pairs_told(result, language)]
    body += [_article(finding, language) for finding in result.open]
    body.append(f"<h1>{escape(_head('dismissed', language))}: {len(result.dismissed)}</h1>")
    for finding, why in result.dismissed:
        body.append(_article(finding, language, f"{why.reason} ({why.author}, {why.at})"))
    body += [f"<p>{escape(said)}</p>" for said in left_out_told(result, language)]
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{heading}</title>'
        f"<style>{_STYLE}</style></head><body><main>{''.join(body)}</main></body></html>\n"
    )


def _article(finding: Finding, language: str, aside: str = "") -> str:
    grade, kind = label("severity", finding.severity, language), kind_words(finding, language)
    weight = f" · {finding.weight.games} / {finding.weight.steps}" if finding.weight.steps else ""
    head = f"{grade} · {kind} · {_place(finding, language)}{weight}"
    sides = "".join(_side(quote, language) for quote in filter(_has_words, finding.quotes))
    settled = "".join(f"<p>{escape(said)}</p>" for said in authority(finding, language))
    note = f"<p>{escape(aside)}</p>" if aside else ""
    return (
        f'<article id="{finding.id}"><h2>{escape(head)}</h2>'
        f'<p>{escape(finding.message(language))}</p>{settled}<div class="sides">{sides}</div>{note}</article>\n'
    )


def _place(finding: Finding, language: str) -> str:
    """The rule by its title, with the id of its segment."""
    return f"{rule_words(finding.rule, language)} ({finding.segment.partition('@')[0]})"


def _side(quote: Quote, language: str) -> str:
    first, last = quote.lines
    name = "report.line" if first == last else "report.lines"
    place = sentence(PACKAGE, language, name, {"first": first, "last": last})
    return (
        f'<div lang="{quote.language}"><blockquote>{"".join(_marked(quote))}</blockquote>'
        f"<small>{escape(quote.passage)}, {escape(place)}</small></div>"
    )


def _marked(quote: Quote) -> Iterator[str]:
    end = 0
    for start, stop in spans(quote):
        yield f"{escape(quote.text[end:start])}<mark>{escape(quote.text[start:stop])}</mark>"
        end = stop
    yield escape(quote.text[end:])


def _head(name: str, language: str) -> str:
    return sentence(PACKAGE, language, f"report.{name}", {})


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
    if left := [*left_out_told(result, language)]:
        lines += ["", *left]
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
    yield f"{finding.id}  {grade}  {kind_words(finding, language)}  {_place(finding, language)}{weight}"
    yield f"  {finding.message(language)}"
    yield from (f"  {said}" for said in authority(finding, language))
    for quote in filter(_has_words, finding.quotes):
        yield f"  {quote.language} {_lines(quote, language)}: {marked(quote)}"


def spans(quote: Quote) -> Iterator[Span]:
    """The marked words in their order, each once; of those that overlap, what the one before does not mark."""
    end = 0
    for start, stop in sorted(quote.marks):
        if stop > max(start, end):
            yield max(start, end), stop
            end = stop


def marked(quote: Quote, before: str = "[", after: str = "]") -> str:
    """The passage with its marked words between two signs."""
    text, end = "", 0
    for start, stop in spans(quote):
        text += quote.text[end:start] + before + quote.text[start:stop] + after
        end = stop
    return text + quote.text[end:]


def _has_words(quote: Quote) -> bool:
    """Whether it quotes anything: of a sentence that is gone nothing stands in the document."""
    return bool(quote.text)


def _lines(quote: Quote, language: str) -> str:
    first, last = quote.lines
    key = "report.line" if first == last else "report.lines"
    return sentence(PACKAGE, language, key, {"first": first, "last": last})


def _plain(finding: Finding, language: str) -> dict[str, object]:
    data = msgspec.to_builtins(finding)
    assert isinstance(data, dict)
    return {"id": finding.id, "message": finding.message(language), **data, "data": dict(finding.data)}


def _cells(finding: Finding, language: str) -> list[str]:
    weight = (str(finding.weight.games), str(finding.weight.steps)) if finding.weight.steps else ("", "")
    cells = [
        finding.id, label("severity", finding.severity, language), kind_words(finding, language),
        finding.segment, "-".join(finding.languages), finding.message(language), *weight,
        "; ".join(authority(replace(finding, assigned=""), language)), finding.assigned,
    ]  # fmt: skip
    for quote in [*filter(_has_words, finding.quotes)][:3]:
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


FORMATS: Mapping[str, Callable[[Triage, str, str], str]] = {
    "text": as_text, "json": as_json, "html": html, "csv": as_csv, "junit": as_junit, "sarif": as_sarif,
}  # fmt: skip
