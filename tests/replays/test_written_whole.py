"""Files that are kept: a full disk, a write that fails half-way, and several people who write at once."""

from __future__ import annotations

import os
import resource
import stat
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from audit.core import files as files_kept
from audit.core.errors import AuditError
from audit.core.files import append_whole, write_whole
from audit.rulebooks.decisions import Decision, DecisionFile
from replays.trust.keys import keys, make_key
from replays.trust.ledger import FileLedger, LedgerConflictError, read_ledger_seal, seal_ledger
from replays.trust.proofs import signed_head
from replays.trust.seal import Seal, beside, read_seal, seal_file
from replays.trust.witness import check_list, read_list, witness
from tests.attacks.table import JUDGE, Table

AT_ONCE = 6


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    return Table(tmp_path)


@contextmanager
def full_disk(room: int) -> Iterator[None]:
    """No file may become longer than this: the system refuses the rest of a write."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def ledger_of(table: Table, lines: int = 3) -> FileLedger:
    ledger = FileLedger(table.folder / "game.notes.jsonl")
    ledger.append([b'{"ledger":"audit-notes/1"}\n', *[b'{"text":"play on"}\n'] * lines], 0)
    return ledger


def add_to_ledger(table: Table) -> None:
    ledger = FileLedger(table.folder / "game.notes.jsonl")
    ledger.append([b'{"text":"' + b"x" * 500 + b'"}\n'], len(ledger.lines()))


def seal_notes(table: Table) -> None:
    seal_ledger(table.folder / "game.notes.jsonl", JUDGE, "later")


def add_to_list(table: Table) -> None:
    witness(table.folder / "heads.jsonl", signed_head(table.seal), JUDGE, "later")


def decide(table: Table, number: int = 0) -> None:
    made = Decision(finding=f"f{number}", rule="play", kind="word", at="now", fingerprints={"en": "x" * 500})
    DecisionFile(table.folder / "decisions.jsonl", Decision).add(made)


WRITES: dict[str, Callable[[Table], object]] = {
    "a note": add_to_ledger,
    "a seal of notes": seal_notes,
    "a seal of a log": lambda table: seal_file(table.log, JUDGE),
    "a list of heads": add_to_list,
    "a decision": decide,
    "a key": lambda table: make_key("another"),
}


@pytest.mark.parametrize("what", WRITES)
@pytest.mark.parametrize("room", [0, 60, 100])
def test_on_a_full_disk_everything_stays_as_it_was(table: Table, what: str, room: int) -> None:
    ledger_of(table)
    for write in (seal_notes, add_to_list, decide):
        write(table)
    before = files(table.folder)
    with full_disk(room), pytest.raises((AuditError, OSError)):
        WRITES[what](table)
    assert files(table.folder) == before
    WRITES[what](table)
    assert FileLedger(table.folder / "game.notes.jsonl").lines()
    assert check_list(read_list(table.folder / "heads.jsonl")) is None


def test_an_append_that_fails_at_its_end_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "list.jsonl"
    append_whole(file, b"one\n")

    def fails(opened: int) -> None:
        raise OSError(5, "the disk is gone")

    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", fails)
        for place in (file, tmp_path / "new.jsonl"):
            with pytest.raises(OSError, match="the disk is gone"):
                append_whole(place, b"two\n")
    assert files(tmp_path) == {"list.jsonl": b"one\n"}


def test_a_file_keeps_its_rights_and_its_link(tmp_path: Path) -> None:
    file, link = tmp_path / "heads.json", tmp_path / "link.json"
    file.write_bytes(b"old")
    file.chmod(0o640)
    link.symlink_to(file)
    write_whole(link, b"new")
    assert (link.is_symlink(), file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (True, b"new", 0o640)
    write_whole(link, b"secret", is_secret=True)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_seal_that_opens_hidden_cards_is_for_its_owner_only(table: Table) -> None:
    assert stat.S_IMODE(beside(table.log).stat().st_mode) == 0o600


def at_once(each: Callable[[int], object]) -> list[object]:
    """What several people come to who write at once; a write takes long enough for all of them to have begun."""
    put = files_kept._put

    def slowly(opened: int, data: bytes) -> None:
        time.sleep(0.02)
        put(opened, data)

    with ThreadPoolExecutor(AT_ONCE) as people, pytest.MonkeyPatch.context() as patch:
        patch.setattr(files_kept, "_put", slowly)
        return list(people.map(each, range(AT_ONCE)))


def test_everybody_who_signs_a_seal_at_once_has_signed_it(table: Table) -> None:
    names = [make_key(f"judge-{number}").name for number in range(AT_ONCE)]
    at_once(lambda number: seal_file(table.log, names[number]))
    assert {each.name for each in read_seal(beside(table.log)).signatures} == {JUDGE, *names}
    notes = ledger_of(table).path
    at_once(lambda number: seal_ledger(notes, names[number]))
    assert {each.name for each in read_ledger_seal(beside(notes)).signatures} == set(names)


def test_every_head_that_is_added_at_once_is_in_the_list(table: Table) -> None:
    seals: list[Seal] = []
    for number in range(AT_ONCE):
        log = table.folder / f"table-{number}.jsonl"
        log.write_bytes(table.log.read_bytes().replace(b"r3-t12", f"r3-t{number}".encode()))
        seals.append(seal_file(log, JUDGE))
    heads = table.folder / "heads.jsonl"
    at_once(lambda number: witness(heads, signed_head(seals[number]), JUDGE, "now"))
    listed = read_list(heads)
    assert check_list(listed) is None
    assert {line.entry.signed.head.game for line in listed} == {seal.game for seal in seals}


def test_every_decision_made_at_once_is_kept(table: Table) -> None:
    at_once(lambda number: decide(table, number))
    assert len(DecisionFile(table.folder / "decisions.jsonl", Decision).load()) == AT_ONCE


def test_of_lines_added_at_once_one_is_kept_and_the_others_are_told(table: Table) -> None:
    ledger = ledger_of(table)

    def add(number: int) -> bool:
        try:
            ledger.append([b'{"text":"%d"}\n' % number], 4)
        except LedgerConflictError:
            return False
        return True

    assert sum(map(bool, at_once(add))) == 1
    assert len(ledger.lines()) == 5
    with pytest.raises(LedgerConflictError, match=r"game\.notes\.jsonl"):
        ledger.append([], 4)


def test_of_keys_made_at_once_with_one_name_one_is_made(table: Table) -> None:
    def make(number: int) -> bool:
        try:
            make_key("shared")
        except AuditError:
            return False
        return True

    assert sum(map(bool, at_once(make))) == 1
    assert [each.name for each in keys()].count("shared") == 1
