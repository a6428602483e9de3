"""Rulings on the pages: beside rules and cards, found by a question; steps say which editions judge them otherwise."""

from __future__ import annotations

import re

from flask.testing import FlaskClient

from audit.games.compile import RULESET
from audit.games.compile.rules import CATALOGUE
from replays.terminal.card_entries import card_entry
from web.games.payload import editions_of

RULING = "ruling.gravity-2"


def page(client: FlaskClient, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def test_a_ruling_has_a_page_with_its_edition_and_the_rules_it_bears_on(client: FlaskClient) -> None:
    text = page(client, f"/rules/compile/{RULING}")
    assert CATALOGUE.statement(CATALOGUE[RULING], "pl") in text
    assert "cx-01" in text
    assert "In force since edition 2025-09" in text
    assert all(f'href="/rules/compile/{id}"' in text for id in CATALOGUE.rulings[RULING].bears_on)


def test_the_number_of_a_ruling_leads_to_its_page(client: FlaskClient) -> None:
    answer = client.get("/rules/compile/cx-01")
    assert (answer.status_code, answer.location) == (301, f"/rules/compile/{RULING}")


def test_every_ruling_stands_in_the_list_and_with_its_card(client: FlaskClient) -> None:
    rules, cards = page(client, "/rules/compile"), page(client, "/cards/compile?q=gravity")
    assert all(f'href="/rules/compile/{id}"' in rules for id in CATALOGUE.rulings)
    assert f'href="/rules/compile/{RULING}"' in cards


def test_a_rule_lists_the_rulings_that_bear_on_it(client: FlaskClient) -> None:
    assert 'href="/rules/compile/ruling.all-and-each"' in page(client, "/rules/compile/each.leaves-covered-out")


def test_a_question_on_the_page_is_answered_with_why(client: FlaskClient) -> None:
    text = page(client, "/rules/compile?q=can a coverd card be flipped")
    assert 'href="/rules/compile/text.covered-card-turned-up"' in text
    assert "coverd → covered" in text


def test_the_editions_that_judge_a_step_otherwise_are_told_by_verdict() -> None:
    step: dict[str, object] = {
        "editions": {"first": "illegal", "2024-10": "illegal", "2025-08": "impossible"},
        "editions_by": {"first": ["erratum.a"], "2024-10": ["erratum.a"], "2025-08": ["ruling.b", "ruling.c"]},
    }
    assert editions_of(step, "en") == [
        ["first, 2024-10", "illegal", "erratum.a"],
        ["2025-08", "impossible", "ruling.b, ruling.c"],
    ]
    assert editions_of({}, "en") == []


def test_a_question_that_names_a_card_tells_first_what_it_does(client: FlaskClient) -> None:
    text = page(client, "/rules/compile?q=may+Gravity+2+flip+a+covered+card")
    card, rule = text.index('href="/cards/compile#gravity-2"'), text.index(f'href="/rules/compile/{RULING}"')
    assert card < rule
    assert card_entry(RULESET, "gravity-2").texts("en")["middle command"] in text


def test_the_name_of_a_card_lists_what_was_said_of_it_and_the_rules_it_rests_on(client: FlaskClient) -> None:
    text = page(client, "/rules/compile?q=grawitacja+2&lang=pl")
    entry = card_entry(RULESET, "gravity-2")
    assert "Grawitacja 2" in text
    assert re.findall(r'href="/rules/compile/([\w.-]+)', text) == [rule.id for rule in (*entry.said, *entry.rests_on)]


def test_a_question_about_something_else_finds_nothing(client: FlaskClient) -> None:
    text = page(client, "/rules/compile?q=how+do+I+cook+pasta")
    assert 'class="empty"' in text
    assert 'href="/rules/compile/' not in text
