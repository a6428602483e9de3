"""What calls for an event in Compile: a part of the turn or of a procedure, or an instruction of a card."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, ClassVar, Final, Generic, TypeVar

from msgspec.structs import replace

from audit.core.catalogue import ERRATA, Rule, each_once
from audit.core.event_rules import Citations, Expectation, Obligation, Violation, Violations, field_getter, mismatches
from audit.core.model import Event, type_name
from audit.games.compile import rules
from audit.games.compile.card_rulings import CARD_RULES, clarification, correction
from audit.games.compile.declarations import CardInstruction
from audit.games.compile.events import GameWon, Landed, cards_of
from audit.games.compile.parts import opponent, swapped
from audit.games.compile.state import SEATS, CardMovement, Compiling, Frame, State, Text
from audit.games.compile.texts import CARD_INSTRUCTIONS, MIDDLE, card_instructions, next_instruction, readable_text

E = TypeVar("E", bound=Event)


class Occasion(Expectation[State], Generic[E]):
    """An expectation with its criteria: one list of them decides, explains and lists the candidates."""

    def violations(self, state: State, event: E) -> Violations:
        """The criteria that the event fails; () if it is what is called for."""
        raise NotImplementedError

    def is_possible(self, state: State) -> bool:
        """Whether there is a candidate, which stands for one nobody has told where a number of cards is not known."""
        return bool(state.untold) or next(self.candidates(state), None) is not None

    def citations(self, state: State, event: E) -> Citations:
        """The rules that make this very event legal, the most telling first."""
        return self.rules

    def cited(self, state: State, event: Event) -> Citations | None:
        return self.citations(state, event)  # type: ignore[arg-type]

    def precedence(self, state: State, event: Event) -> Iterator[Rule]:
        """The rules by which this occasion comes before that other event, the nearest first."""
        return iter(())

    def goes_first(self, state: State, event: Event) -> Rule | None:
        return self.rules[0] if type(event) is self.event else None


class OneEvent(Occasion[E]):
    """Exactly one event is called for. A field the log leaves out is not wrong."""

    def __init__(
        self, one: E, *rules: Rule, obligation: Obligation = Obligation.REQUIRED, any_order: bool = False
    ) -> None:
        self.one = one
        self.event = type(one)
        self.rules = rules
        self.obligation = obligation
        self.any_order = any_order
        self.get_fields = field_getter(self.event)
        self.wanted_fields = self.get_fields(one)

    def candidates(self, state: State) -> Iterator[Event]:
        yield self.one

    def single_candidate(self, state: State) -> Event | None:
        return self.one

    def violations(self, state: State, event: E) -> Violations:
        return () if self.get_fields(event) == self.wanted_fields else mismatches(event, self.one, self.rules[0])


def wrong_player(expected: str, found: str, rule: Rule = rules.effects.SOURCE_SIDE_DECIDES) -> Violation:
    """The violation if the wrong player acts."""
    return Violation(rule, "wrong.player", {"player": found, "expected": expected}, not_intended=True)


# Instructions of texts

VERBS: Final[dict[str, type[Instruction[Any]]]] = {}
"""The class of instruction for each verb of the card vocabulary; each class registers itself here.

