"""Schemas of the parameters and answers of the API, as the OpenAPI document shows them."""

from __future__ import annotations

from marshmallow import RAISE, Schema, fields, validate

from audit.core.catalogue import LANGUAGES
from audit.core.model import Verdict
from replays.log.output import (
    DecisionTold,
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
from replays.table.question import MAX_LINES, MAX_POSITION

LONG = 200
MAX_STEPS = 500
MAX_EVENTS = 2000
MAX_CHAT = 100_000
VERDICTS = tuple(verdict.value for verdict in Verdict)


class Asked(Schema):
    """The query of a request."""

    class Meta:
        """An unknown name is an error."""

        unknown = RAISE


def _words(about: str) -> fields.String:
    return fields.String(load_default="", validate=validate.Length(max=LONG), metadata={"description": about})


class QueryAsked(Asked):
    """The query of an operation; sentences and errors are in this language."""

    lang = fields.String(
        load_default="en", validate=validate.OneOf(LANGUAGES),
        metadata={"description": "Of sentences; also of errors, which else follow `Accept-Language`."},
    )  # fmt: skip


class Shape(fields.Raw):
    """An object in one of the shapes that `replays.log.output` declares."""

    def __init__(self, shape: type) -> None:
        super().__init__(required=True)
        self.shape = shape.__name__


def _shapes(shape: type, about: str) -> fields.List[object]:
    return fields.List(Shape(shape), required=True, metadata={"description": about})


class Objects(fields.List[dict[str, object]]):
    """A list of objects that some other page describes."""

    def __init__(self, about: str) -> None:
        super().__init__(fields.Dict(keys=fields.String()), required=True, metadata={"description": about})


CURSOR = r"^([0-9]{1,7}\.[^\x00-\x1f]{1,200})?\Z"


class ListAsked(QueryAsked):
    """Which games, and after which of them."""

    q = _words("Words that a game has, all of them.")
    player = _words("Part of a player's name.")
    ruleset = _words("The name of a ruleset.")
    rule = _words("A rule that some step cites.")
    verdict = fields.String(load_default="", validate=validate.OneOf(("", *VERDICTS)))
    cursor = fields.String(
        load_default="", validate=validate.Regexp(CURSOR),
        metadata={"description": "`next` of the answer before; empty for the first games."},
    )  # fmt: skip


class CountAsked(QueryAsked):
    """Which games are counted; what is left out counts all."""

    ruleset = _words("The name of a ruleset.")
    event = _words("The tournament.")
    round = _words("The round.")
    player = _words("The name of a player.")
    brought = _words("A protocol, a hero or a scenario that was played.")
    language = _words("The language in which the game was played.")
    edition = _words("The edition by which the game was judged.")


class CountedAsked(CountAsked):
    """Which of the games that are counted."""

    start = fields.Integer(
        data_key="from", load_default=0, validate=validate.Range(0, 10**9), metadata={"description": "The first game."}
    )
    count = fields.Integer(load_default=100, validate=validate.Range(1, MAX_STEPS))


class ViewAsked(QueryAsked):
    """Through whose eyes, in which language, under which reading."""

    viewer = fields.String(
        data_key="as", load_default="", validate=validate.Length(max=32),
        metadata={"description": "A seat, `public` or `judge`; by default all that the reader may see."},
    )  # fmt: skip
    reading = fields.String(load_default="", validate=validate.Length(max=32))


class StepsAsked(ViewAsked):
    """Which steps of a game."""

    start = fields.Integer(
        data_key="from", load_default=0, validate=validate.Range(0, 10**9), metadata={"description": "The first step."}
    )
    count = fields.Integer(load_default=100, validate=validate.Range(1, MAX_STEPS))


class LiveAsked(ViewAsked):
    """From where on to follow a game."""

    after = fields.Integer(
        load_default=None, allow_none=True, validate=validate.Range(0, 10**9),
        metadata={"description": "The last step the reader has; by default the last there is."},
    )  # fmt: skip


class FileAsked(QueryAsked):
    """Which published file."""

    form = fields.String(load_default="html", validate=validate.OneOf(("html", "json", "md", "svg")))


class Whole(fields.Integer):
    """A whole number as JSON has it: 8 or 8.0, and neither a text nor a truth."""

    def _validated(self, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
            raise self.make_error("invalid", input=value)
        return int(value)


REFERENCE = "#/components/schemas/"
EVENTS = "Event"
"""In the document, the schema of the events of any game, and the beginning of the names of those of one game."""


def line_of_log(what: str) -> fields.Dict:
    """A line of a log; the document says what it may hold."""
    return fields.Dict(keys=fields.String(), metadata={"oneOf": [{"$ref": f"{REFERENCE}{what}"}]})


class Append(Asked):
    """Events to append to a game that has `expected` events now."""

    expected = Whole(required=True, validate=validate.Range(0, 10**9))
    events = fields.List(
        line_of_log(EVENTS), required=True, validate=validate.Length(1, MAX_EVENTS),
        metadata={"description": "As they stand in a log, `seq` included."},
    )  # fmt: skip
    lang = fields.String(load_default="en", validate=validate.OneOf(LANGUAGES))


class NewGame(Asked):
    """A game to be recorded: the first line of its log, or that of its score sheet."""

    header = fields.Dict(
        keys=fields.String(), load_default=None,
        metadata={"description": "The first line of a log: `log`, `ruleset`, `game`, `players`, `setup` and others."},
    )  # fmt: skip
    sheet = fields.String(
        load_default="", validate=validate.Length(max=MAX_POSITION),
        metadata={"description": "The first line of a score sheet, such as `game final   A Ada: fire life water   …`."},
    )  # fmt: skip
    ruleset = fields.String(
        load_default="", validate=validate.Length(max=32),
        metadata={"description": "The game of that score sheet, such as `compile`."},
    )  # fmt: skip


class OptionsAsked(ViewAsked):
    """After which event."""

    at = fields.Integer(
        load_default=None, allow_none=True, validate=validate.Range(0, 10**9),
        metadata={"description": "The seq of that event, 0 for the start; by default the last."},
    )  # fmt: skip
    steps = fields.Boolean(
        load_default=False, metadata={"description": "All that may come next, small steps too, instead of decisions."}
    )


class WrittenAsked(ViewAsked):
    """After which event."""

    after = fields.Integer(
        load_default=0, validate=validate.Range(0, 10**9), metadata={"description": "The seq of the last event known."}
    )


class TypedOrGiven(fields.Raw):
    """An event typed as on a score sheet, or as it stands in a log."""

    def _deserialize(self, value: object, attr: object, data: object, **kwargs: object) -> object:
        if isinstance(value, str | dict):
            return value
        raise self.make_error("validator_failed")


class Ask(Asked):
    """A position, and the events asked about."""

    position = fields.String(
        required=True,
        validate=validate.Length(1, MAX_POSITION),
        metadata={"description": "As `audit position` prints it."},
    )
    events = fields.List(
        TypedOrGiven(), load_default=list, validate=validate.Length(max=MAX_LINES),
        metadata={"description": "Typed as on a score sheet, or as they stand in a log. None: what can be chosen."},
    )  # fmt: skip
    lang = fields.List(
        fields.String(validate=validate.OneOf(LANGUAGES)), load_default=lambda: ["en"], validate=validate.Length(1, 4),
        metadata={"description": "Sentences are in the first language, statements of rules in each."},
    )  # fmt: skip
    reading = fields.String(load_default="", validate=validate.Length(max=LONG))
    edition = fields.String(load_default="", validate=validate.Length(max=32))


class Gathering(Asked):
    """Answers to questions that a source left open when it was sent before."""

    answers = fields.Dict(
        keys=fields.String(validate=validate.Regexp(r"[1-9][0-9]{0,5}\Z")),
        values=fields.String(validate=validate.Length(max=LONG)), load_default=dict,
        metadata={"description": "The number of each question and its answer."},
    )  # fmt: skip
    lang = fields.String(load_default="en", validate=validate.OneOf(LANGUAGES))


class SaveGiven(Gathering):
    """A save of Tabletop Simulator."""

    save = fields.String(
        required=True, validate=validate.Length(min=1), metadata={"description": "The text of the file."}
    )
    side_a = _words("The colour of A's seat. By default A has the side of lower z.")
    ruleset = _words("The game. By default the one that the title or the cards of the save show.")


class ChatGiven(Gathering):
    """A text from a chat, or a record made of choices."""

    text = fields.String(
        required=True, validate=validate.Length(1, MAX_CHAT), metadata={"description": "The lines as they were sent."}
    )
    players = fields.String(
        load_default="", validate=validate.Length(max=1000),
        metadata={"description": "The first line of a score sheet, if the text does not begin with it."},
    )  # fmt: skip
    face = fields.String(
        load_default="", validate=validate.OneOf(("", "up", "down")),
        metadata={"description": "How cards are played if nobody says so."},
    )  # fmt: skip


class Gathered(Schema):
    """What a source leaves open."""

    questions = _shapes(LeftOpen, "Each has its number, place, sentence (`message`) and possible answers.")
    unread = _shapes(LeftOpen, "What was left out, with its place and the reason.")
    told = _shapes(LeftOpen, "How the source was read, and what says nothing of the game.")


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
    steps = _shapes(StepAskedAbout, "The events asked about, and what was inferred before them.")
    follows = _shapes(Following, "What then happens with nobody choosing.")
    after = fields.String(required=True, metadata={"description": "The position at the next decision."})
    decisions = _shapes(DecisionTold, "What can be chosen next; `lines` are the choices as they are typed.")
    otherwise = _shapes(OtherwiseTold, "The editions and readings that answer otherwise.")
    rulings = _shapes(RulingTold, "The rulings on the cards involved.")


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


def _counts(about: str) -> fields.Dict:
    return fields.Dict(
        keys=fields.String(), values=fields.Integer(), required=True, metadata={"description": about}
    )  # fmt: skip


def _counts_by_game(about: str) -> fields.Dict:
    return fields.Dict(
        keys=fields.String(), values=fields.Dict(keys=fields.String(), values=fields.Integer()), required=True,
        metadata={"description": about},
    )  # fmt: skip


class GroupCounts(Schema):
    """Games that have something in common."""

    games = _count()
    events = _count()
    turns = _count()
    findings = _count()
    with_findings = _count("Games with a finding.")
    broken = _counts("Findings by the rule that was broken.")
    actions_a_turn = fields.Float(required=True, allow_none=True)
    seconds_a_turn = fields.Float(required=True, allow_none=True)


class JudgedBy(Schema):
    """Games that were judged by the same edition and reading."""

    ruleset = fields.String(required=True)
    edition = fields.String(required=True)
    reading = fields.String(required=True)
    games = _count()


class Counts(GroupCounts):
    """What many games tell together."""

    unreadable = _count("Games that could not be read.")
    is_complete = fields.Boolean(
        required=True,
        metadata={"description": "Whether every game is counted: false while games are still being judged."},
    )  # fmt: skip
    outdated = _count("Games that another version of this program judged; they are judged again.")
    judged = fields.List(
        fields.Nested(JudgedBy), required=True,
        metadata={"description": "The edition and the reading by which the games were judged."},
    )  # fmt: skip
    verdicts = _counts("Steps by verdict.")
    lengths = _counts("Games by the number of their events, in steps of fifty.")
    cards = _counts_by_game("By ruleset: findings by card, as far as the reader saw the card.")
    readings = _counts_by_game("By ruleset: games by the switch of a reading that would change them.")
    unused = fields.Dict(
        keys=fields.String(), values=fields.List(fields.String()), required=True,
        metadata={"description": "By ruleset: the rules that no game used."},
    )  # fmt: skip
    by = fields.Dict(
        keys=fields.String(), values=fields.Dict(keys=fields.String(), values=fields.Nested(GroupCounts)),
        required=True,
        metadata={"description": "The same by event, round, player, what was brought, language, edition and ruleset."},
    )  # fmt: skip


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

    steps = _shapes(StepTold, "Each with its verdict, rules, causes, sentence and position.")
    next = _next()
    last = fields.Integer(required=True)


class Findings(Schema):
    """The findings of a game, in the shape in which `audit check --json` prints them."""

    findings = _shapes(FindingTold, "Each with what was expected instead.")


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
    decisions = _shapes(DecisionTold, "What can be chosen now, as whoever asks may know it.")


class Appended(Schema):
    """The number of events now, and of each event that was sent its seq and what is stored, now or before."""

    id = fields.String(required=True)
    version = fields.Integer(required=True)
    seqs = fields.List(fields.Integer(), required=True)
    events = fields.List(fields.Dict(keys=fields.String()), required=True)
    steps = _shapes(StepJudged, "What came of them, and what was inferred before each.")
    decisions = _shapes(DecisionTold, "What can be chosen now, as whoever asks may know it.")


class Options(Schema):
    """What may come next."""

    id = fields.String(required=True)
    version = fields.Integer(required=True)
    decisions = _shapes(DecisionTold, "Each with its player, its rules, the events, and the lines as they are typed.")


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


LANGUAGE = validate.Regexp(r"^[a-zA-Z]{2,3}(-[A-Za-z0-9]{1,8})*\Z")
MAX_TEXT = 10_000


class CaseOpened(Asked):
    """A question about an event of a game, or about a position."""

    question = fields.String(required=True, validate=validate.Length(1, MAX_TEXT))
    game = _words("The id of a game; then `seq` names its event.")
    seq = Whole(load_default=0, validate=validate.Range(0, 10**9))
    position = fields.String(
        load_default="", validate=validate.Length(max=MAX_POSITION),
        metadata={"description": "As `audit position` prints it."},
    )  # fmt: skip
    asked = fields.List(
        fields.String(validate=validate.Length(max=LONG)), load_default=list, validate=validate.Length(max=MAX_LINES),
        metadata={"description": "Of a position: events typed as on a score sheet."},
    )  # fmt: skip
    lang = fields.String(load_default="en", validate=validate.OneOf(LANGUAGES))
    languages = fields.List(
        fields.String(validate=LANGUAGE), load_default=lambda: ["en"], validate=validate.Length(1, 10),
        metadata={"description": "The players' languages."},
    )  # fmt: skip
    round = _words("The round.")
    table = _words("The table.")
    tournament = _words("The event.")


class CaseAdded(Asked):
    """Something to add to a case that has `expected` events now."""

    expected = Whole(required=True, validate=validate.Range(0, 10**9))
    event = fields.Dict(
        keys=fields.String(), required=True,
        metadata={"description": "An event as `audit case show --json` prints it, without by, role and at."},
    )  # fmt: skip


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


class PrecedentsAsked(QueryAsked):
    """A case, a rule, an event of a game, or a position."""

    case = _words("The id of a case.")
    rule = _words("The id of a rule or of a card.")
    ruleset = fields.String(load_default="compile", validate=validate.Length(max=LONG))
    game = _words("The id of a game; then `seq` names its event.")
    seq = fields.Integer(load_default=0, validate=validate.Range(0, 10**9))
    position = fields.String(load_default="", validate=validate.Length(max=MAX_POSITION))


class Precedents(Schema):
    """What was decided before, the likest first."""

    precedents = Objects("Each with its kind, id, score and why.")


class NoteMade(Asked):
    """A note on an event, or on a range of events."""

    seq = Whole(required=True, validate=validate.Range(0, 10**9))
    to = Whole(load_default=None, allow_none=True, validate=validate.Range(0, 10**9))
    text = fields.String(required=True, validate=validate.Length(1, MAX_TEXT))
    kind = fields.String(
        load_default="commentary",
        validate=validate.OneOf(("!!", "!", "!?", "?!", "?", "??", "question", "ruling", "commentary")),
    )
    audience = fields.String(load_default="judges", validate=validate.OneOf(("judges", "public")))
    layer = fields.String(load_default="", validate=validate.Length(max=64))
    lang = fields.String(load_default="en", validate=LANGUAGE)


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
