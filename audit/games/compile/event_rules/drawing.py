"""Cards are drawn: the opening hand, an instruction, a refresh, the reward of a recompile; a new deck is made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.event_rules import Citations, Violation, Violations
from audit.core.model import Event
from audit.games.compile import rules
from audit.games.compile.card_rulings import correction
from audit.games.compile.counts import number_read
from audit.games.compile.criteria import could_be, has_unknown, matches
from audit.games.compile.event_rules.base import CompileEventRules
from audit.games.compile.events import Drew, Reshuffled, Shuffled, drawn_count
from audit.games.compile.following import carried_forward, led_to, waiting_text, with_due
from audit.games.compile.moves import is_stranger, taken_away, with_foreign, with_hand
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
    is_idle,
    is_known,
    newest,
    opponent,
    protocol_of,
    side_of,
    swapped,
    with_side,
    zone_of,
)
from audit.games.compile.procedures import compile_over, control_is_up, is_draw_barred, refresh_over, to_draw
from audit.games.compile.progress import carried_out, is_lost, next_instruction, readable_text
from audit.games.compile.readings import NEW_DECK_IS_NO_SHUFFLE, OTHER_DECK_IS_NO_DRAW
from audit.games.compile.state import ALL_CARDS, SEATS, UNKNOWN, Compiling, DueText, Refreshing, State, Text
from audit.games.compile.texts import some_react, waiting
from audit.games.compile.totals import value_of
from audit.games.compile.words import ALL, CardInstruction, Count

OPENING_HAND: Final = 5


def drawn(state: State, player: str, deck: str, number: int) -> Drew:
    """The event of that many cards being drawn, as far as there are."""
    cards = side_of(state, deck).deck[:number]
    return Drew(seq=0, player=player, cards=cards, deck=deck if deck != player else None)


def draw_violations(state: State, event: Drew, player: str, deck: str, number: int) -> Violations:
    """The criteria that the draw fails: who draws, from which deck, how many."""
    if event.player != player:
        return (wrong_player(player, event.player),)
    if (event.deck or event.player) != deck:
        return (Violation(rules.draw.FROM_TOP_TO_HAND, "draw.deck", {"player": deck}),)
    there = side_of(state, deck).deck
    wanted = min(number, len(there))
    count = drawn_count(event)
    if count != wanted or (event.count is not None and event.count != wanted):
        piecemeal = 0 < count < wanted
        rule = rules.draw.ONE_EVENT_PER_INSTRUCTION if piecemeal else rules.draw.FROM_TOP_TO_HAND
        return (Violation(rule, "draw.number", {"n": wanted, "found": count}),)
    if event.cards is not None and not _same_cards(there[:wanted], event.cards):
        return (Violation(rules.draw.FROM_TOP_TO_HAND, "draw.top", {"cards": list(there[:wanted])}),)
    return ()


def _same_cards(top: tuple[str, ...], cards: tuple[str, ...]) -> bool:
    if top == cards:
        return True
    known = sorted(card for card in cards if is_known(card))
    if len(known) == len(cards) and sorted(top) == known:
        return True
    return all(could_be(held, named) for held, named in zip(top, cards, strict=True))


def draw_number(state: State, text: Text, declared: CardInstruction) -> int:
    """How many cards a text tells to draw or discard, whatever there is, less those drawn before a new deck."""
    return _number(state, text, declared) - len(text.taken)


def _number(state: State, text: Text, declared: CardInstruction) -> int:
    count = declared.count
    if text.number >= 0:
        return text.number
    if isinstance(count, int):
        return count
    if isinstance(count, Count):
        if count.number_of:
            return number_read(state, text, count.number_of)
        if count.value_of_that:
            return (value_of(state, text.last_picked) or 0) if text.last_picked else 0
        return text.done + count.plus if count.done else count.at_least
    return 0


def deck_of(declared: CardInstruction, actor: str) -> str:
    """Whose deck a step draws from."""
    return opponent(actor) if declared.source == "opposing_deck" else actor


class OpeningDraw(Occasion[Drew]):
    """Five cards for the opening hand."""

    event = Drew
    rules: Citations = (rules.setup.OPENING_HAND, rules.setup.DECK_OF_EIGHTEEN)
    any_order = True

    def __init__(self, seat: str) -> None:
        self.seat = seat

    def violations(self, state: State, event: Drew) -> Violations:
        side = side_of(state, self.seat)
        if failed := draw_violations(state, event, self.seat, self.seat, OPENING_HAND - len(side.hand)):
            number = failed[0].key == "draw.number"
            return (replace(failed[0], rule=rules.setup.OPENING_HAND),) if number else failed
        stranger = next((c for c in event.cards or () if is_known(c) and protocol_of(c) not in side.protocols), None)
        if stranger is not None:
            data = {"player": self.seat, "card": stranger}
            return (Violation(rules.setup.DECK_OF_EIGHTEEN, "draw.stranger", data),)
        return ()

    def candidates(self, state: State) -> Iterator[Drew]:
        yield drawn(state, self.seat, self.seat, OPENING_HAND - len(side_of(state, self.seat).hand))


class DrawCards(Instruction[Drew]):
    """Cards from the top of a deck to hand."""

    verbs = ("draw",)
    event = Drew

    def verb_rules(self) -> Citations:
        return (rules.draw.FROM_TOP_TO_HAND, rules.draw.ONE_EVENT_PER_INSTRUCTION)

    def ready(self, state: State, text: Text) -> bool:
        actor = self.actor(text)
        deck = side_of(state, deck_of(self.declared, actor))
        if draw_number(state, text, self.declared) <= 0 or not (deck.deck or deck.trash):
            return False
        return bool(text.taken) or not self.is_barred(state, actor)

    def is_barred(self, state: State, actor: str) -> bool:
        """Whether a text in force keeps the player from this draw."""
        return is_draw_barred(state, actor, from_other_deck=self.declared.source == "opposing_deck")

    def violations(self, state: State, event: Drew) -> Violations:
        text = acting_text(state)
        actor = self.actor(text)
        number = draw_number(state, text, self.declared)
        if not text.taken and event.player == actor and self.is_barred(state, actor):
            return (Violation(rules.effects.CARDS_BEAT_RULES, "draw.barred", {"player": actor}),)
        failed = draw_violations(state, event, actor, deck_of(self.declared, actor), number)
        failed = self.corrected(state, failed)
        by_value = isinstance(self.declared.count, Count) and self.declared.count.value_of_that
        if failed and by_value and (rule := self.own_rule()):
            return (replace(failed[0], rule=rule),)
        return failed

    def candidates(self, state: State) -> Iterator[Drew]:
        text = acting_text(state)
        actor = self.actor(text)
        yield drawn(state, actor, deck_of(self.declared, actor), draw_number(state, text, self.declared))


class DrawMatching(Instruction[Drew]):
    """Cards of a kind out of the whole deck, which has been shown: no new deck is made for them."""

    verbs = ("draw matching",)
    event = Drew

    def verb_rules(self) -> Citations:
        return (rules.effects.CARDS_BEAT_RULES, rules.draw.ONE_EVENT_PER_INSTRUCTION)

    def _there(self, state: State, text: Text) -> tuple[str, ...]:
        return tuple(c for c in side_of(state, self.actor(text)).deck if matches(text, self.declared.matching, c))

    def ready(self, state: State, text: Text) -> bool:
        return bool(self._there(state, text)) and not is_draw_barred(state, self.actor(text), from_other_deck=False)

    def violations(self, state: State, event: Drew) -> Violations:
        text = acting_text(state)
        actor, there = self.actor(text), self._there(state, text)
        if event.player != actor:
            return (wrong_player(actor, event.player),)
        if is_draw_barred(state, actor, from_other_deck=False):
            return (Violation(rules.effects.CARDS_BEAT_RULES, "draw.barred", {"player": actor}),)
        if (event.deck or actor) != actor:
            return (Violation(rules.draw.FROM_TOP_TO_HAND, "draw.deck", {"player": actor}),)
        for card in event.cards or ():
            if not matches(text, self.declared.matching, card):
                return (Violation(rules.effects.MUST_BE_APPLIED, "match.kind", {"card": card}),)
            if card not in there and not has_unknown(there):
                return (Violation(rules.effects.MUST_BE_APPLIED, "draw.not_there", {"card": card}),)
        least, most = self._bounds(there)
        count = drawn_count(event)
        if least <= count <= most:
            return ()
        return (Violation(rules.effects.MUST_BE_APPLIED, "draw.number", {"n": least, "found": count}),)

    def may_be_impossible(self, state: State, text: Text) -> bool:
        return not any(map(is_known, self._there(state, text)))

    def _bounds(self, there: tuple[str, ...]) -> tuple[int, int]:
        """The fewest and the most cards this may be; of unknown cards each may be one of them or not."""
        if self.declared.count != ALL:
            return 1, 1
        return sum(map(is_known, there)), len(there)

    def candidates(self, state: State) -> Iterator[Drew]:
        text = acting_text(state)
        actor, there = self.actor(text), self._there(state, text)
        if self.declared.count == ALL:
            yield Drew(seq=0, player=actor, cards=there)
        else:
            yield from (Drew(seq=0, player=actor, cards=(card,)) for card in dict.fromkeys(there))


_FILLED: Final = (rules.refresh.UP_TO_FIVE, rules.draw.FROM_TOP_TO_HAND, rules.draw.ONE_EVENT_PER_INSTRUCTION)
_FILLED_SHORT: Final = (rules.refresh.NOTHING_LEFT, *_FILLED)


class RefreshDraw(Occasion[Drew]):
    """The draw of a refresh."""

    event = Drew
    rules: Citations = _FILLED

    def __init__(self, seat: str, number: int) -> None:
        self.seat = seat
        self.number = number

    def violations(self, state: State, event: Drew) -> Violations:
        failed = draw_violations(state, event, self.seat, self.seat, self.number)
        if failed and failed[0].key == "draw.number":
            return (Violation(self._number_rule(state), "refresh.number", failed[0].data), *failed)
        return failed

    def _number_rule(self, state: State) -> Rule:
        text = state.stack[-2] if len(state.stack) > 1 else None
        if type(text) is Text and (own := correction(text.card, "refreshed")):
            return own
        return rules.refresh.NOTHING_LEFT if self._is_short(state) else rules.refresh.UP_TO_FIVE

    def _is_short(self, state: State) -> bool:
        return len(side_of(state, self.seat).deck) < self.number

    def citations(self, state: State, event: Drew) -> Citations:
        return _FILLED_SHORT if self._is_short(state) else _FILLED

    def candidates(self, state: State) -> Iterator[Drew]:
        yield drawn(state, self.seat, self.seat, self.number)


class Reward(Occasion[Drew]):
    """The top card of the opponent's deck, for a recompile."""

    event = Drew
    rules: Citations = (rules.recompile.REWARD, rules.recompile.CARD_CHANGES_HANDS, rules.recompile.PROTOCOL_STAYS)

    def __init__(self, seat: str) -> None:
        self.seat = seat

    def violations(self, state: State, event: Drew) -> Violations:
        failed = draw_violations(state, event, self.seat, opponent(self.seat), 1)
        return (replace(failed[0], rule=rules.recompile.REWARD, not_intended=False),) if failed else ()

    def candidates(self, state: State) -> Iterator[Drew]:
        yield drawn(state, self.seat, opponent(self.seat), 1)


