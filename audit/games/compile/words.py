"""The closed vocabulary in which cards are declared: verbs, targets, counts, triggers and passives.

A card is data. Each verb has an `Instruction` class in `event_rules/`, beside the rules of the event it calls for. Only
a new verb needs a change of the engine.

    card(0,
         middle=[flip(another()), draw(2)],
         bottom=[before_covered(draw(1), flip(another()))])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from msgspec import Struct

Who = Literal["you", "opponent"]
Actor = Literal["you", "opponent", "both"]
Owner = Literal["you", "opponent", "any"]
Cover = Literal["uncovered", "covered", "either"]
Facing = Literal["up", "down", "any"]
Ref = Literal["this", "that"]
BoxName = Literal["top", "middle", "bottom"]
Line = Literal["this", "chosen", "chosen_other", "this_stack", "same_as_that", "line_of_that_protocol"]
Source = Literal["hand", "deck", "opposing_hand", "opposing_deck", "trash", "just_drawn"]
At = Literal["this_line", "another_line", "any_line", "under_this", "this_stack", "line_with_face_down_card"]
InLines = Literal[
    "each_other_line", "each_line_with_your_card", "each_line", "each_line_with_face_down_card"
]  # fmt: skip
Goal = Literal["another_line", "this_line", "to_or_from_this_line", "opponents_highest_total_line"]
Number = Literal["protocols_in_this_line", "protocols_in_field", "unity_in_field", "cards_in_your_hand"]
Per = Literal["face_down_cards_in_this_line", "cards_in_your_hand", "opposing_cards_in_this_line"]
ConditionWord = Literal[
    "this_covered", "this_covering", "your_hand_empty", "your_hand_above_1", "your_trash_not_empty",
    "opponent_leads_this_line", "that_matches_stated_protocol", "another_unity_in_field",
    "protocols_in_field_at_least", "protocols_in_field_below", "unity_in_field_at_least",
]  # fmt: skip

ALL: Final = "all"
EACH: Final = "each"


class Condition(Struct, frozen=True):
    """What has to be so for an instruction to be carried out; `number` is the number it speaks of, if it does."""

    word: ConditionWord
    number: int = 0


class Matching(Struct, frozen=True):
    """What cards have to show that come out of a hand, a deck or a draw. `stated`: the value that has been named."""

    values: tuple[int, ...] = ()
    stated: bool = False
    protocol: str = ""
    protocol_not: str = ""


class Target(Struct, frozen=True):
    """The field cards an instruction can pick. `ref` names one card instead, reached whether covered or not.

    `line_lead`: who has the higher total in the line. `same_value`: the value of the card meant before. `more_than` and
    `less_than` compare the value with a number read from the table.
    """

    owner: Owner = "any"
    cover: Cover = "uncovered"
    face: Facing = "any"
    line: Line | None = None
    line_at_least: int = 0
    values: tuple[int, ...] = ()
    rank: Literal["highest", "lowest"] | None = None
    other: bool = False
    ref: Ref | None = None
    line_lead: Who | None = None
    same_value: bool = False
    more_than: Number | None = None
    less_than: Number | None = None


class Count(Struct, frozen=True):
    """How many, where that is not a plain number.

    `is_open`: `at_least` so many, as the player likes. `done`: as many as the instruction before moved, `plus` more.
    `value_of_that`: the value of the card meant. `per`: one for every so many cards in this line. `number_of`: a number
    read from the table.
    """

    is_open: bool = False
    at_least: int = 0
    done: bool = False
    plus: int = 0
    value_of_that: bool = False
    per: int = 0
    number_of: Number | None = None


HowMany = int | Count | Literal["all", "each"]


class CardInstruction(Struct, frozen=True, kw_only=True):
    """One instruction of a text. Only the fields its verb knows are set."""

    verb: str
    who: Actor = "you"
    count: HowMany = 1
    optional: bool = False
    label: str | None = None
    condition: Condition | None = None
    if_did: str | None = None
    target: Target | None = None
    source: Source = "hand"
    face: Facing = "down"
    at: At | None = None
    in_lines: InLines | None = None
    to: Goal = "another_line"
    together: bool = False
    side: Who = "you"
    options: tuple[tuple[CardInstruction, ...], ...] = ()
    matching: Matching | None = None
    into: Literal["opposing_trash", "opposing_deck"] | None = None
    on_side: Who | None = None
    protocol: str = ""
    ignores_middle: bool = False
    instead: bool = False
    at_random: bool = False


class Trigger(Struct, frozen=True):
    """Instructions with the moment that sets them off."""

    on: str
    instructions: tuple[CardInstruction, ...]


class Passive(Struct, frozen=True):
    """A rule in force as long as its text is."""

    rule: str
    side: Literal["you", "opponent", "both"] = "you"
    scope: Literal["this_line", "this_stack", "whole_field", "this_card"] = "whole_field"
    amount: int = 0
    per: Per | None = None
    value: int = 0
    during: Literal["your_turn"] | None = None
    when: Literal["your_hand_not_empty", "other_protocol_face_up_in_this_stack"] | None = None
    only: str = ""


Item = CardInstruction | Trigger | Passive


class CardFacts(Struct, frozen=True):
    """One card: its value and its three boxes."""

    protocol: str
    value: int
    top: tuple[Item, ...] = ()
    middle: tuple[Item, ...] = ()
    bottom: tuple[Item, ...] = ()

    @property
    def id(self) -> str:
        """`fire-2`: each card exists once."""
        return f"{self.protocol}-{self.value}"

    def box(self, name: BoxName) -> tuple[Item, ...]:
        """What is in one of the boxes."""
        return self.top if name == "top" else self.middle if name == "middle" else self.bottom


class Protocol(Struct, frozen=True):
    """A protocol and its six cards."""

    name: str
    set: str
    cards: tuple[CardFacts, ...]


def protocol(name: str, set: str, *cards: CardFacts) -> Protocol:
    """Declare a protocol with the cards declared by `card`."""
    return Protocol(name, set, tuple(CardFacts(name, c.value, c.top, c.middle, c.bottom) for c in cards))


def card(
    value: int, *, top: Sequence[Item] = (), middle: Sequence[Item] = (), bottom: Sequence[Item] = ()
) -> CardFacts:
    """Declare a card of the protocol it is listed in."""
    return CardFacts("", value, tuple(top), tuple(middle), tuple(bottom))


# Targets


def uncovered(
    *,
    owner: Owner = "any",
    face: Facing = "any",
    line: Line | None = None,
    values: tuple[int, ...] = (),
    rank: Literal["highest", "lowest"] | None = None,
    line_lead: Who | None = None,
    more_than: Number | None = None,
    less_than: Number | None = None,
) -> Target:
    """Any uncovered card, this one included."""
    return Target(
        owner, "uncovered", face, line, values=values, rank=rank, line_lead=line_lead, more_than=more_than,
        less_than=less_than,
    )  # fmt: skip


def another(*, owner: Owner = "any", face: Facing = "any") -> Target:
    """Any uncovered card but this one."""
    return Target(owner, "uncovered", face, other=True)


def covered(
    *,
    owner: Owner = "any",
    face: Facing = "any",
    line: Line | None = None,
    rank: Literal["highest", "lowest"] | None = None,
) -> Target:
    """A covered card."""
    return Target(owner, "covered", face, line, rank=rank)


def every(
    *,
    owner: Owner = "any",
    face: Facing = "any",
    line: Line | None = None,
    values: tuple[int, ...] = (),
    line_at_least: int = 0,
    other: bool = False,
    same_value: bool = False,
) -> Target:
    """Cards covered or not, of both players unless said."""
    return Target(owner, "either", face, line, line_at_least, values, other=other, same_value=same_value)


THIS = Target(ref="this")
THAT = Target(ref="that")


# Counts


def at_least(number: int) -> Count:
    """That many or more, as the player likes."""
    return Count(is_open=True, at_least=number)


def as_many(*, plus: int = 0) -> Count:
    """As many as the instruction before really moved."""
    return Count(done=True, plus=plus)


VALUE_OF_THAT = Count(value_of_that=True)


def one_per(number: int) -> Count:
    """One for every so many cards in this line, counted beforehand."""
    return Count(per=number)


def number_of(number: Number) -> Count:
    """As many as the table shows of something."""
    return Count(number_of=number)


# Conditions


def when(word: ConditionWord, number: int = 0) -> Condition:
    """The condition of an instruction, with its number where it has one."""
    return Condition(word, number)


THIS_COVERED = Condition("this_covered")
THIS_COVERING = Condition("this_covering")


# Verbs


def draw(
    count: HowMany = 1,
    *,
    who: Who = "you",
    source: Literal["deck", "opposing_deck"] = "deck",
    matching: Matching | None = None,
    optional: bool = False,
    label: str | None = None,
    condition: Condition | None = None,
    if_did: str | None = None,
) -> CardInstruction:
    """Cards from the top of a deck to hand; the only verb that refills an empty deck. `matching`: from all of it."""
    return CardInstruction(
        verb="draw", who=who, count=count, source=source, matching=matching, optional=optional, label=label,
        condition=condition, if_did=if_did,
    )  # fmt: skip


def discard(
    count: HowMany = 1,
    *,
    who: Actor = "you",
    source: Literal["hand", "deck", "opposing_deck"] = "hand",
    into: Literal["opposing_trash"] | None = None,
    optional: bool = False,
    at_random: bool = False,
    if_did: str | None = None,
) -> CardInstruction:
    """Cards from a hand, or from the top of a deck, to a trash: one event however many."""
    return CardInstruction(
        verb="discard", who=who, count=count, source=source, into=into, optional=optional, at_random=at_random,
        if_did=if_did,
    )  # fmt: skip


def play(
    *,
    source: Source,
    face: Facing = "down",
    at: At | None = None,
    in_lines: InLines | None = None,
    who: Who = "you",
    count: HowMany = 1,
    target: Target | None = None,
    matching: Matching | None = None,
    on_side: Who | None = None,
    optional: bool = False,
) -> CardInstruction:
    """A card into a stack of who plays it, or of the side that is said."""
    return CardInstruction(
        verb="play", who=who, count=count, source=source, face=face, at=at, in_lines=in_lines, target=target,
        matching=matching, on_side=on_side, optional=optional,
    )  # fmt: skip


def flip(
    target: Target,
    *,
    count: HowMany = 1,
    in_lines: InLines | None = None,
    ignores_middle: bool = False,
    optional: bool = False,
    condition: Condition | None = None,
    if_did: str | None = None,
) -> CardInstruction:
    """Turn a card over."""
    return CardInstruction(
        verb="flip", target=target, count=count, in_lines=in_lines, ignores_middle=ignores_middle, optional=optional,
        condition=condition, if_did=if_did,
    )  # fmt: skip


def shift(
    target: Target,
    *,
    to: Goal = "another_line",
    count: HowMany = 1,
    together: bool = False,
    optional: bool = False,
    condition: Condition | None = None,
) -> CardInstruction:
    """Move a card to another line of its side."""
    return CardInstruction(
        verb="shift", target=target, to=to, count=count, together=together, optional=optional, condition=condition
    )


def delete(
    target: Target,
    *,
    count: HowMany = 1,
    who: Who = "you",
    in_lines: InLines | None = None,
    optional: bool = False,
    condition: Condition | None = None,
    if_did: str | None = None,
) -> CardInstruction:
    """From the field to the trash."""
    return CardInstruction(
        verb="delete", target=target, count=count, who=who, in_lines=in_lines, optional=optional,
        condition=condition, if_did=if_did,
    )  # fmt: skip


def return_(
    target: Target, *, count: HowMany = 1, optional: bool = False, if_did: str | None = None
) -> CardInstruction:
    """From the field to the hand of the player it belongs to."""
    return CardInstruction(verb="return", target=target, count=count, optional=optional, if_did=if_did)


def put_on_deck(target: Target, *, into: Literal["opposing_deck"], instead: bool) -> CardInstruction:
    """Face down on top of a deck, instead of what was about to happen."""
    return CardInstruction(verb="put_on_deck", target=target, into=into, instead=instead)


def claim(target: Target) -> CardInstruction:
    """From the field to the hand of who acts; the card changes owner."""
    return CardInstruction(verb="claim", target=target)


def reveal(
    target: Target | None = None,
    *,
    who: Who = "you",
    count: HowMany = 1,
    source: Source = "hand",
    matching: Matching | None = None,
    label: str | None = None,
    condition: Condition | None = None,
) -> CardInstruction:
    """Show a field card, or without a target cards of the hand or of another zone."""
    return CardInstruction(
        verb="reveal", target=target, who=who, count=count, source=source, matching=matching, label=label,
        condition=condition,
    )  # fmt: skip


def give(*, optional: bool = False) -> CardInstruction:
    """A card of the hand goes to the other hand and changes owner."""
    return CardInstruction(verb="give", optional=optional)


def take() -> CardInstruction:
    """A card drawn at random from the other hand changes owner."""
    return CardInstruction(verb="take", source="opposing_hand", at_random=True)


def refresh() -> CardInstruction:
    """A refresh like any other."""
    return CardInstruction(verb="refresh")


def shuffle_deck(*, if_did: str | None = None) -> CardInstruction:
    """The deck is shuffled."""
    return CardInstruction(verb="shuffle_deck", if_did=if_did)


def shuffle_trash_into_deck(*, optional: bool = False, condition: Condition | None = None) -> CardInstruction:
    """The trash and the deck are shuffled into one deck."""
    return CardInstruction(verb="shuffle_trash", optional=optional, condition=condition)


def state_number() -> CardInstruction:
    """A number is named."""
    return CardInstruction(verb="state_number")


def state_protocol() -> CardInstruction:
    """A protocol is named."""
    return CardInstruction(verb="state_protocol")


def rearrange(side: Who) -> CardInstruction:
    """Another order of the three protocols of a side."""
    return CardInstruction(verb="rearrange", side=side)


def swap_protocols(side: Who) -> CardInstruction:
    """Two protocols of a side change places."""
    return CardInstruction(verb="swap", side=side)


def swap_stacks(side: Who) -> CardInstruction:
    """Two stacks of a side change places, whole."""
    return CardInstruction(verb="swap_stacks", side=side)


def mark_compiled(protocol: str, condition: Condition) -> CardInstruction:
    """A protocol is turned to its compiled side; no line is emptied for it."""
    return CardInstruction(verb="mark_compiled", protocol=protocol, condition=condition)


def resolve_middle(target: Target, *, optional: bool = False) -> CardInstruction:
    """The middle box of another card is carried out as though this card carried it."""
    return CardInstruction(verb="resolve_middle", target=target, optional=optional)


def bar_compile(side: Who) -> CardInstruction:
    """A side cannot compile in its next turn."""
    return CardInstruction(verb="bar", side=side)


def choose(
    *options: Sequence[CardInstruction], optional: bool = False, condition: Condition | None = None
) -> CardInstruction:
    """One of several lists of instructions."""
    return CardInstruction(
        verb="choose", options=tuple(tuple(option) for option in options), optional=optional, condition=condition
    )


# Triggers


def at_start(*instructions: CardInstruction) -> Trigger:
    """At the start of your turn, if visible when it began."""
    return Trigger("start", instructions)


def at_end(*instructions: CardInstruction) -> Trigger:
    """At the end of your turn, if visible when the part began."""
    return Trigger("end", instructions)


def before_covered(*instructions: CardInstruction) -> Trigger:
    """When a card is about to be laid on this one."""
    return Trigger("before_covered", instructions)


def before_covered_or_flipped(*instructions: CardInstruction) -> Trigger:
    """When a card is about to be laid on this one, or it is turned over."""
    return Trigger("before_covered_or_flipped", instructions)


def before_compile_delete(*instructions: CardInstruction) -> Trigger:
    """Instead of being deleted by a compile."""
    return Trigger("before_compile_delete", instructions)


def after_you_clear_cache(*instructions: CardInstruction) -> Trigger:
    """After you have discarded down to the limit."""
    return Trigger("after_you_clear_cache", instructions)


def after_you_draw(*instructions: CardInstruction) -> Trigger:
    """After you have drawn, once an event."""
    return Trigger("after_you_draw", instructions)


def after_you_delete(*instructions: CardInstruction) -> Trigger:
    """After you have deleted, once an event."""
    return Trigger("after_you_delete", instructions)


def after_opponent_discards(*instructions: CardInstruction) -> Trigger:
    """After the opponent has discarded, once an event."""
    return Trigger("after_opponent_discards", instructions)


def before_covered_by_unity(*instructions: CardInstruction) -> Trigger:
    """When a Unity card is about to be laid on this one."""
    return Trigger("before_covered_by_unity", instructions)


def before_return_to_opponent(*instructions: CardInstruction) -> Trigger:
    """When a card is about to go from the field to the hand of the opponent."""
    return Trigger("before_return_to_opponent", instructions)


def after_you_discard(*instructions: CardInstruction) -> Trigger:
    """After you have discarded, once an event."""
    return Trigger("after_you_discard", instructions)


def after_you_discard_in_opponents_turn(*instructions: CardInstruction) -> Trigger:
    """After you have discarded in the turn of the opponent, once an event."""
    return Trigger("after_you_discard_in_opponents_turn", instructions)


def after_you_shuffle(*instructions: CardInstruction) -> Trigger:
    """After you have shuffled your deck."""
    return Trigger("after_you_shuffle", instructions)


def after_you_refresh(*instructions: CardInstruction) -> Trigger:
    """After you have refreshed."""
    return Trigger("after_you_refresh", instructions)


def after_opponent_refreshes(*instructions: CardInstruction) -> Trigger:
    """After the opponent has refreshed."""
    return Trigger("after_opponent_refreshes", instructions)


def after_any_refresh(*instructions: CardInstruction) -> Trigger:
    """After either player has refreshed."""
    return Trigger("after_any_refresh", instructions)


def after_opponent_draws(*instructions: CardInstruction) -> Trigger:
    """After the opponent has drawn, once an event."""
    return Trigger("after_opponent_draws", instructions)


def after_opponent_compiles(*instructions: CardInstruction) -> Trigger:
    """After the opponent has compiled."""
    return Trigger("after_opponent_compiles", instructions)


def after_opponent_plays_in_this_line(*instructions: CardInstruction) -> Trigger:
    """After the opponent has played a card in the line of this card."""
    return Trigger("after_opponent_plays_in_this_line", instructions)


# Passives


def line_total(
    amount: int,
    *,
    side: Literal["you", "opponent"] = "you",
    per: Per | None = None,
    when: Literal["other_protocol_face_up_in_this_stack"] | None = None,
) -> Passive:
    """The total of a side in this line changes."""
    return Passive("line_total", side, "this_line", amount=amount, per=per, when=when)


def face_down_value(value: int) -> Passive:
    """Face-down cards of this stack have another value."""
    return Passive("face_down_value", "you", "this_stack", value=value)


def any_protocol_play_here(only: str) -> Passive:
    """Cards of a protocol may be played face up in this line, whatever protocols lie there."""
    return Passive("any_protocol_play", "you", "this_line", only=only)


NO_MIDDLE_COMMANDS = Passive("no_middle_commands", "both", "this_line")
NO_OPPOSING_MIDDLE_COMMANDS = Passive("no_middle_commands", "opponent", "whole_field", during="your_turn")
NO_PLAY = Passive("no_play", "opponent", "this_line")
NO_FACE_DOWN_PLAY = Passive("no_face_down_play", "opponent", "this_line")
FACE_DOWN_PLAY_ONLY = Passive("face_down_play_only", "opponent", "whole_field")
ANY_PROTOCOL_PLAY = Passive("any_protocol_play", "you", "whole_field")
ANY_PROTOCOL_PLAY_OF_THIS = Passive("any_protocol_play", "you", "this_card")
ANY_SIDE_PLAY_OF_THIS = Passive("any_side_play", "you", "this_card")
NO_FLIP = Passive("no_flip", "you", "this_card")
NO_DRAW = Passive("no_draw", "you", "whole_field", when="your_hand_not_empty")
SKIP_CACHE_CHECK = Passive("skip_cache_check", "you", "whole_field")
