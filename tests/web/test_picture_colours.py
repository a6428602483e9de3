"""Pictures that stand alone have the colours of the page, words that can be read on them, and texts that are whole."""

from __future__ import annotations

import pytest

from audit.core.catalogue import LANGUAGES
from audit.core.ruleset import ruleset, rulesets
from audit.core.scene import tints
from audit.games.compile.cards import CARDS
from web.drawing.flow import ON_GROUND
from web.drawing.tints import PATTERNS, hex_of, tint_of
from web.scenes import scene_maker_of
from web.scenes.board import COLUMN, GAP, LEAST, TOP, card_height, lines_of, small_width


def luminance(colour: str) -> float:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(("oklch", "expected"), [((1, 0, 0), "#ffffff"), ((0.628, 0.2577, 29.23), "#ff0000")])
def test_colours_are_those_that_a_browser_makes(oklch: tuple[float, float, float], expected: str) -> None:
    assert hex_of(*oklch) == expected


@pytest.mark.parametrize("name", rulesets())
def test_words_can_be_read_on_every_colour_and_lines_on_paper(name: str) -> None:
    for kind in tints(ruleset(name).catalogue.package).values():
        found = tint_of(kind)
        assert found is not None, kind
        assert contrast(found.ground, ON_GROUND) >= 4.5, kind
        assert contrast(found.mark, ON_GROUND) >= 4.5, kind
        assert contrast(found.line, "#ffffff") >= 3, kind
        assert found.pattern in PATTERNS or len(kind.split()) == 1, kind


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_a_card_stands_whole_in_a_picture(language: str) -> None:
    room = TOP.plate - GAP - TOP.edge
    for card in CARDS:
        face = scene_maker_of("compile").face(card, language)
        assert face is not None
        assert card_height(face) <= room - 5 * LEAST, card
        for _, words in face.texts:
            assert " ".join(lines_of(words)) == " ".join(words.split())
            assert all(small_width(line) <= COLUMN - 20 for line in lines_of(words)), card
