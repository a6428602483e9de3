"""A trash becomes a new deck, and decks are shuffled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.event_rules import Citations, Violation, Violations
from audit.core.model import Event
from audit.games.compile import rules
from audit.games.compile.criteria import has_unknown
from audit.games.compile.declarations import CardInstruction, Count
from audit.games.compile.event_rules.base import CompileEventRules
from audit.games.compile.event_rules.draw_occasions import DrawCards, deck_of, draw_number, number_to_draw
from audit.games.compile.events import Reshuffled, Shuffled
from audit.games.compile.following import carried_forward, led_to, waiting_text, with_due
from audit.games.compile.moves import is_stranger, with_foreign
from audit.games.compile.occasions import (
    Instruction,
    Occasion,
    acting_text,
    called_for,
    instructions,
    text_precedence,
    wrong_player,
)
from audit.games.compile.parts import (
    is_known,
    newest,
    opponent,
    protocol_of,
    side_of,
    swapped,
    with_side,
    zone_of,
)
from audit.games.compile.procedures import control_is_up, to_draw
from audit.games.compile.readings import NEW_DECK_IS_NO_SHUFFLE
from audit.games.compile.state import ALL_CARDS, UNKNOWN, Compiling, Refreshing, State, Text
from audit.games.compile.texts import is_lost, next_instruction, readable_text, waiting

_NEW_DECK: Final = (rules.deck.RESHUFFLE_ON_DRAW, rules.deck.ONLY_DRAWING_RESHUFFLES, rules.field.TRASH)


class MakeDeck(Occasion[Reshuffled]):
    """The trash is shuffled into a new deck, because cards have to be drawn."""

    event = Reshuffled

    def __init__(self, seat: str, *why: Rule) -> None:
        self.seat = seat
        self.rules = (*why, *_NEW_DECK)

    def violations(self, state: State, event: Reshuffled) -> Violations:
        if event.player != self.seat:
            return (wrong_player(self.seat, event.player, self.rules[0]),)
        side = side_of(state, self.seat)
        if event.deck is None or _is_beneath(state, self.seat, event.deck):
            return ()
        is_unseen = has_unknown(side.trash) and are_the_same(event.deck, side.trash)
        if is_unseen or sorted(event.deck) == sorted(side.trash):
            return ()
        if sorted(event.deck) == sorted((*side.deck, *side.trash)):
            return (Violation(self.rules[0], "reshuffle.beneath", {"player": self.seat}),)
        return (Violation(self._cards_rule(state, event.deck), "reshuffle.cards", {"player": self.seat}),)

    def _cards_rule(self, state: State, deck: tuple[str, ...]) -> Rule:
        """The rule that a new deck of the wrong cards breaks."""
        side = side_of(state, self.seat)
        if set(deck).intersection(side_of(state, opponent(self.seat)).trash):
            return rules.field.TRASH
        missing = set(side.trash).difference(deck)
        changed_owner = any(protocol_of(card) not in side.protocols for card in missing)
        return rules.owner.THROUGH_ALL_ZONES if changed_owner else self.rules[0]

    def candidates(self, state: State) -> Iterator[Reshuffled]:
        yield Reshuffled(seq=0, player=self.seat)

    def precedence(self, state: State, event: Event) -> Iterator[Rule]:
        if type(text := state.stack[-1]) is Text:
            yield from text_precedence(state, text, event)


def _is_beneath(state: State, seat: str, deck: tuple[str, ...]) -> bool:
    """Whether that whole deck is the trash shuffled beneath what is left of the old one, seen or unseen."""
    side = side_of(state, seat)
    left, made = deck[: len(side.deck)], deck[len(side.deck) :]
    named = [card for card in left if is_known(card)]
    if sorted(made) != sorted(side.trash) or len(set(named)) != len(named):
        return False
    pairs = zip(side.deck, left, strict=True)
    return all(held == card or _turns_out_to_be(state, held, card) for held, card in pairs)


def _turns_out_to_be(state: State, held: str, named: str) -> bool:
    """Whether a card of the deck that nobody has seen may be the one that is named."""
    return not is_known(held) and is_known(named) and zone_of(state, named) is None


def new_deck_due(state: State) -> MakeDeck | None:
    """The new deck that has to be made before the cards that are due are drawn, if one has to."""
    frame = newest(state)
    if type(frame) is Refreshing:
        idle = frame.control or frame.choice
        return None if idle else new_deck(state, frame.seat, to_draw(state, frame.seat), rules.refresh.SHORT_DECK)
    if type(frame) is Compiling:
        due = frame.deleted and not control_is_up(state, frame)
        return new_deck(state, opponent(frame.seat), 1) if due else None
    if type(frame) is not Text or is_lost(state, frame):
        return None
    drawing = (i for i in instructions(frame) if isinstance(i, DrawCards) and i.ready(state, frame))
    decks = ((deck_of(i.declared, i.actor(frame)), draw_number(state, frame, i.declared)) for i in drawing)
    return next((deck for seat, number in decks if (deck := new_deck(state, seat, number))), None)


def new_deck(state: State, seat: str, number: int, *why: Rule) -> MakeDeck | None:
    side = side_of(state, seat)
    return MakeDeck(seat, *why) if len(side.deck) < number and side.trash else None


class ReshuffledRules(CompileEventRules[Reshuffled]):
    """The rules of making a new deck."""

    event = Reshuffled
    hides_cards: bool = True

    def is_by_chance(self, state: State, event: Reshuffled) -> bool:
        return True

    def occasions(self, state: State) -> Iterable[Occasion[Reshuffled]]:
        due = new_deck_due(state)
        return (due,) if due else called_for(state, Reshuffled)

    def not_carried_out(self, state: State, event: Reshuffled) -> Violations:
        """A play from an empty deck makes no new one."""
        text = readable_text(state)
        if text is None or next_instruction(text).verb != "play":
            return ()
        return () if any(i.ready(state, text) for i in instructions(text)) else self.forbidden(state, event)

    def forbidden(self, state: State, event: Reshuffled) -> Violations:
        is_early = event.player != state.player
        data = {"player": event.player}
        return (Violation(rules.deck.ONLY_DRAWING_RESHUFFLES, "reshuffle.unasked", data, not_intended=is_early),)

    def happen(self, state: State, event: Reshuffled) -> State:
        side = side_of(state, event.player)
        if event.deck is None:
            if any(is_stranger(side, card) for card in side.trash):
                state = with_foreign(state, event.player)
            deck = (*side.deck, *(UNKNOWN for _ in side.trash))
        else:
            deck = event.deck if len(event.deck) != len(side.trash) else (*side.deck, *event.deck)
        why = led_to(state, event)
        text = waiting_text(state, "shuffle_trash")
        if text is not None and event.deck is None:
            deck = (UNKNOWN,) * len(deck)
        state = _for_draw(state, event.player) if text is None else carried_forward(state, "shuffle_trash", None)
        state = with_side(state, event.player, replace(side, deck=deck[:ALL_CARDS], trash=()))
        return state if text is None else with_due(state, waiting(state, event.player, "after_you_shuffle"), why)


RESHUFFLED: Final = ReshuffledRules()


def _for_draw(state: State, seat: str) -> State:
    """The position once a new deck is made for a draw: the number to draw stands, and a text waits for the shuffle."""
    if NEW_DECK_IS_NO_SHUFFLE.name not in state.switches and waiting(state, seat, "after_you_shuffle"):
        state = replace(state, shuffled=(*(one for one in state.shuffled if one != seat), seat))
    text = waiting_text(state, "draw")
    if text is None or not _is_by_value(next_instruction(text)):
        return state
    return swapped(state, replace(text, number=number_to_draw(state, text, next_instruction(text))))


def _is_by_value(declared: CardInstruction) -> bool:
    return isinstance(declared.count, Count) and declared.count.value_of_that


class ShuffleTrash(Instruction[Reshuffled]):
    """The trash and the deck are shuffled into one deck."""

    verbs = ("shuffle_trash",)
    event = Reshuffled

    def verb_rules(self) -> Citations:
        return (rules.field.TRASH,)

    def ready(self, state: State, text: Text) -> bool:
        return bool(side_of(state, self.actor(text)).trash)

    def violations(self, state: State, event: Reshuffled) -> Violations:
        actor = self.actor(acting_text(state))
        if event.player != actor:
            return (wrong_player(actor, event.player),)
        side = side_of(state, actor)
        if event.deck is None or are_the_same(event.deck, (*side.deck, *side.trash)):
            return ()
        return (Violation(rules.field.TRASH, "reshuffle.cards", {"player": actor}),)

    def candidates(self, state: State) -> Iterator[Reshuffled]:
        yield Reshuffled(seq=0, player=self.actor(acting_text(state)))


class ShuffleWithTrash(Occasion[Shuffled]):
    """Where a text has the trash shuffled into the deck, a record may say no more than that the deck is shuffled."""

    event = Shuffled

    def __init__(self, player: str, rules: Citations) -> None:
        self.player = player
        self.rules = rules

    def violations(self, state: State, event: Shuffled) -> Violations:
        return () if event.player == self.player else (wrong_player(self.player, event.player),)


class ShuffleDeck(Instruction[Shuffled]):
    """The deck is shuffled."""

    verbs = ("shuffle_deck",)
    event = Shuffled

    def verb_rules(self) -> Citations:
        return ()

    def ready(self, state: State, text: Text) -> bool:
        return bool(side_of(state, self.actor(text)).deck)

    def violations(self, state: State, event: Shuffled) -> Violations:
        actor = self.actor(acting_text(state))
        if event.player != actor:
            return (wrong_player(actor, event.player),)
        if event.deck is None or are_the_same(event.deck, side_of(state, actor).deck):
            return ()
        return (Violation(rules.effects.MUST_BE_APPLIED, "reshuffle.cards", {"player": actor}),)

    def candidates(self, state: State) -> Iterator[Shuffled]:
        yield Shuffled(seq=0, player=self.actor(acting_text(state)))


def are_the_same(told: tuple[str, ...], held: tuple[str, ...]) -> bool:
    """Whether a deck as a log names it can be those cards, of which some may be unknown."""
    strangers = set(filter(is_known, told)).difference(held)
    return len(told) == len(held) and len(strangers) <= sum(not is_known(card) for card in held)


class ShuffledRules(CompileEventRules[Shuffled]):
    """The rules of shuffling a deck."""

    event = Shuffled
    verb = "shuffle_deck"
    hides_cards: bool = True

    def is_by_chance(self, state: State, event: Shuffled) -> bool:
        return True

    def occasions(self, state: State) -> Iterable[Occasion[Shuffled]]:
        return called_for(state, Shuffled)

    def also_accepted(self, state: State) -> Iterable[Occasion[Shuffled]]:
        text = readable_text(state)
        if text is None:
            return ()
        due = (i for i in instructions(text) if isinstance(i, ShuffleTrash) and i.ready(state, text))
        return [ShuffleWithTrash(i.actor(text), i.verb_rules()) for i in due]

    def happen(self, state: State, event: Shuffled) -> State:
        if waiting_text(state, "shuffle_trash"):
            return RESHUFFLED.apply(state, Reshuffled(seq=event.seq, player=event.player))
        why = led_to(state, event)
        side = side_of(state, event.player)
        if event.deck is None and any(is_stranger(side, card) for card in side.deck):
            state = with_foreign(state, event.player)
        deck = (UNKNOWN,) * len(side.deck) if event.deck is None else event.deck
        state = with_side(state, event.player, replace(side, deck=deck[:ALL_CARDS]))
        return with_due(
            carried_forward(state, "shuffle_deck", None), waiting(state, event.player, "after_you_shuffle"), why
        )


RULES = (RESHUFFLED, ShuffledRules())
