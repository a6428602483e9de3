"""A new edition with faults of a grave kind: each is told once, as what changes a game, and before all others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from audit.core.catalogue import LANGUAGES
from audit.games.compile.rules import CATALOGUE
from audit.rulebooks.cutting import cut
from audit.rulebooks.findings import Finding, Kind, Quote, Severity
from audit.rulebooks.new_faults import is_new
from audit.rulebooks.report import marked
from replays.rulebooks.loading import Loading
from replays.rulebooks.store import RulebookStore
from replays.rulebooks.translation_qa import TranslationQA
from tests.rulebooks.test_checks_documents import FILES

FAULTS = {
    "may for must": ("fr", r"devez compiler\*\*", "pouvez compiler**", Kind.MODALITY),
    "no not": ("fr", "qui ne correspond pas à son", "qui correspond à son", Kind.NEGATION),
    "another card": ("fr", r"carte Vitesse 2\)", "carte Esprit 2)", Kind.REFERENCE),
    "after for before": ("it", "prima di farlo", "dopo averlo fatto", Kind.TIME),
    "another number": ("it", "mano iniziale di 5", "mano iniziale di 6", Kind.NUMBER),
    "a sentence gone": ("it", r" Puoi compilare solo 1 [^.]*\.", "", Kind.MISSING),
    "two steps turned": ("it", r"pescale tutte, poi rimescola [^.]*\.", "rimescola, poi pesca.", Kind.ORDER),
    "one's own": ("pl", "karte z talii przeciwnika", "karte ze swojej talii", Kind.ACTOR),
    "another step": ("pl", "kroku ,Sprawdzenie kompilacji", "kroku ,Sprawdzenie kontroli", Kind.TERM),
}


@pytest.fixture
def texts(shared: Path) -> dict[str, str]:
    return {code: (shared / "rulebooks" / file).read_text("utf-8") for code, (file, _) in FILES.items()}


def compared(texts: dict[str, str]) -> list[Finding]:
    books = {code: cut(text, FILES[code][1]) for code, text in texts.items()}
    return TranslationQA("compile", CATALOGUE, books=books).findings()


def with_fault(texts: dict[str, str], name: str) -> dict[str, str]:
    code, before, after, _ = FAULTS[name]
    changed, count = re.subn(before, after, texts[code])
    assert count == 1
    return {**texts, code: changed}


@pytest.mark.prove
@pytest.mark.parametrize("name", FAULTS)
def test_a_grave_fault_is_told_once_and_before_what_was_there(name: str, texts: dict[str, str]) -> None:
    found = compared(with_fault(texts, name))
    assert [one for one in found if is_new(one)] == found[:1]
    assert (found[0].kind, found[0].severity) == (FAULTS[name][3], Severity.CHANGES)
    if len(found[0].languages) > 1:
        assert "edition known here" in found[0].message("en")


def test_faults_of_several_documents_are_as_many_findings_and_the_first(texts: dict[str, str]) -> None:
    before = compared(texts)
    for name in FAULTS:
        texts = with_fault(texts, name)
    found = compared(texts)
    first = found[: len(FAULTS)]
    assert sorted(one.kind for one in first) == sorted(kind for *_, kind in FAULTS.values())
    assert [one for one in found if is_new(one)] == first
    assert {one.severity for one in first} == {Severity.CHANGES}
    assert [one for one in first if len(one.languages) > 1 and "edition known here" not in one.message("en")] == []
    kept = {one.id for one in before}
    assert len([one for one in found if one.id not in kept]) == len(FAULTS)


def test_the_words_of_a_sentence_that_is_gone_are_shown_where_the_edition_before_is_loaded(
    texts: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path))
    for some in (texts, with_fault(texts, "a sentence gone")):
        for code, text in some.items():
            RulebookStore().add_bytes(text.encode(), "rules.txt", Loading(FILES[code][1], code))
    gone = re.search(FAULTS["a sentence gone"][1], texts["it"])
    (told,) = [one for one in TranslationQA("compile", CATALOGUE).findings() if one.kind is Kind.MISSING]
    assert gone
    for language in LANGUAGES:
        assert gone[0].strip() in told.message(language)


def test_a_sentence_that_stands_twice_is_told(texts: dict[str, str]) -> None:
    twice, count = re.subn(r"(Les cartes Commande ne sont [^.]*\.)", r"\1 \1", texts["fr"])
    known = {one.id for one in compared(texts)}
    (told,) = [one for one in compared({**texts, "fr": twice}) if one.id not in known]
    assert count == 1
    assert (told.kind, told.code, told.languages) == (Kind.CUT, "twice", ("fr",))
    assert told.quotes[0].words == (told.quotes[0].text[: len(told.quotes[0].text) // 2],)


def test_a_word_that_is_marked_twice_stands_once() -> None:
    quote = Quote("en", "p", (1, 1), "Draw two cards", ((0, 4), (0, 4), (0, 8), (9, 14)))
    assert marked(quote) == "[Draw][ two] [cards]"
