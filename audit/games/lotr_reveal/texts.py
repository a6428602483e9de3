"""Texts of cards in the words of the four languages: what a plain sentence does. What is not read stays a text.

A sentence that fits a form of `text/<language>/card_texts.toml` does what it says and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from audit.core.catalogue import LANGUAGES, words
from audit.core.model import Event, type_name
from audit.core.plain_sentences import PlainSentences, Said, plain_sentences, small_letters
from audit.games.lotr_reveal.cards import DOCUMENT_TYPES, KEYWORDS, Does, Enters, Text, without_copy
from audit.games.lotr_reveal.events import (
    CardMoved,
    CardPut,
    CharacterDamaged,
    CharactersExhausted,
    CharactersReadied,
    HandMoved,
    PlacementStarted,
    RevealStarted,
    ThreatChanged,
    ThreatMoved,
    TokensMoved,
)
from audit.games.lotr_reveal.names import PACKAGE, canonical, gain_called, kind_called

TYPES = DOCUMENT_TYPES
MAX_LENGTH: Final = 1_000
"""No text of a card is longer; one that is takes long to search, and is not read."""

_THREAT, _DAMAGE_ALL, _GAINS = "threat", "damage_all", "gains"
_LEADS_TO: dict[str, tuple[type[Event], ...]] = {
    "resource": (TokensMoved,),
    "progress": (TokensMoved,),
    "draw": (HandMoved,),
    "discard": (HandMoved, CardPut, CardMoved),
    "damage": (CharacterDamaged, TokensMoved, CardPut),
    "exhaust": (CharactersExhausted,),
    "ready": (CharactersReadied,),
    "stage": (CardMoved, CardPut, PlacementStarted),
    "reveal": (RevealStarted,),
    "engage": (CardMoved, CardPut),
}
"""The kinds of sentences that do nothing by themselves, with the events that tell what came of them."""
OF_TEXTS: Final = (
    HandMoved, CharacterDamaged, CharactersExhausted, CharactersReadied, TokensMoved, ThreatMoved, CardPut,
)  # fmt: skip
"""What came of a text, told by events that belong to no card. It may be written before the text or after it."""
_KINDS = (_THREAT, _DAMAGE_ALL, _GAINS, *_LEADS_TO)
_OBJECT = r"(?P<object>[\w' /-]{1,80}?)"
_NAMED = r"(?P<named>[\w' -]{1,60}?)"


class _Wording(Struct, frozen=True):
    """How one language words the texts of cards."""

    plain: PlainSentences
    label: re.Pattern[str]
    uncancellable: re.Pattern[str]
    condition: re.Pattern[str]
    article: re.Pattern[str]
    into_deck: re.Pattern[str]
    threat_by: re.Pattern[str]
    by_threat: re.Pattern[str]
    draws: re.Pattern[str]
    first: re.Pattern[str]
    quest: re.Pattern[str]


@cache
def _wordings() -> tuple[_Wording, ...]:
    return tuple(map(_wording, LANGUAGES))


def _wording(language: str) -> _Wording:
    data = words(PACKAGE, language, "card_texts")
    player = rf"(?:(?P<each>{data['each']})|(?P<first>{data['first']})|(?P<you>{data['you']})|(?:{data['some']}))"
    patterns = (
        "label",
        "uncancellable",
        "condition",
        "article",
        "into_deck",
        "threat_by",
        "by_threat",
        "draws",
        "first",
        "quest",
    )
    return _Wording(
        plain_sentences(data, _KINDS, {"player": player, "object": _OBJECT, "named": _NAMED}),
        *[re.compile(data[name]) for name in patterns],
    )


@lru_cache(maxsize=1024)
def read(text: str) -> Does:
    """What a card's own reaction comes to: `raise threat by 7`, `shuffle into encounter deck`, `draws a card`."""
    low = small_letters(text[:MAX_LENGTH])
    for one in _wordings():
        threat, draws = one.threat_by.search(low) or one.by_threat.search(low), one.draws.search(low)
        to = "encounter_deck" if one.into_deck.search(low) else None
        if threat or draws or to:
            drawn = one.plain.number(draws["n"] or "") if draws else 0
            who = "first" if one.first.search(low) else None
            return Does(to=to, threat=int(threat["n"]) if threat else 0, draws=drawn, who=who)
    return Does()


