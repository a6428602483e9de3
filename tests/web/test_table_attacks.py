"""Whatever is typed, pasted or dropped at the table, the answer is a sentence in the language of the page."""

from __future__ import annotations

import json
from itertools import product

import pytest
from flask.testing import FlaskClient

from audit.core.catalogue import LANGUAGES
from web import create_app

GOOD = "compile/3A.action.-/plague.fire.water:w3*;;:p51f41:9:/spirit.gravity.hate:;g6*;:h1s4:9:"
SHEET = "game final   A Ada: fire life water   B Bo: death metal speed   first A"
POSITIONS = (
    "x", "compile", "compile/3A.action.-/", GOOD[:-30], GOOD.replace("plague", "plagu"), GOOD.replace("3A", "0A"),
    GOOD.replace("action", "nap"), GOOD.replace("w3*", "w9*"), GOOD.replace(":9:", ":-1:"),
    GOOD.replace("h1s4", "h1h1"), f"{GOOD}/(", f"{GOOD}/(unknown:record)",
    f"{GOOD}/(pending:!((what:refresh)))", f"{GOOD}/(due:3)",
    "altered/(setup:(seats:!(a,b),costs:3))", "altered/(day:x)", "lotr-reveal/(frames:3)",
    "altered/(setup:(seats:!(a,b),first_player:c,hands:(c:!())))", "chess/foo", "https://example.org/?seen=1",
    "\x00", "💥" * 2000, "compile/" + "(" * 5000, "altered/" + "!(" * 5000, "a" * 200_000,
    "compile/3A.action.-/plague.fire.plague:;;:4:9:/spirit.gravity.hate:;;:4:9:", "<script>alert(1)</script>", 3, None,
)  # fmt: skip
EVENTS = (
    "", "A", "fooo", "A plague-1", "💥", "A refresh wildly", "A" * 100_000, "played player=A card=fire-3 lien=1",
    "played player=A card=fire-3 line=1 face=up {bad", 'A refresh {"when":3}', "check compile/9A", 3, None, {},
    {"type": "x"}, {"type": "played"}, {"type": "played", "player": "A", "card": "fire-3", "line": 77, "face": "up"},
    ["A refresh"],
)  # fmt: skip
PASTED = (
    "x", "{}", "[]", "null", "\x00", "{" * 3000, "[1,2,3]", '{"ObjectStates":3}', '{"ObjectStates":[3]}',
    '{"ObjectStates":[{"Nickname":"Fire 3","Transform":{"posX":1e400}}]}', '{"ObjectStates":' + "[" * 3000,
    '{"log":"audit/1"}', '{"log":"audit/1","ruleset":"compile"}\nrubbish', "game x\nfoo", "%PDF-1.4 \x01\x02",
    "GIF89a\x00\x01", "\ufffd\ufffdPNG", "<html><body>", "PK\x03\x04", '{"players":3}', "A " * 100_000,
)  # fmt: skip
RECORDS: tuple[object, ...] = (
    "", "game", "game x   A: fire life water   B: fire fire fire", "game x   A: foo bar baz   B: death metal speed", 3,
    None, {}, {"log": "audit/9", "ruleset": "compile"}, {"log": "audit/1", "ruleset": "chess"},
    {"log": "audit/1", "ruleset": "compile", "setup": 3},
    {"log": "audit/1", "ruleset": "altered", "setup": {"seats": 3}},
)  # fmt: skip
RAW = (b"", b"{", b"\xff\xfe", b"[]", b"3", b"null", b"[" * 100_000)
OTHERS = LANGUAGES[1:]
PATHS = ("position", "options", "ask", "judge", "next", "gather", "words", "cards", "seal")


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    rates = dict.fromkeys(("AUDIT_PAGE_RATE", "AUDIT_COSTLY_RATE", "AUDIT_COSTLY_BURST"), 1e6)
    app = create_app(config={"AUDIT_VIEWPOINTS": "public", **rates})
    app.config["PROPAGATE_EXCEPTIONS"] = False
    return app.test_client()


def is_refused(client: FlaskClient, path: str, body: bytes, language: str) -> bool:
    """Whether it is refused; then with a sentence, which is English in English alone."""
    answer = client.post(f"/table/{path}?lang={language}", data=body, content_type="application/json")
    assert answer.status_code in (200, 400), (path, body[:80], answer.status_code)
    if answer.status_code == 200:
        return False
    said = str(answer.get_json()["message"])
    assert said
    assert "Traceback" not in said
    assert language == "en" or "expected" not in said.lower(), said
    return True


def refused(client: FlaskClient, path: str, **body: object) -> bool:
    """Whether it is refused, in English and in another language alike: which one depends on what is sent."""
    sent = json.dumps(body).encode()
    (found,) = {is_refused(client, path, sent, language) for language in ("en", OTHERS[len(sent) % len(OTHERS)])}
    return found


@pytest.mark.parametrize("line", POSITIONS, ids=lambda line: str(line)[:30])
def test_a_bad_position_is_refused_in_words(client: FlaskClient, line: object) -> None:
    assert refused(client, "position", position=line)
    assert refused(client, "options", position=line)
    assert refused(client, "ask", position=line, events=["A refresh"])


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: str(event)[:30])
def test_a_bad_event_is_refused_in_words(client: FlaskClient, event: object) -> None:
    assert refused(client, "ask", position=GOOD, events=[event])
    assert refused(client, "judge", header=SHEET, ruleset="compile", entries=[{"line": event}])
    assert refused(client, "judge", header=SHEET, ruleset="compile", entries=[event])


@pytest.mark.parametrize("text", PASTED, ids=lambda text: text[:20].encode("ascii", "replace").decode())
def test_what_is_nothing_of_ours_is_refused_in_words(client: FlaskClient, text: str) -> None:
    assert all(refused(client, "gather", text=text, ruleset=game) for game in ("compile", "altered", "chess"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_broken_in_a_save_is_named(client: FlaskClient, language: str) -> None:
    told = client.post(f"/table/gather?lang={language}", json={"text": '{"ObjectStates":[{"Nickname":3}]}'}).get_json()
    broken = told["unread"][0]
    assert (broken["key"], broken["where"]) == ("save_broken", "ObjectStates[0]")
    assert language == "en" or "Expected" not in broken["message"]


@pytest.mark.parametrize("header", RECORDS, ids=lambda header: str(header)[:30])
def test_a_game_that_cannot_begin_is_refused_in_words(client: FlaskClient, header: object) -> None:
    assert refused(client, "judge", header=header, ruleset="compile", entries=[])


@pytest.mark.parametrize("path", PATHS)
def test_whatever_is_sent_is_answered_in_words(client: FlaskClient, path: str) -> None:
    assert all(is_refused(client, path, body, language) for body, language in product(RAW, ("en", "pl")))


def test_a_refusal_names_what_cannot_stand_there_and_the_nearest(client: FlaskClient) -> None:
    def told(line: str, language: str) -> str:
        answer = client.post(f"/table/position?lang={language}", json={"position": line})
        return str(answer.get_json()["message"])

    misspelt, twice = GOOD.replace("plague", "plagu"), GOOD.replace("h1s4", "h1h1")
    place = "position.sides.A.protocols[0]"
    assert told(misspelt, "fr") == f"plagu ne peut figurer là\u00a0: {place}. Le plus proche est plague."
    assert told(misspelt, "it") == f"plagu non può stare lì: {place}. Il più vicino è plague."
    assert told(twice, "pl") == "hate-1 występuje tam więcej niż raz: position.sides"
    assert "the nearest is plague" in told(misspelt, "en")
