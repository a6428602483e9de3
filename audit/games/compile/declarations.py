"""What is declared of a card: its boxes, with instructions, the moments that set them off, and rules in force.

Only the fields of an instruction are set that its verb knows; `words.py` has the words in which cards declare them.
"""

from __future__ import annotations

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
