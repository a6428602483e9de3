"""Commitments to the lines of a log: every field can be shown or hidden by itself, and what is shown can be proven.

A line is hashed as a tree. Each field has a salt made from the salt of what it is in, the salt of a line is made from
the secret of the seal. So one salt opens a whole line, and a hidden field is a hash that nobody can guess from.

An **opening** says how a line is shown. It is one of:

- a salt: everything is shown;
- `#` and a hash: hidden;
- an object or a list with an opening for each field.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from hashlib import blake2b, sha256
from typing import cast

from audit.core.errors import AuditError
from replays.log.canonical import canonical_object
from replays.said import Said

SECRET_BYTES = 32
SALT_BYTES = 16
HIDDEN = "#"
POSITION, SETUP = "position", "setup"
Json = Mapping[str, object]
COUNT = "count"
"""What is told in place of a list of cards: how many there were."""

_VALUE, _OBJECT, _LIST = b"\x10", b"\x11", b"\x12"

Opening = str | Mapping[str, object] | list[object]
"""How a value is shown, see above."""


class OpeningError(AuditError):
    """An opening that does not fit what is shown: where, and why."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path or 'the line'}: {reason}")
        self.path = path
        self.reason = reason

    @property
    def words(self) -> Said:
        """Where and why, in words."""
        return Said("opening", path=self.path or Said("the_line"), reason=self.reason)


def line_salt(secret: bytes, index: int) -> bytes:
    """The salt of a line, the header's is 0."""
    return _salt(secret, b"line ", str(index))


def commitment(value: object, salt: bytes) -> bytes:
    """The hash of a value and everything in it."""
    if isinstance(value, Mapping) and value:
        return _object({str(key): commitment(each, key_salt(salt, str(key))) for key, each in value.items()})
    if isinstance(value, list | tuple) and value:
        return _list(commitment(each, place_salt(salt, at)) for at, each in enumerate(value))
    return sha256(_VALUE + salt + _plain(value)).digest()


def opening(value: object, shown: object, salt: bytes, opened: Iterable[str] = ()) -> Opening:
    """How to show a value so that what equals `shown` is open, and what is at the paths `opened` (`cards.0`)."""
    paths = tuple(opened)
    if "" in paths or _is_same(value, shown):
        return text_of(salt)
    if isinstance(value, Mapping) and value and isinstance(shown, Mapping):
        seen = {**_counted(value, shown), **shown}
        fields = ((str(key), each) for key, each in value.items())
        return {
            key: opening(each, seen.get(key, ABSENT), key_salt(salt, key), _below(paths, key)) for key, each in fields
        }
    if isinstance(value, list | tuple) and value and isinstance(shown, list | tuple) and len(value) == len(shown):
        pairs = enumerate(zip(value, shown, strict=True))
        return [opening(each, seen, place_salt(salt, at), _below(paths, str(at))) for at, (each, seen) in pairs]
    if _is_number_of(shown, value):
        return opening(value, [ABSENT] * len(cast(list[object], value)), salt, paths)
    return _towards(value, salt, paths) if paths else HIDDEN + text_of(commitment(value, salt))


def _counted(value: Mapping[str, object], shown: Mapping[str, object]) -> dict[str, object]:
    """The lists of which nothing is told but how long they are, with every place hidden."""
    if COUNT not in shown or COUNT in value:
        return {}
    lists = ((key, each) for key, each in value.items() if isinstance(each, list | tuple) and key not in shown)
    return {key: [ABSENT] * len(each) for key, each in lists if len(each) == shown[COUNT]}


def _towards(value: object, salt: bytes, paths: tuple[str, ...]) -> Opening:
    """An opening of nothing but what is at the paths, inside a value that is not shown at all."""
    if isinstance(value, Mapping) and value:
        return opening(value, dict.fromkeys(value, ABSENT), salt, paths)
    if isinstance(value, list | tuple) and value:
        return opening(value, [ABSENT] * len(value), salt, paths)
    raise OpeningError(paths[0], "there is no such field")


def without_summary(value: object, shown: object) -> object:
    """What is shown of a line, without what is told otherwise than the line has it: nothing proves that.

    This is a position, and an entry of the setup of which only a part is told. To commit to the other parts one by one
    would give away their names, which may be those of hidden cards.
    """
    if not (isinstance(value, Mapping) and isinstance(shown, Mapping)):
        return shown
    kept = dict(shown)
    if not _is_same(value.get(POSITION), shown.get(POSITION)):
        kept.pop(POSITION, None)
    whole, told = value.get(SETUP), shown.get(SETUP)
    if isinstance(whole, Mapping) and isinstance(told, Mapping):
        kept[SETUP] = {key: each for key, each in told.items() if _is_told_whole(whole.get(key), each)}
    return kept


