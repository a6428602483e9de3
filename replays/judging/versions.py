"""By what a game was judged: the version of this program, and a fingerprint of the rules of the game.

Both move by themselves with every change of the code or the words, so that a file of another version never passes for
one of this version.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import msgspec

from audit.core.catalogue import LANGUAGES, Rule
from audit.core.files import package_folder
from audit.core.ruleset import ruleset

PACKAGES = ("audit", "replays", "web")
"""What judges a game and makes a file of it. The command line only passes on what they say."""
AUDITOR = ("audit", "replays.judging")
"""What judges a game, and takes from it what lists and statistics keep."""
SOURCES = frozenset({".py", ".toml", ".json", ".html", ".css", ".js", ".po", ".svg", ".txt"})


@cache
def engine() -> str:
    """The version of this program and, after a `+`, a fingerprint of its code and its words."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        number = version("audit")
    except PackageNotFoundError:
        number = "0"
    return f"{number}+{code_digest(_folders(PACKAGES))[:12]}"


def _folders(packages: Iterable[str]) -> Iterator[Path]:
    """Where these packages are; they need not be imported for that."""
    for name in packages:
        found = find_spec(name)
        yield from map(Path, (found.submodule_search_locations if found else None) or ())


def code_digest(folders: Iterable[Path]) -> str:
    """A fingerprint of the sources in these folders; whether they are compiled as well makes no difference."""
    found = sha256()
    for folder in folders:
        for name, data in sorted(_sources(folder, "")):
            found.update(f"{name}\n{len(data)}\n".encode() + data)
    return found.hexdigest()


def _sources(folder: Path, inside: str) -> Iterator[tuple[str, bytes]]:
    for each in folder.iterdir():
        name = f"{inside}/{each.name}"
        if each.is_dir():
            yield from _sources(each, name)
        elif name[name.rfind(".") :] in SOURCES:
            yield name, each.read_bytes().replace(b"\r\n", b"\n")


@cache
def judge(package: str) -> str:
    """What judges the games whose rules lie in that package: a fingerprint of the auditor and of those rules.

    It stays the same while only pages, files and commands change.
    """
    rules = () if package.startswith(f"{AUDITOR[0]}.") else (package,)
    return code_digest(_folders((*AUDITOR, *rules)))[:16]


@cache
def fingerprint(name: str) -> str:
    """The fingerprint of a game: the code of its rules, their places, their statements in every language."""
    catalogue = ruleset(name).catalogue
    rules = [tuple(getattr(rule, field) for field in Rule.__struct_fields__) for rule in catalogue]
    found = sha256(msgspec.json.encode((catalogue.documents, rules), order="sorted"))
    for language in LANGUAGES:
        found.update(sha256(_statements(catalogue.package, language)).digest())
    found.update(code_digest([package_folder(catalogue.package)]).encode())
    return found.hexdigest()


def _statements(package: str, language: str) -> bytes:
    try:
        return package_folder(package).joinpath("text", language, "rules.toml").read_bytes()
    except FileNotFoundError:
        return b""
