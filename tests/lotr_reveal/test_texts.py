"""Plain sentences of card texts are read in the four languages, and what they lead to is held to them."""

from __future__ import annotations

from typing import Any

import pytest

from audit.core.auditor import audit
from audit.core.model import LOG_VERSION, Header
from audit.games.lotr_reveal import RULESET
from audit.games.lotr_reveal.cards import Does, Text
from audit.games.lotr_reveal.texts import read, read_text
from tests.lotr_reveal.situations import events

EACH_2 = Text(Does(threat=2, who="each"), None, True)
FIRST_1 = Text(Does(threat=1, who="first"), None, True)
HURT = Text(Does(damage=1, who="exhausted"), None, True, leads_to=("character_damaged",))
SURGE = Text(gains=("surge",), is_understood=True)


@pytest.mark.every(
    ("text", "comes_to"),
    [
        ("Each player raises their threat by 2.", EACH_2),
        ("Chaque joueur augmente sa menace de 2.", EACH_2),
        ("Ogni giocatore aumenta la propria minaccia di 2.", EACH_2),
        ("Każdy gracz podnosi swoje zagrożenie o 2.", EACH_2),
        ("The first player raises his threat by one.", FIRST_1),
        ("Le premier joueur augmente sa menace de 1", FIRST_1),
        ("Il primo giocatore aumenta la sua minaccia di 1", FIRST_1),
        ("Pierwszy gracz podnosi swoje zagrożenie o 1", FIRST_1),
        ("1 damage to each exhausted character", HURT),
        ("Infligez 1 dégât à chaque personnage incliné", HURT),
        ("Infliggi 1 danno a ogni personaggio esausto", HURT),
        ("Zadaj 1 obrażenie każdej wyczerpanej postaci", HURT),
        ("This card gains surge", SURGE),
        ("Cette carte gagne Renfort", SURGE),
        ("Questa carta ottiene Ondata", SURGE),
        ("Ta karta zyskuje Wzmocnienie", SURGE),
    ],
)
def test_what_follows_without_a_choice_is_read(text: str, comes_to: Text) -> None:
    assert read_text(text) == comes_to


@pytest.mark.every(
    ("comes_to", "texts"),
    [
        (
            EACH_2,
            (
                "Raise the threat of each player by 2", "Each player raises his threat level by 2",
                "Each player's threat increases by 2", "Augmentez de 2 la menace de chaque joueur",
                "Chaque joueur augmente de 2 sa menace", "Augmentez de 2 le niveau de menace de chaque joueur",
                "La menace de chaque joueur augmente de 2", "Aumenta di 2 la minaccia di ogni giocatore",
                "Ogni giocatore aumenta di 2 la sua minaccia", "La minaccia di ciascun giocatore aumenta di 2",
                "Podnieś o 2 zagrożenie każdego gracza", "Każdy gracz podnosi o 2 swoje zagrożenie",
                "Zagrożenie każdego gracza wzrasta o 2",
            ),
        ),
        (
            FIRST_1,
            (
                "The first player's threat rises by 1", "Augmentez de 1 la menace du premier joueur",
                "Il primo giocatore aumenta di 1 la sua minaccia", "Podnieś o 1 zagrożenie pierwszego gracza",
            ),
        ),
        (
            HURT,
            (
                "Each exhausted character takes 1 damage", "Each exhausted character is dealt 1 damage",
                "Assign 1 damage to each exhausted character", "All exhausted characters suffer 1 damage",
                "Chaque personnage incliné subit 1 dégât", "Assignez 1 dégât à tous les personnages inclinés",
                "Infliggi 1 danno a ciascun personaggio esausto", "Ogni personaggio esausto subisce 1 danno",
                "Assegna 1 danno a ogni personaggio esausto", "Każda wyczerpana postać otrzymuje 1 obrażenie",
                "Przydziel 1 obrażenie każdej wyczerpanej postaci",
            ),
        ),
        (
            SURGE,
            (
                "This effect gains surge", "Dark Fog gains surge", "The Dark Fog gains surge",
                "Cet effet gagne Renfort",
                "Dark Fog obtient Renfort", "Questo effetto guadagna Ondata", "Dark Fog acquisisce Ondata",
                "Dark Fog zyskuje Wzmocnienie",
            ),
        ),
    ],
)  # fmt: skip
def test_a_sentence_may_have_its_number_first_and_call_its_card_by_name(comes_to: Text, texts: tuple[str, ...]) -> None:
    assert [text for text in texts if read_text(text, "dark-fog#2") != comes_to] == []


@pytest.mark.every("text", ["Each enemy gains surge", "Any Dark Fog gains surge", "Black Fog gains surge"])
def test_a_keyword_of_another_card_is_not_its_own(text: str) -> None:
    assert not read_text(text, "dark-fog").is_understood


