"""A line of a score sheet that cannot be read is told what would fit, in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from audit.core.catalogue import LANGUAGES
from audit.core.ruleset import ruleset
from audit.core.typed_setup import near_word
from audit.games.compile.score_phrases import VERBS
from replays.scoresheet.forms import CARD, LINE_END, Fit, MisfitError, fits_in, forms_of, told_fits, written
from replays.scoresheet.line import Sheet


def fits(line: str, game: str = "compile") -> Sequence[Fit]:
    with pytest.raises(MisfitError) as misfit:
        Sheet(ruleset(game), ("A", "B")).read(line, 1)
    return misfit.value.fits


def test_a_card_a_word_and_a_number_that_would_fit_are_told_apart() -> None:
    assert {CARD, Fit("", word="refresh")} <= set(fits("A fyre 1"))
    assert Fit("number_between", 1, 3) in fits("A fire-3")
    assert Fit("number_between", 1, 3) in fits("A fire 3 lien 1"), "the name with its number is right"
    assert LINE_END in fits("A fire-3 1 2 3")


@pytest.mark.every(
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


@pytest.mark.every("game", ["compile", "altered", "lotr-reveal"])
@pytest.mark.every("language", LANGUAGES)
def test_whatever_a_form_expects_has_words(game: str, language: str) -> None:
    sheet = Sheet(ruleset(game), ("A", "B"))
    for form in forms_of(ruleset(game)):
        misfits = [sheet.meanings.misfit(part) for part in form.parts]
        assert all(told_fits(language, one.fits) for one in misfits)


@pytest.mark.every("language", ["en", "fr", "it", "pl"])
def test_the_verbs_that_a_language_is_told_are_read_as_they_stand(language: str) -> None:
    for verb in VERBS:
        said = ruleset("compile").rules.score_word_in(verb, language)
        assert not said or ruleset("compile").rules.score_word_meant(said) == verb


@pytest.mark.every("language", ["en", "fr", "it", "pl"])
@pytest.mark.every("face", ["down", "up"])
def test_the_faces_that_a_language_is_told_are_read_as_they_stand(language: str, face: str) -> None:
    said = ruleset("compile").rules.score_word_in(face, language)
    sheet = Sheet(ruleset("compile"), ("A", "B"))
    assert sheet.read(f"A fire-3 1 {said}", 1) == sheet.read(f"A fire-3 1 {face}", 1)


@pytest.mark.every("game", ["altered", "lotr-reveal"])
@pytest.mark.every("language", ["fr", "it", "pl"])
def test_the_words_of_a_form_that_a_language_is_told_are_read_as_they_stand(game: str, language: str) -> None:
    rules = ruleset(game).rules
    fixed = {part.word for form in forms_of(ruleset(game)) for part in form.parts if part.word}
    said = {word: rules.score_word_in(word, language) for word in fixed}
    assert all(rules.score_word_meant(each) == word for word, each in said.items())
    assert len([word for word, each in said.items() if each != word]) > len(fixed) / 2


@pytest.mark.every(
    ("language", "typed", "nearest"),
    [
        ("fr", "retourner", "retourne"),
        ("it", "voltare", "volta"),
        ("pl", "odwrócić", "odwraca"),
        ("en", "flipp", "flip"),
    ],
)
def test_the_nearest_verb_is_one_of_that_language(language: str, typed: str, nearest: str) -> None:
    fits = fits_in(ruleset("compile"), (CARD, *written(["flip", "return", "delete", "stop", "A"])), language)
    told = told_fits(language, fits, typed)
    assert nearest in told.rpartition("(")[2]
    assert "A" in told
    assert ("stop" in told) == (language == "en")


@pytest.mark.every(("line", "refused"), [("compiled player=A line", "line"), ("compiled player line=1", "player")])
@pytest.mark.every("language", LANGUAGES)
def test_the_word_that_is_refused_is_never_what_would_fit(line: str, refused: str, language: str) -> None:
    said = told_fits(language, fits(line), refused)
    assert f"{refused}=…" in said
    assert not re.search(rf"\b{refused}\b(?!=)", said)


def test_a_word_that_is_wrong_where_it_stands_is_not_its_own_correction() -> None:
    assert near_word("line", ["line", "player"]) == ""
    assert told_fits("en", written(["line", "down"]), "line") == "down"
