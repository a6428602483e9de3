"""Interface for quotations of rules: rulebooks belong to the user and are kept elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct


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
        """The passages in every loaded language."""

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
