"""The rule-by-language matrix for a terminal, as JSON and as CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator

from audit.rulebooks.matrix import Cell, State
from replays.rulebooks.translation_qa import TranslationQA

_SHORT = {
    State.SAID: "said", State.IMPLIED: "implied", State.EXTRA: "extra", State.MISSING: "missing",
    State.OUTSIDE: "–", State.NOT_LOADED: "not loaded",
}  # fmt: skip
_WIDTH = 24


def matrix_lines(qa: TranslationQA) -> Iterator[str]:
    """One line a rule, a column a language with the lines of the document; then the counts and the loose passages."""
    table = qa.matrix()
    rules = max((len(row.rule) for row in table.rows), default=0)
    yield _row("", table.languages, rules)
    for row in table.rows:
        yield _row(row.rule, [_said(row.cells[language]) for language in table.languages], rules)
    yield ""
    for language in table.languages:
        counts = table.counts(language)
        yield f"{language}: " + ", ".join(f"{counts[state]} {state}" for state in State if counts[state])
    for language, passages in table.unlinked.items():
        yield f"{language}: {len(passages)} unlinked"
        yield from (f"  {p.lines[0]}-{p.lines[1]}  {p.id}" for p in passages)


def matrix_json(qa: TranslationQA) -> str:
    """For programs: rows with state and lines in each language, counts, and unlinked passages."""
    table = qa.matrix()
    data = {
        "languages": list(table.languages),
        "rows": [
            {"rule": row.rule, **{k: {"state": c.state, "lines": c.lines} for k, c in row.cells.items()}}
            for row in table.rows
        ],
        "counts": {k: {str(state): n for state, n in table.counts(k).items()} for k in table.languages},
        "unlinked": {k: [{"id": p.id, "lines": p.lines} for p in found] for k, found in table.unlinked.items()},
    }
    return json.dumps(data, ensure_ascii=False, indent=2)


def matrix_csv(qa: TranslationQA) -> str:
    """For a spreadsheet: a rule a line, for each language what its document does and on which lines."""
    table, out = qa.matrix(), io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["rule", *(title for code in table.languages for title in (code, f"{code} lines"))])
    for row in table.rows:
        cells = [row.cells[code] for code in table.languages]
        writer.writerow([row.rule, *(text for cell in cells for text in (str(cell.state), _spans(cell)))])
    return f"\ufeff{out.getvalue()}"


def _spans(cell: Cell) -> str:
    return " ".join(f"{first}" if first == last else f"{first}–{last}" for first, last in cell.lines)


def _row(name: str, cells: list[str] | tuple[str, ...], width: int) -> str:
    return f"{name:{width}}  " + "".join(f"{cell:{_WIDTH}}" for cell in cells).rstrip()


def _said(cell: Cell) -> str:
    spans = ",".join(f"{a}" if a == b else f"{a}-{b}" for a, b in cell.lines)
    word = _SHORT[cell.state]
    shown = f"{word} {spans}".rstrip()
    return shown if len(shown) < _WIDTH else shown[: _WIDTH - 2] + "…"
