"""Finding the rule: how often an entry that answers is the first, or among the first three, and how long it takes.

    python -m bench.rule_search [--meaning] [--wrong] [--ruleset compile] [FILE …]

The questions are in `bench/questions`: `first.toml` was written before the search, `second.toml` after it by somebody
who looked at the rules alone. Those of `sixth.toml` have kinds: about a rule, about a card, or about nothing that the
rules know (`none`), which is right where nothing is found or another language is noticed. Those of `unseen` were asked
before anybody read them, and read only then; they are asked where they are named: `bench/questions/unseen/*.toml`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import click

from audit.core.catalogue import LANGUAGES
from audit.core.errors import UnknownRuleError
from audit.core.question_concepts import cards_asked, is_in_another_language
from audit.core.rule_search import RuleSearch
from audit.core.ruleset import ruleset
from replays.rulebooks.meaning import learn, rule_search

FOLDER = Path(__file__).parent / "questions"
FIRST = 3
_AS_GOOD = 0.9
"""From this share of the first score on an entry answers as well as the first."""

Question = Mapping[str, Any]


def questions(path: Path) -> list[Question]:
    """The questions of a file."""
    found: list[Question] = tomllib.loads(path.read_text("utf-8"))["question"]
    return found


def answers(search: RuleSearch, text: str) -> list[str]:
    """What a reader is shown of a question: the cards that it names, then the rules, by their ids."""
    cards = list(cards_asked(search.catalogue.package, text))
    if is_in_another_language(text):
        return cards
    return [*cards, *(found.rule.id for found in search.find(text) if found.rule.id not in cards)]


def rank(search: RuleSearch, question: Question) -> int:
    """At which place, from 1, the first right entry is found; 0 if it is not. Rightly nothing is a first place."""
    right = {known(search, id) for id in question["right"]}
    ids = answers(search, question["ask"])
    return next((place for place, id in enumerate(ids, 1) if id in right), 0) if right else int(not ids)


def is_arguable(search: RuleSearch, question: Question) -> bool:
    """Whether what is first, though not noted as right, scores no better than what is, or is of the same topic."""
    right = {known(search, id) for id in question["right"]}
    found = search.find(question["ask"])
    noted = [one for one in found if one.rule.id in right]
    if not noted or cards_asked(search.catalogue.package, question["ask"]):
        return False
    return noted[0].score >= _AS_GOOD * found[0].score or _topic(found[0].rule.id) in {_topic(id) for id in right}


def _topic(id: str) -> str:
    return id.partition(".")[0]


def known(search: RuleSearch, id: str) -> str:
    """The id of a rule of that id, former id or number; of a card its own."""
    try:
        return search.catalogue[id].id
    except UnknownRuleError:
        return id


def share(search: RuleSearch, asked: Sequence[Question], most: int = FIRST) -> float:
    """The share of questions with a right entry among the first of so many."""
    return sum(0 < rank(search, one) <= most for one in asked) / len(asked)


def shares_of(search: RuleSearch, asked: Sequence[Question]) -> str:
    """The shares of first places and of places among the first three, to read."""
    return f"first {share(search, asked, 1):.0%}, within three {share(search, asked):.0%}"


def table(search: RuleSearch, paths: Sequence[Path], *, wrong: bool) -> Iterator[str]:
    """The shares by file and language, the time of the slowest search, and what was not found."""
    for path in paths:
        asked = questions(path)
        by_language = {code: [one for one in asked if one["lang"] == code] for code in LANGUAGES}
        shares = "  ".join(f"{code} {share(search, some):.0%}" for code, some in by_language.items() if some)
        yield f"{path.stem:10} {len(asked):>3} questions  {shares_of(search, asked)}   {shares}"
        for kind in dict.fromkeys(one["kind"] for one in asked if "kind" in one):
            some = [one for one in asked if one["kind"] == kind]
            yield f"{kind:>14} {len(some):>3} questions  {shares_of(search, some)}"
        times = []
        for one in asked:
            start = perf_counter()
            search.find(one["ask"])
            times.append(perf_counter() - start)
        yield f"{'':10} median {sorted(times)[len(times) // 2] * 1000:.0f} ms, slowest {max(times) * 1000:.0f} ms"
        yield from misses(search, asked) if wrong else ()


def misses(search: RuleSearch, asked: Sequence[Question]) -> Iterator[str]:
    """The questions without a right entry in the first place, and of how many of them that is arguable."""
    missed = [one for one in asked if rank(search, one) != 1]
    arguable = [one for one in missed if is_arguable(search, one)]
    yield f"{'':10} {len(missed)} not in the first place, {len(arguable)} of these arguable"
    for one in missed:
        found = ", ".join(f"{found.rule.id} {found.score:.2f}" for found in search.find(one["ask"], 4))
        place = f"{rank(search, one) or 'none'}{', arguable' if one in arguable else ''}"
        yield f"    {one['lang']} {one['ask']}: {place}; {found}"


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, exists=True))
@click.option(
    "--wrong", is_flag=True, help="List the questions whose answer is not the first, and whether that is arguable."
)
@click.option(
    "--meaning", is_flag=True, help="Search by meaning too, with the sentence encoder; learning takes minutes."
)
@click.option("--ruleset", "game", default="compile", show_default=True, help="The game that is asked about.")
def main(files: tuple[Path, ...], wrong: bool, meaning: bool, game: str) -> None:
    """Print the table."""
    start = perf_counter()
    catalogue = ruleset(game).catalogue
    if meaning:
        learn(catalogue)
    search = rule_search(catalogue) if meaning else RuleSearch(catalogue)
    click.echo(f"ready after {(perf_counter() - start) * 1000:.0f} ms")
    for line in table(search, files or sorted(FOLDER.glob("*.toml")), wrong=wrong):
        click.echo(line)


if __name__ == "__main__":
    main()
