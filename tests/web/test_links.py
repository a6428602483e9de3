"""Addresses that are given away: by step, by event, with the table turned; and what comes back for them."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.web.lending import viewer_over
from tests.web.made import MadeLibrary, dispute, header
from web.games.folder_library import FolderLibrary


def title(client: FlaskClient, address: str) -> str:
    text = client.get(address).get_data(as_text=True)
    return text.partition("<title>")[2].partition("</title>")[0]


def test_an_event_is_named_by_its_number_in_the_log(client: FlaskClient) -> None:
    assert title(client, "/games/dispute?seq=2") == title(client, "/games/dispute?step=3")
    assert title(client, "/games/dispute?seq=2&step=6") == title(client, "/games/dispute?step=3")


def test_an_event_is_named_by_its_id() -> None:
    steps = dispute()
    steps[3] = {**steps[3], "event": {**steps[3]["event"], "id": "table-12/7"}}  # type: ignore[dict-item]
    client = viewer_over(MadeLibrary({"dispute": (header(), steps)})).test_client()
    assert title(client, "/games/dispute?event=table-12/7") == title(client, "/games/dispute?step=3")


@pytest.mark.parametrize("asked", ["seq=99", "seq=x", "event=nobody", "seq=9999999999999999"])
def test_an_event_that_is_not_there_leads_to_the_start_and_says_so(client: FlaskClient, asked: str) -> None:
    text = client.get(f"/games/dispute?{asked}").get_data(as_text=True)
    assert "There is no event" in text
    assert "· 0 – audit" in text


def test_the_table_is_turned_by_the_address_and_stays_turned_in_its_links(client: FlaskClient) -> None:
    usual, turned = (
        client.get(f"/games/dispute?step=3{more}").get_data(as_text=True) for more in ("", "&bottom=B")
    )  # fmt: skip
    assert usual.index(">Death<") < usual.index(">Fire<")
    assert turned.index(">Fire<") < turned.index(">Death<")
    assert "bottom=B&amp;step=4" in turned or "step=4&amp;bottom=B" in turned
    assert 'rel="next" href="/games/dispute?step=4">' in client.get("/games/dispute?step=3&bottom=x").get_data(
        as_text=True
    )


def test_the_list_of_games_has_an_address_of_its_own(client: FlaskClient) -> None:
    answer = client.get("/games?player=ada", follow_redirects=True)
    assert answer.status_code == 200
    assert "r3-t12" in answer.get_data(as_text=True)


@pytest.mark.parametrize("address", ["/games/dispute?step=3", "/games/dispute/steps/0", "/games/dispute.json", "/"])
def test_pages_come_compressed_to_who_takes_them_so(client: FlaskClient, address: str) -> None:
    plain = client.get(address)
    packed = client.get(address, headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert "Accept-Encoding" in plain.headers["Vary"]
    assert "Accept-Language" in plain.headers["Vary"]
    assert gzip.decompress(packed.data) == plain.data
    had = {"Accept-Encoding": "gzip", "If-None-Match": packed.headers["ETag"]}
    assert client.get(address, headers=had).status_code == 304


def test_scripts_and_styles_come_compressed(client: FlaskClient) -> None:
    version = client.application.config["AUDIT_VERSION"]
    answer = client.get(f"/static/{version}/viewer.css", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Encoding"] == "gzip"
    assert b".viewer" in gzip.decompress(answer.data)
    joined = client.get(f"/static/{version}/joined/viewer.css").text
    assert ".viewer" in joined
    assert not re.search(r"/\*|\n|  ", joined)


def test_a_log_written_again_with_the_same_bytes_is_the_same_page(tmp_path: Path, root: Path) -> None:
    log = tmp_path / "game.jsonl"
    shutil.copy(root / "replays" / "samples" / "lotr-crows.jsonl", log)
    os.utime(log, (1, 1))
    client = viewer_over(FolderLibrary(tmp_path)).test_client()
    tag = client.get("/games/game").headers["ETag"]
    os.utime(log, (2, 2))
    assert client.get("/games/game").headers["ETag"] == tag
    lines = log.read_text().splitlines()
    head = json.loads(lines[0])
    log.write_text("\n".join([json.dumps({**head, "game": "another"}), *lines[1:]]) + "\n")
    assert client.get("/games/game").headers["ETag"] != tag
