"""Which of the auditor's modules run as machine code.

An installed package holds its machine code itself. A checkout has them in `build/native`, made by `make setup`;
they are used only while every source is the file they were made from. With `AUDIT_BUILD=pure` the source is used, with
`AUDIT_BUILD=native` nothing but machine code.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec
from importlib.util import find_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**_: object) -> Callable[[type], type]:
        """What mypyc has to know of a class. Nothing at run time, so that no library is needed for it."""
        return lambda cls: cls


PACKAGE = Path(__file__).parent
BUILT = PACKAGE.parent / "build" / "native"
STAMP = "stamp"
"""The file that names the folder of the last whole build, and the sources it was made from."""
SUFFIX = EXTENSION_SUFFIXES[0]


def sources(folder: Path = PACKAGE) -> str:
    """Name, size and time of every source file, a line each."""
    return "\n".join(sorted(f"{name} {stat.st_size} {stat.st_mtime_ns}" for name, stat in _files(str(folder), "")))


def _files(folder: str, inside: str) -> Iterator[tuple[str, os.stat_result]]:
    with os.scandir(folder) as found:
        for each in found:
            if each.name.endswith(".py"):
                yield inside + each.name, each.stat()
            elif each.is_dir() and each.name != "__pycache__":
                yield from _files(each.path, f"{inside}{each.name}/")


class NativeModules:
    """Finds the modules of one build, before anybody looks for their source."""

    def __init__(self, folder: Path) -> None:
        self.files = {_module(file.relative_to(folder)): str(file) for file in folder.rglob(f"*{SUFFIX}")}

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where the module lies as machine code, or None."""
        file = self.files.get(name)
        if file is None:
            return None
        within = [str(PACKAGE.parent.joinpath(*name.split(".")))] if Path(file).name == f"__init__{SUFFIX}" else None
        loader = ExtensionFileLoader(name, file)
        return spec_from_file_location(name, file, loader=loader, submodule_search_locations=within)


def _module(file: Path) -> str:
    return ".".join(file.parts).removesuffix(SUFFIX).removesuffix(".__init__")


def current_build(built: Path = BUILT, package: Path = PACKAGE) -> Path | None:
    """The folder of a whole build of exactly this source for this Python, or None."""
    try:
        name, _, made_from = (built / STAMP).read_text("utf-8").partition("\n")
    except OSError:
        return None
    fits = name.endswith(SUFFIX) and made_from == sources(package)
    return built / name if fits and (built / name).is_dir() else None


def prefer_native() -> None:
    """Use the machine code of this checkout, if there are any."""
    wanted = os.environ.get("AUDIT_BUILD")
    folder = None if wanted == "pure" else current_build()
    if folder:
        sys.meta_path.insert(0, NativeModules(folder))
    elif wanted == "native" and not is_native():
        raise ImportError("AUDIT_BUILD=native, but there is no machine code of this source")


def is_native() -> bool:
    """Whether the auditor runs as machine code."""
    found = find_spec("audit.core.auditor")
    return found is not None and str(found.origin).endswith(SUFFIX)
