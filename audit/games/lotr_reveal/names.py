"""Cards and keywords by the names people write: as printed, in any of our languages, or as an id."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

from audit.core.catalogue import LANGUAGES, words
from audit.core.typography import folded

PACKAGE = "audit.games.lotr_reveal"
_NUMBER_BEHIND = re.compile(r"(.+?)[ -](\d{1,3})")


@lru_cache(maxsize=4096)
def canonical(name: str) -> str:
    """The id of a card by any name it has: `A Test of Will` and `test-of-will` are one card."""
    plain, mark, copy = name.partition("#")
    alike = _alike(plain)
    return _ids("card").get(alike, alike) + mark + copy


def _alike(name: str) -> str:
    """A name in small letters without accents and signs; a handle such as `?1` stays as it is."""
    if name.startswith("?"):
        return name
    return "-".join(re.findall(r"\w+", folded(name)))


@cache
def _ids(kind: str) -> Mapping[str, str]:
    """The ids of a kind of things, such as `card` or `type`, by the names they have in our languages."""
    return {
        _alike(name): key.removeprefix(f"{kind}.")
        for language in LANGUAGES
        for key, name in words(PACKAGE, language, "names").items()
        if key.startswith(f"{kind}.")
    }


@lru_cache(maxsize=1024)
def keyword_called(name: str) -> str:
    """The id of a keyword by any name it has: `Maudit` is `doomed`. Any other keyword is called as it is written."""
    return _keywords().get(_alike(name), name.casefold())


@lru_cache(maxsize=1024)
def gain_called(gained: str) -> str:
    """A keyword with its value, such as `doomed 2`, by the id of the keyword."""
    name, mark, value = gained.rpartition(" ")
    return f"{keyword_called(name)} {value}" if mark and value.isdecimal() else keyword_called(gained)


def keyword_with_value(told: str) -> tuple[str, int | None]:
    """A keyword's id and the number behind it, with a blank or a hyphen between; None where no number stands there."""
    found = _NUMBER_BEHIND.fullmatch(told)
    return (keyword_called(found[1]), int(found[2])) if found else (told, None)


@cache
def _keywords() -> Mapping[str, str]:
    """The ids of the keywords that the document names, by the names they have in our languages."""
    found: dict[str, str] = {}
    for language in LANGUAGES:
        for key, name in words(PACKAGE, language, "names").items():
            if key.startswith("keyword."):
                id, plain = key.removeprefix("keyword."), _alike(name.partition(" (")[0])
                found[plain + "-x" if id.endswith("-x") else plain] = found[id] = id
    return found


@lru_cache(maxsize=1024)
def kind_called(name: str) -> str:
    """The id of a type of cards by any name it has: `Ennemi` is `enemy`; so of a trait that the document names.

    Any other trait is an id of its own.
    """
    alike = _alike(name.replace("_", " "))
    return _ids("type").get(alike) or _ids("trait").get(alike, alike)


def names_of(ids: Iterable[str]) -> Mapping[str, str]:
    """Each id by its own spelling and by the name it is known by; of two spellings of one card the first counts."""
    found: dict[str, str] = {}
    for id in ids:
        called = found.setdefault(canonical(id), spelt(found, id))
        found.setdefault(id, called)
    return found


def spelt(names: Mapping[str, str], name: str) -> str:
    """The id by which the setup calls a card of that name; a name it does not have is an id of its own."""
    known = names.get(name) or names.get(canonical(name))
    if known:
        return known
    plain, mark, copy = name.partition("#")
    return spelt(names, plain) + mark + copy if mark else name
