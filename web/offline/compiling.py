"""Compiles what a first answer needs when the site is built: a browser would spend half of its time on that.

This runs in Pyodide, in Node.js, because only that Python writes what it will read.
"""

from __future__ import annotations

import marshal
import sys
from collections.abc import Collection, Iterable
from importlib import import_module
from importlib.machinery import SourceFileLoader
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType

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
    kept = keep_what_is_imported(stage / PROGRAM)
    _answer()
    for source, code in kept.items():
        put_in_place(source, code)
    for name in _imported(library):
        compile_file(stage / STDLIB, name)
    part(stage / STDLIB, stage / LATER, begins)


def keep_what_is_imported(folder: Path) -> dict[Path, bytes]:
    """From now on, whatever is imported from a folder is compiled as it is for a device, and kept by its source."""
    kept: dict[Path, bytes] = {}

    def source_to_code(loader: SourceFileLoader, data: bytes, path: str) -> CodeType:
        source = Path(path)
        if not source.is_relative_to(folder):
            return compiled(data, path)
        code = compiled(data, str(source.relative_to(folder)))
        kept[source] = marshal.dumps(code)
        return code

    SourceFileLoader.source_to_code = source_to_code  # type: ignore[assignment,method-assign]
    return kept


def compile_file(folder: Path, name: str) -> None:
    """Put a compiled module in the place of its source."""
    put_in_place(folder / name, marshal.dumps(compiled((folder / name).read_bytes(), name)))


def compiled(source: bytes, name: str) -> CodeType:
    """The code of a module without what a device does not ask for."""
    keeps = 1 if Path(name).stem in DESCRIBED else 2
    code: CodeType = compile(source, name, "exec", dont_inherit=True, optimize=keeps)
    return code


def put_in_place(source: Path, code: bytes) -> None:
    """Put the code of a module in the place of its source."""
    source.with_suffix(".pyc").write_bytes(MAGIC_NUMBER + bytes(12) + code)
    source.unlink()


def part(stdlib: Path, later: Path, begins: Collection[str]) -> None:
    """Leave what Python begins with, whole packages of it, and move everything else."""
    for path in sorted(stdlib.iterdir()):
        if path.name.partition(".")[0] not in begins:
            later.mkdir(parents=True, exist_ok=True)
            path.rename(later / path.name)


def _answer() -> None:
    from web.offline.device import Device

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
