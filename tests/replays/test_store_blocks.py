"""Many lines stored at once take little room, and are read, followed, appended to and verified line by line."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from eventsourcing.persistence import RecordConflictError

from replays.store.incoming import ready
from replays.store.recorded import BLOCK_LINES, RecordedMapper, stored
from replays.store.store import Store, VersionConflictError
from tests.replays.small_game import HEADER, line, resolve

MANY = 3 * BLOCK_LINES + 7
LOG = HEADER + b"".join(map(line, range(1, MANY + 1)))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "games.db", resolve=resolve) as store:
        yield store


@pytest.fixture
def game(store: Store) -> str:
    """A game that was imported with many lines."""
    return store.import_log(io.BytesIO(LOG)).game


def test_a_long_log_comes_back_byte_for_byte_from_a_few_rows(store: Store, game: str) -> None:
    assert store.export(game) == LOG
    ((rows, room),) = store._tables.read("SELECT COUNT(*), SUM(LENGTH(state)) FROM stored_events")
    assert rows == 5
    assert int(str(room)) < len(LOG) // 4


@pytest.mark.every("after", [0, 1, 2, BLOCK_LINES - 1, BLOCK_LINES, BLOCK_LINES + 1, MANY - 1, MANY, MANY + 1])
@pytest.mark.every("limit", [1, 3, BLOCK_LINES, None])
def test_any_part_of_it_is_read(store: Store, game: str, after: int, limit: int | None) -> None:
    wanted = LOG.splitlines(keepends=True)[after:][:limit]
    assert store.bodies(game, after, limit) == wanted


def test_events_are_appended_to_it_one_by_one_and_many_at_once(store: Store, game: str) -> None:
    store.append(game, line(MANY + 1), expected=MANY)
    more = b"".join(line(seq) for seq in range(MANY + 2, MANY + 102))
    assert store.append(game, more, expected=MANY + 1) == MANY + 101
    assert store.export(game) == LOG + line(MANY + 1) + more
    assert [event.seq for event in store.events(game, MANY - 1)] == list(range(MANY, MANY + 102))
    with pytest.raises(VersionConflictError):
        store.append(game, line(MANY + 2), expected=MANY + 1)
    assert store.verify().exit_code == 0


@pytest.mark.parametrize("quicker", [1, 40, 100])
def test_of_two_who_append_to_the_same_version_one_is_refused(store: Store, game: str, quicker: int) -> None:
    """Their blocks may end at different lines: that they begin at the same one is enough."""
    bodies = [line(seq) for seq in range(MANY + 1, MANY + 101)]
    store.append(game, b"".join(bodies[:quicker]), expected=MANY)
    with pytest.raises(RecordConflictError):
        store._insert([ready(game, MANY + 2, ["laid"] * 100, bodies, "")])
    assert store.version(game) == MANY + quicker
    assert store.verify().exit_code == 0


def test_a_line_that_was_changed_in_a_block_is_found(store: Store, game: str) -> None:
    for name in ("update", "delete", "replace"):
        store._tables.do(f"DROP TRIGGER stored_events_no_{name}")
    bodies = store.bodies(game, 1, BLOCK_LINES)
    bodies[41] = bodies[41].replace(b"oak", b"elm")
    ((version, state),) = stored(2, [""] * BLOCK_LINES, bodies)
    store._tables.do("UPDATE stored_events SET state = ? WHERE originator_version = ?", (state, version))
    bad = store.verify().bad
    assert [(each.line, each.kind) for each in bad if each.game] == [(43, "altered")]


@pytest.mark.parametrize("damage", [b"\x93\x02\xa12\xc4\x03abc", b"\x93\x02\xa1x\xc4\x00", b"\x93\x02"])
def test_a_damaged_block_is_no_line_that_was_sent(store: Store, game: str, damage: bytes) -> None:
    for name in ("update", "delete", "replace"):
        store._tables.do(f"DROP TRIGGER stored_events_no_{name}")
    store._tables.do("UPDATE stored_events SET state = ? WHERE originator_version = ?", (damage, BLOCK_LINES + 1))
    assert store.verify().exit_code == 1


def test_lines_are_stored_in_blocks_only_where_there_are_many() -> None:
    assert [version for version, _ in stored(5, ["laid"] * 3, [b"a", b"b", b"c"])] == [5, 6, 7]
    found = list(stored(1, ["header", *["laid"] * 599], [b"%d\n" % number for number in range(1, 601)]))
    assert [version for version, _ in found] == [1, 513, 600]
    lines = [line for version, state in found for line in RecordedMapper().lines("g", version, state)]
    assert [(number, int(body)) for number, _, body in lines] == [(number, number) for number in range(1, 601)]
