"""A table of Compile in a save becomes a position: what can mean several things is asked, what is left out is named."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import combinations, pairwise

from msgspec import Struct

from audit.core.ruleset import ruleset
from audit.games.compile.cards import CARDS
from replays.importing.questions import OUT, Asker, Unread
from replays.importing.saves import CARD_LENGTH, SIDES, Face, Frame, Piece, SavedTable, Side, Spot, frame_of, is_within
from replays.importing.words import cards_named, protocols_named, says_compiled, words_in
from replays.judging.positions import position_line

DECK_OF = 18
SAME_PLACE = 0.15
"""Cards nearer than this lie straight on one another."""
SAME_HEIGHT = 0.005
STEP = 1.3
"""Lengths of a card: a card further out than this from the one before it does not lie in the same stack."""
PILES = ("deck", "trash")
MARKER = ("control", "kontrol")
MAX_PROTOCOLS = 12
"""Among more it is not searched for the six that are in the game."""


class Placed(Struct, frozen=True):
    """A card, or a handle, and its place: `into` is `1` to `3`, `hand`, `deck` or `trash`."""

    card: str
    side: Side
    into: str
    face: Face
    piece: Piece
    order: int = 0


class Gathered(Struct, frozen=True):
    """What came of a save: the line of the position, if there is one, what it leaves open, and what was left out.

    `told` are sentences on how the table was read, with what stands in them.
    """

    line: str | None
    data: Mapping[str, object] | None
    asker: Asker
    unread: tuple[Unread, ...]
    told: tuple[Unread, ...]


class PositionHints(Struct, frozen=True):
    """What somebody says of the table: A's colour, the frame, each side's protocols from line 1, the game."""

    side_a: str = ""
    frame: Frame | None = None
    protocols: Mapping[str, Sequence[str]] = {}
    game: str = ""


def gather_position(table: SavedTable, asker: Asker, told: PositionHints) -> Gathered:
    """The position on that table. Where nobody says otherwise, A has the side of lower z."""
    reader = _Reader(table, asker, told)
    data = reader.data()
    line = position_line(ruleset("compile"), data) if data else None
    return Gathered(line, data, asker, (*table.unread, *reader.unread), tuple(reader.told))


class _Reader:
    def __init__(self, table: SavedTable, asker: Asker, given: PositionHints) -> None:
        self.table, self.asker, self.given = table, asker, given
        self.unread: list[Unread] = []
        self.told: list[Unread] = []
        self._handles = 0
        self._apart: dict[tuple[Side, Face], bool] = {}
        self.hands = [piece for piece in table.pieces if piece.kind == "hand"]

    def data(self) -> dict[str, object] | None:
        """The data of the position; None where the protocols do not show how the table is laid out."""
        named = _protocols_of(self.table)
        rows, frame = _rows(named)
        frame = self.given.frame or frame
        if frame is None or (not rows and self.given.protocols.keys() != set(SIDES)):
            self.unread.append(Unread("save_layout", "ObjectStates", {"n": str(len(named))}))
            return None
        self.frame = self._seated(frame)
        aside = {piece.path for piece in named}
        self.unread.extend(
            Unread("save_aside", piece.where, {"name": piece.name}) for piece in named if piece not in rows
        )
        self._tell_seats()
        self.protocols = {side: self._protocols(rows, side) for side in SIDES}
        placed = self._once(
            [one for piece in self.table.pieces if piece.path not in aside for one in self._placed(piece)]
        )
        sides = {side: self._side(side, [one for one in placed if one.side == side]) for side in SIDES}
        return {"turn": 1, "phase": "action", "player": self._player(), "control": self._control(), "sides": sides}

    # Seats

    def _seated(self, frame: Frame) -> Frame:
        wanted = self.given.side_a.casefold()
        if not wanted:
            return frame
        seat = next((frame.spot(hand.transform) for hand in self.hands if hand.colour.casefold() == wanted), None)
        if seat is None:
            self.unread.append(Unread("save_no_seat", self.given.side_a))
        return frame.turned() if seat and seat.out > 0 else frame

    def _tell_seats(self) -> None:
        colours = {self._side_of_hand(hand): hand.colour for hand in self.hands}
        for side in SIDES:
            self.told.append(Unread("save_seat", side, {"colour": colours.get(side, "") or "-"}))

    def _side_of_hand(self, hand: Piece) -> Side | None:
        """Whose hand a zone is; None for a seat at the ends of the table."""
        spot = self.frame.spot(hand.transform)
        return self.frame.side(spot) if abs(spot.out) > abs(spot.across) else None

    def _protocols(self, rows: Sequence[Piece], side: Side) -> list[object]:
        if side in self.given.protocols:
            return list(self.given.protocols[side])
        mine = [piece for piece in rows if (self.frame.spot(piece.transform).out < 0) == (side == "A")]
        in_order = sorted(mine, key=lambda piece: self.frame.spot(piece.transform).across)
        return [self._protocol(piece) for piece in in_order]

    def _protocol(self, piece: Piece) -> object:
        meant = _protocol_of(piece)
        name = meant[0] if len(meant) == 1 else self.asker.ask("ask_protocol", piece.where, meant, name=piece.name)
        name = name or meant[0]
        is_compiled = any(map(says_compiled, piece.names))
        if piece.face != "up":
            is_compiled = self.asker.ask("ask_compiled", piece.where, ("yes", "no"), name=name) == "yes"
        return {"name": name, "compiled": True} if is_compiled else name

    def _player(self) -> str:
        for hand in self.hands:
            side = self._side_of_hand(hand)
            if side and self.table.turn and hand.colour == self.table.turn:
                return side
        return self.asker.ask("ask_player", "Turns", SIDES) or "A"

    def _control(self) -> str | None:
        markers = [piece for piece in self.table.pieces if _is_marker(piece)]
        if len(markers) == 1:
            return self.frame.side(self.frame.spot(markers[0].transform))
        where = ", ".join(piece.where for piece in markers) or "ObjectStates"
        answer = self.asker.ask("ask_control", where, ("A", "B", "nobody"))
        return answer if answer in SIDES else None

    # Cards

    def _placed(self, piece: Piece) -> Iterator[Placed]:
        if piece.kind == "bag":
            self.unread.append(Unread("save_bag", piece.where, {"name": piece.name, "n": str(piece.size)}))
        elif piece.kind == "card" and not _is_marker(piece):
            if place := self._place(piece):
                yield from self._card(piece, piece.face, place)
        elif piece.kind == "deck" and (place := self._place(piece)):
            yield from self._deck(piece, place)

    def _place(self, piece: Piece) -> tuple[Side, str] | None:
        """The side and the line or zone where a piece lies; asks where that can be several."""
        for hand in self.hands:
            if is_within(piece.transform, hand):
                side = self._side_of_hand(hand)
                return (side, "hand") if side else self._asked(piece, ["A hand", "B hand"])
        spot = self.frame.spot(piece.transform)
        side, line = self.frame.side(spot), self.frame.line(spot)
        if side is None or line is None:
            return self._asked(piece, self._near(spot))
        if line and abs(spot.out) < self.frame.protocols_at:
            return self._asked(piece, [f"{side}{line}", *self._near(spot)])
        if line:
            return side, str(line)
        return self._pile(piece, side)

    def _pile(self, piece: Piece, side: Side) -> tuple[Side, str] | None:
        """What lies beside the lines: the face-down deck, and the face-up trash, where there is one of each."""
        is_deck_of_one = piece.face == "down" and piece.kind == "card"
        if not piece.face or is_deck_of_one or self._are_apart(side, piece.face):
            return self._asked(piece, [f"{side} {pile}" for pile in ("hand", *PILES)])
        return side, "trash" if piece.face == "up" else "deck"

    def _are_apart(self, side: Side, face: Face) -> bool:
        """Whether what lies beside a side's lines with that face is more than one pile."""
        if (side, face) not in self._apart:
            there = [
                piece.transform for piece in self.table.pieces if piece.face == face and self._is_beside(piece, side)
            ]  # fmt: skip
            spans = [[one.posX for one in there], [one.posZ for one in there]]
            self._apart[side, face] = any(max(span) - min(span) > CARD_LENGTH / 2 for span in spans if span)
        return self._apart[side, face]

    def _is_beside(self, piece: Piece, side: Side) -> bool:
        if piece.kind not in ("card", "deck") or _is_marker(piece) or _protocol_of(piece):
            return False
        spot = self.frame.spot(piece.transform)
        in_hand = any(is_within(piece.transform, hand) for hand in self.hands)
        return not in_hand and self.frame.side(spot) == side and self.frame.line(spot) == 0

    def _near(self, spot: Spot) -> list[str]:
        """The lines and zones that are near, those of the nearer side first."""
        sides = SIDES if spot.out < 0 else tuple(reversed(SIDES))
        order = sorted((1, 2, 3), key=lambda line: abs(spot.across - self.frame.lines[line - 1]))
        lines = [f"{side}{line}" for side in sides for line in order]
        return lines + [f"{side} {zone}" for side in sides for zone in ("hand", *PILES)]

    def _asked(self, piece: Piece, places: Sequence[str]) -> tuple[Side, str] | None:
        answers = (*dict.fromkeys(places), OUT)
        answer = self.asker.ask("ask_place", piece.where, answers, name=piece.name or "?")
        if answer in (None, OUT):
            self.unread.append(Unread("save_no_place", piece.where, {"name": piece.name or "?"}))
            return None
        side: Side = "A" if answer.startswith("A") else "B"
        return side, answer[1:].strip()

    def _card(self, piece: Piece, face: Face, place: tuple[Side, str], order: int = 0) -> Iterator[Placed]:
        side, into = place
        if into == "deck":
            yield Placed("", side, into, "down", piece)
            return
        card = self._named(piece, side, into, face)
        if not face and into in "123":
            face = "up" if self.asker.ask("ask_face", piece.where, ("up", "down"), name=card or "?") == "up" else "down"
        if card:
            yield Placed(card, side, into, face or "up", piece, order)

    def _named(self, piece: Piece, side: Side, into: str, face: Face) -> str | None:
        """The card of a piece, a handle for one that lies hidden, or None where it cannot be told."""
        names = tuple(_names_of(self.protocols[side]) + _names_of(self.protocols[_other(side)]))
        for name in piece.names:
            found = cards_named(name)
            known = tuple(card for card in found if card.rpartition("-")[0] in names)
            if len(known) == 1:
                return known[0]
            if found and not known:
                self.unread.append(Unread("save_foreign", piece.where, {"name": piece.name}))
                return None
            if known:
                return self.asker.ask("ask_card", piece.where, known, name=piece.name)
        if not piece.names and (face == "down" or into == "hand"):
            self._handles += 1
            return f"?t{self._handles}"
        cards = tuple(card for card in CARDS if card.rpartition("-")[0] in names)
        likely = get_close_matches("-".join(words_in(piece.name)), cards)
        answer = self.asker.ask(
            "ask_card", piece.where, (*dict.fromkeys((*likely, *cards)), OUT), name=piece.name or "?"
        )
        if answer in (None, OUT):
            self.unread.append(Unread("save_unnamed", piece.where, {"name": piece.name or "?"}))
        return None if answer == OUT else answer

    def _deck(self, piece: Piece, place: tuple[Side, str]) -> Iterator[Placed]:
        side, into = place
        if into == "deck":
            yield from (Placed("", side, into, "down", piece) for _ in range(piece.size))
            return
        cards = [one for card in piece.within for one in self._card(card, piece.face, place)]
        if into in "123" and len(cards) > 1:
            told = tuple(one.card for one in cards)
            orders = (",".join(told), ",".join(reversed(told)))
            answer = self.asker.ask("ask_order", piece.where, (*orders, OUT), name=f"{side}{into}")
            if answer in (None, OUT):
                self.unread.append(Unread("save_no_order", piece.where, {"name": orders[0]}))
                return
            cards = cards if answer == orders[0] else cards[::-1]
        for order, one in enumerate(cards):
            yield Placed(one.card, one.side, one.into, one.face, piece, order)

    def _once(self, placed: Sequence[Placed]) -> list[Placed]:
        """A card that lies at two places stays at the one that is answered."""
        places: dict[str, list[Placed]] = {}
        for one in placed:
            places.setdefault(one.card, []).append(one)
        kept = list(places.pop("", ()))
        for card, there in places.items():
            if len(there) == 1:
                kept.extend(there)
                continue
            labels = tuple(f"{number}:{one.side}{_gap(one.into)}" for number, one in enumerate(there, 1))
            where = ", ".join(one.piece.where for one in there)
            answer = self.asker.ask("ask_twice", where, (*labels, OUT), name=card)
            if answer in labels:
                kept.append(there[labels.index(answer)])
            else:
                self.unread.append(Unread("save_twice", where, {"name": card}))
        return kept

    # Sides

    def _side(self, side: Side, placed: Sequence[Placed]) -> dict[str, object]:
        lines = [self._stack(side, line, [one for one in placed if one.into == line]) for line in ("1", "2", "3")]
        zones = {zone: [one.card for one in placed if one.into == zone] for zone in ("hand", "trash")}
        deck = sum(one.into == "deck" for one in placed)
        known = sum(map(len, lines)) + sum(map(len, zones.values())) + deck
        if known != DECK_OF:
            self.told.append(Unread("save_count", side, {"n": str(known), "of": str(DECK_OF)}))
        return {"protocols": self.protocols[side], "lines": lines, **zones, "deck": deck}

    def _stack(self, side: Side, line: str, placed: Sequence[Placed]) -> list[str]:
        """The cards of a stack from the protocol outwards."""
        if not placed:
            return []
        whole = self._without_far(sorted(placed, key=lambda one: (self._out(one), _height(one), one.order)))
        upwards = sorted(whole, key=lambda one: (_height(one), one.order))
        ways = (_if_apart(whole, self._out, SAME_PLACE), _if_apart(upwards, _height, SAME_HEIGHT))
        stacks = list(dict.fromkeys(tuple(_written(one) for one in way) for way in ways if way))
        if len(stacks) == 1:
            return list(stacks[0])
        told = tuple(_written(one) for one in whole)
        answers = tuple(",".join(stack) for stack in stacks or [told, told[::-1]])
        where = ", ".join(one.piece.where for one in whole)
        answer = self.asker.ask("ask_order", where, (*answers, OUT), name=f"{side}{line}")
        if answer in (None, OUT):
            self.unread.append(Unread("save_no_order", where, {"name": ",".join(told)}))
            return []
        return answer.split(",")

    def _without_far(self, outwards: Sequence[Placed]) -> list[Placed]:
        """The cards that touch the one before them; the others are asked about, and left out."""
        kept: list[Placed] = []
        last = self.frame.protocols_at
        for one in outwards:
            reach = STEP * CARD_LENGTH * max(1.0, abs(one.piece.transform.scaleZ))
            stays = f"{one.side}{one.into}"
            if self._out(one) - last > reach:
                answer = self.asker.ask("ask_place", one.piece.where, (stays, OUT), name=one.card)
                if answer != stays:
                    self.unread.append(Unread("save_no_place", one.piece.where, {"name": one.card}))
                    continue
            kept.append(one)
            last = self._out(one)
        return kept

    def _out(self, one: Placed) -> float:
        return abs(self.frame.spot(one.piece.transform).out)


