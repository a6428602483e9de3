"""Finding the rule: how often an entry that answers is among the first three, and how long a search takes.

    python -m bench.rule_search [--meaning] [--wrong] [FILE …]

The questions are in `bench/questions`: `first.toml` was written before the search, `second.toml` after it by somebody
who looked at the rules alone.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import click

from audit.catalogue import LANGUAGES
from audit.rule_search import RuleSearch
from audit.ruleset import ruleset
from replays.rulebooks.meaning import learn, rule_search

FOLDER = Path(__file__).parent / "questions"
FIRST = 3

Question = Mapping[str, Any]


def questions(path: Path) -> list[Question]:
    """The questions of a file."""
    found: list[Question] = tomllib.loads(path.read_text("utf-8"))["question"]
    return found


def rank(search: RuleSearch, question: Question) -> int:
    """At which place, from 1, the first right entry is found; 0 if it is not."""
    ids = [found.rule.id for found in search.find(question["ask"])]
    return next((place for place, id in enumerate(ids, 1) if id in question["right"]), 0)


def share(search: RuleSearch, asked: Sequence[Question]) -> float:
    """The share of questions with a right entry among the first three."""
    return sum(0 < rank(search, one) <= FIRST for one in asked) / len(asked)


def table(search: RuleSearch, paths: Sequence[Path], *, wrong: bool) -> Iterator[str]:
    """The shares by file and language, the time of the slowest search, and what was not found."""
    for path in paths:
        asked = questions(path)
        by_language = {code: [one for one in asked if one["lang"] == code] for code in LANGUAGES}
        shares = "  ".join(f"{code} {share(search, some):.0%}" for code, some in by_language.items() if some)
        yield f"{path.stem:10} {len(asked):>3} questions  {share(search, asked):.0%}   {shares}"
        times = []
        for one in asked:
            start = perf_counter()
            search.find(one["ask"])
            times.append(perf_counter() - start)
        yield f"{'':10} median {sorted(times)[len(times) // 2] * 1000:.0f} ms, slowest {max(times) * 1000:.0f} ms"
        for one in asked if wrong else ():
            if not 0 < rank(search, one) <= FIRST:
                found = ", ".join(f"{one.rule.id} {one.score:.2f}" for one in search.find(one["ask"], 4))
                yield f"    {one['lang']} {one['ask']}: {rank(search, one)}; {found}"


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, exists=True))
@click.option("--wrong", is_flag=True, help="List the questions whose answer is not among the first three.")
@click.option(
    "--meaning", is_flag=True, help="Search by meaning too, with the sentence encoder; learning takes minutes."
)
def main(files: tuple[Path, ...], wrong: bool, meaning: bool) -> None:
    """Print the table."""
    start = perf_counter()
    catalogue = ruleset("compile").catalogue
    if meaning:
        learn(catalogue)
    search = rule_search(catalogue) if meaning else RuleSearch(catalogue)
    click.echo(f"ready after {(perf_counter() - start) * 1000:.0f} ms")
    for line in table(search, files or sorted(FOLDER.glob("*.toml")), wrong=wrong):
        click.echo(line)


if __name__ == "__main__":
    main()
