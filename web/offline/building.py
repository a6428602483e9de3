"""Writes the folder that `audit site` makes: the program for the browser, and the page that starts it."""

from __future__ import annotations

import gzip
import hashlib
import json
import lzma
import pickle  # nosec B403: reads what Babel comes with
import shutil
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from importlib import resources
from importlib.metadata import PackageNotFoundError, PackagePath, distribution
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from msgspec import Struct
from packaging.requirements import Requirement

from audit.core.catalogue import LANGUAGES
from web.offline.fetching import CannotBuildError, parts, run

MARK = ".audit-site"
PAGES = ("index.html", "404.html")
"""The same page twice: hosts show the second one for every address they have no file for."""
PACKED = ("pyodide.asm.wasm", "pyodide.asm.mjs")
"""Sent compressed, whatever the host does, and unpacked on the device."""
PACKING = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "pb": 0}]
"""For text and compiled modules, of which no byte depends on where in a word it stands."""
WHEN, WHEN_SECONDS = (1980, 1, 1, 0, 0, 0), 315_532_800
OURS = ("audit", "replays", "web")
OURS_LEFT_OUT = (
    "audit/games/*/cases/*", "replays/conformance/*", "replays/generating/*", "replays/importing/journals/*",
    "audit/rulebooks/clauses/known/*.toml", "audit/rulebooks/editions/*.toml",
    *(f"audit/rulebooks/checks/tables/{code}.toml" for code in ("cs", "de", "es", "nl", "pt", "ru")),
    *(f"replays/season/{name}.py" for name in ("cache", "cluster", "comparing", "judging", "season", "showing",
                                               "sources", "watching", "workers")),
    *(f"replays/terminal/{name}.py" for name in ("answers", "cases", "comparison", "reports", "season", "variations")),
    *(f"web/publishing/{name}.py" for name in ("check", "check_page", "withheld")),
    *(f"replays/cases/{name}.py" for name in ("bundle_check", "consequences")),
    "replays/text/*/usage.toml", "replays/trust/witness.py",
    "replays/library.py", "replays/log/event_reference.py", "web/wsgi.py",
    *(f"web/offline/{name}.py" for name in ("building", "fetching")),
)  # fmt: skip
"""What only commands and tests ask for: cases of rules, checks of rulesets and of published files, simulated games,
journals of programs, other machines, and what rulebooks are compared by, of which a device holds none."""
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
    "encodings/koi8", "encodings/ptcp", "encodings/tis", "encodings/hz", "encodings/kz", "encodings/cp0",
    "encodings/cp2", "encodings/cp424", "encodings/cp5", "encodings/palmos", "encodings/hp_roman8",
    "argparse.py", "optparse.py", "configparser.py", "_pydatetime.py", "bdb.py", "cmd.py", "plistlib.py", "wave.py",
    "compileall.py", "py_compile.py", "symtable.py", "shelve.py", "fileinput.py", "filecmp.py", "getopt.py",
    "rlcompleter.py", "http/cookiejar.py", "logging/config.py", "logging/handlers.py", "asyncio/windows_",
    "asyncio/proactor_events.py", "asyncio/tools.py", "asyncio/__main__.py", "xml/etree/ElementInclude.py",
    "ctypes/_aix.py", "urllib/robotparser.py", "sysconfig/__main__.py", "sched.py", "netrc.py", "graphlib.py",
    "concurrent/interpreters/", "concurrent/futures/interpreter.py", "pathlib/types.py",
    "json/tool.py", "pyodide/console.py", "_ios_support.py", "_android_support.py", "_aix_support.py",
)  # fmt: skip
"""Modules of the standard library that nothing here asks for."""
PACKAGES_LEFT_OUT = (
    "babel/messages/extract.py", "babel/messages/frontend.py", "babel/messages/jslexer.py",
    "babel/messages/setuptools_frontend.py", "click/testing.py", "eventsourcing/dcb/", "eventsourcing/postgres.py",
    "eventsourcing/system.py", "eventsourcing/projection.py", "eventsourcing/interface.py", "eventsourcing/cipher.py",
    "packaging/licenses/", "packaging/metadata.py", "packaging/pylock.py", "packaging/tags.py", "packaging/ranges.py",
    "packaging/_ranges.py", "packaging/specifiers.py", "packaging/markers.py", "packaging/requirements.py",
    "packaging/_parser.py", "packaging/_tokenizer.py", "packaging/_elffile.py", "packaging/_manylinux.py",
    "packaging/_musllinux.py", "click/shell_completion.py", "click/_termui_impl.py", "segno/cli.py",
    "apispec/yaml_utils.py", "webargs/aiohttpparser.py", "webargs/asyncparser.py", "webargs/bottleparser.py",
    "webargs/djangoparser.py", "webargs/falconparser.py", "webargs/pyramidparser.py", "werkzeug/debug/",
    "werkzeug/_reloader.py", "werkzeug/middleware/http_proxy.py", "werkzeug/middleware/lint.py",
    "werkzeug/middleware/profiler.py",
)  # fmt: skip
"""Modules of packages that nothing here asks for: of other frameworks, of other databases, of commands."""

