"""Checks on words that change what a rule says: numbers, modality, negation, quantity, timing, actors."""

from __future__ import annotations

from collections.abc import Iterator

from audit.rulebooks.checks.compare import counted, exchanges, presences, spans
from audit.rulebooks.checks.markers import MarkerMatch, marks
from audit.rulebooks.findings import Difference, Kind, Severity
from audit.rulebooks.segments import Side

_NOTHING: frozenset[str] = frozenset()


def _pairs(*opposed: str) -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair.split()) for pair in opposed)


_MODAL = _pairs("may must")
_MODAL_PRESENT = {"may": frozenset({"cannot", "choice"})}
_QUANTITY = _pairs(
    "all each", "at-least at-most", "at-least fewer", "fewer at-most", "at-least more", "at-most more", "fewer more",
    "any only", "at-least only", "instead also"
)  # fmt: skip
_LIMITS = _pairs("at-least fewer")
"""Forbidden from five on and allowed below five are one limit."""
_DENYING = _pairs("all each", "at-least at-most", "before after", "together in-turn")
_QUANTITY_PRESENT = {
    "at-least": frozenset({"at-most", "fewer"}), "at-most": frozenset({"at-least"}), "fewer": frozenset({"at-least"}),
    "more": frozenset({"at-most"}), "only": _NOTHING, "instead": _NOTHING,
}  # fmt: skip
_TIME = _pairs(
    "before after", "before then", "first then", "first after", "together in-turn", "together then",
    "at-once after", "at-once before", "before at-once",
)  # fmt: skip
_TIME_PRESENT = {
    "before": frozenset({"first"}), "after": _NOTHING, "first": frozenset({"before", "in-turn"}),
    "together": _NOTHING, "ends": _NOTHING, "in-turn": frozenset({"together"}),
}  # fmt: skip
_ACTOR = _pairs("owner opponent", "owner owner-of-target", "turn-player opponent", "owner turn-player")
_ACTOR_PRESENT = {"opponent": frozenset({"both"}), "owner": _NOTHING}


def numbers(left: Side, right: Side) -> Iterator[Difference]:
    """Numbers, in figures or in words, that one side alone has. One is left out: it is an article as well."""
    mine, theirs = _marks(left, "number"), _marks(right, "number")
    for value in sorted(_values(mine) - _values(theirs) - _both(theirs)):
        data = (("left", value),)
        yield Difference(Kind.NUMBER, "left-only", Severity.CHANGES, data, spans(mine, value), spans(theirs))
    for value in sorted(_values(theirs) - _values(mine) - _both(mine)):
        data = (("right", value),)
        yield Difference(Kind.NUMBER, "right-only", Severity.CHANGES, data, spans(mine), spans(theirs, value))


def modality(left: Side, right: Side) -> Iterator[Difference]:
    """A permission against a duty; a plain statement counts as a duty."""
    mine, theirs = _marks(left, "modality"), _marks(right, "modality")
    found = list(exchanges(Kind.MODALITY, mine, theirs, _MODAL, Severity.CHANGES))
    yield from found
    if not found:
        yield from presences(Kind.MODALITY, mine, theirs, _MODAL_PRESENT, Severity.CHANGES)


def negation(left: Side, right: Side) -> Iterator[Difference]:
    """A different number of negations, those of a prohibition included; a double negation counts once.

    A word that can be put with or without a negation (`un` in the tables: uncovered, not covered) may count or not.
    """
    mine, theirs = _marks(left, "negation"), _marks(right, "negation")
    here, there = _range(mine, theirs), _range(theirs, mine)
    if here[1] < there[0] or there[1] < here[0]:
        grave = Severity.CHANGES if 0 in (*here, *there) else Severity.MISLEADS
        data = (("left", str(here[0])), ("right", str(there[0])))
        yield Difference(Kind.NEGATION, "count", grave, data, spans(mine), spans(theirs))


def exceptions(left: Side, right: Side) -> Iterator[Difference]:
    """An exception that one side alone makes; a limit in time (until, as long as) answers to one."""
    mine, theirs = _marks(left, "exception"), _marks(right, "exception")
    yield from presences(Kind.EXCEPTION, mine, theirs, {"except": frozenset({"until"})}, Severity.MISLEADS)


def quantity(left: Side, right: Side) -> Iterator[Difference]:
    """Each against all, at least against more than, only, instead."""
    mine, theirs = _marks(left, "quantity"), _marks(right, "quantity")
    opposed = _QUANTITY - _LIMITS if _forbidden(left) or _forbidden(right) else _QUANTITY
    yield from exchanges(Kind.QUANTITY, mine, theirs, opposed, Severity.CHANGES, _DENYING)
    yield from presences(Kind.QUANTITY, mine, theirs, _QUANTITY_PRESENT, Severity.MISLEADS)


def timing(left: Side, right: Side) -> Iterator[Difference]:
    """Before against after, first against then, together against one after the other."""
    mine, theirs = _marks(left, "time"), _marks(right, "time")
    yield from exchanges(Kind.TIME, mine, theirs, _TIME, Severity.CHANGES, _DENYING)
    yield from presences(Kind.TIME, mine, theirs, _TIME_PRESENT, Severity.MISLEADS)


def actors(left: Side, right: Side) -> Iterator[Difference]:
    """Who does it or whose it is: opponent, owner, turn player."""
    mine, theirs = _marks(left, "actor"), _marks(right, "actor")
    found = list(exchanges(Kind.ACTOR, mine, theirs, _ACTOR, Severity.CHANGES))
    yield from found
    if not found:
        yield from presences(Kind.ACTOR, mine, theirs, _ACTOR_PRESENT, Severity.MISLEADS)


def _marks(side: Side, family: str) -> tuple[MarkerMatch, ...]:
    return marks(side.text, side.language, family)


def _forbidden(side: Side) -> bool:
    return any(mark.marker == "cannot" for mark in _marks(side, "modality"))


def _values(found: tuple[MarkerMatch, ...]) -> set[str]:
    return set(counted(found)) - {"1", "both"}


def _range(found: tuple[MarkerMatch, ...], other: tuple[MarkerMatch, ...]) -> tuple[int, int]:
    """The fewest and the most negations that these marks stand for, beside those of the other side."""
    certain = counted(found)["not"]
    answered = counted(other)["un"] > 0
    return certain, certain if answered else len(found)


def _both(found: tuple[MarkerMatch, ...]) -> set[str]:
    """A word for both answers to a two."""
    return {"2"} if any(mark.marker == "both" for mark in found) else set()
