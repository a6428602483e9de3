"""Reads the few English phrases a setup may use in place of declared fields. What it cannot read stays a text."""

from __future__ import annotations

import re
from functools import lru_cache

from audit.games.lotr_reveal.cards import DOCUMENT_TYPES, Does, Enters, Text

TYPES = DOCUMENT_TYPES
_SENTENCE = re.compile(r"[.;]+\s*")
_LABEL = re.compile(r"^(?:when revealed|forced)\s*:\s*")
_UNCANCELLABLE = re.compile(r"(?:this|the)?\s*(?:when revealed )?(?:effect )?can(?:not|'t| not) be cancell?ed")
_PLAYERS = r"(?P<who>each player|every player|all players|the first player|first player|you)"
_PLAIN = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:raise|increase) {_PLAYERS}(?:'s|')? threat by (?P<threat>\d{{1,3}})",
        rf"{_PLAYERS} (?:must )?raises? (?:his|her|their|your)(?: or her)? threat by (?P<threat>\d{{1,3}})",
        r"(?:raise|increase) threat by (?P<threat>\d{1,3})",
        r"(?:raise|increase) (?P<who>your) threat by (?P<threat>\d{1,3})",
        r"(?:deal )?(?P<damage>\d{1,3}) damage to each (?P<who>exhausted|ready) character(?: in play)?",
        r"(?:it|this card|this enemy|this location|this treachery)? ?gains (?P<gains>surge|peril|doomed \d{1,2})",
    )
)
"""Sentences that say all they do: how much, and, but for one, whom it reaches."""
_WHO = {"first player": "first", "the first player": "first", "you": "you", "your": "you"}

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


@lru_cache(maxsize=1024)
def read_text(text: str) -> Text:
    """A text of one plain sentence is understood, whatever it says about being cancelled; any other is not."""
    sentences = [one for one in _SENTENCE.split(_LABEL.sub("", text.casefold().replace("’", "'").strip())) if one]
    effects = [one for one in sentences if not _UNCANCELLABLE.fullmatch(one)]
    can_be_cancelled = len(effects) == len(sentences)
    found = (
        next((match for rule in _PLAIN if (match := rule.fullmatch(effects[0]))), None) if len(effects) == 1 else None
    )
    if found is None:
        return Text(can_be_cancelled=can_be_cancelled)
    parts = found.groupdict()
    does = Does(threat=int(parts.get("threat") or 0), damage=int(parts.get("damage") or 0), who=_who(parts.get("who")))
    gains = (parts["gains"],) if parts.get("gains") else None
    return Text(does, gains, bool(does.who or gains), can_be_cancelled)


def _who(word: str | None) -> str | None:
    return word if word in (None, "exhausted", "ready") else _WHO.get(word, "each")


def read_enters(text: str) -> Enters:
    """The effect is the first word, the kind of card the first that the text names: `attach to an enemy …`."""
    found = re.findall(r"[a-z_]+", text.casefold())
    effect = found[0] if found else text
    return Enters(effect, next((word for word in found if word in TYPES), None))


def type_said(text: str | None) -> str | None:
    """A type of cards however it is written: `Side Quest` is a `side-quest`."""
    return "-".join(re.findall(r"\w+", text.casefold().replace("_", " "))) or None if text else None


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
