"""Journals of another implementation become logs, and every snapshot is compared with our own position."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from audit.core.auditor import audit
from audit.core.model import Verdict
from audit.core.steps import Step
from audit.games.compile import RULESET
from replays.errors import LogError, UnwritableError
from replays.importing.journals.journal import ImportedGame, ImportSummary, import_games, imported, summary_line
from replays.importing.journals.reading import JournalGame, SetAside, journal
from replays.importing.journals.snapshots import agree, is_ahead
from replays.log.reader import open_log
from tests.command_line import run
from tests.conftest import SHARED

JOURNAL = SHARED / "games" / "journals.jsonl.gz"
KNOWN = SHARED / "games" / "known-deviations.json"

needs_games = pytest.mark.skipif(not JOURNAL.exists(), reason="needs the folder shared/ beside the project")

FIRST_RULE = {
    "reshuffle_by_play_from_deck": {"deck.only-drawing-reshuffles"},
    "light3_order_reversed": {"card.light-3", "committed.queue"},
    "card_refresh_keeps_control": {"control.back-on-refresh"},
    "hate4_deletes_itself": {"target.covered-if-named"},
    "refresh_with_five_cards": {"refresh.only-under-five"},
    "play_refused_turn_lost": {"turn.one-action"},
}

COVERED_METAL_2 = {(1008, 97)}
"""The source forgets a top box once its card is covered: a departure its own notes do not name."""


@cache
def real_games() -> dict[int, Any]:
    return {game.head.g: game for game in journal(JOURNAL) if isinstance(game, JournalGame)}


@cache
def done(number: int) -> ImportedGame:
    return imported(real_games()[number])


@cache
def audited(number: int) -> list[Step]:
    one = done(number)
    return list(audit(RULESET, one.header, one.events))


def known() -> dict[int, list[tuple[int, str]]]:
    if not KNOWN.exists():
        return {0: []}
    return {int(game): [tuple(found) for found in known] for game, known in json.loads(KNOWN.read_text()).items()}


CLEAN = [number for number, found in known().items() if not found]
DEPARTING = [number for number, found in known().items() if found]


@needs_games
@pytest.mark.parametrize("number", CLEAN)
def test_in_a_clean_game_every_step_is_legal_and_nothing_is_undetermined(number: int) -> None:
    assert {step.verdict for step in audited(number)} <= {Verdict.LEGAL, Verdict.INFERRED}
    assert done(number).departures == ()


@needs_games
@pytest.mark.every("number", [*CLEAN, *DEPARTING])
def test_our_position_is_the_snapshot_wherever_the_recorder_waits(number: int) -> None:
    one, game = done(number), real_games()[number]
    assert (one.differences, one.unexplained) == ((), ())
    line_of_relaid = max((change.line for change in one.relaid), default=0)
    for line, state in one.waits:
        snapshot = game.steps[line - 1].z
        assert agree(state, snapshot) or line < line_of_relaid or (line in one.ahead and is_ahead(state, snapshot))


@needs_games
@pytest.mark.every("number", [*CLEAN, *DEPARTING])
def test_the_auditor_comes_through_the_positions_that_were_compared(number: int) -> None:
    passed = {lying(state) for step in audited(number) for state in (step.before, step.state)}
    assert [line for line, state in done(number).waits if lying(state) not in passed] == []


def lying(state: Any) -> tuple[object, ...]:
    """What lies on the table, and whose turn it is."""
    return state.a, state.b, state.control, state.player


@needs_games
@pytest.mark.every("number", DEPARTING)
def test_the_known_departure_is_found_at_its_step_by_its_rule_and_nothing_else(number: int) -> None:
    one = done(number)
    found = [
        (one.lines[step.seq - 1], step.rules[0].id)
        for step in audited(number)
        if step.verdict.is_finding and step.seq is not None
    ]
    [(line, code)] = known()[number]
    first, *rest = found
    assert first[0] == line
    assert first[1] in FIRST_RULE[code]
    assert {(number, at) for at, _ in rest} <= COVERED_METAL_2


@needs_games
def test_a_face_down_play_against_a_covered_metal_2_is_found_too() -> None:
    [finding] = [step for step in audited(1008) if step.seq and done(1008).lines[step.seq - 1] == 97]
    assert finding.violations[0].key == "place.no_face_down_play"


@needs_games
def test_the_source_asks_a_question_and_goes_on_under_it_once() -> None:
    assert {number: done(number).ahead for number in CLEAN if done(number).ahead} == {1020: (67,)}


@needs_games
def test_a_deck_laid_out_all_at_once_is_written_in_the_order_the_rules_ask_for() -> None:
    [change] = done(1021).relaid
    assert (change.seat, change.theirs, change.ours) == ("B", ("water-4", "life-4"), ("life-4", "water-4"))
    assert [number for number in [*CLEAN, *DEPARTING] if done(number).relaid] == [1021]


@needs_games
def test_only_what_was_decided_or_left_to_chance_is_written_down() -> None:
    for number in CLEAN:
        one = done(number)
        assert len(one.events) < len(real_games()[number].steps)
        assert {type(event).__name__ for event in one.events}.isdisjoint(
            {"Committed", "Covered", "Uncovered", "Landed", "ControlReset", "TurnBegan", "PhaseBegan"}
        )


@needs_games
def test_a_whole_journal_becomes_one_log_a_game(tmp_path: Path) -> None:
    summaries = list(import_games(JOURNAL, tmp_path / "logs"))
    assert sorted(path.name for path in (tmp_path / "logs").iterdir()) == [f"game-{n}.jsonl" for n in sorted(known())]
    for summary in summaries:
        assert isinstance(summary, ImportSummary)
        log = open_log(summary.log)
        assert sum(1 for _ in log) == summary.events
        assert {step.verdict for step in audit(RULESET, log.header, log) if step.verdict.is_finding} == {
            Verdict(found.verdict) for found in summary.findings
        }


@needs_games
def test_an_uncompressed_journal_reads_the_same(tmp_path: Path) -> None:
    lines = [line for line in gzip.decompress(JOURNAL.read_bytes()).splitlines(True) if b'"g":2029,' in line]
    plain = tmp_path / "one.jsonl"
    plain.write_bytes(b"".join(lines))
    [summary] = list(import_games(plain, tmp_path))
    assert isinstance(summary, ImportSummary)
    assert (summary.game, summary.compared) == (2029, done(2029).compared)


def test_a_journal_may_come_through_a_pipe(tmp_path: Path) -> None:
    data = gzip.compress("".join(f"{json.dumps(line)}\n" for line in made_up()).encode())
    done = run("import", "-", "-o", str(tmp_path), "--json", stdin=data)
    assert json.loads(done.stdout)["log"] == str(tmp_path / "game-1.jsonl"), done.stderr


# A made-up journal: three protocols a side, decks in the order of the cards


def deck(*names: str) -> list[str]:
    values = {"Metal": (0, 1, 2, 3, 5, 6), "Gravity": (0, 1, 2, 4, 5, 6)}
    return [f"{name}-{value}" for name in names for value in values.get(name, range(6))]


A, B = ("Fire", "Life", "Water"), ("Death", "Metal", "Speed")


def side(names: tuple[str, ...], hand: list[str], rest: list[str], lines: list[list[str]] | None = None) -> Any:
    lines = lines or [[], [], []]
    values = [sum(2 if card.endswith("*") else int(card[-1]) for card in stack) for stack in lines]
    return {"pr": names, "co": [0, 0, 0], "ln": lines, "hd": hand, "dk": rest, "di": [], "tv": values}


def made_up() -> list[dict[str, Any]]:
    mine, theirs = deck(*A), deck(*B)
    before = {"A": side(A, mine[:5], mine[5:]), "B": side(B, theirs[:5], theirs[5:]), "ctl": None}
    after = {**before, "A": side(A, mine[:4], mine[5:], [[], [mine[4] + "*"], []])}
    play = {"do": "playCard", "card": {"c": mine[4], "z": "A.hand"}, "line": 1, "up": 0}
    step = {"g": 1, "t": 1, "of": "A", "log": []}
    at_a, at_b = {"turn": "A", "ph": "action", "pend": None}, {"turn": "B", "ph": "action", "pend": None}
    lines = [
        {"g": 1, "k": "header", "A": A, "B": B, "first": "A"},
        {**step, "k": "deal", "by": None, "after": at_a, "z": before},
        {**step, "k": "auto", "by": None, "after": at_a, "z": before},
        {**step, "k": "action", "by": "A", "dec": play, "after": at_b, "z": after},
        {"g": 1, "k": "end", "winner": None},
    ]
    return [json.loads(json.dumps(line)) for line in lines]


def saved(folder: Path, lines: list[Any]) -> Path:
    path = folder / "journal.jsonl"
    path.write_text("".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines))
    return path


def result(folder: Path, lines: list[Any]) -> ImportSummary:
    [summary] = list(import_games(saved(folder, lines), folder / "out"))
    assert isinstance(summary, ImportSummary)
    return summary


def test_a_play_becomes_an_event(tmp_path: Path) -> None:
    summary = result(tmp_path, made_up())
    [event] = open_log(summary.log)
    assert (type(event).__name__, event.card, event.line, event.face) == ("Played", "fire-4", 2, "down")  # type: ignore[attr-defined]
    assert (summary.compared, summary.differences, summary.findings) == (2, (), ())


def test_a_snapshot_nothing_leads_to_is_told_with_its_line_and_zone(tmp_path: Path) -> None:
    lines = made_up()
    lines[3]["z"]["B"]["tv"] = [9, 0, 0]
    summary = result(tmp_path, lines)
    assert summary.unexplained == (3,)
    assert [(one.line, one.zone, one.ours, one.theirs) for one in summary.differences] == [
        (3, "B.tv", [0, 0, 0], [9, 0, 0])
    ]
    assert "1 step without explanation at line 3" in summary_line(summary)


def test_a_play_the_source_let_pass_is_written_and_found(tmp_path: Path) -> None:
    lines = made_up()
    lines[3]["dec"] |= {"line": 2, "up": 1}
    lines[3]["z"]["A"] |= {"ln": [[], [], ["Fire-4"]], "tv": [0, 0, 4]}
    summary = result(tmp_path, lines)
    assert (summary.departures, [found.rule for found in summary.findings]) == ((3,), ["play.face-up-needs-protocol"])


def test_the_summary_can_be_read_by_a_program(tmp_path: Path) -> None:
    found = json.loads(json.dumps(result(tmp_path, made_up()).json()))
    assert (found["game"], found["events"], found["unexplained"]) == (1, 1, [])


def test_a_log_that_is_there_already_is_not_written_over(tmp_path: Path) -> None:
    result(tmp_path, made_up())
    with pytest.raises(UnwritableError):
        result(tmp_path, made_up())


def broken(number: int, **changes: Any) -> list[Any]:
    lines: list[Any] = made_up()
    lines[number] = {**lines[number], **changes}
    return lines


BAD: dict[str, tuple[list[Any], int, str]] = {
    "not JSON": ([*made_up()[:2], "nonsense\n"], 3, "a JSON object"),
    "a broken header": (["{\n", *made_up()[1:]], 1, "a JSON object"),
    "a list": ([*made_up()[:2], "[1, 2]\n"], 3, "expected `object`"),
    "cut short": ([*made_up()[:3], '{"g": 1, "k": "act\n'], 4, "a JSON object"),
    "NUL bytes": ([*made_up()[:2], "\0\0\n"], 3, "a JSON object"),
    "deep nesting": ([*made_up()[:2], "[" * 100_000 + "\n"], 3, "expected `object`"),
    "an unknown kind": (broken(2, k="dream"), 3, "dream"),
    "a game without a header": (made_up()[1:], 1, "header"),
    "a header alone": (made_up()[:1], 1, "a header alone"),
    "two deals": ([*made_up()[:2], made_up()[1]], 3, "one deal"),
    "another game in between": (broken(2, g=7), 3, "expected 1"),
    "a card of no game": (broken(3, dec={"do": "playCard", "card": {"c": "Ufo-9"}, "line": 0}), 4, "Ufo-9"),
    "a seat of no game": (broken(3, by="C"), 4, "'C'"),
    "a line after the end": ([*made_up(), made_up()[3]], 6, "nothing after the end"),
    "a line that is none": (broken(3, dec={"do": "compile", "line": 3}), 4, "<= 2"),
    "a snapshot missing": (broken(2, z=None), 3, "z"),
    "an unknown protocol": (broken(0, A=["Fire", "Life", "Ufo"]), 1, "protocols.A"),
    "cards of other protocols": (broken(0, A=["Fire", "Life", "Light"]), 1, "decks.A"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_game_is_set_aside_with_its_line_and_the_next_one_is_written(case: str, tmp_path: Path) -> None:
    lines, line, said = BAD[case]
    bad, good = list(
        import_games(saved(tmp_path, [*lines, *({**entry, "g": 2} for entry in made_up())]), tmp_path / "out")
    )
    assert isinstance(bad, SetAside)
    assert (bad.problem.line, isinstance(good, ImportSummary)) == (line, True)
    assert said in summary_line(bad)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["game-2.jsonl"]


def test_a_game_that_comes_twice_is_written_once(tmp_path: Path) -> None:
    first, second = list(import_games(saved(tmp_path, [*made_up(), *made_up()]), tmp_path / "out"))
    assert isinstance(first, ImportSummary)
    assert isinstance(second, SetAside)
    assert json.loads(json.dumps(second.json())) == {
        "game": 1,
        "set_aside": {"line": 6, "field": "g", "expected": "a number of its own", "found": "game 1 a second time"},
    }


def test_a_file_that_is_damaged_further_on_gives_the_games_before(tmp_path: Path) -> None:
    lines = [json.dumps({**line, "g": number}) for number in range(1, 400) for line in made_up()]
    torn = tmp_path / "torn.jsonl.gz"
    torn.write_bytes(gzip.compress("\n".join(lines).encode())[:-100])
    *written, last = list(import_games(torn, tmp_path / "out"))
    assert len(written) > 100
    assert all(isinstance(one, ImportSummary) for one in written)
    assert isinstance(last, SetAside)
    assert last.problem.found == "the end of a damaged file"


def test_a_journal_that_cannot_be_opened_is_an_error(tmp_path: Path) -> None:
    torn = tmp_path / "torn.jsonl.gz"
    torn.write_bytes(gzip.compress(b"x" * 1000)[:20])
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    for path in (tmp_path / "missing", tmp_path, torn, empty):
        with pytest.raises(LogError):
            list(import_games(path, tmp_path / "out"))
