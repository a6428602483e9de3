"""Rule by language, and passages that no rule is linked to."""

from __future__ import annotations

from audit.core.catalogue import at, rule
from audit.rulebooks.cutting import cut
from audit.rulebooks.findings import Severity, Weight
from audit.rulebooks.matrix import State, matrix
from audit.rulebooks.qa import absent

LIT = rule("watch.light", "obligation", fr=at(3, "x"), it=at(3, "x", implied=True))
SLEPT = rule("watch.sleep", "procedure", fr=at(5, "x"))
PAID = rule("market.pay", "obligation", it=at(5, "x"), pl=at(3, "x"))
RULES = [LIT, SLEPT, PAID]
DOCUMENTS = {"fr": "garde", "it": "guardia", "pl": "warta"}
BOOKS = {
    "fr": cut("# Garde\n\nAllumez la lampe.\n\nDormez.\n\nMerci à nos amis.\n", "garde", "fr"),
    "it": cut("# Guardia\n\nLa lampada accesa basta.\n\nPaga una moneta.\n", "guardia", "it"),
}


def states(language: str) -> dict[str, State]:
    return {row.rule: row.cells[language].state for row in matrix(RULES, DOCUMENTS, BOOKS).rows}


def test_said_implied_and_said_by_one_alone() -> None:
    assert states("fr")["watch.light"] is State.SAID
    assert states("it")["watch.light"] is State.IMPLIED
    assert states("fr")["watch.sleep"] is State.EXTRA


def test_a_silent_topic_is_outside_the_subject_and_a_silent_point_is_missing() -> None:
    assert states("it")["watch.sleep"] is State.MISSING
    assert states("fr")["market.pay"] is State.OUTSIDE


def test_a_document_that_is_not_loaded_says_so_with_its_lines() -> None:
    cell = {row.rule: row.cells for row in matrix(RULES, DOCUMENTS, BOOKS).rows}["market.pay"]["pl"]
    assert (cell.state, cell.lines) == (State.NOT_LOADED, ((3, 3),))


def test_the_passage_without_a_rule_is_listed() -> None:
    unlinked = matrix(RULES, DOCUMENTS, BOOKS).unlinked
    assert [passage.text for passage in unlinked["fr"]] == ["Merci à nos amis."]
    assert unlinked["it"] == ()


def test_languages_can_be_chosen() -> None:
    table = matrix(RULES, DOCUMENTS, BOOKS, ["it"])
    assert (table.languages, list(table.rows[0].cells)) == (("it",), ["it"])


def test_a_missing_rule_weighs_only_if_games_cite_it() -> None:
    table = matrix(RULES, DOCUMENTS, BOOKS)
    (found,) = absent(table, BOOKS)
    assert (found.rule, found.languages, found.severity) == ("watch.sleep", ("fr", "it"), Severity.COSMETIC)
    assert found.quotes[0].text == "Dormez."
    (cited,) = absent(table, BOOKS, {"watch.sleep": Weight(2, 5)})
    assert (cited.severity, cited.weight.steps) == (Severity.MISLEADS, 5)
