"""Who may open a stored game: everybody (public), everybody who has its address (unlisted), or nobody else (private).

Every change is kept; the last one counts. A branch repeats the events of the game that it left, so nobody may open it
who may not open that game, whatever was said of the branch.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from enum import StrEnum

from audit.core.errors import AuditError
from replays.store.database import Tables

TABLE = "game_sharing"
SHAPES = {
    "sqlite": f"CREATE TABLE IF NOT EXISTS {TABLE} (place integer PRIMARY KEY AUTOINCREMENT, game text NOT NULL, "
    "level text NOT NULL, who text NOT NULL, at text NOT NULL)",
    "postgres": f"CREATE TABLE IF NOT EXISTS {TABLE} (place bigserial PRIMARY KEY, game text NOT NULL, "
    "level text NOT NULL, who text NOT NULL, at text NOT NULL)",
}
ORIGINS = "shown_origins"
"""The derived table of branches: a game, and an id that the game may have which it left."""
INDEX = f"CREATE INDEX IF NOT EXISTS {TABLE}_game ON {TABLE} (game, place)"


class Sharing(StrEnum):
    """Who may open a game."""

    PUBLIC = "public"
    UNLISTED = "unlisted"
    PRIVATE = "private"


class SharingError(AuditError):
    """A word that says nothing about who may open a game."""

    def __init__(self, found: str) -> None:
        super().__init__(f"expected {', '.join(Sharing)}, found {found!r}")
        self.found = found


def level_of(word: str) -> Sharing:
    """Who may open a game, from a word; raises `SharingError`."""
    try:
        return Sharing(word)
    except ValueError:
        raise SharingError(word) from None


def unsaid() -> Sharing:
    """Who may open a game of which nothing was said: `AUDIT_SHARING`, else everybody."""
    return level_of(os.environ.get("AUDIT_SHARING") or Sharing.PUBLIC)


def sharing_of(tables: Tables, game: str, origins: Callable[[str], Iterable[str]]) -> Sharing:
    """Who may open a game. `origins` gives the stored game that a branch left."""
    found, waiting = {game}, [game]
    while waiting:
        new = set(origins(waiting.pop())) - found
        found |= new
        waiting += new
    return max((said_of(tables, each) for each in found), key=list(Sharing).index)


def said_of(tables: Tables, game: str) -> Sharing:
    """What was said last of who may open a game."""
    rows = tables.read(f"SELECT level FROM {TABLE} WHERE game = ? ORDER BY place DESC LIMIT 1", (game,))
    return level_of(str(rows[0][0])) if rows else unsaid()


def changes(tables: Tables) -> int:
    """How often anything was said; a list of games is another after each time."""
    ((count,),) = tables.read(f"SELECT MAX(place) FROM {TABLE}")
    return count if isinstance(count, int) else 0


def share(tables: Tables, game: str, level: Sharing, who: str) -> None:
    """Say who may open a game from now on."""
    at = datetime.now(UTC).isoformat(timespec="seconds")
    tables.do(f"INSERT INTO {TABLE} (game, level, who, at) VALUES (?, ?, ?, ?)", (game, level.value, who, at))


def listed(column: str, events: str) -> str:
    """The condition that a game stands in lists for everybody. `events` is the table of the stored events.

    A branch of a stored game that is not shown yet waits for it: only then is it known what that one left.
    """
    left = (
        f"SELECT game, origin FROM {ORIGINS} "
        f"UNION SELECT later.game, earlier.origin FROM later JOIN {ORIGINS} earlier ON earlier.game = later.origin"
    )
    is_stored = f"EXISTS (SELECT 1 FROM {events} WHERE originator_id = later.origin AND originator_version = 1)"
    is_shown = "later.origin IN (SELECT id FROM shown_games)"
    hidden = f"{is_stored} AND NOT ({is_shown} AND {_public('later.origin')})"
    of_hidden = f"WITH RECURSIVE later(game, origin) AS ({left}) SELECT game FROM later WHERE {hidden}"
    return f"{_public(column)} AND {column} NOT IN ({of_hidden})"


def _public(column: str) -> str:
    last = f"SELECT MAX(place) FROM {TABLE} one WHERE one.game = {column}"
    told = f"SELECT level FROM {TABLE} WHERE place = ({last})"
    return f"COALESCE(({told}), '{unsaid().value}') = '{Sharing.PUBLIC.value}'"
