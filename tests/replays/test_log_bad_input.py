"""Whatever is wrong with a log is said in one line each: the line, the field, what was expected, what was found."""

from __future__ import annotations

import io
import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from small_game import HEADER, game, line, resolve

from audit.core.model import Event
from replays.errors import MAX_PROBLEMS, LogError
from replays.log.reader import open_log


def complaints(data: bytes | BinaryIO) -> list[str]:
    """What is said about a log, without its name."""
    source = io.BytesIO(data) if isinstance(data, bytes) else data
    with pytest.raises(LogError) as caught:
        list(open_log(source, resolve=resolve))
    return [text.split(": ", 1)[1] for text in caught.value.lines()]


def taken(seq: object = 1, pile: object = 1, more: str = "") -> bytes:
    return f'{{"seq": {seq}, "type": "pile_taken", "pile": {pile}{more}}}\n'.encode()


LINES = {
    "no JSON": (b"pile 1 taken\n", "line 2: expected an event, which is a JSON object, found text that is not JSON"),
    "a list": (b"[1, 2]\n", "line 2: expected an event, which is a JSON object, found a list of 2"),
    "a word": (b'"taken"\n', 'line 2: expected an event, which is a JSON object, found "taken"'),
    "two objects": (taken()[:-1] + taken(2), "line 2: expected an event, which is a JSON object, found text that is"),
    "an empty line": (b"\n" + taken(), "line 2: expected an event, which is a JSON object, found an empty line"),
    "a gap": (taken(3), "line 2: seq: expected 1, found 3 (1 to 2 left out)"),
    "a repeat": (taken() + taken(), "line 3: seq: expected 2, found 1 (said before, or out of order)"),
    "no seq": (
        b'{"type": "pile_taken", "pile": 1}\n',
        "line 2: seq: expected a whole number from 1 to 1000000000000 (Position in the log: 1, 2, 3 without a gap), "
        "found nothing",
    ),
    "no type": (b'{"seq": 1}\n', "line 2: type: expected the kind of event, found nothing"),
    "a strange type": (
        b'{"seq": 1, "type": "pile_token", "pile": 1}\n',
        'line 2: type: expected a kind of event of this game (did you mean "pile_taken"?), found "pile_token"',
    ),
    "a type that is a list": (
        b'{"seq": 1, "type": ["drew"]}\n',
        "line 2: type: expected a kind of event of this game, found a list of 1",
    ),
    "a missing field": (
        b'{"seq": 1, "type": "pile_taken"}\n',
        "line 2: pile: expected a whole number from 1 to 3, found nothing",
    ),
    "a number too great": (taken(1, 4), "line 2: pile: expected a whole number from 1 to 3, found 4"),
    "true for a number": (taken(1, "true"), "line 2: pile: expected a whole number from 1 to 3, found true"),
    "a text for a number": (taken(1, '"1"'), 'line 2: pile: expected a whole number from 1 to 3, found "1"'),
    "a fraction": (taken(1, "1.5"), "line 2: pile: expected a whole number from 1 to 3, found 1.5"),
    "null": (taken(1, "null"), "line 2: pile: expected a whole number from 1 to 3, found null"),
    "a misspelt field": (
        b'{"seq": 1, "type": "laid", "player": "A", "card": "oak-1", "pile": 1, "fase": "up"}\n',
        'line 2: fase: expected no such field (did you mean "face"?), found "up"',
    ),
    "a word that is none of them": (
        b'{"seq": 1, "type": "laid", "player": "A", "card": "oak-1", "pile": 1, "face": "sideways"}\n',
        'line 2: face: expected "down" or "up", found "sideways"',
    ),
    "neither of two kinds": (
        b'{"seq": 1, "type": "named", "place": []}\n',
        "line 2: place: expected a whole number or a text, found an empty list",
    ),
    "an entry of a list": (
        b'{"seq": 1, "type": "drew", "player": "A", "cards": ["oak-1", 7]}\n',
        "line 2: cards[1]: expected a text of 1 to 64 characters (A card by its id, or a handle such as ?1), found 7",
    ),
    "an unknown card": (
        b'{"seq": 1, "type": "drew", "player": "A", "cards": ["oak-1", "fig-1"]}\n',
        'line 2: cards: expected a card of this game or a handle such as ?1, found "fig-1"',
    ),
    "a cause that does not come before": (
        taken(1, 1, ', "because": 99999'),
        "line 2: because: expected the seq of an earlier event, found 99999",
    ),
    "a cause that is the event itself": (
        taken(1, 1, ', "because": 1'),
        "line 2: because: expected the seq of an earlier event, found 1",
    ),
    "a month too many": (
        taken(1, 1, ', "at": "2026-13-29T10:00:00Z"'),
        "line 2: at: expected a text such as 2025-09-13T14:05:00Z (When it happened, RFC 3339), "
        'found "2026-13-29T10:00:00Z"',
    ),
    "a day that there is not": (taken(1, 1, ', "at": "2023-02-29T10:00:00Z"'), "line 2: at: expected a text such as "),
    "an hour that there is not": (taken(1, 1, ', "at": "2026-02-03T25:00:00Z"'), "line 2: at: expected a text such"),
    "a key twice": (taken(1, 1, ', "pile": 2'), 'line 2: expected each key once, found "pile" more than once'),
    "a key twice, once in disguise": (
        taken(1, 1, ', "p\\u0069le": 2'),
        'line 2: expected each key once, found "pile" more than once',
    ),
    "a key twice in what is never read": (
        taken(1, 1, ', "x-a": {"b": 1, "b": 1}'),
        'line 2: expected each key once, found "b" more than once',
    ),
    "a NUL byte": (b'{"seq": 1, "type": "pile\0taken"}\n', "line 2: expected text, found a NUL byte"),
    "no UTF-8": (
        taken(1, 1, ', "note": "\xff"').decode().encode("latin-1"),
        "line 2: expected UTF-8 text, found the byte 0xff at byte 54",
    ),
    "half a pair": (
        taken(1, 1, ', "note": "\\ud83d"'),
        "line 2: expected UTF-8 text, found half of a surrogate pair",
    ),
    "CR LF": (taken()[:-1] + b"\r\n", "line 2: expected lines that end in LF, found a carriage return (CR LF)"),
    "deep nesting": (
        taken(1, "[" * 100_000 + "]" * 100_000),
        "line 2: expected at most 32 levels of nesting, found more",
    ),
    "deep nesting in what is never read": (
        taken(1, 1, ', "x-a": ' + "[" * 40 + "]" * 40),
        "line 2: expected at most 32 levels of nesting, found more",
    ),
    "an infinite number": (taken(1, "1e400"), "line 2: expected numbers that a computer can hold, found 1e400"),
    "a huge number": (
        taken(10**400),
        "line 2: expected whole numbers up to 9007199254740991, found a number of 401 characters",
    ),
    "a number of ten thousand digits": (
        taken("9" * 10_000),
        "line 2: expected whole numbers up to 9007199254740991, found a number of 10,000 characters",
    ),
    "not a number": (taken(1, "NaN"), "line 2: expected JSON, found NaN, which JSON has no word for"),
    "a long line": (
        taken(1, 1, ', "note": "' + "n" * (1 << 20) + '"'),
        "line 2: expected a line of at most 1,048,576 bytes, found a longer one",
    ),
    "a long line of blanks after a good event": (
        taken()[:-1] + b" " * (1 << 20) + b"\n",
        "line 2: expected a line of at most 1,048,576 bytes, found a longer one",
    ),
}


