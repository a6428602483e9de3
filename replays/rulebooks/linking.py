"""Proposals of links by meaning: which passages of a loaded document say which rules, and which rules it does not say.

They need the sentence encoder and the learned statements of the game (`audit rule --learn`). The sentences of a
document are encoded once and kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path

from msgspec.structs import replace

from audit.core.catalogue import Catalogue
from audit.core.files import alone_in, append_whole
from audit.rulebooks.linking import CLAUSE_HANDICAP, MEASURED, Answer, Likeness, answers, clauses
from audit.rulebooks.passages import Rulebook
from audit.rulebooks.qa import units_of
from replays.files import UnreadableFileError, read_whole
from replays.rulebooks.editions import StoredEdition
from replays.rulebooks.loaded import latest_editions
from replays.rulebooks.meaning import Meaning, learn, learned_meaning
from replays.rulebooks.store import RulebookStore, RulebookStoreError

_Fold = Callable[[Sequence[float]], list[float]]

MOST_LINKED = 2
"""Where a rule takes more sentences of another document than these, they are no measure of what it says."""


def link_answers(
    rulebook_store: RulebookStore, document: str, catalogue: Catalogue, edition: str = ""
) -> list[Answer] | None:
    """An answer for each rule that no person has linked, the least certain first; None where nothing was learned."""
    meaning = learned_meaning(catalogue)
    if meaning is None:
        return None
    book = rulebook_store.show(document, edition).rulebook
    done = rulebook_store.links(document, book.edition)
    others = {code: other for code, other in latest_editions(catalogue).items() if other.known_as != book.known_as}
    found = answers_of(book, catalogue, meaning, linked_sentences(catalogue, others))
    return [answer for answer in found if answer.rule not in done]


def learned_answers(
    rulebook_store: RulebookStore, document: str, catalogue: Catalogue, edition: str = ""
) -> list[Answer] | None:
    """The same, and where nothing was learned it is learned first: half a minute. None without the encoder."""
    if learned_meaning(catalogue) is None and learn(catalogue) is None:
        return None
    return link_answers(rulebook_store, document, catalogue, edition)


def answers_of(
    book: Rulebook, catalogue: Catalogue, meaning: Meaning, linked: Mapping[str, Sequence[str]] | None = None
) -> list[Answer]:
    """An answer for each rule of a game; `linked` are sentences of other documents that say a rule."""
    sentences = [(passage.id, one.text) for passage in book.rules for one in passage.sentences]
    topics = {rule.id: rule.topic for rule in catalogue}
    if not sentences:
        return answers(topics, (), Likeness((), ()), Likeness((), ()))
    texts = [text for _, text in sentences]
    parts = [clauses(text) for text in texts]
    pieces = [*texts, *chain.from_iterable(parts)]
    context = [" ".join(texts[max(0, at - 1) : at + 1]) for at in range(len(texts))]
    alone = _likeness(topics, meaning, linked or {}, pieces, lambda row: _folded(row, parts))
    in_context = _likeness(topics, meaning, linked or {}, context, list)
    found = answers(topics, [passage for passage, _ in sentences], alone, in_context)
    return found if book.language in MEASURED else [replace(answer, is_measured=False) for answer in found]


def sure_answers(found: Iterable[Answer], least: float) -> dict[str, tuple[str, ...]]:
    """The answers at least so certain, from 0 to 1: the passages that say each rule, none where it is not said."""
    return {answer.rule: answer.chosen for answer in found if answer.certainty and answer.certainty >= least}


def _likeness(
    topics: Iterable[str], meaning: Meaning, linked: Mapping[str, Sequence[str]], texts: Sequence[str], fold: _Fold
) -> Likeness:  # fmt: skip
    statements, beside = meaning.of_statements(texts), _likeness_of_linked(meaning, linked, texts)
    rows = {rule: [fold(row) for row in statements[rule]] for rule in topics}
    best = [_best([*rows[rule], *map(fold, beside.get(rule, ()))]) for rule in topics]
    return Likeness([_mean(rows[rule]) for rule in topics], best)


def _folded(row: Sequence[float], parts: Sequence[Sequence[str]]) -> list[float]:
    """For each sentence how alike it is or the most alike of its clauses, which follow the sentences in `row`."""
    of_clauses = iter(row[len(parts) :])
    best = (max(islice(of_clauses, len(some)), default=0.0) - CLAUSE_HANDICAP for some in parts)
    return [max(pair) for pair in zip(row[: len(parts)], best, strict=True)]


def linked_sentences(catalogue: Catalogue, books: Mapping[str, Rulebook]) -> dict[str, list[str]]:
    """The sentences of loaded documents by the rules that they say."""
    found: dict[tuple[str, str], list[str]] = {}
    for unit in units_of(catalogue.package, books) if books else ():
        for code, side in unit.sides.items():
            for rule in unit.segment.rules:
                found.setdefault((rule, code), []).extend(one.text for one in side.sentences)
    linked: dict[str, list[str]] = {}
    for (rule, _), texts in found.items():
        if 0 < len(texts) <= MOST_LINKED:
            linked.setdefault(rule, []).extend(texts)
    return linked


def _likeness_of_linked(
    meaning: Meaning, linked: Mapping[str, Sequence[str]], sentences: Sequence[str]
) -> dict[str, list[Sequence[float]]]:
    texts = list(dict.fromkeys(text for some in linked.values() for text in some))
    rows = dict(zip(texts, meaning.likeness(texts, sentences), strict=True)) if texts else {}
    return {rule: [rows[text] for text in some] for rule, some in linked.items()}


def _mean(rows: Sequence[Sequence[float]]) -> list[float]:
    return [sum(values) / len(values) for values in zip(*rows, strict=True)]


def _best(rows: Iterable[Sequence[float]]) -> list[float]:
    return [max(values) for values in zip(*rows, strict=True)]


# Proposals that a person rejected


def rejected(rulebook_store: RulebookStore, stored: StoredEdition) -> frozenset[tuple[str, str]]:
    """Every rule and passage that were found not to belong together."""
    path = _path(rulebook_store, stored)
    try:
        lines = read_whole(path).decode().splitlines() if path.exists() else []
    except (OSError, UnicodeDecodeError, UnreadableFileError) as error:
        raise RulebookStoreError(path.name, f"cannot be read: {error}") from None
    pairs = (line.split("\t") for line in lines if line.count("\t") == 1)
    return frozenset((rule, passage) for rule, passage in pairs)


def reject(rulebook_store: RulebookStore, stored: StoredEdition, rule: str, passage: str) -> None:
    """Propose this passage for that rule no more."""
    path = _path(rulebook_store, stored)
    try:
        with alone_in(path.parent):
            if (rule, passage) not in rejected(rulebook_store, stored):
                append_whole(path, f"{rule}\t{passage}\n".encode())
    except OSError as error:
        raise RulebookStoreError(path.name, f"cannot be written: {error.strerror}") from None


def _path(rulebook_store: RulebookStore, stored: StoredEdition) -> Path:
    return rulebook_store.folder / stored.document / f"{stored.rulebook.edition}.rejected.tsv"
