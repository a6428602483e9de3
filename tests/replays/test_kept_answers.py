"""A season is compared or gone over again: only what changed is judged, and the answers are the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import TypeVar

import pytest
from click.testing import CliRunner
from msgspec import to_builtins

from audit.core.ruleset import added_rulesets
from cli import audit
from replays.cases.consequences import Overruling, Reach
from replays.season.cache import Cache, cache_file, program
from replays.season.comparing import Reaudited, Reauditing, Switching
from replays.season.judging import Asked, Judging, Question
from replays.season.season import Cores, answered
from replays.season.sources import Source, logs_at, stored
from replays.season.workers import Lost, alone, nothing_known
from replays.store.store import Store
from tests.replays.conftest import NAMES

A = TypeVar("A")
R = TypeVar("R")
POLISH = Reauditing("pl", (), "en")
CACHED = ("turn.cache-after-compile", "turn.compile-instead-of-action")
FORBIDDEN = Overruling(Reach("no", "phase_began", CACHED, ()), "en")
QUESTIONS = (Switching(), POLISH, FORBIDDEN)


@pytest.fixture
def season(season: Path) -> Path:
    """As much of the games as is compared and judged otherwise."""
    for log in season.iterdir():
        log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:120]))
    return season


@pytest.fixture
def place(season: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of these games, which the commands use too."""
    monkeypatch.setenv("AUDIT_DATA_DIR", str(season.parent / "data"))
    monkeypatch.setenv("AUDIT_CACHE_DIR", str(season.parent / "kept"))
    monkeypatch.delenv("AUDIT_DATABASE_URL", raising=False)
    with Store() as store:
        list(store.import_logs(sorted(season.glob("*.jsonl"))))
    return season.parent


class Counting:
    """One process, which knows the games that it judged."""

    def __init__(self) -> None:
        self.judged: list[str] = []

    def __call__(
        self,
        work: Callable[[Source], R],
        sources: Iterable[Source],
        known: Callable[[Source], R | None] = nothing_known,
    ) -> Iterator[tuple[Source, R | Lost]]:
        def counted(source: Source) -> R:
            self.judged.append(Path(source.name).stem)
            return work(source)

        return alone(counted, sources, known)


def asked_of_folder(question: Question[A], folder: Path, file: Path) -> tuple[list[A], list[str]]:
    """Every answer, and which games were judged for it."""
    share = Counting()
    with Cache(file) as cache:
        return list(answered(question, logs_at([str(folder)]), cache, share)), share.judged


def asked_of_store(question: Question[A], file: Path) -> tuple[list[A], list[str]]:
    """The same of the games of Compile in the store."""
    share = Counting()
    with Store() as store, Cache(file) as cache:
        return list(answered(question, stored(store, "compile"), cache, share)), share.judged


def run(*typed: str) -> str:
    result = CliRunner().invoke(audit, list(typed))
    assert result.exit_code == 0, result.output
    return result.output


# Only what changed


def test_an_unchanged_season_is_compared_without_judging_a_game(season: Path, tmp_path: Path) -> None:
    first, judged = asked_of_folder(Switching(), season, tmp_path / "kept.db")
    assert judged == list(NAMES)
    assert [Path(one.name).stem for one in first if one.since] == ["dispute", "hidden"]
    assert asked_of_folder(Switching(), season, tmp_path / "kept.db") == (first, [])


def test_a_log_that_went_on_is_compared_again_alone(season: Path, tmp_path: Path) -> None:
    log = season / "clean.jsonl"
    whole = log.read_bytes()
    log.write_bytes(b"".join(whole.splitlines(keepends=True)[:-1]))
    asked_of_folder(Switching(), season, tmp_path / "kept.db")
    log.write_bytes(whole)
    found, judged = asked_of_folder(Switching(), season, tmp_path / "kept.db")
    assert judged == ["clean"]
    assert found == asked_of_folder(Switching(), season, tmp_path / "other.db")[0]


