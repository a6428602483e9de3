"""The shapes of what the API answers: games, steps, findings, rules, counts, cases and notes."""

from __future__ import annotations

from marshmallow import Schema, fields

from replays.log.output import (
    DecisionTold,
    DoubtTold,
    FindingTold,
    Following,
    LeftOpen,
    OtherwiseTold,
    RulingTold,
    StepJudged,
    StepTold,
)
from replays.log.output import (
    StepAsked as StepAskedAbout,
)
from replays.season import statistics
from web.api.schemas import Objects, declared, shapes


class Gathered(Schema):
    """What a source leaves open."""

    questions = shapes(LeftOpen, "Each has its number, place, sentence (`message`) and possible answers.")
    unread = shapes(LeftOpen, "What was left out, with its place and the reason.")
    told = shapes(LeftOpen, "How the source was read, and what says nothing of the game.")


class GatheredPosition(Gathered):
    """The position on a table."""

    position = fields.String(required=True, allow_none=True, metadata={"description": "As `audit position` prints it."})


class GatheredSheet(Gathered):
    """The score sheet of a text."""

    sheet = fields.String(required=True)


class Answer(Schema):
    """The answer to a question, in the shape in which `audit ask --json` prints it."""

    ruleset = fields.String(required=True)
    reading = fields.String(required=True)
    edition = fields.String(required=True)
    position = fields.String(required=True)
    steps = shapes(StepAskedAbout, "The events asked about, and what was inferred before them.")
    doubts = shapes(DoubtTold, "What would have had to happen before the position.")
    follows = shapes(Following, "What then happens with nobody choosing.")
    after = fields.String(required=True, metadata={"description": "The position at the next decision."})
    decisions = shapes(DecisionTold, "What can be chosen next; `lines` are the choices as they are typed.")
    otherwise = shapes(OtherwiseTold, "The editions and readings that answer otherwise.")
    rulings = shapes(RulingTold, "The rulings on the cards involved.")


class Player(Schema):
    """Who sits where."""

    seat = fields.String(required=True)
    name = fields.String(required=True)


class FindingSummary(Schema):
    """A finding at a glance."""

    step = fields.Integer(required=True)
    verdict = fields.String(required=True)
    rule = fields.String(required=True)


class Game(Schema):
    """What a list says of a game."""

    id = fields.String(required=True)
    game = fields.String(required=True)
    ruleset = fields.String(required=True)
    players = fields.List(fields.Nested(Player), required=True)
    fidelity = fields.String(required=True)
    steps = fields.Integer(required=True)
    verdicts = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)
    findings = fields.List(fields.Nested(FindingSummary), required=True)


class Games(Schema):
    """Some of the games, the latest stored first."""

    games = fields.List(fields.Nested(Game), required=True)
    next = fields.String(
        required=True, allow_none=True, metadata={"description": "The `cursor` of what follows; null at the end."}
    )
    total = fields.Integer(required=True)


def _count(about: str = "") -> fields.Integer:
    return fields.Integer(required=True, metadata={"description": about} if about else {})


def _next() -> fields.Integer:
    return fields.Integer(
        required=True, allow_none=True, metadata={"description": "The `from` of what follows; null at the end."}
    )


_COUNTED = {
    "with_findings": "Games with a finding.",
    "broken": "Findings by the rule that was broken.",
    "unreadable": "Games that could not be read.",
    "outdated": "Games that another version of this program judged; they are judged again.",
    "judged": "The edition and the reading by which the games were judged.",
    "verdicts": "Steps by verdict.",
    "lengths": "Games by the number of their events, in steps of fifty.",
    "cards": "By ruleset: findings by card, as far as the reader saw the card.",
    "readings": "By ruleset: games by the switch of a reading that would change them.",
    "unused": "By ruleset: the rules that no game used.",
    "by": "The same by event, round, player, what was brought, language, edition and ruleset.",
}
"""What a number is of, where its name does not say it; `replays.season.statistics` declares the shapes."""
JudgedBy = declared("JudgedBy", statistics.JudgedBy, _COUNTED)
"""Games that were judged by the same edition and reading."""
GroupCounts = declared("GroupCounts", statistics.GroupTold, _COUNTED)
"""Games that have something in common."""
Counts = declared(
    "Counts", statistics.SummaryTold, _COUNTED, {statistics.JudgedBy: JudgedBy, statistics.GroupTold: GroupCounts},
    is_complete=fields.Boolean(
        required=True,
        metadata={"description": "Whether every game is counted: false while games are still being judged."},
    ),
)  # fmt: skip
"""What many games tell together."""


class CountedGame(Schema):
    """A game as a row of the table of games; several names are parted by `; `."""

    game = fields.String(required=True)
    ruleset = fields.String(required=True)
    edition = fields.String(required=True)
    reading = fields.String(required=True)
    language = fields.String(required=True)
    event = fields.String(required=True)
    round = fields.String(required=True)
    players = fields.String(required=True)
    brought = fields.String(required=True)
    events = _count()
    turns = _count()
    actions = _count()
    seconds = fields.Integer(required=True, allow_none=True)
    findings = _count()
    verdicts = fields.String(required=True)
    broken = fields.String(required=True)
    cards = fields.String(required=True)
    readings = fields.String(required=True)


