"""Pictures that stand alone have the colours of the page, words that can be read on them, and texts that are whole."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient

from audit.core.catalogue import LANGUAGES
from audit.core.disclosure import JUDGE
from audit.core.ruleset import ruleset, rulesets
from audit.core.scene import tints
from audit.core.scene_changes import Changes
from audit.games.compile.cards import CARDS
from replays.log.reader import open_log
from tests.web.lending import viewer_over
from web import samples
from web.drawing.card_faces import ON_GROUND
from web.drawing.words import PATTERNS, hex_of, text_width, tint_of
from web.scenes import scene_maker_of, scene_picture, signs_of
from web.scenes.board_layout import COLUMN, GAP, LEAST, ROOM, Needs, all_of, card_height, layout, lines_of, needs_of

PHONE = 360


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
    room = ROOM - GAP
    for card in CARDS:
        face = scene_maker_of("compile").face(card, language)
        assert face is not None
        assert card_height(face) <= room - 5 * LEAST, card
        for _, words in face.texts:
            assert " ".join(lines_of(words)) == " ".join(words.split())
            assert all(text_width(line) <= COLUMN - 10 for line in lines_of(words)), card


def places(drawn: str) -> tuple[float, list[tuple[str, str, float, float]]]:
    """How high a picture is; of each card, label and head of a stack its kind and key, where it begins and ends."""
    tree = ElementTree.fromstring(drawn)
    found = []
    for group in tree.iter("{http://www.w3.org/2000/svg}g"):
        boxes = [part for part in group if part.get("class") == "box"]
        kind = group.get("class", "-").partition(" ")[0]
        if boxes and kind in ("card", "plate", "chip"):
            y = float(boxes[0].get("y", 0))
            found.append((kind, group.get("data-key", ""), y, y + float(boxes[0].get("height", 0))))
    return float(tree.get("viewBox", "").split()[3]), found


@pytest.mark.parametrize("at", [0, 25, 131, 240, 330, 431])
def test_a_picture_with_more_room_has_the_same_and_nothing_lies_over_the_hands(at: int) -> None:
    log = open_log(samples() / "clean.jsonl")
    rules = log.ruleset.rules
    state = rules.replay_to(rules.start(log.header), list(log)[:at])
    scene = scene_maker_of("compile").scene(log.ruleset.disclosure.view(state, JUDGE), "en")
    needs = needs_of(scene, Changes())
    high, low = (
        scene_picture(scene, Changes(), {}, signs_of("compile"), "clean", needs=each)
        for each in (all_of([needs, Needs(rows_over=3)]), needs)
    )
    (height, found), (lower, others) = places(high), places(low)
    assert [(kind, key, end - start) for kind, key, start, end in found] == [
        (kind, key, end - start) for kind, key, start, end in others
    ]
    assert lower <= height
    assert any(kind == "plate" for kind, *_ in others)
    where = layout(needs)
    assert all(where.top.inner <= start < end <= where.bottom.inner for kind, _, start, end in others if kind != "chip")


@pytest.mark.parametrize(("game", "step"), [("dispute", 116), ("altered-duel", 60), ("lotr-journey", 48)])
def test_no_word_of_a_picture_is_too_small_on_a_phone_or_runs_out_of_it(
    client: FlaskClient, game: str, step: int
) -> None:
    drawn = viewer_over(AUDIT_VIEWPOINTS="public").test_client().get(f"/games/{game}.svg?step={step}&lang=pl").text
    width = float(re.findall(r'viewBox="0 0 (\d+) ', drawn)[0])
    sizes = dict(re.findall(r"\.(t\d) \{\s*font-size: (\d+)px", drawn))
    assert min(map(int, sizes.values())) * PHONE / width >= 12
    for x, kind, words in re.findall(r'<text x="(\d+)" y="\d+" class="([^"]*)">([^<]*)<', drawn):
        wide = text_width(words, "name" in kind) * int(sizes[kind[:2]]) / 14
        begins = float(x) - (wide if "end" in kind else wide / 2 if "middle" in kind else 0)
        assert -2 <= begins <= begins + 0.95 * wide <= width, words


def test_a_picture_of_a_moment_says_the_game_the_step_the_verdict_and_what_happened(client: FlaskClient) -> None:
    shown = client.get("/games/dispute.svg?step=25").text
    above = re.findall(r'class="t4[^"]*">([^<]*)<', shown)
    assert "Step" in above[0]
    assert above[1] == "Action · Ada · judge", "the chapter, who acts, and that a judge sees hands"
    assert above[2].startswith("Legal: A compiles")
    french = client.get("/games/dispute.svg?step=25&lang=fr").text
    assert re.findall(r'class="t4[^"]*">([^<]*)<', french)[2].startswith("Conforme : ")
