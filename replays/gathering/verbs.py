"""The words in which people say what was done in a game of Compile, in four languages, with and without accents."""

from __future__ import annotations

from functools import cache

from audit.compile.protocol_names import plain

VERBS: dict[str, str] = {
    "play": "play plays played playing put puts places placed joue jouent jouons pose place gioca giocano gioco metto "
    "mette cala poso zagrywa zagrywam zagral zagrala gra gram kladzie klade wyklada",
    "refresh": "refresh refreshes refreshed rafraichit rafraichis recharge ricarica ricarico rinfresca rinfresco "
    "uzupelnia uzupelniam uzupelnil uzupelnila odswieza odswiezam odswiezyl odswiezyla",
    "compile": "compile compiles compiled compila compilo kompiluje skompilowal skompilowala",
    "discard": "discard discards discarded defausse jette scarta scarto butto odrzuca odrzucam odrzucil odrzucila",
    "draw": "draw draws drew pioche piochent tire pesca pesco dobiera dobieram dobral dobrala ciagnie",
    "flip": "flip flips flipped turns retourne volta volto gira giro rivolto "
    "capovolge capovolgo odwraca odwracam odwrocil odwrocila",
    "shift": "shift shifts shifted moves moved decale deplace sposta sposto przesuwa przesuwam przesunal przesunela",
    "delete": "delete deletes deleted supprime efface elimina elimino cancella cancello usuwa usuwam usunal usunela",
    "return": "return returns returned renvoie renvoit reprend reprends riprende riprendo rimanda rimando ritorna "
    "zwraca cofa zwracam",
    "reveal": "reveal reveals revealed shows revele montre rivela rivelo mostra mostro "
    "ujawnia ujawniam pokazuje odslania",
    "no": "declines declined skips refuse rifiuta rifiuto rezygnuje",
    "yes": "accepts accepted accepte accetta accetto zgadza",
    "pass": "pass passes passed passa passo pasuje",
    "win": "wins won gagne vince vinco wygrywa",
    "control": "control controle controllo kontrola kontrole",
    "rearrange": "rearrange rearranges rearranged reorganise reorganisent riordina riordino ridispone ridispongo "
    "przestawia przestawiam",
}
"""What may be said for each verb of a score sheet; without accents."""

LINES = frozenset(
    ["line", "lane", "ligne", "linea", "linia", "linii", "linie", "column", "colonne", "colonna", "kolumna", "kolumnie"]
)
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
BACK = frozenset(["back", "returns", "rend", "rends", "rende", "rendo", "restituisce", "restituisco", "oddaje"])
"""Words by which the control component goes back to where it lies when nobody has it."""
TAKING = frozenset(["take", "takes", "took", "prend", "prends", "prende", "prendo", "bierze", "biore", "przejmuje"])
"""Words by which a player takes the control component."""
DOUBT = frozenset(
    [
        "not",
        "didnt",
        "doesnt",
        "dont",
        "cant",
        "wont",
        "would",
        "could",
        "should",
        "maybe",
        "almost",
        "if",
        "pas",
        "jamais",
        "peut",
        "devrait",
        "si",
        "non",
        "mai",
        "dovrebbe",
        "potrebbe",
        "forse",
        "nie",
        "moze",
        "gdyby",
        "chyba",
    ]
)
"""Words after which it is asked whether it happened at all."""
HOLDS = {
    "play": "card line face", "compile": "line", "flip": "card face", "shift": "card line", "rearrange": "protocols",
}  # fmt: skip
CARDS = frozenset({"discard", "delete", "reveal", "return"})
"""Verbs of one or several cards."""


@cache
def verb_words() -> dict[str, str]:
    """The verb of a score sheet that each word stands for."""
    return {word: verb for verb, words in VERBS.items() for word in words.split()}


def verb_of(word: str) -> str | None:
    """The verb that a word stands for."""
    return verb_words().get(plain(word))


def needs_of(verb: str) -> tuple[str, ...]:
    """What has to be known for a line with that verb, besides the player."""
    if verb == "draw":
        return ("count",)
    return ("cards",) if verb in CARDS else tuple(HOLDS.get(verb, "").split())
