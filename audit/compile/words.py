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
Owner = Literal["you", "opponent", "any"]
Cover = Literal["uncovered", "covered", "either"]
Facing = Literal["up", "down", "any"]
Ref = Literal["this", "that"]
BoxName = Literal["top", "middle", "bottom"]
Condition = Literal["this_covered", "this_covering"]

ALL: Final = "all"
EACH: Final = "each"


class Target(Struct, frozen=True):
    """The field cards an instruction can pick. `ref` names one card instead, reached whether covered or not."""

    owner: Owner = "any"
    cover: Cover = "uncovered"
    face: Facing = "any"
    line: Literal["this", "chosen", "chosen_other"] | None = None
    line_at_least: int = 0
    values: tuple[int, ...] = ()
    rank: Literal["highest", "lowest"] | None = None
    other: bool = False
    ref: Ref | None = None


class Count(Struct, frozen=True):
    """How many, where that is not a plain number.

    `at_least`: so many or more, as the player likes. `done`: as many as the instruction before moved, `plus` more.
    `value_of_that`: the value of the card meant. `per`: one for every so many cards in this line.
    """

    at_least: int = 0
    done: bool = False
    plus: int = 0
    value_of_that: bool = False
    per: int = 0


HowMany = int | Count | Literal["all", "each"]


class CardInstruction(Struct, frozen=True, kw_only=True):
    """One instruction of a text. Only the fields its verb knows are set."""

    verb: str
    who: Who = "you"
    count: HowMany = 1
    optional: bool = False
    label: str | None = None
    condition: Condition | None = None
    if_did: str | None = None
    target: Target | None = None
    source: Literal["hand", "deck", "opposing_hand", "opposing_deck"] = "hand"
    face: Facing = "down"
    at: Literal["this_line", "another_line", "any_line", "under_this"] | None = None
    in_lines: Literal["each_other_line", "each_line_with_your_card"] | None = None
    to: Literal["another_line", "this_line", "to_or_from_this_line"] = "another_line"
    together: bool = False
    side: Who = "you"
    options: tuple[tuple[CardInstruction, ...], ...] = ()


class Trigger(Struct, frozen=True):
    """Instructions with the moment that sets them off."""

    on: str
    instructions: tuple[CardInstruction, ...]


class Passive(Struct, frozen=True):
    """A rule in force as long as its text is."""

    rule: str
    side: Literal["you", "opponent", "both"] = "you"
    scope: Literal["this_line", "this_stack", "whole_field"] = "whole_field"
    amount: int = 0
    per_face_down: bool = False
    value: int = 0


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
    values: tuple[int, ...] = (),
    rank: Literal["highest", "lowest"] | None = None,
) -> Target:
    """Any uncovered card, this one included."""
    return Target(owner, "uncovered", face, values=values, rank=rank)


def another(*, owner: Owner = "any", face: Facing = "any") -> Target:
    """Any uncovered card but this one."""
    return Target(owner, "uncovered", face, other=True)


def covered(
    *,
    owner: Owner = "any",
    face: Facing = "any",
    line: Literal["this"] | None = None,
    rank: Literal["highest", "lowest"] | None = None,
) -> Target:
    """A covered card."""
    return Target(owner, "covered", face, line, rank=rank)


def every(
    *,
    face: Facing = "any",
    line: Literal["this", "chosen", "chosen_other"] | None = None,
    values: tuple[int, ...] = (),
    line_at_least: int = 0,
    other: bool = False,
) -> Target:
    """Cards covered or not, of both players."""
    return Target("any", "either", face, line, line_at_least, values, other=other)


THIS = Target(ref="this")
THAT = Target(ref="that")


# Counts


def at_least(number: int) -> Count:
    """That many or more, as the player likes."""
    return Count(at_least=number)


def as_many(*, plus: int = 0) -> Count:
    """As many as the instruction before really moved."""
    return Count(done=True, plus=plus)


VALUE_OF_THAT = Count(value_of_that=True)


def one_per(number: int) -> Count:
    """One for every so many cards in this line, counted beforehand."""
    return Count(per=number)


# Verbs


def draw(
    count: HowMany = 1,
    *,
    who: Who = "you",
    source: Literal["deck", "opposing_deck"] = "deck",
    optional: bool = False,
    label: str | None = None,
    condition: Condition | None = None,
    if_did: str | None = None,
) -> CardInstruction:
    """Cards from the top of a deck to hand; the only verb that refills an empty deck."""
    return CardInstruction(
        verb="draw", who=who, count=count, source=source, optional=optional, label=label,
        condition=condition, if_did=if_did,
    )  # fmt: skip


