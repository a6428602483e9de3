"""Setups that cannot be understood are errors with their field; those that can are read as they are meant."""

from __future__ import annotations

from typing import Any

import pytest

from audit.core.errors import SetupError, UnknownReadingError
from audit.core.model import LOG_VERSION, Header, Player
from audit.games.lotr_reveal import RULESET
from audit.games.lotr_reveal.cards import Does, Enters
from audit.games.lotr_reveal.lookup import card_of
from audit.games.lotr_reveal.texts import keyword_and_value, read, read_enters, says

GOOD: dict[str, Any] = {"players": ["ann"], "encounter_deck": ["orc"], "cards": {"orc": {"type": "enemy"}}}


def header(setup: dict[str, Any], **changes: Any) -> Header:
    return Header(log=LOG_VERSION, ruleset="lotr-reveal", setup=setup, **changes)


@pytest.mark.every(
    ("change", "field"),
    [
        ({"players": []}, "players"),
        ({"players": "ann"}, "players"),
        ({"first_player": "zoe"}, "first_player"),
        ({"threat": {"zoe": 3}}, "threat.zoe"),
        ({"hand_size": {"zoe": 3}}, "hand_size.zoe"),
        ({"encounter_deck": ["orc", "orc"]}, "encounter_deck"),
        ({"encounter_deck": "orc"}, "encounter_deck"),
        ({"staging_area": ["orc"]}, "encounter_deck"),
        ({"cards": {"orc": {"type": 3}}}, "cards.orc.type"),
        ({"cards": {"orc": {"hitpoints": 3}}}, "cards.orc.hitpoints"),
        ({"cards": {"orc": 3}}, "cards.orc"),
        ({"in_play": {"blade": {"owner": "zoe"}}}, "in_play.blade.owner"),
        ({"in_play": {"blade": {"on_reveal": {"amount": 1}}}}, "in_play.blade.on_reveal.effect"),
        ({"in_play": {"blade": {"step": "13"}}}, "in_play.blade.step"),
        ({"players": ["ann", "ann"]}, "players"),
        ({"players": [""]}, "players[0]"),
        ({"cards": {"orc": {"keywords": {"surge": 100000}}}}, "cards.orc.keywords.surge"),
        ({"in_play": {"blade": {"on_reveal": {"effect": "heal"}}}}, "in_play.blade.on_reveal.effect"),
        ({"in_play": {"ears": {"disposition": "burn"}}}, "in_play.ears.disposition"),
        ({"reveals": -1}, "reveals"),
        ({"weather": "fine"}, "weather"),
        ({"frist_player": True}, "frist_player"),
        ({"moon_is_full": False}, "moon_is_full"),
        ({"facts": {"moon_is_full": 1}}, "facts.moon_is_full"),
        ({"cards": {"orc": {"outcome_effects": [{"trigger": "killed"}]}}}, "cards.orc.outcome_effects[0].trigger"),
        ({"cards": {"orc": {"forced": {"step": "11", "efect": "x"}}}}, "cards.orc.forced.efect"),
        ({"in_play": {"blade": {"comitted": True}}}, "in_play.blade.comitted"),
        ({"in_play": {"blade": {"side": "evil"}}}, "in_play.blade.side"),
        ({"characters": {"gimli": {"wounds": 2}}}, "characters.gimli.wounds"),
        ({"progress": {"no-such-ford": 2}}, "progress.no-such-ford"),
        ({"partly_known": {"staging": []}}, "partly_known.staging"),
        ({"shuffles": ["orc"]}, "shuffles[0]"),
    ],
)
def test_what_cannot_be_understood_is_named(change: dict[str, Any], field: str) -> None:
    with pytest.raises(SetupError) as failure:
        RULESET.rules.start(header({**GOOD, **change}))
    assert failure.value.field == field
    assert failure.value.expected


