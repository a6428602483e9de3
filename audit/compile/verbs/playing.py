"""Playing a card by a text."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from audit.catalogue import Rule
from audit.compile import rules
from audit.compile.criteria import could_be, not_in_hand, place_refused, places
from audit.compile.events import Played
from audit.compile.state import LINES, State, Text
from audit.compile.verbs.instruction import Instruction, acting_text, wrong_player
from audit.model import Event
from audit.ruleset import Violation


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
        return next(self.candidates(state), None) is not None

    def violations(self, state: State, event: Played) -> tuple[Violation, ...]:  # type: ignore[override]
        text = acting_text(state)
        actor = self.actor(text)
        if event.player != actor:
            return (wrong_player(actor, event.player),)
        if text.remaining == ():
            return (Violation(rules.effects.AS_FAR_AS_POSSIBLE, "play.none", {"card": self.card}),)
        if event.from_ != self.step.source:
            return (Violation(self.rules[0], "play.from", {"zone": self.step.source}),)
        if broken := self._card_refused(state, actor, event.card):
            return (broken,)
        if self.step.face != "any" and event.face != self.step.face:
            return (Violation(rules.effects.CARDS_BEAT_RULES, "play.face", {"face": self.step.face}),)
        if event.line not in self.lines(text):
            return (Violation(self._line_rule(state, actor, event.line), "play.line", {"line": event.line}),)
        broken = place_refused(state, actor, event.card, event.line, event.face, rules.field.PROTOCOL_GATES_LINE)
        if broken and self.step.source == "deck":
            broken = replace(broken, rule=rules.play.FROM_DECK_SAME_RULE)
        return (broken,) if broken else ()

    def _line_rule(self, state: State, actor: str, line: int) -> Rule:
        empty = not state.side(actor).lines[line - 1]
        if self.step.in_lines == "each_line_with_your_card" and empty:
            return rules.field.EMPTY_SIDE_NO_STACK
        return rules.effects.MUST_BE_APPLIED

    def _card_refused(self, state: State, actor: str, card: str) -> Violation | None:
        if self.step.source == "hand":
            if not_in_hand(state, actor, card):
                return Violation(rules.play.ON_OWN_SIDE, "play.hand", {"card": card})
            return None
        deck = state.side(actor).deck
        if deck and could_be(deck[0], card):
            return None
        empty = self.own_rule() or rules.deck.TOP_CARD_EFFECTS_FAIL
        rule = rules.play.FROM_DECK_UNSEEN if deck else empty
        return Violation(rule, "play.top", {"card": card})

    def lines(self, text: Text) -> tuple[int, ...]:
        """The lines the text allows; none where there is nothing left to play."""
        if text.remaining == ():
            return ()
        if self.step.in_lines:
            return tuple(line for line in text.remaining or () if isinstance(line, int))
        if self.step.at in ("this_line", "under_this"):
            return (text.line,)
        return tuple(line for line in LINES if self.step.at == "any_line" or line != text.line)

    def candidates(self, state: State) -> Iterator[Event]:
        text = acting_text(state)
        actor = self.actor(text)
        side = state.side(actor)
        cards = side.deck[:1] if self.step.source == "deck" else tuple(dict.fromkeys(side.hand))
        for card in cards:
            for line, face in places(state, actor, card):
                if line in self.lines(text) and self.step.face in ("any", face):
                    yield Played(
                        seq=0, player=actor, card=card, line=line, face=face, from_=self.step.source  # type: ignore[arg-type]
                    )  # fmt: skip
