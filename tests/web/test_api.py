"""The API: reading, appending, following; who may, and what is refused."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import jsonschema
import pytest
from flask import Flask
from flask.testing import FlaskClient
from openapi_spec_validator import validate
from werkzeug.test import TestResponse

from audit.core.catalogue import words
from replays.log.output import shared_schemas
from replays.store.store import Store
from tests.web.lending import viewer_over
from web import create_app
from web.games.store_library import StoreLibrary
from web.site.limits import Buckets, TooOftenError
from web.site.tokens import TokenError, make_token, revoke, token_of, tokens

SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"
LINES = (SAMPLES / "dispute.jsonl").read_bytes().splitlines(keepends=True)
POSITION = "compile/3A.action.-/plague.fire.water:w3*;;:p51f41:9:/spirit.gravity.hate:;g6*;:4:9:"
FAR = "203.0.113.9"
GIVEN = 20
LIMITS = {"AUDIT_API_BURST": 10_000, "AUDIT_LIVE_EVERY": 0.01, "AUDIT_LIVE_SECONDS": 0.05, "AUDIT_API_BODY": 20_000}


@pytest.fixture(autouse=True)
def _data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))


@pytest.fixture
def app(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Flask]:
    """The API over a store with one whole game and the beginning of another, on SQLite or what a test asks for."""
    url = request.getfixturevalue("url") if "url" in request.fixturenames else tmp_path / "games.db"
    start = tmp_path / "start.jsonl"
    start.write_bytes(b"".join(LINES[: GIVEN + 1]))
    with Store(url) as store:
        store.import_log(SAMPLES / "clean.jsonl")
        store.import_log(start)
        yield viewer_over(StoreLibrary(store), **LIMITS)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def game(client: FlaskClient) -> str:
    return str(client.get("/api/v1/games?q=r3-t12").get_json()["games"][0]["id"])


def bearer(role: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {make_token(role, role)}"}


def events(*numbers: int) -> list[dict[str, object]]:
    return [json.loads(LINES[number]) for number in numbers]


def refused(answer: TestResponse, status: int, error: str) -> dict[str, object]:
    """The data of an error in the one shape that errors have."""
    assert answer.status_code == status
    assert answer.mimetype == "application/problem+json"
    body = answer.get_json()
    assert set(body) == {"type", "title", "status", "detail", "error", "data"}
    assert (body["error"], body["status"], body["type"]) == (error, status, f"/api/v1/problems/{error}")
    assert body["title"]
    assert body["detail"]
    data: dict[str, object] = body["data"]
    return data


def stored(answer: dict[str, object]) -> dict[str, object]:
    """What an append says of the store, without what it says of the game."""
    return {name: answer[name] for name in ("id", "version", "seqs", "events")}


class TestReading:
    """On this machine, without a token."""

    def test_games_are_listed_and_told(self, client: FlaskClient, game: str) -> None:
        assert client.get("/api/v1/games").get_json()["total"] == 2
        one = client.get(f"/api/v1/games/{game}").get_json()
        assert (one["version"], one["steps"], one["viewer"], one["game"]) == (GIVEN, GIVEN, "judge", "r3-t12")

    def test_steps_come_from_where_they_are_asked_for(self, client: FlaskClient, game: str) -> None:
        body = client.get(f"/api/v1/games/{game}/steps?from=3&count=2").get_json()
        assert [step["step"] for step in body["steps"]] == [3, 4]
        assert body["last"] == GIVEN

    def test_findings_have_what_was_expected(self, client: FlaskClient, game: str) -> None:
        client.post(
            f"/api/v1/games/{game}/events", json={"expected": GIVEN, "events": events(*range(21, 26))},
            headers=bearer("judge"),
        )  # fmt: skip
        (finding,) = client.get(f"/api/v1/games/{game}/findings").get_json()["findings"]
        assert (finding["seq"], finding["rules"][0]) == (25, "play.face-up-needs-protocol")
        assert finding["expected"]

    def test_statistics_count_the_games_that_the_filters_let_through(self, client: FlaskClient, game: str) -> None:
        whole = client.get("/api/v1/stats").get_json()
        assert (whole["games"], whole["findings"], whole["unused"].keys()) == (2, 0, {"compile"})
        assert whole["by"]["player"]["Bo"]["games"] == 2
        assert client.get("/api/v1/stats?brought=hate").get_json()["events"] == GIVEN
        body = client.get("/api/v1/stats/games?from=1&count=5").get_json()
        assert (body["total"], len(body["games"])) == (2, 1)
        assert body["games"][0]["ruleset"] == "compile"
        data = refused(client.get("/api/v1/stats?judge=Ada"), 422, "unprocessable-entity")
        assert data["query"] == {"judge": ["Unknown field."]}

    def test_rules_come_with_statements_and_uses(self, client: FlaskClient) -> None:
        rules = client.get("/api/v1/rules/compile").get_json()["rules"]
        assert len(rules) > 100
        rule = client.get("/api/v1/rules/compile/play.face-up-needs-protocol").get_json()
        assert set(rule["statements"]) == {"en", "fr", "it", "pl"}
        assert rule["uses"]

    @pytest.mark.parametrize(
        ("path", "status", "error"),
        [
            ("/games/none", 404, "unknown-game"),
            ("/games/none/live", 404, "unknown-game"),
            ("/rules/none", 404, "unknown-ruleset"),
            ("/rules/compile/none", 404, "unknown-rule"),
            ("/nothing", 404, "not-found"),
            ("/games?page=0", 422, "unprocessable-entity"),
            ("/games?colour=red", 422, "unprocessable-entity"),
            ("/games/%00", 404, "unknown-game"),
        ],
    )
    def test_what_is_not_there_is_said_in_one_shape(
        self, client: FlaskClient, path: str, status: int, error: str
    ) -> None:
        refused(client.get(f"/api/v1{path}"), status, error)

    def test_other_pages_keep_their_own_errors(self, client: FlaskClient) -> None:
        assert client.get("/nothing").mimetype == "text/html"

    def test_an_unknown_reading_is_named(self, client: FlaskClient, game: str) -> None:
        data = refused(client.get(f"/api/v1/games/{game}?reading=none"), 404, "unknown-reading")
        assert data["reading"] == "none"


class TestAppending:
    """Only with a token, and only where the version is the expected one."""

    @pytest.mark.usefixtures("url")
    def test_events_are_appended(self, client: FlaskClient, game: str) -> None:
        given = {"expected": GIVEN, "events": events(21, 22)}
        answer = client.post(f"/api/v1/games/{game}/events", json=given, headers=bearer("scorekeeper"))
        told = answer.get_json()
        assert answer.status_code == 201
        assert stored(told) == {"id": game, "version": 22, "seqs": [21, 22], "events": events(21, 22)}
        assert client.get(f"/api/v1/games/{game}").get_json()["steps"] == 22

    @pytest.mark.usefixtures("url")
    def test_a_repeated_append_of_an_event_with_an_id_is_answered_as_done(self, client: FlaskClient, game: str) -> None:
        """The answer was lost on the way; the scorekeeper's telephone sends the event again."""
        sent = {"expected": GIVEN, "events": [{**events(21)[0], "id": "turn-4"}]}
        token = bearer("scorekeeper")
        for _ in range(2):
            answer = client.post(f"/api/v1/games/{game}/events", json=sent, headers=token)
            assert answer.status_code == 201
            assert stored(answer.get_json()) == {"id": game, "version": 21, "seqs": [21], "events": sent["events"]}
        other = {"expected": 21, "events": [{**events(22)[0], "id": "turn-4"}]}
        answer = client.post(f"/api/v1/games/{game}/events", json=other, headers=token)
        assert refused(answer, 409, "event-id") == {"game": game, "id": "turn-4", "stored": 21, "given": 22}

    @pytest.mark.usefixtures("url")
    def test_a_conflict_names_the_game_and_both_versions(self, client: FlaskClient, game: str) -> None:
        given = {"expected": 19, "events": events(20)}
        answer = client.post(f"/api/v1/games/{game}/events", json=given, headers=bearer("scorekeeper"))
        assert refused(answer, 409, "version-conflict") == {"game": game, "expected": 19, "actual": GIVEN}

    def test_events_that_are_wrong_are_named_with_their_fields(self, client: FlaskClient, game: str) -> None:
        given = {"expected": GIVEN, "events": [{"seq": 21, "type": "played", "player": 5}]}
        answer = client.post(f"/api/v1/games/{game}/events", json=given, headers=bearer("scorekeeper"))
        data = refused(answer, 422, "log")
        assert isinstance(data["problems"], list)
        assert "player" in {problem["field"] for problem in data["problems"]}
        assert client.get(f"/api/v1/games/{game}").get_json()["version"] == GIVEN

    @pytest.mark.parametrize(
        ("more", "field"),
        [
            ({"player": "C"}, "player"), ({"note_for": "nobody"}, "note_for"), ({"because": 99}, "because"),
            ({"at": "2026-02-30T25:00:00Z"}, "at"),
        ],
    )  # fmt: skip
    def test_an_event_that_speaks_of_what_there_is_not_is_refused(
        self, client: FlaskClient, game: str, more: dict[str, object], field: str
    ) -> None:
        given = {"expected": GIVEN, "events": [{"seq": 21, "type": "refreshed", "player": "A", **more}]}
        answer = client.post(f"/api/v1/games/{game}/events", json=given, headers=bearer("scorekeeper"))
        (problem,) = refused(answer, 422, "log")["problems"]  # type: ignore[misc]
        assert problem["field"] == field

    @pytest.mark.parametrize("more", [{"player": "C"}, {"at": "now"}, {"type": "played", "card": "nothing-9"}])
    def test_an_event_asked_about_is_read_as_strictly(self, client: FlaskClient, more: dict[str, object]) -> None:
        event = {"seq": 7, "x-mine": 1, "type": "refreshed", "player": "A"}
        asked = {"position": POSITION, "events": [{**event, **more}]}
        refused(client.post("/api/v1/ask", json=asked), 422, "log")
        assert client.post("/api/v1/ask", json={"position": POSITION, "events": [event]}).status_code == 200

    @pytest.mark.parametrize("body", [{}, {"expected": "20", "events": [{}]}, {"expected": 1, "events": []}, [1]])
    def test_a_body_of_another_shape_is_refused(self, client: FlaskClient, game: str, body: object) -> None:
        answer = client.post(f"/api/v1/games/{game}/events", json=body, headers=bearer("scorekeeper"))
        refused(answer, 422, "unprocessable-entity")

    def test_a_body_that_is_too_large_is_refused(self, client: FlaskClient, game: str) -> None:
        given = {"expected": GIVEN, "events": [{"seq": 21, "note": "x" * 30_000}]}
        answer = client.post(f"/api/v1/games/{game}/events", json=given, headers=bearer("scorekeeper"))
        refused(answer, 413, "request-entity-too-large")

    def test_a_body_in_chunks_is_too_large_as_well(self, client: FlaskClient, game: str) -> None:
        body = json.dumps({"expected": GIVEN, "events": [{"seq": 21, "note": "x" * 30_000}]}).encode()
        answer = client.post(
            f"/api/v1/games/{game}/events", input_stream=BytesIO(body), content_type="application/json",
            headers=bearer("scorekeeper"), environ_overrides={"wsgi.input_terminated": True},
        )  # fmt: skip
        refused(answer, 413, "request-entity-too-large")

    @pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", None])
    @pytest.mark.parametrize("path", ["/ask", "/import/sheet", "/games"])
    def test_a_body_that_is_not_called_json_is_refused(self, client: FlaskClient, path: str, kind: str | None) -> None:
        answer = client.post(f"/api/v1{path}", data=b'{"text": "x"}', content_type=kind, headers=bearer("judge"))
        refused(answer, 415, "unsupported-media-type")

    def test_half_a_letter_is_refused(self, client: FlaskClient, game: str) -> None:
        body = b'{"expected": 20, "events": [{"seq": 21, "note": "\\ud800"}]}'
        answer = client.post(
            f"/api/v1/games/{game}/events", data=body, content_type="application/json", headers=bearer("judge")
        )
        assert answer.status_code == 422

    def test_games_of_a_folder_cannot_be_appended_to(self) -> None:
        client = viewer_over(**LIMITS).test_client()
        given = {"expected": 130, "events": [{"seq": 131}]}
        answer = client.post("/api/v1/games/dispute/events", json=given, headers=bearer("judge"))
        refused(answer, 409, "fixed")

    def test_an_append_is_answered_with_verdict_rules_and_what_can_be_chosen_now(
        self, client: FlaskClient, game: str
    ) -> None:
        given = {"expected": GIVEN, "events": events(*range(21, 26))}
        told = client.post(f"/api/v1/games/{game}/events", json=given, headers=bearer("judge")).get_json()
        last = told["steps"][-1]
        assert (last["seq"], last["verdict"]) == (25, "illegal")
        assert last["rules"][0]["id"] == "play.face-up-needs-protocol"
        assert last["rules"][0]["statement"]
        assert last["expected_text"]
        assert [step["seq"] for step in told["steps"] if step["seq"]] == [21, 22, 23, 24, 25]
        assert all(option["lines"] for option in told["decisions"] if option["events"])

    def test_a_scorekeeper_is_told_no_more_than_the_public(self, client: FlaskClient, game: str) -> None:
        given = {"expected": GIVEN, "events": events(21, 22)}
        told = client.post(f"/api/v1/games/{game}/events", json=given, headers=bearer("scorekeeper")).get_json()
        public = client.get(f"/api/v1/games/{game}/options?as=public").get_json()
        assert told["decisions"] == public["decisions"]


