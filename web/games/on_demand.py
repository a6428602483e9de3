"""A sequence whose items are made when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, overload

T = TypeVar("T")


class OnDemand(Sequence[T]):
    """So many items. Each is made when it or one of its stretch is first read, and kept."""

    def __init__(self, length: int, make: Callable[[range], Sequence[T]], stretch: int = 1) -> None:
        """`make` makes the items of a stretch of so many."""
        self._length = length
        self._make = make
        self._stretch = stretch
        self._made: dict[int, T] = {}

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(self._length))]
        at = range(self._length)[index]
        if at not in self._made:
            start = at - at % self._stretch
            items = range(start, min(start + self._stretch, self._length))
            self._made.update(zip(items, self._make(items), strict=True))
        return self._made[at]
