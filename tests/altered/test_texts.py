"""Texts of cards: plain sentences are judged in four languages; any other makes unchecked only what it may change."""

from __future__ import annotations

from typing import Any

import pytest

from audit.games.altered.rules import reaction_check
from audit.games.altered.state import NO_LIMIT, Deed
from audit.games.altered.texts import deeds, may_place_itself, status_meant, subjects
from tests.altered.situations import audited
from tests.altered.test_real_play import CARDS, EMPTY, Event, day, found, moved, passed, played, unchecked
from tests.altered.test_tables import activated, reacting

# What a sentence says

PLAIN = {
    "draw": ("Draw a card.", "Piochez une carte.", "Pesca una carta", "Dobierz kartę", "Vous piochez 1 carte"),
    "ready": ("Ready a Mana Orb", "Redressez une Orbe de Mana", "Raddrizza un Globo di Mana", "Odśwież Kulę Many"),
    "reserve": (
        "Send it to Reserve", "Envoyez-moi en Réserve", "Mandami nella Riserva", "Odeślij ją do Rezerwy",
        "Return target Character to Reserve", "Renvoyez le Personnage ciblé en Réserve",
        "Envoyez en Réserve le Personnage ciblé", "Rimanda il Personaggio bersaglio nella Riserva",
        "Odeślij do Rezerwy wybraną Postać",
    ),
    "hand": (
        "Return target Character to its owner's hand", "Renvoyez-le dans la main de son propriétaire",
        "Restituisci un Personaggio in mano del suo proprietario", "Zwróć ją na rękę właściciela",
    ),
    "discard": ("Discard a card from your hand", "Sacrifiez un Personnage", "Scarta una carta", "Poświęć Postać"),
    "exhaust": ("Exhaust target card", "Épuisez une carte", "Esaurisci una carta", "Wyczerp kartę"),
    "boost": ("I gain 1 boost", "Personnage ciblé gagne 1 boost", "Ottengo un potenziamento", "Zyskuję 1 wzmocnienie"),
    "status": ("It gains Anchored", "Il devient Endormi", "Un Alleato diventa Fugace", "Postać staje się Ulotna"),
    "token": ("Create a Robot token", "Créez un jeton Robot", "Crea un segnalino Robot", "Stwórz żeton Robota"),
}  # fmt: skip


@pytest.mark.every(("kind", "text"), [(kind, text) for kind, texts in PLAIN.items() for text in texts])
def test_a_plain_sentence_is_read_in_each_language(kind: str, text: str) -> None:
    assert [(one.kind, one.count, one.who) for one in deeds(text) or ()] == [(kind, 1, "you")]


@pytest.mark.every(
    ("word", "status"),
    [
        ("Fleeting", "fleeting"), ("Ancrée", "anchored"), ("addormentato", "asleep"), ("Ulotna", "fleeting"),
        ("sleepy", ""),
    ],
)  # fmt: skip
def test_a_status_is_read_in_each_language(word: str, status: str) -> None:
    assert status_meant(word) == status


def test_only_a_text_that_is_not_read_may_say_where_its_card_is_played() -> None:
    assert not any(map(may_place_itself, ("Draw two cards.", "Gigantic", "At Noon, draw a card.", "I cost 1 less.")))
    assert may_place_itself("I am played to the Landmark zone of any player.")


@pytest.mark.every(
    ("text", "deed"),
    [
        ("Draw two cards", Deed("draw", 2)),
        ("Chaque joueur pioche une carte", Deed("draw", 1, "each")),
        ("Przeciwnik odrzuca kartę", Deed("discard", 1, "opponent")),
        ("You may sacrifice up to two Characters", Deed("discard", 2)),
        ("Send each Character to Reserve", Deed("reserve", NO_LIMIT)),
    ],
)
def test_a_sentence_says_how_many_and_who(text: str, deed: Deed) -> None:
    assert deeds(text) == (deed,)


def test_two_sentences_do_two_things_in_their_order() -> None:
    assert deeds("Draw two cards, then discard a card.") == (Deed("draw", 2), Deed("discard", 1))
    assert deeds("Draw a card. Dance around the table.") is None


