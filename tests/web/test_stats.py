"""The page of statistics: what the games tell together, to each reader as much as they may know."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from threading import enumerate as enumerate_threads
from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient

from audit.core.catalogue import LANGUAGES
from replays.judging.facts import Facts
from replays.season import statistics as statistics_module
from replays.season.statistics import bars, games_csv, statistics
from replays.store import projections
from replays.store.store import Store
from replays.terminal.season import summary_lines
from tests.web.lending import viewer_over
from web.games import library as library_module
from web.games.folder_library import FolderLibrary
from web.games.library import Judging
from web.games.store_library import StoreLibrary
from web.season import plots
from web.season.plots import ticks
from web.site.tokens import make_token

SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Three games, two of them of Compile."""
    with Store(tmp_path / "games.db") as store:
        for name in ("dispute", "clean", "altered-duel"):
            store.import_log(SAMPLES / f"{name}.jsonl")
        yield store


@pytest.fixture
def client(store: Store) -> FlaskClient:
    return viewer_over(StoreLibrary(store), AUDIT_VIEWPOINTS="public").test_client()


@pytest.fixture
def judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The header of a judge."""
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    return {"Authorization": f"Bearer {make_token('judge', 'judge')}"}


def test_the_page_names_the_rules_that_were_broken(client: FlaskClient) -> None:
    page = client.get("/stats").text
    assert "3 games" in page
    assert "refresh.only-under-five" in page
    assert "With five or more cards in hand no refresh can be taken." in page


def test_it_speaks_every_language_with_its_decimal_sign_and_its_names_of_cards_which_lead_to_what_they_do(
    client: FlaskClient, judge: dict[str, str]
) -> None:
    names = {"en": "Water 0", "fr": "Eau 0", "it": "Acqua 0", "pl": "Woda 0"}
    for language, name in names.items():
        page = client.get(f"/stats?lang={language}", headers=judge).text
        assert f'<html lang="{language}">' in page
        assert (">Statistics<" in page) == (language == "en")
        assert (">Zaraza</option>" in page) == (language == "pl")
        assert set(re.findall(r"<dd>\d+([.,])\d</dd>", page)) == {"." if language == "en" else ","}
        (address,) = re.findall(rf'<a href="(/cards/compile[^"]*#water-0)">{name}</a>', page)
        assert 'id="water-0"' in client.get(address).text


def test_a_card_of_a_game_whose_cards_come_with_each_log_is_told_as_its_log_writes_it(
    client: FlaskClient, store: Store, judge: dict[str, str]
) -> None:
    store.import_log(SAMPLES / "altered-two-teams.jsonl")
    page = client.get("/stats?ruleset=altered", headers=judge).text
    assert '<th scope="row">elk <' in page
    assert "Altered: The cards of this game come with each log." in page
    assert "Compile: The cards" not in client.get("/stats", headers=judge).text


def test_the_rule_broken_most_in_a_group_has_its_title_and_leads_to_its_page(client: FlaskClient) -> None:
    page = client.get("/stats?by=player").text
    table = page[page.index('id="by"') : page.index('id="lengths"')]
    named = r'<td><a class="rule" href="([^"]+)">([^<]+) <small>refresh.only-under-five</small></a>'
    address, title = re.findall(named, table)[0]
    assert title == "Only with fewer than five"
    assert "With five or more cards in hand no refresh can be taken." in client.get(address).text


def test_filters_are_in_the_address(client: FlaskClient) -> None:
    assert "1 game" in client.get("/stats?ruleset=altered").text
    page = client.get("/stats?player=Ada&brought=plague&by=player").text
    assert "2 games" in page
    assert "/stats/games.csv?player=Ada&amp;brought=plague" in page
    assert "No game matches." in client.get("/stats?player=nobody").text
    assert client.get("/stats?by=%00&player=%00&event=" + "x" * 5_000).status_code == 200


def test_the_public_is_told_of_no_private_game_and_no_hidden_card(
    client: FlaskClient, store: Store, judge: dict[str, str]
) -> None:
    table = client.get("/stats/games.csv")
    assert table.headers["Cache-Control"] == "private, no-store", "nobody after the judge at this machine finds it"
    assert "water-0" not in client.get("/stats").text + table.text
    assert "Water 0" not in client.get("/stats").text
    assert "water-0" in client.get("/stats", headers=judge).text
    store.share(store.find("r3-t12"), "private")
    for address in ("/stats", "/stats/games.csv", "/stats/broken.svg", "/stats/groups.svg?by=player"):
        answer = client.get(address)
        assert "refresh.only-under-five" not in answer.text
        assert "r3-t12" not in answer.text
    assert "refresh.only-under-five" in client.get("/stats", headers=judge).text
    assert "private: judges only" in client.get("/", headers=judge).text
    assert "r3-t12" not in client.get("/").text


def test_a_program_is_told_as_much_as_its_reader_may_know(
    client: FlaskClient, store: Store, judge: dict[str, str]
) -> None:
    viewer = {"Authorization": f"Bearer {make_token('viewer', 'viewer')}"}
    for address in ("/api/v1/stats", "/api/v1/stats/games"):
        assert "water-0" in client.get(address, headers=judge).text
        assert "water-0" not in client.get(address, headers=viewer).text
    store.share(store.find("r3-t12"), "private")
    assert client.get("/api/v1/stats", headers=judge).get_json()["games"] == 3
    assert client.get("/api/v1/stats", headers=viewer).get_json()["games"] == 2
    assert "r3-t12" not in client.get("/api/v1/stats/games", headers=viewer).text


def test_a_new_game_is_counted_at_once(client: FlaskClient, store: Store) -> None:
    first = client.get("/stats")
    assert client.get("/stats", headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    store.import_log(SAMPLES / "hidden.jsonl")
    again = client.get("/stats", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 200
    assert "4 games" in again.text


def test_plots_are_pictures_without_a_script(client: FlaskClient) -> None:
    pytest.importorskip("pygal")
    for name in ("lengths", "broken", "groups"):
        answer = client.get(f"/stats/{name}.svg?by=player")
        assert answer.mimetype == "image/svg+xml"
        assert "script-src" not in answer.headers["Content-Security-Policy"]
        tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(answer.data).iter()}
        assert "svg" in tags
        assert not tags & {"script", "foreignObject", "a"}


def test_a_phone_is_given_a_narrow_plot(client: FlaskClient) -> None:
    pytest.importorskip("pygal")
    page = client.get("/stats").text
    assert 'srcset="/stats/broken.svg?by=event&amp;narrow=1" width="360"' in page
    assert page.count("<source ") == page.count('<source media="screen and (max-width: 40rem)"') == 3  # not on paper
    wide, narrow = (client.get(f"/stats/broken.svg{query}") for query in ("", "?narrow=1"))
    assert (ElementTree.fromstring(wide.data).get("width"), ElementTree.fromstring(narrow.data).get("width")) == (
        "720",
        "360",
    )


def test_a_long_name_leaves_room_for_the_bars() -> None:
    pytest.importorskip("pygal")
    long = "Before revealing (reveal.0.steps-order-simultaneity)"
    wide, narrow = (plots.rows([(long, 7), ("The turn", 3)], narrow=each) for each in (False, True))
    for picture, most in ((wide, plots.LABEL), (narrow, plots.NARROW_LABEL)):
        texts = [
            element.text or "" for element in ElementTree.fromstring(picture).iter() if element.tag.endswith("text")
        ]
        assert "The turn · 3" in texts
        high = {one.text: float(one.get("y", 0)) for one in ElementTree.fromstring(picture).iter() if one.get("y")}
        assert high["The turn · 3"] > min(y for text, y in high.items() if text and text.endswith("… · 7")), "below"
        assert [text for text in texts if text.endswith("… · 7")]
        assert max(map(len, texts)) <= most + len(" · 7")


def test_an_axis_counts_in_whole_numbers() -> None:
    assert [ticks(most) for most in (0, 3, 10, 223)] == [
        [0, 1], [0, 1, 2, 3], [0, 2, 4, 6, 8, 10], [0, 50, 100, 150, 200, 250],
    ]  # fmt: skip


def test_a_plot_of_no_game_is_a_picture_too(client: FlaskClient) -> None:
    pytest.importorskip("pygal")
    assert client.get("/stats/lengths.svg?player=nobody").status_code == 200


def test_a_spreadsheet_carries_out_no_cell() -> None:
    rows = list(csv.reader(io.StringIO(games_csv([Facts(game="=1+1", event="@x", round="-2", players={"A": "+1"})]))))
    assert rows[1][0] == "'=1+1"
    assert rows[1][5:7] == ["'@x", "'-2"]


def test_parquet_has_the_same_games_and_hides_the_same_cards(client: FlaskClient, judge: dict[str, str]) -> None:
    polars = pytest.importorskip("polars")
    for headers, hidden in (({}, False), (judge, True)):
        table = polars.read_parquet(io.BytesIO(client.get("/stats/games.parquet", headers=headers).data))
        assert sorted(table["game"]) == ["altered-duel", "r1-t3", "r3-t12"]
        assert table["findings"].sum() == 5
        assert ("water-0" in " ".join(table["cards"])) == hidden


def test_bars_are_few_and_leave_no_gap() -> None:
    assert bars({}) == []
    assert bars({0: 2, 100: 1}) == [(0, 49, 2), (50, 99, 0), (100, 149, 1)]
    many = bars(dict.fromkeys(range(0, 100000, 50), 1))
    assert len(many) <= 15
    assert sum(count for _, _, count in many) == 2_000


# Games that were stored and not judged yet


@pytest.fixture
def library(store: Store, monkeypatch: pytest.MonkeyPatch) -> StoreLibrary:
    """One game is judged while the reader waits, the others when the test says so."""
    monkeypatch.setattr(library_module, "PATIENCE", 0.0)
    monkeypatch.setattr(Judging, "_judge_the_rest", lambda waiting: None)
    monkeypatch.setattr(projections, "FEW", 1)
    return StoreLibrary(store)


@pytest.fixture
def reader(library: StoreLibrary) -> FlaskClient:
    return viewer_over(library, AUDIT_VIEWPOINTS="public").test_client()


def test_games_are_counted_as_far_as_they_are_judged_and_the_page_says_so(
    library: StoreLibrary, reader: FlaskClient, judge: dict[str, str]
) -> None:
    first = reader.get("/stats", headers=judge).text
    assert "1 game<" in first
    assert "2 games are still being judged. They are not counted yet." in first
    library.store.follow()
    last = reader.get("/stats", headers=judge).text
    assert "3 games<" in last
    assert "still being judged" not in last


def test_the_public_learns_that_games_are_missing_and_not_how_many(reader: FlaskClient) -> None:
    page = reader.get("/stats").text
    assert "Games are still being judged. They are not counted yet." in page
    assert "2 games" not in page
    assert "They are not in the list yet." in reader.get("/").text


def test_the_api_says_whether_every_game_is_counted(
    library: StoreLibrary, reader: FlaskClient, judge: dict[str, str]
) -> None:
    first = reader.get("/api/v1/stats", headers=judge).get_json()
    library.store.follow()
    last = reader.get("/api/v1/stats", headers=judge).get_json()
    assert [(each["games"], each["is_complete"]) for each in (first, last)] == [(1, False), (3, True)]


def test_the_rest_is_judged_while_nobody_waits(
    store: Store, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library_module, "PATIENCE", 0.0)
    monkeypatch.setattr(projections, "FEW", 1)
    client.get("/stats")
    for thread in enumerate_threads():
        if thread.name == library_module.JUDGING:
            thread.join(60)
    assert store.waiting() == 0
    assert "3 games ·" in client.get("/stats").text


# The same over a folder of logs


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Three logs, and a file that is none."""
    folder = tmp_path / "logs"
    folder.mkdir()
    for name in ("altered-duel", "clean", "dispute"):
        (folder / f"{name}.jsonl").write_bytes((SAMPLES / f"{name}.jsonl").read_bytes())
    (folder / "a-letter.jsonl").write_text("Dear Ada,\n")
    return folder


