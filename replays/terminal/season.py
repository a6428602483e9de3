"""What a season tells, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from audit.core.ruleset import ruleset
from audit.core.sentences import edition_words, sentence
from audit.core.typography import heading
from replays.season.statistics import Group, Statistics, bars
from replays.terminal.scene_lines import rule_line

MOST = 10
"""At most so many rules, cards and groups are listed for a reader."""
BAR = 40
"""Signs in the longest bar."""


def summary_lines(found: Statistics, language: str) -> Iterator[str]:
    """The end of a report over many games: how many, how many findings, and which rules were broken most."""
    whole = found.whole
    counts = [("games", whole.games), ("events", whole.events), ("findings", whole.findings)]
    counts += [("with_findings", whole.disputed)] if whole.findings else []
    counts += [("unreadable", found.unreadable)] if found.unreadable else []
    yield _say(language, "between").join(_say(language, key, n=number) for key, number in counts)
    if otherwise := found.judged_otherwise():
        yield heading(language, _say(language, "otherwise"))
    for name, edition, reading, count in otherwise:
        edition = edition_words(edition, language) or "–"
        yield f"  {_say(language, 'judged', n=count, ruleset=name, edition=edition, reading=reading or '–')}"
    if whole.broken:
        yield heading(language, _say(language, "broken"))
    for rule, count in whole.broken.most_common(MOST):
        yield f"  {count:>6}  {_rule(found, rule, language)}"
    yield from _more(len(whole.broken), language)


def statistics_lines(found: Statistics, language: str) -> Iterator[str]:
    """Everything that is told of many games."""
    yield from summary_lines(found, language)
    whole = found.whole
    if whole.actions_a_turn is not None:
        yield _say(language, "a_turn", n=f"{whole.actions_a_turn:.1f}".replace(".", _say(language, "decimal")))
    if whole.seconds_a_turn is not None:
        yield _say(language, "seconds_a_turn", n=f"{whole.seconds_a_turn:.0f}")
    yield from _lengths(found, language)
    for key, counts in (("cards", found.cards), ("readings", found.questioned)):
        if counts:
            yield heading(language, _say(language, key))
        yield from (f"  {count:>6}  {name}" for (_, name), count in counts.most_common(MOST))
        yield from _more(len(counts), language)
    for name, groups in found.by.items():
        if len(groups) > 1:
            yield heading(language, _say(language, f"by.{name}"))
            first = sorted(groups.items(), key=lambda group: (-group[1].findings, -group[1].games, group[0]))
            yield from (f"  {_group(value, group, language)}" for value, group in first[:MOST])
            yield from _more(len(groups), language)
    for game, rules in found.unused().items():
        yield _say(language, "unused", n=len(rules), ruleset=game)


def _more(count: int, language: str) -> Iterator[str]:
    """That a list goes on, and where all of it is."""
    if count > MOST:
        yield f"  {_say(language, 'more', n=count - MOST)}"


def _lengths(found: Statistics, language: str) -> Iterator[str]:
    if not found.lengths:
        return
    yield heading(language, _say(language, "lengths"))
    shown = bars(found.lengths)
    most = max(count for _, _, count in shown)
    for start, end, count in shown:
        yield f"  {start:>6}–{end:<6} {count:>6}  {'█' * (count * BAR // most)}".rstrip()


def _group(value: str, group: Group, language: str) -> str:
    ((rule, _),) = group.broken.most_common(1) or [("", 0)]
    key = "group" if group.findings else "group.clean"
    return _say(
        language, key, value=value, games=group.games, findings=group.findings, rule=rule or _say(language, "no_rule")
    )


def _rule(found: Statistics, rule: str, language: str) -> str:
    for name in found.used:
        catalogue = ruleset(name).catalogue
        if rule in catalogue.rules or rule in catalogue.rulings:
            return rule_line(catalogue, catalogue[rule], language)
    return rule or _say(language, "no_rule")


def _say(language: str, key: str, **data: object) -> str:
    return sentence("replays", language, key, data, "season")
