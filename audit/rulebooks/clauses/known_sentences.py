"""What is kept of each sentence of a known edition: its rules, the facts it states, a letter for each word."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache

from msgspec import Struct

from audit.core.files import package_folder
from audit.rulebooks.clauses.frames import facts
from audit.rulebooks.clauses.rewording import Kept, kept
from audit.rulebooks.segments import Sentences
from audit.rulebooks.terms import TermBase

Rules = Mapping[str, tuple[str, ...]]


class KnownSentence(Struct, frozen=True):
    """A sentence of a known edition: the rules it says, the facts it states, and a letter for each of its words."""

    address: str
    rules: tuple[str, ...]
    stated: Kept

    @property
    def names(self) -> tuple[str, ...]:
        """The facts by name, in their order."""
        return self.stated.names


@cache
def known_sentences(document: str) -> Mapping[str, KnownSentence]:
    """The sentences of a known document by address; none for a document without a record."""
    path = package_folder("audit.rulebooks.clauses").joinpath("known", f"{document}.toml")
    if not path.is_file():
        return {}
    entries = tomllib.loads(path.read_text("utf-8"))
    return {
        address: KnownSentence(address, tuple(entry["rules"].split()), _read_back(entry["facts"], entry["words"]))
        for address, entry in entries.items()
    }


def _read_back(row: str, letters: str) -> Kept:
    """Facts as they are kept, each with its first word and the one behind its last: `modality:must@3-4`."""
    names, _, places = zip(*(fact.partition("@") for fact in row.split()), strict=True) if row else ((), (), ())
    spans = (place.partition("-") for place in places)
    return Kept(letters, tuple(names), tuple((int(start), int(end)) for start, _, end in spans))


def _row(stated: Kept) -> str:
    pairs = zip(stated.names, stated.places, strict=True)
    return " ".join(f"{name}@{start}-{end}" for name, (start, end) in pairs)


def stated_by(document: Sentences, language: str, rules: Rules, base: TermBase) -> dict[str, KnownSentence]:
    """What the sentences of an edition at hand state, those that say a rule."""
    return {
        address: KnownSentence(address, rules[address], kept(one.text, facts(one.text, language, base), language, base))
        for address, one in document.items()
        if address in rules
    }


def record(document: Sentences, language: str, rules: Rules, base: TermBase) -> str:
    """The file that `known_sentences` reads, for the sentences of an edition that say a rule."""
    head = "# What each sentence of this edition states, by its address. No word of the document is here.\n"
    return head + "".join(
        f'"{address}" = {{rules = "{" ".join(one.rules)}", words = "{one.stated.letters}", '
        f'facts = "{_row(one.stated)}"}}\n'
        for address, one in stated_by(document, language, rules, base).items()
    )
