"""Situations as data: the cases of the package, and those kept beside the project."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from audit.core.auditor import audit
from audit.core.cases import cases_of
from audit.core.model import LOG_VERSION, Event, Header, Verdict
from audit.core.steps import Step
from audit.games.lotr_reveal import RULESET
from tests.yaml_files import read_yaml

PACKAGE = "audit.games.lotr_reveal"

Situation = dict[str, Any]


def own() -> list[Situation]:
    """The cases of the package, in the shape of a situation."""
    return [
        {"id": case.id, "title": case.title, "given": case.setup, "events": case.log, "reading": case.reading}
        for case in cases_of(PACKAGE)
    ]


def kept(shared: Path) -> list[Situation]:
    """The situations kept beside the project; none where it stands alone."""
    path = shared / "scenarios" / "lotr.yaml"
    if not path.is_file():
        return []
    found: list[Situation] = read_yaml(path)["scenarios"]
    return found


ROUNDS: list[Situation] = [
    {**log, "given": log["setup"]}
    for log in tomllib.loads(Path(__file__).with_name("rounds.toml").read_text("utf-8"))["log"]
]
"""Whole rounds as players write them down."""


def header(case: Mapping[str, Any], **changes: str) -> Header:
    """The header of a log that starts from what is given."""
    return Header(
        log=LOG_VERSION,
        ruleset=RULESET.name,
        setup=case["given"],
        reading=changes.get("reading", case.get("reading", "standard")),
    )


def events(case: Mapping[str, Any]) -> list[Event]:
    """The events of a case, read as from a log."""
    return [
        msgspec.convert({"seq": seq, **event}, RULESET.rules.types[event["type"]])
        for seq, event in enumerate(case["events"], 1)
    ]


def audited(case: Mapping[str, Any], **changes: str) -> list[Step]:
    """Every step of a case with what the auditor says of it."""
    return list(audit(RULESET, header(case, **changes), events(case)))


def said(steps: list[Step], seq: int) -> list[str]:
    """The rules named for an event."""
    return next([rule.id for rule in step.rules] for step in steps if step.seq == seq)


def findings(steps: list[Step]) -> list[Step]:
    """What a judge has to look at."""
    return [step for step in steps if step.verdict.is_finding]


def inferred(steps: list[Step]) -> list[Event]:
    """What the log left out."""
    return [step.event for step in steps if step.verdict is Verdict.INFERRED and step.event]


def differences(found: Mapping[str, Any], wanted: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """Where a position differs from what is said of it."""
    for key, value in wanted.items():
        if key == "encounter_deck_has":
            if sorted(found["encounter_deck"]) != sorted(value):
                yield f"{path}{key}: {found['encounter_deck']}, not {value}"
        elif isinstance(value, dict) and isinstance(found.get(key), dict):
            yield from differences(found[key], value, f"{path}{key}.")
        elif found.get(key) != value:
            yield f"{path}{key}: {found.get(key)}, not {value}"