def test_a_stored_game_that_went_on_is_gone_over_again_alone(place: Path) -> None:
    asked_of_store(POLISH, place / "kept.db")
    with Store() as store:
        id = store.find("r3-t12")
        version = store.version(id)
        line = {"seq": version + 1, "type": "flagged", "note": "The judge was called."}
        store.append(id, json.dumps(line).encode() + b"\n", expected=version)
    found, judged = asked_of_store(POLISH, place / "kept.db")
    assert judged == [id]
    assert found == asked_of_store(POLISH, place / "other.db")[0]


@pytest.mark.parametrize("change", [{"edition": ""}, {"reading": "fr"}])
def test_a_log_with_another_edition_or_reading_is_compared_again_alone(
    season: Path, tmp_path: Path, change: dict[str, str]
) -> None:
    asked_of_folder(Switching(), season, tmp_path / "kept.db")
    header, rest = (season / "clean.jsonl").read_bytes().split(b"\n", 1)
    (season / "clean.jsonl").write_bytes(json.dumps(json.loads(header) | change).encode() + b"\n" + rest)
    assert asked_of_folder(Switching(), season, tmp_path / "kept.db")[1] == ["clean"]


@pytest.mark.parametrize(
    "other",
    [Reauditing("fr", (), "en"), Reauditing(None, (), "en"), Reauditing("pl", ("turn.compile",), "en"),
     Reauditing("pl", (), "it")],
)  # fmt: skip
def test_another_reading_rule_or_language_is_answered_anew_and_both_are_kept(place: Path, other: Reauditing) -> None:
    first, _ = asked_of_store(POLISH, place / "kept.db")
    assert any(one.verdicts for one in first)
    second, judged = asked_of_store(other, place / "kept.db")
    assert len(judged) == 3
    assert asked_of_store(other, place / "kept.db") == (second, [])
    assert asked_of_store(POLISH, place / "kept.db") == (first, [])


def test_one_question_is_never_answered_by_what_was_kept_for_another(season: Path, tmp_path: Path) -> None:
    for question in (Judging(Asked()), *QUESTIONS):
        assert asked_of_folder(question, season, tmp_path / "kept.db")[1] == list(NAMES)


