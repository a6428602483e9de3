"""Who appended what: a row for each append, in a chain over the whole store, signed with a key outside the database.

A row says which lines of which game were added, with a short hash of each, the head of the game's chain after them, and
whose word it was. It holds the hash of the row before it. Whoever changes an event later would have to make the later
rows anew, and has not the key to sign them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256

import msgspec
from eventsourcing.persistence import RecordConflictError
from msgspec import Struct

from replays.log.canonical import canonical_lines, canonical_object
from replays.trust.keys import KeyProblemError, Signer, make_key, signer
from replays.trust.seal import CHAIN_VERSION, SHORT

KIND = b"audit-append/1\n"
KEY = "store"
"""The name of the key that signs appends, in the data folder."""

TABLE = "audit_appends"
SHAPE = (
    f"CREATE TABLE IF NOT EXISTS {TABLE} (place bigint PRIMARY KEY, game text NOT NULL, first bigint NOT NULL, "
    "last bigint NOT NULL, head text NOT NULL, lines text NOT NULL, who text NOT NULL, at text NOT NULL, "
    "previous text NOT NULL, key text NOT NULL, signature text NOT NULL)",
    f"CREATE INDEX IF NOT EXISTS {TABLE}_game ON {TABLE} (game, last)",
)
COLUMNS = "place, game, first, last, head, lines, who, at, previous, key, signature"
INSERT = f"INSERT INTO {TABLE} ({COLUMNS}) VALUES ({', '.join('?' * 11)})"

Query = Callable[[str, Sequence[object]], list[tuple[object, ...]]]
"""Carries out a statement with `?` for its values, within the transaction of an append, and returns its rows."""


class Append(Struct, frozen=True):
    """One append as it is kept. `lines` are short hashes of the lines `first` to `last`, the header being line 1."""

    place: int
    game: str
    first: int
    last: int
    head: str
    lines: str
    who: str
    at: str
    previous: str
    key: str = ""
    signature: str = ""

    @property
    def data(self) -> bytes:
        """What is signed: everything but the signature."""
        said = {name: value for name, value in msgspec.to_builtins(self).items() if name not in ("key", "signature")}
        return KIND + canonical_object(said)

    @property
    def hash(self) -> str:
        """What the next row holds of this one."""
        return sha256(self.data + self.signature.encode()).hexdigest()

    def shorts(self) -> list[str]:
        """The short hash of each line."""
        size = 2 * SHORT
        return [self.lines[start : start + size] for start in range(0, len(self.lines), size)]


class Draft(Struct, frozen=True):
    """Lines that are about to be stored in so many rows, and whose word they are."""

    game: str
    first: int
    lines: int
    rows: int
    shorts: str
    """The short hash of each line."""
    forms: Sequence[bytes]
    """The canonical form of each line."""
    who: str


def draft(
    game: str, first: int, bodies: Sequence[bytes], who: str, *, rows: int, forms: Sequence[bytes] | None = None
) -> Draft:
    """What an append is made of; the work is done before the database is locked for it.

    `forms` are the canonical forms of the lines, where they are known.
    """
    return Draft(game, first, len(bodies), rows, _shorts(bodies), _forms(bodies) if forms is None else forms, who)


def _forms(bodies: Iterable[bytes]) -> list[bytes]:
    return canonical_lines([body.removesuffix(b"\n") for body in bodies])


def _shorts(bodies: Iterable[bytes]) -> str:
    return b"".join([sha256(body).digest()[:SHORT] for body in bodies]).hex()


def add(query: Query, events: str, drafts: Sequence[Draft], earlier: Callable[[Draft], Iterable[bytes]]) -> None:
    """Add the rows of appends to the chain, after their lines; `earlier` gives the lines before those of an append.

    Raises `RecordConflictError` where somebody was quicker.
    """
    signing, end = _signer(), _end(query)
    for each in drafts:
        _in_order(query, events, each)
        end = _hang(query, each, end, lambda each=each: earlier(each), signing)  # type: ignore[misc]


class _End(Struct, frozen=True):
    """The end of the chain: how many rows there are, and the hash of the last."""

    place: int = 0
    hash: str = ""


def _end(query: Query) -> _End:
    before = query(f"SELECT {COLUMNS} FROM {TABLE} ORDER BY place DESC LIMIT 1", ())
    if not before:
        return _End()
    last = msgspec.convert(dict(zip(COLUMNS.split(", "), before[0], strict=True)), Append)
    return _End(last.place, last.hash)


def _in_order(query: Query, events: str, given: Draft) -> None:
    """Whether the lines that were just stored follow those before: a block may overlap with others."""
    of_game = f"FROM {events} WHERE originator_id = ? AND originator_version"
    ((last,),) = query(f"SELECT MAX(originator_version) {of_game} < ?", (given.game, given.first))
    ((since,),) = query(f"SELECT COUNT(*) {of_game} >= ?", (given.game, given.first))
    if (last or 0) != given.first - 1 or since != given.rows:
        raise RecordConflictError(f"{given.game}: somebody else stored line {given.first}")


def _hang(
    query: Query, given: Draft, end: _End, earlier: Callable[[], Iterable[bytes]], signing: Signer | None
) -> _End:
    """Add the row of an append to the chain; `earlier` gives the lines before it, where no row tells of them."""
    of_game = query(f"SELECT last, head FROM {TABLE} WHERE game = ? ORDER BY place DESC LIMIT 1", (given.game,))
    last, head = of_game[0] if of_game else (0, "")
    first, shorts, forms = given.first, given.shorts, given.forms
    if last != first - 1:
        lines = [*earlier()]
        first, head, shorts, forms = 1, "", _shorts(lines) + shorts, [*_forms(lines), *forms]
    made = Append(
        end.place + 1, given.game, first, given.first + given.lines - 1, head_after(str(head), forms), shorts,
        given.who, datetime.now(UTC).isoformat(timespec="seconds"), end.hash,
    )  # fmt: skip
    data = made.data
    if signing:
        public, signature = signing(data)
        made = msgspec.structs.replace(made, key=public.raw.hex(), signature=signature.hex())
    query(INSERT, msgspec.structs.astuple(made))
    return _End(made.place, sha256(data + made.signature.encode()).hexdigest())


def head_after(head: str, forms: Iterable[bytes]) -> str:
    """The head of a game's chain after more lines, in their canonical form."""
    link = bytes.fromhex(head)
    for form in forms:
        link = sha256((link or CHAIN_VERSION) + form).digest()
    return link.hex()


def _signer() -> Signer | None:
    """Signs with this machine's key; None where no key can be made or read."""
    for attempt in range(3):
        with suppress(KeyProblemError):
            return signer(KEY)
        if attempt < 2:
            with suppress(KeyProblemError):
                make_key(KEY)
    return None
