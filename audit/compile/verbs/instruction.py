"""An instruction: one step of one text, asked what it allows."""

from __future__ import annotations

from msgspec.structs import replace

from audit.catalogue import Rule, each_once
from audit.compile import rules
from audit.compile.citing import in_its_turn
from audit.compile.clarified import CARD_RULES, clarification, correction
from audit.compile.state import State, Text, opponent
from audit.compile.words import Step
from audit.model import Event, type_name
from audit.ruleset import Option, Violation


class Instruction(Option[State]):
    """One step of one text, the newest under way."""

    def __init__(self, card: str, step: Step) -> None:
        self.card = card
        self.step = step
        self.rules = each_once((*self.kind(), *_binding(step), *CARD_RULES.get(card, ())))

    def kind(self) -> tuple[Rule, ...]:
        """The rules of the verb."""
        raise NotImplementedError

    def ready(self, state: State, text: Text) -> bool:
        """Whether anything can be done."""
        return next(self.candidates(state), None) is not None

    def actor(self, text: Text) -> str:
        """Who carries the step out."""
        return text.seat if self.step.who == "you" else opponent(text.seat)

    def citations(self, state: State, event: Event) -> tuple[Rule, ...]:
        more = in_its_turn(state, acting_text(state), self.step)
        return (*self.rules, *more) if more else self.rules

    def own_rule(self, *kinds: str) -> Rule | None:
        """The rule made for this very text, which tells more than the general one."""
        return clarification(self.card, type_name(self.event), *kinds)

    def corrected(self, broken: tuple[Violation, ...]) -> tuple[Violation, ...]:
        """What is broken, by the rule that says how this text is to be read, if there is one."""
        rule = correction(self.card, type_name(self.event))
        return broken if rule is None else tuple(replace(item, rule=rule) for item in broken)


def _binding(step: Step) -> tuple[Rule, ...]:
    bound = rules.effects.MAY_ONLY_IF_SAID if step.optional else rules.effects.MUST_BE_APPLIED
    return (bound, rules.effects.CONDITION_MUST_BE_MET) if step.if_did else (bound,)


def acting_text(state: State) -> Text:
    """The text that is being carried out."""
    text = state.stack[-1]
    assert isinstance(text, Text)
    return text


def wrong_player(expected: str, found: str, rule: Rule = rules.effects.SOURCE_SIDE_DECIDES) -> Violation:
    """Somebody else acts than the one whose part it is."""
    return Violation(rule, "wrong.player", {"player": found, "expected": expected}, not_intended=True)
