"""Write the counted parts of docs/qa-figures.md (the figures) and docs/qa-report.md (the sums).

    python -m bench.qa_report [--rulebooks DIR] [--known FILE] [--check]

Everything between `<!-- counted: NAME -->` and `<!-- end -->` is made anew; the rest of the pages is written by hand.
`--check` writes nothing and exits with 1 where a page is not up to date.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from audit.games.compile.rules import CATALOGUE
from audit.rulebooks.findings import Finding
from audit.rulebooks.matrix import Matrix, State, matrix
from audit.rulebooks.qa import absent, units_of
from bench.editions import (
    PACKAGE,
    Ground,
    Outcome,
    books,
    divergences,
    measured,
    proof_lines,
    rewordings_proof,
)
from bench.judged import judgements, parts, precision, reported, share_true
from bench.planting import KINDS

HERE = Path(__file__).parent

DOCS = HERE.parent / "docs"


def counted(ground: Ground, table: Matrix, lacking: int) -> Iterator[str]:
    """What the comparison reports, and what the matrix says in sum."""
    kinds = Counter(finding.kind for finding in ground.before)
    listed = ", ".join(f"{kind} {number}" for kind, number in sorted(kinds.items(), key=lambda one: -one[1]))
    yield f"Findings between or within passages: **{len(ground.before)}** ({listed});"
    yield f"rules that a document lacks: **{lacking}**."
    yield ""
    for language in table.languages:
        counts = table.counts(language)
        states = ", ".join(f"{state} {counts[state]}" for state in State if counts[state])
        yield f"- `{language}`: {states}; passages without a rule: {_loose(table, language)}"


def figures(ground: Ground, known: Path | None) -> Iterator[str]:
    """Planted faults by kind, harmless rewordings, known divergences: of all sentences, and of the half kept apart."""
    halves = {half: measured(ground, half) for half in ("both", "kept")}
    yield "| planted fault | found | share | in the half kept apart | share |"
    yield "|---|---|---|---|---|"
    for kind in KINDS:
        counts = [[one for one in spoilt if one.fault.kind == kind] for spoilt, _ in halves.values()]
        yield f"| {kind} | {' | '.join(map(_share, counts))} |"
    for name, chosen in (
        ("**all**", [spoilt for spoilt, _ in halves.values()]),
        ("said by another edition too", [[one for one in spoilt if one.elsewhere] for spoilt, _ in halves.values()]),
        ("harmless rewordings, flagged", [reworded for _, reworded in halves.values()]),
    ):
        yield f"| {name} | {' | '.join(map(_share, chosen))} |"
    yield ""
    for line in proof_lines(rewordings_proof(ground)):
        yield f"- {' '.join(line.split())}"
    judged = judgements()
    further = parts(ground.books, ground.rules(), lambda fault: ground.outcome(fault).findings)
    told = (share_true(name, some, judged) for name, some in further.items())
    for line in (*precision(reported(ground.books), judged), *told):
        yield f"- {' '.join(line.split())}"
    if known:
        touched, every = divergences(ground, known)
        yield ""
        yield f"Of {every} known divergences {touched} have a finding, or an empty cell of the matrix, on their rules."


def _share(outcomes: Sequence[Outcome]) -> str:
    found = sum(one.found for one in outcomes)
    return f"{found} of {len(outcomes)} | {found / max(1, len(outcomes)):.1%}"


def built(ground: Ground, folder: Path) -> tuple[Matrix, int]:
    """The matrix of the three documents, and how many rules are missing in one."""
    loaded = books(folder)
    table = matrix(CATALOGUE, CATALOGUE.documents, loaded, (), units_of(PACKAGE, loaded))
    found: Sequence[Finding] = absent(table, loaded)
    return table, len(found)


def replaced(page: str, name: str, lines: Iterator[str]) -> str:
    """The page with one counted part made anew."""
    start, end = f"<!-- counted: {name} -->", "<!-- end -->"
    pattern = re.compile(re.escape(start) + r"\n.*?" + re.escape(end), re.DOTALL)
    body = "\n".join([start, "", *lines, "", end])
    return pattern.sub(lambda _: body, page)


def _loose(table: Matrix, language: str) -> str:
    found = [passage.lines for passage in table.unlinked[language]]
    return f"{len(found)}" + (f" (lines {', '.join(f'{a}-{b}' for a, b in found)})" if found else "")


def main() -> int:
    """Write the pages; with --check say whether they are up to date."""
    parser = argparse.ArgumentParser(description="Write the counted parts of docs/qa-figures.md and docs/qa-report.md.")
    shared = HERE.parent.parent / "shared"
    parser.add_argument("--rulebooks", type=Path, default=shared / "rulebooks")
    parser.add_argument("--known", type=Path, default=shared / "facts" / "compile-divergences.yaml")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    ground = Ground(options.rulebooks)
    table, lacking = built(ground, options.rulebooks)
    parts = {
        "qa-figures.md": ("figures", figures(ground, options.known)),
        "qa-report.md": ("sums", counted(ground, table, lacking)),
    }
    before = {name: (DOCS / name).read_text("utf-8") for name in parts}
    after = {name: replaced(before[name], *part) for name, part in parts.items()}
    if options.check:
        return int(after != before)
    for name, page in after.items():
        (DOCS / name).write_text(page, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
