"""The source of a published file: a log with its lines, and the state of its seal."""

from __future__ import annotations

import io
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from audit.core.model import Event, Header
from replays.cases.note import PUBLIC, index_of, placed, read_notes
from replays.judging.replay import Replay, replay
from replays.log.reader import Log, open_log
from replays.table.variations import VariationError, Varied, read_variation, varied
from replays.trust.ledger import Ledger
from replays.trust.seal import Chain, Seal, Signature, beside, read_seal, short_hash
from replays.trust.verify import NOBODY
from web.games.address import MAX_KEPT

if TYPE_CHECKING:
    from replays.store.store import Store

SEALED, GROWN, BROKEN, UNSEALED = "sealed", "grown", "broken", "unsealed"


class SignatureLine(Struct, frozen=True):
    """Who signed the seal, by which key, and whether the signature is good."""

    name: str
    key: str
    good: bool


class Sealed(Struct, frozen=True):
    """The state of a seal: whether the log is unchanged since it was sealed, and who signed it.

    `head` is the root of the seal's tree, from which nothing hidden can be guessed; a former seal has none.
    """

    standing: str = UNSEALED
    head: str = ""
    events: int = 0
    at: str = ""
    signatures: tuple[SignatureLine, ...] = ()


class PublishedNote(Struct, frozen=True, forbid_unknown_fields=True):
    """A note on an event as a file has it: without the hash of the line, from which something could be guessed."""

    seq: int
    to: int | None
    text: str
    author: str
    at: str
    lang: str
    kind: str
    layer: str
    audience: str

    @property
    def is_public(self) -> bool:
        """Whether everybody may read it."""
        return self.audience == PUBLIC


class Source(Struct, frozen=True, dict=True):
    """A game to publish: its header, its events, its lines as they were written, and its seal."""

    header: Header
    events: tuple[Event, ...]
    lines: tuple[bytes, ...] = ()
    seal: Sealed = Sealed()
    original: Seal | None = None
    """The seal itself, with the hash of each line: for those who may know every card."""
    sealed_lines: tuple[bytes, ...] = ()
    """The lines as they were sealed, where those to publish leave something out."""
    variations: tuple[str, ...] = ()
    """The variations that a page shows beside the record, as text."""
    notes: tuple[PublishedNote, ...] = ()
    """The notes that fit the log. A viewer other than a judge is given the public ones."""

    def replay(self, viewer: str, language: str) -> Replay:
        """The game as that viewer may know it, judged when it is first asked for."""
        if (viewer, language) not in self._replays:
            self._replays[viewer, language] = replay((self.header, self.events), viewer=viewer, language=language)
        return self._replays[viewer, language]

    @cached_property
    def _replays(self) -> dict[tuple[str, str], Replay]:
        return {}


Publishable = Log | tuple[Header, Iterable[Event]] | Source


def source_of(given: Publishable, seal: Seal | None = None) -> Source:
    """A game to publish, from an open log or from a header and events."""
    if isinstance(given, Source):
        return given
    if not isinstance(given, Log):
        header, events = given
        return Source(header, tuple(events))
    events_and_lines = list(given.with_lines())
    lines = (given.first, *(line for _, line in events_and_lines))
    ends = (*(line + b"\n" for line in lines[:-1]), lines[-1] + (b"\n" if given.finished or given.torn else b""))
    found = _weighed(seal, ends) if seal else Sealed()
    return Source(given.header, tuple(event for event, _ in events_and_lines), lines, found, seal)


def source_at(path: str | Path) -> Source:
    """The game of a log on disk, with the seal beside it if there is one; raises `LogError` and `SealError`."""
    place = beside(path)
    return source_of(open_log(path), read_seal(place) if place.exists() else None)


def with_notes(source: Source, ledger: Ledger) -> Source:
    """The source with the notes of a ledger that fit its log; raises `LogError` where the ledger cannot be read."""
    found = read_notes(ledger.lines(), ledger.name)
    fitting = (each.note for each in placed(found.notes, index_of(source.lines)) if each.is_shown) if found else ()
    names = PublishedNote.__struct_fields__
    notes = tuple(PublishedNote(**{name: getattr(note, name) for name in names}) for note in fitting)
    return replace(source, notes=tuple(replace(note, kind=str(note.kind)) for note in notes))


def source_from(data: bytes, seal: Seal | None = None) -> Source:
    """The game of a log's bytes, as the store exports it, with the seal it has there."""
    return source_of(open_log(io.BytesIO(data)), seal)


def varied_source(source: Source, text: str, viewer: str) -> Source:
    """A variation of a game in its place, as far as a viewer knows it, with its own log and without a seal.

    Raises `VariationError` and `NoSuchEventError`.
    """
    return source_from(varied_log(source, text, viewer).log())


def varied_log(source: Source, text: str, viewer: str) -> Varied:
    """The log of a variation of a game; raises as `varied_source` does."""
    log = open_log(io.BytesIO(b"".join(line.removesuffix(b"\n") + b"\n" for line in source.lines)))
    return varied(log.header, list(log), read_variation(text), viewer)


def beside_source(source: Source, texts: tuple[str, ...]) -> Source:
    """The game with variations beside its record. Raises `VariationError` where there are too many."""
    if len(texts) > MAX_KEPT:
        raise VariationError(f"a file has at most {MAX_KEPT} variations")
    return replace(source, variations=texts)


def source_in(store: Store, game: str) -> Source:
    """A game of the store by its id or name, with its seal; raises `UnknownGameError`."""
    id = store.find(game)
    return source_from(store.export(id), store.sealed(id))


def _weighed(seal: Seal, lines: tuple[bytes, ...]) -> Sealed:
    chain = Chain()
    for line in lines[: len(seal.lines)]:
        chain.add(line.removesuffix(b"\n"))
    is_same = chain.head.hex() == seal.head and tuple(map(short_hash, lines[: len(seal.lines)])) == seal.lines
    standing = BROKEN if not is_same else GROWN if len(lines) > len(seal.lines) else SEALED
    return Sealed(standing, seal.root, seal.events, seal.at, signature_lines(seal.signatures, seal.signed_data()))


def signature_lines(signatures: Iterable[Signature], data: bytes) -> tuple[SignatureLine, ...]:
    """Who signed this data, as a published file says it."""
    checks = NOBODY.check(signatures, data)
    return tuple(SignatureLine(each.name, each.key, each.is_valid) for each in checks)
