"""A new document is linked by meaning: which passages say a rule, and which rules it does not say."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from pathlib import Path
from zlib import crc32

import pytest

from audit.catalogue import LANGUAGES
from audit.compile.catalogue import CATALOGUE
from audit.rulebooks.cutting import cut
from audit.rulebooks.linking import Answer, answers
from audit.rulebooks.passages import words
from bench.linking.__main__ import LANGUAGES as WRITTEN
from bench.linking.__main__ import shares, written
from replays.rulebooks.linking import answers_of
from replays.rulebooks.meaning import Meaning
from replays.rulebooks.store import Loading, RulebookStore

SAID = ("refresh.up-to-five", "compile.mandatory", "victory.three-compiled", "field.three-lines")


class WordCounts:
    """An encoder that compares words: the vector of a text counts its words."""

    def encode(self, texts: list[str]) -> list[list[float]]:
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        counts = Counter(crc32(word.encode()) % 499 for word in words(text) if len(word) > 3)
        return [float(counts[at]) for at in range(499)]


@pytest.fixture
def by_words(tmp_path: Path) -> Meaning:
    pytest.importorskip("numpy")
    encoder = WordCounts()
    every = [[CATALOGUE.statement(rule, code) for rule in CATALOGUE.entries] for code in LANGUAGES]
    vectors = [encoder.encode([text])[0] for text in chain.from_iterable(every)]
    return Meaning([rule.id for rule in CATALOGUE.entries], vectors, encoder, tmp_path)


def test_a_rule_is_found_in_the_passage_that_says_it(by_words: Meaning) -> None:
    book = cut("\n\n".join(f"- {CATALOGUE.statement(CATALOGUE[rule])}" for rule in SAID), "house-en", "en")
    found = {answer.rule: answer for answer in answers_of(book, CATALOGUE, by_words)}
    assert [found[rule].passages[0][0] for rule in SAID] == [passage.id for passage in book.passages]
    assert all(found[rule].is_said for rule in SAID)
    assert not found["edge.zero-is-even"].is_said


def test_of_a_document_without_words_nothing_is_said(by_words: Meaning) -> None:
    book = cut("", "house-en", "en")
    assert not any(answer.passages for answer in answers_of(book, CATALOGUE, by_words))


def test_the_least_certain_answer_comes_first() -> None:
    grid = [[0.9, 0.1, 0.1], [0.1, 0.45, 0.4], [0.0, 0.1, 0.1]]
    found = answers({"draw": "cards", "shift": "cards", "win": "end"}, ("p1", "p2", "p3"), grid, grid)
    assert [one.certainty for one in found] == sorted(one.certainty for one in found)


def test_an_answer_names_every_likely_passage_and_how_sure_it_is() -> None:
    found = Answer("draw", (("p1", 0.9), ("p2", 0.6), ("p3", 0.1)))
    assert (found.chosen, found.is_said, round(found.certainty, 2)) == (("p1", "p2"), True, 0.8)
    silent = Answer("shift", (("p1", 0.2),))
    assert (silent.chosen, silent.is_said, round(silent.certainty, 2)) == ((), False, 0.6)


def test_that_a_document_does_not_say_a_rule_is_an_answer(tmp_path: Path, house_rules: str) -> None:
    store = RulebookStore(tmp_path)
    edition = store.add_bytes(house_rules.encode(), "r.md", Loading("lantern-en", "en")).edition
    store.answer("lantern-en", {"refresh.up-to-five": (), "compile.mandatory": ["the-lantern-game/questions/q2/2"]})
    kept = store.links("lantern-en", edition)
    assert kept == {
        "refresh.up-to-five": (), "compile.mandatory": ("lantern-en/the-lantern-game/questions/q2/2",)
    }  # fmt: skip
    store.answer("lantern-en", {"refresh.up-to-five": None})
    assert set(store.links("lantern-en", edition)) == {"compile.mandatory"}


@pytest.mark.parametrize("language", WRITTEN)
def test_the_documents_written_for_the_measurement_hold_together(language: str) -> None:
    document = written(language)
    assert len(document.book.passages) == 60
    assert document.said.isdisjoint(document.left_out)
    assert document.said | set(document.left_out) <= {rule.id for rule in CATALOGUE}


def test_the_measurement_counts_right_and_wrong_answers() -> None:
    document = written("de")
    right = {rule: next(p for p, rules in document.rules.items() if rule in rules) for rule in document.said}
    perfect = [Answer(rule, ((passage, 0.9),)) for rule, passage in right.items()]
    perfect += [Answer(rule, ((document.book.passages[0].id, 0.1),)) for rule in document.left_out]
    found = shares(perfect, document)
    assert (found.first, found.three, found.said, found.left_out) == (1.0, 1.0, 1.0, 1.0)
    lost = [Answer(answer.rule, ()) for answer in perfect]
    assert (shares(lost, document).first, shares(lost, document).said) == (0.0, 0.0)
