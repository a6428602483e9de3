"""Rejected link proposals: passages that, as a person decided, do not state a rule. Kept beside the edition."""

from __future__ import annotations

from pathlib import Path

from audit.core.writing import alone_in, append_whole
from replays.files import UnreadableFileError, read_whole
from replays.rulebooks.store import RulebookStore, RulebookStoreError, StoredEdition


def rejected(rulebook_store: RulebookStore, stored: StoredEdition) -> frozenset[tuple[str, str]]:
    """Every rule and passage that were found not to belong together."""
    path = _path(rulebook_store, stored)
    try:
        lines = read_whole(path).decode().splitlines() if path.exists() else []
    except (OSError, UnicodeDecodeError, UnreadableFileError) as error:
        raise RulebookStoreError(path.name, f"cannot be read: {error}") from None
    pairs = (line.split("\t") for line in lines if line.count("\t") == 1)
    return frozenset((rule, passage) for rule, passage in pairs)


def reject(rulebook_store: RulebookStore, stored: StoredEdition, rule: str, passage: str) -> None:
    """Propose this passage for that rule no more."""
    path = _path(rulebook_store, stored)
    try:
        with alone_in(path.parent):
            if (rule, passage) not in rejected(rulebook_store, stored):
                append_whole(path, f"{rule}\t{passage}\n".encode())
    except OSError as error:
        raise RulebookStoreError(path.name, f"cannot be written: {error.strerror}") from None


def _path(rulebook_store: RulebookStore, stored: StoredEdition) -> Path:
    return rulebook_store.folder / stored.document / f"{stored.rulebook.edition}.rejected.tsv"
