"""An editor sends a file back: what was changed becomes a new edition, with its change list and who changed it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from audit.core.catalogue import LANGUAGES, words
from audit.games.compile.rules import CATALOGUE
from audit.rulebooks.exports import Entry, entries
from audit.rulebooks.exports.csv import read_csv, write_csv
from audit.rulebooks.exports.po import write_statements
from audit.rulebooks.exports.tmx import read_tmx, write_tmx
from audit.rulebooks.exports.xliff import read_xliff, write_xliff
from audit.rulebooks.segments import Segment, Side, Unit, placed
from commands.rulebooks import rulebook
from replays.rulebooks.exchange import ChangeStatus, compared
from replays.rulebooks.loaded import latest_editions
from replays.rulebooks.loading import Loading
from replays.rulebooks.own_words import own_statements
from replays.rulebooks.returning import Left, Returned, returned_lines, take_over
from replays.rulebooks.store import RulebookStore
from replays.rulebooks.translation_qa import TranslationQA, exchange_file

TEXTS = {
    "fr": "# Phare\n\nLa gardienne allume deux lampes. Elle éteint la troisième.\n\nLa nuit compte quatre veilles.\n",
    "it": "# Faro\n\nLa guardiana accende due lampade. Spegne la terza.\n\nLa notte ha quattro turni.\n",
}
BOTH = {"fr": Loading("phare-fr", "fr", game="compile"), "it": Loading("faro-it", "it", game="compile")}


@pytest.fixture
def qa(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TranslationQA:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path))
    store = RulebookStore()
    for code, loading in BOTH.items():
        store.add_bytes(TEXTS[code].encode(), f"{code}.md", loading)
    books = {code: store.show(loading.document).rulebook for code, loading in BOTH.items()}
    made = TranslationQA("compile", CATALOGUE, books=books)
    there = {code: list(placed(book).values()) for code, book in books.items()}
    made.units = [
        Unit(Segment(id, (id,), {}), {code: Side(code, tuple(there[code][at] for at in at_)) for code in books})
        for id, at_ in (("lamp.lit", (0,)), ("lamp.both", (0, 1)), ("night.long", (2,)), ("night.all", (1, 2)))
    ]
    return made


def send_back(qa: TranslationQA, *changes: tuple[str, str, str], form: str = "csv") -> Returned:
    listed = [
        Entry(one.id, one.rules, {**one.texts, **{code: text for id, code, text in changes if id == one.id}})
        for one in entries(qa.units)
    ]
    data = {
        "csv": lambda: write_csv(listed, ["fr", "it"]), "tmx": lambda: write_tmx(listed, ["fr", "it"]),
        "xliff": lambda: write_xliff(listed, "fr", "it", "compile"),
    }[form]()  # fmt: skip
    return take_over(compared(data, f"edited.{form}", qa), qa, "Ada")


@pytest.mark.parametrize("form", ["csv", "tmx", "xliff"])
def test_changed_words_make_a_new_edition_that_says_who_changed_what(qa: TranslationQA, form: str) -> None:
    found = send_back(qa, ("night.long", "it", "La notte ha cinque turni."), form=form)
    (stored,) = found.editions
    assert RulebookStore().show("faro-it").rulebook.edition == stored.rulebook.edition
    assert stored.rulebook.passages[-1].text == "La notte ha cinque turni."
    assert (stored.by, stored.source) == ("Ada", f"edited.{form}")
    assert [(one.unit, one.before, one.after) for one in stored.changes] == [
        ("night.long", "La notte ha quattro turni.", "La notte ha cinque turni.")
    ]
    assert len([one for one in RulebookStore().editions() if one.document == "faro-it"]) == 2


def test_both_languages_may_change_in_one_file(qa: TranslationQA) -> None:
    found = send_back(
        qa, ("night.long", "it", "La notte ha cinque turni."), ("lamp.lit", "fr", "La gardienne allume trois lampes.")
    )
    assert {one.document for one in found.editions} == {"phare-fr", "faro-it"}


def test_a_sentence_taken_out_of_a_passage_is_gone_from_the_edition(qa: TranslationQA) -> None:
    found = send_back(qa, ("lamp.both", "fr", "La gardienne allume deux lampes."))
    assert found.editions[0].rulebook.passages[0].text == "La gardienne allume deux lampes."


def test_what_cannot_be_put_in_its_place_is_told(qa: TranslationQA) -> None:
    found = send_back(
        qa, ("night.all", "fr", "Plus rien."), ("lamp.lit", "it", "Una."), ("lamp.both", "it", "Due. Spegne la terza.")
    )
    assert [why for _, why in found.left] == [Left.SEVERAL, Left.TWICE]
    told = "\n".join(returned_lines(found))
    assert "left: lamp.both [it]: another unit changes the same sentence otherwise" in told
    polish = "\n".join(returned_lines(found, "pl"))
    assert "inna jednostka zmienia to samo zdanie inaczej" in polish
    assert "left" not in polish
    assert "zmienione zdania: 1, przez Ada" in polish


def test_what_is_new_in_a_file_or_gone_from_it_is_left_and_told(qa: TranslationQA) -> None:
    listed = [one for one in entries(qa.units) if one.id != "lamp.lit"]
    data = write_csv([*listed, Entry("lamp.blue", (), {"fr": "Une lampe est bleue."})], ["fr", "it"])
    found = take_over(compared(data, "edited.csv", qa), qa, "Ada")
    assert {(change.id, why) for change, why in found.left} == {("lamp.lit", Left.GONE), ("lamp.blue", Left.NEW)}


@pytest.mark.every("language", LANGUAGES)
def test_every_reason_is_said_in_every_language(language: str) -> None:
    said = words("replays", language, "exchange")
    assert said.keys() == words("replays", "en", "exchange").keys()
    assert {str(one) for one in Left} <= said.keys()
    assert all(one.said(language) == said[one] for one in Left)


def test_a_po_whose_header_has_no_language_is_taken_in_the_one_that_is_chosen(
    qa: TranslationQA, tmp_path: Path
) -> None:  # fmt: skip
    rule = "field.three-lines"
    po = write_statements(
        {rule: own_statements("compile", CATALOGUE, "en")[rule]}, {rule: "Le colonne sono tre."}, "it", "compile"
    )
    file = tmp_path / "it.po"
    file.write_bytes(po.replace(b'"Language: it\\n"\n', b""))
    asked = CliRunner().invoke(rulebook, ["import", str(file), "--by", "Ada"])
    assert "choose it with --lang, such as --lang it" in str(asked.exception)
    done = CliRunner().invoke(rulebook, ["import", str(file), "--by", "Ada", "--lang", "it"])
    assert "compile-statements-it" in done.output
    assert b'"Language: it\\n"' in po


def test_the_reasons_come_in_the_language_that_was_asked_for(qa: TranslationQA, tmp_path: Path) -> None:
    file = tmp_path / "one.csv"
    file.write_bytes(write_csv([Entry("lamp.blue", (), {"fr": "Une lampe est bleue."})], ["fr"]))
    done = CliRunner().invoke(rulebook, ["import", str(file), "--by", "Ada", "--words", "fr"])
    assert f"lamp.blue [fr]\xa0: {Left.NEW.said('fr')}" in done.output


def test_the_links_of_the_edition_before_go_over(qa: TranslationQA) -> None:
    passage = RulebookStore().show("faro-it").rulebook.passages[-1].id
    RulebookStore().link("faro-it", "field.three-lines", [passage], "Zoe")
    stored = send_back(qa, ("night.long", "it", "La notte ha cinque turni.")).editions[0]
    assert RulebookStore().made_links("faro-it", stored.rulebook.edition)["field.three-lines"].look == "edited"


def test_a_file_without_a_change_makes_no_edition(qa: TranslationQA) -> None:
    assert send_back(qa) == Returned(())
    assert len(RulebookStore().editions()) == 2


def changed(data: bytes, before: str, after: str) -> bytes:
    assert before.encode() in data
    return data.replace(before.encode(), after.encode())


def test_an_edited_po_is_an_edition_of_our_own_statements(qa: TranslationQA) -> None:
    qa.languages = ["it"]
    before = own_statements("compile", CATALOGUE, "it")["field.three-lines"]
    po = write_statements(
        own_statements("compile", CATALOGUE, "en"),
        {"field.three-lines": "Le colonne sono tre, né più né meno."},
        "it",
        "compile",
    )
    (stored,) = take_over(compared(po, "compile.po", qa), qa, "Ada").editions
    assert (stored.document, stored.by, stored.source) == ("compile-statements-it", "Ada", "compile.po")
    assert [(one.unit, one.before) for one in stored.changes] == [("field.three-lines", before)]
    assert own_statements("compile", CATALOGUE, "it")["field.three-lines"] == "Le colonne sono tre, né più né meno."
    assert [one.by for one in RulebookStore().history("compile-statements-it")] == ["", "Ada"]
    assert set(compared(exchange_file(qa, "po", "en"), "again.po", qa).counts()) == {ChangeStatus.SAME}


def test_an_edited_tbx_is_an_edition_of_the_terms_and_the_checks_go_by_it(qa: TranslationQA) -> None:
    term = qa.base.words("draw", "it")[0]
    tbx = changed(exchange_file(qa, "tbx", "en"), f">{term}<", ">attingere<")
    (stored,) = take_over(compared(tbx, "terms.tbx", qa), qa, "Ada").editions
    assert (stored.document, stored.by, [one.unit for one in stored.changes]) == ("compile-terms-it", "Ada", ["draw"])
    later = TranslationQA("compile", CATALOGUE, books=qa.books)
    assert later.base.words("draw", "it")[0] == "attingere"
    assert "draw" in {mark.marker for mark in later.base.marks("Si deve attingere una carta.", "it")}
    assert set(compared(exchange_file(later, "tbx", "en"), "again.tbx", later).counts()) == {ChangeStatus.SAME}


def test_a_second_edit_of_the_terms_stands_on_the_first(qa: TranslationQA) -> None:
    for old, new in ((qa.base.words("hand", "fr")[0], "poing"), ("poing", "paume")):
        now = TranslationQA("compile", CATALOGUE, books=qa.books)
        tbx = changed(exchange_file(now, "tbx", "en"), f">{old}<", f">{new}<")
        take_over(compared(tbx, f"{new}.tbx", now), now, "Ada")
    assert TranslationQA("compile", CATALOGUE, books=qa.books).base.words("hand", "fr")[0] == "paume"
    assert [one.source for one in RulebookStore().history("compile-terms-fr")] == [
        "the package",
        "poing.tbx",
        "paume.tbx",
    ]


def test_our_own_words_are_no_rulebook_that_is_compared(qa: TranslationQA) -> None:
    tbx = changed(exchange_file(qa, "tbx", "en"), f">{qa.base.words('hand', 'fr')[0]}<", ">poing<")
    take_over(compared(tbx, "terms.tbx", qa), qa, "Ada")
    assert not any(one.document.startswith("compile-terms") for one in qa.not_compared)
    assert "compile-terms-fr" not in {book.document for book in latest_editions(CATALOGUE).values()}


@pytest.mark.parametrize("form", ["csv", "tmx"])
def test_all_languages_go_out_and_come_back_without_a_loss(qa: TranslationQA, form: str) -> None:
    listed = entries(qa.units)
    data = write_csv(listed, ["fr", "it"]) if form == "csv" else write_tmx(listed, ["fr", "it"])
    back = read_csv(data) if form == "csv" else read_tmx(data)
    assert [(one.id, one.texts) for one in back] == [(one.id, one.texts) for one in listed]


def test_a_pair_of_languages_goes_through_xliff_without_a_loss(qa: TranslationQA) -> None:
    listed = entries(qa.units)
    back = read_xliff(write_xliff(listed, "fr", "it", "compile"))
    assert [(one.id, one.texts) for one in back] == [(one.id, one.texts) for one in listed]
