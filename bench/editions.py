"""How many planted faults the comparison of editions finds, and how many harmless rewordings it flags.

    python -m bench.editions [--rulebooks DIR] [--faults 600] [--half tune|kept|both] [--missed] [--known FILE]

Faults are planted one at a time in the sentences of the three documents of Compile (`planting.py`, which knows none of
the checks), kinds and languages evenly. The changed document is found again sentence by sentence, as a new edition
would be. A fault is found if a finding on one of the rules of its sentence is there that was not there before. A
harmless rewording (`harmless.toml`) is flagged by the same measure.

Half of the sentences, chosen by their address, served to build the comparison (`tune`), the other half did not
(`kept`). The findings of the documents as they are were read and judged one by one (`python -m bench.judged`).
"""

from __future__ import annotations

import argparse
import random
import sys
import tomllib
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cached_property
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from audit.games.compile.rules import CATALOGUE
from audit.rulebooks.clauses.frames import facts
from audit.rulebooks.clauses.known_sentences import KnownSentence, known_sentences
from audit.rulebooks.clauses.rewording import kept
from audit.rulebooks.clauses.since import since_known
from audit.rulebooks.cutting import cut
from audit.rulebooks.findings import Finding
from audit.rulebooks.matrix import matrix
from audit.rulebooks.passages import Rulebook, fingerprint
from audit.rulebooks.qa import STEP_KINDS, checked, compared
from audit.rulebooks.segments import Placed, Segment, Sentences, Side, Unit, aligned, placed, segments
from audit.rulebooks.terms import term_base
from bench.planting import KINDS, SHORTEST, Fault, planted, rewritten

HERE = Path(__file__).parent

PACKAGE = "audit.games.compile"
FILES = {
    "fr": ("000_c82703dc7eb69492.txt", "compile-faq-fr"),
    "it": ("001_35596babd7de6794.txt", "compile-rules-it"),
    "pl": ("003_d4cb1ee045c145d2.txt", "compile-rules-pl"),
}
STEPS = {rule.id for rule in CATALOGUE if rule.kind in STEP_KINDS}
FAULTS, SEED = 600, 20
SINCE = ("since-known", "sentence")
"""Codes of findings that come of the record of the known edition, not of another language."""
_NONE = Segment("statement", ("statement",), {"en": ("1",)})
HALVES = ("tune", "kept", "both")
_ALIKE = 0.6
_FEWEST = 3


class Outcome(Struct, frozen=True):
    """A planted fault or a harmless rewording, whether it was reported, and whether another language says the point."""

    fault: Fault
    found: bool
    elsewhere: bool
    by_another: bool = False
    findings: tuple[Finding, ...] = ()


