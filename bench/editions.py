"""How many planted faults the comparison of editions finds, and how many false alarms it gives.

    python bench/editions.py [--rulebooks DIR] [--each 50] [--seed 6] [--missed] [--everywhere] [--known FILE]

Fifty faults of each of ten kinds are planted, one at a time, in the three documents: a word of a linked sentence is
changed as a slip would change it (`faults.toml`), a sentence is broken off, a passage taken out, two steps of a
procedure change places. The changed document is then found again sentence by sentence, as a new edition would be.
A fault is found if a finding of its kind, about that passage, is there that was not there before, or marks words that
it did not mark before. A false alarm is any finding between two untouched passages that were reviewed as saying the
same (`reviewed.toml`).
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from audit.compile.catalogue import CATALOGUE  # noqa: E402
from audit.rulebooks.checks.markers import MarkerMatch, marks  # noqa: E402
from audit.rulebooks.cutting import cut  # noqa: E402
from audit.rulebooks.findings import Finding, Kind  # noqa: E402
from audit.rulebooks.matrix import matrix  # noqa: E402
from audit.rulebooks.qa import STEP_KINDS, checked, compared  # noqa: E402
from audit.rulebooks.refound import found_again  # noqa: E402
from audit.rulebooks.segments import (  # noqa: E402
    Placed,
    Segment,
    Sentences,
    Side,
    Unit,
    aligned,
    placed,
    segments,
)  # fmt: skip
from audit.rulebooks.terms import term_base  # noqa: E402

PACKAGE = "audit.compile"
FILES = {
    "fr": ("000_c82703dc7eb69492.txt", "compile-faq-fr"),
    "it": ("001_35596babd7de6794.txt", "compile-rules-it"),
    "pl": ("003_d4cb1ee045c145d2.txt", "compile-rules-pl"),
}
ORDER = (
    "a number", "must for may", "a dropped not", "each for all", "before for after", "actor swapped", "term swapped",
    "sentence cut", "passage removed", "sequence reordered",
)  # fmt: skip
WORDS = {
    "must for may": Kind.MODALITY, "each for all": Kind.QUANTITY, "before for after": Kind.TIME,
    "actor swapped": Kind.ACTOR, "term swapped": Kind.TERM,
}  # fmt: skip
EXPECTED = {
    **WORDS, "a number": Kind.NUMBER, "a dropped not": Kind.NEGATION, "sentence cut": Kind.CUT,
    "passage removed": Kind.MISSING, "sequence reordered": Kind.ORDER,
}  # fmt: skip
STEPS = {rule.id for rule in CATALOGUE if rule.kind in STEP_KINDS}


Spoilt = tuple[str, str, str]
"""The sentence as spoilt, what was done, and the marker that stood there."""


class Fault(Struct, frozen=True):
    """One planted fault: its kind, where, and the sentences of the document after it."""

    kind: str
    language: str
    segment: str
    changed: tuple[Placed, ...]
    what: str = ""


def _expected(fault: Fault) -> set[Kind]:
    """The kind of finding that is right: a not that is part of a term makes another term of it."""
    kind = EXPECTED[fault.kind]
    return {kind, Kind.TERM} if fault.kind == "a dropped not" and " " in fault.what.removesuffix(" dropped") else {kind}


class Ground:
    """The untouched documents, the segments, and what is found before anything is planted."""

    def __init__(self, folder: Path) -> None:
        texts = {language: (folder / file).read_text("utf-8") for language, (file, _) in FILES.items()}
        self.documents = {
            language: placed(cut(texts[language], name)) for language, (_, name) in FILES.items()
        }  # fmt: skip
        self.segments = segments(PACKAGE)
        self.base = term_base(PACKAGE)
        self.before = self.findings(self.documents)
        self.marked = {finding.key: _marked(finding) for finding in self.before}

    def findings(self, documents: Mapping[str, Sentences]) -> list[Finding]:
        return checked(aligned(self.segments, documents), self.base, STEPS)

    def linked(self, language: str) -> Iterator[tuple[Segment, Placed]]:
        """Sentences of a language that are linked to a passage in another one, each once."""
        seen: set[str] = set()
        for segment in self.segments:
            if len(segment.addresses) > 1:
                for address in segment.addresses.get(language, ()):
                    if address not in seen:
                        seen.add(address)
                        yield segment, self.documents[language][address]

    def answered(self, segment: Segment, language: str, kind: str, marker: str) -> bool:
        """Whether the marker has its counterpart in another language of the segment.

        A plain statement answers to a duty; a number of passages are compared whole, so that any number counts.
        """
        if kind in ("a number", "sentence cut"):
            return True
        others = [unit.sides[k] for unit in aligned([segment], self.documents) for k in unit.sides if k != language]
        there = [{mark.marker for mark in _found(EXPECTED[kind], side.language, side.text)} for side in others]
        if marker == "player":
            return any("opponent" not in found for found in there)
        if marker == "un":
            covers = [{m.marker for m in _found(Kind.TERM, side.language, side.text)} for side in others]
            return any(found & {"covered", "uncovered"} for found in covers)
        if marker == "must":
            return any(not found & {"may", "cannot"} for found in there)
        return any(marker in found for found in there)

    def found(self, fault: Fault) -> bool:
        """Whether a finding of the fault's kind is there that was not there before, or that marks other words now."""
        known = self.documents[fault.language]
        changed = {str(number): sentence for number, sentence in enumerate(fault.changed)}
        documents = {**self.documents, fault.language: found_again(known, changed)}
        concerned = self._sharing(fault)
        return any(
            finding.kind in _expected(fault)
            and fault.language in finding.languages
            and _marked(finding) - self.marked.get(finding.key, Counter())
            and concerned & {finding.segment, *dict(finding.data).values()}
            for finding in self.findings(documents)
        )

    def _sharing(self, fault: Fault) -> set[str]:
        """The segment of the fault and the others that share a sentence with it."""
        own = next(segment for segment in self.segments if segment.id == fault.segment)
        mine = set(own.addresses[fault.language])
        return {s.id for s in self.segments if mine & set(s.addresses.get(fault.language, ()))}


