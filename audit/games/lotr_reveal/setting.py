"""A position of a reveal put together by hand: cards in zones, counters, and a card on its way at a step.

What encounter cards there are is in the setup of the game, or they are named at the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from audit.core import setting as s
from audit.core.catalogue import words
from audit.core.errors import SetupError
from audit.core.model import Event
from audit.core.typography import labelled
from audit.games.lotr_reveal.askable import askable
from audit.games.lotr_reveal.cards import KNOWN
from audit.games.lotr_reveal.events import CardMoved, Zone
from audit.games.lotr_reveal.lookup import acting_frame, card_of, replacement_is_due
from audit.games.lotr_reveal.set_by_hand import (
    CAUSES,
    CHANGES,
    CHARACTERS,
    COUNTED,
    GONE,
    HELD,
    IN_PLAY,
    LOCATION,
    OF_THE_PLAYERS,
    ON,
    ON_ITS_WAY,
    VICTORY,
    ZONES,
    cards_in,
    frames_in,
    lying_in,
    printed,
    seats_of,
    setup_in,
    table_at,
)
from audit.games.lotr_reveal.state import State
from audit.games.lotr_reveal.steps import ORDER, S8
from audit.games.lotr_reveal.tasks import first_task
from audit.games.lotr_reveal.wording import card_name

PACKAGE = "audit.games.lotr_reveal"
SEATS = ("p1", "p2", "p3", "p4")
DECK, GUESSES = 30, {"threat": 25, "hand": 6}
"""What numbers that nobody has told are likely to be."""
OPENINGS = ("reveal_started", "placement_started")


class RevealSetting(s.Setting):
    """One to four players and the encounter cards."""

    is_settable = True
    example = (
        "lotr-reveal/(setup:(players:!(p1,p2),cards:(goblin:(type:enemy,hit_points:2,keywords:(surge:!t)),"
        "ruins:(type:location,quest_points:3),wolf:(type:enemy,hit_points:3),"
        "cold-rain:(type:treachery,keywords:(doomed:1),has_when_revealed:!t))),"
        "first_player:p1,encounter_deck:!(goblin,cold-rain),encounter_discard:!(),threat:(p1:28,p2:30),"
        "staging_area:!(ruins),engaged:(p1:!(wolf),p2:!()),in_play:())"
    )
    sheet_header = "game    p1 Ada   p2 Bruno"
    names_cards = True

    def words(self, language: str) -> tuple[s.Choice, ...]:
        """How many players."""
        told = _words(language)
        return tuple(s.Choice(str(n), told["table.players"].format(n=n)) for n in range(1, len(SEATS) + 1))

    def words_said(self, language: str) -> str:
        """How many play."""
        return _words(language)["table.words"]

    def typing_help(self, language: str) -> str:
        """How cards and players are called."""
        return _words(language)["typing.help"]

    def takes_card(self, place: str) -> bool:
        """Every zone of the table but those that cards leave it for."""
        return place in (*ZONES, LOCATION, VICTORY, CHARACTERS) or place.startswith("engaged.")

    def fresh(self, words: Sequence[str]) -> s.Data:
        """Nothing on the table; how many cards there are, and how much threat, nobody has told."""
        if words[0] not in ("1", "2", "3", "4"):
            raise SetupError("words", "1, 2, 3 or 4")
        seats = SEATS[: int(words[0])]
        return {
            "setup": {"players": list(seats)}, "first_player": seats[0], "encounter_discard": [], "staging_area": [],
            "engaged": {seat: [] for seat in seats}, "in_play": {},
        }  # fmt: skip

    def fields(self, data: s.Json, language: str) -> tuple[s.Field, ...]:
        """Who is the first player."""
        seats = tuple(s.Choice(seat, seat) for seat in seats_of(data))
        return (s.Field("first", str(data.get("first_player") or ""), seats, _words(language)["first"]),)

    def left(self, data: s.Json, language: str) -> tuple[s.Group, ...]:
        """The encounter cards that lie nowhere but in the deck, by their type; and the cards of the players."""
        lying, cards, told = set(lying_in({**data, ZONES[0]: []})), cards_in(data), _words(language)
        listed = dict.fromkeys((*cards, *s.names_at(setup_in(data), "encounter_cards")))
        types: dict[str, list[str]] = {}
        for card in listed:
            types.setdefault(str(cards.get(card, {}).get("type") or ""), []).append(card)
        elsewhere = (*ZONES, LOCATION, VICTORY, ON_ITS_WAY, *(f"engaged.{seat}" for seat in seats_of(data)))
        players = dict.fromkeys((*KNOWN, *table_at(data, CHARACTERS), *table_at(data, IN_PLAY)))
        groups = [(told.get(f"type.{type}", type), some, elsewhere) for type, some in types.items()]
        left = [(title, [card for card in some if card not in lying], places) for title, some, places in groups]
        for place in OF_THE_PLAYERS:
            left.append(("", [card for card in players if card not in table_at(data, place)], (place,)))
        return tuple(
            s.Group(title, tuple(s.Choice(card, card_name(card, language)) for card in some), "", places)
            for title, some, places in left
        )

    def places(self, data: s.Json, language: str) -> tuple[s.Choice, ...]:
        """A card on its way, the active location, the victory display, and what the players have in play, by name."""
        told = _words(language)
        held = ", ".join(card_name(card, language) for card in table_at(data, IN_PLAY))
        in_play = labelled(language, told["in_play"], held) if held else told["in_play"]
        return (
            s.Choice(ON_ITS_WAY, told["on_its_way"]), s.Choice(LOCATION, told["active_location"]),
            s.Choice(VICTORY, told["zone.victory_display"]), s.Choice(CHARACTERS, told["characters"]),
            s.Choice(IN_PLAY, in_play),
        )  # fmt: skip

    def about(self, data: s.Json, language: str) -> Mapping[str, s.About]:
        """Counts of the decks and of each player; tokens, type and keywords of a card; the step of one on its way."""
        told = _words(language)
        deck = s.names_at(data, "encounter_deck") if "encounter_deck" in data else None
        cards = s.Counted("", "", DECK if deck is None else len(deck), deck is not None)
        found = {"encounter_deck": s.About((), (cards,))}
        for seat in seats_of(data):
            for one, key in COUNTED.items():
                number = table_at(data, key).get(seat)
                known = number if isinstance(number, int) else GUESSES[one]
                counted = s.Counted(key, told[one].format(player=seat), known, number is not None)
                found[f"{one}.{seat}"] = s.About((), (counted,))
        found |= {card: self._card(data, card, told, language) for card in lying_in(data)}
        found |= {card: self._character(data, card, told) for card in table_at(data, CHARACTERS)}
        seats = (*(s.Choice(seat, seat) for seat in seats_of(data)), s.Choice(GONE, "✕"))
        owned = [
            s.Field(card, str(cast(s.Json, one).get("owner") or ""), seats, card_name(card, language))
            for card, one in table_at(data, IN_PLAY).items()
        ]
        found[IN_PLAY] = s.About(tuple(owned))
        for seat in seats_of(data):
            whole = s.About(tuple(field for field in owned if field.value == seat))
            found |= {f"{place}.{seat}": whole for place in (IN_PLAY, HELD) if whole.fields}
        for frame in frames_in(data):
            card = str(frame["card"])
            found[card] = s.About(
                (*self._way(data, frame, told), *found[card].fields), found[card].counts, found[card].texts
            )
        return found

    def _card(self, data: s.Json, card: str, told: Mapping[str, str], language: str) -> s.About:
        read = printed(data, card, language)
        counts = tuple(s.Counted(name, told[name], s.number_at(data, name, card)) for name in ("damage", "progress"))
        return s.About(read.fields, (*counts, *read.counts), read.texts)

    def _character(self, data: s.Json, card: str, told: Mapping[str, str]) -> s.About:
        one = cast(s.Json, table_at(data, CHARACTERS)[card])
        spent = s.Field("exhausted", ON if one.get("ready") is False else "", (s.Choice(ON, told["exhausted"]),))
        return s.About((spent,), (s.Counted("damage", told["damage"], s.number_at(one, "damage")),))

    def _way(self, data: s.Json, frame: s.Json, told: Mapping[str, str]) -> tuple[s.Field, ...]:
        seats, steps = (tuple(s.Choice(one, one) for one in some) for some in (seats_of(data), ORDER))
        causes = tuple(s.Choice(one, told[f"cause.{one}"]) for one in CAUSES if f"cause.{one}" in told)
        return (
            s.Field("step", str(frame.get("step", "1")), steps, told["step"]),
            s.Field("reveals", str(frame["player"]), seats, told["reveals"]),
            s.Field("cause", str(frame.get("cause", "staging")), causes, told["cause"]),
        )

    def printed(self, data: s.Json, card: str, language: str) -> s.About:
        """Type, keywords, threat, hit points, quest points, and what happens when it is revealed."""
        return printed(data, card, language)

    def asks_for_card(self, event: s.Json) -> bool:
        """A card that is revealed, or put into play, lies open."""
        return event.get("type") in OPENINGS and event.get("card") == s.UNKNOWN

    def reads_card(self, event: s.Json) -> bool:
        """The card that comes is read: what happens next follows from what is printed on it."""
        return event.get("type") in OPENINGS

    def untold(self, state: object) -> Iterator[Event]:
        """Where a card goes of which nobody has told the type."""
        return untold(cast(State, state))

    def has_open_question(self, state: object) -> bool:
        """A card has come to the step at which it enters play or is discarded, and nobody has told its type."""
        return is_destination_open(cast(State, state))

    def open_question(self, state: object, language: str) -> s.OpenQuestion | None:
        """Where the card goes, or what is printed on it."""
        frame = acting_frame(cast(State, state))
        if frame is None or not self.has_open_question(state):
            return None
        asked = _words(language)["type.asked"].format(card=card_name(frame.card, language))
        return s.OpenQuestion(asked, (frame.card,))

    def askable(self, state: object, key: str) -> Iterator[Event]:
        """Revealing and moving a card, its keywords, responses in each window, characters, threat and hands."""
        return askable(cast(State, state), key)

    def changes(self) -> Mapping[str, s.Change]:
        """What changes the position."""
        return CHANGES


def _words(language: str) -> Mapping[str, str]:
    return cast(Mapping[str, str], {**words(PACKAGE, language, "names"), **words(PACKAGE, language, "scene")})


DESTINATIONS: tuple[Zone, ...] = ("staging_area", "encounter_discard")


def is_destination_open(state: State) -> bool:
    """Whether a card has come to step 8 of which nobody has told the type, so that it may go anywhere."""
    frame = acting_frame(state)
    if frame is None or frame.stop or not frame.held or replacement_is_due(state):
        return False
    first = first_task(state, frame)
    return (first is None or first.step > S8) and card_of(state, frame.card).destination is None


def untold(state: State) -> Iterator[Event]:
    """The card entering play, or being discarded, where nothing says which."""
    frame = acting_frame(state)
    if frame and is_destination_open(state):
        for to in DESTINATIONS:
            yield CardMoved(seq=0, frame=frame.id, step="8", card=frame.card, from_=frame.zone, to=to)
