"""One game under several readings: where they part, which passages make them part, and what comes of it."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from audit.auditor import Auditor
from audit.model import Event, Header
from audit.readings import Switch
from audit.ruleset import Ruleset, ruleset, rulesets
from audit.steps import Step
from replays.annotate import JUDGE, Annotator, Json, Tally, with_reading
from replays.log import Log, open_log

if TYPE_CHECKING:
    from replays.store import Store


class Parting(Struct, frozen=True):
    """The first event of which two readings do not say the same."""

    seq: int
    said: Mapping[str, Step]


class Comparison(Struct, frozen=True):
    """A game under several readings: where they part (None: they never do), and each one's findings and end."""

    log: str
    game: str
    readings: tuple[str, ...]
    parting: Parting | None
    switches: tuple[Switch, ...]
    findings: Mapping[str, int]
    ends: Mapping[str, object]


def compare(log: Log, readings: Sequence[str]) -> Comparison:
    """Judge a log by each reading, event by event.

    Raises `UnknownReadingError` or `SetupError` for the header and `LogError` where the log cannot be read.
    """
    game = ruleset(log.header.ruleset)
    return compared(game, log.header, log, tuple(readings), log.name)


def compared(
    game: Ruleset[object], header: Header, events: Iterable[Event], readings: tuple[str, ...], name: str = ""
) -> Comparison:
    """The same for events that are at hand already."""
    auditors = {reading: Auditor(game, with_reading(header, reading)) for reading in readings}
    tallies = {reading: Tally() for reading in readings}
    parting: Parting | None = None
    for event in events:
        said = {reading: auditor.judge(event) for reading, auditor in auditors.items()}
        for reading, steps in said.items():
            for step in steps:
                tallies[reading].count(step)
        if parting is None and _differ(game, said):
            parting = Parting(event.seq, {reading: steps[-1] for reading, steps in said.items()})
    return Comparison(
        name, header.game, readings, parting, _between(game, readings),
        {reading: _findings(tally) for reading, tally in tallies.items()},
        {reading: game.view(auditor.state) for reading, auditor in auditors.items()},
    )  # fmt: skip


def _differ(game: Ruleset[object], said: Mapping[str, list[Step]], viewer: str = JUDGE) -> bool:
    first, *others = said.values()
    return any(
        other[-1].verdict is not first[-1].verdict
        or game.view(other[-1].state, viewer) != game.view(first[-1].state, viewer)
        for other in others
    )


def _findings(tally: Tally) -> int:
    return sum(tally.counts[name] for name in ("illegal", "impossible", "undetermined"))


def _between(game: Ruleset[object], readings: tuple[str, ...]) -> tuple[Switch, ...]:
    """The switches that are on in some of the readings and off in others."""
    sets = [game.reading(reading) for reading in readings]
    return tuple(switch for switch in game.switches if len({switch.name in on for on in sets}) > 1)


def changing(
    game: Ruleset[object], header: Header, events: Sequence[Event], viewer: str = JUDGE
) -> dict[str, int]:
    """For each switch that changes this game when turned on alone, the event from which it does.

    Only what that viewer may know counts as a change.
    """
    standard = Auditor(game, with_reading(header, "standard"))
    alone = {s.name: Auditor(game, with_reading(header, f"standard+{s.name}")) for s in game.switches}
    found: dict[str, int] = {}
    for event in events if alone else ():
        said = standard.judge(event)
        for name in [name for name in alone if name not in found]:
            if _differ(game, {"standard": said, name: alone[name].judge(event)}, viewer):
                found[name] = event.seq
    return found


def consequences(logs: Iterable[Log], *, as_json: bool = False) -> Iterator[str]:
    """For each switch in how many of the games it ever changed anything, the most consequential first."""
    changed: dict[str, list[str]] = {}
    for log in logs:
        game = ruleset(log.header.ruleset)
        for switch in game.switches:
            changed.setdefault(switch.name, [])
        for name, seq in changing(game, log.header, list(log)).items():
            changed[name].append(f"{log.name}:{seq}")
    for name, places in sorted(changed.items(), key=lambda entry: -len(entry[1])):
        if as_json:
            yield json.dumps({"switch": name, "games": len(places), "places": places})
        else:
            yield f"{len(places):>6}  {name}  {'  '.join(places[:5])}".rstrip()


