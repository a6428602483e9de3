"""How long the lines of score sheets are: `python -m bench.score_sheets [LOG or folder]`; else simulated games."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import median

from audit.core.ruleset import ruleset, rulesets
from replays.generating.simulate import simulated
from replays.log.reader import open_log
from replays.scoresheet.sheet import write_sheet

GAMES = 10


def sheets(paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The game and the sheet of every log."""
    found = [file for path in map(Path, paths) for file in (sorted(path.glob("*.jsonl")) if path.is_dir() else [path])]
    for file in found:
        log = open_log(file)
        yield log.header.ruleset, write_sheet(log.ruleset, log.header, log)


def simulated_sheets() -> Iterator[tuple[str, str]]:
    """The game and the sheet of some simulated games of every game."""
    for name in rulesets():
        game = ruleset(name)
        yield from ((name, write_sheet(game, *simulated(game, seed))) for seed in range(GAMES))


def main(paths: list[str]) -> None:
    """Print the decisions, and the median length of a line without its remark."""
    lengths: dict[str, list[int]] = {}
    for name, sheet in sheets(paths) if paths else simulated_sheets():
        lines = [line for line in sheet.splitlines() if not line.startswith(("game ", "header "))]
        lengths.setdefault(name, []).extend(len(line.partition("   ")[0]) for line in lines)
    for name, found in lengths.items():
        longest = sorted(found)[len(found) * 9 // 10]
        print(f"{name}: {len(found):,} decisions, median {median(found):g} characters, nine in ten up to {longest}")


if __name__ == "__main__":
    main(sys.argv[1:])
