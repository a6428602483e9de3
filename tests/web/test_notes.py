"""Notes in the viewer: written by a judge, read by whom they are for."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from replays.store.store import Store
from tests.web.lending import viewer_over
from web.games.folder_library import FolderLibrary
from web.games.store_library import StoreLibrary
from web.site.tokens import make_token

DISPUTE = Path("replays/samples/dispute.jsonl")
HERE = {"Sec-Fetch-Site": "same-origin"}
FAR = {"REMOTE_ADDR": "203.0.113.9"}


@pytest.fixture(params=["folder", "store"])
def app(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    shutil.copy(DISPUTE, tmp_path / "game.jsonl")
    if request.param == "folder":
        yield viewer_over(FolderLibrary(tmp_path))
        return
    with Store(tmp_path / "games.db") as store:
        store.import_log(DISPUTE)
        yield viewer_over(StoreLibrary(store))


@pytest.fixture
def address(app: Flask) -> str:
    return "/games/" + next(iter(app.extensions["audit.library"].games("", _all(), 1).games)).id


def _all() -> object:
    from web.games.library import Filters

    return Filters()


def write(client: FlaskClient, address: str, **more: str) -> int:
    data = {"step": "25", "text": "Why <b>here</b>?", "author": "Ada", "kind": "?", **more}
    return client.post(f"{address}/notes", data=data, headers=HERE).status_code


def test_a_note_is_shown_at_its_step_and_only_judges_read_what_is_theirs(app: Flask, address: str) -> None:
    here = app.test_client()
    before = here.get(f"{address}?step=25")
    assert write(here, address) == 303
    assert write(here, address, text="For all", public="1") == 303
    page = here.get(f"{address}?step=25", headers={"If-None-Match": before.headers["ETag"]})
    assert page.status_code == 200
    assert "Why &lt;b&gt;here&lt;/b&gt;?" in page.text
    public = app.test_client().get(f"{address}?step=25&as=public").text
    assert "For all" in public
    assert "Why" not in public
    embedded = app.test_client().get(f"{address.replace('/games/', '/embed/')}?step=25").text
    assert "For all" in embedded
    assert "write-note" not in embedded


def test_a_note_on_several_steps_is_shown_at_each_of_them(app: Flask, address: str) -> None:
    assert write(app.test_client(), address, step="10", last="14", text="All of this") == 303
    for step, is_shown in ((9, False), (10, True), (12, True), (14, True), (15, False)):
        page = app.test_client().get(f"{address}?step={step}").text
        [item] = re.findall(r'<li data-note="10" data-last="14"[^>]*>', page)
        assert ("hidden" not in item) is is_shown
    [note] = app.test_client().get(f"/api/v1{address}/notes").json["notes"]
    assert note["to"] > note["seq"]


def test_a_stranger_writes_nothing_and_a_judge_writes_under_the_name_of_the_token(app: Flask, address: str) -> None:
    far = app.test_client()
    assert far.post(f"{address}/notes", data={"text": "x"}, headers=HERE, environ_base=FAR).status_code == 403
    for role, status in (("viewer", 403), ("scorekeeper", 403), ("judge", 303), ("head-judge", 303)):
        signed = {"Authorization": f"Bearer {make_token(role, role)}", **HERE}
        data = {"step": "25", "text": f"by {role}", "author": "Somebody else"}
        assert far.post(f"{address}/notes", data=data, headers=signed, environ_base=FAR).status_code == status
    page = app.test_client().get(f"{address}?step=25").text
    assert "by head-judge" in page
    assert "Somebody else" not in page


def test_a_form_of_another_site_is_refused(app: Flask, address: str) -> None:
    elsewhere = {"Sec-Fetch-Site": "cross-site"}
    assert app.test_client().post(f"{address}/notes", data={"text": "x"}, headers=elsewhere).status_code == 403


def test_a_note_that_cannot_be_is_refused(app: Flask, address: str) -> None:
    for wrong in ({"text": ""}, {"kind": "!!!"}, {"author": ""}, {"text": "x" * 10_001}, {"layer": "x" * 65}):
        assert write(app.test_client(), address, **wrong) == 400, wrong


def test_a_note_on_an_event_that_has_become_another_is_shown_to_judges_alone(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    shutil.copy(DISPUTE, log)
    client = viewer_over(FolderLibrary(tmp_path)).test_client()
    assert write(client, "/games/game", text="For all", public="1") == 303
    assert "For all" in client.get("/games/game?step=25&as=public").text
    log.write_bytes(log.read_bytes().replace(b'"plague-5", "line": 2', b'"plague-5", "line": 3'))
    shown = {viewer: client.get(f"/games/game?step=25&as={viewer}").text for viewer in ("judge", "public", "B")}
    assert {viewer: "For all" in page for viewer, page in shown.items()} == {"judge": True, "public": False, "B": False}


def test_notes_go_out_for_judges_alone(app: Flask, address: str) -> None:
    write(app.test_client(), address, public="1")
    assert b'"author":"Ada"' in app.test_client().get(f"{address}/notes.jsonl").data
    assert b"> Why" in app.test_client().get(f"{address}/notes.md").data
    assert app.test_client().get(f"{address}/notes.md", environ_base=FAR).status_code == 403
    assert app.test_client().get(f"{address}/notes.pdf").status_code == 404


def test_files_of_notes_are_no_games(app: Flask, address: str) -> None:
    write(app.test_client(), address)
    assert len(app.extensions["audit.library"].games("", _all(), 1).games) == 1
    assert app.test_client().get("/games/game.notes").status_code == 404
    assert app.test_client().get(f"/games/notes:{address.rpartition('/')[2]}").status_code == 404