HEADER = {"log": "audit/1", "ruleset": "compile", "game": "final", "players": [{"seat": "A"}, {"seat": "B"}],
          "setup": {"protocols": {"A": ["fire", "life", "water"], "B": ["death", "metal", "speed"]}}}  # fmt: skip
SHEET = "game final   A Ada: fire life water   B Bo: death metal speed   first A"


class TestBeginning:
    """A recorder begins a game and goes on with it, from one telephone or two."""

    @pytest.mark.usefixtures("url")
    @pytest.mark.parametrize("given", [{"header": HEADER}, {"sheet": SHEET}])
    def test_a_game_is_begun_once_and_appended_to(self, client: FlaskClient, given: dict[str, object]) -> None:
        token = bearer("scorekeeper")
        first = client.post("/api/v1/games", json=given, headers=token)
        assert first.status_code == 201
        begun = first.get_json()
        assert (begun["version"], begun["created"]) == (0, True)
        again = client.post("/api/v1/games", json=given, headers=token).get_json()
        assert (again["id"], again["created"]) == (begun["id"], False)
        played = {"seq": 1, "id": "e1", "type": "played", "player": "A", "card": "fire-3", "line": 1, "face": "up"}
        told = client.post(
            f"/api/v1/games/{begun['id']}/events", json={"expected": 0, "events": [played]}, headers=token
        ).get_json()
        assert told["steps"][-1]["verdict"] == "legal"
        written = client.get(f"/api/v1/games/{begun['id']}/events").get_json()
        assert [event["id"] for event in written["events"]] == ["e1"]

    @pytest.mark.usefixtures("url")
    def test_another_game_of_that_name_is_a_contradiction(self, client: FlaskClient) -> None:
        token = bearer("scorekeeper")
        client.post("/api/v1/games", json={"header": HEADER}, headers=token)
        other = {**HEADER, "players": [{"seat": "A", "name": "Eve"}, {"seat": "B"}]}
        refused(client.post("/api/v1/games", json={"header": other}, headers=token), 409, "contradiction")

    @pytest.mark.parametrize(
        ("given", "status", "error"),
        [
            ({}, 422, "log"),
            ({"header": HEADER, "sheet": SHEET}, 422, "log"),
            ({"header": {}}, 422, "log"),
            ({"header": {**HEADER, "setup": {"protocols": {"A": ["fire"], "B": []}}}}, 422, "log"),
            ({"header": {**HEADER, "ruleset": "chess"}}, 422, "log"),
            ({"header": {**HEADER, "x-": float("inf")}}, 422, "log"),
            ({"sheet": "nothing", "ruleset": "compile"}, 422, "log"),
            ({"sheet": SHEET, "ruleset": "chess"}, 422, "unknown-ruleset"),
            ({"sheet": f"{SHEET}\nA fire-3 1", "ruleset": "compile"}, 422, "log"),
            ({"header": 5}, 422, "unprocessable-entity"),
        ],
    )
    def test_what_is_no_beginning_has_one_clear_answer(
        self, client: FlaskClient, given: dict[str, object], status: int, error: str
    ) -> None:
        refused(client.post("/api/v1/games", json=given, headers=bearer("judge")), status, error)

    def test_a_beginning_of_neither_kind_is_not_called_both(self, client: FlaskClient) -> None:
        headers = bearer("judge")
        for given, found in (({}, "neither"), ({"header": HEADER, "sheet": SHEET}, "both")):
            answer = client.post("/api/v1/games", json=given, headers=headers)
            assert answer.get_json()["detail"].endswith(f"found {found}")

    def test_only_who_may_append_may_begin(self, client: FlaskClient, app: Flask) -> None:
        refused(client.post("/api/v1/games", json={"header": HEADER}), 401, "no-token")
        refused(client.post("/api/v1/games", json={"header": HEADER}, headers=bearer("viewer")), 403, "not-allowed")
        bound = {"Authorization": f"Bearer {make_token('one', 'scorekeeper', game='another')}"}
        refused(client.post("/api/v1/games", json={"header": HEADER}, headers=bound), 403, "not-allowed")

    def test_games_of_a_folder_cannot_be_begun(self) -> None:
        client = viewer_over(**LIMITS).test_client()
        refused(client.post("/api/v1/games", json={"header": HEADER}, headers=bearer("judge")), 409, "fixed")