class Ground:
    """The untouched documents, the segments, and what is found before anything is planted."""

    def __init__(self, folder: Path) -> None:
        self.books = books(folder)
        self.documents = {language: placed(book) for language, book in self.books.items()}
        self.segments = segments(PACKAGE)
        self.base = term_base(PACKAGE)
        self.before = self.findings(self.documents)

    def findings(self, documents: Mapping[str, Sentences], chosen: Sequence[Segment] | None = None) -> list[Finding]:
        """What is found in these documents, in all segments or in those that are chosen."""
        units = aligned(self.segments if chosen is None else chosen, documents)
        found = checked(units, self.base, STEPS)
        for language, sentences in documents.items():
            is_as_it_was = sentences is self.documents[language]
            found += self._unchanged[language] if is_as_it_was else self._since(language, sentences)
        return found

    def _since(self, language: str, sentences: Sentences) -> list[Finding]:
        """What is found against the record of the known edition."""
        return list(since_known(known_sentences(FILES[language][1]), language, sentences, self.base))

    @cached_property
    def _unchanged(self) -> dict[str, list[Finding]]:
        return {language: self._since(language, sentences) for language, sentences in self.documents.items()}

    def statement_flagged(self, fault: Fault) -> bool:
        """Whether a statement of ours in other words is told from itself, and from its translations."""
        language, rule = fault.language, fault.address
        before, after = _statements(language)[rule], fault.changed[0]
        stated = kept(before.text, facts(before.text, language, self.base), language, self.base)
        known = {rule: KnownSentence(rule, (rule,), stated)}
        if list(since_known(known, language, {rule: after}, self.base)):
            return True
        others = {code: Side(code, (_statements(code)[rule],)) for code in FILES}
        sides = [{language: Side(language, (one,)), **others} for one in (before, after)]
        was, now = ([found.key for found in compared(Unit(_NONE, both), self.base)] for both in sides)
        return not {*now} <= {*was}

    def rules(self, half: str = "both") -> dict[str, Sentences]:
        """The sentences that speak of the game, of one half of the documents or of both."""
        return {
            language: {
                address: sentence
                for address, sentence in document.items()
                if not self.books[language][sentence.passage].apart and half in ("both", half_of(sentence))
            }
            for language, document in self.documents.items()
        }

    def outcome(self, fault: Fault) -> Outcome:
        """What the comparison makes of a changed document."""
        changed = {str(number): sentence for number, sentence in enumerate(self._whole(fault))}
        before = self.documents[fault.language]
        after = found_again(before, changed)
        touched = self._touched(fault.language, before, after)
        known = {one.key for one in self.findings(self.documents, touched)}
        found = self.findings({**self.documents, fault.language: after}, touched)
        new = [one for one in found if one.key not in known]
        mine = [one for one in new if fault.language in one.languages]
        return Outcome(
            fault, bool(mine), self._elsewhere(fault), any(one.code not in SINCE for one in mine), tuple(mine)
        )

    def _touched(self, language: str, before: Sentences, after: Sentences) -> list[Segment]:
        """The segments that a changed sentence belongs to; all where sentences stand in another order."""
        same = {
            a for a, one in before.items() if a in after and (after[a].text, after[a].order) == (one.text, one.order)
        }
        return [one for one in self.segments if not same.issuperset(one.addresses.get(language, ()))]

    def _whole(self, fault: Fault) -> Iterable[Placed]:
        """The document of the fault with the sentences in which nothing was planted."""
        mine = {sentence.address: sentence for sentence in fault.changed}
        for address, sentence in self.documents[fault.language].items():
            if address in mine:
                yield replace(mine[address], order=sentence.order)
            elif address not in fault.gone:
                yield sentence

    def _elsewhere(self, fault: Fault) -> bool:
        return any(
            fault.address in segment.addresses.get(fault.language, ()) and len(segment.addresses) > 1
            for segment in self.segments
        )


def books(folder: Path) -> dict[str, Rulebook]:
    """The three documents, cut."""
    return {language: cut((folder / file).read_text("utf-8"), name) for language, (file, name) in FILES.items()}


# The sentences of a changed edition


def found_again(known: Sentences, changed: Sentences) -> Sentences:
    """The sentences of a changed edition under the addresses of a known one.

    The same words in the same order are the same sentence; then the same words anywhere; of the rest, the most alike
    is taken if it is alike enough, or the only one that stands in the same gap. What is not found has no entry.
    """
    old, new = list(known.values()), list(changed.values())
    pairs = _in_order(old, new)
    for step in (_moved, _alike, _in_the_gap):
        taken = set(pairs.values())
        free = [number for number in range(len(new)) if number not in taken]
        pairs |= step(old, new, [number for number in range(len(old)) if number not in pairs], free, pairs)
    return {old[number].address: new[pairs[number]] for number in sorted(pairs)}


Pairs = dict[int, int]
_Sequence = list[Placed]


def _in_order(old: _Sequence, new: _Sequence) -> Pairs:
    matcher = SequenceMatcher(None, _prints(old), _prints(new), autojunk=False)
    return {a + n: b + n for a, b, size in matcher.get_matching_blocks() for n in range(size)}


def _moved(old: _Sequence, new: _Sequence, lost: list[int], free: list[int], _: Pairs) -> Pairs:
    where = {fingerprint(new[number].text): number for number in reversed(free)}
    found = {}
    for number in lost:
        if (there := where.pop(fingerprint(old[number].text), None)) is not None:
            found[number] = there
    return found