@lru_cache(maxsize=1024)
def read_text(text: str, card: str = "") -> Text:
    """A text of plain sentences is understood, whatever it says about being cancelled; any other is not.

    `card` is the card that it stands on, which it may call by its name.
    """
    if len(text) > MAX_LENGTH:
        return Text()
    low = small_letters(text)
    found = [_read_in(one, low, card) for one in _wordings()]
    can_be_cancelled = all(one.can_be_cancelled for one in found)
    best = next((one for one in found if one.is_understood), Text())
    reaches_quest = not best.is_understood and (not low or any(one.quest.search(low) for one in _wordings()))
    return replace(best, can_be_cancelled=can_be_cancelled, reaches_quest=reaches_quest)


def _read_in(wording: _Wording, low: str, card: str) -> Text:
    """What a text comes to in one language."""
    sentences = wording.plain.split(wording.label.sub("", low))
    effects = [one for one in sentences if not wording.uncancellable.fullmatch(one)]
    can_be_cancelled = len(effects) == len(sentences)
    said = wording.plain.read(effects)
    if said is None or any(wording.condition.search(parts.get("object", "")) for _, parts in said):
        return Text(can_be_cancelled=can_be_cancelled)
    if not all(_is_named(wording, parts.get("named", ""), card) for _, parts in said):
        return Text(can_be_cancelled=can_be_cancelled)
    does = [_does(wording, one) for one in said if one[0] in (_THREAT, _DAMAGE_ALL)]
    gains = tuple([gain_called(parts["keyword"]) for kind, parts in said if kind == _GAINS])
    if len(does) > 1 or any(keyword_and_value(gained)[0] not in KEYWORDS for gained in gains):
        return Text(can_be_cancelled=can_be_cancelled)
    events = [event for kind, _ in said for event in _LEADS_TO.get(kind, ())]
    if does and does[0].damage:
        events.append(CharacterDamaged)
    elif does and does[0].who is None:
        events += [ThreatChanged, ThreatMoved]
    leads_to = tuple(dict.fromkeys(map(type_name, events)))
    return Text(
        next(iter(does), Does()), gains or None, True, can_be_cancelled, leads_to, False, _players_of("draw", said),
        _players_of("discard", said), _reveals_of(wording, said),
    )  # fmt: skip


def _players_of(kind: str, said: Sequence[Said]) -> tuple[str, ...]:
    """Whom the sentences of that kind are for."""
    players = ("each", "first", "you")
    return tuple([next((who for who in players if who in parts), "any") for found, parts in said if found == kind])


def _reveals_of(wording: _Wording, said: Sequence[Said]) -> tuple[tuple[str, int], ...]:
    """Who reveals cards by these sentences, and how many."""
    told = [parts for kind, parts in said if kind == "reveal"]
    numbers = [wording.plain.number(parts["n"]) if "n" in parts else int("one" in parts) for parts in told]
    return tuple(zip(_players_of("reveal", said), numbers, strict=True))


def _is_named(wording: _Wording, name: str, card: str) -> bool:
    """Whether a sentence speaks of its own card: by no name, or by its own, with an article before it or without."""
    article = wording.article.match(name)
    names = (name, name[article.end() :]) if article else (name,)
    return not name or canonical(without_copy(card)) in map(canonical, names)


def _does(wording: _Wording, one: Said) -> Does:
    """How much threat or damage a sentence brings, and to whom it says so."""
    kind, parts = one
    amount = wording.plain.number(parts["n"])
    if kind == _DAMAGE_ALL:
        return Does(damage=amount, who="exhausted" if "exhausted" in parts else "ready")
    return Does(threat=amount, who=next((who for who in ("each", "first", "you") if who in parts), None))


def read_enters(text: str) -> Enters:
    """The effect is the first word, the kind of card the first that the text names: `attach to an enemy …`."""
    found = re.findall(r"[a-z_]+", text.casefold())
    effect = found[0] if found else text
    return Enters(effect, next((kind for kind in map(kind_called, re.findall(r"\w+", text)) if kind in TYPES), None))


def type_said(text: str | None) -> str | None:
    """A type of cards however it is written: `Side Quest` and `quête annexe` are a `side-quest`."""
    return kind_called(text) or None if text else None


def says(condition: str, fact: str) -> bool:
    """Whether a condition speaks of a fact: `while the One Ring is exhausted` of `one_ring_exhausted`."""
    return set(fact.casefold().split("_")) <= set(re.findall(r"\w+", condition.casefold()))


def keyword_and_value(gained: str) -> tuple[str, int]:
    """`doomed 2` is a keyword and its value; a keyword alone has the value 1."""
    name, _, value = gained.partition(" ")
    return name, int(value) if value.isdecimal() and len(value) <= 3 else 1
