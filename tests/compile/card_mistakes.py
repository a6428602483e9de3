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
    if step.do == "play":
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
    if step.matching:
        yield from _search_wrong(table, text, step, seat, cards)
        return
    yield "one card more", drew(seat, table.deck[owner][: len(cards) + 1], owner)
    if len(cards) > 1:
        yield "one card fewer", drew(seat, cards[:-1], owner)
    yield "the other player", drew(other(seat), table.deck[other(seat)][: len(cards)], other(seat))
    yield "the other deck", drew(seat, table.deck[other(owner)][: len(cards)], other(owner))


def _search_wrong(
    table: Table, text: Text, step: Instruction, seat: str, cards: list[str]
) -> Iterator[tuple[str, Event]]:
    others = [card for card in table.deck[seat] if not table.shows(text, step, card)]
    yield "a card of another kind", drew(seat, [*cards[1:], others[0]], seat)
    yield "one card more", drew(seat, [*cards, others[0]], seat)
    if len(cards) > 1:
        yield "one card fewer", drew(seat, cards[1:], seat)


def _from_deck_wrong(table: Table, step: Instruction, event: Event) -> Iterator[tuple[str, Event]]:
    seat, cards = str(event["player"]), event["cards"]
    assert isinstance(cards, list)
    owner = str(event.get("deck", seat))
    if step.count != "all":
        yield "another card than the top one", {**event, "cards": table.deck[owner][1:2]}
        yield "one card more", {**event, "cards": table.deck[owner][:2]}
    else:
        yield "one card fewer", {**event, "cards": cards[:-1]}
    plain = {key: value for key, value in event.items() if key != "deck"}
    theirs = table.deck[other(owner)][: len(cards)]
    yield "the other deck", {**plain, "cards": theirs, **({"deck": other(seat)} if owner == seat else {})}
    yield "from hand", discarded(seat, table.hand[seat][:1])


def _both_wrong(table: Table, event: Event) -> Iterator[tuple[str, Event]]:
    cards = event["cards"]
    assert isinstance(cards, list)
    if len(cards) > 1:
        yield "one card fewer", {**event, "cards": cards[:-1]}


def _discard_wrong(table: Table, text: Text, step: Instruction, event: Event) -> Iterator[tuple[str, Event]]:
    if str(step.source).endswith("deck"):
        yield from _from_deck_wrong(table, step, event)
        return
    if step.who == "both":
        yield from _both_wrong(table, event)
        return
    seat = table.seat_of(text, step.who)
    if step.into:
        yield "to the own trash", {key: value for key, value in event.items() if key != "trash"}
    hand, number = table.hand[seat], len(event["cards"])
    if not step.is_open and len(hand) > number:
        yield "one card more", discarded(seat, hand[: number + 1])
    if number > 1 and not step.is_open:
        yield "one card fewer", discarded(seat, hand[: number - 1])
    if len(hand) > number or not table.answers(seat, "after_you_discard"):
        yield "the other player", discarded(other(seat), table.hand[other(seat)][:number])
    yield "a card of the deck", discarded(seat, table.deck[seat][:1])


def _play_wrong(table: Table, text: Text, step: Instruction, event: Event) -> Iterator[tuple[str, Event]]:
    seat = table.seat_of(text, step.who)
    card, line = str(event["card"]), int(str(event["line"]))
    if str(step.source) not in ("hand", "deck"):
        yield from _strange_play_wrong(table, step, event)
        return
    if step.on_side:
        yield "on the own side", {key: value for key, value in event.items() if key != "side"}
        yield "the other face", {**event, "face": "up"}
        return
    for held in table.hand[seat] if step.matching else ():
        if not table.shows(text, step, held):
            yield "a card of another kind", played(seat, held, line, False, "hand")
    source = str(step.source)
    if step.face != "any":
        yield "the other face", played(seat, card, line, step.face == "down", source)
    for goal in LINES:
        yield "another line", played(seat, card, goal, step.face == "up", source)
    away = "deck" if source == "hand" else "hand"
    if seat == "A" and (cards := (table.deck if away == "deck" else table.hand)[seat]):
        yield "from elsewhere", played(seat, cards[0], line, step.face == "up", away)
    theirs = (table.hand if source == "hand" else table.deck)[other(seat)]
    if theirs and not step.may:  # after the last thing of a turn it may be the action of the next
        yield "the other player", played(other(seat), theirs[0], line, step.face == "up", source)


