"""The table of Altered as a scene, for two to four seats: the day, expeditions, reserves, landmarks, mana, Limbo.

Keys: a card by its id; `ann.hero` an expedition, `ann.hero.forest` one of its totals; `ann.hand`, `ann.deck`,
`ann.mana`, `ann.reserve`, `ann.landmarks`, `ann.discard`; `limbo`; `regions.hero` the region cards of an expedition,
`tumult.ann hero 2` a Tumult card's place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, cast

from audit.core import scene as s
from audit.core.names import Players
from audit.core.ruleset import SceneMaker
from audit.core.sentences import listed
from audit.core.typography import labelled
from audit.games.altered.state import EXPEDITIONS, HERO, PHASES, STATS, UNKNOWN

Json = Mapping[str, object]
PACKAGE = "audit.games.altered"
SIGNS = {"landmark": "permanent", "expedition_permanent": "permanent", "token": "character"}
"""The signs of types of cards that have none of their own."""

ICONS = {
    "day_started": "turn", "phase_started": "turn", "first_player_passed": "give", "cards_drawn": "draw",
    "mana_placed": "land", "mana_declined": "turn", "objects_readied": "renew", "card_played": "play",
    "quick_action_played": "trigger", "player_passed": "turn", "reaction_activated": "trigger",
    "reaction_played": "resolve", "expedition_totals": "event", "expedition_advanced": "move",
    "character_rested": "return", "cleanup_choice": "choose", "cleanup_discarded": "discard",
    "meeting_detected": "win", "winner_declared": "win", "tiebreak_started": "turn", "object_left": "move",
    "card_sacrificed": "delete", "target_chosen": "choose", "tumult_revealed": "turn-over",
    "boosts_changed": "event", "status_gained": "event", "status_lost": "event",
    "effect_started": "trigger", "effect_ended": "resolve",
}  # fmt: skip
"""The icon of each event."""

ACTIONS = dict.fromkeys((
    "card_played", "quick_action_played", "reaction_played", "player_passed", "mana_placed", "mana_declined",
    "cleanup_choice", "winner_declared",
), 9)  # fmt: skip


class _SceneBuilder(s.SceneBuilder):
    def __init__(self, package: str, view: Json, language: str, players: Players) -> None:
        super().__init__(package, view, language, players)
        self.sides = cast(Mapping[str, Json], view.get("sides") or {})
        self.printed = cast(Mapping[str, Json], view.get("cards") or {})

    def scene(self, pending: Sequence[Json]) -> s.Scene:
        """The whole table."""
        seats = s.Area("seats", "", tuple(self.seat(seat, side) for seat, side in self.sides.items()), "seats")
        limbo = (self.limbo(),) if self.view.get("limbo") else ()
        area = s.Area("table", self.captions["table"], (self.day(), seats, *limbo, *self.board()))
        return s.Scene(
            area.title, area, self.captions, self.chapter(), tuple(map(self.pending, pending)), s.tints(self.package),
            chapter_parts=tuple(self.words[f"phase.{one}"] for one in PHASES),
        )  # fmt: skip

    def chapter(self) -> s.Chapter:
        """The day and its phase."""
        day, phase = self.view.get("turn"), self.view.get("phase")
        title = self.words["turn"].format(turn=day) if day else ""
        return s.Chapter(title, self.words[f"phase.{phase}"] if phase else "", self.called(self.view.get("player")))

    def day(self) -> s.Track:
        """The phases of the day, the one that has come marked."""
        now = self.view.get("phase")
        steps = [
            s.TrackStep(f"day.{one}", self.words[f"phase.{one}"], "now" if one == now else "ahead") for one in PHASES
        ]
        if self.view.get("kind") == "tiebreak":
            steps.append(s.TrackStep("day.tiebreak", self.words["tiebreak"]))
        return s.Track("day", self.words["day"], tuple(steps))

    def seat(self, seat: str, side: Json) -> s.Area:
        """What belongs to one player."""
        has_passed = bool(side["passed"]) and self.view.get("phase") == "afternoon"
        told = {"first": self.view.get("first") == seat, "passed": has_passed, "out": not side["in"]}
        notes = [*self.belongs(seat, side), *(self.words[name] for name, holds in told.items() if holds)]
        teams = cast(Mapping[str, Sequence[str]], self.view.get("teams") or {})
        if self.view.get("over") in (seat, *(name for name, members in teams.items() if seat in members)):
            notes.append(self.words["over"])
        return s.Area(
            seat, seat, tuple(self.parts(seat, side)), "box", seat, tuple(notes),
            is_turn=self.view.get("player") == seat, is_out=bool(told["out"]),
        )  # fmt: skip

    def belongs(self, seat: str, side: Json) -> Iterator[str]:
        """A player's Hero, and the team with who else is in it."""
        if side.get("hero"):
            yield self.words["with_hero"].format(hero=side["hero"])
        for name, members in cast(Mapping[str, Sequence[str]], self.view.get("teams") or {}).items():
            if seat in members:
                mates = listed([self.called(one) for one in members if one != seat], self.language)
                yield self.words["team"].format(team=name, mates=mates)

    def arena(self, seat: str) -> Iterator[s.Counter]:
        """On a tie-break day the sums of a player's side in the Arena."""
        arena, teams = (cast(Json, self.view.get(key) or {}) for key in ("arena", "teams"))
        sides = {one: name for name, members in teams.items() for one in cast(Sequence[str], members)}
        sums = cast("Mapping[str, int] | None", arena.get(sides.get(seat, seat)))
        for stat in STATS if sums else ():
            title = self.words["arena"].format(stat=self.words[f"stat.{stat}"])
            yield s.Counter(f"{seat}.arena.{stat}", title, str(cast(Mapping[str, int], sums)[stat]), stat)

    def parts(self, seat: str, side: Json) -> Iterator[s.Part]:
        """A player's expeditions, their path, what is only counted, and their zones."""
        yield from self.path(seat, side)
        for name, each in cast(Mapping[str, Json], side["expeditions"]).items():
            yield self.expedition(seat, name, each)
        yield from self.arena(seat)
        yield self.zone(seat, "deck", side, "deck")
        mana = cast(Json, side["mana"])
        ready, used = (cast("int | None", mana[name]) for name in ("ready", "exhausted"))
        orbs = cast("int | None", mana.get("all"))
        told = self.words["mana.all"].format(ready=_number(ready), spent=_number(used))
        told = told if orbs is None else self.words["mana.of"].format(n=orbs, told=told)
        yield s.Counter(f"{seat}.mana", "", told, ready=ready, used=used)
        yield self.zone(seat, "hand", side, "hand")
        for name in ("reserve", "landmarks", "discard"):
            yield self.zone(seat, name, side, "discard" if name == "discard" else "")
        if laid := cast(Sequence[str], mana.get("cards") or ()):
            cards = tuple(s.Card(card, self.face(card), down=True) for card in laid if not card.startswith(UNKNOWN))
            yield s.Zone(f"{seat}.orbs", self.words["laid"], cards=cards, secret=True)
        if lost := [card for card in cast(Sequence[str], side["exhausted"] or ()) if card not in _lying(side)]:
            cards = tuple(self.card(card, spent=True) for card in lost)
            yield s.Zone(f"{seat}.elsewhere", self.words["elsewhere"], cards=cards)

    def path(self, seat: str, side: Json) -> Iterator[s.Part]:
        """The spaces between the two expeditions: one goes from the left, one from the right."""
        distance, places = self.view.get("distance"), cast(Mapping[str, Json], side["expeditions"])
        if not isinstance(distance, int):
            return
        ways = {name: cast("int | None", places[name]["at"]) for name in EXPEDITIONS}
        gone = {name: min(way, distance) for name, way in ways.items() if way is not None}
        stands = {name: way if name == HERO else distance - way for name, way in gone.items()}
        lost = [self.words["path.unknown"].format(who=self.words[name]) for name in EXPEDITIONS if name not in gone]
        steps = []
        for at in range(distance + 1):
            here = [name for name, space in stands.items() if space == at]
            letter = "X" if len(here) > 1 else "".join(here)[:1].upper()
            title = ", ".join(self.words[name] for name in here)
            signs = tuple((name, self.words[name]) for name in here)
            types = self.regions_at(places, at, distance)
            steps.append(
                s.TrackStep(f"{seat}.path.{at}", title, "now" if here else "ahead", letter, signs=signs, types=types)
            )
        yield s.Track(f"{seat}.path", self.words["path"], tuple(steps), "path")
        if lost:
            yield s.Counter(f"{seat}.path.unknown", "", " · ".join(lost))

    def regions_at(self, places: Mapping[str, Json], at: int, distance: int) -> tuple[tuple[str, str], ...]:
        """The region types of a space of the path, where one of the expeditions has come by."""
        found: list[str] = []
        for name in EXPEDITIONS:
            way = cast("Sequence[Sequence[str] | None]", places[name].get("way") or ())
            space = at if name == HERO else distance - at
            found += way[space] or () if space < len(way) else ()
        return tuple((one, self.words[f"stat.{one}"]) for one in dict.fromkeys(found))

    def expedition(self, seat: str, name: str, each: Json) -> s.Zone:
        """An expedition: its region, its space, its totals beside those it faces, its characters."""
        region = cast("Sequence[str] | None", each["region"])
        against = [self.words["against"].format(who=self.place(str(each["faces"])))] if each["faces"] else []
        characters = cast("Sequence[Json] | None", each["characters"])
        return s.Zone(
            f"{seat}.{name}", self.words[name], "play", unknown=characters is None,
            cards=tuple(map(self.character, characters or ())),
            signs=tuple((one, self.words[f"stat.{one}"]) for one in region or ()),
            facts=() if each["at"] is None else (self.words["at"].format(n=each["at"]),),
            counters=tuple(self.totals(f"{seat}.{name}", each)), notes=tuple(against),
        )  # fmt: skip

    def totals(self, key: str, each: Json) -> Iterator[s.Counter]:
        """The three sums; those the region asks for count, and one that is ahead of the other side leads."""
        facing = self.opposite(each)
        own, other = (cast("Mapping[str, int] | None", told.get("totals")) for told in (each, facing))
        marks = ["?" if one.get("doubtful") else "" for one in (each, facing)]
        count = frozenset(cast(Sequence[str], each["region"] or ()))
        is_race = self.view.get("kind") != "tiebreak" and self.view.get("phase") != "night" and not each.get("moved")
        for stat in STATS if own else ():
            value = cast(Mapping[str, int], own)[stat]
            leads = is_race and stat in count and other is not None and value > max(0, other[stat]) and not any(marks)
            title = self.words[f"stat.{stat}"]
            against = "" if other is None else f"{other[stat]}{marks[1]}"
            told = f"{value}{marks[0]}"
            yield s.Counter(f"{key}.{stat}", title, told, stat, against, idle=stat not in count, leads=leads)

    def opposite(self, each: Json) -> Json:
        """The expedition that this one faces."""
        seat, _, name = str(each["faces"] or "").rpartition(" ")
        places = cast(Mapping[str, Json], self.sides[seat]["expeditions"]) if seat in self.sides else {}
        return places.get(name, {})

    def place(self, place: str) -> str:
        """An expedition by its player and its name; a space of the path by its number as well."""
        if place == "centre" or place in EXPEDITIONS:
            return self.words[place]
        seat, _, rest = place.partition(" ")
        name, _, at = rest.partition(" ")
        named = self.names["place"].format(player=self.called(seat), expedition=self.words.get(name, name))
        return f"{named} {at}".strip()

    def character(self, one: Json) -> s.Card:
        """A character with its statistics and statuses."""
        stats = cast("Mapping[str, int] | None", one["stats"])
        states = [*cast(Sequence[str], one["statuses"] or ()), *(["eternal"] if one["eternal"] else [])]
        tags = tuple((state, self.words.get(f"status.{state}", state)) for state in states)
        card = str(one["card"])
        figures = (*self.cost(card), *self.figures(stats)) if stats else ()
        return self.card(card, figures=figures, facts=tuple(self.boosts(one)), tags=tags)

    def boosts(self, one: Json) -> Iterator[str]:
        """By how much every statistic of a character differs from what is printed, where all do so alike."""
        told = (one, self.printed.get(str(one["card"])) or {})
        stats, printed = (cast("Mapping[str, int] | None", each.get("stats")) for each in told)
        by = {stats[stat] - printed[stat] for stat in STATS} if stats and printed else set[int]()
        if len(by) == 1 and (n := by.pop()):
            yield self.words["boosts"].format(n=f"{n:+d}")

    def figures(self, stats: Mapping[str, int] | None) -> tuple[s.Figure, ...]:
        """The three statistics."""
        return tuple((stat, self.words[f"stat.{stat}"], str(stats[stat])) for stat in STATS) if stats else ()

    def zone(self, seat: str, name: str, side: Json, role: s.Role) -> s.Zone:
        """A zone of a player: its cards, or how many, or that nobody has told."""
        held, spent = side[name], frozenset(cast(Sequence[str], side["exhausted"] or ()))
        cards = () if held is None or isinstance(held, int) else cast(Sequence[str], held)
        return s.Zone(
            f"{seat}.{name}", self.words[name], role, "pile" if role == "deck" else "row",
            tuple(self.card(card, spent=card in spent) for card in cards),
            held if isinstance(held, int) else None, unknown=held is None, secret=role == "hand",
            limit=cast("Mapping[str, int]", side.get("limits") or {}).get(name),
        )  # fmt: skip

    def card(
        self, card: str, *, figures: tuple[s.Figure, ...] = (), facts: tuple[str, ...] = (),
        tags: tuple[tuple[str, str], ...] = (), spent: bool = False,
    ) -> s.Card:  # fmt: skip
        """A card by the name the log gives it."""
        tags += (("exhausted", self.words["exhausted"]),) if spent else ()
        return s.Card(
            card, self.face(card), card.startswith(UNKNOWN), figures=figures, facts=facts, tags=tags, spent=spent
        )

    def face(self, card: str) -> s.Face:
        """What is printed on a card, as far as the setup says it."""
        printed = self.printed.get(card) or {}
        kind = str(printed.get("type") or "")
        stats = self.figures(cast("Mapping[str, int] | None", printed.get("stats")))
        title = self.names.get(f"type.{kind}") or self.words.get(f"kind.{kind}", "")
        return s.Face(card, sign=SIGNS.get(kind, kind), kind=title, figures=(*self.cost(card), *stats))

    def cost(self, card: str) -> tuple[s.Figure, ...]:
        """What is printed on a card as its cost, as far as the setup says it."""
        costs = cast("Mapping[str, int | None]", (self.printed.get(card) or {}).get("costs") or {})
        paid = "/".join(map(str, dict.fromkeys(cost for cost in costs.values() if cost is not None)))
        return (("cost", self.words["cost"], paid),) if paid else ()

    def limbo(self) -> s.Zone:
        """The emblems that wait, in their order, each with its controller and the card it comes from."""
        waiting = cast(Sequence[Json], self.view.get("limbo") or ())
        return s.Zone("limbo", self.words["limbo"], cards=tuple(map(self.emblem, waiting)))

    def emblem(self, one: Json) -> s.Card:
        """An emblem in Limbo."""
        key, source = str(one["emblem"]), str(one["source"] or "")
        if not source:
            return self.card(key, facts=(self.called(one["controller"]),))
        face = s.Face(self.words["reaction"].format(card=source))
        return s.Card(key, face, facts=(self.called(one["controller"]),))

    def board(self) -> Iterator[s.Zone]:
        """The region cards and the Tumult cards that anybody has told of."""
        for name, regions in cast(Mapping[str, Sequence[str]], self.view.get("region_cards") or {}).items():
            title = labelled(self.language, self.words["regions"], self.place(name))
            yield s.Zone(f"regions.{name}", title, cards=tuple(s.Card(card, s.Face(card)) for card in regions))
        for place, one in cast(Mapping[str, Json], self.view.get("tumult") or {}).items():
            cards, down = cast(Sequence[str], one["cards"]), one["face"] == "down"
            face = [s.Card(card, s.Face(card, sign="tumult"), down or card.startswith(UNKNOWN)) for card in cards]
            yield s.Zone(
                f"tumult.{place}", labelled(self.language, self.words["tumult"], self.place(place)), cards=tuple(face)
            )

    def pending(self, item: Json) -> s.Pending:
        """A card's effect, a reaction in Limbo, or a daily effect."""
        card = str(item.get("card") or "")
        if item.get("waits") and item.get("source"):
            return s.Pending(self.words["reaction"].format(card=item["source"]), card, waits=True)
        title = card or self.names.get(f"effect.{item.get('effect')}", str(item.get("effect") or ""))
        return s.Pending(title, card, cast(int, item.get("rest") or 0), bool(item.get("waits")))


