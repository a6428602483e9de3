"""What sets a reaction off, as far as its text says so in plain words of one of the four languages.

`on` names the type of event; the text may say more: whose event, which card. A text that is not read may say more than
`on`, so that such a reaction is never found missing.
"""

from __future__ import annotations

import re
from functools import lru_cache

from audit.core.model import Event
from audit.games.altered.events import CardPlayed
from audit.games.altered.game_data import GameData, Trigger, WhoseEvent
from audit.games.altered.state import LANDMARKS
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

_PLAIN: tuple[tuple[WhoseEvent, re.Pattern[str]], ...] = (
    ("you", re.compile(rf"{_WHEN} ?(?:{_YOU_PLAY} (?:{_A} )?{_KIND}|{_YOU_PASS})")),
    ("opponent", re.compile(rf"{_WHEN} ?{_OPPONENT} (?:{_PLAYS} (?:{_A} )?{_KIND}|{_PASSES})")),
    ("", re.compile(rf"{_WHEN} ?{_PLAYER} (?:{_PLAYS} (?:{_A} )?{_KIND}|{_PASSES})")),
    ("", re.compile(rf"{_WHEN} ?(?:{_A} )?{_KIND} is played")),
    ("self", re.compile(rf"{_WHEN} ?{_SELF}{_REST}")),
)


@lru_cache(maxsize=1024)
def trigger_of(text: str, on: str) -> Trigger:
    """What a text asks of an event of the type `on` names; a value in `on`, or no text, says all there is."""
    low = text.casefold().replace("’", "'").strip().rstrip(".:")
    from_reserve = bool(_RESERVE.search(low))
    if not low or ":" in on or low.replace(" ", "_") == on:
        return Trigger(from_reserve=from_reserve)
    for who, pattern in _PLAIN:
        if found := pattern.fullmatch(low):
            return Trigger(who, _kind(found.groupdict().get("kind") or ""), True, from_reserve)
    return Trigger(is_read=False, from_reserve=from_reserve)


def _kind(word: str) -> str:
    return next((kind for kind, pattern in _KINDS.items() if word and re.fullmatch(pattern, word)), "")


def meets(trigger: Trigger, game: GameData, controller: str, source: str, event: Event) -> bool:
    """Whether the event is the one that the text asks for."""
    if not trigger.who and not trigger.kind:
        return True
    match trigger.who:
        case "you" | "opponent":
            player = getattr(event, "player", "")
            if (player == controller) != (trigger.who == "you"):
                return False
        case "self":
            if source not in moved_by(event):
                return False
    return trigger.kind in ("", "card") or trigger.kind == _kind_played(game, event)


def moved_by(event: Event) -> tuple[str, ...]:
    """The cards that the event itself plays, moves or discards."""
    if cards := getattr(event, "discarded", None):
        return tuple([card for gone in cards.values() for card in gone])
    return tuple([card for card in (getattr(event, "card", ""), getattr(event, "object", "")) if card])


def _kind_played(game: GameData, event: Event) -> str:
    """Of which kind the played card is, by where it was played to."""
    if not isinstance(event, CardPlayed):
        return ""
    if event.to_zone == LANDMARKS or event.card in game.permanents:
        return "permanent"
    return "character" if event.to_zone in (HERO_ZONE, COMPANION_ZONE) else "spell"
