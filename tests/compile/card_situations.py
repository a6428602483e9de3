"""Situations for every card, made from the facts: a text carried out, and everything about it got wrong once.

Each starts in the middle of a game, with cards of every kind on the table: own and opposing, covered and uncovered,
face up and down. What then happens, and what the table looks like afterwards, is what `card_table` makes of the facts.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from tests.compile.card_events import Event, discarded, played
from tests.compile.card_facts import Card, InForce, Instruction, Waiting, instructions
from tests.compile.card_facts import cards as all_facts
from tests.compile.card_table import LINES, BeyondThisTable, Key, PlacedCard, Table, Wrong

TURN = 5
HERE = 1

ENDINGS: Mapping[str, Event] = {
    "start": {"type": "phase_began", "phase": "control"},
    "compile": {"type": "phase_began", "phase": "cache"},
    "action": {"type": "phase_began", "phase": "cache"},
    "cache": {"type": "phase_began", "phase": "end"},
    "end": {"type": "turn_began", "player": "B", "turn": TURN + 1},
}
"""What ends a situation, by the phase it starts in: everything due has happened before."""

PHASES = {"start": "start", "end": "end", "after_you_clear_cache": "cache", "before_compile_delete": "compile"}
"""The phase in which a moment comes; the others come in the action."""

HELPERS = {
    "after_you_delete": ("death-3", "fire-1"),
    "after_opponent_discards": ("psychic-3", "plague-0"),
    "after_you_discard": ("speed-5", "fire-5"),
    "after_opponent_draws": ("love-6",),
    "before_return_to_opponent": ("fear-2",),
}
"""Cards that make a moment come, when one of them is played."""

MINE = ("death", "speed", "apathy", "psychic", "plague", "light", "fire")
THEIRS = ("plague", "fire", "light", "psychic", "apathy", "speed", "death")
"""Protocols with a card that lies there quietly; the first that are free take part."""


@dataclass(frozen=True)
class Situation:
    """A position, what is written down, and what has to be said of it.

    Carried out: `wrong` is None, and `after` is the table afterwards. Broken: the last event is the wrong one.
    """

    name: str
    at: frozenset[str]
    position: dict[str, object]
    log: tuple[Event, ...]
    chosen: tuple[Event, ...] = ()
    after: dict[str, object] | None = None
    how: str | None = None


@dataclass(frozen=True)
class Stage:
    """Where a text is tried: the card, the phase, and what is unusual about the table."""

    card: str
    phase: str = "action"
    is_on_field: bool = False
    helper: str | None = None
    is_alone: bool = False
    is_covered: bool = False
    holds: int = 0
    has_no_hand: bool = False
    has_trash: bool = False
    is_behind: bool = False
    kin: int = 0
    has_kin_in_hand: bool = False


def is_quiet(card: Card, phase: str | None) -> bool:
    """Whether nothing happens when the card comes to lie open; `phase` is that of its owner's turn."""
    moments = [item.when for items in card.boxes.values() for item in items if isinstance(item, Waiting)]
    rules = [item.rule for items in card.boxes.values() for item in items if isinstance(item, InForce)]
    due_now = [when for when in moments if when not in ("start", "end", "before_compile_delete") or when == phase]
    return not card.boxes["middle"] and not due_now and set(rules) <= {"line_total"}


class Supply:
    """The cards of a side that are not on the table yet."""

    def __init__(self, facts: Mapping[str, Card], protocols: list[str], phase: str | None) -> None:
        self.facts, self.phase = facts, phase
        self.left = [card.id for name in protocols for card in facts.values() if card.protocol == name]

    def take(self, card: str) -> str:
        """That card."""
        self.left.remove(card)
        return card

    def quiet(self) -> str:
        """A card that lies quietly where it can be read."""
        found = (card for card in self.left[::-1] if is_quiet(self.facts[card], self.phase))
        return self.take(card) if (card := next(found, None)) else self.plain(is_low=True)

    def plain(self, *, is_low: bool = False) -> str:
        """A card without a text that works from below, of a high value or of a low one."""
        found = [
            card for card in self.left if not self.facts[card].boxes["top"] and not self.facts[card].boxes["bottom"]
        ]
        return self.take(sorted(found, key=lambda card: (-1 if is_low else 1) * self.facts[card].value)[-1])

    def kin(self, card: str, number: int) -> list[PlacedCard]:
        """So many more cards of the protocol of that card, face up."""
        protocol = self.facts[card].protocol
        found = [other for other in self.left[::-1] if self.facts[other].protocol == protocol]
        return [PlacedCard(self.take(other), True) for other in found[:number]]

    def value(self, card: str) -> int:
        """What it counts face up."""
        return self.facts[card].value


