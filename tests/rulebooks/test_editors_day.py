"""A translation editor's day: loads the real documents, asks what cannot be compared, reads an edited sentence."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from audit.core.catalogue import LANGUAGES, words
from audit.core.ruleset import ruleset
from audit.games.compile.rules import CATALOGUE
from audit.rulebooks.errors import NothingLoadedError, NothingToCompareError, UnknownEditionError
from audit.rulebooks.findings import kind_words
from audit.rulebooks.known import PassageMark, SentenceMark
from audit.rulebooks.moving import Task, TaskKind, paired
from audit.rulebooks.quoting import QuoteStatus
from audit.rulebooks.report import report
from commands.readings import qa
from commands.rules import rule
from replays.rulebooks.exchange import ChangeStatus, compared
from replays.rulebooks.loading import Loading
from replays.rulebooks.quotes import RulebookQuotes, quotation_lines
from replays.rulebooks.store import RulebookStore
from replays.rulebooks.task_answers import take_answer_back
from replays.rulebooks.tasks import answer_task, task_lines, tasks
from replays.rulebooks.translation_qa import TranslationQA, exchange_file, set_aside

File = Callable[[str], Path]
GERMAN = """\
# Regeln

## Ziel

Wer als Erster alle drei Protokolle auf der kompilierten Seite hat, gewinnt die Partie.

## Zug

