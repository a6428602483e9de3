"""Links by meaning: how often the right passage is proposed, and how often it is seen that there is none.

    python -m bench.linking [--loaded FOLDER]

The documents are sixty sentences each in our own words. The linker is fitted to `rules-de.toml` and `rules-es.toml`,
and not to `rules-nl.toml` and `rules-pt.toml`. The misses of the Dutch one were read before clauses and context were
compared; nobody has read those of the Portuguese one, which alone is the proof. `--loaded` takes the real documents of
that folder as a help, as if they were loaded.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click
from msgspec import Struct

from audit.games.compile.rules import CATALOGUE
from audit.rulebooks.cutting import cut
from audit.rulebooks.known import recognised
from audit.rulebooks.linking import Answer
from audit.rulebooks.passages import Rulebook
from replays.rulebooks.linking import answers_of, linked_sentences
from replays.rulebooks.meaning import Meaning, learn, learned_meaning

FOLDER = Path(__file__).parent / "documents"
FITTED, PROOF = ("de", "es"), ("nl", "pt")
LANGUAGES = (*FITTED, *PROOF)


class Written(Struct, frozen=True):
    """A document written for this: its text, the rules of each sentence, and the rules that none of them says."""

    book: Rulebook
    rules: Mapping[str, frozenset[str]]
    left_out: tuple[str, ...]

    @property
    def said(self) -> frozenset[str]:
        """Every rule that it says."""
        return frozenset().union(*self.rules.values())


class Shares(Struct, frozen=True):
    """The measured shares, each from 0 to 1, and of how many rules."""

    first: float
    three: float
    said: float
    left_out: float
    unsaid: float
    rules: int
    missing: int
    others: int


def written(language: str) -> Written:
    """A written document, cut as any other: each sentence is a passage."""
    data = tomllib.loads((FOLDER / f"rules-{language}.toml").read_text("utf-8"))
    book = cut("\n\n".join(f"- {one[0]}" for one in data["sentences"]), f"written-{language}", language)
    rules = {
        passage.id: frozenset(one[1:]) for passage, one in zip(book.passages, data["sentences"], strict=True)
    }  # fmt: skip
    return Written(book, rules, tuple(data["left_out"]))


def shares(found: Sequence[Answer], document: Written) -> Shares:
    """How the answers for a written document fare."""
    by_rule = {answer.rule: answer for answer in found}
    said, missing = sorted(document.said), document.left_out
    others = sorted(by_rule.keys() - document.said)
    ranks = {rule: _rank(by_rule[rule], document) for rule in said}
    return Shares(
        first=sum(rank == 1 for rank in ranks.values()) / len(said),
        three=sum(rank > 0 for rank in ranks.values()) / len(said),
        said=sum(by_rule[rule].is_said for rule in said) / len(said),
        left_out=sum(not by_rule[rule].is_said for rule in missing) / len(missing),
        unsaid=sum(not by_rule[rule].is_said for rule in others) / max(1, len(others)),
        rules=len(said), missing=len(missing), others=len(others),
    )  # fmt: skip


def _rank(answer: Answer, document: Written) -> int:
    places = enumerate((passage for passage, _ in answer.passages), 1)
    return next((place for place, passage in places if answer.rule in document.rules[passage]), 0)


def lines(meaning: Meaning, linked: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """One line a document."""
    for language in LANGUAGES:
        document = written(language)
        found = shares(answers_of(document.book, CATALOGUE, meaning, linked), document)
        yield (
            f"{language}  right passage first {found.first:.1%}, among three {found.three:.1%} of {found.rules} rules; "
            f"said {found.said:.1%}; not said {found.left_out:.1%} of {found.missing}, "
            f"{found.unsaid:.1%} of all {found.others} that it does not say"
            f"{'' if language in PROOF else '  (fitted to)'}"
        )


def loaded(folder: Path | None) -> dict[str, Rulebook]:
    """The real documents of a game in a folder of their files, by language; nothing without a folder."""
    found: dict[str, Rulebook] = {}
    for file in sorted(folder.glob("*.txt")) if folder else ():
        text = file.read_text("utf-8")
        for language, document in CATALOGUE.documents.items():
            if recognised(text, language) == document:
                found[language] = cut(text, document)
    return found


@click.command()
@click.option("--loaded", "folder", type=click.Path(path_type=Path, exists=True), help="Real documents as a help.")
def main(folder: Path | None) -> None:
    """Print the shares for the written documents."""
    meaning = learned_meaning(CATALOGUE) or (learned_meaning(CATALOGUE) if learn(CATALOGUE) else None)
    if meaning is None:
        raise click.ClickException("the sentence encoder is not installed")
    for line in lines(meaning, linked_sentences(CATALOGUE, loaded(folder))):
        click.echo(line)


if __name__ == "__main__":
    main()
