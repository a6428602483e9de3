"""Writes the folder that `audit site` makes: the program for the browser, and the page that starts it."""

from __future__ import annotations

import gzip
import hashlib
import json
import lzma
import shutil
import tarfile
import tomllib
import zipfile
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from audit.core.catalogue import LANGUAGES
from web.offline.fetching import CannotBuildError, parts, run
from web.offline.packing import pack_program, pack_stdlib

MARK = ".audit-site"
PAGES = ("index.html", "404.html")
"""The same page twice: hosts show the second one for every address they have no file for."""
PACKED = ("pyodide.asm.wasm", "pyodide.asm.mjs")
"""Sent compressed, whatever the host does, and unpacked on the device."""
PACKING = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "pb": 0}]
"""For text and compiled modules, of which no byte depends on where in a word it stands."""
WHEN, WHEN_SECONDS = (1980, 1, 1, 0, 0, 0), 315_532_800


class Built(Struct, frozen=True):
    """What was written: how many files, their bytes, and the bytes that go over the wire at the first visit."""

    files: int
    size: int
    sent: int


def build(folder: Path, pyodide: Path | None = None) -> Built:
    """Write the site into a folder that is new, empty or an earlier site; raises `CannotBuildError`."""
    if folder.exists() and any(folder.iterdir()) and not (folder / MARK).exists():
        raise CannotBuildError(f"{folder}: there is something else in this folder already")
    found = parts(pyodide)
    with TemporaryDirectory() as scratch:
        stage, made = Path(scratch) / "stage", Path(scratch) / "site"
        pack_program(stage / "app", found.msgspec)
        pack_stdlib(stage / "stdlib", found.pyodide / "python_stdlib.zip")
        _compile(stage, found.pyodide)
        _write_core(made / "core", stage, found.pyodide)
        _write_pages(made)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(made, folder)
    return _counted(folder)


def _compile(stage: Path, pyodide: Path) -> None:
    """Without Node.js everything stays source: only the first answer of a device takes longer."""
    if node := shutil.which("node"):
        run(
            [node, str(_file("compile.mjs")), str(pyodide.absolute()), str(stage)],
            "Pyodide did not compile the program",
        )


def _write_core(core: Path, stage: Path, pyodide: Path) -> None:
    core.mkdir(parents=True)
    _tar(stage / "app", core / "program.tar.xz")
    _zip(stage / "stdlib", core / "python_stdlib.zip")
    shutil.copy(pyodide / "pyodide.mjs", core)
    for name in PACKED:
        (core / f"{name}.packed").write_bytes(gzip.compress((pyodide / name).read_bytes(), 9, mtime=0))
    lock = json.loads((pyodide / "pyodide-lock.json").read_text())
    (core / "pyodide-lock.json").write_text(json.dumps({"info": lock["info"], "packages": {}}))
    shutil.copy(_file("worker.js"), core)


def _write_pages(site: Path) -> None:
    for name in ("shell.js", "shell.css"):
        shutil.copy(_file(name), site / "core")
    shutil.copy(Path(str(resources.files("web"))) / "static" / "icon.svg", site)
    shutil.copy(_file("manifest.json"), site / "manifest.webmanifest")
    words = json.dumps(_words(), ensure_ascii=False).replace("<", "\\u003c")
    page = _file("shell.html").read_text("utf-8").replace("WORDS", words)
    for name in PAGES:
        (site / name).write_text(page, "utf-8")
    _write_service(site)
    (site / MARK).write_text("")


def _write_service(site: Path) -> None:
    """The service worker knows the files by name, and the version by what is in them."""
    names = sorted(str(path.relative_to(site)) for path in site.rglob("*") if path.is_file() and path.name != PAGES[1])
    version = hashlib.sha256(b"".join((site / name).read_bytes() for name in names)).hexdigest()[:16]
    known = f"const VERSION = {json.dumps(version)};\nconst FILES = {json.dumps(names)};\n"
    (site / "service.js").write_text(known + _file("service.js").read_text("utf-8"), "utf-8")


def _words() -> dict[str, dict[str, str]]:
    """The words of the page around the pages, in every language."""
    text = resources.files("web") / "text"
    return {code: tomllib.loads((text / code / "offline.toml").read_text("utf-8")) for code in LANGUAGES}


def _file(name: str) -> Path:
    return Path(str(resources.files("web"))) / "offline" / "files" / name


def _tar(folder: Path, archive: Path) -> None:
    """Solid, like beside like, and of one time: modules compiled on a device are known by the time of their sources."""
    files = sorted((path.suffix, path) for path in folder.rglob("*") if path.is_file())
    with lzma.open(archive, "wb", filters=PACKING) as packed, tarfile.open(fileobj=packed, mode="w") as made:
        for _, file in files:
            entry = tarfile.TarInfo(str(file.relative_to(folder)))
            entry.size, entry.mtime = file.stat().st_size, WHEN_SECONDS
            with file.open("rb") as content:
                made.addfile(entry, content)


def _zip(folder: Path, archive: Path) -> None:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(str(file.relative_to(folder)), WHEN)
            entry.compress_type = zipfile.ZIP_DEFLATED
            made.writestr(entry, file.read_bytes())


def _counted(folder: Path) -> Built:
    files = [path for path in folder.rglob("*") if path.is_file() and path.name not in (MARK, PAGES[1])]
    contents = [path.read_bytes() for path in files]
    sent = sum(min(len(each), len(gzip.compress(each, 9))) for each in contents)
    return Built(len(files), sum(map(len, contents)), sent)