class TestOptions:
    """What can be chosen, as whoever asks may know it."""

    def test_a_judge_reads_the_decisions_after_any_event(self, client: FlaskClient, game: str) -> None:
        found = client.get(f"/api/v1/games/{game}/options?at=2").get_json()
        assert found["version"] == GIVEN
        assert "A plague-5 1" in [line for option in found["decisions"] for line in option["lines"]]
        small = client.get(f"/api/v1/games/{game}/options?steps=true").get_json()
        assert small["decisions"]

    def test_what_cannot_happen_is_no_option(self, client: FlaskClient, game: str) -> None:
        """A hand of five is not refreshed. What the public cannot name may be played all the same."""
        for viewer in ("judge", "public"):
            found = client.get(f"/api/v1/games/{game}/options?at=0&as={viewer}").get_json()["decisions"]
            assert [option["type"] for option in found] == ["played"]

    def test_the_public_reads_no_card_of_a_hand(self, client: FlaskClient, game: str) -> None:
        found = client.get(f"/api/v1/games/{game}/options?at=2&as=public").get_data(as_text=True)
        assert "plague-5" not in found

    def test_the_public_reads_the_events_as_it_could_have_written_them(self, client: FlaskClient, game: str) -> None:
        judge = client.get(f"/api/v1/games/{game}/events?after=1").get_json()["events"]
        public = client.get(f"/api/v1/games/{game}/events?as=public").get_json()["events"]
        assert judge[0]["seq"] == 2
        assert public[0]["type"] == "drew"
        assert "cards" not in public[0] or set(public[0]["cards"]) == {"?"}


