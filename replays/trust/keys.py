"""Keys to sign with, in the user's data folder: the private half for its owner only, the public half to give away.

The package cryptography is imported when something is signed or checked: in a browser there is none, and the rest of
the program works without.
"""

from __future__ import annotations

import os
import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import platformdirs
from msgspec import Struct

from audit.core.errors import AuditError, did_you_mean
from audit.core.files import alone_in, write_whole
from replays.files import UnreadableFileError, read_whole

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_PREFIX = "audit-key/1"
_P = 2**255 - 19
_D = -121665 * pow(121666, -1, _P) % _P
"""The field and the curve of Ed25519 (RFC 8032, 5.1)."""
MAX_BYTES = 16_384
"""The most bytes that the file of a key has."""


class KeyProblemError(AuditError):
    """A key that is not there, not a key, or there already."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"key {name}: {reason}")
        self.name = name
        self.reason = reason


class PublicKey(Struct, frozen=True):
    """The half of a key that everybody may have."""

    name: str
    raw: bytes

    @property
    def id(self) -> str:
        """What the key is called where names do not matter: the beginning of its hash."""
        return sha256(self.raw).hexdigest()[:16]

    @property
    def text(self) -> str:
        """One line to give to others, who add it with `trust`."""
        return f"{_PREFIX} {b64encode(self.raw).decode()} {self.name}"

    def has_signed(self, signature: bytes, data: bytes) -> bool:
        """Whether the signature is this key's, of this data; raises `KeyProblemError` where nothing can check it."""
        with _cryptography(self.name):
            from cryptography.exceptions import InvalidSignature
            from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
        if is_weak(self.raw):
            return False
        try:
            Ed25519PublicKey.from_public_bytes(self.raw).verify(signature, data)
        except (InvalidSignature, ValueError):
            return False
        return True


Signer = Callable[[bytes], tuple[PublicKey, bytes]]
"""Signs data; gives the key that others check it with, and the signature."""


def data_folder() -> Path:
    """Where this user's keys and games lie: `AUDIT_DATA_DIR`, or what the system provides for."""
    return Path(os.environ.get("AUDIT_DATA_DIR") or platformdirs.user_data_path("audit", appauthor=False))


def make_key(name: str) -> PublicKey:
    """Make a new key; raises `KeyProblemError` where there is one of that name."""
    with _cryptography(name):
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
    private = Ed25519PrivateKey.generate()
    pem = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    public = PublicKey(name, private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))
    path = _path(name, ".pem")
    with _alone(name):
        _require_unlike(name)
        if os.path.lexists(path) or os.path.lexists(_path(name, ".pub")):
            raise KeyProblemError(name, "there is one of that name already")
        write_whole(path, pem, is_secret=True)
        try:
            write_whole(_path(name, ".pub"), f"{public.text}\n".encode())
        except OSError:
            path.unlink(missing_ok=True)
            raise
    return public


def keys() -> tuple[PublicKey, ...]:
    """Every key of the data folder, one's own and those of others one trusts, by name."""
    found = sorted(_folder().glob("*.pub")) if _folder().is_dir() else []
    return tuple(_read(path) for path in found)


def key(name: str) -> PublicKey:
    """The key of that name or id; raises `KeyProblemError`."""
    for known in keys():
        if name in (known.name, known.id):
            return known
    raise KeyProblemError(name, f"there is none of that name{did_you_mean(name, [known.name for known in keys()])}")


def trust(text: str, name: str | None = None) -> PublicKey:
    """Keep somebody else's public key, under its own name or another; raises `KeyProblemError`."""
    given = public_key(text)
    found = PublicKey(name or given.name, given.raw)
    path = _path(found.name, ".pub")
    with _alone(found.name):
        _require_unlike(found.name)
        if os.path.lexists(path) and _read(path).raw != found.raw:
            raise KeyProblemError(found.name, "there is another of that name already")
        if not os.path.lexists(path):
            write_whole(path, f"{found.text}\n".encode())
    return found


def _require_unlike(name: str) -> None:
    """Raises `KeyProblemError` where a key is kept whose name differs in capital letters only."""
    for known in keys():
        if known.name != name and known.name.casefold() == name.casefold():
            raise KeyProblemError(name, f"there is {known.name} already, which differs in capital letters only")


def public_key(text: str) -> PublicKey:
    """The public key of a line made by `PublicKey.text`; raises `KeyProblemError`."""
    try:
        prefix, encoded, name = text.split(maxsplit=2)
        raw = b64decode(encoded, validate=True)
    except ValueError:
        raise KeyProblemError(text[:40], f"expected a line such as “{_PREFIX} … name”") from None
    if prefix != _PREFIX or len(raw) != 32:
        raise KeyProblemError(text[:40], f"expected a line such as “{_PREFIX} … name”")
    if is_weak(raw):
        raise KeyProblemError(name.strip()[:40], "anybody can sign with such a key: its point is of small order")
    return PublicKey(name.strip(), raw)


def is_weak(raw: bytes) -> bool:
    """Whether this is one of the eight points of Ed25519 whose order divides 8: one signature of them fits any data.

    They are known by y alone: 1 and -1 (orders 1 and 2), 0 (order 4), and the roots of d·y⁴ + 2·y² = 1 (order 8).
    """
    y = (int.from_bytes(raw, "little") & ((1 << 255) - 1)) % _P
    return y in (0, 1, _P - 1) or (_D * y**4 + 2 * y**2 - 1) % _P == 0


def sign(name: str, data: bytes) -> tuple[PublicKey, bytes]:
    """Sign data with one's own key of that name; raises `KeyProblemError`."""
    return signer(name)(data)


def signer(name: str) -> Signer:
    """Signs with one's own key of that name, which is read once; raises `KeyProblemError`."""
    public = key(name)
    with _cryptography(name):
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key
    try:
        private = load_pem_private_key(read_whole(_path(public.name, ".pem"), MAX_BYTES), None)
    except (OSError, UnreadableFileError):
        raise KeyProblemError(name, "only its public half is here") from None
    except ValueError:
        raise KeyProblemError(name, "its file is damaged") from None
    if not isinstance(private, Ed25519PrivateKey):
        raise KeyProblemError(name, "not an Ed25519 key")
    return lambda data: (public, private.sign(data))


@contextmanager
def _cryptography(name: str) -> Iterator[None]:
    try:
        yield
    except ImportError:
        raise KeyProblemError(name, "nothing can be signed or checked here: there is no cryptography") from None


def _folder() -> Path:
    return data_folder() / "keys"


def _path(name: str, ending: str) -> Path:
    if not _NAME.fullmatch(name):
        raise KeyProblemError(name[:40], "a name is letters, digits, dots, dashes and underscores")
    return _folder() / f"{name}{ending}"


def _read(path: Path) -> PublicKey:
    try:
        found = public_key(read_whole(path, MAX_BYTES).decode())
    except (OSError, UnicodeDecodeError, UnreadableFileError):
        raise KeyProblemError(path.stem, f"{path} cannot be read as a key") from None
    return PublicKey(path.stem, found.raw)


@contextmanager
def _alone(name: str) -> Iterator[None]:
    """Keep others from writing a key meanwhile; raises `KeyProblemError` where none can be written."""
    try:
        _folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        with alone_in(_folder()):
            yield
    except OSError as problem:
        raise KeyProblemError(name, f"cannot be written: {problem.strerror}") from None
