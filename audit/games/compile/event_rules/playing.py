"""A card is announced for a line: the action of a turn, or an instruction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Literal

from msgspec.structs import replace

from audit.core.event_rules import Citations, Violation, Violations
from audit.core.model import Event
from audit.games.compile import rules
from audit.games.compile.criteria import (
    could_be,
    kind_violation,
    line_violation,
    matches,
    not_in_hand,
    place_violation,
    places,
    protocol_in,
    side_violation,
    took_from_hand,
)
from audit.games.compile.event_rules.base import (
    BARS,
    CompileEventRules,
    action_violation,
    is_action_open,
    is_time_to_act,
    phase_of_action,
)
from audit.games.compile.event_rules.discarding import missing_from_deck
from audit.games.compile.events import Played, Revealed
from audit.games.compile.following import led_to, waiting_text
from audit.games.compile.moves import is_stranger, with_foreign, with_zone
from audit.games.compile.occasions import Instruction, Occasion, acting_text, called_for, wrong_player
from audit.games.compile.parts import is_known, opponent, protocol_of, pushed, side_of, swapped, top_of, with_side
from audit.games.compile.procedures import is_barred, lines_with_face_down_card
from audit.games.compile.readings import DIVERSITY_0_FREES
from audit.games.compile.state import LINES, UNKNOWN, CardMovement, State, Text
from audit.games.compile.texts import WAITING, carried_out, done_once, next_instruction

_PLAYED: Final = (rules.turn.ONE_ACTION, rules.play.ON_OWN_SIDE, rules.play.FACE_CHOSEN_BY_PLAYER)
_FACE_UP: Final[Citations] = (rules.play.FACE_UP_NEEDS_PROTOCOL, rules.field.PROTOCOL_GATES_LINE, *_PLAYED)
_FACE_UP_THEIRS: Final = (*_FACE_UP, rules.owner.FACE_UP_AT_OPPONENTS_PROTOCOL)
_FACE_UP_FREED: Final[Citations] = (rules.effects.CARDS_BEAT_RULES, *_PLAYED)
_FACE_DOWN: Final[Citations] = (rules.play.FACE_DOWN_ANY_LINE, rules.field.FACE_DOWN_BLANK, *_PLAYED)
WHEN_COVERED: Final = WAITING["before_covered"].keys()
"""The cards with a text that acts when they are about to be covered."""
_FACE_DOWN_THEIRS: Final = (*_FACE_DOWN, rules.recompile.CARD_FACE_DOWN_ANYWHERE)


class PlayFromHand(Occasion[Played]):
    """One card from hand to the own side, face up where its protocol lies, face down anywhere."""

    event = Played
    rules: Citations = _PLAYED

    def violations(self, state: State, event: Played) -> Violations:
        if violation := action_violation(state, event.player):
            return (violation,)
        if event.from_ != "hand":
            return (Violation(rules.turn.ONE_ACTION, "play.from", {"zone": "hand"}),)
        if not_in_hand(state, event.player, event.card):
            return (Violation(rules.turn.ONE_ACTION, "play.hand", {"card": event.card}),)
        violation = place_violation(state, event.player, event.card, event.line, event.face)
        violation = violation or side_violation(event.player, event.card, event.face, event.side)
        return (violation,) if violation else ()

    def citations(self, state: State, event: Played) -> Citations:
        own = protocol_of(event.card) in side_of(state, event.player).protocols or not is_known(event.card)
        if event.face == "down":
            found = _FACE_DOWN if own else _FACE_DOWN_THEIRS
        elif not protocol_in(state, event.card, event.line):
            found = _FACE_UP_FREED
        else:
            found = _FACE_UP if own else _FACE_UP_THEIRS
        return (*found, *BARS) if state.barred and is_barred(state, event.player) else found

    def candidates(self, state: State) -> Iterator[Played]:
        for card in dict.fromkeys(side_of(state, state.player).hand):
            for line, face, side in places(state, state.player, card):
                yield Played(seq=0, player=state.player, card=card, line=line, face=face, side=side)  # type: ignore[arg-type]


PLAY: Final = PlayFromHand()


class PlayCard(Instruction[Played]):
    """A card from hand or deck into a stack of who plays it."""

    verbs = ("play",)
    event = Played

    def verb_rules(self) -> Citations:
        if self.zone() == "deck":
            stacks = self.declared.in_lines == "each_line_with_your_card"
            where = (rules.field.STACK, rules.field.EMPTY_SIDE_NO_STACK) if stacks else ()
            return (rules.play.FROM_DECK_SAME_RULE, rules.play.FROM_DECK_UNSEEN, *where)
        if self.declared.face == "any":
            return (rules.play.ON_OWN_SIDE, rules.play.FACE_CHOSEN_BY_PLAYER, rules.field.PROTOCOL_GATES_LINE)
        return (rules.play.ON_OWN_SIDE, rules.play.FACE_DOWN_ANY_LINE)

    def zone(self) -> str:
        """The zone the card comes from, as an event names it."""
        source = self.declared.source
        return "hand" if source == "just_drawn" else source.removeprefix("opposing_")

    def holder(self, text: Text) -> str:
        """Whose hand, deck or trash the card comes from."""
        actor = self.actor(text)
        return opponent(actor) if self.declared.source == "opposing_deck" else actor

    def cards(self, state: State, text: Text) -> tuple[str, ...]:
        """The cards that may be played, as far as they are known."""
        side, target = side_of(state, self.holder(text)), self.declared.target
        if self.zone() == "deck":
            return side.deck[:1]
        cards = side.trash if self.zone() == "trash" else side.hand
        if target is not None:
            return tuple(card for card in cards if text.done and card == text.last_picked)[:1]
        return tuple(dict.fromkeys(card for card in cards if matches(text, self.declared.matching, card)))

    def ready(self, state: State, text: Text) -> bool:
        return bool(self.cards(state, text)) and next(self.candidates(state), None) is not None

    def may_be_impossible(self, state: State, text: Text) -> bool:
        wanted = self.declared.matching
        return wanted is not None and not any(map(is_known, self.cards(state, text)))

    def violations(self, state: State, event: Played) -> Violations:
        text = acting_text(state)
        actor = self.actor(text)
        if event.player != actor:
            return (wrong_player(actor, event.player),)
        if text.remaining == ():
            return (Violation(rules.effects.AS_FAR_AS_POSSIBLE, "play.none", {"card": self.card}),)
        holder = self.holder(text)
        if event.from_ != self.zone() or (event.deck or actor) != holder:
            return (Violation(rules.effects.MUST_BE_APPLIED, "play.from", {"zone": self.zone(), "player": holder}),)
        if violation := self._card_violation(state, text, holder, event.card):
            return (violation,)
        if self.declared.face != "any" and event.face != self.declared.face:
            return (Violation(rules.effects.CARDS_BEAT_RULES, "play.face", {"face": self.declared.face}),)
        if event.line not in self.lines(state, text):
            other = Violation(rules.effects.MUST_BE_APPLIED, "play.line", {"line": event.line})
            return (line_violation(state, text, self.declared, event.line) or other,)
        if violation := self._side_violation(text, event):
            return (violation,)
        why = rules.play.FROM_DECK_SAME_RULE if self.zone() == "deck" else rules.field.PROTOCOL_GATES_LINE
        violation = place_violation(state, actor, event.card, event.line, event.face, why, is_free=self._is_free(state))
        if violation and self.zone() == "deck":
            violation = replace(violation, rule=rules.play.FROM_DECK_SAME_RULE)
        return (violation,) if violation else ()

    def _is_free(self, state: State) -> bool:
        """Whether a reading lets the card lie face up without its protocol."""
        matching = self.declared.matching
        return matching is not None and bool(matching.protocol_not) and DIVERSITY_0_FREES.name in state.switches

    def _side_violation(self, text: Text, event: Played) -> Violation | None:
        if self.declared.on_side is None:
            return side_violation(event.player, event.card, event.face, event.side)
        if (event.side or event.player) == self.side(text):
            return None
        return Violation(rules.effects.MUST_BE_APPLIED, "play.side", {"player": self.side(text)})

    def side(self, text: Text) -> str:
        """The side the card goes to."""
        return opponent(text.seat) if self.declared.on_side == "opponent" else self.actor(text)

    def _card_violation(self, state: State, text: Text, holder: str, card: str) -> Violation | None:
        if self.zone() == "trash":
            may_be = any(could_be(card, held) for held in self.cards(state, text))
            return None if may_be else Violation(rules.effects.MUST_BE_APPLIED, "play.trash", {"card": card})
        if self.zone() == "hand":
            if not_in_hand(state, holder, card):
                return Violation(rules.effects.MUST_BE_APPLIED, "play.hand", {"card": card})
            if self.declared.target is not None and not could_be(text.last_picked or "", card):
                return Violation(
                    rules.effects.MUST_BE_APPLIED, "pick.ref", {"card": card, "expected": text.last_picked}
                )
            return kind_violation(text, self.declared.matching, card)
        deck = side_of(state, holder).deck
        if deck and could_be(deck[0], card):
            return None
        empty = self.own_rule() or rules.deck.TOP_CARD_EFFECTS_FAIL
        return Violation(rules.play.FROM_DECK_UNSEEN if deck else empty, "play.top", {"card": card})

    def lines(self, state: State, text: Text) -> tuple[int, ...]:
        """The lines the text allows; none where there is nothing left to play."""
        if text.remaining == ():
            return ()
        if self.declared.in_lines:
            return tuple(line for line in text.remaining or () if isinstance(line, int))
        if self.declared.at in ("this_line", "under_this", "this_stack"):
            return (text.line,)
        if self.declared.at == "line_with_face_down_card":
            return lines_with_face_down_card(state)
        return tuple(line for line in LINES if self.declared.at == "any_line" or line != text.line)

    def candidates(self, state: State) -> Iterator[Played]:
        text = acting_text(state)
        actor = self.actor(text)
        lines, holder = self.lines(state, text), self.holder(text)
        for card in self.cards(state, text):
            for line, face, side in self._places(state, text, card):
                if line in lines and self.declared.face in ("any", face):
                    yield Played(
                        seq=0, player=actor, card=card, line=line, face=face, from_=self.zone(), side=side,  # type: ignore[arg-type]
                        deck=holder if holder != actor else None,
                    )  # fmt: skip

    def single_candidate(self, state: State) -> Event | None:
        """The one play, or the first of several where a card that nobody can tell goes to each of several lines."""
        if self._is_unseen_in_each_line(state):
            return next(self.candidates(state), None)
        return super().single_candidate(state)

    def hides_choice(self, state: State, event: Event) -> bool:
        """Whether the order of the lines makes a difference: a card waits to be covered in one of them."""
        if not self._is_unseen_in_each_line(state):
            return False
        text = acting_text(state)
        tops = [top_of(state, self.side(text), line) for line in self.lines(state, text)]
        up = [top.card for top in tops if top and top.up]
        return len(tops) > 1 and any(card in WHEN_COVERED or not is_known(card) for card in up)

    def _is_unseen_in_each_line(self, state: State) -> bool:
        text = acting_text(state)
        lines, deck = self.lines(state, text), side_of(state, self.holder(text)).deck
        each = self.zone() == "deck" and self.declared.in_lines is not None and self.declared.face != "any"
        return each and len(deck) >= len(lines) and all(card == UNKNOWN for card in deck[: len(lines)])

    def _places(self, state: State, text: Text, card: str) -> Iterator[tuple[int, str, str | None]]:
        actor, side = self.actor(text), self.side(text)
        if self._is_free(state) and is_known(card):
            yield from ((line, face, None) for line in LINES for face in ("up", "down"))
        elif side != actor:
            yield from ((line, face, side) for line, face, other in places(state, actor, card) if other is None)
        else:
            yield from places(state, actor, card)


FACES: Final[tuple[Literal["up", "down"], ...]] = ("up", "down")


class PlayedRules(CompileEventRules[Played]):
    """The rules of playing a card."""

    event = Played
    is_turn_act: bool = True
    act_of: str = "action"
    names_cards: bool = True
    verb = "play"
    may_be_ambiguous: bool = True

    def occasions(self, state: State) -> Iterable[Occasion[Played]]:
        if state.stack:
            return called_for(state, Played)
        return (PLAY,) if is_action_open(state) else ()

    def accept(self, state: State, event: Played) -> Citations | None:
        """A card of the hand that can be played answers whether any can."""
        hand = (state.a if event.player == "A" else state.b).hand
        can_act = event.card in hand and not state.over and is_time_to_act(state)
        if can_act and not PLAY.violations(state, event):
            return PLAY.citations(state, event)
        return super().accept(state, event)

    def tells_also(self, event: Played) -> Iterable[Event]:
        """That the card of a trash was shown before it was played."""
        if event.from_ != "trash":
            return ()
        return (Revealed(seq=0, player=event.player, cards=(event.card,), zone="trash"),)

    def otherwise(self, state: State, event: Played) -> Iterator[Played]:
        return (replace(event, seq=0, note=None, line=line, face=face) for line in LINES for face in FACES)

    def out_of_place(self, state: State, event: Played) -> Violations:
        return () if event.from_ != "hand" else PLAY.violations(state, event)

    def is_action(self, state: State, event: Played) -> bool:
        return event.from_ == "hand"

    def missing(self, state: State, event: Played) -> Violation | None:
        if event.from_ == "deck":
            return missing_from_deck(state, event.deck or event.player)
        if event.from_ == "trash":
            gone = not any(could_be(event.card, held) for held in side_of(state, event.player).trash)
            return Violation(rules.effects.MUST_BE_APPLIED, "play.trash", {"card": event.card}) if gone else None
        if not_in_hand(state, event.player, event.card):
            return Violation(rules.turn.ONE_ACTION, "play.hand", {"card": event.card})
        return None

    def took_away(self, state: State, event: Played, before: State, earlier: Event, after: State) -> Violation | None:
        from_hand = event.from_ == "hand"
        return took_from_hand(state, event.player, event.card, before, earlier, after) if from_hand else None

    def apply(self, state: State, event: Played) -> State:
        """The position with the card announced. Nothing goes on by itself before it is committed."""
        text = waiting_text(state, "play") if state.stack else None
        if text and not is_known(event.card):
            state = _with_handle(state, text, event)
        under = text.card if text and next_instruction(text).at == "under_this" else None
        player = event.player
        seat, holder = event.side or player, event.deck or player
        movement = CardMovement(
            event.card, event.face == "up", seat, event.line, event.from_, played=True, under=under,
            player=player if player != seat else "", holder=holder if holder != seat else "", why=led_to(state, event),
        )  # fmt: skip
        if not state.stack:
            phase = phase_of_action(state, player)
            return replace(state, acted="played", phase=phase, stack=(movement,), skipped=(), just_left=())
        after = replace(state, skipped=(), just_left=()) if state.skipped or state.just_left else state
        return pushed(_played_by(after, text, event) if text else after, movement)


def _with_handle(state: State, text: Text, event: Played) -> State:
    """The position with the handle of the record for the one card that it can mean: the top of a deck, or one shown.

    So the other cards of the zone stay known.
    """
    holder = event.deck or event.player
    side = side_of(state, holder)
    held = side.deck if event.from_ == "deck" else side.trash if event.from_ == "trash" else side.hand
    meant = held[:1] if event.from_ == "deck" else (text.last_picked,) if next_instruction(text).target else ()
    if not meant or meant[0] not in held or event.card in held:
        return state
    state = with_foreign(state, holder) if is_stranger(side, meant[0]) else state
    at = held.index(meant[0])
    return with_side(state, holder, with_zone(side, event.from_, (*held[:at], event.card, *held[at + 1 :])))


def _played_by(state: State, text: Text, event: Played) -> State:
    if text.remaining is None:
        return swapped(state, carried_out(text, event.card))
    what: str | int = event.line if next_instruction(text).in_lines else ""
    return swapped(state, done_once(text, what, event.card))


RULES = (PlayedRules(),)