@pytest.mark.every(
    ("change", "allowed"),
    [
        ({"cards": {"orc": {"type": ""}}}, "a text of 1 to 64 characters"),
        ({"first_player": "zoe"}, "one of ann"),
        ({"in_play": {"blade": {"step": "13"}}}, '"4", "4.5", "5.0", "5.1", "6"'),
        ({"in_play": {"blade": {"on_reveal": {"amount": 1}}}}, '"damage", "grant_keyword", "other" or "progress"'),
        ({"cards": {"orc": {"keywords": {"surge": 100000}}}}, "true or false or a whole number from -1000 to 1000"),
        ({"cards": {"orc": {"forced": {"step": "11", "efect": "x"}}}}, "one of step, effect, to"),
        ({"reveals": -1}, "a whole number from 0 to 1000"),
        ({"players": "ann"}, "a list"),
        ({"threat": {"ann": "low"}}, "a whole number"),
        ({"moon_is_full": False}, "or a fact that `immune` of a card asks for"),
    ],
)
def test_what_is_allowed_is_listed(change: dict[str, Any], allowed: str) -> None:
    with pytest.raises(SetupError) as failure:
        RULESET.rules.start(header({**GOOD, **change}))
    assert allowed in failure.value.expected


def test_a_fact_that_a_card_asks_for_may_stand_by_itself() -> None:
    spectre = {"type": "enemy", "immune": "while the moon is full"}
    by_itself = header({**GOOD, "cards": {"orc": spectre}, "moon_is_full": True})
    among_facts = header({**GOOD, "cards": {"orc": spectre}, "facts": {"moon_is_full": True}})
    assert RULESET.rules.start(by_itself) == RULESET.rules.start(among_facts)
    assert card_of(RULESET.rules.start(by_itself), "orc").immune is True


def test_the_first_player_of_the_header_has_to_play() -> None:
    with pytest.raises(SetupError) as failure:
        RULESET.rules.start(header(GOOD, first="zoe"))
    assert (failure.value.field, failure.value.expected) == ("first", "one of ann")
    assert RULESET.rules.start(header(GOOD, first="ann")).first == "ann"


def test_a_card_is_described_and_lies_under_any_of_its_names() -> None:
    setup = {
        "players": ["ann"],
        "encounter_deck": ["Eastern Crows"],
        "cards": {"eastern-crows": {"type": "enemy", "hit_points": 1}},
        "staging_area": ["Corbeaux de l'Est#2"],
        "in_play": {"The Door Is Closed!": {"owner": "ann"}},
    }
    state = RULESET.rules.start(header(setup))
    assert (state.deck, state.staging) == (("eastern-crows",), ("eastern-crows#2",))
    assert [card_of(state, card).hit_points for card in (*state.deck, *state.staging)] == [1, 1]
    assert state.sources["The Door Is Closed!"].response == "cancel_card"


WRONG_CARD: dict[str, Any] = {"cards": {"orc": {"type": 3}}}
STRANGER: dict[str, Any] = {"in_play": {"blade": {"owner": "zoe"}}}


@pytest.mark.every(
    ("change", "field"),
    [
        ({**WRONG_CARD, "first_player": "zoe"}, "cards.orc.type"),
        ({**WRONG_CARD, **STRANGER}, "cards.orc.type"),
        ({"in_play": {**STRANGER["in_play"], "lamp": 3}}, "in_play.lamp"),
        ({"first_player": "zoe", **STRANGER}, "first_player"),
    ],
)
def test_of_several_mistakes_what_cannot_be_read_comes_before_what_does_not_hold_together(
    change: dict[str, Any], field: str
) -> None:
    with pytest.raises(SetupError) as failure:
        RULESET.rules.start(header({**GOOD, **change}))
    assert failure.value.field == field


def test_players_of_the_header_will_do() -> None:
    state = RULESET.rules.start(header({"encounter_deck": []}, players=(Player("ann"), Player("bob"))))
    assert state.setup.seats == ("ann", "bob")


