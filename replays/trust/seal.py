"""Seals: what a log said when it was sealed, and by whose word.

A seal holds the head of the chain of the log (`Chain`), the number of its events and a short hash of each
line as written. The head tells whether anything was changed, the short hashes tell where. It is a JSON file
beside the log, for those who may see the whole log.

What can be given to everybody is the tree head: the root of a tree over the lines (`replays.trust.merkle`), in which
every field is hidden until it is opened (`replays.trust.commitments`), and a hash of the seal. Signatures are of the
tree head, so that anybody can check them.
"""

from __future__ import annotations

import hmac
import secrets
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Annotated, BinaryIO

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from audit.core.errors import AuditError
from audit.core.files import alone_in, write_whole
from audit.core.model import LOG_VERSION
from replays.errors import LogError, Problem, whole_file_error
from replays.files import UnreadableFileError, read_whole
from replays.log.canonical import canonical, canonical_object
from replays.log.lines import Lines
from replays.log.schemas import UPCASTS
from replays.log.strict_json import NotARecordError, check_written_once, parse
from replays.said import Said
from replays.trust.commitments import SECRET_BYTES, OpeningError, bytes_of, commitment, line_salt, text_of
from replays.trust.keys import PublicKey, sign
from replays.trust.keys import key as known
from replays.trust.merkle import leaf_hash, root

SEAL_VERSION = "audit-seal/2"
FORMER_VERSION = "audit-seal/1"
"""Seals without a tree: they are still verified, and made anew by the next `audit seal`."""
CHAIN_VERSION = b"audit-chain/1\n"
HEAD_VERSION = "audit-head/1"
MAX_BYTES = 256_000_000
"""The most bytes that a seal has."""
SHORT = 8
"""Bytes kept of the hash of each line."""
Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]
"""A SHA-256 in its one spelling."""
Stamp = Annotated[str, Meta(pattern=r"^[A-Za-z0-9+/]*={0,2}$(?!\n)", max_length=100_000)]
"""A time stamp (RFC 3161, base64). Nobody signs it, so its file can hold no words there."""


class Chain:
    """The hashes of a log, line by line, the header first.

    The chain starts from the header, so that no event can be taken from one game to another, and its last link is the
    head of the log.
    """

    def __init__(self) -> None:
        self.head = b""
        self.lines = 0

    def add(self, line: bytes) -> None:
        """Hang a line on; raises `NotARecordError`."""
        self.hang(canonical(line))

    def hang(self, form: bytes) -> None:
        """Hang on a line whose canonical form is known."""
        self.head = sha256((self.head or CHAIN_VERSION) + form).digest()
        self.lines += 1


class SealError(AuditError):
    """A seal that cannot be read, or may not be made."""

    def __init__(self, file: str, reason: str) -> None:
        super().__init__(f"{file}: {reason}")
        self.file = file
        self.reason = reason