def _marked(finding: Finding) -> Counter[str]:
    """The words a finding marks, by language; one that marks none counts as itself."""
    words = [f"{quote.language} {word}" for quote in finding.quotes for word in quote.words]
    return Counter(words or [finding.id])


def faults(ground: Ground, kind: str, everywhere: bool) -> Iterator[Fault]:
    """All faults of a kind that can be planted; not `everywhere` leaves out words that no other language answers."""
    for language in FILES:
        if kind == "sequence reordered":
            yield from _reordered(ground, language)
        elif kind == "passage removed":
            yield from _removed(ground, language)
        else:
            for segment, sentence in ground.linked(language):
                for text, what, marker in _spoilt(kind, language, sentence.text):
                    if not everywhere and not ground.answered(segment, language, kind, marker):
                        continue
                    changed = _with(ground.documents[language], replace(sentence, text=text))
                    yield Fault(kind, language, segment.id, changed, what)


def _spoilt(kind: str, language: str, text: str) -> Iterator[Spoilt]:
    match kind:
        case "a number":
            yield from _numbers(language, text)
        case "a dropped not":
            yield from _dropped(language, text)
        case "sentence cut":
            yield from _cut(text)
        case _:
            yield from _swapped(WORDS[kind], language, text)


def _numbers(language: str, text: str) -> Iterator[Spoilt]:
    words = {mark.words.casefold(): mark for mark in marks(text, language, "number")}
    for mark in words.values():
        if mark.marker != "both" and mark.words.isdigit():
            for other in {max(2, int(mark.marker) - 1), int(mark.marker) + 1} - {int(mark.marker)}:
                yield _put(text, mark.start, mark.end, str(other)), f"{mark.words} > {other}", mark.marker


def _dropped(language: str, text: str) -> Iterator[Spoilt]:
    for mark in marks(text, language, "negation"):
        if mark.marker == "un" and not mark.words.casefold().startswith(("non ", "nie ")):
            continue
        end = mark.end if mark.marker == "not" else mark.start + 4
        swap = FAULTS["negation"][language].get(mark.words.casefold(), [""])[0]
        spoilt = _put(text, mark.start, end, swap)
        if language == "fr" and not swap:
            spoilt = re.sub(r"\s(pas|plus)\b", "", spoilt[: mark.start + 40], count=1) + spoilt[mark.start + 40 :]
        yield re.sub(r"\s{2,}", " ", spoilt), f"{mark.words} dropped", mark.marker