def _is_told_whole(value: object, shown: object) -> bool:
    """Whether nothing is missing in what is shown but single values, whose places are known."""
    if isinstance(value, Mapping):
        is_whole = isinstance(shown, Mapping) and shown.keys() == value.keys()
        return is_whole and all(_is_told_whole(each, cast(Json, shown)[key]) for key, each in value.items())
    if isinstance(value, list | tuple):
        return isinstance(shown, list | tuple) and len(shown) == len(value)
    return True


def without_unproven(shown: object, how: object) -> object:
    """What is shown of a line, without what its opening hides as a whole: that is by the word of the publisher.

    It is a position, or an entry of the setup.
    """
    if not (isinstance(shown, Mapping) and isinstance(how, Mapping)):
        return shown
    kept = {key: each for key, each in shown.items() if key != POSITION or not is_hidden(how.get(POSITION))}
    told, entries = kept.get(SETUP), how.get(SETUP)
    if isinstance(told, Mapping) and isinstance(entries, Mapping):
        kept[SETUP] = {key: each for key, each in told.items() if not is_hidden(entries.get(key))}
    return kept


def shown_with(value: object, shown: object, opened: Iterable[str]) -> object:
    """What is shown, with the true value at each of the paths; raises `OpeningError` where there is none."""
    for path in opened:
        shown = _put(value, shown, path.split(".") if path else [], path)
    return shown


def _put(value: object, shown: object, keys: list[str], path: str) -> object:
    if not keys:
        return value
    key, *rest = keys
    if isinstance(value, Mapping) and key in value:
        known = dict(shown) if isinstance(shown, Mapping) else {}
        return {**known, key: _put(value[key], known.get(key), rest, path)}
    if isinstance(value, list | tuple) and key.isdigit() and int(key) < len(value):
        at = int(key)
        known_list = list(shown) if isinstance(shown, list | tuple) and len(shown) == len(value) else ["?"] * len(value)
        return [*known_list[:at], _put(value[at], known_list[at], rest, path), *known_list[at + 1 :]]
    raise OpeningError(path, "there is no such field")


def committed(shown: object, how: object, path: str = "") -> bytes:
    """The commitment to which an opening of this leads; raises `OpeningError` where it opens something else."""
    if isinstance(how, str) and how.startswith(HIDDEN):
        return _hidden(shown, how, path)
    if isinstance(how, str):
        if shown is ABSENT:
            raise OpeningError(path, "said to be shown, and is not")
        return commitment(shown, bytes_of(how, SALT_BYTES, path))
    if isinstance(how, Mapping) and how:
        return _object(_fields(shown, how, path))
    if isinstance(how, list) and how:
        seen = shown if isinstance(shown, list | tuple) and len(shown) == len(how) else [ABSENT] * len(how)
        if shown is not ABSENT and seen is not shown:
            raise OpeningError(path, "not the list that was sealed")
        pairs = enumerate(zip(seen, how, strict=True))
        return _list(committed(each, one, f"{path}.{at}".strip(".")) for at, (each, one) in pairs)
    raise OpeningError(path, "no opening")


def committed_line(shown: object, how: object, index: int) -> bytes:
    """The commitment to a line, the header's index is 0. Raises `OpeningError` as `committed` does, and where it hides
    what no line may hide: that it is there, what an event is and where, by what the game is judged."""
    if isinstance(how, Mapping):
        for name in sorted(_NEVER_HIDDEN[index > 0] & how.keys()):
            if is_hidden(how[name]):
                raise OpeningError(name, "may not be hidden")
    elif is_hidden(how):
        raise OpeningError("", "may not be hidden as a whole")
    return committed(shown, how)


def proven(shown: object, how: object) -> object:
    """What an opening proves of what is shown: anything hidden is one question mark, or not there."""
    if is_hidden(how):
        return "?"
    if isinstance(how, Mapping) and isinstance(shown, Mapping):
        return {key: proven(each, how.get(key, "")) for key, each in shown.items()}
    if isinstance(how, list) and isinstance(shown, list | tuple) and len(how) == len(shown):
        return [proven(each, one) for each, one in zip(shown, how, strict=True)]
    return shown


def is_hidden(how: object) -> bool:
    return isinstance(how, str) and how.startswith(HIDDEN)


def hidden_fields(how: object) -> int:
    """How many fields an opening hides."""
    if isinstance(how, str):
        return int(how.startswith(HIDDEN))
    inside = how.values() if isinstance(how, Mapping) else how if isinstance(how, list) else ()
    return sum(map(hidden_fields, inside))


def text_of(data: bytes) -> str:
    """Bytes as they stand in a file."""
    return urlsafe_b64encode(data).decode().rstrip("=")


