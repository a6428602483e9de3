"""Comparisons of readings as lines for a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from audit.core.catalogue import words
from audit.core.player_names import Players
from audit.core.readings import Switch
from audit.core.ruleset import Ruleset, ruleset
from audit.core.sentences import sentence, switch_sentence
from audit.rulebooks.consequences import authorities
from replays.judging.annotate import Annotator
from replays.judging.differences import Row, differences
from replays.rulebooks.quotes import RulebookQuotes, quotation_lines
from replays.season.readings import (
    Comparison,
    Parting,
    ReadingChange,
    after,
    most_consequential,
)

if TYPE_CHECKING:
    pass

_PLACES = 5
"""The most games named beside a switch that changes them."""


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
    editions = f" ({', '.join(switch.editions)})" if switch.editions else ""
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
            yield f"      {rule.id}  {game.catalogue.statement(rule, language)}"
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
    yield from (f"        {id}  {game.catalogue.statement(game.catalogue[id], language)}" for id in found)


def _switch(game: Ruleset[object], switch: Switch, comparison: Comparison, language: str) -> Iterator[str]:
    key = "switch" if switch.editions else "switch.apart"
    seq = comparison.changes[switch.name]
    yield "    " + _say(language, key, name=switch.name, editions=", ".join(switch.editions), seq=seq)
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
