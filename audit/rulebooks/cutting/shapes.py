"""Line shapes of a kind of document, read from data."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from audit.core.package_files import package_folder
from audit.rulebooks.passages import Kind

GENERIC = "generic"


class LineShape(Struct, frozen=True, forbid_unknown_fields=True):
    """How one sort of line looks. Named groups of `pattern`: `key`, `title`, and `text`, what is to be shown.

    A `heading` opens a section of that `level`; any other kind opens a passage. `holds` keeps the passages
    that follow under this one (an answer under its question, a remark under its rule), as kind `then`.
    `alone` asks that the line before be complete; `longest` bounds the length of the line.
    """

    kind: str
    pattern: str
    level: int = 1
    prefix: str = ""
    holds: bool = False
    alone: bool = False
    longest: int = 10_000
    then: Kind = Kind.PARAGRAPH
    under: str = ""

    @property
    def regex(self) -> re.Pattern[str]:
        """The compiled pattern."""
        return _compiled(self.pattern)


class Apart(Struct, frozen=True, rename={"first": "from"}):
    """Lines that are no rules: from the one that looks like `first` up to the one like `until`."""

    first: str
    until: str


class Shape(Struct, frozen=True, forbid_unknown_fields=True):
    """The looks of one kind of document, tried in order.

    `join` says when a line goes on with the one before: `line` when it begins with a small letter, `open`
    also when the line before is no complete sentence, `stop` as long as no sentence end was followed by a
    blank line, `blank` up to the next blank line. `strip` takes markup out, `mend` puts in what was lost.
    """

    join: Literal["line", "open", "stop", "blank"] = "line"
    scan: str = ""
    look: tuple[LineShape, ...] = ()
    apart: tuple[Apart, ...] = ()
    strip: tuple[str, ...] = (r"\*\*",)
    mend: tuple[tuple[str, str], ...] = ()


class Known(Struct, frozen=True, forbid_unknown_fields=True):
    """A document this package knows how to cut: its game, language and shape."""

    game: str
    language: str
    shape: str
    kind: str = ""


@cache
def known_documents() -> Mapping[str, Known]:
    """The documents known by id."""
    return msgspec.convert(_toml(_data("known.toml")), dict[str, Known])


@cache
def shape_named(name: str) -> Shape:
    """The shape of that name."""
    return msgspec.convert(_toml(_data("looks", f"{name}.toml")), Shape)


def shape_for(document: str) -> tuple[str, Shape]:
    """The shape of a known document, or the generic one."""
    entry = known_documents().get(document)
    name = entry.shape if entry else GENERIC
    return name, shape_named(name)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _data(*parts: str) -> Path:
    return package_folder("audit.rulebooks.cutting").joinpath(*parts)


def _toml(path: Path) -> dict[str, object]:
    return tomllib.loads(path.read_text("utf-8"))
