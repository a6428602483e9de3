"""The morning: the token, readying, two cards, and a card for the Mana zone."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.event_rules import Citations, Obligation, Violation
from audit.games.altered.carrying_out import (
    by_itself,
    carried_out,
    counted_already,
    is_accounted_for,
    is_name_under_way,
    is_resolving,
    not_by_text,
    unread_text,
)
from audit.games.altered.event_rules.base import (
    AlteredEventRules,
    ChoiceRules,
    Due,
    DueOrDeclined,
    Failures,
    fails,
    is_by_effect,
    may_be_of_morning,
    not_in_daily_effect,
)
from audit.games.altered.events import CardsDrawn, FirstPlayerPassed, ManaDeclined, ManaPlaced, ObjectsReadied
from audit.games.altered.places import not_in_hand, not_in_list, zone_of
from audit.games.altered.rules import day_overview, free_for_all, phases, timing_of_play
from audit.games.altered.seats import after, side_of
from audit.games.altered.state import UNKNOWN, Done, Side, State
from audit.games.altered.unread import told
from audit.games.altered.untold import may_be_in_hand, owed, with_card_drawn
from audit.games.altered.zones import less, number_of_orbs, sides_with, taken_out, with_orb

MORNING_DRAW = 2
BY_EFFECT = (timing_of_play.INTERNAL_ACTIONS,)


class FirstPlayerPassedRules(AlteredEventRules[FirstPlayerPassed]):
    """The token goes to the next player, on every day but the first."""

    event = FirstPlayerPassed
    rules: Citations = (phases.MORNING_TOKEN_PASS, day_overview.NEW_FIRST_PLAYER)

    def criteria(self, state: State, event: FirstPlayerPassed) -> Failures:
        if state.day <= 1:
            yield fails(phases.MORNING_TOKEN_PASS, "token.first_day")
        yield from not_in_daily_effect(state, "pass_token", "token.moment", phases.MORNING_ORDER)
        holder = state.first_player
        heir = after(state, holder) if holder else event.to
        if event.from_ != (holder or event.from_):
            yield fails(day_overview.NEW_FIRST_PLAYER, "token.holder", {"player": holder})
        if event.to != heir or event.to == event.from_:
            yield fails(day_overview.NEW_FIRST_PLAYER, "token.heir", {"player": heir})

    def candidates(self, state: State) -> Iterator[FirstPlayerPassed]:
        if state.first_player and (heir := after(state, state.first_player)):
            yield FirstPlayerPassed(seq=0, from_=state.first_player, to=heir)

    def happen(self, state: State, event: FirstPlayerPassed) -> State:
        return replace(state, first_player=event.to, parts_left=())


class ObjectsReadiedRules(AlteredEventRules[ObjectsReadied]):
    """Every player readies everything, in any order; effects may ready single objects at other times."""

    event = ObjectsReadied
    may_be_unchecked = True
    may_be_ambiguous = True
    rules: Citations = (day_overview.PREPARE, phases.MORNING_READY_ALL, phases.MORNING_ORDER)
    at_any_time = True

    def criteria(self, state: State, event: ObjectsReadied) -> Failures:
        if _is_readied_by_effect(state, event):
            yield from not_by_text(state, _readied(event))
            return
        yield from not_in_daily_effect(state, "prepare", "ready.moment", phases.MORNING_ORDER)
        yield from _part_done(state, event.player, "prepare", day_overview.PREPARE)
        if event.objects != "all":
            left = [card for card, by in state.exhausted.items() if by == event.player and card not in event.objects]
            if left or side_of(state, event.player).exhausted_orbs:
                yield fails(phases.MORNING_READY_ALL, "ready.left", {"card": left[0] if left else event.objects})

    def is_ambiguous(self, state: State, event: ObjectsReadied) -> bool:
        return may_be_of_morning(state, event.objects == "all")

    def unread(self, state: State, event: ObjectsReadied) -> Failures:
        if state.daily_effect == "prepare" and not state.open_effects:
            return ()
        return unread_text(state, _readied(event)) if _is_readied_by_effect(state, event) else ()

    def citations(self, state: State, event: ObjectsReadied) -> Citations:
        return BY_EFFECT if _is_readied_by_effect(state, event) else self.rules

    def candidates(self, state: State) -> Iterator[ObjectsReadied]:
        return (ObjectsReadied(seq=0, player=seat) for seat in state.parts_left)

    def happen(self, state: State, event: ObjectsReadied) -> State:
        player, parts_left = event.player, less(state.parts_left, event.player)
        if event.objects != "all":
            kept = {card: by for card, by in state.exhausted.items() if card not in event.objects}
            orbs = sum([card not in state.exhausted and zone_of(state, card) is None for card in event.objects])
            orbs -= min(orbs, counted_already(state, _readied(event)))
            sides = sides_with(state, player, lambda side: _some_orbs_readied(side, orbs)) if orbs else state.sides
            after_it = replace(state, exhausted=kept, parts_left=parts_left, sides=sides)
            return told(carried_out(after_it, _readied(event)))
        number = owed(state, player, "ready")[0] if _is_readied_by_effect(state, event) else 0
        known = counted_already(state, _readied(event)) if _is_readied_by_effect(state, event) else 0
        if number or known:
            sides = sides_with(state, player, lambda side: _some_orbs_readied(side, number))
            return told(carried_out(replace(state, sides=sides), Done("ready", player, number + known)))
        kept = {card: by for card, by in state.exhausted.items() if by not in (player, "")}
        return replace(state, exhausted=kept, sides=sides_with(state, player, _orbs_readied), parts_left=parts_left)


def _readied(event: ObjectsReadied) -> Done:
    """What a text is to have done: where the log does not say what was readied, as much as the text says."""
    return Done("ready", event.player, len(event.objects) if event.objects != "all" else 1)


def _is_readied_by_effect(state: State, event: ObjectsReadied) -> bool:
    if event.objects != "all":
        return state.daily_effect != "prepare" and is_accounted_for(state, "ready")
    return is_by_effect(state, "prepare")


def _some_orbs_readied(side: Side, orbs: int) -> Side:
    """So many orbs readied, as far as they are exhausted."""
    if side.ready_orbs is None or side.exhausted_orbs is None:
        return side
    orbs = min(orbs, side.exhausted_orbs)
    return replace(side, ready_orbs=side.ready_orbs + orbs, exhausted_orbs=side.exhausted_orbs - orbs)


def _orbs_readied(side: Side) -> Side:
    orbs = number_of_orbs(side)
    return replace(side, ready_orbs=orbs, exhausted_orbs=None if orbs is None else 0, all_orbs=None)


class CardsDrawnRules(AlteredEventRules[CardsDrawn]):
    """Every player draws two in the morning, in any order; effects may draw at other times."""

    event = CardsDrawn
    names_cards = True
    may_be_unchecked = True
    may_be_ambiguous = True
    rules: Citations = (day_overview.DRAW, phases.MORNING_DRAW_TWO, phases.MORNING_ORDER)
    at_any_time = True

    def criteria(self, state: State, event: CardsDrawn) -> Failures:
        if _is_drawn_by_effect(state, event):
            if not (is_accounted_for(state, "draw") or by_itself(state, event.reason, "zones")):
                yield fails(day_overview.DRAW, "draw.no_effect")
            yield from not_by_text(state, _drawn_by_text(event))
            yield from _not_drawn(state, event)
            return
        yield from not_in_daily_effect(state, "draw", "draw.moment", phases.MORNING_ORDER)
        yield from _part_done(state, event.player, "draw", day_overview.DRAW)
        if event.count != MORNING_DRAW:
            yield fails(phases.MORNING_DRAW_TWO, "draw.count", {"n": event.count, "most": MORNING_DRAW})
        yield from _not_drawn(state, event)

    def is_relevant(self, state: State, event: CardsDrawn) -> bool:
        """Where the log names what is carried out, the cards are drawn by that, and not in the morning."""
        return is_name_under_way(state, event.reason)

    def names_cause(self, state: State, event: CardsDrawn) -> bool:
        return event.reason in state.game.abilities and not self.is_relevant(state, event)

    def joined(self, event: CardsDrawn, rest: CardsDrawn) -> CardsDrawn | None:
        if (event.player, event.reason) != (rest.player, rest.reason):
            return None
        cards = None if event.cards is None or rest.cards is None else (*event.cards, *rest.cards)
        return replace(event, count=event.count + rest.count, cards=cards)

    def missing(self, state: State, event: CardsDrawn) -> Violation | None:
        return next(iter(_not_drawn(state, event)), None)

    def is_ambiguous(self, state: State, event: CardsDrawn) -> bool:
        return may_be_of_morning(state, event.count == MORNING_DRAW and event.reason == "morning")

    def unread(self, state: State, event: CardsDrawn) -> Failures:
        deck = side_of(state, event.player).deck
        if deck is not None and len(deck) < event.count:
            yield fails(day_overview.DRAW, "unread.short_deck", {"player": event.player, "n": len(deck)})
        is_of_morning = state.daily_effect == "draw" and not state.open_effects
        if not is_of_morning and _is_drawn_by_effect(state, event):
            yield from unread_text(state, _drawn_by_text(event), "zones")

    def citations(self, state: State, event: CardsDrawn) -> Citations:
        return BY_EFFECT if _is_drawn_by_effect(state, event) else self.rules

    def candidates(self, state: State) -> Iterator[CardsDrawn]:
        return (CardsDrawn(seq=0, player=seat, count=MORNING_DRAW) for seat in state.parts_left)

    def happen(self, state: State, event: CardsDrawn) -> State:
        """Cards from the top of the deck, or as many unknown ones, go to hand."""
        if _is_drawn_by_effect(state, event):
            known = min(event.count, counted_already(state, _drawn_by_text(event)))
            sides = sides_with(state, event.player, lambda side: _drawn(side, event, known))
            return told(carried_out(replace(state, sides=sides), _drawn_by_text(event)))
        parts_left = less(state.parts_left, event.player) if state.daily_effect == "draw" else state.parts_left
        sides = sides_with(state, event.player, lambda side: _drawn(side, event))
        return replace(state, sides=sides, parts_left=parts_left)


def _drawn_by_text(event: CardsDrawn) -> Done:
    return Done("draw", event.player, event.count, event.reason)


def _names_a_card(state: State, reason: str) -> bool:
    game = state.game
    return reason in game.abilities or reason in game.costs or reason in state.face_up


def _is_drawn_by_effect(state: State, event: CardsDrawn) -> bool:
    if _names_a_card(state, event.reason) or is_name_under_way(state, event.reason):
        return True
    if event.reason != "morning":
        return state.daily_effect != "draw" or bool(state.open_effects)
    return is_by_effect(state, "draw", event.count == MORNING_DRAW)


def _not_drawn(state: State, event: CardsDrawn) -> Failures:
    """The cards drawn that cannot be on top of the deck, as far as it is known."""
    if event.cards is None:
        return
    top = (side_of(state, event.player).deck or ())[: event.count]
    for card in event.cards:
        if UNKNOWN not in "".join(top) and top and card != UNKNOWN and card not in top:
            yield fails(day_overview.DRAW, "draw.top", {"card": card})
        elif other := not_in_list(state, event.player, card, day_overview.DRAW):
            yield other
    if len(event.cards) != event.count:
        yield fails(day_overview.DRAW, "draw.cards", {"n": len(event.cards), "expected": event.count})


def _drawn(side: Side, event: CardsDrawn, known: int = 0) -> Side:
    """The side with these cards drawn, but for so many that have been counted already."""
    deck, count = side.deck or (), event.count - known
    cards = (event.cards or ())[known:] or deck[:count] + (UNKNOWN,) * max(0, count - len(deck))
    hand = None if side.hand is None else side.hand + cards
    return replace(side, hand=hand, deck=None if side.deck is None else deck[count:])


def _part_done(state: State, seat: str, effect: str, rule: Rule) -> Failures:
    is_done = state.daily_effect == effect and seat not in state.parts_left
    return (fails(rule, "part.done", {"player": seat}),) if is_done else ()


class ManaPlacedRules(ChoiceRules[ManaPlaced]):
    """Each player in initiative order may put one card of the hand down as an orb; a missing choice means no."""

    event = ManaPlaced
    names_cards = True
    may_be_unchecked = True
    may_be_ambiguous = True
    rules: Citations = (phases.MORNING_MANA_ORDER, day_overview.MANA)
    obligation = Obligation.EXPIRES

    def criteria(self, state: State, event: ManaPlaced) -> Failures:
        if _is_placed_by_effect(state, event):
            yield from not_by_text(state, Done(None, event.player))
            if missing := self.missing(state, event):
                yield missing
            return
        yield from _not_to_choose(state, event.player)
        if event.count != 1:
            yield fails(phases.MORNING_MANA_ONE, "mana.count", {"n": event.count})
        if event.from_ != "hand":
            yield fails(day_overview.MANA, "mana.from", {"zone": event.from_})
        if event.face != "down":
            yield fails(phases.MORNING_MANA_FACEDOWN, "mana.face")
        if missing := self.missing(state, event):
            yield missing

    def is_ambiguous(self, state: State, event: ManaPlaced) -> bool:
        return may_be_of_morning(state, event.from_ == "hand")

    def unread(self, state: State, event: ManaPlaced) -> Failures:
        if state.daily_effect == "mana" and not state.open_effects:
            is_there = not_in_hand(state, event.player, event.card, day_overview.MANA) is None
            return () if is_there else may_be_in_hand(state, event.player, day_overview.MANA)
        return unread_text(state, Done(None, event.player)) if _is_placed_by_effect(state, event) else ()

    def may_come(self, state: State) -> bool:
        by_effect = state.daily_effect != "mana" and state.winner is None and is_resolving(state)
        return by_effect or super().may_come(state)

    def citations(self, state: State, event: ManaPlaced) -> Citations:
        if _is_placed_by_effect(state, event):
            return BY_EFFECT
        return (
            phases.MORNING_MANA_ORDER, day_overview.MANA, phases.MORNING_MANA_BECOMES_ORB, phases.MORNING_MANA_ONE,
            phases.MORNING_MANA_FACEDOWN,
        )  # fmt: skip

    def candidates(self, state: State) -> Iterator[ManaPlaced]:
        for player in state.parts_left[:1]:
            hand = side_of(state, player).hand
            for card in (UNKNOWN,) if hand is None else dict.fromkeys(hand):
                yield ManaPlaced(seq=0, player=player, card=card)

    def missing(self, state: State, event: ManaPlaced) -> Violation | None:
        if event.from_ != "hand":
            return None
        found = not_in_hand(state, event.player, event.card, day_overview.MANA)
        return None if found is None or may_be_in_hand(state, event.player, day_overview.MANA) else found

    def happen(self, state: State, event: ManaPlaced) -> State:
        """A card of the hand is a ready orb from now on."""
        state = with_card_drawn(state, event.player, event.card) if event.from_ == "hand" else state
        sides = sides_with(state, event.player, lambda side: _placed(side, event))
        if _is_placed_by_effect(state, event):
            return told(replace(state, sides=sides))
        return replace(state, sides=sides, parts_left=less(state.parts_left, event.player))


def _is_placed_by_effect(state: State, event: ManaPlaced) -> bool:
    return is_by_effect(state, "mana", event.from_ == "hand")


def _placed(side: Side, event: ManaPlaced) -> Side:
    return with_orb(taken_out(side, event.from_, event.card), event.card)


class ManaDeclinedRules(AlteredEventRules[ManaDeclined]):
    """The player whose choice it is places no card."""

    event = ManaDeclined
    rules: Citations = (day_overview.MANA, phases.MORNING_MANA_ORDER, phases.MORNING_MANA_ONE)

    def due_as(self, obligation: Obligation, rules: Citations | None = None) -> Due:
        return DueOrDeclined(
            self.event, rules or self.rules, obligation, self.candidates, self.inferred, self.goes_first
        )

    def criteria(self, state: State, event: ManaDeclined) -> Failures:
        return _not_to_choose(state, event.player)

    def candidates(self, state: State) -> Iterator[ManaDeclined]:
        for player in state.parts_left[:1]:
            yield ManaDeclined(seq=0, player=player)

    def happen(self, state: State, event: ManaDeclined) -> State:
        """The choice is made; with seq 0 it is not in the log."""
        progress = state.progress
        if not event.seq:
            progress = replace(progress, silent_on_mana=(*progress.silent_on_mana, event.player))
        return replace(state, parts_left=less(state.parts_left, event.player), progress=progress)


def _not_to_choose(state: State, seat: str) -> Failures:
    yield from not_in_daily_effect(state, "mana", "mana.moment", phases.MORNING_ORDER)
    if state.daily_effect != "mana":
        return
    if seat not in state.still_in and state.seats:
        rule = phases.MORNING_MANA_ORDER if state.game.mode == "duel" else free_for_all.TIEBREAK_LEAVE
        yield fails(rule, "player.out", {"player": seat})
    elif seat in state.progress.silent_on_mana:
        yield fails(phases.MORNING_MANA_ORDER, "mana.late", {"player": seat})
    elif seat not in state.parts_left:
        yield fails(phases.MORNING_MANA_ONE, "mana.again", {"player": seat})
    elif seat != state.parts_left[0]:
        yield fails(phases.MORNING_MANA_ORDER, "mana.order", {"player": state.parts_left[0]})


RULES = (FirstPlayerPassedRules(), ObjectsReadiedRules(), CardsDrawnRules(), ManaPlacedRules(), ManaDeclinedRules())
