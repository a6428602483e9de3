"""The events of a case. Each says who, in which role, and when."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from audit.core.model import RFC_3339, snake

MAX_TEXT = 10_000

Name = Annotated[str, Meta(min_length=1, max_length=100)]
Word = Annotated[str, Meta(max_length=200)]
Text = Annotated[str, Meta(min_length=1, max_length=MAX_TEXT)]
Optional = Annotated[str, Meta(max_length=MAX_TEXT)]
Code = Annotated[str, Meta(pattern=r"^[a-zA-Z]{2,3}(-[A-Za-z0-9]{1,8})*$", max_length=35)]
Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]
Role = Literal["player", "scorekeeper", "judge", "head-judge"]
Decision = Literal["yes", "no", "other"]
Plain = dict[str, object]


class CaseEvent(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="type", tag=snake
):
    """Something that happened in a case."""

    by: Name
    role: Role
    at: Annotated[str, Meta(pattern=RFC_3339, max_length=40)]


class Noted(CaseEvent, frozen=True, kw_only=True):
    """Something that a judge writes down in words while the case is under way; it changes no state.

    The page has a form for it, and every field is told as it is: terminal, page and bundle need nothing more.
    """


class Situation(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a situation is like: what is pending, which verbs are possible, which zones and cards are concerned."""

    pending: tuple[Word, ...] = ()
    verbs: tuple[Word, ...] = ()
    zones: tuple[Word, ...] = ()
    cards: tuple[Word, ...] = ()
    rules: tuple[Word, ...] = ()
    verb: Word = ""
    """The type of the event that is asked about."""


class Opened(CaseEvent, frozen=True, kw_only=True):
    """A judge was called. The question is about a step of a game, or about a position.

    `line` is the short hash of the event's line, `position` the table before the event, `asked` the event itself.
    """

    ledger: Literal["audit-case/1"] = "audit-case/1"
    id: Annotated[str, Meta(pattern=r"^[a-z0-9]{4,32}$")]
    question: Text
    lang: Code = "en"
    ruleset: Name
    position: Annotated[str, Meta(min_length=1, max_length=20_000)]
    asked: tuple[Plain, ...] = ()
    game: Word = ""
    game_id: Word = ""
    seq: Annotated[int, Meta(ge=0, le=10**12)] | None = None
    line: Word = ""
    start: Word = ""
    """The short hash of the header of the game's log."""
    event: Word = ""
    edition: Word = ""
    reading: Word = "standard"
    players: dict[Name, Word] = {}
    languages: tuple[Code, ...] = ("en",)
    questions: dict[Code, Text] = {}
    """The question in the other languages of the case, where it is the usual one."""
    round: Word = ""
    table: Word = ""
    tournament: Word = ""
    situation: Situation = Situation()


class Judged(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the auditor said of one line of a score sheet."""

    line: Optional
    verdict: Word
    said: Optional = ""
    rules: tuple[Word, ...] = ()
    words: dict[Code, Optional] = {}
    """The same as `said` in the other languages of the case."""

    def said_in(self, language: str) -> str:
        """What the auditor said, in that language where it is there."""
        return self.words.get(language) or self.said or self.line


class Claimed(CaseEvent, frozen=True, kw_only=True):
    """What a player says happened: in words, and as a short score sheet that was judged from the position."""

    player: Name
    said: Optional = ""
    sheet: Annotated[tuple[Optional, ...], Meta(max_length=20)] = ()
    judged: tuple[Judged, ...] = ()


class Agreed(Noted, frozen=True, kw_only=True):
    """What everybody agrees on."""

    text: Text


class Evidence(CaseEvent, frozen=True, kw_only=True):
    """Something to look at: a file with its SHA-256, or printed words with their source."""

    name: Word = ""
    sha256: Hash | None = None
    size: Annotated[int, Meta(ge=0)] = 0
    media: Word = ""
    text: Optional = ""
    source: Word = ""


class Opined(CaseEvent, frozen=True, kw_only=True):
    """What the auditor says, fixed at the version of the program and the fingerprint of the rules that said it."""

    engine: Word
    catalogue: Word
    judged: tuple[Judged, ...]
    otherwise: tuple[Optional, ...] = ()
    doubts: tuple[Judged, ...] = ()
    """What would have had to happen before the position, such as a compile."""


class Cite(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Something that a ruling rests on, with the fingerprint of its words at that time."""

    kind: Literal["rule", "ruling", "card", "edition"]
    id: Word
    hash: Word


class Penalty(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A penalty: for whom, for what, and how much."""

    player: Name
    infraction: Word
    level: Literal["note", "warning", "game-loss", "match-loss", "disqualification"] = "warning"


class Ruled(CaseEvent, frozen=True, kw_only=True):
    """A judge decided: yes, no, or something else; by these rules, for this reason, in the players' languages."""

    decision: Decision
    rules: tuple[Word, ...]
    reasons: dict[Code, Text]
    cards: tuple[Word, ...] = ()
    cites: tuple[Cite, ...] = ()
    remedy: Literal["", "as-it-stands", "backup", "repair"] = ""
    penalty: Penalty | None = None
    reading: Word = ""
    """The reading of the rules that the ruling follows, where it is another than that of the game."""


class Reworded(CaseEvent, frozen=True, kw_only=True):
    """A judge says the reason of the ruling that holds in other words; what was decided stays."""

    reasons: dict[Code, Text]


class QuestionChanged(CaseEvent, frozen=True, kw_only=True):
    """A judge asks the question in other words, each in its language; what it is about stays."""

    questions: dict[Code, Text]


class Remedied(CaseEvent, frozen=True, kw_only=True):
    """The game goes on in a branch: which, and after which event it left the old one."""

    to: Annotated[int, Meta(ge=0, le=10**12)]
    game: Word
    game_id: Word = ""
    advice: Word = ""


class Appealed(CaseEvent, frozen=True, kw_only=True):
    """A player wants a head judge to look at it."""

    player: Name
    reason: Optional = ""


class MadeFinal(CaseEvent, frozen=True, kw_only=True):
    """Nobody appealed in time."""

    reason: Optional = ""


class Withdrawn(CaseEvent, frozen=True, kw_only=True):
    """Nobody asks any more."""

    reason: Optional = ""


class Superseded(CaseEvent, frozen=True, kw_only=True):
    """A later case takes the place of this one."""

    case: Name
    reason: Text


class Shared(CaseEvent, frozen=True, kw_only=True):
    """Who may see the case from now on."""

    audience: Literal["judges", "public"]


AnyEvent = (
    Opened | Claimed | Agreed | Evidence | Opined | Ruled | Reworded | QuestionChanged | Remedied | Appealed
    | MadeFinal | Withdrawn | Superseded | Shared
)  # fmt: skip


def own_fields(kind: type[CaseEvent]) -> tuple[str, ...]:
    """What an event says beside by whom, in which role and when."""
    return tuple(name for name in kind.__struct_fields__ if name not in CaseEvent.__struct_fields__)
