"""The page on which an editor mends how a rulebook is cut."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from replays.rulebooks.loading import Loading
from replays.rulebooks.store import RulebookStore
from tests.web.books_made import FRENCH, VIEWER_ORIGIN, load_own, viewer

START, END = "bateaux-fr/la-partie-de-petits-bateaux/le-debut/1", "bateaux-fr/la-partie-de-petits-bateaux/la-fin/1"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    made = viewer(tmp_path, monkeypatch)
    load_own()
    return made


def cut(client: FlaskClient, act: str, passage: str = START, **more: str) -> tuple[int, str]:
    sent = {"act": act, "passage": passage, "by": "Zofia", **more}
    answer = client.post("/rulebooks/bateaux-fr/cut", data=sent, headers=VIEWER_ORIGIN, follow_redirects=True)
    return answer.status_code, answer.get_data(as_text=True)


def texts() -> list[str]:
    return [passage.text for passage in RulebookStore().show("bateaux-fr").rulebook.passages]


def test_a_passage_is_joined_split_again_and_both_taken_back(here: FlaskClient) -> None:
    before = texts()
    status, text = cut(here, "join")
    assert status == 200
    assert "1 cut made by hand" in text
    assert len(texts()) == 1
    cut(here, "split", words="La partie s'arrête")
    assert texts() == before
    assert "Take back the last cut" in cut(here, "undo")[1] or len(texts()) == 1
    cut(here, "undo", number="1")
    assert texts() == before
    assert RulebookStore().show("bateaux-fr").cuts == ()


def test_a_title_is_changed_and_a_passage_left_out(here: FlaskClient) -> None:
    cut(here, "retitle", words="Au départ")
    assert "Au départ" in here.get("/rulebooks/bateaux-fr").get_data(as_text=True)
    cut(here, "drop", END)
    assert len(texts()) == 1
    assert "left out" in here.get("/rulebooks/bateaux-fr/cut").get_data(as_text=True)


def test_after_a_cut_the_keys_go_on_where_they_were(here: FlaskClient) -> None:
    text = FRENCH + "\nOn range les bateaux dans la boîte, puis on compte.\n"
    RulebookStore().add_bytes(text.encode(), "b.md", Loading("bateaux-fr", "fr", game="compile"))
    page = cut(here, "drop", START)[1]
    assert len(re.findall(r"autofocus", page)) == 1
    assert "Take back the last cut" in page


@pytest.mark.parametrize(
    ("act", "more", "said"),
    [
        ("split", {"words": "nowhere"}, "are not there"),
        ("retitle", {"words": " "}, "A title has words"),
        ("undo", {}, "no such cut"),
        ("title", {}, "Nothing follows"),
    ],
)
def test_what_cannot_be_cut_is_told_and_nothing_changes(
    here: FlaskClient, act: str, more: dict[str, str], said: str
) -> None:
    before = RulebookStore().show("bateaux-fr")
    status, text = cut(here, act, **more)
    assert status == 400
    alert = re.search(r'role="alert">([^<]+)', text)
    assert alert
    assert said in alert[1]
    assert RulebookStore().show("bateaux-fr") == before


def test_a_linked_passage_is_not_left_out(here: FlaskClient) -> None:
    RulebookStore().link("bateaux-fr", "victory.three-compiled", [START])
    assert "take the link away first" in cut(here, "drop")[1]


@pytest.mark.parametrize(("act", "passage"), [("burn", START), ("join", "no/such")])
def test_what_is_no_cut_is_refused(here: FlaskClient, act: str, passage: str) -> None:
    assert cut(here, act, passage)[0] == 400


def test_who_may_cut(here: FlaskClient) -> None:
    sent = {"act": "join", "passage": START}
    assert here.post("/rulebooks/bateaux-fr/cut", data=sent).status_code == 403
    here.environ_base["REMOTE_ADDR"] = "203.0.113.9"
    assert cut(here, "join")[0] == 403
    assert "trois bateaux" not in here.get("/rulebooks/bateaux-fr/cut").get_data(as_text=True)


def test_a_cut_that_no_longer_fits_is_told(here: FlaskClient) -> None:
    cut(here, "join")
    changed = FRENCH.replace(
        "La partie s'arrête quand un joueur n'a plus de bateau, et il a perdu.", "Au revoir à tous !"
    )
    RulebookStore().add_bytes(changed.encode(), "b.md", Loading("bateaux-fr", "fr", game="compile"))
    text = here.get("/rulebooks/bateaux-fr/cut").get_data(as_text=True)
    assert "1 does not fit this edition" in text
    assert "Another passage follows it now." in text


def test_a_long_book_is_shown_in_parts(here: FlaskClient) -> None:
    text = "# Port\n\n" + "\n\n".join(f"Le bateau numéro {n} entre au port, et il y reste." for n in range(100))
    RulebookStore().add_bytes(text.encode(), "p.md", Loading("port-fr", "fr", game="compile"))
    assert "page 1 of 3" in here.get("/rulebooks/port-fr/cut").get_data(as_text=True)
    assert "numéro 99" in here.get("/rulebooks/port-fr/cut?page=9").get_data(as_text=True)
    assert "numéro 55" in here.get("/rulebooks/port-fr/cut?at=port-fr/port/56").get_data(as_text=True)
