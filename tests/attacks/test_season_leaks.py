"""Games with mistakes that differ in nothing but hidden cards: statistics, exports and news of both are the same."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.request import Request

import pytest
from flask import Flask

from replays.season.judging import Asked
from replays.season.sources import stored
from replays.season.watching import News, Watch, Webhook
from replays.store.store import Store
from tests.attacks.test_server_leaks import LIVE, Log, altered_twins, read, readers, reveal_twins, written
from web import create_app
from web.games.store_library import StoreLibrary
from web.site.tokens import make_token

Pair = tuple[bytes, bytes]
HEADINGS = ("event", "round", "player", "brought", "language", "edition", "ruleset")
NEVER_SEEN = {"water-0": "water-1", "hate-1": "hate-3", "fire-5": "plague-0"}
"""Cards that nobody but their player saw, some of them named by the findings, and others for which they are changed."""


def disputed() -> Pair:
    """A game with five mistakes."""
    one = written(read("dispute.jsonl", 130))
    other = {**NEVER_SEEN, **{new: old for old, new in NEVER_SEEN.items()}}
    parts = one.decode().split('"')
    return one, '"'.join(other.get(part, part) for part in parts).encode()


def twice(log: bytes, at: int) -> bytes:
    """The log with one of its events written down twice."""
    records: Log = [json.loads(line) for line in log.splitlines()]
    records.insert(at, dict(records[at]))
    return written([*records[:1], *({**record, "seq": seq} for seq, record in enumerate(records[1:], 1))])


def altered() -> Pair:
    """The card that is put face down into the mana is written down twice."""
    twins = altered_twins()
    return twice(twins.one, 13), twice(twins.other, 13)


def reveal() -> Pair:
    """A card is revealed that did not lie on top of the deck. Which one did is not known."""
    twins = reveal_twins()
    return off_the_deck(twins.one, twins.cards[1]), off_the_deck(twins.other, twins.cards[1])


def off_the_deck(log: bytes, card: str) -> bytes:
    seq = len(log.splitlines())
    revealed = {"seq": seq, "type": "reveal_started", "frame": "f9", "step": "1", "card": card, "cause": "staging"}
    return log + json.dumps({**revealed, "parent": None, "player": "p2"}).encode() + b"\n"


@pytest.fixture(scope="module", params=[disputed, altered, reveal])
def stores(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Store]]:
    twins: Callable[[], Pair] = request.param
    found = []
    for log in twins():
        found.append(Store(tmp_path_factory.mktemp("twin") / "games.db"))
        found[-1].import_log(io.BytesIO(log))
        found[-1].follow()
    yield found
    for store in found:
        store.close()


def news(store: Store) -> list[News]:
    return [one for one in Watch(Asked()).look(stored(store)) if isinstance(one, News)]


def test_a_webhook_is_sent_the_same_bytes(stores: list[Store], monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = map(news, stores)
    assert one
    sent: list[bytes] = []

    class Opener:
        def open(self, request: Request, timeout: float) -> io.BytesIO:
            assert isinstance(request.data, bytes)
            sent.append(request.data)
            return io.BytesIO()

    monkeypatch.setattr("replays.season.watching.build_opener", lambda *_: Opener())
    hook = Webhook("https://example.org/news", "secret")
    for each in (*one, *other):
        hook.send(each.told)
    assert sent[: len(one)] == sent[len(one) :]


def test_the_games_differ_for_a_judge(stores: list[Store]) -> None:
    (one,), (other,) = ([game.id for game in store.shown.every_game()] for store in stores)
    assert one == other
    judges = [create_app(StoreLibrary(store)).test_client() for store in stores]
    texts = [judge.get(f"/games/{one}.json?as=judge").data for judge in judges]
    assert texts[0] != texts[1]


def addresses(apps: list[Flask]) -> list[str]:
    """Every address of the statistics, with every heading."""
    rules = {str(rule) for rule in apps[0].url_map.iter_rules() if "/stats" in str(rule)}
    plots = "/stats/<any(lengths, broken, groups):name>.svg"
    assert plots in rules
    paths = [*(rules - {plots}), *(f"/stats/{name}.svg" for name in ("lengths", "broken", "groups"))]
    by = [f"{path}?by={name}&lang=pl" for path in paths if "/api/" not in path for name in HEADINGS]
    return [*paths, *by]


def test_every_address_of_the_statistics_answers_with_the_same_bytes(
    stores: list[Store], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("polars")
    pytest.importorskip("pygal")
    apps = [create_app(StoreLibrary(store), config=LIVE) for store in stores]
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path))
    token = make_token("reader", "viewer")
    for who in ("far", "known"):
        one, other = (readers(app, token)[who] for app in apps)
        for address in addresses(apps):
            if (who == "far" and address.startswith("/api/")) or (who == "known" and "?by=" in address):
                continue
            first, second = one.get(address), other.get(address)
            assert (first.status_code, first.data) == (200, second.data), (who, address)


def test_numbers_are_told(stores: list[Store]) -> None:
    """The public is told that there was a finding, and in which game."""
    far = readers(create_app(StoreLibrary(stores[0]), config=LIVE), "")["far"]
    assert "<dt>Findings</dt><dd>0</dd>" not in far.get("/stats").text