STEMMERS = "snowballstemmer"
STEMMERS_KEPT = frozenset(
    {"among", "basestemmer", "english_stemmer", "french_stemmer", "italian_stemmer", "polish_stemmer"}
)
"""Of the languages it knows, those in which rules are searched; each is imported by its own name."""

CLDR = "babel"
CLDR_LEFT_OUT = frozenset({
    "unit_patterns", "unit_display_names", "compound_unit_patterns", "currency_names", "currency_names_plural",
    "compact_currency_formats", "likely_subtags", "territory_languages", "territory_currencies", "territory_zones",
    "zone_territories", "windows_zone_mapping",
})  # fmt: skip
"""Words for units and money, and what is spoken and paid where."""


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
    write_service(site)
    (site / MARK).write_text("")


def write_service(site: Path) -> None:
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


# What is packed


def pack_program(folder: Path, wheel: Path) -> None:
    """Copy this program, the packages it needs and the unpacked wheel into a folder."""
    for name in OURS:
        _copy_tree(Path(str(resources.files(name))), folder / name)
    for name in ("audit", *sorted(packages())):
        for file in distribution(name).files or ():
            if _is_wanted(file) and file.parts[0] not in (*OURS, "commands", "cli.py", "cli_start.py"):
                _copy(Path(str(file.locate())), folder / file)
    (folder / STEMMERS / "__init__.py").write_text("", "utf-8")  # it would import every language
    for data in (folder / CLDR).rglob("*.dat"):
        _trim(data)
    for about in folder.glob("*.dist-info/METADATA"):
        about.write_bytes(about.read_bytes().partition(b"\n\n")[0] + b"\n\n")  # without its description
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
    if str(PurePosixPath(file)).startswith(PACKAGES_LEFT_OUT):
        return False
    if parts[0] == STEMMERS:
        return file.stem in STEMMERS_KEPT
    return parts[:2] != ("babel", "locale-data") or file.stem in ("root", *LANGUAGES)


def _trim(data: Path) -> None:
    """Empty what nothing here asks of the data of a language."""
    found = pickle.loads(data.read_bytes())  # nosec B301
    data.write_bytes(pickle.dumps({name: {} if name in CLDR_LEFT_OUT else of for name, of in found.items()}, 2))


def _copy_tree(source: Path, target: Path) -> None:
    for file in source.rglob("*"):
        inside = file.relative_to(source)
        if any(PurePosixPath(source.name, inside).match(pattern) for pattern in OURS_LEFT_OUT):
            continue
        if file.is_file() and file.suffix not in COMPILED_HERE and not FOLDERS_LEFT_OUT & set(inside.parts):
            _copy(file, target / inside)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
