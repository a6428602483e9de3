"""A passage is found again in a later edition, and a quotation never claims more than the rulebook says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from audit.core.catalogue import Place, Rule
from audit.games.compile.rules import CATALOGUE
from audit.rulebooks.cutting import cut, known_documents
from audit.rulebooks.known import describe_edition, from_toml, known_edition, likeness, sketch
from audit.rulebooks.links import Matched, Status, candidates, compare, compare_books, marks_of
from audit.rulebooks.passages import Rulebook
from audit.rulebooks.quoting import Quotation, Quoter, QuoteStatus
from bench.marks import to_toml
from tests.yaml_files import read_yaml

Real = Callable[[str], Rulebook]


class Books:
    """Loaded rulebooks in memory."""

    def __init__(self, *books: Rulebook, links: Mapping[str, tuple[str, ...]] | None = None) -> None:
        self._books = books
        self._links = links or {}

    def books(self) -> Sequence[Rulebook]:
        return self._books

    def links(self, document: str, edition: str) -> Mapping[str, tuple[str, ...]]:
        return {rule: ids for rule, ids in self._links.items() if ids[0].startswith(f"{document}/")}


def changes(before: str, after: str) -> dict[str, list[Matched]]:
    earlier, later = cut(before, "lantern-en", "en"), cut(after, "lantern-en", "en")
    found: dict[str, list[Matched]] = {status.value: [] for status in Status}
    for match in compare(describe_edition(earlier), later):
        found[match.status.value].append(match)
    return found


def test_the_same_document_is_unchanged_throughout(house_rules: str) -> None:
    found = changes(house_rules, house_rules)
    assert {status for status, matches in found.items() if matches} == {"unchanged"}


def test_blank_lines_and_capitals_change_nothing(house_rules: str) -> None:
    found = changes(house_rules, house_rules.replace("\n\n", "\n\n\n").replace("Lamps that burn", "LAMPS that burn"))
    assert {status for status, matches in found.items() if matches} == {"unchanged"}


def test_a_passage_with_another_number_in_it_is_edited(house_rules: str) -> None:
    (match,) = changes(house_rules, house_rules.replace("draws two lamps", "draws three lamps"))["edited"]
    assert match.after is not None
    assert match.after.text.startswith("The keeper on watch draws three")
    assert 0.4 <= match.likeness < 1


def test_a_passage_that_is_taken_out_is_gone_and_no_other_one(house_rules: str) -> None:
    found = changes(house_rules, house_rules.replace("4.2.b After each watch the oil is counted.\n\n", ""))
    assert [match.before.id for match in found["gone"] if match.before] == [
        "lantern-en/the-lantern-game/numbered-rules/4.2.b"
    ]
    assert not found["edited"]
    assert not found["new"]


def test_a_passage_that_is_put_in_is_new(house_rules: str) -> None:
    found = changes(house_rules, house_rules + "\nThe sea is out of bounds on every night but the last.\n")
    assert [match.after.text for match in found["new"] if match.after] == [
        "The sea is out of bounds on every night but the last."
    ]


def test_a_passage_under_another_heading_has_moved(house_rules: str) -> None:
    line = "4.2.a Every night has four watches.\n\n"
    found = changes(
        house_rules, house_rules.replace(line, "").replace("## Taking a turn\n\n", f"## Taking a turn\n\n{line}")
    )
    assert [match.after.key for match in found["moved"] if match.after] == ["4.2.a"]


def test_with_both_texts_at_hand_likeness_is_that_of_the_words(house_rules: str) -> None:
    before = cut(house_rules, "lantern-en", "en")
    after = cut(house_rules.replace("put back at once", "put back at dawn"), "lantern-en", "en")
    (match,) = [one for one in compare_books(before, after) if one.status is Status.EDITED]
    assert match.likeness > 0.9


def test_a_sketch_tells_alike_from_unlike_without_the_words() -> None:
    one = sketch("The keeper on watch draws two lamps and puts the third one back.")
    assert likeness(one, sketch("The keeper on watch draws two lamps and puts a third one back.")) > 0.6
    assert likeness(one, sketch("No boat may leave the harbour before the fog has lifted.")) < 0.2


def test_an_edition_survives_its_file(house_rules: str) -> None:
    edition = describe_edition(cut(house_rules, "lantern-en", "en"))
    assert from_toml(to_toml(edition)) == edition


def test_the_file_of_an_edition_has_no_word_of_the_text(house_rules: str) -> None:
    text = to_toml(describe_edition(cut(house_rules, "lantern-en", "en")))
    assert "burn" not in text
    assert "wicks" not in text


@pytest.mark.every("document", sorted(known_documents()))
def test_the_known_editions_are_those_beside_the_project(real: Real, document: str) -> None:
    edition = known_edition(document)
    assert edition is not None
    assert {match.status for match in compare(edition, real(document))} == {Status.UNCHANGED}


def test_two_different_documents_have_next_to_nothing_in_common(real: Real) -> None:
    edition = known_edition("compile-faq-fr")
    assert edition is not None
    found = [match.status for match in compare(edition, real("altered-rules-fr"))]
    assert found.count(Status.UNCHANGED) + found.count(Status.EDITED) + found.count(Status.MOVED) == 0


def test_every_place_of_the_catalogue_is_quoted(real: Real) -> None:
    quoter = Quoter(CATALOGUE, Books(*map(real, CATALOGUE.documents.values())))
    for rule in CATALOGUE:
        by_language = {quotation.language: quotation for quotation in quoter.of(rule)}
        for language in CATALOGUE.documents:
            wanted = QuoteStatus.QUOTED if language in rule.places else QuoteStatus.SILENT
            assert by_language[language].standing is wanted, (rule.id, language)


def test_what_is_quoted_stands_on_the_lines_of_the_place(real: Real) -> None:
    quoter = Quoter(CATALOGUE, Books(*map(real, CATALOGUE.documents.values())))
    for rule in CATALOGUE:
        for quotation in quoter.of(rule):
            if place := rule.places.get(quotation.language):
                spans = (place.lines, *place.also_at)
                assert any(span[0] <= quotation.lines[1] and quotation.lines[0] <= span[1] for span in spans)


@pytest.mark.parametrize(
    ("facts", "document", "rules"),
    [("lotr-reveal-rules.yaml", "lotr-reveal-fr", 70), ("altered-rules.yaml", "altered-rules-fr", 100)],
)
def test_every_rule_of_the_other_two_games_has_its_passage(shared: Path, facts: str, document: str, rules: int) -> None:
    edition = known_edition(document)
    assert edition is not None
    data = read_yaml(shared / "facts" / facts)["rules"]
    assert len(data) > rules
    for rule in data:
        spans = [rule["source"]["lines"], *rule.get("also_at", [])]
        place = Place(tuple(spans[0]), rule["source"]["section"], tuple(map(tuple, spans[1:])))
        assert marks_of(place, edition), rule["id"]


def the_rule() -> Rule:
    return CATALOGUE["turn.cache-after-compile"]


def in_french(*books: Rulebook, links: Mapping[str, tuple[str, ...]] | None = None) -> list[Quotation]:
    return Quoter(CATALOGUE, Books(*books, links=links), ["fr"]).of(the_rule())


def edited(rulebook_file: Callable[[str], Path], change: Callable[[list[str]], None]) -> Rulebook:
    lines = rulebook_file("compile-faq-fr").read_text("utf-8").splitlines()
    change(lines)
    return cut("\n".join(lines), "compile-faq-fr")


def test_a_document_that_is_not_loaded_says_so() -> None:
    (quotation,) = in_french()
    assert (quotation.standing, quotation.text) == (QuoteStatus.NOT_LOADED, "")


def test_a_quotation_names_document_edition_and_place(real: Real) -> None:
    (quotation,) = in_french(real("compile-faq-fr"))
    assert quotation.document == "compile-faq-fr"
    assert quotation.edition == real("compile-faq-fr").edition
    assert quotation.lines == (181, 181)
    assert quotation.place.endswith(" / 181")


def test_lines_put_in_before_move_the_lines_and_not_the_words(real: Real, rulebook_file: Callable[[str], Path]) -> None:
    later = edited(rulebook_file, lambda lines: lines.insert(10, "Ceci est une ligne ajoutée par nous."))
    (quotation,) = in_french(later)
    assert quotation.standing is QuoteStatus.QUOTED
    assert quotation.lines == (182, 182)
    assert quotation.text == in_french(real("compile-faq-fr"))[0].text


def test_words_that_changed_are_not_passed_off_as_the_rule(rulebook_file: Callable[[str], Path]) -> None:
    def change(lines: list[str]) -> None:
        lines[180] = lines[180].replace("immédiatement", "plus tard")

    (quotation,) = in_french(edited(rulebook_file, change))
    assert quotation.standing is QuoteStatus.EDITED


def test_a_change_elsewhere_in_the_passage_leaves_the_quoted_sentence_alone(
    rulebook_file: Callable[[str], Path],
) -> None:
    def change(lines: list[str]) -> None:
        lines[180] = lines[180].replace("Oui, si", "Oui, lorsque")

    (quotation,) = in_french(edited(rulebook_file, change))
    assert quotation.standing is QuoteStatus.QUOTED


def test_a_passage_that_is_gone_is_not_quoted(rulebook_file: Callable[[str], Path]) -> None:
    def change(lines: list[str]) -> None:
        lines[180] = ""

    (quotation,) = in_french(edited(rulebook_file, change))
    assert (quotation.standing, quotation.text) == (QuoteStatus.GONE, "")


def test_two_editions_are_quoted_side_by_side(real: Real, rulebook_file: Callable[[str], Path]) -> None:
    later = edited(rulebook_file, lambda lines: lines.append("Une ligne de plus."))
    editions = [quotation.edition for quotation in in_french(real("compile-faq-fr"), later)]
    assert editions == [real("compile-faq-fr").edition, later.edition]


def test_a_passage_a_person_linked_is_quoted_from_a_document_nobody_knew() -> None:
    mine = cut("Après une compilation, on vérifie sa main.", "my-rules", "fr")
    mine_linked = {the_rule().id: (mine.passages[0].id,)}
    standings = {one.document: one.standing for one in in_french(mine, links=mine_linked)}
    assert standings == {"my-rules": QuoteStatus.CONFIRMED, "compile-faq-fr": QuoteStatus.NOT_LOADED}


def test_two_documents_of_the_same_words_are_quoted_each_by_its_own_edition() -> None:
    same = [cut("Una carta.", f"compile-rules-{language}", language) for language in ("it", "pl")]
    books = Books(*same)
    found = [Quoter(CATALOGUE, books, ("it", "pl")).of(rule) for rule in CATALOGUE]
    assert {quotation.standing for each in found for quotation in each} <= {QuoteStatus.GONE, QuoteStatus.SILENT}


def test_candidates_are_the_likeliest_passages_first(house_rules: str) -> None:
    def score(one: Sequence[str], other: Sequence[str]) -> list[list[float]]:
        return [[len(set(a.split()) & set(b.split())) / 10 for b in other] for a in one]

    book = cut(house_rules, "lantern-en", "en")
    found = candidates({"lamp.once": "A lamp burns once a night."}, book, most=1, score=score)
    assert [(one.rule, book[one.passage].text) for one in found] == [("lamp.once", "No. A lamp burns once a night.")]