def _if_apart(cards: Sequence[Placed], at: Callable[[Placed], float], least: float) -> list[Placed] | None:
    """These cards in this order; None where one lies where the card before it lies."""
    pairs = pairwise(cards)
    is_apart = all(at(later) - at(one) >= least or later.piece is one.piece for one, later in pairs)
    return list(cards) if is_apart else None


def _height(one: Placed) -> float:
    return one.piece.transform.posY


def _rows(named: Sequence[Piece]) -> tuple[Sequence[Piece], Frame | None]:
    """The six pieces that are two rows of three, if only six are."""
    if not 6 <= len(named) <= MAX_PROTOCOLS:
        return (), None
    found = [(rows, frame) for rows in combinations(named, 6) if (frame := frame_of(rows))]
    return found[0] if len(found) == 1 else ((), None)


def has_protocols(table: SavedTable) -> bool:
    """Whether the names of six protocols lie there in two rows."""
    return bool(_rows(_protocols_of(table))[0])


def _protocols_of(table: SavedTable) -> list[Piece]:
    return [piece for piece in table.pieces if piece.kind in ("card", "zone", "other") and _protocol_of(piece)]


def _is_marker(piece: Piece) -> bool:
    """Whether that is the control component."""
    return piece.kind in ("card", "zone", "other") and any(
        one.startswith(MARKER) for name in piece.names[:1] for one in words_in(name)
    )


def _protocol_of(piece: Piece) -> tuple[str, ...]:
    return next((found for name in piece.names if (found := protocols_named(name))), ())


def _names_of(protocols: Sequence[object]) -> list[str]:
    return [str(one["name"]) if isinstance(one, dict) else str(one) for one in protocols]


def _other(side: Side) -> Side:
    return "B" if side == "A" else "A"


def _written(one: Placed) -> str:
    return f"{one.card}*" if one.face == "down" else one.card


def _gap(into: str) -> str:
    return into if into.isdigit() else f" {into}"
