"""What would be wrong at a table of Compile: every word of an instruction, got wrong once.

Each function yields the way it is wrong and the event that shows it. What happens to be right by another option is
left out by the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from tests.compile.card_events import (
    Event,
    changed,
    discarded,
    drew,
    flipped,
    other,
    played,
    rearranged,
    returned,
    revealed,
    shifted,
)
from tests.compile.card_facts import Instruction

if TYPE_CHECKING:
    from tests.compile.card_table import Table, Text

HAND = 5
LINES = (1, 2, 3)


def wrong_events(
    table: Table, text: Text, step: Instruction, rounds: list[object], event: Event
) -> Iterator[tuple[str, Event]]:
    """Every way to get the step wrong; `event` is a right one, `rounds` what the step has still to be done to."""
    if make := WAYS.get(step.do):
        yield from make(table, text, step, event)
    if step.count == "all" and step.do != "flip":
        return
    if step.target and not step.target.ref:
        yield from _wrong_targets(table, text, step, rounds, event)
    elif step.target:
        yield from _not_the_card_named(table, text, step, event)


def _draw_wrong(table: Table, text: Text, step: Instruction, event: Event) -> Iterator[tuple[str, Event]]:
    seat = table.seat_of(text, step.who)
    owner = other(seat) if step.source == "opposing_deck" else seat
    cards = event["cards"]
    assert isinstance(cards, list)
    yield "one card more", drew(seat, table.deck[owner][: len(cards) + 1], owner)
    if len(cards) > 1:
        yield "one card fewer", drew(seat, cards[:-1], owner)
    yield "the other player", drew(other(seat), table.deck[other(seat)][: len(cards)], other(seat))
    yield "the other deck", drew(seat, table.deck[other(owner)][: len(cards)], other(owner))


def _discard_wrong(table: Table, text: Text, step: Instruction, event: Event) -> Iterator[tuple[str, Event]]:
    seat = table.seat_of(text, step.who)
    hand, number = table.hand[seat], len(event["cards"])
    if not step.is_open and len(hand) > number:
        yield "one card more", discarded(seat, hand[: number + 1])
    if number > 1 and not step.is_open:
        yield "one card fewer", discarded(seat, hand[: number - 1])
    yield "the other player", discarded(other(seat), table.hand[other(seat)][:number])
    yield "a card of the deck", discarded(seat, table.deck[seat][:1])


def _play_wrong(table: Table, text: Text, step: Instruction, event: Event) -> Iterator[tuple[str, Event]]:
    seat = table.seat_of(text, step.who)
    card, line = str(event["card"]), int(str(event["line"]))
    source = str(step.source)
    if step.face != "any":
        yield "the other face", played(seat, card, line, step.face == "down", source)
    for goal in LINES:
        yield "another line", played(seat, card, goal, step.face == "up", source)
    away = "deck" if source == "hand" else "hand"
    if seat == "A" and (cards := (table.deck if away == "deck" else table.hand)[seat]):
        yield "from elsewhere", played(seat, cards[0], line, step.face == "up", away)
    if theirs := (table.hand if source == "hand" else table.deck)[other(seat)]:
        yield "the other player", played(other(seat), theirs[0], line, step.face == "up", source)


def _shift_wrong(table: Table, text: Text, step: Instruction, event: Event) -> Iterator[tuple[str, Event]]:
    card = str(event["card"])
    yield "to its own line", shifted(card, table.where(card)[1])
    if not step.together:
        for fitting in table.candidates(text, step.target):
            for goal in LINES:
                if goal != table.where(fitting)[1] and goal not in table.goals(text, step, fitting):
                    yield "to a line that is not meant", shifted(fitting, goal)


def _flip_wrong(table: Table, text: Text, step: Instruction, event: Event) -> Iterator[tuple[str, Event]]:
    card = str(event["card"])
    yield "to the face it shows", flipped(card, table.placed(card).up)


def _reveal_wrong(table: Table, text: Text, step: Instruction, event: Event) -> Iterator[tuple[str, Event]]:
    if step.target is None:
        seat = table.seat_of(text, step.who)
        hand, theirs = table.hand[seat], table.hand[other(seat)]
        number = len(hand) if step.count == "all" else 1
        yield "the other player", revealed(other(seat), theirs[:number])
        if step.count == "all":
            yield "one card fewer", revealed(seat, hand[:-1])
        elif len(hand) > 1:
            yield "one card more", revealed(seat, hand[:2])
    else:
        fitting = table.candidates(text, step.target)
        if len(fitting) > 1:
            yield "one card more", revealed(table.seat_of(text, step.who), fitting[:2])


def _give_wrong(table: Table, text: Text, step: Instruction, event: Event) -> Iterator[tuple[str, Event]]:
    giver = table.seat_of(text, step.who)
    yield "the other player", changed(table.hand[other(giver)][0], other(giver), "gave")
    yield "a card of the deck", changed(table.deck[giver][0], giver, "gave")


def _take_wrong(table: Table, text: Text, step: Instruction, event: Event) -> Iterator[tuple[str, Event]]:
    taker = table.seat_of(text, step.who)
    yield "the other player", changed(table.hand[taker][0], taker, "took")
    yield "a card of the deck", changed(table.deck[other(taker)][0], other(taker), "took")


def _refresh_wrong(table: Table, text: Text, step: Instruction, event: Event) -> Iterator[tuple[str, Event]]:
    seat = table.seat_of(text, step.who)
    if other(seat) == "A":
        yield "the other player", {"type": "refreshed", "player": other(seat)}
    number = HAND - len(table.hand[seat])
    yield "one card more than a refresh gives", drew(seat, table.deck[seat][: number + 1], seat)


def _rearrange_wrong(table: Table, text: Text, step: Instruction, event: Event) -> Iterator[tuple[str, Event]]:
    side, by = table.seat_of(text, step.side), table.seat_of(text, step.who)
    now, theirs = table.protocols[side], table.protocols[other(side)]
    yield "the order that is there", rearranged(side, now, by)
    yield "the other side", rearranged(other(side), theirs[::-1], by)
    yield "the other player", rearranged(side, now[::-1], other(by))
    if step.do == "swap_protocols":
        yield "all three protocols", rearranged(side, [*now[1:], now[0]], by)


def _delete_wrong(table: Table, text: Text, step: Instruction, event: Event) -> Iterator[tuple[str, Event]]:
    yield from _wrong_number(table, text, step, lambda cards: {"type": "deleted", "cards": cards})


def _return_wrong(table: Table, text: Text, step: Instruction, event: Event) -> Iterator[tuple[str, Event]]:
    yield from _wrong_number(table, text, step, returned)


def _wrong_number(
    table: Table, text: Text, step: Instruction, written: Callable[[list[str]], Event]
) -> Iterator[tuple[str, Event]]:
    """Too many cards, or one of those that go together left out; cards of two lines."""
    groups = [cards for _, cards in table.groups(text, step)]
    if step.count != "all":
        if len(groups) > 1:
            yield "one card more", written(groups[0] + groups[1])
        return
    whole = max(groups, key=len)
    fewest = 2 if step.do == "return" else 1  # cards returned together may be written down one by one
    for left_out in whole if len(whole) > fewest else ():
        yield f"without {_called(table, text, left_out)}", written([card for card in whole if card != left_out])
    if len(groups) > 1:
        yield "in two lines", written(groups[0] + groups[1])
    assert step.target is not None
    line = table.where(whole[0])[1]
    for card in table.on_field():
        flaws = table.flaws(text, step.target, card)
        if table.where(card)[1] == line and len(flaws) == 1:
            yield f"and a card of wrong {flaws[0]}", written([*whole, card])


def _called(table: Table, text: Text, card: str) -> str:
    return " ".join(map(str, table.kind(text, card)[:3]))


def _wrong_targets(
    table: Table, text: Text, step: Instruction, rounds: list[object], event: Event
) -> Iterator[tuple[str, Event]]:
    """A card for each word of the target that fails this word and no other; and one of the wrong rank or line."""
    assert step.target is not None
    fitting = table.candidates(text, step.target)
    here = table.where(text.card)[1]
    for card in table.on_field():
        flaws = table.flaws(text, step.target, card)
        line = table.where(card)[1]
        if step.in_lines and line not in rounds:
            flaws.append("line" if line == here else "line, which had its turn")
        if len(flaws) == 1:
            yield f"a card of wrong {flaws[0]}", _done_to(table, text, step, event, card)
        elif not flaws and step.target.rank and card not in fitting:
            yield "a card of wrong rank", _done_to(table, text, step, event, card)
        elif step.target.line_holds and table.flaw(text, step.target, card) == "line holds":
            yield "a card of too short a line", _done_to(table, text, step, event, card)


def _not_the_card_named(table: Table, text: Text, step: Instruction, event: Event) -> Iterator[tuple[str, Event]]:
    named = table.candidates(text, step.target)
    for card in table.on_field():
        if card not in named and table.is_uncovered(card):
            yield "another card than the one named", _done_to(table, text, step, event, card)


def _done_to(table: Table, text: Text, step: Instruction, event: Event, card: str) -> Event:
    if step.do == "flip":
        return flipped(card, not table.placed(card).up)
    if step.do == "shift":
        lines = table.goals(text, step, card) or [line for line in LINES if line != table.where(card)[1]]
        return shifted(card, lines[0])
    if step.do == "reveal":
        return {**event, "cards": [card]}
    return returned([card]) if step.do == "return" else {"type": "deleted", "cards": [card]}


WAYS: dict[str, Callable[[Table, Text, Instruction, Event], Iterator[tuple[str, Event]]]] = {
    "draw": _draw_wrong,
    "discard": _discard_wrong,
    "play": _play_wrong,
    "shift": _shift_wrong,
    "flip": _flip_wrong,
    "reveal": _reveal_wrong,
    "give": _give_wrong,
    "take": _take_wrong,
    "refresh": _refresh_wrong,
    "rearrange": _rearrange_wrong,
    "delete": _delete_wrong,
    "return": _return_wrong,
    "swap_protocols": _rearrange_wrong,
}