Eine Karte darf verdeckt in jede Linie gelegt werden, und sie zählt dort immer zwei Punkte.
"""


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path))
    monkeypatch.delenv("AUDIT_DATABASE_URL", raising=False)
    return tmp_path


@pytest.fixture(scope="module")
def loaded_once(rulebook_file: File, tmp_path_factory: pytest.TempPathFactory) -> RulebookStore:
    rulebook_store = RulebookStore(tmp_path_factory.mktemp("rulebooks"))
    for document in ("compile-faq-fr", "compile-rules-it", "compile-rules-pl"):
        rulebook_store.add(rulebook_file(document), Loading(document))
    return rulebook_store


@pytest.fixture
def loaded(loaded_once: RulebookStore) -> RulebookStore:
    rulebook_store = RulebookStore()
    shutil.copytree(loaded_once.folder, rulebook_store.folder)
    return rulebook_store


def marked(*prints: str) -> PassageMark:
    sentences = tuple(SentenceMark(f"7.{n}", one) for n, one in enumerate(prints, 1))
    return PassageMark("p", "", (7, 7), "", "", sentences)


def test_an_edited_sentence_keeps_its_address_between_two_that_stand() -> None:
    assert paired(marked("aa", "bb", "cc"), ["aa", "xx", "cc"]) == {"7.1": 0, "7.2": 1, "7.3": 2}


def test_a_sentence_put_in_or_taken_out_takes_no_address_of_another() -> None:
    assert paired(marked("aa", "bb"), ["aa", "xx", "bb"]) == {"7.1": 0, "7.2": 2}
    assert paired(marked("aa", "bb", "cc"), ["aa", "cc"]) == {"7.1": 0, "7.3": 1}


def test_two_sentences_that_changed_places_are_told_apart() -> None:
    assert paired(marked("aa", "bb"), ["bb", "aa"]) == {"7.1": 1, "7.2": 0}


def test_an_edited_number_is_quoted_in_its_new_words(rulebook_file: File, loaded: RulebookStore) -> None:
    lines = rulebook_file("compile-faq-fr").read_text("utf-8").splitlines()
    assert "10" in lines[86]
    lines[86] = lines[86].replace("10", "12")
    loaded.add_bytes("\n".join(lines).encode(), "new.txt", Loading("compile-faq-fr"))
    said = [one for one in RulebookQuotes(ruleset("compile"), ("fr",)).of(CATALOGUE["compile.ten-or-more"]) if one.text]
    assert [str(one.standing) for one in said] == ["quoted", "edited"]
    assert "12" in said[1].text
    assert len(said[1].text) == len(said[0].text)


def test_a_document_in_a_new_language_is_quoted_once_a_person_linked_it() -> None:
    RulebookStore().add_bytes(GERMAN.encode(), "regeln.md", Loading("my-compile-de", "de", game="compile"))
    rule = CATALOGUE["victory.three-compiled"]
    assert not [one for one in RulebookQuotes(ruleset("compile")).of(rule) if one.language == "de"]
    RulebookStore().link("my-compile-de", rule.id, ["regeln/ziel/1"], "Ana")
    (said,) = [one for one in RulebookQuotes(ruleset("compile")).of(rule) if one.language == "de"]
    assert (str(said.standing), said.text.split()[0]) == ("confirmed", "Wer")


def test_the_words_of_a_pdf_do_not_replace_the_better_cut_text(rulebook_file: File) -> None:
    text = rulebook_file("compile-faq-fr").read_text("utf-8")
    flat = text.replace("**", "").replace("- ", "")
    kept = RulebookStore().add_bytes(text.encode(), "faq.md", Loading("compile-faq-fr"))
    again = RulebookStore().add_bytes(flat.encode(), "faq.txt", Loading("compile-faq-fr"))
    if again.edition == kept.edition:
        assert (again.again, again.passages) == (True, kept.passages)
    assert len(RulebookStore().show("compile-faq-fr", kept.edition).rulebook.passages) == kept.passages


def test_an_edition_that_is_not_there_is_told_from_a_document_that_is_not(loaded: RulebookStore) -> None:
    with pytest.raises(UnknownEditionError, match="4435"):
        loaded.show("compile-faq-fr", "zzz")


@pytest.mark.parametrize("form", ["tmx", "xliff", "csv", "tbx", "po"])
def test_what_is_exported_of_the_real_documents_comes_back_as_the_same(loaded: RulebookStore, form: str) -> None:
    qa = TranslationQA("compile", CATALOGUE, ["fr", "it", "pl"])
    assert set(compared(exchange_file(qa, form, "en"), f"out.{form}", qa).counts()) == {ChangeStatus.SAME}


@pytest.mark.parametrize("game", ["altered", "lotr-reveal"])
def test_a_game_published_once_has_nothing_to_compare(game: str) -> None:
    qa = TranslationQA(game, ruleset(game).catalogue)
    with pytest.raises(NothingToCompareError, match="one language only"):
        qa.findings()
    assert b"msgid" in exchange_file(qa, "po", "en")


def test_a_language_without_an_edition_is_refused() -> None:
    with pytest.raises(NothingToCompareError, match="no edition in xx"):
        TranslationQA("compile", CATALOGUE, ["fr", "xx"])


def test_with_nothing_loaded_no_check_passes_and_what_to_load_is_said() -> None:
    for form in ("text", "json", "html", "csv", "junit", "sarif"):
        done = CliRunner().invoke(qa, ["compile", "--format", form, "--fail-on", "none"])
        assert done.exit_code != 0, form
        assert isinstance(done.exception, NothingLoadedError), form
        assert "audit rulebook add FILE --as compile-rules-it --lang it" in str(done.exception)


@pytest.mark.every("asked", [["--matrix"], *(["--export", form] for form in ("csv", "tmx", "xliff", "xliff-1.2"))])
def test_with_nothing_loaded_there_is_no_table_and_no_file_of_passages(asked: list[str]) -> None:
    done = CliRunner().invoke(qa, ["compile", *asked])
    assert isinstance(done.exception, NothingLoadedError)
    assert done.stdout == ""


@pytest.mark.parametrize("form", ["po", "tbx"])
def test_our_own_words_are_exported_with_nothing_loaded(form: str) -> None:
    assert CliRunner().invoke(qa, ["compile", "--export", form]).exit_code == 0


def shown(*words: str) -> str:
    return CliRunner().invoke(rule, ["victory.three-compiled", *words]).stdout


def test_a_rule_shows_what_people_linked_to_it_with_the_words_and_who_did() -> None:
    assert "Linked by people" not in shown()
    store = RulebookStore()
    edition = store.add_bytes(GERMAN.encode(), "regeln.md", Loading("my-compile-de", "de", game="compile")).edition
    store.link("my-compile-de", "victory.three-compiled", ["regeln/ziel/1"], "Ana")
    said = shown()
    assert f"[de] my-compile-de {edition[:8]}: my-compile-de/regeln/ziel/1  (Ana)\n         Wer" in said
    assert "Powiązane przez ludzi" in shown("--lang", "pl")
    (link,) = json.loads(shown("--json"))["links"]
    assert (link["document"], link["passages"], link["by"]) == ("my-compile-de", ["my-compile-de/regeln/ziel/1"], "Ana")


def test_a_rule_shows_that_a_document_does_not_say_it_and_what_became_of_a_passage() -> None:
    store = RulebookStore()
    store.add_bytes(GERMAN.encode(), "regeln.md", Loading("my-compile-de", "de", game="compile"))
    store.answer("my-compile-de", {"victory.three-compiled": ()}, "Ana")
    assert "does not say it  (Ana)" in shown()
    store.link("my-compile-de", "victory.three-compiled", ["regeln/ziel/1"], "Ana")
    later = GERMAN.replace("Wer", "Wer zuerst").encode()
    store.add_bytes(later, "later.md", Loading("my-compile-de", "de", game="compile"))
    assert "(Ana, edited)" in shown()


def test_findings_are_given_to_people_on_the_command_line(loaded: RulebookStore) -> None:
    first, second = (one.id for one in TranslationQA("compile", CATALOGUE).findings()[:2])
    for finding, person in ((first, "Bruno"), (second, "Celina")):
        assert CliRunner().invoke(qa, ["--assign", finding, "--to", person, "--by", "Ada"]).exit_code == 0
    everything = CliRunner().invoke(qa, []).output
    assert "Bruno 1, Celina 1" in everything
    hers = json.loads(CliRunner().invoke(qa, ["--of", "celina", "--format", "json"]).output)
    assert [one["id"] for one in hers["findings"]] == [second]
    assert CliRunner().invoke(qa, ["--assign", first, "--to", "-"]).exit_code == 0
    assert "Bruno" not in CliRunner().invoke(qa, []).output


def test_the_matrix_opens_in_a_spreadsheet(loaded: RulebookStore) -> None:
    done = CliRunner().invoke(qa, ["compile", "--matrix", "--format", "csv"])
    assert done.output.startswith("\ufeff")
    rows = list(csv.DictReader(io.StringIO(done.output.removeprefix("\ufeff"))))
    assert len(rows) == len(CATALOGUE)
    assert rows[0].keys() == {"rule", "fr", "fr lines", "it", "it lines", "pl", "pl lines"}


@pytest.mark.every(
    ("language", "word"), [("en", "silent"), ("fr", "muet"), ("it", "non ne parla"), ("pl", "nic o tym nie mówi")]
)
def test_how_a_quotation_stands_is_said_in_the_readers_language(language: str, word: str) -> None:
    rule = CATALOGUE["field.face-down-value"]
    lines = list(quotation_lines(RulebookQuotes(ruleset("compile")).of(rule), language))
    assert len([line for line in lines if f"({word})" in line]) == 2


@pytest.mark.every("language", LANGUAGES)
def test_every_standing_has_a_word(language: str) -> None:
    assert set(words("replays", language, "quotes")) == {*map(str, QuoteStatus), "implied", "corrected", "superseded"}


def test_a_document_that_is_not_compared_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path))
    RulebookStore().add_bytes(GERMAN.encode(), "regeln.md", Loading("regeln-de", "de", game="compile"))
    RulebookStore().add_bytes(GERMAN.encode(), "regeln.md", Loading("andere-de", "de", game="altered"))
    assert [one.document for one in TranslationQA("compile", CATALOGUE).not_compared] == ["regeln-de"]
    assert "regeln-de (de) is not compared" in CliRunner().invoke(qa, ["compile"]).output


def test_a_dismissed_finding_that_reworded_words_no_longer_give_is_a_task(
    loaded: RulebookStore, rulebook_file: File
) -> None:
    qa_, text = TranslationQA("compile", CATALOGUE), rulebook_file("compile-rules-pl").read_text("utf-8")
    found = qa_.findings()[0]
    set_aside(qa_, found.id, "it is meant", "Ada")
    line = next(each.lines[0] for each in found.quotes if each.language == "pl")
    lines = text.splitlines()
    lines[line - 1] = "Gracz robi wtedy to, co zechce."
    loaded.add_bytes("\n".join(lines).encode(), "later.txt", Loading("compile-rules-pl"))
    (task,) = [one for one in tasks("compile", CATALOGUE) if one.finding]
    assert (task.kind, task.finding, task.why) == (TaskKind.UNFOUND, found.id, "it is meant (Ada)")
    answer_task("compile", CATALOGUE, task.id, "gone", "Ada")
    assert TranslationQA("compile", CATALOGUE).dismissals.load() == {}
    take_answer_back("compile", CATALOGUE, task.id)
    assert [one.id for one in tasks("compile", CATALOGUE) if one.finding] == [task.id]


def test_what_is_done_on_the_command_line_is_said(loaded: RulebookStore) -> None:
    finding = TranslationQA("compile", CATALOGUE).findings()[0].id
    for given, said in (
        (["--assign", finding, "--to", "Bruno", "--by", "Ada"], "given to Bruno by Ada"),
        (["--assign", finding, "--to", "-"], "nobody has it"),
        (["--dismiss", finding, "--reason", "the card says it", "--by", "Ada"], "dismissed by Ada: the card says it"),
        (["--withdraw", finding], "the dismissal is withdrawn"),
    ):
        assert CliRunner().invoke(qa, given).output == f"{finding}: {said}\n"


def test_what_was_not_compared_stands_below_the_findings(loaded: RulebookStore) -> None:
    lines = CliRunner().invoke(qa, []).output.splitlines()
    assert lines[-1].startswith("Not compared:")
    assert not any(line.startswith("Not compared:") for line in lines[:-1])
    table = TranslationQA("compile", CATALOGUE).triage()
    rows = list(csv.DictReader(io.StringIO(report(table, "csv").removeprefix("\ufeff"))))
    told = {one.id: kind_words(one, "en") for one in table.open}
    assert {row["id"]: row["Kind"] for row in rows} == told


def test_a_ruling_to_check_is_told_in_words(loaded: RulebookStore) -> None:
    ruling, entry = next(iter(CATALOGUE.rulings.items()))
    lines = list(task_lines([Task(TaskKind.RULING, "", entry.bears_on[:1], (), ruling)], "compile", CATALOGUE, "pl"))
    assert any(CATALOGUE.statement(entry, "pl") in line for line in lines)
