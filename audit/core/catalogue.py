"""The catalogue of rules: a stable id, its places in the documents, a statement in four languages.

A citation is a `Rule` object, never a string: a rule that does not exist is a NameError, and "find references"
on a rule lists all the code that applies it. Statements live in `text/<language>/rules.toml` of each ruleset.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from functools import cache, lru_cache
from types import ModuleType

from msgspec import Struct, convert

from audit.core.errors import UnknownEditionError, UnknownRuleError
from audit.core.files import package_folder
from audit.core.typography import READ_NOT_SHOWN, typeset_words

_DATE = re.compile(r"\d{4}(-\d\d){0,2}")

LANGUAGES = ("en", "fr", "it", "pl")

DEFINITION = "definition"
PROCEDURE = "procedure"
OBLIGATION = "obligation"
PERMISSION = "permission"
PROHIBITION = "prohibition"
TIMING = "timing"
LIMIT = "limit"
ERRATA = "errata"

FIRST_EDITION = "first"
"""The rules and cards as first printed, before any ruling."""


Words = str | Iterable[str]
"""Several words: one after another with blanks between, or a list."""


class Place(Struct, frozen=True):
    """Where a document says a rule: lines counted from 1 in the stored text, under the nearest heading.

    `implied` marks a passage that assumes the rule or shows it in an example.
    """

    lines: tuple[int, int]
    section: str
    also_at: tuple[tuple[int, int], ...] = ()
    implied: bool = False


class Rule(Struct, frozen=True, eq=False):
    """One entry of a catalogue. Compared and hashed by identity: there is one object a rule."""

    id: str
    kind: str
    topic: str
    events: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    basis: tuple[str, ...] = ()
    places: Mapping[str, Place] = {}
    checkable: bool = True
    unofficial: bool = False
    contested: bool = False
    derived: bool = False

    def __repr__(self) -> str:
        return f"<{self.id}>"


class Ruling(Rule, frozen=True, eq=False):
    """What the publisher said after the rules were printed: one entry of `rulings.toml`.

    Its `kind` is clarification, ruling or erratum, its `cards` and `events` say what it is about, and `bears_on` the
    rules before which it is cited. It holds from its `edition` on, until that of the entry it is `superseded_by`.
    `lasting` marks a text that works while its card lies on the table, whatever acts. `changes_play` says that games
    under an earlier edition are judged otherwise.
    """

    number: str = ""
    bears_on: tuple[str, ...] = ()
    edition: str = ""
    date: str = ""
    superseded_by: str = ""
    lasting: bool = False
    changes_play: bool = False


@lru_cache(maxsize=1024)
def each_once(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """The rules without repetition; the same few lists come again and again."""
    return tuple(dict.fromkeys(rules))


def at(lines: int | tuple[int, int], section: str, *also: int | tuple[int, int], implied: bool = False) -> Place:
    """The place of a rule in a document: `at(11, "1 / …")`, `at((76, 77), "…", (82, 83))`."""
    return Place(_span(lines), section, tuple(_span(more) for more in also), implied)


class Topic:
    """Declares the rules of one topic: `rule = Topic("cards")`."""

    def __init__(self, name: str = "") -> None:
        self.name = name

    def __call__(
        self, id: str, kind: str, events: Words = (), *, terms: Words = (), cards: Words = (), basis: Words = (),
        checkable: bool = True, unofficial: bool = False, contested: bool = False, derived: bool = False,
        **places: Place | None,
    ) -> Rule:  # fmt: skip
        """Declare a rule; `places` are the languages of the documents that speak to it (`fr=at(…)`)."""
        return Rule(
            id, kind, self.name or id.split(".")[0], _listed(events), _listed(terms), _listed(cards), _listed(basis),
            {language: place for language, place in places.items() if place}, checkable, unofficial, contested, derived,
        )  # fmt: skip


def _listed(words: Words) -> tuple[str, ...]:
    return tuple(words.split() if isinstance(words, str) else words)


rule = Topic()
"""Declares a rule whose topic is the first word of its id."""


class Catalogue:
    """All rules of one ruleset, by id, in the order of the book, with their words in each language."""

    def __init__(
        self,
        package: str,
        modules: Iterable[ModuleType],
        documents: Mapping[str, str],
        aliases: Mapping[str, str] | None = None,
    ) -> None:
        """`package` holds `text/<language>/rules.toml`; `documents` maps a language to its document's id."""
        self.package = package
        self.documents = documents
        self.aliases = dict(aliases or {})
        self.rules: dict[str, Rule] = {}
        for module in modules:
            self.rules.update((entry.id, entry) for entry in vars(module).values() if isinstance(entry, Rule))
        self.rulings: dict[str, Ruling] = {entry.id: entry for entry in _rulings(package)}
        """The rulings and errata, by id, in the order of their file. Iterating the catalogue gives the rules alone."""
        self.editions: tuple[str, ...] = (FIRST_EDITION, *sorted({one.edition for one in self.rulings.values()}))
        """The editions that rulings make, oldest first; only the first where there are none."""
        self.aliases.update((entry.number, id) for id, entry in self.rulings.items() if entry.number)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules.values())

    def __len__(self) -> int:
        return len(self.rules)

    def __getitem__(self, id: str) -> Rule:
        """The rule or ruling of that id, or of that former id or number; raises `UnknownRuleError`."""
        known = self.aliases.get(id, id)
        found = self.rules.get(known) or self.rulings.get(known)
        if found is None:
            raise UnknownRuleError(id)
        return found

    @property
    def entries(self) -> tuple[Rule, ...]:
        """The rules, then the rulings."""
        return (*self.rules.values(), *self.rulings.values())

    def edition(self, name: str) -> str:
        """The edition of that name; of a date, the last one until then; of nothing, the newest.

        Raises `UnknownEditionError`, but in a game without rulings any name stands for itself.
        """
        if not self.rulings or name in self.editions:
            return name
        if not name:
            return self.editions[-1]
        if not _is_date(name):
            raise UnknownEditionError(name, self.editions)
        until = [one for one in self.editions if one <= name or one.startswith(name)]
        return until[-1] if until else FIRST_EDITION

    def holds(self, ruling: Ruling, edition: str) -> bool:
        """Whether a ruling is in force in an edition of this catalogue."""
        later = self.rulings.get(self.aliases.get(ruling.superseded_by, ruling.superseded_by))
        return self._is_out(ruling, edition) and not (later and self._is_out(later, edition))

    def switches_before(self, edition: str) -> frozenset[str]:
        """The switches by which an edition plays as before later rulings, such as `before-2025-09`."""
        if edition == self.editions[-1]:
            return frozenset()
        return frozenset(
            f"before-{one.edition}"
            for one in self.rulings.values()
            if one.changes_play and not self._is_out(one, edition)
        )

    def changes(self, edition: str, other: str) -> tuple[Ruling, ...]:
        """The entries that only one of two editions has, and by which games are judged otherwise."""
        edition, other = self.edition(edition), self.edition(other)
        changing = (one for one in self.rulings.values() if one.changes_play)
        return tuple(one for one in changing if self._is_out(one, edition) != self._is_out(one, other))

    def _is_out(self, ruling: Ruling, edition: str) -> bool:
        return self.editions.index(ruling.edition) <= self.editions.index(edition)

    def statement(self, rule: Rule, language: str = "en") -> str:
        """The rule in our own words; its id where that language has none yet."""
        return words(self.package, language, "rulings" if isinstance(rule, Ruling) else "rules").get(rule.id, rule.id)

    def title(self, rule: Rule, language: str = "en") -> str:
        """What the rule is about, in a few words; empty where its game has no titles in that language."""
        found = self._titles(rule, language)
        return found[-1] if found else ""

    def topic_title(self, topic: str, language: str = "en") -> str:
        """What the rules of a topic are about, in a few words; empty where its game has no titles in that language."""
        first = next((rule for rule in self.entries if rule.topic == topic), None)
        found = self._titles(first, language, but=first.id) if first else []
        return found[-1] if found else ""

    def _titles(self, rule: Rule, language: str, but: str = "") -> list[str]:
        """The titles that fit a rule, the one of most rules first, without the one of its id where that is `but`."""
        try:
            titles = words(self.package, language, "titles")
        except FileNotFoundError:
            return []
        parts = rule.id.split(".")
        prefixes = (".".join(parts[:count]) for count in range(1, len(parts) + 1))
        return [titles[prefix] for prefix in prefixes if prefix in titles and prefix != but]

    def search(self, query: str, language: str = "en") -> list[Rule]:
        """Rules whose id, topic or statement has every word of the query, in the order of the book."""
        wanted = query.casefold().split()
        return [
            rule for rule in self.entries if all(w in self._haystack(rule, language) for w in wanted)
        ]  # fmt: skip

    def _haystack(self, rule: Rule, language: str) -> str:
        return f"{rule.id} {rule.topic} {self.statement(rule, language)}".casefold()


def _rulings(package: str) -> Iterator[Ruling]:
    """The entries of the package's `rulings.toml`; none where it has no such file."""
    path = package_folder(package).joinpath("rulings.toml")
    for entry in tomllib.loads(path.read_text("utf-8"))["ruling"] if path.is_file() else ():
        yield convert({"topic": "rulings", **entry}, Ruling)


@cache
def words(package: str, language: str, file: str) -> dict[str, str]:
    """The words of one language file of a ruleset: `text/<language>/<file>.toml`, one flat table."""
    path = package_folder(package).joinpath("text", language, f"{file}.toml")
    table = tomllib.loads(path.read_text("utf-8"))
    return table if file in READ_NOT_SHOWN else typeset_words(language, table)


def _is_date(name: str) -> bool:
    """Whether it is a day, a month or a year that there is."""
    try:
        return bool(_DATE.fullmatch(name)) and bool(date.fromisoformat(f"{name}-01-01"[:10]))
    except ValueError:
        return False


def _span(lines: int | tuple[int, int]) -> tuple[int, int]:
    return (lines, lines) if isinstance(lines, int) else lines
