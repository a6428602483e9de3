"""A scene as lines of text, for a terminal of any width."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from textwrap import wrap

from audit.core.catalogue import Catalogue, Rule
from audit.core.scene import Area, Card, Counter, Part, Scene, Token, Track, TrackStep, Zone, areas_in, card_name

Paint = Callable[[str, str], str]
"""Gives a text the look of a style."""

WIDTH = 100
WIDEST_COLUMN, NARROWEST_COLUMN = 24, 16
"""The columns of letters that one column of a table across may have; with less room they stand below each other."""

LABEL = 22
NAMED = ("facts", "mats")
"""The layouts in which every part has a line of its own, its name first."""
STEP = 36
INDENT = "  "
NESTED = "    "
MARKS = {"now": "▶", "done": "✓", "ahead": "·", "skipped": "~"}
STYLES = {"now": "turn", "done": "quiet", "ahead": "plain", "skipped": "quiet"}
DOORS = {"open": "[ ]", "shut": "[x]", "ahead": "[.]", "": "   "}
Cell = tuple[str, str]
"""A text and its style."""


def plain(style: str, text: str) -> str:
    """No look at all."""
    return text


def scene_lines(scene: Scene, paint: Paint = plain, width: int = WIDTH) -> list[str]:
    """The table in lines no longer than the width, each style named to `paint`.

    `▶` is whose turn it is and the step reached, `✓` a step gone through, `·` one to come, `~` struck out. A window is
    `[ ]` open, `[x]` shut, `[.]` ahead. `▒` is a card's back, `◂` marks the card on top, `⇢` a card on its way.
    """
    return list(_Lines(scene, paint, width).area(scene.area, ""))


class _Lines:
    def __init__(self, scene: Scene, paint: Paint, width: int) -> None:
        self.said: Mapping[str, str] = scene.captions
        self.title_of_all = scene.title
        self.paint, self.width = paint, width

    def area(self, area: Area, indent: str) -> Iterator[str]:
        """An area, by its layout."""
        if area.layout == "facing":
            yield from _Facing(self, area).lines()
        elif area.layout == "box":
            yield from self.box(area, indent)
        elif area.layout == "beside":  # what stands beside is short and keeps its place: it comes first
            for number, part in enumerate(reversed(area.parts)):
                yield from ("",) if number else ()
                yield from self.part(part, indent, 0)
        else:
            inner = indent + INDENT if area.key and area.title and area.layout in NAMED else indent
            yield from self.wrapped(area.title, indent) if area.title not in ("", self.title_of_all) else ()
            yield from self.parts(area, inner)

    def parts(self, area: Area, indent: str) -> Iterator[str]:
        """The parts of an area; small ones that follow each other share a line."""
        label = min(LABEL, max((len(_label(part)) for part in area.parts), default=0))
        small: list[str] = []
        for part in area.parts:
            if area.layout not in NAMED and (text := self.small(part)):
                small.append(text)
                continue
            yield from self.wrapped(" · ".join(small), indent) if small else ()
            small = []
            yield from (self.paint("quiet", "─" * self.width),) if area.layout == "seats" else ()
            yield from self.part(part, indent, label)
        yield from self.wrapped(" · ".join(small), indent) if small else ()

    def small(self, part: Part) -> str:
        """A part that is no more than a name and a number."""
        if isinstance(part, Counter):
            return f"{part.title} {part.value}".strip()
        return f"{part.title} {part.size}" if isinstance(part, Zone) and part.is_counted else ""

    def part(self, part: Part, indent: str, label: int) -> Iterator[str]:
        """One part in lines of its own."""
        if isinstance(part, Area):
            yield from self.area(part, indent)
        elif isinstance(part, Track):
            yield from self.track(part, indent, label)
        elif isinstance(part, Zone):
            yield from self.labelled(part.title, self.zone(part), indent, label)
        elif isinstance(part, Token):
            yield from self.labelled(part.title, part.at or "–", indent, label)
        else:
            yield from self.labelled(part.title, part.value, indent, label)

    def box(self, area: Area, indent: str) -> Iterator[str]:
        """A titled area: a player's, or a card's that is under way. One that is over is its title alone."""
        is_over = area.card is not None and not area.is_open
        style = "turn" if area.is_turn or (area.is_open and not _open_inside(area)) else "quiet" if is_over else "seat"
        title = f"{'▶ ' if area.is_turn else ''}{area.title}"
        notes = [*area.notes, *(f"{tab.title} {tab.value}".strip() for tab in area.tabs)]
        first, *more = wrap(" · ".join([title, *notes]), max(20, self.width - len(indent)))
        yield indent + self.paint(style, first)
        yield from (indent + line for line in more)
        if not is_over:
            yield from self.parts(area, indent + INDENT if area.card is None else indent)

    def zone(self, zone: Zone) -> str:
        """What lies in a zone and what is said of it."""
        signs = f"[{'/'.join(name for _, name in zone.signs)}]" if zone.signs else ""
        counters = " / ".join(f"{one.title} {one.value}{'!' if one.leads else ''}" for one in zone.counters)
        cards = ", ".join([*map(self.card, zone.cards), *(f"⇢ {self.card(card)}" for card in zone.coming)])
        limit = f"(≤ {zone.limit})" if zone.limit is not None else ""
        held = " ".join(filter(None, (cards or ("?" if zone.unknown else "" if zone.count else "–"), limit)))
        return " · ".join(filter(None, (*zone.facts, signs, counters, *zone.notes, self.counted(zone), held)))

    def counted(self, zone: Zone) -> str:
        """The number of cards where no more is known."""
        return "" if zone.count is None else str(zone.count)

    def card(self, card: Card) -> str:
        """A card with all that holds of it."""
        name = card_name(card, self.said) if card.face else card.key
        tags = f"({', '.join(name for _, name in card.tags)})" if card.tags else ""
        figures = ", ".join(f"{name} {number}" for _, name, number in card.figures)
        back = "▒" if card.down and card.face and card.face.title != card.key else ""
        facts = f"({', '.join(card.facts)})" if any(" " in fact for fact in card.facts) else " ".join(card.facts)
        return " ".join(filter(None, (back, name, f"({figures})" if figures else "", facts, tags)))

    def track(self, track: Track, indent: str, label: int) -> Iterator[str]:
        """Steps: one a line, or all in one."""
        if track.layout == "list":
            is_acting = not any(area.is_open for step in track.steps for area in step.inside)
            for step in track.steps:
                if is_acting or step.inside or step.state == "now":
                    yield from self.step(step, indent)
        elif track.layout == "path":
            yield from self.labelled(track.title, " ".join(step.number or "·" for step in track.steps), indent, label)
        else:
            shown = (f"▶ {step.title}" if step.state == "now" else step.title for step in track.steps)
            yield from self.labelled(track.title, " · ".join(shown), indent, label)

    def step(self, step: TrackStep, indent: str) -> Iterator[str]:
        """One step, and inside it what runs there."""
        is_struck = step.state == "skipped" or step.lost
        name = f"~{step.title}~" if is_struck else step.title
        text = f"{MARKS[step.state]} {DOORS[step.door]} {step.number:>4} {name}"
        due = f"▸ {', '.join(step.due)}" if step.due and step.state != "skipped" else ""
        line = f"{text:<{STEP + 14}} {due}".rstrip()
        first, *more = wrap(line, self.width - len(indent), subsequent_indent=" " * 11, drop_whitespace=True)
        yield from (indent + self.paint(STYLES[step.state], each) for each in (first, *more))
        for area in step.inside:
            yield from self.area(area, indent + NESTED)

    def labelled(self, label: str, text: str, indent: str, column: int) -> Iterator[str]:
        """A name and what it stands for, going on below where there is no more room."""
        head = f"{label}{':' if label and not column else ''}".ljust(column)
        hang = len(indent) + (column + 2 if 0 < column < self.width // 3 else 4)
        line = f"{indent}{head}  {text}".rstrip() if label else f"{indent}{text}"
        yield from wrap(line, self.width, subsequent_indent=" " * hang, drop_whitespace=True)

    def wrapped(self, text: str, indent: str) -> Iterator[str]:
        yield from wrap(text, self.width, initial_indent=indent, subsequent_indent=indent + INDENT)


class _Facing:
    """Two areas across the same columns: the one above with its cards outermost at the top."""

    def __init__(self, lines: _Lines, area: Area) -> None:
        self.lines_of, self.paint, self.said = lines, lines.paint, lines.said
        below, *above = (part for part in area.parts if isinstance(part, Area))
        self.below, self.above = below, above[0] if above else below
        self.token = next((part for part in area.parts if isinstance(part, Token)), None)
        count = len(_stacks(below))
        self.width = min(WIDEST_COLUMN, (lines.width - 3 - count) // max(1, count))

    def lines(self) -> Iterator[str]:
        """The whole table."""
        yield from self.heading(self.above)
        above, below = _stacks(self.above), _stacks(self.below)
        if self.width >= NARROWEST_COLUMN:
            yield from self.grid(above, below)
        else:
            self.width = min(2 * WIDEST_COLUMN, self.lines_of.width - 4)
            for one, other in zip(above, below, strict=False):
                yield from self.grid([one], [other])
        yield from self.heading(self.below)

    def heading(self, area: Area) -> Iterator[str]:
        """Whose side it is, how many cards lie where, who has the token, and the hand where it is known."""
        zones = [part for part in area.parts if isinstance(part, Zone) and part.layout != "stack"]
        counts = " · ".join(f"{zone.title} {zone.size}" for zone in zones)
        turn = self.paint("turn", "▶") if area.is_turn else " "
        token = f"◆ {self.token.title}" if self.token and self.token.at == area.owner else ""
        head = f"{turn} {self.paint('seat', area.title)}  "
        hang = 4 + len(area.title)
        first, *more = wrap(f"{counts}  {token}".rstrip(), max(20, self.lines_of.width - hang)) or [""]
        told = [line.replace(token, self.paint("token", token)) if token else line for line in (first, *more)]
        held = [zone for zone in zones if zone.role == "hand" and zone.cards]
        coming = [f"⇢ {self.lines_of.card(card)}" for zone in zones for card in zone.coming]
        cards = ", ".join([*(self.lines_of.card(card) for zone in held for card in zone.cards), *coming])
        hand = wrap(cards, self.lines_of.width, initial_indent=" " * 5, subsequent_indent=" " * 5)
        yield head + told[0]
        yield from (" " * hang + line for line in told[1:])
        yield from hand

    def grid(self, above: Sequence[Zone], below: Sequence[Zone]) -> Iterator[str]:
        """The columns beside each other, with a border."""
        count = len(above)
        yield self.border("┌┬┐", count)
        yield from reversed([*self.heads(above), *self.cards(above)])
        yield self.border("├┼┤", count)
        yield from self.heads(below)
        yield from self.cards(below)
        yield self.border("└┴┘", count)

    def border(self, corners: str, count: int) -> str:
        return f"  {corners[0]}{corners[1].join(['─' * self.width] * count)}{corners[2]}"

    def row(self, cells: Sequence[Cell]) -> str:
        """One row, each cell a text and its style."""
        return (
            "  │"
            + "│".join(self.paint(style, f" {text}"[: self.width].ljust(self.width)) for text, style in cells)
            + "│"
        )

    def heads(self, stacks: Sequence[Zone]) -> Iterator[str]:
        """What stands at the head of each stack, then its total."""
        heads = [zone.head or Counter("", "", "") for zone in stacks]
        yield self.row([
            (f"[{one.title}{' ✓' if one.done else ''}]", "done" if one.done else "head") for one in heads
        ])  # fmt: skip
        yield self.row([(f"= {one.value}{' !' if one.leads else ''}", "total") for one in heads])

    def cards(self, stacks: Sequence[Zone]) -> Iterator[str]:
        """The cards of each stack, lowest first, then those on their way to it."""
        columns = [[*self.lying(zone), *self.coming(zone)] for zone in stacks]
        height = max(1, *map(len, columns))
        padded = ([*column, *[("", "plain")] * (height - len(column))] for column in columns)
        return map(self.row, zip(*padded, strict=True))

    def coming(self, zone: Zone) -> Iterator[Cell]:
        return ((f"⇢ {self.lines_of.card(card)}", "coming") for card in zone.coming)

    def lying(self, zone: Zone) -> Iterator[Cell]:
        for number, card in enumerate(zone.cards, 1):
            name = card.face.title if card.face else ""
            text = f"▒ {name}".rstrip() if card.down else name
            is_last = number == len(zone.cards)
            yield f"{text}{' ◂' if is_last else ''}", "uppermost" if is_last else "quiet"


def _stacks(area: Area) -> list[Zone]:
    return [part for part in area.parts if isinstance(part, Zone) and part.layout == "stack"]


def _open_inside(area: Area) -> bool:
    return any(inner.is_open for inner in list(areas_in(area))[1:])


def _label(part: Part) -> str:
    return "" if isinstance(part, Area) or (isinstance(part, Track) and part.layout == "list") else part.title


def rule_heading(catalogue: Catalogue, rule: Rule, language: str, paint: Paint = plain) -> str:
    """A rule's title with its id in brackets; the id alone where it has no title."""
    title = catalogue.title(rule, language)
    return f"{paint('rule', title)} {paint('quiet', f'({rule.id})')}" if title else paint("rule", rule.id)


def rule_line(catalogue: Catalogue, rule: Rule, language: str, paint: Paint = plain) -> str:
    """What a rule is called, and its statement."""
    return f"{rule_heading(catalogue, rule, language, paint)}  {catalogue.statement(rule, language)}"
