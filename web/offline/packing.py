"""What a browser is given of this program and of the packages it needs, copied into one folder."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Iterator
from importlib import resources
from importlib.metadata import PackageNotFoundError, PackagePath, distribution
from pathlib import Path, PurePosixPath

from packaging.requirements import Requirement

from audit.catalogue import LANGUAGES

OURS = ("audit", "replays", "web")
LEFT_OUT = frozenset({"cryptography", "prompt-toolkit", "flask-swagger-ui", "msgspec"})
"""Packages that are not for a browser, and the one that comes as a wheel of its own."""

COMPILED_HERE = frozenset({".so", ".pyd", ".pyi", ".pyc", ".c", ".pyx", ".pxd", ".po", ".pot"})
FOLDERS_LEFT_OUT = frozenset({"__pycache__", "zoneinfo", "tests", "testing", "__pyinstaller"})
STDLIB_LEFT_OUT = (
    "pydoc.py", "pydoc_data/", "doctest.py", "pdb.py", "unittest/", "idlelib/", "turtle.py", "turtledemo/",
    "tkinter/", "lib2to3/", "ensurepip/", "venv/", "mailbox.py", "imaplib.py", "poplib.py", "smtplib.py", "ftplib.py",
    "xmlrpc/", "wsgiref/", "dbm/", "curses/", "multiprocessing/", "concurrent/futures/process.py", "pickletools.py",
    "cProfile.py", "profile.py", "pstats.py", "tracemalloc.py", "trace.py", "tabnanny.py", "pyclbr.py", "_pyio.py",
    "_pydecimal.py", "nturl2path.py", "ntpath_tests.py", "modulefinder.py", "webbrowser.py", "_pyrepl/", "test/",
    "xml/dom/", "xml/sax/expatreader.py", "zipapp.py", "timeit.py", "telnetlib.py", "antigravity.py", "this.py",
    "__phello__/",
    "encodings/cp1", "encodings/cp7", "encodings/cp8", "encodings/cp9", "encodings/mac_", "encodings/iso8859_",
    "encodings/euc_", "encodings/big5", "encodings/gb", "encodings/shift", "encodings/iso2022", "encodings/johab",
    "encodings/koi8", "encodings/ptcp", "encodings/tis", "encodings/hz", "encodings/kz",
)  # fmt: skip
"""Modules of the standard library that nothing here asks for."""


def pack_program(folder: Path, wheel: Path) -> None:
    """Copy this program, the packages it needs and the unpacked wheel into a folder."""
    for name in OURS:
        _copy_tree(Path(str(resources.files(name))), folder / name)
    for name in ("audit", *sorted(packages())):
        for file in distribution(name).files or ():
            if _is_wanted(file) and file.parts[0] not in (*OURS, "commands", "cli.py", "cli_start.py"):
                _copy(Path(str(file.locate())), folder / file)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)


def pack_stdlib(folder: Path, archive: Path) -> None:
    """Copy the standard library of a Pyodide into a folder, without what nothing here asks for."""
    with zipfile.ZipFile(archive) as stdlib:
        stdlib.extractall(folder, [name for name in stdlib.namelist() if not name.startswith(STDLIB_LEFT_OUT)])


def packages() -> frozenset[str]:
    """The names of the packages that are needed, and of those that these need."""
    found: set[str] = set()
    waiting = list(_needed_by("audit"))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(_needed_by(name))
    return frozenset(found)


def _needed_by(name: str) -> Iterator[str]:
    try:
        requirements = distribution(name).requires or ()
    except PackageNotFoundError:
        return
    for requirement in map(Requirement, requirements):
        if requirement.name.lower() not in LEFT_OUT and (not requirement.marker or requirement.marker.evaluate()):
            yield requirement.name.lower()


def _is_wanted(file: PackagePath) -> bool:
    parts = PurePosixPath(file).parts
    if ".." in parts or file.suffix in COMPILED_HERE or FOLDERS_LEFT_OUT & set(parts):
        return False
    if parts[0].endswith(".dist-info"):
        return file.name in ("METADATA", "entry_points.txt")
    return parts[:2] != ("babel", "locale-data") or file.stem in ("root", *LANGUAGES)


def _copy_tree(source: Path, target: Path) -> None:
    for file in source.rglob("*"):
        inside = file.relative_to(source)
        if file.is_file() and file.suffix not in COMPILED_HERE and not FOLDERS_LEFT_OUT & set(inside.parts):
            _copy(file, target / inside)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
