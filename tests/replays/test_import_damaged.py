"""Whatever happened to a journal, it is read to its end, every other game is written, and each time in the same way."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random

import pytest

from bench.importing import damaged
from replays.importing.journals.journal import ImportSummary, import_games
from replays.importing.journals.reading import SetAside
from tests.replays.made_journal import journal_of

SEEDS = (4, 7, 10)


@cache
def _texts() -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(map(json.dumps, journal_of(seed, seed))) for seed in SEEDS)


def _written(folder: Path, lines: list[str]) -> tuple[list[ImportSummary | SetAside], dict[str, bytes]]:
    folder.mkdir(parents=True)
    path = folder / "journal.jsonl"
    path.write_bytes("".join(line + "\n" for line in lines).encode("utf-8", "replace"))
    results = list(import_games(path, folder / "out"))
    return results, {log.name: log.read_bytes() for log in sorted((folder / "out").glob("*.jsonl"))}


@pytest.mark.sampled(12)
@pytest.mark.parametrize("seed", range(24))
def test_a_damaged_game_takes_no_other_with_it(seed: int, tmp_path: Path) -> None:
    first, second, third = _texts()
    lines = [*first, *damaged(list(second), Random(seed)), *third]
    results, logs = _written(tmp_path / "once", lines)
    _, others = _written(tmp_path / "others", [*first, *third])
    assert {name: log for name, log in logs.items() if name != "game-7.jsonl"} == others
    assert "game-7.jsonl" in logs or any(isinstance(one, SetAside) for one in results)
    assert _written(tmp_path / "again", lines)[1] == logs


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", [None, [], {}, [[]], True, 10**30, "", "\x00", {"a": {"b": [1]}}])
def test_a_decision_of_any_shape_stops_nothing(kind: object, tmp_path: Path) -> None:
    first, second, _ = _texts()
    told = [json.loads(line) for line in second]
    for line in told:
        if line.get("dec"):
            line["dec"] |= {"do": kind, "choice": kind}
    _, logs = _written(tmp_path / "shapes", [*first, *map(json.dumps, told)])
    assert set(logs) == {"game-4.jsonl", "game-7.jsonl"}
