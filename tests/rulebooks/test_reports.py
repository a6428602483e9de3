"""Findings set aside and findings reported."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from audit.rulebooks.decisions import (
    Assignment,
    DecisionError,
    DecisionFile,
    Dismissal,
    Triage,
    assigned,
    dismissed,
    of_person,
    triage,
)
from audit.rulebooks.findings import Finding, Kind, Quote, Severity, Weight
from audit.rulebooks.report import FORMATS, FormatError, fails, marked, report

FRENCH = Quote("fr", "conte/1", (3, 3), "Allumez <deux> lampes & dormez.", ((9, 13),), "aaaa")
ITALIAN = Quote("it", "fiaba/1", (4, 5), "=Accendi 3 lampade.", ((9, 10),), "bbbb")
SLIP = Finding(
    kind=Kind.NUMBER, code="left-only", severity=Severity.CHANGES, segment="watch.light", rule="watch.light",
    rules=("watch.light",), languages=("fr", "it"), quotes=(FRENCH, ITALIAN), data=(("left", "2"),),
)  # fmt: skip
STYLE = replace(SLIP, kind=Kind.VARIANT, code="other-word", severity=Severity.COSMETIC, languages=("fr",))


def test_a_dismissal_holds_until_one_of_the_passages_changes() -> None:
    why = dismissed(SLIP, "two lamps are three lights", "Ada")
    assert triage([SLIP], {SLIP.id: why}) == Triage((), ((SLIP, why),), ())
    reworded = replace(SLIP, quotes=(FRENCH, replace(ITALIAN, fingerprint="cccc")))
    assert triage([reworded], {SLIP.id: why}) == Triage((reworded,), (), (why,))


@pytest.mark.parametrize(("reason", "author"), [("", "Ada"), ("same", " ")])
def test_a_dismissal_needs_a_reason_and_an_author(reason: str, author: str) -> None:
    with pytest.raises(DecisionError):
        dismissed(SLIP, reason, author)


def test_dismissals_are_kept_withdrawn_and_a_damaged_line_is_named(tmp_path: Path) -> None:
    file = DecisionFile(tmp_path / "new" / "compile.jsonl", Dismissal)
    file.add(dismissed(SLIP, "same", "Ada"))
    file.add(dismissed(SLIP, "really the same", "Ada"))
    assert [entry.reason for entry in file.load().values()] == ["really the same"]
    file.withdraw(SLIP.id)
    assert file.load() == {}
    with pytest.raises(DecisionError, match="nothing was decided"):
        file.withdraw(SLIP.id)
    file.path.write_text('{"finding": 1}\n', "utf-8")
    with pytest.raises(DecisionError, match="line 1"):
        file.load()


def test_an_assignment_holds_until_one_of_the_passages_changes() -> None:
    given = {SLIP.id: assigned(SLIP, "Bruno", "Ada")}
    result = triage([SLIP, STYLE], {}, given)
    assert [finding.assigned for finding in result.open] == ["Bruno", ""]
    assert result.people() == {"": 1, "Bruno": 1}
    assert [finding.id for finding in of_person(result, "bruno").open] == [SLIP.id]
    assert [finding.id for finding in of_person(result, "-").open] == [STYLE.id]
    reworded = replace(SLIP, quotes=(FRENCH, replace(ITALIAN, fingerprint="cccc")))
    later = triage([reworded], {}, given)
    assert (later.open[0].assigned, later.unassigned) == ("", tuple(given.values()))


@pytest.mark.parametrize(("to", "by"), [("", "Ada"), ("Bruno", " ")])
def test_an_assignment_needs_both_names(to: str, by: str) -> None:
    with pytest.raises(DecisionError):
        assigned(SLIP, to, by)


def test_of_two_assignments_of_a_finding_the_last_one_counts(tmp_path: Path) -> None:
    file = DecisionFile(tmp_path / "compile.assignments.jsonl", Assignment)
    file.add(assigned(SLIP, "Bruno", "Ada"))
    file.add(assigned(SLIP, "Celina", "Ada"))
    assert [entry.to for entry in file.load().values()] == ["Celina"]


@pytest.mark.every("form", FORMATS)
def test_every_report_names_the_person_who_sees_to_a_finding(form: str) -> None:
    told = report(triage([SLIP, STYLE], {}, {SLIP.id: assigned(SLIP, "Bruno", "Ada")}), form)
    assert "Bruno" in told


RESULT = triage([SLIP, STYLE], {STYLE.id: dismissed(STYLE, "style", "Ada")})


def test_the_text_marks_the_words() -> None:
    text = report(RESULT, "text")
    assert "Allumez <[deux]> lampes" in text
    assert marked(ITALIAN) == "=Accendi [3] lampade."


def test_the_page_escapes_what_documents_and_people_say_and_tells_in_how_many_games_and_steps() -> None:
    given = {SLIP.id: assigned(SLIP, "<i>Bruno", "Ada")}
    weighed = replace(SLIP, weight=Weight(games=2, steps=31))
    page = report(triage([weighed, STYLE], {STYLE.id: dismissed(STYLE, "<i>style", "<i>Ada")}, given), "html", "pl")
    assert "&lt;<mark>deux</mark>&gt; lampes &amp; dormez" in page
    assert "· 2 / 31<" in page
    assert page.count("&lt;i&gt;") == 4
    assert "<i>" not in page
    assert '<html lang="pl">' in page


def test_json_has_offsets_and_the_dismissal() -> None:
    data = json.loads(report(RESULT, "json"))
    assert data["findings"][0]["quotes"][0]["marks"] == [[9, 13]]
    assert data["dismissed"][0]["dismissal"]["author"] == "Ada"


def test_csv_opens_in_a_spreadsheet_without_formulas() -> None:
    text = report(RESULT, "csv", "fr")
    rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))
    assert text.startswith("\ufeff")
    assert rows[1][-1] == "'=Accendi [3] lampade."


def test_junit_fails_what_is_open_and_skips_what_is_set_aside() -> None:
    suite = ET.fromstring(report(RESULT, "junit").encode())[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("2", "1", "1")
    assert [case[0].tag for case in suite] == ["failure", "skipped"]


def test_sarif_has_level_place_and_suppression() -> None:
    run = json.loads(report(RESULT, "sarif"))["runs"][0]
    first, second = run["results"]
    place = first["locations"][0]["physicalLocation"]
    assert (first["level"], place["region"]["startLine"], place["artifactLocation"]["uri"]) == ("error", 3, "conte.txt")
    assert second["suppressions"][0]["kind"] == "external"
    loaded = json.loads(report(RESULT, "sarif", files={"conte": "le conte (2e éd.).md"}))["runs"][0]["results"][0]
    named = loaded["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert named == "le%20conte%20%282e%20%C3%A9d.%29.md"
    assert {result["ruleId"] for result in run["results"]} <= {rule["id"] for rule in run["tool"]["driver"]["rules"]}


@pytest.mark.every("language", ["en", "fr", "it", "pl"])
@pytest.mark.every("format", FORMATS)
def test_no_report_shows_a_key_in_place_of_words(format: str, language: str) -> None:
    text = report(RESULT, format, language)
    assert "left-only.number" not in text
    assert "report." not in text
    assert "{" not in text.replace('{"', "").replace("{\n", "") or format in ("json", "sarif", "html")


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(FormatError, match="sarif"):
        report(RESULT, "pdf")


@pytest.mark.every(("bound", "failing"), [("error", True), ("warning", True), ("note", True), ("none", False)])
def test_an_open_error_fails_at_every_bound(bound: str, failing: bool) -> None:
    assert fails(RESULT, bound) is failing


def test_a_cosmetic_finding_fails_only_where_notes_do() -> None:
    result = triage([STYLE], {})
    assert [fails(result, bound) for bound in ("error", "warning", "note")] == [False, False, True]


@pytest.mark.every(
    ("language", "words"),
    [
        ("fr", ("supprimer", "défausser")), ("it", ("cancellare", "scartare")),
        ("pl", ("usunąć", "odrzucić")), ("en", ("delete", "discard")),
    ],
)  # fmt: skip
def test_a_concept_is_named_by_the_term_of_the_readers_language(language: str, words: tuple[str, str]) -> None:
    data = (("left", "delete"), ("right", "discard"))
    said = replace(SLIP, kind=Kind.TERM, code="exchange", data=data).message(language)
    assert all(word in said for word in words)


def test_a_polish_reader_reads_a_polish_sentence() -> None:
    said = replace(SLIP, kind=Kind.MODALITY, data=(("left", "may"),)).message("pl")
    assert said == "Po francusku stoi „deux” (może); po włosku nic temu nie odpowiada."


def test_every_column_of_the_spreadsheet_has_a_name_of_its_own() -> None:
    first = next(csv.reader(io.StringIO(report(Triage((SLIP,), (), ()), "csv", "fr").removeprefix("\ufeff"))))
    assert len(set(first)) == len(first)
    assert first[-6:] == ["passage 1", "texte 1", "passage 2", "texte 2", "passage 3", "texte 3"]
