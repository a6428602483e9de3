"""The shapes of what is printed with `--json` and answered by the API, declared once for both.

Keys are only ever added to a shape, and a key that is not always there says so. What differs from game to game (an
event, a position, the clock of a game) is an object: the events of a game are described by the schema of its logs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NotRequired, TypedDict

import msgspec

Json = dict[str, object]
Object = Mapping[str, object]


class StepTold(TypedDict):
    """A step of a game: an event of the log or an inferred one, with its verdict and the rules it rests on."""

    step: int
    seq: int | None
    event: Object | None
    verdict: str
    rules: Sequence[str]
    edition: NotRequired[str]
    editions: NotRequired[Mapping[str, str]]
    editions_by: NotRequired[Mapping[str, Sequence[str]]]
    unofficial: NotRequired[Sequence[str]]
    superseded_by: NotRequired[int]
    provisional: NotRequired[bool]
    guessed: NotRequired[bool]
    readings: NotRequired[Sequence[str]]
    readings_text: NotRequired[Sequence[str]]
    because: Sequence[int]
    depth: int
    pending: Sequence[Object]
    deduced: NotRequired[Sequence[Object]]
    sentence: str
    message: NotRequired[str]
    expected: NotRequired[Sequence[Object]]
    expected_text: NotRequired[Sequence[str]]
    candidates: NotRequired[Sequence[Object]]
    state: Object


class FindingTold(TypedDict):
    """A mistake: its event, the rule it broke and what should have happened, with the clock of the game."""

    seq: int | None
    verdict: str
    type: str
    rules: Sequence[str]
    message: str
    statement: str
    expected: Sequence[Object]
    expected_text: Sequence[str]


class DecisionTold(TypedDict):
    """What a player can choose between; `lines` are the choices as they are typed on a score sheet."""

    player: NotRequired[str]
    type: str
    need: str
    rules: Sequence[str]
    events: Sequence[Object]
    sentences: Sequence[str]
    lines: NotRequired[Sequence[str]]
    more: NotRequired[int]


class RuleCited(TypedDict):
    """A rule that is cited, with its statement in each language that was asked for."""

    id: str
    statements: Mapping[str, str]
    quotations: NotRequired[Sequence[Object]]


class RuleStated(TypedDict):
    """A rule that is cited, with its statement."""

    id: str
    statement: str


class StepJudged(TypedDict):
    """A step that an append made, with its verdict."""

    step: int
    seq: int | None
    event: Object | None
    verdict: str
    sentence: str
    message: NotRequired[str]
    expected: NotRequired[Sequence[Object]]
    expected_text: NotRequired[Sequence[str]]
    guessed: NotRequired[bool]
    provisional: NotRequired[bool]
    rules: Sequence[RuleStated]


class StepAsked(TypedDict):
    """A step of an answer: an event asked about, or one inferred before it."""

    seq: int | None
    event: Object | None
    verdict: str
    sentence: str
    message: NotRequired[str]
    expected: NotRequired[Sequence[Object]]
    expected_text: NotRequired[Sequence[str]]
    guessed: NotRequired[bool]
    rules: Sequence[RuleCited]


class Following(TypedDict):
    """What happens by itself."""

    event: Object
    sentence: str
    rules: Sequence[str]


class SwitchTold(TypedDict):
    """A point of a reading."""

    name: str
    said: str


class OtherwiseTold(TypedDict):
    """An edition or a reading that answers otherwise."""

    edition: NotRequired[str]
    reading: NotRequired[str]
    verdicts: Sequence[str]
    message: str
    switches: Sequence[SwitchTold]
    follows: Sequence[str]


class RulingTold(RuleCited):
    """A ruling on the cards involved."""

    kind: str
    date: str
    cards: Sequence[str]


class AnswerTold(TypedDict):
    """The answer to a question about a position, as `audit ask --json` prints it."""

    ruleset: str
    reading: str
    edition: str
    position: str
    steps: Sequence[StepAsked]
    follows: Sequence[Following]
    after: str
    decisions: Sequence[DecisionTold]
    otherwise: Sequence[OtherwiseTold]
    rulings: Sequence[RulingTold]


class ReportTold(TypedDict):
    """What `audit check --json` prints of a log."""

    log: str
    game: str
    ruleset: str
    reading: str
    edition: NotRequired[str]
    events: int
    inferred: int
    fidelity: str
    verdicts: Mapping[str, int]
    findings: Sequence[FindingTold]


class RuleTold(TypedDict):
    """A rule or a ruling, as `audit rule --json` prints it."""

    ruleset: NotRequired[str]
    id: str
    kind: str
    statement: str


class LeftOpen(TypedDict):
    """What a source leaves open, or what was left out or made of it: its place and a sentence about it."""

    where: str
    message: str


SHARED = (
    StepTold, FindingTold, DecisionTold, StepJudged, StepAsked, Following, OtherwiseTold, RulingTold, LeftOpen,
)  # fmt: skip
"""The shapes of which answers of the API are made."""
COMMANDS = {
    "ask": AnswerTold, "check": ReportTold, "options": DecisionTold, "replay": StepTold, "rule": RuleTold,
    "rules": RuleTold,
}  # fmt: skip
"""The shape of each object that a command prints with `--json`."""


def _anything(kind: type) -> Json:
    return {"$comment": "any value"}


def shared_schemas(reference: str) -> dict[str, Json]:
    """The JSON Schemas of the shared shapes by name; `reference` says how one refers to another, with `{name}`."""
    return dict(msgspec.json.schema_components(SHARED, ref_template=reference, schema_hook=_anything)[1])


def output_schema(command: str) -> Json:
    """The JSON Schema (2020-12) of each line that a command prints with `--json`; `KeyError` for one without."""
    (whole,), parts = msgspec.json.schema_components(
        (COMMANDS[command],), ref_template="#/$defs/{name}", schema_hook=_anything
    )
    about = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"One line of audit {command} --json"}
    return {**about, **whole, "$defs": parts}
