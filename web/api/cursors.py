"""Going through a list of games to its end, some at a time, while games are added at its front."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from web.games.library import Glance, Page


class Some(Struct, frozen=True):
    """Some games, where to go on (None at the end), and how many there are in all."""

    games: tuple[Glance, ...]
    cursor: str | None
    total: int


def after(cursor: str, page_of: Callable[[int], Page]) -> Some:
    """The games after the one that a cursor names; the first ones where it names none.

    A cursor is the number of a page and the last game that was read there. Games that came since have moved it back,
    never forward. Where it is no longer in the list, reading goes on with the page on which it was.
    """
    number, _, last = cursor.partition(".")
    first = int(number or 1)
    for page in _pages(first, page_of):
        if last in (ids := [each.id for each in page.games]):
            rest = page.games[ids.index(last) + 1 :]
            return _some(page, rest) if rest else _some(_page(page.number + 1, page_of))
    return _some(_page(first, page_of))


def _pages(first: int, page_of: Callable[[int], Page]) -> Iterator[Page]:
    """The pages from one on."""
    number = first
    while (page := _page(number, page_of)).games:
        yield page
        number += 1


def _page(number: int, page_of: Callable[[int], Page]) -> Page:
    """A page, or one without games where the list ends before it: a library then shows its last."""
    page = page_of(number)
    return page if page.number == number else Page((), number, page.total)


def _some(page: Page, games: tuple[Glance, ...] | None = None) -> Some:
    told = page.games if games is None else games
    goes_on = told and page.number < page.last
    return Some(told, f"{page.number}.{told[-1].id}" if goes_on else None, page.total)