def test_keys_of_ones_own_are_never_read() -> None:
    setup = {**GOOD, "x-mood": "fine", "cards": {"orc": {"type": "enemy", "x-artist": "unknown"}}}
    assert RULESET.disclosure.view(RULESET.rules.start(header(setup))) == RULESET.disclosure.view(
        RULESET.rules.start(header(GOOD))
    )


@pytest.mark.every("place", ["cards", "in_play", "threat", "characters"])
def test_a_key_of_ones_own_may_stand_among_cards_and_players(place: str) -> None:
    setup = {**GOOD, "in_play": {}}
    own = {**setup, place: {**setup.get(place, {}), "x-remark": {}}}
    assert RULESET.rules.start(header(own)) == RULESET.rules.start(header(setup))


def test_an_unknown_reading_is_an_error_that_lists_the_readings() -> None:
    with pytest.raises(UnknownReadingError) as failure:
        RULESET.rules.start(header(GOOD, reading="mine"))
    assert failure.value.known == (*RULESET.rules.readings, "no-outcome-at-4")


def test_a_copy_is_described_by_its_card() -> None:
    state = RULESET.rules.start(header({**GOOD, "encounter_deck": ["orc", "orc#2"]}))
    assert card_of(state, "orc#2").type == "enemy"
    assert RULESET.wording.finding_words({"card": "orc#2"}, "en") == {"card": "Orc (2)"}


@pytest.mark.every(
    ("text", "does"),
    [
        ("raise threat by 7", Does(threat=7)),
        ("shuffle into encounter deck", Does(to="encounter_deck")),
        ("first player draws a card", Does(draws=1, who="first")),
        ("each player draws 2 cards", Does(draws=2)),
        ("sing a song", Does()),
    ],
)
def test_a_few_phrases_are_understood(text: str, does: Does) -> None:
    assert read(text) == does


def test_an_effect_of_entering_is_its_first_word_and_the_first_type_it_names() -> None:
    assert read_enters("attach to an enemy entering the staging area") == Enters("attach", "enemy")
    assert read_enters("rest") == Enters("rest", None)


def test_a_condition_speaks_of_a_fact_that_has_its_words() -> None:
    assert says("while the One Ring is exhausted", "one_ring_exhausted")
    assert not says("while the One Ring is exhausted", "one_ring_ready")


def test_a_gained_keyword_may_have_a_value() -> None:
    assert keyword_and_value("doomed 2") == ("doomed", 2)
    assert keyword_and_value("surge") == ("surge", 1)


def test_a_number_no_card_would_print_is_no_number() -> None:
    endless = "9" * 5000
    assert keyword_and_value(f"doomed {endless}") == ("doomed", 1)
    assert read(f"raise threat by {endless}") == Does()
    assert read(f"draw {endless} cards, {endless} damage to each ready character") == Does()


@pytest.mark.every(
    ("card", "response", "step", "goes_to", "another_comes"),
    [
        ("fine-hearing", "cancel_card", None, "shuffle_into_deck", True),
        ("frodo", "cancel_card", None, "shuffle_into_deck", True),
        ("door-is-closed", "cancel_card", None, None, None),
        ("minas-tirith-lampwright", "name_type", None, None, None),
        ("winged-feet", "ready_character", "4.5", None, None),
        ("no-hasty-judgement", "other", "5.0", None, None),
        ("test-of-will", "cancel_when_revealed", None, None, None),
        ("eleanor", "cancel_when_revealed_and_replace", None, None, None),
        ("gandalf", None, None, None, None),
    ],
)
def test_of_some_cards_the_document_says_what_they_do(
    card: str, response: str | None, step: str | None, goes_to: str | None, another_comes: bool | None
) -> None:
    """The setup only says that they are in play; what it says of another card stands."""
    in_play = {card: {"owner": "ann"}, f"{card}#2": {"response": "other"}}
    state = RULESET.rules.start(header({**GOOD, "in_play": in_play}))
    source = state.sources[card]
    assert (source.response, source.step, source.disposition, source.replacement) == (
        response, step, goes_to, another_comes,
    )  # fmt: skip
    assert state.sources[f"{card}#2"].response == "other"
