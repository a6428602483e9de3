"""A witness: somebody else who signs tree heads and keeps a list of them that only grows.

The list is a file of JSON lines that can be published. Each line is an entry (a tree head) and the root over all
entries so far, signed by the witness. So two copies of a list can be compared, and a witness who shows different
people different lists has signed the contradiction.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from audit.core.schema_text import count_noun
from audit.core.writing import append_whole
from replays.files import UnreadableFileError, read_whole
from replays.log.canonical import canonical_object
from replays.trust.keys import PublicKey
from replays.trust.merkle import Tree, leaf_hash, root
from replays.trust.proofs import SignedHead, as_json, is_continued, is_proof_of, read_as
from replays.trust.seal import SealError, Signature, TreeHead, alone_beside, signature_by

LIST_VERSION = "audit-heads/1"


class Entry(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A tree head that was witnessed, when, and the signatures it had then. `another` was said not to go on an earlier
    one of that name."""

    at: str
    signed: SignedHead
    another: bool = False


class ListedEntry(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A line of the list: an entry, how many there are with it, their root, and the witness's signature of both."""

    heads: str
    entry: Entry
    size: int
    root: str
    by: Signature

    def signed_data(self) -> bytes:
        """What the witness signs of the list."""
        return list_data(self.size, self.root)


def list_data(size: int, root: str) -> bytes:
    """The head of a list as it is signed."""
    return LIST_VERSION.encode() + b"\n" + canonical_object({"root": root, "size": size})


class ListProblem(Struct, frozen=True):
    """What is wrong with a list: in which line, 0 for the list as a whole."""

    line: int
    reason: str


def read_list(path: str | Path) -> tuple[ListedEntry, ...]:
    """The lines of a list; none if there is no file. Raises `SealError` for a line that is none."""
    try:
        lines = read_whole(path).splitlines()
    except FileNotFoundError:
        return ()
    except UnreadableFileError as problem:
        raise SealError(str(path), problem.reason) from None
    except OSError as problem:
        raise SealError(str(path), problem.strerror or str(problem)) from None
    return tuple(
        read_as(line, ListedEntry, f"{path}: line {at}", "a witnessed head") for at, line in enumerate(lines, 1)
    )


def check_list(lines: Iterable[ListedEntry], witness: PublicKey | None = None) -> ListProblem | None:
    """The first thing that is wrong with a list, if anything; with a key, every line has to be signed by it."""
    tree, last, signer = Tree(), _Last(), ""
    for at, line in enumerate(lines, 1):
        tree.add(_leaf(line.entry))
        signer = signer or line.by.key
        reason = _wrong(line, at, tree.root.hex(), signer, witness) or _contradiction(line.entry, last)
        if reason:
            return ListProblem(at, reason)
        last[_game(line.entry)] = line.entry.signed.head
    return None


def check_growth(earlier: Iterable[ListedEntry], later: Iterable[ListedEntry]) -> ListProblem | None:
    """Where a later list does not begin with an earlier one, if anywhere."""
    old, new = [line.root for line in earlier], [line.root for line in later]
    for at, said in enumerate(old, 1):
        if at > len(new):
            return ListProblem(at, "the earlier list has this line, the later one ends before it")
        if said != new[at - 1]:
            return ListProblem(at, "not the entry of the earlier list")
    return None


def witness(path: str | Path, given: SignedHead, key: str, at: str, *, another: bool = False) -> SignedHead:
    """Sign a tree head with one's own key and add it to the list; returns the head with the signature.

    A later head of the same game has to prove that it continues the one in the list, unless it is said to be `another`
    game of that name. Raises `SealError` where it does not, or where the list or a signature of the head is wrong.
    """
    with alone_beside(Path(path)):
        return _cosigned(path, given, key, at, another=another)


def _cosigned(path: str | Path, given: SignedHead, key: str, at: str, *, another: bool) -> SignedHead:
    lines = read_list(path)
    if problem := check_list(lines):
        raise SealError(str(path), f"line {problem.line}: {problem.reason}")
    entry = Entry(at=at, signed=given, another=another)
    known = _Last((_game(line.entry), line.entry.signed.head) for line in lines)
    if reason := _contradiction(entry, known):
        raise SealError(given.head.game, reason)
    cosigned = replace(given, signatures=(*_others(given, key), signature_by(key, given.head.signed_data())))
    _append(path, _listed([*(line.entry for line in lines), replace(entry, signed=cosigned)], key))
    return cosigned


_Last = dict[tuple[str, str], TreeHead]
"""By ruleset and name of a game the last of its heads."""


def _game(entry: Entry) -> tuple[str, str]:
    return entry.signed.head.ruleset, entry.signed.head.game


def _wrong(line: ListedEntry, at: int, root: str, signer: str, witness: PublicKey | None) -> str:
    if line.heads != LIST_VERSION:
        return f'expected "{LIST_VERSION}"'
    if (line.size, line.root) != (at, root):
        return "not the list that was signed: an entry was changed, moved, left out or put in"
    if line.by.key != signer:
        return "signed by another key than the lines before"
    if witness and not _is_key(line.by, witness):
        return f"not signed by {witness.name}"
    if not line.by.is_of(line.signed_data()):
        return "the signature of the list does not hold"
    own = [each for each in line.entry.signed.signatures if each.key == line.by.key]
    return "" if own else "the witness has not signed this head"


def _contradiction(entry: Entry, last: _Last) -> str:
    """Why a head may not stand after the earlier ones."""
    if reason := _unsigned(entry.signed):
        return reason
    known = last.get(_game(entry))
    if known is None or entry.another or is_continued(known, entry.signed):
        return ""
    events = count_noun(known.events, "event")
    return f"a head of this game with {events} is in the list, and nothing proves that this continues it"


def _unsigned(given: SignedHead) -> str:
    """What is wrong with the signatures of a head, or with what it says to continue."""
    data = given.head.signed_data()
    wrong = next((each.name for each in given.signatures if not each.is_of(data)), None)
    if wrong is not None:
        return f"a signature in the name of {wrong} does not hold"
    return "the proof does not hold" if given.since and not is_proof_of(given.since, given.head) else ""


def _listed(entries: Sequence[Entry], key: str) -> ListedEntry:
    size, over = len(entries), root(map(_leaf, entries)).hex()
    by = signature_by(key, list_data(size, over))
    return ListedEntry(heads=LIST_VERSION, entry=entries[-1], size=size, root=over, by=by)


def _leaf(entry: Entry) -> bytes:
    return leaf_hash(canonical_object(msgspec.to_builtins(entry)))


def _others(given: SignedHead, key: str) -> Iterator[Signature]:
    from replays.trust.keys import key as kept

    mine = b64encode(kept(key).raw).decode()
    return (each for each in given.signatures if each.key != mine)


def _is_key(signature: Signature, key: PublicKey) -> bool:
    try:
        return signature.public.raw == key.raw
    except ValueError:
        return False


def _append(path: str | Path, line: ListedEntry) -> None:
    try:
        append_whole(Path(path), as_json(line))
    except OSError as problem:
        raise SealError(str(path), f"cannot be written: {problem.strerror}") from None
