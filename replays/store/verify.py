"""Verifies a store: the first altered, missing or inserted event of each game, and what nothing speaks for.

Every line is compared with what was written down when it was appended (`replays.store.appends`), and those rows with
each other and with their signatures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise

import msgspec
from msgspec import Struct

from replays.log.canonical import canonical_lines
from replays.log.strict_json import NotARecordError, parse
from replays.said import Said, in_language
from replays.store.appends import COLUMNS, TABLE, Append, head_after
from replays.store.database import Tables
from replays.store.recorded import HEADER, FormatError, RecordedMapper
from replays.trust.keys import PublicKey
from replays.trust.seal import SHORT

ALTERED, MISSING, INSERTED, FORGED = "altered", "missing", "inserted", "forged"
LEDGERS = ("case", "file", "notes")
STATES = "SELECT originator_version, state FROM {} WHERE originator_id = ? ORDER BY originator_version"


class BadEvent(Struct, frozen=True):
    """The first event of a game that is not as it was appended; line 1 is the header, 0 the game as a whole."""

    game: str
    line: int
    kind: str
    detail: str

    @property
    def said(self) -> Said:
        """In words, for one line of a terminal."""
        where = Said("store.header") if self.line == 1 else Said("store.event", seq=self.line - 1)
        found = Said("of_file", file=Said(f"store.{self.kind}"), said=self.detail)
        found = Said("of_file", file=where, said=found) if self.line else found
        return Said("of_file", file=self.game or Said("store.itself"), said=found)


class StoreVerification(Struct, frozen=True, kw_only=True):
    """What was found. `head` is that of the last append; kept elsewhere, it tells later whether the end is missing."""

    games: int
    ledgers: dict[str, int]
    """How many cases, ledgers of notes and files there are beside the games, by their kind."""
    events: int
    """Of all of these, every line but the first."""
    appends: int
    head: str
    bad: tuple[BadEvent, ...]
    signers: tuple[str, ...]
    unspoken: int
    """Appends that no key known here has signed: whoever changed them could have made them anew."""
    unpinned: tuple[str, ...]

    @property
    def exit_code(self) -> int:
        """0 where every event is as it was appended and a known key says so, 1 otherwise."""
        return 1 if self.bad or self.unspoken else 0

    def lines(self, language: str = "en") -> list[str]:
        """The result in words, the first bad events first."""
        ledgers = tuple(
            Said(f"store.of_{kind}", n=n) if kind in LEDGERS else kind for kind, n in sorted(self.ledgers.items())
        )
        counted = (Said("store.games", n=self.games), *ledgers)
        counted += (Said("store.events", n=self.events), Said("store.appends", n=self.appends))
        whole = Said("store.unspoken" if self.unspoken else "store.whole", counted=counted)
        said = [
            *([each.said for each in self.bad] or [whole]), *(Said("store.signed", name=name) for name in self.signers),
            Said("store.head", head=self.head or Said("none")),
            *(Said("store.open", what=each) for each in self.unpinned),
        ]  # fmt: skip
        return [in_language(each, language) for each in said]


def verify_store(tables: Tables, keys: Iterable[PublicKey], expect_head: str | None = None) -> StoreVerification:
    """Compare everything that is stored with what was written down when it was appended."""
    rows = _appends(tables)
    known = {key.raw.hex(): key for key in keys}
    wanted: dict[str, list[Append]] = {}
    for row in rows:
        wanted.setdefault(row.game, []).append(row)
    stored = [str(game) for (game,) in tables.read(f"SELECT DISTINCT originator_id FROM {tables.events}")]
    bad = [*_chain(rows, known, expect_head)]
    count = 0
    for game in dict.fromkeys((*wanted, *stored)):
        lines = _lines(tables, game)
        count += max(0, len(lines) - 1)
        if game in wanted and (found := _first_bad(game, lines, wanted[game])):
            bad.append(found)
    if not tables.has_guards():
        bad.append(BadEvent("", 0, ALTERED, Said("store.no_triggers")))
    return StoreVerification(
        games=sum(":" not in id for id in stored), events=count, appends=len(rows),
        ledgers=dict(Counter(id.partition(":")[0] for id in stored if ":" in id)),
        head=rows[-1].hash if rows else "", bad=tuple(bad),
        unspoken=sum(row.key not in known for row in rows) + len(set(stored) - set(wanted)),
        signers=tuple(dict.fromkeys(_signer(row, known) for row in rows if row.key)),
        unpinned=tuple(_unpinned(rows, wanted, stored, known, expect_head)),
    )  # fmt: skip


def _appends(tables: Tables) -> list[Append]:
    names = COLUMNS.split(", ")
    found = tables.read(f"SELECT {COLUMNS} FROM {TABLE} ORDER BY place")
    return [msgspec.convert(dict(zip(names, row, strict=True)), Append) for row in found]


def _lines(tables: Tables, game: str) -> dict[int, bytes]:
    """The lines of a game by their number; one that cannot be read stands as it is, and is nothing that was sent."""
    decode = RecordedMapper().lines
    found: dict[int, bytes] = {}
    for at, state in tables.read(STATES.format(tables.events), (game,)):
        number, raw = int(str(at)), bytes(state)  # type: ignore[call-overload]
        try:
            lines = decode(game, number, raw)
        except FormatError:
            lines = [(number, "", raw)]
        found |= {at: body if kind in ("", _kind(body, at)) else raw for at, kind, body in lines}
    return found


def _kind(body: bytes, number: int) -> str:
    """What the kind of a line is by its own words."""
    if number == 1:
        return HEADER
    try:
        return str(parse(body.removesuffix(b"\n")).get("type"))
    except NotARecordError:
        return ""


def _chain(rows: Sequence[Append], known: Mapping[str, PublicKey], expect_head: str | None) -> Iterator[BadEvent]:
    """What is wrong with the rows themselves."""
    if rows and (rows[0].place != 1 or rows[0].previous):
        yield BadEvent("", 0, MISSING, Said("store.before", place=rows[0].place))
    forged = {row.place for row in rows if row.key and not _has_signed(row)}
    for row in rows:
        if row.place in forged:
            yield BadEvent(
                row.game, row.first, FORGED, Said("store.not_signed_so", place=row.place, name=_signer(row, known))
            )
    for before, row in pairwise(rows):
        if row.previous != before.hash and before.place not in forged:
            kind = MISSING if row.place != before.place + 1 else FORGED
            yield BadEvent(row.game, row.first, kind, Said("store.not_next", place=row.place, before=before.place))
    if expect_head and expect_head.lower() not in (row.hash for row in rows):
        yield BadEvent("", 0, MISSING, Said("store.end_missing", head=expect_head))


def _has_signed(row: Append) -> bool:
    try:
        return PublicKey("", bytes.fromhex(row.key)).has_signed(bytes.fromhex(row.signature), row.data)
    except ValueError:
        return False


def _first_bad(game: str, lines: Mapping[int, bytes], wanted: Sequence[Append]) -> BadEvent | None:
    """The first line that is not as it was appended."""
    shorts = [short for row in wanted for short in row.shorts()]
    for before, row in pairwise(wanted):
        if row.first != before.last + 1:
            return BadEvent(game, before.last + 1, MISSING, Said("store.append_missing"))
    found = {number: sha256(body).hexdigest()[: 2 * SHORT] for number, body in lines.items()}
    for number, short in enumerate(shorts, 1):
        if found.get(number) != short:
            return BadEvent(game, number, *_how(found, shorts, number, wanted))
    if extra := [number for number in found if not 1 <= number <= len(shorts)]:
        return BadEvent(game, min(extra), INSERTED, Said("store.untold"))
    return _heads(game, lines, wanted)


def _how(found: Mapping[int, str], shorts: Sequence[str], number: int, wanted: Sequence[Append]) -> tuple[str, str]:
    row = next(row for row in wanted if row.first <= number <= row.last)
    told = Said("store.appended", at=row.at, who=row.who or Said("store.nobody"))
    following = shorts[number : number + 3]
    if number not in found:
        return MISSING, told
    if following and [found.get(number + at) for at in range(len(following))] == following:
        return MISSING, Said("store.moved_up", said=told)
    moved = shorts[number - 1 : number + 2]
    if [found.get(number + 1 + at) for at in range(len(moved))] == moved:
        return INSERTED, Said("store.moved_down")
    return ALTERED, told


def _heads(game: str, lines: Mapping[int, bytes], wanted: Sequence[Append]) -> BadEvent | None:
    """The lines have the short hashes that were noted. So have their chains, unless one was hit by design."""
    head = ""
    for row in wanted:
        try:
            forms = canonical_lines([lines[number].removesuffix(b"\n") for number in range(row.first, row.last + 1)])
            head = head_after(head, forms)
        except NotARecordError as error:
            return BadEvent(game, row.first, ALTERED, Said("store.no_record", reason=str(error)))
        if head != row.head:
            return BadEvent(game, row.first, ALTERED, Said("store.other_head", place=row.place))
    return None


def _signer(row: Append, known: Mapping[str, PublicKey]) -> str:
    key = known.get(row.key)
    return f"{key.name} ({key.id})" if key else Said("store.strange_key", key=row.key[:16])


def _unpinned(
    rows: Sequence[Append],
    wanted: Mapping[str, Sequence[Append]],
    stored: Sequence[str],
    known: Mapping[str, PublicKey],
    expect_head: str | None,
) -> Iterator[str]:
    """What could have been changed without a trace."""
    for game in stored:
        if game not in wanted:
            yield Said("store.older", game=game)
    if unsigned := sum(not row.key for row in rows):
        yield Said("store.unsigned", n=unsigned)
    if strange := sum(bool(row.key) and row.key not in known for row in rows):
        yield Said("store.strange", n=strange)
    last = rows[-1].hash if rows else ""
    if not expect_head or expect_head.lower() != last:
        yield Said("store.open_end")
    yield Said("store.open_lists")
    yield Said("store.open_sharing")
