"""Proof of one line of a sealed log: what a viewer may see of it, with further fields opened, and nothing else.

The proof is checked offline against the tree head, which says by its signatures whose log it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from replays.log.strict_json import Json
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
from replays.trust.heads import SIGNED_HEAD_VERSION, SignedHead, read_as, signed_head
from replays.trust.merkle import inclusion_proof, is_included, leaf_hash
from replays.trust.seal import HEAD_VERSION, Hash, Seal, SealError

PROOF_VERSION = "audit-proof/1"


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
            return str(wrong)
        except (ValueError, RecursionError):
            return "not hashes"
        if proven(self.shown, self.opening) != self.shown:
            return "something is told of a hidden field"
        size = self.signed.head.events + 1
        return "" if is_included(leaf, self.line, size, steps, root) else "the line is not in the sealed log"

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
