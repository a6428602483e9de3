"""The page of the translation editor: findings, filters, dismissals, the matrix, files."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from html import unescape
from io import BytesIO
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from audit.core.catalogue import LANGUAGES
from audit.core.ruleset import ruleset
from audit.rulebooks.exports.csv import read_csv, write_csv
from audit.rulebooks.findings import Weight, with_weights
from audit.rulebooks.moving import TaskKind
from replays.rulebooks.loading import Loading
from replays.rulebooks.store import RulebookStore
from replays.rulebooks.task_answers import answers_of
from replays.rulebooks.tasks import tasks
from replays.rulebooks.translation_qa import TranslationQA
from tests.web.books_made import FRENCH, VIEWER_ORIGIN, load_own, load_real, viewer
from web.rulebooks.qa_kept import example
from web.rulebooks.qa_pages import weighed_rule
from web.site.tokens import make_token

FINDING = re.compile(r'<li id="f-([0-9a-f]{12})"')


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    return viewer(tmp_path, monkeypatch)


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Path:
    """A data folder with the three real rulebooks."""
    folder = tmp_path_factory.mktemp("loaded")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUDIT_DATA_DIR", str(folder))
        load_real(root)
    return folder


@pytest.fixture
def data(loaded: Path) -> Iterator[Path]:
    """A copy of it in one place, so that what is known of its rulebooks stays known from test to test."""
    folder = loaded.with_name("data")
    shutil.copytree(loaded, folder)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def qa_pages(data: Path, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    return viewer(data, monkeypatch)


def ids(client: FlaskClient, query: str = "") -> list[str]:
    return FINDING.findall(client.get(f"/qa/compile{query}").get_data(as_text=True))


def dismiss(client: FlaskClient, finding: str, **more: str) -> int:
    sent = {"finding": finding, "reason": "the card says it", "author": "Zofia", **more}
    return client.post("/qa/compile/dismiss", data=sent, headers=VIEWER_ORIGIN).status_code


def test_without_rulebooks_the_page_says_so_and_how_to_load_them(here: FlaskClient) -> None:
    text = here.get("/qa/compile").get_data(as_text=True)
    assert "No rulebook of this game is loaded" in text
    assert "--as compile-rules-pl --lang pl" in text
    assert here.get("/qa/compile/matrix").status_code == 200


def test_a_game_of_one_language_has_nothing_to_compare(here: FlaskClient) -> None:
    assert here.get("/qa/altered").status_code == 404
    assert here.get("/qa/chess").status_code == 404


def test_a_finding_shows_both_passages_with_the_words_marked_and_its_weight(qa_pages: FlaskClient) -> None:
    text = qa_pages.get("/qa/compile?severity=changes").get_data(as_text=True)
    there = [piece for piece in text.split("<li id=")[1:] if "<mark>" in piece]
    assert all(piece.count("<blockquote") >= 2 for piece in there)
    assert any(re.search(r"\d+ games?</a>, \d+ steps?", piece) for piece in there)
    assert re.search(r"settled by: [A-Z]", text)


def test_findings_are_narrowed_by_language_kind_severity_and_words(qa_pages: FlaskClient) -> None:
    every = {one.id: one for one in TranslationQA("compile", ruleset("compile").catalogue).triage(gaps=True).open}
    for query, holds in (
        ("?between=pl", lambda one: "pl" in one.languages),
        ("?kind=time", lambda one: one.kind == "time"),
        ("?kind=missing", lambda one: one.kind == "missing"),
        ("?severity=misleads", lambda one: one.severity == "misleads"),
        ("?q=compile.turns-protocol", lambda one: "compile.turns-protocol" in " ".join(one.rules)),
    ):
        found = ids(qa_pages, query)
        assert found
        assert all(holds(every[id]) for id in found), query
    assert ids(qa_pages, "?q=zzzz-nothing") == []


def test_what_only_some_documents_say_is_listed_where_it_is_asked_for(qa_pages: FlaskClient) -> None:
    first = qa_pages.get("/qa/compile").get_data(as_text=True)
    assert "what only some documents say" in first
    assert {*ids(qa_pages, "?kind=missing")}.isdisjoint(ids(qa_pages))


def test_a_dismissal_needs_a_reason_and_an_author(qa_pages: FlaskClient) -> None:
    finding = ids(qa_pages)[0]
    assert dismiss(qa_pages, finding, reason=" ") == 400
    assert dismiss(qa_pages, finding, author="") == 400
    assert dismiss(qa_pages, "0" * 12) == 400
    assert finding in ids(qa_pages)


def test_a_dismissed_finding_is_kept_with_reason_and_author_and_can_be_taken_back(qa_pages: FlaskClient) -> None:
    finding = ids(qa_pages)[0]
    assert dismiss(qa_pages, finding) == 303
    assert finding not in ids(qa_pages)
    assert ids(qa_pages, "?is=dismissed") == [finding]
    text = qa_pages.get("/qa/compile?is=dismissed").get_data(as_text=True)
    assert "the card says it" in text
    assert "Zofia" in text
    assert dismiss(qa_pages, finding, act="withdraw") == 303
    assert finding in ids(qa_pages)


def test_what_was_dismissed_is_named_above_the_list_with_a_way_back_and_the_name_is_kept(
    qa_pages: FlaskClient,
) -> None:
    found = TranslationQA("compile", ruleset("compile").catalogue).findings()[0]
    beside = ids(qa_pages)[1]
    sent = {"finding": found.id, "reason": "it is meant", "author": "Zofia", "at": beside}
    done = qa_pages.post("/qa/compile/dismiss", data=sent, headers=VIEWER_ORIGIN)
    assert done.headers["Location"].endswith("#done")
    above, _, below = qa_pages.get(done.headers["Location"]).get_data(as_text=True).partition('<ol class="qa">')
    assert unescape(above).count(found.message("en")) == 1
    assert f'name="finding" value="{found.id}"' in above
    assert f'href="#f-{beside}"' in above
    assert "notice-box" not in below
    assert 'name="author" required maxlength="100" autocomplete="name" value="Zofia"' in below


def test_rulings_are_folded_and_two_answers_are_called_so(qa_pages: FlaskClient) -> None:
    pieces = qa_pages.get("/qa/compile").get_data(as_text=True).split('<li id="f-')[1:]
    settled = next(piece for piece in pieces if "settled by" in piece)
    assert settled.index("<summary>Readings and rulings") < settled.index("settled by") < settled.rindex("</details>")
    assert any("two answers" in piece for piece in pieces)


def test_a_dismissal_lapses_when_a_text_has_changed(qa_pages: FlaskClient, data: Path) -> None:
    finding = ids(qa_pages)[0]
    dismiss(qa_pages, finding)
    path = next(data.rglob("compile.dismissals.jsonl"))
    kept = json.loads(path.read_text())
    kept["fingerprints"] = dict.fromkeys(kept["fingerprints"], "another text")
    path.write_text(json.dumps(kept) + "\n")
    assert finding in ids(qa_pages)
    assert ids(qa_pages, "?is=lapsed") == [finding]
    assert "A text has changed" in qa_pages.get("/qa/compile?is=lapsed").get_data(as_text=True)


def assign(client: FlaskClient, finding: str, to: str, author: str = "Zofia") -> int:
    return dismiss(client, finding, act="assign", to=to, author=author, reason="")


def test_a_finding_is_given_to_a_person_listed_by_person_and_given_back(qa_pages: FlaskClient) -> None:
    first, second, *_ = ids(qa_pages)
    assert (assign(qa_pages, first, "Ada"), assign(qa_pages, second, "Bruno & Co")) == (303, 303)
    assert ids(qa_pages, "?of=Ada") == [first]
    assert ids(qa_pages, "?of=Bruno+%26+Co") == [second]
    assert first not in ids(qa_pages, "?of=-")
    assert "assigned to Ada" in qa_pages.get("/qa/compile").get_data(as_text=True)
    assert "prowadzi: Ada" in qa_pages.get("/qa/compile?lang=pl").get_data(as_text=True)
    assert '"assigned": "Ada"' in qa_pages.get("/qa/compile/export/json").get_data(as_text=True)
    assert "assigned to Ada" in qa_pages.get("/qa/compile/export/tmx").get_data(as_text=True)
    assert assign(qa_pages, first, "") == 303
    assert ids(qa_pages, "?of=Ada") == []
    assert assign(qa_pages, first, "Ada", author="") == 400
    assert assign(qa_pages, "0" * 12, "Ada") == 400


def test_an_assignment_lapses_when_a_text_has_changed_and_is_a_task(qa_pages: FlaskClient, data: Path) -> None:
    finding = ids(qa_pages)[0]
    assign(qa_pages, finding, "Ada")
    path = next(data.rglob("compile.assignments.jsonl"))
    kept = json.loads(path.read_text())
    kept["fingerprints"] = dict.fromkeys(kept["fingerprints"], "another text")
    path.write_text(json.dumps(kept) + "\n")
    assert ids(qa_pages, "?of=Ada") == []
    assert json.loads(qa_pages.get("/qa/compile/export/json").get_data())["lapsed_assignments"][0]["to"] == "Ada"
    told = [task.why for task in tasks("compile", ruleset("compile").catalogue) if task.kind is TaskKind.ASSIGNMENT]
    assert told == ["Ada (Zofia)"]


def test_who_may_dismiss(qa_pages: FlaskClient) -> None:
    finding = ids(qa_pages)[0]
    sent = {"finding": finding, "reason": "r", "author": "a"}
    elsewhere = {"Origin": "http://elsewhere.example"}
    assert qa_pages.post("/qa/compile/dismiss", data=sent, headers=elsewhere).status_code == 403
    assert qa_pages.post("/qa/compile/dismiss", data=sent).status_code == 403
    keeper, judge = make_token("k", "scorekeeper"), make_token("Judge J", "judge")
    qa_pages.environ_base["REMOTE_ADDR"] = "203.0.113.9"
    assert dismiss(qa_pages, finding) == 403
    assert dismiss(qa_pages, finding, token=keeper) == 403
    assert dismiss(qa_pages, finding, token=judge) == 303
    assert "Judge J" in qa_pages.get("/qa/compile?is=dismissed").get_data(as_text=True)


def test_the_matrix_tells_each_rule_in_each_language(qa_pages: FlaskClient) -> None:
    text = qa_pages.get("/qa/compile/matrix").get_data(as_text=True)
    assert text.count('<th scope="row">') == len(ruleset("compile").catalogue)
    missing = qa_pages.get("/qa/compile/matrix?state=missing").get_data(as_text=True)
    assert 0 < missing.count('<th scope="row">') < len(ruleset("compile").catalogue)
    assert "Passages no rule is linked to" in text


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("form", "start"),
    [
        ("csv", "\ufeff"),
        ("json", "{"),
        ("tbx", "<?xml"),
        ("tmx", "<?xml"),
        ("xliff", "<?xml"),
        ("xliff-1.2", "<?xml"),
        ("po", "#"),
    ],
)
def test_files_for_translators(qa_pages: FlaskClient, form: str, start: str) -> None:
    answer = qa_pages.get(f"/qa/compile/export/{form}")
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert len(answer.data) > 1000
    if form in ("tbx", "tmx", "xliff", "xliff-1.2"):
        assert answer.get_data(as_text=True).lstrip("\ufeff").startswith(start)
    if form == "json":
        assert json.loads(answer.data)
    qa_pages.environ_base["REMOTE_ADDR"] = "203.0.113.9"
    assert qa_pages.get(f"/qa/compile/export/{form}").status_code == 403


@pytest.mark.sampled(4)
@pytest.mark.parametrize("form", ["csv", "tmx", "xliff", "json"])
def test_there_is_no_file_of_passages_where_nothing_is_loaded(here: FlaskClient, form: str) -> None:
    assert here.get(f"/qa/compile/export/{form}").status_code == 404


def test_there_is_no_file_of_another_kind(here: FlaskClient) -> None:
    assert here.get("/qa/compile/export/exe").status_code == 404


def test_without_rulebooks_an_example_of_our_own_shows_what_would_be_found(here: FlaskClient) -> None:
    for language in LANGUAGES:
        text = here.get(f"/qa/compile?lang={language}").get_data(as_text=True)
        assert text.count("<blockquote") == 4
        assert "<mark>" in text
        assert "więcej niż dziesięć" in re.sub("</?mark>", "", text)
        assert "at-least" not in text


def send_back(client: FlaskClient, data: bytes, name: str = "passages.csv", by: str = "Zofia") -> tuple[int, str]:
    """The file through the form of the page: the status, and the page that answers."""
    sent = {"file": (BytesIO(data), name), "by": by}
    answer = client.post("/qa/compile/return", data=sent, headers=VIEWER_ORIGIN)
    return answer.status_code, answer.get_data(as_text=True)


def test_an_edited_table_comes_back_as_a_new_edition_with_its_changes_and_who_made_them(qa_pages: FlaskClient) -> None:
    before = RulebookStore().show("compile-rules-it").rulebook.edition
    rows = read_csv(qa_pages.get("/qa/compile/export/csv").data)
    first = next(row for row in rows if "it" in row.texts)
    first.texts["it"] = f"Sempre: {first.texts['it']}"
    status, page = send_back(qa_pages, write_csv(rows))
    kept = RulebookStore().show("compile-rules-it")
    assert status == 200
    assert "<ins>Sempre:</ins>" in page
    assert "Zofia" in page
    assert (kept.by, kept.rulebook.edition == before) == ("Zofia", False)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("form", ["csv", "tmx", "xliff", "tbx", "po"])
def test_a_file_that_was_not_edited_changes_nothing(qa_pages: FlaskClient, form: str) -> None:
    there = [one.rulebook.edition for one in RulebookStore().editions()]
    status, page = send_back(qa_pages, qa_pages.get(f"/qa/compile/export/{form}").data, f"passages.{form}")
    assert status == 200
    assert "nothing was changed" in page
    assert [one.rulebook.edition for one in RulebookStore().editions()] == there


@pytest.mark.parametrize(
    ("data", "name", "by"),
    [
        (b"", "empty.csv", "Zofia"), (b"\x00\x01\x02", "picture.png", "Zofia"), (b"<tmx", "cut.tmx", "Zofia"),
        (b"id,it\n\x00\xff,x", "letters.csv", "Zofia"), (b"id,it\nx,y\n", "nobody.csv", " "),
        (b'<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><xliff>&e;</xliff>', "entity.xlf", "Zofia"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_read_is_answered_in_one_line_and_nothing_is_kept(
    here: FlaskClient, data: bytes, name: str, by: str
) -> None:
    load_own()
    status, page = send_back(here, data, name, by)
    assert status == 400
    assert page.count('role="alert"') == 1
    assert len(RulebookStore().editions()) == 1


def test_a_file_comes_back_from_a_page_of_this_viewer_only(here: FlaskClient) -> None:
    sent = {"file": (BytesIO(b"id,it\n"), "a.csv"), "by": "Zofia"}
    foreign = {"Origin": "http://elsewhere.example"}
    assert here.post("/qa/compile/return", data=sent, headers=foreign).status_code == 403


LATER = FRENCH.replace("trois bateaux", "quatre bateaux").replace(
    "La partie s'arrête", "Chaque bateau porte un phare.\n\nLa partie s'arrête"
)


def to_do(client: FlaskClient, query: str = "") -> dict[str, str]:
    """The tasks on the page, each with what stands there."""
    pieces = client.get(f"/qa/compile/tasks{query}").get_data(as_text=True).split('<li id="t-')[1:]
    return {piece[:12]: piece for piece in pieces}


def give(client: FlaskClient, task: str, to: str) -> int:
    sent = {"task": task, "to": to, "by": "Ada"}
    return client.post("/qa/compile/tasks", data=sent, headers=VIEWER_ORIGIN).status_code


def later_edition() -> None:
    load_own()
    first = RulebookStore().show("bateaux-fr").rulebook.passages[0].id
    RulebookStore().link("bateaux-fr", "field.three-lines", [first], "Ada")
    RulebookStore().add_bytes(LATER.encode(), "bateaux.md", Loading("bateaux-fr", "fr", game="compile"))


def test_what_a_later_edition_leaves_to_do_stands_on_a_page_word_by_word(here: FlaskClient) -> None:
    assert "No task is left" in here.get("/qa/compile/tasks").get_data(as_text=True)
    later_edition()
    pieces = "".join(to_do(here).values())
    assert "<del>trois</del>" in pieces
    assert "<ins>quatre</ins>" in pieces
    assert "say which rules the new passage says" in pieces
    assert "/qa/compile/tasks" in here.get("/rulebooks/").get_data(as_text=True)


def test_a_task_is_given_to_a_person_listed_by_person_and_given_back(here: FlaskClient) -> None:
    later_edition()
    new = next(id for id, piece in to_do(here).items() if "new passage" in piece)
    assert give(here, new, "Bruno") == 303
    assert "given to Bruno" in to_do(here)[new]
    assert list(to_do(here, "?of=Bruno")) == [new]
    assert new not in to_do(here, "?of=-")
    assert give(here, new, "") == 303
    assert list(to_do(here, "?of=Bruno")) == []
    assert give(here, "nothing", "Bruno") == 400


def answered(client: FlaskClient, task: str, **said: str) -> int:
    sent = {"task": task, "act": "answer", "by": "Ada", **said}
    return client.post("/qa/compile/tasks", data=sent, headers=VIEWER_ORIGIN).status_code


def test_a_task_is_answered_where_it_stands_and_the_page_says_so(here: FlaskClient) -> None:
    later_edition()
    look = next(id for id, piece in to_do(here).items() if "read again" in piece)
    new = next(id for id, piece in to_do(here).items() if "new passage" in piece)
    assert answered(here, look, said="perhaps") == 400
    assert answered(here, look, said="still", by="") == 400
    assert answered(here, look, said="still") == 303
    assert answered(here, new, said="named", named="compile.mandatory") == 303
    assert to_do(here) == {}
    page = here.get("/qa/compile/tasks?done=answer").get_data(as_text=True)
    assert "the task is off the list" in page
    assert page.count("<b>Ada</b>") == 2
    assert RulebookStore().links("bateaux-fr", RulebookStore().show("bateaux-fr").rulebook.edition).keys() == {
        "field.three-lines", "compile.mandatory",
    }  # fmt: skip


def test_an_answer_is_told_with_what_follows_and_can_be_taken_back(here: FlaskClient) -> None:
    later_edition()
    look = next(id for id, piece in to_do(here).items() if "read again" in piece)
    sent = {"task": look, "act": "answer", "by": "Ada", "said": "gone"}
    done = here.post("/qa/compile/tasks", data=sent, headers=VIEWER_ORIGIN, follow_redirects=True)
    above = done.get_data(as_text=True).partition('<ol class="qa">')[0]
    assert "The passage is no longer linked to the rule." in above
    assert 'value="undo"' in above
    edition = RulebookStore().show("bateaux-fr").rulebook.edition
    assert RulebookStore().made_links("bateaux-fr", edition)["field.three-lines"].passages == ()
    assert here.post("/qa/compile/tasks", data={**sent, "act": "undo"}, headers=VIEWER_ORIGIN).status_code == 303
    assert look in to_do(here)
    assert RulebookStore().made_links("bateaux-fr", edition)["field.three-lines"].look == "edited"
    assert here.post("/qa/compile/tasks", data={**sent, "act": "undo"}, headers=VIEWER_ORIGIN).status_code == 400


def test_a_task_shows_the_rule_and_its_choices_by_rule_above_the_buttons(here: FlaskClient) -> None:
    load_own()
    first = RulebookStore().show("bateaux-fr").rulebook.passages[0].id
    for rule in ("field.three-lines", "compile.mandatory"):
        RulebookStore().link("bateaux-fr", rule, [first], "Ada")
    RulebookStore().add_bytes(LATER.encode(), "bateaux.md", Loading("bateaux-fr", "fr", game="compile"))
    piece = next(piece for piece in to_do(here).values() if "read again" in piece)
    catalogue = ruleset("compile").catalogue
    assert catalogue.statement(catalogue["field.three-lines"]) in unescape(piece)
    assert piece.index("Answer rule by rule") < piece.index('<div class="acts">')


def test_a_ruling_that_needs_no_look_any_more_is_told_with_the_answer(here: FlaskClient) -> None:
    load_own()
    entry = next(one for one in ruleset("compile").catalogue.rulings.values() if one.bears_on)
    first = RulebookStore().show("bateaux-fr").rulebook.passages[0].id
    RulebookStore().link("bateaux-fr", entry.bears_on[0], [first], "Ada")
    RulebookStore().add_bytes(LATER.encode(), "bateaux.md", Loading("bateaux-fr", "fr", game="compile"))
    look = next(id for id, piece in to_do(here).items() if "read again" in piece)
    assert answered(here, look, said="still") == 303
    assert entry.id in answers_of("compile").load()[look].settled


def test_a_task_is_given_by_nobody_from_elsewhere_nor_by_a_player(here: FlaskClient) -> None:
    later_edition()
    sent = {"task": next(iter(to_do(here))), "to": "Bruno", "by": "Ada"}
    for headers in ({}, {"Origin": "https://elsewhere.example"}):
        assert here.post("/qa/compile/tasks", data=sent, headers=headers).status_code == 403


def test_the_page_of_tasks_is_there_for_a_game_of_one_language_too(here: FlaskClient) -> None:
    assert here.get("/qa/altered/tasks").status_code == 200
    assert here.get("/qa/chess/tasks").status_code == 404


def test_a_po_without_a_language_is_taken_back_in_the_one_chosen_on_the_page(qa_pages: FlaskClient) -> None:
    po = qa_pages.get("/qa/compile/export/po?to=it").data
    assert b'"Language: it\\n"' in po
    said = re.search(rb'msgctxt "field.three-lines"\nmsgid .*\nmsgstr "([^"]+)"', po)
    assert said
    edited = po.replace(said[1], b"Tre linee.").replace(b'"Language: it\\n"\n', b"")
    sent = lambda **more: {"by": "Ada", "file": (BytesIO(edited), "it.po"), **more}  # noqa: E731
    asked = qa_pages.post("/qa/compile/return", data=sent(), headers={**VIEWER_ORIGIN, "Accept-Language": "fr"})
    assert "choisissez-la" in asked.get_data(as_text=True)
    done = qa_pages.post("/qa/compile/return", data=sent(language="it"), headers=VIEWER_ORIGIN)
    assert "compile-statements-it" in done.get_data(as_text=True)


def test_why_a_change_was_not_taken_over_is_said_in_the_readers_language(qa_pages: FlaskClient) -> None:
    sent = {"by": "Ada", "file": (BytesIO(b"id,fr\nlamp,Une lampe.\n"), "one.csv")}
    for language, said in (("fr", "absent des documents"), ("it", "nei documenti caricati"), ("pl", "nie ma tego we")):
        sent["file"] = (BytesIO(b"id,fr\nlamp,Une lampe.\n"), "one.csv")
        page = qa_pages.post(
            "/qa/compile/return", data=dict(sent), headers={**VIEWER_ORIGIN, "Accept-Language": language}
        )
        assert said in page.get_data(as_text=True)


PROSE = re.compile(r"<(p|h[1-3]|li|summary|figcaption|td|th)\b[^>]*>(.*?)</\1>", re.DOTALL)
MARKUP = re.compile(r"<(script|style|code|blockquote)\b.*?</\1>|<[^>]+>", re.DOTALL)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_names_a_rule_a_topic_or_a_ruling_by_its_id_in_a_sentence(language: str, qa_pages: FlaskClient) -> None:
    catalogue = ruleset("compile").catalogue
    known = {*catalogue.rules, *catalogue.rulings, *(rule.topic for rule in catalogue)}
    ids_ = {id for id in known if "." in id or "-" in id}
    for page in (*(f"?page={number}" for number in range(1, 6)), "/matrix?", "/tasks?", "?source=it"):
        shown = qa_pages.get(f"/qa/compile{page}&lang={language}").get_data(as_text=True)
        prose = " ".join(MARKUP.sub(" ", found[2]) for found in PROSE.finditer(shown))
        assert ids_.isdisjoint(re.findall(r"[a-z0-9]+(?:[.-][a-z0-9]+)+", prose)), page


def test_a_document_named_the_source_is_what_the_others_are_held_against(qa_pages: FlaskClient) -> None:
    shown = qa_pages.get("/qa/compile?source=it").get_data(as_text=True)
    assert "Held against the Italian document" in shown
    between = re.findall(r'<option value="it" selected>', shown)
    assert len(between) == 1
    assert set(ids(qa_pages, "?source=it&kind=number")) <= set(ids(qa_pages, "?kind=number"))
    assert "Held against" not in qa_pages.get("/qa/compile?source=xx").get_data(as_text=True)


def test_the_games_of_a_finding_are_those_that_are_counted_of_it() -> None:
    weights = {"refresh.up-to-five": Weight(4, 14), "setup.opening-hand": Weight(5, 15)}
    one = replace(example()[0], rule="refresh.up-to-five", rules=(*weights,))
    (weighed,) = with_weights([one], weights)
    assert weighed_rule(weighed, weights) == "setup.opening-hand"
