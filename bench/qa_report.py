"""Write the parts of docs/qa-report.md that are counted: the figures, and the rules that one document lacks.

    python bench/qa_report.py [--rulebooks DIR] [--known FILE] [--check]

Everything between `<!-- counted: NAME -->` and `<!-- end -->` is made anew; the rest of the page is written by hand.
`--check` writes nothing and exits with 1 where the page is not up to date.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from audit.compile.catalogue import CATALOGUE  # noqa: E402
from audit.rulebooks.cutting import cut  # noqa: E402
from audit.rulebooks.findings import Finding  # noqa: E402
from audit.rulebooks.matrix import Cell, Matrix, State, matrix  # noqa: E402
from audit.rulebooks.qa import absent, units_of  # noqa: E402
from bench.editions import (  # noqa: E402
    FILES,
    ORDER,
    PACKAGE,
    Ground,
    divergences,
    false_alarms,
    faults,
    statements,
)

PAGE = HERE.parent / "docs" / "qa-report.md"
EACH, SEED = 50, 6


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


def figures(ground: Ground, options: argparse.Namespace) -> Iterator[str]:
    """Planted faults by kind, false alarms, known divergences, our own statements."""
    chance, total, planted_in_all = random.Random(SEED), 0, 0
    yield "| planted fault | found | share | at every possible place | share |"
    yield "|---|---|---|---|---|"
    for kind in ORDER:
        possible = list(faults(ground, kind, False))
        many = min(EACH, len(possible))
        hit = [ground.found(fault) for fault in possible]
        found = sum(hit[number] for number in chance.sample(range(len(possible)), many))
        total, planted_in_all = total + found, planted_in_all + many
        shares = f"{found / many:.0%} | {sum(hit)} of {len(hit)} | {sum(hit) / len(hit):.1%}"
        yield f"| {kind} | {found} of {many} | {shares} |"
    yield f"| **all** | **{total} of {planted_in_all}** | **{total / planted_in_all:.1%}** | | |"
    yield ""
    alarms, pairs = false_alarms(ground)
    wrong = sorted({f"{finding.segment} ({'-'.join(finding.languages)})" for finding in alarms})
    yield f"False alarms: **{len(wrong)} of {pairs}** reviewed pairs ({len(wrong) / pairs:.1%}): {', '.join(wrong)}."
    if options.known:
        touched, known = divergences(ground, options)
        yield f"Of {known} known divergences {touched} have a finding, or an empty cell of the matrix, on their rules."
    told, every = statements(ground)
    yield f"Of {every} pairs of our own statements, which are written freely in each language, {told} have a finding."


def lacks(table: Matrix) -> Iterator[str]:
    """Every rule that some document lacks, with the lines of the others."""
    yield "| rule | " + " | ".join(table.languages) + " |"
    yield "|---" * (len(table.languages) + 1) + "|"
    for row in table.rows:
        if any(not cell.lines for cell in row.cells.values()):
            yield f"| {row.rule} | " + " | ".join(_told(row.cells[k]) for k in table.languages) + " |"


def built(ground: Ground, folder: Path) -> tuple[Matrix, int]:
    """The matrix of the three documents, and how many rules are missing in one."""
    books = {k: cut((folder / file).read_text("utf-8"), name) for k, (file, name) in FILES.items()}
    table = matrix(CATALOGUE, CATALOGUE.documents, books, (), units_of(PACKAGE, books))
    found: Sequence[Finding] = absent(table, books)
    return table, len(found)


def replaced(page: str, name: str, lines: Iterator[str]) -> str:
    """The page with one counted part made anew."""
    start, end = f"<!-- counted: {name} -->", "<!-- end -->"
    pattern = re.compile(re.escape(start) + r"\n.*?" + re.escape(end), re.DOTALL)
    body = "\n".join([start, "", *lines, "", end])
    return pattern.sub(lambda _: body, page)


def _told(cell: Cell) -> str:
    if cell.lines:
        return ", ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in cell.lines)
    return "**lacks**" if cell.state is State.MISSING else "–"


def _loose(table: Matrix, language: str) -> str:
    found = [passage.lines for passage in table.unlinked[language]]
    return f"{len(found)}" + (f" (lines {', '.join(f'{a}-{b}' for a, b in found)})" if found else "")


def main() -> int:
    """Write the page; with --check say whether it is up to date."""
    parser = argparse.ArgumentParser(description="Write the counted parts of docs/qa-report.md.")
    shared = HERE.parent.parent / "shared"
    parser.add_argument("--rulebooks", type=Path, default=shared / "rulebooks")
    parser.add_argument("--known", type=Path, default=shared / "facts" / "compile-divergences.yaml")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    ground = Ground(options.rulebooks)
    table, lacking = built(ground, options.rulebooks)
    before = page = PAGE.read_text("utf-8")
    page = replaced(page, "figures", figures(ground, options))
    page = replaced(page, "sums", counted(ground, table, lacking))
    page = replaced(page, "lacks", lacks(table))
    if options.check:
        return int(page != before)
    PAGE.write_text(page, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