@pytest.mark.every(
    ("text", "about"),
    [
        ("When I join, draw a card", {"zones"}),
        ("Quand vous jouez un Sort, je gagne 1 boost", {"stats"}),
        ("I cost 1 less if you control a Permanent", {"cost"}),
        ("I am free if you control a Permanent", {"cost", "stats", "zones", "rest"}),
        ("La regione della mia spedizione è anche montagna", {"region", "stats", "zones", "rest"}),
        ("Gigantic", {"stats", "zones", "rest"}),
        ("Hocus pocus", {"cost", "region", "stats", "zones", "rest"}),
    ],
)
def test_a_sentence_that_is_not_read_changes_only_what_it_speaks_of(text: str, about: set[str]) -> None:
    assert subjects(text) == about


def test_a_text_of_many_pages_is_not_read() -> None:
    assert subjects("the mana " * 100_000) == subjects("Hocus pocus")
    assert deeds("Draw a card. " * 100_000) is None


# What is done by a text


def under(text: str) -> dict[str, Any]:
    """Kim's tower reacts to Kim's cards with this text."""
    return reacting("when you play a card", effect=text)


def carried_out(*done: Event) -> list[Event]:
    """Kim plays a card, the tower reacts, this is done, and Leo has a turn."""
    reaction = {"type": "reaction_played", "player": "kim", "emblem": "e1"}
    return [played("kim", "scout", 2), activated("tower", "light", 1), reaction, *done, *passed("leo")]


def drawn(count: int, player: str = "kim") -> Event:
    return {"type": "cards_drawn", "player": player, "count": count, "reason": "tower"}


@pytest.mark.every("text", PLAIN["draw"])
def test_the_card_that_a_text_has_drawn_is_judged(text: str) -> None:
    steps = audited(under(text), carried_out(drawn(1)))
    assert found(steps) == []
    assert 4 not in unchecked(steps)
    assert reaction_check.NEW_REACTIONS not in steps[3].rules


@pytest.mark.every("text", PLAIN["draw"])
def test_a_second_card_is_one_too_many(text: str) -> None:
    for done in ([drawn(2)], [drawn(1), drawn(1)]):
        [(at, rule)] = found(audited(under(text), carried_out(*done)))
        assert (at, rule) == (3 + len(done), "altered.5.1.1.c")


def test_the_other_player_draws_nothing_by_it() -> None:
    assert found(audited(under("Draw a card"), carried_out(drawn(1, "leo")))) == [(4, "altered.5.1.1.c")]
    assert found(audited(under("Each player draws a card"), carried_out(drawn(1, "leo"), drawn(1)))) == []


def test_a_text_that_has_a_card_drawn_discards_none() -> None:
    steps = audited(under("Draw a card"), carried_out(moved("scout", "hero_expedition", "discard")))
    assert found(steps) == [(4, "altered.5.1.1.c")]


def test_what_an_effect_does_is_held_against_the_words_of_the_log() -> None:
    begun = {"type": "effect_started", "player": "kim", "source": "tower", "effect": "Pesca due carte"}
    ended = {"type": "effect_ended", "player": "kim", "source": "tower"}
    assert found(audited(under(""), carried_out(begun, drawn(2), ended))) == []
    assert found(audited(under(""), carried_out(begun, drawn(3), ended))) == [(5, "altered.5.1.1.c")]


def test_a_text_of_a_plain_sentence_blurs_nothing_else() -> None:
    """The card is drawn, and afterwards hands, costs and sums are as certain as before."""
    steps = audited(under("Draw a card"), [*carried_out(drawn(1)), played("kim", "ox", 2)])
    assert found(steps) == [(6, "altered.day.afternoon.cost-hand")]
    assert list(unchecked(steps)) == []


# What texts in play may change


