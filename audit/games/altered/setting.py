"""A position of Altered put together by hand: cards in zones, statistics, mana, the day and its phase.

What cards there are is in the setup of the game, or they are named at the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from audit.core import setting as s
from audit.core.catalogue import words
from audit.core.errors import SetupError
from audit.core.event_rules import Violations
from audit.core.model import Event
from audit.core.typography import labelled
from audit.games.altered.askable import askable
from audit.games.altered.races import untold_stats, why_uncertain
from audit.games.altered.set_by_hand import (
    CHANGES,
    EFFECT,
    ON,
    PART,
    PARTS_OF_DUSK,
    PROGRESS,
    REGION,
    STATUSES,
    ZONES,
    characters_in,
    held_in,
    lying_in,
    printed,
    regions_in,
    resting_in,
    seats_of,
    setup_of,
)
from audit.games.altered.state import COMPANION, EXPEDITIONS, HERO, LANDMARKS, PHASES, RESERVE, STATS, State
from audit.games.altered.untold import is_behind, is_dusk_open, undecided, untold

PACKAGE = "audit.games.altered"
MODES: Mapping[str, tuple[str, int]] = {
    "duel": ("duel", 2),
    "ffa-3": ("ffa", 3),
    "ffa-4": ("ffa", 4),
    "2v2": ("2v2", 4),
}
SEATS = ("A", "B", "C", "D")
HAND, DECK, ORBS, DISTANCE = 3, 33, 3, 7
CARD_DATA = ("costs", "stats", "statuses", "abilities")


class AlteredSetting(s.Setting):
    """Two to four players, each with two expeditions."""

    is_settable = True
    example = (
        "altered/(setup:(mode:duel,seats:!(A,B),meet_distance:7,types:(bear:character,fox:character,owl:character),"
        "costs:(bear:(hand:3,reserve:3),fox:(hand:1,reserve:1),owl:(hand:2,reserve:1)),"
        "stats:(bear:(forest:3,mountain:2,water:0),fox:(forest:2,mountain:0,water:1),"
        "owl:(forest:1,mountain:1,water:1)),abilities:(bear:!(),fox:!(),owl:!())),"
        "first_player:A,day:3,phase:afternoon,turn_of:A,limbo:!(),hands:(A:4,B:3),decks:(A:28,B:28),"
        "orbs:(A:(ready:2,exhausted:3),B:(ready:4,exhausted:1)),reserve:(A:!(fox),B:!()),"
        "landmark_zone:(A:!(),B:!()),discard:(A:!(),B:!()),"
        "characters:(A:(hero:!((id:bear,forest:3,mountain:2,water:0)),companion:!()),"
        "B:(hero:!(),companion:!((id:owl,forest:1,mountain:1,water:1)))),"
        "advances:(A:(hero:1,companion:2),B:(hero:2,companion:1)))"
    )
    sheet_header = "game    A Ada   B Bo   first A"
    names_cards = True

    def words(self, language: str) -> tuple[s.Choice, ...]:
        """How many players, and whether they are teams."""
        return tuple(s.Choice(mode, _words(language)[f"table.{mode}"]) for mode in MODES)

    def words_said(self, language: str) -> str:
        """How many play."""
        return _words(language)["table.words"]

    def typing_help(self, language: str) -> str:
        """How a card is played, and what else is typed most."""
        return _words(language)["typing.help"]

    def takes_card(self, place: str) -> bool:
        """Every zone of a player."""
        return place.partition(".")[2] in (*ZONES, *EXPEDITIONS)

    def fresh(self, words: Sequence[str]) -> s.Data:
        """Empty zones on the first afternoon; the mana has been placed."""
        if words[0] not in MODES:
            raise SetupError("words", f"one of {', '.join(MODES)}")
        mode, number = MODES[words[0]]
        seats = SEATS[:number]
        each: dict[str, object] = {
            "hands": HAND, "decks": DECK, "orbs": {"ready": ORBS, "exhausted": 0}, RESERVE: [], LANDMARKS: [],
            "discard": [], "characters": {HERO: [], COMPANION: []}, "advances": {HERO: 0, COMPANION: 0},
        }  # fmt: skip
        return {
            "setup": {"mode": mode, "seats": list(seats), "meet_distance": DISTANCE},
            "first_player": "A", "day": 1, "phase": "afternoon", "turn_of": "A", "limbo": [],
            **{key: {seat: s.own(value) for seat in seats} for key, value in each.items()},
        }  # fmt: skip

    def fields(self, data: s.Json, language: str) -> tuple[s.Field, ...]:
        """The phase, what part of dusk it is, whose turn it is, who is first, and who has passed."""
        told, passed = _words(language), s.names_at(data, "passed")
        seats = tuple(s.Choice(seat, seat) for seat in seats_of(data))
        phase = str(data.get("phase") or "")
        afternoon = (s.Field("player", str(data.get("turn_of") or ""), seats),) if phase == "afternoon" else ()
        part = PROGRESS if data.get("daily_effect") == PROGRESS else PARTS_OF_DUSK[0]
        parts = tuple(s.Choice(one, told[f"dusk.{one}"]) for one in PARTS_OF_DUSK)
        dusk = (s.Field(PART, part, parts, told["dusk.part"]),) if phase == "dusk" else ()
        return (
            s.Field("phase", phase, tuple(s.Choice(one, told[f"phase.{one}"]) for one in PHASES)), *dusk, *afternoon,
            s.Field("first", str(data.get("first_player") or ""), seats, told["first"]),
            *(
                s.Field(
                    f"passed.{seat}", ON if seat in passed else "",
                    (s.Choice(ON, labelled(language, seat, told["passed"])),),
                )
                for seat in seats_of(data) if afternoon
            ),
        )  # fmt: skip

    def left(self, data: s.Json, language: str) -> tuple[s.Group, ...]:
        """The cards that the setup tells of and that lie nowhere but in a deck, by deck where it has their lists."""
        drawn = {key: value for key, value in data.items() if key != ZONES["deck"]}
        setup, lying = cast(s.Json, data.get("setup", {})), set(lying_in(drawn))
        decks = {seat: s.names_at(setup, "deck_lists", seat) for seat in cast(s.Json, setup.get("deck_lists") or {})}
        listed = {card for cards in decks.values() for card in cards}
        others = (card for key in CARD_DATA for card in cast(s.Json, setup.get(key) or {}) if card not in listed)
        groups = {**decks, "": [*others, *(card for card in s.names_at(setup, "permanents") if card not in listed)]}
        return tuple(
            s.Group(title, tuple(s.Choice(card, card) for card in dict.fromkeys(cards) if card not in lying))
            for title, cards in groups.items() if set(cards) - lying
        )  # fmt: skip

    def about(self, data: s.Json, language: str) -> Mapping[str, s.About]:
        """Counts of hands, decks and mana; where expeditions are; a card's statistics and statuses."""
        told = _words(language)
        found = {"": s.About((), (s.Counted("day", told["day"], s.number_at(data, "day")),))}
        for seat in seats_of(data):
            found |= {
                f"{seat}.{zone}": s.About((), (s.Counted("", "", len(s.names_at(data, ZONES[zone], seat))),))
                for zone in ("hand", "deck")
            }
            found[f"{seat}.mana"] = s.About((), tuple(
                s.Counted(one, told[f"mana.{one}"], s.number_at(data, "orbs", seat, one))
                for one in ("ready", "exhausted")
            ))  # fmt: skip
            for name in EXPEDITIONS:
                types = regions_in(data, seat, name)
                found[f"{seat}.{name}"] = s.About(
                    tuple(
                        s.Field(f"{REGION}{stat}", ON if stat in types else "", (s.Choice(ON, told[f"in.{stat}"]),))
                        for stat in STATS
                    ),
                    (s.Counted("space", told["space"], s.number_at(data, "advances", seat, name)),),
                )
        found |= {card: printed(data, card, language) for card in held_in(data)}
        for card in resting_in(data):
            read = printed(data, card, language)
            found[card] = s.About((*_spent(data, card, told), *read.fields), read.counts, read.texts)
        return found | {str(one["id"]): self._character(data, one, told, language) for one in characters_in(data)}

    def printed(self, data: s.Json, card: str, language: str) -> s.About:
        """Type, costs, statistics and text."""
        return printed(data, card, language)

    def _character(self, data: s.Json, one: s.Json, told: Mapping[str, str], language: str) -> s.About:
        card, statuses = str(one["id"]), s.names_at(one, "statuses")
        known = cast(s.Json, one if "forest" in one else setup_of(data, "stats").get(card) or {})
        marks = tuple(
            s.Field(name, ON if name in statuses else "", (s.Choice(ON, told[f"status.{name}"]),)) for name in STATUSES
        )
        counts = tuple(
            s.Counted(stat, told[f"stat.{stat}"], s.number_at(known, stat), is_known=bool(known)) for stat in STATS
        )
        read = printed(data, card, language, with_stats=False)
        return s.About((*marks, *_spent(data, card, told), *read.fields), (*counts, *read.counts), read.texts)

    def texts(self, data: s.Json, language: str) -> tuple[s.HalfDone, ...]:
        """The reactions that may wait in Limbo, and the effects that may have begun."""
        told = _words(language)
        reactions = cast(Mapping[str, s.Json], setup_of(data, "reactions"))
        waiting = tuple(
            s.HalfDone(
                name.partition(":")[0],
                name,
                0,
                labelled(language, told["limbo"], name),
                str(one.get("effect") or ""),
                1,
            )
            for name, one in reactions.items()
        )
        begun = (card for card in dict.fromkeys((*resting_in(data), *(str(one["id"]) for one in characters_in(data)))))
        return (
            *waiting,
            *(s.HalfDone(card, EFFECT, 0, labelled(language, card, told["begun"]), "", 1) for card in begun),
        )

    def untold(self, state: object) -> Iterable[Event]:
        """Cards of hands that nobody has seen, and what is announced at dusk."""
        return untold(cast(State, state))

    def has_open_question(self, state: object) -> bool:
        """Dusk, where an expedition may have advanced of which nobody has told what decides it."""
        return is_dusk_open(cast(State, state))

    def open_question(self, state: object, language: str) -> s.OpenQuestion | None:
        """Which expeditions advanced; or what the statistics are that nobody has told."""
        if not self.has_open_question(state):
            return None
        return s.OpenQuestion(_words(language)["dusk.asked"], untold_stats(cast(State, state)))

    def why_open(self, state: object) -> Violations:
        """The statuses and texts that may change a sum."""
        return why_uncertain(cast(State, state))

    def undecided(self, state: object, event: Event) -> Violations:
        """The region and the sums by which an expedition advances."""
        return undecided(cast(State, state), event)

    def is_unlikely(self, state: object, event: Event) -> bool:
        """An advance of an expedition that is not ahead by the figures told."""
        return is_behind(cast(State, state), event)

    def unknown_at(self, event: s.Json) -> str:
        """The hand of whoever plays a card that nobody has named."""
        is_held = event.get("type") in ("card_played", "mana_placed") and event.get("from", "hand") == "hand"
        return f"{event.get('player')}.hand" if is_held else ""

    def asks_for_card(self, event: s.Json) -> bool:
        """A card that is played lies open; one that becomes a Mana Orb does not."""
        return event.get("type") == "card_played" and event.get("card") == s.UNKNOWN

    def remark(self, event: s.Json, language: str) -> str:
        """The type of card that is played there, where it is no Character."""
        kind = {"limbo": "spell", LANDMARKS: "landmark"}.get(str(event.get("to_zone")), "")
        return str(words(PACKAGE, language, "names")[f"type.{kind}"]) if kind else ""

    def number_asked(self, event: s.Json, language: str) -> s.NumberAsked | None:
        """What a card costs that is played, where nobody has told it."""
        if event.get("type") != "card_played" or event.get("mana") is not None:
            return None
        told = _words(language)
        return s.NumberAsked("mana", told["cost.asked"], f"{s.PRINTED}{event['from']}", told["cost.asked_unnamed"])

    def filled(self, data: s.Json, event: s.Json) -> s.Json:
        """A card that was played with what it costs."""
        cost = cast(s.Json, setup_of(data, "costs").get(str(event.get("card"))) or {}).get(str(event.get("from")))
        is_open = event.get("type") == "card_played" and event.get("mana") is None
        return {**event, "mana": cost} if is_open and isinstance(cost, int) else event

    def askable(self, state: object, key: str) -> Iterator[Event]:
        """Playing, resting and moving a card, quick actions and reactions, advancing, passing."""
        return askable(cast(State, state), key)

    def changes(self) -> Mapping[str, s.Change]:
        """What changes the position."""
        return CHANGES

    def changed(self, data: s.Json, change: s.Json) -> s.Data:
        """The position after a change; what was under way does not outlast another moment."""
        found, do = super().changed(data, change), change.get("do")
        under_way = s.table(found, "under_way") if "under_way" in found else {}
        for name in ("sides", "exhausted"):
            under_way.pop(name, None)
        if do in ("text", "no-text") or (do == "say" and not change.get("at")):
            found.pop("under_way", None)
        return found


def _spent(data: s.Json, card: str, told: Mapping[str, str]) -> tuple[s.Field, ...]:
    spent = s.names_at(data, "exhausted")
    return (s.Field("exhausted", ON if card in spent else "", (s.Choice(ON, told["exhausted"]),)),)


def _words(language: str) -> Mapping[str, str]:
    return cast(Mapping[str, str], words(PACKAGE, language, "scene"))
