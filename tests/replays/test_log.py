"""A log is read as a stream, whole or torn, and appended to; the file is never rewritten."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_game import HEADER, SMALL, Drew, Laid, Named, PileTaken, game, line, resolve

from audit.core.model import Event, Header, Player
from replays.errors import ChangedError, LogError, SequenceError, UnwritableError
from replays.log.reader import CHUNK, TornLine, open_log
from replays.log.schemas import Upcast
from replays.log.writer import LogWriter, line_of, write_log

HERE = Path(__file__).resolve().parent


def opened(data: bytes):
    return open_log(io.BytesIO(data), resolve=resolve)


def test_a_log_gives_its_header_and_its_events_in_order() -> None:
    log = opened(
        b'{"log": "audit/1", "ruleset": "small", "players": [{"seat": "A", "name": "Ada"}]}\n'
        b'{"seq": 1, "type": "drew", "player": "A", "count": 2}\n'
        b'{"seq": 2, "type": "pile_taken", "pile": 3, "because": 1, "note": "at once"}\n'
    )
    assert log.header.players == (Player("A", "Ada"),)
    assert log.ruleset is SMALL
    assert list(log) == [
        Drew(seq=1, player="A", count=2),
        PileTaken(seq=2, pile=3, because=1, note="at once"),
    ]
    assert log.torn is None
    assert log.events == 2


@pytest.mark.parametrize("events", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 30_000])
def test_no_event_is_lost_at_the_seams_of_blocks(events: int, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(game(events))
    log = open_log(path, resolve=resolve)
    assert [event.seq for event in log] == list(range(1, events + 1))
    assert b"".join(raw + b"\n" for raw in log.iter_raw()) == path.read_bytes()


def test_a_file_can_be_gone_through_again_but_a_stream_says_that_it_is_spent(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(game(5))
    log = open_log(path, resolve=resolve)
    assert list(log) == list(log)
    stream = opened(game(5))
    assert len(list(stream)) == 5
    with pytest.raises(LogError, match="can be read twice"):
        list(stream)


def test_a_pipe_is_read_to_its_end() -> None:
    read, write = os.pipe()
    os.write(write, game(20))
    os.close(write)
    with os.fdopen(read, "rb") as stream:
        assert len(list(open_log(stream, resolve=resolve))) == 20


def test_memory_does_not_grow_with_the_length_of_the_log(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    with path.open("wb") as file:
        file.write(HEADER)
        for start in range(1, 200_001, 10_000):
            file.write(b"".join(line(seq) for seq in range(start, start + 10_000)))
    script = (
        f"import resource, sys; sys.path[:0] = [{str(HERE)!r}, {str(HERE.parent.parent)!r}];"
        "from small_game import resolve; from replays.log import open_log;"
        "peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss;"
        f"log = open_log({str(path)!r}, resolve=resolve); it = iter(log);"
        "[next(it) for _ in range(20000)]; before = peak(); n = sum(1 for _ in it);"
        "print(n, peak() - before)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    events, grown = map(int, done.stdout.split())
    assert events == 180_000
    assert grown < 4 * 1024


@pytest.mark.every("kept", range(1, len(line(4))))
def test_a_last_line_cut_short_is_reported_and_left_out(kept: int) -> None:
    log = opened(game(3) + line(4)[:kept])
    events = list(log)
    if kept == len(line(4)) - 1:
        assert len(events) == 4
        assert log.torn is None
        assert not log.finished
    else:
        assert len(events) == 3
        assert log.torn == TornLine(5, line(4)[:kept])


def test_a_tail_of_zeros_left_by_a_crash_is_a_torn_line() -> None:
    log = opened(game(3) + b"\0" * 100)
    assert len(list(log)) == 3
    assert log.torn is not None


def test_a_last_line_that_is_whole_but_wrong_is_an_error_even_without_its_end() -> None:
    with pytest.raises(LogError, match="line 3: pile"):
        list(opened(game(1) + b'{"seq": 2, "type": "pile_taken", "pile": 9}'))


def test_keys_of_anyones_own_are_kept_in_the_line_and_never_read() -> None:
    odd = b'{"seq": 2, "x-clock": {"A": [1, 2]}, "type": "pile_taken", "pile": 1, "x-": null}'
    log = opened(HEADER.replace(b'"game"', b'"x-event": 7, "game"') + line(1) + odd + b"\n" + line(3))
    pairs = list(log.with_lines())
    assert pairs[1] == (PileTaken(seq=2, pile=1), odd)
    assert [event.seq for event, _ in pairs] == [1, 2, 3]


def test_an_unknown_card_is_a_handle_until_it_is_known() -> None:
    log = opened(HEADER + b'{"seq": 1, "type": "laid", "player": "A", "card": "?17", "pile": 1}\n')
    assert list(log) == [Laid(seq=1, player="A", card="?17", pile=1)]


def test_older_versions_are_lifted_while_they_are_read() -> None:
    invented = {
        "audit/0": Upcast(
            to="audit/1",
            header=lambda old: {"log": "audit/1", "ruleset": old["game_name"], "game": old["id"]},
            event=lambda old: {"seq": old["n"], "type": old["kind"].lower(), "place": old["where"]},
        )
    }
    old = b'{"log": "audit/0", "game_name": "small", "id": "g9"}\n{"n": 1, "kind": "NAMED", "where": "hand"}\n'
    log = open_log(io.BytesIO(old), resolve=resolve, upcasts=invented)
    assert log.header.game == "g9"
    assert list(log.with_lines()) == [(Named(seq=1, place="hand"), old.splitlines()[1])]
    with pytest.raises(LogError, match='log: expected "audit/1"'):
        opened(old)


def test_a_setup_is_judged_by_the_game_and_named_with_its_line() -> None:
    log = opened(b'{"log": "audit/1", "ruleset": "small", "setup": {"deck": ["oak-1", "oak-1"]}}\n')
    with pytest.raises(LogError, match=r"line 1: setup\.deck: expected each card once"):
        log.start()
    log = opened(b'{"log": "audit/1", "ruleset": "small", "reading": "mine"}\n')
    with pytest.raises(LogError, match='line 1: reading: expected standard, found "mine"'):
        log.start()


def test_a_written_log_reads_like_the_documentation(tmp_path: Path) -> None:
    path = tmp_path / "new.jsonl"
    header = Header(log="audit/1", ruleset="small", game="żółw", players=(Player("A"),))
    events = [
        Laid(seq=1, player="A", card="oak-1", pile=2, note="ó", because=None, from_="deck", at="2025-09-01T10:00:00Z")
    ]
    assert write_log(path, header, events) == 1
    assert path.read_text("utf-8") == (
        '{"log": "audit/1", "ruleset": "small", "game": "żółw", "players": [{"seat": "A"}]}\n'
        '{"seq": 1, "type": "laid", "player": "A", "card": "oak-1"'
        ', "pile": 2, "from": "deck", "at": "2025-09-01T10:00:00Z", "note": "ó"}\n'
    )
    assert list(open_log(path, resolve=resolve)) == events
    with pytest.raises(UnwritableError, match="exists"):
        write_log(path, header, events)


texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
some_events = st.lists(
    st.builds(Laid, seq=st.just(0), player=texts, card=texts.map("?{}".format), pile=st.integers(1, 3), note=texts)
    | st.builds(Named, seq=st.just(0), place=st.integers(-(2**53), 2**53 - 1) | texts, sure=st.booleans())
    | st.builds(
        Drew,
        seq=st.just(0),
        player=texts,
        count=st.integers(0, 2**53 - 1),
        at=st.sampled_from(["2025-09-01T10:00:00Z", "2025-09-01T10:00:00.5+02:00"]),
    ),
    max_size=30,
)


@given(some_events)
def test_whatever_is_written_is_read_again(events: list[Event]) -> None:
    numbered = [
        type(e)(**{**{f: getattr(e, f) for f in e.__struct_fields__}, "seq": n}) for n, e in enumerate(events, 1)
    ]
    data = HEADER + b"".join(line_of(event).encode() + b"\n" for event in numbered)
    assert list(opened(data)) == numbered


def test_an_appender_takes_up_where_the_log_ends(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(game(3).removesuffix(b"\n"))
    with LogWriter(path, resolve=resolve, fsync=True) as log:
        with pytest.raises(SequenceError, match="expected seq 4 next, found 6"):
            log.append(PileTaken(seq=6, pile=1))
        log.append(PileTaken(seq=4, pile=1))
    assert path.read_bytes() == game(3) + b'{"seq": 4, "type": "pile_taken", "pile": 1}\n'


@pytest.mark.parametrize("events", [0, 3])
def test_an_appender_ends_a_last_line_that_has_no_end(events: int, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(game(events).removesuffix(b"\n"))
    with LogWriter(path, resolve=resolve) as log:
        log.append(PileTaken(seq=events + 1, pile=3))
    assert path.read_bytes().count(b"\n") == events + 2
    assert [event.seq for event in open_log(path, resolve=resolve)] == list(range(1, events + 2))


def test_one_odd_line_among_many_is_read_with_care_and_the_others_as_ever() -> None:
    lines = game(2 * CHUNK).splitlines(keepends=True)
    lines[CHUNK] = lines[CHUNK].replace(b"{", b'{"x-table": "\\u0041", ', 1)
    log = opened(b"".join(lines))
    assert [event.seq for event in log] == list(range(1, 2 * CHUNK + 1))
    assert list(opened(game(2 * CHUNK))) == list(opened(b"".join(lines)))


def test_an_appender_refuses_a_torn_log_until_it_may_cut_it(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(game(3) + b'{"seq": 4, "ty')
    with pytest.raises(LogError, match="line 5: expected a whole last line, found one cut short"):
        LogWriter(path, resolve=resolve)
    assert path.read_bytes().endswith(b'"ty')
    with LogWriter(path, resolve=resolve, drop_torn=True) as log:
        log.append(PileTaken(seq=4, pile=1))
    assert path.read_bytes() == game(3) + b'{"seq": 4, "type": "pile_taken", "pile": 1}\n'


def test_of_two_appenders_the_second_to_write_is_told(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(game(1))
    with LogWriter(path, resolve=resolve) as one, LogWriter(path, resolve=resolve) as other:
        one.append(PileTaken(seq=2, pile=1))
        with pytest.raises(ChangedError):
            other.append(PileTaken(seq=2, pile=3))
    assert path.read_bytes() == game(1) + b'{"seq": 2, "type": "pile_taken", "pile": 1}\n'


def test_a_full_disk_leaves_the_log_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(game(1))
    script = (
        "import resource, signal, sys; sys.path[:0] = [{here!r}, {root!r}];"
        "from small_game import *; from replays.log.writer import *; from replays.errors import *\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))\n"
        "log = LogWriter({path!r}, resolve=resolve)\n"
        "try: log.append(PileTaken(seq=2, pile=1, note='n' * 100))\n"
        "except UnwritableError as error: print(error)"
    ).format(here=str(HERE), root=str(HERE.parent.parent), path=str(path), limit=len(game(1)) + 30)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "cannot be written" in done.stdout
    assert path.read_bytes() == game(1)
