"""What each verb of the cards' vocabulary lets happen: one kind of option a verb.

An instruction is asked three things: can anything be done at all, is this event one way of doing it, and which
ways are there. All three ask the same criteria.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, permutations

from msgspec.structs import replace

from audit.catalogue import PROCEDURE, Rule
from audit.compile import rules
from audit.compile.citing import in_its_turn, of_its_pick
from audit.compile.clarified import CARD_RULES, clarification, correction
from audit.compile.criteria import (
    could_be,
    misfit,
    not_in_hand,
    pick_refused,
    picks,
    place_refused,
    places,
    protocol_of,
)
from audit.compile.events import (
    Chose,
    Deleted,
    Discarded,
    Drew,
    Flipped,
    OwnerChanged,
    Played,
    Rearranged,
    Refreshed,
    Resolved,
    Returned,
    Revealed,
    Shifted,
)
from audit.compile.readings import LINE_MUST_HOLD_A_TARGET, STUCK_PLAYER_REFRESHES
from audit.compile.state import HAND_LIMIT, LINES, State, Text, is_known, opponent, spot
from audit.compile.texts import steps_of
from audit.compile.totals import value_of
from audit.compile.words import ALL, EACH, Count, Step, Target
from audit.model import Event, type_name
from audit.ruleset import Broken, Option

MOST_HANDS = 5000
"""So many ways of discarding a number of cards are listed at most; a hand of thirty has millions."""


class Instruction(Option[State]):
    """One step of one text, the newest under way."""

    def __init__(self, card: str, step: Step) -> None:
        self.card = card
        self.step = step
        self.rules = (*self.kind(), *_binding(step), *CARD_RULES.get(card, ()))

    def kind(self) -> tuple[Rule, ...]:
        """The rules of the verb."""
        raise NotImplementedError

    def ready(self, state: State, text: Text) -> bool:
        """Whether anything can be done."""
        return next(self.offers(state), None) is not None

    def actor(self, text: Text) -> str:
        """Who carries the step out."""
        return text.seat if self.step.who == "you" else opponent(text.seat)

    def cites(self, state: State, event: Event) -> tuple[Rule, ...]:
        more = in_its_turn(state, _text(state), self.step)
        return (*self.rules, *more) if more else self.rules

    def own_rule(self, *kinds: str) -> Rule | None:
        """The rule made for this very text, which tells more than the general one."""
        return clarification(self.card, type_name(self.event), *kinds)

    def corrected(self, broken: tuple[Broken, ...]) -> tuple[Broken, ...]:
        """What is broken, by the rule that says how this text is to be read, if there is one."""
        rule = correction(self.card, type_name(self.event))
        return broken if rule is None else tuple(replace(item, rule=rule) for item in broken)


def _binding(step: Step) -> tuple[Rule, ...]:
    bound = rules.effects.MAY_ONLY_IF_SAID if step.optional else rules.effects.MUST_BE_APPLIED
    return (bound, rules.effects.CONDITION_MUST_BE_MET) if step.if_did else (bound,)


def _text(state: State) -> Text:
    text = state.stack[-1]
    assert isinstance(text, Text)
    return text


def wrong_player(expected: str, found: str, rule: Rule = rules.effects.SOURCE_SIDE_DECIDES) -> Broken:
    """Somebody else acts than the one whose part it is."""
    return Broken(rule, "wrong.player", {"player": found, "expected": expected}, elsewhere=True)


# Cards of the field


class Pick(Instruction):
    """A step that picks cards of the field."""

    @property
    def target(self) -> Target:
        """What it can pick."""
        assert self.step.target is not None
        return self.step.target

    def reach(self) -> Rule:
        """The rule that says which cards are within reach."""
        if self.target.ref:
            return rules.effects.READING_ORDER
        if self.step.count == ALL:
            return rules.all_.INCLUDES_COVERED
        if self.step.count == EACH:
            return rules.each.LEAVES_COVERED_OUT
        return rules.target.UNCOVERED_BY_DEFAULT if self.target.cover == "uncovered" else rules.target.COVERED_IF_NAMED

    def scope(self) -> Iterator[Rule]:
        """The rules that say which of the cards within reach are meant."""
        target = self.target
        if target.ref:
            return
        if self.step.count == ALL:
            yield rules.all_.AT_ONCE
        if target.line:
            yield rules.field.LINE_TWO_PROTOCOLS if target.line == "this" else rules.field.THREE_LINES
        if target.values or target.rank:
            yield from (rules.field.VALUE_COUNTS, rules.field.FACE_DOWN_VALUE)
        if target.face != "any":
            yield rules.field.FACING_IS_NOT_COVER
        yield from (rules.target.BOTH_SIDES, rules.target.FIELD_ONLY)

    def cites(self, state: State, event: Event) -> tuple[Rule, ...]:
        text = _text(state)
        owned = text.todo is None and self._is_own_for_want_of_others(state, text, event)
        more = (*in_its_turn(state, text, self.step), *of_its_pick(state, text, self.step, event, owned))
        return (*self.rules, *more) if more else self.rules

    def _is_own_for_want_of_others(self, state: State, text: Text, event: Event) -> bool:
        if self.target.ref or self.step.count == ALL or text.seat not in _seats(state, picked(event)):
            return False
        return set(_seats(state, self.pickable(state, text))) == {text.seat}

    def pickable(self, state: State, text: Text) -> list[str]:
        """The cards it can pick now, what it has settled on before taken into account."""
        if text.todo is None:
            return picks(state, text, self.target)
        if self.step.in_lines:
            return [c for c in picks(state, text, self.target) if _line(state, c) in text.todo]
        return [c for c in text.todo if isinstance(c, str) and self._still_fits(state, text, c)]

    def _still_fits(self, state: State, text: Text, card: str) -> bool:
        place = spot(state, card)
        return place is not None and (self.step.count == ALL or misfit(state, text, self.target, card, place) is None)

    def refused(self, state: State, card: str) -> Broken | None:
        """Why the step may not pick that card."""
        text = _text(state)
        if broken := pick_refused(state, text, self.target, card):
            return self._named(broken)
        if text.todo is None:
            return None
        if self.step.in_lines:
            if _line(state, card) in text.todo:
                return None
            return Broken(rules.effects.MUST_BE_APPLIED, "pick.line_done", {"card": card})
        if card in text.todo:
            return None
        return Broken(self.reach(), "pick.not_noted", {"card": card})

    def _named(self, broken: Broken) -> Broken:
        rule: Rule | None = None
        if broken.key == "pick.covered" and self.step.count == EACH:
            rule = self.own_rule() or rules.each.LEAVES_COVERED_OUT
        elif broken.key == "pick.ref":
            rule = self.own_rule()
        return broken if rule is None else replace(broken, rule=rule)

    def ready(self, state: State, text: Text) -> bool:
        if self.step.count == ALL and self.step.verb in ("delete", "return") and text.todo is None:
            return next(whole_sets(state, text, self.target), None) is not None
        return bool(self.pickable(state, text))


def _line(state: State, card: str) -> int:
    place = spot(state, card)
    return place.line if place else 0


def picked(event: Event) -> tuple[str, ...]:
    """The cards of the field an event picks."""
    if isinstance(event, Flipped | Shifted):
        return (event.card,)
    if isinstance(event, Deleted):
        return event.cards
    return returned_cards(event) if isinstance(event, Returned) else ()


def _seats(state: State, cards: Iterable[str]) -> list[str]:
    return [place.seat for card in cards if (place := spot(state, card))]


class Flip(Pick):
    """Turn a card over."""

    event = Flipped

    def kind(self) -> tuple[Rule, ...]:
        return (rules.flip.TURNS_OVER, self.reach(), *self.scope())

    def refusals(self, state: State, event: Flipped) -> tuple[Broken, ...]:  # type: ignore[override]
        if broken := self.refused(state, event.card):
            return (broken,)
        place = spot(state, event.card)
        if place is not None and place.up == (event.face == "up"):
            return (Broken(rules.flip.TURNS_OVER, "flip.same_face", {"card": event.card, "face": event.face}),)
        return ()

    def offers(self, state: State) -> Iterator[Event]:
        for card in self.pickable(state, _text(state)):
            place = spot(state, card)
            yield Flipped(seq=0, card=card, face="down" if place is None or place.up else "up")


class Shift(Pick):
    """Move a card to another line of its side."""

    event = Shifted

    def kind(self) -> tuple[Rule, ...]:
        return (rules.shift.OTHER_LINE_SAME_SIDE, self.reach(), *self.scope())

    def refusals(self, state: State, event: Shifted) -> tuple[Broken, ...]:  # type: ignore[override]
        if broken := self.refused(state, event.card):
            return (broken,)
        place = spot(state, event.card)
        if place is None:
            return ()
        if event.from_ is not None and event.from_ != place.line:
            return (Broken(rules.shift.OTHER_LINE_SAME_SIDE, "shift.from", {"card": event.card, "line": place.line}),)
        if event.to not in self.aims(_text(state), place.line):
            rule = self.own_rule() if _text(state).aim else None
            data = {"card": event.card, "line": event.to}
            return (Broken(rule or rules.shift.OTHER_LINE_SAME_SIDE, "shift.to", data),)
        if below := self._left_below(state, event.card):
            rule = self.own_rule() or rules.committed.QUEUE
            return (Broken(rule, "shift.order", {"card": event.card, "below": below}),)
        return ()

    def _left_below(self, state: State, card: str) -> str | None:
        """A card of the same stack that belongs to the group too, and comes before this one."""
        place = spot(state, card)
        if place is None or not self.step.together:
            return None
        stack = state.side(place.seat).lines[place.line - 1][: place.index]
        waiting = self.pickable(state, _text(state))
        return next((lain.card for lain in stack if lain.card in waiting), None)

    def aims(self, text: Text, at: int) -> list[int]:
        """The lines a card lying in that line can be moved to."""
        if text.aim:
            return [text.aim]
        away = [line for line in LINES if line != at]
        if self.step.to == "this_line" or (self.step.to == "to_or_from_this_line" and at != text.line):
            return [line for line in away if line == text.line]
        return away

    def ready(self, state: State, text: Text) -> bool:
        return any(self.aims(text, _line(state, card)) for card in self.pickable(state, text))

    def offers(self, state: State) -> Iterator[Event]:
        text = _text(state)
        cards = self.pickable(state, text)
        for card in cards[:1] if self.step.together else cards:
            at = _line(state, card)
            for line in self.aims(text, at):
                yield Shifted(seq=0, card=card, from_=at, to=line)


class Delete(Pick):
    """From the field to the trash."""

    event = Deleted

    def kind(self) -> tuple[Rule, ...]:
        silent: tuple[Rule, ...] = (rules.delete.WHOLE_LINE_IS_SILENT,) if self.step.count == ALL else ()
        trash = (rules.owner.ZONES_FOLLOW, rules.discard.TRASH_IS_FACE_UP)
        return (rules.delete.FIELD_TO_TRASH, self.reach(), *silent, *trash, *self.scope())

    def refusals(self, state: State, event: Deleted) -> tuple[Broken, ...]:  # type: ignore[override]
        if self.step.count == ALL:
            return whole_set_refused(state, self.target, event.cards)
        if len(event.cards) != 1:
            rule = self.own_rule(PROCEDURE) or rules.effects.READING_ORDER
            return (Broken(rule, "delete.one", {"n": len(event.cards)}),)
        broken = self.refused(state, event.cards[0])
        return (broken,) if broken else ()

    def offers(self, state: State) -> Iterator[Event]:
        text = _text(state)
        if self.step.count == ALL:
            yield from (Deleted(seq=0, cards=cards) for cards in whole_sets(state, text, self.target))
        else:
            yield from (Deleted(seq=0, cards=(card,)) for card in self.pickable(state, text))


class Return(Pick):
    """From the field to the hand of the player it belongs to."""

    event = Returned

    def kind(self) -> tuple[Rule, ...]:
        return (rules.return_.FIELD_TO_HAND, self.reach(), rules.owner.ZONES_FOLLOW, *self.scope())

    def refusals(self, state: State, event: Returned) -> tuple[Broken, ...]:  # type: ignore[override]
        cards = returned_cards(event)
        if event.cards is not None and self.step.count == ALL:
            return whole_set_refused(state, self.target, cards)
        for card in cards:
            if broken := self.refused(state, card):
                return (broken,)
        place = spot(state, cards[0]) if cards else None
        if place and event.to is not None and event.to != place.seat:
            own = protocol_of(cards[0]) in state.side(place.seat).protocols
            rule = rules.return_.FIELD_TO_HAND if own else rules.owner.ZONES_FOLLOW
            return (Broken(rule, "return.to", {"card": cards[0], "player": place.seat}),)
        return () if len(cards) == 1 else (Broken(rules.effects.READING_ORDER, "return.one", {"n": len(cards)}),)

    def offers(self, state: State) -> Iterator[Event]:
        text = _text(state)
        if self.step.count != ALL or text.todo is not None:
            for card in self.pickable(state, text):
                yield _returned(state, card)
        else:
            for cards in whole_sets(state, text, self.target):
                yield Returned(seq=0, cards=cards) if len(cards) > 1 else _returned(state, cards[0])


def _returned(state: State, card: str) -> Returned:
    place = spot(state, card)
    return Returned(seq=0, card=card, to=place.seat if place else None)


def returned_cards(event: Returned) -> tuple[str, ...]:
    """The cards of a return, however the log lists them."""
    return event.cards or ((event.card,) if event.card else ())


def whole_sets(state: State, text: Text, target: Target) -> Iterator[tuple[str, ...]]:
    """For every line that may be chosen, all its cards that fit (topic all-vs-each)."""
    for line in _lines_for(state, text, target):
        cards = tuple(card for card in picks(state, text, target) if _line(state, card) == line)
        if cards:
            yield cards


def empty_lines(state: State, text: Text) -> tuple[int, ...]:
    """The lines a text may settle on though none of their cards fits: then it does nothing."""
    step = steps_of(text)[text.step]
    if step.count != ALL or step.target is None or step.target.line != "chosen" or text.todo is not None:
        return ()
    if LINE_MUST_HOLD_A_TARGET.name in state.switches:
        return ()
    held = {_line(state, card) for card in picks(state, text, step.target)}
    return tuple(line for line in LINES if line not in held)


class NameLine(Option[State]):
    """A line in which no card fits is chosen as freely as any other."""

    event = Chose
    rules = (rules.effects.AS_FAR_AS_POSSIBLE, rules.field.THREE_LINES)

    def __init__(self, actor: str, lines: tuple[int, ...]) -> None:
        self.actor = actor
        self.lines = lines

    def refusals(self, state: State, event: Chose) -> tuple[Broken, ...]:  # type: ignore[override]
        if event.player != self.actor:
            return (wrong_player(self.actor, event.player),)
        if event.what != "line" or event.line not in self.lines:
            return (Broken(rules.field.THREE_LINES, "all.line", {}),)
        return ()

    def offers(self, state: State) -> Iterator[Event]:
        for line in self.lines:
            yield Chose(seq=0, player=self.actor, what="line", line=line)


def _lines_for(state: State, text: Text, target: Target) -> Iterator[int]:
    for line in LINES:
        size = len(state.a.lines[line - 1]) + len(state.b.lines[line - 1])
        if size >= target.line_at_least and not (target.line == "chosen_other" and line == text.line):
            yield line


def whole_set_refused(state: State, target: Target, cards: tuple[str, ...]) -> tuple[Broken, ...]:
    """Why these cards are not all that fit in one line that may be chosen."""
    text = _text(state)
    for card in cards:
        if broken := pick_refused(state, text, target, card):
            return (broken,)
    lines = {_line(state, card) for card in cards}
    if len(lines) != 1 or not lines <= set(_lines_for(state, text, target)):
        return (Broken(rules.field.THREE_LINES, "all.line", {}),)
    wanted = {card for card in picks(state, text, target) if _line(state, card) in lines}
    missing = sorted(wanted.difference(cards))
    return (Broken(_missing_rule(state, target, missing), "all.missing", {"cards": missing}),) if missing else ()


def _missing_rule(state: State, target: Target, missing: list[str]) -> Rule:
    """Why cards left out belong to all of them."""
    left = [place for card in missing if (place := spot(state, card))]
    if all(not place.uncovered for place in left):
        return rules.all_.INCLUDES_COVERED
    hidden = target.values and all(not place.up for place in left)
    return rules.field.FACE_DOWN_VALUE if hidden else rules.all_.AT_ONCE


# Cards of hand and deck


def draw_number(state: State, text: Text, step: Step) -> int:
    """How many cards a text tells to draw or discard, whatever there is."""
    count = step.count
    if isinstance(count, int):
        return count
    if isinstance(count, Count):
        if count.value_of_that:
            return (value_of(state, text.that) or 0) if text.that else 0
        if count.done:
            return text.done + count.plus
        return count.at_least
    return 0


def deck_of(step: Step, actor: str) -> str:
    """Whose deck a step draws from."""
    return opponent(actor) if step.source == "opposing_deck" else actor


class DrawCards(Instruction):
    """Cards from the top of a deck to hand."""

    event = Drew

    def kind(self) -> tuple[Rule, ...]:
        return (rules.draw.FROM_TOP_TO_HAND, rules.draw.ONE_EVENT_PER_INSTRUCTION)

    def ready(self, state: State, text: Text) -> bool:
        deck = state.side(deck_of(self.step, self.actor(text)))
        return draw_number(state, text, self.step) > 0 and bool(deck.deck or deck.trash)

    def refusals(self, state: State, event: Drew) -> tuple[Broken, ...]:  # type: ignore[override]
        text = _text(state)
        actor = self.actor(text)
        number = draw_number(state, text, self.step)
        broken = self.corrected(draw_refused(state, event, actor, deck_of(self.step, actor), number))
        by_value = isinstance(self.step.count, Count) and self.step.count.value_of_that
        if broken and by_value and (rule := self.own_rule()):
            return (replace(broken[0], rule=rule),)
        return broken

    def offers(self, state: State) -> Iterator[Event]:
        text = _text(state)
        actor = self.actor(text)
        yield drawn(state, actor, deck_of(self.step, actor), draw_number(state, text, self.step))


def drawn(state: State, player: str, deck: str, number: int) -> Drew:
    """The event of that many cards being drawn, as far as there are."""
    cards = state.side(deck).deck[:number]
    return Drew(seq=0, player=player, cards=cards, deck=deck if deck != player else None)


def draw_refused(state: State, event: Drew, player: str, deck: str, number: int) -> tuple[Broken, ...]:
    """Why this is not that draw."""
    if event.player != player:
        return (wrong_player(player, event.player),)
    if (event.deck or event.player) != deck:
        return (Broken(rules.draw.FROM_TOP_TO_HAND, "draw.deck", {"player": deck}),)
    there = state.side(deck).deck
    wanted = min(number, len(there))
    count = drawn_count(event)
    if count != wanted or (event.count is not None and event.count != wanted):
        piecemeal = 0 < count < wanted
        rule = rules.draw.ONE_EVENT_PER_INSTRUCTION if piecemeal else rules.draw.FROM_TOP_TO_HAND
        return (Broken(rule, "draw.number", {"n": wanted, "found": count}),)
    if event.cards is not None and not _same_cards(there[:wanted], event.cards):
        return (Broken(rules.draw.FROM_TOP_TO_HAND, "draw.top", {"cards": list(there[:wanted])}),)
    return ()


def _same_cards(top: tuple[str, ...], cards: tuple[str, ...]) -> bool:
    if top == cards:
        return True
    known = sorted(card for card in cards if is_known(card))
    if len(known) == len(cards) and sorted(top) == known:
        return True
    return all(could_be(held, named) for held, named in zip(top, cards, strict=True))


def drawn_count(event: Drew) -> int:
    """How many cards a log says were drawn."""
    return len(event.cards) if event.cards is not None else (event.count or 0)


class Discard(Instruction):
    """Cards from hand to trash, one event however many."""

    event = Discarded

    def kind(self) -> tuple[Rule, ...]:
        return (
            rules.discard.FROM_HAND,
            rules.discard.PLAYER_PICKS,
            rules.discard.ONE_EVENT_PER_INSTRUCTION,
            rules.discard.TRASH_IS_FACE_UP,
        )

    def cites(self, state: State, event: Event) -> tuple[Rule, ...]:
        text = _text(state)
        found = super().cites(state, event)
        short = len(state.side(self.actor(text)).hand) < draw_number(state, text, self.step)
        return (*found, rules.effects.AS_FAR_AS_POSSIBLE) if short else found

    def ready(self, state: State, text: Text) -> bool:
        return bool(state.side(self.actor(text)).hand) and draw_number(state, text, self.step) > 0

    def refusals(self, state: State, event: Discarded) -> tuple[Broken, ...]:  # type: ignore[override]
        text = _text(state)
        low, high = self.bounds(state, text)
        return discard_refused(state, event, self.actor(text), low, high)

    def bounds(self, state: State, text: Text) -> tuple[int, int]:
        """The fewest and the most cards that can be discarded."""
        held = len(state.side(self.actor(text)).hand)
        number = draw_number(state, text, self.step)
        open_end = isinstance(self.step.count, Count) and self.step.count.at_least > 0
        return min(number, held), held if open_end else min(number, held)

    def offers(self, state: State) -> Iterator[Event]:
        text = _text(state)
        yield from discards(state, self.actor(text), *self.bounds(state, text))


def discards(state: State, player: str, low: int, high: int) -> Iterator[Discarded]:
    """Every way of discarding between so many and so many cards."""
    held = sorted(Counter(state.side(player).hand).items())
    for number in range(low, high + 1):
        for cards in islice(_chosen(held, number), MOST_HANDS):
            yield Discarded(seq=0, player=player, cards=cards)


def _chosen(held: Sequence[tuple[str, int]], number: int) -> Iterator[tuple[str, ...]]:
    """Every choice of so many out of the cards held, each with how often; cards nobody can tell apart are alike."""
    if not number:
        yield ()
    elif held:
        (card, copies), rest = held[0], held[1:]
        left = sum(more for _, more in rest)
        for taken in range(min(copies, number), max(0, number - left) - 1, -1):
            for others in _chosen(rest, number - taken):
                yield (*(card,) * taken, *others)


def discard_refused(
    state: State,
    event: Discarded,
    player: str,
    low: int,
    high: int,
    rule: Rule = rules.discard.FROM_HAND,
) -> tuple[Broken, ...]:
    """Why these cards are not that discard."""
    if event.player != player:
        return (wrong_player(player, event.player, rules.discard.PLAYER_PICKS),)
    if event.from_ != "hand":
        return (Broken(rules.discard.FROM_HAND, "discard.from", {}),)
    if event.cards and not state.side(player).hand:
        return (Broken(rules.discard.EMPTY_HAND, "discard.hand", {"card": event.cards[0]}),)
    if not low <= len(event.cards) <= high:
        if rule is rules.discard.FROM_HAND and 0 < len(event.cards) < low:
            rule = rules.discard.ONE_EVENT_PER_INSTRUCTION
        return (Broken(rule, "discard.number", {"n": low, "most": high, "found": len(event.cards)}),)
    if len(set(event.cards)) != len(event.cards) and all(is_known(card) for card in event.cards):
        return (Broken(rules.discard.FROM_HAND, "discard.twice", {}),)
    for card in event.cards:
        if not_in_hand(state, player, card):
            return (Broken(rules.discard.FROM_HAND, "discard.hand", {"card": card}),)
    return ()


class PlayCard(Instruction):
    """A card from hand or deck into a stack of who plays it."""

    event = Played

    def kind(self) -> tuple[Rule, ...]:
        if self.step.source == "deck":
            stacks = self.step.in_lines == "each_line_with_your_card"
            where = (rules.field.STACK, rules.field.EMPTY_SIDE_NO_STACK) if stacks else ()
            return (rules.play.FROM_DECK_SAME_RULE, rules.play.FROM_DECK_UNSEEN, *where)
        if self.step.face == "any":
            return (rules.play.ON_OWN_SIDE, rules.play.FACE_CHOSEN_BY_PLAYER, rules.field.PROTOCOL_GATES_LINE)
        return (rules.play.ON_OWN_SIDE, rules.play.FACE_DOWN_ANY_LINE)

    def ready(self, state: State, text: Text) -> bool:
        side = state.side(self.actor(text))
        if not (side.deck if self.step.source == "deck" else side.hand):
            return False
        return next(self.offers(state), None) is not None

    def refusals(self, state: State, event: Played) -> tuple[Broken, ...]:  # type: ignore[override]
        text = _text(state)
        actor = self.actor(text)
        if event.player != actor:
            return (wrong_player(actor, event.player),)
        if event.from_ != self.step.source:
            return (Broken(self.rules[0], "play.from", {"zone": self.step.source}),)
        if broken := self._card_refused(state, actor, event.card):
            return (broken,)
        if self.step.face != "any" and event.face != self.step.face:
            return (Broken(rules.effects.CARDS_BEAT_RULES, "play.face", {"face": self.step.face}),)
        if event.line not in self.lines(text):
            return (Broken(self._line_rule(state, actor, event.line), "play.line", {"line": event.line}),)
        broken = place_refused(state, actor, event.card, event.line, event.face, rules.field.PROTOCOL_GATES_LINE)
        if broken and self.step.source == "deck":
            broken = replace(broken, rule=rules.play.FROM_DECK_SAME_RULE)
        return (broken,) if broken else ()

    def _line_rule(self, state: State, actor: str, line: int) -> Rule:
        empty = not state.side(actor).lines[line - 1]
        if self.step.in_lines == "each_line_with_your_card" and empty:
            return rules.field.EMPTY_SIDE_NO_STACK
        return rules.effects.MUST_BE_APPLIED

    def _card_refused(self, state: State, actor: str, card: str) -> Broken | None:
        if self.step.source == "hand":
            if not_in_hand(state, actor, card):
                return Broken(rules.play.ON_OWN_SIDE, "play.hand", {"card": card})
            return None
        deck = state.side(actor).deck
        if deck and could_be(deck[0], card):
            return None
        empty = self.own_rule() or rules.deck.TOP_CARD_EFFECTS_FAIL
        rule = rules.play.FROM_DECK_UNSEEN if deck else empty
        return Broken(rule, "play.top", {"card": card})

    def lines(self, text: Text) -> tuple[int, ...]:
        """The lines the text allows."""
        if self.step.in_lines:
            return tuple(line for line in text.todo or () if isinstance(line, int))
        if self.step.at in ("this_line", "under_this"):
            return (text.line,)
        return tuple(line for line in LINES if self.step.at == "any_line" or line != text.line)

    def offers(self, state: State) -> Iterator[Event]:
        text = _text(state)
        actor = self.actor(text)
        side = state.side(actor)
        cards = side.deck[:1] if self.step.source == "deck" else tuple(dict.fromkeys(side.hand))
        for card in cards:
            for line, face in places(state, actor, card):
                if line in self.lines(text) and self.step.face in ("any", face):
                    yield Played(
                        seq=0, player=actor, card=card, line=line, face=face, from_=self.step.source  # type: ignore[arg-type]
                    )  # fmt: skip


class Reveal(Instruction):
    """Show a field card, a card of the hand, or the whole hand."""

    event = Revealed

    def kind(self) -> tuple[Rule, ...]:
        return (rules.reveal.SHOW_AND_PUT_BACK, rules.reveal.WAKES_NOTHING)

    def ready(self, state: State, text: Text) -> bool:
        if self.step.target:
            return bool(picks(state, text, self.step.target))
        return bool(state.side(self.actor(text)).hand)

    def refusals(self, state: State, event: Revealed) -> tuple[Broken, ...]:  # type: ignore[override]
        text = _text(state)
        actor = self.actor(text)
        if event.player != actor:
            return (wrong_player(actor, event.player),)
        cards = event.cards or ()
        if self.step.count == ALL:
            whole = event.zone == "hand" or len(cards) == len(state.side(actor).hand)
            return () if whole else (Broken(self.rules[0], "reveal.hand", {"player": actor}),)
        if len(cards) != 1:
            return (Broken(self.rules[0], "reveal.one", {}),)
        if self.step.target:
            broken = pick_refused(state, text, self.step.target, cards[0])
            return (broken,) if broken else ()
        held = not not_in_hand(state, actor, cards[0])
        return () if held else (Broken(self.rules[0], "reveal.not_held", {"card": cards[0]}),)

    def offers(self, state: State) -> Iterator[Event]:
        text = _text(state)
        actor = self.actor(text)
        if self.step.count == ALL:
            yield Revealed(seq=0, player=actor, zone="hand")
            return
        there = picks(state, text, self.step.target) if self.step.target else state.side(actor).hand
        for card in dict.fromkeys(there):
            yield Revealed(seq=0, player=actor, cards=(card,))


class ChangeHands(Instruction):
    """A card goes from one hand to the other and changes owner: given by choice, or taken at random."""

    event = OwnerChanged

    def kind(self) -> tuple[Rule, ...]:
        return (rules.owner.LASTS, rules.owner.THROUGH_ALL_ZONES)

    def giver(self, text: Text) -> str:
        """Out of whose hand the card comes."""
        return self.actor(text) if self.step.verb == "give" else opponent(self.actor(text))

    def ready(self, state: State, text: Text) -> bool:
        return bool(state.side(self.giver(text)).hand)

    def refusals(self, state: State, event: OwnerChanged) -> tuple[Broken, ...]:  # type: ignore[override]
        giver = self.giver(_text(state))
        why = "gave" if self.step.verb == "give" else "took"
        if event.from_ != giver or event.to != opponent(giver) or event.why != why:
            return (Broken(self.rules[0], "owner.whose", {"player": giver}),)
        if not_in_hand(state, giver, event.card):
            return (Broken(self.rules[0], "owner.hand", {"card": event.card}),)
        return ()

    def offers(self, state: State) -> Iterator[Event]:
        giver = self.giver(_text(state))
        why = "gave" if self.step.verb == "give" else "took"
        for card in dict.fromkeys(state.side(giver).hand):
            yield OwnerChanged(seq=0, card=card, from_=giver, to=opponent(giver), why=why)  # type: ignore[arg-type]


# Everything else


class Refresh(Instruction):
    """A refresh like any other."""

    event = Refreshed

    def kind(self) -> tuple[Rule, ...]:
        return (rules.refresh.UP_TO_FIVE, rules.control.BACK_ON_REFRESH)

    def ready(self, state: State, text: Text) -> bool:
        return can_refresh(state, self.actor(text))

    def refusals(self, state: State, event: Refreshed) -> tuple[Broken, ...]:  # type: ignore[override]
        actor = self.actor(_text(state))
        return () if event.player == actor else (wrong_player(actor, event.player),)

    def offers(self, state: State) -> Iterator[Event]:
        yield Refreshed(seq=0, player=self.actor(_text(state)))


def can_refresh(state: State, seat: str) -> bool:
    """Fewer than five in hand, and something to draw (topic refresh, rule turn.stuck-player)."""
    side = state.side(seat)
    something = side.deck or side.trash or STUCK_PLAYER_REFRESHES.name in state.switches
    return len(side.hand) < HAND_LIMIT and bool(something)


class Rearrange(Instruction):
    """Another order of the three protocols of a side; a swap changes just two of them."""

    event = Rearranged

    def kind(self) -> tuple[Rule, ...]:
        return (
            rules.rearrange.MUST_DIFFER,
            rules.rearrange.CARD_ORDER_BINDS,
            rules.rearrange.CARDS_STAY,
            rules.rearrange.NO_CHANGE_OF_SIDE,
        )

    def whose(self, text: Text) -> str:
        """Whose protocols move."""
        return text.seat if self.step.side == "you" else opponent(text.seat)

    def ready(self, state: State, text: Text) -> bool:
        return True

    def refusals(self, state: State, event: Rearranged) -> tuple[Broken, ...]:  # type: ignore[override]
        text = _text(state)
        if event.side != self.whose(text):
            return (Broken(rules.rearrange.NO_CHANGE_OF_SIDE, "rearrange.side", {"player": self.whose(text)}),)
        if event.by is not None and event.by != self.actor(text):
            return (wrong_player(self.actor(text), event.by),)
        return rearrangement_refused(state, event, swap=self.step.verb == "swap")

    def offers(self, state: State) -> Iterator[Event]:
        text = _text(state)
        yield from rearrangements(state, self.whose(text), self.actor(text), swap=self.step.verb == "swap")


def rearrangement_refused(state: State, event: Rearranged, *, swap: bool) -> tuple[Broken, ...]:
    """Why that is no rearrangement of the protocols of that side."""
    before = state.side(event.side).protocols
    if sorted(before) != sorted(event.protocols):
        return (Broken(rules.rearrange.NO_CHANGE_OF_SIDE, "rearrange.others", {}),)
    if before == event.protocols:
        return (Broken(rules.rearrange.MUST_DIFFER, "rearrange.same", {}),)
    moved = sum(old != new for old, new in zip(before, event.protocols, strict=True))
    if swap and moved != 2:
        return (Broken(rules.effects.CARDS_BEAT_RULES, "rearrange.swap", {}),)
    return ()


def rearrangements(state: State, side: str, by: str, *, swap: bool = False) -> Iterator[Rearranged]:
    """Every other order of the protocols of a side."""
    before = state.side(side).protocols
    for order in permutations(before):
        moved = sum(old != new for old, new in zip(before, order, strict=True))
        if moved == 2 or (moved and not swap):
            yield Rearranged(seq=0, side=side, protocols=order, by=by)


class BarCompile(Instruction):
    """A side cannot compile in its next turn: nothing moves, so the log says that it is done."""

    event = Resolved

    def kind(self) -> tuple[Rule, ...]:
        return (rules.effects.MUST_BE_APPLIED,)

    def ready(self, state: State, text: Text) -> bool:
        return True

    def refusals(self, state: State, event: Resolved) -> tuple[Broken, ...]:  # type: ignore[override]
        if (event.card, event.command, event.outcome) == (self.card, _text(state).box, "done"):
            return ()
        return (Broken(rules.effects.MUST_BE_APPLIED, "resolved.other", {"card": self.card}),)

    def offers(self, state: State) -> Iterator[Event]:
        yield Resolved(seq=0, card=self.card, command=_text(state).box, outcome="done")


VERBS: dict[str, type[Instruction]] = {
    "draw": DrawCards,
    "discard": Discard,
    "play": PlayCard,
    "flip": Flip,
    "shift": Shift,
    "delete": Delete,
    "return": Return,
    "reveal": Reveal,
    "give": ChangeHands,
    "take": ChangeHands,
    "refresh": Refresh,
    "rearrange": Rearrange,
    "swap": Rearrange,
    "bar": BarCompile,
}
