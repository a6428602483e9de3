"""The cards, protocols and deeds of Compile in the words that people use, in every language of the rules."""

from __future__ import annotations

import re

from audit.core.typography import folded
from audit.games.compile import score_phrases
from audit.games.compile.cards import CARDS, protocol_names

MAX_NAME = 200
_WORDS = re.compile(r"[^\W\d_]+|\d+")
_MARKUP = re.compile(r"\[/?[a-z]{1,8}\]|\[[0-9a-f]{6}\]|\[-\]")
FILLERS = frozenset(
    {"compile", "card", "carte", "carta", "karta", "value", "loading"}
    | {
        "protocol",
        "protocole",
        "protocollo",
        "protokol",
    }
)
COMPILED = frozenset({"compiled", "compilato", "skompilowany"})


def words_in(text: str) -> list[str]:
    """The words and numbers of a name, without the marks of a virtual table for colour and weight."""
    return _WORDS.findall(_MARKUP.sub(" ", folded(text[:MAX_NAME])))


def cards_named(text: str) -> tuple[str, ...]:
    """The cards that a name may mean, such as `Fire 3`, `3 fire`, `[b]Feu[/b] - 3`."""
    told = _meant(text)
    if told is None or told[1] is None:
        return ()
    cards = (f"{protocol}-{int(told[1][:2])}" for protocol in told[0])
    return tuple(card for card in cards if card in CARDS)


def protocols_named(text: str) -> tuple[str, ...]:
    """The protocols that a name without a number may mean."""
    told = _meant(text)
    return told[0] if told and told[1] is None else ()


def says_compiled(text: str) -> bool:
    """Whether a name says that its protocol is compiled."""
    return "compilé" in text.casefold() or not COMPILED.isdisjoint(words_in(text))


def _meant(text: str) -> tuple[tuple[str, ...], str | None] | None:
    found = words_in(text)
    numbers = [word for word in found if word.isdecimal()]
    names = [word for word in found if not word.isdecimal()]
    rest = [word for word in names if word not in FILLERS | COMPILED]
    if len(numbers) > 1 or len(rest) != 1 or rest[0] not in protocol_names():
        return None
    return protocol_names()[rest[0]], numbers[0] if numbers else None


LINES = frozenset(
    ["line", "lane", "ligne", "linea", "linia", "linii", "linie", "column", "colonne", "colonna", "kolumna", "kolumnie"]
)
PLAYERS = frozenset(["player", "joueur", "giocatore", "gracz"])
"""Words before the number of a player."""
UP = score_phrases.UP
DOWN = score_phrases.DOWN | {"fd", "hidden", "giu"}
LEFT_OR_RIGHT = frozenset(
    ["left", "right", "gauche", "droite", "sinistra", "destra", "lewa", "lewej", "prawa", "prawej", "lewo", "prawo"]
)  # fmt: skip
MIDDLE = frozenset(["middle", "centre", "center", "milieu", "centro", "centrale", "srodek", "srodkowa", "srodkowej"])
BACK = frozenset(
    [
        "back",
        "reset",
        "resets",
        "returns",
        "rend",
        "rends",
        "remet",
        "remets",
        "rende",
        "rendo",
        "rimette",
        "rimetto",
        "rimesso",
        "restituisce",
        "restituisco",
        "oddaje",
        "odklada",
        "odkladam",
    ]
)
"""Words by which the control component goes back to where it lies when nobody has it."""
TAKING = frozenset(
    ["take", "takes", "took", "prend", "prends", "prende", "prendo", "obtient", "ottiene", "bierze", "biore",
     "przejmuje", "zdobywa"]
)  # fmt: skip
"""Words by which a player takes the control component."""
DOUBT = frozenset(
    ["not", "did", "does", "didnt", "doesnt", "dont", "cant", "wont", "may", "can", "might", "would", "could", "should",
     "maybe", "almost", "if", "pas", "jamais", "peut", "peux", "devrait", "si", "non", "mai", "puo", "posso",
     "dovrebbe", "potrebbe", "forse", "nie", "czy", "moze", "moge", "gdyby", "chyba"]
)  # fmt: skip
"""Words after which it is asked whether it happened at all."""
JOINS = frozenset(["and", "then", "et", "puis", "e", "poi", "i", "potem"])
"""Words between two cards, or between two decisions."""
AUXILIARY = frozenset(
    ["is", "was", "are", "were", "gets", "got", "been", "est", "sont", "été", "è", "viene",
     "vengono", "sono", "stata", "stato", "state", "stati", "jest", "są", "zostaje", "zostają", "została", "zostały",
     "został"]
)  # fmt: skip
"""Words before a verb that tell what something was done to."""
BY = frozenset(["by", "par", "da", "dal", "dalla", "przez"])
"""What stands before the one who did it, behind such a verb."""
MORE = frozenset(["+", "drawing"])
"""What stands before the number of cards that a refresh drew."""
SAID_BESIDE = frozenset(
    ["i", "je", "j", "io", "ja", "my", "and", "then", "et", "puis", "e", "poi", "potem", "hand", "cards", "ma", "main",
     "la", "mano", "le", "carte", "karty", "reke", "na", "rece"]
)  # fmt: skip
"""What people say beside a verb that needs no more to be told, such as `I refresh my hand`."""
ANSWERS = {"yes": "yes", "oui": "yes", "si": "yes", "tak": "yes", "no": "no", "non": "no", "nie": "no"}
"""Words that answer a permission, or any other question: alone in a line they are asked about."""
UNREAD = "unread"
"""The verb of what nobody can make a decision of."""
HOLDS = {
    "play": "card line face", "compile": "line", "flip": "card face", "shift": "card line", "rearrange": "protocols",
    "choose": "card",
}  # fmt: skip
OF_CARDS = frozenset({"discard", "delete", "reveal", "return"})
"""Verbs of one or several cards."""


def needs_of(verb: str) -> tuple[str, ...]:
    """What has to be known for a line with that verb, besides the player."""
    if verb == "draw":
        return ("count",)
    return ("cards",) if verb in OF_CARDS else tuple(HOLDS.get(verb, "").split())