def comparison_json(comparison: Comparison, ruleset_name: str, language: str = "en") -> Json:
    """A comparison in its published shape."""
    game = ruleset(ruleset_name)
    annotator = Annotator(game, language)
    parting: Json | None = None
    if comparison.parting:
        parting = {
            "seq": comparison.parting.seq,
            "said": {reading: annotator.step(step) for reading, step in comparison.parting.said.items()},
        }
    return {
        "log": comparison.log,
        "game": comparison.game,
        "readings": list(comparison.readings),
        "parting": parting,
        "switches": [
            {"name": switch.name, "rules": [rule.id for rule in switch.rules], "editions": list(switch.editions)}
            for switch in comparison.switches
        ],
        "findings": dict(comparison.findings),
        "ends": dict(comparison.ends),
    }


def comparison_lines(comparison: Comparison, ruleset_name: str, language: str) -> list[str]:
    """A comparison for a reader."""
    game = ruleset(ruleset_name)
    annotator = Annotator(game, language)
    lines = [f"{comparison.log}  {comparison.game}".rstrip()]
    for switch in comparison.switches:
        lines.append(f"  {switch.name} ({', '.join(switch.editions)})")
        lines += [f"      {rule.id}  {game.catalogue.statement(rule, language)}" for rule in switch.rules]
    if comparison.parting is None:
        return [*lines, "  " + " = ".join(comparison.readings)]
    lines.append(f"  seq {comparison.parting.seq}:")
    for reading, step in comparison.parting.said.items():
        told = annotator.step(step)
        lines.append(f"    {reading:10} {step.verdict.value:12} {told.get('message') or told['sentence']}")
    lines.append("  " + "  ".join(f"{reading}: {n}" for reading, n in comparison.findings.items()))
    return lines


class Change(Struct, frozen=True):
    """One switch in one game: the first event that it makes go another way."""

    switch: str
    game: str
    title: str
    seq: int


def changes_of(id: str, data: bytes, viewer: str = JUDGE) -> tuple[Change, ...]:
    """What each switch alone changes in a game, given as its log's bytes, as far as that viewer may know it."""
    log = open_log(io.BytesIO(data))
    game, header = ruleset(log.header.ruleset), log.header
    title = header.game or id
    return tuple(Change(name, id, title, seq) for name, seq in changing(game, header, list(log), viewer).items())


def stored_changes(store: Store, ruleset_name: str = "") -> Iterator[Change]:
    """What each switch alone changes in every game of the store (of one ruleset, where it is named)."""
    store.follow()
    number = 1
    while rows := store.shown.games("", ruleset=ruleset_name, page=number).rows:
        for row in rows:
            yield from changes_of(row.id, store.export(row.id))
        number += 1


def most_consequential(changes: Iterable[Change], switches: Iterable[str] = ()) -> list[tuple[str, list[Change]]]:
    """The switches with the games they changed, the most consequential first; `switches` are named in any case."""
    found: dict[str, list[Change]] = {name: [] for name in switches}
    for change in changes:
        found.setdefault(change.switch, []).append(change)
    return sorted(found.items(), key=lambda entry: -len(entry[1]))


def stored_consequences(store: Store, ruleset_name: str = "", *, as_json: bool = False) -> Iterator[str]:
    """The same in lines, as `consequences` gives them for logs."""
    wanted = [ruleset_name] if ruleset_name else rulesets()
    names = [switch.name for name in wanted for switch in ruleset(name).switches]
    for name, changes in most_consequential(stored_changes(store, ruleset_name), names):
        places = [f"{change.game}:{change.seq}" for change in changes]
        if as_json:
            yield json.dumps({"switch": name, "games": len(places), "places": places})
        else:
            yield f"{len(places):>6}  {name}  {'  '.join(places[:5])}".rstrip()
