"""Signed tree heads: what may be given to everybody of a seal, and whether a later head continues an earlier one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from replays.log.lines import Lines
from replays.log.strict_json import NotARecordError, check_written_once, parse
from replays.trust.merkle import consistency_proof, is_consistent, root
from replays.trust.seal import HEAD_VERSION, Hash, Seal, SealError, Signature, Stamp, TreeHead, leaf

SIGNED_HEAD_VERSION = "audit-signed-head/1"

T = TypeVar("T")


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
