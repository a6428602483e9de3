"""Joins the JavaScript modules of the viewer into one script, for a file that opens without a server.

Each module becomes a function that returns its exports. Only the forms of `import` and `export` that our modules use
are understood; any other form raises an error.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from importlib import resources

from audit.core.errors import AuditError

_IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.M)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let) (\w+))", re.M)
_START = "start();"


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
