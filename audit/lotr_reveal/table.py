"""The table as lines of text: what lies where, and each card under way as a track of steps with its windows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from audit.catalogue import words
from audit.event_rules import Json
from audit.lotr_reveal.steps import ORDER
from audit.lotr_reveal.wording import card_name
from audit.ruleset import Paint, plain

PACKAGE = "audit.lotr_reveal"
WIDTH = 100
"""Columns; a longer row goes on in the next one."""

INDENT = "    "
_MARKS = {"now": "▶", "done": "✓", "ahead": "·", "skipped": "~"}
_WINDOWS = {"open": "[ ]", "shut": "[x]", "ahead": "[.]"}
_STYLES = {"now": "turn", "done": "quiet", "ahead": "plain", "skipped": "quiet"}


def draw(view: Json, language: str, paint: Paint = plain, width: int = WIDTH) -> list[str]:
    """Zones and players, then the track of every open card: a card called for stands indented under its caller.

    `▶` is the step reached, `✓` a step gone through, `·` one to come, `~` struck out: not for this card. A window
    is `[ ]` open, `[x]` shut, `[.]` ahead.
    """
    table = _Table(view, language, paint, width)
    return [*table.players(), *table.zones(), *table.characters(), "", *table.tracks()]


class _Table:
    def __init__(self, view: Json, language: str, paint: Paint, width: int) -> None:
        self.view = view
        self.language = language
        self.paint = paint
        self.width = width
        self.words: Mapping[str, str] = words(PACKAGE, language, "names")

    def players(self) -> Iterator[str]:
        """Each player's threat and hand."""
        threat, hands = self._numbers("threat"), self._numbers("hand_size")
        seats = cast(Sequence[str], self.view["players"])
        rows = [
            f"{seat}: {self.words['table.threat']} {threat.get(seat, 0)}"
            + (f", {self.words['table.hand']} {hands[seat]}" if seat in hands else "")
            for seat in seats
        ]
        yield from self._row(self.words["table.players"], " · ".join(rows))

    def zones(self) -> Iterator[str]:
        """Deck, discard pile, staging area, and who is engaged with whom."""
        deck = self.view["encounter_deck"]
        counted = len(deck) if isinstance(deck, list) else deck
        shown = self.words["table.unknown_deck"] if counted is None else str(counted)
        yield from self._row(self._zone("encounter_deck"), shown)
        for zone in ("encounter_discard", "staging_area"):
            yield from self._row(self._zone(zone), self._cards(cast(Sequence[str], self.view[zone])))
        for seat, cards in cast(Mapping[str, Sequence[str]], self.view["engaged"]).items():
            if cards:
                yield from self._row(f"{self._zone('engaged')}, {seat}", self._cards(cards))

    def characters(self) -> Iterator[str]:
        """Heroes and allies: ready or exhausted, and their damage."""
        found = cast(Mapping[str, Mapping[str, object]], self.view["characters"])
        if not found:
            return
        rows = [
            f"{card_name(name, self.language)} ({self.words['table.ready' if one['ready'] else 'table.exhausted']}"
            + (f", {self.words['table.damage']} {one['damage']})" if one["damage"] else ")")
            for name, one in found.items()
        ]
        yield from self._row(self.words["table.characters"], ", ".join(rows))

    def tracks(self) -> Iterator[str]:
        """The open cards, the one that called for the others first."""
        frames = cast(Mapping[str, Mapping[str, object]], self.view["frames"])
        opened = [frames[id] for id in cast(Sequence[str], self.view["open_frames"])]
        if self.view["replacement_due"]:
            yield self.paint("pending", self.words["table.replacement"])
        if not opened:
            yield self.words["table.no_frame"]
        for depth, frame in enumerate(opened):
            yield from self._track(frame, INDENT * depth, is_acting=depth == len(opened) - 1)

    def _track(self, frame: Mapping[str, object], indent: str, is_acting: bool) -> Iterator[str]:
        yield f"{indent}{self.paint('turn' if is_acting else 'seat', self._title(frame))}"
        passages = cast(Mapping[str, str], frame["track"])
        windows = cast(Mapping[str, str], frame["windows"])
        due = cast(Sequence[Mapping[str, str]], frame["due"])
        shown = ORDER if is_acting else tuple(step for step in ORDER if passages[step] == "now")
        for step in shown:
            yield f"{indent}{self._step(step, passages[step], windows.get(step), due)}".rstrip()

    def _title(self, frame: Mapping[str, object]) -> str:
        facts = [str(frame["player"])]
        facts += [self.words["table.placed"]] if frame["started_as"] == "placed" else []
        facts += [self.words["table.peril"]] if frame["peril"] else []
        facts += [f"{self.words['table.surges']} {frame['surges_left']}"] if frame["surges_left"] else []
        return f"{card_name(str(frame['card']), self.language)} ({', '.join(facts)})"

    def _step(self, step: str, passage: str, window: str | None, due: Sequence[Mapping[str, str]]) -> str:
        name = self.words[f"step.{step}"]
        text = f"{step:>4} {'~' + name + '~' if passage == 'skipped' else name}"
        waiting = [self._task(task) for task in due if task["step"] == step]
        told = f"{self.words['table.due']}: {', '.join(waiting)}" if waiting and passage != "skipped" else ""
        line = f"{_MARKS[passage]} {_WINDOWS[window] if window else '   '} {text:<32} {told}".rstrip()
        return self.paint(_STYLES[passage], line[: self.width])

    def _task(self, task: Mapping[str, str]) -> str:
        source = f" ({card_name(task['source'], self.language)})" if task["source"] else ""
        return f"{self.words['task.' + task['what']]}{source}"

    def _cards(self, cards: Sequence[str]) -> str:
        return ", ".join(map(self._card, cards)) or self.words["table.none"]

    def _card(self, card: str) -> str:
        counters = [
            f"{self.words['table.' + kind]} {number}"
            for kind in ("damage", "progress")
            if (number := self._numbers(kind).get(card))
        ]
        attached = cast(Mapping[str, Sequence[str]], self.view["attachments"]).get(card, ())
        told = [*counters, *(f"+ {card_name(other, self.language)}" for other in attached)]
        name = card_name(card, self.language)
        return f"{name} ({', '.join(told)})" if told else name

    def _numbers(self, key: str) -> Mapping[str, int]:
        return cast(Mapping[str, int], self.view[key])

    def _zone(self, zone: str) -> str:
        return self.words[f"zone.{zone}"]

    def _row(self, label: str, text: str) -> Iterator[str]:
        head = f"{label[:1].upper()}{label[1:]}: "
        rest = text
        while len(head) + len(rest) > self.width and ", " in rest[: self.width - len(head)]:
            cut = rest.rindex(", ", 0, self.width - len(head)) + 2
            yield head + rest[:cut].rstrip()
            head, rest = " " * len(head), rest[cut:]
        yield head + rest
