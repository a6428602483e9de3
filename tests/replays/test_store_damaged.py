"""A database with bytes changed, left out or overwritten: said in lines, exit code 2, and no export is wrong."""

from __future__ import annotations

import random
import sqlite3
import sys
from pathlib import Path

import pytest

from cli import carried_out
from replays.store.store import Store

SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"
DISPUTE = SAMPLES / "dispute.jsonl"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A database of two games."""
    place = tmp_path_factory.mktemp("whole") / "games.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUDIT_DATA_DIR", str(place.parent))
        with Store(place) as store:
            for log in (DISPUTE, SAMPLES / "lotr-crows.jsonl"):
                store.import_log(log)
    with sqlite3.connect(place) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    return place.read_bytes()


def damaged(data: bytes, seed: int) -> bytes:
    chance = random.Random(seed)
    made, page = bytearray(data), 4096
    match seed % 3:
        case 0:
            return bytes(made[: chance.randrange(len(made))])
        case 1:
            for _ in range(chance.choice([1, 20, 400])):
                made[chance.randrange(len(made))] = chance.randrange(256)
        case _:
            at = chance.randrange(len(made) // page) * page
            made[at : at + page] = chance.randbytes(page)
    return bytes(made)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("seed", range(200))
def test_a_damaged_database_is_said_and_never_exports_another_game(
    whole: bytes, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path))
    for command in ("list", "verify", "export"):
        (tmp_path / "games.db").write_bytes(damaged(whole, seed))
        for ending in ("-wal", "-shm"):
            (tmp_path / f"games.db{ending}").unlink(missing_ok=True)
        monkeypatch.setattr(sys, "argv", ["audit", "store", command, *(["r3-t12"] if command == "export" else [])])
        code = carried_out()
        said, complained = capsysbinary.readouterr()
        assert code in ((0, 1, 2) if command == "verify" else (0, 2))
        assert bool(complained) == (code == 2)
        assert len(complained.splitlines()) <= 3, "a line for each thing that cannot be read"
        if command == "export" and code == 0:
            assert said == DISPUTE.read_bytes()
