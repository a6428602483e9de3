"""Plants faults in the sentences of printed documents, one at a time, and knows nothing of how they are looked for.

A fault is what a translator's slip or a printer's makes of a sentence: a dropped not, a may for a must, a sentence left
out. `planted.toml` says how, kind by kind and language by language. Kinds and languages take turns, so that each has as
many faults as the texts have places for.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from audit.rulebooks.segments import Placed, Sentences

HERE = Path(__file__).parent
DROPPED = "sentence dropped"
SWAP = "<swap>"
SHORTEST = 4
"""Words of a sentence that is worth spoiling; a shorter one is a heading."""

Rewriting = Mapping[str, Mapping[str, Sequence[tuple[str, str]]]]
PLANTED: Rewriting = tomllib.loads((HERE / "planted.toml").read_text("utf-8"))
KINDS = (*PLANTED, DROPPED)


class Fault(Struct, frozen=True):
    """One planted fault: its kind, language and sentence, and the sentences that changed or are gone."""

    kind: str
    language: str
    address: str
    changed: tuple[Placed, ...]
    text: str
    gone: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What it is and where, in one line."""
        return f"{self.kind} {self.language} {self.address}: {self.text}"


def planted(documents: Mapping[str, Sentences], many: int, chance: random.Random) -> list[Fault]:
    """As many faults as asked for; kinds and languages take turns as long as they have a place left."""
    waiting = {
        (kind, language): _shuffled(_of_kind(kind, language, document), chance)
        for kind in KINDS
        for language, document in documents.items()
    }
    chosen: list[Fault] = []
    while len(chosen) < many and any(waiting.values()):
        chosen.extend(places.pop() for places in waiting.values() if places)
    return chosen[:many]


def rewritten(pattern: str, put: str, text: str) -> Iterator[str]:
    """The text with one place changed, once for each place; the case of the first letter stays."""
    for match in re.finditer(pattern, text):
        new = _counted(match.expand(put), match)
        yield tidied(text[: match.start()] + _cased(new, match.group()) + text[match.end() :])


def tidied(text: str) -> str:
    """A sentence as it is printed: no double blank, a capital at its beginning."""
    text = re.sub(r"\s{2,}", " ", text).strip()
    return text[:1].upper() + text[1:]


def _of_kind(kind: str, language: str, document: Sentences) -> Iterator[Fault]:
    for sentence in document.values():
        if len(sentence.text.split()) >= SHORTEST:
            if kind == DROPPED:
                yield Fault(kind, language, sentence.address, (), sentence.text, (sentence.address,))
            for pattern, put in PLANTED.get(kind, {}).get(language, ()):
                yield from _spoilt(kind, language, document, sentence, pattern, put)


def _spoilt(kind: str, language: str, document: Sentences, sentence: Placed, pattern: str, put: str) -> Iterator[Fault]:
    if pattern == SWAP:
        if before := _before(document, sentence, put):
            exchanged = (replace(before, text=sentence.text), replace(sentence, text=before.text))
            yield Fault(kind, language, sentence.address, exchanged, sentence.text)
        return
    for text in rewritten(pattern, put, sentence.text):
        if text != sentence.text:
            yield Fault(kind, language, sentence.address, (replace(sentence, text=text),), text)


def _before(document: Sentences, sentence: Placed, connective: str) -> Placed | None:
    """The sentence before, in the same passage, if this one goes on from it."""
    if not re.search(connective, sentence.text):
        return None
    pairs = pairwise(document.values())
    return next((one for one, other in pairs if other is sentence and one.passage == other.passage), None)


def _shuffled(faults: Iterable[Fault], chance: random.Random) -> list[Fault]:
    """Each text once, in a random order."""
    found = {(fault.address, fault.text): fault for fault in faults}
    return chance.sample(list(found.values()), len(found))


def _counted(text: str, match: re.Match[str]) -> str:
    """`<+1>` and `<-1>` stand for the number of the first group, one more or one less."""
    step = re.search(r"<([+-]1)>", text)
    return text.replace(step[0], str(max(0, int(match[1]) + int(step[1])))) if step else text


def _cased(new: str, old: str) -> str:
    return new[:1].upper() + new[1:] if old[:1].isupper() and not old[:2].isupper() else new
