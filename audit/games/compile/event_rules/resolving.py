"""An instruction is over: carried out, not used, impossible, or its text is no longer in sight; or a text is copied."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from audit.core.catalogue import PERMISSION, Rule
from audit.core.event_rules import Citations, Violation, Violations
from audit.core.model import Event, type_name
from audit.games.compile import rules
from audit.games.compile.card_rulings import CARD_RULES, clarification, text_lost_ruling
from audit.games.compile.criteria import protocol_in
from audit.games.compile.declarations import CardInstruction, Count
from audit.games.compile.event_rules.base import CompileEventRules
from audit.games.compile.event_rules.discarding import Discard
from audit.games.compile.event_rules.draw_occasions import draw_number
from audit.games.compile.event_rules.picking import FieldCardRules, Pick, is_under, laid_open
from audit.games.compile.event_rules.shifting import Shift
from audit.games.compile.events import Copied, Resolved
from audit.games.compile.following import carried_forward, led_to, waiting_text
from audit.games.compile.occasions import (
    Instruction,
    Occasion,
    OneEvent,
    acting_text,
    called_for,
    instructions,
    text_precedence,
)
from audit.games.compile.parts import field_position, newest, opponent, popped, pushed, side_of, swapped
from audit.games.compile.state import LINES, Skipped, State, Text
from audit.games.compile.texts import (
    CARD_INSTRUCTIONS,
    MIDDLE,
    card_instructions,
    carried_out,
    is_lost,
    next_instruction,
    not_carried_out,
    opens_another,
    silenced,
)


class CopyMiddle(Pick[Copied]):
    """Carry out the middle box of a card; a card whose middle box is empty or does nothing has none to copy."""

    verbs = ("resolve_middle",)
    event = Copied

    def verb_rules(self) -> Citations:
        return (rules.effects.CARDS_BEAT_RULES, self.reach(), *self.scope())

    def pickable(self, state: State, text: Text) -> list[str]:
        return [card for card in super().pickable(state, text) if has_middle(state, card)]

    def violations(self, state: State, event: Copied) -> Violations:
        text = acting_text(state)
        if event.by not in (None, text.card):
            return (Violation(rules.effects.MUST_BE_APPLIED, "resolved.other", {"card": text.card}),)
        if violation := self.target_violation(state, event.card):
            return (violation,)
        if has_middle(state, event.card):
            return ()
        return (Violation(rules.field.MIDDLE_COMMAND, "triggered.no_text", {"card": event.card}),)

    def candidates(self, state: State) -> Iterator[Copied]:
        text = acting_text(state)
        for card in self.pickable(state, text):
            yield Copied(seq=0, card=card, by=text.card)


def has_middle(state: State, card: str) -> bool:
    """Whether a card of the field has a middle text that works there."""
    place = field_position(state, card)
    if place is None or (card, "middle", MIDDLE) not in CARD_INSTRUCTIONS:
        return False
    return not silenced(state, place.seat, place.line)


class CopiedRules(FieldCardRules[Copied]):
    """The rules of carrying out the middle text of another card."""

    event = Copied
    verb = "resolve_middle"

    def happen(self, state: State, event: Copied) -> State:
        text = waiting_text(state, "resolve_middle")
        if text is None or (event.card, "middle", MIDDLE) not in CARD_INSTRUCTIONS:
            return carried_forward(state, "resolve_middle", event.card)
        why = led_to(state, event)
        copy = Text(text.card, text.box, text.entry, text.seat, text.line, on=text.on, of=event.card, why=why)
        return pushed(carried_forward(state, "resolve_middle", event.card), copy)


class BarCompile(Instruction[Resolved]):
    """A side cannot compile in its next turn: nothing moves, so the log says that it is done."""

    verbs = ("bar",)
    event = Resolved

    def verb_rules(self) -> Citations:
        return (rules.effects.MUST_BE_APPLIED,)

    def ready(self, state: State, text: Text) -> bool:
        return True

    def violations(self, state: State, event: Resolved) -> Violations:
        if (event.card, event.command, event.outcome) == (self.card, acting_text(state).box, "done"):
            return ()
        return (Violation(rules.effects.MUST_BE_APPLIED, "resolved.other", {"card": self.card}),)

    def candidates(self, state: State) -> Iterator[Resolved]:
        yield Resolved(seq=0, card=self.card, command=acting_text(state).box, outcome="done")


class NotCarriedOut(OneEvent[Resolved]):
    """The next instruction of the newest text is not carried out."""

    def precedence(self, state: State, event: Event) -> Iterator[Rule]:
        yield from text_precedence(state, acting_text(state), event)


class NotUsed(NotCarriedOut):
    """The next instruction is a permission that is not used, or there is no card for it among cards without a name."""

    declines: bool = True


def _ends(text: Text, outcome: str, *why: Rule) -> NotCarriedOut:
    resolved = Resolved(seq=0, card=text.card, command=text.box, outcome=outcome)  # type: ignore[arg-type]
    return NotUsed(resolved, *why) if outcome == "declined" else NotCarriedOut(resolved, *why)


class ResolvedRules(CompileEventRules[Resolved]):
    """The rules of an instruction being over."""

    event = Resolved
    is_part: bool = True
    keeps_skipped = True
    redundant_rules: Citations = (rules.effects.READING_ORDER,)

    def occasions(self, state: State) -> Iterable[Occasion[Resolved]]:
        text = newest(state)
        if type(text) is not Text:
            return
        if is_lost(state, text):
            own = text_lost_ruling(text.card)
            yield _ends(text, "stopped", rules.text.INTERRUPT_LOST_TEXT_DROPPED, *((own,) if own else ()))
            return
        declared = next_instruction(text)
        ready = [instruction for instruction in instructions(text) if instruction.ready(state, text)]
        if not ready:
            yield _ends(text, "impossible", rules.effects.AS_FAR_AS_POSSIBLE, *_why_impossible(text))
            return
        if all(instruction.may_be_impossible(state, text) for instruction in ready):
            resolved = Resolved(seq=0, card=text.card, command=text.box, outcome="impossible")
            yield NotUsed(resolved, rules.effects.AS_FAR_AS_POSSIBLE, *_why_impossible(text))
        yield from called_for(state, Resolved)
        if declared.optional or _may_be_none(declared):
            yield _ends(text, "declined", rules.effects.MAY_ONLY_IF_SAID)

    def also_accepted(self, state: State) -> Iterable[Occasion[Resolved]]:
        """A permission that could do nothing may be said not to be used."""
        text = newest(state)
        if type(text) is not Text or is_lost(state, text) or not next_instruction(text).optional:
            return ()
        stuck = not any(instruction.ready(state, text) for instruction in instructions(text))
        return (_ends(text, "declined", rules.effects.MAY_ONLY_IF_SAID),) if stuck else ()

    def is_redundant(self, state: State, event: Resolved) -> bool:
        """An instruction was carried out, or passed over as its condition was not met, which some call impossible."""
        if event.outcome == "impossible":
            passed_over = (event.card, event.command, "skipped")
            return any((one.card, one.box, one.key) == passed_over for one in state.skipped)
        if event.outcome != "done":
            return False
        frame = newest(state)
        if type(frame) is Text and (frame.card, frame.box) == (event.card, event.command) and not frame.next_index:
            return False
        return any((card, box) == (event.card, event.command) for card, box, _ in CARD_INSTRUCTIONS)

    def is_relevant(self, state: State, event: Resolved) -> bool:
        """Whether it speaks of the text under way, and not of what comes after the cards it has somebody draw."""
        text = newest(state)
        if type(text) is not Text or (text.card, text.box) != (event.card, event.command):
            return False
        return next_instruction(text).verb != "draw" or text.next_index + 1 == len(card_instructions(text))

    def forbidden(self, state: State, event: Resolved) -> Violations:
        """Why an instruction does not end that way."""
        text = newest(state)
        if text is not None and type(text) is not Text:
            return ()
        here = text if text is not None and (text.card, text.box) == (event.card, event.command) else None
        if event.outcome == "declined":
            return (Violation(not_declined(here), "resolved.declined", {"card": event.card}),)
        if event.outcome == "stopped" and here is not None and is_under(field_position(state, here.card)):
            rule = rules.target.TOP_COMMANDS_REACH_EACH_OTHER
        else:
            rule = _why_possible(state, here) if here is not None else rules.effects.MUST_BE_APPLIED
        return (Violation(rule, "resolved.outcome", {"card": event.card}),)

    def happen(self, state: State, event: Resolved) -> State:
        frame = newest(state)
        if type(frame) is not Text or (frame.card, frame.box) != (event.card, event.command):
            return state
        if event.outcome == "stopped":
            lost = tuple(
                Skipped(frame.card, one.verb, "text.lost") for one in card_instructions(frame)[frame.next_index :]
            )
            return replace(popped(state), skipped=lost)
        if event.outcome != "done":
            return swapped(state, not_carried_out(frame))
        if next_instruction(frame).verb != "bar":
            return state
        barred = opponent(frame.seat) if next_instruction(frame).side == "opponent" else frame.seat
        turn = state.turn + (1 if barred != state.player else 2)
        return swapped(replace(state, barred=((barred, turn, frame.card),)), carried_out(frame, None))


def _may_be_none(declared: CardInstruction) -> bool:
    """Whether any number will do, none included."""
    return isinstance(declared.count, Count) and declared.count.is_open and not declared.count.at_least


def _why_impossible(text: Text) -> Iterator[Rule]:
    declared = next_instruction(text)
    if declared.verb == "discard" and declared.source == "hand":
        yield rules.acts.DISCARD_EMPTY_HAND
    if declared.verb in ("play", "discard") and declared.source.endswith("deck") and text.remaining != ():
        yield rules.deck.TOP_CARD_EFFECTS_FAIL
        yield from CARD_RULES.get(text.card, ())
    if text.on == "played":
        yield rules.play.WITHOUT_USEFUL_EFFECT
    if opens_another(text):
        yield rules.effects.NO_COSTS


def not_declined(text: Text | None) -> Rule:
    """Why an instruction cannot be declined."""
    if text is None:
        return rules.effects.MAY_ONLY_IF_SAID
    if next_instruction(text).verb in ("rearrange", "swap"):
        return rules.acts.REARRANGE_CARD_ORDER_BINDS
    return rules.effects.NO_COSTS if opens_another(text) else rules.effects.MAY_ONLY_IF_SAID


def _why_possible(state: State, text: Text) -> Rule:
    """What makes an instruction possible that is said to be impossible."""
    instruction = instructions(text)[0]
    if isinstance(instruction, Pick) and (rule := _why_pick_possible(state, text, instruction)):
        return rule
    if instruction.declared.verb in ("rearrange", "swap"):
        return rules.acts.REARRANGE_CARD_ORDER_BINDS
    if own := clarification(text.card, type_name(instruction.event), PERMISSION):
        return own
    if isinstance(instruction, Discard):
        held = len(side_of(state, instruction.actor(text)).hand)
        if 0 < held < draw_number(state, text, instruction.declared):
            return rules.effects.AS_FAR_AS_POSSIBLE
    free = text.next_index and not text.done
    return rules.effects.FREE_SENTENCE_STANDS_ALONE if free else rules.effects.MUST_BE_APPLIED


def _why_pick_possible(state: State, text: Text, instruction: Pick[Any]) -> Rule | None:
    """What lets a text pick one of the only cards there are."""
    if instruction.target.ref:
        this = instruction.target.ref == "this" and is_under(field_position(state, text.card))
        return rules.acts.DELETE_SELF_WHILE_COVERED if this else None
    cards = instruction.pickable(state, text)
    if not cards:
        return None
    if set(cards) <= set(laid_open(state)):
        return rules.committed.TWO_CARDS_OPEN
    if isinstance(instruction, Shift) and all(_is_elsewhere_everywhere(state, card) for card in cards):
        return rules.acts.SHIFT_PROTOCOL_DOES_NOT_MATTER
    if cards == [text.card] and instruction.target.owner == "any":
        return rules.target.ITSELF
    own = all((place := field_position(state, card)) and place.seat == text.seat for card in cards)
    return rules.effects.HITS_OWN_CARDS_IF_NEED_BE if own else None


def _is_elsewhere_everywhere(state: State, card: str) -> bool:
    """Whether a card lies face up and no line but its own has its protocol."""
    place = field_position(state, card)
    if place is None or not place.up:
        return False
    return not any(protocol_in(state, card, line) for line in LINES if line != place.line)


RULES = (CopiedRules(), ResolvedRules())
