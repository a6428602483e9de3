"""The pages of rulebooks, translation QA and readings for everybody: axe, a phone, the keyboard, no script."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from audit.core.catalogue import Catalogue
from audit.core.ruleset import ruleset
from audit.rulebooks.linking import Answer
from replays.rulebooks.store import RulebookStore
from tests.browser.test_access import violations, violations_in_both_colours
from tests.browser.test_editors_way import OUTSIDE
from tests.web.books_made import FRENCH, load_own, load_real
from tests.web.test_qa_pages import later_edition
from web.rulebooks.pages import BATCH

pytestmark = pytest.mark.browser
PAGES = ("/qa/compile", "/qa/compile/matrix?state=missing", "/rulebooks/", "/rulebooks/bateaux-fr",
         "/rulebooks/bateaux-fr/links?propose=1&rule=victory.three-compiled", "/rulebooks/bateaux-fr/cut",
         "/games/clean/compare?readings=standard,fr,it,pl", "/compare/compile")  # fmt: skip


@pytest.fixture
def qa_pages(visit_quietly: Any, books_address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Opens a page of a viewer that has the small rulebook."""
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path))
    monkeypatch.setattr("web.rulebooks.pages.learned_answers", lambda *_: None)
    load_own()
    return partial(visit_quietly, at=books_address)


@pytest.mark.parametrize("documents", ["our own", pytest.param("the real", marks=pytest.mark.prove)])
def test_axe_finds_nothing_and_nothing_scrolls_sideways(qa_pages: Any, documents: str, root: Path) -> None:
    if documents == "the real":
        load_real(root)
    for path in PAGES if documents == "the real" else PAGES[::4]:
        page = qa_pages(path)
        assert violations_in_both_colours(page) == [], path
        for width in (430, 360):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path


def test_the_forms_of_a_task_lie_inside_its_frame_on_a_laptop_and_nothing_scrolls_sideways_on_a_phone(
    qa_pages: Any,
) -> None:
    later_edition()
    page = qa_pages("/qa/compile/tasks")
    assert page.locator("form.task-answer").count()
    assert page.evaluate(OUTSIDE) == []
    page.set_viewport_size({"width": 360, "height": 780})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert violations(page) == []


def test_a_rulebook_is_loaded_and_a_proposal_confirmed_without_a_script(qa_pages: Any) -> None:
    page = qa_pages("/rulebooks/", java_script_enabled=False)
    sent = {"name": "second.md", "mimeType": "text/markdown", "buffer": FRENCH.encode()}
    page.set_input_files("input[type=file]", [sent])
    page.fill("[name=document]", "second-fr")
    page.select_option("[name=game]", "compile")
    page.click("form.load button")
    assert "trois bateaux" in page.inner_text("main")
    page.goto("/rulebooks/second-fr/links?propose=1&rule=victory.three-compiled")
    page.focus("form.act button >> nth=0")
    page.keyboard.press("Enter")
    page.wait_for_url("**edition=**")
    assert "Take the link away" in page.inner_text("main")


class Hands:
    """Presses keys and counts them."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.presses = 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.presses += 1

    def focused(self) -> str:
        return str(self.page.evaluate("document.activeElement.textContent.trim()"))


def proposed(rules: Sequence[str], passage: str) -> Callable[..., list[Answer]]:
    """Proposals for these rules, of which every other one is said; those that are answered are left out."""

    def answers(store: RulebookStore, document: str, catalogue: Catalogue, edition: str) -> list[Answer]:
        done = store.links(document, edition)
        left = [(number, rule) for number, rule in enumerate(rules) if rule not in done]
        return [Answer(rule, ((passage, 0.6 if number % 2 else 0.1),)) for number, rule in left]

    return answers


def test_all_rules_are_answered_with_keys_alone(qa_pages: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    stored = RulebookStore().show("bateaux-fr")
    rules = [rule.id for rule in ruleset("compile").catalogue][: BATCH + 2]
    monkeypatch.setattr("web.rulebooks.pages.learned_answers", proposed(rules, stored.rulebook.passages[0].id))
    hands = Hands(qa_pages("/rulebooks/bateaux-fr/links?propose=1"))
    pages = 0
    while hands.page.locator(".link-answer").count():
        pages += 1
        for _ in range(hands.page.locator(".link-answer").count() - 1):
            hands.press("ArrowDown")
        hands.press("Space")
        with hands.page.expect_navigation():
            hands.press("Enter")
    made = RulebookStore().links("bateaux-fr", stored.rulebook.edition)
    assert len(made) == len(rules)
    assert pages == -(-len(rules) // BATCH)
    assert hands.presses == len(rules) + pages


def test_a_rulebook_is_cut_with_keys_alone_and_the_focus_stays(qa_pages: Any) -> None:
    hands = Hands(qa_pages("/rulebooks/bateaux-fr/cut", width=360))
    hands.press("ArrowDown")
    assert hands.focused() == "Join with the next"
    with hands.page.expect_navigation():
        hands.press("Enter")
    hands.page.locator("summary", has_text="Split").focus()
    hands.press("Enter", "Tab")
    with hands.page.expect_navigation():
        hands.press("Enter")
    assert hands.focused() == "Join with the next"
    assert len(RulebookStore().show("bateaux-fr").rulebook.passages) == 2
    assert hands.presses == 5


def test_readings_are_compared_by_keyboard_from_the_page_of_a_game(qa_pages: Any) -> None:
    page = qa_pages("/games/clean/compare")
    page.uncheck('[name=reading][value="it"]')
    page.focus("main form button")
    page.keyboard.press("Enter")
    page.wait_for_url("**/compare?*")
    assert "reading=it" not in page.url
    assert page.locator("section.reading").count() == 3
