"""Documents of an editor's own, in Spanish and German, go the whole way that those the project knows go."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.games.compile.rules import CATALOGUE
from audit.rulebooks.errors import NoStatementsError
from audit.rulebooks.findings import Finding, Kind
from audit.rulebooks.linked import LINKED
from audit.rulebooks.matrix import State
from replays.rulebooks.exchange import ChangeStatus, compared
from replays.rulebooks.loading import Loading
from replays.rulebooks.returning import take_over
from replays.rulebooks.store import RulebookStore
from replays.rulebooks.translation_qa import TranslationQA, exchange_file

HAND, LINES, STACK = "setup.opening-hand", "field.three-lines", "field.stack"
SPANISH = ("Cada jugador empieza con cinco cartas en la mano.", "El campo tiene tres líneas.")
GERMAN = ("Jeder Spieler beginnt mit fünf Karten auf der Hand.", "Das Feld hat drei Linien.")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path))


def own(document: str, language: str, passages: tuple[str, ...], **said: str) -> None:
    """A document of a few passages, each linked to the rules that are named for it; to none for `0`."""
    text = "# A\n\n" + "\n\n".join(passages)
    RulebookStore().add_bytes(text.encode(), f"{document}.md", Loading(document, language, game="compile"))
    numbers = {rule.replace("__", ".").replace("_", "-"): number for rule, number in said.items()}
    RulebookStore().answer(document, {rule: [f"a/{n}"] if n != "0" else [] for rule, n in numbers.items()}, "Ada")


def both() -> TranslationQA:
    own("mano", "es", SPANISH, setup__opening_hand="1", field__three_lines="2")
    own("hand", "de", GERMAN, setup__opening_hand="1", field__three_lines="0")
    return TranslationQA("compile", CATALOGUE)


def test_the_matrix_has_a_column_for_each_and_what_one_leaves_out_is_listed() -> None:
    qa = both()
    rows = {row.rule: row.cells for row in qa.matrix().rows}
    assert qa.matrix().languages == ("es", "de")
    assert (rows[LINES]["es"].state, rows[LINES]["de"].state) == (State.SAID, State.MISSING)
    assert (rows[HAND]["de"].lines, rows[STACK]["de"].state) == (((3, 3),), State.UNANSWERED)
    assert [passage.text for passage in qa.matrix().unlinked["de"]] == [GERMAN[1]]
    assert [one.rule for one in qa.gaps()] == [LINES]


@pytest.mark.parametrize("form", ["csv", "tmx", "xliff", "xliff-1.2"])
def test_they_are_sent_out_and_taken_back(form: str) -> None:
    both()
    qa = TranslationQA("compile", CATALOGUE, ["de", "es"])
    data = exchange_file(qa, form, "en")
    assert set(compared(data, f"out.{form}", qa).counts()) == {ChangeStatus.SAME}
    edited = data.replace("fünf".encode(), b"sechs")
    (made,) = take_over(compared(edited, f"out.{form}", qa), qa, "Ada").editions
    assert (made.document, made.by, made.rulebook.game) == ("hand", "Ada", "compile")
    assert "sechs" in RulebookStore().show("hand").rulebook.passages[0].text


def test_rules_of_the_same_passages_are_one_unit() -> None:
    own("mano", "es", SPANISH, setup__opening_hand="1", field__three_lines="2", field__stack="2")
    units = [unit for unit in TranslationQA("compile", CATALOGUE).exchanged() if unit.id.endswith(LINKED)]
    assert [unit.segment.rules for unit in units] == [(HAND,), (LINES, STACK)]


def test_our_own_statements_are_not_there_in_their_language() -> None:
    both()
    with pytest.raises(NoStatementsError, match="and not in es") as told:
        exchange_file(TranslationQA("compile", CATALOGUE, ["es"]), "po", "en")
    assert "/" not in str(told.value)


FIRST_DELETE = {
    "es": "Primero se eliminan todas las cartas de la línea y después el jugador gira su protocolo.",
    "de": "Zuerst werden alle Karten der Linie gelöscht und danach dreht der Spieler sein Protokoll um.",
    "fr": "On supprime d'abord toutes les cartes de la ligne, puis on retourne son protocole.",
}
FIRST_TURN = "Zuerst dreht der Spieler sein Protokoll um und danach werden alle Karten der Linie gelöscht."
PHASES = "Das sind die Phasen: Start, Kontrolle prüfen, Aktion, Speicher prüfen, Ende."


def found() -> list[Finding]:
    return TranslationQA("compile", CATALOGUE).findings()


def test_two_steps_in_the_other_order_are_told_once_of_all_documents_and_rules() -> None:
    for language in ("es", "fr"):
        text = (FIRST_DELETE[language],)
        own(f"own-{language}", language, text, compile__steps_in_order="1", compile__turns_protocol="1")
    own("own-de", "de", (FIRST_TURN,), compile__steps_in_order="1", compile__turns_protocol="1")
    (one,) = found()
    assert (one.kind, one.sides) == (Kind.ORDER, (("es", "fr"), ("de",)))
    assert {"compile.steps-in-order", "compile.turns-protocol"} <= {*one.rules}
    assert one.message("en") == "In Spanish and in French delete comes before flip, in German after it."


@pytest.mark.parametrize("language", ["es", "de"])
def test_the_same_order_is_no_finding(language: str) -> None:
    own("own-fr", "fr", (FIRST_DELETE["fr"],), compile__steps_in_order="1")
    own("other", language, (FIRST_DELETE[language],), compile__steps_in_order="1")
    assert found() == []


def test_parts_of_the_turn_in_another_order_are_told() -> None:
    own("own-de", "de", (PHASES,), turn__phase_order="1")
    swapped = PHASES.replace("Aktion, Speicher prüfen", "Speicher prüfen, Aktion")
    own("other-de", "de", (swapped,), turn__phase_order="1")
    assert [one.kind for one in found()] == [Kind.ORDER]


def test_another_number_is_one_finding_however_many_documents_have_the_right_one() -> None:
    own("mano", "es", SPANISH, setup__opening_hand="1")
    own("hand", "de", (GERMAN[0].replace("fünf", "sechs"),), setup__opening_hand="1")
    own("main", "fr", ("Chaque joueur commence avec quatre cartes en main.",), setup__opening_hand="1")
    own("mano-2", "es", SPANISH, setup__opening_hand="1")
    assert [(one.kind, one.sides[1]) for one in found()] == [(Kind.NUMBER, ("de",)), (Kind.NUMBER, ("fr",))]


@pytest.mark.parametrize(
    ("rule", "german", "spanish"),
    [
        ("setup__opening_hand", "Jeder Spieler beginnt mit Karten auf der Hand.", SPANISH[0]),
        ("compile__ten_or_more", "Dafür muss der Stapel mindestens zählen.", "El total ha de ser de diez o más."),
    ],
)
def test_a_number_that_is_gone_is_told(rule: str, german: str, spanish: str) -> None:
    own("mano", "es", (spanish,), **{rule: "1"})
    own("hand", "de", (german,), **{rule: "1"})
    assert [(one.kind, one.code, one.languages) for one in found()] == [(Kind.NUMBER, "left-out", ("de",))]


@pytest.mark.parametrize(
    ("rule", "german", "spanish"),
    [
        ("turn__phase_order", PHASES, "Las seis fases son: inicio, comprobar control, acción, comprobar caché y fin."),
        ("refresh__short_deck", "Reicht das Deck nicht, zieh weiter.", "Roba hasta tener cinco."),
    ],
    ids=["they are listed", "how far goes without saying"],
)
def test_a_number_that_goes_without_saying_is_not_missed(rule: str, german: str, spanish: str) -> None:
    own("mano", "es", (spanish,), **{rule: "1"})
    own("hand", "de", (german,), **{rule: "1"})
    assert [one for one in found() if one.kind is Kind.NUMBER] == []


CACHE = {
    "es": "Quien tiene más de cinco cartas en la mano debe {} hasta quedarse con cinco.",
    "de": "Wer mehr als fünf Karten auf der Hand hat, muss bis auf fünf {}.",
}


def test_a_verb_for_cards_on_the_field_is_told_of_cards_in_the_hand() -> None:
    own("mano", "es", (CACHE["es"].format("descartar"),), cache__five_card_limit="1")
    own("hand", "de", (CACHE["de"].format("löschen"),), cache__five_card_limit="1")
    assert [(one.kind, one.sides) for one in found()] == [(Kind.TERM, (("de",), ("es",)))]


@pytest.mark.parametrize(
    ("rule", "language", "sentence", "other"),
    [
        (
            "refresh__up_to_five", "de",
            "Auffüllen heißt, zu ziehen, bis man fünf auf der Hand hat. Wer schon fünf hat, darf nicht auffüllen.",
            "Reponer significa robar cartas hasta tener cinco en la mano. Quien ya tiene cinco no puede reponer.",
        ),
        ("compile__steps_in_order", "fr", FIRST_DELETE["fr"], FIRST_DELETE["es"]),
        (
            "compile__one_line_a_turn", "fr",
            "On ne compile qu'une ligne par tour. S'il en reste, c'est le joueur dont c'est le tour qui choisit.",
            "En cada turno solo puede compilarse una línea. Si son varias, el jugador elige una de ellas.",
        ),
    ],
    ids=["another text says so too", "one after the other names no other", "who compiles is the turn player"],
)  # fmt: skip
def test_the_same_in_another_form_is_no_finding(rule: str, language: str, sentence: str, other: str) -> None:
    own("mano", "es", (other,), **{rule: "1"})
    own("own", language, (sentence,), **{rule: "1"})
    assert found() == []