def _cut(text: str) -> Iterator[Spoilt]:
    words = text.split()
    for share in (0.4, 0.6, 0.8):
        if len(words) >= 8:
            keep = int(len(words) * share)
            yield " ".join(words[:keep]).rstrip(",;:."), f"after {keep} of {len(words)} words", ""


def _swapped(family: Kind, language: str, text: str) -> Iterator[Spoilt]:
    """Words of the family as the checks see them, so that a word with another sense is left alone."""
    for word, others in FAULTS[family][language].items():
        for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE):
            marker = next((m.marker for m in _found(family, language, text) if m.start == match.start()), "")
            if marker and marker not in ("cannot", "both", "any"):
                for other in others:
                    yield _put(text, match.start(), match.end(), other), f"{word} > {other}", marker


def _found(family: Kind, language: str, text: str) -> tuple[MarkerMatch, ...]:
    return term_base(PACKAGE).marks(text, language) if family is Kind.TERM else marks(text, language, family)


def _removed(ground: Ground, language: str) -> Iterator[Fault]:
    for segment in ground.segments:
        if len(segment.addresses) > 1 and language in segment.addresses:
            gone = set(segment.addresses[language])
            kept = tuple(s for s in ground.documents[language].values() if s.address not in gone)
            yield Fault("passage removed", language, segment.id, _numbered(kept))


def _reordered(ground: Ground, language: str) -> Iterator[Fault]:
    """Two neighbouring steps of a procedure in each other's place, where another language has both in one order."""
    units = aligned(ground.segments, ground.documents)
    steps = [unit for unit in units if set(unit.segment.rules) & STEPS and language in unit.sides]
    for first, second in pairwise(steps):
        one, other = first.sides[language], second.sides[language]
        shared = (set(first.sides) & set(second.sides)) - {language}
        same = one.sentences[0].section == other.sentences[0].section and one.sentences[0].kind != "term"
        if same and any(_in_one_order(first.sides[k], second.sides[k]) for k in shared) and one.order < other.order:
            moved = _exchanged(ground.documents[language], one.sentences, other.sentences)
            yield Fault("sequence reordered", language, first.id, moved, f"{first.id} and {second.id}")


def _in_one_order(first: object, second: object) -> bool:
    assert isinstance(first, Side)
    assert isinstance(second, Side)
    return first.order < second.order and first.sentences[0].section == second.sentences[0].section


def _exchanged(document: Sentences, one: Sequence[Placed], other: Sequence[Placed]) -> tuple[Placed, ...]:
    every = list(document.values())
    first, second = [s.order for s in one], [s.order for s in other]
    between = [s for s in every if first[-1] < s.order < second[0]]
    changed = [*every[: first[0]], *other, *between, *one, *every[second[-1] + 1 :]]
    return _numbered(changed)


def _with(document: Sentences, changed: Placed) -> tuple[Placed, ...]:
    return tuple(changed if s.address == changed.address else s for s in document.values())


def _numbered(sentences: Sequence[Placed]) -> tuple[Placed, ...]:
    return tuple(replace(sentence, order=number) for number, sentence in enumerate(sentences))


def _put(text: str, start: int, end: int, word: str) -> str:
    if text[start:end].isupper() and len(word) > 1 and end - start > 1:
        word = word.upper()
    elif text[start:end][:1].isupper():
        word = word[:1].upper() + word[1:]
    return text[:start] + word + text[end:]


def false_alarms(ground: Ground) -> tuple[list[Finding], int]:
    """Findings between reviewed passages, and the number of pairs that were reviewed."""
    reviewed = tomllib.loads((HERE / "reviewed.toml").read_text("utf-8"))
    pairs = {(pair, id) for pair, ids in reviewed.items() for id in ids}
    found = [
        finding
        for finding in ground.before
        if len(finding.languages) == 2 and all(("-".join(finding.languages), id) in pairs for id in _concerned(finding))
    ]
    return found, len(pairs)


def _concerned(finding: Finding) -> set[str]:
    return set(dict(finding.data).values()) if finding.kind is Kind.ORDER else {finding.segment}


