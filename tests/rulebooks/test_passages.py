"""A document comes apart into passages that say where they stand and what they are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.rulebooks.cutting import cut, known_documents
from audit.rulebooks.passages import Kind, Passage, Rulebook, edition_of, fingerprint, slug, words
from audit.rulebooks.segments import Side, placed

RUN = 13
"""So many words in a row are more than a phrase."""

Real = Callable[[str], Rulebook]


@pytest.fixture
def book(house_rules: str) -> Rulebook:
    return cut(house_rules, "lantern-en", "en")


def the(book: Rulebook, kind: Kind) -> list[Passage]:
    return [passage for passage in book.passages if passage.kind is kind]


def test_a_paragraph_stands_under_its_headings_with_its_line(book: Rulebook) -> None:
    turn = book["lantern-en/the-lantern-game/taking-a-turn/1"]
    assert turn.heading == ("The Lantern Game", "Taking a turn")
    assert turn.lines == (7, 7)
    assert turn.section == "The Lantern Game / Taking a turn"


def test_each_bullet_is_a_passage_of_its_own(book: Rulebook) -> None:
    assert [bullet.text for bullet in the(book, Kind.BULLET)] == [
        "Lamps that burn stay on the table.",
        "Lamps that are out go to the store.",
    ]


def test_an_answer_runs_up_to_the_next_question_and_names_it(book: Rulebook) -> None:
    answers = the(book, Kind.ANSWER)
    assert [answer.key for answer in answers] == ["Q1", "Q1", "Q2"]
    assert answers[1].heading[-1] == "May a keeper look into the store?"
    assert answers[2].text.startswith("No.")


def test_numbered_rules_steps_and_cards_keep_the_name_the_document_gives_them(book: Rulebook) -> None:
    assert [rule.key for rule in the(book, Kind.RULE)] == ["4.2.a", "4.2.b"]
    assert [step.key for step in the(book, Kind.STEP)] == ["4.5"]
    assert [card.key for card in the(book, Kind.CLARIFICATION)] == ["BEACON 3"]


def test_a_sentence_knows_its_place_in_its_passage(book: Rulebook) -> None:
    turn = book["lantern-en/the-lantern-game/taking-a-turn/1"]
    assert [sentence.id.rsplit(".", 1)[1] for sentence in turn.sentences] == ["s1", "s2"]
    assert turn.sentences[1].text == "A third lamp is put back at once."


def test_a_stop_inside_quotation_marks_ends_no_sentence() -> None:
    text = "Le gardien lit « Éteignez la lampe. Comptez l'huile. » à voix haute. Puis il dort."
    passage = cut(text, "lantern-fr", "fr").passages[0]
    assert [sentence.text for sentence in passage.sentences] == [text[:-14], "Puis il dort."]


def test_a_sentence_broken_over_lines_knows_both_lines() -> None:
    passage = cut("The lamp\nburns all\nnight. The oil does not.", "lantern-en", "en").passages[0]
    assert [sentence.lines for sentence in passage.sentences] == [(1, 3), (3, 3)]
    assert Side("en", tuple(placed(cut("The lamp\nburns.", "lantern-en", "en")).values())).lines == (1, 2)


def test_a_passage_put_in_before_leaves_the_other_ids_alone(house_rules: str, book: Rulebook) -> None:
    longer = house_rules.replace("## Questions", "## The store\n\nIt has a door.\n\n## Questions")
    ids = {passage.id for passage in cut(longer, "lantern-en", "en").passages}
    assert {passage.id for passage in book.passages} < ids


def test_case_blanks_and_punctuation_do_not_change_a_fingerprint() -> None:
    assert fingerprint("The  lamp, burns!") == fingerprint("the lamp burns")
    assert fingerprint("The lamp burns.") != fingerprint("The lamp burnt.")


def test_line_ends_do_not_make_another_edition(house_rules: str) -> None:
    assert edition_of(house_rules.splitlines()) == edition_of(house_rules.replace("\n", "\r\n").splitlines())


def test_ids_are_made_of_plain_letters() -> None:
    assert slug("Règles de l'Après-midi (à deux)") == "regles-de-l-apres-midi"
    assert slug("Szczegółowe zasady gry") == "szczegolowe-zasady-gry"


@given(st.text(max_size=400))
def test_any_text_is_cut_without_losing_or_doubling_an_id(text: str) -> None:
    passages = cut(text, "anything", "en").passages
    assert len({passage.id for passage in passages}) == len(passages)
    assert all(1 <= passage.lines[0] <= passage.lines[1] for passage in passages)


LINES = st.sampled_from(["Oil is counted.", "- A lamp", "burns on", "", "# Watch", "Is it lit?"])


@given(st.lists(LINES, max_size=30))
def test_every_word_of_a_document_is_in_a_passage_or_a_heading(lines: list[str]) -> None:
    book = cut("\n".join(lines), "anything", "en")
    kept = " ".join(f"{passage.text} {passage.section}" for passage in book.passages)
    last = max((passage.lines[1] for passage in book.passages), default=0)
    assert all(line.strip("-# ") in kept for line in lines[:last] if line and not line.startswith("#"))


@pytest.mark.every(
    ("document", "passages", "apart"),
    [
        ("compile-faq-fr", 93, 0),
        ("compile-rules-it", 85, 28),
        ("compile-rules-pl", 57, 4),
        ("lotr-reveal-fr", 48, 0),
        ("altered-rules-fr", 125, 0),
    ],
)
def test_the_five_documents_come_apart_as_counted_by_hand(real: Real, document: str, passages: int, apart: int) -> None:
    book = real(document)
    assert (len(book.passages), len(book.passages) - len(book.rules)) == (passages, apart)


@pytest.mark.every("document", sorted(known_documents()))
def test_ids_of_a_document_are_all_different(real: Real, document: str) -> None:
    ids = [passage.id for passage in real(document).passages]
    assert len(ids) == len(set(ids))


@pytest.mark.every("document", sorted(known_documents()))
def test_what_was_read_is_what_stands_on_those_lines(
    real: Real, rulebook_file: Callable[[str], Path], document: str
) -> None:
    raw = rulebook_file(document).read_text("utf-8").splitlines()
    for passage in real(document).passages:
        first, last = passage.lines
        assert passage.read == "\n".join(raw[first - 1 : last])


def test_the_french_questions_are_eighteen(real: Real) -> None:
    assert [one.key for one in the(real("compile-faq-fr"), Kind.QUESTION)] == [f"Q{n}" for n in range(1, 19)]


def test_an_answer_that_runs_on_after_a_line_break_is_one_passage(real: Real) -> None:
    assert [one.lines for one in real("compile-faq-fr").at(185, 187)] == [(185, 187)]


def test_the_card_clarifications_are_named_by_card(real: Real) -> None:
    cards = the(real("compile-faq-fr"), Kind.CLARIFICATION)
    assert len(cards) == 13
    assert {"METAL 6", "HAINE 2"} <= {card.key for card in cards}


def test_the_reveal_has_its_steps_with_the_half_steps(real: Real) -> None:
    steps = [step.key for step in the(real("lotr-reveal-fr"), Kind.STEP)]
    assert steps == ["1", "2", "3", "4", "4.5", "5.0", "5.1", "6", "7", "8", "9", "10", "11", "12"]


def test_a_remark_stands_under_its_numbered_rule(real: Real) -> None:
    (remark,) = real("altered-rules-fr").at(49, 49)
    assert remark.kind is Kind.NOTE
    assert remark.heading[-1] == "4.2.5.b"


def test_credits_and_flavour_are_no_rules_and_can_still_be_cited(real: Real) -> None:
    italian, polish = real("compile-rules-it"), real("compile-rules-pl")
    assert all(passage.apart for passage in (*italian.at(3, 18), *italian.at(97, 119)))
    assert all(passage.apart for passage in (*polish.at(116, 125), *polish.at(156, 183)))


def test_a_polish_sentence_over_a_blank_line_is_one_sentence(real: Real) -> None:
    (passage,) = real("compile-rules-pl").at(97, 99)
    assert any(sentence.lines == (97, 99) for sentence in passage.sentences)


def test_no_long_run_of_words_of_a_rulebook_stand_in_the_package(real: Real, root: Path) -> None:
    runs = {run for document in known_documents() for one in real(document).passages for run in runs_in(one)}
    package = root / "audit"
    for file in (file for file in package.rglob("*") if file.suffix in (".py", ".toml", ".txt")):
        assert not runs & set(runs_of(words(file.read_text("utf-8")))), file.name


def runs_in(passage: Passage) -> list[str]:
    return [*runs_of(words(passage.text)), *runs_of(words(passage.read))]


def runs_of(found: list[str]) -> list[str]:
    return [" ".join(found[at : at + RUN]) for at in range(len(found) - RUN + 1)]
