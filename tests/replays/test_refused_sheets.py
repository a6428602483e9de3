"""What is said of a score sheet in French, Italian or Polish that cannot be read."""

from __future__ import annotations

import pytest

from replays.error_words import error_lines
from replays.errors import LogError
from replays.scoresheet.sheet import MAX_TOLD, read_any_sheet

FIRST = "game x   A Ada: fire life water   B Bo: death metal speed   first A"
SHEETS = {
    "fr": ("Ada joue Feu 1 ligne 1", "Bo joue Vitese 3 ligne 2", "vitesse-3", "joue"),
    "it": ("Ada gioca Fuoco 1 linea 1", "Bo gioca Velocta 3 linea 2", "velocità-3", "gioca"),
    "pl": ("Ada zagrywa Ogień 1 na linię 1", "Bo zagrywa Szypkość 3 na linię 2", "szybkość-3", "zagrywa"),
}


def refused(*lines: str) -> LogError:
    with pytest.raises(LogError) as error:
        read_any_sheet("\n".join((FIRST, *lines)), "sheet")
    return error.value


@pytest.mark.every("language", SHEETS)
def test_a_misspelt_card_is_proposed_in_the_language_of_the_sheet(language: str) -> None:
    good, bad, card, _ = SHEETS[language]
    error = refused(good, bad)
    for asked in {language, "en"}:
        (said,) = error_lines(error, asked)
        assert card in said


@pytest.mark.every("language", SHEETS)
def test_the_words_that_would_fit_are_those_of_the_sheet_whoever_reads_of_them(language: str) -> None:
    good, _, _, verb = SHEETS[language]
    error = refused(good, "Ada xyzzy 3")
    for asked in (language, "en"):
        (said,) = error_lines(error, asked)
        assert f" {verb}," in said
        assert not {"play,", "refresh,", "discard,"} & set(said.split())


def test_the_cards_of_the_table_are_named_in_polish_where_none_is_near() -> None:
    error = refused(SHEETS["pl"][0], "Bo zagrywa Prędkość na linię 2")
    (said,) = error_lines(error, "pl")
    assert "(ogień, " in said
    assert "szybkość)" in said


def test_an_english_sheet_is_answered_in_english_and_a_near_card_is_proposed() -> None:
    (said,) = error_lines(refused("A fire-1 1", "B sped-3 2"), "en")
    assert "speed-3" in said


@pytest.mark.every("line", ("Ada complète sa main", "Ada completa la mano", "Ada complete main", "A refresh"))
def test_a_hand_that_is_completed_is_a_refresh(line: str) -> None:
    _, (event,) = read_any_sheet(f"{FIRST}\n{line}")
    assert event.__struct_config__.tag == "refreshed"


@pytest.mark.every("line", ("Ada complète", "Ada complète Feu 1", "Ada main complète"))
def test_what_is_completed_otherwise_is_not_guessed(line: str) -> None:
    assert refused(line).problems


@pytest.mark.every("language", ("en", *SHEETS))
def test_ten_refused_lines_are_told_and_how_many_more(language: str) -> None:
    error = refused(*["Ada joue Vitese 3 ligne 2"] * 25)
    *told, last = error_lines(error, language)
    assert [str(number) in line for number, line in enumerate(told, 2)] == [True] * MAX_TOLD
    assert last.rstrip(".").endswith("15")
    assert len(error_lines(refused(*["Ada joue Vitese 3"] * MAX_TOLD), language)) == MAX_TOLD