class DrewRules(CompileEventRules[Drew]):
    """The rules of drawing cards."""

    event = Drew
    names_cards: bool = True
    verb = "draw"
    may_be_ambiguous: bool = True

    def occasions(self, state: State) -> Iterable[Occasion[Drew]]:
        frame = state.stack[-1] if state.stack else None
        if type(frame) is Refreshing:
            number = to_draw(state, frame.seat)
            waits = frame.control or frame.choice or _new_deck(state, frame.seat, number)
            return () if waits else (RefreshDraw(frame.seat, number),)
        if frame is not None and new_deck_due(state):
            return ()
        if type(frame) is Compiling:
            return (Reward(frame.seat),) if frame.deleted and not control_is_up(state, frame) else ()
        if frame is None:
            return opening_draws(state) if state.phase == "setup" and is_idle(state) else ()
        return called_for(state, Drew)

    def joined(self, event: Drew, rest: Drew) -> Drew | None:
        if (event.player, event.deck) != (rest.player, rest.deck):
            return None
        cards = None if event.cards is None or rest.cards is None else (*event.cards, *rest.cards)
        return replace(event, cards=cards, count=None if cards else drawn_count(event) + drawn_count(rest))

    def also_accepted(self, state: State) -> Iterable[DrawRest]:
        made = new_deck_due(state)
        frame = newest(state)
        if made is None or not side_of(state, made.seat).deck:
            return ()
        if type(frame) is Text:
            drawing = (i for i in instructions(frame) if isinstance(i, DrawCards))
            return tuple(DrawRest(i.actor(frame), made.seat) for i in drawing)
        return (DrawRest(made.seat, made.seat, rules.refresh.SHORT_DECK),) if type(frame) is Refreshing else ()

    def is_relevant(self, state: State, event: Drew) -> bool:
        return super().is_relevant(state, event) or _draws_before_control(state, event)

    def happen(self, state: State, event: Drew) -> State:
        before, owner = state, event.deck or event.player
        side = side_of(state, owner)
        cards = event.cards if event.cards is not None else _unnamed(state, side.deck, drawn_count(event))
        if owner == event.player and side.deck[: len(cards)] == cards:
            hand = (*side.hand, *cards)[:ALL_CARDS]
            state = with_side(state, owner, replace(side, deck=side.deck[len(cards) :], hand=hand))
        else:
            state = _drawn_otherwise(state, event.player, owner, cards)
        if state.phase == "setup":
            return state
        state, is_done = _drawing_done(state, event, cards)
        if not is_done:
            return state
        texts = _after_draw(state, event) if cards else ()
        if state.shuffled:
            texts = (*texts, *(due for seat in state.shuffled for due in waiting(state, seat, "after_you_shuffle")))
            state = replace(state, shuffled=())
        return with_due(state, texts, led_to(before, event)) if texts else state


