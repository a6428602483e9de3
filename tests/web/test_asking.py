"""A judge asks on the page and through the API: the same answer as on the command line, and nothing is kept."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from cli import audit
from tests.web.lending import viewer_over

POSITION = "compile/3A.action.-/plague.fire.water:w3*;;:p51f41:9:/spirit.gravity.hate:;g6*;:h1s4:9:"
MISSED = "compile/9A.action.-/fire.life.water:f5f4f1;l2;:l1,w2:9:/death.metal.speed:;m2;:4:8:"
WRONG_LINE = "A plague-1 2"


@pytest.fixture
def client() -> FlaskClient:
    return viewer_over(AUDIT_VIEWPOINTS="all").test_client()


@pytest.fixture
def stranger() -> FlaskClient:
    return viewer_over(AUDIT_VIEWPOINTS="public").test_client()


def page(client: FlaskClient, *events: str, position: str = POSITION, **more: str) -> str:
    answer = client.get("/ask", query_string={"position": position, "event": list(events), **more})
    assert answer.status_code == 200
    return unescape(answer.text)


def test_the_page_says_no_the_rule_in_four_languages_and_what_instead(client: FlaskClient) -> None:
    text = page(client, WRONG_LINE)
    assert "No." in text
    assert "play.face-up-needs-protocol" in text
    assert re.findall(r"<dt>(EN|FR|IT|PL)</dt>", text)[:4] == ["EN", "FR", "IT", "PL"]
    assert "A plays Plague 1 face up in line 1." in text


def test_a_rule_is_called_by_its_title_and_a_wrong_play_that_stands_is_told_apart(client: FlaskClient) -> None:
    wrong, right = (page(client, line, lang="it") for line in (WRONG_LINE, "A plague-1 1"))
    assert re.search(r'<h3>[^<]* dal suo protocollo <a class="rule"[^>]*>play.face-up-needs-protocol</a></h3>', wrong)
    asked, standing = wrong.index("Che cosa chiedono invece le regole"), wrong.index("Se la giocata resta com'è")
    assert asked < standing
    assert "Se la giocata resta" not in right


@pytest.mark.parametrize(("language", "yes"), [("en", "Yes."), ("fr", "Oui."), ("it", "Sì."), ("pl", "Tak.")])
def test_a_legal_event_is_a_yes_in_the_language_of_the_reader(client: FlaskClient, language: str, yes: str) -> None:
    text = page(client, "A plague-1 1", lang=language)
    assert yes in text
    assert 'value="B discard hate-1"' in text
    assert 'value="B discard spirit-4"' in text


def test_a_compile_that_was_missed_is_said_above_the_answer(client: FlaskClient) -> None:
    text = page(client, "A life-1 2", position=MISSED, lang="fr")
    assert text.index("La ligne 1 peut être compilée") < text.index("Oui.")
    assert "compile.mandatory" in text
    answer = client.post("/api/v1/ask", json={"position": MISSED, "events": ["A compile 1"], "lang": ["fr"]}).get_json()
    assert [one["rules"] for one in answer["doubts"]] == [["compile.mandatory"]]
    assert answer["steps"][-1]["verdict"] == "illegal"


def test_what_is_offered_can_be_asked_by_pressing_it(client: FlaskClient) -> None:
    for line in re.findall(r'name="event" value="([^"]+)"', page(client)):
        assert "Yes." in page(client, line), line


def test_who_may_see_no_hidden_card_may_ask_too_for_the_position_is_their_own(stranger: FlaskClient) -> None:
    assert "No." in page(stranger, WRONG_LINE)


def test_a_question_too_long_for_an_address_is_posted(client: FlaskClient) -> None:
    answer = client.post("/ask", data={"position": POSITION, "event": ["", WRONG_LINE]})
    assert answer.status_code == 200
    assert "play.face-up-needs-protocol" in answer.text
    assert '<button form="question" formmethod="post" formaction="/ask?lang=fr"' in answer.text
    assert f'name="event" value="{WRONG_LINE}"' in answer.text, "the same is asked in another language"


@pytest.mark.parametrize("position", ["x", "compile/", "compile/3A", "chess/8", "<script>alert(1)</script>", "\x00"])
def test_what_is_no_position_is_said_in_one_line_and_shown_again(client: FlaskClient, position: str) -> None:
    answer = client.get("/ask", query_string={"position": position})
    assert answer.status_code == 400
    assert "expected" in answer.text
    assert "<script>alert" not in answer.text


def test_without_a_question_the_page_tells_how_to_ask(client: FlaskClient) -> None:
    answer = client.get("/ask")
    assert answer.status_code == 200
    assert "event=A+plague-1+2" in unescape(answer.text)


def test_the_api_answers_as_the_command_line_does(client: FlaskClient) -> None:
    answer = client.post("/api/v1/ask", json={"position": POSITION, "events": [WRONG_LINE], "lang": ["fr", "pl"]})
    done = CliRunner().invoke(audit, ["ask", POSITION, WRONG_LINE, "--lang", "fr,pl", "--json"])
    assert answer.status_code == 200
    assert answer.json == json.loads(done.stdout)


def test_an_event_may_be_sent_as_it_stands_in_a_log(client: FlaskClient) -> None:
    event = {"type": "played", "player": "A", "card": "plague-1", "line": 2, "face": "up"}
    typed, given = (
        client.post("/api/v1/ask", json={"position": POSITION, "events": [one]}).json for one in (WRONG_LINE, event)
    )
    assert typed == given


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({}, 422),
        ({"position": ""}, 422),
        ({"position": "x"}, 422),
        ({"position": POSITION, "events": [3]}, 422),
        ({"position": POSITION, "events": [None]}, 422),
        ({"position": POSITION, "events": ["A refresh"] * 21}, 422),
        ({"position": POSITION, "events": ["A dances"]}, 422),
        ({"position": POSITION, "events": [{"type": "played"}]}, 422),
        ({"position": POSITION, "lang": ["xx"]}, 422),
        ({"position": POSITION, "reading": "nobody's"}, 422),
        ({"position": POSITION, "edition": "the first of all"}, 422),
        ({"position": "compile/" + "a" * 20_000}, 422),
        ({"position": POSITION, "colour": "red"}, 422),
    ],
)
def test_a_question_that_cannot_be_understood_is_refused(
    client: FlaskClient, sent: dict[str, object], status: int
) -> None:
    answer = client.post("/api/v1/ask", json=sent)
    assert answer.status_code == status
    assert set(answer.json or ()) == {"type", "title", "status", "detail", "error", "data"}


def asked_at(client: FlaskClient, game: str, step: int) -> tuple[str, str | None]:
    """The position and the event of the question that the page of the table opens with."""
    answer = client.get(f"/table/from/{game}", query_string={"step": step, "lang": "en"})
    assert answer.status_code == 200
    desk = unescape(re.findall(r'<div id="desk"[^>]*>', answer.text)[0])
    event = re.search(r' data-event="([^"]*)"', desk)
    return re.findall(r' data-position="([^"]*)"', desk)[0], event and event[1]


@pytest.mark.parametrize("game", ["dispute", "altered-duel", "lotr-crows", "kept-by-hand"])
def test_a_judge_asks_from_any_step_of_a_game(client: FlaskClient, game: str) -> None:
    for step in (0, 9, 10_000):
        position, event = asked_at(client, game, step)
        lines = [event] if event else []
        assert client.get("/ask", query_string={"position": position, "event": lines}).status_code == 200


def test_the_question_about_a_step_is_asked_of_the_table_before_it(client: FlaskClient) -> None:
    line = CliRunner().invoke(audit, ["position", "replays/samples/dispute.jsonl", "--at", "24"]).stdout.strip()
    assert asked_at(client, "dispute", 25) == (line, "A plague-5 2")
    answer = client.get("/ask", query_string={"position": line, "event": "A plague-5 2", "lang": "en"}).text
    assert "Face up only at its protocol" in answer


def test_of_a_step_that_follows_by_itself_the_position_alone_is_asked(client: FlaskClient) -> None:
    position, event = asked_at(client, "dispute", 0)
    assert position.startswith("compile/")
    assert event is None


def test_nobody_else_is_given_the_position_of_a_game(client: FlaskClient, stranger: FlaskClient) -> None:
    assert stranger.get("/table/from/hidden?step=40").status_code == 403
    assert stranger.get("/table/from/hidden?step=40&as=judge").status_code == 403
    for viewer in ("A", "B", "public"):
        assert client.get(f"/table/from/hidden?step=40&as={viewer}").status_code == 403


def test_the_page_of_a_game_leads_there_for_a_judge_alone(client: FlaskClient, stranger: FlaskClient) -> None:
    assert "/table/from/dispute?" in client.get("/games/dispute?step=25").text
    assert "/table/from/dispute?" not in stranger.get("/games/dispute?step=25").text


def test_a_position_with_hidden_cards_is_also_told_as_the_public_may_see_it(client: FlaskClient) -> None:
    whole = "compile/3A.action.-/plague.fire.water:w3*;;:p51f41:9:/spirit.gravity.hate:;g6*;:h1g25s4:9:"
    public = "compile/3A.action.-/plague.fire.water:?A1.1*;;:4:9:/spirit.gravity.hate:;?B2.1*;:4:9:"
    told = client.post("/table/position", json={"position": whole}).get_json()
    assert (told["position"], told["public"]) == (whole, public)
    assert client.post("/table/position", json={"position": public}).get_json()["public"] == ""
    page = client.get("/ask", query_string={"position": whole}).text
    assert "Not everybody has seen all cards" in page
    assert "Not everybody has seen all cards" not in client.get("/ask", query_string={"position": public}).text


def test_covering_hidden_cards_leads_to_a_page_that_can_tell_none_of_them(client: FlaskClient) -> None:
    address = "/games/dispute?step=59&bottom=B&grain=raw&vary=30~B refresh&shown=0"
    page = client.get(address).text
    assert "draws 2 cards: Hate 2 and Spirit 3" in unescape(page)
    cover = unescape(re.findall(r'data-slot="conceal" href="([^"]+)">cover hidden cards', page)[0])
    assert "vary" not in cover
    covered = unescape(client.get(cover).text)
    assert "Bo draws 2 cards." in covered
    assert not re.search(r"Hate 2 and Spirit 3|table/from|cases/new", covered)
    shown = unescape(re.findall(r'data-slot="conceal" href="([^"]+)">show hidden cards', covered)[0])
    assert "draws 2 cards: Hate 2 and Spirit 3" in unescape(client.get(shown).text)
    assert (cover.count("bottom=B"), cover.count("step=59")) == (1, 1)


def test_who_sees_no_hidden_card_has_none_to_cover(stranger: FlaskClient) -> None:
    assert 'data-slot="conceal"' not in stranger.get("/games/dispute?step=25").text
