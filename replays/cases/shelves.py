"""All the shelves on which a judge's cases may lie, as one: the store, and the folder for where no game is stored.

Commands and every server look at both, so that a case is found before the first game is stored and after it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from replays.cases.book import FolderShelf, Shelf, StoreShelf
from replays.store.database import address
from replays.store.store import Store
from replays.trust.keys import data_folder
from replays.trust.ledger import Ledger


def shelf_beside(store: Store) -> Shelf:
    """The cases of the store, where new ones go, and those of the data folder."""
    return _Shelves(lambda: (StoreShelf(store), _folder()))


def shelf_without_games() -> Shelf:
    """The cases of the data folder, where new ones go, and those of the store as soon as there is one."""
    opened: list[StoreShelf] = []

    def shelves() -> Sequence[Shelf]:
        if not opened and _is_there():
            opened.append(StoreShelf(Store()))
        return (_folder(), *opened)

    return _Shelves(shelves)


def _folder() -> FolderShelf:
    return FolderShelf(data_folder() / "cases")


def _is_there() -> bool:
    kept = address()
    return kept.is_postgres or Path(kept.url).exists()


class _Shelves:
    """Several shelves. A case stays where it was opened; a new one goes onto the first."""

    def __init__(self, shelves: Callable[[], Sequence[Shelf]]) -> None:
        self._shelves = shelves

    def ids(self) -> list[tuple[str, object]]:
        """Every case, each with something that changes with it."""
        return list(dict(each for shelf in reversed(self._shelves()) for each in shelf.ids()).items())

    def ledger(self, id: str) -> Ledger:
        """The ledger of a case."""
        return self._of(id).ledger(id)

    def keep(self, case: str, data: bytes, by: str) -> str:
        """Keep a file where its case lies."""
        return self._of(case).keep(case, data, by)

    def file(self, case: str, hash: str) -> bytes:
        """A file of a case; raises `UnknownLedgerError`."""
        return self._of(case).file(case, hash)

    def _of(self, id: str) -> Shelf:
        shelves = self._shelves()
        return next((shelf for shelf in shelves if id in dict(shelf.ids())), shelves[0])
