"""The last position of each long game, kept so that it is there at once.

One that another version of this program made is not used: it may carry out events otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from audit.core.errors import AuditError
from audit.core.model import Event, Header
from audit.core.ruleset import Ruleset
from replays.judging.versions import engine
from replays.store.database import Tables


def kept_position(tables: Tables, id: str, at: int | None) -> tuple[int, dict[str, object]] | None:
    """The position that is kept of a game, if it is none after that event: how many events lead to it, and it."""
    rows = tables.read("SELECT events, data FROM shown_positions WHERE game = ?", (id,))
    if not rows or (at is not None and int(str(rows[0][0])) > at):
        return None
    made_by, _, data = str(rows[0][1]).partition("\n")
    if made_by != engine():
        return None
    try:
        return int(str(rows[0][0])), msgspec.json.decode(data, type=dict[str, object])
    except msgspec.MsgspecError:
        return None


def outdated_positions(tables: Tables) -> list[str]:
    """The games of which a position is kept that another version made."""
    mark = f"{engine()}\n"
    sql = "SELECT game FROM shown_positions WHERE substr(data, 1, ?) <> ?"
    return [str(game) for (game,) in tables.read(sql, (len(mark), mark))]


def last_position(
    header: Header, game: Ruleset[object], events: Sequence[Event], end: object = None
) -> tuple[int, str]:
    """How many events these are, and the last position as data; no data where it cannot be made of them again.

    `end` is that position, where it is known.
    """
    try:
        start = game.rules.start(header)
        state = game.rules.replay_to(start, events) if end is None else end
        data = msgspec.json.encode(game.rules.position_data(state))
        same = game.rules.position(msgspec.json.decode(data), start) == state
    except (AuditError, ValueError, TypeError, RecursionError):
        same, data = False, b""
    return len(events), f"{engine()}\n{data.decode() if same else ''}"