class TestWhoMay:
    """Roles, on this machine and from elsewhere."""

    @pytest.mark.parametrize(
        ("role", "reads", "appends", "publishes", "looks"),
        [
            ("viewer", 200, 403, 200, 403),
            ("scorekeeper", 200, 201, 200, 403),
            ("judge", 200, 201, 200, 200),
            ("publisher", 200, 403, 200, 403),
            (None, 200, 401, 200, 401),
        ],
    )
    def test_from_elsewhere_a_role_reaches_so_far(
        self, client: FlaskClient, game: str, role: str | None, reads: int, appends: int, publishes: int, looks: int
    ) -> None:
        client.environ_base["REMOTE_ADDR"] = FAR
        headers = bearer(role) if role else {}
        path = f"/api/v1/games/{game}"
        given = {"expected": GIVEN, "events": events(21)}
        assert client.get(path, headers=headers).status_code == reads
        assert client.get(f"{path}?as=judge", headers=headers).status_code == looks
        assert client.get(f"{path}/file?form=md", headers=headers).status_code == publishes
        assert client.post(f"{path}/events", json=given, headers=headers).status_code == appends

    def test_even_here_nobody_appends_without_a_token(self, client: FlaskClient, game: str) -> None:
        given = {"expected": GIVEN, "events": events(21)}
        answer = client.post(f"/api/v1/games/{game}/events", json=given)
        refused(answer, 401, "no-token")
        assert answer.headers["WWW-Authenticate"] == "Bearer"

    @pytest.mark.parametrize("shown", ["Bearer x", "Bearer audit.00000000.x", "Basic eDp5", "Bearer ", "Bearer é"])
    def test_a_false_token_is_worse_than_none(self, client: FlaskClient, shown: str) -> None:
        answer = client.get("/api/v1/games", headers={"Authorization": shown})
        refused(answer, 401, "false-token")
        assert "mistyped or revoked" in answer.get_json()["detail"]
        assert answer.headers["WWW-Authenticate"] == 'Bearer error="invalid_token"'

    @pytest.mark.parametrize("asked", ["A", "judge"])
    def test_a_view_that_needs_a_token_says_so_to_who_has_none(
        self, client: FlaskClient, game: str, asked: str
    ) -> None:
        client.environ_base["REMOTE_ADDR"] = FAR
        path = f"/api/v1/games/{game}?as={asked}"
        refused(client.get(path), 401, "no-token")
        refused(client.get(path, headers=bearer("viewer")), 403, "not-allowed")

    def test_a_seat_that_there_is_not_is_said_to_be_none(self, client: FlaskClient, game: str) -> None:
        answer = client.get(f"/api/v1/games/{game}?as=Q", headers=bearer("judge"))
        assert refused(answer, 404, "unknown-viewer")["known"] == ["A", "B", "public", "judge"]

    def test_a_reader_from_elsewhere_is_shown_no_hidden_card(self, client: FlaskClient, game: str) -> None:
        client.environ_base["REMOTE_ADDR"] = FAR
        steps = client.get(f"/api/v1/games/{game}/steps", headers=bearer("viewer")).get_json()["steps"]
        assert "deck" not in json.dumps(steps[0]["event"] or {})
        assert steps[0]["state"]["sides"]["A"]["deck"] == 18 or "?" in json.dumps(steps[0]["state"]["sides"]["A"])

    def test_a_revoked_token_opens_nothing(self, client: FlaskClient) -> None:
        headers = bearer("viewer")
        assert client.get("/api/v1/games", headers=headers).status_code == 200
        revoke("viewer")
        refused(client.get("/api/v1/games", headers=headers), 401, "false-token")


