"""The words in which people say what was done in a game of Compile, in four languages, with and without accents."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from audit.core.catalogue import words
from audit.games.compile.protocol_names import PACKAGE, plain

VERBS: dict[str, str] = {
    "play": "play plays played playing put puts places placed joue jouent jouons pose place gioca giocano gioco "
    "giocato metto mette cala poso zagrywa zagrywam zagral zagrala gra gram kladzie klade wyklada wykladam "
    "wylozyl wylozyla",
    "refresh": "refresh refreshes refreshed rafraichit rafraichis rafraichi recharge ricarica ricarico ricaricato "
    "rinfresca rinfresco rinfrescato uzupelnia uzupelniam uzupelnil uzupelnila odswieza odswiezam odswiezyl odswiezyla",
    "compile": "compile compiles compiled compila compilo compilato kompiluje skompilowal skompilowala",
    "discard": "discard discards discarded defausse jette scarta scarto scartato butto "
    "odrzuca odrzucam odrzucil odrzucila",
    "draw": "draw draws drew drawn pioche piochent tire pesca pesco pescano pescato "
    "dobiera dobieram dobral dobrala ciagnie ciagne",
    "flip": "flip flips flipped turns turned retourne volta volto voltato gira giro girato rivolto "
    "capovolge capovolgo capovolto odwraca odwracam odwrocil odwrocila",
    "shift": "shift shifts shifted moves moved decale deplace sposta sposto spostato "
    "przesuwa przesuwam przesunal przesunela",
    "delete": "delete deletes deleted supprime efface elimina elimino eliminato cancella cancello cancellato "
    "usuwa usuwam usunal usunela",
    "return": "return returns returned bounce bounces bounced renvoie renvoit renvoye "
    "reprend reprends repris riprende riprendo ripreso "
    "rimanda rimando rimandato ritorna torna tornare zwraca zwracam zwrocil zwrocila cofa cofam cofnal cofnela",
    "reveal": "reveal reveals revealed shows revele montre rivela rivelo rivelato mostra mostro mostrato "
    "ujawnia ujawniam ujawnil ujawnila pokazuje odslania odslaniam",
    "no": "decline declines declined skips refuse rifiuta rifiuto rezygnuje",
    "yes": "accept accepts accepted accepte accetta accetto zgadza zgadzam",
    "choose": "choose chooses chose chosen choisit choisis choisi sceglie scelgo scelto "
    "wybiera wybieram wybral wybrala",
    "draft": "draft drafts drafted drafte drafta drafto draftato draftuje",
    "pass": "pass passes passed passe passa passo pasuje",
    "undo": "undo undoes annule annules annulla annullo cofnij cofnijmy",
    "win": "win wins won gagne vince vinco vinto wygrywa wygrywam wygral wygrala",
    "control": "control controle controllo kontrola kontrole kontroli",
    "rearrange": "rearrange rearranges rearranged arrange arranges arranged reorganise reorganisent "
    "riordina riordino riordinato ridispone ridispongo przestawia przestawiam przestawil przestawila "
    "zmienia zmieniam zmienil zmienila",
    "clear": "clear clears cleared vide vident pulisce pulisco svuota svuoto czysci czyszcze oproznia oprozniam",
}
"""What may be said for each verb of a score sheet; without accents."""


_OF_THE_SPEAKER = re.compile(r"(l|la)(?:e?m)$")
"""The end of a Polish verb of which the speaker is the subject: what is left is what another did."""


@cache
def _verb_words() -> dict[str, str]:
    return {word: verb for verb, said in VERBS.items() for word in said.split()}


@lru_cache(maxsize=4096)
def verb_of(word: str) -> str | None:
    """The verb of a score sheet that a word of four languages stands for; None where it is no verb.

    French joins a pronoun to it, and Polish says in its ending who did it: `j'efface`, `zagrałam`.
    """
    said, known = plain(word).replace("’", "'"), _verb_words()
    return known.get(said) or known.get(said.rpartition("'")[2]) or known.get(_OF_THE_SPEAKER.sub(r"\1", said))


def score_word_in(word: str, language: str) -> str:
    """The word of a score form as it is typed in a language; in English as it stands."""
    return word if language == "en" else str(words(PACKAGE, language, "names").get(f"verb.{word}", ""))


def score_word_meant(word: str) -> str:
    """The word of a score form that a word means, in any language; the word itself where it is none."""
    return verb_of(word) or word
