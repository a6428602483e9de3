"""The words in which people say what was done in a game of Compile, in four languages, with and without accents."""

from __future__ import annotations

from functools import cache, lru_cache

from audit.games.compile.protocol_names import plain

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
    "no": "decline declines declined skips refuse rifiuta rifiuto rezygnuje",
    "yes": "accept accepts accepted accepte accetta accetto zgadza",
    "choose": "choose chooses chose choisit choisis sceglie scelgo wybiera wybieram wybral wybrala",
    "draft": "draft drafts drafted",
    "pass": "pass passes passed passa passo pasuje",
    "undo": "undo undoes",
    "win": "wins won gagne vince vinco wygrywa",
    "control": "control controle controllo kontrola kontrole kontroli",
    "rearrange": "rearrange rearranges rearranged arrange arranges arranged reorganise reorganisent "
    "riordina riordino ridispone ridispongo przestawia przestawiam",
}
"""What may be said for each verb of a score sheet; without accents."""


@cache
def _verb_words() -> dict[str, str]:
    return {word: verb for verb, words in VERBS.items() for word in words.split()}


@lru_cache(maxsize=4096)
def verb_of(word: str) -> str | None:
    """The verb of a score sheet that a word of four languages stands for; None where it is no verb."""
    return _verb_words().get(plain(word))


def score_word_meant(word: str) -> str:
    """The word of a score form that a word means, in any language; the word itself where it is none."""
    return verb_of(word) or word
