"""What has steps of its own: a new deck, the control component, a refresh, a compile, the cache."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from audit.catalogue import Rule
from audit.compile import rules
from audit.compile.clarified import correction
from audit.compile.criteria import protocol_of
from audit.compile.events import Chose, ControlReset, Deleted, Discarded, Drew, Rearranged, Reshuffled
from audit.compile.readings import CONTROL_AFTER_COMPILE
from audit.compile.state import (
    HAND_LIMIT,
    SEATS,
    Compiling,
    Refreshing,
    State,
    Text,
    is_known,
    opponent,
    zone_of,
)
from audit.compile.totals import qualifies
from audit.compile.verbs.discarding import discard_refused, discards
from audit.compile.verbs.drawing import draw_refused, drawn
from audit.compile.verbs.instruction import wrong_player
from audit.compile.verbs.protocols import rearrangement_refused, rearrangements
from audit.model import Event
from audit.ruleset import Exactly, Obligation, Option, Violation


def reshuffle(state: State, seat: str, number: int, *why: Rule) -> Option[State] | None:
    """The new deck that has to be made before so many cards are drawn, if one has to."""
    side = state.side(seat)
    return MakeDeck(seat, *why) if len(side.deck) < number and side.trash else None


_NEW_DECK = (rules.deck.RESHUFFLE_ON_DRAW, rules.deck.ONLY_DRAWING_RESHUFFLES, rules.field.TRASH)


class MakeDeck(Option[State]):
    """The trash is shuffled into a new deck, because cards have to be drawn."""

    event = Reshuffled

    def __init__(self, seat: str, *why: Rule) -> None:
        self.seat = seat
        self.rules = (*why, *_NEW_DECK)

    def violations(self, state: State, event: Reshuffled) -> tuple[Violation, ...]:  # type: ignore[override]
        if event.player != self.seat:
            return (wrong_player(self.seat, event.player, self.rules[0]),)
        side = state.side(self.seat)
        if event.deck is None or sorted(event.deck) == sorted(side.trash) or is_beneath(state, self.seat, event.deck):
            return ()
        if sorted(event.deck) == sorted((*side.deck, *side.trash)):
            return (Violation(self.rules[0], "reshuffle.beneath", {"player": self.seat}),)
        return (Violation(self._cards_rule(state, event.deck), "reshuffle.cards", {"player": self.seat}),)

    def _cards_rule(self, state: State, deck: tuple[str, ...]) -> Rule:
        """What a new deck of the wrong cards is at odds with."""
        side = state.side(self.seat)
        if set(deck).intersection(state.side(opponent(self.seat)).trash):
            return rules.field.TRASH
        missing = set(side.trash).difference(deck)
        kept = any(protocol_of(card) not in side.protocols for card in missing)
        return rules.owner.THROUGH_ALL_ZONES if kept else self.rules[0]

    def candidates(self, state: State) -> Iterator[Event]:
        yield Reshuffled(seq=0, player=self.seat)


def is_beneath(state: State, seat: str, deck: tuple[str, ...]) -> bool:
    """Whether that whole deck is the trash shuffled beneath what is left of the old one, seen or unseen."""
    side = state.side(seat)
    left, made = deck[: len(side.deck)], deck[len(side.deck) :]
    named = [card for card in left if is_known(card)]
    if sorted(made) != sorted(side.trash) or len(set(named)) != len(named):
        return False
    told = zip(side.deck, left, strict=True)
    return all(held == card or _turns_out_to_be(state, held, card) for held, card in told)


def _turns_out_to_be(state: State, held: str, named: str) -> bool:
    """Whether a card of the deck that nobody has seen may be the one that is named."""
    return not is_known(held) and is_known(named) and zone_of(state, named) is None


class DrawRest(Option[State]):
    """What is left of a deck is drawn before the new one is made; the draw then goes on. Nobody has to say it so."""

    event = Drew
    obligation = Obligation.REDUNDANT

    def __init__(self, player: str, deck: str, *why: Rule) -> None:
        self.player = player
        self.deck = deck
        self.rules = (*why, rules.deck.RESHUFFLE_ON_DRAW, rules.draw.FROM_TOP_TO_HAND)

    def violations(self, state: State, event: Drew) -> tuple[Violation, ...]:  # type: ignore[override]
        return draw_refused(state, event, self.player, self.deck, len(state.side(self.deck).deck))

    def candidates(self, state: State) -> Iterator[Event]:
        return iter(())


def new_deck_first(state: State, player: str, deck: str, number: int, *why: Rule) -> tuple[Option[State], ...]:
    """What comes before a draw of so many cards that the deck does not hold; () where it does."""
    made = reshuffle(state, deck, number, *why)
    if made is None:
        return ()
    return (made, DrawRest(player, deck, *why)) if state.side(deck).deck else (made,)


class UseControl(Option[State]):
    """The protocols of one player may be rearranged when the control component goes back."""

    event = Rearranged
    rules = (
        rules.control.REARRANGEMENT_IS_A_CHOICE,
        rules.control.EITHER_PLAYERS_PROTOCOLS,
        rules.rearrange.MUST_DIFFER,
        rules.rearrange.CARDS_STAY,
    )

    def __init__(self, seat: str, announced: Compiling | None = None) -> None:
        self.seat = seat
        self.announced = announced

    def violations(self, state: State, event: Rearranged) -> tuple[Violation, ...]:  # type: ignore[override]
        if broken := self._refused(state, event):
            return broken
        if self.announced and not keeps_announcement(state, self.announced, event):
            return (announcement_broken(self.announced),)
        return ()

    def _refused(self, state: State, event: Rearranged) -> tuple[Violation, ...]:
        if event.by is not None and event.by != self.seat:
            return (wrong_player(self.seat, event.by, rules.control.REARRANGEMENT_IS_A_CHOICE),)
        return tuple(
            replace(broken, rule=rules.control.EITHER_PLAYERS_PROTOCOLS) if broken.key == "rearrange.others" else broken
            for broken in rearrangement_refused(state, event, swap=False)
        )

    def candidates(self, state: State) -> Iterator[Event]:
        for side in SEATS:
            for event in rearrangements(state, side, self.seat):
                if not self.announced or keeps_announcement(state, self.announced, event):
                    yield event


def keeps_announcement(state: State, frame: Compiling, event: Rearranged) -> bool:
    """Whether the new order makes of the line what was announced of it: a compile, or a compile once more."""
    lies = event.side == frame.seat and event.protocols[frame.line - 1] in state.side(frame.seat).compiled
    return event.side == frame.seat and lies == frame.again


def announcement_broken(frame: Compiling) -> Violation:
    """The line stays what it was, though the other was announced."""
    rule = rules.recompile.POSSIBLE if frame.again else rules.compile.TURNS_PROTOCOL
    return Violation(rule, "compile.again", {"line": frame.line})


def control_options(state: State, frame: Refreshing | Compiling) -> Iterator[Option[State]]:
    """The control component goes back first, with the right to rearrange."""
    if frame.control:
        why = rules.control.BACK_ON_REFRESH if type(frame) is Refreshing else rules.control.BACK_ON_COMPILE
        reset = ControlReset(seq=0, player=frame.seat)
        yield Exactly(reset, why, rules.control.DEALT_WITH_FIRST, rules.control.BACK_EVEN_IF_UNUSED)
    elif type(frame) is Compiling and frame.again is not None:
        yield UseControl(frame.seat, frame)
    else:
        yield UseControl(frame.seat)
        leave = Chose(seq=0, player=frame.seat, what="rearrange", accept=False)
        yield Exactly(leave, rules.control.REARRANGEMENT_IS_A_CHOICE, rules.control.BACK_EVEN_IF_UNUSED)


_FILLED = (rules.refresh.UP_TO_FIVE, rules.draw.FROM_TOP_TO_HAND, rules.draw.ONE_EVENT_PER_INSTRUCTION)
_FILLED_SHORT = (rules.refresh.NOTHING_LEFT, *_FILLED)


class FillHand(Option[State]):
    """The draw of a refresh."""

    event = Drew
    rules = _FILLED

    def __init__(self, seat: str) -> None:
        self.seat = seat

    def violations(self, state: State, event: Drew) -> tuple[Violation, ...]:  # type: ignore[override]
        broken = draw_refused(state, event, self.seat, self.seat, to_draw(state, self.seat))
        if broken and broken[0].key == "draw.number":
            return (Violation(self._number_rule(state), "refresh.number", broken[0].data), *broken)
        return broken

    def _number_rule(self, state: State) -> Rule:
        text = state.stack[-2] if len(state.stack) > 1 else None
        if type(text) is Text and (own := correction(text.card, "refreshed")):
            return own
        short = len(state.side(self.seat).deck) < to_draw(state, self.seat)
        return rules.refresh.NOTHING_LEFT if short else rules.refresh.UP_TO_FIVE

    def citations(self, state: State, event: Event) -> tuple[Rule, ...]:
        return _FILLED_SHORT if len(state.side(self.seat).deck) < to_draw(state, self.seat) else _FILLED

    def candidates(self, state: State) -> Iterator[Event]:
        yield drawn(state, self.seat, self.seat, to_draw(state, self.seat))


def to_draw(state: State, seat: str) -> int:
    """How many cards a refresh draws."""
    return max(0, HAND_LIMIT - len(state.side(seat).hand))


def refresh_options(state: State, frame: Refreshing) -> Iterator[Option[State]]:
    """Control, a new deck where the old is short, the draw."""
    if frame.control or frame.choice:
        yield from control_options(state, frame)
    else:
        number, why = to_draw(state, frame.seat), rules.refresh.SHORT_DECK
        yield from new_deck_first(state, frame.seat, frame.seat, number, why) or (FillHand(frame.seat),)


def control_is_up(state: State, frame: Compiling) -> bool:
    """Whether the control component is dealt with now: first, or by one reading once the line is empty."""
    if CONTROL_AFTER_COMPILE.name in state.switches and not frame.deleted:
        return False
    return frame.control or frame.choice


def compile_options(state: State, frame: Compiling) -> Iterator[Option[State]]:
    """Control, then the deletion of the whole line; for a recompile the opponent's top card."""
    if control_is_up(state, frame):
        yield from control_options(state, frame)
    elif not frame.deleted:
        yield EmptyLine(frame.seat, frame.line)
    else:
        yield reshuffle(state, opponent(frame.seat), 1) or Reward(frame.seat)