def bytes_of(text: object, length: int, path: str = "") -> bytes:
    """The bytes of a text made by `text_of`; raises `OpeningError`."""
    try:
        found = urlsafe_b64decode(f"{text}=".encode() + b"=" * (-len(f"{text}=") % 4))
    except ValueError:
        found = b""
    if len(found) != length or text_of(found) != text:
        raise OpeningError(path, Said("bytes_expected", length=length))
    return found


class _Absent:
    """A field that is not shown."""


ABSENT = _Absent()
_VEIL = re.compile(r"\?(\d{0,9}|\w{1,64}?\d{1,4}\.\d{1,4})")
"""What stands for a card without a name: `?`, with a number or a place on the table."""
_NEVER_HIDDEN = (
    frozenset({"log", "ruleset", "game", "edition", "reading", "first", "complete"}),
    frozenset({"seq", "type"}),
)
"""Fields that no viewer may be kept from: of the header, of an event."""


def _fields(shown: object, how: Mapping[str, object], path: str) -> dict[str, bytes]:
    seen = cast(Mapping[str, object], shown) if isinstance(shown, Mapping) else {}
    if not isinstance(shown, Mapping) and shown is not ABSENT:
        raise OpeningError(path, "not the object that was sealed")
    for key in seen:
        if key not in how and not (key == COUNT and _is_count(seen, how)):
            raise OpeningError(f"{path}.{key}".strip("."), "was not sealed")
    return {key: committed(seen.get(key, ABSENT), one, f"{path}.{key}".strip(".")) for key, one in how.items()}


def _is_count(shown: Mapping[str, object], how: Mapping[str, object]) -> bool:
    """Whether a number is how many there are in a list, of which nothing else may be told."""
    lists = (one if isinstance(one, list) else shown.get(key) for key, one in how.items())
    return any(len(each) == shown[COUNT] for each in lists if isinstance(each, list))


def _hidden(shown: object, how: str, path: str) -> bytes:
    if not (shown is ABSENT or _is_veil(shown)):
        raise OpeningError(path, "is shown, but the seal proves nothing of it")
    return bytes_of(how.removeprefix(HIDDEN), sha256().digest_size, path)


def _is_number_of(shown: object, items: object) -> bool:
    """Whether all that is told of a list is how long it is."""
    return type(shown) is int and isinstance(items, list | tuple) and len(items) == shown > 0


def _is_veil(shown: object) -> bool:
    """Whether this says nothing: a handle such as ?1."""
    return isinstance(shown, str) and _VEIL.fullmatch(shown) is not None


def _below(paths: Iterable[str], key: str) -> tuple[str, ...]:
    return tuple(path.partition(".")[2] for path in paths if path.partition(".")[0] == key)


def key_salt(salt: bytes, key: str) -> bytes:
    """The salt of a field of an object."""
    return _salt(salt, b"key ", key)


def place_salt(salt: bytes, at: int) -> bytes:
    """The salt of a place in a list."""
    return _salt(salt, b"place ", str(at))


def _salt(of: bytes, kind: bytes, name: str) -> bytes:
    return blake2b(kind + name.encode(), key=of, digest_size=SALT_BYTES).digest()


def _object(fields: Mapping[str, bytes]) -> bytes:
    return sha256(_OBJECT + b"".join(_named(fields))).digest()


def _named(fields: Mapping[str, bytes]) -> Iterator[bytes]:
    for key in sorted(fields):
        yield _key_hash(key)
        yield fields[key]


@lru_cache(maxsize=256)
def _key_hash(key: str) -> bytes:
    return sha256(key.encode()).digest()


def _list(items: Iterable[bytes]) -> bytes:
    return sha256(_LIST + b"".join(items)).digest()


def _plain(value: object) -> bytes:
    """A text after a quotation mark; anything else in its canonical form."""
    if isinstance(value, str):
        return b'"' + value.encode()
    return b"%d" % value if type(value) is int else canonical_object({"": value})[4:-1]


def _is_same(value: object, shown: object) -> bool:
    if isinstance(value, Mapping) and isinstance(shown, Mapping):
        return value.keys() == shown.keys() and all(_is_same(each, shown[key]) for key, each in value.items())
    if isinstance(value, list | tuple) and isinstance(shown, list | tuple):
        return len(value) == len(shown) and all(map(_is_same, value, shown))
    return type(value) is type(shown) and value == shown


__all__ = [
    "ABSENT", "HIDDEN", "SALT_BYTES", "SECRET_BYTES", "Opening", "OpeningError", "bytes_of", "commitment", "committed",
    "committed_line", "hidden_fields", "is_hidden", "line_salt", "opening", "proven", "shown_with", "text_of",
    "without_summary", "without_unproven",
]  # fmt: skip
