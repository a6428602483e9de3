"""What somebody objects to who reads the statement of a rule, or the summary of a card, without its neighbours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import Formatter
from typing import NamedTuple


class Sentence(NamedTuple):
    """One text with where it stands: the game, its language, the id of the rule or the card and box."""

    game: str
    language: str
    id: str
    text: str
    of_a_card: bool = False


# A statement that begins like this takes up something said before it.
OPENERS = {
    "en": r"(such|this|these|that|those|it|they|then|thus|so|therefore|hence|also|too|likewise|instead|otherwise|still"
    r"|however|nevertheless|afterwards|finally|moreover|others?|the others?|but|and|or)\b",
    "fr": r"(ce(?! qu)|cet|cette|ces|ceci|celui-ci|celle-ci|cela|tel|telle|tels|telles|elles?|ils|ainsi|alors|puis"
    r"|ensuite|donc|aussi|également|de même|mais|et|or|enfin|de plus|en outre|les autres|l'autre)\b"
    r"|il (?!est|suffit|faut|n'y a|y a)",
    "it": r"(quest\w+|quel|quell[oae]|quei|quegli|tal[ei]|ess[oaie]|così|poi|allora|inoltre|anche|pure|quindi|perciò"
    r"|dunque|invece|tuttavia|infine|gli altri|le altre|l'altr[oa]|ma|e|ed|o)\b|quest'|quell'|ciò (?!che)",
    "pl": r"(ten|ta|ci|te|tego|tej|temu|tym|tą|tę|tych|tymi|taki\w*|taka|taką|takie\w*|potem|wtedy|więc|zatem|dlatego"
    r"|ponadto|również|też|także|on|ona|ono|oni|one|inn[aeyi]|ale|lecz|i|a|lub)\b(?! sam)|to (?!,)(?!co)",
}
"""By language: openings that refer to a sentence before. What only announces (ciò che …, to, co …) is none."""

# "X does it too": added to something that is not shown, where it stands before the first comma, colon or semicolon.
ADDERS = {
    "en": r"\b(also|likewise|in turn)\b|\btoo$",
    "fr": r"\b(aussi|également)\b(?! bien)",
    "it": r"\b(anche|pure|inoltre)\b(?! (quando|se|dove|sotto|una sola|giocare))",
    "pl": r"\b(też|także|również)\b",
}

# A pointing word with a noun of the game; the noun has to have been named before, or nobody knows which is meant.
POINTING = {
    "en": (
        r"\b(?:this|(?<!so )that|these|those|such)",
        r"cards?|decks?|lines?|texts?|turns?|phases?|steps?|days?|players?|checks?|stacks?|effects?|totals?"
        r"|protocols?|actions?|reactions?|windows?|keywords?|types?|places?|zones?|changes?|rearrangements?|choices?",
    ),
    "fr": (
        r"\b(?:ce|cet|cette|ces)",
        r"cartes?|pioches?|lignes?|textes?|tours?|phases?|étapes?|jours?|journées?|joueurs?|contrôles?|piles?"
        r"|effets?|protocoles?|actions?|réactions?|fenêtres?|types?|zones?|statuts?|changements?|choix",
    ),
    "it": (
        r"\b(?:quest\w|quest'|quel|quell[oae]|quell'|quei|quegli|tal[ei])",
        r"cart[ae]|mazz[oi]|colonn[ae]|test[oi]|turn[oi]|fas[ei]|pass[oi]|giorn[oi]|giocator[ei]|pil[ae]"
        r"|controll[oi]|effett[oi]|protocoll[oi]|azion[ei]|reazion[ei]|finestr[ae]|tip[oi]|zon[ae]|stat[oi]|scelt[ae]",
    ),
    "pl": (
        r"\b(?:ten|ta|te|ci|tego|tej|temu|tym|tą|tę|tych|tymi|taki\w*|taka|taką|takie\w*)",
        r"kart\w*|tali\w*|lini\w*|tekst\w*|tur\w*|faz\w*|krok\w*|dni\w*|dzień|gracz\w*|stos\w*|efekt\w*"
        r"|protok\w*|akcj\w*|reakcj\w*|okn\w*|typ\w*|stref\w*|status\w*|zmian\w*|wybor\w*",
    ),
}
ANNOUNCED = r",? (?:\w{1,2} )?któr|, co\b"
"""In Polish the pointing word may announce a clause: tej linii, w której …"""

STEM = 3
"""So many letters of a noun are the same in its forms: kar(ta), kar(tę), kar(cie); col(onna), col(onne)."""

# The card itself and where it lies: a summary is read on the card, which is what it points to.
ITSELF = {
    "en": r"\bthis (card|line|stack)\b",
    "fr": r"\bcette (carte|ligne|pile)\b",
    "it": r"\bquesta (carta|colonna|pila)\b",
    "pl": r"\b(ta|tej|tę|tą) (kar\w+|lini\w+)\b|\b(tym|tego) stos\w+\b",
}

# Whatever is not the word of the language for the thing: what stands there, and what is said instead.
TERMS = {
    ("compile", "en"): {
        r"\b(lays?|laid) bare\b": "uncovered",
        r"\bturn(s|ed|ing)? (over|up|down)\b": "flip (a card) or turn (a protocol)",
        r"\b(upper|central|lower) (text|box)": "top, middle, bottom command",
        r"(?<!control )\bcomponent\b": "control component",
        r"\bpart of (the|a) turn\b": "phase",
        r"\bneutral place\b": "neutral position",
    },
    ("compile", "fr"): {
        r"\b(?<!re)tourn(er|e|é|ent)\b": "retourner",
        r"\b(une|chaque) (défausse|pioche) (de|que|par)\b": "défausser, piocher",
        r"\battend\w* une (défausse|pioche)\b": "qui attend que l'on défausse, que l'on pioche",
        r"\bmis\w* à nu\b": "découverte",
        r"\bmodule(?! de contrôle)": "Module de contrôle",
        r"\bfaces? cachée": "face inactive visible",
        r"\bplutôt\b": "au lieu de",
        r"\bvous passez votre\b": "vous sautez",
    },
    ("compile", "it"): {
        r"\b(gir(a|are|ata|ato|o|i))\b": "voltare",
        r"\b(linea|linee)\b": "colonna",
        r"\b(scopert|coperta|coperte)\w*": "annidata, non annidata",
        r"\bindicatore(?! di controllo)": "indicatore di controllo",
        r"\bproprietari\w+": "controllore",
        r"\bposto neutrale\b": "posizione neutrale",
        r"\bil passaggio\b": "cambio di controllore",
    },
    ("compile", "pl"): {
        r"\bobr[aó](c|t)\w*": "odwrócić",
        r"\bprzykry\w+": "zasłonięta",
        r"\bznacznik\w*\b(?! kontroli)": "znacznik kontroli",
        r"\bkolumn\w*": "linia",
    },
    ("altered", "en"): {r"\bthe token\b": "First Player token"},
    ("altered", "fr"): {
        r"\bmarqueurs?\b(?! premier joueur| d'expédition)": "Marqueur Premier Joueur",
    },
    ("altered", "it"): {
        r"\bsegnalin[oi]\b(?! primo giocatore| delle spedizioni)": "segnalino Primo Giocatore",
        r"(?-i:\bcompagn[oi]\b)(?! di squadra)": "compagno di squadra",
    },
    ("altered", "pl"): {r"\bznacznik\w*\b(?! pierwszego gracza| wypraw)": "znacznik Pierwszego Gracza"},
}

# English that was left standing: none of these is a word of the other languages, except as said below.
ENGLISH = frozenset(
    re.findall(
        r"\S+",
        "the of and with when which this that from card cards player players opponent draw draws discard discards"
        " shift flip your you his their its is are was has have does not any each other another may must can cannot"
        " only line lines turn phase covered uncovered face-up trash hand",
    )
)
ENGLISH_TOO = {"fr": {"phase"}}
NAMES_IN_ENGLISH = {"Free for All": "the mode has this name in every language"}

# How a summary says a number; a phrase that counts no card is taken out first, with the reason beside it.
NUMBERS = {
    "en": {"a": 1, "an": 1, "one": 1, "another": 1, "two": 2, "three": 3},
    "fr": {"un": 1, "une": 1, "deux": 2, "trois": 3},
    "it": {"un": 1, "una": 1, "uno": 1, "due": 2, "tre": 3},
    "pl": {"jeden": 1, "jedną": 1, "jednej": 1, "dwa": 2, "dwie": 2, "dwóch": 2, "trzy": 3},
}
UNCOUNTED = {
    "en": {
        r"\b(a|another) line\b": "a place",
        r"\ba value\b": "the value is the number that follows",
        r"\ba compile\b": "an event",
        r"\bone by one\b": "an order",
        r"\blies on another card\b": "whether, not how many",
    },
    "fr": {
        r"\bune (autre )?ligne\b": "a place",
        r"\bune valeur\b": "the value is the number that follows",
        r"\bune compilation\b": "an event",
        r"\bune à une\b": "an order",
        r"\bd'un côté\b": "a place",
        r"\ben recouvre une autre\b": "whether, not how many",
    },
    "it": {
        r"\bun(a|'altra) colonna\b": "a place",
        r"\buna compilazione\b": "an event",
        r"\buna per volta\b": "an order",
        r"\bne annida un'altra\b": "whether, not how many",
    },
    "pl": {},
}


def complaints(sentence: Sentence) -> list[str]:
    """What somebody who reads this text alone would object to."""
    return [*_form(sentence.text), *_leaning(sentence), *_wrong_words(sentence)]


def _form(text: str) -> Iterator[str]:
    if not text.lstrip('„“«" \u00a0')[:1].isupper():
        yield "does not begin with a capital letter"
    if not text.endswith(".") or ".." in text.replace("...", ""):
        yield "does not end with one full stop"
    if any(name is not None for _, name, _, _ in Formatter().parse(text)):
        yield "has a placeholder"
    if "  " in text or text != text.strip():
        yield "has a space too many"
    if len(text.split()) < 2:
        yield "is no sentence"
    for sentence in re.split(r"(?<=[a-zà-ż\d]\.) ", text):
        if sentence and not (sentence[0].isupper() or sentence[0] in "„«"):
            yield f"has a sentence that begins small: {sentence}"


def _leaning(sentence: Sentence) -> Iterator[str]:
    text, language = sentence.text, sentence.language
    if opener := re.match(OPENERS[language], text, re.I):
        yield f"begins with {opener[0]!r}, which takes up a sentence that is not shown"
    beginning = re.split(r"[,:;.]", text)[0]
    if adder := re.search(ADDERS[language], beginning, re.I):
        yield f"adds ({adder[0]!r}) to something that is not shown"
    yield from (f"points to {found!r}, which has not been named" for found in _pointing(sentence))


def _pointing(sentence: Sentence) -> Iterator[str]:
    points, nouns = POINTING[sentence.language]
    text = re.sub(ITSELF[sentence.language], "#", sentence.text, flags=re.I) if sentence.of_a_card else sentence.text
    for found in re.finditer(rf"{points} ?({nouns})\b(?!{ANNOUNCED})", text, re.I):
        if found[1][:STEM].casefold() not in text[: found.start()].casefold():
            yield found[0]


def _wrong_words(sentence: Sentence) -> Iterator[str]:
    text = sentence.text
    for wrong, right in TERMS.get((sentence.game, sentence.language), {}).items():
        if found := re.search(wrong, text, re.I):
            yield f"says {found[0]!r}; the word is {right}"
    if sentence.language != "en":
        yield from (f"has English in it: {word}" for word in _english(text, sentence.language))


def _english(text: str, language: str) -> list[str]:
    for name in NAMES_IN_ENGLISH:
        text = text.replace(name, "")
    words = set(re.findall(r"[\w-]+", text.casefold()))
    return sorted(words & (ENGLISH - ENGLISH_TOO.get(language, set())))


def numbers(text: str, language: str) -> list[int]:
    """The numbers a summary says, in ascending order; an article before a card is a one."""
    text = text.casefold()
    for phrase in UNCOUNTED[language]:
        text = re.sub(phrase, " ", text)
    found = re.findall(r"\d+|[^\W\d]+", text.replace("card's", "card"))
    worth = [int(word) if word.isdigit() else NUMBERS[language].get(word) for word in found]
    return sorted(number for number in worth if number is not None)