class CountedGames(Schema):
    """Some of the games that were counted."""

    games = fields.List(fields.Nested(CountedGame), required=True)
    next = _next()
    total = _count("All games that were counted.")


class OneGame(Schema):
    """A game as its reader may know it, without its steps."""

    id = fields.String(required=True)
    game = fields.String(required=True)
    ruleset = fields.String(required=True)
    reading = fields.String(required=True)
    players = fields.List(fields.Nested(Player), required=True)
    viewer = fields.String(required=True)
    version = fields.Integer(required=True, metadata={"description": "The number of events; what `expected` names."})
    fidelity = fields.String(required=True)
    diverged_from = fields.Integer(required=True, allow_none=True)
    steps = fields.Integer(required=True, metadata={"description": "The number of the last step."})
    verdicts = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)


class Steps(Schema):
    """Some steps, in the shape in which `audit replay --json` prints them."""

    steps = shapes(StepTold, "Each with its verdict, rules, causes, sentence and position.")
    next = _next()
    last = fields.Integer(required=True)


class Findings(Schema):
    """The findings of a game, in the shape in which `audit check --json` prints them."""

    findings = shapes(FindingTold, "Each with what was expected instead.")


class Use(Schema):
    """A step that cites a rule."""

    game = fields.String(required=True)
    title = fields.String(required=True)
    step = fields.Integer(required=True)
    verdict = fields.String(required=True)
    sentence = fields.String(required=True)


class Rule(Schema):
    """A rule: its kind and its statement in each language."""

    id = fields.String(required=True)
    kind = fields.String(required=True)
    statements = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


class Rules(Schema):
    """The rules of a ruleset."""

    rules = fields.List(fields.Nested(Rule), required=True)


class UsedRule(Rule):
    """A rule with the steps that cite it."""

    uses = fields.List(fields.Nested(Use), required=True)


class Opened(Schema):
    """A game that can be appended to, whether it was new, and what can be chosen first."""

    id = fields.String(required=True)
    version = fields.Integer(required=True)
    created = fields.Boolean(required=True)
    decisions = shapes(DecisionTold, "What can be chosen now, as whoever asks may know it.")


class Appended(Schema):
    """The number of events now, and of each event that was sent its seq and what is stored, now or before."""

    id = fields.String(required=True)
    version = fields.Integer(required=True)
    seqs = fields.List(fields.Integer(), required=True)
    events = fields.List(fields.Dict(keys=fields.String()), required=True)
    steps = shapes(StepJudged, "What came of them, and what was inferred before each.")
    decisions = shapes(DecisionTold, "What can be chosen now, as whoever asks may know it.")


class Options(Schema):
    """What may come next."""

    id = fields.String(required=True)
    version = fields.Integer(required=True)
    decisions = shapes(DecisionTold, "Each with its player, its rules, the events, and the lines as they are typed.")


class Written(Schema):
    """Events of a game as whoever asks could have written them down."""

    id = fields.String(required=True)
    version = fields.Integer(required=True)
    header = fields.Dict(keys=fields.String(), required=True)
    events = Objects("Each with its `seq`.")


class Problem(Schema):
    """Every error, as RFC 9457 has it, with its name and its data for programs."""

    type = fields.String(required=True, metadata={"description": "An address that names the kind of the error."})
    title = fields.String(required=True, metadata={"description": "What the status means, in the caller's language."})
    status = fields.Integer(required=True)
    detail = fields.String(required=True, metadata={"description": "What is wrong, in the caller's language."})
    error = fields.String(required=True, metadata={"description": "The last part of `type`, such as `unknown-game`."})
    data = fields.Dict(keys=fields.String(), required=True, metadata={"description": "The facts of the error."})


class OneCase(Schema):
    """A case: for judges with its events, for others as `told`."""

    id = fields.String(required=True)
    state = fields.String(required=True)
    public = fields.Boolean(required=True)
    version = fields.Integer(required=True, allow_none=True)
    events = Objects("What happened, the oldest first.")
    stale = Objects("What the ruling cites that reads otherwise today.")
    told = fields.Dict(keys=fields.String(), required=True, allow_none=True)


class Cases(Schema):
    """The cases that the reader may know of."""

    cases = fields.List(fields.Nested(OneCase), required=True)


class Precedents(Schema):
    """What was decided before, the likest first."""

    precedents = Objects("Each with its kind, id, score and why.")


class OneNote(Schema):
    """A note."""

    id = fields.String(required=True)
    seq = fields.Integer(required=True)
    to = fields.Integer(required=True, allow_none=True)
    event = fields.String(required=True)
    text = fields.String(required=True)
    author = fields.String(required=True)
    at = fields.String(required=True)
    lang = fields.String(required=True)
    kind = fields.String(required=True)
    audience = fields.String(required=True)
    layer = fields.String(required=True)
    step = fields.Integer(required=True)
    standing = fields.String(required=True)


class Notes(Schema):
    """The notes on a game that the reader may read."""

    notes = fields.List(fields.Nested(OneNote), required=True)