@pytest.mark.every(("lines", "said"), LINES.values(), ids=LINES)
def test_a_bad_line_is_named_with_what_was_expected(lines: bytes, said: str) -> None:
    (found,) = complaints(HEADER + lines)
    assert found.startswith(said)
    assert "\n" not in found


@pytest.mark.every(("lines", "said"), LINES.values(), ids=LINES)
def test_a_bad_line_late_in_a_long_log_is_named_just_as_well(lines: bytes, said: str) -> None:
    events = 2500
    shifted = lines
    for seq in (3, 2, 1):
        shifted = shifted.replace(b'"seq": %d,' % seq, b'"seq": %d,' % (seq + events))
        shifted = shifted.replace(b'"because": %d}' % seq, b'"because": %d}' % (seq + events))
    number = 3 if said.startswith("line 3") else 2
    (found,) = complaints(game(events) + shifted)
    assert found.startswith(f"line {number + events}: ")


@pytest.mark.every("before", [0, 2500])
@pytest.mark.every(
    ("kind", "fields", "said"),
    [
        ("drew", {"player": "C", "cards": ["oak-1"]}, 'player: expected "A" or "B", found "C"'),
        ("taken_back", {"to": 0, "by": "C"}, 'by: expected "A" or "B", found "C"'),
        (
            "pile_taken", {"pile": 1, "note": "n", "note_for": "nobody"},
            'note_for: expected "A" or "B" or "public" or "judge", found "nobody"',
        ),
    ],
)  # fmt: skip
def test_who_is_not_at_the_table_is_named(kind: str, fields: dict[str, object], said: str, before: int) -> None:
    seated = HEADER.replace(b'"g1"', b'"g1", "players": [{"seat": "A"}, {"seat": "B"}]')
    event = json.dumps({"seq": before + 1, "type": kind, **fields})
    assert complaints(game(before, seated) + event.encode() + b"\n") == [f"line {before + 2}: {said}"]
    assert list(open_log(io.BytesIO(HEADER + event.encode().replace(b"2501", b"1") + b"\n"), resolve=resolve))


