"""Out to translators' tools and in again: nothing is lost, and what is no such file is said in one line."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from audit.games.compile.rules import CATALOGUE
from audit.rulebooks.exports import Entry, ExchangeError, Note, changed
from audit.rulebooks.exports.csv import read_csv, widened, write_csv
from audit.rulebooks.exports.po import read_statements, write_statements
from audit.rulebooks.exports.tbx import read_tbx, write_tbx
from audit.rulebooks.exports.tmx import read_tmx, write_tmx
from audit.rulebooks.exports.xliff import read_xliff, write_xliff
from audit.rulebooks.exports.xliff_1_2 import write_xliff_1_2
from audit.rulebooks.findings import Severity
from audit.rulebooks.terms import term_base

GRAVE = Note(Severity.CHANGES, ("fr", "it"), 'The French text says “may” & the Italian "must" <here>.')
ENTRIES = [
    Entry(
        "watch.light",
        ("watch.light", "watch.sleep"),
        {"fr": "« Allumez »  la lampe.", "it": "È <accesa> & calda."},
        (GRAVE,),
    ),
    Entry("watch.light#2", ("watch.light",), {"fr": "=1+1", "it": "-Lampada"}),
]
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1).filter(
    lambda t: t == t.strip()
)


def test_a_memory_comes_back_whole() -> None:
    assert read_tmx(write_tmx(ENTRIES)) == ENTRIES


def test_a_memory_of_one_language_has_no_other() -> None:
    assert [list(entry.texts) for entry in read_tmx(write_tmx(ENTRIES, ["it"]))] == [["it"], ["it"]]


Write = Callable[[list[Entry], str, str], bytes]
BOTH_VERSIONS = pytest.mark.parametrize("write", [write_xliff, write_xliff_1_2], ids=["2.1", "1.2"])


@pytest.mark.parametrize(("write", "name"), [(write_xliff, "name"), (write_xliff_1_2, "resname")], ids=["2.1", "1.2"])
def test_a_translation_file_comes_back_whole_with_the_id_of_the_rule(write: Write, name: str) -> None:
    data = write(ENTRIES, "fr", "it")
    assert f'id="watch.light_2" {name}="watch.light#2"'.encode() in data
    assert read_xliff(data) == ENTRIES


@BOTH_VERSIONS
def test_a_unit_without_a_translation_yet_is_there_and_one_without_a_source_is_not(write: Write) -> None:
    (entry,) = read_xliff(write([Entry("a", ("a",), {"fr": "Oui."}), Entry("b", ("b",), {"it": "Sì."})], "fr", "it"))
    assert (entry.id, entry.texts) == ("a", {"fr": "Oui."})


@BOTH_VERSIONS
def test_a_finding_about_a_third_language_stays_out_of_a_file_of_two(write: Write) -> None:
    noted = Entry("a", ("a",), {"fr": "Oui.", "it": "Sì."}, (Note(Severity.CHANGES, ("fr", "pl"), "x"),))
    assert read_xliff(write([noted], "fr", "it"))[0].notes == ()


def test_what_another_program_proposes_beside_a_unit_is_no_translation_of_it() -> None:
    (entry,) = read_xliff(
        b"""<xliff version="1.2"><file source-language="fr" target-language="it" original="a"><body><group>
        <trans-unit id="a"><source>Oui <g id="1">bien</g>.</source>
        <alt-trans><source>Non.</source><target>No.</target></alt-trans></trans-unit></group></body></file></xliff>"""
    )
    assert (entry.id, entry.texts) == ("a", {"fr": "Oui bien."})


def test_a_table_comes_back_whole_and_holds_no_formula() -> None:
    data = write_csv(ENTRIES, ["fr", "it"])
    assert data.startswith(b"\xef\xbb\xbf")
    assert b"'=1+1" in data
    assert b",=1+1" not in data
    assert read_csv(data) == ENTRIES


@given(TEXT, TEXT)
def test_any_text_survives_memory_translation_file_and_table(one: str, other: str) -> None:
    entries = [Entry("a", ("a",), {"fr": one, "it": other})]
    assert read_tmx(write_tmx(entries)) == entries
    assert read_xliff(write_xliff(entries, "fr", "it")) == entries
    assert read_xliff(write_xliff_1_2(entries, "fr", "it")) == entries
    assert read_csv(write_csv(entries, ["fr", "it"])) == entries


def test_a_letter_that_xml_does_not_have_is_left_out() -> None:
    noted = Entry("a", ("a",), {"fr": "Une\x0b lampe.", "it": "\x00Una lampada."}, (replace(GRAVE, text="a\x1bb"),))
    plain = replace(noted, texts={"fr": "Une lampe.", "it": "Una lampada."}, notes=(replace(GRAVE, text="ab"),))
    assert read_tmx(write_tmx([noted])) == [plain]
    for write in (write_xliff, write_xliff_1_2):
        assert read_xliff(write([noted], "fr", "it")) == [plain]


def test_the_term_base_of_compile_comes_back_whole() -> None:
    base = term_base("audit.games.compile")
    assert read_tbx(write_tbx(base)).concepts == base.concepts


def test_the_statements_of_the_catalogue_come_back_whole() -> None:
    english = {rule.id: CATALOGUE.statement(rule) for rule in CATALOGUE}
    polish = {rule.id: CATALOGUE.statement(rule, "pl") for rule in CATALOGUE}
    assert read_statements(write_statements(english, polish, "pl", "compile")) == polish


def test_a_statement_not_translated_yet_is_left_out() -> None:
    assert read_statements(write_statements({"a": "One.", "b": "Two."}, {"a": "Un."}, "fr", "x")) == {"a": "Un."}


def test_what_a_translator_changed_is_told() -> None:
    after = [Entry("watch.light", (), {"it": "È spenta."}), Entry("unknown", (), {"it": "?"})]
    assert changed(ENTRIES, after) == [("watch.light", "it", "È <accesa> & calda.", "È spenta.")]


@pytest.mark.every("read", [read_tmx, read_xliff, read_tbx])
@pytest.mark.every(
    ("data", "why"),
    [
        (b"", "no element"),
        (b"not xml", "syntax"),
        (b"<html/>", "<html>"),
        (b"<!DOCTYPE tmx [<!ENTITY a 'aaaa'>]><tmx>&a;</tmx>", "entities"),
        (b"\xff\xfe\x00", "read as"),
    ],
)
def test_a_file_that_is_something_else_is_refused(read: Callable[[bytes], object], data: bytes, why: str) -> None:
    with pytest.raises(ExchangeError, match=why):
        read(data)


def test_an_older_xliff_is_refused_by_its_version() -> None:
    with pytest.raises(ExchangeError, match=r"version 1\.1"):
        read_xliff(b'<xliff version="1.1"/>')


@pytest.mark.every("data", [b"a;b\n1;2\n", b"\xff\xfe", b"", b"\x00\x01id,fr"])
def test_a_table_without_ids_or_that_is_no_text_is_refused(data: bytes) -> None:
    with pytest.raises(ExchangeError):
        read_csv(data)


@pytest.mark.every("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.every("separator", [",", ";", "\t"])
@pytest.mark.every("head", ["", "sep={}\r\n"])
def test_a_table_is_read_as_the_spreadsheets_of_all_countries_save_it(encoding: str, separator: str, head: str) -> None:
    rows = list(csv.reader(io.StringIO(write_csv(ENTRIES, ["fr", "it"]).decode("utf-8-sig"), newline="")))
    out = io.StringIO()
    csv.writer(out, delimiter=separator).writerows(rows)
    assert read_csv((head.format(separator) + out.getvalue()).encode(encoding)) == ENTRIES


@pytest.mark.parametrize("plain", ["?", ""])
def test_letters_that_an_encoding_does_not_have_are_those_that_were_there(plain: str) -> None:
    before = "Il più giovane gioca; già è così."
    saved = before.replace("ù", plain or "u").replace("à", plain or "a").replace("ì", plain or "i")
    saved = saved.replace("è", plain or "e").replace("ò", plain or "o")
    assert widened(before, saved, "cp1250") == before
    assert widened(before, saved.replace("gioca", "pesca"), "cp1250") == before.replace("gioca", "pesca")
