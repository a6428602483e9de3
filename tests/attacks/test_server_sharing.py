"""Public, unlisted and private games, notes and words about a game: nothing reaches whom it is not shared with."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from replays.log.writer import line_of
from replays.store.store import Store
from replays.table.backing_up import branch
from tests.short_games import first_events
from web import create_app
from web.games.store_library import StoreLibrary
from web.publishing.bundle import unpacked
from web.site.tokens import make_token, revoke

SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"
FAR = "203.0.113.9"
LIVE = {"AUDIT_LIVE_EVERY": 0.01, "AUDIT_LIVE_SECONDS": 30}


@pytest.fixture(autouse=True)
def _data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))


on_sqlite = pytest.mark.parametrize("url", ["sqlite"], indirect=True)


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with Store(url) as store:
        store.import_log(io.BytesIO(first_events("dispute", 40)))
        store.import_log(io.BytesIO(first_events("kept-by-hand", 30)))
        yield store


@pytest.fixture
def game(store: Store) -> str:
    return store.find("r3-t12")


@pytest.fixture
def app(store: Store) -> Flask:
    return create_app(StoreLibrary(store), config=LIVE)


def far(app: Flask, token: str = "") -> FlaskClient:
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = FAR
    if token:
        client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {token}"
    return client


def ways(game: str) -> list[str]:
    """Every address at which a game may be asked for."""
    ends = ("", ".json", ".jsonl", ".svg", ".html", "/steps/0", "/live", "/compare", "?as=judge", "?step=3")
    return [*(f"/games/{game}{end}" for end in ends), f"/embed/{game}"]


def is_listed(client: FlaskClient, game: str, rule: str = "play.face-up-needs-protocol") -> list[bool]:
    """Whether lists, a search, the uses of a rule and the comparison of all games name it."""
    pages = (
        "/",
        "/?q=r3-t12",
        f"/?rule={rule}",
        f"/rules/compile/{rule}",
        "/compare/compile",
        "/compare/compile/again",
    )
    return [game in client.get(page).get_data(as_text=True) for page in pages]


@on_sqlite
def test_a_private_game_is_not_there_for_the_public(store: Store, app: Flask, game: str) -> None:
    public = far(app)
    assert any(is_listed(public, game))
    tags = {way: public.get(way).headers.get("ETag", "") for way in ways(game)[:5]}
    store.share(game, "private")
    for way in ways(game):
        assert public.get(way).status_code == 404, way
    for way, tag in tags.items():
        for _ in range(2):
            assert public.get(way, headers={"If-None-Match": tag}).status_code == 404, way
    assert not any(is_listed(public, game))
    viewer = far(app, make_token("reader", "viewer"))
    for end in ("", "/steps", "/findings", "/live"):
        assert viewer.get(f"/api/v1/games/{game}{end}").status_code == 404
    assert game not in viewer.get("/api/v1/games").get_data(as_text=True)
    unknown = public.get("/games/nothing-of-the-kind").get_data(as_text=True)
    assert public.get(f"/games/{game}").get_data(as_text=True) == unknown.replace("nothing-of-the-kind", game)


@on_sqlite
def test_a_private_game_is_there_for_judges_and_for_tokens_that_name_it(store: Store, app: Flask, game: str) -> None:
    store.share(game, "private")
    for token in (make_token("j", "judge"), make_token("r", "viewer", game=game)):
        assert far(app, token).get(f"/games/{game}").status_code == 200
    assert far(app, make_token("other", "viewer", game="another")).get(f"/games/{game}").status_code == 404
    assert app.test_client().get(f"/games/{game}").status_code == 200
    assert any(is_listed(far(app, make_token("j2", "judge")), game))


@on_sqlite
def test_an_unlisted_game_is_found_by_its_address_alone(store: Store, app: Flask, game: str) -> None:
    store.share(game, "unlisted")
    public = far(app)
    assert public.get(f"/games/{game}").status_code == 200
    assert not any(is_listed(public, game))


@on_sqlite
def test_unsharing_and_revoking_end_an_open_stream_at_once(store: Store, app: Flask, game: str) -> None:
    def follow(token: str = "") -> Iterator[bytes]:
        stream = iter(far(app, token).get(f"/games/{game}/live?after=0", buffered=False).response)
        assert next(stream) == b"retry: 2000\n\n"
        assert next(stream).startswith(b"id: ")
        return stream

    public = follow()
    store.share(game, "private")
    assert list(public) == []
    judge = follow(make_token("judge", "judge"))
    revoke("judge")
    assert list(judge) == []


@on_sqlite
def test_what_was_never_shared_is_as_the_setting_says(store: Store, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    monkeypatch.setenv("AUDIT_SHARING", "private")
    public = far(create_app(StoreLibrary(store)))
    assert public.get(f"/games/{game}").status_code == 404
    store.share(game, "public")
    assert public.get(f"/games/{game}").status_code == 200


def branch_of(store: Store, origin: str, into: Store | None = None) -> str:
    """A branch of a stored game, stored; of a game without a name it is one of the game with that id."""
    header, events = branch(store.header(origin), list(store.events(origin)), 25, origin)
    lines = "".join(f"{line_of(each)}\n" for each in (header, *events))
    return (into or store).import_log(io.BytesIO(lines.encode())).game


@pytest.mark.sampled(2)
def test_a_branch_is_seen_by_no_more_people_than_the_game_that_it_left(store: Store, app: Flask, game: str) -> None:
    public = far(app)
    nameless = store.import_log(io.BytesIO(first_events("dispute", 30).replace(b'"r3-t12"', b'""'))).game
    for origin in (game, nameless):
        first = branch_of(store, origin)
        branches = (first, branch_of(store, first))
        store.follow()
        counted = len(list(store.shown.facts(audience="public")))
        for level, status in (("private", 404), ("unlisted", 200), ("public", 200)):
            store.share(origin, level)
            store.share(first, "public")
            for id in branches:
                assert store.sharing(id) == level
                for way in (f"/games/{id}", f"/games/{id}.jsonl", f"/games/{id}/live?after=0", f"/api/v1/games/{id}"):
                    assert public.get(way, buffered=False).status_code == status
                for way in ("/", "/api/v1/games", "/rules/compile/play.face-up-needs-protocol"):
                    assert (id in public.get(way).get_data(as_text=True)) == (level == "public")
            fewer = counted - len(list(store.shown.facts(audience="public")))
            assert fewer == (0 if level == "public" else 3)
        store.share(branches[1], "private")
        assert store.sharing(branches[0]) == "public"
    with Store(":memory:") as elsewhere:
        alone = branch_of(store, game, elsewhere)
        elsewhere.follow()
        assert elsewhere.sharing(alone) == "public"
        assert elsewhere.shown.games(audience="public").total == 1


NOTES = (
    ("for all", "public", {"judge", "A", "B", "public"}),
    ("for ada", "A", {"judge", "A"}),
    ("for judges", "judge", {"judge"}),
    ("for the table", None, {"judge", "A", "B"}),
)


def noted() -> bytes:
    """A log with a note for each kind of reader, and words about the game that are nobody's business."""
    lines = (SAMPLES / "dispute.jsonl").read_bytes().splitlines()[:11]
    header = json.loads(lines[0])
    header["meta"] = {
        "event": "Spring Cup",
        "table": 4,
        "judge_phone": "555-0199",
        "stream": "yes",
        "public": ["stream"],
    }
    events = [json.loads(line) for line in lines[1:]]
    for event, (words, whose, _) in zip(events, NOTES, strict=False):
        event.update({"note": words, **({"note_for": whose} if whose else {})})
    return b"".join(json.dumps(each).encode() + b"\n" for each in (header, *events))


