"""A table of Altered or of a reveal in a save becomes a position.

A place is a hand, or a zone of the save that carries the name of the place in some language. Cards that lie in none are
asked about, those that lie together with one question. What a save does not tell is said, never guessed silently.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from audit.core.catalogue import LANGUAGES
from audit.core.disclosure import JUDGE
from audit.core.errors import AuditError
from audit.core.ruleset import Ruleset, ruleset
from audit.core.setting import MOST, Counted, Data, is_name
from audit.core.typography import folded
from replays.importing.positions import Gathered, PositionHints, gather_position, has_protocols
from replays.importing.questions import OUT, Asker, Unread
from replays.importing.saves import CARD_LENGTH, Piece, SavedTable, is_within
from replays.importing.words import words_in
from replays.judging.positions import header_of, position_line

COMPILE = "compile"
TITLES: Mapping[str, frozenset[str]] = {
    "altered": frozenset({"altered"}),
    "lotr-reveal": frozenset({"lotr", "rings", "anneaux", "anelli", "pierscieni"}),
}
"""Words that the title of a save, or of the table it was made on, has for these games alone."""
APART = "apart"
"""The answer that these cards do not lie in one place."""
TOGETHER = 1.2 * CARD_LENGTH
"""Cards whose middles are nearer than this lie together."""
SIDEWAYS = 0.5
HAND = frozenset({"hand"})
YES, NO = "yes", "no"


def gather_table(table: SavedTable, asker: Asker, told: PositionHints, usual: str = COMPILE) -> Gathered:
    """The position on that table: of the game that is told, or that the title or the cards show; else of the usual."""
    name = told.game or _game_of(table) or usual
    if name == COMPILE:
        return gather_position(table, asker, told)
    reader = _Reader(ruleset(name), table, asker, told)
    data = reader.read()
    return Gathered(
        position_line(reader.game, data), data, asker, (*table.unread, *reader.unread), tuple(reader.told)
    )  # fmt: skip


def _game_of(table: SavedTable) -> str:
    """The game that the title of the save names, or Compile where its protocols lie there; "" where nothing tells."""
    said = {word for title in table.titles for word in words_in(title)}
    named = next((name for name, words in TITLES.items() if words & said), "")
    return named or (COMPILE if has_protocols(table) else "")


class Place(Struct, frozen=True):
    """A place of the game: its key, whose it is, what it is called, and what is counted there.

    `takes_cards` says whether cards are put there by name; else they are counted alone.
    """

    key: str
    seat: str
    names: tuple[frozenset[str], ...]
    counts: tuple[Counted, ...]
    takes_cards: bool

    @property
    def is_counted(self) -> bool:
        """Whether it is a hand or a deck: cards that nobody sees, and their number."""
        return any(not one.name for one in self.counts)


class _Reader:
    def __init__(self, game: Ruleset[object], table: SavedTable, asker: Asker, given: PositionHints) -> None:
        self.game, self.table, self.asker, self.given = game, table, asker, given
        self.unread: list[Unread] = []
        self.told: list[Unread] = []
        self.cards = [piece for piece in table.pieces if piece.kind in ("card", "deck")]
        self.hands = self._hands()
        self.data = game.setting.fresh([self._players()])
        self.seats = self._seats_of(self.data)
        self.colours = dict(zip(self.seats, self.hands, strict=False))
        self.places = self._places()
        self._ids: Counter[str] = Counter()
        self._known = {
            "-".join(words_in(name)): card.value
            for language in LANGUAGES
            for group in game.setting.left(self.data, language)
            for card in group.cards
            for name in (card.title, card.value)
        }
        """The cards that the game knows by name, in every language."""
        self._said: set[tuple[str, str]] = set()
        self._found: set[str] = set()
        """The places that the table shows, even if nothing lies there."""

    def read(self) -> Data:
        """The data of the position."""
        for seat in self.seats:
            colour = self.colours[seat].colour if seat in self.colours else ""
            self.told.append(Unread("save_seat", seat, {"colour": colour or "-"}))
        self._fill(self._lying())
        self._count_tokens()
        self._ask_fields()
        self._tell_usual()
        self.unread.extend(
            Unread("save_bag", piece.where, {"name": piece.name or "?", "n": str(piece.size)})
            for piece in self.table.pieces if piece.kind == "bag" and piece.size
        )  # fmt: skip
        return self.data

    # Players

    def _hands(self) -> list[Piece]:
        """The hands with cards in them, that of the first player first, then from the lower z and x on."""
        hands = [piece for piece in self.table.pieces if piece.kind == "hand"]
        used = [hand for hand in hands if any(is_within(card.transform, hand) for card in self.cards)] or hands
        first = self.given.side_a.casefold()
        if first and not any(hand.colour.casefold() == first for hand in hands):
            self.unread.append(Unread("save_no_seat", self.given.side_a))
        return sorted(
            used, key=lambda hand: (hand.colour.casefold() != first, hand.transform.posZ, hand.transform.posX)
        )

    def _players(self) -> str:
        words = [word.value for word in self.game.setting.words("en")]
        fitting = [word for word in words if len(self._seats_of(self.game.setting.fresh([word]))) == len(self.hands)]
        if len(fitting) == 1:
            return fitting[0]
        return self.asker.ask("ask_players", "ObjectStates", tuple(fitting or words)) or (fitting or words)[0]

    def _seats_of(self, data: Data) -> Sequence[str]:
        return self.game.disclosure.seats(header_of(self.game, data))

    # Places

    def _places(self) -> list[Place]:
        """The places of the game, with their names in every language."""
        titles: dict[str, list[str]] = {}
        state = self.game.rules.start(header_of(self.game, self.data))
        seen, setting = self.game.disclosure.view(state, JUDGE), self.game.setting
        for language in LANGUAGES:
            scene = self.game.scene_maker.scene(seen, language, ())
            for key, title in (
                *((zone.key, zone.title) for zone in scene.zones if setting.takes_card(zone.key)),
                *((one.value, one.title) for one in setting.places(self.data, language)),
            ):
                titles.setdefault(key, []).append(str(title))
        about = setting.about(self.data, "en")
        counts = {key: one.counts for key, one in about.items() if key and one.counts}
        return [self._place(key, titles.get(key, []), counts.get(key, ())) for key in dict.fromkeys((*titles, *counts))]

    def _place(self, key: str, titles: Sequence[str], counts: tuple[Counted, ...]) -> Place:
        parts = key.split(".")
        seat = next((part for part in parts if part in self.seats), "")
        own = frozenset(words_in(" ".join(parts).replace("_", " "))) - frozenset(words_in(seat))
        named = [frozenset(words_in(title)) - frozenset(words_in(seat)) for title in titles]
        return Place(key, seat, tuple(name for name in (own, *named) if name), counts, bool(titles))

    def _zone_place(self, zone: Piece) -> Place | None:
        """The place that a zone is: the one whose name it has most of, for the seat it names or lies nearest to."""
        if zone.kind == "hand":
            seat = next((seat for seat, hand in self.colours.items() if hand is zone), None)
            return next((one for one in self.places if seat and one.seat == seat and HAND in one.names), None)
        for name in zone.names:
            said = frozenset(words_in(name))
            fitting = [(max(len(own) for own in one.names if own <= said), one) for one in self.places
                       if any(own <= said for own in one.names)]  # fmt: skip
            most = max((number for number, _ in fitting), default=0)
            meant = [one for number, one in fitting if number == most]
            if meant:
                seat = self._seat_said(name) or self._nearest_seat(zone)
                return next((one for one in meant if one.seat == seat), meant[0])
        return None

    def _seat_said(self, name: str) -> str:
        words = folded(name).replace("-", " ").replace(":", " ").split()
        for seat in self.seats:
            colour = self.colours[seat].colour.casefold() if seat in self.colours else ""
            if folded(seat) in words or (colour and colour in words):
                return seat
        return ""

    def _nearest_seat(self, piece: Piece) -> str:
        def far(seat: str) -> float:
            hand = self.colours[seat].transform
            return math.hypot(hand.posX - piece.transform.posX, hand.posZ - piece.transform.posZ)

        return min(self.colours, key=far, default="")

    # Cards

    def _lying(self) -> Iterator[tuple[Place, Piece]]:
        """Every card, deck or hand on the table with its place, those that are asked about last."""
        zones = [piece for piece in self.table.pieces if piece.kind in ("zone", "hand")]
        small = sorted(zones, key=lambda zone: abs(zone.transform.scaleX * zone.transform.scaleZ))
        places = [(zone, place) for zone in small if (place := self._zone_place(zone))]
        self._found = {place.key for _, place in places}
        loose = []
        for piece in self.cards:
            place = next((place for zone, place in places if is_within(piece.transform, zone)), None)
            if place:
                yield place, piece
            else:
                loose.append(piece)
        for together in _clusters(loose):
            yield from self._asked(together)

    def _asked(self, together: Sequence[Piece]) -> Iterator[tuple[Place, Piece]]:
        name = ", ".join(piece.name or "?" for piece in together)
        seat = self._nearest_seat(together[0])
        keys = tuple(place.key for place in sorted(self.places, key=lambda one: one.seat not in (seat, "")))
        more = (APART,) if len(together) > 1 else ()
        where = ", ".join(piece.where for piece in together)
        answer = self.asker.ask("ask_place", where, (*keys, *more, OUT), name=name)
        if answer == APART:
            for piece in together:
                yield from self._asked([piece])
        elif answer in (None, OUT):
            self.unread.append(Unread("save_no_place", where, {"name": name}))
        else:
            place = next(one for one in self.places if one.key == answer)
            yield from ((place, piece) for piece in together)

    def _fill(self, lying: Iterator[tuple[Place, Piece]]) -> None:
        by_place: dict[str, list[Piece]] = {}
        for place, piece in lying:
            by_place.setdefault(place.key, []).append(piece)
        for place in self.places:
            there = by_place.get(place.key, [])
            if place.is_counted:
                self._set_count(place, there)
            elif place.takes_cards:
                for piece in there:
                    for card in piece.within or (piece,):
                        self._put(place, card, piece)
            elif there or place.key in self._found:
                self._set_turned(place, there)

    def _set_count(self, place: Place, there: Sequence[Piece]) -> None:
        """A hand with the cards that have names, or the number of cards of a deck."""
        if there or place.key in self._found:
            self._change(do="count", to=place.key, number=sum(piece.size for piece in there))
            self._said.add((place.key, ""))
        for piece in there if HAND in place.names else ():
            for card in piece.within or (piece,):
                if card.name:
                    self._put(place, card, piece)

    def _set_turned(self, place: Place, there: Sequence[Piece]) -> None:
        """Cards that are only counted: those that lie straight, and those that lie sideways."""
        turned = sum(piece.size for piece in there if self._is_sideways(piece))
        numbers = (sum(piece.size for piece in there) - turned, turned)
        if len(place.counts) == 1:
            numbers = (sum(numbers), 0)
        for one, number in zip(place.counts, numbers, strict=False):
            self._say_number(place.key, one, number)

    def _put(self, place: Place, card: Piece, piece: Piece) -> None:
        name = self._named(card)
        if name is None:
            self.unread.append(Unread("save_unnamed", card.where, {"name": card.name or "?"}))
            return
        self._change(do="put", card=name, to=place.key)
        if not place.is_counted and piece is card and self._is_sideways(card):
            self._change(do="turn", card=name)

    def _named(self, card: Piece) -> str | None:
        """What a card is called at the table; a second one of a name is told apart by a number."""
        found = next((self._known[key] for name in card.names if (key := "-".join(words_in(name))) in self._known), "")
        name = found or "-".join(words_in(card.name))
        if not is_name(name):
            return None
        self._ids[name] += 1
        if self._ids[name] == 1:
            return name
        other = f"{name}-{self._ids[name]}"
        self.told.append(Unread("save_copy", card.where, {"name": card.name, "card": other}))
        return other

    def _is_sideways(self, piece: Piece) -> bool:
        """Whether a card is turned by a quarter, seen by the player who is nearest."""
        hand = self.colours.get(self._nearest_seat(piece))
        straight = hand.transform.rotY if hand else 0.0
        return abs(math.cos(math.radians(piece.transform.rotY - straight))) < SIDEWAYS

    # What no card tells

    def _count_tokens(self) -> None:
        """The counters on the table that have the name of a number."""
        about = self.game.setting.about(self.data, "en")
        named = [(key, one) for key, found in about.items() for one in found.counts if one.name]
        for piece in self.table.pieces:
            if piece.value is None:
                continue
            said = frozenset(words_in(piece.name))
            meant = [(key, one) for key, one in named if frozenset(words_in(one.name.replace("_", " "))) <= said]
            meant = [(key, one) for key, one in meant if self._is_at(key, piece, said)]
            if len(meant) == 1 and 0 <= piece.value <= MOST:
                self._say_number(meant[0][0], meant[0][1], piece.value)
            else:
                self.unread.append(Unread("save_counter", piece.where, {"name": piece.name or "?"}))

    def _is_at(self, key: str, piece: Piece, said: frozenset[str]) -> bool:
        """Whether a number is of the whole table, of a card that is named, or of the seat that is named or near."""
        parts = key.split(".")
        seat = next((part for part in parts if part in self.seats), "")
        if seat and seat != (self._seat_said(piece.name) or self._nearest_seat(piece)):
            return False
        rest = [part for part in parts if part != seat]
        is_of_place = any(place.key == key for place in self.places)
        others = frozenset(word for place in self.places for own in place.names[:1] for word in own) & said
        return not key or (is_of_place and (not others or bool(others & set(rest)))) or (
            not is_of_place and frozenset(words_in(key)) <= said
        )  # fmt: skip

    def _say_number(self, key: str, counted: Counted, number: int) -> None:
        self._said.add((key, counted.name))
        self._change(do="count", to=key, name=counted.name, number=number)

    def _ask_fields(self) -> None:
        """The phase, who is first and the like; whose turn it is if the save tells it."""
        seat = next((seat for seat, hand in self.colours.items() if hand.colour == self.table.turn), None)
        for field in self.game.setting.fields(self.data, "en"):
            answers = tuple(choice.value for choice in field.choices)
            kind, _, who = field.name.partition(".")
            if field.name == "player" and seat in answers:
                self._change(do="say", name=field.name, value=seat)
            elif len(answers) > 1:
                answer = self.asker.ask(f"ask_{kind}", "ObjectStates", answers)
                self._change(do="say", name=field.name, value=answer or field.value)
            elif answers and who:
                answer = self.asker.ask(f"ask_{kind}", "ObjectStates", (NO, YES), name=who)
                self._change(do="say", name=field.name, value=answers[0] if answer == YES else "")

    def _tell_usual(self) -> None:
        """The numbers of which the save says nothing: they are as at the start."""
        kept = [
            f"{' '.join(filter(None, (key, one.name)))} {one.number}"
            for key, found in self.game.setting.about(self.data, "en").items()
            for one in found.counts
            if (not key or any(place.key == key for place in self.places)) and (key, one.name) not in self._said
        ]
        if kept:
            self.told.append(Unread("save_usual", "ObjectStates", {"what": ", ".join(kept)}))

    def _change(self, **change: object) -> None:
        """A change as if it were made by hand; one that the game refuses is no part of the position."""
        after = self.game.setting.changed(self.data, change)
        try:
            self.game.rules.start(header_of(self.game, after))
        except AuditError as problem:
            name = str(change.get("card") or change.get("name") or change.get("to"))
            self.unread.append(Unread("save_refused", "ObjectStates", {"name": name, "found": str(problem)}))
        else:
            self.data = after


def _clusters(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """The cards that lie together."""
    found: list[list[Piece]] = []
    for piece in pieces:
        near = [cluster for cluster in found if any(_distance(piece, other) <= TOGETHER for other in cluster)]
        found = [cluster for cluster in found if cluster not in near]
        found.append([*(one for cluster in near for one in cluster), piece])
    return found


def _distance(one: Piece, other: Piece) -> float:
    return math.hypot(
        one.transform.posX - other.transform.posX, one.transform.posZ - other.transform.posZ
    )  # fmt: skip