def _unnamed(state: State, deck: tuple[str, ...], number: int) -> tuple[str, ...]:
    """The cards of a draw that names none: the top ones, but any of those shown where a kind of card is drawn."""
    text = waiting_text(state, "draw")
    return deck[:number] if text is None or next_instruction(text).matching is None else (UNKNOWN,) * number


def _drawn_otherwise(state: State, player: str, owner: str, cards: tuple[str, ...]) -> State:
    """The position after a draw from the deck of the opponent, or of cards that were not known to lie on top."""
    state = taken_away(state, owner, "deck", cards)
    state = with_hand(state, player, (*side_of(state, player).hand, *cards))
    return state if owner == player or all(map(is_known, cards)) else with_foreign(state, player)


def _after_draw(state: State, event: Drew) -> tuple[DueText, ...]:
    """The texts that wait for the draw; by one reading none waits for a card of the other deck."""
    if not some_react(state):
        return ()
    if event.deck not in (None, event.player) and OTHER_DECK_IS_NO_DRAW.name in state.switches:
        return ()
    other = waiting(state, opponent(event.player), "after_opponent_draws")
    return (*waiting(state, event.player, "after_you_draw"), *other)


def _drawing_done(state: State, event: Drew, cards: tuple[str, ...]) -> tuple[State, bool]:
    """Whatever waited for the draw, carried forward; and whether it is over, or goes on with a new deck."""
    frame = state.stack[-1] if state.stack else None
    side = side_of(state, event.deck or event.player)
    goes_on = bool(cards) and not side.deck and bool(side.trash)
    if type(frame) is Refreshing and not event.deck:
        return (state, False) if goes_on and to_draw(state, frame.seat) else (refresh_over(state, frame), True)
    if type(frame) is Compiling and event.deck:
        return compile_over(state, frame), True
    text = waiting_text(state, "draw")
    if text is None:
        return state, True
    declared = next_instruction(text)
    if goes_on and declared.matching is None and len(cards) < draw_number(state, text, declared):
        return swapped(state, replace(text, taken=(*text.taken, *cards))), False
    drawn_now = (*text.taken, *cards)
    return swapped(state, replace(carried_out(text, None, len(drawn_now)), drawn=drawn_now)), True


