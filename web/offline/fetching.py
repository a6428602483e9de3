"""Pyodide and the compiled wheel it needs: from a folder, or from npm and pip, each checked against its pinned hash."""

from __future__ import annotations

import hashlib
import shutil
import subprocess  # nosec B404: runs npm, pip and node
import sys
import tarfile
import tomllib
from base64 import b64encode
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory

import platformdirs
from msgspec import Struct, convert

from audit.core.errors import AuditError

SECONDS = 300


class CannotBuildError(AuditError):
    """What the machine lacks to build the site, and what to do about it."""


class Pyodide(Struct, frozen=True):
    """Python for the browser: the version, what its npm package hashes to, and the files of it that are used."""

    version: str
    integrity: str
    python: str
    platform: str
    files: tuple[str, ...]


class Wheel(Struct, frozen=True):
    """A wheel built for that Python."""

    version: str
    sha256: str


class Pins(Struct, frozen=True):
    """Everything that is fetched."""

    pyodide: Pyodide
    msgspec: Wheel


class Parts(Struct, frozen=True):
    """What was fetched: the folder of Pyodide, and the wheel of msgspec."""

    pyodide: Path
    msgspec: Path


def pins() -> Pins:
    """What is fetched, as pinned."""
    return convert(tomllib.loads(resources.files("web").joinpath("offline", "pins.toml").read_text()), Pins)


def parts(given: Path | None) -> Parts:
    """Pyodide from the folder that is given, or as fetched before or now; raises `CannotBuildError`."""
    pinned, kept = pins(), platformdirs.user_cache_path("audit", appauthor=False) / "site"
    folder = given or _pyodide(pinned.pyodide, kept / f"pyodide-{pinned.pyodide.version}")
    missing = [name for name in pinned.pyodide.files if not (folder / name).is_file()]
    if missing:
        raise CannotBuildError(f"{folder}: expected Pyodide {pinned.pyodide.version}; there is no {missing[0]}")
    return Parts(folder, _wheel(pinned, folder, kept))


def tool(name: str, instead: str) -> str:
    """Where a program is; raises `CannotBuildError`, which says what to do instead."""
    found = shutil.which(name)
    if not found:
        raise CannotBuildError(f"building the site needs {name}; {instead}")
    return found


def run(command: list[str], what: str) -> None:
    """Run a program; raises `CannotBuildError` with the end of what it said."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)  # nosec B603
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise CannotBuildError(f"{what}: {problem}") from None
    if done.returncode:
        said = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        raise CannotBuildError(f"{what}: {said[-1].strip() if said else 'it failed'}")


def _pyodide(pinned: Pyodide, kept: Path) -> Path:
    if kept.is_dir():
        return kept
    npm = tool("npm", "install Node.js, or name a folder with Pyodide: --pyodide FOLDER")
    with TemporaryDirectory() as scratch:
        package = f"pyodide@{pinned.version}"
        run([npm, "pack", package, "--pack-destination", scratch], f"npm did not give {package}")
        found = next(Path(scratch).glob("*.tgz"))
        if f"sha512-{b64encode(hashlib.sha512(found.read_bytes()).digest()).decode()}" != pinned.integrity:
            raise CannotBuildError(f"npm gave a {package} that is not the pinned one")
        with tarfile.open(found) as archive:
            archive.extractall(scratch, filter="data")
        _keep(Path(scratch) / "package", kept)
    return kept


def _wheel(pinned: Pins, folder: Path, kept: Path) -> Path:
    wanted = f"msgspec-{pinned.msgspec.version}-*{pinned.pyodide.platform}.whl"
    for place in (folder, kept):
        for found in place.glob(wanted):
            return _checked(found, pinned.msgspec)
    with TemporaryDirectory() as scratch:
        run(
            [
                sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:",
                "--platform", pinned.pyodide.platform, "--python-version", pinned.pyodide.python,
                "--abi", f"cp{pinned.pyodide.python.replace('.', '')}", "--dest", scratch,
                f"msgspec=={pinned.msgspec.version}",
            ],
            f"pip did not give {wanted}; put it into the folder of Pyodide (--pyodide FOLDER)",
        )  # fmt: skip
        found = _checked(next(Path(scratch).glob(wanted)), pinned.msgspec)
        return _keep(found, kept / found.name)


def _checked(wheel: Path, pinned: Wheel) -> Path:
    if hashlib.sha256(wheel.read_bytes()).hexdigest() != pinned.sha256:
        raise CannotBuildError(f"{wheel}: not the pinned wheel")
    return wheel


def _keep(found: Path, kept: Path) -> Path:
    kept.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(found, kept)
    return kept