@pytest.fixture
def folder(logs: Path, monkeypatch: pytest.MonkeyPatch) -> FolderLibrary:
    """One log is judged while the reader waits, the others when the test says so."""
    monkeypatch.setattr(library_module, "PATIENCE", 0.0)
    monkeypatch.setattr(Judging, "_judge_the_rest", lambda waiting: None)
    return FolderLibrary(logs)


def test_the_logs_of_a_folder_are_counted_as_far_as_they_are_judged_and_the_page_says_so(folder: FolderLibrary) -> None:
    assert folder.catch_up(0) == 3
    reader = viewer_over(folder).test_client()
    first = reader.get("/stats").text
    assert "1 game<" in first
    assert "still being judged. They are not counted yet." in first
    assert "still being judged. They are not in the list yet." in reader.get("/").text
    assert not reader.get("/api/v1/stats").get_json()["is_complete"]
    folder.catch_up(60)
    last = reader.get("/stats").text
    assert "3 games<" in last
    assert "still being judged" not in last + reader.get("/").text
    assert reader.get("/api/v1/stats").get_json()["is_complete"]


def test_a_log_that_goes_on_is_counted_as_it_was_until_it_is_judged_anew(folder: FolderLibrary, logs: Path) -> None:
    folder.catch_up(60)
    before = sum(each.events for each in folder.facts("judge"))
    whole = (logs / "clean.jsonl").read_bytes().splitlines(keepends=True)
    (logs / "clean.jsonl").write_bytes(b"".join(whole[:50]))
    assert folder.waiting() == 1
    assert sum(each.events for each in folder.facts("judge")) == before
    folder.catch_up(60)
    assert sum(each.events for each in folder.facts("judge")) == before - (len(whole) - 50)


