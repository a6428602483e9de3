"""Comparisons for a terminal: of readings, of documents rule by rule, of a program with the rules."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypedDict
from xml.etree import ElementTree

from msgspec import to_builtins

from audit.core.catalogue import words
from audit.core.names import Players
from audit.core.readings import Switch
from audit.core.ruleset import Ruleset, ruleset
from audit.core.sentences import edition_words, sentence, switch_sentence
from audit.core.typed_setup import span_text
from audit.core.typography import labelled, sanitize_text
from audit.rulebooks.consequences import authorities
from audit.rulebooks.matrix import Cell, State
from replays.importing.journals.conform import ConformedGame, Conformity, Departure, Occurrence
from replays.judging.annotate import Annotator
from replays.judging.differences import Row, differences
from replays.rulebooks.quotes import RulebookQuotes, quotation_lines
from replays.season.readings import Comparison, Parting, ReadingChange, after, most_consequential
from replays.terminal.replay_screen import MARKS, word
from replays.terminal.scene_lines import rule_line

if TYPE_CHECKING:
    from replays.rulebooks.translation_qa import TranslationQA


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


_PLACES = 5
"""The most games named beside a switch that changes them."""
_SHORT = {
    State.SAID: "said", State.IMPLIED: "implied", State.EXTRA: "extra", State.MISSING: "missing",
    State.OUTSIDE: "–", State.NOT_LOADED: "not loaded", State.UNANSWERED: "?",
}  # fmt: skip
_WIDTH = 24


def comparison_lines(comparison: Comparison, ruleset_name: str, language: str) -> Iterator[str]:
    """The first difference between the readings, its consequences, the passages behind it, and how the game ends."""
    game = ruleset(ruleset_name)
    yield f"{comparison.log}  {comparison.game}".rstrip()
    if comparison.parting is None:
        yield "  " + _say(language, "same", readings=", ".join(comparison.readings))
        return
    annotator = Annotator(game, language, header=comparison.header)
    yield from _parting(annotator, comparison.parting)
    yield from _rows("after", differences(game, after(game, comparison), language, annotator.players), language)
    yield from _switches(game, comparison, comparison.parting.seq, language)
    yield from _outcome(game, comparison, language, annotator.players)


def consequences(
    rulesets: Iterable[str], changes: Iterable[ReadingChange], language: str = "en", *, as_json: bool = False
) -> Iterator[str]:
    """For each switch in how many of the games it ever changed anything, the most consequential first."""
    return _ranked([ruleset(name) for name in dict.fromkeys(rulesets)], changes, language, as_json)


def _ranked(
    games: Iterable[Ruleset[object]], changes: Iterable[ReadingChange], language: str, as_json: bool
) -> Iterator[str]:
    known = {switch.name: (switch, game) for game in games for switch in game.rules.switches}
    for name, changed in most_consequential(changes, known):
        places = [f"{change.game}:{change.seq}" for change in changed]
        switch, game = known[name]
        if as_json:
            yield json.dumps({
                "switch": name, "games": len(places), "places": places, "editions": list(switch.editions),
                "rules": [rule.id for rule in switch.rules], "said": switch_sentence(game, name, language),
            }, ensure_ascii=False)  # fmt: skip
        else:
            yield from _consequence(switch, places, switch_sentence(game, name, language), language)


def _consequence(switch: Switch, places: Sequence[str], said: str, language: str) -> Iterator[str]:
    names = ", ".join(edition_words(name, language) for name in switch.editions)
    editions = f" ({names})" if names else ""
    yield f"{len(places):>6}  {switch.name}{editions}  {said}".rstrip()
    if places:
        more = len(places) - _PLACES
        yield "        " + "  ".join([*places[:_PLACES], *([_say(language, "more", n=more)] if more > 0 else [])])


def _parting(annotator: Annotator, parting: Parting) -> Iterator[str]:
    yield "  " + _say(annotator.language, "parting", seq=parting.seq)
    verdicts = words("audit.core", annotator.language, "record")
    said: dict[str, str] = {}
    for reading, step in parting.said.items():
        shown = annotator.step(step)
        said[reading] = f"{verdicts[f'verdict.{step.verdict.value}']}  {shown.get('message') or shown['sentence']}"
    for text in dict.fromkeys(said.values()):
        names = ", ".join(reading for reading, one in said.items() if one == text)
        yield f"    {names}: {text}"


def _rows(title: str, rows: Sequence[Row], language: str) -> Iterator[str]:
    if rows:
        yield f"  {_say(language, title)}"
    yield from _places(rows)


def _places(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        yield f"    {row.place}"
        yield from (f"      {', '.join(names)}: {text}" for names, text in row.grouped())


def _switches(game: Ruleset[object], comparison: Comparison, seq: int, language: str) -> Iterator[str]:
    """The switches by when they take effect: here, later, never."""
    since = {switch: comparison.changes.get(switch.name) for switch in comparison.switches}
    here = [switch for switch, at in since.items() if at is not None and at <= seq]
    later = [switch for switch, at in since.items() if at is not None and at > seq]
    idle = [switch for switch, at in since.items() if at is None]
    if since:
        yield f"  {_say(language, 'why')}"
    if since and not here:
        yield f"    {_say(language, 'together')}"
    quotes = RulebookQuotes(game, _languages(game, comparison.readings))
    for switch in here:
        yield from _switch(game, switch, comparison, language)
        for rule in switch.rules:
            yield f"      {rule_line(game.catalogue, rule, language)}"
            latest = [one for one in quotes.of(rule) if one.latest]
            yield from (f"      {line}" for line in quotation_lines(latest, language))
        yield from _authority(game, switch, language)
    if later:
        yield f"  {_say(language, 'later')}"
    for switch in later:
        yield from _switch(game, switch, comparison, language)
    if idle:
        yield f"  {_say(language, 'idle', names=', '.join(switch.name for switch in idle))}"


def _languages(game: Ruleset[object], readings: Sequence[str]) -> tuple[str, ...]:
    """The languages of the readings where each is one; else all in which the rules are printed."""
    return tuple(readings) if set(readings) <= set(game.catalogue.documents) else ()


def _authority(game: Ruleset[object], switch: Switch, language: str) -> Iterator[str]:
    """The official rulings that bear on the rules of a switch, or that there is none."""
    known = authorities(game.catalogue, ()).rulings
    found = dict.fromkeys(id for rule in switch.rules for id in known.get(rule.id, ()))
    yield "      " + _say(language, "ruled" if found else "unruled")
    yield from (f"        {rule_line(game.catalogue, game.catalogue[id], language)}" for id in found)


def _switch(game: Ruleset[object], switch: Switch, comparison: Comparison, language: str) -> Iterator[str]:
    key = "switch" if switch.editions else "switch.apart"
    seq = comparison.changes[switch.name]
    editions = ", ".join(edition_words(name, language) for name in switch.editions)
    yield "    " + _say(language, key, name=switch.name, editions=editions, seq=seq)
    if said := switch_sentence(game, switch.name, language):
        yield f"      {said}"


def _outcome(game: Ruleset[object], comparison: Comparison, language: str, players: Players) -> Iterator[str]:
    counts = ", ".join(f"{reading} {number}" for reading, number in comparison.findings.items())
    yield f"  {_say(language, 'end')}"
    yield f"    {_say(language, 'findings', counts=counts)}"
    rows = differences(game, comparison.ends, language, players)
    if not rows:
        yield f"    {_say(language, 'end.same')}"
    yield from _places(rows)


def _say(language: str, key: str, **data: object) -> str:
    return sentence("replays", language, key, data, "compare")


def matrix_lines(qa: TranslationQA) -> Iterator[str]:
    """One line a rule, a column a language with the lines of the document; then the counts and the loose passages."""
    table = qa.matrix()
    rules = max((len(row.rule) for row in table.rows), default=0)
    yield _row("", table.languages, rules)
    for row in table.rows:
        yield _row(row.rule, [_said(row.cells[language]) for language in table.languages], rules)
    yield ""
    for language in table.languages:
        counts = table.counts(language)
        yield f"{language}: " + ", ".join(f"{counts[state]} {state}" for state in State if counts[state])
    for language, passages in table.unlinked.items():
        yield f"{language}: {len(passages)} unlinked"
        yield from (f"  {span_text(*p.lines)}  {p.id}" for p in passages)


def matrix_json(qa: TranslationQA) -> str:
    """For programs: rows with state and lines in each language, counts, and unlinked passages."""
    table = qa.matrix()
    data = {
        "languages": list(table.languages),
        "rows": [
            {"rule": row.rule, **{k: {"state": c.state, "lines": c.lines} for k, c in row.cells.items()}}
            for row in table.rows
        ],
        "counts": {k: {str(state): n for state, n in table.counts(k).items()} for k in table.languages},
        "unlinked": {k: [{"id": p.id, "lines": p.lines} for p in found] for k, found in table.unlinked.items()},
    }
    return json.dumps(data, ensure_ascii=False, indent=2)


def matrix_csv(qa: TranslationQA) -> str:
    """For a spreadsheet: a rule a line, for each language what its document does and on which lines."""
    table, out = qa.matrix(), io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["rule", *(title for code in table.languages for title in (code, f"{code} lines"))])
    for row in table.rows:
        cells = [row.cells[code] for code in table.languages]
        writer.writerow([row.rule, *(text for cell in cells for text in (str(cell.state), _spans(cell)))])
    return f"\ufeff{out.getvalue()}"


def _spans(cell: Cell) -> str:
    return " ".join(span_text(*lines) for lines in cell.lines)


def _row(name: str, cells: list[str] | tuple[str, ...], width: int) -> str:
    return f"{name:{width}}  " + "".join(f"{cell:{_WIDTH}}" for cell in cells).rstrip()


def _said(cell: Cell) -> str:
    spans = ",".join(f"{a}" if a == b else f"{a}-{b}" for a, b in cell.lines)
    word = _SHORT[cell.state]
    shown = f"{word} {spans}".rstrip()
    return shown if len(shown) < _WIDTH else shown[: _WIDTH - 2] + "…"
