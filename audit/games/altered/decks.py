"""Whether a deck obeys the rules of construction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct

from audit.core.errors import SetupError
from audit.core.event_rules import Violation
from audit.games.altered.rules import deck as rules
from audit.games.altered.vocabulary import DeckCard, HeroCard

LEAST_CARDS = 39
MAX_COPIES = 3
TOKEN = "token"
RARITIES = ("common", "rare", "unique", TOKEN)
"""The rarities of a list; only tokens begin the game outside the deck."""
MAX_OF_RARITY = (("rare", 15, rules.RARE), ("unique", 3, rules.UNIQUE))


class Deck(Struct, frozen=True, forbid_unknown_fields=True):
    """A deck in a file of its own."""

    heroes: tuple[HeroCard, ...] = ()
    cards: tuple[DeckCard, ...] = ()
    tokens: tuple[str, ...] = ()
    player: str = ""
    name: str = ""


def check_deck(data: Mapping[str, object]) -> tuple[Violation, ...]:
    """What is wrong with a deck given as plain data; raises `SetupError` where it is no deck at all.

    The data has `heroes`, `cards` and `tokens` as the event `deck_registered`; `hero` may stand for one Hero.
    """
    plain = dict(data)
    if "hero" in plain:
        plain["heroes"] = [plain.pop("hero")]
    try:
        deck = msgspec.convert(plain, Deck)
    except msgspec.ValidationError as problem:
        raise SetupError("deck", str(problem)) from None
    for at, _ in unknown_rarities(deck.cards):
        raise SetupError(f"deck.cards[{at}].rarity", f"one of {', '.join(RARITIES)}")
    return check(deck.heroes, deck.cards, deck.tokens)


def check(heroes: Sequence[HeroCard], cards: Sequence[DeckCard], tokens: Sequence[str]) -> tuple[Violation, ...]:
    """What is wrong with a deck, by rule."""
    return tuple(_findings(heroes, cards, tokens))


def size(cards: Sequence[DeckCard]) -> int:
    """So many cards count: all but tokens."""
    return sum(card.copies for card in cards if rarity_of(card) != TOKEN)


def rarity_of(card: DeckCard) -> str:
    """The rarity of a card; a list may write it with a capital."""
    return card.rarity.casefold()


def unknown_rarities(cards: Sequence[DeckCard]) -> Iterator[tuple[int, str]]:
    """The places in a list at which something stands that is no rarity, with what stands there."""
    return ((at, card.rarity) for at, card in enumerate(cards) if rarity_of(card) not in RARITIES)


def _findings(heroes: Sequence[HeroCard], cards: Sequence[DeckCard], tokens: Sequence[str]) -> Iterator[Violation]:
    if len(heroes) != 1:
        yield Violation(rules.ONE_HERO, "deck.heroes", {"n": len(heroes)})
    yield from _too_few(size(cards), len(tokens))
    yield from _strangers(heroes, cards)
    yield from _copies(cards)
    for rarity, most, rule in MAX_OF_RARITY:
        count = sum(card.copies for card in cards if rarity_of(card) == rarity)
        if count > most:
            yield Violation(rule, f"deck.{rarity}", {"n": count, "most": most})
    outside = {token.casefold() for token in tokens}
    inside = {card.name for card in cards if card.name.casefold() in outside or rarity_of(card) == TOKEN}
    if mixed := sorted(inside):
        yield Violation(rules.TOKENS_OUTSIDE, "deck.token_inside", {"card": mixed[0]})


def _too_few(count: int, tokens: int) -> Iterator[Violation]:
    if count >= LEAST_CARDS:
        return
    if count + tokens >= LEAST_CARDS:
        yield Violation(rules.TOKENS_NOT_COUNTED, "deck.tokens", {"n": count, "least": LEAST_CARDS})
    yield Violation(rules.MIN_39, "deck.few", {"n": count, "least": LEAST_CARDS})


def _strangers(heroes: Sequence[HeroCard], cards: Sequence[DeckCard]) -> Iterator[Violation]:
    factions = {hero.faction.casefold() for hero in heroes if hero.faction}
    for card in cards if factions else ():
        if card.faction and card.faction.casefold() not in factions:
            yield Violation(rules.FACTION, "deck.faction", {"card": card.name, "faction": card.faction})


def _copies(cards: Sequence[DeckCard]) -> Iterator[Violation]:
    copies: Counter[str] = Counter()
    for card in cards:
        copies[card.name.casefold()] += card.copies
    names = {card.name.casefold(): card.name for card in reversed(cards)}
    for name, count in copies.items():
        if count > MAX_COPIES:
            yield Violation(rules.COPIES, "deck.copies", {"card": names[name], "n": count, "most": MAX_COPIES})
