"""What an open page hears of a game that goes on."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from flask import Flask

from replays.store.store import Store
from tests.web.made import MadeReplay, header, long
from web import create_app
from web.games.live import Pace, _stream, hung_up, page_news
from web.games.payload import Prepared
from web.games.store_library import StoreLibrary

SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"
LINES = (SAMPLES / "dispute.jsonl").read_bytes().splitlines(keepends=True)
SHORT = {"AUDIT_LIVE_EVERY": 0.01, "AUDIT_LIVE_SECONDS": 0.02}
FAR = {"REMOTE_ADDR": "203.0.113.9"}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "games.db") as store:
        start = tmp_path / "start.jsonl"
        start.write_bytes(b"".join(LINES[:41]))
        store.import_log(start)
        yield store


@pytest.fixture
def app(store: Store) -> Flask:
    return create_app(StoreLibrary(store), config=SHORT)


def told(app: Flask, path: str, **more: object) -> list[dict[str, object]]:
    answer = app.test_client().get(path, **more)
    assert (answer.status_code, answer.mimetype) == (200, "text/event-stream")
    assert (answer.headers["Cache-Control"], answer.headers["X-Accel-Buffering"]) == ("no-store", "no"), "as it comes"
    lines = answer.get_data(as_text=True).splitlines()
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]


def test_a_page_hears_of_what_it_lacks(app: Flask, store: Store) -> None:
    path = f"/games/{store.find('r3-t12')}/live"
    assert told(app, path) == []
    (news,) = told(app, f"{path}?after=37")
    steps = news["steps"]
    assert isinstance(steps, list)
    assert (news["after"], news["last"], len(steps)) == (37, 40, 3)
    (again,) = told(app, f"{path}?after=0", headers={"Last-Event-ID": "39"})
    assert again["after"] == 39


def test_a_reader_from_elsewhere_follows_without_a_token_and_sees_what_is_public(app: Flask, store: Store) -> None:
    path = f"/games/{store.find('r3-t12')}/live?after=0"
    (public,) = told(app, path, environ_base=FAR)
    (here,) = told(app, f"{path}&as=public")
    assert public == here
    (judge,) = told(app, path)
    assert judge != public
    assert app.test_client().get(f"{path}&as=judge", environ_base=FAR).status_code == 403


def test_there_is_room_for_so_many_and_the_others_are_told_when_to_come_back(store: Store) -> None:
    app = create_app(StoreLibrary(store), config={**SHORT, "AUDIT_LIVE_MOST": 1})
    path = f"/games/{store.find('r3-t12')}/live"
    first = app.test_client().get(path, buffered=False)
    answer = app.test_client().get(path)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "30")
    first.close()
    assert app.test_client().get(path).status_code == 200


def test_steps_that_are_not_settled_are_sent_again() -> None:
    asked: list[int] = []

    def news(known: int) -> dict[str, object]:
        asked.append(known)
        return {"last": 9, "settled": 6}

    versions = iter("ab")
    said = "".join(_stream(lambda: next(versions), 2, news, Pace(0, 60), lambda: len(asked) == 2))
    assert (asked, said.count("id: 6\n")) == ([2, 6], 2)


def test_old_steps_and_news_make_up_the_whole_game(app: Flask) -> None:
    steps = long(50)
    before, after = (Prepared(MadeReplay(header(), some)) for some in (steps[:31], steps))
    with app.test_request_context("/?lang=en"):
        news = page_news(after, 30)
    had, has = before.overview(), after.overview()
    for name in ("verdicts", "depths", "recorded", "bands"):
        assert had[name] + news[name] == has[name]  # type: ignore[operator]
    assert [*before.rules, *news["rules"]] == list(after.rules)  # type: ignore[misc]
    assert news["steps"] == cast("list[object]", after.chunk(0)["steps"])[31:]


@pytest.mark.parametrize("seconds", [None, 0.01], ids=["without a limit", "with a limit, as under gunicorn"])
def test_who_has_hung_up_is_noticed(seconds: float | None) -> None:
    ours, theirs = socket.socketpair()
    ours.settimeout(seconds)
    is_gone = hung_up({"gunicorn.socket": ours})
    assert not is_gone()
    theirs.sendall(b"GET")
    assert not is_gone()
    ours.recv(3)
    theirs.close()
    assert is_gone()
    ours.close()
    assert is_gone()
    assert not hung_up({})()
