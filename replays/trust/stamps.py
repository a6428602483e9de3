"""Time stamps of tree heads (RFC 3161): taken from a service where one is configured, checked offline.

A stamp shows that a head existed at a time, by the word of the service. Whoever checks names the certificates of
the services to believe. Needs the package rfc3161-client: install audit[stamps].
"""

from __future__ import annotations

import os
from base64 import b64decode, b64encode
from collections.abc import Sequence
from hashlib import new as new_hash
from http.client import HTTPException
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import URLError
from urllib.request import Request, urlopen

from msgspec import Struct

from audit.core.errors import AuditError
from replays.files import UnreadableFileError, read_whole
from replays.trust.seal import TreeHead

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
    def words(self) -> str:
        """In words."""
        return f"time stamp {self.at}: NOT proven: {self.problem}" if self.problem else f"existed by {self.at}"


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
