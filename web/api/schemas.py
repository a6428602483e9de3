"""Schemas of the parameters and answers of the API, as the OpenAPI document shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType, NoneType
from typing import TypedDict, get_args, get_origin, get_type_hints

from marshmallow import RAISE, Schema, fields, validate

from audit.core.catalogue import LANGUAGES
from audit.core.model import Verdict
from replays.table.question import MAX_LINES, MAX_POSITION
from web.site.labels import chosen

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


def _one_of(words: tuple[str, ...]) -> validate.OneOf:
    """One of these words, or nothing said."""
    return validate.OneOf(("", *words), error=f"Must be one of: {', '.join(words)}.")


def language(about: str = "Instead of `lang` in the query.") -> fields.String:
    """One of our languages. Where a body does not say it, the query does, and else `Accept-Language`."""
    return fields.String(
        load_default=chosen, validate=validate.OneOf(LANGUAGES), metadata={"description": about}
    )  # fmt: skip


class QueryAsked(Asked):
    """The query of an operation; sentences and errors are in this language."""

    lang = language("Of sentences and errors. By default the one that `Accept-Language` prefers.")


class Shape(fields.Raw):
    """An object in one of the shapes that `replays.log.output` declares."""

    def __init__(self, shape: type) -> None:
        super().__init__(required=True)
        self.shape = shape.__name__


def shapes(shape: type, about: str) -> fields.List[object]:
    return fields.List(Shape(shape), required=True, metadata={"description": about})


Plain = fields.Integer | fields.Float | fields.String
Nested = Mapping[type, type[Schema]]
"""The schemas of the shapes inside another."""
_PLAIN: Mapping[object, type[Plain]] = {int: fields.Integer, float: fields.Float, str: fields.String}


def declared(
    name: str, shape: type, about: Mapping[str, str], nested: Nested = MappingProxyType({}), **more: fields.Boolean
) -> type[Schema]:
    """The schema of a shape that another module declares, with what is said of its fields, and more fields."""
    found = {
        key: _field(hint, nested, _Said(required=True, metadata={"description": about[key]} if key in about else {}))
        for key, hint in get_type_hints(shape).items()
    }
    return type(name, (Schema,), {**found, **more})


class _Said(TypedDict, total=False):
    required: bool
    allow_none: bool
    metadata: Mapping[str, str]


def _field(hint: object, nested: Nested, said: _Said) -> Plain | fields.Dict | fields.List[object] | fields.Nested:
    args, origin = get_args(hint), get_origin(hint)
    if NoneType in args:
        return _field(args[0], nested, {**said, "allow_none": True})
    if origin is Mapping:
        return fields.Dict(keys=fields.String(), values=_field(args[1], nested, {}), **said)
    if origin is Sequence:
        return fields.List(_field(args[0], nested, {}), **said)
    if isinstance(hint, type) and hint in nested:
        return fields.Nested(nested[hint], **said)
    return _PLAIN[hint](**said)


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
    verdict = fields.String(load_default="", validate=_one_of(VERDICTS))
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
    lang = language()


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
        load_default="compile", validate=validate.Length(max=32),
        metadata={"description": "The game of that score sheet."},
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
        fields.String(validate=validate.OneOf(LANGUAGES)), load_default=lambda: [chosen()],
        validate=validate.Length(1, 4),
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
    lang = language()


class SaveGiven(Gathering):
    """A save of Tabletop Simulator."""

    save = fields.String(
        required=True, validate=validate.Length(min=1), metadata={"description": "The text of the file, as one string."}
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
        load_default="", validate=_one_of(("up", "down")),
        metadata={"description": "How cards are played if nobody says so."},
    )  # fmt: skip


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
    lang = language()
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


class PrecedentsAsked(QueryAsked):
    """A case, a rule, an event of a game, or a position."""

    case = _words("The id of a case.")
    rule = _words("The id of a rule or of a card.")
    ruleset = fields.String(load_default="compile", validate=validate.Length(max=LONG))
    game = _words("The id of a game; then `seq` names its event.")
    seq = fields.Integer(load_default=0, validate=validate.Range(0, 10**9))
    position = fields.String(load_default="", validate=validate.Length(max=MAX_POSITION))


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
    lang = fields.String(load_default=chosen, validate=LANGUAGE, metadata={"description": "Of the text."})
