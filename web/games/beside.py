"""The variations that stand beside a record in one address, and which of them is shown.

`?vary=24~A refresh&vary=30~B refresh&shown=2`: each in its place, by which it has its letter and its colour.
`shown=0` is the record, with the variations kept beside it; without `shown` it is the first. `static/addresses.js`
takes an option by the same rules.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from replays.table.variations import BETWEEN

MAX_KEPT = 6
"""At most so many; another one takes the place of the oldest."""


class Beside(Struct, frozen=True):
    """The variations of an address, in their order, and the number of the one that is shown, from 1; 0 for none."""

    texts: tuple[str, ...] = ()
    shown: int = 0

    @property
    def text(self) -> str:
        """The variation that is shown; empty for the record."""
        return self.texts[self.shown - 1] if self.shown else ""

    def showing(self, number: int) -> Beside:
        """The same with another one shown, the record for 0."""
        return Beside(self.texts, number)

    def taking(self, text: str) -> tuple[Beside, int]:
        """With an option taken, and of which decision its page shows the outcome, 0 for the last.

        What goes on from the end of the variation shown makes it longer; what one of them has already leads there;
        anything else is one more.
        """
        if self.text and text.startswith(self.text + BETWEEN):
            return self._with(self.shown, text), 0
        for number, kept in enumerate(self.texts, 1):
            if f"{kept}{BETWEEN}".startswith(text + BETWEEN):
                return self.showing(number), text.count(BETWEEN)
        texts = (*self.texts, text)[-MAX_KEPT:]
        return Beside(texts, len(texts)), 0

    def shortened(self) -> Beside:
        """Without the last decision of the one that is shown."""
        start, _, _ = self.text.rpartition(BETWEEN)
        return self._with(self.shown, start) if BETWEEN in start and start not in self.texts else self.without()

    def without(self) -> Beside:
        """Without the one that is shown: the record, with the others."""
        return Beside(tuple(text for number, text in enumerate(self.texts, 1) if number != self.shown))

    def arguments(self) -> dict[str, object]:
        """What an address says of them."""
        if not self.texts:
            return {}
        return {"vary": list(self.texts), **({} if self.shown == 1 else {"shown": self.shown})}

    def _with(self, number: int, text: str) -> Beside:
        return Beside((*self.texts[: number - 1], text, *self.texts[number:]), number)


def beside_in(texts: Sequence[str], shown: str) -> Beside:
    """The variations that an address names."""
    kept = tuple(dict.fromkeys(text for text in texts if text))[:MAX_KEPT]
    if not kept or shown == "0":
        return Beside(kept)
    number = int(shown) if shown.isascii() and shown.isdigit() and len(shown) == 1 else 1
    return Beside(kept, number if number <= len(kept) else 1)


def letter(number: int) -> str:
    """What the variation of that number is called: a, b, c …"""
    return chr(ord("a") + number - 1)


class Label(Struct, frozen=True):
    """How a variation is named among the others: its letter, the event it leaves, and what is decided first."""

    number: int
    after: int
    words: str = ""

    @property
    def letter(self) -> str:
        """Its letter."""
        return letter(self.number)
