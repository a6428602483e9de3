"""The colours and patterns by which protocols are told apart: every one has its own, and words on it can be read."""

from __future__ import annotations

import re
from importlib import resources

import pytest

from audit.core.scene import tints
from audit.games.compile.cards import PROTOCOLS
from tests.web.colours import contrast, linear, of_hex

CSS = resources.files("web").joinpath("static", "tints.css").read_text("utf-8")
TINTS = tints("audit.games.compile")
LIGHT = {"first": 0.62, "second": 0.74, "third": 0.86}
DARK = {"first": 0.74, "second": 0.62, "third": 0.86}


def test_the_numbers_of_this_test_are_those_of_the_page() -> None:
    found = re.findall(r"--(first|second|third): ([\d.]+);", CSS)
    assert [(name, float(value)) for name, value in found] == [*LIGHT.items(), ("first", 0.74), ("second", 0.62)]
    assert "--on-tint: #15181d;" in CSS


def test_every_protocol_has_a_colour_and_a_pattern_of_its_own() -> None:
    plain = [name for name in PROTOCOLS if name not in TINTS]
    assert not plain, (
        f"audit/games/compile/tints.toml wants {', '.join(plain)}, with a hue and a pattern that no other has"
    )
    assert set(TINTS) == set(PROTOCOLS)
    assert len(set(TINTS.values())) == len(TINTS)
    for tint in TINTS.values():
        hue, pattern, *_ = tint.split()
        assert f".{hue} {{" in CSS
        assert f".{pattern} {{ --pattern:" in CSS


@pytest.mark.parametrize("shades", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("name", sorted(TINTS))
def test_words_on_a_tint_can_be_read_on_the_ground_and_on_the_pattern(name: str, shades: dict[str, float]) -> None:
    hue, _, *shade = TINTS[name].split()
    angle, chroma = map(float, re.findall(rf"\.{hue} {{ --hue: ([\d.]+); --chroma: ([\d.]+);", CSS)[0])
    lightness = shades[shade[0] if shade else "first"]
    ground, mark = linear(lightness, chroma, angle), linear(lightness + 0.1, chroma * 0.6, angle)
    assert all(-0.001 <= part <= 1.001 for part in ground), "a screen can show it"
    assert contrast(ground, of_hex("#15181d")) >= 4.5
    assert contrast(mark, of_hex("#15181d")) >= 4.5
