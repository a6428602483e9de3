"""An editor loads the same document laid out otherwise: the passages, links and findings stay the same."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from audit.games.compile.rules import CATALOGUE
from audit.rulebooks.cutting import cut
from replays.rulebooks.translation_qa import TranslationQA


def wrapped(text: str, width: int) -> str:
    """Each line in several, none of them wider."""
    return "\n".join("\n".join(textwrap.wrap(line, width, break_on_hyphens=False)) for line in text.split("\n"))


DOCUMENTS = {"fr": "compile-faq-fr", "it": "compile-rules-it", "pl": "compile-rules-pl"}
LAID_OUT: Mapping[str, tuple[str, Callable[[str], str]]] = {
    "a blank line on top of the French text": ("fr", lambda text: "\n" + text),
    "a blank line on top of the Polish text": ("pl", lambda text: "\n" + text),
    "a blank line before a heading": ("it", lambda text: text.replace("Azioni\n", "\nAzioni\n", 1)),
    "three blank lines at every blank line": ("it", lambda text: text.replace("\n\n", "\n\n\n\n")),
    "line ends of another system": ("fr", lambda text: text.replace("\n", "\r\n")),
    "spaces at the ends of lines": ("pl", lambda text: text.replace("\n", "  \n")),
    "indented lines": ("pl", lambda text: "\n".join("   " + line for line in text.split("\n"))),
    "two spaces between words": ("fr", lambda text: text.replace(" ", "  ")),
    "spaces that keep words together": ("pl", lambda text: text.replace(" ", "\u00a0")),
    "letters and their accents apart": ("it", lambda text: unicodedata.normalize("NFD", text)),
    "two letters as one sign": ("fr", lambda text: text.replace("fi", "\ufb01")),
    "hyphens where a word may break": ("it", lambda text: re.sub(r"(\w{5})(\w{5})", "\\1\u00ad\\2", text)),
    "wrapped at eighty columns, Italian": ("it", lambda text: wrapped(text, 80)),
    "numbers of pages": ("pl", lambda text: re.sub("((?:.*\n){40}\n)", "\\1- 7 -\n\n", text)),
    "a new section on top": ("pl", lambda text: "WSTĘP\n\nPosłuchajcie, zanim siądziecie do stołu.\n\n" + text),
}


@pytest.fixture(scope="module")
def as_stored(texts: dict[str, str]) -> dict[str, object]:
    return findings(texts)


@pytest.fixture(scope="module")
def texts(rulebook_file: Callable[[str], Path]) -> dict[str, str]:
    return {language: rulebook_file(document).read_text("utf-8") for language, document in DOCUMENTS.items()}


def findings(texts: Mapping[str, str]) -> dict[str, object]:
    """What every finding tells, by its id, without the places."""
    books = {language: cut(text, DOCUMENTS[language]) for language, text in texts.items()}
    return {one.id: (one.code, one.rules) for one in TranslationQA("compile", CATALOGUE, books=books).findings()}


@pytest.mark.sampled(15)
@pytest.mark.parametrize("language_and_layout", LAID_OUT.values(), ids=LAID_OUT)
def test_layout_changes_no_finding(
    texts: dict[str, str], as_stored: dict[str, object], language_and_layout: tuple[str, Callable[[str], str]]
) -> None:
    language, laid_out = language_and_layout
    assert findings({**texts, language: laid_out(texts[language])}) == as_stored


def test_a_text_wrapped_at_sixty_columns_has_the_same_findings(
    texts: dict[str, str], as_stored: dict[str, object]
) -> None:
    assert findings({**texts, "fr": wrapped(texts["fr"], 60)}).keys() == as_stored.keys()


PLAIN = """\
COMPILE

Cos'altro?

Buio.

PANORAMICA

Il faro

Il guardiano accende una lampada.

La notte

Nessuno dorme.
"""


def test_a_title_that_its_file_marks_is_the_title_of_the_known_document() -> None:
    marked = PLAIN.replace("Cos'", "## Cos'").replace("Il faro", "## Il faro").replace("La n", "### La n")
    marked = marked.replace("COMPILE", "# COMPILE").replace("PANORAMICA", "# PANORAMICA")
    places = [
        [(one.id, one.section, one.text, one.apart) for one in cut(text, "compile-rules-it", "it").passages]
        for text in (PLAIN, marked)
    ]
    assert places[0] == places[1]
    assert [section for _, section, *_ in places[1]][-2:] == ["PANORAMICA / Il faro", "PANORAMICA / La notte"]
    assert [apart for *_, apart in places[1]][-2:] == [False, False]
    assert places[1][0][3]


def test_a_marked_title_in_no_known_look_is_a_heading_all_the_same() -> None:
    marked = (
        "## Quante lampade brucino davvero tutte insieme nella torre del vecchio faro di notte, e perché mai\n\nDue."
    )
    (passage,) = cut(marked, "compile-rules-it", "it").passages
    assert (passage.text, passage.heading[-1][:7]) == ("Due.", "Quante ")