def market(text: str, **more: Any) -> dict[str, Any]:
    """Kim has a market in the Landmark zone."""
    return day(
        landmark_zone={"kim": ["market"], "leo": []}, hands={"kim": ["scout", "ox"], "leo": ["scout", "ox"]},
        abilities={"scout": [], "ox": [], "market": [text]}, limbo=[], **more,
    )  # fmt: skip


@pytest.mark.every(
    "text",
    [
        "Characters you play cost 1 less", "Les Personnages que vous jouez coûtent 1 de moins",
        "I Personaggi che giochi costano 1 in meno", "Postacie, które zagrywasz, kosztują o 1 mniej",
    ],
)  # fmt: skip
def test_a_landmark_that_speaks_of_costs_makes_its_players_costs_unchecked(text: str) -> None:
    steps = audited(market(text), [played("kim", "scout", 1), played("leo", "scout", 1)])
    assert unchecked(steps)[1] == "unread.cost"
    assert [at for at, _ in found(steps)] == [2]  # the opponent's text makes nothing cheaper for Leo


def test_a_landmark_that_speaks_of_drawing_changes_no_cost() -> None:
    assert [at for at, _ in found(audited(market("At noon, draw a card"), [played("kim", "scout", 1)]))] == [1]


# Whose a card is


def crossed(**more: Any) -> list[Event]:
    """Kim plays a scout to Leo's side; the day ends, and it rests."""
    return [
        played("kim", "scout", 2) | {"to_owner": "leo"}, *passed("leo"), *passed("kim"),
        {"type": "phase_started", "phase": "dusk"}, {"type": "phase_started", "phase": "night"},
        {"type": "daily_effect_started", "effect": "rest"},
        {"type": "character_rested", "card": "scout", "to": "reserve", **more},
    ]  # fmt: skip


def test_a_card_that_was_played_to_the_other_side_rests_with_who_brought_it() -> None:
    given = day(abilities={"scout": ["I am played in target opponent Expedition"]}, hands={"kim": ["scout"], "leo": []})
    assert found(audited(given, crossed(player="kim"))) == []
    assert [rule for _, rule in found(audited(given, crossed(player="leo")))] == ["altered.1.3.2.f.rest"]


def test_the_setup_may_say_who_brought_a_card() -> None:
    rest = [{"type": "character_rested", "player": "kim", "card": "ox", "to": "reserve"}]
    given = day(phase="night", daily_effect="rest", owners={"ox": "kim"}) | {
        "characters": {"kim": EMPTY, "leo": EMPTY | {"hero": [{"id": "ox", "statuses": []}]}}
    }  # fmt: skip
    given.pop("turn_of", None)
    assert found(audited(given, rest)) == []
    assert [at for at, _ in found(audited(given | {"owners": {}}, rest))] == [1]


# Cards that are not where they act


def test_an_exhausted_card_of_the_reserve_and_a_quick_action_from_the_hand_are_not_judged() -> None:
    given = day(
        reserve={"kim": ["scout"], "leo": []}, hands={"kim": ["ox"], "leo": []}, exhausted=["scout"],
        quick_actions={"ox:pull": {"controller": "kim"}},
    )  # fmt: skip
    quick = {"type": "quick_action_played", "player": "kim", "source": "ox", "action": "pull"}
    reserve = played("kim", "scout", 2) | {"from": "reserve"}
    steps = audited(given, [quick, reserve])
    assert found(steps) == []
    assert unchecked(steps) == {1: "unread.quick_place", 2: "unread.exhausted"}


# Boosts and statuses


def rested(to: str) -> list[Event]:
    """The day ends, and the scout rests."""
    return [
        *passed("leo"), *passed("kim"), {"type": "phase_started", "phase": "dusk"},
        {"type": "phase_started", "phase": "night"}, {"type": "daily_effect_started", "effect": "rest"},
        {"type": "character_rested", "player": "kim", "card": "scout", "to": to},
    ]  # fmt: skip