class AlteredScene(SceneMaker):
    """The table as a scene."""

    package = PACKAGE
    builder = _SceneBuilder
    icons = ICONS
    actions = ACTIONS
    decisions = frozenset({"target_chosen"})
    endings = frozenset({"winner_declared"})
    legend: ClassVar[Mapping[str, str]] = {
        "against": "3:1", "asked": "3", "leads": "3", "cost": "3/2", "orbs": "●○", "limit": "≤ 2", "emblem": "Limbo",
        "gone": "▢",
    }  # fmt: skip

    def touched(self, event: Json) -> tuple[str, ...]:
        """The keys of what an event speaks of: its cards, the expedition it is about, or both of who has won."""
        cards = (event.get("card"), event.get("source"), event.get("target"), event.get("emblem"))
        listed = cast(Sequence[object], event.get("cards") or ())
        place = f"{event.get('player')}.{event['expedition']}" if event.get("expedition") else ""
        won = EXPEDITIONS if event.get("type") == "winner_declared" else ()
        places = (*filter(None, (place,)), *(f"{event.get('side')}.{name}" for name in won))
        return (*(str(card) for card in (*cards, *listed) if isinstance(card, str)), *places)


def _number(told: int | None) -> str:
    """A number, or that nobody has told it."""
    return "?" if told is None else str(told)


def _lying(side: Json) -> frozenset[str]:
    """The cards of which it is told where they lie on a player's side."""
    zones = [side[name] for name in ("reserve", "landmarks", "discard")]
    held = [str(card) for zone in zones if isinstance(zone, list | tuple) for card in zone]
    places = cast(Mapping[str, Json], side["expeditions"]).values()
    characters = [
        str(one["card"]) for each in places for one in cast("Sequence[Json] | None", each["characters"]) or ()
    ]
    return frozenset((*held, *characters))
