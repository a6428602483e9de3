"""Games written down as people do, and what the auditor says of the records.

    python -m bench.records [--ruleset compile] [--games 60] [--ways "late,terse"] [--seed 1]
    python -m bench.records --clean 10000       only the clean games, one way each in turn
    python -m bench.records --logs FOLDER       the games of a folder, such as those imported
    python -m bench.records --planted           one mistake in every game

Every record of a clean game is honest: there may be no finding in it. What an amendment or a take-back has replaced
stands no longer, and what is said of it does not count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from random import Random

import click
from msgspec import Struct

from audit.core.auditor import audit
from audit.core.model import Verdict
from audit.core.record_events import superseded
from audit.core.ruleset import Ruleset, ruleset
from bench.mistakes import HEAD, Game, at_random, kinds_of, planted, recorded, row
from bench.record_lines import NO_DECKS, VIEWERS, Played, Record, as_known, writers, written
from bench.records_cards import IMPOSSIBLE, with_impossible_card
from bench.records_planted import Tally, findings, in_complete_log, judged
from bench.ways import WAYS


class Told(Struct):
    """What became of the clean games written in one way."""

    games: int = 0
    lines: int = 0
    unchecked: int = 0
    findings: int = 0
    accused: int = 0


def written_by(played: Played, way: str, random: Random) -> Record:
    """The game as that writer writes it in that way."""
    return written(played, WAYS[way](played, played.told_in_full(), random))


def count(game: Ruleset[object], record: Record, tally: Told) -> None:
    """Judge a record of a clean game, and count."""
    gone = superseded(record.events)
    steps = [step for step in audit(game, record.header, record.events) if step.seq not in gone]
    wrong = sum(step.verdict.is_finding for step in steps)
    tally.games += 1
    tally.lines += len(record.events)
    tally.unchecked += sum(step.verdict is Verdict.UNCHECKED for step in steps)
    tally.findings += wrong
    tally.accused += wrong > 0


def clean(name: str, games: Iterable[Game], ways: Sequence[str], seed: int, each: bool) -> dict[str, Told]:
    """The tallies by writer and way; `each` game in all of them, or in one of them in turn."""
    game = ruleset(name)
    turns = [(writer, way) for writer in writers(name) for way in ways]
    tallies = {f"{writer}: {way}": Told() for writer, way in turns}
    for number, (header, events) in enumerate(games):
        random = Random(seed * 1_000_003 + number)
        now = turns if each else [turns[number % len(turns)]]
        known = {writer: as_known(game, header, events, writer) for writer in dict(now)}
        for writer, way in now:
            count(game, written_by(known[writer], way, random), tallies[f"{writer}: {way}"])
    return tallies


def clean_lines(tallies: dict[str, Told]) -> Iterator[str]:
    """The table of clean games."""
    yield f"{'clean games, as written':44}{'games':>8}{'lines':>11}{'unchecked':>11}{'findings':>10}{'accused':>9}"
    whole = Told()
    for way, tally in tallies.items():
        for field in tally.__struct_fields__:
            setattr(whole, field, getattr(whole, field) + getattr(tally, field))
        yield _clean_line(way, tally)
    yield _clean_line("all", whole)


def _clean_line(way: str, tally: Told) -> str:
    return f"{way:44}{tally.games:>8,}{tally.lines:>11,}{tally.unchecked:>11,}{tally.findings:>10,}{tally.accused:>9,}"


HONEST_CARDS = ("in full", "declines unspoken", "half told", "without markers", "terse", "choices only and no declines")
"""The ways of writing in which cards that cannot be there are told."""

Tallies = dict[str, Tally]


def planted_in(
    name: str, games: Iterable[Game], ways: Sequence[str], seed: int, every: int = 1
) -> tuple[Tallies, Tallies]:
    """The tallies of one mistake of each kind in every game, each in one way: by writer and way, and by kind.

    With `every` only of every so many kinds.
    """
    game, kinds = ruleset(name), dict(islice(kinds_of(name).items(), 0, None, every))
    turns = cycle([(writer, way) for way in ways for writer in writers(name)])
    by_way: Tallies = defaultdict(Tally)
    by_kind: Tallies = defaultdict(Tally)
    for number, (header, events) in enumerate(games):
        random = Random(seed * 1_000_003 + number)
        for kind, mutant in planted(game, header, events, kinds, random):
            if wrong := in_complete_log(game, header, mutant):
                writer, way = next(turns)
                tally = judged(game, header, mutant, wrong, writer, way, random)
                by_way[f"{writer}: {way}"].add(tally)
                by_kind[kind].add(tally)
    return by_way, by_kind


def impossible_in(name: str, games: Iterable[Game], ways: Sequence[str], seed: int) -> Tallies:
    """The tallies of cards that cannot be there, one of each kind for each writer who does not know everything."""
    game, tallies = ruleset(name), dict[str, Tally]()
    turns = cycle(ways)
    for number, (header, events) in enumerate(games):
        random = Random(seed * 1_000_003 + number)
        for writer in VIEWERS[name] if name == "compile" else (NO_DECKS, *VIEWERS[name]):
            played = as_known(game, header, events, writer)
            for kind, change in IMPOSSIBLE[name].items():
                if found := with_impossible_card(played, change, random):
                    record = written(played, WAYS[next(turns)](played, found[1], random))
                    steps = findings(game, record)
                    placed = bool(steps) and steps[0].seq == record.places.get(played.sources[found[0]])
                    tallies.setdefault(kind, Tally()).add(Tally(1, bool(steps), placed, placed, len(steps)))
    return tallies


def planted_lines(tallies: Tallies, title: str) -> Iterator[str]:
    """The table of mistakes."""
    yield f"{HEAD.format(title)}{'accused':>9}{'gone':>6}{'asked':>7}"
    whole = Tally()
    for what, tally in sorted(tallies.items()):
        whole.add(tally)
        yield _planted_line(what, tally)
    yield _planted_line("all", whole)


def _planted_line(what: str, tally: Tally) -> str:
    return f"{row(what, tally)}{tally.accused:>9}{tally.gone:>6}{tally.asked:>7}"


def table(name: str, games: int, seed: int) -> Iterator[str]:
    """Both tables of a game: clean games, each written in one way, and mistakes by the way of writing."""
    ways = tuple(WAYS)
    yield from clean_lines(clean(name, at_random(name, games * len(ways), seed), ways, seed, each=False))
    yield ""
    yield from planted_lines(planted_in(name, at_random(name, games, seed), ways, seed)[0], "as written")


@click.command()
@click.option("--games", default=20, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--ruleset", "name", default="compile", show_default=True)
@click.option("--ways", default=",".join(WAYS), help="The ways of writing, separated by commas.")
@click.option("--logs", type=click.Path(exists=True, path_type=Path), help="Write down the games of a folder.")
@click.option("--clean", "many", default=0, help="So many clean games, each in one way.")
@click.option("--planted", "with_mistakes", is_flag=True, help="Plant one mistake of each kind in every game.")
def main(games: int, seed: int, name: str, ways: str, logs: Path | None, many: int, with_mistakes: bool) -> None:
    """Write games down, and print the tables."""
    played = recorded(name, logs) if logs else at_random(name, many or games, seed)
    chosen = ways.split(",")
    if with_mistakes:
        by_way, by_kind = planted_in(name, played, chosen, seed)
        tables = [planted_lines(by_way, "as written"), planted_lines(by_kind, "kind of mistake")]
        cards = impossible_in(name, at_random(name, games, seed), HONEST_CARDS, seed)
        tables.append(planted_lines(cards, "cards that cannot be there"))
        for table in tables:
            click.echo("\n".join(table))
        return
    for line in clean_lines(clean(name, played, chosen, seed, not many)):
        click.echo(line)


if __name__ == "__main__":
    main()
