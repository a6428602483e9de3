"""A client sends what a player pasted: a save or a chat. It gets the position or sheet, and the questions to ask."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.replays.made_save import Table, laid_out
from tests.replays.test_gather_positions import LINE, SIDES
from tests.replays.test_gather_sheets import GAME
from tests.web.lending import viewer_over


@pytest.fixture
def client() -> FlaskClient:
    return viewer_over(AUDIT_VIEWPOINTS="loopback").test_client()


def save() -> str:
    table = laid_out(SIDES, Table())
    table.put("Card", "Fire 2", -2.0, -4.0)
    return table.save().decode()


def test_a_save_becomes_a_position_with_its_questions(client: FlaskClient) -> None:
    found = client.post("/api/v1/import/position", json={"save": save(), "lang": "fr"}).get_json()
    assert found["position"] == LINE
    (question,) = found["questions"]
    assert question["message"] == "Où se trouve Fire 2\u00a0?"
    again = {"save": save(), "answers": {str(question["number"]): "A2"}}
    assert client.post("/api/v1/import/position", json=again).get_json()["questions"] == []


def test_a_chat_becomes_a_sheet_with_its_questions(client: FlaskClient) -> None:
    given = {"text": "A plays Fire 3, B refreshes\nhello", "players": GAME, "face": "up"}
    found = client.post("/api/v1/import/sheet", json=given).get_json()
    assert found["sheet"].splitlines()[2:] == ["?? A plays Fire 3", "B refresh"]
    assert [one["key"] for one in found["questions"]] == ["ask_line"]
    assert [one["where"] for one in found["told"]] == ["line 2"]


@pytest.mark.parametrize(
    ("path", "given", "name"),
    [
        ("position", {"save": "{"}, "save"), ("position", {"save": "[]"}, "save"),
        ("position", {"save": save(), "answers": {"9": "A1"}}, "answer"),
        ("position", {"save": save(), "answers": {"1": "nowhere"}}, "answer"),
        ("sheet", {"text": "A refreshes"}, "log"), ("sheet", {"text": "x", "players": "game x"}, "log"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said_with_its_data(
    client: FlaskClient, path: str, given: dict[str, object], name: str
) -> None:
    answer = client.post(f"/api/v1/import/{path}", json=given)
    assert answer.status_code == 422
    assert name in str(answer.get_json())


@pytest.mark.parametrize("given", [{}, {"save": 3}, {"save": "{}", "answers": {"x": "1"}}, {"save": "{}", "more": 1}])
def test_a_request_of_another_shape_is_refused(client: FlaskClient, given: dict[str, object]) -> None:
    assert client.post("/api/v1/import/position", json=given).status_code in (400, 422)
