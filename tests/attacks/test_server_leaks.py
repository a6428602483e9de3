"""Two games that differ in nothing but hidden cards look the same to whoever may not know them: at every address.

Every route of the application is asked, in every format and language, by every reader; the bytes of all answers, of
streams and of errors have to be equal. A route that is added later is asked as well, or the test says so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any, cast

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec import Struct

from audit.core.errors import UnknownViewerError
from audit.core.ruleset import ruleset
from replays.cases.book import CaseBook, StoreShelf
from replays.cases.note import NotesHeader, add, short_hash
from replays.cases.note import made as note
from replays.cases.writing import made, opened, opinion_on, place_of_log, ruled
from replays.store.ledgers import StoredLedger
from replays.store.store import Store
from web import create_app
from web.games.store_library import StoreLibrary
from web.publishing.files import FORMS, MOVING, PublishError, publish
from web.publishing.sources import source_from
from web.site.tokens import make_token

SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"
FAR = "203.0.113.9"
LIVE = {"AUDIT_LIVE_EVERY": 0.01, "AUDIT_LIVE_SECONDS": 0.02, "AUDIT_API_BURST": 10_000, "AUDIT_PAGE_BURST": 10_000,
        "AUDIT_COSTLY_BURST": 10_000}  # fmt: skip
Log = list[dict[str, object]]


class Twins(Struct, frozen=True):
    """Two logs that differ in hidden cards alone, and who may not know these cards."""

    name: str
    one: bytes
    other: bytes
    cards: tuple[str, ...]
    seats: tuple[str, ...]


def read(name: str, steps: int) -> Log:
    return [json.loads(line) for line in (SAMPLES / name).read_bytes().splitlines()[: steps + 1]]


def written(records: Log) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def setup(records: Log) -> dict[str, Any]:
    return cast("dict[str, Any]", records[0]["setup"])


def compile_twins() -> Twins:
    """Two cards of each deck are changed for each other that no event names."""
    records = read("clean.jsonl", 30)
    one, told = written(records), json.dumps(records[1:])
    hidden = [[card for card in deck if f'"{card}"' not in told] for deck in setup(records)["decks"].values()]
    for (first, *_, last), deck in zip(hidden, setup(records)["decks"].values(), strict=True):
        at, to = deck.index(first), deck.index(last)
        deck[at], deck[to] = last, first
    cards = tuple(card for deck in hidden for card in deck)
    return Twins("compile", one, written(records), cards, ("A", "B"))


def altered_twins() -> Twins:
    """Ben puts another card face down into his mana. It is never turned.

    What the setup says of cards in his hand, of another name for one and of spaces far away is other as well.
    """
    records = read("altered-duel.jsonl", 26)
    one = written(records)
    assert records[13]["card"] == "otter"
    records[13]["card"] = "toad"
    told = setup(records)
    told["costs"]["toad"] = {"hand": 7, "reserve": 7}
    told["costs"]["yak"], told["stats"]["yak"] = {"hand": 4, "reserve": 4}, {"forest": 5}
    told["reactions"]["toad:croak"] = {"controller": "ben", "trigger": "x", "effect": "y"}
    told["paths"]["ann"]["companion"][-1] = ["forest", "mountain"]
    told["x-draft"] = ["otter"]
    return Twins("altered", one, written(records), ("otter", "toad", "yak"), ("ann",))


def reveal_twins() -> Twins:
    """The cards that are left in the encounter deck lie in another order."""
    records = read("lotr-journey.jsonl", 12)
    one = written(records)
    deck = setup(records)["encounter_deck"]
    deck[-3:] = reversed(deck[-3:])
    for card in deck[-3:]:
        setup(records)["cards"][card]["hit_points"] = 9
    return Twins("lotr-reveal", one, written(records), tuple(deck[-3:]), ("p1", "p2"))


class Table(Struct, frozen=True):
    """The application over each of the twins, the id of the game, and a token that may see nothing hidden."""

    twins: Twins
    apps: list[Flask]
    game: str
    token: str


@pytest.fixture(
    scope="module", params=[compile_twins, altered_twins, reveal_twins], ids=["compile", "altered", "reveal"]
)
def table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    monkeypatch = pytest.MonkeyPatch()
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path_factory.mktemp("data")))
    monkeypatch.setattr("web.games.downloads.png", str.encode)  # what is drawn is compared, not its pixels
    monkeypatch.setattr("web.games.downloads.moving", lambda frames, form: f"{form} {frames}".encode())
    twins: Twins = request.param()
    found, stores, ids = [], [], set()
    for log in (twins.one, twins.other):
        folder = tmp_path_factory.mktemp("twin")
        (folder / "game.jsonl").write_bytes(log)
        stores.append(Store(folder / "games.db"))
        ids.add(stores[-1].import_log(folder / "game.jsonl").game)
        write_cases(stores[-1], log, min(ids))
        found.append(create_app(StoreLibrary(stores[-1]), config=LIVE))
    (id,) = ids
    yield Table(twins, found, id, make_token("reader", "viewer"))
    for store in stores:
        store.close()
    monkeypatch.undo()


def write_cases(store: Store, log: bytes, game: str) -> None:
    """A public case, one for judges, and notes: all on an event with everything that rests on hidden cards."""
    book, who = CaseBook(StoreShelf(store)), {"by": "Ada", "role": "judge", "at": "2026-01-02T10:00:00Z"}
    place, known = place_of_log(log, 10, "game")
    for id in (PUBLIC_CASE, PRIVATE_CASE):
        event = opened(place, {**who, "id": id, "question": f"About {id}?", **known, "game_id": game})
        case = book.open(event, opinion_on(event, who))
        ruling = {"decision": "no", "rules": [next(iter(place_rules(place.ruleset)))], "reasons": {"en": "So."}}
        penalty = {"player": next(iter(event.players)), "infraction": "x", "level": "warning"}
        book.add(id, ruled(case, {**who, **ruling, "cards": list(event.situation.cards), "penalty": penalty}))
    book.add(PUBLIC_CASE, made("shared", {**who, "audience": "public"}))
    lines = log.splitlines()
    notes = [
        note({"id": audience, "seq": 0, "line": short_hash(lines[0]), "text": f"For {audience}.", "author": "Ada",
              "at": who["at"], "audience": audience})
        for audience in ("public", "judges")
    ]  # fmt: skip
    add(StoredLedger(store, "notes", game), NotesHeader(ruleset=place.ruleset, start=short_hash(lines[0])), notes)


def place_rules(name: str) -> list[str]:
    return [rule.id for rule in ruleset(name).catalogue]


def readers(app: Flask, token: str) -> dict[str, FlaskClient]:
    """Somebody from elsewhere, somebody with a token, and somebody at this machine who asks for less than they may."""
    far, known = app.test_client(), app.test_client()
    far.environ_base["REMOTE_ADDR"] = known.environ_base["REMOTE_ADDR"] = FAR
    known.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {token}"
    return {"far": far, "known": known, "here": app.test_client()}


VALUES = {"id": "{game}", "number": "0", "rule_id": "{rule}", "name": "{name}", "form": "json", "document": "{name}",
          "card": "{card}", "filename": "base.css", "case": "{case}", "hash": "0" * 64}  # fmt: skip
PUBLIC_CASE, PRIVATE_CASE = "cpublic1", "cprivate"
METHODS = ("POST", "PUT", "DELETE", pytest.param("HEAD", marks=pytest.mark.prove))
QUERIES = (
    "", "?step=20", "?as=judge", "?as=A", "?as=nobody", "?lang=pl", "?step=x&reading=none", "?reading=fr",
    "?vary=9&could=1", "?vary=9&vary=8&vary=7~x&shown=2&could=1",
)  # fmt: skip
SKIPPED = {"static"}
PUBLISHED_BELOW = ".html?lang=pl"  # the file in that language is made below, for every viewer


def routes(app: Flask, table: Table, method: str = "GET") -> Iterator[list[str]]:
    """Of every route that takes that method the addresses, with values for its parts: by the application itself."""
    parts = {
        "{game}": table.game, "{name}": table.twins.name, "{card}": table.twins.cards[0],
        "{case}": PUBLIC_CASE, "{rule}": next(iter(ruleset(table.twins.name).catalogue)).id,
    }  # fmt: skip
    for rule in app.url_map.iter_rules():
        if method not in (rule.methods or ()) or rule.endpoint in SKIPPED:
            continue
        assert set(rule.arguments) <= set(VALUES), f"{rule.rule}: say in this test what stands for its parts"
        path = re.sub(r"<(?:\w+:)?(\w+)>", lambda part: parts.get(VALUES[part[1]], VALUES[part[1]]), rule.rule)
        found = [path + query for query in (QUERIES if table.game in path else ("", "?lang=fr"))]
        yield [address for address in found if not address.endswith(PUBLISHED_BELOW)]


def answer(client: FlaskClient, address: str, method: str = "GET") -> tuple[int, list[tuple[str, str]], bytes]:
    got = client.open(address, method=method, data=b'{"events": []}' if method in ("POST", "PUT", "PATCH") else None)
    headers = [(name, value) for name, value in got.headers if name not in ("Date",)]
    return got.status_code, sorted(headers), got.get_data()


def test_a_case_and_a_note_for_judges_are_there_for_judges_alone(table: Table) -> None:
    for app in table.apps:
        far = readers(app, table.token)["far"]
        assert far.get(f"/cases/{PRIVATE_CASE}").status_code == 404
        assert far.get(f"/cases/{PUBLIC_CASE}").status_code == 200
        assert PRIVATE_CASE not in far.get("/cases").text + far.get(f"/games/{table.game}").text
        assert "For public." in far.get(f"/games/{table.game}").text
        assert "For judges." not in far.get(f"/games/{table.game}").text
        assert app.test_client().get(f"/cases/{PRIVATE_CASE}").status_code == 200


def test_the_two_games_differ_for_a_judge(table: Table) -> None:
    texts = [app.test_client().get(f"/games/{table.game}.json?as=judge").get_data() for app in table.apps]
    assert texts[0] != texts[1]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("fifth", range(5))
def test_every_address_answers_both_games_with_the_same_bytes(table: Table, fifth: int) -> None:
    """Each fifth has every route, with two of its queries; each game is asked other ones."""
    one, other = table.apps
    asked = 0
    for who in ("far", "known"):
        first, second = readers(one, table.token)[who], readers(other, table.token)[who]
        for route in routes(one, table):
            for address in route[fifth % len(route) :: 5]:
                if who == "far" or address.startswith("/api/"):
                    assert answer(first, address) == answer(second, address), (who, address)
                    asked += 1
    assert asked > 50


@pytest.mark.parametrize("method", METHODS)
def test_every_other_method_is_answered_alike(table: Table, method: str) -> None:
    one, other = table.apps
    for who in ("far", "known"):
        first, second = readers(one, table.token)[who], readers(other, table.token)[who]
        for address in chain(*routes(one, table, method), [f"/games/{table.game}"]):
            if "?" not in address or address.endswith("?as=judge"):
                assert answer(first, address, method) == answer(second, address, method), (who, method, address)


def test_views_of_the_public_and_the_seats_are_equal_also_at_this_machine(table: Table) -> None:
    one, other = table.apps
    for viewer in ("public", *table.twins.seats):
        for end in ("", ".json", ".jsonl", ".svg", "/steps/0", "/live", "/compare", "/options/3"):
            address = f"/games/{table.game}{end}?as={viewer}&lang=it&step=30&after=5"
            assert answer(one.test_client(), address) == answer(other.test_client(), address), address


def test_variations_tell_nothing_that_their_viewer_does_not_know(table: Table) -> None:
    """Whatever is offered is taken, two decisions deep; and what only the other game's cards would allow is refused."""
    one, other = (app.test_client() for app in table.apps)
    taken = 0
    for viewer, number in (("public", 3), *((seat, 9) for seat in table.twins.seats)):
        asked = [f"/games/{table.game}/options/{number}?as={viewer}"]
        for address in asked:
            offers, others = one.get(address), other.get(address)
            assert offers.get_data() == others.get_data(), address
            leads = [lead for offer in offers.get_json() for lead in offer["leads"]]
            for lead in dict.fromkeys([*leads[:1], *leads[-1:]]):
                for end in ("", ".json", ".jsonl", "/steps/0") if "~" not in address else (".json",):
                    varied = lead.replace("?", f"{end}?", 1)
                    assert answer(one, varied) == answer(other, varied), varied
                if lead.count("~") < 2:
                    last = one.get(lead.replace("?", ".json?", 1)).get_json()["steps"][-1]["step"]
                    asked.append(lead.replace("?", f"/options/{last}?", 1))
                taken += 1
    assert taken > 3
    for card in table.twins.cards:
        for seat in table.twins.seats:
            address = f"/games/{table.game}.json?as={seat}&vary=9~{seat} {card} 2*"
            assert answer(one, address) == answer(other, address), address