class Signature(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody's word for a seal: their name for themselves, their public key, and the signature (base64).

    The name is signed too, so that nobody puts another one beside a signature.
    """

    name: str
    key: str
    signature: str

    @property
    def public(self) -> PublicKey:
        """The key; raises ValueError where it is none."""
        return PublicKey(self.name, _decoded(self.key))

    def is_of(self, data: bytes) -> bool:
        """Whether this is a signature of that data. Earlier ones are of the data without the name."""
        try:
            public, signature = self.public, _decoded(self.signature)
        except ValueError:
            return False
        return any(public.has_signed(signature, each) for each in (_named(data, self.name), data))


def signature_by(key: str, data: bytes) -> Signature:
    """A signature by one's own key of that name; raises `KeyProblemError`."""
    public, signature = sign(key, _named(data, known(key).name))
    return Signature(public.name, b64encode(public.raw).decode(), b64encode(signature).decode())


def _named(data: bytes, name: str) -> bytes:
    return data + b"\n" + msgspec.json.encode(name)


def _decoded(text: str) -> bytes:
    """Bytes of their one spelling in base64; raises ValueError for any other."""
    data = b64decode(text, validate=True)
    if b64encode(data).decode() != text:
        raise ValueError(text)
    return data


class TreeHead(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is signed, and may be shown to everybody. `root` and `seal` (a keyed hash of the seal) are hexadecimal."""

    head: str
    log: str
    ruleset: str
    game: str
    events: int
    root: Hash
    seal: Hash
    at: str = ""

    def signed_data(self) -> bytes:
        """What a signature or a time stamp is of."""
        return HEAD_VERSION.encode() + b"\n" + canonical_object(msgspec.to_builtins(self))


class Seal(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a log said when it was sealed. `head` and the hashes of the `lines` (the header's first) are hexadecimal.

    `secret` is what the salts of the tree are made from; who has it can open every field. `stamps` are time stamps of
    the tree head.
    """

    seal: str
    log: str
    ruleset: str
    game: str
    events: int
    head: str
    lines: tuple[str, ...]
    at: str = ""
    root: str = ""
    secret: str = ""
    signatures: tuple[Signature, ...] = ()
    stamps: tuple[Stamp, ...] = ()

    def signed_data(self) -> bytes:
        """What a signature is of: the tree head; in a seal of the former version everything but the signatures."""
        return self.tree_head().signed_data() if self.secret else FORMER_VERSION.encode() + b"\n" + self._said()

    def tree_head(self) -> TreeHead:
        """What may be shown to everybody; raises `SealError` for a seal of the former version."""
        if not self.secret:
            raise SealError(self.game, "a seal of a former version has no tree; seal the log again")
        whole = hmac.digest(self.secret_bytes(), self._said(), "sha256").hex()
        return TreeHead(
            head=HEAD_VERSION, log=self.log, ruleset=self.ruleset, game=self.game, events=self.events, root=self.root,
            seal=whole, at=self.at,
        )  # fmt: skip

    def secret_bytes(self) -> bytes:
        """The secret; raises `SealError` where it is none."""
        try:
            return bytes_of(self.secret, SECRET_BYTES)
        except OpeningError as problem:
            raise SealError(self.game, f"the secret of the seal: {problem.reason}") from None

    def _said(self) -> bytes:
        left_out = {"signatures", "stamps", "secret", *(() if self.secret else ("root",))}
        return canonical_object({key: value for key, value in msgspec.to_builtins(self).items() if key not in left_out})


class SealedLine(Struct, frozen=True):
    """A line of a log that is being gone through: its hash, or what is wrong with it."""

    line: int
    short: str
    bad: tuple[str, str] | None
    text: bytes


def seal(source: str | Path | BinaryIO, at: str = "", earlier: Seal | None = None) -> Seal:
    """Seal a log as it is now; raises `LogError` where it has a bad line. `at` is the time to write into it.

    With the `earlier` seal of the same log its secret is used again, so that the new tree is seen to continue the old.
    """
    chain = Chain()
    lines = Lines(source)
    shorts: list[str] = []
    leaves: list[bytes] = []
    first: dict[str, object] = {}
    secret = earlier.secret_bytes() if earlier and earlier.secret else secrets.token_bytes(SECRET_BYTES)
    for link in links(lines, chain):
        if bad := link.bad or out_of_order(link):
            kind, detail = bad
            raise LogError(lines.name, (Problem(link.line, "", "a good line to seal", f"{kind}: {detail}"),))
        line = msgspec.json.decode(link.text)
        first = first or line
        shorts.append(link.short)
        leaves.append(leaf(line, secret, len(leaves)))
    if not shorts:
        raise whole_file_error(lines.name, "a log: a header, then events", "an empty file")
    log, ruleset, game = (str(first.get(name, "")) for name in ("log", "ruleset", "game"))
    return Seal(
        seal=SEAL_VERSION, log=log, ruleset=ruleset, game=game, events=len(shorts) - 1, head=chain.head.hex(),
        lines=tuple(shorts), at=at, root=root(leaves).hex(), secret=text_of(secret),
    )  # fmt: skip


def leaf(line: object, secret: bytes, index: int) -> bytes:
    """The hash of a line in the tree of its log; the header's index is 0."""
    return leaf_hash(commitment(line, line_salt(secret, index)))


def signed(unsigned: Seal, key: str) -> Seal:
    """The seal with one's own signature by the key of that name, in place of an earlier one by it."""
    mine = signature_by(key, unsigned.signed_data())
    others = tuple(each for each in unsigned.signatures if each.key != mine.key)
    return replace(unsigned, signatures=(*others, mine))


SEAL = ".seal"
"""How the name of a seal ends."""


def beside(log: str | Path) -> Path:
    """Where the seal of a log lies: `game.jsonl.seal` beside `game.jsonl`."""
    return Path(f"{log}{SEAL}")


def seal_file(log: str | Path, key: str | None = None, at: str = "") -> Seal:
    """Seal a log on disk, in the file beside it, and sign it where a key is named.

    A seal that is there already is kept where the log says the same still (a signature is added), replaced where
    the log has only grown or the seal is of a former version, and raises `SealError` where they contradict each other.
    """
    path = beside(log)
    with alone_beside(path):
        old = read_seal(path) if path.exists() else None
        made = seal(log, at, old)
        if old:
            if made.lines[: len(old.lines)] != old.lines:
                raise SealError(str(path), "the log no longer says what was sealed; verify it, or move the seal away")
            made = old if (old.head, old.seal) == (made.head, made.seal) else made
        made = signed(made, key) if key else made
        write_seal(made, path)
    return made


@contextmanager
def alone_beside(path: Path) -> Iterator[None]:
    """Keep others from changing a seal or a list of heads meanwhile; raises `SealError` where that is not possible."""
    with ExitStack() as lock:
        try:
            lock.enter_context(alone_in(path.parent))
        except OSError as problem:
            raise SealError(str(path), f"cannot be written: {problem.strerror}") from None
        yield


def read_seal(path: str | Path) -> Seal:
    """The seal of a file; raises `SealError` where there is none or it is damaged."""
    try:
        data = read_whole(path, MAX_BYTES)
        check_written_once(data)
        made = msgspec.json.decode(data, type=Seal)
    except FileNotFoundError:
        raise SealError(str(path), "no such file") from None
    except OSError as problem:
        raise SealError(str(path), problem.strerror or str(problem)) from None
    except UnreadableFileError as problem:
        raise SealError(str(path), problem.reason) from None
    except (msgspec.MsgspecError, ValueError) as problem:
        raise SealError(str(path), f"not a seal: {problem}") from None
    if made.seal not in (SEAL_VERSION, FORMER_VERSION):
        raise SealError(str(path), f'expected a seal of version "{SEAL_VERSION}", found "{made.seal}"')
    if bool(made.secret) is not (made.seal == SEAL_VERSION):
        raise SealError(str(path), "not a seal: the secret does not go with the version")
    if len(made.lines) != made.events + 1:
        raise SealError(str(path), f"not a seal: {len(made.lines)} lines for {made.events} events")
    return made


def as_text(made: Seal) -> bytes:
    """A seal as its file has it."""
    return msgspec.json.encode(made) + b"\n"


def write_seal(made: Seal, path: Path) -> None:
    """Write a seal, whole or not at all, for its owner only where it can open hidden cards; raises `SealError`."""
    try:
        write_whole(path, as_text(made), is_secret=bool(made.secret))
    except OSError as problem:
        raise SealError(str(path), f"cannot be written: {problem.strerror}") from None


def links(lines: Lines, chain: Chain) -> Iterator[SealedLine]:
    """Every line of a log with its hash, hung on the chain while nothing is wrong."""
    number = 0
    is_whole = True
    for batch in lines.batches():
        ending = b"" if lines.unfinished else b"\n"
        for line in batch:
            number += 1
            bad = _bad(line, number, lines.unfinished, chain) if is_whole else None
            is_whole = is_whole and not bad
            yield SealedLine(number, short_hash(line + ending), bad, line)


def short_hash(line: bytes) -> str:
    """The short hash of a line as written, its end included."""
    return sha256(line).hexdigest()[: 2 * SHORT]


class _Placed(Struct):
    seq: int


_seq_of = msgspec.json.Decoder(_Placed).decode


def out_of_order(link: SealedLine) -> tuple[str, str] | None:
    """What a seq that does not follow tells, even without a seal: something is missing, or too much."""
    if link.line == 1 or link.bad:
        return None
    try:
        seq = _seq_of(link.text).seq
    except msgspec.MsgspecError:
        return "not a record", Said("no_seq")
    if seq > link.line - 1:
        return "removed", Said("seq_missing", seq=link.line - 1)
    return ("inserted", Said("seq_again", seq=seq)) if seq < link.line - 1 else None


def _bad(line: bytes, number: int, unfinished: bool, chain: Chain) -> tuple[str, str] | None:
    try:
        if number == 1 and (strange := _strange_version(line)):
            return "unknown version", strange
        chain.add(line)
    except NotARecordError as error:
        return ("torn", Said("cut_short")) if unfinished and error.cut else ("not a record", error.found)
    return None


def _strange_version(header: bytes) -> str:
    version = parse(header).get("log")
    if not isinstance(version, str):
        raise NotARecordError("a header", "a line that names no version of the log")
    return "" if version in (LOG_VERSION, *UPCASTS) else Said("strange_version", found=version, expected=LOG_VERSION)
