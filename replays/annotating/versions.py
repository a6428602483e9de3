"""By what a game was judged: the version of this program, and a fingerprint of the catalogue of the game's rules."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib import resources
from importlib.metadata import PackageNotFoundError, version

import msgspec

from audit.catalogue import LANGUAGES, Rule
from audit.ruleset import ruleset


@cache
def engine() -> str:
    """The version of this program; `unknown` where it is not installed."""
    try:
        return version("audit")
    except PackageNotFoundError:
        return "unknown"


@cache
def fingerprint(name: str) -> str:
    """The fingerprint of the catalogue of a game: its rules, their places, their statements in every language."""
    catalogue = ruleset(name).catalogue
    rules = [tuple(getattr(rule, field) for field in Rule.__struct_fields__) for rule in catalogue]
    found = sha256(msgspec.json.encode((catalogue.documents, rules), order="sorted"))
    for language in LANGUAGES:
        found.update(sha256(_statements(catalogue.package, language)).digest())
    return found.hexdigest()


def _statements(package: str, language: str) -> bytes:
    try:
        return resources.files(package).joinpath("text", language, "rules.toml").read_bytes()
    except FileNotFoundError:
        return b""
