"""The table of Compile as lines of text: three lines, two sides, everything a judge looks at first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from audit.catalogue import words
from audit.compile.state import is_known
from audit.compile.wording import name
from audit.ruleset import Paint, plain

View = Mapping[str, object]
WIDTH = 24
"""The columns of one line of the field, its border aside."""


def draw(view: View, language: str, paint: Paint = plain) -> list[str]:
    """The field, side B above and side A below, the protocols in the middle and the uncovered cards outermost."""
    table = _Table(view, language, paint)
    sides = cast(Mapping[str, View], view["sides"])
    return [
        *table.heading("B", sides["B"]),
        table.border("┌┬┐"),
        *reversed(table.stacks(sides["B"])),
        table.totals("B", sides),
        table.protocols("B", sides["B"]),
        table.border("├┼┤"),
        table.protocols("A", sides["A"]),
        table.totals("A", sides),
        *table.stacks(sides["A"]),
        table.border("└┴┘"),
        *table.heading("A", sides["A"]),
    ]


class _Table:
    def __init__(self, view: View, language: str, paint: Paint) -> None:
        self.view = view
        self.language = language
        self.paint = paint
        self.words = words("audit.compile", language, "names")

    def heading(self, seat: str, side: View) -> list[str]:
        """Whose side it is, how many cards lie where, who has control."""
        counts = " · ".join(f"{self.words[f'zone.{zone}']} {_count(side[zone])}" for zone in ("hand", "deck", "trash"))
        turn = self.paint("turn", "▶") if self.view["player"] == seat else " "
        control = self.paint("control", "◆ " + self.words["zone.control"]) if self.view["control"] == seat else ""
        hand = (
            ", ".join(name(card, self.language) for card in cast(Sequence[str], side["hand"]))
            if isinstance(side["hand"], list)
            else ""
        )
        first = f"{turn} {self.paint('seat', seat)}  {counts}  {control}".rstrip()
        return [first, f"     {hand}"] if hand else [first]

    def border(self, corners: str) -> str:
        """A rule across the field."""
        return f"  {corners[0]}{corners[1].join(['─' * WIDTH] * 3)}{corners[2]}"

    def row(self, cells: Sequence[tuple[str, str]]) -> str:
        """One row of three cells, each a text and its style."""
        return "  │" + "│".join(self.paint(style, f" {text}"[:WIDTH].ljust(WIDTH)) for text, style in cells) + "│"

    def protocols(self, seat: str, side: View) -> str:
        """The protocols, the compiled ones marked."""
        cells = []
        for entry in cast(Sequence[View], side["protocols"]):
            text = self.words.get(f"protocol.{entry['name']}", str(entry["name"]))
            cells.append(
                (f"[{text}{' ✓' if entry['compiled'] else ''}]", "compiled" if entry["compiled"] else "protocol")
            )
        return self.row(cells)

    def totals(self, seat: str, sides: Mapping[str, View]) -> str:
        """The totals; a leader's from ten on stands out."""
        other = "A" if seat == "B" else "B"
        own, theirs = (cast(Sequence[int], sides[s]["totals"]) for s in (seat, other))
        return self.row(
            [(f"= {n}" + (" !" if n >= 10 and n > m else ""), "total") for n, m in zip(own, theirs, strict=True)]
        )

    def stacks(self, side: View) -> list[str]:
        """The stacks, from the protocols outwards."""
        lines = cast(Sequence[Sequence[View]], side["lines"])
        height = max(1, *(len(stack) for stack in lines))
        return [self.row([self._cell(stack, index) for stack in lines]) for index in range(height)]

    def _cell(self, stack: Sequence[View], index: int) -> tuple[str, str]:
        if index >= len(stack):
            return "", "empty"
        card, down = str(stack[index]["card"]), stack[index]["face"] == "down"
        shown = name(card, self.language) if is_known(card) else ""
        text = f"▒ {shown}".rstrip() if down else shown or card
        last = index == len(stack) - 1
        return f"{text}{' ◂' if last else ''}", "uncovered" if last else "covered"


def _count(zone: object) -> int:
    return zone if isinstance(zone, int) else len(cast(Sequence[object], zone))
