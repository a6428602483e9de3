"""Reading a journal: its lines, checked, and its games. A game that cannot be read is set aside with its reason."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Annotated, BinaryIO, Literal, TypedDict, get_args

import msgspec
from msgspec import Meta, Struct

from audit.games.compile.cards import CARDS
from replays.errors import Problem, whole_file_error
from replays.files import UnreadableFileError, open_plain
from replays.log.lines import MAX_LINE_BYTES

GZIP = b"\x1f\x8b"
DAMAGED = b""
"""Stands for the line from which on a file cannot be read."""

Seat = Literal["A", "B"]
Index = Annotated[int, Meta(ge=0, le=2)]
Three = Annotated[tuple[str, ...], Meta(min_length=3, max_length=3)]
Known = Literal[
    "playCard", "fillHand", "compile", "discardCards", "flipCard", "shiftCard", "deleteCard", "returnCard",
    "revealCard", "selectLane", "rearrangeProtocols", "resolveControlMechanicPrompt", "resolveSwapProtocols",
    "resolveOptionalEffectPrompt", "resolveCustomChoice",
]  # fmt: skip
KNOWN_KINDS: frozenset[str] = frozenset(get_args(Known))
"""The kinds of decisions whose fields are known."""
REFUSALS = ("skip", "decline", "pass")
"""How a decision of another kind says no."""
MAX_NESTED = 4
"""How deep in a decision of another kind cards are looked for."""


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
    """What was decided. Of a kind that is not known: the cards and the line it names, and whether it refuses."""

    do: str
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
    by: Seat | None = None
    prompt: Prompt | None = None
    dec: dict[str, object] | None = None
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


class BrokenLine(Struct, frozen=True):
    """A line that cannot be read: its game, if that can be told, whether it looks like a header, and what is wrong."""

    g: int | None
    is_head: bool
    problem: Problem


Entry = Head | Deal | Action | Choice | Auto | JournalEnd
Run = list[tuple[int, Entry | BrokenLine]]


class JournalGame(Struct, frozen=True):
    """A game of a journal: its header, which stands in that line of the file, and its steps, the deal first."""

    head: Head
    steps: tuple[JournalStep, ...]
    line: int


class SetAsideTold(TypedDict):
    """A game that cannot be imported, for a program to read."""

    game: int | None
    set_aside: Problem


class SetAside(Struct, frozen=True):
    """A game that cannot be imported: its number, if that can be told, and what is wrong."""

    game: int | None
    problem: Problem

    def json(self) -> dict[str, object]:
        """What is set aside, for a program to read."""
        return {"game": self.game, "set_aside": msgspec.to_builtins(self.problem)}


_decoder: msgspec.json.Decoder[Entry] = msgspec.json.Decoder(Entry)
_GAME = re.compile(rb'"g":\s*(\d{1,15})\b')
_HEADER = re.compile(rb'"k":\s*"header"')


def journal(source: str | Path | BinaryIO) -> Iterator[JournalGame | SetAside]:
    """The games of a journal, plain or compressed; raises `LogError` where there is no such file or nothing in it.

    A stream is standard input.
    """
    name = str(source) if isinstance(source, str | Path) else "standard input"
    try:
        with open_plain(source) if isinstance(source, str | Path) else BytesIO(source.read()) as file:
            is_packed = file.read(2) == GZIP
            file.seek(0)
            with gzip.open(file, "rb") if is_packed else file as lines:
                yield from games(_lines(lines), name)
    except UnreadableFileError:
        raise whole_file_error(name, "a plain file", "a directory, a named pipe or a device") from None
    except OSError as problem:
        raise whole_file_error(name, "a journal", problem.strerror or str(problem)) from None


def _lines(file: object) -> Iterator[bytes]:
    """The lines of a file; one that is too long is cut, so that no journal fills the memory."""
    readline = file.readline  # type: ignore[attr-defined]
    try:
        while line := readline(MAX_LINE_BYTES):
            yield line
            while len(line) == MAX_LINE_BYTES and not line.endswith(b"\n"):
                line = readline(MAX_LINE_BYTES)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        yield DAMAGED


def games(lines: Iterable[bytes], name: str = "journal") -> Iterator[JournalGame | SetAside]:
    """The games of a journal, each from its header to the next."""
    run: Run = []
    number = 0
    for number, line in enumerate(lines, 1):
        if line == DAMAGED and number == 1:
            raise whole_file_error(name, "a whole gzip file", "a damaged one")
        if line.isspace():
            continue
        entry = _entry(line, number)
        if run and _begins_another(run[-1][1], entry):
            yield _game(run)
            run = []
        run.append((number, entry))
    if not run:
        raise whole_file_error(name, "a journal", "an empty file")
    yield _game(run)


def _begins_another(last: Entry | BrokenLine, entry: Entry | BrokenLine) -> bool:
    if isinstance(entry, Head) or (isinstance(entry, BrokenLine) and entry.is_head):
        return True
    return isinstance(last, JournalEnd) and entry.g != last.g


def _entry(line: bytes, number: int) -> Entry | BrokenLine:
    try:
        entry: Entry = _decoder.decode(line)
        problem = _strange_card(entry, number)
    except msgspec.ValidationError as error:
        said, _, where = str(error).partition(" - at `$")
        problem = Problem(number, where.strip("`."), "a line of a journal", said[:1].lower() + said[1:])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        found = f"something else ({error})" if line != DAMAGED else "the end of a damaged file"
        problem = Problem(number, "", "a JSON object", found)
    if problem is None:
        return entry
    game = _GAME.search(line)
    return BrokenLine(int(game[1]) if game else None, bool(_HEADER.search(line)), problem)


def _strange_card(entry: Entry, number: int) -> Problem | None:
    strange = (card for card in _cards(entry) if card_id(card) not in CARDS) if isinstance(entry, JournalStep) else ()
    return next((Problem(number, "", "cards of Compile", f'"{card}"') for card in strange), None)


def card_id(name: str) -> str:
    """`Fire-2*` of a journal is our fire-2."""
    return name.rstrip("*").lower()


def _cards(step: JournalStep) -> Iterator[str]:
    for side in (step.z.a, step.z.b):
        yield from (*side.hd, *side.dk, *side.di)
        for stack in side.ln:
            yield from stack
    if step.dec:
        said = decision(step.dec)
        yield from said.cards
        if said.card:
            yield said.card.c


def decision(raw: dict[str, object]) -> Decision:
    """The decision of a line; raises `msgspec.ValidationError` where its kind is known and it cannot be read."""
    kind = str(raw.get("do", ""))
    if kind in KNOWN_KINDS:
        return msgspec.convert(raw, Decision)
    line = raw.get("line")
    refuses = raw.get("accept", 1) == 0 or any(str(raw.get(field)) in REFUSALS for field in ("do", "choice"))
    return Decision(
        do=kind,
        cards=tuple(dict.fromkeys(_named(raw))),
        line=line if isinstance(line, int) and 0 <= line <= 2 else None,
        accept=int(not refuses),
    )


def _named(value: object, depth: int = MAX_NESTED) -> Iterator[str]:
    """The cards named in a value."""
    if isinstance(value, str) and card_id(value) in CARDS:
        yield value
    elif isinstance(value, dict | list) and depth:
        for part in value.values() if isinstance(value, dict) else value:
            yield from _named(part, depth - 1)


def _game(run: Run) -> JournalGame | SetAside:
    (first, head), *rest = run
    number = next((entry.g for _, entry in run if entry.g is not None), None)
    if problem := next((entry.problem for _, entry in run if isinstance(entry, BrokenLine)), None):
        return SetAside(number, problem)
    if not isinstance(head, Head):
        return SetAside(number, Problem(first, "k", '"header", the first line of a game', f'"{_kind(head)}"'))
    if problem := next(filter(None, map(_misplaced, run, rest)), None):
        return SetAside(number, problem)
    steps = tuple(entry for _, entry in rest if isinstance(entry, JournalStep))
    if not steps:
        return SetAside(number, Problem(first, "", "a game: header, deal, steps", "a header alone"))
    return JournalGame(head, steps, first)


def _misplaced(before: tuple[int, Entry | BrokenLine], line: tuple[int, Entry | BrokenLine]) -> Problem | None:
    """What is wrong with a line after the one before it."""
    (_, last), (number, entry) = before, line
    if entry.g != last.g:
        return Problem(number, "g", f"{last.g}, or a header before", f"{entry.g}")
    if isinstance(entry, Deal) != isinstance(last, Head) and isinstance(entry, JournalStep):
        return Problem(number, "k", "one deal, right after the header", f'"{_kind(entry)}"')
    if isinstance(last, JournalEnd):
        return Problem(number, "k", "nothing after the end of the game", f'"{_kind(entry)}"')
    return None


def _kind(entry: Entry | BrokenLine) -> str:
    return str(entry.__struct_config__.tag)
