"""An editor names the document that the others are translations of: they are held against it, and it against nobody."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from audit.games.compile.rules import CATALOGUE
from audit.rulebooks.errors import NothingLoadedError, NothingToCompareError
from audit.rulebooks.findings import Finding, Kind
from commands.readings import qa
from replays.rulebooks.loading import Loading
from replays.rulebooks.store import RulebookStore
from replays.rulebooks.translation_qa import TranslationQA

HAND, LINE, PICK = "setup.opening-hand", "compile.one-line-a-turn", "discard.player-picks"


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path))


def loaded(document: str, language: str, **said: str) -> None:
    """A document with one sentence for each rule, linked by a person; an empty sentence is answered "not said"."""
    there = {rule: sentence for rule, sentence in said.items() if sentence}
    text = "# A\n\n" + "\n\n".join(there.values()) + "\n"
    RulebookStore().add_bytes(text.encode(), f"{document}.md", Loading(document, language, game="compile"))
    numbers = {rule: number for number, rule in enumerate(there, 1)}
    answers = {RULES[rule]: (f"a/{numbers[rule]}",) if rule in there else () for rule in said}
    RulebookStore().answer(document, answers, "Ada")


RULES = {"hand": HAND, "line": LINE, "pick": PICK}


def findings(source: str = "en", *languages: str) -> list[Finding]:
    return TranslationQA("compile", CATALOGUE, languages, source=source).findings()


def told(found: list[Finding]) -> set[tuple[Kind, frozenset[str]]]:
    return {(one.kind, frozenset(one.languages)) for one in found}


def test_translations_are_held_against_the_source_and_not_against_each_other() -> None:
    loaded("rules", "en", hand="Each player begins with five cards in hand.")
    loaded("regeln", "de", hand="Jeder Spieler beginnt mit sechs Karten.")
    loaded("reglas", "es", hand="Cada jugador empieza con siete cartas.")
    assert told(findings()) == {(Kind.NUMBER, frozenset({"de", "en"})), (Kind.NUMBER, frozenset({"en", "es"}))}
    without = TranslationQA("compile", CATALOGUE, ("de", "es")).findings()
    assert (Kind.NUMBER, frozenset({"de", "es"})) in told(without)


def test_a_translation_that_has_its_words_from_the_source_has_no_fault() -> None:
    loaded("rules", "en", hand="Each player begins with six cards in hand.")
    loaded("regeln", "de", hand="Jeder Spieler beginnt mit sechs Karten.")
    assert findings() == []


def test_what_the_source_says_and_a_translation_does_not_is_told() -> None:
    loaded("rules", "en", hand="Each player begins with five cards.", pick="Whoever discards picks the cards.")
    loaded("regeln", "de", hand="Jeder Spieler beginnt mit fünf Karten.", pick="")
    (found,) = findings()
    assert (found.kind, found.rule, found.languages) == (Kind.MISSING, PICK, ("en", "de"))
    assert found.message("en") == "A rule that stands in English has no passage in German."


def test_what_the_source_does_not_say_is_no_fault_of_a_translation() -> None:
    loaded("rules", "en", hand="Each player begins with five cards.", pick="")
    loaded("regeln", "de", hand="Jeder Spieler beginnt mit fünf Karten.", pick="Wer abwirft, sucht aus.")
    assert findings() == []


def test_a_known_document_is_a_translation_too(rulebook_file: Callable[[str], Path]) -> None:
    RulebookStore().add(rulebook_file("compile-rules-it"), Loading("compile-rules-it"))
    loaded("rules", "en", hand="Each player begins with six cards in hand.")
    found = [one for one in findings() if "en" in one.languages]
    assert told(found) == {(Kind.NUMBER, frozenset({"en", "it"}))}


def test_the_source_takes_part_whatever_languages_are_asked_for() -> None:
    loaded("rules", "en", hand="Each player begins with five cards in hand.")
    loaded("regeln", "de", hand="Jeder Spieler beginnt mit sechs Karten.")
    loaded("reglas", "es", hand="Cada jugador empieza con siete cartas.")
    assert told(findings("en", "de")) == {(Kind.NUMBER, frozenset({"de", "en"}))}
    assert told(findings("rules", "de")) == {(Kind.NUMBER, frozenset({"de", "en"}))}


def test_a_source_that_is_not_there_is_refused() -> None:
    loaded("rules", "en", hand="Each player begins with five cards in hand.")
    with pytest.raises(NothingToCompareError, match="there is no edition in de"):
        findings("de")
    with pytest.raises(NothingLoadedError, match="compile-rules-it"):
        findings("it")


def test_the_command_holds_against_the_source() -> None:
    loaded("rules", "en", hand="Each player begins with six cards in hand.")
    loaded("regeln", "de", hand="Jeder Spieler beginnt mit sechs Karten.")
    assert CliRunner().invoke(qa, ["compile", "--source", "en", "--fail-on", "note"]).exit_code == 0
    assert CliRunner().invoke(qa, ["compile", "--fail-on", "note"]).exit_code == 1
