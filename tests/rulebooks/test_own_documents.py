"""Documents of an editor's own, in Spanish and German, go the whole way that those the project knows go."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.games.compile.catalogue import CATALOGUE
from audit.rulebooks.linked import LINKED
from audit.rulebooks.matrix import State
from replays.rulebooks.exchange import ChangeStatus, compared
from replays.rulebooks.loading import Loading
from replays.rulebooks.returning import take_over
from replays.rulebooks.store import RulebookStore
from replays.rulebooks.translation_qa import NoStatementsError, TranslationQA, exchange_file

HAND, LINES, STACK = "setup.opening-hand", "field.three-lines", "field.stack"
SPANISH = ("Cada jugador empieza con cinco cartas en la mano.", "El campo tiene tres líneas.")
GERMAN = ("Jeder Spieler beginnt mit fünf Karten auf der Hand.", "Das Feld hat drei Linien.")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path))


def own(document: str, language: str, passages: tuple[str, ...], **said: str) -> None:
    """A document of a few passages, each linked to the rules that are named for it; to none for `0`."""
    text = "# A\n\n" + "\n\n".join(passages)
    RulebookStore().add_bytes(text.encode(), f"{document}.md", Loading(document, language, game="compile"))
    numbers = {rule.replace("__", ".").replace("_", "-"): number for rule, number in said.items()}
    RulebookStore().answer(document, {rule: [f"a/{n}"] if n != "0" else [] for rule, n in numbers.items()}, "Ada")


def both() -> TranslationQA:
    own("mano", "es", SPANISH, setup__opening_hand="1", field__three_lines="2")
    own("hand", "de", GERMAN, setup__opening_hand="1", field__three_lines="0")
    return TranslationQA("compile", CATALOGUE)


def test_the_matrix_has_a_column_for_each_and_what_one_leaves_out_is_listed() -> None:
    qa = both()
    rows = {row.rule: row.cells for row in qa.matrix().rows}
    assert qa.matrix().languages == ("es", "de")
    assert (rows[LINES]["es"].state, rows[LINES]["de"].state) == (State.SAID, State.MISSING)
    assert (rows[HAND]["de"].lines, rows[STACK]["de"].state) == (((3, 3),), State.UNANSWERED)
    assert [passage.text for passage in qa.matrix().unlinked["de"]] == [GERMAN[1]]
    assert [one.rule for one in qa.gaps()] == [LINES]


@pytest.mark.parametrize("form", ["csv", "tmx", "xliff", "xliff-1.2"])
def test_they_are_sent_out_and_taken_back(form: str) -> None:
    both()
    qa = TranslationQA("compile", CATALOGUE, ["de", "es"])
    data = exchange_file(qa, form, "en")
    assert set(compared(data, f"out.{form}", qa).counts()) == {ChangeStatus.SAME}
    edited = data.replace("fünf".encode(), b"sechs")
    (made,) = take_over(compared(edited, f"out.{form}", qa), qa, "Ada").editions
    assert (made.document, made.by, made.rulebook.game) == ("hand", "Ada", "compile")
    assert "sechs" in RulebookStore().show("hand").rulebook.passages[0].text


def test_rules_of_the_same_passages_are_one_unit() -> None:
    own("mano", "es", SPANISH, setup__opening_hand="1", field__three_lines="2", field__stack="2")
    units = [unit for unit in TranslationQA("compile", CATALOGUE).exchanged() if unit.id.endswith(LINKED)]
    assert [unit.segment.rules for unit in units] == [(HAND,), (LINES, STACK)]


def test_our_own_statements_are_not_there_in_their_language() -> None:
    both()
    with pytest.raises(NoStatementsError, match="and not in es") as told:
        exchange_file(TranslationQA("compile", CATALOGUE, ["es"]), "po", "en")
    assert "/" not in str(told.value)
