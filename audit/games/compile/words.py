"""The closed vocabulary in which cards are declared: verbs, targets, counts, triggers and passives.

A card is data. Each verb has an `Instruction` class in `event_rules/`, beside the rules of the event it calls for. Only
a new verb needs a change of the engine.

    card(0,
         middle=[flip(another()), draw(2)],
         bottom=[before_covered(draw(1), flip(another()))])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from audit.games.compile.declarations import (
    Actor,
    At,
    CardFacts,
    CardInstruction,
    Condition,
    ConditionWord,
    Count,
    Facing,
    Goal,
    HowMany,
    InLines,
    Item,
    Line,
    Matching,
    Number,
    Owner,
    Passive,
    Per,
    Protocol,
    Source,
    Target,
    Trigger,
    Who,
)


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
    *, owner: Owner = "any", face: Facing = "any", line: Line | None = None, values: tuple[int, ...] = (),
    rank: Literal["highest", "lowest"] | None = None, line_lead: Who | None = None, more_than: Number | None = None,
    less_than: Number | None = None,
) -> Target:  # fmt: skip
    """Any uncovered card, this one included."""
    return Target(
        owner, "uncovered", face, line, values=values, rank=rank, line_lead=line_lead, more_than=more_than,
        less_than=less_than,
    )  # fmt: skip


def another(*, owner: Owner = "any", face: Facing = "any") -> Target:
    """Any uncovered card but this one."""
    return Target(owner, "uncovered", face, other=True)


def covered(
    *, owner: Owner = "any", face: Facing = "any", line: Line | None = None,
    rank: Literal["highest", "lowest"] | None = None,
) -> Target:  # fmt: skip
    """A covered card."""
    return Target(owner, "covered", face, line, rank=rank)


def every(
    *, owner: Owner = "any", face: Facing = "any", line: Line | None = None, values: tuple[int, ...] = (),
    line_at_least: int = 0, other: bool = False, same_value: bool = False,
) -> Target:  # fmt: skip
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


def when(word: ConditionWord, instruction: CardInstruction, *, number: int = 0) -> CardInstruction:
    """An instruction that is carried out only if the condition is met; `number` is the number it speaks of."""
    return replace(instruction, condition=Condition(word, number))


# Verbs


def draw(
    count: HowMany = 1, *, who: Who = "you", source: Literal["deck", "opposing_deck"] = "deck",
    matching: Matching | None = None, optional: bool = False, label: str | None = None,
    if_did: str | None = None,
) -> CardInstruction:  # fmt: skip
    """Cards from the top of a deck to hand; the only verb that refills an empty deck. `matching`: from all of it."""
    return CardInstruction(
        verb="draw", who=who, count=count, source=source, matching=matching, optional=optional, label=label,
        if_did=if_did,
    )  # fmt: skip


def discard(
    count: HowMany = 1, *, who: Actor = "you", source: Literal["hand", "deck", "opposing_deck"] = "hand",
    into: Literal["opposing_trash"] | None = None, optional: bool = False, at_random: bool = False,
    if_did: str | None = None,
) -> CardInstruction:  # fmt: skip
    """Cards from a hand, or from the top of a deck, to a trash: one event however many."""
    return CardInstruction(
        verb="discard", who=who, count=count, source=source, into=into, optional=optional, at_random=at_random,
        if_did=if_did,
    )  # fmt: skip


def play(
    *, source: Source, face: Facing = "down", at: At | None = None, in_lines: InLines | None = None, who: Who = "you",
    count: HowMany = 1, target: Target | None = None, matching: Matching | None = None, on_side: Who | None = None,
    optional: bool = False,
) -> CardInstruction:  # fmt: skip
    """A card into a stack of who plays it, or of the side that is said."""
    return CardInstruction(
        verb="play", who=who, count=count, source=source, face=face, at=at, in_lines=in_lines, target=target,
        matching=matching, on_side=on_side, optional=optional,
    )  # fmt: skip


def flip(
    target: Target, *, count: HowMany = 1, in_lines: InLines | None = None, ignores_middle: bool = False,
    optional: bool = False, if_did: str | None = None,
) -> CardInstruction:  # fmt: skip
    """Turn a card over."""
    return CardInstruction(
        verb="flip", target=target, count=count, in_lines=in_lines, ignores_middle=ignores_middle, optional=optional,
        if_did=if_did,
    )  # fmt: skip


def shift(
    target: Target, *, to: Goal = "another_line", count: HowMany = 1, together: bool = False, optional: bool = False,
) -> CardInstruction:  # fmt: skip
    """Move a card to another line of its side."""
    return CardInstruction(verb="shift", target=target, to=to, count=count, together=together, optional=optional)


def delete(
    target: Target, *, count: HowMany = 1, who: Who = "you", in_lines: InLines | None = None, optional: bool = False,
    if_did: str | None = None,
) -> CardInstruction:  # fmt: skip
    """From the field to the trash."""
    return CardInstruction(
        verb="delete", target=target, count=count, who=who, in_lines=in_lines, optional=optional,
        if_did=if_did,
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
    target: Target | None = None, *, who: Who = "you", count: HowMany = 1, source: Source = "hand",
    matching: Matching | None = None, label: str | None = None,
) -> CardInstruction:  # fmt: skip
    """Show a field card, or without a target cards of the hand or of another zone."""
    return CardInstruction(
        verb="reveal", target=target, who=who, count=count, source=source, matching=matching, label=label,
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


def shuffle_trash_into_deck(*, optional: bool = False) -> CardInstruction:
    """The trash and the deck are shuffled into one deck."""
    return CardInstruction(verb="shuffle_trash", optional=optional)


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


def mark_compiled(protocol: str) -> CardInstruction:
    """A protocol is turned to its compiled side; no line is emptied for it."""
    return CardInstruction(verb="mark_compiled", protocol=protocol)


def resolve_middle(target: Target, *, optional: bool = False) -> CardInstruction:
    """The middle box of another card is carried out as though this card carried it."""
    return CardInstruction(verb="resolve_middle", target=target, optional=optional)


def bar_compile(side: Who) -> CardInstruction:
    """A side cannot compile in its next turn."""
    return CardInstruction(verb="bar", side=side)


def choose(*options: Sequence[CardInstruction], optional: bool = False) -> CardInstruction:
    """One of several lists of instructions."""
    return CardInstruction(verb="choose", options=tuple(tuple(option) for option in options), optional=optional)


# Triggers


class Moment(Struct, frozen=True):
    """A moment that sets off the instructions it is called with."""

    on: str

    def __call__(self, *instructions: CardInstruction) -> Trigger:
        return Trigger(self.on, instructions)


at_start = Moment("start")
"""At the start of your turn, if visible when it began."""
at_end = Moment("end")
"""At the end of your turn, if visible when the part began."""
before_covered = Moment("before_covered")
"""When a card is about to be laid on this one."""
before_covered_or_flipped = Moment("before_covered_or_flipped")
"""When a card is about to be laid on this one, or it is turned over."""
before_compile_delete = Moment("before_compile_delete")
"""Instead of being deleted by a compile."""
after_you_clear_cache = Moment("after_you_clear_cache")
"""After you have discarded down to the limit."""
after_you_draw = Moment("after_you_draw")
"""After you have drawn, once an event."""
after_you_delete = Moment("after_you_delete")
"""After you have deleted, once an event."""
after_opponent_discards = Moment("after_opponent_discards")
"""After the opponent has discarded, once an event."""
before_covered_by_unity = Moment("before_covered_by_unity")
"""When a Unity card is about to be laid on this one."""
before_return_to_opponent = Moment("before_return_to_opponent")
"""When a card is about to go from the field to the hand of the opponent."""
after_you_discard = Moment("after_you_discard")
"""After you have discarded, once an event."""
after_you_discard_in_opponents_turn = Moment("after_you_discard_in_opponents_turn")
"""After you have discarded in the turn of the opponent, once an event."""
after_you_shuffle = Moment("after_you_shuffle")
"""After you have shuffled your deck."""
after_you_refresh = Moment("after_you_refresh")
"""After you have refreshed."""
after_opponent_refreshes = Moment("after_opponent_refreshes")
"""After the opponent has refreshed."""
after_any_refresh = Moment("after_any_refresh")
"""After either player has refreshed."""
after_opponent_draws = Moment("after_opponent_draws")
"""After the opponent has drawn, once an event."""
after_opponent_compiles = Moment("after_opponent_compiles")
"""After the opponent has compiled."""
after_opponent_plays_in_this_line = Moment("after_opponent_plays_in_this_line")
"""After the opponent has played a card in the line of this card."""


# Passives


def line_total(
    amount: int, *, side: Literal["you", "opponent"] = "you", per: Per | None = None,
    when: Literal["other_protocol_face_up_in_this_stack"] | None = None,
) -> Passive:  # fmt: skip
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
