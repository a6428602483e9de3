"""One log under several readings: where they part, in words, and what disagreements change in many games."""

from __future__ import annotations

import json
import tomllib
from importlib import resources
from pathlib import Path

import pytest
from click.testing import CliRunner

from audit.core.catalogue import LANGUAGES
from audit.core.errors import UnknownReadingError
from audit.core.ruleset import ruleset
from audit.core.sentences import switch_sentence
from audit.games.compile.state import SEATS
from cli import audit
from replays.judging.differences import differences
from replays.log.reader import open_log
from replays.rulebooks.loading import Loading
from replays.rulebooks.store import RulebookStore
from replays.season.readings import Comparison, after, compare, comparison_json, logged_changes
from replays.terminal.comparison import comparison_lines, consequences

SAMPLES = Path(__file__).parents[2] / "replays" / "samples"
CLEAN = SAMPLES / "clean.jsonl"
COMPILE = ruleset("compile")
LOTR = ruleset("lotr-reveal")


@pytest.fixture(autouse=True)
def empty_shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path))
    monkeypatch.delenv("AUDIT_DATABASE_URL", raising=False)


@pytest.fixture(scope="module")
def clean() -> Comparison:
    return compare(open_log(str(CLEAN)), ("fr", "it", "pl"))


@pytest.fixture(scope="module")
def brief() -> Comparison:
    """A log that does not say what is deleted by a compile: each reading fills it in in its own order."""
    return compare(open_log(str(SAMPLES / "hand-entered.jsonl")), ("fr", "it", "pl"))


def words_of(package: str, language: str) -> dict[str, object]:
    path = resources.files(package).joinpath("text", language, "position.toml")
    return tomllib.loads(path.read_text("utf-8"))


def run(*typed: str) -> tuple[int, str]:
    result = CliRunner().invoke(audit, ["compare", *typed])
    return result.exit_code, result.output


def test_readings_that_agree_on_the_verdict_part_by_the_position(brief: Comparison) -> None:
    assert brief.parting is not None
    assert {step.verdict.value for step in brief.parting.said.values()} == {"legal"}
    rows = {row.place: row.grouped() for row in differences(COMPILE, after(COMPILE, brief), "en")}
    stack = rows["Stack of B in line 1, from the protocol on"]
    assert stack[0] == (("fr",), "empty")
    assert stack[1] == (("it", "pl"), "Darkness 2, Darkness 1 (face down), and Darkness 0 (face down)")
    assert rows["Total of B in line 1"] == [(("fr",), "0"), (("it", "pl"), "10")]


def test_the_switch_that_makes_them_part_is_told_from_one_that_comes_later(clean: Comparison) -> None:
    assert clean.parting is not None
    assert clean.changes["control-after-compile"] == clean.parting.seq
    assert clean.changes["compile-ends-turn"] > clean.parting.seq
    lines = list(comparison_lines(clean, "compile", "en"))
    here = lines.index("  Why they differ there")
    later = lines.index("  Other differences later in this game")
    assert "control-after-compile" in lines[here + 1]
    assert "compile-ends-turn" in lines[later + 1]
    assert any("deletion-not-committed" in line and "change nothing" in line for line in lines)


def test_a_dispute_between_two_editions_leads_to_both_and_to_the_ruling() -> None:
    store = RulebookStore()
    for document, code, text in (
        ("house-fr", "fr", "Après une compilation, on vérifie encore sa main."),
        ("house-pl", "pl", "Kompilacja od razu kończy turę gracza, bez sprawdzania ręki."),
        ("house-it", "it", "Dopo una compilazione si controlla ancora la mano."),
    ):
        store.add_bytes(text.encode(), f"{code}.txt", Loading(document, code, game="compile"))
        store.link(document, "turn.cache-after-compile", [store.show(document).rulebook.passages[0].id])
    exit_code, told = run(str(SAMPLES / "dispute.jsonl"), "--readings", "fr,pl")
    assert exit_code == 0
    assert "Après une compilation" in told
    assert "Kompilacja od razu" in told
    assert "Dopo una" not in told
    assert "ruling.turn-after-compile" in told
    assert "Findings: fr 5, pl 6" in told


