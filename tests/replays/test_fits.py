"""A line of a score sheet that cannot be read is told what would fit, in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from audit.core.catalogue import LANGUAGES
from audit.core.ruleset import ruleset
from replays.scoresheet.forms import MisfitError, forms_of
from replays.scoresheet.line import Sheet
from replays.scoresheet.words import CARD, LINE_END, Fit, told_fits, written


def fits(line: str, game: str = "compile") -> Sequence[Fit]:
    with pytest.raises(MisfitError) as misfit:
        Sheet(ruleset(game), ("A", "B")).read(line, 1)
    return misfit.value.fits


def test_a_card_a_word_and_a_number_that_would_fit_are_told_apart() -> None:
    assert {CARD, Fit("", word="refresh")} <= set(fits("A fire 1"))
    assert Fit("number_between", 1, 3) in fits("A fire-3")
    assert LINE_END in fits("A fire-3 1 2 3")


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "a card of this game, refresh, or a number from 1 to 3"),
        ("fr", "une carte de ce jeu, refresh ou un nombre de 1 à 3"),
        ("it", "una carta di questo gioco, refresh o un numero da 1 a 3"),
        ("pl", "karta tej gry, refresh lub liczba od 1 do 3"),
    ],
)
def test_what_fits_is_said_in_the_language_and_words_of_a_sheet_as_they_are_typed(language: str, told: str) -> None:
    assert told_fits(language, (CARD, *written(["refresh"]), Fit("number_between", 1, 3))) == told


def test_the_nearest_word_is_named() -> None:
    assert told_fits("it", written(["refresh", "compile"]), "refrsh") == "refresh o compile (forse «refresh»?)"


def test_a_long_list_is_cut_short() -> None:
    assert told_fits("pl", written(map(str, range(20)))) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …"


@pytest.mark.parametrize("game", ["compile", "altered", "lotr-reveal"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_a_form_expects_has_words(game: str, language: str) -> None:
    sheet = Sheet(ruleset(game), ("A", "B"))
    for form in forms_of(ruleset(game)):
        misfits = [sheet.meanings.misfit(part) for part in form.parts]
        assert all(told_fits(language, one.fits) for one in misfits)
