"""A Merkle tree over lines, as in RFC 9162 (section 2.1): its root, and proofs about it that anybody can check.

An inclusion proof shows that a leaf is in the tree of a root. A consistency proof shows that a tree only grew.
Both are short lists of hashes; checking them needs nothing but the roots.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256


def leaf_hash(data: bytes) -> bytes:
    """The hash of a leaf."""
    return sha256(b"\x00" + data).digest()


class Tree:
    """A tree that grows leaf by leaf and knows its root after each."""

    def __init__(self) -> None:
        self._full: list[tuple[int, bytes]] = []
        """The full trees it is made of, the largest first: their sizes and roots."""

    def add(self, leaf: bytes) -> None:
        """Put a leaf at the end."""
        size, found = 1, leaf
        while self._full and self._full[-1][0] == size:
            found = _node(self._full.pop()[1], found)
            size *= 2
        self._full.append((size, found))

    @property
    def root(self) -> bytes:
        """The root over all leaves so far."""
        if not self._full:
            return sha256().digest()
        *larger, (_, found) = self._full
        for _, each in reversed(larger):
            found = _node(each, found)
        return found


def root(leaves: Iterable[bytes]) -> bytes:
    """The root over the hashes of the leaves."""
    tree = Tree()
    for leaf in leaves:
        tree.add(leaf)
    return tree.root


def inclusion_proof(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """The hashes that lead from a leaf to the root, the nearest first."""
    if len(leaves) <= 1:
        return []
    half = _half(len(leaves))
    if index < half:
        return [*inclusion_proof(leaves[:half], index), root(leaves[half:])]
    return [*inclusion_proof(leaves[half:], index - half), root(leaves[:half])]


def is_included(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether the proof shows that this is the hash of the leaf at that index of the tree of that size and root."""
    if not 0 <= index < size:
        return False
    at, last, found = index, size - 1, leaf
    for step in proof:
        if not last:
            return False
        if at & 1 or at == last:
            found = _node(step, found)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            found = _node(found, step)
        at, last = at >> 1, last >> 1
    return not last and found == root


def consistency_proof(leaves: Sequence[bytes], earlier: int) -> list[bytes]:
    """The hashes which show that the tree of the first so many leaves only grew; `earlier` is at least 1."""
    return _grown(leaves, earlier, is_whole=True) if earlier < len(leaves) else []


def _grown(leaves: Sequence[bytes], earlier: int, *, is_whole: bool) -> list[bytes]:
    if earlier == len(leaves):
        return [] if is_whole else [root(leaves)]
    half = _half(len(leaves))
    if earlier <= half:
        return [*_grown(leaves[:half], earlier, is_whole=is_whole), root(leaves[half:])]
    return [*_grown(leaves[half:], earlier - half, is_whole=False), root(leaves[:half])]


def is_consistent(earlier: int, size: int, old: bytes, new: bytes, proof: Sequence[bytes]) -> bool:
    """Whether the proof shows that the tree of `size` leaves and root `new` begins with that of `earlier` and `old`."""
    if not 0 < earlier < size:
        return earlier == size and old == new and not proof
    path = list(proof) if earlier & (earlier - 1) else [old, *proof]
    at, last = earlier - 1, size - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    if not path:
        return False
    before = after = path[0]
    for step in path[1:]:
        if not last:
            return False
        if at & 1 or at == last:
            before, after = _node(step, before), _node(step, after)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            after = _node(after, step)
        at, last = at >> 1, last >> 1
    return not last and (before, after) == (old, new)


def _half(size: int) -> int:
    """The largest power of two below a size of two or more."""
    return 1 << ((size - 1).bit_length() - 1)


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()
