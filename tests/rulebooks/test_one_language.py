"""A game that is published in one language: nothing to compare it with, but an earlier edition of itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from audit.core.ruleset import ruleset
from audit.rulebooks.errors import NothingToCompareError
from audit.rulebooks.findings import Kind
from commands.readings import qa
from commands.rulebooks import rulebook
from replays.rulebooks.loading import Loading
from replays.rulebooks.store import RulebookStore
from replays.rulebooks.translation_qa import TranslationQA

GAMES = [("lotr-reveal", "lotr-reveal-fr"), ("altered", "altered-rules-fr")]


@pytest.fixture(autouse=True)
def _data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path))


def compared(game: str) -> TranslationQA:
    return TranslationQA(game, ruleset(game).catalogue)


@pytest.mark.parametrize(("game", "document"), GAMES)
def test_with_no_document_and_with_one_it_is_said_that_there_is_nothing_to_compare(
    game: str, document: str, rulebook_file: Callable[[str], Path]
) -> None:
    with pytest.raises(NothingToCompareError, match="one language only"):
        compared(game).findings()
    RulebookStore().add(rulebook_file(document), Loading(document))
    told = CliRunner().invoke(qa, [game])
    assert isinstance(told.exception, NothingToCompareError)
    assert "earlier edition" in str(told.exception)
    assert CliRunner().invoke(rulebook, ["tasks", "--game", game]).exit_code == 0


def test_an_edition_is_compared_with_the_one_before_it(rulebook_file: Callable[[str], Path], tmp_path: Path) -> None:
    game, document = GAMES[0]
    lines = rulebook_file(document).read_text("utf-8").split("\n")
    for number, one, other in ((19, "étape 4", "étape 5"), (52, "étape 7", "étape 9"), (65, " avant ", " après ")):
        assert lines[number - 1].count(one) == 1
        lines[number - 1] = lines[number - 1].replace(one, other)
    changed = tmp_path / "changed.txt"
    changed.write_text("\n".join(lines), "utf-8")
    for file in (rulebook_file(document), changed):
        RulebookStore().add(file, Loading(document))
    found = compared(game).findings()
    assert sorted(one.kind for one in found) == [Kind.REFERENCE, Kind.REFERENCE, Kind.TIME]
    assert CliRunner().invoke(qa, [game]).output.count("the edition known here says") == len(found)
    assert CliRunner().invoke(rulebook, ["tasks", "--game", game]).output.count("read again") == len(found)
    RulebookStore().add(rulebook_file(document), Loading(document))
    assert [one.id for one in compared(game).findings()] == [one.id for one in found]
