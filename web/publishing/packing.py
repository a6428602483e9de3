"""A published page as it is written to disk: its data compressed, which its script unpacks again.

What is signed, proven and compared is the page as it was before. So another version of the compression makes other
bytes and the same page.
"""

from __future__ import annotations

import base64
import gzip
import re
import zlib

from audit.core.errors import AuditError

PLAIN, PACKED = b"application/json", b"application/gzip"
MOST = 256_000_000
"""Bytes that the data of a page may have together."""
_HEADER = gzip.compress(b"", 9, mtime=0)[:10]
"""How compressed data begins: without a name, a remark or a time, in which more could be told."""
_PLAIN = re.compile(rb'<script type="application/json" id="(\w+)">(.*?)</script>', re.S)
_PACKED = re.compile(rb'<script type="application/gzip" id="(\w+)">([A-Za-z0-9+/=]*)</script>')


class PackingError(AuditError):
    """Data in a page that cannot be unpacked."""

    def __init__(self) -> None:
        super().__init__("the data of this page cannot be unpacked")


def packed(page: bytes) -> bytes:
    """The page with its data compressed."""
    return _PLAIN.sub(lambda found: _element(PACKED, found[1], _compressed(found[2])), page)


def unpacked(page: bytes) -> bytes:
    """The page as it was made; any other file is returned as it is. Raises `PackingError`."""
    left = MOST

    def plain(found: re.Match[bytes]) -> bytes:
        nonlocal left
        data = _plain(found[2], left)
        left -= len(data)
        return _element(PLAIN, found[1], data)

    try:
        return _PACKED.sub(plain, page)
    except (ValueError, zlib.error):
        raise PackingError from None


def _element(kind: bytes, id: bytes, content: bytes) -> bytes:
    return b'<script type="%s" id="%s">%s</script>' % (kind, id, content)


def _compressed(data: bytes) -> bytes:
    return base64.b64encode(gzip.compress(data, 9, mtime=0))


def _plain(text: bytes, most: int) -> bytes:
    whole = base64.b64decode(text, validate=True)
    if base64.b64encode(whole) != text or not whole.startswith(_HEADER):
        raise PackingError
    data = zlib.decompressobj(zlib.MAX_WBITS | 16)
    found = data.decompress(whole, most) if most else b""
    if not data.eof or data.unused_data or b"<" in found:
        raise PackingError
    return found
