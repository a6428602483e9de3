"""The words beside the verbs in which people tell of a game of Compile, in four languages, without accents."""

from __future__ import annotations

LINES = frozenset(
    ["line", "lane", "ligne", "linea", "linia", "linii", "linie", "column", "colonne", "colonna", "kolumna", "kolumnie"]
)
PLAYERS = frozenset(["player", "joueur", "giocatore", "gracz"])
"""Words before the number of a player."""
UP = frozenset(["up", "faceup", "visible", "active", "scoperta", "scoperto", "odkryta", "odkryte", "recto"])
DOWN = frozenset(
    [
        "down",
        "facedown",
        "fd",
        "hidden",
        "inactive",
        "cachee",
        "cachees",
        "coperta",
        "coperto",
        "giu",
        "zakryta",
        "zakryte",
        "verso",
    ]
)
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
MORE = frozenset(["+", "drawing"])
"""What stands before the number of cards that a refresh drew."""
SAID_BESIDE = frozenset(
    ["i", "je", "j", "io", "ja", "my", "and", "then", "et", "puis", "e", "poi", "potem", "hand", "cards", "ma", "main",
     "la", "mano", "le", "carte", "karty", "reke", "na", "rece"]
)  # fmt: skip
"""What people say beside a verb that needs no more to be told, such as `I refresh my hand`."""
ANSWERS = {"yes": "yes", "oui": "yes", "si": "yes", "tak": "yes", "no": "no", "non": "no", "nie": "no"}
"""Words that answer a permission, or any other question: alone in a line they are asked about."""
HOLDS = {
    "play": "card line face", "compile": "line", "flip": "card face", "shift": "card line", "rearrange": "protocols",
    "choose": "card",
}  # fmt: skip
CARDS = frozenset({"discard", "delete", "reveal", "return"})
"""Verbs of one or several cards."""


def needs_of(verb: str) -> tuple[str, ...]:
    """What has to be known for a line with that verb, besides the player."""
    if verb == "draw":
        return ("count",)
    return ("cards",) if verb in CARDS else tuple(HOLDS.get(verb, "").split())
