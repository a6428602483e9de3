"""A card is announced for a line: the action of a turn, or an instruction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from audit.catalogue import Rule
from audit.compile import rules
from audit.compile.criteria import could_be, not_in_hand, place_violation, places, protocol_of
from audit.compile.event_rules.acting import BARS, action_violation, is_action_open
from audit.compile.event_rules.base import CompileEventRules
from audit.compile.event_rules.discarding import missing_from_deck
from audit.compile.events import Played
from audit.compile.following import led_to, waiting_text
from audit.compile.occasions import Instruction, Occasion, acting_text, called_for, wrong_player
from audit.compile.procedures import is_barred
from audit.compile.progress import carried_out, done_once, next_instruction
from audit.compile.state import LINES, CardMovement, State, Text, is_known, pushed, swapped
from audit.event_rules import Citations, Violation, Violations

_PLAYED = (rules.turn.ONE_ACTION, rules.play.ON_OWN_SIDE, rules.play.FACE_CHOSEN_BY_PLAYER)
_FACE_UP = (rules.play.FACE_UP_NEEDS_PROTOCOL, rules.field.PROTOCOL_GATES_LINE, *_PLAYED)
_FACE_UP_THEIRS = (*_FACE_UP, rules.owner.FACE_UP_AT_OPPONENTS_PROTOCOL)
_FACE_DOWN = (rules.play.FACE_DOWN_ANY_LINE, rules.field.FACE_DOWN_BLANK, *_PLAYED)
_FACE_DOWN_THEIRS = (*_FACE_DOWN, rules.recompile.CARD_FACE_DOWN_ANYWHERE)


class PlayFromHand(Occasion[Played]):
    """One card from hand to the own side, face up where its protocol lies, face down anywhere."""

    event = Played
    rules = _PLAYED

    def violations(self, state: State, event: Played) -> Violations:
        if violation := action_violation(state, event.player):
            return (violation,)
        if event.from_ != "hand":
            return (Violation(rules.turn.ONE_ACTION, "play.from", {"zone": "hand"}),)
        if not_in_hand(state, event.player, event.card):
            return (Violation(rules.play.ON_OWN_SIDE, "play.hand", {"card": event.card}),)
        violation = place_violation(state, event.player, event.card, event.line, event.face)
        return (violation,) if violation else ()

    def citations(self, state: State, event: Played) -> Citations:
        own = protocol_of(event.card) in state.side(event.player).protocols or not is_known(event.card)
        if event.face == "down":
            found = _FACE_DOWN if own else _FACE_DOWN_THEIRS
        else:
            found = _FACE_UP if own else _FACE_UP_THEIRS
        return (*found, *BARS) if state.barred and is_barred(state, event.player) else found

    def candidates(self, state: State) -> Iterator[Played]:
        for card in dict.fromkeys(state.side(state.player).hand):
            for line, face in places(state, state.player, card):
                yield Played(seq=0, player=state.player, card=card, line=line, face=face)  # type: ignore[arg-type]


PLAY = PlayFromHand()


class PlayCard(Instruction[Played]):
    """A card from hand or deck into a stack of who plays it."""

    verbs = ("play",)
    event = Played

    def verb_rules(self) -> Citations:
        if self.declared.source == "deck":
            stacks = self.declared.in_lines == "each_line_with_your_card"
            where = (rules.field.STACK, rules.field.EMPTY_SIDE_NO_STACK) if stacks else ()
            return (rules.play.FROM_DECK_SAME_RULE, rules.play.FROM_DECK_UNSEEN, *where)
        if self.declared.face == "any":
            return (rules.play.ON_OWN_SIDE, rules.play.FACE_CHOSEN_BY_PLAYER, rules.field.PROTOCOL_GATES_LINE)
        return (rules.play.ON_OWN_SIDE, rules.play.FACE_DOWN_ANY_LINE)

    def ready(self, state: State, text: Text) -> bool:
        side = state.side(self.actor(text))
        if not (side.deck if self.declared.source == "deck" else side.hand):
            return False
        return next(self.candidates(state), None) is not None

    def violations(self, state: State, event: Played) -> Violations:
        text = acting_text(state)
        actor = self.actor(text)
        if event.player != actor:
            return (wrong_player(actor, event.player),)
        if text.remaining == ():
            return (Violation(rules.effects.AS_FAR_AS_POSSIBLE, "play.none", {"card": self.card}),)
        if event.from_ != self.declared.source:
            return (Violation(rules.effects.MUST_BE_APPLIED, "play.from", {"zone": self.declared.source}),)
        if violation := self._card_violation(state, actor, event.card):
            return (violation,)
        if self.declared.face != "any" and event.face != self.declared.face:
            return (Violation(rules.effects.CARDS_BEAT_RULES, "play.face", {"face": self.declared.face}),)
        if event.line not in self.lines(text):
            return (Violation(self._line_rule(state, actor, event.line), "play.line", {"line": event.line}),)
        why = rules.play.FROM_DECK_SAME_RULE if self.declared.source == "deck" else rules.field.PROTOCOL_GATES_LINE
        violation = place_violation(state, actor, event.card, event.line, event.face, why)
        if violation and self.declared.source == "deck":
            violation = replace(violation, rule=rules.play.FROM_DECK_SAME_RULE)
        return (violation,) if violation else ()

    def _line_rule(self, state: State, actor: str, line: int) -> Rule:
        empty = not state.side(actor).lines[line - 1]
        if self.declared.in_lines == "each_line_with_your_card" and empty:
            return rules.field.EMPTY_SIDE_NO_STACK
        return rules.effects.MUST_BE_APPLIED

    def _card_violation(self, state: State, actor: str, card: str) -> Violation | None:
        if self.declared.source == "hand":
            if not_in_hand(state, actor, card):
                return Violation(rules.play.ON_OWN_SIDE, "play.hand", {"card": card})
            return None
        deck = state.side(actor).deck
        if deck and could_be(deck[0], card):
            return None
        empty = self.own_rule() or rules.deck.TOP_CARD_EFFECTS_FAIL
        return Violation(rules.play.FROM_DECK_UNSEEN if deck else empty, "play.top", {"card": card})

    def lines(self, text: Text) -> tuple[int, ...]:
        """The lines the text allows; none where there is nothing left to play."""
        if text.remaining == ():
            return ()
        if self.declared.in_lines:
            return tuple(line for line in text.remaining or () if isinstance(line, int))
        if self.declared.at in ("this_line", "under_this"):
            return (text.line,)
        return tuple(line for line in LINES if self.declared.at == "any_line" or line != text.line)

    def candidates(self, state: State) -> Iterator[Played]:
        text = acting_text(state)
        actor = self.actor(text)
        side = state.side(actor)
        cards = side.deck[:1] if self.declared.source == "deck" else tuple(dict.fromkeys(side.hand))
        for card in cards:
            for line, face in places(state, actor, card):
                if line in self.lines(text) and self.declared.face in ("any", face):
                    yield Played(
                        seq=0, player=actor, card=card, line=line, face=face, from_=self.declared.source  # type: ignore[arg-type]
                    )  # fmt: skip


class PlayedRules(CompileEventRules[Played]):
    """The rules of playing a card."""

    event = Played
    names_cards: bool = True
    verb = "play"

    def occasions(self, state: State) -> Iterable[Occasion[Played]]:
        if state.stack:
            return called_for(state, Played)
        return (PLAY,) if is_action_open(state) else ()

    def out_of_place(self, state: State, event: Played) -> Violations:
        return () if event.from_ == "deck" else PLAY.violations(state, event)

    def missing(self, state: State, event: Played) -> Violation | None:
        if event.from_ == "deck":
            return missing_from_deck(state, event.player)
        if not_in_hand(state, event.player, event.card):
            return Violation(rules.play.ON_OWN_SIDE, "play.hand", {"card": event.card})
        return None

    def happen(self, state: State, event: Played) -> State:
        why = led_to(state, event)
        text = waiting_text(state, "play")
        under = text.card if text and next_instruction(text).at == "under_this" else None
        movement = CardMovement(
            event.card, event.face == "up", event.player, event.line, event.from_, played=True, under=under, why=why
        )
        if text is not None:
            state = _played_by(state, text, event)
        elif not state.stack:
            state = replace(state, acted="played")
        return pushed(state, movement)


def _played_by(state: State, text: Text, event: Played) -> State:
    if text.remaining is None:
        return swapped(state, carried_out(text, event.card))
    what: str | int = event.line if next_instruction(text).in_lines else ""
    return swapped(state, done_once(text, what, event.card))


RULES = (PlayedRules(),)
