"""Keeps the modules of a first start in compiled form, so that every later start on this device is fast.

Two archives are made: the program, and the standard library. What was not imported stays source.
"""

from __future__ import annotations

import marshal
import sys
import zipfile
from collections.abc import Iterator
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path

PART = 15
"""Modules between two moments in which a question may be answered."""


def settle(program: Path, stdlib: Path, made: Path) -> Iterator[str]:
    """Make `program.zip` and `python_stdlib.zip` in a folder, in small steps; gives the name of each that is done."""
    made.mkdir(exist_ok=True)
    yield from _archive(made / "program.zip", _program(program))
    yield from _archive(made / "python_stdlib.zip", _stdlib(stdlib))


def _archive(path: Path, members: Iterator[tuple[str, bytes]]) -> Iterator[str]:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for number, (name, content) in enumerate(members):
            archive.writestr(zipfile.ZipInfo(name), content)
            if number % PART == 0:
                yield ""
    yield path.name


def _program(folder: Path) -> Iterator[tuple[str, bytes]]:
    for file in sorted(folder.rglob("*")):
        if not file.is_file() or file.parent.name == "__pycache__":
            continue
        name, kept = str(file.relative_to(folder)), Path(cache_from_source(str(file)))
        if file.suffix == ".py" and kept.exists():
            yield f"{name}c", kept.read_bytes()
        else:
            yield name, file.read_bytes()


def _stdlib(archive: Path) -> Iterator[tuple[str, bytes]]:
    imported = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
    with zipfile.ZipFile(archive) as sources:
        for name in sources.namelist():
            content = sources.read(name)
            if name.endswith(".py") and f"{archive}/{name}" in imported:
                code = compile(content, name, "exec", dont_inherit=True, optimize=2)
                yield f"{name}c", MAGIC_NUMBER + bytes(12) + marshal.dumps(code)
            else:
                yield name, content
