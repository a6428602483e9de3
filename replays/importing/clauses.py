"""A decision as somebody told it, with its gaps, becomes a line of a score sheet: what is missing is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import cast

from msgspec import Struct

from audit.core.model import Header
from audit.core.ruleset import ruleset
from audit.games.compile.cards import PROTOCOLS
from replays.errors import LogError, Problem
from replays.importing.questions import OUT, Asker, Unread
from replays.importing.words import UNREAD, needs_of
from replays.scoresheet.forms import MisfitError
from replays.scoresheet.line import UNREAD as UNREAD_LINE
from replays.scoresheet.line import Sheet
from replays.scoresheet.sheet import read_sheet, write_sheet

GAME = "compile"
LINES = ("1", "2", "3")
FACES = ("up", "down")
COUNTS = tuple(map(str, range(1, 7)))
MAX_TEXT = 300
_KEYS = {
    "line": "ask_line",
    "face": "ask_played_face",
    "count": "ask_count",
    "card": "ask_which_card",
    "cards": "ask_which_card",
}


class NamedWord(Struct, frozen=True):
    """A word of a source with its column, and what it may mean; nothing where it means nothing that is known.

    `is_protocol`: it may mean protocols, and stands for the line in which one lies.
    """

    text: str
    column: int
    meant: tuple[str, ...]
    is_protocol: bool = False


class Clause(Struct, frozen=True):
    """One decision: its line and column in the source, what was said, and the parts of it that were told.

    `is_doubtful`: it is a question or a denial.
    """

    row: int
    column: int
    text: str
    verb: str
    parts: Mapping[str, tuple[NamedWord, ...]]
    who: NamedWord | None = None
    is_doubtful: bool = False


class Imported(Struct, frozen=True):
    """The score sheet, its questions, the lines that could not be read, and those that say nothing of the game."""

    sheet: str
    asker: Asker
    unread: tuple[Unread, ...]
    ignored: tuple[Unread, ...]


class TableNames:
    """The players and cards of the game of a header, and the answers about them."""

    def __init__(self, header: Header, asker: Asker, usual_face: str = "") -> None:
        game = ruleset(GAME)
        self.header, self.asker, self.usual_face = header, asker, usual_face
        self.seats = tuple(game.disclosure.seats(header))
        self.sheet = Sheet(game, self.seats, header.setup)
        told = self._protocols()
        self.protocols = tuple(name for each in told.values() for name in each if name in PROTOCOLS)
        self.cards = tuple(card.id for name in self.protocols for card in PROTOCOLS[name].cards)
        self.unread: list[Unread] = []
        self.order: dict[str, Sequence[str]] | None = dict(told)
        """The protocols of each player from line 1 to 3; None after an order that nobody could read."""
        self._names = {player.name.casefold(): player.seat for player in header.players if player.name}

    def _protocols(self) -> dict[str, Sequence[str]]:
        return dict(cast("Mapping[str, Sequence[str]]", self.header.setup["protocols"]))

    def seat(self, name: str) -> str | None:
        """The seat of a player's name, number or seat, or of a name that was answered."""
        return self.sheet.meanings.seat_called(name) or self._names.get(name.casefold())

    def seat_asked(self, name: str, where: str) -> str | None:
        """The seat of a name that nobody knows; the answer holds for the whole source."""
        if (known := self.seat(name)) or name.casefold() in self._names:
            return known
        answer = self.asker.ask("ask_who", where, (*self.seats, OUT), name=name)
        self._names[name.casefold()] = answer if answer in self.seats else ""
        return self.seat(name) or None

    def line(self, clause: Clause) -> str | None:
        """The line of the score sheet; a flag where something stays open, None where the answer leaves it out."""
        where = _where(clause.row, clause.column)
        if clause.verb == UNREAD:
            self.unread.append(Unread("told_left_over", where, {"name": clause.text[:MAX_TEXT]}))
            return self._flag(clause)
        if clause.is_doubtful:
            answer = self.asker.ask("ask_happened", where, ("yes", OUT), name=clause.text)
            if answer != "yes":
                return None if answer == OUT else self._flag(clause)
        if clause.verb == "undo" and clause.who is None:
            return self._of_table(clause, "")
        who = self._who(clause, where)
        if who == OUT:
            return None
        if clause.verb == "draft":
            return None  # the first line tells it
        if clause.verb in ("control", "undo"):
            return self._of_table(clause, who) if who else self._flag(clause)
        said = {need: self._part(clause, need, where) for need in _needs(clause)}
        if place := clause.parts.get("from"):
            said["from"] = place[0].meant[0]
        if OUT in said.values():
            return None
        if who is None or None in said.values():
            return self._flag(clause)
        line = self._said(clause, who, {need: word for need, word in said.items() if word is not None})
        try:
            self.sheet.read(line, 1)
        except MisfitError as misfit:
            told = {"found": misfit.found, "expected": misfit.expected, "name": clause.text[:MAX_TEXT]}
            self.unread.append(Unread("told_misfit", where, told))
            return self._flag(clause)
        drawn = clause.parts.get("count") if clause.verb == "refresh" else None
        return f"{line}\n{who} draw {drawn[0].meant[0]}" if drawn else line

    def _of_table(self, clause: Clause, who: str) -> str:
        """The line of the control component, or of going back."""
        if clause.verb == "control":
            return f"{who} control{' back' if 'back' in clause.parts else ''}"
        self.order = self.order if self.order == self._protocols() else None
        return f"{who} undo".strip()

    def _said(self, clause: Clause, who: str, said: Mapping[str, str]) -> str:
        """The words of a score sheet; after an order of protocols this is where they lie."""
        if clause.verb != "rearrange":
            return _words(clause.verb, who, said)
        names = said["protocols"].split(",")
        side = next((seat for seat, each in self._protocols().items() if set(each) == set(names)), who)
        if self.order is not None:
            self.order = {**self.order, side: names}
        return f"{who} rearrange {'' if side == who else f'{side} '}{said['protocols']}"

    def _lines_of(self, protocols: Sequence[str]) -> tuple[str, ...]:
        """The lines in which these protocols lie."""
        lying = (self.order or {}).values()
        return tuple({str(line) for each in lying for line, name in enumerate(each, 1) if name in protocols})

    def _flag(self, clause: Clause) -> str:
        if clause.verb in ("rearrange", "undo"):
            self.order = None
        return f"{UNREAD_LINE} {clause.text[:MAX_TEXT].strip()}"

    def _who(self, clause: Clause, where: str) -> str | None:
        told = clause.who
        if told and len(told.meant) == 1:
            return told.meant[0]
        if told and told.text:
            return self.seat_asked(told.text, _where(clause.row, told.column))
        return self.asker.ask("ask_who_did", where, (*self.seats, OUT), name=clause.text[:MAX_TEXT])

    def _part(self, clause: Clause, need: str, where: str) -> str | None:
        told = clause.parts.get("card" if need == "cards" else need, ())
        if need == "cards":
            found = [self._one(clause, need, each) for each in told] or [self._asked(clause, need, where, None)]
            if OUT in found or None in found:
                return OUT if OUT in found else None
            return ",".join(one for one in found if one)
        if need == "count":
            return self._drawn(clause, where)
        if need == "protocols":
            here = [name for each in told for name in each.meant if name in self.protocols]
            return ",".join(here) if len(here) == len(LINES) else None
        if need == "face" and not told and self.usual_face and clause.verb == "play":
            return self.usual_face
        if len({each.meant for each in told}) > 1:
            meant = tuple(dict.fromkeys(one for each in told for one in each.meant))
            if need == "card":
                self.unread.append(Unread("told_several", where, {"name": clause.text[:MAX_TEXT]}))
            return self.asker.ask(
                _KEYS[need], _where(clause.row, told[-1].column), (*meant, OUT), name=clause.text[:MAX_TEXT]
            )
        return self._one(clause, need, told[0]) if told else self._asked(clause, need, where, None)

    def _drawn(self, clause: Clause, where: str) -> str | None:
        if clause.parts.get("card"):
            return self._part(clause, "cards", where)
        told = clause.parts.get("count", ())
        return told[0].meant[0] if told else self._asked(clause, "count", where, None)

    def _one(self, clause: Clause, need: str, told: NamedWord) -> str | None:
        if told.is_protocol:
            told = NamedWord(told.text, told.column, self._lines_of(told.meant))
        if len(told.meant) == 1:
            return told.meant[0]
        return self._asked(clause, need, _where(clause.row, told.column), told)

    def _asked(self, clause: Clause, need: str, where: str, told: NamedWord | None) -> str | None:
        usual = {"line": LINES, "face": FACES, "count": COUNTS}.get(need, self.cards)
        likely: Sequence[str] = ()
        if told and need in ("card", "cards"):
            likely = told.meant or get_close_matches(told.text.casefold().replace(" ", "-"), self.cards)
        elif told and told.meant:
            likely = told.meant
        answers = tuple(dict.fromkeys((*likely, *usual, OUT)))
        return self.asker.ask(_KEYS[need], where, answers, name=told.text if told else clause.text[:MAX_TEXT])