class EmptyLine(Option[State]):
    """All cards of the compiled line leave at the same moment."""

    event = Deleted
    rules = (
        rules.compile.CLEARS_BOTH_SIDES,
        rules.compile.DELETES_AS_ONE_EVENT,
        rules.compile.STEPS_IN_ORDER,
        rules.compile.SILENT_DELETION,
        rules.delete.WHOLE_LINE_IS_SILENT,
        rules.discard.TRASH_IS_FACE_UP,
    )

    def __init__(self, seat: str, line: int) -> None:
        self.seat = seat
        self.line = line

    def violations(self, state: State, event: Deleted) -> tuple[Violation, ...]:  # type: ignore[override]
        wanted = line_cards(state, self.line)
        if sorted(wanted) == sorted(event.cards):
            return ()
        return (Violation(self._rule(state, event), "compile.cards", {"cards": wanted, "line": self.line}),)

    def _rule(self, state: State, event: Deleted) -> Rule:
        if self._again(state):
            return rules.recompile.EMPTIES_LINE
        for side in (state.a, state.b):
            here = {placed.card for placed in side.lines[self.line - 1]}
            if here and not here.intersection(event.cards):
                return rules.compile.CLEARS_BOTH_SIDES
        strangers = set(event.cards).difference(line_cards(state, self.line))
        return rules.compile.CLEARS_BOTH_SIDES if strangers else rules.compile.DELETES_AS_ONE_EVENT

    def _again(self, state: State) -> bool:
        side = state.side(self.seat)
        return side.protocols[self.line - 1] in side.compiled

    def citations(self, state: State, event: Event) -> tuple[Rule, ...]:
        again: tuple[Rule, ...] = (rules.recompile.EMPTIES_LINE,) if self._again(state) else ()
        short = () if qualifies(state, self.seat, self.line) else (rules.compile.NOT_STOPPED_MIDWAY,)
        return (*self.rules, *again, *short)

    def candidates(self, state: State) -> Iterator[Event]:
        yield Deleted(seq=0, cards=tuple(line_cards(state, self.line)))


