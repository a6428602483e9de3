"""A witness who signs tree heads, and time stamps of tree heads (RFC 3161).

A stamp shows that a head existed at a time, by the word of the service. Whoever checks names the certificates of
the services to believe. Needs the package rfc3161-client: install audit[stamps].

The list is a file of JSON lines that can be published. Each line is an entry (a tree head) and the root over all
entries so far, signed by the witness. So two copies of a list can be compared, and a witness who shows different
people different lists has signed the contradiction.
"""

from __future__ import annotations

import os
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Sequence
from hashlib import new as new_hash
from http.client import HTTPException
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import URLError
from urllib.request import Request, urlopen

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from audit.core.errors import AuditError
from audit.core.files import append_whole
from replays.files import UnreadableFileError, read_whole
from replays.log.canonical import canonical_object
from replays.said import Said
from replays.trust.keys import PublicKey
from replays.trust.merkle import Tree, leaf_hash, root
from replays.trust.proofs import SignedHead, as_json, is_continued, is_proof_of, read_as
from replays.trust.seal import SealError, Signature, TreeHead, alone_beside, signature_by

if TYPE_CHECKING:
    from cryptography import x509
    from rfc3161_client import TimeStampResponse


SERVICE = "AUDIT_TIMESTAMP_URL"
SECONDS = 10
MAX_ANSWER = 64 * 1024
_HASHES = {"2.16.840.1.101.3.4.2.1": "sha256", "2.16.840.1.101.3.4.2.2": "sha384", "2.16.840.1.101.3.4.2.3": "sha512"}
"""The hashes that a service may stamp, by their object identifiers."""


class StampError(AuditError):
    """A time stamp that was not given, or cannot be checked."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"time stamp: {reason}")
        self.reason = reason


class StampCheck(Struct, frozen=True):
    """A time stamp: the time it names, and why it proves nothing if that is so."""

    at: str
    problem: str = ""
    is_foreign: bool = False
    """Whether it is no time stamp of this head: somebody else put it there."""

    @property
    def words(self) -> Said:
        """In words."""
        if self.problem:
            return Said("stamp_not_proven", at=self.at, reason=self.problem)
        return Said("stamp_proven", at=self.at)


def service() -> str:
    """The address of the configured service; empty if there is none."""
    return os.environ.get(SERVICE, "")


def take_stamp(head: TreeHead, url: str) -> str:
    """A time stamp of a tree head from the service at that address (base64); raises `StampError`."""
    _require()
    from rfc3161_client import TimestampRequestBuilder

    if not url.startswith(("http://", "https://")):
        raise StampError("the address of a service begins with https:// or http://")
    asked = TimestampRequestBuilder().data(head.signed_data()).build()
    data = _answer(url, asked.as_bytes())
    found = _decoded(data)
    if found.status != 0 or found.tst_info.nonce != asked.nonce:
        raise StampError("the service refused, or answered another request")
    if found.tst_info.message_imprint.message != asked.message_imprint.message:
        raise StampError("the service stamped something else")
    return b64encode(data).decode()


def _answer(url: str, asked: bytes) -> bytes:
    try:
        with urlopen(Request(url, asked, {"Content-Type": "application/timestamp-query"}), timeout=SECONDS) as answer:
            return bytes(answer.read(MAX_ANSWER))
    except (OSError, ValueError, HTTPException) as problem:
        reason = problem.reason if isinstance(problem, URLError) else problem
        raise StampError(f"the service does not answer: {reason}") from None


def check_stamps(stamps: Sequence[str], head: TreeHead, roots: Sequence[x509.Certificate]) -> tuple[StampCheck, ...]:
    """What each time stamp of a tree head proves, by the certificates of the services that are believed."""
    return tuple(_check(stamp, head, roots) for stamp in stamps)


def certificates(path: str | Path) -> list[x509.Certificate]:
    """The certificates of a PEM file; raises `StampError`."""
    from cryptography import x509

    try:
        return x509.load_pem_x509_certificates(read_whole(path))
    except OSError as problem:
        raise StampError(f"{path}: {problem.strerror}") from None
    except UnreadableFileError as problem:
        raise StampError(str(problem)) from None
    except ValueError:
        raise StampError(f"{path}: no certificates (PEM)") from None


def _check(stamp: str, head: TreeHead, roots: Sequence[x509.Certificate]) -> StampCheck:
    try:
        _require()
    except StampError as missing:
        return StampCheck("unknown", missing.reason)
    from rfc3161_client import VerificationError, VerifierBuilder

    try:
        found = _decoded(b64decode(stamp, validate=True))
        at = found.tst_info.gen_time.isoformat()
    except (StampError, ValueError):
        return StampCheck("unknown", "not a time stamp", is_foreign=True)
    if not _is_of(found, head):
        return StampCheck(at, "of something else", is_foreign=True)
    if not roots:
        return StampCheck(at, "no certificate of a service to believe was named")
    try:
        VerifierBuilder(roots=list(roots)).build().verify_message(found, head.signed_data())
    except (VerificationError, ValueError) as problem:
        return StampCheck(at, str(problem))
    return StampCheck(at)


def _is_of(found: TimeStampResponse, head: TreeHead) -> bool:
    imprint = found.tst_info.message_imprint
    name = _HASHES.get(imprint.hash_algorithm.dotted_string)
    return name is not None and new_hash(name, head.signed_data()).digest() == imprint.message


def _decoded(data: bytes) -> TimeStampResponse:
    from rfc3161_client import decode_timestamp_response

    try:
        return decode_timestamp_response(data)
    except ValueError:
        raise StampError("not a time stamp") from None


def _require() -> None:
    if find_spec("rfc3161_client") is None:
        raise StampError("needs the package rfc3161-client: install audit[stamps]")


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

    @property
    def said(self) -> Said:
        """The reason with its line."""
        return Said("line_says", line=self.line, said=self.reason)


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
            return ListProblem(at, Said("list.shorter"))
        if said != new[at - 1]:
            return ListProblem(at, Said("list.other_entry"))
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
        raise SealError(str(path), problem.said)
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
        return Said("list.version", expected=LIST_VERSION)
    if (line.size, line.root) != (at, root):
        return Said("list.altered")
    if line.by.key != signer:
        return Said("list.other_key")
    if witness and not _is_key(line.by, witness):
        return Said("list.not_by", name=witness.name)
    if not line.by.is_of(line.signed_data()):
        return Said("list.signature")
    own = [each for each in line.entry.signed.signatures if each.key == line.by.key]
    return "" if own else Said("list.unsigned_head")


def _contradiction(entry: Entry, last: _Last) -> str:
    """Why a head may not stand after the earlier ones."""
    if reason := _unsigned(entry.signed):
        return reason
    known = last.get(_game(entry))
    if known is None or entry.another or is_continued(known, entry.signed):
        return ""
    return Said("list.not_continued", n=known.events)


def _unsigned(given: SignedHead) -> str:
    """What is wrong with the signatures of a head, or with what it says to continue."""
    data = given.head.signed_data()
    wrong = next((each.name for each in given.signatures if not each.is_of(data)), None)
    if wrong is not None:
        return Said("list.forged", name=wrong)
    return Said("proof_fails") if given.since and not is_proof_of(given.since, given.head) else ""


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