class TestTokens:
    """How tokens are kept."""

    def test_a_token_is_kept_as_a_hash_for_its_owner_only(self, tmp_path: Path) -> None:
        text = make_token("table 12", "scorekeeper")
        path = tmp_path / "data" / "tokens.db"
        assert text.rsplit(".", 1)[1] not in path.read_bytes().decode("latin-1")
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        found = token_of(text)
        assert found
        assert (found.name, found.role) == ("table 12", "scorekeeper")
        assert token_of(text[:-1]) is None

    def test_what_cannot_be_made_is_said(self) -> None:
        make_token("a", "viewer")
        for name, role in (("a", "viewer"), ("b", "king"), ("", "viewer"), ("\n", "viewer")):
            with pytest.raises(TokenError):
                make_token(name, role)
        assert [token.name for token in tokens()] == ["a"]
        with pytest.raises(TokenError):
            revoke("b")


class TestFollowing:
    """Server-sent events."""

    def read(self, answer: TestResponse) -> list[dict[str, object]]:
        assert answer.status_code == 200
        assert answer.mimetype == "text/event-stream"
        lines = answer.get_data(as_text=True).splitlines()
        return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]

    def test_a_reader_gets_what_is_new_to_them(self, client: FlaskClient, game: str) -> None:
        (told,) = self.read(client.get(f"/api/v1/games/{game}/live?after=18"))
        steps = told["steps"]
        assert isinstance(steps, list)
        assert ([step["step"] for step in steps], told["last"]) == ([19, 20], GIVEN)

    def test_a_reader_who_comes_back_misses_nothing(self, client: FlaskClient, game: str) -> None:
        answer = client.get(f"/api/v1/games/{game}/live?after=3", headers={"Last-Event-ID": "19"})
        (told,) = self.read(answer)
        assert isinstance(told["steps"], list)
        assert len(told["steps"]) == 1

    @pytest.mark.usefixtures("url")
    def test_steps_stored_while_somebody_follows_are_told(self, client: FlaskClient, app: Flask, game: str) -> None:
        app.config["AUDIT_LIVE_SECONDS"] = 30
        stream = client.get(f"/api/v1/games/{game}/live", buffered=False).response
        parts = iter(stream)
        assert next(parts) == b"retry: 2000\n\n"
        given = {"expected": GIVEN, "events": events(21)}
        other = app.test_client()
        assert other.post(f"/api/v1/games/{game}/events", json=given, headers=bearer("judge")).status_code == 201
        assert next(parts).startswith(b"id: 21\nevent: steps\n")
        stream.close()  # type: ignore[attr-defined]

    def test_only_so_many_follow_at_once(self, tmp_path: Path) -> None:
        client = create_app(config={**LIMITS, "AUDIT_LIVE_MOST": 1}).test_client()
        first = client.get("/api/v1/games/dispute/live", buffered=False)
        refused(client.get("/api/v1/games/dispute/live"), 503, "busy")
        first.close()
        assert client.get("/api/v1/games/dispute/live").status_code == 200