def divergences(ground: Ground, options: argparse.Namespace) -> tuple[int, int]:
    """Known divergences on whose rules there is a finding or a language without the rule, and how many are known."""
    import yaml

    items = yaml.safe_load(options.known.read_text("utf-8"))["items"]
    books = {k: cut((options.rulebooks / file).read_text("utf-8"), name) for k, (file, name) in FILES.items()}
    rows = matrix(CATALOGUE, CATALOGUE.documents, books).rows
    uneven = {row.rule for row in rows if not all(cell.lines for cell in row.cells.values())}
    found = {rule for finding in ground.before for rule in finding.rules} | uneven
    return sum(bool(found & set(item["rules"])) for item in items), len(items)


def main() -> int:
    """Plant, count, print; 1 if a bound is missed."""
    options = _options()
    ground = Ground(options.rulebooks)
    chance = random.Random(options.seed)
    shares = [_measured(ground, kind, options, chance) for kind in ORDER]
    alarms, pairs = false_alarms(ground)
    wrong = len({(finding.segment, finding.languages) for finding in alarms})
    total = sum(found for found, _ in shares), sum(planted for _, planted in shares)
    print(f"{'all':20} {total[0]:4} of {total[1]:4}  {total[0] / total[1]:6.1%}")
    print(f"false alarms         {wrong:4} of {pairs:4}  {wrong / pairs:6.1%}  (reviewed pairs with any finding)")
    for alarm in alarms:
        print(f"    {alarm.kind} {alarm.segment} {'-'.join(alarm.languages)}")
    if options.known:
        touched, known = divergences(ground, options)
        share = f"{touched:4} of {known:4}  {touched / known:6.1%}"
        print(f"known divergences    {share}  (a finding or an empty cell of the matrix on one of their rules)")
    if options.statements:
        told, all_pairs = statements(ground)
        share = f"{told:4} of {all_pairs:4}  {told / all_pairs:6.1%}"
        print(f"our own statements   {share}  (pairs of free translations with any finding)")
    return 0 if all(found >= 0.95 * planted for found, planted in shares) and wrong <= 0.05 * pairs else 1


def statements(ground: Ground) -> tuple[int, int]:
    """Pairs of the catalogue's own statements with a finding, and all pairs: texts the tables were not made for.

    They are written anew in each language, not translated word for word; so this is the far end of the scale.
    """
    told = 0
    for rule in CATALOGUE:
        sides = {
            language: Side(language, (Placed("1.1", 0, CATALOGUE.statement(rule, language), (1, 1), rule.id, ""),))
            for language in FILES
        }
        found = compared(Unit(Segment(rule.id, (rule.id,), {}), sides), ground.base)
        told += len({finding.languages for finding in found})
    return told, len(CATALOGUE) * len(FILES)


def _measured(ground: Ground, kind: str, options: argparse.Namespace, chance: random.Random) -> tuple[int, int]:
    possible = list(faults(ground, kind, options.everywhere))
    planted = chance.sample(possible, min(options.each, len(possible)))
    missed = [fault for fault in planted if not ground.found(fault)]
    by_language = Counter(fault.language for fault in planted)
    spread = ", ".join(f"{language} {by_language[language]}" for language in FILES)
    found = len(planted) - len(missed)
    print(f"{kind:20} {found:4} of {len(planted):4}  {found / len(planted):6.1%}  ({spread}; {len(possible)} possible)")
    for fault in missed if options.missed else ():
        print(f"    missed: {fault.language} {fault.segment} {fault.what}")
    return found, len(planted)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Plant faults in the documents and count what is found.")
    parser.add_argument("--rulebooks", type=Path, default=HERE.parent.parent / "shared" / "rulebooks")
    parser.add_argument("--each", type=int, default=50, help="faults of each kind")
    parser.add_argument("--seed", type=int, default=6)
    parser.add_argument("--missed", action="store_true", help="list the faults that were not found")
    parser.add_argument("--known", type=Path, help="a list of known divergences, to see how many are touched")
    parser.add_argument("--statements", action="store_true", help="also compare the catalogue's own statements")
    parser.add_argument("--everywhere", action="store_true", help="also where no other language answers the word")
    options = parser.parse_args()
    if not options.rulebooks.is_dir():
        parser.error(f"{options.rulebooks} has no rulebooks; give their folder with --rulebooks")
    return options


FAULTS: dict[str, dict[str, dict[str, list[str]]]] = tomllib.loads((HERE / "faults.toml").read_text("utf-8"))

if __name__ == "__main__":
    sys.exit(main())
