"""How true the findings are: each was read beside its passages and judged by one reader (`judged.toml`).

    python -m bench.judged [--rulebooks DIR] [--list]

Judged are all findings on the three documents of Compile; all that an editor gets who has only two of them, or one, and
that the three together do not give; and what is found in later editions with one planted fault each. `--list` prints
what is not judged yet.
"""

from __future__ import annotations

import argparse
import random
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

from msgspec import Struct

from audit.games.compile.rules import CATALOGUE
from audit.rulebooks.findings import Finding, Severity
from audit.rulebooks.passages import Rulebook
from audit.rulebooks.segments import Sentences
from bench.editions import Ground
from bench.planting import Fault, planted
from replays.rulebooks.translation_qa import TranslationQA

HERE = Path(__file__).parent
LATER, LATER_SEED = 54, 300
"""So many later editions: each kind of fault once in each language."""


class Judged(Struct, frozen=True):
    """A finding and where it stands: the documents that were compared, or the fault of a later edition."""

    finding: Finding
    documents: str = ""
    edition: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What a judgement is looked up by."""
        return self.edition, self.finding.id


FindingsIn = Callable[[Fault], Iterable[Finding]]
"""Gives what is found in an edition with a fault and not without."""
Verdicts = Mapping[tuple[str, str], str]


def reported(loaded: Mapping[str, Rulebook]) -> list[Finding]:
    """The findings on the documents as they are, in the order of the report."""
    return TranslationQA("compile", CATALOGUE, books=loaded).findings()


def of_fewer(loaded: Mapping[str, Rulebook]) -> Iterator[Judged]:
    """What is found with two of the documents, or with one, and not with all."""
    known = {one.id for one in reported(loaded)}
    for many in (2, 1):
        for some in combinations(loaded, many):
            for one in reported({language: loaded[language] for language in some}):
                if one.id not in known:
                    known.add(one.id)
                    yield Judged(one, " ".join(some))


def of_later(documents: Mapping[str, Sentences], findings_in: FindingsIn) -> Iterator[Judged]:
    """What is found in editions of the documents with one planted fault each."""
    for fault in planted(documents, LATER, random.Random(LATER_SEED)):
        edition = f"{fault.language} {fault.address} {fault.kind}"
        yield from (Judged(one, edition=edition) for one in findings_in(fault))


def judgements() -> Verdicts:
    """What the reader said of each finding: true, defensible or false, by its later edition, if any, and its id."""
    entries = tomllib.loads((HERE / "judged.toml").read_text("utf-8"))["finding"]
    return {(entry.get("edition", ""), entry["id"]): entry["judged"] for entry in entries}


def precision(found: Sequence[Finding], judged: Verdicts) -> Iterator[str]:
    """How many findings on the documents as they are were judged true: first class, first twenty, all."""
    first = [one for one in found if one.severity is Severity.CHANGES]
    for name, some in (("first class", first), ("first twenty", found[:20]), ("all findings", found)):
        yield share_true(name, map(Judged, some), judged)


def share_true(name: str, found: Iterable[Judged], judged: Verdicts) -> str:
    """A line: how many were judged true, and what the others were judged."""
    counts = Counter(judged.get(one.key, "not judged") for one in found)
    said = ", ".join(f"{word} {counts[word]}" for word in ("defensible", "false", "not judged") if counts[word])
    many, true = counts.total(), counts["true"]
    return f"{name + ', true':28} {true:4} of {many:4}  {true / max(1, many):6.1%}  ({said})"


def parts(
    loaded: Mapping[str, Rulebook], documents: Mapping[str, Sentences], findings_in: FindingsIn
) -> dict[str, list[Judged]]:  # fmt: skip
    """Everything that is to be judged besides the findings on the three documents, and all of it."""
    fewer, later = list(of_fewer(loaded)), list(of_later(documents, findings_in))
    every = [*map(Judged, reported(loaded)), *fewer, *later]
    return {"two documents or one": fewer, "later editions": later, "all that was judged": every}


def main() -> int:
    """Print the shares; 1 where a finding was not judged, and with --list which ones."""
    parser = argparse.ArgumentParser(description="How many of the findings were judged true.")
    parser.add_argument("--rulebooks", type=Path, default=HERE.parent.parent / "shared" / "rulebooks")
    parser.add_argument("--list", action="store_true", help="list what is not judged")
    options = parser.parse_args()
    if not options.rulebooks.is_dir():
        parser.error(f"{options.rulebooks} has no rulebooks; give their folder with --rulebooks")
    ground, judged = Ground(options.rulebooks), judgements()
    print(*precision(reported(ground.books), judged), sep="\n")
    found = parts(ground.books, ground.rules(), lambda fault: ground.outcome(fault).findings)
    print(*(share_true(name, some, judged) for name, some in found.items()), sep="\n")
    missing = [one for one in found["all that was judged"] if one.key not in judged]
    for one in missing if options.list else ():
        print(one.finding.id, one.documents, one.edition, *one.finding.rules, dict(one.finding.data))
    return int(bool(missing))


if __name__ == "__main__":
    sys.exit(main())