def _draws_before_control(state: State, event: Drew) -> bool:
    """Whether this is the right draw of a refresh for which the control component has not gone back."""
    frame = newest(state)
    if type(frame) is not Refreshing or not frame.control:
        return False
    return not RefreshDraw(frame.seat, to_draw(state, frame.seat)).violations(state, event)


def opening_draws(state: State) -> tuple[OpeningDraw, ...]:
    """The opening hands not drawn yet."""
    sides = ((seat, side_of(state, seat)) for seat in SEATS)
    return tuple(OpeningDraw(seat) for seat, side in sides if len(side.hand) < OPENING_HAND and side.deck)


# A new deck

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


class DrawRest(Occasion[Drew]):
    """What is left of a deck is drawn before the new one is made; the draw then goes on."""

    event = Drew

    def __init__(self, player: str, deck: str, *why: Rule) -> None:
        self.player = player
        self.deck = deck
        self.rules = (*why, rules.deck.RESHUFFLE_ON_DRAW, rules.draw.FROM_TOP_TO_HAND)

    def violations(self, state: State, event: Drew) -> Violations:
        return draw_violations(state, event, self.player, self.deck, len(side_of(state, self.deck).deck))


def new_deck_due(state: State) -> MakeDeck | None:
    """The new deck that has to be made before the cards that are due are drawn, if one has to."""
    frame = newest(state)
    if type(frame) is Refreshing:
        idle = frame.control or frame.choice
        return None if idle else _new_deck(state, frame.seat, to_draw(state, frame.seat), rules.refresh.SHORT_DECK)
    if type(frame) is Compiling:
        due = frame.deleted and not control_is_up(state, frame)
        return _new_deck(state, opponent(frame.seat), 1) if due else None
    if type(frame) is not Text or is_lost(state, frame):
        return None
    drawing = (i for i in instructions(frame) if isinstance(i, DrawCards) and i.ready(state, frame))
    decks = ((deck_of(i.declared, i.actor(frame)), draw_number(state, frame, i.declared)) for i in drawing)
    return next((deck for seat, number in decks if (deck := _new_deck(state, seat, number))), None)


