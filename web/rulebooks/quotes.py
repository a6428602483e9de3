"""Quotations of rules for the pages: none, or those of the rulebooks that the user has loaded."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from typing import Protocol

from flask import has_request_context
from msgspec import Struct

from audit.core.ruleset import ruleset
from replays.rulebooks.folder import rulebooks_folder
from replays.rulebooks.quotes import RulebookQuotes as Looked
from web.site.labels import chosen

FIT = ("quoted", "confirmed")
SECOND = 1.0
"""Every page asks whether rulebooks have changed; the folder is read at most once in so many seconds."""


class Quote(Struct, frozen=True):
    """A passage that says a rule: its words with document, edition and place.

    `fits` is false where the loaded edition no longer has the words the rule was linked to.
    """

    language: str
    text: str
    document: str
    edition: str
    place: str
    fits: bool = True


class Quotes(Protocol):
    """Finds the passages of a rule in the rulebooks that are loaded."""

    def of(self, ruleset: str, rule: str) -> Sequence[Quote]:
        """The passages in every loaded language, the reader's first."""

    def version(self) -> str:
        """A short word that changes whenever a rulebook is loaded or removed."""


class NoQuotes:
    """No rulebook is loaded."""

    def of(self, ruleset: str, rule: str) -> Sequence[Quote]:
        """Nothing to quote."""
        return ()

    def version(self) -> str:
        """Never changes."""
        return "0"


def rulebooks_fingerprint() -> str:
    """Changes with any file in the folder of rulebooks: a rulebook, a link, a dismissal."""
    folder = rulebooks_folder()
    found = sorted((str(path), path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file())
    return hashlib.blake2b(repr(found).encode(), digest_size=8).hexdigest()


class StoredQuotes:
    """Quotations of the loaded editions; looked up again only when the rulebooks change."""

    def __init__(self) -> None:
        self._seen = ""
        self._version, self._again = "0", 0.0
        self._games: dict[str, Looked] = {}

    def of(self, ruleset_name: str, rule: str) -> Sequence[Quote]:
        """The passages in every loaded language, the reader's first; nothing of what is not loaded."""
        self._refresh()
        if ruleset_name not in self._games:
            self._games[ruleset_name] = Looked(ruleset(ruleset_name))
        game = ruleset(ruleset_name)
        found = [
            Quote(said.language, said.text, said.document, said.edition[:8], said.place, str(said.standing) in FIT)
            for said in self._games[ruleset_name].of(game.catalogue[rule])
            if said.text
        ]
        return sorted(found, key=lambda quote: quote.language != chosen()) if has_request_context() else found

    def version(self) -> str:
        """Changes, a second later at most, whenever a rulebook is loaded, linked or removed."""
        now = time.monotonic()
        if now >= self._again:
            self._version, self._again = rulebooks_fingerprint(), now + SECOND
        return self._version

    def _refresh(self) -> None:
        version = self.version()
        if version != self._seen:
            self._seen, self._games = version, {}
