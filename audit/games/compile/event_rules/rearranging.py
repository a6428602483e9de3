"""The protocols of one side lie in a new order: by an instruction, or when the control component goes back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, permutations
from typing import TypeGuard

from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.event_rules import Citations, Violation, Violations
from audit.core.model import Event
from audit.games.compile import rules
from audit.games.compile.card_rulings import clarification
from audit.games.compile.event_rules.base import CompileEventRules
from audit.games.compile.events import Deleted, Drew, ProtocolTurned, Rearranged, Reshuffled, StacksSwapped
from audit.games.compile.following import carried_forward, waiting_text
from audit.games.compile.moves import text_moved
from audit.games.compile.occasions import Instruction, Occasion, acting_text, called_for, wrong_player
from audit.games.compile.parts import newest, opponent, side_of, swapped, winner, with_line, with_side
from audit.games.compile.procedures import control_is_up
from audit.games.compile.readings import WIN_WAITS
from audit.games.compile.state import LINES, SEATS, Compiling, Refreshing, State, Text


class Rearrange(Instruction[Rearranged]):
    """Another order of the three protocols of a side; a swap changes just two of them."""

    verbs = ("rearrange", "swap")
    event = Rearranged

    def verb_rules(self) -> Citations:
        return (
            rules.acts.REARRANGE_MUST_DIFFER,
            rules.acts.REARRANGE_CARD_ORDER_BINDS,
            rules.acts.REARRANGE_CARDS_STAY,
            rules.acts.REARRANGE_NO_CHANGE_OF_SIDE,
        )

    def whose(self, text: Text) -> str:
        """Whose protocols move."""
        return text.seat if self.declared.side == "you" else opponent(text.seat)

    def ready(self, state: State, text: Text) -> bool:
        return True

    def violations(self, state: State, event: Rearranged) -> Violations:
        text = acting_text(state)
        if event.side != self.whose(text):
            return (Violation(rules.acts.REARRANGE_CARD_ORDER_BINDS, "rearrange.side", {"player": self.whose(text)}),)
        if event.by is not None and event.by != self.actor(text):
            return (wrong_player(self.actor(text), event.by),)
        return order_violations(state, event, swap=self.declared.verb == "swap")

    def candidates(self, state: State) -> Iterator[Rearranged]:
        text = acting_text(state)
        yield from rearrangements(state, self.whose(text), self.actor(text), swap=self.declared.verb == "swap")


class UseControl(Occasion[Rearranged]):
    """The protocols of one player may be rearranged when the control component goes back."""

    event = Rearranged
    rules: Citations = (
        rules.control.REARRANGEMENT_IS_A_CHOICE,
        rules.control.EITHER_PLAYERS_PROTOCOLS,
        rules.acts.REARRANGE_MUST_DIFFER,
        rules.acts.REARRANGE_CARDS_STAY,
    )

    def __init__(self, seat: str, announced: Compiling | None = None) -> None:
        self.seat = seat
        self.announced = announced

    def violations(self, state: State, event: Rearranged) -> Violations:
        failed = self._order_violations(state, event)
        if not failed and self.announced and not _keeps_announcement(state, self.announced, event):
            return (announcement_broken(self.announced),)
        return failed

    def _order_violations(self, state: State, event: Rearranged) -> Violations:
        if event.by is not None and event.by != self.seat:
            return (wrong_player(self.seat, event.by, rules.control.REARRANGEMENT_IS_A_CHOICE),)
        return tuple(
            replace(item, rule=rules.control.EITHER_PLAYERS_PROTOCOLS) if item.key == "rearrange.others" else item
            for item in order_violations(state, event, swap=False)
        )

    def candidates(self, state: State) -> Iterator[Rearranged]:
        for side in SEATS:
            for event in rearrangements(state, side, self.seat):
                if not self.announced or _keeps_announcement(state, self.announced, event):
                    yield event

    def precedence(self, state: State, event: Event) -> Iterator[Rule]:
        text = state.stack[-2] if len(state.stack) > 1 else None
        if type(text) is Text and (own := clarification(text.card, "rearranged")):
            yield own
        yield rules.control.DEALT_WITH_FIRST

    def goes_first(self, state: State, event: Event) -> Rule | None:
        """Which cards a compile deletes hangs on no order of protocols, and nobody learns anything from a new deck."""
        is_of_compile = isinstance(event, Deleted) and type(newest(state)) is Compiling
        return None if is_of_compile or isinstance(event, Reshuffled) else next(self.precedence(state, event))

    def is_open_after(self, event: Event) -> bool:
        return isinstance(event, Drew)


def _keeps_announcement(state: State, frame: Compiling, event: Rearranged) -> bool:
    """Whether the new order makes of the line what was announced of it: a compile, or a compile once more."""
    lies = event.side == frame.seat and event.protocols[frame.line - 1] in side_of(state, frame.seat).compiled
    return event.side == frame.seat and lies == frame.again


def announcement_broken(frame: Compiling) -> Violation:
    """The line stays what it was, though the other was announced."""
    rule = rules.recompile.POSSIBLE if frame.again else rules.compile.TURNS_PROTOCOL
    return Violation(rule, "compile.again", {"line": frame.line})


def control_choice(state: State) -> Refreshing | Compiling | None:
    """The refresh or compile for which a player may rearrange now, because the control component went back."""
    frame = newest(state)
    if type(frame) is Refreshing or (type(frame) is Compiling and control_is_up(state, frame)):
        return frame if frame.choice and not frame.control else None
    return None


def is_announced(frame: Refreshing | Compiling) -> TypeGuard[Compiling]:
    """Whether the compile was announced as what the line becomes by a rearrangement only."""
    return type(frame) is Compiling and frame.again is not None


def order_violations(state: State, event: Rearranged, *, swap: bool) -> Violations:
    """Why that is no rearrangement of the protocols of that side."""
    before = side_of(state, event.side).protocols
    if sorted(before) != sorted(event.protocols):
        return (Violation(rules.acts.REARRANGE_NO_CHANGE_OF_SIDE, "rearrange.others", {}),)
    if before == event.protocols:
        return (Violation(rules.acts.REARRANGE_MUST_DIFFER, "rearrange.same", {}),)
    moved = sum(old != new for old, new in zip(before, event.protocols, strict=True))
    if swap and moved != 2:
        return (Violation(rules.effects.CARDS_BEAT_RULES, "rearrange.swap", {}),)
    return ()


def rearrangements(state: State, side: str, by: str, *, swap: bool = False) -> Iterator[Rearranged]:
    """Every other order of the protocols of a side."""
    before = side_of(state, side).protocols
    for order in permutations(before):
        moved = sum(old != new for old, new in zip(before, order, strict=True))
        if moved == 2 or (moved and not swap):
            yield Rearranged(seq=0, side=side, protocols=order, by=by)


class RearrangedRules(CompileEventRules[Rearranged]):
    """The rules of a new order of protocols."""

    event = Rearranged
    verb = "rearrange"

    def occasions(self, state: State) -> Iterable[Occasion[Rearranged]]:
        frame = control_choice(state)
        if frame is None:
            return called_for(state, Rearranged)
        return (UseControl(frame.seat, frame if is_announced(frame) else None),)

    def forbidden(self, state: State, event: Rearranged) -> Violations:
        """Only the control component that goes back lets a player rearrange, or a text."""
        frame = newest(state)
        if (type(frame) is Refreshing or type(frame) is Compiling) and not frame.control:
            return (Violation(_why_no_more(state, frame), "control.not_back", {"player": frame.seat}),)
        if state.stack:
            return ()
        return (Violation(rules.control.REARRANGEMENT_IS_A_CHOICE, "control.not_back", {"player": state.player}),)

    def happen(self, state: State, event: Rearranged) -> State:
        verb = "swap" if waiting_text(state, "swap") else "rearrange"
        side = replace(side_of(state, event.side), protocols=event.protocols)
        return control_choice_made(carried_forward(with_side(state, event.side, side), verb, None))


def _why_no_more(state: State, frame: Refreshing | Compiling) -> Rule:
    """Of a component that has gone back: one player's protocols. Where another holds it, that nothing goes back."""
    if state.control is None:
        return rules.control.EITHER_PLAYERS_PROTOCOLS
    return rules.control.BACK_ON_REFRESH if type(frame) is Refreshing else rules.control.BACK_ON_COMPILE


