"""Many logs imported in a few transactions: each is told when it is stored for good, and none is stored by half."""

from __future__ import annotations

import io
import multiprocessing
import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from small_game import HEADER, game, line, resolve

from audit.core.errors import AuditError
from cli import audit
from replays.errors import LogError
from replays.season.showing import spread
from replays.store import store as store_module
from replays.store.store import ContradictionError, ImportedLog, Store
from tests.short_games import first_events

LOGS, EVENTS = 60, 100


def log(name: str, events: int = 3) -> bytes:
    return game(events, HEADER.replace(b'"g1"', b'"%s"' % name.encode()))


def streams(*logs: bytes) -> Iterator[io.BytesIO]:
    return map(io.BytesIO, logs)


def told(store: Store, *logs: bytes) -> tuple[list[ImportedLog], Exception | None]:
    """What was told of the logs, and what ended it."""
    found = []
    try:
        for done in store.import_logs(streams(*logs)):
            found.append(done)
    except (LogError, ContradictionError) as error:
        return found, error
    return found, None


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with Store(url, resolve=resolve) as made:
        yield made


def test_each_log_is_told_in_order_and_comes_back_byte_for_byte(store: Store) -> None:
    logs = [log(f"g{number}", 20 * number) for number in range(6)]
    found, error = told(store, *logs)
    assert error is None
    assert [each.events for each in found] == [0, 20, 40, 60, 80, 100]
    assert [store.export(each.game) for each in found] == logs
    assert [each.is_unchanged for each in told(store, *logs)[0]] == [True] * 6
    assert store.verify().appends == 6
    assert store.verify().exit_code == 0


def test_when_a_log_is_told_another_program_finds_it(store: Store, url: str) -> None:
    for number, done in enumerate(store.import_logs(streams(*map(log, "abc")))):
        with Store(url, resolve=resolve) as other:
            assert other.export(done.game) == log("abc"[number])


def test_no_log_is_lost_to_a_bad_one_after_it(store: Store) -> None:
    found, error = told(store, log("a"), log("b"), log("c") + b"not a line\n", log("d"))
    assert isinstance(error, LogError)
    assert [store.export(each.game) for each in found] == [log("a"), log("b")]
    assert len(store.heads()) == 2


def test_no_log_is_lost_to_one_that_contradicts_the_store(store: Store) -> None:
    told(store, log("c"))
    found, error = told(store, log("a"), log("b"), log("c").replace(b'"pile": 2', b'"pile": 3'), log("d"))
    assert isinstance(error, ContradictionError)
    assert [store.export(each.game) for each in found] == [log("a"), log("b")]
    assert len(store.heads()) == 3


def test_logs_that_cannot_be_stored_are_told_by_their_number_and_all_others_are_stored(store: Store) -> None:
    told(store, log("c"))
    other = log("c").replace(b'"pile": 2', b'"pile": 3')
    logs = (log("a"), b"no log\n", log("b"), other, log("d") + b'{"seq": 4', log("e") + b"not a line\n", log("f"))
    refused: list[tuple[int, str]] = []

    def hear(number: int, error: AuditError) -> None:
        refused.append((number, type(error).__name__))

    found = list(store.import_logs(streams(*logs), refused=hear))
    assert refused == [(1, "LogError"), (3, "ContradictionError"), (5, "LogError")]
    assert [(each.number, each.torn) for each in found] == [(0, None), (2, None), (4, 5), (6, None)]
    assert [store.export(each.game) for each in found] == [log("a"), log("b"), log("d"), log("f")]


def test_a_folder_is_stored_but_for_the_logs_that_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    for number, lines in enumerate(
        (first_events("dispute", 20), b"no log\n", first_events("clean", 20) + b'{"seq": 21')
    ):
        (tmp_path / f"t{number}.jsonl").write_bytes(lines)
    for new in ("20 new", "nothing new"):
        done = CliRunner().invoke(audit, ["store", "import", str(tmp_path)])
        assert done.exit_code == 2
        assert done.stdout.count(f"20 events, {new}") == 2
        assert "t1.jsonl: line 1" in done.stderr
        assert "t2.jsonl: Line 22 of the log is cut short and was left out." in done.stderr
    CliRunner().invoke(audit, ["note", "add", "r3-t12", "--at", "3", "--by", "Ada", "Why?"])
    verified = CliRunner().invoke(audit, ["store", "verify"])
    assert (verified.exit_code, "2 games, 1 ledger of notes, " in verified.stdout) == (0, True)
    assert CliRunner().invoke(audit, ["store", "verify", "--expect-head", "00" * 32]).exit_code == 1