def test_a_status_that_a_text_gives_counts_at_rest() -> None:
    given = under("It gains Anchored")
    done = {"type": "status_gained", "card": "scout", "status": "Anchored"}
    start = carried_out(done)[:4]
    assert found(audited(given, [*start, *rested("stays")])) == []
    [(at, rule)] = found(audited(given, [*start, *rested("reserve")]))
    assert (at, rule) == (10, "altered.4.2.5.b.anchored-asleep-stay")
    lost = {"type": "status_lost", "card": "scout", "status": "anchored"}
    assert found(audited(given, [*start, *passed("leo")])) == []
    assert [at for at, _ in found(audited(given, [*start, lost]))] == [5]  # one status, not two


def test_boosts_that_a_text_gives_are_counted() -> None:
    given = under("Target Character gains 1 boost")
    boosted = carried_out({"type": "boosts_changed", "card": "scout", "count": 1})[:4]
    dusk = [*passed("leo"), *passed("kim"), {"type": "phase_started", "phase": "dusk"}]

    def sums(value: int) -> Event:
        own, none = (
            dict.fromkeys(("forest", "mountain", "water"), value),
            dict.fromkeys(("forest", "mountain", "water"), 0),
        )
        return {
            "type": "expedition_totals", "player": "kim", "expedition": "hero", "against": "leo hero",
            "region": ["forest"], "own": own, "opposing": none,
        }  # fmt: skip

    begun = {"type": "daily_effect_started", "effect": "progress"}
    assert found(audited(given, [*boosted, *dusk, begun, sums(2)])) == []
    assert found(audited(given, [*boosted, *dusk, begun, sums(1)])) == [(9, "altered.1.3.2.e.sum")]


def test_a_text_of_one_boost_gives_no_two_and_none_to_nobody() -> None:
    given = under("Target Character gains 1 boost")
    assert [
        at for at, _ in found(audited(given, carried_out({"type": "boosts_changed", "card": "scout", "count": 2})))
    ] == [4]
    assert [
        at for at, _ in found(audited(given, carried_out({"type": "boosts_changed", "card": "ox", "count": 1})))
    ] == [4]
    alone = [{"type": "boosts_changed", "card": "scout", "count": 1}]
    assert [at for at, _ in found(audited(day(hands={"kim": [], "leo": []}), alone))] == [1]


# Types of cards

TYPES = {"scout": "character", "tower": "landmark", "flash": "spell", "ox": "expedition_permanent", "bug": "token"}
PLACES = {
    "scout": {"hero_expedition", "companion_expedition"}, "ox": {"hero_expedition", "companion_expedition"},
    "tower": {"landmark_zone"}, "flash": {"limbo"}, "bug": set[str](),
}  # fmt: skip


@pytest.mark.every("card", TYPES)
def test_a_card_is_played_where_its_type_belongs(card: str) -> None:
    costs = CARDS["costs"] | {"bug": {"hand": 2, "reserve": 0}}
    given = day(types=TYPES, hands={"kim": [card], "leo": []}, abilities={card: []}) | {"costs": costs}
    for zone in ("hero_expedition", "companion_expedition", "landmark_zone", "limbo"):
        rules = [rule for _, rule in found(audited(given, [played("kim", card, costs[card]["hand"], zone)]))]
        assert rules == ([] if zone in PLACES[card] else ["altered.5.1.1.a"]), zone


def test_a_text_may_have_a_card_played_elsewhere() -> None:
    given = day(
        types=TYPES, hands={"kim": ["tower"], "leo": []}, abilities={"tower": ["I may be played in an Expedition"]}
    )
    steps = audited(given, [played("kim", "tower", 3)])
    assert (found(steps), unchecked(steps)) == ([], {1: "unread.zones"})


def test_a_permanent_does_not_rest() -> None:
    there = {"kim": EMPTY | {"hero": [{"id": "ox", "statuses": []}]}, "leo": EMPTY}
    given = day(phase="night", daily_effect="rest", types=TYPES) | {"characters": there}
    rest = {"type": "character_rested", "player": "kim", "card": "ox", "to": "reserve"}
    assert [rule for _, rule in found(audited(given, [rest]))] == ["altered.4.2.5.b"]
    assert found(audited(given, [{"type": "daily_effect_ended", "effect": "rest"}])) == []