def line_cards(state: State, line: int) -> list[str]:
    """Every card of a line, both sides."""
    return [placed.card for side in (state.a, state.b) for placed in side.lines[line - 1]]


class Reward(Option[State]):
    """The top card of the opponent's deck, for a recompile."""

    event = Drew
    rules = (rules.recompile.REWARD, rules.recompile.CARD_CHANGES_HANDS, rules.recompile.PROTOCOL_STAYS)

    def __init__(self, seat: str) -> None:
        self.seat = seat

    def violations(self, state: State, event: Drew) -> tuple[Violation, ...]:  # type: ignore[override]
        broken = draw_refused(state, event, self.seat, opponent(self.seat), 1)
        return (Violation(rules.recompile.REWARD, broken[0].key, broken[0].data),) if broken else ()

    def candidates(self, state: State) -> Iterator[Event]:
        yield drawn(state, self.seat, opponent(self.seat), 1)


class DiscardToLimit(Option[State]):
    """What is above five goes to the trash, as one event."""

    event = Discarded
    rules = (rules.cache.FIVE_CARD_LIMIT, rules.discard.PLAYER_PICKS, rules.discard.ONE_EVENT_PER_INSTRUCTION)

    def __init__(self, seat: str) -> None:
        self.seat = seat

    def surplus(self, state: State) -> int:
        """How many cards are above the limit."""
        return max(0, len(state.side(self.seat).hand) - HAND_LIMIT)

    def violations(self, state: State, event: Discarded) -> tuple[Violation, ...]:  # type: ignore[override]
        surplus = self.surplus(state)
        return discard_refused(state, event, self.seat, surplus, surplus, rules.cache.FIVE_CARD_LIMIT)

    def candidates(self, state: State) -> Iterator[Event]:
        yield from discards(state, self.seat, self.surplus(state), self.surplus(state))