@pytest.mark.every("language", LANGUAGES)
def test_no_path_of_a_position_and_no_id_of_a_card_is_shown(clean: Comparison, language: str) -> None:
    shown = [line for line in comparison_lines(clean, "compile", language) if "  control." not in line]
    for raw in ("sides", "gravity-5", "darkness-2", "totals", "{", "None"):
        assert not [line for line in shown if raw in line], raw


@pytest.mark.parametrize("seat", SEATS)
def test_who_may_not_see_a_card_reads_that_it_is_unknown(brief: Comparison, seat: str) -> None:
    rows = differences(COMPILE, after(COMPILE, brief, seat), "en")
    text = " ".join(said for row in rows for said in row.said.values())
    assert "a card unseen (face down)" in text
    assert "?" not in text


def test_a_place_that_only_one_position_has_is_told_for_both() -> None:
    log = open_log(str(SAMPLES / "lotr-crows.jsonl"))
    found = compare(log, ("standard", "official"))
    rows = differences(LOTR, after(LOTR, found), "en")
    assert [row.place for row in rows] == ["Still due of Eastern Crows"]
    assert "own effect" in rows[0].said["standard"]
    assert "own effect" not in rows[0].said["official"]


def test_equal_positions_have_nothing_to_tell(clean: Comparison) -> None:
    one = clean.ends["fr"]
    assert differences(COMPILE, {"fr": one, "it": one}, "en") == []


@pytest.mark.parametrize("package", ["audit.games.compile", "audit.games.lotr_reveal"])
def test_positions_are_told_with_the_same_keys_in_every_language(package: str) -> None:
    english = words_of(package, "en")
    for language in LANGUAGES:
        assert list(words_of(package, language)) == list(english), language


@pytest.mark.every("language", LANGUAGES)
def test_every_switch_is_a_sentence_in_every_language(language: str) -> None:
    said = [switch_sentence(COMPILE, switch.name, language) for switch in COMPILE.rules.switches]
    assert all(sentence.endswith(".") for sentence in said)
    assert len(set(said)) == len(said)


def test_for_programs_the_differences_are_rows(brief: Comparison) -> None:
    told = json.loads(json.dumps(comparison_json(brief, "compile", "pl")))
    assert told["differences"][1]["said"]["fr"] == "pusto"
    assert {switch["name"]: switch["from"] for switch in told["switches"]}["lands-before-exposed"] is None


def test_over_logs_the_most_consequential_comes_first() -> None:
    lines = list(consequences(["compile"], logged_changes(open_log(str(CLEAN))), as_json=True))
    games = [json.loads(line)["games"] for line in lines]
    assert games == sorted(games, reverse=True)
    assert games[0] == 1


def test_a_folder_is_gone_through_and_a_bad_log_is_named(tmp_path: Path) -> None:
    (tmp_path / "good.jsonl").write_bytes((SAMPLES / "dispute.jsonl").read_bytes())
    assert run(str(tmp_path))[0] == 0
    (tmp_path / "bad.jsonl").write_text("no log\n")
    code, said = run(str(tmp_path))
    assert code == 2
    assert "bad.jsonl" in said
    assert "good.jsonl:105" in said


def test_a_folder_without_a_log_is_said_to_have_none(tmp_path: Path) -> None:
    code, said = run(str(tmp_path))
    assert code == 2
    assert "has no log" in said


def test_a_game_is_compared_by_its_own_readings_where_none_is_named() -> None:
    code, said = run(str(SAMPLES / "lotr-crows.jsonl"))
    assert code == 0
    assert "official" in said


def test_a_reading_that_does_not_exist_is_named() -> None:
    with pytest.raises(UnknownReadingError, match="klingon"):
        compare(open_log(str(CLEAN)), ("fr", "klingon"))