@pytest.mark.parametrize("question", QUESTIONS)
def test_another_version_of_the_program_answers_everything_anew(
    question: Question[A], place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_of_store(question, place / "kept.db")
    monkeypatch.setattr("replays.season.cache.engine", lambda: "another")
    assert len(asked_of_store(question, place / "kept.db")[1]) == 3


def test_the_rules_of_an_added_game_are_part_of_what_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    games = {"ours": "audit.ours:OURS", "lanterns": "lanterns:GAME"}
    points = EntryPoints(EntryPoint(name, place, "audit.rulesets") for name, place in games.items())
    monkeypatch.setattr("audit.core.ruleset._installed", lambda: points)
    assert added_rulesets() == ("lanterns",)
    found = set()
    for rules in ("first rules", "other rules"):
        monkeypatch.setattr("replays.season.cache.fingerprint", lambda name, rules=rules: f"{name}: {rules}")
        found.add(program())
    assert len(found) == 2


def test_a_log_under_another_name_is_told_by_that_name_and_not_judged_again(season: Path, tmp_path: Path) -> None:
    nameless = season / "dispute.jsonl"
    header, rest = nameless.read_bytes().split(b"\n", 1)
    nameless.write_bytes(json.dumps({**json.loads(header), "game": ""}).encode() + b"\n" + rest)
    asked_of_folder(Switching(), season, tmp_path / "kept.db")
    moved = season.rename(tmp_path / "moved")
    found, judged = asked_of_folder(Switching(), moved, tmp_path / "kept.db")
    assert judged == []
    assert found == asked_of_folder(Switching(), moved, tmp_path / "other.db")[0]
    changes = [change for one in found for change in one.changes if change.game.endswith("dispute.jsonl")]
    assert {(change.game, change.title) for change in changes} == {(str(moved / "dispute.jsonl"),) * 2}


def test_a_log_that_cannot_be_read_is_tried_again(season: Path, tmp_path: Path) -> None:
    (season / "dispute.jsonl").write_bytes(b"no log\n")
    first, _ = asked_of_folder(Switching(), season, tmp_path / "kept.db")
    assert [bool(one.trouble) for one in first] == [name == "dispute" for name in NAMES]
    assert asked_of_folder(Switching(), season, tmp_path / "kept.db") == (first, ["dispute"])


@pytest.mark.parametrize(
    "other",
    [
        Overruling(Reach("yes", "phase_began", CACHED, ()), "en"),
        Overruling(Reach("no", "phase_ended", CACHED, ()), "en"),
        Overruling(Reach("no", "phase_began", ("turn.compile",), ()), "en"),
        Overruling(Reach("no", "phase_began", CACHED, ("plague-5",)), "en"),
        Overruling(FORBIDDEN.ruling, "pl"),
    ],
)
def test_another_ruling_is_held_against_every_game_anew(place: Path, other: Overruling) -> None:
    first, judged = asked_of_store(FORBIDDEN, place / "kept.db")
    assert len(judged) == 3
    assert any(one.consequence for one in first)
    assert len(asked_of_store(other, place / "kept.db")[1]) == 3
    assert asked_of_store(FORBIDDEN, place / "kept.db") == (first, [])


@pytest.mark.parametrize("question", QUESTIONS)
def test_several_processes_keep_and_answer_what_one_does(question: Question[A], place: Path) -> None:
    wanted, _ = asked_of_store(question, place / "alone.db")
    for _ in range(2):
        with Store() as store, Cache(place / "kept.db") as cache:
            assert list(answered(question, stored(store, "compile"), cache, Cores(3))) == wanted
    assert asked_of_store(question, place / "kept.db") == (wanted, [])


# The commands


@pytest.mark.parametrize("typed", [("compare", "--switches"), ("store", "reaudit", "--reading", "pl")])
@pytest.mark.parametrize("form", [["--lang", "pl"], ["--json"]])
def test_the_second_run_of_a_command_prints_what_the_first_one_did(
    place: Path, monkeypatch: pytest.MonkeyPatch, typed: tuple[str, ...], form: list[str]
) -> None:
    first = run(*typed, *form)
    monkeypatch.setattr(Switching, "answer", None)
    monkeypatch.setattr(Reauditing, "answer", None)
    assert run(*typed, *form) == first
    assert cache_file().exists()


@pytest.mark.parametrize("typed", [("compare", "--switches"), ("store", "reaudit", "--reading", "pl")])
def test_who_wants_nothing_kept_has_nothing_kept(place: Path, typed: tuple[str, ...]) -> None:
    kept = run(*typed, "--cache", str(place / "mine.db"))
    assert run(*typed, "--no-cache") == kept
    assert (place / "mine.db").exists()
    assert not cache_file().exists()


# What is kept


def test_what_switches_change_is_kept_without_a_card(season: Path, tmp_path: Path) -> None:
    found, _ = asked_of_folder(Switching(), season, tmp_path / "kept.db")
    kept = [Switching().to_keep(one) for one in found]
    assert [set(to_builtins(one)) - {"name", "ruleset", "title", "since"} for one in kept] == [set()] * len(NAMES)


def test_of_a_game_is_kept_what_the_command_prints_and_its_owner_alone_reads_it(place: Path) -> None:
    asked_of_store(POLISH, place / "kept.db")
    found: list[Reaudited] = asked_of_store(POLISH, place / "kept.db")[0]
    messages = {said.message for one in found for change in one.verdicts for said in (change.before, change.after)}
    assert any(messages)
    assert {file.stat().st_mode & 0o777 for file in place.glob("kept.db*")} == {0o600}