Where a verb reads otherwise by what it is done to, or by both players, the name says so: "discard deck",
"draw matching", "discard both", "reveal deck both".
"""


class OfText(Occasion[E]):
    """What the newest text calls for."""

    def precedence(self, state: State, event: Event) -> Iterator[Rule]:
        yield from text_precedence(state, acting_text(state), event)

    def goes_first(self, state: State, event: Event) -> Rule | None:
        return next(_order_at_stake(state, acting_text(state), event), None)


class Instruction(OfText[E]):
    """One instruction of one text, the newest under way.

    It is asked three things: can anything be done at all, is this event one way of doing it, and which ways are
    there. All three ask the same criteria.
    """

    verbs: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        for verb in cls.verbs:
            VERBS[verb] = cls

    def __init__(self, card: str, declared: CardInstruction) -> None:
        self.card = card
        self.declared = declared
        self.rules = each_once((*self.verb_rules(), *_binding(declared), *CARD_RULES.get(card, ())))

    def verb_rules(self) -> Citations:
        """The rules of the verb."""
        raise NotImplementedError

    def ready(self, state: State, text: Text) -> bool:
        """Whether anything can be done."""
        return next(self.candidates(state), None) is not None

    def may_be_impossible(self, state: State, text: Text) -> bool:
        """Whether it depends on cards without a name if anything can be done."""
        return False

    def actor(self, text: Text) -> str:
        """Who carries the instruction out."""
        return opponent(text.seat) if self.declared.who == "opponent" else text.seat

    def able_players(self, state: State) -> tuple[str, ...]:
        """Of an instruction that both players carry out: who has something to do."""
        return SEATS

    def players_left(self, state: State, text: Text) -> list[str]:
        """Of an instruction that both players carry out: who can do it and has not."""
        return [seat for seat in self.able_players(state) if seat in (text.remaining or ())]

    def citations(self, state: State, event: E) -> Citations:
        more = _in_its_turn(state, acting_text(state), self.declared)
        return (*self.rules, *more) if more else self.rules

    def own_rule(self, *kinds: str) -> Rule | None:
        """The rule made for this very text, which is more precise than the general one."""
        return clarification(self.card, type_name(self.event), *kinds)

    def corrected(self, state: State, violations: Violations) -> Violations:
        """The violations, by the rule that says how this text is to be read, where they are of what it speaks of."""
        rule = correction(self.card, type_name(self.event))
        if rule is None or acting_text(state).box != "middle":
            return violations
        speaks_of = "draw.deck" if rule.kind == ERRATA else "draw.number"
        return tuple(replace(item, rule=rule) if item.key == speaks_of else item for item in violations)


def _binding(declared: CardInstruction) -> Citations:
    bound = rules.effects.MAY_ONLY_IF_SAID if declared.optional else rules.effects.MUST_BE_APPLIED
    return (bound, rules.effects.CONDITION_MUST_BE_MET) if declared.if_did else (bound,)


def acting_text(state: State) -> Text:
    """The text that is being carried out."""
    text = state.stack[-1]
    assert isinstance(text, Text)
    return text


INSTRUCTIONS: Final[dict[tuple[str, str, int], tuple[tuple[Instruction[Any], ...], ...]]] = {}
"""For each text its instructions; for a choice between several, the first of each branch."""


def prepare() -> None:
    """Make the instructions of all texts, once the instructions of all verbs are known."""
    for (card, box, entry), declared_ones in CARD_INSTRUCTIONS.items():
        INSTRUCTIONS[card, box, entry] = tuple(_ways(card, declared) for declared in declared_ones)


def _ways(card: str, declared: CardInstruction) -> tuple[Instruction[Any], ...]:
    first = [branch[0] for branch in declared.options] if declared.verb == "choose" else [declared]
    return tuple(_made(card, one) for one in first)


def without_empty_deck(cited: Citations) -> Citations:
    """The rules by which a card comes from the top of a deck, without the one about a deck that has none."""
    return tuple([rule for rule in cited if rule is not rules.deck.TOP_CARD_EFFECTS_FAIL])


def rules_of_instruction(card: str, declared: CardInstruction) -> Citations:
    """The rules by which an instruction of a card is carried out, those of the branches of a choice included."""
    if declared.verb == "choose":
        steps = (step for branch in declared.options for step in branch)
        return each_once(tuple(rule for step in steps for rule in rules_of_instruction(card, step)))
    return _made(card, declared).rules


@cache
def _made(card: str, declared: CardInstruction) -> Instruction[Any]:
    return VERBS[_kind(declared)](card, declared)


def _kind(declared: CardInstruction) -> str:
    """The name under which the class of an instruction is registered."""
    if declared.verb == "draw" and declared.matching:
        return "draw matching"
    verb = declared.verb
    if verb in ("discard", "reveal") and declared.source != "hand":
        verb += f" {declared.source.removeprefix('opposing_')}"
    return f"{verb} both" if declared.who == "both" else verb


def instructions(text: Text) -> tuple[Instruction[Any], ...]:
    """The ways to carry out the next instruction of a text: one, or one a branch of a choice."""
    if text.option >= 0:
        return (_made(text.card, card_instructions(text)[text.next_index]),)
    if text.of:
        return _ways(text.card, CARD_INSTRUCTIONS[text.of, "middle", MIDDLE][text.next_index])
    return INSTRUCTIONS[text.card, text.box, text.entry][text.next_index]


def stuck_instructions(state: State) -> tuple[Instruction[Any], ...]:
    """The ways to carry out the next instruction of the newest text, if none of them can be; else none."""
    text = readable_text(state)
    here = instructions(text) if text else ()
    return () if text is None or any(one.ready(state, text) for one in here) else here


class WithChosenCards(OfText[E]):
    """An instruction for which cards have been chosen aloud: it is carried out with them."""

    def __init__(self, instruction: Instruction[E], cards: tuple[str, ...]) -> None:
        self.instruction = instruction
        self.cards = cards
        self.event = instruction.event
        self.rules = instruction.rules

    def violations(self, state: State, event: E) -> Violations:
        if failed := self.instruction.violations(state, event):
            return failed
        left = next((card for card in self.cards if card not in cards_of(event)), None)
        return (Violation(rules.effects.SOURCE_SIDE_DECIDES, "chose.bound", {"card": left}),) if left else ()

    def citations(self, state: State, event: E) -> Citations:
        return self.instruction.citations(state, event)

    def candidates(self, state: State) -> Iterator[Event]:
        return (event for event in self.instruction.candidates(state) if set(self.cards) <= set(cards_of(event)))


def called_for(state: State, event: type[E]) -> Iterator[OfText[E]]:
    """The instructions that call for such an event now: those of the newest text, while it can be read."""
    if text := readable_text(state):
        for instruction in instructions(text):
            if instruction.event is event and instruction.ready(state, text):
                yield WithChosenCards(instruction, text.chosen) if text.chosen else instruction


# Why it comes now


def _in_its_turn(state: State, text: Text, declared: CardInstruction) -> Citations:
    """Why an instruction comes now, where others went before it."""
    if not text.next_index:
        return ()
    free = () if text.done or declared.if_did else (rules.effects.FREE_SENTENCE_STANDS_ALONE,)
    waiting = len(state.stack) > 1 and any(type(frame) is Text for frame in state.stack[:-1])
    return (*free, rules.text.INTERRUPT_UNWINDS_BACKWARDS) if waiting else free


def text_precedence(state: State, text: Text, event: Event) -> Iterator[Rule]:
    """Why the text under way comes before that event, the nearest reason first."""
    yield from _order_at_stake(state, text, event)
    yield from _why_due(state, text)


def _order_at_stake(state: State, text: Text, event: Event) -> Iterator[Rule]:
    """The rule by which one of two comes first that are both to be done: parts of a text, texts that interrupt."""
    if isinstance(event, GameWon) and any(type(frame) is Compiling for frame in state.stack):
        yield rules.compile.STEPS_IN_ORDER
    if isinstance(event, Landed):
        yield from _before_landing(state, event, text)
    elif later := later_instruction(state, text, event):
        yield _order_of(later)
    elif any(_goes_on_with(frame, event) for frame in state.stack[:-1]):
        yield rules.text.INTERRUPT_UNWINDS_BACKWARDS if text.next_index else rules.text.INTERRUPT_NEWEST_GOES_FIRST


def later_instruction(state: State, text: Text, event: Event) -> Instruction[Any] | None:
    """The instruction of a text, after its next, that the event would carry out; one that it does not fit at worst."""
    alike = [(at, one) for at, one in _from(text, text.next_index + 1) if one.event is type(event)]
    fitting = (one for at, one in alike if _would_fit(state, text, at, one, event))
    return next(fitting, alike[0][1] if alike else None)


def out_of_order(state: State, event: Event) -> Violation | None:
    """What is wrong with an event that fails the next instruction of the text under way and fits a later one.

    A later instruction with the same verb counts where it names the card itself: any other card could as well have been
    chosen wrongly for the next one.
    """
    text = readable_text(state)
    if text is None or text.remaining is not None:
        return None
    due = next_instruction(text).verb
    for at, later in _from(text, text.next_index + 1):
        named = later.declared.target is not None and later.declared.target.ref is not None
        is_told_apart = later.event is type(event) and (named or later.declared.verb != due)
        if is_told_apart and _would_fit(state, text, at, later, event):
            return Violation(_order_of(later), "order.later", {"card": text.card}, unavailable=True)
    return None


def _order_of(later: Instruction[Any]) -> Rule:
    """The rule by which what stands before an instruction of the same text is done before it."""
    return rules.effects.CONDITION_MUST_BE_MET if later.declared.if_did else rules.effects.READING_ORDER


def _would_fit(state: State, text: Text, at: int, instruction: Instruction[Any], event: Event) -> bool:
    ahead = swapped(state, replace(text, next_index=at, remaining=None, chosen=()))
    return not instruction.violations(ahead, event)


def _from(text: Text, start: int) -> Iterator[tuple[int, Instruction[Any]]]:
    """The instructions of a text from that one on, with their indices; for a choice, the first of each branch."""
    for at, declared in enumerate(card_instructions(text)[start:], start):
        yield from ((at, one) for one in _ways(text.card, declared))


def _goes_on_with(frame: Frame, event: Event) -> bool:
    """Whether the event is what an older text goes on with."""
    return type(frame) is Text and any(one.event is type(event) for _, one in _from(frame, frame.next_index))


def _before_landing(state: State, event: Landed, text: Text) -> Iterator[Rule]:
    """What keeps a card from arriving just yet."""
    flights = (n for n, f in enumerate(state.stack) if type(f) is CardMovement and f.card == event.card)
    at = next(flights, None)
    if at is None:
        return
    movement = state.stack[at]
    assert isinstance(movement, CardMovement)
    if sum(type(frame) is Text for frame in state.stack[at:]) > 1:
        yield rules.committed.WHOLE_CHAIN_BEFORE_LANDING
    elif text.on == "before_covered":
        yield (
            rules.cover.COVER_TRIGGER_BEFORE_COVERING
            if movement.played
            else rules.cover.COVER_TRIGGER_ANY_WAY_OF_COVERING
        )
    elif text.on == "uncovered":
        yield rules.committed.EXPOSED_TEXT_FIRST


def _why_due(state: State, text: Text) -> Iterator[Rule]:
    """Why the instruction of the text is due at all."""
    if text.next_index:
        yield rules.effects.MUST_BE_APPLIED if text.done else rules.effects.FREE_SENTENCE_STANDS_ALONE
    else:
        yield moment_rule(state, text.on)


def moment_rule(state: State, on: str) -> Rule:
    """Why a text comes due at such a moment."""
    if on == "uncovered" and any(type(frame) is CardMovement for frame in state.stack):
        return rules.acts.SHIFT_LAYS_BARE_CARD_BELOW
    if on == "after_you_draw" and state.acted == "refreshed":
        return rules.refresh.COUNTS_AS_DRAWING
    return _MOMENT_RULES.get(on, rules.text.OUTER_BOXES_WHEN_THEY_SAY)


_MOMENT_RULES: Final = {
    "played": rules.play.MIDDLE_TEXT_RESOLVED,
    "uncovered": rules.text.MIDDLE_AT_ONCE,
    "flipped": rules.text.MIDDLE_AT_ONCE,
    "before_covered": rules.cover.COVER_TRIGGER_BEFORE_COVERING,
    "before_covered_by_unity": rules.cover.COVER_TRIGGER_BEFORE_COVERING,
    "before_return_to_opponent": rules.effects.CARDS_BEAT_RULES,
    "after_opponent_compiles": rules.edge.AFTER_WHOLE_COMPILE_FIRST,
    "start": rules.start_end.OWN_VISIBLE_TEXT,
    "end": rules.start_end.OWN_VISIBLE_TEXT,
}