def _alike(old: _Sequence, new: _Sequence, lost: list[int], free: list[int], _: Pairs) -> Pairs:
    rest, found = set(free), {}
    for number in lost:
        scored = [(_likeness(old[number].text, new[there].text), -abs(number - there), there) for there in rest]
        best = max(scored, default=(0.0, 0, 0))
        if best[0] >= _ALIKE:
            found[number] = best[2]
            rest.discard(best[2])
    return found


def _in_the_gap(old: _Sequence, new: _Sequence, lost: list[int], free: list[int], pairs: Pairs) -> Pairs:
    found = {}
    for number in lost:
        before, after = pairs.get(number - 1, -2), pairs.get(number + 1, -2)
        if after == before + 2 and before + 1 in free:
            found[number] = before + 1
    return found


def _prints(sentences: _Sequence) -> list[str]:
    return [fingerprint(sentence.text) for sentence in sentences]


def _likeness(one: str, other: str) -> float:
    """The share of words in common and in order; a sentence broken off is alike to the whole of it."""
    mine, theirs = one.casefold().split(), other.casefold().split()
    matcher = SequenceMatcher(None, mine, theirs, autojunk=False)
    common = sum(block.size for block in matcher.get_matching_blocks())
    return common / max(1, min(len(mine), len(theirs))) if common >= _FEWEST else 0.0


# Planting


def half_of(sentence: Placed) -> str:
    """`tune` or `kept`, by the sentence's address alone."""
    return HALVES[zlib.crc32(f"{sentence.passage} {sentence.address}".encode()) % 2]


WORDED_ANEW = "harmless_fourth.toml"
"""Whole clauses in other words."""


def harmless(documents: Mapping[str, Sentences], chance: random.Random, file: str = "harmless.toml") -> Iterator[Fault]:
    """Each way of rewording once, at a place chosen at random."""
    ways = tomllib.loads((HERE / file).read_text("utf-8"))
    for kind, languages in ways.items():
        for language, pairs in languages.items():
            for pattern, put in pairs:
                places = list(_reworded(kind, language, documents[language], pattern, put))
                yield from chance.sample(places, min(1, len(places)))


def _reworded(kind: str, language: str, document: Sentences, pattern: str, put: str) -> Iterator[Fault]:
    for sentence in document.values():
        if len(sentence.text.split()) >= SHORTEST:
            for text in rewritten(pattern, put, sentence.text):
                changed = (replace(sentence, text=text),)
                yield Fault(kind, language, sentence.address, changed, text)


def divergences(ground: Ground, known: Path) -> tuple[int, int]:
    """Known divergences on whose rules there is a finding or a language without the rule, and how many are known."""
    import yaml

    items = yaml.safe_load(known.read_text("utf-8"))["items"]
    rows = matrix(CATALOGUE, CATALOGUE.documents, ground.books).rows
    uneven = {row.rule for row in rows if not all(cell.lines for cell in row.cells.values())}
    found = {rule for finding in ground.before for rule in finding.rules} | uneven
    return sum(bool(found & set(item["rules"])) for item in items), len(items)


def measured(ground: Ground, half: str, many: int = FAULTS, seed: int = SEED) -> tuple[list[Outcome], list[Outcome]]:
    """What became of the faults and of the harmless rewordings."""
    chance = random.Random(seed)
    documents = ground.rules(half)
    spoilt = [ground.outcome(fault) for fault in planted(documents, many, chance)]
    return spoilt, [ground.outcome(fault) for fault in harmless(documents, chance)]


def rewordings_apart(ground: Ground, half: str, seed: int = SEED) -> list[Outcome]:
    """What became of the harmless rewordings that have not served to mend the tables."""
    found = harmless(ground.rules(half), random.Random(seed), "harmless_second.toml")
    return [ground.outcome(fault) for fault in found]


def rewordings_proof(ground: Ground, seed: int = SEED, file: str = "harmless_third.toml") -> dict[str, list[bool]]:
    """Which rewordings of a list were flagged, by language; of the third one, that nobody tuned on, or another.

    An English one changes our own statement of a rule: no edition of the game in English is at hand.
    """
    chance = random.Random(seed)
    documents = {**ground.rules("both"), "en": _statements("en")}
    found: dict[str, list[bool]] = {}
    for fault in harmless(documents, chance, file):
        flagged = ground.statement_flagged(fault) if fault.language == "en" else ground.outcome(fault).found
        found.setdefault(fault.language, []).append(flagged)
    return found


