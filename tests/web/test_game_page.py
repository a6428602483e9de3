"""One game at one step, as the server alone shows it."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any, cast

import pytest
from flask.testing import FlaskClient

from tests.web.made import SECRET, MadeLibrary


def page(client: FlaskClient, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.get_data(as_text=True)


def without_data(text: str) -> str:
    """The page as a reader without a script sees it."""
    return re.sub(r'<script type="application/json".*?</script>', "", text, flags=re.S)


def data_of(text: str) -> dict[str, object]:
    found = re.search(r'<script type="application/json" id="replay">(.*?)</script>', text, flags=re.S)
    assert found
    return dict(json.loads(found[1]))


def test_the_first_illegal_step_says_what_is_wrong_and_by_which_rule(client: FlaskClient) -> None:
    text = without_data(page(client, "/games/dispute?step=3"))
    panel = text[text.index('data-slot="panel"') : text.index('data-slot="steps"')]
    for words in ("Illegal", "B plays Death 5 face up in line 3.", "Death 5 may not lie face up in line 3.",
                  "B plays Death 5 face down in line 3.", "play.face-up-needs-protocol",
                  "event 2 of the log"):  # fmt: skip
        assert words in panel
    assert 'lang="pl"' in panel
    assert "&lt;b&gt;asked&lt;/b&gt; &amp; shown" in panel


def test_the_list_of_games_leads_straight_to_the_first_finding(client: FlaskClient) -> None:
    assert 'href="/games/dispute?step=3"' in page(client, "/?player=ada")


def test_steps_are_reached_by_links_alone(client: FlaskClient) -> None:
    seen, address = [], "/games/dispute"
    while address:
        text = without_data(page(client, address))
        seen.append(re.search(r"<title>(.*?) – audit</title>", text)[1])  # type: ignore[index]
        found = re.search(r'<link rel="next" href="(.*?)">', text)
        address = unescape(found[1]) if found else ""
    assert seen == [f"r3-t12 · {step}" for step in range(8)]


@pytest.mark.parametrize(
    ("asked", "step"), [("999", 7), ("-3", 0), ("7", 7), ("99999999999999999999999", 7), ("", 0), ("x", 0)]
)
def test_a_step_that_is_not_there_becomes_the_nearest_and_says_so(client: FlaskClient, asked: str, step: int) -> None:
    text = page(client, f"/games/dispute?step={asked}")
    assert f"r3-t12 · {step} – audit" in text
    notice = re.search(r'data-slot="notice"( hidden)?>(.*?)</p>', text)
    assert notice is not None
    assert bool(notice[2]) == (asked != str(step))


def test_the_chosen_eyes_reading_and_language_stay_in_the_links(client: FlaskClient) -> None:
    text = page(client, "/games/dispute?step=3&as=A&reading=pl&lang=fr")
    following = re.search(r'<link rel="next" href="(.*?)">', text)
    assert following is not None
    assert {"step=4", "as=A", "reading=pl", "lang=fr"} == set(unescape(following[1]).split("?")[1].split("&"))


def test_what_moved_leaves_a_ghost_and_what_is_in_flight_is_drawn_apart(client: FlaskClient) -> None:
    flying = without_data(page(client, "/games/dispute?step=1"))
    assert 'class="card chip flight tint h25 flames" data-key="fire-2"' in flying
    assert 'class="card chip ghost tint h25 flames" data-key="fire-2"' in flying
    assert 'class="arrow"' in client.get("/games/dispute.svg?step=1").get_data(as_text=True)
    deleted = without_data(page(client, "/games/dispute?step=6"))
    assert 'class="card chip ghost wrong tint h0 hatched second" data-key="death-5"' in deleted


def test_only_the_outermost_card_stands_out(client: FlaskClient) -> None:
    text = without_data(page(client, "/games/dispute?step=4"))
    assert re.search(r'class="card up under[^"]*" data-key="fire-2"', text)
    assert re.search(r'class="card down changed" data-key="life-1"', text)


def test_pending_effects_stand_newest_first_with_what_is_left(client: FlaskClient) -> None:
    text = without_data(page(client, "/games/dispute?step=4"))
    frames = re.findall(r'<span class="frame( acts)?"[^>]*>(.*?)</span>', text)
    assert frames == [(" acts", "Fire 2 middle (still to do: 1)"), ("", "Life 1 bottom (waits)")]


@pytest.mark.parametrize("column", [1, 2, 3])
def test_on_a_narrow_screen_one_column_is_drawn_whole(client: FlaskClient, column: int) -> None:
    text = without_data(page(client, f"/games/dispute?step=3&column={column}"))
    others = sorted({int(number) for number in re.findall(r'data-column="(\d)" aria-label', text)})
    assert others == [number for number in (1, 2, 3) if number != column]


def test_without_a_wish_the_column_where_something_happened_is_whole(client: FlaskClient) -> None:
    text = without_data(page(client, "/games/dispute?step=3"))
    assert sorted({int(number) for number in re.findall(r'data-column="(\d)" aria-label', text)}) == [1, 2]


def test_a_game_without_a_table_of_its_own_is_shown_as_lists(client: FlaskClient) -> None:
    text = without_data(page(client, "/games/other?step=3"))
    assert '<div class="fact changed" data-key="turn"><dt>turn</dt><dd>2</dd></div>' in text


# What a viewer may not know


@pytest.mark.parametrize("eyes", ["public", "B"])
@pytest.mark.parametrize("page_of", ["{}?", "{}.json?", "{}.jsonl?", "{}.svg?", "{}/steps/0?"])
def test_a_card_of_the_others_hand_is_nowhere(client: FlaskClient, eyes: str, page_of: str) -> None:
    where = page_of.format("/games/dispute") + f"as={eyes}&step=5"
    answer = client.get(where)
    assert answer.status_code == 200
    assert SECRET not in answer.get_data(as_text=True)
    assert SECRET not in str(answer.headers)


def test_a_page_explains_the_cards_that_its_reader_sees_in_the_course_of_the_game(client: FlaskClient) -> None:
    piece = cast("dict[str, dict[str, Any]]", data_of(page(client, "/games/dispute?as=public"))["chunks"])["0"]
    assert {face["id"] for face in piece["faces"]} == {"fire-2", "death-5", "life-1"}


def test_the_judge_sees_it(client: FlaskClient) -> None:
    assert f'data-key="{SECRET}"' in without_data(page(client, "/games/dispute?as=judge&step=5"))
    assert SECRET in page(client, "/games/dispute.jsonl?as=judge")


def test_what_could_come_of_a_judges_knowledge_is_for_judges_because_it_tells_what_is_held(client: FlaskClient) -> None:
    assert "what may follow 2" in client.get("/games/dispute/options/2?as=judge").get_data(as_text=True)
    assert "what may follow 2" in without_data(page(client, "/games/dispute?step=2&as=judge"))
    for eyes in ("A", "B", "public"):
        assert "what may follow" not in client.get(f"/games/dispute/options/2?as={eyes}").get_data(as_text=True)
        assert "what may follow" not in page(client, f"/games/dispute?step=2&as={eyes}")


def test_an_embedded_game_is_public_whoever_looks(client: FlaskClient) -> None:
    text = page(client, "/embed/dispute?step=5&as=judge")
    assert data_of(text)["viewer"] == "public"
    assert f'data-key="{SECRET}"' not in text


def test_a_reader_from_elsewhere_sees_what_is_public_and_nothing_else(stranger: FlaskClient) -> None:
    assert data_of(page(stranger, "/games/dispute"))["viewer"] == "public"
    for address in ("/games/dispute?as=judge", "/games/dispute.json?as=A", "/games/dispute.jsonl?as=judge"):
        answer = stranger.get(address)
        assert answer.status_code == 403
        assert SECRET not in answer.get_data(as_text=True)


def test_a_reader_behind_a_proxy_on_this_machine_is_a_reader_from_elsewhere(client: FlaskClient) -> None:
    answer = client.get("/games/dispute?as=judge", headers={"X-Forwarded-For": "203.0.113.9"})
    assert answer.status_code == 403


# Size, keeping and escaping


def test_three_hundred_steps_fit_into_200_kilobytes(client: FlaskClient) -> None:
    assert len(client.get("/games/long?step=150").data) <= 200_000


def test_a_page_a_reader_has_is_not_made_again(client: FlaskClient, library: MadeLibrary) -> None:
    first = client.get("/games/dispute?step=2")
    made = library.replay_to
    again = client.get("/games/dispute?step=2", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data, library.replay_to) == (304, b"", made)


def test_a_page_changes_its_tag_with_step_language_eyes_and_game(client: FlaskClient, library: MadeLibrary) -> None:
    addresses = ("?step=2", "?step=3", "?step=2&lang=fr", "?step=2&as=public", "?step=2&reading=pl")
    tags = {client.get(f"/games/dispute{query}").headers["ETag"] for query in addresses}
    library.edition += 1
    tags.add(client.get("/games/dispute?step=2").headers["ETag"])
    library.edition -= 1
    assert len(tags) == 6


def test_names_and_notes_are_never_markup(client: FlaskClient) -> None:
    for address in ("/games/nasty?step=3", "/", "/embed/nasty", "/games/nasty.svg"):
        text = page(client, address)
        assert "<script>alert" not in text
        assert "</script><b>" not in text
    assert data_of(page(client, "/games/nasty"))["title"] == '<script>alert("x")</script>'
