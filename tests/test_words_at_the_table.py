"""Sentences as one would say them at a table, with the terms of each game's own documents."""

from __future__ import annotations

import re

import pytest

from audit.core.catalogue import words
from audit.core.ruleset import ruleset
from audit.core.sentences import tell
from audit.games.altered.events import CardPlayed, ObjectLeft

ALTERED, REVEAL = "audit.games.altered", "audit.games.lotr_reveal"
SHOWN = ("rules", "sentences", "titles", "names", "scene")
UNSAID = {
    (ALTERED, "fr"): r"\bespaces?\b|progress(e|er|é|ent)\b|\bdû\b",
    (ALTERED, "it"): r"\bvoltat|\bvoltano\b|\bMagi[ae]\b|\bsegnalino\"|finché (passa|tutti hanno)",
    (ALTERED, "pl"): r"\bpo pasie\b|Naprzeciw \{",
    (REVEAL, "fr"): r"\bfut\b|\baccompli|\bs'accomplit|pioche Rencontre|\bse traite|\best dû\b",
    (REVEAL, "it"): r"\besaust|\bnominat|\bsi compi|\bè dovuto\b",
    (REVEAL, "pl"): r"\bnazwany\b|\bnazwać\b|\bnazywa typ\b",
}
"""What nobody says at a table, or what the documents call otherwise."""


@pytest.mark.every(("package", "language"), UNSAID)
def test_nothing_is_said_that_nobody_says(package: str, language: str) -> None:
    told = [str(said) for file in SHOWN for said in words(package, language, file).values()]
    assert [said for said in told if re.search(UNSAID[package, language], said)] == []


@pytest.mark.every(
    ("language", "played", "left"),
    [
        ("en", "ben plays hare from hand to Hero expedition (1 mana).", "hare goes from Reserve to hand."),
        ("fr", "ben joue hare de sa main dans l'expédition du Héros (1 mana).", "hare va de la Réserve en main."),
        ("it", "ben gioca hare dalla mano nella spedizione dell'Eroe (1 mana).", "hare va dalla Riserva in mano."),
        ("pl", "ben zagrywa hare z ręki do wyprawy Bohatera (mana: 1).", "hare przechodzi z Rezerwy na rękę."),
    ],
)
def test_a_card_goes_from_one_place_into_another(language: str, played: str, left: str) -> None:
    game = ruleset("altered")
    card = CardPlayed(
        seq=1, player="ben", card="hare", from_="hand", to_zone="hero_expedition", to_owner="ben", mana=1
    )  # fmt: skip
    assert tell(game, card, language) == played
    assert tell(game, ObjectLeft(seq=1, object="hare", from_="reserve", to="hand"), language) == left
