"""What a program that records games does otherwise than the rules, as text, JSON and JUnit XML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypedDict
from xml.etree import ElementTree

from msgspec import to_builtins

from audit.core.typography import labelled
from replays.importing.journals.conform import ConformedGame, Conformity, Departure, Occurrence
from replays.sanitize import sanitize_text
from replays.terminal.replay_screen import MARKS, word

MAX_TOLD = 5
"""At most so many occurrences of a departure are told to a reader."""


class ConformedTold(TypedDict):
    """A game that was looked at."""

    source: str
    game: str
    events: int
    occurrences: int
    unexplained: Sequence[int]
    set_aside: str


def conformity_lines(found: Conformity, language: str) -> Iterator[str]:
    """Each departure with its occurrences, their consequences folded under them, and the sum."""
    for departure in found.departures:
        yield from _departure(departure, language)
        yield ""
    for game in found.games:
        if game.set_aside:
            yield word(language, "conform_set_aside", source=game.source, game=game.game, why=game.set_aside)
        if game.unexplained:
            lines = ", ".join(map(str, game.unexplained))
            yield word(language, "conform_unexplained", source=game.source, game=game.game, lines=lines)
    if number := sum(len(game.unexplained) for game in found.games):
        yield word(language, "conform_unexplained_lines", n=number)
    yield " ".join(
        (
            word(language, "conform_departures", n=len(found.departures)),
            word(language, "conform_games", n=len(found.games), events=sum(game.events for game in found.games)),
        )
    )


def _departure(departure: Departure, language: str) -> Iterator[str]:
    rule = departure.rule or word(language, "conform_no_rule")
    yield f"{MARKS['illegal']} {' · '.join(filter(None, (rule, departure.card)))}"
    if departure.statement:
        yield f"    {departure.statement}"
    games = {(one.source, one.game) for one in departure.occurrences}
    yield f"    {word(language, 'conform_times', n=len(departure.occurrences), games=len(games))}"
    for one in departure.occurrences[:MAX_TOLD]:
        yield from (f"    {line}" for line in _occurrence(one, language))
    if (more := len(departure.occurrences) - MAX_TOLD) > 0:
        yield f"    {word(language, 'more', n=more)}"


def _occurrence(one: Occurrence, language: str) -> Iterator[str]:
    yield f"{_place(one)}: {one.message}"
    yield from (f"  {labelled(language, word(language, 'expected'), text)}" for text in one.expected)
    if one.consequences:
        yield f"  {word(language, 'conform_consequences', n=len(one.consequences))}"
        yield from (f"    {_place(each)}: {each.message}" for each in one.consequences[:MAX_TOLD])


def _place(one: Occurrence) -> str:
    return f"{one.source} {one.game}:{one.line}"


class ConformityTold(TypedDict):
    """The games that were looked at, and how the program departs from the rules in them."""

    games: Sequence[ConformedTold]
    departures: Sequence[Departure]


def conformity_json(found: Conformity) -> ConformityTold:
    """All of it, for a program."""
    return {"games": list(map(_conformed, found.games)), "departures": to_builtins(found.departures)}


def _conformed(game: ConformedGame) -> ConformedTold:
    return {
        "source": game.source, "game": game.game, "events": game.events, "occurrences": len(game.occurrences),
        "unexplained": game.unexplained, "set_aside": game.set_aside,
    }  # fmt: skip


def conformity_junit(found: Conformity, language: str) -> str:
    """One test case a departure, which fails, and one for each game without any."""
    clean = [game for game in found.games if not game.occurrences and not game.set_aside]
    aside = [game for game in found.games if game.set_aside]
    number = len(found.departures) + len(clean) + len(aside)
    suite = ElementTree.Element("testsuite", name="audit conform", tests=str(number))
    suite.set("failures", str(len(found.departures)))
    suite.set("errors", str(len(aside)))
    for departure in found.departures:
        name = " ".join(filter(None, (departure.rule or "checkpoint", departure.card)))
        case = ElementTree.SubElement(suite, "testcase", name=sanitize_text(name), classname="rules")
        first = departure.occurrences[0]
        failure = ElementTree.SubElement(case, "failure", message=sanitize_text(first.message), type="departure")
        failure.text = sanitize_text("\n".join(_departure(departure, language)))
    for game in (*clean, *aside):
        name = sanitize_text(f"{game.source} {game.game}".strip())
        case = ElementTree.SubElement(suite, "testcase", name=name, classname="games")
        if game.set_aside:
            ElementTree.SubElement(case, "error", message=sanitize_text(game.set_aside), type="unreadable")
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True)
