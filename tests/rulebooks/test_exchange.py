"""A translator's file comes back: what it says otherwise than the loaded rulebooks, unit by unit."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from audit.games.compile.rules import CATALOGUE
from audit.rulebooks.cutting import cut
from audit.rulebooks.exports import Entry, ExchangeError
from audit.rulebooks.exports.csv import write_csv
from audit.rulebooks.exports.tmx import write_tmx
from audit.rulebooks.exports.xliff import write_xliff
from audit.rulebooks.exports.xliff_1_2 import write_xliff_1_2
from audit.rulebooks.segments import Placed, Segment, Side, Unit
from replays.rulebooks.exchange import (
    ChangeStatus,
    UnknownExchangeError,
    compared,
    compared_file,
    exchange_json,
    exchange_lines,
    format_of,
)  # fmt: skip
from replays.rulebooks.loading import Loading
from replays.rulebooks.store import RulebookStore
from replays.rulebooks.translation_qa import TranslationQA, exchange_file
from replays.terminal.comparison import matrix_json, matrix_lines


def unit(id: str, **texts: str) -> Unit:
    sides = {k: Side(k, (Placed("1.1", 0, text, (1, 1), "p", "s"),)) for k, text in texts.items()}
    return Unit(Segment(id, (id,), {}), sides)


@pytest.fixture
def qa(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> TranslationQA:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path))
    made = TranslationQA("compile", CATALOGUE)
    made.units = [unit("lamp.lit", fr="Allumez-la.", it="Accendila."), unit("lamp.out", fr="Éteignez-la.")]
    return made


GIVEN = [
    Entry("lamp.lit", ("lamp.lit",), {"fr": "Allumez-la.", "it": "Accendetela."}),
    Entry("lamp.new", ("lamp.new",), {"fr": "Encore une."}),
]
EXPECTED = [
    ("lamp.lit", "fr", ChangeStatus.SAME), ("lamp.lit", "it", ChangeStatus.CHANGED),
    ("lamp.out", "fr", ChangeStatus.GONE), ("lamp.new", "fr", ChangeStatus.NEW),
]  # fmt: skip


@pytest.mark.parametrize(
    ("form", "data"),
    [
        ("tmx", write_tmx(GIVEN)),
        ("csv", write_csv(GIVEN, ["fr", "it"])),
        ("xliff", write_xliff(GIVEN, "fr", "it")),
        ("xliff", write_xliff_1_2(GIVEN, "fr", "it")),
    ],
)
def test_each_unit_is_the_same_changed_new_or_gone(qa: TranslationQA, form: str, data: bytes) -> None:
    found = compared(data, f"back.{form}", qa)
    assert found.format == form
    assert [(c.id, c.language, c.state) for c in found.changes] == EXPECTED


def test_a_language_that_the_file_does_not_have_is_not_missed_in_it(qa: TranslationQA) -> None:
    found = compared(write_tmx(GIVEN, ["it"]), "back.tmx", qa)
    assert [(c.id, c.language) for c in found.changes] == [("lamp.lit", "it")]


@pytest.mark.parametrize("form", ["tbx", "tmx", "xliff", "po", "csv"])
def test_what_goes_out_comes_back_as_the_same(qa: TranslationQA, house_rules: str, form: str) -> None:
    qa.books = {language: cut(house_rules, CATALOGUE.documents[language]) for language in ("fr", "it")}
    qa.languages = ["fr", "it"]
    found = compared(exchange_file(qa, form, "en"), f"out.{form}", qa)
    assert found.format == form
    assert set(found.counts()) == {ChangeStatus.SAME}


def test_a_changed_term_and_a_changed_statement_are_told(qa: TranslationQA) -> None:
    qa.languages = ["fr", "it"]
    tbx = exchange_file(qa, "tbx", "en").replace(b"<term>pile<", b"<term>tas<")
    assert [(c.id, c.language) for c in compared(tbx, "t.tbx", qa).changes if c.state is ChangeStatus.CHANGED] == [
        ("stack", "fr")
    ]
    first = next(iter(CATALOGUE))
    said = CATALOGUE.statement(first, "fr")
    po = f'msgid ""\nmsgstr "Language: fr\\n"\n\nmsgctxt "{first.id}"\nmsgid "x"\nmsgstr "Autrement."\n'
    (change,) = [c for c in compared(po.encode(), "s.po", qa).changes if c.state is ChangeStatus.CHANGED]
    assert (change.id, change.language, change.before, change.after) == (first.id, "fr", said, "Autrement.")


def test_a_statement_file_without_a_language_asks_for_it(qa: TranslationQA) -> None:
    po = b'msgctxt "a.b"\nmsgid "One."\nmsgstr "Un."\n'
    with pytest.raises(UnknownExchangeError, match="--lang"):
        compared(po, "s.po", qa)
    assert compared(po, "s.po", qa, "fr").counts()[ChangeStatus.NEW] == 1


@pytest.mark.parametrize(
    ("data", "said"),
    [(b"", "empty"), (b"\x89PNG\r\n", "none of TBX"), (b"{}", "none of TBX"), (b"id,fr\n", "no unit with a text")],
)
def test_a_file_that_is_none_of_these_is_one_clear_line(qa: TranslationQA, data: bytes, said: str) -> None:
    with pytest.raises(UnknownExchangeError, match=said) as caught:
        compared(data, "odd.bin", qa)
    assert "\n" not in str(caught.value)


def test_a_broken_file_of_a_known_format_says_which(qa: TranslationQA) -> None:
    with pytest.raises(ExchangeError, match="TMX"):
        compared(b"<tmx><body>", "broken.tmx", qa)


def test_a_file_that_is_not_there_or_too_large_is_one_clear_line(qa: TranslationQA, tmp_path: Path) -> None:
    with pytest.raises(UnknownExchangeError, match="No such file"):
        compared_file(tmp_path / "gone.tmx", qa)
    with pytest.raises(UnknownExchangeError, match="20 MB"):
        format_of(b"x" * 20_000_001, "big.tmx")


def test_the_report_shows_old_above_new(qa: TranslationQA, tmp_path: Path) -> None:
    file = tmp_path / "back.tmx"
    file.write_bytes(write_tmx(GIVEN))
    found = compared_file(file, qa)
    lines = list(exchange_lines(found))
    assert lines[0] == "back.tmx: tmx, 1 same, 1 changed, 1 new, 1 gone"
    assert lines[1:4] == ["changed  lamp.lit  [it]", "  - Accendila.", "  + Accendetela."]
    assert exchange_json(found)["counts"] == {"same": 1, "changed": 1, "new": 1, "gone": 1}


def test_the_matrix_has_a_line_for_each_rule_and_says_what_is_not_loaded(qa: TranslationQA) -> None:
    lines = list(matrix_lines(qa))
    assert lines[0].split() == ["fr", "it", "pl"]
    (line,) = [line for line in lines if line.startswith("owner.lasts ")]
    assert line.count("not loaded") == 3
    rows = json.loads(matrix_json(qa))["rows"]
    assert len(rows) + 1 == lines.index("")


def test_the_matrix_of_the_real_documents_counts_what_each_says(
    qa: TranslationQA, rulebook_file: Callable[[str], Path]
) -> None:
    for document in ("compile-faq-fr", "compile-rules-it", "compile-rules-pl"):
        RulebookStore().add(rulebook_file(document), Loading(document))
    data = json.loads(matrix_json(TranslationQA("compile", CATALOGUE)))
    assert data["counts"]["it"] == {"said": 108, "extra": 5, "missing": 41, "outside": 21}
    assert len(data["unlinked"]["fr"]) >= 1


def test_a_table_of_one_byte_a_letter_changes_only_what_was_changed(qa: TranslationQA) -> None:
    qa.units = [unit("lamp.lit", it="Già accesa: così è più chiaro.", pl="Zapal ją, zaś resztę zgaś.")]
    table = "id;rules;it;pl\r\nlamp.lit;lamp.lit;Gia accesa: cosi e piu chiaro.;Zapal ją, zaś resztę zostaw.\r\n"
    found = compared(table.encode("cp1250"), "back.csv", qa)
    assert [(c.language, c.state) for c in found.changes] == [("it", ChangeStatus.SAME), ("pl", ChangeStatus.CHANGED)]
    assert found.changes[1].after == "Zapal ją, zaś resztę zostaw."


@pytest.mark.parametrize("write", [write_xliff, write_xliff_1_2])
def test_a_unit_of_two_languages_is_not_missed_in_a_file_that_has_one_of_them(
    qa: TranslationQA, write: Callable[..., bytes]
) -> None:
    pair = unit("lamp.lit@fr-pl", fr="Allumez-la.", pl="Zapal ją.")
    qa.units = [unit("lamp.lit", fr="Allumez-la.", it="Accendila."), pair]
    sent = write([Entry("lamp.lit", ("lamp.lit",), {"fr": "Allumez-la.", "it": "Accendila."})], "fr", "it")
    assert set(compared(sent, "out.xlf", qa).counts()) == {ChangeStatus.SAME}
    assert set(compared(sent.decode().replace("UTF-8", "UTF-16").encode("utf-16"), "out.xlf", qa).counts()) == {
        ChangeStatus.SAME
    }
