"""A step in a frame of another page: how it is asked for, and what a page says of itself to be shown so."""

from __future__ import annotations

import io
import re

import pytest
from flask.testing import FlaskClient

from web import create_app


@pytest.fixture(scope="module")
def samples() -> FlaskClient:
    """The viewer over the sample games."""
    return create_app().test_client()


def frame_of(client: FlaskClient, **asked: str) -> dict[str, object]:
    answer = client.get("/oembed", query_string=asked)
    assert answer.status_code == 200
    return dict(answer.get_json())


def test_the_address_of_a_step_gives_a_frame_with_that_step(client: FlaskClient) -> None:
    found = frame_of(client, url="http://localhost/games/dispute?step=3&as=judge")
    assert (found["type"], found["width"], found["height"]) == ("rich", 600, 371)
    source = re.search(r'<iframe src="([^"]+)"', str(found["html"]))
    assert source
    assert source[1] == "http://localhost/embed/dispute?step=3"
    assert "Illegal" in client.get(source[1]).get_data(as_text=True)


def test_a_frame_is_never_larger_than_there_is_room_for(client: FlaskClient) -> None:
    found = frame_of(client, url="http://localhost/games/dispute?seq=2", maxwidth="400", maxheight="99999")
    assert (found["width"], found["height"]) == (400, 371)


@pytest.mark.parametrize(
    ("asked", "given"), [("200", 200), ("1", 1), ("0", 600), ("-5", 600), ("wide", 600), ("9" * 5_000, 600)]
)
def test_a_small_room_is_kept_to_and_one_that_is_no_number_passed_over(
    client: FlaskClient, asked: str, given: int
) -> None:
    assert frame_of(client, url="http://localhost/games/dispute", maxwidth=asked)["width"] == given


@pytest.mark.parametrize("name", ["dispute", "altered-duel", "lotr-journey"])
def test_the_picture_is_as_large_as_it_is_said_to_be_and_left_out_where_there_is_no_room(
    samples: FlaskClient, name: str
) -> None:
    pytest.importorskip("cairosvg")
    image = pytest.importorskip("PIL.Image")
    found = frame_of(samples, url=f"http://localhost/games/{name}?seq=5")
    with image.open(io.BytesIO(samples.get(str(found["thumbnail_url"])).data)) as picture:
        assert picture.size == (found["thumbnail_width"], found["thumbnail_height"])
    narrow = frame_of(samples, url=f"http://localhost/games/{name}?seq=5", maxwidth="600")
    assert not [key for key in narrow if key.startswith("thumbnail")]


@pytest.mark.parametrize("vary", ["x", "24~nonsense", "99999~A%20refresh"])
def test_a_variation_that_is_not_possible_gives_the_frame_of_the_record(samples: FlaskClient, vary: str) -> None:
    found = frame_of(samples, url=f"http://localhost/games/dispute?vary={vary}&step=3")
    source = re.search(r'<iframe src="([^"]+)"', str(found["html"]))
    assert source
    assert source[1] == "http://localhost/embed/dispute?step=3"
    assert samples.get(str(found.get("thumbnail_url", source[1]))).status_code == 200


@pytest.mark.parametrize(
    "address",
    ["", "http://localhost/", "http://elsewhere.example/games/dispute", "http://localhost/games/nobody", "http://[x"],
)
def test_any_other_address_gives_none(client: FlaskClient, address: str) -> None:
    assert client.get("/oembed", query_string={"url": address}).status_code == 404


def test_a_frame_of_another_kind_than_json_is_not_made(client: FlaskClient) -> None:
    asked = {"url": "http://localhost/games/dispute", "format": "xml"}
    assert client.get("/oembed", query_string=asked).status_code == 501


def test_a_step_says_what_a_link_to_it_shows(client: FlaskClient) -> None:
    page = client.get("/games/dispute?step=3&as=public").get_data(as_text=True)
    for name in ("og:title", "og:description", "og:url", "og:image", "og:site_name"):
        assert f'property="{name}"' in page
    link = re.search(r'type="application/json\+oembed" href="([^"]+)"', page)
    assert link
    assert frame_of(client, url="http://localhost/games/dispute?step=3") == client.get(link[1]).get_json()


def test_what_a_judge_sees_offers_no_frame_and_no_picture(client: FlaskClient) -> None:
    page = client.get("/games/dispute?step=3&as=judge").get_data(as_text=True)
    assert "oembed" not in page
    assert "og:image" not in page
