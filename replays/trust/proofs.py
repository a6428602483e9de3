"""Signed heads of a log as it grows, and the proof of one line of a sealed log.

The proof says what a viewer may see of the line, with further fields opened, and nothing else. It is checked offline
against the tree head, which says by its signatures whose log it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from replays.log.lines import Lines
from replays.log.strict_json import Json, NotARecordError, check_written_once, parse
from replays.said import Said
from replays.trust.commitments import (
    OpeningError,
    committed_line,
    hidden_fields,
    line_salt,
    opening,
    proven,
    shown_with,
    without_summary,
)
from replays.trust.merkle import consistency_proof, inclusion_proof, is_consistent, is_included, leaf_hash, root
from replays.trust.seal import HEAD_VERSION, Hash, Seal, SealError, Signature, Stamp, TreeHead, leaf

SIGNED_HEAD_VERSION = "audit-signed-head/1"

T = TypeVar("T")
PROOF_VERSION = "audit-proof/1"


class Continues(Struct, frozen=True, forbid_unknown_fields=True):
    """The proof that a tree begins with an earlier one: how many events that had, its root, and the hashes."""

    events: int
    root: Hash
    proof: tuple[Hash, ...]


class SignedHead(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A tree head with its signatures and time stamps and, where asked for, the proof that it continues another."""

    signed: str
    head: TreeHead
    signatures: tuple[Signature, ...] = ()
    stamps: tuple[Stamp, ...] = ()
    since: Continues | None = None


def signed_head(seal: Seal, since: Continues | None = None) -> SignedHead:
    """What may be given away of a seal."""
    return SignedHead(
        signed=SIGNED_HEAD_VERSION, head=seal.tree_head(), signatures=seal.signatures, stamps=seal.stamps, since=since
    )


def leaves_of(log: str | Path, seal: Seal) -> list[bytes]:
    """The hashes of the sealed lines of a log in its tree; raises `SealError` where they are not what was sealed."""
    secret = seal.secret_bytes()
    lines = (line for batch in Lines(log).batches() for line in batch)
    try:
        found = [leaf(parse(line), secret, at) for at, line in zip(range(seal.events + 1), lines, strict=False)]
    except NotARecordError as problem:
        raise SealError(str(log), str(problem)) from None
    _check_root(log, found, seal)
    return found


def _check_root(log: str | Path, leaves: Sequence[bytes], seal: Seal) -> None:
    if root(leaves).hex() != seal.root:
        raise SealError(str(log), "not what was sealed; verify it first")


def continues(leaves: Sequence[bytes], events: int, log: str | Path) -> Continues:
    """The proof that a log continues what it was after so many events; raises `SealError`."""
    if not 0 <= events < len(leaves):
        raise SealError(str(log), f"no earlier head has {events} events; there are {len(leaves) - 1}")
    proof = consistency_proof(leaves, events + 1)
    return Continues(events, root(leaves[: events + 1]).hex(), tuple(step.hex() for step in proof))


def is_continued(earlier: TreeHead, later: SignedHead) -> bool:
    """Whether a later head proves that it continues an earlier one."""
    if (earlier.events, earlier.root) == (later.head.events, later.head.root):
        return True
    since = later.since
    if not since or (since.events, since.root) != (earlier.events, earlier.root):
        return False
    return is_proof_of(since, later.head)


def is_proof_of(since: Continues, head: TreeHead) -> bool:
    """Whether the proof shows that the tree of a head begins with that of `since`."""
    try:
        proof = [bytes.fromhex(step) for step in since.proof]
        old, new = bytes.fromhex(since.root), bytes.fromhex(head.root)
    except ValueError:
        return False
    return is_consistent(since.events + 1, head.events + 1, old, new, proof)


def read_head(data: bytes, file: str) -> SignedHead:
    """A signed head from the bytes of its file; raises `SealError`."""
    found = read_as(data, SignedHead, file, "a signed head")
    if found.signed != SIGNED_HEAD_VERSION or found.head.head != HEAD_VERSION:
        raise SealError(file, f'expected "{SIGNED_HEAD_VERSION}" with a head "{HEAD_VERSION}"')
    return found


def read_as(data: bytes, kind: type[T], file: str, name: str) -> T:
    """The value of a small JSON file of ours; raises `SealError`."""
    try:
        check_written_once(data)
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, RecursionError, ValueError) as problem:
        raise SealError(file, f"not {name}: {problem}") from None


def as_json(value: Struct) -> bytes:
    """A value as a line of its file."""
    return msgspec.json.encode(value) + b"\n"


class LineProof(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A line of a log as it is shown, how it was opened, and its way to the root. The header is line 0."""

    proof: str
    signed: SignedHead
    line: int
    shown: Json
    opening: object
    path: tuple[Hash, ...]

    def problem(self) -> str:
        """What is wrong with the proof; empty if it holds."""
        try:
            leaf = leaf_hash(committed_line(self.shown, self.opening, self.line))
            steps = [bytes.fromhex(step) for step in self.path]
            root = bytes.fromhex(self.signed.head.root)
        except OpeningError as wrong:
            return wrong.words
        except (ValueError, RecursionError):
            return Said("not_hashes")
        if proven(self.shown, self.opening) != self.shown:
            return Said("told_of_hidden")
        size = self.signed.head.events + 1
        return "" if is_included(leaf, self.line, size, steps, root) else Said("line_not_in_log")

    @property
    def hidden(self) -> int:
        """How many fields of the line stay hidden."""
        return hidden_fields(self.opening)


def prove_line(
    seal: Seal, leaves: Sequence[bytes], index: int, line: Json, shown: Json, opened: Iterable[str] = ()
) -> LineProof:
    """The proof of a line, showing what is given of it and the fields at the paths `opened` (`cards.0`).

    Raises `OpeningError` where there is no such field, `SealError` where the seal does not have the line.
    """
    if not 0 <= index < len(leaves):
        raise SealError(seal.game, f"the seal has no line {index}; there are {len(leaves)}")
    paths = tuple(opened)
    seen = shown_with(line, without_summary(line, shown), paths)
    how = opening(line, seen, line_salt(seal.secret_bytes(), index), paths)
    return LineProof(
        proof=PROOF_VERSION, signed=signed_head(seal), line=index, shown=dict(_object(proven(seen, how))), opening=how,
        path=tuple(step.hex() for step in inclusion_proof(leaves, index)),
    )  # fmt: skip


def read_proof(data: bytes, file: str) -> LineProof:
    """A proof from the bytes of its file; raises `SealError`."""
    found = read_as(data, LineProof, file, "a proof")
    versions = (found.proof, found.signed.signed, found.signed.head.head)
    if versions != (PROOF_VERSION, SIGNED_HEAD_VERSION, HEAD_VERSION):
        raise SealError(file, f'expected a proof of version "{PROOF_VERSION}", found "{found.proof}"')
    return found


def _object(value: object) -> Json:
    assert isinstance(value, dict)
    return value
