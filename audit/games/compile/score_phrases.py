"""The words in which people tell of a game of Compile, and the short words of a score sheet for them.

Read only where a line is none of the short forms as it stands. In four languages, with and without accents.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache

from audit.core.catalogue import words
from audit.core.typography import folded
from audit.games.compile.cards import PACKAGE, protocols_meant

VERBS: dict[str, str] = {
    "play": "play plays played playing put puts places placed joue jouent jouons pose place gioca giocano gioco "
    "giocato metto mette cala poso zagrywa zagrywam zagral zagrala gra gram kladzie klade wyklada wykladam "
    "wylozyl wylozyla jouee jouees giocata giocate zagrana zagrane zagrany",
    "refresh": "refresh refreshes refreshed rafraichit rafraichis rafraichi recharge ricarica ricarico ricaricato "
    "rinfresca rinfresco rinfrescato uzupelnia uzupelniam uzupelnil uzupelnila odswieza odswiezam odswiezyl odswiezyla",
    "compile": "compile compiles compiled compila compilo compilato kompiluje skompilowal skompilowala compilee "
    "compilata skompilowana",
    "discard": "discard discards discarded defausse jette scarta scarto scartato butto "
    "odrzuca odrzucam odrzucil odrzucila defaussee defaussees scartata scartate odrzucona odrzucone",
    "draw": "draw draws drew drawn pioche piochent tire pesca pesco pescano pescato "
    "dobiera dobieram dobral dobrala ciagnie ciagne piochee piochees pescata pescate dobrana dobrane",
    "flip": "flip flips flipped turns turned retourne volta volto voltato gira giro girato rivolto "
    "capovolge capovolgo capovolto odwraca odwracam odwrocil odwrocila retournee retournees voltata girata "
    "odwrocona odwrocone",
    "shift": "shift shifts shifted moves moved decale deplace sposta sposto spostato "
    "przesuwa przesuwam przesunal przesunela decalee deplacee spostata przesunieta",
    "delete": "delete deletes deleted supprime efface elimina elimino eliminato cancella cancello cancellato "
    "usuwa usuwam usunal usunela supprimee supprimees effacee effacees eliminata eliminate cancellata "
    "cancellate usunieta usuniete",
    "return": "return returns returned bounce bounces bounced renvoie renvoit renvoye "
    "reprend reprends repris riprende riprendo ripreso "
    "rimanda rimando rimandato ritorna torna tornare zwraca zwracam zwrocil zwrocila cofa cofam cofnal cofnela "
    "renvoyee renvoyees rimandata rimandate zwrocona zwrocone cofnieta cofniete",
    "reveal": "reveal reveals revealed shows revele montre rivela rivelo rivelato mostra mostro mostrato "
    "ujawnia ujawniam ujawnil ujawnila pokazuje odslania odslaniam revelee revelees rivelata rivelate ujawniona "
    "ujawnione",
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
    said, known = folded(word).replace("’", "'"), _verb_words()
    return known.get(said) or known.get(said.rpartition("'")[2]) or known.get(_OF_THE_SPEAKER.sub(r"\1", said))


def score_word_in(word: str, language: str) -> str:
    """The word of a score form as it is typed in a language; in English as it stands."""
    return word if language == "en" else str(words(PACKAGE, language, "names").get(f"verb.{word}", ""))


def score_word_meant(word: str) -> str:
    """The word of a score form that a word means, in any language; the word itself where it is none."""
    return verb_of(word) or word


def word_set(said: str) -> frozenset[str]:
    """The words of a text, one after the other."""
    return frozenset(said.split())


_FILLERS = word_set("in into onto to the at dans sur la le en vers nella nel su sulla w na do jako")
_LINES = word_set("line lane ligne linea linia linii linie column colonne colonna kolumna kolumnie")
_PROTOCOLS = word_set("protocol protocole protocollo protokol protokolu protokole")
CARD_WORDS = word_set("card cards carte cartes carta karte karta karty kart")
ONE_CARD = word_set("card carta karte")
"""What stands for one card where no number is said; Polish has no article."""
_ONLY = word_set("only just exactly seulement exactement solo soltanto esattamente tylko dokladnie")
_TAKES = word_set(
    "take takes took gains gets obtains prend gagne obtient prende prendo ottiene guadagna "
    "bierze dostaje przejmuje zdobywa uzyskuje"
)
_GIVES_BACK = word_set("back return returns reset resets rend remet rende rimette restituisce oddaje odklada zwraca")
_AUXILIARY = word_set("is are gets est sont viene vengono fa fait")
_TURNS = word_set("turn tour turno tura")
_SAYS = word_set("say says answers dit dice mowi")
_ANSWERS = word_set("yes no option order number protocol keep")
_YES, _NO = word_set("oui si tak"), word_set("non nie")
_JOINS = word_set("and et e i & ,")
_OF = word_set("of di de du")
_HANDS = word_set("hand main mano reke rece")
_COMPLETES = word_set("complete completes complets completa completo completato")
_DENIALS = word_set("not doesnt keeps pas garde non tiene nie zachowuje")
_USES = word_set("use uses utilise nutilise usa uso uzywa uzywam")
_FEW_WORDS = 5
_AROUND = ":().,-"
_AND = word_set("and then draw draws drawing drew et pioche e pesca i dobiera")
_CACHE = word_set("cache memoire memoria pamiec podreczna podreczne podrecznej")
DECKS = word_set("deck pioche mazzo talii talia")
BEFORE_DECK = word_set("from the my his her their of depuis de la sa ma dal del il mio suo z ze swojej mojej")
"""What stands before the deck that a card comes from, one word or more."""
DOWN = word_set(
    "down facedown face-down inactive cachee cachees verso coperta coperto zakryta zakryty zakryte zakrytego zakrytej"
)
UP = word_set("up faceup face-up active visible recto scoperta scoperto odkryta odkryty odkryte odkrytego odkrytej")
_FACES = {**dict.fromkeys(DOWN, "down"), **dict.fromkeys(UP, "up")}
_SAID_FACES = {
    "face active visible": "up", "face active": "up",
    "face inactive visible": "down", "face inactive cachee": "down", "face inactive": "down",
    "a faccia in su": "up", "faccia in su": "up", "a faccia in giu": "down", "faccia in giu": "down",
}  # fmt: skip
"""The faces of cards as the rulebooks say them in several words, the longest first."""
NUMBERS = {
    **dict.fromkeys(word_set("a an one un une una jedna"), 1),
    **dict.fromkeys(word_set("two deux due dwie"), 2),
    **dict.fromkeys(word_set("three trois tre trzy"), 3),
    **dict.fromkeys(word_set("four quatre quattro cztery"), 4),
    **dict.fromkeys(word_set("five cinq cinque piec"), 5),
}
_ORDINALS = {
    **dict.fromkeys(word_set("first premiere prima pierwsza pierwszej"), 1),
    **dict.fromkeys(word_set("second deuxieme seconde seconda druga drugiej"), 2),
    **dict.fromkeys(word_set("third troisieme terza trzecia trzeciej"), 3),
}
_FEW = re.compile("[1-9]")
_MORE = re.compile(r"\+?([1-9])")
_CARD = re.compile(r"[^\W\d_]+-?[0-9]\*?(?:,[^\W\d_]+-?[0-9]\*?)*,?")
_SEAT = re.compile("[AB]", re.IGNORECASE)
_APART = re.compile("[,()]")


def plainer(words: Sequence[str], places: Mapping[str, int]) -> list[str]:
    """The words of a line in the order and number in which a short form may have them.

    `places` are the lines in which protocols lie.
    """
    bare = [word.rstrip(":") if verb_of(word.rstrip(":")) else word for word in _refilled(words)]
    said = _answered(_joined(_cleared(_kept(_controlled(_from_the_deck(bare))))))
    if len(said) == 3 and folded(said[1]) in _LINES:
        return [said[0], "line", str(_line_said(said[1:]) or said[2])]
    found = _of_a_card(list(_without_fillers(list(_counted(said)))))
    return _rearranged(_turned(_without_noun(list(_in_lines(found, places)))))


def _refilled(words: Sequence[str]) -> Sequence[str]:
    """`complète sa main` is a refresh; what is completed otherwise may be anything."""
    said = [folded(word) for word in words]
    at = next((at for at, word in enumerate(said) if word in _COMPLETES), len(said))
    return [*words[:at], "refresh"] if said[-1:] and said[-1] in _HANDS and len(said) - at in (2, 3) else words


def _controlled(words: list[str]) -> list[str]:
    """`A takes the control component` is `A control`, `A puts control back` is `A control back`."""
    said = [folded(word) for word in words]
    if len(words) < 3 or not _SEAT.fullmatch(words[0]) or not any(verb_of(word) == "control" for word in words[1:]):
        return words
    if any(_is_another_act(word) for word in words[1:]):
        return words
    if not _GIVES_BACK.isdisjoint(said[1:]):
        return [words[0], "control", "back"]
    return [words[0], "control"] if not _TAKES.isdisjoint(said[1:]) else words


def _is_another_act(word: str) -> bool:
    """Whether a word beside control tells something else that is done: a number, or a verb that gives nothing back."""
    is_beside = folded(word) in _GIVES_BACK | _TAKES or verb_of(word) in (None, "control", "play")
    return any(map(str.isdigit, word)) or not is_beside


def _kept(words: list[str]) -> list[str]:
    """`A does not rearrange` and `A keeps the order` are `A keep`; `A does not use it` is `A no`."""
    said = {folded(word).replace("'", "") for word in words[1:]}
    is_order = "order" in said or any(verb_of(word) == "rearrange" for word in words[1:])
    is_denied = is_order and _SEAT.fullmatch(words[0]) and not _DENIALS.isdisjoint(said)
    if is_denied:
        return [words[0], "keep"]
    is_unused = words and _SEAT.fullmatch(words[0]) and not said.isdisjoint(_USES) and not said.isdisjoint(_DENIALS)
    return [words[0], "no"] if is_unused and len(words) <= _FEW_WORDS else words


def _from_the_deck(words: list[str]) -> list[str]:
    """Of a card that is played or discarded `from the deck`, the words `deck` and `of A` stand last.

    A draw says only whose deck it is, and that only where it says it. `of A` alone is the deck of A.
    """
    verb = next((said for word in words if (said := verb_of(word))), "play")
    at = next((at for at in range(1, len(words)) if _is_deck(words, at)), None)
    if verb not in ("play", "discard", "draw"):
        return words
    if at is None:
        is_told = len(words) > 3 and folded(words[-2]) in _OF and _SEAT.fullmatch(words[-1])
        return [*words[:-2], "deck", "of", words[-1]] if is_told and folded(words[-3]) not in DECKS else words
    first, after = at, at + 1
    while first and (folded(words[first - 1]) in BEFORE_DECK or _is_owner(words[first - 1])):
        first -= 1
    owner = next((word[0] for word in words[first:at] if _is_owner(word)), "")
    if not owner and after < len(words) and (told := words[after + (folded(words[after]) in _OF) :][:1]):
        owner = told[0] if _SEAT.fullmatch(told[0]) else ""
        after = words.index(owner, after) + 1 if owner else after
    if verb == "draw":
        return [*words[:first], *words[after:], *(["from", owner] if owner else [])]
    return [*words[:first], *words[after:], "deck", *(["of", owner] if owner else [])]


def _is_deck(words: Sequence[str], at: int) -> bool:
    """Whether the word there is the deck that a card comes from."""
    return names_deck(words[at], words[at - 1]) or (folded(words[at]) in DECKS and _is_owner(words[at - 1]))


def _is_owner(word: str) -> bool:
    """Whether a word is a seat whose deck it is: `A's`."""
    return word[1:] in ("'s", "’s") and bool(_SEAT.fullmatch(word[:1]))


def names_deck(word: str, before: str) -> bool:
    """Whether a word is the deck that a card comes from: `pioche` is a verb as well, `la pioche` is not."""
    return folded(word) in DECKS and folded(before) in BEFORE_DECK


def _cleared(words: list[str]) -> list[str]:
    """`A clears the cache` is `A clear`; with the cards that go, it is their discard."""
    at = next((at for at, word in enumerate(words) if verb_of(word) == "clear"), None)
    if at is None or len(words) == at + 1:
        return words
    cards = [word for word in words[at + 1 :] if folded(word.strip(_AROUND)) not in _CACHE | _FILLERS]
    return [*words[:at], "discard", *cards] if cards else [*words[:at], "clear"]


def _joined(words: list[str]) -> list[str]:
    """`fire-5 and life-2` is `fire-5,life-2`; what is returned to a hand, or refreshed, says so only once."""
    found: list[str] = []
    for at, word in enumerate(words):
        is_between = 0 < at < len(words) - 1 and _CARD.fullmatch(words[at + 1])
        if is_between and found and found[-1].endswith(",") and folded(word) not in _JOINS:
            found[-1] += word
        elif is_between and folded(word) in _JOINS and _CARD.fullmatch(found[-1].rstrip(",").split(",")[-1]):
            found[-1] = f"{found[-1].rstrip(',')},"
        elif found and found[-1].endswith(",") and _CARD.fullmatch(word):
            found[-1] += word
        else:
            found.append(word)
    verb = next((said for word in found if (said := verb_of(word))), "")
    if verb in ("return", "refresh") and any(folded(word) in _HANDS | CARD_WORDS for word in found[2:]):
        found = [word for at, word in enumerate(found) if at < 2 or not _is_of_a_hand(word, found[at - 1])]
    if verb == "return" and "," in found[-1] and "all" not in found:
        found.insert(-1, "all")
    if len(found) == 2 and (folded(found[1]) in _YES or folded(found[1]) in _NO):
        found[1] = "yes" if folded(found[1]) in _YES else "no"
    return found


def _is_of_a_hand(word: str, before: str) -> bool:
    """Whether a word only says whose hand a card goes to, or that it is a card."""
    said = folded(word)
    return said in _HANDS | CARD_WORDS | _FILLERS | _OF or said.endswith("'s") or folded(before) in _OF


def apart(text: str) -> Sequence[str]:
    """A refresh with the number of cards drawn is two lines: `A refresh +3`, `A refreshes and draws 3`."""
    words = _APART.sub(" ", text).split()
    at = next((at for at, word in enumerate(words) if verb_of(word) == "refresh"), len(words))
    told = [word for word in words[at + 1 :] if folded(word) not in _AND | CARD_WORDS]
    number = _MORE.fullmatch(told[0]) if len(told) == 1 else None
    return (" ".join(words[: at + 1]), " ".join([*words[:at], "draw", number[1]])) if number else (text,)


def _answered(words: list[str]) -> list[str]:
    """`chooses line 2` is line 2, `says no` is no."""
    if len(words) < 3 or not (verb_of(words[1]) == "choose" or folded(words[1]) in _SAYS):
        return words
    return [words[0], *words[2:]] if folded(words[2]) in _ANSWERS | _LINES else words


def _in_lines(words: list[str], places: Mapping[str, int]) -> Iterator[str]:
    """Where a card is played or shifted to, or what is compiled: `protocol Fire` is the line in which that lies."""
    verb = next((said for word in words if (said := verb_of(word))), "play")
    for at, word in enumerate(words):
        named = protocols_meant(word) if at and verb in ("play", "compile", "shift") else ()
        lines = {places[one] for one in named if one in places}
        is_noun = folded(word) in _PROTOCOLS and at + 1 < len(words) and bool(protocols_meant(words[at + 1]))
        if not (is_noun and verb in ("play", "compile", "shift")):
            yield str(lines.pop()) if len(lines) == 1 else word


def _counted(words: Sequence[str]) -> Iterator[str]:
    """`two cards` is 2; a card that is discarded or played without a name is a question mark."""
    verb = next((said for word in words if (said := verb_of(word))), "")
    left = list(words)
    if len(left) == 3 and verb in ("draw", "discard") and verb_of(left[1]) == verb and folded(left[2]) in ONE_CARD:
        left.insert(2, "1")
    while left:
        word = left.pop(0)
        if left and folded(word) in _ONLY:
            continue
        number = int(word) if _FEW.fullmatch(word) else NUMBERS.get(folded(word))
        if not (left and folded(left[0]) in CARD_WORDS and number):
            yield word
            continue
        left.pop(0)
        yield str(number) if verb not in ("discard", "play") else ",".join("?" * number)


def _without_fillers(words: list[str]) -> Iterator[str]:
    """`in line 2`, `in line two` and `in the second line` are 2, `face down` is down."""
    while words:
        if line := _line_said(words):
            del words[:2]
            yield str(line)
            continue
        if phrase := _face_said(words):
            del words[: len(phrase.split())]
            yield _SAID_FACES[phrase]
            continue
        word = words.pop(0)
        said, following = folded(word), folded(words[0]) if words else ""
        if (said == "face" and following in _FACES) or said in _FILLERS:
            continue
        yield _FACES.get(said.rstrip(","), word)


def _line_said(words: Sequence[str]) -> int:
    """The number of the line that the first two words say; 0 where they say none."""
    one, other = map(folded, [*words, "", ""][:2])
    if one in _LINES:
        return int(other) if other.isdecimal() else NUMBERS.get(other, 0)
    return _ORDINALS.get(one, 0) if other in _LINES else 0


def _face_said(words: Sequence[str]) -> str:
    """The face that the first words say, as a rulebook does; empty where they say none."""
    said = [folded(word) for word in words[:4]]
    return next((face for face in _SAID_FACES if face.split() == said[: len(face.split())]), "")


def _of_a_card(words: list[str]) -> list[str]:
    """`fire-3 returns` and `fire-3 is deleted` are what is done with that card; `fa tornare fire-3` returns it."""
    said = [word for word in words if folded(word) not in _AUXILIARY]
    if len(said) == 2 and _CARD.fullmatch(said[0]) and verb_of(said[1]) in ("flip", "delete", "return"):
        return said[::-1]
    return said if len(said) < len(words) and any(verb_of(word) == "return" for word in said) else words


def _without_noun(words: list[str]) -> list[str]:
    """`takes control` is control."""
    said = [folded(word) for word in words]
    takes = [at for at in range(len(said) - 1) if said[at] in _TAKES and verb_of(words[at + 1]) == "control"]
    return [word for at, word in enumerate(words) if at not in takes]


def _turned(words: list[str]) -> list[str]:
    """`turn 5 A`, `control A` and `draft A fire` begin with the player."""
    bare = [one for word in words if (one := word.strip(_AROUND).removesuffix("'s"))]
    words = bare if any(folded(word) in _TURNS for word in bare) else words
    said = [folded(word) for word in words]
    if len(words) == 3 and verb_of(words[0]) == "draft" and _SEAT.fullmatch(words[1]):
        return [words[1], words[0], words[2]]
    if len(words) == 3 and not _TURNS.isdisjoint(said[:2]) and words[-1].isdecimal() and _SEAT.fullmatch(words[0]):
        return [words[0], "turn", words[2]]
    if len(words) == 3 and said[0] in _TURNS and any(map(_SEAT.fullmatch, words)):
        seat, number = (words[1], words[2]) if _SEAT.fullmatch(words[1]) else (words[2], words[1])
        return [seat, "turn", number]
    if len(words) == 2 and verb_of(words[0]) == "control" and _SEAT.fullmatch(words[1]):
        return [words[1], words[0]]
    return words


def _rearranged(words: list[str]) -> list[str]:
    """The three protocols of a new order are one list; what is said before them is left out, but for the players."""
    names = words[-3:]
    if len(words) > 3 and any(verb_of(word) == "rearrange" for word in words) and all(map(protocols_meant, names)):
        before = [word for word in words[:-3] if _SEAT.fullmatch(word) or verb_of(word) == "rearrange"]
        return [*before, ",".join(names)]
    return words


__all__ = ["CARD_WORDS", "DECKS", "NUMBERS", "ONE_CARD", "apart", "names_deck", "plainer", "word_set"]