def _needs(clause: Clause) -> tuple[str, ...]:
    if clause.verb == "choose" and "line" in clause.parts:
        return ("line",)
    if clause.verb == "flip" and "face" not in clause.parts:
        return ("card",)
    return needs_of(clause.verb)


def _where(row: int, column: int) -> str:
    return f"line {row}, column {column}"


def _words(verb: str, who: str, said: Mapping[str, str]) -> str:
    """The words of a score sheet."""
    star = "*" if said.get("face") == "down" else ""
    card, face = f"{said.get('card', '')}{star}", ["up"] if said.get("face") == "up" else []
    place = [said["from"]] if "from" in said else []
    if verb in ("delete", "return"):
        every = "all " if verb == "return" and "," in said["cards"] else ""
        return f"{verb} {every}{said['cards']}"
    return {
        "play": " ".join([who, card, said.get("line", ""), *place]), "flip": " ".join(["flip", card, *face]),
        "shift": f"shift {card} {said.get('line')}",
        "compile": f"{who} compile {said.get('line')}", "draw": f"{who} draw {said.get('count')}",
        "discard": " ".join([who, "discard", said.get("cards", ""), *place]),
        "reveal": f"{who} reveal {said.get('cards')}",
        "win": f"{who} wins",
        "choose": f"{who} line {said['line']}" if "line" in said else f"{who} choose {said.get('card')}",
    }.get(verb, f"{who} {verb}")  # fmt: skip


def header_told(line: str, name: str) -> Header:
    """The header of the first line of a sheet of Compile; raises `LogError` where it names no six protocols."""
    header = read_sheet(line, name, GAME)[0]
    told = header.setup.get("protocols")
    if header.ruleset != GAME or not isinstance(told, dict) or len(told) != 2:
        expected = (
            "game, then two players with their protocols: game NAME   A Ada: fire life water   B Bo: death metal speed"
        )
        raise LogError(name, (Problem(1, "column 1", expected, line[:40]),))
    return header


def sheet_of(table: TableNames, clauses: Iterator[Clause], ignored: Sequence[Unread]) -> Imported:
    """The score sheet of these decisions, in the order in which they were told."""
    lines = [line for clause in clauses if (line := table.line(clause)) is not None]
    head = write_sheet(ruleset(GAME), table.header, ())
    return Imported("\n".join([head.rstrip("\n"), *lines, ""]), table.asker, tuple(table.unread), tuple(ignored))
