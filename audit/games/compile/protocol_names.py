"""The protocols by the names that they have in the languages of the rules."""

from __future__ import annotations

import re
from functools import cache

from audit.core.catalogue import LANGUAGES, words
from audit.core.typography import folded
from audit.games.compile.cards import PROTOCOLS

PACKAGE = "audit.games.compile"
_LETTERS = re.compile(r"[^\W\d_]+")


@cache
def protocol_names() -> dict[str, tuple[str, ...]]:
    """What each name may mean, in small letters without accents: the protocols that have it in some language."""
    found: dict[str, set[str]] = {}
    for language in LANGUAGES:
        names = words(PACKAGE, language, "names")
        for protocol in PROTOCOLS:
            for name in (protocol, names.get(f"protocol.{protocol}", protocol)):
                found.setdefault("".join(_LETTERS.findall(folded(name))), set()).add(protocol)
    return {name: tuple(sorted(protocols)) for name, protocols in found.items()}


def protocols_meant(word: str) -> tuple[str, ...]:
    """The protocols that have this name in some language; none where it is no protocol's."""
    return (word,) if word in PROTOCOLS else protocol_names().get(folded(word), ())