def _new_deck(state: State, seat: str, number: int, *why: Rule) -> MakeDeck | None:
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


def _for_draw(state: State, seat: str) -> State:
    """The position once a new deck is made for a draw: the number to draw stands, and a text waits for the shuffle."""
    if NEW_DECK_IS_NO_SHUFFLE.name not in state.switches and waiting(state, seat, "after_you_shuffle"):
        state = replace(state, shuffled=(*(one for one in state.shuffled if one != seat), seat))
    text = waiting_text(state, "draw")
    if text is None or not _is_by_value(next_instruction(text)):
        return state
    return swapped(state, replace(text, number=_number(state, text, next_instruction(text))))


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

    def happen(self, state: State, event: Shuffled) -> State:
        why = led_to(state, event)
        side = side_of(state, event.player)
        if event.deck is None and any(is_stranger(side, card) for card in side.deck):
            state = with_foreign(state, event.player)
        deck = (UNKNOWN,) * len(side.deck) if event.deck is None else event.deck
        state = with_side(state, event.player, replace(side, deck=deck[:ALL_CARDS]))
        return with_due(
            carried_forward(state, "shuffle_deck", None), waiting(state, event.player, "after_you_shuffle"), why
        )


RULES = (DrewRules(), ReshuffledRules(), ShuffledRules())
