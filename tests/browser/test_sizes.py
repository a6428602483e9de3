"""From a large screen to a frame in a blog: the table fills its room, and every word can be read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.measuring import COVERED, CUT_WORDS, SIZES, SMALLEST_WORD, TOO_WIDE
from tests.browser.screenshots import PAGES
from tests.browser.test_access import violations
from tests.browser.waiting import until

pytestmark = pytest.mark.browser
Page = Any
Opener = Callable[[str, tuple[int, int]], Page]
TABLES = ("compile-full", "compile-illegal", "reveal-nested", "reveal-journey", "altered-duel", "altered-three")


@pytest.fixture
def opened(visit_quietly: Any, samples: str) -> Opener:
    """Opens one of the pages of the screenshots at a size."""

    def open_page(name: str, size: tuple[int, int]) -> Page:
        page = visit_quietly(PAGES[name], samples, width=size[0], height=size[1], reduced_motion="reduce")
        page.wait_for_selector("body.lively")
        return page

    return open_page


OUTSIDE = """[...document.querySelectorAll(".stack > .card")].filter((card) => {
    const [inner, outer] = [card, card.parentElement].map((one) => one.getBoundingClientRect());
    return inner.top < outer.top - 2 || inner.bottom > outer.bottom + 2;
}).length"""
"""How many cards lie outside of their stack."""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", [*TABLES, "compile-embed"])
def test_no_word_is_too_small_nothing_scrolls_sideways_and_every_stack_stays_on_its_side(
    opened: Opener, name: str
) -> None:
    page = opened(name, SIZES[0])
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        found = page.evaluate(SMALLEST_WORD)
        assert found["size"] >= 12, (width, height, found["words"])
        assert not page.evaluate(TOO_WIDE), (width, height)
        until(page, f"{OUTSIDE} === 0")


ACTING = {
    "en": ((1024, 768), (640, 400), (320, 480), (600, 371)), "pl": ((360, 740), (768, 1024), (1024, 768), (320, 640)),
}  # fmt: skip


@pytest.mark.parametrize("every", [2, pytest.param(1, marks=pytest.mark.prove)])
def test_the_text_of_the_card_that_acts_is_never_cut_and_covers_nothing(opened: Opener, every: int) -> None:
    page = opened("compile-cause", (1280, 800))
    assert page.locator(".arrows path.cause:not(.head)").count() == 1, "the way from the cause to the mistake"
    for language, sizes in ACTING.items():
        page.goto(f"{page.url.partition('&lang')[0]}&lang={language}")
        page.wait_for_selector("body.lively")
        for width, height in sizes[::every]:
            page.set_viewport_size({"width": width, "height": height})
            assert page.locator(".stack > .acts").count() == 1
            assert page.evaluate(CUT_WORDS) == [], (language, width, height)
            assert page.evaluate(COVERED) == [], (language, width, height)


SHIFTS = """window.shifted = 0;
new PerformanceObserver((list) => { for (const one of list.getEntries()) window.shifted += one.value; })
    .observe({ type: "layout-shift", buffered: true });"""
"""How much of the page has moved under its reader (cumulative layout shift)."""


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["compile-illegal", "altered-duel"])
def test_on_a_slow_phone_a_game_takes_few_requests_and_nothing_moves(
    visit_quietly: Any, samples: str, name: str
) -> None:
    page = visit_quietly(at=samples, width=360, height=740, has_touch=True, is_mobile=True)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.add_init_script(SHIFTS)
    page.route(
        "**/joined/viewer.js",
        lambda route: (page.wait_for_function("document.querySelector('.list li')"), route.continue_()),
    )
    page.goto(PAGES[name])
    page.wait_for_selector("body.lively")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert len(asked) <= 8, asked
    assert page.evaluate("window.shifted") < 0.05
    page.context.close()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("path", ["/table", "/table/record"])
def test_the_page_for_the_table_takes_few_requests_and_its_style_comes_first(
    visit_quietly: Any, samples: str, path: str
) -> None:
    page = visit_quietly(at=samples, width=360, height=740, has_touch=True, is_mobile=True)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path)
    page.wait_for_selector("body.lively")
    assert len(asked) <= 8, asked
    joined = [url for url in asked if "/joined/" in url]
    assert [url.rpartition(".")[2] for url in joined] == ["css", "js"]


HIDDEN = "(({scrollHeight, clientHeight}) => scrollHeight - clientHeight)(document.querySelector('.scene'))"
"""How much of the table has to be scrolled to, in pixels."""

BADGED = """() => [...document.querySelectorAll(".chip > .face > .i:not(.sign)")].flatMap((badge) => {
    const sign = badge.getBoundingClientRect();
    return [...badge.parentElement.querySelectorAll(".figure, .name")].filter((one) => {
        const box = one.getBoundingClientRect();
        return box.right > sign.left && box.left < sign.right && box.bottom > sign.top + 2 && box.top < sign.bottom - 2;
    }).map((one) => one.textContent);
})"""
"""The words and numbers of a card that lie under the sign of what became of it."""


SCREENS = ((1280, 800), (1920, 1080), (2560, 1440), (1366, 640))
"""The last one is low."""
LARGER = SCREENS[1:-1]
"""Where four seats, and the region and Tumult cards below them, are seen whole."""


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("name", "sizes"), [
    ("reveal-journey", SCREENS), ("reveal-nested", SCREENS[-1:]), ("altered-three", SCREENS),
    ("reveal-crows", SCREENS[:-1]), ("altered-duel", SCREENS), ("altered-teams", LARGER),
])  # fmt: skip
def test_a_table_of_parts_is_seen_whole(opened: Opener, name: str, sizes: tuple[tuple[int, int], ...]) -> None:
    page = opened(name, sizes[0])
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        until(page, f"{HIDDEN} <= 1")
        page.wait_for_selector(".table:not(.more-above, .more-below)")
        assert height < 800 or page.evaluate(BADGED) == []


CARDS = """() => [...document.querySelectorAll(":is(.mats, .place) .chip:not(.back, .ghost)")]
  .map((card) => [card.offsetWidth, card.offsetHeight, [...card.querySelectorAll("*")].some(
    (one) => one.clientWidth && one.scrollWidth > one.clientWidth + 1)])"""
"""How wide and high each card is, and whether a word of it is cut."""


@pytest.mark.parametrize("name", ["reveal-journey", "altered-duel"])
def test_cards_are_five_by_seven_or_as_much_larger_as_their_words_need(opened: Opener, name: str) -> None:
    cards = opened(name, (1280, 800)).evaluate(CARDS)
    least = 7 / 5 * min(width for width, _, _ in cards)
    assert all(height >= least - 2 for _, height, _ in cards)
    assert not any(is_cut for _, _, is_cut in cards)


def test_on_a_phone_the_steps_of_a_reveal_are_numbers_and_the_one_that_goes_on_is_told(opened: Opener) -> None:
    page = opened("reveal-journey", (360, 740))
    heights = page.evaluate("[...document.querySelectorAll('.steps-of')].map((steps) => steps.offsetHeight)")
    assert 0 < heights[0] < 120
    now, other = page.locator(".steps-of .now .what"), page.locator(".steps-of .ahead .what").first
    assert now.bounding_box()["height"] >= 11
    assert other.bounding_box()["width"] <= 1
    assert other.text_content()


ZOOMED = (640, 400)
"""What a window of 1280 by 800 has room for at a zoom of 200 %."""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["compile-illegal", "reveal-nested", "altered-duel"])
def test_at_a_zoom_of_two_hundred_percent_the_verdict_is_on_the_screen_after_each_step(
    opened: Opener, name: str
) -> None:
    page = opened(name, ZOOMED)
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "n", "p"):
        page.keyboard.press(key)
        page.wait_for_timeout(100)
        box = page.locator(".verdict").first.bounding_box()
        assert 0 <= box["y"] <= ZOOMED[1] - box["height"], (key, box)
        assert not page.evaluate(TOO_WIDE)


@pytest.mark.sampled(24)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["reveal-nested", "compile-full", "altered-duel"])
def test_axe_finds_nothing_at_any_size(opened: Opener, name: str, size: tuple[int, int]) -> None:
    assert violations(opened(name, size)) == []


def test_a_card_that_is_whole_is_five_to_seven(opened: Opener) -> None:
    page = opened("compile-start", (1280, 800))
    for width, height in ((1280, 800), (2560, 1440)):
        page.set_viewport_size({"width": width, "height": height})
        box = page.locator(".stack > .card:not(.under)").first.bounding_box()
        assert box["height"] / box["width"] == pytest.approx(7 / 5, abs=0.06)


def test_what_was_wrong_is_struck_what_was_possible_is_lit_and_before_and_after_are_held_side_by_side(
    opened: Opener,
) -> None:
    page = opened("compile-illegal", (1280, 800))
    assert page.locator(".card.wrong").get_attribute("data-key") == "plague-5"
    lit = {each.get_attribute("data-key") for each in page.locator(".possible").all()}
    assert {"A.line.1", "A.line.3"} <= lit, "where the same card may lie"
    assert not any(key.startswith("B.") for key in lit)
    assert page.inner_text(".ribbon b") == "turn 3 · Ada"
    assert page.inner_text(".ribbon [aria-current]") == "Action"
    mark, card = (page.locator(f".card.wrong{part}").bounding_box() for part in (" .face > .i", ""))
    assert mark["y"] + mark["height"] <= card["y"] + card["height"]
    assert mark["y"] >= card["y"] + card["height"] / 3, "it stands below the name"
    page.click(".panel .both-ask a")
    titles = page.locator(".both-dialog figcaption").all_inner_texts()
    assert titles == ["Before · Step 24 of 130", "After · Step 27 of 130"]
    differs = page.locator(".both-dialog .differs li").all_inner_texts()
    assert differs == ["Plague 5 hand · Ada → line 2 · Ada", "line 2 · Ada 0 → 5"]
    before, after = page.locator(".both figure").all()
    assert before.locator('.hand [data-key="plague-5"]').count() == 1
    assert after.locator('.stack [data-key="plague-5"].wrong').count() == 1
    assert abs(before.bounding_box()["y"] - after.bounding_box()["y"]) < 1
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("v")
    assert page.is_visible(".both-dialog")
    for width, height in ((360, 740), (320, 480)):
        page.set_viewport_size({"width": width, "height": height})
        before, after = (each.bounding_box() for each in page.locator(".both .table").all())
        assert before["height"] > 200
        assert after["y"] >= before["y"] + before["height"], "on a phone they lie one above the other"
        assert page.evaluate(SMALLEST_WORD)["size"] >= 11


TIP = """() => {
    const [, x, y] = document.querySelector(".arrows .head").getAttribute("d").match(/L(\\S+) (\\S+)L/);
    const zero = document.querySelector(".arrows").getBoundingClientRect();
    const card = document.querySelector(".chip.changed:not(.ghost)").getBoundingClientRect();
    return [Number(x) + zero.left - card.left, Number(y) + zero.top - card.top, card.width, card.height];
}"""
"""Where the tip of the arrow is, from the corner of the card that moved, and how large this card is."""


def test_the_arrow_of_a_move_leads_to_the_card_also_while_it_is_moving_and_from_no_place_out_of_sight(
    visit_quietly: Any, samples: str
) -> None:
    page = visit_quietly(at=samples)
    for step, width, height in ((17, 390, 844), (20, 320, 640)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"/games/altered-duel?step={step - 1}")
        page.wait_for_selector("body.lively")
        page.evaluate(f"audit.go({step})")
        page.wait_for_timeout(400)
        x, y, wide, high = page.evaluate(TIP)
        assert -1 <= x <= wide + 1
        assert -1 <= y <= high + 1
    page.set_viewport_size({"width": 320, "height": 480})
    page.goto("/games/altered-duel?step=43")
    page.wait_for_selector("body.lively")
    left, scene = (page.locator(part).bounding_box() for part in (".chip.ghost", ".scene"))
    assert left["y"] + left["height"] < scene["y"]
    assert page.locator(".arrows path").count() == 0


def test_the_keys_stop_where_the_reader_wants(opened: Opener) -> None:
    page = opened("compile-start", (1280, 800))
    for grain, stops in (("actions", [7, 16, 25]), ("steps", [1, 2, 7, 8, 9]), ("raw", [1, 2, 3])):
        page.evaluate("audit.go(1)")
        page.click(f'[data-grain="{grain}"]:not(body)')
        page.evaluate("audit.go(0)")
        found = []
        for _ in stops:
            page.keyboard.press("ArrowRight")
            found.append(page.evaluate("audit.step"))
        assert found == stops
        assert f"grain={grain}" in page.url
    for address, grain in (
        (page.url.partition("?")[0], "raw"),
        (f"{page.url.partition('?')[0]}?grain=actions", "actions"),
    ):
        page.goto(address)
        page.wait_for_selector("body.lively")
        assert page.evaluate("audit.grain") == grain, "remembered, unless the address names one"


SAID_OF_STEPS = ".box.open .doors > *, .steps-of > li > .door"
OVER_THE_EDGE = """(said) => [...document.querySelectorAll(said)].flatMap((one) => {
    const [box, around] = [one, one.closest("li, .box")].map((each) => each.getBoundingClientRect());
    const isSeen = one.checkVisibility();
    return isSeen && (!box.height || box.bottom > around.bottom || box.right > around.right) ? [one.outerHTML] : [];
})"""
"""What is said of the steps of a reveal and lies over the edge of its box, or has no height."""

TO_THE_END = "(() => { const scene = document.querySelector('.scene'); scene.scrollTop = scene.scrollHeight; })()"


def test_what_is_said_of_steps_lies_within_their_box(visit_quietly: Any, samples: str) -> None:
    page = visit_quietly("/games/lotr-journey?step=14", samples)
    page.wait_for_selector("body.lively")
    for width, height in ((390, 844), (320, 640), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        for step in (14, 31, 48):
            page.evaluate(f"audit.go({step})")
            assert page.evaluate(OVER_THE_EDGE, SAID_OF_STEPS) == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["reveal-journey", "altered-three"])
def test_a_table_that_does_not_fit_says_that_it_goes_on(opened: Opener, name: str) -> None:
    page = opened(name, (390, 844))
    page.evaluate("document.querySelector('.scene').scrollTop = 0")
    assert page.evaluate(HIDDEN) > 4
    page.wait_for_selector(".table.more-below:not(.more-above)")
    page.evaluate(TO_THE_END)
    page.wait_for_selector(".table.more-above:not(.more-below)")