def control_choice_made(state: State) -> State:
    """The position once it is settled whether the control component is used to rearrange."""
    frame = newest(state)
    if type(frame) is Refreshing or type(frame) is Compiling:
        return swapped(state, replace(frame, choice=False))
    return state


class SwapStacks(Instruction[StacksSwapped]):
    """Two stacks of a side change places; each has to hold a card."""

    verbs = ("swap_stacks",)
    event = StacksSwapped

    def verb_rules(self) -> Citations:
        return (rules.effects.CARDS_BEAT_RULES, rules.field.STACK)

    def whose(self, text: Text) -> str:
        """Whose stacks move."""
        return text.seat if self.declared.side == "you" else opponent(text.seat)

    def violations(self, state: State, event: StacksSwapped) -> Violations:
        seat = self.whose(acting_text(state))
        if event.side != seat:
            return (Violation(rules.effects.MUST_BE_APPLIED, "stacks.side", {"player": seat}),)
        if event.lines[0] == event.lines[1]:
            return (Violation(rules.effects.MUST_BE_APPLIED, "stacks.same", {}),)
        empty = next((line for line in event.lines if not side_of(state, seat).lines[line - 1]), None)
        return () if empty is None else (Violation(rules.field.EMPTY_SIDE_NO_STACK, "stacks.empty", {"line": empty}),)

    def candidates(self, state: State) -> Iterator[StacksSwapped]:
        seat = self.whose(acting_text(state))
        held = [line for line in LINES if side_of(state, seat).lines[line - 1]]
        for pair in combinations(held, 2):
            yield StacksSwapped(seq=0, side=seat, lines=pair)


