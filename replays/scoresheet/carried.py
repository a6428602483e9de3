"""What the lines before a line tell, for the fields that it leaves out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from audit.core.model import Event
from audit.core.record_events import PositionSet, left_at
from audit.core.score_forms import CARRIED, NEXT

_NUMBERED = re.compile(r"([a-z]+)([0-9]{1,6})")
FIRST = "1"


class Carried:
    """The last value of each field, and the names that are counted, such as the reveals `f1`, `f2`."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._last: dict[str, object] = {}
        self._counted: dict[str, tuple[str, int]] = {}
        self._of_side: list[tuple[int, str, str, tuple[str, ...]]] = []
        for event in events:
            self.add(event)

    def add(self, event: Event) -> None:
        """Goes on behind an event."""
        if (left := left_at(event)) is not None:
            self._of_side = [one for one in self._of_side if one[0] <= left]
        if type(event) is PositionSet:
            self._of_side = list(_of_position(event))
        for name, value in zip(event.__struct_encode_fields__, msgspec.structs.astuple(event), strict=True):
            if name in Event.ENVELOPE or value is None:
                continue
            self._last[name] = value
            if isinstance(value, tuple) and (side := getattr(event, "side", None)):
                self._of_side.append((event.seq, name, side, value))
            if isinstance(value, str) and (found := _NUMBERED.fullmatch(value)):
                letters, number = found[1], int(found[2])
                known, most = self._counted.get(name, (letters, 0))
                self._counted[name] = (letters, max(number, most) if known == letters else number)

    def of_sides(self, name: str) -> Mapping[str, tuple[str, ...]]:
        """What was told last in a field of each side, by an event or a position."""
        return {side: told for _, field, side, told in self._of_side if field == name}

    def value(self, name: str, usual: str) -> object:
        """What a field holds: as told last for `^` (for `^card`, that other field), the next by its number for `+`."""
        if usual.startswith(CARRIED):
            return self._last.get(usual.removeprefix(CARRIED) or name)
        assert usual.startswith(NEXT)
        letters, number = self._counted.get(name, (name[0], 0))
        return f"{letters}{number + 1}"


def _of_position(event: PositionSet) -> Iterator[tuple[int, str, str, tuple[str, ...]]]:
    """The lists that a position tells of each side."""
    sides = event.position.get("sides")
    for side, told in sides.items() if isinstance(sides, dict) else ():
        for name, value in told.items() if isinstance(told, dict) else ():
            if isinstance(value, list | tuple):
                yield event.seq, name, side, tuple(map(str, value))
