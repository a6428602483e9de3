"""A table of Compile small enough to be read at once: it carries out card texts as the facts tell them.

It shares nothing with the engine, so that the two can be compared. It knows no turns: a situation says what sets a
text off, the table carries it out to the end with all that follows, writes the log of it, and notes at every step
what would have been wrong instead. Where it cannot do so it raises `BeyondThisTable`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations

from tests.compile.card_events import (
    Event,
    changed,
    discarded,
    drew,
    face,
    flipped,
    other,
    played,
    rearranged,
    returned,
    revealed,
    shifted,
)
from tests.compile.card_facts import Card, InForce, Instruction, Item, Pick, Waiting
from tests.compile.card_mistakes import wrong_events

Key = tuple[object, ...]
"""What kind of choice it is: ('theirs', 'covered', 'down', 2). Situations are made for every kind."""

LINES = (1, 2, 3)
FACE_DOWN = 2
HAND = 5
DECLINED: Key = ("declined",)


class BeyondThisTable(Exception):
    """The table does not know how to go on."""


@dataclass
class PlacedCard:
    """A card of a stack."""

    card: str
    up: bool


@dataclass
class Option:
    """One way to carry out a step: what is written, and what it does."""

    key: Key
    event: Event
    act: Callable[[Table], None]


@dataclass
class Entry:
    """One event of the log: the instruction it carries out, and whether it could not but happen."""

    event: Event
    at: str | None
    forced: bool


@dataclass
class Wrong:
    """What would be wrong instead of entry number `index`: in which way, and the event that shows it."""

    index: int
    at: str
    how: str
    event: Event


@dataclass
class Text:
    """A text being carried out."""

    card: str
    seat: str
    box: str
    that: str | None = None
    moved: int = 0
    drawn: tuple[str, ...] = ()
    stated: object = None
    line_of_that: int = 0
    steps: tuple[Instruction, ...] = ()
    was_impossible: bool = False
    did: dict[str, bool] = field(default_factory=dict)


@dataclass
class Table:
    """What lies where; the log so far; how choices are made (`wanted`, by address) and which were there (`seen`)."""

    facts: dict[str, Card]
    protocols: dict[str, list[str]]
    lines: dict[str, list[list[PlacedCard]]]
    hand: dict[str, list[str]]
    deck: dict[str, list[str]]
    trash: dict[str, list[str]] = field(default_factory=lambda: {"A": [], "B": []})
    wanted: dict[str, Key] = field(default_factory=dict)
    log: list[Entry] = field(default_factory=list)
    wrongs: list[Wrong] = field(default_factory=list)
    seen: dict[str, list[Key]] = field(default_factory=dict)
    also_right: list[Event] = field(default_factory=list)
    is_trial: bool = False

    def trial(self) -> Table:
        """The same table once more, to see what would follow."""
        return Table(
            self.facts,
            {seat: list(names) for seat, names in self.protocols.items()},
            {
                seat: [[PlacedCard(x.card, x.up) for x in stack] for stack in lines]
                for seat, lines in self.lines.items()
            },
            *({seat: list(cards) for seat, cards in zone.items()} for zone in (self.hand, self.deck, self.trash)),
            wanted=self.wanted,
            is_trial=True,
        )

    # What lies where

    def stack(self, seat: str, line: int) -> list[PlacedCard]:
        """A stack, the card next to the protocol first."""
        return self.lines[seat][line - 1]

    def position(self, card: str) -> tuple[str, int, int] | None:
        """Seat, line and place in the stack of a card that lies on the field."""
        for seat in "AB":
            for line in LINES:
                for index, placed in enumerate(self.stack(seat, line)):
                    if placed.card == card:
                        return seat, line, index
        return None

    def placed(self, card: str) -> PlacedCard:
        """The card as it lies."""
        seat, line, index = self.where(card)
        return self.stack(seat, line)[index]

    def where(self, card: str) -> tuple[str, int, int]:
        """The position of a card that has to lie on the field."""
        if (position := self.position(card)) is None:
            raise BeyondThisTable(f"{card} is not on the field")
        return position

    def is_uncovered(self, card: str) -> bool:
        """Whether nothing lies on it."""
        seat, line, index = self.where(card)
        return index == len(self.stack(seat, line)) - 1

    def on_field(self) -> Iterator[str]:
        """Every card of the field, the opponent's first."""
        for seat in "BA":
            for line in LINES:
                yield from [placed.card for placed in self.stack(seat, line)]

    def value(self, card: str) -> int:
        """What a card counts where it lies: a card in the trash counts its own value."""
        position = self.position(card)
        if position is None or self.placed(card).up:
            return self.facts[card].value
        stack = self.stack(position[0], position[1])
        told = [rule.value for placed in stack for rule in self.rules_of(placed.card) if rule.rule == "face_down_value"]
        return told[0] if told else FACE_DOWN

    def rules_of(self, card: str) -> list[InForce]:
        """The rules of a card that are in force where it lies."""
        if not self.placed(card).up:
            return []
        boxes = ("top", "bottom") if self.is_uncovered(card) else ("top",)
        return [item for box in boxes for item in self.facts[card].boxes[box] if isinstance(item, InForce)]

    def total(self, seat: str, line: int) -> int:
        """The total of a stack, with the rules in force that change it."""
        cards = [placed.card for placed in self.stack(seat, line)]
        change = sum(
            rule.amount * self._times(rule, owner, line, placed.card)
            for owner in "AB"
            for placed in self.stack(owner, line)
            for rule in self.rules_of(placed.card)
            if rule.rule == "line_total" and (rule.side == "you") == (owner == seat)
        )
        return max(0, sum(map(self.value, cards)) + change)

    def _times(self, rule: InForce, owner: str, line: int, source: str) -> int:
        both = [*self.stack("A", line), *self.stack("B", line)]
        if rule.per == "face_down_cards_in_this_line":
            return sum(not placed.up for placed in both)
        if rule.per == "opposing_cards_in_this_line":
            return len(self.stack(other(owner), line))
        if rule.per == "cards_in_your_hand":
            return len(self.hand[owner])
        if rule.when == "other_protocol_face_up_in_this_stack":
            own = self.facts[source].protocol
            return int(any(x.up and self.facts[x.card].protocol != own for x in self.stack(owner, line)))
        return 1

    def protocols_shown(self, lines: Sequence[int] = LINES) -> set[str]:
        """The protocols of the face-up cards of these lines."""
        placed = [x for seat in "AB" for line in lines for x in self.stack(seat, line)]
        return {self.facts[x.card].protocol for x in placed if x.up}

    def of_protocol(self, name: str) -> list[str]:
        """The face-up cards of a protocol on the field."""
        return [card for card in self.on_field() if self.placed(card).up and self.facts[card].protocol == name]

    def number_of(self, text: Text, word: str) -> int:
        """A number that a text reads from the table."""
        if word == "cards_in_your_hand":
            return len(self.hand[text.seat])
        if word == "unity_in_field":
            return len(self.of_protocol("unity"))
        lines = (self.where(text.card)[1],) if word == "protocols_in_this_line" else LINES
        return len(self.protocols_shown(lines))

    def is_silenced(self, seat: str, line: int) -> bool:
        """Whether the middle boxes of a stack do nothing; it is the turn of A."""
        for card in self.on_field():
            whose, at, _ = self.where(card)
            for rule in self.rules_of(card):
                meant = rule.side == "both" or (rule.side == "you") == (whose == seat)
                here = rule.scope == "whole_field" or at == line
                if rule.rule == "no_middle_commands" and meant and here and (not rule.during or whose == "A"):
                    return True
        return False

    def is_fixed(self, card: str) -> bool:
        """Whether the card cannot be turned over."""
        return any(rule.rule == "no_flip" for rule in self.rules_of(card))

    def is_kept_from_drawing(self, seat: str) -> bool:
        """Whether a rule in force keeps that player from drawing now."""
        own = [card for card in self.on_field() if self.where(card)[0] == seat]
        return bool(self.hand[seat]) and any(r.rule == "no_draw" for card in own for r in self.rules_of(card))

    def is_visible(self, text: Text) -> bool:
        """Whether the text can still be read."""
        if self.position(text.card) is None or not self.placed(text.card).up:
            return False
        return text.box == "top" or self.is_uncovered(text.card)

    def shown(self) -> dict[str, object]:
        """The position, to be compared."""
        shown: dict[str, object] = {}
        for seat in "AB":
            shown[f"{seat} protocols"] = list(self.protocols[seat])
            shown |= {f"{seat} line {line}": self.names(seat, line) for line in LINES}
            shown |= {f"{seat} hand": sorted(self.hand[seat]), f"{seat} deck": list(self.deck[seat])}
            shown[f"{seat} trash"] = sorted(self.trash[seat])
        return shown

    def names(self, seat: str, line: int) -> list[str]:
        """A stack, with a star for every card that lies face down."""
        return [placed.card if placed.up else f"{placed.card}*" for placed in self.stack(seat, line)]

    # What happens

    def write(self, event: Event, at: str | None = None, *, forced: bool = False) -> None:
        """An event of the log."""
        self.log.append(Entry(event, at, forced))

    def would_be_wrong(self, at: str, how: str, event: Event) -> None:
        """At this moment this event would be a mistake."""
        if not self.is_trial and not any(_same(event, right) for right in self.also_right):
            self.wrongs.append(Wrong(len(self.log), at, how, event))

    def choose(self, at: str, options: Sequence[Option]) -> Option:
        """The option wanted at this address, or the one of which the least follows."""
        if not self.is_trial:
            self.seen.setdefault(at, []).extend(o.key for o in options if o.key not in self.seen.get(at, ()))
        wanted = [option for option in options if option.key == self.wanted.get(at)] or options
        return wanted[0] if self.is_trial else min(wanted, key=self._what_follows)

    def _what_follows(self, option: Option) -> int:
        trial = self.trial()
        try:
            option.act(trial)
        except BeyondThisTable:
            return 1000
        return len(trial.log)

    def trigger(self, card: str) -> None:
        """The middle text of a card that has come into view."""
        seat, line, _ = self.where(card)
        steps = [item for item in self.facts[card].boxes["middle"] if isinstance(item, Instruction)]
        if steps and self.placed(card).up and self.is_uncovered(card) and not self.is_silenced(seat, line):
            self.carry_out(Text(card, seat, "middle"), steps)

    def wake_last(self, seat: str, line: int) -> None:
        """The card that has become the last of its stack, if there is one."""
        if stack := self.stack(seat, line):
            self.trigger(stack[-1].card)

    def moment(self, card: str, when: str, *more: str) -> bool:
        """The texts of a card that wait for one of these moments are carried out; says whether there were any."""
        found = list(self._waiting(card, (when, *more)))
        for text, item in found:
            self.carry_out(text, item.then)
        return bool(found)

    def _waiting(self, card: str, moments: tuple[str, ...]) -> Iterator[tuple[Text, Waiting]]:
        for box in ("top", "bottom"):
            text = Text(card, self.where(card)[0], box)
            for item in self.facts[card].boxes[box]:
                if isinstance(item, Waiting) and item.when in moments and self.is_visible(text):
                    yield text, item

    def answers(self, seat: str, when: str) -> bool:
        """Whether a card of that side waits for such a moment."""
        return any(self.where(card)[0] == seat and any(self._waiting(card, (when,))) for card in self.on_field())

    def after(self, seat: str, what: str) -> None:
        """A player has drawn, deleted or discarded: texts that wait for it."""
        end = "es" if what.endswith("h") else "s"
        for card in list(self.on_field()):
            if (position := self.position(card)) is None:
                continue
            if position[0] != seat:
                self.moment(card, f"after_opponent_{what}{end}", f"after_any_{what}")
            elif what == "discard" and seat != "A":
                self.moment(card, "after_you_discard", "after_you_discard_in_opponents_turn")
            else:
                self.moment(card, f"after_you_{what}", f"after_any_{what}")

    # Texts

    def carry_out(self, text: Text, steps: Sequence[Item]) -> None:
        """Step after step, as far as each can be done, while the text can be read."""
        did_last = False
        told = tuple(step for step in steps if isinstance(step, Instruction))
        text.steps = text.steps or told
        for step in told:
            if not self.is_visible(text):
                return
            is_due = self._is_due(text, step, did_last)
            if is_due:
                did_last = self._take(text, step)
            else:
                self._wrongly_taken(text, step)
                did_last = False
            if step.label:
                text.did[step.label] = did_last

    def _is_due(self, text: Text, step: Instruction, did_last: bool) -> bool:
        if step.condition and not self._is_met(text, *step.condition):
            return False
        if step.if_did is None:
            return True
        return did_last if step.if_did == "previous" else text.did[step.if_did]

    def _is_met(self, text: Text, word: str, number: int) -> bool:
        """Whether the condition of a step is met."""
        line = self.where(text.card)[1]
        unity = len(self.of_protocol("unity"))
        met = {
            "this_covered": not self.is_uncovered(text.card),
            "this_covering": self.where(text.card)[2] > 0,
            "your_hand_empty": not self.hand[text.seat],
            "your_hand_above_1": len(self.hand[text.seat]) > 1,
            "your_trash_not_empty": bool(self.trash[text.seat]),
            "opponent_leads_this_line": self.total(other(text.seat), line) > self.total(text.seat, line),
            "that_matches_stated_protocol": bool(text.that) and self.facts[str(text.that)].protocol == text.stated,
            "another_unity_in_field": any(card != text.card for card in self.of_protocol("unity")),
            "protocols_in_field_at_least": len(self.protocols_shown()) >= number,
            "protocols_in_field_below": len(self.protocols_shown()) < number,
            "unity_in_field_at_least": unity >= number,
        }
        return met[word]

    def _wrongly_taken(self, text: Text, step: Instruction) -> None:
        """The step is not to be taken: each way to take it would be wrong."""
        if step.do == "choose":
            step = step.options[0][0]
        rounds = list(self._rounds(text, step))
        if options := self.options(text, step, rounds, self.number(text, step)) if rounds else []:
            how = "though its condition is not met" if step.condition else "though what it depends on was not done"
            self.would_be_wrong(step.at_, how, options[0].event)

    def _take(self, text: Text, step: Instruction) -> bool:
        """Carry out one step; says whether anything was done."""
        if step.do == "choose":
            return self._take_one(text, step)
        if step.do == "bar_compile":
            return True
        done = 0
        number = self.number(text, step)
        text.moved = 0
        rounds = list(self._rounds(text, step)) if number or step.is_open else []
        while rounds and self.is_visible(text):
            options = self.options(text, step, rounds, number)
            if not options:
                break
            if step.may or (step.is_open and not number):
                options.append(Option(DECLINED, self._said(text, "declined"), lambda table: None))
            else:
                self._not_put_aside(text, step, is_forced=len(options) == 1)
            self._mistakes(text, step, rounds, options)
            option = self.choose(step.at_, options)
            is_hidden = option.event.get("why") == "took" or option.event["type"] in ("shuffled", "reshuffled")
            forced = len(options) == 1 and not is_hidden
            self.write(option.event, step.at_, forced=forced)
            self.also_right = []
            if option.key == DECLINED:
                return False
            rounds = [entry for entry in rounds if entry not in _rounds_of(option.key)]
            self.remember(text, option)
            option.act(self)
            done += 1
        text.was_impossible |= not done
        return done > 0

    def _not_put_aside(self, text: Text, step: Instruction, *, is_forced: bool) -> None:
        """The step is called declined or impossible. What is said does not name the step: where that could be meant
        of another one of the text, nothing is wrong."""
        follows = text.steps[text.steps.index(step) + 1 :] if step in text.steps else ()
        before = text.steps[: text.steps.index(step)] if step in text.steps and text.was_impossible else ()
        if not (is_forced and any(later.may for later in follows)) and not any(earlier.may for earlier in before):
            self.would_be_wrong(step.at_, "declined", self._said(text, "declined"))
        if not (text.was_impossible or (is_forced and follows)):
            self.would_be_wrong(step.at_, "called impossible", self._said(text, "impossible"))

    def remember(self, text: Text, option: Option) -> None:
        """What later steps refer to: the card meant, its line, how many were moved, what was drawn or named."""
        cards = option.event.get("cards")
        text.moved = len(cards) if isinstance(cards, list) else 1
        if isinstance(card := option.event.get("card"), str):
            text.that = card
        elif isinstance(cards, list) and len(cards) == 1 and self._is_meant_later(option.event):
            text.that = str(cards[0])
        if text.that and (position := self.position(text.that)):
            text.line_of_that = position[1]
        if option.event["type"] == "drew" and isinstance(cards, list):
            text.drawn = tuple(cards)
        if option.event["type"] == "chose":
            text.stated = option.event[str(option.event["what"])]

    def _is_meant_later(self, event: Event) -> bool:
        """A card drawn or discarded from hand is not what "that card" means."""
        return event["type"] not in ("drew", "discarded") or event.get("from") == "deck"

    def _said(self, text: Text, outcome: str) -> Event:
        return {"type": "resolved", "card": text.card, "command": text.box, "outcome": outcome}

    def _take_one(self, text: Text, step: Instruction) -> bool:
        """One of several lists of steps; a list whose first step cannot be taken is none."""
        able = [
            (number, branch)
            for number, branch in enumerate(step.options, 1)
            if self.options(text, branch[0], list(self._rounds(text, branch[0])))
        ]
        if not able:
            return False
        ways = [Option(("option", number), {}, lambda table: None) for number, _ in able]
        rights = [
            option.event
            for _, branch in able
            for option in self.options(text, branch[0], list(self._rounds(text, branch[0])))
        ]
        if step.may:
            ways.append(Option(DECLINED, self._said(text, "declined"), lambda table: None))
        else:
            self.would_be_wrong(step.at_, "declined", self._said(text, "declined"))
        picked = self.choose(step.at_, ways)
        if picked.key == DECLINED:
            self.write(picked.event, step.at_)
            return False
        branch = dict(able)[picked.key[1]]
        first = len(self.log)
        self.also_right = [*rights, *(self._said(text, outcome) for outcome in ("declined",) if step.may)]
        self.carry_out(text, branch)
        self.log[first].forced = self.log[first].forced and len(ways) == 1
        return True

    # What can be done: a round is one of the things a step is done to, such as a line or a card of "each"

    def _rounds(self, text: Text, step: Instruction) -> Iterator[object]:
        seat = self.seat_of(text, step.who)
        _, here, _ = self.where(text.card)
        if step.in_lines == "each_other_line":
            yield from [line for line in LINES if line != here and self._fits_line(text, step, line)]
        elif step.in_lines == "each_line_with_your_card":
            yield from [line for line in LINES if self.stack(seat, line)]
        elif step.in_lines == "each_line":
            yield from [line for line in LINES if self._fits_line(text, step, line)]
        elif step.in_lines == "each_line_with_face_down_card":
            yield from self._lines_with_face_down_card()
        elif step.who == "both":
            yield from [side for side in "AB" if self.hand[side]]
        elif step.count == "each" or step.together:
            yield from self.candidates(text, step.target)
        elif isinstance(step.count, tuple) and step.count[0][0] == "one_per":
            cards = sum(len(self.stack(side, here)) for side in "AB")
            yield from [("time", number) for number in range(cards // step.count[0][1])]
        else:
            yield "once"

    def _fits_line(self, text: Text, step: Instruction, line: int) -> bool:
        if step.target is None:
            return True
        return any(self.where(card)[1] == line for card in self.candidates(text, step.target))

    def _lines_with_face_down_card(self) -> list[int]:
        return [line for line in LINES if any(not x.up for side in "AB" for x in self.stack(side, line))]

    def seat_of(self, text: Text, who: str | None) -> str:
        """The player that `you` or `opponent` means in a text."""
        return other(text.seat) if who == "opponent" else text.seat

    def number(self, text: Text, step: Instruction) -> int:
        """How many, where it is a number once the text has come that far."""
        if step.count == "value_of_that":
            return self.value(text.that) if text.that else 0
        if isinstance(step.count, tuple) and step.count[0][0] == "as_before_plus":
            return text.moved + step.count[0][1]
        if isinstance(step.count, tuple) and step.count[0][0] == "number_of":
            return self.number_of(text, step.count[0][1])
        if step.is_open and isinstance(step.count, tuple):
            return int(step.count[0][1])
        return step.count if isinstance(step.count, int) else 1

    def options(self, text: Text, step: Instruction, rounds: list[object], number: int = 1) -> list[Option]:
        """Every way to carry out the step now, `number` times."""
        make = getattr(self, f"_{step.do}_options", None)
        if make is None:
            raise BeyondThisTable(f"{step.at_}: {step.do}")
        return list(make(text, step, rounds, number))

    # Cards a step can pick

    def candidates(self, text: Text, pick: Pick | None) -> list[str]:
        """The cards that fit, the opponent's first, the card itself last."""
        assert pick is not None
        if pick.ref == "this":
            return [text.card]
        if pick.ref == "that":
            return [text.that] if text.that and self.position(text.that) else []
        found = [card for card in self.on_field() if not self.flaw(text, pick, card)]
        found = sorted(found, key=lambda card: card == text.card)
        if pick.rank:
            best = (max if pick.rank == "highest" else min)(map(self.value, found), default=0)
            found = [card for card in found if self.value(card) == best]
        return found

    def flaw(self, text: Text, pick: Pick, card: str) -> str | None:
        """The first word of the target that the card does not meet."""
        seat, line, _ = self.where(card)

        if pick.owner != "any" and seat != self.seat_of(text, pick.owner):
            return "owner"
        if pick.cover != "either" and (pick.cover == "uncovered") != self.is_uncovered(card):
            return "cover"
        if pick.face != "any" and (pick.face == "up") != self.placed(card).up:
            return "face"
        if not self._is_in_line(text, pick, seat, line):
            return "line"
        if pick.line_lead and not self._leads(self.seat_of(text, pick.line_lead), line):
            return "line lead"
        if sum(len(self.stack(side, line)) for side in "AB") < pick.line_holds:
            return "line holds"
        if not self._is_of_value(text, pick, self.value(card)):
            return "values"
        return "other" if pick.other and card == text.card else None

    def _is_in_line(self, text: Text, pick: Pick, seat: str, line: int) -> bool:
        _, here, _ = self.where(text.card)
        meant = {
            "this": line == here,
            "chosen_other": line != here,
            "this_stack": (seat, line) == (text.seat, here),
            "same_as_that": line == text.line_of_that,
            "line_of_that_protocol": self.facts[text.card].protocol in self.protocols[text.seat][line - 1 : line],
        }
        return pick.line in (None, "chosen") or meant[str(pick.line)]

    def _leads(self, seat: str, line: int) -> bool:
        return self.total(seat, line) > self.total(other(seat), line)

    def _is_of_value(self, text: Text, pick: Pick, value: int) -> bool:
        if pick.values:
            return value in pick.values
        if pick.same_value:
            return text.that is not None and value == self.value(text.that)
        if pick.more_than:
            return value > self.number_of(text, pick.more_than)
        return not pick.less_than or value < self.number_of(text, pick.less_than)

    def flaws(self, text: Text, pick: Pick, card: str) -> list[str]:
        """Every word of the target that the card does not meet."""
        words = ("owner", "cover", "face", "line", "values", "other")
        found = [word for word in words if self.flaw(text, _only(pick, word), card)]
        return [*found, "line lead"] if self.flaw(text, pick, card) == "line lead" else found

    def kind(self, text: Text, card: str) -> Key:
        """What kind of card it is, seen from the text."""
        seat, line, _ = self.where(card)
        whose = "itself" if card == text.card else "own" if seat == text.seat else "theirs"
        cover = "uncovered" if self.is_uncovered(card) else "covered"
        here = "here" if line == self.where(text.card)[1] else "elsewhere"
        return (whose, cover, face(self.placed(card).up), here)

    def groups(self, text: Text, step: Instruction) -> list[tuple[Key, list[str]]]:
        """What one event of the step moves: one card, or all that fit (in one line where the text says so)."""
        found = self.candidates(text, step.target)
        assert step.target is not None
        if step.count != "all":
            return [(self.kind(text, card), [card]) for card in found]
        if step.target.line in ("chosen", "chosen_other"):
            lines = {line: [card for card in found if self.where(card)[1] == line] for line in LINES}
            return [(("line", line), cards) for line, cards in lines.items() if cards]
        return [(("all",), found)] if found else []

    # Verbs: how each is written and done

    def _draw_options(self, text: Text, step: Instruction, rounds: list[object], number: int) -> Iterator[Option]:
        seat = self.seat_of(text, step.who)
        owner = other(seat) if step.source == "opposing_deck" else seat
        if self.is_kept_from_drawing(seat):
            return
        if step.matching:
            yield from self._search_options(text, step, seat)
            return
        number = min(number, len(self.deck[owner]))
        if number > 0:
            yield Option(
                ("draw", number),
                drew(seat, self.deck[owner][:number], owner),
                lambda table: table.draw(seat, owner, number),
            )

    def _search_options(self, text: Text, step: Instruction, seat: str) -> Iterator[Option]:
        found = [card for card in self.deck[seat] if self.shows(text, step, card)]
        for cards in [found] if step.count == "all" and found else [[card] for card in found]:
            yield Option(("search", *cards), drew(seat, cards, seat), lambda table, c=cards: table.search(seat, c))

    def shows(self, text: Text, step: Instruction, card: str) -> bool:
        """Whether a card out of a hand, a deck or a draw is what the step asks for."""
        wanted, known = step.matching, self.facts[card]
        if wanted is None:
            return True
        if (wanted.values and known.value not in wanted.values) or (wanted.stated and known.value != text.stated):
            return False
        return (not wanted.protocol or known.protocol == wanted.protocol) and known.protocol != wanted.protocol_not

    def search(self, seat: str, cards: list[str]) -> None:
        """Cards out of the whole deck."""
        self.hand[seat] += cards
        self.deck[seat] = [card for card in self.deck[seat] if card not in cards]
        self.after(seat, "draw")

    def draw(self, seat: str, owner: str, number: int) -> None:
        """Cards from the top of a deck."""
        self.hand[seat] += self.deck[owner][:number]
        del self.deck[owner][:number]
        self.after(seat, "draw")

    def _discard_options(self, text: Text, step: Instruction, rounds: list[object], number: int) -> Iterator[Option]:
        seat = self.seat_of(text, step.who)
        if step.who == "both":
            for side in (str(side) for side in rounds):
                cards = list(self.hand[side])
                yield Option((side,), discarded(side, cards), lambda table, s=side, c=cards: table.discard(s, c))
            return
        if str(step.source).endswith("deck"):
            yield from self._mill_options(step, seat, number)
            return
        hand = self.hand[seat]
        least = len(hand) if step.count == "all" else min(number, len(hand))
        trash = other(seat) if step.into == "opposing_trash" else seat
        if step.is_open:
            least = max(1, least)
        for many in range(least, len(hand) + 1) if step.is_open else (least,):
            for start in range(len(hand) - many + 1 if many else 0):
                cards = hand[start : start + many]
                event = discarded(seat, cards) | ({} if trash == seat else {"trash": trash})
                yield Option(("discard", many), event, lambda table, c=cards: table.discard(seat, c, trash))

    def _mill_options(self, step: Instruction, seat: str, number: int) -> Iterator[Option]:
        owner = other(seat) if step.source == "opposing_deck" else seat
        cards = self.deck[owner] if step.count == "all" else self.deck[owner][:number]
        if cards:
            event = discarded(seat, cards) | {"from": "deck"} | ({} if owner == seat else {"deck": owner})
            yield Option(("top", len(cards)), event, lambda table: table.mill(seat, owner, len(cards)))

    def mill(self, seat: str, owner: str, number: int) -> None:
        """Cards from the top of a deck go to its player's trash."""
        self.trash[owner] += self.deck[owner][:number]
        del self.deck[owner][:number]
        self.after(seat, "discard")

    def discard(self, seat: str, cards: list[str], trash: str | None = None) -> None:
        """Cards of a hand go to the trash."""
        for card in cards:
            self.hand[seat].remove(card)
            self.trash[trash or seat].append(card)
        self.after(seat, "discard")

    def _play_options(self, text: Text, step: Instruction, rounds: list[object], number: int) -> Iterator[Option]:
        seat = self.seat_of(text, step.who)
        under = text.card if step.at == "under_this" else None
        source = str(step.source)
        if source not in ("hand", "deck"):
            yield from self._strange_plays(text, step, seat)
            return
        side = other(seat) if step.on_side == "opponent" else seat
        for up in (False, True) if step.face == "any" else (step.face == "up",):
            for line in self._play_lines(text, step, rounds):
                for card in self.hand[seat] if source == "hand" else self.deck[seat][:1]:
                    if (up and not self._matches(card, line)) or not self.shows(text, step, card):
                        continue
                    key = ("play", face(up), rounds[0] if under else line)
                    event = played(seat, card, line, up, source) | ({} if side == seat else {"side": side})
                    yield Option(key, event, _playing(seat, card, line, up, source, under, side))

    def _strange_plays(self, text: Text, step: Instruction, seat: str) -> Iterator[Option]:
        """Plays from the trash, out of the cards just drawn, or from the other deck."""
        source = {"opposing_deck": "deck", "just_drawn": "hand"}.get(str(step.source), str(step.source))
        cards = self.deck[other(seat)][:1] if step.source == "opposing_deck" else self.trash[seat]
        if step.target is not None:
            cards = [text.that] if text.that else []
        for up in (False, True) if step.face == "any" else (step.face == "up",):
            for line in self._play_lines(text, step, []):
                for card in cards:
                    if up and not self._matches(card, line):
                        continue
                    event = played(seat, card, line, up, source)
                    deck = other(seat) if step.source == "opposing_deck" else seat
                    key = ("play", face(up), line)
                    yield Option(
                        key, event | ({} if deck == seat else {"deck": deck}),
                        lambda table, c=card, n=line, u=up, d=deck: table.play(seat, c, n, u, source, holder=d),
                    )  # fmt: skip

    def _play_lines(self, text: Text, step: Instruction, rounds: list[object]) -> list[int]:
        here = self.where(text.card)[1]
        if step.in_lines:
            return [line for line in rounds if isinstance(line, int)]
        if step.at in ("this_line", "under_this", "this_stack"):
            return [here]
        if step.at == "line_with_face_down_card":
            return self._lines_with_face_down_card()
        return [line for line in LINES if line != here or step.at != "another_line"]

    def _matches(self, card: str, line: int) -> bool:
        protocol = self.facts[card].protocol
        return protocol in (self.protocols["A"][line - 1], self.protocols["B"][line - 1])

    def play(
        self, seat: str, card: str, line: int, up: bool, source: str, under: str | None = None,
        side: str | None = None, holder: str | None = None,
    ) -> None:  # fmt: skip
        """A card from hand, deck or trash comes to lie in a stack, on top or right below another."""
        {"hand": self.hand, "deck": self.deck, "trash": self.trash}[source][holder or seat].remove(card)
        if under:
            stack = self.stack(seat, line)
            stack.insert(self.where(under)[2], PlacedCard(card, up))
            return
        self.land(side or seat, card, line, up)
        if up:
            self.trigger(card)
        for waiting in [x.card for x in self.stack(other(seat), line)]:
            self.moment(waiting, "after_opponent_plays_in_this_line")

    def land(self, seat: str, card: str, line: int, up: bool) -> None:
        """A card is laid on a stack, after what the card below does before it is covered."""
        if stack := self.stack(seat, line):
            by_unity = ("before_covered_by_unity",) if up and self.facts[card].protocol == "unity" else ()
            self.moment(stack[-1].card, "before_covered", "before_covered_or_flipped", *by_unity)
        self.stack(seat, line).append(PlacedCard(card, up))

    def _flip_options(self, text: Text, step: Instruction, rounds: list[object], number: int) -> Iterator[Option]:
        if step.count == "all":
            cards = self.candidates(text, step.target)
            for card in cards[:1]:
                yield Option(
                    ("all",), flipped(card, not self.placed(card).up), lambda table: table.flip_all(cards, step.at_)
                )
            return
        for card in self._open(text, step, rounds):
            event = flipped(card, not self.placed(card).up)
            line = self.where(card)[1]
            key = (*self.kind(text, card), *_mark(step, card), *((line,) if step.in_lines else ()))
            is_mute = step.ignoring == "its_middle"
            yield Option(key, event, lambda table, c=card, m=is_mute: table.flip(c, is_mute=m))

    def _open(self, text: Text, step: Instruction, rounds: list[object]) -> list[str]:
        if step.count == "each":
            return [card for card in rounds if isinstance(card, str) and self.position(card)]
        found = [card for card in self.candidates(text, step.target) if not self.is_fixed(card)]
        return [card for card in found if not step.in_lines or self.where(card)[1] in rounds]

    def flip_all(self, cards: list[str], at: str) -> None:
        """Cards are turned at once; the first has been written."""
        for card in cards[1:]:
            self.write(flipped(card, not self.placed(card).up), at, forced=True)
        for card in cards:
            self.placed(card).up = not self.placed(card).up

    def flip(self, card: str, *, is_mute: bool = False) -> None:
        """A card is turned over; one that answers by deleting itself is gone before its text wakes."""
        waits = [text for text, _ in self._waiting(card, ("before_covered_or_flipped",))]
        if waits:
            for _, item in list(self._waiting(card, ("before_covered_or_flipped",))):
                self.carry_out(waits[0], item.then)
            return
        self.placed(card).up = not self.placed(card).up
        if self.placed(card).up and not is_mute:
            self.trigger(card)

    def _shift_options(self, text: Text, step: Instruction, rounds: list[object], number: int) -> Iterator[Option]:
        if step.together:
            yield from self._together_options(text, step)
            return
        for card in self.candidates(text, step.target):
            for line in self.goals(text, step, card):
                key = (*self.kind(text, card), line)
                yield Option(key, shifted(card, line), lambda table, c=card, n=line: table.shift([c], n))

    def goals(self, text: Text, step: Instruction, card: str) -> list[int]:
        """The lines a card can be shifted to."""
        _, line, _ = self.where(card)
        _, here, _ = self.where(text.card)
        if step.to == "opponents_highest_total_line":
            totals = {goal: self.total(other(text.seat), goal) for goal in LINES}
            return [goal for goal in LINES if goal != line and totals[goal] == max(totals.values())]
        if step.to == "this_line" or (step.to == "to_or_from_this_line" and line != here):
            return [here] if line != here else []
        return [goal for goal in LINES if goal != line]

    def _together_options(self, text: Text, step: Instruction) -> Iterator[Option]:
        cards = self.candidates(text, step.target)
        _, here, _ = self.where(text.card)
        for line in LINES:
            if cards and line != here:
                key = ("together", line, *cards)
                yield Option(key, shifted(cards[0], line), lambda table, n=line: table.shift(cards, n, step.at_))

    def shift(self, cards: list[str], line: int, at: str | None = None) -> None:
        """Cards leave their places, what they lay on acts, and they land one by one; the first has been written."""
        for card in cards[1:]:
            self.write(shifted(card, line), at, forced=True)
        moved = [(self.where(card)[0], self.is_uncovered(card), self.placed(card)) for card in cards]
        laid_bare = self.take_off(cards)
        for below in laid_bare:
            if self.position(below):
                self.trigger(below)
        for seat, was_uncovered, placed in moved:
            self.land(seat, placed.card, line, placed.up)
            if not was_uncovered:
                self.trigger(placed.card)

    def take_off(self, cards: list[str]) -> list[str]:
        """Cards leave the field; says which cards lie open by it."""
        stacks = [(seat, line) for seat in "AB" for line in LINES]
        last = {place: self.stack(*place)[-1].card for place in stacks if self.stack(*place)}
        for card in cards:
            seat, line, index = self.where(card)
            del self.stack(seat, line)[index]
        return [self.stack(*place)[-1].card for place, card in last.items() if card in cards and self.stack(*place)]

    def _delete_options(self, text: Text, step: Instruction, rounds: list[object], number: int) -> Iterator[Option]:
        seat = self.seat_of(text, step.who)
        for kind, cards in self.groups(text, step):
            line = self.where(cards[0])[1]
            if step.in_lines and line not in rounds:
                continue
            key = (*kind, line) if step.in_lines else kind
            yield Option(key, {"type": "deleted", "cards": cards}, lambda table, c=cards: table.delete(seat, c))

    def delete(self, seat: str, cards: list[str]) -> None:
        """Cards go to the trash of their sides."""
        owners = [self.where(card)[0] for card in cards]
        laid_bare = self.take_off(cards)
        for owner, card in zip(owners, cards, strict=True):
            self.trash[owner].append(card)
        for below in laid_bare:
            if self.position(below):
                self.trigger(below)
        self.after(seat, "delete")

    def _return_options(self, text: Text, step: Instruction, rounds: list[object], number: int) -> Iterator[Option]:
        for kind, cards in self.groups(text, step):
            yield Option(kind, returned(cards), lambda table, c=cards: table.give_back(c))

    def give_back(self, cards: list[str]) -> None:
        """Cards go to the hands of their sides, unless something stands in for it."""
        owners = [self.where(card)[0] for card in cards]
        for seat in sorted({other(owner) for owner in owners}):
            for card in [one for one in self.on_field() if self.where(one)[0] == seat]:
                for text, item in list(self._waiting(card, ("before_return_to_opponent",))):
                    text.that = cards[0]
                    self.carry_out(text, item.then)
        if not self.position(cards[0]):
            return
        laid_bare = self.take_off(cards)
        for owner, card in zip(owners, cards, strict=True):
            self.hand[owner].append(card)
        for below in laid_bare:
            self.trigger(below)

    def _reveal_options(self, text: Text, step: Instruction, rounds: list[object], number: int) -> Iterator[Option]:
        seat = self.seat_of(text, step.who)
        if step.source in ("deck", "trash", "just_drawn"):
            yield from self._shown_elsewhere(text, step, seat)
        elif step.target:
            for card in self.candidates(text, step.target):
                yield Option(self.kind(text, card), revealed(seat, [card]), lambda table: None)
        elif step.count == "all":
            if self.hand[seat]:
                yield Option(("hand",), revealed(seat, list(self.hand[seat])), lambda table: None)
        else:
            for card in self.hand[seat]:
                yield Option(("of hand",), revealed(seat, [card]), lambda table: None)

    def _shown_elsewhere(self, text: Text, step: Instruction, seat: str) -> Iterator[Option]:
        if step.source == "just_drawn":
            shown = [[card] for card in text.drawn if self.shows(text, step, card)]
        elif step.source == "trash":
            shown = [[card] for card in self.trash[seat]]
        else:
            shown = [self.deck[seat] if step.count == "all" else self.deck[seat][:1]]
        zone = {} if step.source == "just_drawn" else {"zone": step.source}
        for cards in shown:
            if cards:
                yield Option(("shown", *cards[:1]), revealed(seat, list(cards)) | zone, lambda table: None)

    def _shuffle_deck_options(
        self, text: Text, step: Instruction, rounds: list[object], number: int
    ) -> Iterator[Option]:
        seat = self.seat_of(text, step.who)
        if deck := self.deck[seat][::-1]:
            event: Event = {"type": "shuffled", "player": seat, "deck": deck}
            yield Option(("shuffle",), event, lambda table: table.shuffle(seat, deck))

    def _shuffle_trash_into_deck_options(
        self, text: Text, step: Instruction, rounds: list[object], number: int
    ) -> Iterator[Option]:
        seat = self.seat_of(text, step.who)
        if self.trash[seat]:
            deck = [*self.trash[seat], *self.deck[seat]]
            event: Event = {"type": "reshuffled", "player": seat, "deck": deck}
            yield Option(("shuffle",), event, lambda table: table.shuffle(seat, deck))

    def shuffle(self, seat: str, deck: list[str]) -> None:
        """The deck lies in a new order; what of it came out of the trash is there no more."""
        self.deck[seat] = list(deck)
        self.trash[seat] = [card for card in self.trash[seat] if card not in deck]
        self.after(seat, "shuffle")

    def _state_number_options(
        self, text: Text, step: Instruction, rounds: list[object], number: int
    ) -> Iterator[Option]:
        for stated in range(7):
            event: Event = {"type": "chose", "player": text.seat, "what": "number", "number": stated}
            yield Option(("number", stated), event, lambda table: None)

    def _state_protocol_options(
        self, text: Text, step: Instruction, rounds: list[object], number: int
    ) -> Iterator[Option]:
        for name in [*self.protocols[other(text.seat)], *self.protocols[text.seat]]:
            event: Event = {"type": "chose", "player": text.seat, "what": "protocol", "protocol": name}
            yield Option(("protocol", name), event, lambda table: None)

    def _put_on_deck_options(
        self, text: Text, step: Instruction, rounds: list[object], number: int
    ) -> Iterator[Option]:
        for card in self.candidates(text, step.target):
            deck = other(text.seat)
            event: Event = {"type": "put_on_deck", "cards": [card], "deck": deck}
            yield Option(("put",), event, lambda table, c=card, d=deck: table.put_on_deck(c, d))

    def put_on_deck(self, card: str, deck: str) -> None:
        """A card of the field becomes the top card of a deck."""
        laid_bare = self.take_off([card])
        self.deck[deck].insert(0, card)
        for below in laid_bare:
            self.trigger(below)

    def _claim_options(self, text: Text, step: Instruction, rounds: list[object], number: int) -> Iterator[Option]:
        for card in self.candidates(text, step.target):
            giver = other(text.seat)
            yield Option(
                self.kind(text, card), changed(card, giver, "claimed"), lambda table, c=card: table.claim(c, text.seat)
            )

    def claim(self, card: str, seat: str) -> None:
        """A card of the field comes into that hand."""
        laid_bare = self.take_off([card])
        self.hand[seat].append(card)
        for below in laid_bare:
            self.trigger(below)

    def _swap_stacks_options(
        self, text: Text, step: Instruction, rounds: list[object], number: int
    ) -> Iterator[Option]:
        side = self.seat_of(text, step.side)
        held = [line for line in LINES if self.stack(side, line)]
        for one, two in combinations(held, 2):
            event: Event = {"type": "stacks_swapped", "side": side, "lines": [one, two]}
            yield Option(("stacks", one, two), event, lambda table, a=one, b=two: table.swap_stacks(side, a, b))

    def swap_stacks(self, side: str, one: int, two: int) -> None:
        """Two stacks change places."""
        stacks = self.lines[side]
        stacks[one - 1], stacks[two - 1] = stacks[two - 1], stacks[one - 1]

    def _mark_compiled_options(
        self, text: Text, step: Instruction, rounds: list[object], number: int
    ) -> Iterator[Option]:
        if step.protocol in self.protocols[text.seat]:
            event: Event = {"type": "protocol_turned", "player": text.seat, "protocol": step.protocol}
            yield Option(("turn",), event, lambda table: None)

    def _resolve_middle_options(
        self, text: Text, step: Instruction, rounds: list[object], number: int
    ) -> Iterator[Option]:
        for card in self.candidates(text, step.target):
            steps = [item for item in self.facts[card].boxes["middle"] if isinstance(item, Instruction)]
            seat, line, _ = self.where(card)
            if steps and not self.is_silenced(seat, line):
                event: Event = {"type": "copied", "card": card, "by": text.card}
                yield Option(self.kind(text, card), event, lambda table, s=steps: table.copy(text, s))

    def copy(self, text: Text, steps: Sequence[Item]) -> None:
        """The steps of another card, carried out by the card of the text."""
        self.carry_out(Text(text.card, text.seat, text.box), steps)

    def _give_options(self, text: Text, step: Instruction, rounds: list[object], number: int) -> Iterator[Option]:
        giver = self.seat_of(text, step.who)
        for card in self.hand[giver]:
            yield Option(("give",), changed(card, giver, "gave"), lambda table, c=card: table.hand_over(c, giver))

    def _take_options(self, text: Text, step: Instruction, rounds: list[object], number: int) -> Iterator[Option]:
        giver = other(self.seat_of(text, step.who))
        for card in self.hand[giver]:
            yield Option(("take",), changed(card, giver, "took"), lambda table, c=card: table.hand_over(c, giver))

    def hand_over(self, card: str, giver: str) -> None:
        """A card of one hand comes into the other."""
        self.hand[giver].remove(card)
        self.hand[other(giver)].append(card)

    def _refresh_options(self, text: Text, step: Instruction, rounds: list[object], number: int) -> Iterator[Option]:
        seat = self.seat_of(text, step.who)
        if len(self.hand[seat]) < HAND and not self.is_kept_from_drawing(seat):
            yield Option(
                ("refresh",), {"type": "refreshed", "player": seat}, lambda table: table.refresh(seat, step.at_)
            )

    def refresh(self, seat: str, at: str | None = None) -> None:
        """The hand is filled up to five."""
        number = HAND - len(self.hand[seat])
        self.write(drew(seat, self.deck[seat][:number], seat), at, forced=True)
        self.draw(seat, seat, number)
        self.after(seat, "refresh")

    def _rearrange_options(self, text: Text, step: Instruction, rounds: list[object], number: int) -> Iterator[Option]:
        side = self.seat_of(text, step.side)
        now = self.protocols[side]
        for places in permutations(range(3)):
            order = [now[place] for place in places]
            if order != now and self._is_meant(step, order, now):
                event = rearranged(side, order, self.seat_of(text, step.who))
                yield Option(("order", *places), event, lambda table, o=order: table.protocols.update({side: o}))

    _swap_protocols_options = _rearrange_options

    def _is_meant(self, step: Instruction, order: list[str], now: list[str]) -> bool:
        return step.do == "rearrange" or sum(one != two for one, two in zip(order, now, strict=True)) == 2

    # What would be wrong

    def _mistakes(self, text: Text, step: Instruction, rounds: list[object], options: list[Option]) -> None:
        """Every word of the step, got wrong once."""
        if self.is_trial:
            return
        right = [option.event for option in options]
        for how, event in wrong_events(self, text, step, rounds, options[0].event):
            if not any(_same(event, known) for known in right):
                self.would_be_wrong(step.at_, how, event)


def _playing(
    seat: str, card: str, line: int, up: bool, source: str, under: str | None, side: str
) -> Callable[[Table], None]:
    return lambda table: table.play(seat, card, line, up, source, under, side)


def _only(pick: Pick, word: str) -> Pick:
    """The target with nothing but one of its words."""
    values = ("values", "same_value", "more_than", "less_than") if word == "values" else (word,)
    return Pick(**{one: getattr(pick, one) for one in values}, **({} if word == "cover" else {"cover": "either"}))


def _mark(step: Instruction, card: str) -> tuple[str, ...]:
    return (card,) if step.count == "each" else ()


def _rounds_of(key: Key) -> list[object]:
    """What is used up by a choice: its line, its card, or the one time."""
    return ["once", *key]


def _same(one: Event, two: Event) -> bool:
    def plain(event: Event) -> dict[str, object]:
        return {
            name: sorted(value) if isinstance(value, list) and name == "cards" else value
            for name, value in event.items()
        }

    return plain(one) == plain(two)
