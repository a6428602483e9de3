"""Exchange with translators' tools: TBX, TMX, XLIFF 2, PO and CSV, out and in again.

The id of a unit is the id of its rule, with `#2`, `#3` from the second segment of a rule on. Findings travel as notes.
"""

from audit.rulebooks.exports.entries import Entry, ExchangeError, Note, changed, entries

__all__ = ["Entry", "ExchangeError", "Note", "changed", "entries"]
