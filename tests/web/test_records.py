"""A game as a scorekeeper keeps it, in the viewer, in the API and in published files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from flask import Flask
from flask.testing import FlaskClient

from replays.judging.replay import replay
from replays.log.reader import open_log
from replays.store.store import Store
from tests.web.made import outlined
from web import create_app
from web.games.folder_library import FolderLibrary
from web.games.library import Replay
from web.games.live import page_news
from web.games.page_words import bars
from web.games.payload import Prepared
from web.games.store_library import StoreLibrary
from web.publishing.files import publish, publish_html
from web.publishing.record import read_record, source_of_record
from web.publishing.sources import Source, source_at

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "replays" / "samples" / "kept-by-hand.jsonl"
LINES = SAMPLE.read_bytes().splitlines(keepends=True)
SLIP, AMENDED, TAKEN_BACK = 45, 47, 32
PATH = "/games/kept-by-hand"


@pytest.fixture(scope="module")
def app() -> Flask:
    return create_app(FolderLibrary(SAMPLE.parent))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture(scope="module")
def game() -> Prepared:
    return Prepared(cast(Replay, replay(open_log(SAMPLE))))


@pytest.fixture(scope="module")
def source() -> Source:
    return source_at(SAMPLE)


def step_of(game: Prepared, seq: int) -> int:
    return game.steps_of_seq[seq]


class TestThePage:
    """Without a script: struck through, with who and why, and a way to look into it."""

    def test_a_step_that_stands_no_longer_is_struck_through_and_says_why(
        self, client: FlaskClient, game: Prepared
    ) -> None:
        step = step_of(game, SLIP)
        page = client.get(f"{PATH}?step={step}").get_data(as_text=True)
        assert "<del>Ada plays Metal 6 face up in line 2.</del>" in page
        assert f"Stands no longer since step {step_of(game, AMENDED)}." in page
        assert "By Cleo." in page
        assert "Reason: It lay in line 1; written in the wrong line." in page
        assert re.search(rf'<li class="d\d illegal aside"><a href="[^"]*step={step}', page)
        assert "illegal, stands no longer" in page

    def test_its_position_is_the_one_of_that_time(self, client: FlaskClient, game: Prepared) -> None:
        step, amended = step_of(game, SLIP) + 2, step_of(game, AMENDED)
        for number, lies_there in ((step, True), (amended, False)):
            lines = game.steps[number]["state"]["sides"]["A"]["lines"]  # type: ignore[index]
            assert (bool(lines[1]) and lines[1][-1]["card"] == "metal-6") is lies_there

    def test_an_amendment_leads_to_what_it_set_aside(self, client: FlaskClient, game: Prepared) -> None:
        amended = step_of(game, AMENDED)
        page = client.get(f"{PATH}?step={amended}").get_data(as_text=True)
        assert f"Steps {amended - 5} to {amended - 1} stand no longer." in page
        assert re.search(rf'step={amended - 5}">Look into them', page)

    def test_on_and_back_go_along_what_stands(self, client: FlaskClient, game: Prepared) -> None:
        amended = step_of(game, AMENDED)
        page = client.get(f"{PATH}?step={amended - 6}").get_data(as_text=True)
        (on,) = re.findall(r'data-go="on"[^>]*href="[^"]*step=(\d+)', page)
        assert int(on) == amended
        page = client.get(f"{PATH}?step={amended}").get_data(as_text=True)
        (back,) = re.findall(r'data-go="back"[^>]*href="[^"]*step=(\d+)', page)
        assert int(back) == amended - 6

    @pytest.mark.sampled(2)
    @pytest.mark.parametrize(
        ("language", "unchecked", "late"),
        [
            ("en", "Not checked", "Recorded late: it had happened before."),
            ("fr", "Non vérifié", "Noté en retard\u00a0: cela avait déjà eu lieu."),
            ("it", "Non verificato", "Annotato in ritardo: era già successo."),
            ("pl", "Niesprawdzone", "Zapisano z opóźnieniem: to stało się już wcześniej."),
        ],
    )
    def test_what_was_not_checked_or_came_late_is_said_in_every_language(
        self, client: FlaskClient, game: Prepared, language: str, unchecked: str, late: str
    ) -> None:
        odd = next(number for number, verdict in enumerate(game.verdicts) if verdict == "unchecked")
        page = client.get(f"{PATH}?step={odd}&lang={language}").get_data(as_text=True)
        assert f"</svg> {unchecked}</p>" in page
        assert 'class="message unchecked"' in page
        record = next(n for n, step in enumerate(game.steps) if step.get("late") and step["seq"])
        assert late in client.get(f"{PATH}?step={record}&lang={language}").get_data(as_text=True)

    def test_every_verdict_is_explained(self, client: FlaskClient) -> None:
        page = client.get("/about").get_data(as_text=True)
        assert "There is nothing to judge." in page
        assert "It was not judged" in page

    def test_a_list_can_be_narrowed_to_games_with_unchecked_steps(self, client: FlaskClient) -> None:
        assert "r2-t4" in client.get("/?verdict=unchecked").get_data(as_text=True)
        assert "r2-t4" not in client.get("/?verdict=illegal").get_data(as_text=True)


class TestTheData:
    """What the script gets."""

    def test_the_overview_says_what_was_set_aside_by_which_step_and_why(self, app: Flask, game: Prepared) -> None:
        with app.test_request_context("/?lang=en"):
            overview = game.overview()
        amended, back = step_of(game, AMENDED), step_of(game, TAKEN_BACK)
        (first, _, by, words), second = cast("list[list[object]]", overview["asides"])
        assert (by, words) == (back, ["By B.", "Both players agreed."])
        assert first == step_of(game, TAKEN_BACK - 2) + 1
        reason = "Reason: It lay in line 1; written in the wrong line."
        assert second == [amended - 5, amended - 1, amended, ["By Cleo.", reason]]
        assert overview["settled"] == game.settled

    def test_findings_and_bars_leave_out_what_was_set_aside(self, game: Prepared) -> None:
        assert game.findings == []
        _, _, aside = bars(game)
        assert aside.count("M") == sum(each.last - each.first + 1 for each in game.asides)

    def test_steps_that_may_still_change_are_sent_again(self, app: Flask) -> None:
        made = replay(open_log(SAMPLE))
        steps = [{**step, "provisional": number > len(made.steps) - 4} for number, step in enumerate(made.steps)]

        outlines = list(map(outlined, steps))

        class Made:
            """The same game with its last three steps open."""

            def __getattr__(self, name: str) -> object:
                return steps if name == "steps" else outlines if name == "outlines" else getattr(made, name)

        open_end = Prepared(cast(Replay, Made()))
        assert open_end.settled == open_end.last - 3
        with app.test_request_context("/?lang=en"):
            news = page_news(open_end, open_end.settled)
        sent = cast("list[dict[str, object]]", news["steps"])
        assert [step["p"] for step in sent] == [True] * 3
        assert (news["settled"], news["last"]) == (open_end.settled, open_end.last)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "games.db") as store:
        start = tmp_path / "start.jsonl"
        start.write_bytes(b"".join(LINES[:AMENDED]))
        store.import_log(start)
        yield store


def test_who_follows_hears_that_earlier_steps_stand_no_longer(store: Store) -> None:
    """The page ends with the slip, a finding; the amendment is stored."""
    id = store.find("r2-t4")
    library = StoreLibrary(store)
    app = create_app(library, config={"AUDIT_LIVE_EVERY": 0.01, "AUDIT_LIVE_SECONDS": 0.02})

    def prepared() -> Prepared:
        return Prepared(library.game(id, viewer="judge", language="en", reading=None))

    before = prepared()
    assert [before.steps[step]["seq"] for step in before.findings] == [SLIP]
    store.append(id, LINES[AMENDED], expected=AMENDED - 1)
    after = prepared()
    assert after.findings == []
    with app.test_request_context("/?lang=en"):
        news = page_news(after, before.last)
    assert [each[2] for each in cast("list[list[object]]", news["asides"])][-1] == after.last
    assert "0 findings" in str(news["trust"])


class TestTheApi:
    """Steps and counts as `audit replay --json` and `audit check --json` have them."""

    def test_a_step_says_what_set_it_aside(self, client: FlaskClient, game: Prepared) -> None:
        answer = client.get(f"/api/v1/games/kept-by-hand/steps?from={step_of(game, SLIP)}&count=1").get_json()
        (step,) = answer["steps"]
        assert (step["verdict"], step["superseded_by"]) == ("illegal", AMENDED)

    def test_counts_and_findings_are_of_what_stands(self, client: FlaskClient) -> None:
        one = client.get("/api/v1/games/kept-by-hand").get_json()
        assert (one["verdicts"]["illegal"], one["verdicts"]["unchecked"], one["verdicts"]["recorded"]) == (0, 1, 6)
        assert client.get("/api/v1/games/kept-by-hand/findings").get_json() == {"findings": []}


class TestPublishedFiles:
    """The same in files that are given away."""

    def test_the_html_holds_it_all_in_each_language(self, source: Source) -> None:
        page = publish_html(source, languages=("en", "pl")).decode()
        assert "stand no longer" in page
        assert "Nie obowiązuje od kroku" in page
        assert re.search(r"Steps judged: \d+ of \d+", page)
        assert "Steps amended or taken back" in page

    def test_the_record_can_be_read_again(self, source: Source) -> None:
        record = read_record(publish(source, "json"))
        assert record.findings == []
        assert [step["seq"] for step in record.steps if step.get("superseded_by") == AMENDED][1] == SLIP
        assert record.log[AMENDED]["reason"] == "It lay in line 1; written in the wrong line."

    def test_the_text_strikes_it_through(self, source: Source, game: Prepared) -> None:
        text = publish(source, "md", at=step_of(game, SLIP)).decode()
        assert "~~Ada plays Metal 6 face up in line 2." in text
        assert f"Stands no longer since event {AMENDED}." in text
        assert "There are no findings." in text

    def test_the_sheet_says_it(self, source: Source, game: Prepared) -> None:
        pytest.importorskip("fpdf")
        pytest.importorskip("font_lato")
        slip, other = (publish(source, "pdf", at=step_of(game, seq)) for seq in (SLIP, SLIP + 3))
        assert slip.startswith(b"%PDF")
        assert slip != other

    @pytest.mark.parametrize("viewer", ["public", "A"])
    def test_the_log_in_it_tells_of_a_position_what_its_viewer_may_know(self, source: Source, viewer: str) -> None:
        record = read_record(publish(source, "json", viewer))
        [told] = [event for event in record.log if event.get("type") == "position_set"]
        assert told["x-seq"] == 63
        sides = cast(dict[str, dict[str, object]], cast(dict[str, object], told["position"])["sides"])
        assert sides["B"]["hand"] == 5
        again = source_of_record(record).replay("judge", "en")
        assert len(again.findings) == len(record.findings)
