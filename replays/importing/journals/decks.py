"""Decks of a journal: the order of a new one, and of one whose top cards the source laid out in its own order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from msgspec import Struct
from msgspec.structs import replace

from audit.core.errors import AuditError
from audit.games.compile.state import SEATS, State
from replays.importing.journals.reading import Inner, JournalGame, JournalStep, Shown, Snapshot, card_id

MAX_TOP = 3
"""A card lays at most one deck card into each line."""


def new_deck(state: State, seat: str, steps: Sequence[JournalStep]) -> tuple[str, ...]:
    """A deck made of the trash during these steps: what was drawn from it at once, then what the next listing shows."""
    side = state.side(seat)
    trash = set(side.trash)
    listed = next((deck for deck in _listings(seat, steps) if trash.intersection(deck)), [])
    kept = [card for card in listed if card in trash]
    gone = [card for card in side.trash if card not in listed]
    return (*side.deck, *_as_they_lie(gone, steps[-1].z.side(seat)), *kept)


def _listings(seat: str, steps: Sequence[JournalStep]) -> Iterator[list[str]]:
    for step in steps:
        for inner in step.log:
            if isinstance(listed := inner.d.get(f"{seat}.dk"), list):
                yield [card_id(str(card)) for card in listed]
        yield [card_id(card) for card in step.z.side(seat).dk]


def _as_they_lie(cards: list[str], side: Shown) -> list[str]:
    """Cards that left a new deck before it was listed, in the order in which they lie now."""
    lying = [card_id(card) for card in (*side.hd, *(card for stack in side.ln for card in stack))]
    return sorted(cards, key=lambda card: lying.index(card) if card in lying else len(lying))


class Relaid(Struct, frozen=True):
    """Up to this line (the header is 0) these cards of a deck stand in another order than the source has them."""

    line: int
    seat: str
    theirs: tuple[str, ...]
    ours: tuple[str, ...]


class DeckLaidOtherwiseError(AuditError):
    """The source's order of a deck cannot lead on by the rules, another one can."""

    def __init__(self, relaid: Relaid) -> None:
        super().__init__(f"line {relaid.line}: the deck of {relaid.seat} has to lie otherwise")
        self.relaid = relaid


def other_decks(state: State) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Each seat with its topmost cards as they are, and in another order."""
    for seat in SEATS:
        deck = state.side(seat).deck
        for number in range(2, min(MAX_TOP, len(deck)) + 1):
            top = deck[:number]
            yield from ((seat, top, order) for order in permutations(top) if order[-1] != top[-1] and order != top)


def relaid(game: JournalGame, change: Relaid) -> JournalGame:
    """The game with the deck's cards in the other order, from the beginning to the line of the change."""
    steps = tuple(
        _with_decks(step, change) if number < change.line else step for number, step in enumerate(game.steps, 1)
    )
    return replace(game, steps=steps)


def _with_decks(step: JournalStep, change: Relaid) -> JournalStep:
    zone = f"{change.seat}.dk"
    log = tuple(
        Inner({**inner.d, zone: _turned(inner.d[zone], change)}) if isinstance(inner.d.get(zone), list) else inner
        for inner in step.log
    )
    return replace(step, log=log, z=_shown_so(step.z, change))


def _shown_so(snapshot: Snapshot, change: Relaid) -> Snapshot:
    side = snapshot.side(change.seat)
    changed = replace(side, dk=tuple(_turned(list(side.dk), change)))
    return replace(snapshot, a=changed) if change.seat == "A" else replace(snapshot, b=changed)


def _turned(deck: object, change: Relaid) -> list[str]:
    assert isinstance(deck, list)
    names = [card_id(str(card)) for card in deck]
    long = len(change.theirs)
    for start in range(len(names) - long + 1):
        if tuple(names[start : start + long]) == change.theirs:
            return [*names[:start], *change.ours, *names[start + long :]]
    return names
