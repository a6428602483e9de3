"""The shapes of what is printed and answered of the catalogue: rules, rulings, cards, and what proves them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, TypedDict

from replays.log.output import RuleStated


class PlaceTold(TypedDict):
    """Where a document states a rule: its lines, and other lines that say the same."""

    language: str
    document: str
    lines: Sequence[int]
    also_at: Sequence[Sequence[int]]
    section: str
    implied: bool


class CodePlace(TypedDict):
    """A line of our code."""

    path: str
    line: int


Decided = TypedDict("Decided", {"path": str, "line": int, "name": str, "as": Literal["violation", "citation"]})
"""A line of our code that decides by a rule."""


class CasesTold(TypedDict):
    """The cases that keep a rule and that break it."""

    legal: Sequence[str]
    broken: Sequence[str]


class LinkTold(TypedDict):
    """What somebody linked to a rule: passages of a document, or that it does not say it."""

    document: str
    edition: str
    language: str
    passages: Sequence[str]
    text: str
    by: str
    at: str
    look: str


class FoundBy(TypedDict):
    """A word of a question, the word that was found for it, and how they are alike."""

    word: str
    found: str
    by: str


class EntryTold(TypedDict):
    """What the catalogue says of every entry."""

    id: str
    ruleset: str
    topic: str
    checkable: bool
    events: Sequence[str]
    cards: Sequence[str]
    terms: Sequence[str]
    statement: str
    statements: Mapping[str, str]
    places: Sequence[PlaceTold]
    declared_at: CodePlace | None
    decided_at: Sequence[Decided]
    cases: CasesTold
    links: NotRequired[Sequence[LinkTold]]
    score: NotRequired[float]
    why: NotRequired[Sequence[FoundBy]]


class RuleTold(EntryTold):
    """A rule, with the rulings on it. Where it answers a question, with how well and by which words."""

    kind: str
    rulings: Sequence[str]


class RulingEntryTold(EntryTold):
    """A ruling, with what it bears on."""

    kind: str
    number: str
    edition: str
    date: str
    bears_on: Sequence[str]
    superseded_by: str | None
    changes_play: bool


class CardWords(TypedDict):
    """What a card is called and does in one language."""

    name: str
    texts: Mapping[str, str]


class CardTold(CardWords):
    """A card: what it does, what was said of it, and the rules it rests on."""

    id: str
    ruleset: str
    kind: Literal["card"]
    in_languages: Mapping[str, CardWords]
    said: Sequence[RuleStated]
    rests_on: Sequence[RuleStated]


class CoverageTold(TypedDict):
    """A rule with the code that enforces it and the cases that prove it, or why there are none."""

    rule: str
    checkable: bool
    enforced_by: Sequence[str]
    legal: Sequence[str]
    broken: Sequence[str]
    exception: str | None
    standing: str | None


class TextCoverageTold(TypedDict):
    """A text of a card with how many situations carry it out and how many break it."""

    card: str
    text: str
    legal: int
    broken: int