def test_what_is_appended_is_answered_alike(table: Table, tmp_path: Path) -> None:
    """A scorekeeper writes on, rightly and wrongly: no answer, and nothing that another recorder is sent, differs."""
    token = make_token("keeper", "scorekeeper")
    with ExitStack() as stack:
        clients = []
        for number, log in enumerate((table.twins.one, table.twins.other)):
            store = stack.enter_context(Store(tmp_path / f"{number}.db"))
            store.import_log(BytesIO(log))
            client = create_app(StoreLibrary(store), config=LIVE).test_client()
            client.environ_base |= {"REMOTE_ADDR": FAR, "HTTP_AUTHORIZATION": f"Bearer {token}"}
            clients.append(client)
        version = len(table.twins.one.splitlines()) - 1
        for event in written_on(table.twins):
            given = {"expected": version, "events": [{**event, "seq": version + 1}]}
            address = f"/api/v1/games/{table.game}/events"
            told = [client.post(address, json=given) for client in clients]
            assert [one.status_code for one in told] == [201, 201], told[0].text
            assert told[0].get_data() == told[1].get_data(), event
            assert clients[0].get(address).get_data() == clients[1].get(address).get_data()
            version += 1


def written_on(twins: Twins) -> list[dict[str, object]]:
    """What the sample goes on with, the same again where it is wrong, a flag, and then all of it taken back."""
    samples = {"compile": "clean", "altered": "altered-duel", "lotr-reveal": "lotr-journey"}
    version = len(twins.one.splitlines()) - 1
    told = read(f"{samples[twins.name]}.jsonl", 1000)[version + 1 :][:3]
    assert not [card for card in twins.cards if f'"{card}"' in json.dumps(told)]
    flag: dict[str, object] = {"type": "flagged", "note": "x"}
    return [*told, *told[::-1], flag, {"type": "taken_back", "to": version}, told[0]]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("form", [pytest.param(form, marks=[pytest.mark.prove] * (form in MOVING)) for form in FORMS])
def test_published_files_for_the_public_and_the_seats_are_equal(table: Table, form: str) -> None:
    """A GIF and a WebP have the pictures of the PNG, one a step: what the seats see is compared in that."""
    for viewer in ("public", *table.twins.seats)[: 1 if form in MOVING else None]:
        files = []
        for log in (table.twins.one, table.twins.other):
            try:
                files.append(publish(source_from(log), form, viewer, ("pl",), at=10))
            except (PublishError, UnknownViewerError) as error:
                files.append(str(error).encode())
        assert files[0] == files[1], viewer


def test_searches_and_filters_answer_both_alike(table: Table) -> None:
    for card in table.twins.cards:
        for address in (f"/?q={card}", f"/?player={card}", f"/?rule={card}"):
            found = [answer(readers(app, table.token)["far"], address) for app in table.apps]
            assert found[0] == found[1], address
            assert b'class="game' not in found[0][2] or card.encode() not in found[0][2]
