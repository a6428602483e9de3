"""What may be asked of a card, a protocol or a hand at the table, and the line of a score sheet in a question.

In four languages, with and without accents.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from audit.core.model import Event
from audit.core.typography import folded
from audit.games.compile.cards import protocols_meant
from audit.games.compile.events import Compiled, Deleted, Discarded, Flipped, Played, Refreshed, Returned, Shifted
from audit.games.compile.parts import side_of
from audit.games.compile.score_phrases import CARD_WORDS, VERBS, verb_of, word_set
from audit.games.compile.state import LINES, SEATS, UNKNOWN, State


def askable(state: State, key: str) -> Iterator[Event]:
    """What can be done with what has that key on the scene, the most usual first; nothing for any other key."""
    for seat in SEATS:
        side = side_of(state, seat)
        for line, stack in zip(LINES, side.lines, strict=True):
            yield from (event for placed in stack if placed.card == key for event in _of_field(key, placed.up, line))
        if key in side.hand and key != UNKNOWN:
            yield from _of_hand(seat, key)
        if key == f"{seat}.hand":
            yield Refreshed(seq=0, player=seat)
        yield from (Compiled(seq=0, player=seat, line=line) for line in LINES if key == f"{seat}.protocol.{line}")


def _of_field(card: str, up: bool, line: int) -> Iterator[Event]:
    yield Flipped(seq=0, card=card, face="down" if up else "up")
    yield Deleted(seq=0, cards=(card,))
    yield Returned(seq=0, card=card)
    yield from (Shifted(seq=0, card=card, to=other) for other in LINES if other != line)


def _of_hand(seat: str, card: str) -> Iterator[Event]:
    yield from (Played(seq=0, player=seat, card=card, line=line, face="up") for line in LINES)
    yield from (Played(seq=0, player=seat, card=card, line=line, face="down") for line in LINES)
    yield Discarded(seq=0, player=seat, cards=(card,))


_NOT_SAID = word_set(
    "may can could might would should does is was were it be to allowed permitted legal legally able player "
    "his her their "
    "peut peut-il peut-elle pourrait est-ce que qu'il qu'elle a-t-il a-t-elle le la droit de permis autorise joueur "
    "puo potrebbe permesso lecito che di il giocatore czy moze moglby wolno dozwolone gracz graczowi"
)
"""Words of a question that its event is without."""
_ASKS = word_set(
    "may can could might allowed permitted peut peut-il peut-elle a-t-il est-ce permis autorise "
    "puo potrebbe permesso lecito czy moze wolno dozwolone"
)
"""Words by which a line asks, also without a question mark."""
_INFINITIVES = {
    "play": "jouer poser placer giocare mettere posare zagrac grac polozyc wylozyc",
    "refresh": "rafraichir recharger ricaricare rinfrescare uzupelnic odswiezyc",
    "compile": "compiler compilare skompilowac kompilowac",
    "discard": "defausser jeter scartare odrzucic odrzucac",
    "draw": "piocher tirer pescare dobrac dobierac",
    "flip": "retourner voltare girare odwrocic odwracac",
    "shift": "decaler deplacer spostare przesunac przesuwac",
    "delete": "supprimer effacer eliminare cancellare usunac usuwac",
    "return": "renvoyer reprendre riprendere rimandare zwrocic cofnac",
    "reveal": "reveler montrer rivelare mostrare ujawnic pokazac",
}
"""What may be said for a verb behind `may`, besides what may be said for it alone."""
_VERBS = {word: verb for verb, said in _INFINITIVES.items() for word in said.split()}
assert _INFINITIVES.keys() <= VERBS.keys()


def statement(question: str) -> str:
    """The words of a question about an event without those that ask; empty where it asks about none."""
    words = question.rstrip("?! \u00a0\u202f.\n").split()
    if not (question.rstrip().endswith("?") or any(folded(word) in _ASKS for word in words)):
        return ""
    following = [*words[1:], ""]
    said = [_said(word) for word, after in zip(words, following, strict=True) if not _is_left_out(word, after)]
    return " ".join(said) if said and _is_about_a_seat(said, words) else ""


def _is_left_out(word: str, after: str) -> bool:
    """Whether it only asks, or says that a card is one: `card Fire 3`."""
    said = folded(word).replace("’", "'")
    return said in _NOT_SAID or (said in CARD_WORDS and bool(protocols_meant(after)))


def _is_about_a_seat(said: Sequence[str], words: Sequence[str]) -> bool:
    """Whether its first word is a player. A small one is an article, unless its verb comes next: `may a play …`."""
    seat = said[0]
    if seat in SEATS:
        return True
    after = next((word for at, word in enumerate(words[1:]) if words[at] == seat), "")
    return seat.upper() in SEATS and verb_of(_said(after)) is not None


def _said(word: str) -> str:
    """A word as a statement has it: of a verb the one that is known, of a Polish name its first case."""
    if verb := _VERBS.get(folded(word)):
        return verb
    named = f"{word[:-1]}a"
    return named if word.endswith("ę") and protocols_meant(named) else word
