"""The shapes of what is printed with `--json` and answered by the API, declared once for both.

Keys are only ever added to a shape, and a key that is not always there says so. What differs from game to game (an
event, a position) is an object: the events of a game are described by the schema of its logs. What is printed as it
stands in a declaration of its own, such as a note, is not declared here again, and what one module alone makes is
declared there: `commands.printed` names both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, TypedDict

import msgspec

from audit.core.model import Verdict

Json = dict[str, object]
Object = Mapping[str, object]
Fidelity = Literal["exact", "partial", "diverged"]
Need = Literal["may", "must", "marker", "lapse"]


Deduced = TypedDict("Deduced", {"card": str, "is": str, "sentence": str})
"""An unknown card, the one card that it can be, and a sentence about it."""


class StepTold(TypedDict):
    """A step of a game: an event of the log or an inferred one, with its verdict and the rules it rests on."""

    step: int
    seq: int | None
    event: Object | None
    verdict: Verdict
    rules: Sequence[str]
    edition: NotRequired[str]
    editions: NotRequired[Mapping[str, Verdict]]
    editions_by: NotRequired[Mapping[str, Sequence[str]]]
    unofficial: NotRequired[Sequence[str]]
    superseded_by: NotRequired[int]
    late: NotRequired[int]
    provisional: NotRequired[bool]
    guessed: NotRequired[bool]
    readings: NotRequired[Sequence[str]]
    readings_text: NotRequired[Sequence[str]]
    because: Sequence[int]
    depth: int
    pending: Sequence[Object]
    deduced: NotRequired[Sequence[Deduced]]
    sentence: str
    places: NotRequired[Mapping[str, str]]
    message: NotRequired[str]
    expected: NotRequired[Sequence[Object]]
    expected_text: NotRequired[Sequence[str]]
    expected_perhaps: NotRequired[bool]
    counts: NotRequired[Sequence[Sequence[str]]]
    candidates: NotRequired[Sequence[Object]]
    state: Object


class FindingTold(TypedDict):
    """A mistake: its event, the rule it broke and what should have happened.

    The clock of the game stands beside it (`Rules.clock`): `turn`, `player` and `phase` of Compile.
    """

    seq: int | None
    verdict: Verdict
    type: str
    rules: Sequence[str]
    message: str
    statement: str
    expected: Sequence[Object]
    expected_text: Sequence[str]
    expected_perhaps: NotRequired[bool]
    counts: NotRequired[Sequence[Sequence[str]]]


class DecisionTold(TypedDict):
    """What a player can choose between; `lines` are the choices as they are typed on a score sheet."""

    player: NotRequired[str]
    type: str
    need: Need
    rules: Sequence[str]
    events: Sequence[Object]
    sentences: Sequence[str]
    lines: NotRequired[Sequence[str]]
    more: NotRequired[int]


class RuleCited(TypedDict):
    """A rule that is cited, with its statement in each language that was asked for."""

    id: str
    title: NotRequired[str]
    statements: Mapping[str, str]
    quotations: NotRequired[Sequence[Object]]


class RuleStated(TypedDict):
    """A rule that is cited, with its statement."""

    id: str
    statement: str


class StepSaid(TypedDict):
    """What is said of any step: the event, its verdict, and what was expected."""

    seq: int | None
    event: Object | None
    verdict: Verdict
    sentence: str
    message: NotRequired[str]
    expected: NotRequired[Sequence[Object]]
    expected_text: NotRequired[Sequence[str]]
    counts: NotRequired[Sequence[Sequence[str]]]
    guessed: NotRequired[bool]


class StepJudged(StepSaid):
    """A step that an append made, with its verdict."""

    step: int
    provisional: NotRequired[bool]
    rules: Sequence[RuleStated]


class StepAsked(StepSaid):
    """A step of an answer: an event asked about, or one inferred before it."""

    rules: Sequence[RuleCited]


class DoubtTold(TypedDict):
    """What would have had to happen before the position asked about."""

    sentence: str
    rules: Sequence[str]


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
    verdicts: Sequence[Verdict]
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
    doubts: Sequence[DoubtTold]
    follows: Sequence[Following]
    after: str
    decisions: Sequence[DecisionTold]
    otherwise: Sequence[OtherwiseTold]
    rulings: Sequence[RulingTold]


class Unjudged(TypedDict):
    """Why some steps of a game were not judged: how many, and the seqs of the first."""

    reason: str
    steps: int
    at: Sequence[int]


class JudgedOtherwise(TypedDict):
    """An event that other editions judge otherwise, and the rulings that make the difference."""

    seq: int | None
    verdict: Verdict
    editions: NotRequired[Mapping[str, Verdict]]
    editions_by: NotRequired[Mapping[str, Sequence[str]]]


class ReportTold(TypedDict):
    """What is found in a log, with how much of it was judged and by which version of the program."""

    log: str
    game: str
    ruleset: str
    reading: str
    edition: str
    events: int
    inferred: int
    fidelity: Fidelity
    diverged_from: NotRequired[int]
    verdicts: Mapping[Verdict, int]
    findings: Sequence[FindingTold]
    judged: int
    unchecked: Sequence[Unjudged]
    superseded: int
    gaps: Sequence[int]
    positions_set: Sequence[int]
    flagged: Sequence[int]
    torn: NotRequired[int]
    engine: str
    catalogue: str
    otherwise: Sequence[JudgedOtherwise]


class CauseTold(TypedDict):
    """An event, or one that led to it."""

    step: int
    seq: int | None
    event: Object | None
    verdict: Verdict
    rules: Sequence[str]
    sentence: str


class StepUndone(TypedDict):
    """A step that is taken back."""

    step: int
    seq: int | None
    event: Object
    sentence: str


class MoveTold(TypedDict):
    """A place where something lies otherwise: what lies there now, and what has to lie there again."""

    place: str
    now: NotRequired[str]
    then: NotRequired[str]


class PlanTold(TypedDict):
    """How a game is taken back to an earlier event."""

    ruleset: str
    to: int
    last: int
    players: Mapping[str, str]
    advice: Literal["simple", "partial", "not-advisable"]
    undo: Sequence[StepUndone]
    by_chance: Sequence[StepUndone]
    unseen: Sequence[StepUndone]
    learned: Mapping[str, Sequence[str]]
    moves: Sequence[MoveTold]
    position: str
    decisions: Sequence[DecisionTold]


class LeftOpen(TypedDict):
    """What a source leaves open, or what was left out or made of it: its place and a sentence about it."""

    where: str
    message: str


class UnreadTold(LeftOpen):
    """What was left out or made of it, with what stands in the sentence."""

    key: str
    told: Mapping[str, str]


class QuestionTold(UnreadTold):
    """A question that a source leaves open, and what may be answered."""

    number: int
    answers: Sequence[str]


class GatheredTold(TypedDict):
    """What a source leaves open, what was left out, and how it was read."""

    questions: Sequence[QuestionTold]
    unread: Sequence[UnreadTold]
    told: Sequence[UnreadTold]


class GatheredPositionTold(GatheredTold):
    """The position on a table, as a line and as data; null where there is none."""

    position: str | None
    data: Object | None


class GatheredSheetTold(GatheredTold):
    """The score sheet that was made."""

    sheet: str


class NewsTold(TypedDict):
    """A finding that is new in a log or a stored game."""

    log: str
    seq: int | None
    verdict: Verdict
    rule: str
    message: str


class RulebookTold(TypedDict):
    """An edition of a rulebook that is loaded."""

    document: str
    language: str
    edition: str
    passages: int
    source: str
    format: str
    encoding: str
    added: str
    by: str
    rank: str
    like: str


class TaskTold(TypedDict):
    """What a task is called, so that it can be given to somebody."""

    id: str


class StandingTold(TypedDict):
    """How a note fits its log now."""

    standing: Literal["fits", "moved", "changed", "gone"]


class SharedTold(TypedDict):
    """Who may open a game."""

    sharing: Literal["private", "unlisted", "public"]


class AnsweredTold(TypedDict):
    """The result of a check in a few words, and whether nothing is less than it should be."""

    answer: str
    intact: bool


SHARED = (
    StepTold, FindingTold, DecisionTold, StepJudged, StepAsked, DoubtTold, Following, OtherwiseTold, RulingTold,
    LeftOpen,
)  # fmt: skip
"""The shapes of which answers of the API are made."""


def _anything(kind: type) -> Json:
    return {"$comment": "any value"}


def shared_schemas(reference: str) -> dict[str, Json]:
    """The JSON Schemas of the shared shapes by name; `reference` says how one refers to another, with `{name}`."""
    return dict(msgspec.json.schema_components(SHARED, ref_template=reference, schema_hook=_anything)[1])
