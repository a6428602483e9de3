"""Write the marks of the known editions again: `python -m bench.marks`, after the cutting has changed.

Reads the rulebooks beside the project and writes `audit/rulebooks/editions/*.toml`: places and fingerprints only.
"""

from __future__ import annotations

import sys
from pathlib import Path

from audit.rulebooks.cutting import cut
from audit.rulebooks.known import describe_edition, to_toml

ROOT = Path(__file__).resolve().parent.parent
RULEBOOKS = ROOT.parent / "shared" / "rulebooks"
EDITIONS = ROOT / "audit" / "rulebooks" / "editions"

FILES = {
    "compile-faq-fr": "000_c82703dc7eb69492.txt",
    "compile-rules-it": "001_35596babd7de6794.txt",
    "lotr-reveal-fr": "002_d398bcbb2e174039.txt",
    "compile-rules-pl": "003_d4cb1ee045c145d2.txt",
    "altered-rules-fr": "004_01c2b36f1cf0d08f.txt",
}


def main() -> int:
    """Write one file for each document; 2 when the rulebooks are not there."""
    if not RULEBOOKS.is_dir():
        print("needs the folder shared/rulebooks beside the project", file=sys.stderr)
        return 2
    for document, name in FILES.items():
        book = cut((RULEBOOKS / name).read_text("utf-8"), document)
        (EDITIONS / f"{document}.toml").write_text(to_toml(describe_edition(book)), "utf-8")
        print(f"{document}: {len(book.passages)} passages, edition {book.edition}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
