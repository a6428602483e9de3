"""What the auditor says of kept logs and cases, step by step, to be compared with what was kept.

A change of what is said is not always a mistake. It has to be looked at, and then renewed: see `__main__`.
"""

from __future__ import annotations

import gzip
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from audit.auditor import audit
from audit.cases import cases_of, events_of, header_of
from audit.event_rules import Expectation, Violation
from audit.model import Event, Header, type_name
from audit.ruleset import Ruleset, ruleset
from audit.steps import Step

FOLDER = Path(__file__).parent
MAX_CANDIDATES = 8
"""So many events are noted of each thing expected."""


class KeptLog(msgspec.Struct, frozen=True):
    """A log as it was written down, and from which event on every word of its audit is noted."""

    name: str
    header: Header
    events: tuple[dict[str, Any], ...]
    since: int = 1


def logs(name: str) -> list[KeptLog]:
    """The kept logs of a game."""
    lines = gzip.decompress((FOLDER / f"{name}.logs.jsonl.gz").read_bytes()).splitlines()
    return [msgspec.json.decode(line, type=KeptLog) for line in lines]


def cases(name: str) -> list[KeptLog]:
    """The cases of a game as logs."""
    game = ruleset(name)
    found = [
        KeptLog(case.id, header_of(game, case), tuple({**event, "seq": n} for n, event in enumerate(case.log, 1)))
        for case in cases_of(f"audit.{name.replace('-', '_')}")
        if events_of(game, case)
    ]
    return [*found, *(_yaml_cases() if name == "altered" else ())]


def _yaml_cases() -> Iterator[KeptLog]:
    from tests.altered.situations import cases, header

    for case in cases():
        told = tuple({"seq": n, **event} for n, event in enumerate(case["events"], 1))
        yield KeptLog(case["id"], header(case["given"]), told)


def audited(log: KeptLog) -> list[Step]:
    """The steps of a kept log."""
    game = ruleset(log.header.ruleset)
    told = [msgspec.convert(event, game.rules.types[str(event["type"])]) for event in log.events]
    return list(islice(audit(game, log.header, told), 1, None))


def noted(log: KeptLog) -> list[Step]:
    """The steps of which every word is noted."""
    return [step for step in audited(log) if step.seq is None or step.seq >= log.since]


# Every word of a step


def told(game: Ruleset[Any], step: Step) -> Mapping[str, object]:
    """Everything that is said of a step, and what then lies on the table for each viewer."""
    viewers = ("judge", "public")
    return {
        "event": _event(step.event),
        "said": (step.verdict, [rule.id for rule in step.rules], step.because, step.guessed),
        "violations": [_violation(item) for item in step.violations],
        "instead": [_event(event) for event in (*step.expected, *step.candidates)],
        "expected": sorted(_expectation(step.before, item) for item in game.rules.expected(step.before)),
        "clock": game.rules.clock(step.state),
        "table": [(game.disclosure.view(step.state, v), game.disclosure.pending(step.state, v)) for v in viewers],
    }


def _event(event: Event | None) -> str:
    return msgspec.json.encode(event).decode()


def _violation(item: Violation) -> tuple[object, ...]:
    return item.rule.id, item.key, item.data, item.not_intended, item.unavailable


def _expectation(state: object, item: Expectation[object]) -> str:
    some = ", ".join(map(_event, islice(item.candidates(state), MAX_CANDIDATES)))
    return f"{type_name(item.event)} {item.obligation} {item.any_order} {[rule.id for rule in item.rules]} {some}"


def digest(words: Mapping[str, object]) -> str:
    """Four letters for all that is said of a step."""
    return hashlib.blake2s(msgspec.json.encode(words, order="sorted")).hexdigest()[:4]


def digests(log: KeptLog) -> list[str]:
    """For each step what is said of it."""
    game = ruleset(log.header.ruleset)
    return [digest(told(game, step)) for step in noted(log)]


# How often each judgement is given


def judgements(steps: Iterable[Step]) -> Counter[str]:
    """The verdicts with event, rules and what is wrong, and how often each is given."""
    return Counter(_judgement(step) for step in steps)


def _judgement(step: Step) -> str:
    rules = " ".join(rule.id for rule in step.rules)
    wrong = " ".join(f"{item.rule.id}:{item.key}" for item in step.violations)
    return "\t".join((step.verdict, type_name(type(step.event)) if step.event else "", rules, wrong))


# What was kept


def kept_digests(name: str) -> dict[str, list[str]]:
    """What was said of each step before, by the name of the log."""
    rows = (FOLDER / f"{name}.steps.tsv").read_text("utf-8").splitlines()
    return {log: words.split() for log, _, words in (row.partition("\t") for row in rows)}


def kept_judgements(name: str) -> dict[str, int]:
    """How often each judgement was given before."""
    rows = (FOLDER / f"{name}.judgements.tsv").read_text("utf-8").splitlines()
    return {judgement: int(number) for number, _, judgement in (row.partition("\t") for row in rows)}
