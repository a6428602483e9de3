"""One game under several readings: where they part, which passages make them part, and what comes of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from audit.auditor import Auditor
from audit.model import Event, Header
from audit.readings import Switch
from audit.ruleset import Ruleset, ruleset
from audit.steps import Step
from replays.annotate import Annotator, Json, Tally, with_reading
from replays.log import Log


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


def _differ(game: Ruleset[object], said: Mapping[str, list[Step]]) -> bool:
    first, *others = said.values()
    return any(
        other[-1].verdict is not first[-1].verdict or game.view(other[-1].state) != game.view(first[-1].state)
        for other in others
    )


def _findings(tally: Tally) -> int:
    return sum(tally.counts[name] for name in ("illegal", "impossible", "undetermined"))


def _between(game: Ruleset[object], readings: tuple[str, ...]) -> tuple[Switch, ...]:
    """The switches that are on in some of the readings and off in others."""
    sets = [game.reading(reading) for reading in readings]
    return tuple(switch for switch in game.switches if len({switch.name in on for on in sets}) > 1)


def changing(game: Ruleset[object], header: Header, events: Sequence[Event]) -> dict[str, int]:
    """For each switch that changes this game when turned on alone, the event from which it does."""
    found = {}
    for switch in game.switches:
        parting = compared(game, header, events, ("standard", f"standard+{switch.name}")).parting
        if parting:
            found[switch.name] = parting.seq
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
