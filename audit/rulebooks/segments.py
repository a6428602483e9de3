"""Aligned segments: which sentences of which documents say the same thing, for comparison and translation memories.

The alignment is data of a ruleset (`segments.toml`): rules, and for each language the addresses of sentences. An
address is a line and a number, `71.2`: the second sentence that starts on line 71 of the stored text.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache

from msgspec import Struct

from audit.core.files import package_folder
from audit.rulebooks.passages import Rulebook, fingerprint


class Placed(Struct, frozen=True):
    """A sentence in its document: address, order in the document, passage and section it belongs to.

    Where one of another edition was `worded_anew`, it stands for those at that place: a reader has to look at them.
    In a later edition `known_until` is the last line that its passage has in the known one.
    """

    address: str
    order: int
    text: str
    lines: tuple[int, int]
    passage: str
    section: str
    kind: str = ""
    worded_anew: bool = False
    known_until: int = 0


class Segment(Struct, frozen=True):
    """An alignment: the rules it carries (the first gives it its name) and the addresses in each language."""

    id: str
    rules: tuple[str, ...]
    addresses: Mapping[str, tuple[str, ...]]
    note: str = ""

    @property
    def rule(self) -> str:
        """The rule that names it."""
        return self.rules[0]


class Side(Struct, frozen=True):
    """One language of a segment: the sentences that are there, joined, and the addresses that are gone.

    It has neither where a sentence was worded anew, so that nothing can be held against another language.
    """

    language: str
    sentences: tuple[Placed, ...]
    gone: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """All its sentences in one string, with one blank between two."""
        return " ".join(sentence.text for sentence in self.sentences)

    @property
    def fingerprint(self) -> str:
        """The mark of its words."""
        return fingerprint(self.text)

    @property
    def lines(self) -> tuple[int, int]:
        """First and last line in the stored text; zeros if nothing is there."""
        if not self.sentences:
            return 0, 0
        return self.sentences[0].lines[0], self.sentences[-1].lines[1]

    @property
    def order(self) -> int:
        """Where in the document it begins."""
        return self.sentences[0].order if self.sentences else -1


class Unit(Struct, frozen=True):
    """A segment with the words of the loaded documents."""

    segment: Segment
    sides: Mapping[str, Side]

    @property
    def id(self) -> str:
        """The id of its segment: a rule id, with a number behind it from the second one on."""
        return self.segment.id


Sentences = Mapping[str, Placed]


def placed(book: Rulebook) -> Sentences:
    """The sentences of a document by address, in the order of the document."""
    counts: Counter[int] = Counter()
    found: dict[str, Placed] = {}
    for passage in book.passages:
        for sentence in passage.sentences:
            first = sentence.lines[0]
            counts[first] += 1
            address = f"{first}.{counts[first]}"
            found[address] = Placed(
                address, len(found), sentence.text, sentence.lines, passage.id, passage.section, passage.kind
            )  # fmt: skip
    return found


@cache
def segments(package: str) -> tuple[Segment, ...]:
    """The alignment of a ruleset, from its `segments.toml`; none where it is published in one language."""
    return parse_segments(_alignment(package))


def _alignment(package: str) -> str:
    path = package_folder(package).joinpath("segments.toml")
    return path.read_text("utf-8") if path.is_file() else ""


def parse_segments(text: str) -> tuple[Segment, ...]:
    """Segments from TOML; a rule that names several gets `#2`, `#3` behind its id."""
    counts: Counter[str] = Counter()
    found = []
    for entry in tomllib.loads(text).get("segment", []):
        rules = tuple(entry["rules"])
        counts[rules[0]] += 1
        number = counts[rules[0]]
        addresses = {key: tuple(entry[key].split()) for key in entry if key not in ("rules", "note")}
        id = rules[0] if number == 1 else f"{rules[0]}#{number}"
        found.append(Segment(id, rules, addresses, entry.get("note", "")))
    return tuple(found)


@cache
def editions(package: str) -> Mapping[str, str]:
    """The edition of each document for which the addresses hold, by language."""
    return dict(tomllib.loads(_alignment(package)).get("editions", {}))


def aligned(chosen: Iterable[Segment], documents: Mapping[str, Sentences]) -> list[Unit]:
    """The segments with the words of these documents, for the languages that are loaded."""
    return [
        Unit(
            segment,
            {
                language: _side(language, addresses, documents[language])
                for language, addresses in segment.addresses.items()
                if language in documents
            },
        )
        for segment in chosen
    ]


def _side(language: str, addresses: tuple[str, ...], sentences: Sentences) -> Side:
    there = [sentences[address] for address in addresses if address in sentences]
    if any(sentence.worded_anew for sentence in there):
        return Side(language, ())
    gone = tuple(address for address in addresses if address not in sentences)
    return Side(language, tuple(there), gone)