def _strange_play_wrong(table: Table, step: Instruction, event: Event) -> Iterator[tuple[str, Event]]:
    """A play from a trash, of a card just drawn, or from the other deck."""
    seat = str(event["player"])
    if step.face != "any":
        yield "the other face", {**event, "face": "up" if step.face == "down" else "down"}
    for goal in LINES:
        yield "another line", {**event, "line": goal}
    elsewhere = {key: value for key, value in event.items() if key not in ("deck", "from")}
    yield "from elsewhere", {**elsewhere, "card": table.deck[seat][0], "from": "deck"}
    if step.source == "trash" and step.target is not None and len(table.trash[seat]) > 1:
        yield "another card", {**event, "card": next(c for c in table.trash[seat] if c != event["card"])}


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
    if step.source in ("deck", "trash", "just_drawn"):
        yield from _reveal_elsewhere_wrong(table, text, step, event)
        return
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


def _reveal_elsewhere_wrong(table: Table, text: Text, step: Instruction, event: Event) -> Iterator[tuple[str, Event]]:
    seat, cards = str(event["player"]), event["cards"]
    assert isinstance(cards, list)
    yield "the other player", {**event, "player": other(seat)}
    if step.source == "deck" and step.count == "all":
        yield "one card fewer", {**event, "cards": cards[:-1]}
    elif step.source == "deck":
        yield "another card than the top one", {**event, "cards": table.deck[seat][1:2]}
    else:
        yield "a card that is not there", {**event, "cards": table.deck[seat][:1]}
    if step.source == "just_drawn":
        yield from (
            ("a card of another kind", {**event, "cards": [card]})
            for card in text.drawn
            if not table.shows(text, step, card)
        )


def _shuffle_wrong(table: Table, text: Text, step: Instruction, event: Event) -> Iterator[tuple[str, Event]]:
    seat, deck = str(event["player"]), event["deck"]
    assert isinstance(deck, list)
    yield "the other player", {**event, "player": other(seat), "deck": table.deck[other(seat)]}
    yield "without a card of it", {**event, "deck": deck[1:]}


def _state_wrong(table: Table, text: Text, step: Instruction, event: Event) -> Iterator[tuple[str, Event]]:
    yield "the other player", {**event, "player": other(str(event["player"]))}
    if step.do == "state_protocol":
        yield "no protocol at all", {**event, "protocol": "none"}


def _put_on_deck_wrong(table: Table, text: Text, step: Instruction, event: Event) -> Iterator[tuple[str, Event]]:
    yield "on the own deck", {**event, "deck": text.seat}


def _claim_wrong(table: Table, text: Text, step: Instruction, event: Event) -> Iterator[tuple[str, Event]]:
    yield "by the other player", changed(str(event["card"]), text.seat, "claimed")


def _swap_stacks_wrong(table: Table, text: Text, step: Instruction, event: Event) -> Iterator[tuple[str, Event]]:
    lines = event["lines"]
    assert isinstance(lines, list)
    yield "the other side", {**event, "side": other(str(event["side"]))}
    yield "one stack alone", {**event, "lines": [lines[0], lines[0]]}


def _mark_compiled_wrong(table: Table, text: Text, step: Instruction, event: Event) -> Iterator[tuple[str, Event]]:
    names = table.protocols[text.seat]
    yield "another protocol", {**event, "protocol": next(name for name in names if name != step.protocol)}
    yield "the other player", {**event, "player": other(text.seat)}


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
    if step.do in ("claim", "resolve_middle"):
        return {**event, "card": card}
    if step.do == "put_on_deck":
        return {**event, "cards": [card]}
    return returned([card]) if step.do == "return" else {"type": "deleted", "cards": [card]}


WAYS: dict[str, Callable[[Table, Text, Instruction, Event], Iterator[tuple[str, Event]]]] = {
    "draw": _draw_wrong, "discard": _discard_wrong, "play": _play_wrong, "shift": _shift_wrong, "flip": _flip_wrong,
    "reveal": _reveal_wrong, "give": _give_wrong, "take": _take_wrong, "refresh": _refresh_wrong,
    "rearrange": _rearrange_wrong, "delete": _delete_wrong, "return": _return_wrong,
    "swap_protocols": _rearrange_wrong, "shuffle_deck": _shuffle_wrong, "shuffle_trash_into_deck": _shuffle_wrong,
    "state_number": _state_wrong, "state_protocol": _state_wrong, "put_on_deck": _put_on_deck_wrong,
    "claim": _claim_wrong, "swap_stacks": _swap_stacks_wrong, "mark_compiled": _mark_compiled_wrong,
}  # fmt: skip
