"""A variation on the page: taken by a link, walked, taken back; the record stays as it was."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from flask.testing import FlaskClient

from replays.log.reader import open_log
from replays.table.variations import VariationError
from tests.short_games import beginnings
from web import create_app
from web.games.address import Beside, beside_in
from web.games.folder_library import FolderLibrary
from web.publishing.bundle import packed, unpacked
from web.publishing.check import check_published
from web.publishing.files import publish
from web.publishing.sources import beside_source, source_at, varied_source

TAKE = re.compile(r'class="take" href="([^"]*)"')


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return beginnings(tmp_path_factory.mktemp("games"), clean=36, dispute=30, altered_duel=72, lotr_journey=56)


@pytest.fixture(scope="module")
def client(games: Path) -> FlaskClient:
    return create_app(FolderLibrary(games)).test_client()


def offers(text: str) -> list[str]:
    return [html.unescape(address) for address in TAKE.findall(text)]


def bare(text: str) -> str:
    """What a reader without scripts has."""
    return re.sub(r"<script type=.*?</script>", "", text, flags=re.S)


def notice(text: str) -> str:
    found = re.search(r'data-slot="notice">([^<]*)<', text)
    return html.unescape(found[1]) if found else ""


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("game", "step"), [("clean", 24), ("altered-duel", 30), ("lotr-journey", 10)])
def test_one_option_after_another_is_taken_without_a_script(client: FlaskClient, game: str, step: int) -> None:
    address = f"/games/{game}?step={step}"
    for _ in range(3):
        (address, *_) = offers(client.get(address).text)
    text = bare(client.get(address).text)
    assert "not in the record" in text
    assert text.count('class="varied"') or ' varied"' in text
    assert len(re.findall(r"<ol>.*?</ol>", text, re.S)) >= 1
    back = re.search(r'href="([^"]*)" data-do-link="record"', text)
    assert back
    assert "not in the record" not in client.get(html.unescape(back[1])).text


def test_what_should_have_happened_can_be_taken(client: FlaskClient) -> None:
    text = client.get("/games/dispute?seq=25").text
    first = offers(text)[0]
    assert "vary=24~A" in first
    text = client.get(first).text
    assert "Ada plays Plague 5 face up in line 1." in bare(text)
    assert 'class="verdict legal"' in text


def test_the_record_is_byte_for_byte_what_it_was(client: FlaskClient, games: Path) -> None:
    before = client.get("/games/clean.jsonl").data
    varied = client.get("/games/clean.jsonl?vary=24~A refresh").data
    assert client.get("/games/clean.jsonl").data == before == (games / "clean.jsonl").read_bytes()
    assert varied != before
    for form in ("jsonl", "json", "svg"):
        addresses = (f"/games/clean.{form}", f"/games/clean.{form}?vary=24~A refresh")
        assert len({client.get(address).headers["ETag"] for address in addresses}) == 2, form


def test_the_log_of_a_variation_is_a_log(client: FlaskClient, tmp_path: Path) -> None:
    (tmp_path / "v.jsonl").write_bytes(client.get("/games/clean.jsonl?vary=24~A refresh").data)
    log = open_log(tmp_path / "v.jsonl")
    assert log.header.meta["branch_of"] == {"game": "r1-t3", "after": 24}
    assert len(list(log)) > 24


@pytest.mark.parametrize(
    ("vary", "said"),
    [
        ("24~A refresh~A refresh", "Decision 2 of this variation is not possible here"),
        ("24~gibberish", "Decision 1 of this variation is not possible here"),
        ("99999", "begins after event 99999, which is not in the record"),
        ("x", "names no variation that can be read"),
        ("24" + "~A refresh" * 101, "names no variation that can be read"),
        ("24~" + "x" * 7000, "names no variation that can be read"),
    ],
)
def test_what_cannot_be_shown_is_said_over_the_record(client: FlaskClient, vary: str, said: str) -> None:
    answer = client.get("/games/clean", query_string={"vary": vary})
    assert answer.status_code == 200
    assert said in notice(answer.text)
    assert "\n" not in notice(answer.text)
    assert client.get("/games/clean.svg", query_string={"vary": vary}).status_code == 400


def test_a_variation_goes_along_with_the_other_addresses_of_its_page(client: FlaskClient) -> None:
    text = html.unescape(client.get("/games/clean?vary=24~A refresh&step=26").text)
    for part in ("/games/clean.json?", "/games/clean.svg?", "/embed/clean?"):
        found = [address for address in re.findall(r'"([^"]*)"', text) if part in address]
        assert found, part
        assert all("vary=24~A" in address for address in found), part


def test_a_seat_takes_only_what_it_may_know(client: FlaskClient) -> None:
    assert list(offers(client.get("/games/clean?as=public&step=24&could=1").text)) == [
        "/games/clean?as=public&vary=24~A+refresh"
    ]
    told = client.get("/games/clean/options/24?as=B").get_json()
    assert "gravity" not in json.dumps(told).lower()


def test_an_embedded_variation_offers_nothing(client: FlaskClient) -> None:
    text = client.get("/embed/clean?vary=24~A refresh").text
    assert "not in the record" in text
    assert not offers(text)


def test_a_published_variation_opens_where_it_leaves_the_game_and_is_verified(games: Path, tmp_path: Path) -> None:
    source = varied_source(source_at(games / "clean.jsonl"), "24~A refresh", "judge")
    page = publish(source, "html", "judge", ("en",))
    (tmp_path / "v.html").write_bytes(packed(page))
    text = page.decode()
    assert "A branch of r1-t3, after event 24." in html.unescape(bare(text))
    assert "Step 25 of" in bare(text)
    assert ' varied"' in bare(text)
    found = check_published(tmp_path / "v.html")
    assert (found.judgement, found.differences) == ("proven", ())


def test_a_file_and_a_sheet_of_a_variation_are_had_from_its_page(client: FlaskClient) -> None:
    page = client.get("/games/clean.html?vary=24~A refresh")
    assert page.status_code == 200
    assert b"Ada refreshes." in unpacked(page.data)
    sheet = client.get("/games/clean/sheet.md?vary=24~A refresh&step=25").text
    assert "Ada refreshes." in sheet
    assert "r1-t3-from-24" in sheet


def test_a_variation_of_a_viewer_is_published_as_far_as_they_know(games: Path, tmp_path: Path) -> None:
    with pytest.raises(VariationError):
        varied_source(source_at(games / "clean.jsonl"), "24~A light-2 1", "B")
    page = publish(varied_source(source_at(games / "clean.jsonl"), "24~A refresh", "B"), "html", "B", ("en",))
    assert b"gravity-6" not in page


BOTH = {"vary": ["24~A refresh", "24~A gravity-6 1"]}


def told(client: FlaskClient, **asked: object) -> str:
    return html.unescape(bare(client.get("/games/clean", query_string={**BOTH, **asked}).text))


def tabs(text: str) -> list[str]:
    found = re.search(r'<ul class="branches">(.*?)</ul>', text, re.S)
    return re.findall(r'href="([^"]*)"', found[1]) if found else []


def test_several_variations_stand_beside_the_record_and_can_be_switched(client: FlaskClient) -> None:
    first = told(client)
    record, _, second = tabs(first)
    assert '<b class="sign">Variation a</b>' in first
    assert 'data-variation="1"' in first
    other = html.unescape(bare(client.get(second).text))
    assert '<b class="sign">Variation b</b>' in other
    assert 'id="main" data-variation="2"' in other
    assert "not in the record" not in client.get(record).text
    assert tabs(html.unescape(client.get(record).text)) == tabs(other) == tabs(first)


def test_an_option_of_the_record_adds_a_variation_and_keeps_the_others(client: FlaskClient) -> None:
    page = told(client, shown=0, step=30)
    taken = offers(page)[0]
    assert parse_qs(urlsplit(taken).query)["vary"][:2] == BOTH["vary"]
    assert len(tabs(html.unescape(client.get(taken).text))) == 4


def test_an_option_at_the_end_of_a_variation_makes_that_one_longer(client: FlaskClient) -> None:
    taken = offers(told(client, shown=2))[0]
    asked = parse_qs(urlsplit(taken).query)
    assert asked["vary"][0] == BOTH["vary"][0]
    assert asked["vary"][1].startswith(f"{BOTH['vary'][1]}~")
    assert asked["shown"] == ["2"]


@pytest.mark.parametrize(
    ("kept", "shown", "taken", "texts", "leads"),
    [
        ((), 0, "9~a", ("9~a",), (1, 0)),
        (("9~a",), 1, "9~a~b", ("9~a~b",), (1, 0)),
        (("9~a",), 1, "9~b", ("9~a", "9~b"), (2, 0)),
        (("9~a~b", "9~c"), 2, "9~a", ("9~a~b", "9~c"), (1, 1)),
        (("9~a~b",), 1, "9~a~c", ("9~a~b", "9~a~c"), (2, 0)),
        (("9~a",), 0, "9~ab", ("9~a", "9~ab"), (2, 0)),
        (tuple(f"{n}~a" for n in range(6)), 3, "9~a", (*(f"{n}~a" for n in range(1, 6)), "9~a"), (6, 0)),
    ],
)
def test_where_an_option_leads(
    kept: tuple[str, ...], shown: int, taken: str, texts: tuple[str, ...], leads: tuple[int, int]
) -> None:
    beside, decision = Beside(kept, shown).taking(taken)
    assert beside.texts == texts
    assert (beside.shown, decision) == leads


def test_what_is_taken_back_or_removed_leaves_the_others() -> None:
    beside = Beside(("9~a~b", "9~c"), 1)
    assert beside.shortened() == Beside(("9~a", "9~c"), 1)
    assert beside.shortened().shortened() == beside.without() == Beside(("9~c",))
    assert Beside(("9~a~b", "9~a"), 1).shortened() == Beside(("9~a",))


@pytest.mark.parametrize(
    ("texts", "shown", "found"),
    [
        (["9~a", "9~a", ""], "", Beside(("9~a",), 1)),
        (["9~a"], "0", Beside(("9~a",))),
        (["9~a"], "7", Beside(("9~a",), 1)),
        (["9~a"], "²", Beside(("9~a",), 1)),
        ([], "3", Beside()),
    ],
)
def test_an_address_is_read_as_far_as_it_can_be(texts: list[str], shown: str, found: Beside) -> None:
    assert beside_in(texts, shown) == found


def test_one_of_several_that_is_not_possible_is_named_all_the_same(client: FlaskClient) -> None:
    answer = client.get("/games/clean", query_string={"vary": ["24~A refresh", "24~nonsense", "9999~A refresh", "x"]})
    assert answer.status_code == 200
    assert len(tabs(answer.text)) == 5


def test_a_file_holds_the_record_and_its_variations_and_is_verified(games: Path, tmp_path: Path) -> None:
    source = beside_source(source_at(games / "clean.jsonl"), tuple(BOTH["vary"]))
    page = publish(source, "html", "judge", ("en", "pl"))
    (tmp_path / "v.html").write_bytes(packed(page))
    text = html.unescape(bare(page.decode()))
    assert tabs(text) == ["?lang=en&shown=0", "?lang=en&shown=1", "?lang=en&shown=2"]
    assert "Step 25 of" in text
    bodies = json.loads(re.findall(rb'id="languages">(.*?)</script>', page, re.S)[0])
    assert sorted(bodies) == ["en/1", "en/2", "pl", "pl/1", "pl/2"]
    assert "Ada refreshes." in bodies["en/1"]
    assert "?vary=24~A+refresh&amp;vary=24~A+gravity-6+1" in bodies["en/1"].replace("%7E", "~")
    found = check_published(tmp_path / "v.html")
    assert (found.judgement, found.differences) == ("proven", ())


def test_a_variation_in_a_file_that_is_not_that_of_its_log_is_found(games: Path, tmp_path: Path) -> None:
    source = beside_source(source_at(games / "clean.jsonl"), ("24~A refresh",))
    page = publish(source, "html").replace(b"Ada refreshes.", b"A cheats now.")
    (tmp_path / "v.html").write_bytes(packed(page))
    assert check_published(tmp_path / "v.html").judgement == "different"


def test_the_page_of_a_seat_is_published_with_its_variations(client: FlaskClient, tmp_path: Path) -> None:
    page = unpacked(client.get("/games/clean.html?as=B&lang=en&vary=24~A refresh").data)
    (tmp_path / "v.html").write_bytes(page)
    bodies = json.loads(re.findall(rb'id="languages">(.*?)</script>', page, re.S)[0])
    assert "Ada refreshes." in bodies["en/1"]
    assert "gravity-6" not in bodies["en/1"]
    assert check_published(tmp_path / "v.html").differences == ()
