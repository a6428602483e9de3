"""Two games that differ in nothing but hidden cards look the same to whoever may not know them: at every address.

Every route of the application is asked, in every format and language, by every reader; the bytes of all answers, of
streams and of errors have to be equal. A route that is added later is asked as well, or the test says so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from replays.store.store import Store
from web import create_app
from web.games.store_library import StoreLibrary
from web.site.tokens import make_token

SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"
FAR = "203.0.113.9"
LIVE = {"AUDIT_LIVE_EVERY": 0.01, "AUDIT_LIVE_SECONDS": 0.02, "AUDIT_API_BURST": 10_000, "AUDIT_PAGE_BURST": 10_000,
        "AUDIT_COSTLY_BURST": 10_000}  # fmt: skip
STEPS = 60


def lines_of(name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (SAMPLES / name).read_bytes().splitlines()[: STEPS + 1]]


def hidden_cards(records: list[dict[str, object]]) -> list[tuple[str, list[str]]]:
    """Of each player's deck the cards that no event of the log names."""
    told = json.dumps(records[1:])
    setup = records[0]["setup"]
    assert isinstance(setup, dict)
    decks = setup["decks"]
    return [(seat, [card for card in deck if f'"{card}"' not in told]) for seat, deck in decks.items()]


def written(records: list[dict[str, object]]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def twins() -> tuple[bytes, bytes]:
    """A log, and the same with two cards of each deck changed for each other that nobody ever saw."""
    records = lines_of("clean.jsonl")
    one, text = written(records), json.dumps(records[0])
    for _, cards in hidden_cards(records):
        assert len(cards) >= 2, "the log names every card"
        first, last = cards[0], cards[-1]
        text = text.replace(f'"{first}"', '"#"').replace(f'"{last}"', f'"{first}"').replace('"#"', f'"{last}"')
    return one, text.encode() + b"\n" + one.split(b"\n", 1)[1]


@pytest.fixture(scope="module")
def apps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[list[Flask], str, str]]:
    """The application over each of the two, the id of the game, and a token that may read but see nothing hidden."""
    monkeypatch = pytest.MonkeyPatch()
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path_factory.mktemp("data")))
    found, stores, ids = [], [], set()
    for log in twins():
        folder = tmp_path_factory.mktemp("twin")
        (folder / "game.jsonl").write_bytes(log)
        stores.append(Store(folder / "games.db"))
        ids.add(stores[-1].import_log(folder / "game.jsonl").game)
        found.append(create_app(StoreLibrary(stores[-1]), config=LIVE))
    (id,) = ids
    yield found, id, make_token("reader", "viewer")
    for store in stores:
        store.close()
    monkeypatch.undo()


def readers(app: Flask, token: str) -> dict[str, FlaskClient]:
    """Somebody from elsewhere, somebody with a token, and somebody at this machine who asks for less than they may."""
    far, known = app.test_client(), app.test_client()
    far.environ_base["REMOTE_ADDR"] = known.environ_base["REMOTE_ADDR"] = FAR
    known.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {token}"
    return {"far": far, "known": known, "here": app.test_client()}


VALUES = {"id": "{game}", "number": "0", "rule_id": "play.place", "name": "compile", "form": "json",
          "document": "compile",
          "card": "fire-1", "filename": "base.css"}  # fmt: skip
QUERIES = ("", "?step=40", "?as=judge", "?as=A", "?as=nobody", "?lang=pl", "?step=x&reading=none", "?reading=fr")
SKIPPED = {"static"}


def addresses(app: Flask, game: str) -> list[str]:
    """Every address that can be read, with values for its parts."""
    found = []
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.endpoint in SKIPPED:
            continue
        assert set(rule.arguments) <= set(VALUES), f"{rule.rule}: say in this test what stands for its parts"
        path = re.sub(r"<(?:\w+:)?(\w+)>", lambda part: VALUES[part[1]].replace("{game}", game), rule.rule)
        found += [path + query for query in (QUERIES if game in path else ("", "?lang=fr"))]
    return found


def answer(client: FlaskClient, address: str) -> tuple[int, list[tuple[str, str]], bytes]:
    got = client.get(address)
    headers = [(name, value) for name, value in got.headers if name not in ("Date",)]
    return got.status_code, sorted(headers), got.get_data()


def test_the_two_games_differ_for_a_judge(apps: tuple[list[Flask], str, str]) -> None:
    (one, other), game, _ = apps
    texts = [app.test_client().get(f"/games/{game}.jsonl?as=judge").get_data() for app in (one, other)]
    assert texts[0] != texts[1]


def test_every_address_answers_both_games_with_the_same_bytes(apps: tuple[list[Flask], str, str]) -> None:
    (one, other), game, token = apps
    asked = 0
    for who in ("far", "known"):
        first, second = readers(one, token)[who], readers(other, token)[who]
        for address in addresses(one, game):
            if who == "known" and not address.startswith("/api/"):
                continue
            assert answer(first, address) == answer(second, address), (who, address)
            asked += 1
    assert asked > 150


def test_views_of_the_public_and_the_seats_are_equal_also_at_this_machine(apps: tuple[list[Flask], str, str]) -> None:
    (one, other), game, _ = apps
    for viewer in ("public", "A", "B"):
        for end in ("", ".json", ".jsonl", ".svg", ".html", "/steps/0", "/live", "/compare", "/options/3"):
            for query in (f"?as={viewer}&step=30", f"?as={viewer}&lang=it&after=5")[: 1 if end == ".html" else 2]:
                address = f"/games/{game}{end}{query}"
                assert answer(one.test_client(), address) == answer(other.test_client(), address), address


def test_searches_and_filters_answer_both_alike(apps: tuple[list[Flask], str, str]) -> None:
    (one, other), _, token = apps
    cards = [card for _, hidden in hidden_cards(lines_of("clean.jsonl")) for card in hidden]
    for card in cards:
        for address in (f"/?q={card}", f"/?player={card}", f"/?rule={card}"):
            found = [answer(readers(app, token)["far"], address) for app in (one, other)]
            assert found[0] == found[1], address
            assert b'class="game' not in found[0][2] or card.encode() not in found[0][2]