def test_a_log_that_is_taken_away_is_counted_no_more(folder: FolderLibrary, logs: Path) -> None:
    folder.catch_up(60)
    (logs / "clean.jsonl").unlink()
    assert folder.waiting() == 0
    assert len(list(folder.facts("judge"))) == 2


def test_a_page_changes_when_a_game_has_been_judged(folder: FolderLibrary) -> None:
    states = []
    for _ in range(6):
        states.append(folder.state())
        folder.catch_up(0)
    assert len(set(states[:4])) == 4
    assert len(set(states[3:])) == 1


def test_the_rest_of_a_folder_is_judged_while_nobody_waits(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library_module, "PATIENCE", 0.0)
    library = FolderLibrary(logs)
    reader = viewer_over(library).test_client()
    reader.get("/stats")
    for thread in enumerate_threads():
        if thread.name == library_module.JUDGING:
            thread.join(60)
    assert library.waiting() == 0
    assert "3 games ·" in reader.get("/stats").text or "3 games<" in reader.get("/stats").text


# Games that were not judged alike


def test_the_page_and_the_api_say_of_how_many_games_another_version_judged(
    store: Store, client: FlaskClient, judge: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store.follow()
    assert "another version" not in client.get("/stats", headers=judge).text
    monkeypatch.setattr(StoreLibrary, "state", lambda library: "after an update")
    monkeypatch.setattr(statistics_module, "_judge", lambda name: "new" if name == "compile" else "")
    page = client.get("/stats", headers=judge).text
    assert "3 games were judged by another version of this program, and may be judged otherwise today." in page
    assert client.get("/api/v1/stats", headers=judge).get_json()["outdated"] == 3
    assert "1 game was judged by another version" in client.get("/stats?ruleset=altered", headers=judge).text


def test_a_page_changes_when_stored_games_have_been_judged_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.follow()
    store._tables.do("UPDATE shown_facts SET judged_by = 'old'")
    with monkeypatch.context() as hurried:
        hurried.setattr(library_module, "PATIENCE", 0.0)
        hurried.setattr(Judging, "_judge_the_rest", lambda waiting: None)
        before = StoreLibrary(store).state()
    after = StoreLibrary(store).state()
    assert (before, after) == ("6-6-0-3", "6-6-0-0")


def test_games_of_two_editions_or_readings_are_told_apart(
    store: Store, client: FlaskClient, judge: dict[str, str]
) -> None:
    assert "by the same edition and reading" not in client.get("/stats").text
    first = (SAMPLES / "clean.jsonl").read_bytes().split(b"\n", 1)
    header = json.loads(first[0])
    store.import_log(
        io.BytesIO(json.dumps({**header, "game": "in French", "reading": "fr"}).encode() + b"\n" + first[1])
    )
    page = client.get("/stats").text
    assert "Not all of these games were judged by the same edition and reading." in page
    assert "Reading: fr · 1 game" in page
    assert "Altered · Edition" not in page
    judged = client.get("/api/v1/stats", headers=judge).get_json()["judged"]
    assert sorted((each["ruleset"], each["reading"], each["games"]) for each in judged) == [
        ("altered", "standard", 1), ("compile", "fr", 1), ("compile", "standard", 2),
    ]  # fmt: skip
    assert "by the same edition and reading" not in client.get("/stats?ruleset=altered").text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_terminal_tells_them_apart_too(language: str) -> None:
    games = [Facts(ruleset="compile", edition="main-1", reading=reading) for reading in ("standard", "fr", "fr")]
    lines = [*summary_lines(statistics(games), language)]
    assert [line[-2:] for line in lines if line.startswith("  compile")] == [" 2", " 1"]
    assert not [line for line in summary_lines(statistics(games[1:]), language) if line.startswith("  compile")]
