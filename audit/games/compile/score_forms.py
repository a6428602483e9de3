"""The short forms of Compile's events on a score sheet."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from audit.core.catalogue import words
from audit.core.event_rules import Json
from audit.core.written_forms import ScoreForm
from audit.games.compile.cards import CARDS, PACKAGE, PROTOCOLS, protocols_meant
from audit.games.compile.state import State

_NAME = re.compile(r"([^\W\d_]+)-?([0-9])")
_PLACE = re.compile(r"([AB])([1-3])(?:\.([1-9]))?")

SEAT_WORDS = "protocols"
"""What stands behind a player's name in the first line."""

SCORE_FORMS: tuple[ScoreForm, ...] = (
    ScoreForm("played", "{player} {card}* {line} {from=hand}", {"face": "down"}),
    ScoreForm("played", "{player} {card} {line} {face=up} {from=hand}"),
    ScoreForm("played", "{player} {card} {face} {line} {from=hand}"),
    ScoreForm("played", "{player} play {card}* {line} {from=hand}", {"face": "down"}),
    ScoreForm("played", "{player} play {card} {line} {face=up} {from=hand}"),
    ScoreForm("played", "{player} play {card} {face} {line} {from=hand}"),
    ScoreForm("played", "{player} {card}* {line} {from=hand} on {side}", {"face": "down"}),
    ScoreForm("played", "{player} {card} {line} {face=up} {from=hand} on {side}"),
    ScoreForm("played", "{player} {card}* {line} deck of {deck}", {"face": "down", "from": "deck"}),
    ScoreForm("played", "{player} {card} {line} {face=up} deck of {deck}", {"from": "deck"}),
    ScoreForm("played", "{player} {card} {face} {line} deck of {deck}", {"from": "deck"}),
    ScoreForm("played", "{player} play {card} {face} {line} deck of {deck}", {"from": "deck"}),
    ScoreForm("refreshed", "{player} refresh"),
    ScoreForm("compiled", "{player} compile {line}"),
    ScoreForm("recompiled", "{player} recompile {line}"),
    ScoreForm("flipped", "flip {card}*", {"face": "down"}),
    ScoreForm("flipped", "flip {card}"),
    ScoreForm("flipped", "flip {card} is {is}", {"face": "up"}),
    ScoreForm("flipped", "flip {card} {face}"),
    ScoreForm("flipped", "flip {card} {face} is {is}"),
    ScoreForm("shifted", "shift {card} {to}"),
    ScoreForm("shifted", "shift {card} {from} to {to}"),
    ScoreForm("deleted", "delete {cards}"),
    ScoreForm("returned", "return {card}"),
    ScoreForm("returned", "return {card} to {to}"),
    ScoreForm("returned", "return all {cards}"),
    ScoreForm("discarded", "{player} discard {cards} {from=hand}"),
    ScoreForm("discarded", "{player} discard {cards} deck of {deck}", {"from": "deck"}),
    ScoreForm("discarded", "{player} discard {cards} {from=hand} to {trash}"),
    ScoreForm("drew", "{player} draw {count}"),
    ScoreForm("drew", "{player} draw {cards}"),
    ScoreForm("drew", "{player} draw {count} from {deck}"),
    ScoreForm("drew", "{player} draw {cards} from {deck}"),
    ScoreForm("drew", "{player} draw {cards} count {count}"),
    ScoreForm("revealed", "{player} reveal {zone}"),
    ScoreForm("revealed", "{player} reveal {cards}"),
    ScoreForm("revealed", "{player} reveal {cards} is {is}"),
    ScoreForm("revealed", "{player} reveal {zone} {cards}"),
    ScoreForm("looked", "{player} look {cards}"),
    ScoreForm("looked", "{player} look"),
    ScoreForm("looked", "{player} look {zone} {cards}"),
    ScoreForm("identified", "{card} is {is}"),
    ScoreForm("owner_changed", "{from} gives {card} {to}", {"why": "gave"}),
    ScoreForm("owner_changed", "{to} takes {card} {from}", {"why": "took"}),
    ScoreForm("owner_changed", "{to} gets {card} {from}", {"why": "recompile"}),
    ScoreForm("owner_changed", "{to} claims {card} {from}", {"why": "claimed"}),
    ScoreForm("put_on_deck", "{deck} top {cards}"),
    ScoreForm("copied", "copy {card}"),
    ScoreForm("copied", "copy {card} by {by}"),
    ScoreForm("stacks_swapped", "{side} swap {lines}"),
    ScoreForm("protocol_turned", "{player} turn-over {protocol}"),
    ScoreForm("rearranged", "{side} rearrange {protocols}"),
    ScoreForm("rearranged", "{by} rearrange {side} {protocols}"),
    ScoreForm("chose", "{player} no", {"what": "permission", "accept": False}),
    ScoreForm("chose", "{player} yes", {"what": "permission", "accept": True}),
    ScoreForm("chose", "{player} no {card}", {"what": "permission", "accept": False}),
    ScoreForm("chose", "{player} yes {card}", {"what": "permission", "accept": True}),
    ScoreForm("chose", "{player} keep", {"what": "rearrange", "accept": False}),
    ScoreForm("chose", "{player} rearranges", {"what": "rearrange", "accept": True}),
    ScoreForm("chose", "{player} line {line}", {"what": "line"}),
    ScoreForm("chose", "{player} line {line} {card}", {"what": "line"}),
    ScoreForm("chose", "{player} choose {card}", {"what": "card"}),
    ScoreForm("chose", "{player} option {option}", {"what": "option"}),
    ScoreForm("chose", "{player} option {option} {card}", {"what": "option"}),
    ScoreForm("chose", "{player} order {order}", {"what": "order"}),
    ScoreForm("chose", "{player} number {number}", {"what": "number"}),
    ScoreForm("chose", "{player} protocol {protocol}", {"what": "protocol"}),
    ScoreForm("resolved", "no {card} {command=middle}", {"outcome": "declined"}),
    ScoreForm("resolved", "done {card} {command=middle}", {"outcome": "done"}),
    ScoreForm("resolved", "nothing {card} {command=middle}", {"outcome": "impossible"}),
    ScoreForm("resolved", "stop {card} {command=middle}", {"outcome": "stopped"}),
    ScoreForm("triggered", "text {card} {command=middle} {on=}"),
    ScoreForm("committed", "leave {card}"),
    ScoreForm("covered", "cover {card}"),
    ScoreForm("covered", "cover {card} by {by}"),
    ScoreForm("uncovered", "uncover {card}"),
    ScoreForm("landed", "land {card}"),
    ScoreForm("landed", "land {card} {line}"),
    ScoreForm("control_taken", "{player} control"),
    ScoreForm("control_reset", "{player} control back"),
    ScoreForm("reshuffled", "{player} reshuffle {deck=}"),
    ScoreForm("shuffled", "{player} shuffle {deck=}"),
    ScoreForm("cache_cleared", "{player} clear"),
    ScoreForm("passed", "{player} pass"),
    ScoreForm("drafted", "{player} draft {protocol}"),
    ScoreForm("turn_began", "{player} turn {turn}"),
    ScoreForm("phase_began", "phase {phase}"),
    ScoreForm("game_won", "{player} wins"),
    ScoreForm("game_ended", "end {reason}"),
    ScoreForm("game_ended", "{player} end {reason}"),
)