@pytest.mark.every(
    ("event", "texts"),
    [
        ("hand_moved", ("You draw 2 cards", "Vous piochez 2 cartes", "Pesca 2 carte", "Dobierz 2 karty")),
        (
            "hand_moved",
            (
                "Each player discards 1 card", "Chaque joueur défausse 1 carte", "Ogni giocatore scarta 1 carta",
                "Każdy gracz odrzuca 1 kartę",
            ),
        ),
        (
            "character_damaged",
            (
                "Deal 2 damage to a hero you control", "Infligez 2 dégâts à un héros", "Infliggi 2 danni a un eroe",
                "Zadaj 2 obrażenia wybranemu bohaterowi",
            ),
        ),
        (
            "characters_exhausted",
            (
                "A player with fewer cards exhausts an ally", "Chaque joueur incline un allié",
                "Ogni giocatore esaurisce un alleato", "Każdy gracz wyczerpuje sojusznika",
            ),
        ),
        (
            "characters_readied",
            ("Ready one hero", "Redressez un héros", "Prepara un eroe", "Przygotuj jednego bohatera"),
        ),
        (
            "tokens_moved",
            (
                "Place 1 progress token on the active location", "Placez 1 marqueur de progression sur le lieu actif",
                "Metti 1 segnalino progresso sul luogo attivo", "Umieść 1 żeton postępu na aktywnym obszarze",
            ),
        ),
        (
            "tokens_moved",
            (
                "Add 1 resource to that hero", "Ajoutez 1 ressource à ce héros", "Aggiungi 1 risorsa a quell'eroe",
                "Dodaj 1 zasób do tego bohatera",
            ),
        ),
        (
            "placement_started",
            (
                "Add the top enemy to the staging area", "Ajoutez cet ennemi à la zone de cheminement",
                "Aggiungi quel nemico all'area di preparazione", "Dołóż tego wroga do strefy przeciwności",
            ),
        ),
        (
            "reveal_started",
            (
                "Reveal another encounter card", "Révélez une autre carte rencontre", "Rivela un'altra carta incontro",
                "Odkryj kolejną kartę spotkania",
            ),
        ),
        (
            "card_put",
            (
                "The first player engages that enemy", "Le premier joueur engage cet ennemi",
                "Il primo giocatore ingaggia quel nemico", "Pierwszy gracz angażuje tego wroga",
            ),
        ),
        (
            "threat_changed",
            (
                "A player who has no ally raises his threat by 2", "Augmentez la menace de 2",
                "Aumenta la minaccia di 2", "Podnieś zagrożenie o 2",
            ),
        ),
    ],
)  # fmt: skip
def test_what_players_choose_is_read_with_the_events_that_tell_it(event: str, texts: tuple[str, ...]) -> None:
    found = [read_text(text) for text in texts]
    assert [text for text, one in zip(texts, found, strict=True) if event not in one.leads_to] == []
    assert all(one.is_understood and one.leaves_choice for one in found)


@pytest.mark.every(
    "text",
    [
        "If no card was discarded, this card gains surge.", "Each player discards 1 card or raises his threat by 2.",
        "Chaque joueur défausse 1 carte ou incline un allié.", "Ogni giocatore scarta 1 carta o esaurisce un alleato.",
        "Każdy gracz odrzuca 1 kartę lub wyczerpuje sojusznika.", "Deal X damage to each exhausted character.",
        "This card gains nightfall.", "The bridge falls.", "", "Draw 1 card. " * 100,
    ],
)  # fmt: skip
def test_any_other_text_is_not_understood(text: str) -> None:
    assert not read_text(text).is_understood


@pytest.mark.every(
    "text",
    [
        "Each player discards 1 card. This effect cannot be cancelled.",
        "Chaque joueur défausse 1 carte. Cet effet ne peut pas être annulé.",
        "Ogni giocatore scarta 1 carta. Questo effetto non può essere annullato.",
        "Każdy gracz odrzuca 1 kartę. Ten efekt nie może zostać anulowany.",
        "The bridge falls. This effect cannot be canceled.",
    ],
)
def test_a_text_says_that_it_cannot_be_cancelled(text: str) -> None:
    assert not read_text(text).can_be_cancelled


@pytest.mark.every(
    ("text", "does"),
    [
        ("augmentez la menace de 7", Does(threat=7)),
        ("augmentez de 7 la menace", Does(threat=7)),
        ("aumenta di 7 la minaccia", Does(threat=7)),
        ("podnieś o 7 zagrożenie", Does(threat=7)),
        ("remélangez-la dans le deck de rencontre", Does(to="encounter_deck")),
        ("il primo giocatore pesca una carta", Does(draws=1, who="first")),
        ("pierwszy gracz dobiera dwie karty", Does(draws=2, who="first")),
    ],
)
def test_a_reaction_of_the_card_itself_is_read_too(text: str, does: Does) -> None:
    assert read(text) == does


def judged(text: str, *told: dict[str, Any]) -> list[tuple[int | None, str]]:
    """The verdicts on what is told after a When Revealed effect of that text, and on the effect itself."""
    fog = {"type": "treachery", "has_when_revealed": True, "text": text}
    setup = {"players": ["ann"], "encounter_deck": 9, "cards": {"fog": fog}, "in_play": {}, "threat": {"ann": 20}}
    log = [
        {"type": "reveal_started", "frame": "f1", "card": "fog", "cause": "staging", "player": "ann"},
        {"type": "when_revealed_resolved", "frame": "f1", "step": "7", "card": "fog"},
        *told,
    ]
    head = Header(log=LOG_VERSION, ruleset="lotr-reveal", setup=setup)
    return [(step.seq, step.verdict.value) for step in audit(RULESET, head, events({"events": log}))][2:]


THREAT = {"type": "threat_changed", "frame": "f1", "step": "7", "player": "ann", "delta": 1}


def test_a_text_that_is_read_is_judged_and_leads_to_nothing_else() -> None:
    hand = {"type": "hand_moved", "player": "ann", "delta": -1}
    assert judged("Each player discards 1 card.", hand) == [(2, "legal"), (3, "unchecked")]
    assert judged("Each player discards 1 card.", THREAT) == [(2, "legal"), (3, "illegal")]
    assert judged("The fog thickens.", THREAT) == [(2, "unchecked"), (3, "unchecked")]
