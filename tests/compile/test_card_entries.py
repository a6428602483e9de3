"""Every card has an entry of its own: what it does, what was said of it, and the general rules it rests on."""

from __future__ import annotations

import json

import pytest

from audit.core.catalogue import LANGUAGES, words
from audit.games.compile import RULESET
from audit.games.compile.cards import CARDS, PROTOCOLS
from audit.games.compile.rules import CATALOGUE
from replays.terminal.card_entries import card_called, card_entry, card_json, card_lines, cards_named
from tests.command_line import run


def lines(*args: str) -> list[str]:
    done = run("rule", *args)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode().splitlines()


@pytest.mark.every("protocol", PROTOCOLS)
def test_every_card_tells_what_it_does_and_on_which_rules_it_rests(protocol: str) -> None:
    for card in (card.id for card in PROTOCOLS[protocol].cards):
        entry = card_entry(RULESET, card)
        boxes = sum(bool(CARDS[card].box(box)) for box in ("top", "middle", "bottom"))
        for language in LANGUAGES:
            assert len(entry.texts(language)) == boxes, card
            told = "\n".join(card_lines(entry, language))
            assert all(text in told for text in entry.texts(language).values()), card
            assert all(CATALOGUE.statement(rule, language) in told for rule in (*entry.said, *entry.rests_on)), card
        assert entry.rests_on, card
        assert set(entry.said) == {rule for rule in CATALOGUE.entries if card in rule.cards}


@pytest.mark.every("language", LANGUAGES)
def test_a_card_is_found_by_its_name_in_every_language(language: str) -> None:
    for card in CARDS:
        family, value = card.split("-")
        name = words("audit.games.compile", language, "names")[f"protocol.{family}"]
        for said in (f"{name} {value}", f"{name.upper()}-{value}"):
            found = card_called(said)
            assert found is not None, said
            assert (found.id, found.name(language)) == (card, f"{name} {value}")


@pytest.mark.every(
    ("question", "cards"),
    [
        ("my opponent flipped my covered Fire 0 with Light 2, can he?", ["fire-0", "light-2"]),
        ("what does gravty 0 do", ["gravity-0"]),
        ("que fait Grvité 0 ?", ["gravity-0"]),
        ("I draw 2 and discard 1 in line 2", []),
        ("is there a Gravity 9", []),
        ("wat 2", []),
    ],
)
def test_a_question_names_its_cards_also_misspelt(question: str, cards: list[str]) -> None:
    assert [entry.id for entry in cards_named(RULESET, question)] == cards


def test_what_a_card_rests_on_follows_from_what_it_tells_to_do() -> None:
    """Gravity 2 turns an uncovered card over and shifts it; Fire 0 has a text before it is covered as well."""
    gravity = {rule.id for rule in card_entry(RULESET, "gravity-2").rests_on}
    assert {"flip.turns-over", "target.uncovered-by-default", "shift.other-line-same-side"} <= gravity
    assert "cover-trigger.before-covering" not in gravity
    fire = {rule.id for rule in card_entry(RULESET, "fire-0").rests_on}
    assert {"flip.turns-over", "draw.from-top-to-hand", "cover-trigger.before-covering"} <= fire


def test_a_card_that_no_ruling_names_says_so() -> None:
    assert not card_entry(RULESET, "gravity-0").said
    assert "  No entry speaks of this card alone." in lines("gravity-0")
    assert "  Said of this card" in lines("gravity-2")


def test_the_command_tells_a_card_before_the_rules_for_a_question_that_names_it() -> None:
    told = lines("what does Gravity 0 do")
    assert told[:3] == ["compile:", "gravity-0", "  Gravity 0"]
    assert lines("gravity-0")[0] == lines("Gravité", "0")[0] == "gravity-0"


def test_a_card_as_data_has_four_languages_and_its_rules() -> None:
    data = json.loads(run("rule", "gravity-0", "--json", "--lang", "it").stdout)
    assert data == json.loads(json.dumps(card_json(card_entry(RULESET, "gravity-0"), "it")))
    assert (data["kind"], data["name"], set(data["in_languages"])) == ("card", "Gravità 0", set(LANGUAGES))


@pytest.mark.every(
    ("id", "said"),
    [
        ("gravity-9", "no rule is called 'gravity-9'; did you mean gravity-"),
        ("graviti-9", "no rule is called 'graviti-9'; did you mean gravity-"),
        ("control.gaind", "no rule is called 'control.gaind'; did you mean control.gained?"),
    ],
)
def test_a_card_that_there_is_not_is_answered_with_the_nearest(id: str, said: str) -> None:
    done = run("rule", id)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith(said)


def test_a_game_whose_cards_come_with_each_log_names_none() -> None:
    assert card_called("Fire 0", "altered") is None


def test_the_former_name_of_the_command_goes_on_working() -> None:
    former = run("rules", "can a covered card be flipped")
    assert former.stdout == run("rule", "can a covered card be flipped").stdout != b""
