"""What sets a reaction off, and the moments at which reactions are checked.

`on` names the type of event; the text may say more: whose event, which card. A text that is not read may say more than
`on`, so that such a reaction is never found missing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from msgspec.structs import astuple, replace

from audit.core.model import Event
from audit.games.altered.events import CardPlayed
from audit.games.altered.game_data import GameData, Listener, Trigger, WhoseEvent
from audit.games.altered.places import is_in_reserve, on_the_field
from audit.games.altered.state import LANDMARKS, MAX_USES_A_DAY, Moment, Resolving, Side, State, Triggered
from audit.games.altered.vocabulary import CheckReason
from audit.games.altered.zones import COMPANION_ZONE, HERO_ZONE

_RESERVE = re.compile(r"\br[eé]serve\b|\briserva\b|\brezerw\w*")

_KINDS = {
    "card": r"(?:card|carte|carta|kart[ęaę])",
    "character": r"(?:character|personnage|personaggio|posta[ćc]\w*)",
    "permanent": r"(?:permanent\w*|landmark|repère|permanente|punto di riferimento)",
    "spell": r"(?:spell|sort|magia|zaklęci\w*)",
}
_KIND = "(?P<kind>" + "|".join(_KINDS.values()) + ")"
_A = r"(?:an?other|an?|une? autre|une?|un'altra|un altro|una?|inn[ąey]|kolejn[ąey])"
_WHEN = (
    r"(?:when(?:ever)?|each time|every time|after|quand|lorsque?'?|(?:à )?chaque fois que?'?|après que?'?|quando|"
    r"ogni volta che|dopo che|gdy|kiedy|ilekroć|za każdym razem,? gdy|po tym,? jak)"
)
_OPPONENT = (
    r"(?:(?:an|your) opponent|(?:un|votre|ton) adversaire|(?:un|il tuo) avversario|(?:twój )?przeciwnik)"
)  # fmt: skip
_PLAYER = r"(?:(?:a|any|each) player|un joueur|chaque joueur|un giocatore|(?:dowolny )?gracz)"
_YOU_PLAY = r"(?:you play|vous jouez|tu joues|(?:tu )?giochi|zagr(?:ywasz|asz))"
_PLAYS = r"(?:plays|joue|gioca|zagr(?:ywa|a))"
_YOU_PASS = r"(?:you pass|vous passez|tu passes|(?:tu )?passi|s?pasujesz)"
_PASSES = r"(?:passes|passe|passa|s?pasuje)"
_SELF = (
    r"(?:i(?:'m| am) (?:discarded|sacrificed|played)|i (?:leave|join|rest)|je suis (?:défaussé|sacrifié|joué)e?|"
    r"je (?:rejoins|quitte)|(?:vengo|sono) (?:scartat|sacrificat|giocat)[oa]|(?:entro in|mi unisco a)|"
    r"(?:zostanę|zostaję) (?:odrzucon|poświęcon|zagran)[ayeę]|(?:dołączam|wchodzę) do)"
)  # fmt: skip
_ZONE = r"(?:the |la |ta |votre |your |tua |twojej )*(?:hand|main|mano|r[eé]serve|riserva|ręki|rezerwy)"
_EXPEDITION = r"(?:an? |my |the |une |mon |l'|una |mojej )?(?:expedition|expédition|spedizione|wyprawy|ekspedycji)"
_REST = rf"(?: (?:from|de|depuis|dalla?|z) {_ZONE}| {_EXPEDITION})?"

_TOKEN = r"(?:token|jeton|segnalino|pedina|gettone|żeton)"
_YOU_CREATE = r"(?:you create|vous créez|tu crées|(?:tu )?crei|(?:s|u)?tworzysz)"
_CREATES = r"(?:creates|crée|crea|(?:s|u)?tworzy)"
_IS_CREATED = (
    r"(?:is created|(?:est|a été) créé|(?:viene|è) creat[oa]|(?:zostanie|zostaje|jest) (?:s|u)?tworzony)"
)  # fmt: skip

_PLAIN: tuple[tuple[WhoseEvent, re.Pattern[str]], ...] = (
    ("you", re.compile(rf"{_WHEN} ?(?:{_YOU_PLAY} (?:{_A} )?{_KIND}|{_YOU_PASS})")),
    ("opponent", re.compile(rf"{_WHEN} ?{_OPPONENT} (?:{_PLAYS} (?:{_A} )?{_KIND}|{_PASSES})")),
    ("", re.compile(rf"{_WHEN} ?{_PLAYER} (?:{_PLAYS} (?:{_A} )?{_KIND}|{_PASSES})")),
    ("", re.compile(rf"{_WHEN} ?(?:{_A} )?{_KIND} is played")),
    ("self", re.compile(rf"{_WHEN} ?{_SELF}{_REST}")),
)
_OF_TOKENS: tuple[tuple[WhoseEvent, re.Pattern[str]], ...] = (
    ("you", re.compile(rf"{_WHEN} ?{_YOU_CREATE} (?:{_A} )?{_TOKEN}")),
    ("opponent", re.compile(rf"{_WHEN} ?{_OPPONENT} {_CREATES} (?:{_A} )?{_TOKEN}")),
    ("", re.compile(rf"{_WHEN} ?(?:{_PLAYER} {_CREATES} (?:{_A} )?{_TOKEN}|(?:{_A} )?{_TOKEN} {_IS_CREATED})")),
    ("", re.compile(rf"{_WHEN} ?{_IS_CREATED} (?:{_A} )?{_TOKEN}")),
)


@lru_cache(maxsize=1024)
def trigger_of(text: str, on: str) -> Trigger:
    """What a text asks of an event of the type `on` names; a value in `on`, or no text, says all there is."""
    low = text.casefold().replace("’", "'").strip().rstrip(".:")
    from_reserve = bool(_RESERVE.search(low))
    if not low or ":" in on or low.replace(" ", "_") == on:
        return Trigger(from_reserve=from_reserve)
    for who, pattern in _OF_TOKENS if on == "token_created" else _PLAIN:
        if found := pattern.fullmatch(low):
            return Trigger(who, _kind(found.groupdict().get("kind") or ""), True, from_reserve)
    return Trigger(is_read=False, from_reserve=from_reserve)


def _kind(word: str) -> str:
    return next((kind for kind, pattern in _KINDS.items() if word and re.fullmatch(pattern, word)), "")


_HEAD = re.compile(_WHEN + r"\b")


@lru_cache(maxsize=1024)
def told_reaction(text: str) -> tuple[str, str] | None:
    """What sets off a reaction that is written as one text with a colon, and what it does; None for any other text."""
    head, colon, effect = text.partition(":")
    return (head.strip(), effect.strip()) if colon and _HEAD.match(head.casefold().replace("’", "'")) else None


def effect_told(game: GameData, source: str, trigger: str) -> str:
    """What a reaction does that is set off so, by the texts of its card; "" where these do not say."""
    told = [told_reaction(text) for text in game.abilities.get(source, ())]
    return next((one[1] for one in told if one and one[0] == trigger), "")


def meets(one: Listener, game: GameData, event: Event) -> bool:
    """Whether the event is the one that the text of the reaction asks for."""
    trigger = one.trigger
    if not trigger.who and not trigger.kind:
        return True
    match trigger.who:
        case "you" | "opponent":
            player = getattr(event, "player", "")
            if (player == one.controller) != (trigger.who == "you"):
                return False
        case "self":
            source = one.source or one.reaction.partition(":")[0]
            if source not in moved_by(event):
                return False
    return trigger.kind in ("", "card") or trigger.kind == _kind_played(game, event)


def moved_by(event: Event) -> tuple[str, ...]:
    """The cards that the event itself plays, moves or discards; one that stays at Rest is not moved."""
    if cards := getattr(event, "discarded", None):
        return tuple([card for gone in cards.values() for card in gone])
    if getattr(event, "to", "") == "stays":
        return ()
    return tuple([card for card in (getattr(event, "card", ""), getattr(event, "object", "")) if card])


def _kind_played(game: GameData, event: Event) -> str:
    """Of which kind the played card is, by where it was played to."""
    if not isinstance(event, CardPlayed):
        return ""
    if event.to_zone == LANDMARKS or event.card in game.permanents:
        return "permanent"
    return "character" if event.to_zone in (HERO_ZONE, COMPANION_ZONE) else "spell"


NO_ARRIVALS: Mapping[str, int] = {}


def begun(
    state: State,
    event: Event,
    reason: CheckReason | Literal["day_start"] | None,
    resolving: Resolving | None = None,
    reaction_of: str | None = None,
    arrivals: Mapping[str, int] = NO_ARRIVALS,
) -> Moment:
    """The new moment that the event begins: only what happens from now on can trigger at it."""
    earlier = _over_night(state.moment.earlier) if reason == "day_start" else not_all_told(state.moment)
    return Moment(reason, event.seq, event.seq or state.last_seq + 1, resolving, earlier, reaction_of, arrivals)


def not_all_told(moment: Moment) -> tuple[Resolving, ...]:
    """What was played up to now of which the log has not told all: the next moment comes, and it may still be told."""
    played = moment.resolving
    return (*moment.earlier, played) if played and played.deeds != () else moment.earlier


def _over_night(earlier: tuple[Resolving, ...]) -> tuple[Resolving, ...]:
    """What of it still counts the next day: cards that may have come to a hand."""
    to_hand = [(one, tuple([deed for deed in one.deeds if deed.kind in TO_HAND])) for one in earlier if one.deeds]
    return tuple([replace(one, deeds=drawn) for one, drawn in to_hand if drawn])


TO_HAND = ("draw", "hand")


def with_arrival(state: State, event: Event, card: str) -> Moment:
    """The present moment, in which a card has become visible."""
    return replace(state.moment, arrivals={**state.moment.arrivals, card: event.seq})


def set_off(listeners: tuple[Listener, ...], before: State, state: State, event: Event) -> tuple[Triggered, ...]:
    """The reactions without an emblem yet, with those of the listeners that the event sets off now."""
    values = astuple(event)[_OWN_FIELDS]
    hearing = [
        one
        for one in listeners
        if one.trigger.is_read and (not one.value or one.value in values) and meets(one, state.game, event)
    ]
    if not hearing:
        return state.triggered
    field = on_the_field(before.sides)
    found = [
        Triggered(one.reaction, event.seq)
        for one in hearing
        if _has_worked(one, field, before, state) and _can_react(state, one)
    ]
    return (*state.triggered, *found) if found else state.triggered


_OWN_FIELDS = slice(-len(Event.ENVELOPE))
"""The fields of an event's own type: those that all events share come last."""


def _has_worked(one: Listener, field: frozenset[str], before: State, state: State) -> bool:
    """Whether the reaction worked where its source was before the event, with that on the field.

    A reaction that is said to be about its own source's arrival, or of which nothing is said, did not work before.
    """
    source = one.source
    if source is None or (is_in_reserve(before.sides, source) if one.in_reserve else source in field):
        return True
    if one.trigger.who == "you" or one.trigger.who == "opponent" or state.sides is before.sides:
        return False
    return _works(one, source, state.sides)


def _works(one: Listener, source: str, sides: tuple[Side, ...]) -> bool:
    return is_in_reserve(sides, source) if one.in_reserve else source in on_the_field(sides)


def _can_react(state: State, one: Listener) -> bool:
    """Whether its player is still there, and the reaction may be activated once more today."""
    waiting = sum([other.reaction == one.reaction for other in state.triggered]) if state.triggered else 0
    return one.controller in state.still_in and state.activations.get(one.reaction, 0) + waiting < MAX_USES_A_DAY
