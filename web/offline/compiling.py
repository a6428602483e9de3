"""Compiles what a first answer needs when the site is built: a browser would spend half of its time on that.

This runs in Pyodide, in Node.js, because only that Python writes what it will read.
"""

from __future__ import annotations

import marshal
import sys
from collections.abc import Collection, Iterable
from importlib import import_module
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from tempfile import TemporaryDirectory

from web.offline.device import Device

PROGRAM, STDLIB, LATER = "app", "stdlib", "app/stdlib"
"""Folders of what is packed: the program, what Python begins with, and the rest of its library."""
UNPACKS = ("lzma", "tarfile", "zipfile")
"""Modules that are needed before the program is unpacked."""
SITE = "https://games.example/"
POSITION = "compile/3A.action.-/fire.life.water:f3*;;:5:9:/death.metal.speed:;d2;:4:9:"
PAGES = (f"ask?position={POSITION}&event=A+refresh", "table")
DESCRIBED = frozenset({"events", "record_events", "setup_entries", "words", "cards", "model"})
"""Modules of declarations keep their docstrings: the document of the API says them."""


def compile_first(stage: Path, library: str, begun: Iterable[str]) -> None:
    """Compile the modules that a first answer imports, and part the library.

    `library` is where the standard library was imported from, and `begun` are the modules Python began with.
    """
    begins = {name.partition(".")[0] for name in (*begun, *UNPACKS)}
    for name in UNPACKS:
        import_module(name)
    _answer()
    for name in _imported(str(stage / PROGRAM)):
        compile_file(stage / PROGRAM, name)
    for name in _imported(library):
        compile_file(stage / STDLIB, name)
    part(stage / STDLIB, stage / LATER, begins)


def compile_file(folder: Path, name: str) -> None:
    """Put a compiled module in the place of its source."""
    source = folder / name
    keeps = 1 if source.stem in DESCRIBED else 2
    code = compile(source.read_bytes(), name, "exec", dont_inherit=True, optimize=keeps)
    source.with_suffix(".pyc").write_bytes(MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
    source.unlink()


def part(stdlib: Path, later: Path, begins: Collection[str]) -> None:
    """Leave what Python begins with, whole packages of it, and move everything else."""
    for path in sorted(stdlib.iterdir()):
        if path.name.partition(".")[0] not in begins:
            later.mkdir(parents=True, exist_ok=True)
            path.rename(later / path.name)


def _answer() -> None:
    with TemporaryDirectory() as folder:
        device = Device(folder, "/")
        for page in PAGES:
            status = device.answer("GET", SITE + page, {}, b"")[0]
            if status != 200:
                raise RuntimeError(f"{page}: {status}")
        device.close()


def _imported(folder: str) -> list[str]:
    """The sources in a folder, or in an archive, that were imported."""
    files = {getattr(module, "__file__", None) or "" for module in list(sys.modules.values())}
    return sorted(file.removeprefix(f"{folder}/") for file in files if file.startswith(folder) and file.endswith(".py"))
