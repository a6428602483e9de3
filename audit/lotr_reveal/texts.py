"""Reads the few English phrases a setup may use in place of declared fields. What it cannot read stays a text."""

from __future__ import annotations

import re
from functools import lru_cache

from audit.lotr_reveal.cards import Does, Enters

TYPES = ("enemy", "location", "treachery")
_DECK = re.compile(r"\b(?:shuffle|return)\w*\b.*\bdeck\b")
_THREAT = re.compile(r"\bthreat\b\D*(\d{1,3})(?!\d)")
_DRAW = re.compile(r"\bdraws? (a|\d{1,3}) cards?\b")
_DAMAGE = re.compile(r"(?<!\d)(\d{1,3}) damage to each (exhausted|ready)?")


@lru_cache(maxsize=1024)
def read(text: str) -> Does:
    """What a text comes to: `raise threat by 7`, `shuffle into encounter deck`, `1 damage to each exhausted …`."""
    low = text.casefold()
    threat, draws, damage = _THREAT.search(low), _DRAW.search(low), _DAMAGE.search(low)
    return Does(
        to="encounter_deck" if _DECK.search(low) else None,
        threat=int(threat[1]) if threat else 0,
        draws=_number(draws[1]) if draws else 0,
        damage=int(damage[1]) if damage else 0,
        who=damage[2] if damage else ("first" if "first player" in low else None),
    )


def read_enters(text: str) -> Enters:
    """The effect is the first word, the kind of card the first that the text names: `attach to an enemy …`."""
    found = re.findall(r"[a-z_]+", text.casefold())
    effect = found[0] if found else text
    return Enters(effect, next((word for word in found if word in TYPES), None))


def says(condition: str, fact: str) -> bool:
    """Whether a condition speaks of a fact: `while the One Ring is exhausted` of `one_ring_exhausted`."""
    return set(fact.casefold().split("_")) <= set(re.findall(r"\w+", condition.casefold()))


def keyword_and_value(gained: str) -> tuple[str, int]:
    """`doomed 2` is a keyword and its value; a keyword alone has the value 1."""
    name, _, value = gained.partition(" ")
    return name, _number(value)


def _number(word: str) -> int:
    """A number of up to three digits; anything else counts as one."""
    return int(word) if word.isdecimal() and len(word) <= 3 else 1
