"""Criteria that several event types of Compile share: a target, a place, a hand.

Each returns the violation, or None. The same function judges an event and lists what is possible.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from audit.core.catalogue import Rule
from audit.core.event_rules import Violation
from audit.core.model import Event
from audit.games.compile import rules
from audit.games.compile.declarations import CardInstruction, Matching, Passive, Target
from audit.games.compile.events import PutOnDeck
from audit.games.compile.parts import (
    committed,
    field_position,
    field_positions,
    is_known,
    movements,
    newest,
    opponent,
    protocol_of,
    side_of,
    zone_of,
)
from audit.games.compile.procedures import lines_with_face_down_card
from audit.games.compile.state import LINES, FieldPosition, State, Text
from audit.games.compile.texts import card_instructions, has_own_rule, passives
from audit.games.compile.totals import leads_line, line_meant, number_read, value_at, value_of

Picks = tuple[State, Text, Target, list[tuple[str, FieldPosition]]]
_LATEST: Final[list[Picks | None]] = [None]
"""What was last asked about, and the cards found. Whoever judges a pick asks several times in one position."""


def pick_violation(state: State, text: Text, target: Target, card: str) -> Violation | None:
    """Why a text may not pick that card of the field."""
    place = field_position(state, card)
    if place is None:
        return _not_on_field(state, card)
    if broken := wrong_kind(state, text, target, card, place):
        return broken
    if target.rank and value_at(state, card, place) != _ranked_value(state, text, target):
        rule = rules.effects.CARDS_BEAT_RULES if place.up else rules.field.FACE_DOWN_VALUE
        return Violation(rule, "pick.rank", {"card": card, "rank": target.rank})
    return None


def _not_on_field(state: State, card: str) -> Violation:
    if card in committed(state):
        leaving = all(movement.card != card for movement in movements(state))
        rule = rules.committed.ANY_CHANGE_OF_PLACE if leaving else rules.committed.NOT_A_TARGET
        return Violation(rule, "pick.committed", {"card": card})
    return Violation(rules.target.FIELD_ONLY, "pick.not_on_field", {"card": card})


def wrong_kind(state: State, text: Text, target: Target, card: str, place: FieldPosition) -> Violation | None:
    """Why a card lying there is not of the kind the text can pick, its rank aside."""
    if target.ref:
        return _not_the_one(text, target, card)
    if target.owner != "any" and (target.owner == "you") != (place.seat == text.seat):
        return Violation(
            rules.target.BOTH_SIDES, "pick.owner", {"card": card, "owner": target.owner, "source": text.card}
        )
    if target.cover == "uncovered" and not place.uncovered:
        return Violation(rules.target.UNCOVERED_BY_DEFAULT, "pick.covered", {"card": card})
    if target.cover == "covered" and place.uncovered:
        return Violation(rules.target.COVERED_IF_NAMED, "pick.uncovered", {"card": card})
    if target.face != "any" and (target.face == "up") != place.up:
        return Violation(rules.field.FACING_IS_NOT_COVER, "pick.face", {"card": card, "face": target.face})
    if target.other and card == text.card:
        return Violation(rules.target.ITSELF, "pick.other", {"card": card, "source": text.card})
    if target.line and not _in_line_meant(state, text, target, place):
        rule = rules.field.STACK if target.line == "this_stack" else rules.field.LINE_TWO_PROTOCOLS
        return Violation(rule, "pick.line", {"card": card, "line": text.line})
    if target.line_lead and not leads_line(state, _seat(text, target.line_lead), place.line):
        return Violation(rules.field.VALUE_COUNTS, "pick.lead", {"card": card, "line": place.line})
    value = value_at(state, card, place)
    return (
        None
        if _has_value_meant(state, text, target, value)
        else _other_value(state, text, target, card, place.up, value)
    )


def _other_value(state: State, text: Text, target: Target, card: str, up: bool, value: int | None) -> Violation:
    """That a card has another value than the text asks for, and which."""
    rule = rules.effects.CARDS_BEAT_RULES if up else rules.field.FACE_DOWN_VALUE
    told = {"card": card, "source": text.card, "value": value}
    if value is None:
        return Violation(rule, "pick.value", told)
    if target.more_than:
        return Violation(rule, "pick.value_above", {**told, "n": number_read(state, text, target.more_than)})
    if target.less_than:
        return Violation(rule, "pick.value_below", {**told, "n": number_read(state, text, target.less_than)})
    asked = target.values or (value_of(state, text.last_picked or ""),)
    return Violation(rule, "pick.value_is", {**told, "asked": ", ".join(map(str, asked))})


def _seat(text: Text, who: str) -> str:
    return text.seat if who == "you" else opponent(text.seat)


def _in_line_meant(state: State, text: Text, target: Target, place: FieldPosition) -> bool:
    if target.line == "this":
        return place.line == text.line
    if target.line == "this_stack":
        return (place.seat, place.line) == (text.seat, text.line)
    if target.line in ("same_as_that", "line_of_that_protocol"):
        turned = next((one.protocol for one in card_instructions(text) if one.protocol), "")
        return place.line == line_meant(state, text, target, turned)
    return True


def _has_value_meant(state: State, text: Text, target: Target, value: int | None) -> bool:
    if target.values:
        return value in target.values
    if target.same_value:
        return value is not None and bool(text.last_picked) and value == value_of(state, text.last_picked or "")
    if target.more_than:
        return value is not None and value > number_read(state, text, target.more_than)
    if target.less_than:
        return value is not None and value < number_read(state, text, target.less_than)
    return True


def matches(text: Text, matching: Matching | None, card: str) -> bool:
    """Whether a card out of a hand, a deck or a draw shows what the text asks for; an unknown one may."""
    return kind_violation(text, matching, card) is None


def kind_violation(text: Text, matching: Matching | None, card: str) -> Violation | None:
    """What a card out of a hand, a deck or a draw shows, where the text asks for something else."""
    if matching is None or not is_known(card):
        return None
    protocol, _, value = card.rpartition("-")
    told, rule = {"card": card, "source": text.card}, rules.effects.CARDS_BEAT_RULES
    if matching.values and value not in map(str, matching.values):
        return Violation(rule, "pick.value_is", {**told, "value": value, "asked": ", ".join(map(str, matching.values))})
    if matching.stated and value != text.stated:
        return Violation(rule, "match.named", {**told, "value": value, "asked": text.stated})
    if matching.protocol and protocol != matching.protocol:
        return Violation(rule, "match.protocol", {**told, "protocol": matching.protocol})
    if matching.protocol_not and protocol == matching.protocol_not:
        return Violation(rule, "match.protocol_not", {**told, "protocol": protocol})
    return None


def line_violation(state: State, text: Text, declared: CardInstruction, line: int) -> Violation | None:
    """Why a text that plays a card in each line of a kind plays none in that one."""
    told = {"card": text.card, "line": line}
    if declared.in_lines == "each_line_with_face_down_card" and line not in lines_with_face_down_card(state):
        return Violation(rules.effects.MUST_BE_APPLIED, "play.line_face_up", told)
    if declared.in_lines == "each_line_with_your_card" and not side_of(state, text.seat).lines[line - 1]:
        return Violation(rules.field.EMPTY_SIDE_NO_STACK, "play.line_empty", {**told, "player": text.seat})
    if declared.in_lines == "each_other_line" and line == text.line:
        return Violation(rules.effects.MUST_BE_APPLIED, "play.line_own", told)
    return None


def _not_the_one(text: Text, target: Target, card: str) -> Violation | None:
    meant = text.card if target.ref == "this" else text.last_picked
    if card == meant:
        return None
    return Violation(rules.effects.MUST_BE_APPLIED, "pick.ref", {"card": card, "expected": meant})


def fitting(state: State, text: Text, target: Target) -> Iterator[tuple[str, FieldPosition]]:
    """Cards of the field that are of the kind the text can pick, their rank aside."""
    if target.ref:
        meant = text.card if target.ref == "this" else text.last_picked
        if meant is not None and (place := field_position(state, meant)):
            yield meant, place
        return
    for card, place in field_positions(state):
        if wrong_kind(state, text, target, card, place) is None:
            yield card, place


def picks(state: State, text: Text, target: Target) -> list[str]:
    """Every card the text can pick."""
    return [card for card, _ in placed_picks(state, text, target)]


def placed_picks(state: State, text: Text, target: Target) -> list[tuple[str, FieldPosition]]:
    """Every card the text can pick, with its place."""
    known = _LATEST[0]
    if known is not None and known[0] is state and known[1] is text and known[2] is target:
        return known[3]
    found = list(fitting(state, text, target))
    if target.rank:
        best = _ranked_value(state, text, target)
        found = [(card, place) for card, place in found if value_at(state, card, place) == best]
    _LATEST[0] = state, text, target, found
    return found


def _ranked_value(state: State, text: Text, target: Target) -> int | None:
    found = (value_at(state, card, place) for card, place in fitting(state, text, target))
    values = [value for value in found if value is not None]
    if not values:
        return None
    return max(values) if target.rank == "highest" else min(values)


def place_violation(
    state: State,
    seat: str,
    card: str,
    line: int,
    face: str,
    why: Rule = rules.play.FACE_UP_NEEDS_PROTOCOL,
    *,
    is_free: bool = False,
) -> Violation | None:
    """Why that seat may not play that card there with that face: the rules of playing, and texts in force."""
    free = is_free or has_own_rule(card, "any_protocol_play", "any_side_play")
    for owner, at, passive, source in passives(state, "playing"):
        if passive.rule == "any_protocol_play":
            free = free or (owner == seat and _frees(passive, card, at == line))
        elif owner != seat and _forbids(passive.rule, at == line, face):
            return Violation(_standing(state, source), f"place.{passive.rule}", {"source": source})
    if face == "up" and not free and not protocol_in(state, card, line):
        return Violation(why, "place.protocol", {"card": card, "line": line})
    return None


def _frees(passive: Passive, card: str, here: bool) -> bool:
    """Whether a text in force lets that card be played face up without its protocol."""
    if passive.only and passive.only != protocol_of(card):
        return False
    return passive.scope == "whole_field" or (passive.scope == "this_line" and here)


def side_violation(seat: str, card: str, face: str, side: str | None) -> Violation | None:
    """Why that seat may not play that card on that side; None for the own side, which a log need not name."""
    if side in (None, seat) or (face == "up" and has_own_rule(card, "any_side_play")):
        return None
    return Violation(rules.play.ON_OWN_SIDE, "play.side", {"player": seat})


def _standing(state: State, source: str) -> Rule:
    """The rule by which a text in force counts: it beats the rules, or it works even while covered."""
    place = field_position(state, source)
    return rules.effects.CARDS_BEAT_RULES if place is None or place.uncovered else rules.field.TOP_COMMAND


def _forbids(rule: str, here: bool, face: str) -> bool:
    if rule == "no_play":
        return here
    if rule == "no_face_down_play":
        return here and face == "down"
    return rule == "face_down_play_only" and face == "up"


def protocol_in(state: State, card: str, line: int) -> bool:
    """Whether the protocol of a card lies in that line, on either side."""
    return protocol_of(card) in (state.a.protocols[line - 1], state.b.protocols[line - 1])


def places(state: State, seat: str, card: str) -> Iterator[tuple[int, str, str | None]]:
    """Every line and face with which that seat may play that card, and the side where it is not the own one."""
    for line in LINES:
        for face in ("up", "down"):
            if (face == "down" or is_known(card)) and place_violation(state, seat, card, line, face) is None:
                yield line, face, None
                if side_violation(seat, card, face, opponent(seat)) is None:
                    yield line, face, opponent(seat)


def not_in_hand(state: State, seat: str, card: str) -> bool:
    """Whether that card cannot be in that hand: hands with unknown cards may hold any card not seen elsewhere."""
    hand = state.a.hand if seat == "A" else state.b.hand
    if card in hand:
        return False
    if not is_known(card):
        return not hand
    return not has_unknown(hand) or zone_of(state, card) is not None


def took_from_hand(state: State, seat: str, card: str, before: State, earlier: Event, after: State) -> Violation | None:
    """Which text, at an earlier event, put a card where it is now instead of that hand, or left no card in the hand."""
    text = newest(before)
    if type(text) is not Text or _away(state, seat, card) != _away(after, seat, card):
        return None
    at, stood = _away(state, seat, card), _away(before, seat, card)
    if at in ("", "field", stood) or (stood and type(earlier) is not PutOnDeck):
        return None  # what was played, and then taken from the field, is no card of the hand since the play
    rule = rules.effects.CARDS_BEAT_RULES if type(earlier) is PutOnDeck else rules.effects.MUST_BE_APPLIED
    return Violation(rule, f"took_away.{at}", {"source": text.card})


def _away(state: State, seat: str, card: str) -> str:
    """The zone a card lies in, `all` where there is none in that hand and nobody knows; empty where it may be there."""
    place = zone_of(state, card)
    if place is not None:
        return "" if place[1] == "hand" else "field" if place[1] == "committed" else place[1]
    return "" if side_of(state, seat).hand else "all"


def has_unknown(cards: tuple[str, ...]) -> bool:
    """Whether a zone holds cards nobody has named."""
    return any(card[0] == "?" for card in cards)


def could_be(held: str, named: str) -> bool:
    """Whether a card known as `held` may turn out to be the one a log names."""
    return held == named or not is_known(held) or not is_known(named)
