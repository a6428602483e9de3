"""The chain of hashes over a log.

It starts from the header, so that no event can be taken from one game to another, and its last link is the head of the
log.
"""

from __future__ import annotations

from hashlib import sha256

from replays.log.canonical import canonical

ALGORITHM = b"audit-chain/1\n"


class Chain:
    """The hashes of a log, line by line, the header first."""

    def __init__(self) -> None:
        self.head = b""
        self.lines = 0

    def add(self, line: bytes) -> None:
        """Hang a line on; raises `NotARecordError`."""
        self.hang(canonical(line))

    def hang(self, form: bytes) -> None:
        """Hang on a line whose canonical form is known."""
        self.head = sha256((self.head or ALGORITHM) + form).digest()
        self.lines += 1
