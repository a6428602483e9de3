"""Compares readings of one game: the first event they judge differently, the passages behind it, the outcome."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypedDict, cast

from msgspec import Struct

from audit.core.auditor import Auditor
from audit.core.model import Event, Header, Verdict
from audit.core.names import Players
from audit.core.readings import Switch
from audit.core.ruleset import Ruleset, ruleset
from audit.core.sentences import switch_sentence
from audit.core.steps import Step
from replays.judging.annotate import Annotator
from replays.judging.differences import State, differences
from replays.judging.replay import with_reading
from replays.judging.sentences import JUDGE
from replays.judging.tally import FINDINGS, Tally
from replays.log.output import Object, StepTold
from replays.log.reader import Log, open_log


class PartingTold(TypedDict):
    """The first event that readings judge differently, as each has it."""

    seq: int
    said: Mapping[str, StepTold]


SwitchParting = TypedDict(
    "SwitchParting",
    {"name": str, "rules": Sequence[str], "editions": Sequence[str], "said": str, "from": int | None},
)
"""A point on which readings differ, and the first event that it changes."""


class DifferenceTold(TypedDict):
    """A place of the table, and what each reading has there."""

    place: str
    said: Mapping[str, str]


class ComparisonTold(TypedDict):
    """A game under several readings."""

    log: str
    game: str
    readings: Sequence[str]
    parting: PartingTold | None
    switches: Sequence[SwitchParting]
    differences: Sequence[DifferenceTold]
    findings: Mapping[str, int]
    ends: Mapping[str, Object]
    differences_at_the_end: Sequence[DifferenceTold]


class SwitchChangesTold(TypedDict):
    """A point on which readings differ, and the games that it changes."""

    switch: str
    games: int
    places: Sequence[str]
    editions: Sequence[str]
    rules: Sequence[str]
    said: str


class Parting(Struct, frozen=True):
    """The first event of which two readings do not say the same."""

    seq: int
    said: Mapping[str, Step]


class Comparison(Struct, frozen=True):
    """A game under several readings: where they part (None: they never do), and each one's findings and end.

    `changes` are the switches between them that change this game when turned on alone, with the event from which.
    """

    log: str
    game: str
    readings: tuple[str, ...]
    parting: Parting | None
    switches: tuple[Switch, ...]
    findings: Mapping[str, int]
    ends: Mapping[str, State]
    changes: Mapping[str, int] = {}
    header: Header | None = None


def compare(log: Log, readings: Sequence[str]) -> Comparison:
    """Judge a log by each reading, event by event.

    Raises `UnknownReadingError` or `SetupError` for the header and `LogError` where the log cannot be read.
    """
    game = ruleset(log.header.ruleset)
    return compared(game, log.header, list(log), tuple(readings), log.name)


def compared(
    game: Ruleset[object], header: Header, events: Sequence[Event], readings: tuple[str, ...], name: str = ""
) -> Comparison:
    """The same for events that are at hand already."""
    auditors = {reading: Auditor(game.rules, with_reading(header, reading)) for reading in readings}
    judged = {reading: auditor.judge_all(events) for reading, auditor in auditors.items()}
    tallies = {reading: Tally() for reading in readings}
    parting: Parting | None = None
    for event in events:
        said = {reading: next(steps) for reading, steps in judged.items()}
        for reading, steps in said.items():
            for step in steps:
                tallies[reading].count(step)
        if parting is None:
            first, *others = (_outcome(game, steps, JUDGE) for steps in said.values())
            if any(other != first for other in others):
                parting = Parting(event.seq, {reading: steps[-1] for reading, steps in said.items()})
    switches = between(game, readings)
    return Comparison(
        name, header.game, readings, parting, switches,
        {reading: sum(tally.counts[name] for name in FINDINGS) for reading, tally in tallies.items()},
        {reading: game.disclosure.view(auditor.state, JUDGE) for reading, auditor in auditors.items()},
        changing(game, header, events, only={switch.name for switch in switches}) if parting else {},
        header,
    )  # fmt: skip


def _outcome(game: Ruleset[object], steps: Sequence[Step], viewer: str) -> tuple[Verdict, object]:
    """How an event was judged, and the position after it as that viewer may know it."""
    return steps[-1].verdict, game.disclosure.view(steps[-1].state, viewer)


def between(game: Ruleset[object], readings: Sequence[str]) -> tuple[Switch, ...]:
    """The switches on which these readings differ."""
    sets = [game.rules.reading(reading) for reading in readings]
    return tuple(switch for switch in game.rules.switches if len({switch.name in on for on in sets}) > 1)


def changing(
    game: Ruleset[object],
    header: Header,
    events: Sequence[Event],
    viewer: str = JUDGE,
    only: Collection[str] | None = None,
) -> dict[str, int]:
    """For each switch (of `only` these) that changes this game when turned on alone, the event from which it does.

    Only what that viewer may know counts as a change.
    """
    names = [switch.name for switch in game.rules.switches if only is None or switch.name in only]
    standard = Auditor(game.rules, with_reading(header, "standard")).judge_all(events)
    alone = {name: Auditor(game.rules, with_reading(header, f"standard+{name}")).judge_all(events) for name in names}
    found: dict[str, int] = {}
    for event in events if alone else ():
        usual = _outcome(game, next(standard), viewer)
        for name in [name for name in alone if name not in found]:
            if _outcome(game, next(alone[name]), viewer) != usual:
                found[name] = event.seq
    return found


def comparison_json(comparison: Comparison, ruleset_name: str, language: str = "en") -> ComparisonTold:
    """A comparison in its published shape."""
    game = ruleset(ruleset_name)
    annotator = Annotator(game, language, header=comparison.header)
    parting: PartingTold | None = None
    if comparison.parting:
        steps = comparison.parting.said.items()
        said = {reading: cast(StepTold, annotator.step(step)) for reading, step in steps}
        parting = {"seq": comparison.parting.seq, "said": said}
    return {
        "log": comparison.log,
        "game": comparison.game,
        "readings": list(comparison.readings),
        "parting": parting,
        "switches": [
            {
                "name": switch.name,
                "rules": [rule.id for rule in switch.rules],
                "editions": list(switch.editions),
                "said": switch_sentence(game, switch.name, language),
                "from": comparison.changes.get(switch.name),
            }
            for switch in comparison.switches
        ],
        "differences": _rows(after(game, comparison), game, language, annotator.players),
        "findings": dict(comparison.findings),
        "ends": dict(comparison.ends),
        "differences_at_the_end": _rows(comparison.ends, game, language, annotator.players),
    }


def after(game: Ruleset[object], comparison: Comparison, viewer: str = JUDGE) -> Mapping[str, State]:
    """The position after the event at which the readings part, by reading; nothing where they never do."""
    said = comparison.parting.said if comparison.parting else {}
    return {reading: game.disclosure.view(step.state, viewer) for reading, step in said.items()}


def _rows(states: Mapping[str, State], game: Ruleset[object], language: str, players: Players) -> list[DifferenceTold]:
    return [{"place": row.place, "said": dict(row.said)} for row in differences(game, states, language, players)]


class ReadingChange(Struct, frozen=True):
    """One switch in one game: the first event that it makes go another way."""

    switch: str
    game: str
    title: str
    seq: int


def changes_of(id: str, data: bytes, viewer: str = JUDGE) -> tuple[ReadingChange, ...]:
    """What each switch alone changes in a game, given as its log's bytes, as far as that viewer may know it."""
    return _changes(open_log(io.BytesIO(data)), id, viewer)


def most_consequential(
    changes: Iterable[ReadingChange], switches: Iterable[str] = ()
) -> list[tuple[str, list[ReadingChange]]]:
    """The switches with the games they changed, the most consequential first; `switches` are named in any case."""
    found: dict[str, list[ReadingChange]] = {name: [] for name in switches}
    for change in changes:
        found.setdefault(change.switch, []).append(change)
    return sorted(found.items(), key=lambda entry: -len(entry[1]))


def logged_changes(log: Log) -> tuple[ReadingChange, ...]:
    """What each switch alone changes in the game of a log."""
    return _changes(log, log.name, JUDGE)


def _changes(log: Log, id: str, viewer: str) -> tuple[ReadingChange, ...]:
    found = changing(log.ruleset, log.header, list(log), viewer)
    return tuple(ReadingChange(name, id, log.header.game or id, seq) for name, seq in found.items())