class StacksSwappedRules(CompileEventRules[StacksSwapped]):
    """The rules of two stacks changing places."""

    event = StacksSwapped
    verb = "swap_stacks"

    def occasions(self, state: State) -> Iterable[Occasion[StacksSwapped]]:
        return called_for(state, StacksSwapped)

    def happen(self, state: State, event: StacksSwapped) -> State:
        one, other = event.lines
        lines = side_of(state, event.side).lines
        state = carried_forward(state, "swap_stacks", None)
        for line, stack in ((one, lines[other - 1]), (other, lines[one - 1])):
            state = with_line(state, event.side, line, stack)
            for placed in stack:
                state = text_moved(state, placed.card, line)
        return state


class MarkCompiled(Instruction[ProtocolTurned]):
    """A protocol of who acts is turned to its compiled side."""

    verbs = ("mark_compiled",)
    event = ProtocolTurned

    def verb_rules(self) -> Citations:
        return (rules.effects.CARDS_BEAT_RULES, rules.compile.TURNS_PROTOCOL)

    def ready(self, state: State, text: Text) -> bool:
        side = side_of(state, self.actor(text))
        return self.declared.protocol in side.protocols and self.declared.protocol not in side.compiled

    def violations(self, state: State, event: ProtocolTurned) -> Violations:
        actor = self.actor(acting_text(state))
        if event.player != actor:
            return (wrong_player(actor, event.player),)
        if event.protocol != self.declared.protocol:
            data = {"protocol": self.declared.protocol}
            return (Violation(rules.effects.MUST_BE_APPLIED, "protocol.other", data),)
        return ()

    def candidates(self, state: State) -> Iterator[ProtocolTurned]:
        yield ProtocolTurned(seq=0, player=self.actor(acting_text(state)), protocol=self.declared.protocol)


class ProtocolTurnedRules(CompileEventRules[ProtocolTurned]):
    """The rules of a text turning a protocol. Who has three wins at once; by one reading what is under way goes on."""

    event = ProtocolTurned
    verb = "mark_compiled"

    def occasions(self, state: State) -> Iterable[Occasion[ProtocolTurned]]:
        return called_for(state, ProtocolTurned)

    def happen(self, state: State, event: ProtocolTurned) -> State:
        state = carried_forward(state, "mark_compiled", None)
        side = side_of(state, event.player)
        if event.protocol not in side.protocols:
            return state
        state = with_side(state, event.player, replace(side, compiled=side.compiled | {event.protocol}))
        return state if winner(state) is None or WIN_WAITS.name in state.switches else replace(state, stack=(), due=())


RULES = (RearrangedRules(), StacksSwappedRules(), ProtocolTurnedRules())