def protocols_of(facts: Mapping[str, Card], stage: Stage) -> tuple[list[str], list[str]]:
    """Three protocols each, so that both sides have cards that lie quietly."""
    mine = [facts[card].protocol for card in (stage.card, stage.helper) if card]
    for name in MINE:
        if len(mine) < 3 and name not in mine and _has_quiet(facts, name, stage.phase):
            mine.append(name)
    return mine, [name for name in THEIRS if name not in mine and _has_quiet(facts, name, None)][:3]


def _has_quiet(facts: Mapping[str, Card], name: str, phase: str | None) -> bool:
    return any(is_quiet(card, phase) for card in facts.values() if card.protocol == name)


def table_for(facts: dict[str, Card], stage: Stage) -> Table:
    """The table before anything happens: the card in hand, or already on its line."""
    mine, theirs = protocols_of(facts, stage)
    a, b = Supply(facts, mine, stage.phase), Supply(facts, theirs, None)
    a.take(stage.card)
    if stage.helper:
        a.take(stage.helper)
    open_card, hidden_quiet = sorted(
        [a.quiet(), a.quiet()], key=lambda card: (not is_quiet(facts[card], stage.phase), a.value(card))
    )
    kin = a.kin(stage.card, stage.kin)
    own = [
        [] if stage.is_alone else [PlacedCard(a.plain(), True), PlacedCard(a.plain(), False)],
        [PlacedCard(a.plain(), False), PlacedCard(hidden_quiet, False)],
        [PlacedCard(open_card, True)],
    ]
    hidden, shown, below = sorted([b.quiet(), b.quiet(), b.quiet()], key=b.value)
    opposing = [
        [PlacedCard(below, True), PlacedCard(hidden, False)],
        [PlacedCard(b.plain(), True), PlacedCard(shown, True)],
        [PlacedCard(b.plain(), False), PlacedCard(b.plain(is_low=True), True)],
    ]
    own[1] = [*kin, *own[1]]
    if stage.is_behind:
        opposing[HERE - 1] = [PlacedCard(b.plain(), True), PlacedCard(b.plain(), True), *opposing[HERE - 1]]
    if stage.is_on_field:
        own[HERE - 1].append(PlacedCard(stage.card, True))
    if stage.is_covered:
        own[HERE - 1].append(PlacedCard(a.plain(), False))
    if missing := max(0, stage.holds - len(own[1]) - len(opposing[1])):
        own[1] = [*(PlacedCard(a.plain(), False) for _ in range(missing // 2)), *own[1]]
        opposing[1] = [*(PlacedCard(b.plain(), False) for _ in range(missing - missing // 2)), *opposing[1]]
    first = [card for card in (stage.card, stage.helper) if card and not (card == stage.card and stage.is_on_field)]
    if stage.phase == "compile":
        own[HERE - 1] = [PlacedCard(a.plain(), True), PlacedCard(a.plain(), True), *own[HERE - 1]]
    many = 0 if stage.has_no_hand else 7 if stage.phase == "cache" else 3
    hand = [*first, *a.left[-many:]] if many else first
    if stage.has_kin_in_hand:
        hand = [*hand, *[card for card in a.left if facts[card].protocol == mine[0] and card not in hand][-1:]]
    deck = [card for card in a.left if card not in hand]
    trash, deck = (deck[:2], deck[2:]) if stage.has_trash else ([], deck)
    return Table(
        facts, {"A": mine, "B": theirs}, {"A": own, "B": opposing},
        {"A": hand, "B": b.left[-4:]}, {"A": deck, "B": b.left[:-4]}, {"A": trash, "B": []},
    )  # fmt: skip


def position_of(table: Table, stage: Stage) -> dict[str, object]:
    """The table as the header of a log gives it."""
    sides = {
        seat: {
            "protocols": list(table.protocols[seat]),
            "lines": [table.names(seat, line) for line in LINES],
            "hand": list(table.hand[seat]),
            "deck": list(table.deck[seat]),
            "trash": list(table.trash[seat]),
        }
        for seat in "AB"
    }
    return {"sides": sides, "player": "A", "phase": stage.phase, "turn": TURN}


# What sets a text off

Run = Callable[[Table, Stage, Waiting | None], None]


def by_playing(table: Table, stage: Stage, item: Waiting | None) -> None:
    """The card is played face up in its own line."""
    table.write(played("A", stage.card, HERE, True))
    table.play("A", stage.card, HERE, True, "hand")


def by_its_phase(table: Table, stage: Stage, item: Waiting | None) -> None:
    """The phase has begun, and the text is seen."""
    assert item is not None
    table.moment(stage.card, item.when)


def by_covering(table: Table, stage: Stage, item: Waiting | None) -> None:
    """A card is played face down on this one."""
    card = table.hand["A"][-1]
    table.write(played("A", card, HERE, False))
    table.play("A", card, HERE, False, "hand")


def by_covering_with_its_kind(table: Table, stage: Stage, item: Waiting | None) -> None:
    """A card of the same protocol is played face up on this one."""
    protocol = table.facts[stage.card].protocol
    card = next(card for card in table.hand["A"] if table.facts[card].protocol == protocol)
    table.write(played("A", card, HERE, True))
    table.play("A", card, HERE, True, "hand")


def by_a_refresh(table: Table, stage: Stage, item: Waiting | None) -> None:
    """The player refreshes as the action."""
    table.write({"type": "refreshed", "player": "A"})
    table.refresh("A")


def by_the_cache(table: Table, stage: Stage, item: Waiting | None) -> None:
    """The player has more than five cards and discards down to them."""
    cards = table.hand["A"][:-5]
    table.write({"type": "cache_cleared", "player": "A"}, forced=True)
    table.write(discarded("A", cards))
    table.discard("A", cards)
    table.moment(stage.card, "after_you_clear_cache")


def by_a_helper(table: Table, stage: Stage, item: Waiting | None) -> None:
    """Another card is played, which does what the text waits for."""
    assert stage.helper is not None
    line = table.protocols["A"].index(table.facts[stage.helper].protocol) + 1
    table.write(played("A", stage.helper, line, True))
    table.play("A", stage.helper, line, True, "hand")


def by_a_compile(table: Table, stage: Stage, item: Waiting | None) -> None:
    """The line of the card is compiled."""
    table.write({"type": "compiled", "player": "A", "line": HERE})
    table.moment(stage.card, "before_compile_delete")
    gone = {seat: [placed.card for placed in table.stack(seat, HERE)] for seat in "AB"}
    table.write({"type": "deleted", "cards": [*gone["A"], *gone["B"]]}, forced=True)
    for seat, cards in gone.items():
        table.trash[seat] += cards
        table.stack(seat, HERE).clear()


MOMENTS: Mapping[str, Run] = {
    "start": by_its_phase, "end": by_its_phase, "before_covered": by_covering,
    "before_covered_or_flipped": by_covering, "before_compile_delete": by_a_compile,
    "after_you_clear_cache": by_the_cache, "after_you_draw": by_a_refresh, "after_you_delete": by_a_helper,
    "after_opponent_discards": by_a_helper, "after_you_discard": by_a_helper, "after_opponent_draws": by_a_helper,
    "before_return_to_opponent": by_a_helper, "after_you_refresh": by_a_refresh, "after_any_refresh": by_a_refresh,
    "before_covered_by_unity": by_covering_with_its_kind,
}  # fmt: skip
"""What sets off a moment. Those of the opponent's turn, and a few more, are written by hand."""


# All situations of a card


@dataclass(frozen=True)
class Trial:
    """One way to try a text: where, how it is set off, and which choice is made."""

    stage: Stage
    run: Run
    item: Waiting | None
    name: str = ""

    def play(self, facts: dict[str, Card], wanted: dict[str, Key]) -> tuple[Table, dict[str, object]]:
        """The table afterwards, and the position before."""
        table = table_for(facts, self.stage)
        position = position_of(table, self.stage)
        table.wanted = wanted
        self.run(table, self.stage, self.item)
        return table, position


def trials(card: Card) -> Iterator[Trial]:
    """The ways in which the texts of a card are tried."""
    if steps := [item for item in card.boxes["middle"] if isinstance(item, Instruction)]:
        holds = max((step.target.line_holds for step in steps if step.target), default=0)
        stage = Stage(card.id, holds=holds)
        yield Trial(stage, by_playing, None)
        if any(step.condition or (step.target and step.target.ref == "this") for step in steps):
            yield Trial(replace(stage, is_alone=True), by_playing, None, "alone in its stack")
        if any(step.do in ("discard", "play") and step.source == "hand" and step.who == "you" for step in steps):
            yield Trial(replace(stage, has_no_hand=True), by_playing, None, "with an empty hand")
        if any(step.source == "trash" or step.do == "shuffle_trash_into_deck" for step in steps):
            yield Trial(replace(stage, has_trash=True), by_playing, None, "with a trash")
        for kin in _kin_wanted(steps):
            yield Trial(replace(stage, kin=kin), by_playing, None, f"with {kin} of its kind")
        if holds:
            yield Trial(replace(stage, holds=holds - 1), by_playing, None, "with too few cards in the line")
    for box in ("top", "bottom"):
        for item in card.boxes[box]:
            if isinstance(item, Waiting) and item.when in MOMENTS:
                yield from _moment_trials(card, box, item)


def _kin_wanted(steps: list[Instruction]) -> list[int]:
    """How many more cards of its protocol the conditions of a text need on the field."""
    wanted = {"another_unity_in_field": 1, "unity_in_field_at_least": 4}
    return sorted({wanted[step.condition[0]] for step in steps if step.condition and step.condition[0] in wanted})


def _moment_trials(card: Card, box: str, item: Waiting) -> Iterator[Trial]:
    helpers = [helper for helper in HELPERS.get(item.when, ()) if not helper.startswith(card.protocol)]
    phase = PHASES.get(item.when, "action")
    by_kin = item.when == "before_covered_by_unity"
    stage = Stage(card.id, phase, is_on_field=True, helper=helpers[0] if helpers else None, has_kin_in_hand=by_kin)
    yield Trial(stage, MOMENTS[item.when], item)
    if any(step.do == "discard" for step in item.then) and not item.when.startswith("before_covered"):
        yield Trial(replace(stage, has_no_hand=True), MOMENTS[item.when], item, "with an empty hand")
    conditions = {step.condition[0] for step in item.then if step.condition}
    if "your_hand_empty" in conditions:
        yield Trial(replace(stage, has_no_hand=True), MOMENTS[item.when], item, "with an empty hand")
    if "opponent_leads_this_line" in conditions:
        yield Trial(replace(stage, is_behind=True), MOMENTS[item.when], item, "behind in its line")
    if box == "top" and not item.when.startswith("before_covered"):
        yield Trial(replace(stage, is_covered=True), MOMENTS[item.when], item, "while covered")


@cache
def situations(card: str) -> tuple[Situation, ...]:
    """Every situation of a card, carried out and broken; each name and each mistake once."""
    facts = all_facts()
    found: dict[str, Situation] = {}
    for trial in trials(facts[card]):
        for situation in _tried(facts, trial):
            found.setdefault(situation.name, situation)
    for situation in _never_set_off(facts, facts[card]):
        found.setdefault(situation.name, situation)
    return tuple(found.values())


def _tried(facts: dict[str, Card], trial: Trial) -> Iterator[Situation]:
    """The text tried as it comes, and then once with every other choice that comes up."""
    own = {item.at_ for item in instructions(facts[trial.stage.card])}
    known: set[tuple[str, Key]] = set()
    ahead: list[dict[str, Key]] = [{}]
    while ahead:
        wanted = ahead.pop(0)
        try:
            table, position = trial.play(facts, wanted)
        except BeyondThisTable:
            continue
        yield from _of(facts, trial, table, position, "; ".join(_told(at, key) for at, key in wanted.items()))
        for at, key in [(at, key) for at, keys in table.seen.items() for key in keys]:
            if at in own and at not in wanted and (at, key) not in known:
                known.add((at, key))
                ahead.append({**wanted, at: key})


def _told(at: str, key: Key) -> str:
    return f"{at.partition(' ')[2]}: {' '.join(str(part) for part in key)}"


def _of(
    facts: dict[str, Card], trial: Trial, table: Table, position: dict[str, object], choice: str
) -> Iterator[Situation]:
    name = ", ".join(part for part in (trial.stage.card, trial.name, choice) if part)
    ending = ENDINGS[trial.stage.phase]
    log = tuple(entry.event for entry in table.log)
    done = frozenset(entry.at for entry in table.log if entry.at and entry.event["type"] != "resolved")
    if trial.item and done:
        done |= {trial.item.at_}
    chosen = tuple(entry.event for entry in table.log if not entry.forced)
    yield Situation(name, done, position, (*log, ending), (*chosen, ending), table.shown())
    own = {item.at_ for item in instructions(facts[trial.stage.card])}
    for wrong in _wrongs(facts, table, ending):
        if wrong.at not in own:
            continue
        how = f"{wrong.at}: {wrong.how}" + (f" ({trial.name})" if trial.name else "")
        yield Situation(how, frozenset({wrong.at}), position, (*log[: wrong.index], wrong.event), how=wrong.how)


def _wrongs(facts: dict[str, Card], table: Table, ending: Event) -> Iterator[Wrong]:
    """What the table noted, and every step that may not be left out left out."""
    yield from table.wrongs
    optional = {
        item.at_ for card in facts.values() for item in instructions(card) if isinstance(item, Instruction) and item.may
    }
    for index, entry in enumerate(table.log):
        is_inferred = entry.forced or entry.event["type"] in ("shuffled", "reshuffled")
        if entry.at and not is_inferred and not any(entry.at.startswith(at) for at in optional):
            yield Wrong(index, entry.at, "left out", ending)


def _never_set_off(facts: dict[str, Card], card: Card) -> Iterator[Situation]:
    """A text is carried out though its moment has not come, though its card is covered or lies face down."""
    for box in ("top", "bottom"):
        for item in card.boxes[box]:
            if not isinstance(item, Waiting):
                continue
            event: Event = {"type": "triggered", "card": card.id, "command": box}
            stage = Stage(card.id, "action", is_on_field=True)
            name = f"{item.at_}: out of its time"
            yield Situation(name, frozenset({item.at_}), _place(facts, stage), (event,), how="out of its time")
            stage = Stage(card.id, item.when, is_on_field=True, is_covered=True)
            if box == "bottom" and item.when in ("start", "end"):
                name = f"{item.at_}: though covered"
                yield Situation(name, frozenset({item.at_}), _place(facts, stage), (event,), how="though covered")


def _place(facts: dict[str, Card], stage: Stage) -> dict[str, object]:
    return position_of(table_for(facts, stage), stage)


# Situations written by hand

FOLDER = Path(__file__).with_name("cards")


@cache
def by_hand() -> tuple[Situation, ...]:
    """The situations of the files in `cards/`, in their order."""
    files = sorted(FOLDER.glob("*.toml"))
    return tuple(_read(entry) for file in files for entry in tomllib.loads(file.read_text("utf-8"))["situation"])


def _read(entry: dict[str, Any]) -> Situation:
    at = [entry["at"]] if isinstance(entry["at"], str) else entry["at"]
    name = f"{at[0]}: {entry['title']}"
    log = tuple(entry["log"])
    after = None if "how" in entry else {zone: _in_order(zone, cards) for zone, cards in entry["after"].items()}
    return Situation(name, frozenset(at), entry["position"], log, log, after, entry.get("how"))


def _in_order(zone: str, cards: list[str]) -> list[str]:
    return sorted(cards) if zone.endswith(("hand", "trash")) else cards
