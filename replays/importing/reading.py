"""Reading a journal: its lines, checked, and its games."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from audit.compile.cards import CARDS
from replays.errors import LogError, Problem, whole_file_error
from replays.log.lines import MAX_LINE_BYTES

GZIP = b"\x1f\x8b"

Seat = Literal["A", "B"]
Index = Annotated[int, Meta(ge=0, le=2)]
Three = Annotated[tuple[str, ...], Meta(min_length=3, max_length=3)]
Do = Literal[
    "playCard", "fillHand", "compile", "discardCards", "flipCard", "shiftCard", "deleteCard", "returnCard",
    "revealCard", "selectLane", "rearrangeProtocols", "resolveControlMechanicPrompt", "resolveSwapProtocols",
    "resolveOptionalEffectPrompt", "resolveCustomChoice",
]  # fmt: skip


class Shown(Struct, frozen=True):
    """What a snapshot shows of one side."""

    pr: Three
    co: Annotated[tuple[int, ...], Meta(min_length=3, max_length=3)]
    ln: Annotated[tuple[tuple[str, ...], ...], Meta(min_length=3, max_length=3)]
    hd: tuple[str, ...]
    dk: tuple[str, ...]
    di: tuple[str, ...]
    tv: tuple[int, ...]


class Snapshot(Struct, frozen=True):
    """The field after a step."""

    a: Shown = msgspec.field(name="A")
    b: Shown = msgspec.field(name="B")
    ctl: Seat | None = None

    def side(self, seat: str) -> Shown:
        """What it shows of that seat."""
        return self.a if seat == "A" else self.b


class Named(Struct, frozen=True):
    """A card of a decision or question."""

    c: str


class Prompt(Struct, frozen=True):
    """A question that is open."""

    type: str = ""
    by: str = ""
    src: str = ""
    target: str = ""
    card: Named | None = None


class Decision(Struct, frozen=True):
    """What was decided."""

    do: Do
    card: Named | None = None
    cards: tuple[str, ...] = ()
    line: Index | None = None
    up: int = 0
    accept: int = 1
    choice: str | None = None
    option: Annotated[int, Meta(ge=0, le=9)] = 0
    order: tuple[str, ...] = ()
    swap: tuple[Index, Index] | None = None


class After(Struct, frozen=True):
    """Where the game stands after a step."""

    turn: Seat
    ph: str
    pend: Prompt | None = None


class Inner(Struct, frozen=True):
    """A step inside a step, with the zones that differ at that moment."""

    d: dict[str, object] = {}


class Head(Struct, frozen=True, tag_field="k", tag="header"):
    """The first line of a game."""

    g: int
    a: Three = msgspec.field(name="A")
    b: Three = msgspec.field(name="B")
    first: Seat
    pool: str = ""


class JournalStep(Struct, frozen=True, tag_field="k"):
    """A line of a game with the field after it."""

    g: int
    t: int
    after: After
    z: Snapshot
    by: str | None = None
    prompt: Prompt | None = None
    dec: Decision | None = None
    log: tuple[Inner, ...] = ()


class Deal(JournalStep, frozen=True, tag="deal"):
    """The opening hands."""


class Action(JournalStep, frozen=True, tag="action"):
    """The turn player plays, refreshes or compiles."""


class Choice(JournalStep, frozen=True, tag="choice"):
    """An answer to a question."""


class Auto(JournalStep, frozen=True, tag="auto"):
    """Phases or texts that need no answer."""


class JournalEnd(Struct, frozen=True, tag_field="k", tag="end"):
    """The last line of a game."""

    g: int
    winner: str | None = None


Entry = Head | Deal | Action | Choice | Auto | JournalEnd


class JournalGame(Struct, frozen=True):
    """A game of a journal: its header, which stands in that line of the file, and its steps, the deal first."""

    head: Head
    steps: tuple[JournalStep, ...]
    line: int


_decoder: msgspec.json.Decoder[Entry] = msgspec.json.Decoder(Entry)


def journal(path: str | Path) -> Iterator[JournalGame]:
    """The games of a journal, plain or compressed; raises `LogError` with the line where it cannot be read."""
    name = str(path)
    try:
        with open(path, "rb") as file:
            is_packed = file.read(2) == GZIP
        with gzip.open(path, "rb") if is_packed else open(path, "rb") as lines:
            yield from games(_short(lines), name)
    except IsADirectoryError:
        raise whole_file_error(name, "a file", "a directory") from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise whole_file_error(name, "a whole gzip file", "a damaged one") from None
    except OSError as problem:
        raise whole_file_error(name, "a journal", problem.strerror or str(problem)) from None


def _short(lines: object) -> Iterator[bytes]:
    """The lines of a file; one that is too long is cut, so that no journal fills the memory."""
    while line := lines.readline(MAX_LINE_BYTES):  # type: ignore[attr-defined]
        yield line


def games(lines: Iterable[bytes], name: str = "journal") -> Iterator[JournalGame]:
    """The games of a journal, each a run of lines of the same number."""
    run: list[tuple[int, Entry]] = []
    number = 0
    for number, line in enumerate(lines, 1):
        entry = _entry(line, number, name)
        if run and isinstance(entry, Head):
            yield _game(run, name)
            run = []
        run.append((number, entry))
    if not number:
        raise whole_file_error(name, "a journal", "an empty file")
    yield _game(run, name)


def _entry(line: bytes, number: int, name: str) -> Entry:
    try:
        entry: Entry = _decoder.decode(line)
    except msgspec.ValidationError as error:
        said, _, where = str(error).partition(" - at `$")
        raise _wrong(name, number, where.strip("`."), "a line of a journal", said[:1].lower() + said[1:]) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _wrong(name, number, "", "a JSON object", f"something else ({error})") from None
    if unknown := next((card for card in _cards(entry) if card.rstrip("*").lower() not in CARDS), None):
        raise _wrong(name, number, "", "cards of Compile", f'"{unknown}"')
    return entry


def _cards(entry: Entry) -> Iterator[str]:
    if not isinstance(entry, JournalStep):
        return
    for side in (entry.z.a, entry.z.b):
        yield from (*side.hd, *side.dk, *side.di)
        for stack in side.ln:
            yield from stack
    if entry.dec:
        yield from entry.dec.cards
        if entry.dec.card:
            yield entry.dec.card.c


def _game(run: list[tuple[int, Entry]], name: str) -> JournalGame:
    (first, head), *rest = run
    if not isinstance(head, Head):
        raise _wrong(name, first, "k", '"header", the first line of a game', f'"{_kind(head)}"')
    steps: list[JournalStep] = []
    for number, entry in rest:
        if entry.g != head.g:
            raise _wrong(name, number, "g", f"{head.g}, or a header before", f"{entry.g}")
        if isinstance(entry, JournalStep):
            if isinstance(entry, Deal) == bool(steps):
                raise _wrong(name, number, "k", "one deal, right after the header", f'"{_kind(entry)}"')
            steps.append(entry)
    if not steps:
        raise _wrong(name, first, "", "a game: header, deal, steps", "a header alone")
    return JournalGame(head, tuple(steps), first)


def _kind(entry: Entry) -> str:
    return str(entry.__struct_config__.tag)


def _wrong(name: str, line: int, field: str, expected: str, found: str) -> LogError:
    return LogError(name, (Problem(line, field, expected, found),))