def _statements(language: str) -> dict[str, Placed]:
    """Our own statements of the rules, as sentences."""
    return {
        rule.id: Placed(rule.id, number, CATALOGUE.statement(rule, language), (0, 0), "", "")
        for number, rule in enumerate(CATALOGUE)
    }


def share(outcomes: Sequence[Outcome]) -> str:
    """How many of them were reported, as a line says it."""
    found = sum(one.found for one in outcomes)
    return f"{found:4} of {len(outcomes):4}  {found / max(1, len(outcomes)):6.1%}"


def table(spoilt: Sequence[Outcome], reworded: Sequence[Outcome]) -> Iterator[str]:
    """The figures, kind by kind."""
    for kind in KINDS:
        mine = [one for one in spoilt if one.fault.kind == kind]
        spread = Counter(one.fault.language for one in mine)
        yield f"{kind:28} {share(mine)}  ({', '.join(f'{k} {spread[k]}' for k in FILES)})"
    yield f"{'all':28} {share(spoilt)}"
    yield f"{'said by another edition too':28} {share([one for one in spoilt if one.elsewhere])}"
    other = [replace(one, found=one.by_another) for one in spoilt if one.elsewhere]
    yield f"{'  by that edition alone':28} {share(other)}"
    yield f"{'harmless, flagged':28} {share(reworded)}"


def proof_lines(proof: Mapping[str, Sequence[bool]], name: str = "proof") -> Iterator[str]:
    """The share of a list that was flagged, in all and by language."""
    every = [flagged for some in proof.values() for flagged in some]
    told = ", ".join(f"{language} {sum(some)} of {len(some)}" for language, some in proof.items())
    titled = f"harmless, {name}, flagged"
    yield f"{titled:28} {sum(every):4} of {len(every):4}  {sum(every) / len(every):6.1%}  ({told})"


def main() -> int:
    """Plant, count, print; 1 if too few faults are found or too many rewordings flagged."""
    options = _options()
    ground = Ground(options.rulebooks)
    spoilt, reworded = measured(ground, options.half, options.faults, options.seed)
    print(*table(spoilt, reworded), sep="\n")
    fresh = rewordings_apart(ground, options.half, options.seed)
    print(f"{'harmless, second list, flagged':28} {share(fresh)}")
    proof = rewordings_proof(ground, options.seed)
    print(*proof_lines(proof), sep="\n")
    print(*proof_lines(rewordings_proof(ground, options.seed, WORDED_ANEW), "clauses"), sep="\n")
    for one in [*(one for one in spoilt if not one.found), *(one for one in [*reworded, *fresh] if one.found)]:
        if options.missed:
            print(f"    {'missed' if not one.found else 'flagged'}: {one.fault.name}")
            print(*(f"        {found.code} {dict(found.data)}" for found in one.findings), sep="\n")
    if options.known:
        touched, known = divergences(ground, options.known)
        print(f"{'known divergences':28} {touched:4} of {known:4}  (a finding or an empty cell on one of their rules)")
    enough = sum(one.found for one in spoilt) >= 0.9 * len(spoilt)
    return 0 if enough and sum(one.found for one in reworded) <= 0.05 * len(reworded) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Plant faults in the documents and count what is found.")
    parser.add_argument("--rulebooks", type=Path, default=HERE.parent.parent / "shared" / "rulebooks")
    parser.add_argument("--faults", type=int, default=FAULTS, help="how many faults")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--half", choices=HALVES, default="both", help="the sentences in which to plant")
    parser.add_argument("--missed", action="store_true", help="list what was missed and what was flagged")
    parser.add_argument("--known", type=Path, help="a list of known divergences, to see how many are touched")
    options = parser.parse_args()
    if not options.rulebooks.is_dir():
        parser.error(f"{options.rulebooks} has no rulebooks; give their folder with --rulebooks")
    return options


if __name__ == "__main__":
    sys.exit(main())
