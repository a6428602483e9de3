"""The editor's whole way of docs/editor.md, walked in a browser: from loading documents to what a new edition leaves.

Once with a few lines of our own, which are always here, and once with the real documents where they are. How long
each page takes is printed (`pytest -s`), never asserted.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from audit.rulebooks.exports.csv import read_csv, write_csv
from bench.walk import REAL, RULEBOOKS, edit, lay_out
from replays.rulebooks.store import RulebookStore
from tests.browser.test_access import violations

pytestmark = pytest.mark.browser

FURTHER = {"lotr.txt": "002", "altered.txt": "004"}
"""The real documents of the games that are published once."""
OWN = {
    "fr.md": "# Notre partie\n\nLe joueur pioche cinq cartes.\n\nUne ligne à dix points se compile.\n",
    "it.md": "# La partita\n\nIl giocatore pesca quattro carte.\n\nUna linea con dieci punti si compila.\n",
    "regeln-de.md": "# Regeln\n\nAm Ende ziehst du fünf Karten.\n\nDrei Linien liegen aus.\n\nWer gewinnt, mischt.\n",
    "regels-nl.md": "# Regels\n\nEr liggen drie lijnen op tafel.\n\nEen beurt telt één actie.\n",
}
LATER = OWN["regeln-de.md"].replace("fünf", "sechs").replace("Wer gewinnt, mischt.", "Danach gibt es Kuchen.")


class Editor:
    """Somebody at the pages, whose seconds are kept by what was done."""

    def __init__(self, page: Any, folder: Path) -> None:
        self.page = page
        self.folder = folder
        self.seconds: dict[str, float] = {}

    def timed(self, what: str, act: Callable[[], object]) -> None:
        """Do it, and wait until the page it leads to is there."""
        start = time.perf_counter()
        act()
        self.page.wait_for_load_state()
        self.seconds[what] = time.perf_counter() - start
        assert self.page.locator("h1").count() == 1, what

    def opens(self, path: str) -> None:
        self.timed(f"open {path}", lambda: self.page.goto(path))

    def clicks(self, what: str, selector: str) -> None:
        def click() -> None:
            with self.page.expect_navigation():
                self.page.locator(selector).first.click()

        self.timed(what, click)

    def presses(self, what: str, key: str) -> None:
        def press() -> None:
            with self.page.expect_navigation():
                self.page.keyboard.press(key)

        self.timed(what, press)

    def loads(self, file: str, document: str = "", language: str = "", game: str = "", *, force: bool = False) -> None:
        self.opens("/rulebooks/")
        self.page.set_input_files("form.load [type=file]", str(self.folder / file))
        self.page.fill("[name=document]", document)
        self.page.select_option("form.load [name=language]", language)
        self.page.select_option("form.load [name=game]", game)
        self.page.locator("[name=force]").set_checked(force)
        self.clicks(f"load {file}", "form.load button")
        assert "/rulebooks/" in self.page.url.removesuffix("/rulebooks/"), self.page.inner_text("main")

    def fields(self, form: str, **words: str) -> None:
        for name, said in words.items():
            self.page.fill(f"{form} [name={name}]", said)

    def says(self, words: str) -> None:
        assert words in self.page.inner_text("main"), (words, self.page.url)


@pytest.fixture
def editor(visit_quietly: Any, books_address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Editor]:
    """At a desk with nothing loaded; proposals go by words."""
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.delenv("AUDIT_DATABASE_URL", raising=False)
    monkeypatch.setattr("web.rulebooks.pages.learned_answers", lambda *_: None)
    at_work = Editor(visit_quietly("", books_address), tmp_path)
    yield at_work
    for what, seconds in at_work.seconds.items():
        print(f"{seconds:6.2f} s  {what}")


def cut(editor: Editor, document: str) -> None:
    """Gives the first passage another title, and joins it with the next and takes that back, by keyboard."""
    editor.opens(f"/rulebooks/{document}/cut")
    first = editor.page.locator("[data-rows] > *").first
    first.locator("summary", has_text="Title").first.focus()
    editor.page.keyboard.press("Enter")
    field = first.locator("input[name=words]:visible").first
    field.fill("Aufbau")
    field.focus()
    editor.presses(f"retitle in {document}", "Enter")
    editor.says("Aufbau")
    editor.page.keyboard.press("ArrowDown")
    editor.page.locator("[data-rows] button", has_text="Join with the next").first.focus()
    editor.presses(f"join in {document}", "Enter")
    editor.page.locator("button", has_text="Take back").last.focus()
    editor.presses(f"take the join back in {document}", "Enter")


def confirm(editor: Editor, document: str, rule: str) -> None:
    """Asks for proposals for a rule and confirms the first one, by keyboard."""
    editor.opens(f"/rulebooks/{document}/links")
    editor.page.fill("[name=rule]", rule)
    editor.page.focus("[name=rule]")
    editor.presses(f"propose in {document}", "Enter")
    editor.page.focus(".proposal .acts button >> nth=0")
    editor.presses(f"confirm in {document}", "Enter")
    editor.says("Take the link away")


def dismiss(editor: Editor) -> None:
    """Reads the findings and dismisses the first one with a reason; it stands among those dismissed."""
    editor.opens("/qa/compile")
    finding = editor.page.locator("ol.qa > li").first
    name = str(finding.get_attribute("id"))
    finding.locator("summary", has_text="Dismiss").click()
    editor.fields(f"#{name} details[open]", reason="the card says it", author="Ada")
    editor.clicks("dismiss a finding", f"#{name} details[open] button")
    assert editor.page.locator(f"#{name}").count() == 0
    editor.opens("/qa/compile?is=dismissed")
    assert "the card says it" in editor.page.locator(f"#{name}").inner_text()


def send_back(editor: Editor, link: str, file: str, change: Callable[[Path], None]) -> None:
    """Downloads a file, changes it and takes it back."""
    editor.opens("/qa/compile")
    start = time.perf_counter()
    with editor.page.expect_download() as waited:
        editor.page.locator("a[download]", has_text=re.compile(f"^{link}$")).click()
    waited.value.save_as(editor.folder / file)
    editor.seconds[f"download {link}"] = time.perf_counter() - start
    change(editor.folder / file)
    editor.page.locator("summary", has_text="Take a file back").click()
    editor.page.set_input_files(".take-back [type=file]", str(editor.folder / file))
    editor.fields(".take-back", by="Ada")
    editor.clicks(f"take {file} back", ".take-back button")
    assert editor.page.locator("ins").count() > 0, editor.page.inner_text("main")


def give(editor: Editor, words: str) -> None:
    """Gives the first task of a kind to Bruno, on the list of what is to be done, and sees it among his."""
    editor.opens("/rulebooks/")
    editor.clicks("open what is to be done", "a[href*='/qa/compile/tasks']")
    if editor.page.locator("[name=in]").count():
        editor.page.select_option("[name=in]", "regeln-de")
        editor.clicks("show the tasks of one document", "form.filters button")
    task = editor.page.locator("ol.qa > li", has_text=words).first
    name = str(task.get_attribute("id"))
    task.locator("summary", has_text="Give to a person").click()
    editor.fields(f"#{name} details[open]", to="Bruno", by="Ada")
    editor.clicks(f"give a task: {words}", f"#{name} details[open] button")
    editor.opens("/qa/compile/tasks?of=Bruno")
    assert "given to Bruno" in editor.page.locator(f"#{name}").inner_text()


def answer(editor: Editor, words: str, said: str) -> None:
    """Answers the first task of a kind with a button of it; it is off the list, and the page says so."""
    editor.page.set_viewport_size({"width": 390, "height": 844})
    editor.opens("/qa/compile/tasks?in=regeln-de")
    task = editor.page.locator("ol.qa > li", has_text=words).first
    name = str(task.get_attribute("id"))
    editor.fields(f"#{name} form.task-answer", by="Ada")
    editor.clicks(f"answer a task: {words}", f"#{name} form.task-answer button:has-text('{said}')")
    editor.says("Your answer is kept")
    assert editor.page.locator(f"#{name}").count() == 0
    editor.page.set_viewport_size({"width": 1280, "height": 800})


OUTSIDE = """() => [...document.querySelectorAll('ol > li')].flatMap((item) => {
    const frame = item.getBoundingClientRect();
    return [...item.querySelectorAll('form, input, select, button, summary')]
        .filter((one) => one.checkVisibility() && one.type !== 'hidden')
        .map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
        .filter(([, box]) => box.width && (box.left < frame.left || box.right > frame.right))
        .map(([said]) => said);
})"""
"""What reaches out of the frame of its entry of a list."""


def is_sound(editor: Editor, *paths: str) -> None:
    """No page is wider than a phone, nothing of a list reaches out of its frame on a laptop, and axe finds nothing."""
    for path in paths:
        editor.page.goto(path)
        assert editor.page.evaluate(OUTSIDE) == [], path
    editor.page.set_viewport_size({"width": 360, "height": 780})
    for path in paths:
        editor.page.goto(path)
        assert editor.page.evaluate("document.documentElement.scrollWidth") <= 360, path
    editor.page.set_viewport_size({"width": 1280, "height": 800})


def other_words(file: Path) -> None:
    """What a translator changes in a PO file."""
    text = file.read_text("utf-8")
    said = re.search(r'msgctxt "field.three-lines"\n(?:msgid .*\n(?:".*"\n)*)msgstr "(.*)"', text)
    assert said
    file.write_text(text.replace(f'msgstr "{said[1]}"', 'msgstr "Le linee sono sempre tre."'), "utf-8")


@pytest.mark.prove
def test_the_whole_way_with_documents_of_our_own(editor: Editor) -> None:
    for name, text in OWN.items():
        (editor.folder / name).write_text(text, "utf-8")
    editor.loads("fr.md", "compile-faq-fr", "fr", force=True)
    editor.loads("it.md", "compile-rules-it", "it", force=True)
    editor.loads("regeln-de.md", "regeln-de", "de", "compile")
    editor.loads("regels-nl.md", "regels-nl", "nl", "compile")
    cut(editor, "regeln-de")
    confirm(editor, "regeln-de", "field.three-lines")
    confirm(editor, "regels-nl", "turn.one-action")
    dismiss(editor)
    send_back(editor, "PO Italian", "it.po", other_words)
    editor.says("compile-statements-it")
    (editor.folder / "regeln-de.md").write_text(LATER, "utf-8")
    editor.loads("regeln-de.md", "regeln-de", "de", "compile")
    give(editor, "say which rules the new passage says")
    answer(editor, "say which rules the new passage says", "Says no rule")
    assert [one.by for one in RulebookStore().history("compile-statements-it")] == ["", "Ada"]
    is_sound(editor, "/rulebooks/", "/qa/compile/tasks", "/rulebooks/regeln-de/links", "/qa/compile")


@pytest.mark.prove
@pytest.mark.skipif(not RULEBOOKS.is_dir(), reason="the rulebooks are not here")
def test_the_whole_way_with_the_real_documents(editor: Editor) -> None:
    lay_out(editor.folder)
    for name, start in FURTHER.items():
        (editor.folder / name).write_bytes(next(RULEBOOKS.glob(f"{start}_*.txt")).read_bytes())
    for name in (*REAL, *FURTHER):
        editor.loads(name)
    editor.loads("regeln-de.md", "regeln-de", "de", "compile")
    editor.loads("reglas-es.md", "reglas-es", "es", "compile")
    assert len({one.document for one in RulebookStore().editions()}) == 7
    cut(editor, "regeln-de")
    confirm(editor, "regeln-de", "field.three-lines")
    confirm(editor, "reglas-es", "field.three-lines")
    dismiss(editor)
    send_back(editor, "CSV", "compile.csv", edit)
    editor.says("compile-rules-it")
    set_aside = editor.page.locator("main").inner_text()
    assert "Sempre:" in set_aside
    editor.clicks("open the findings again", "main p a[href='/qa/compile']")
    (editor.folder / "regeln-de.md").write_bytes((editor.folder / "regeln-de-2.md").read_bytes())
    editor.loads("regeln-de.md", "regeln-de", "de", "compile")
    give(editor, "read again whether it still says the rule")
    answer(editor, "read again whether it still says the rule", "Says something else")
    is_sound(editor, "/rulebooks/", "/qa/compile/tasks", "/rulebooks/regeln-de/links", "/qa/compile")


@pytest.mark.prove
@pytest.mark.skipif(not RULEBOOKS.is_dir(), reason="the rulebooks are not here")
def test_what_was_set_aside_is_a_task_once_its_words_were_changed_in_a_file(editor: Editor) -> None:
    lay_out(editor.folder)
    for name in REAL:
        editor.loads(name)
    editor.opens("/qa/compile?kind=term")
    finding = editor.page.locator("ol.qa > li").first
    name = str(finding.get_attribute("id"))
    finding.locator("summary", has_text="Dismiss").click()
    editor.fields(f"#{name} details[open]", reason="it is meant so", author="Ada")
    editor.clicks("dismiss a finding", f"#{name} details[open] button")

    def every_first_word(file: Path) -> None:
        rows = read_csv(file.read_bytes())
        for row in rows:
            row.texts.update({code: f"Xyz {text}" for code, text in row.texts.items() if code == "it"})
        file.write_bytes(write_csv(rows))

    send_back(editor, "CSV", "compile.csv", every_first_word)
    editor.opens("/qa/compile/tasks?page=1")
    kinds = []
    while True:
        kinds += editor.page.locator("ol.qa > li h2").all_inner_texts()
        if not editor.page.locator("[rel=next]").count():
            break
        editor.clicks("next tasks", "[rel=next]")
    assert any("what was dismissed has changed" in said for said in kinds)
    assert any("read again" in said for said in kinds)
    assert violations(editor.page) == []