class TestLimits:
    """How often one may ask."""

    def test_a_bucket_empties_and_fills(self) -> None:
        now = [0.0]
        buckets = Buckets(rate=2, burst=3, clock=lambda: now[0])
        for _ in range(3):
            buckets.take("a")
        with pytest.raises(TooOftenError):
            buckets.take("a")
        buckets.take("b")
        now[0] = 0.5
        buckets.take("a")
        with pytest.raises(TooOftenError):
            buckets.take("a")

    def test_who_asks_too_often_is_told_when_to_come_back(self) -> None:
        client = create_app(config={"AUDIT_API_BURST": 2, "AUDIT_API_RATE": 0.01}).test_client()
        for _ in range(2):
            assert client.get("/api/v1/games").status_code == 200
        answer = client.get("/api/v1/games")
        refused(answer, 429, "too-often")
        assert int(answer.headers["Retry-After"]) > 1


def test_the_document_names_every_operation(client: FlaskClient) -> None:
    document = client.get("/api/v1/openapi.json").get_json()
    assert set(document["paths"]) == {
        "/api/v1/games", "/api/v1/games/{id}", "/api/v1/games/{id}/steps", "/api/v1/games/{id}/findings",
        "/api/v1/games/{id}/events", "/api/v1/games/{id}/live", "/api/v1/games/{id}/file", "/api/v1/rules/{name}",
        "/api/v1/rules/{name}/{id}", "/api/v1/ask", "/api/v1/games/{id}/options",
        "/api/v1/cases", "/api/v1/cases/{case}",
        "/api/v1/cases/{case}/events", "/api/v1/precedents", "/api/v1/games/{id}/notes",
        "/api/v1/import/position", "/api/v1/import/sheet", "/api/v1/stats", "/api/v1/stats/games",
    }  # fmt: skip
    assert document["components"]["securitySchemes"]["token"]["scheme"] == "bearer"


def test_the_document_tells_the_fields_of_every_event_of_every_game(client: FlaskClient) -> None:
    schemas = client.get("/api/v1/openapi.json").get_json()["components"]["schemas"]
    assert schemas["compile.Played"]["properties"]["card"]
    assert {one["$ref"].rpartition(".")[2] for one in schemas["Event"]["anyOf"]} >= {"compile", "altered"}


