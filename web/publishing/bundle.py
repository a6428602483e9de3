"""Scripts and styles of the viewer joined, for pages and for a file that opens without a server, and its data packed.

Of JavaScript modules each becomes a function that returns its exports. Only the forms of `import` and `export` that our
modules use are understood; any other form raises an error."""

from __future__ import annotations

import base64
import gzip
import posixpath
import re
import zlib
from collections.abc import Mapping
from functools import cache
from importlib import resources

from flask import Flask, Response, abort, current_app, make_response

from audit.core.errors import AuditError

_IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.M)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let) (\w+))", re.M)
_NEEDLESS = re.compile(r"(?:\s|/\*.*?\*/)+", re.S)
"""What a style sheet does not need: comments, and more than one blank."""
_START = "start();"
STYLES = ("base.css", "viewer.css", "table.css", "across.css", "tints.css")
SHEETS = {"viewer.css": STYLES, "desk.css": ("base.css", "table.css", "across.css", "tints.css", "desk/desk.css")}
SCRIPTS = {"viewer.js": "viewer.js", "ask.js": "desk/ask.js", "record.js": "desk/record.js"}
PLAIN, PACKED = b"application/json", b"application/gzip"
MOST = 256_000_000
"""Bytes that the data of a page may have together."""
_HEADER = gzip.compress(b"", 9, mtime=0)[:10]
"""How compressed data begins: without a name, a remark or a time, in which more could be told."""
_PLAIN = re.compile(rb'<script type="application/json" id="(\w+)">(.*?)</script>', re.S)
_PACKED = re.compile(rb'<script type="application/gzip" id="(\w+)">([A-Za-z0-9+/=]*)</script>')


class BundleError(AuditError):
    """A module says something that the bundle cannot carry."""

    def __init__(self, module: str, reason: str) -> None:
        super().__init__(f"{module}: {reason}")
        self.module = module
        self.reason = reason


def bundle(*names: str) -> str:
    """One script with the viewer, or with other modules and all they need; the viewer starts by itself."""
    found: dict[str, str] = {}
    for name in names or ("published.js", "viewer.js"):
        _add(name, found)
    parts = ['"use strict";', "const modules = {};", *found.values()]
    text = "\n".join(parts) + "\n"
    if "</script" in text.lower() or "<!--" in text:
        raise BundleError("script", "contains the end of a script element")
    return text


def _add(name: str, found: dict[str, str]) -> None:
    if name in found:
        return
    text = resources.files("web").joinpath("static", *name.split("/")).read_text("utf-8")
    for match in _IMPORT.finditer(text):
        _add(_place(name, match[2]), found)
    found[name] = _wrapped(name, text, found)


def _wrapped(name: str, text: str, found: Mapping[str, str]) -> str:
    exported = _EXPORT.findall(text)
    body = _IMPORT.sub(lambda m: f"const {{{_renamed(m[1])}}} = modules[{_place(name, m[2])!r}];\n", text)
    body = _EXPORT.sub("", body)
    first = ""
    if name == "viewer.js" and "published.js" in found:
        if not body.rstrip().endswith(_START):
            raise BundleError(name, "does not start as expected")
        body = f"const fetch = modules['published.js'].begin();\n{body}"
        first = "await modules['published.js'].unpack();\n"
    if re.search(r"^\s*(import|export)\b|\bimport\(", body, re.M):
        raise BundleError(name, "imports or exports in a way that is not understood")
    return f"{first}modules[{name!r}] = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();"


def _place(importer: str, imported: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(importer), imported))


def _renamed(names: str) -> str:
    return re.sub(r"(\w+) as (\w+)", r"\1: \2", names)


# The files that pages load


def add_to(app: Flask) -> None:
    """Serve the joined files beside the single ones, under the version of all of them."""
    app.add_url_rule(f"{app.static_url_path}/joined/<name>", "joined", joined)


def joined(name: str) -> Response:
    """One of the joined files, to be kept for good: its address has a version."""
    if name not in SHEETS and name not in SCRIPTS:
        abort(404)
    answer = make_response(_text(name))
    answer.mimetype = "text/css" if name in SHEETS else "text/javascript"
    answer.cache_control.public = True
    answer.cache_control.max_age = current_app.get_send_file_max_age(name)
    return answer


@cache
def _text(name: str) -> str:
    return style(*SHEETS[name]) if name in SHEETS else bundle(SCRIPTS[name])


def style(*names: str) -> str:
    """These style sheets, one after the other, without comments and line breaks."""
    folder = resources.files("web").joinpath("static")
    text = "\n".join(folder.joinpath(name).read_text("utf-8") for name in names)
    return _NEEDLESS.sub(" ", text)


# The data of a page, compressed


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
