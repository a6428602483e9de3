"""Importing journals: how long a game takes, what is explained, and what becomes of journals that are damaged.

    python -m bench.importing [--journal FILE] [--damaged 160] [--seed 1]

The games of the journal are imported as they are; with kinds of decisions that no importer knows; with one in ten of
their snapshots contradicting the others, then all; and game by game with one to three things gone wrong in the file.
Every log is audited. Whole games are explained to the last snapshot; seconds are those of the processor.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

import click

from bench.handwritten import JOURNAL
from replays.importing.journals.journal import ImportedGame, findings, imported_or_set_aside
from replays.importing.journals.reading import games

Lines = list[str]
DEEPER = 0.2
ONE_IN_TEN = 0.1


def lines_of(path: Path) -> list[Lines]:
    """The lines of each game of a journal."""
    found: dict[int, Lines] = {}
    with gzip.open(path, "rt") as file:
        for line in file:
            found.setdefault(json.loads(line)["g"], []).append(line.rstrip())
    return list(found.values())


# What may happen to a file


def _cut(lines: list[str], random: Random) -> None:
    at = random.randrange(len(lines))
    lines[at] = lines[at][: random.randrange(len(lines[at]))]


def _without_a_field(lines: list[str], random: Random) -> None:
    _with_another(lines, random, lambda values, key: values.pop(key))


def _with_an_unknown_name(lines: list[str], random: Random) -> None:
    _with_another(lines, random, lambda values, key: values.__setitem__(key, "Nobody-7"))


def _with_another_number(lines: list[str], random: Random) -> None:
    _with_another(lines, random, lambda values, key: values.__setitem__(key, random.choice((-1, 0, 1, 2, 3, 10**12))))


def _with_another(lines: list[str], random: Random, change: Callable[[Any, Any], object]) -> None:
    """Change one thing anywhere in a line, at most as deep as a list of cards."""
    at = random.randrange(len(lines))
    values = line = json.loads(lines[at])
    keys: Any = list(line)
    while keys:
        key = random.choice(keys)
        inner = values[key]
        if not isinstance(inner, dict | list) or not inner or random.random() < DEEPER:
            change(values, key)
            break
        values, keys = inner, list(inner) if isinstance(inner, dict) else list(range(len(inner)))
    lines[at] = json.dumps(line)


def _swapped(lines: list[str], random: Random) -> None:
    one, other = random.sample(range(len(lines)), 2)
    lines[one], lines[other] = lines[other], lines[one]


def _left_out(lines: list[str], random: Random) -> None:
    del lines[random.randrange(len(lines))]


def _repeated(lines: list[str], random: Random) -> None:
    at = random.randrange(len(lines))
    lines.insert(random.randrange(len(lines)), lines[at])


def _overwritten(lines: list[str], random: Random) -> None:
    at = random.randrange(len(lines))
    place = random.randrange(len(lines[at]))
    lines[at] = lines[at][:place] + chr(random.randrange(32, 0x2FF)) + lines[at][place + 1 :]


DAMAGES = (
    _cut, _without_a_field, _with_an_unknown_name, _with_another_number, _swapped, _left_out, _repeated, _overwritten,
)  # fmt: skip


def damaged(lines: list[str], random: Random) -> list[str]:
    """The lines of a game with one to three things gone wrong in them."""
    lines = list(lines)
    for damage in random.choices(DAMAGES, k=random.randrange(1, 4)):
        try:
            damage(lines, random)
        except ValueError:  # the line is none any more, or cannot be shorter
            continue
    return lines


# Games that a journal may hold


def with_unknown_kinds(lines: Lines) -> Lines:
    """Every decision is of a kind that nobody has seen."""
    told = [json.loads(line) for line in lines]
    return [json.dumps(line | ({"dec": {**line["dec"], "do": "another"}} if line.get("dec") else {})) for line in told]


def with_contradictions(lines: Lines, random: Random, share: float) -> Lines:
    """In this share of the snapshots a card of A's hand and one of the deck are exchanged."""
    told = [json.loads(line) for line in lines]
    for line in told[2:-1]:
        side = line["z"]["A"]
        if side["hd"] and side["dk"] and random.random() < share:
            side["hd"][0], side["dk"][-1] = side["dk"][-1], side["hd"][0]
    return [json.dumps(line) for line in told]


def measure(name: str, runs: Iterable[Lines]) -> str:
    """A line of the table."""
    written: list[ImportedGame] = []
    seconds: list[float] = []
    aside = accused = 0
    for lines in runs:
        for game in games([line.encode("utf-8", "replace") + b"\n" for line in lines]):
            start = process_time()
            one = imported_or_set_aside(game)
            if isinstance(one, ImportedGame):
                written.append(one)
                accused += bool(findings(one))
                seconds.append(process_time() - start)
            else:
                aside += 1
    gaps = [gap for one in written for gap in one.gaps]
    whole = sum(not one.unexplained for one in written)
    return (
        f"{name:26}{len(written):>8}{aside:>10}{whole:>7}{len(gaps):>6}{sum(gap.decisions for gap in gaps):>10}"
        f"{accused:>15}{median(seconds):>9.2f}{max(seconds):>7.2f}"
    )


def table(journal: Path, number: int, seed: int) -> Iterator[str]:
    """The table."""
    yield (
        f"{'journal':26}{'written':>8}{'set aside':>10}{'whole':>7}{'gaps':>6}{'left out':>10}"
        f"{'with findings':>15}{'median':>9}{'max':>7}"
    )
    all_games = lines_of(journal)
    random = Random(seed)
    yield measure("as it is", all_games)
    yield measure("unknown decisions", map(with_unknown_kinds, all_games))
    yield measure("one snapshot in ten wrong", [with_contradictions(game, random, ONE_IN_TEN) for game in all_games])
    yield measure("every snapshot wrong", [with_contradictions(game, random, 1) for game in all_games])
    yield measure("damaged", (damaged(all_games[at % len(all_games)], random) for at in range(number)))


@click.command()
@click.option("--journal", type=click.Path(path_type=Path, exists=True), default=JOURNAL)
@click.option("--damaged", "number", default=160, show_default=True, help="So many damaged games.")
@click.option("--seed", default=1, show_default=True)
def main(journal: Path, number: int, seed: int) -> None:
    """Import the games of a journal in several states, and print the table."""
    for line in table(journal, number, seed):
        click.echo(line)


if __name__ == "__main__":
    main()