HEADERS = {
    "no header": (line(1), 'line 1: log: expected "audit/1", found nothing'),
    "an empty object": (b"{}\n", 'line 1: log: expected "audit/1", found nothing'),
    "a later version": (
        HEADER.replace(b"audit/1", b"audit/12"),
        'line 1: log: expected "audit/1", found "audit/12", a newer version than this program reads',
    ),
    "another format": (HEADER.replace(b"audit/1", b"csv"), 'line 1: log: expected "audit/1", found "csv"'),
    "a version that is a number": (HEADER.replace(b'"audit/1"', b"1"), 'line 1: log: expected "audit/1", found 1'),
    "an unknown game": (
        HEADER.replace(b"small", b"smalll"),
        'line 1: ruleset: expected "small" (did you mean "small"?), found "smalll"',
    ),
    "no game": (b'{"log": "audit/1"}\n', "line 1: ruleset: expected a text, found nothing"),
    "a misspelt field": (
        HEADER.replace(b'"game"', b'"gane"'),
        'line 1: gane: expected no such field (did you mean "game"?), found "g1"',
    ),
    "a byte order mark": (b"\xef\xbb\xbf" + HEADER, "line 1: expected a header, which is a JSON object, found a byte"),
    "UTF-16": (HEADER.decode().encode("utf-16"), "line 1: expected text, found a NUL byte"),
    "half a header": (HEADER[:30], "line 1: expected a header, which is a JSON object, found text that is not JSON"),
    "an empty line": (b"\n" + HEADER, "line 1: expected a header, which is a JSON object, found an empty line"),
    "an empty file": (b"", "expected a log: a header, then events, found an empty file"),
    "deep nesting": (
        HEADER.replace(b'"g1"', b'"g1", "setup": {"a": ' + b"[" * 900 + b"]" * 900 + b"}"),
        "line 1: expected at most 32 levels of nesting, found more",
    ),
    "a huge number": (
        HEADER.replace(b'"g1"', b'"g1", "meta": {"a": 1e999}'),
        "line 1: expected numbers that a computer can hold, found 1e999",
    ),
}


@pytest.mark.every(("data", "said"), HEADERS.values(), ids=HEADERS)
def test_a_bad_header_is_named_with_what_was_expected(data: bytes, said: str) -> None:
    (found,) = complaints(data)
    assert found.startswith(said)


def test_everything_wrong_with_a_header_is_said_at_once() -> None:
    found = complaints(b'{"log": "audit/1", "ruleset": "tall", "players": [{"seat": ""}, 4], "setup": []}\n')
    assert [text.split(": ")[1] for text in found] == ["players[0].seat", "players[1]", "setup", "ruleset"]


