"""Write what is kept of the known editions again: `python -m bench.marks`, after the cutting or a table has changed.

Reads the rulebooks beside the project and writes `audit/rulebooks/editions/*.toml`, places and fingerprints only, and
`audit/rulebooks/clauses/known/*.toml`, what each sentence states. No word of a document is written.
"""

from __future__ import annotations

import sys
from pathlib import Path

from audit.games.compile.rules import CATALOGUE
from audit.rulebooks.clauses.known_sentences import record
from audit.rulebooks.cutting import cut
from audit.rulebooks.known import Edition, PassageMark, describe_edition
from audit.rulebooks.passages import Kind, Rulebook
from audit.rulebooks.segments import placed, segments
from audit.rulebooks.terms import term_base

ROOT = Path(__file__).resolve().parent.parent
RULEBOOKS = ROOT.parent / "shared" / "rulebooks"
EDITIONS = ROOT / "audit" / "rulebooks" / "editions"
STATED = ROOT / "audit" / "rulebooks" / "clauses" / "known"

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
        if document in CATALOGUE.documents.values():
            (STATED / f"{document}.toml").write_text(stated(book), "utf-8")
        print(f"{document}: {len(book.passages)} passages, edition {book.edition}")
    return 0


def to_toml(edition: Edition) -> str:
    """An edition as the file that `known_edition` reads."""
    head = (
        f"# {edition.document}: places and marks of one edition. No word of the document is here.\n"
        f'document = "{edition.document}"\nlanguage = "{edition.language}"\nedition = "{edition.edition}"\n'
    )
    return head + "".join(map(_entry, edition.marks))


def _entry(mark: PassageMark) -> str:
    sentences = " ".join(f"{sentence.address}:{sentence.fingerprint}" for sentence in mark.sentences)
    apart = "apart = true\n" if mark.apart else ""
    return (
        f'\n[[passage]]\nid = "{mark.id}"\nlines = [{mark.lines[0]}, {mark.lines[1]}]\n'
        f'section = "{mark.section}"\nfingerprint = "{mark.fingerprint}"\nsketch = "{mark.sketch}"\n'
        f'sentences = "{sentences}"\n{apart}'
    )


def stated(book: Rulebook) -> str:
    """What each sentence of an edition states that says a rule of Compile, as the file that is kept."""
    return record(placed(book), book.language, rules_by_address(book), term_base(CATALOGUE.package))


def rules_by_address(book: Rulebook) -> dict[str, tuple[str, ...]]:
    """The rules that each sentence says: as it is linked, and by its lines; a question says those of its answer."""
    found: dict[str, list[str]] = {}
    for segment in segments(CATALOGUE.package):
        for address in segment.addresses.get(book.language, ()):
            found.setdefault(address, []).extend(segment.rules)
    document = placed(book)
    for rule in CATALOGUE:
        place = rule.places.get(book.language)
        for first, last in (place.lines, *place.also_at) if place else ():
            for address, sentence in document.items():
                if sentence.lines[0] <= last and first <= sentence.lines[1]:
                    found.setdefault(address, []).append(rule.id)
    following: list[str] = []
    for address, sentence in reversed(list(document.items())):
        if sentence.kind == Kind.QUESTION:
            found.setdefault(address, following)
        following = found.get(address, following)
    return {address: tuple(dict.fromkeys(rules)) for address, rules in found.items() if rules}


if __name__ == "__main__":
    sys.exit(main())