def discard(count: HowMany = 1, *, who: Who = "you", optional: bool = False) -> CardInstruction:
    """Cards from hand to trash, one event however many."""
    return CardInstruction(verb="discard", who=who, count=count, optional=optional)


def play(
    *,
    source: Literal["hand", "deck"],
    face: Facing = "down",
    at: Literal["this_line", "another_line", "any_line", "under_this"] | None = None,
    in_lines: Literal["each_other_line", "each_line_with_your_card"] | None = None,
    who: Who = "you",
    count: HowMany = 1,
) -> CardInstruction:
    """A card from hand or deck into a stack of who plays it."""
    return CardInstruction(verb="play", who=who, count=count, source=source, face=face, at=at, in_lines=in_lines)


def flip(target: Target, *, count: HowMany = 1, optional: bool = False, if_did: str | None = None) -> CardInstruction:
    """Turn a card over."""
    return CardInstruction(verb="flip", target=target, count=count, optional=optional, if_did=if_did)


def shift(
    target: Target,
    *,
    to: Literal["another_line", "this_line", "to_or_from_this_line"] = "another_line",
    count: HowMany = 1,
    together: bool = False,
    optional: bool = False,
) -> CardInstruction:
    """Move a card to another line of its side."""
    return CardInstruction(verb="shift", target=target, to=to, count=count, together=together, optional=optional)


def delete(
    target: Target,
    *,
    count: HowMany = 1,
    who: Who = "you",
    in_lines: Literal["each_other_line"] | None = None,
    condition: Condition | None = None,
    if_did: str | None = None,
) -> CardInstruction:
    """From the field to the trash."""
    return CardInstruction(
        verb="delete", target=target, count=count, who=who, in_lines=in_lines, condition=condition,
        if_did=if_did,
    )  # fmt: skip


def return_(
    target: Target, *, count: HowMany = 1, optional: bool = False, if_did: str | None = None
) -> CardInstruction:
    """From the field to the hand of the player it belongs to."""
    return CardInstruction(verb="return", target=target, count=count, optional=optional, if_did=if_did)


def reveal(target: Target | None = None, *, who: Who = "you", count: HowMany = 1) -> CardInstruction:
    """Show a field card, or without a target cards of the hand."""
    return CardInstruction(verb="reveal", target=target, who=who, count=count)


def give(*, optional: bool = False) -> CardInstruction:
    """A card of the hand goes to the other hand and changes owner."""
    return CardInstruction(verb="give", optional=optional)


def take() -> CardInstruction:
    """A card drawn at random from the other hand changes owner."""
    return CardInstruction(verb="take", source="opposing_hand")


def refresh() -> CardInstruction:
    """A refresh like any other."""
    return CardInstruction(verb="refresh")


def rearrange(side: Who) -> CardInstruction:
    """Another order of the three protocols of a side."""
    return CardInstruction(verb="rearrange", side=side)


def swap_protocols(side: Who) -> CardInstruction:
    """Two protocols of a side change places."""
    return CardInstruction(verb="swap", side=side)


def bar_compile(side: Who) -> CardInstruction:
    """A side cannot compile in its next turn."""
    return CardInstruction(verb="bar", side=side)


def choose(*options: Sequence[CardInstruction], optional: bool = False) -> CardInstruction:
    """One of several lists of instructions."""
    return CardInstruction(verb="choose", options=tuple(tuple(option) for option in options), optional=optional)


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


# Passives


def line_total(amount: int, *, side: Literal["you", "opponent"] = "you", per_face_down: bool = False) -> Passive:
    """The total of a side in this line changes."""
    return Passive("line_total", side, "this_line", amount=amount, per_face_down=per_face_down)


def face_down_value(value: int) -> Passive:
    """Face-down cards of this stack have another value."""
    return Passive("face_down_value", "you", "this_stack", value=value)


NO_MIDDLE_COMMANDS = Passive("no_middle_commands", "both", "this_line")
NO_PLAY = Passive("no_play", "opponent", "this_line")
NO_FACE_DOWN_PLAY = Passive("no_face_down_play", "opponent", "this_line")
FACE_DOWN_PLAY_ONLY = Passive("face_down_play_only", "opponent", "whole_field")
ANY_PROTOCOL_PLAY = Passive("any_protocol_play", "you", "whole_field")
SKIP_CACHE_CHECK = Passive("skip_cache_check", "you", "whole_field")