def test_the_document_is_a_page_whose_assets_are_our_own(client: FlaskClient) -> None:
    page = client.get("/api/v1/")
    assert page.status_code == 200
    assert "//" not in page.text.replace("/api/v1/", "")
    for asset in ("swagger-ui.css", "swagger-ui-bundle.js"):
        assert client.get(f"/api/v1/page/{asset}").status_code == 200
    assert client.get("/api/v1/page/swagger-ui.js").status_code == 404
    assert client.get("/api/v1/page/../__init__.py").status_code == 404


class TestForPrograms:
    """What a client that nobody wrote by hand relies on."""

    @pytest.fixture
    def far(self, app: Flask) -> FlaskClient:
        """Somebody from elsewhere without a token."""
        client = app.test_client()
        client.environ_base["REMOTE_ADDR"] = FAR
        return client

    def test_the_document_is_valid_and_names_every_operation_once(self, client: FlaskClient) -> None:
        document = client.get("/api/v1/openapi.json").get_json()
        validate(document)
        named = [
            one["operationId"] for path in document["paths"].values() for one in path.values() if "responses" in one
        ]
        assert len(named) == len(set(named)) > 20

    def test_what_is_answered_has_the_shape_of_the_document(self, client: FlaskClient, game: str) -> None:
        """The answers of the shared shapes against their own schemas, with the findings of a game among them."""
        given = {"expected": GIVEN, "events": events(*range(21, 26))}
        told = client.post(f"/api/v1/games/{game}/events", json=given, headers=bearer("judge")).get_json()
        steps = client.get(f"/api/v1/games/{game}/steps").get_json()["steps"]
        findings = client.get(f"/api/v1/games/{game}/findings").get_json()["findings"]
        asked = client.post("/api/v1/ask", json={"position": POSITION, "events": ["A refresh"]}).get_json()
        for shape, found in {
            "StepTold": steps, "FindingTold": findings, "StepJudged": told["steps"], "DecisionTold": told["decisions"],
            "StepAsked": asked["steps"], "Following": asked["follows"], "OtherwiseTold": asked["otherwise"],
            "DoubtTold": asked["doubts"],
        }.items():  # fmt: skip
            schema = {"$ref": f"#/$defs/{shape}", "$defs": shared_schemas("#/$defs/{name}")}
            validator = jsonschema.Draft202012Validator(schema)
            for one in found:
                validator.validate(one)

    def test_the_public_reads_and_asks_without_a_token(self, far: FlaskClient, game: str) -> None:
        for path in ("", "/steps", "/findings", "/options", "/events", "/notes", "/file?form=md"):
            assert far.get(f"/api/v1/games/{game}{path}").status_code == 200, path
        asked = far.post("/api/v1/ask", json={"position": POSITION, "events": ["A refresh"]})
        assert asked.status_code == 200
        refused(far.get("/api/v1/precedents?rule=turn.one-action"), 401, "no-token")

    def test_the_list_ends_and_games_that_come_meanwhile_are_not_told_twice(
        self, far: FlaskClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("web.games.library.PAGE", 1)
        first = far.get("/api/v1/games").get_json()
        second = far.get(f"/api/v1/games?cursor={first['next']}").get_json()
        told = [*first["games"], *second["games"]]
        assert (second["next"], len({each["id"] for each in told})) == (None, first["total"])
        assert far.get("/api/v1/games?cursor=99.none").get_json()["games"] == []
        refused(far.get("/api/v1/games?cursor=last"), 422, "unprocessable-entity")

    def test_steps_and_counted_games_say_where_to_go_on(self, far: FlaskClient, game: str) -> None:
        steps = far.get(f"/api/v1/games/{game}/steps?count=20").get_json()
        assert (steps["next"], steps["last"]) == (20, GIVEN)
        assert far.get(f"/api/v1/games/{game}/steps?from=20").get_json()["next"] is None
        counted = far.get("/api/v1/stats/games?count=1").get_json()
        assert counted["next"] == 1
        assert far.get("/api/v1/stats/games?from=1").get_json()["next"] is None

    @pytest.mark.parametrize("path", ["/games", "/games/{}", "/games/{}/steps", "/rules/compile", "/stats"])
    def test_who_has_read_it_is_told_that_it_is_still_so(self, far: FlaskClient, game: str, path: str) -> None:
        address = f"/api/v1{path.format(game)}"
        first = far.get(address)
        assert first.headers["Cache-Control"] == "private, no-cache"
        again = far.get(address, headers={"If-None-Match": first.headers["ETag"]})
        assert (again.status_code, again.data) == (304, b"")

    def test_another_reader_is_not_told_that_it_is_still_so(self, far: FlaskClient, game: str) -> None:
        address = f"/api/v1/games/{game}/steps"
        tag = far.get(address).headers["ETag"]
        answer = far.get(address, headers={"If-None-Match": tag, **bearer("judge")})
        assert answer.status_code == 200
        assert "Authorization" in answer.headers["Vary"]

    @pytest.mark.parametrize("path", ["/rules/compile", "/games/{}/notes", "/cases", "/rules/compile/turn.one-action"])
    def test_a_filter_that_nobody_knows_is_refused_everywhere(self, far: FlaskClient, game: str, path: str) -> None:
        data = refused(far.get(f"/api/v1{path.format(game)}?colour=red"), 422, "unprocessable-entity")
        assert data["query"] == {"colour": ["Unknown field."]}

    def test_where_a_new_game_is_read_is_said(self, client: FlaskClient) -> None:
        answer = client.post("/api/v1/games", json={"header": HEADER}, headers=bearer("scorekeeper"))
        assert client.get(answer.headers["Location"]).get_json()["id"] == answer.get_json()["id"]

    @pytest.mark.parametrize(
        ("language", "title", "detail"),
        [
            ("en", "There is nothing at this address", "no game is called 'none'"),
            ("fr", "Il n'y a rien à cette adresse", "Aucune partie ne s'appelle none."),
            ("it", "A questo indirizzo non c'è nulla", "Nessuna partita si chiama none."),
            ("pl", "Pod tym adresem nic nie ma", "Żadna partia nie nazywa się none."),
        ],
    )
    def test_an_error_is_in_the_language_of_who_asks(
        self, far: FlaskClient, language: str, title: str, detail: str
    ) -> None:
        by_header = far.get("/api/v1/games/none", headers={"Accept-Language": language})
        by_query = far.get(f"/api/v1/games/none?lang={language}")
        for answer in (by_header, by_query):
            told = answer.get_json()
            assert (told["title"], told["detail"]) == (title, detail)
            assert answer.headers["Content-Language"] == language

    @pytest.mark.parametrize(
        ("asked", "query", "header", "language"),
        [
            ({"lang": ["pl"]}, "?lang=fr", "it", "pl"), ({}, "?lang=fr", "it", "fr"), ({}, "", "it", "it"),
            ({}, "", "de", "en"),
        ],
    )  # fmt: skip
    def test_an_answer_is_in_the_language_of_the_body_else_of_the_address_else_of_the_header(
        self, far: FlaskClient, asked: dict[str, object], query: str, header: str, language: str
    ) -> None:
        sentences = {"en": "A refreshes", "fr": "A rafraîchit", "it": "A ricarica", "pl": "Gracz A uzupełnia"}
        given, headers = {"position": POSITION, **asked}, {"Accept-Language": header}
        told = far.post(f"/api/v1/ask{query}", json={**given, "events": ["A refresh"]}, headers=headers).get_json()
        assert told["steps"][-1]["sentence"].startswith(sentences[language])
        wrong = far.post(f"/api/v1/ask{query}", json={**given, "events": ["A zzz"]}, headers=headers)
        assert wrong.headers["Content-Language"] == language

    def test_events_are_judged_in_the_language_of_the_address(self, client: FlaskClient, game: str) -> None:
        given = {"expected": GIVEN, "events": events(21)}
        told = client.post(f"/api/v1/games/{game}/events?lang=fr", json=given, headers=bearer("judge")).get_json()
        read = client.get(f"/api/v1/games/{game}/steps?from=21", headers={"Accept-Language": "fr"}).get_json()
        assert told["steps"][-1]["sentence"] == read["steps"][-1]["sentence"]

    @pytest.mark.parametrize("language", ["fr", "it", "pl"])
    def test_an_error_says_as_much_in_every_language(self, client: FlaskClient, game: str, language: str) -> None:
        """What was expected and found is not lost on the way."""
        headers, path = bearer("judge"), f"/api/v1/games/{game}"

        def detail(place: str, body: bytes) -> str:
            answer = client.post(
                f"{path}/{place}?lang={language}", data=body, content_type="application/json", headers=headers
            )
            assert answer.status_code == 422
            return str(answer.get_json()["detail"])

        bytes_told = detail("events", b'{"expected": 20, "events": [{"seq": 21, "note": "\xff"}]}')
        known = words("replays", language, "phrases")
        assert all(known[phrase] in bytes_told for phrase in ("UTF-8 text", "other bytes"))
        plaid = detail("events", b'{"expected": 20, "events": [{"seq": 21, "type": "plaid"}]}')
        assert all(name in plaid for name in ("played", '"plaid"'))
        assert str(GIVEN) in detail("notes", b'{"seq": 99, "text": "x"}')
        assert "to" in detail("notes", b'{"seq": 1, "to": 99, "text": "x"}')