def test_notes_and_words_about_a_game_reach_those_they_are_for(tmp_path: Path) -> None:
    with Store(tmp_path / "notes.db") as store:
        game = store.import_log(io.BytesIO(noted())).game
        client = create_app(StoreLibrary(store), config={**LIVE, "AUDIT_LIVE_SECONDS": 0.02}).test_client()
        public = far(client.application)
        for seat in ("judge", "A", "B", "public"):
            for end in ("", ".json", ".jsonl", ".html", "/live?after=0"):
                mark = "&" if "?" in end else "?"
                text = unpacked(client.get(f"/games/{game}{end}{mark}as={seat}").data).decode()
                for words, _, whose in NOTES:
                    assert (words in text) == (seat in whose), (words, seat, end)
                assert ("555-0199" in text) == (seat == "judge" and end in (".jsonl", ".html")), (seat, end)
        for word, is_found in (("spring", True), ("555-0199", False), ("0199", False), ("yes", True)):
            assert (game in public.get(f"/?q={word}").get_data(as_text=True)) == is_found
            assert game in client.get(f"/?q={word}").get_data(as_text=True)


def test_a_search_tells_nothing_of_hidden_cards(tmp_path: Path) -> None:
    """Somebody asks for every card until the game is found by one that lies face down."""
    with Store(tmp_path / "search.db") as store:
        game = store.import_log(io.BytesIO(first_events("dispute", 40))).game
        client = create_app(StoreLibrary(store)).test_client()
        setup = store.header(game).setup
        seen = json.dumps(client.get(f"/games/{game}.json?as=public").get_json())
        cards = {word for word in json.dumps(setup).replace('"', " ").replace(",", " ").split() if "-" in word}
        hidden = [card for card in cards if card not in seen]
        assert hidden
        for card in hidden:
            assert game in client.get(f"/?q={card}").get_data(as_text=True)
            assert game not in far(client.application).get(f"/?q={card}").get_data(as_text=True)
