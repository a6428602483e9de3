"""The report on the three documents: its counts are those of the programs, and no known divergence is left out."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from audit.rulebooks.findings import Severity
from audit.rulebooks.matrix import Row
from bench.editions import Ground, books
from bench.judged import Judged, judgements, of_fewer, parts, reported, share_true
from bench.planting import HERE, KINDS
from bench.qa_report import DOCS, built, counted, replaced
from tests.yaml_files import read_yaml

LANGUAGE = {"000": "fr", "001": "it", "003": "pl"}
TOLD_BY_ITS_LINES = {"title-fr": "the game"}
"""No rule speaks of the name of the game; the report has it among the terms."""


@pytest.fixture(scope="module")
def page() -> str:
    return "".join((DOCS / name).read_text("utf-8") for name in ("qa-report.md", "qa-figures.md"))


@pytest.fixture(scope="module")
def ground(shared: Path) -> Ground:
    return Ground(shared / "rulebooks")


def test_the_sums_are_those_that_are_counted_now(page: str, ground: Ground, shared: Path) -> None:
    table, lacking = built(ground, shared / "rulebooks")
    again = replaced(page, "sums", counted(ground, table, lacking))
    assert again == page, "write it anew: python -m bench.qa_report"


def test_the_report_has_the_figures_of_every_kind_and_of_nine_in_ten_faults_found(page: str) -> None:
    shares = re.findall(r"^\| (?:\*\*)?([a-z ]+)(?:\*\*)? \| (\d+) of (\d+) \|", page, re.MULTILINE)
    figures = {name: (int(found), int(planted)) for name, found, planted in shares}
    assert set(KINDS) < figures.keys()
    found, planted = figures["all"]
    assert planted == 600
    assert found >= 0.9 * planted


def test_every_finding_on_the_documents_was_judged_and_most_are_true(shared: Path) -> None:
    judged, found = judgements(), reported(books(shared / "rulebooks"))
    assert [one.id for one in found if ("", one.id) not in judged] == []
    assert set(judged.values()) == {"true", "defensible", "false"}
    first = [judged["", one.id] for one in found if one.severity is Severity.CHANGES]
    assert first.count("true") >= 0.85 * len(first)
    assert [judged["", one.id] for one in found].count("true") >= 0.7 * len(found)


@pytest.mark.prove
def test_whatever_was_found_was_judged_and_the_page_has_their_sums(page: str, ground: Ground) -> None:
    judged = judgements()
    found = parts(ground.books, ground.rules(), lambda fault: ground.outcome(fault).findings)
    assert [one.key for one in found["all that was judged"] if one.key not in judged] == []
    assert len({one.key for one in found["all that was judged"]}) > 80
    for name, some in found.items():
        assert f"- {' '.join(share_true(name, some, judged).split())}" in page, "python -m bench.qa_report"


def test_an_editor_with_two_documents_reads_findings_that_the_three_do_not_give(ground: Ground) -> None:
    known = {one.id for one in reported(ground.books)}
    fewer = list(of_fewer(ground.books))
    assert {one.documents for one in fewer} >= {"fr it", "fr pl", "it pl"}
    assert known.isdisjoint(one.finding.id for one in fewer)


def test_every_judgement_has_its_reason_and_no_word_of_a_document() -> None:
    entries = tomllib.loads((HERE / "judged.toml").read_text("utf-8"))["finding"]
    assert len({(one.get("edition", ""), one["id"]) for one in entries}) == len(entries)
    assert [one["id"] for one in entries if len(one["why"]) < 10 or "«" in one["why"] or "„" in one["why"]] == []


def test_a_share_names_what_is_not_judged(ground: Ground) -> None:
    some = [Judged(one) for one in ground.before[:2]]
    assert share_true("both", some, {some[0].key: "true"}).split("  ")[-1] == "(not judged 1)"


def test_every_known_divergence_is_in_the_report_or_the_table_of_rules(page: str, ground: Ground, shared: Path) -> None:
    items = read_yaml(shared / "facts" / "compile-divergences.yaml")["items"]
    assert len(items) >= 54
    rows = [line for line in page.splitlines() if line.startswith(("|", "-", "  "))]
    table, _ = built(ground, shared / "rulebooks")
    rows += [told(row) for row in table.rows if not all(cell.lines for cell in row.cells.values())]
    assert [item["id"] for item in items if not any(tells(row, item) for row in rows)] == []


def told(row: Row) -> str:
    """A rule that a document lacks, with its lines in the others."""
    spans = [f"{first}-{last}" for cell in row.cells.values() for first, last in cell.lines]
    return f"{row.rule} {' '.join(spans)}"


def tells(row: str, item: Mapping[str, object]) -> bool:
    """Whether a row names a rule of the divergence, or what stands for one, and a line of one of its passages."""
    rules = item["rules"]
    assert isinstance(rules, list)
    names = [*rules, TOLD_BY_ITS_LINES.get(str(item["id"]), "-")]
    named = any(re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", row) for name in names if name != "-")
    return named and bool(lines_in(row) & lines_of(item))


def lines_of(item: Mapping[str, object]) -> set[int]:
    says = item["says"]
    assert isinstance(says, dict)
    return {line for said in says.values() if said for at in said["at"] for line in spread(at.split(":")[1])}


def lines_in(row: str) -> set[int]:
    return {line for span in re.findall(r"\d+(?:-\d+)?", row) for line in spread(span)}


def spread(span: str) -> Iterator[int]:
    first, _, last = span.partition("-")
    yield from range(int(first), int(last or first) + 1)