def test_games_that_no_other_process_can_read_are_judged_in_this_one() -> None:
    with Store(":memory:") as store:
        assert spread(store, 2) is None


def test_a_game_comes_twice_and_goes_on_where_it_ended(store: Store) -> None:
    found, error = told(store, log("a", 3), log("b"), log("a", 5), log("a", 4))
    assert error is None
    assert [each.added for each in found] == [4, 4, 2, 0]
    assert store.export(found[0].game) == log("a", 5)


def test_a_game_that_contradicts_itself_is_kept_as_it_came_first(store: Store) -> None:
    found, error = told(store, log("a"), log("b"), log("a").replace(b'"pile": 2', b'"pile": 3'))
    assert isinstance(error, ContradictionError)
    assert [store.export(each.game) for each in found] == [log("a"), log("b")]


def test_somebody_else_is_quicker_with_one_of_the_games(store: Store, url: str) -> None:
    """The lines that he stored are compared with the log, and what is missing is added."""

    def slowly() -> Iterator[io.BytesIO]:
        yield from streams(log("a"), log("b", 5))
        with Store(url, resolve=resolve) as other:
            other.import_log(io.BytesIO(log("b", 2)))
        yield io.BytesIO(log("c"))

    found = list(store.import_logs(slowly()))
    assert [each.added for each in found] == [4, 3, 4]
    assert [store.export(each.game) for each in found] == [log("a"), log("b", 5), log("c")]
    assert store.verify().exit_code == 0


def test_somebody_else_is_quicker_and_says_something_else(store: Store, url: str) -> None:
    def slowly() -> Iterator[io.BytesIO]:
        yield from streams(log("a"), log("b"))
        with Store(url, resolve=resolve) as other:
            other.import_log(io.BytesIO(log("b").replace(b'"pile": 2', b'"pile": 3')))
        yield io.BytesIO(log("c"))

    with pytest.raises(ContradictionError):
        list(store.import_logs(slowly()))
    assert log("a") in [store.export(id) for id in store.heads()]
    assert store.verify().exit_code == 0


@pytest.mark.parametrize("room", [1, 10_000])
def test_logs_of_any_size_fill_the_batches(store: Store, monkeypatch: pytest.MonkeyPatch, room: int) -> None:
    monkeypatch.setattr(store_module, "AT_ONCE", room)
    logs = [log(f"g{number}", 7 * number) for number in range(12)]
    assert [store.export(each.game) for each in told(store, *logs)[0]] == logs


def test_the_seal_beside_each_log_is_kept(store: Store, tmp_path: Path) -> None:
    from replays.trust.seal import seal_file

    paths = []
    for name in "ab":
        paths.append(tmp_path / f"{name}.jsonl")
        paths[-1].write_bytes(log(name))
        seal_file(paths[-1])
    for each in store.import_logs(paths):
        kept = store.sealed(each.game)
        assert kept
        assert kept.events == 3


def importing(url: str, round: int, said: int) -> None:
    store_module.AT_ONCE = 20_000
    with Store(url, resolve=resolve, lock_timeout=30) as store:
        os.write(said, b"open\n")
        for done in store.import_logs(streams(*(log(f"{round}-{number}", EVENTS) for number in range(LOGS)))):
            os.write(said, f"{done.game}\n".encode())
    os._exit(0)


@pytest.mark.parametrize("rounds", [2, pytest.param(12, marks=pytest.mark.prove)])
def test_killed_while_many_logs_are_imported_no_log_that_was_told_is_lost_and_none_half_stored(
    url: str, rounds: int
) -> None:
    dice = random.Random(22)
    Store(url, resolve=resolve).close()
    acknowledged: list[str] = []
    for round in range(rounds):
        heard, said = os.pipe()
        child = multiprocessing.get_context("fork").Process(target=importing, args=(url, round, said))
        child.start()
        os.close(said)
        with os.fdopen(heard) as lines:
            assert lines.readline() == "open\n"
            acknowledged += [lines.readline().strip() for _ in range(dice.randrange(30))]
            time.sleep(dice.uniform(0, 0.01))
            os.kill(child.pid or 0, signal.SIGKILL)
            acknowledged += lines.read().split()
        child.join(30)
    with Store(url, resolve=resolve) as store:
        stored = {id: store.export(id).split(b"\n", 1)[1] for id in store.heads()}
        whole = b"".join(line(seq) for seq in range(1, EVENTS + 1))
        assert set(acknowledged) <= set(stored)
        assert set(stored.values()) == {whole}
        assert store.verify().exit_code == 0