def cards_meant(word: str, setup: Json) -> tuple[str, ...]:
    """The cards of this game whose name begins so: `f3` or `Fire3` is Fire 3, as is `feu-3`.

    A protocol of the game that nobody here knows has cards of any value.
    """
    found = _NAME.fullmatch(word.casefold())
    if not found:
        return ()
    names = list(dict.fromkeys(_protocols_told(setup))) or list(PROTOCOLS)
    whole = [name for name in names if name == found[1] or name in protocols_meant(found[1])]
    meant = whole or [name for name in names if name.startswith(found[1])]
    return tuple(card for name in meant if (card := f"{name}-{found[2]}") in CARDS or name not in PROTOCOLS)


def seat_word_meant(word: str) -> str:
    """The protocol that a word behind a player's name means, in any language; the word itself where none or several."""
    meant = protocols_meant(word)
    return meant[0] if len(meant) == 1 else word


def score_card_in(word: str, language: str) -> str:
    """A card or a protocol as it is typed in a language: `feu-3` is fire-3."""
    name, hyphen, value = word.partition("-")
    return words(PACKAGE, language, "names").get(f"protocol.{name}", name).casefold() + hyphen + value


def _protocols_told(setup: Json) -> Iterator[str]:
    """The protocols that a setup names: those of the players, or those of the position with which the log begins."""
    told = _inside(setup, SEAT_WORDS)
    for side in (told or _inside(setup, "position", "sides")).values():
        names = side.get(SEAT_WORDS) if isinstance(side, Mapping) else side
        for name in names if isinstance(names, Sequence) else ():
            yield str(name.get("name") if isinstance(name, Mapping) else name)


def _inside(data: Mapping[str, object], *path: str) -> Mapping[str, object]:
    """The object under these keys, empty where there is none."""
    for key in path:
        inner = data.get(key)
        data = inner if isinstance(inner, Mapping) else {}
    return data


def card_at(state: State, place: str) -> str | None:
    """The card at a place: `A1` is the uncovered card of A's line 1, `A1.2` the second card from the protocol there."""
    found = _PLACE.fullmatch(place)
    if not found:
        return None
    stack = state.side(found[1]).lines[int(found[2]) - 1]
    index = int(found[3] or len(stack)) - 1
    return stack[index].card if 0 <= index < len(stack) else None