def test_all_bad_lines_are_said_at_once() -> None:
    data = game(2) + b"what\n" + taken(4, 9, ', "card": 1') + taken(5) + taken(7)
    assert [text.split(", found")[0] for text in complaints(data)] == [
        "line 4: expected an event, which is a JSON object",
        "line 5: card: expected no such field",
        "line 5: pile: expected a whole number from 1 to 3",
        "line 7: seq: expected 6",
    ]


def test_the_limit_is_said_where_there_are_more() -> None:
    found = complaints(HEADER + b"no\n" * (MAX_PROBLEMS + 1))
    assert len(found) == MAX_PROBLEMS + 1
    assert found[-1] == f"more problems follow; the first {MAX_PROBLEMS} are named"
    assert len(complaints(HEADER + b"no\n" * MAX_PROBLEMS)) == MAX_PROBLEMS


def test_the_good_events_before_the_first_bad_line_are_all_there() -> None:
    seen: list[Event] = []
    with pytest.raises(LogError, match="line 2002"):
        seen.extend(iter_until(io.BytesIO(game(2000) + b"no\n" + line(2002)), seen))
    assert len(seen) == 2000


def iter_until(source: BinaryIO, seen: list[Event]) -> Iterator[Event]:
    for event in open_log(source, resolve=resolve):
        seen.append(event)
    yield from ()


def test_a_file_that_is_not_there_and_a_directory_are_named(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"nowhere\.jsonl: expected a readable file, found no such file"):
        open_log(tmp_path / "nowhere.jsonl", resolve=resolve)
    with pytest.raises(LogError, match="expected a plain file, found a directory"):
        open_log(tmp_path, resolve=resolve)
    with pytest.raises(LogError, match="expected a readable file"):
        open_log("a\0b", resolve=resolve)


class Endless(io.RawIOBase):
    """A header, then one line of a gigabyte, then a good event."""

    name = "endless"

    def __init__(self, size: int) -> None:
        self.parts = [HEADER, *[b"n" * (1 << 20)] * (size >> 20), b"\n", taken(2)]

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        return self.parts.pop(0) if self.parts else b""


def test_a_line_of_a_gigabyte_is_never_held_in_memory() -> None:
    tracemalloc.start()
    found = complaints(Endless(1 << 30))  # type: ignore[arg-type]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found == ["line 2: expected a line of at most 1,048,576 bytes, found a longer one"]
    assert peak < 24 << 20


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
lines = st.binary(max_size=80) | anything.map(lambda value: json.dumps(value).encode())


@given(st.lists(lines, min_size=1, max_size=5), st.booleans())
@example([b'{"seq": 1, "type": "laid", "player": {}, "card": {}, "pile": {}, "face": {}, "from": {}}'], True)
@example([b'{"seq": {}, "type": "drew", "cards": {}, "count": [], "because": "", "at": 1}'], True)
def test_nothing_in_a_file_is_ever_a_traceback(written: list[bytes], headed: bool) -> None:
    data = (HEADER if headed else b"") + b"\n".join(written) + b"\n"
    for text in complaints(data):
        assert "expected" in text or "more problems follow" in text


def lines_named(data: bytes) -> set[int]:
    """The lines of which something is said."""
    try:
        list(open_log(io.BytesIO(data), resolve=resolve))
    except LogError as error:
        return {problem.line for problem in error.problems}
    return set()


@given(st.dictionaries(st.sampled_from(["seq", "type", "pile", "player", "card", "place", "x-a"]), anything))
def test_no_object_is_ever_a_traceback(fields: dict[str, object]) -> None:
    for kind in ("laid", "drew", "named", "pile_taken"):
        data = json.dumps({"seq": 1, **fields, "type": kind}, ensure_ascii=True).encode()
        assert lines_named(HEADER + data + b"\n") <= {2}


@given(
    st.dictionaries(st.sampled_from(["log", "ruleset", "game", "players", "first", "setup", "meta", "x-a"]), anything)
)
def test_no_header_is_ever_a_traceback(fields: dict[str, object]) -> None:
    for more in ({}, {"log": "audit/1", "ruleset": "small"}):
        assert lines_named(json.dumps({**fields, **more}).encode() + b"\n") <= {1}
