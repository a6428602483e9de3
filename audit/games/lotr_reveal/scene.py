"""The table of a reveal as a scene: each card under way as a track of steps, and beside it what lies where.

Keys: a card by its id; `f1` a card under way, `f1.7` one of its steps, `f1.surges`; `encounter_deck`,
`encounter_discard`, `staging_area`, `engaged.p1`, `characters`; `threat.p1`, `hand.p1`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, cast

from msgspec.structs import replace

from audit.core import scene as s
from audit.core.names import Players
from audit.core.ruleset import SceneMaker
from audit.core.typography import labelled
from audit.games.lotr_reveal.state import UNKNOWN
from audit.games.lotr_reveal.steps import ORDER
from audit.games.lotr_reveal.wording import card_name

Json = Mapping[str, object]
PACKAGE = "audit.games.lotr_reveal"

OPENED_AT = {"guarded": "9", "guarded-x": "9", "surge": "12", "replacement": "12"}
"""The step inside which a further card runs, by its cause; by any other effect it is step 7."""

ZONES: Mapping[str, s.Role] = {"encounter_deck": "deck", "encounter_discard": "discard", "staging_area": "play"}

ICONS = {
    "reveal_started": "reveal", "placement_started": "play", "step_entered": "turn", "response_played": "choose",
    "window_passed": "door-shut", "card_cancelled": "discard", "passive_applied": "trigger",
    "outcome_effect_resolved": "trigger", "threat_changed": "reorder", "card_defeated": "delete",
    "card_explored": "win", "card_moved": "move", "keyword_resolved": "resolve", "surge_armed": "more",
    "when_revealed_resolved": "resolve", "enter_play_effect": "trigger", "forced_resolved": "trigger",
    "reveal_ended": "end", "phase_started": "turn", "characters_committed": "commit", "characters_readied": "refresh",
    "characters_exhausted": "discard", "character_damaged": "delete", "card_put": "move", "tokens_moved": "reorder",
    "threat_moved": "reorder", "hand_moved": "reorder", "deck_shuffled": "refresh", "first_player_passed": "turn",
    "quest_resolved": "resolve",
}  # fmt: skip
"""The icon of each event."""

ACTIONS = dict.fromkeys(("reveal_started", "placement_started", "response_played", "quest_resolved"), 9)


class _SceneBuilder(s.SceneBuilder):
    def __init__(self, package: str, view: Json, language: str, players: Players) -> None:
        super().__init__(package, view, language, players)
        self.frames = cast(Mapping[str, Json], view.get("frames") or {})
        self.printed = cast(Mapping[str, Json], view.get("cards") or {})

    def scene(self, pending: Sequence[Json]) -> s.Scene:
        """The tracks, and beside them the zones."""
        roots = tuple(self.track(id) for id, frame in self.frames.items() if not frame["parent"])
        tracks = s.Area("tracks", "" if roots else self.words["no_frame"], roots)
        if self.view.get("replacement_due"):
            tracks = s.Area("tracks", self.words["replacement_due"], roots)
        beside = s.Area("zones", "", tuple(self.zones()), "mats")
        area = s.Area("reveal", self.words["track"], (tracks, beside), "beside")
        waiting = tuple(map(self.pending, pending))
        return s.Scene(area.title, area, self.captions, self.chapter(), waiting, s.tints(self.package))

    def chapter(self) -> s.Chapter:
        """The card revealed for no other, by its number."""
        root = next((frame for frame in self.frames.values() if not frame["parent"]), {})
        number = self.view.get("reveals")
        return s.Chapter(
            self.words["turn"].format(turn=number) if number else "", player=self.called(root.get("player"))
        )

    def track(self, id: str) -> s.Area:
        """One card under way."""
        frame = self.frames[id]
        order = [step for step in ORDER if step in cast(Json, frame["track"])]
        steps = tuple(self.step(id, frame, step) for step in order)
        left = frame["surges_left"]
        tab = (s.Counter(f"{id}.surges", self.words["surges"].format(n=left), "", "surge"),) if left else ()
        card = self.card(str(frame["card"]))
        return s.Area(
            id, self.name(card.key), (s.Track(f"{id}.steps", "", steps, "list"),), "box",
            notes=tuple(self.notes(frame)), is_open=self.is_open(id), is_stopped=_is_stopped(frame), tabs=tab,
            card=card,
        )  # fmt: skip

    def is_open(self, id: str) -> bool:
        """Whether the card is on its way, or one inside its steps: a cancelled card waits for its replacement."""
        inside = (child for child, frame in self.frames.items() if frame["parent"] == id)
        return bool(self.frames[id]["open"]) or any(map(self.is_open, inside))

    def notes(self, frame: Json) -> Iterator[str]:
        """Why the card came, whose it is, and what else holds of it."""
        cause = str(frame["cause"])
        yield self.words.get(f"cause.{cause}", cause)
        yield from filter(None, (self.called(frame["player"]),))
        if frame["started_as"] == "placed":
            yield self.words["placed"]
        if frame["peril"]:
            yield self.words["peril"]
        if _is_stopped(frame):
            yield self.words["left" if frame["left_at_4"] else "cancelled"]
        elif not frame["open"]:
            yield self.words["done"]

    def step(self, id: str, frame: Json, step: str) -> s.TrackStep:
        """One step: how far the card is, whether somebody may respond, what is due, which cards run inside it."""
        windows, passages = (cast(Mapping[str, str], frame[key]) for key in ("windows", "track"))
        due = [self.task(task) for task in cast(Sequence[Mapping[str, str]], frame["due"]) if task["step"] == step]
        return s.TrackStep(
            f"{id}.{step}", self.words[f"step.{step}"], passages[step], step, windows.get(step, ""),  # type: ignore[arg-type]
            lost=step == "7" and bool(frame["when_revealed_cancelled"]), due=tuple(due),
            inside=tuple(self.track(child) for child in self.children(id, step)),
        )  # fmt: skip

    def children(self, id: str, step: str) -> Iterator[str]:
        """The cards that came during a step of this one."""
        for child, frame in self.frames.items():
            if frame["parent"] == id and OPENED_AT.get(str(frame["cause"]), "7") == step:
                yield child

    def task(self, task: Mapping[str, str]) -> str:
        """What is due, and because of which card."""
        what = self.names.get(f"task.{task['what']}", task["what"])
        return labelled(self.language, what, self.name(task["source"])) if task["source"] else what

    def zones(self) -> Iterator[s.Part]:
        """What lies where, each player's numbers last."""
        for name, role in ZONES.items():
            zone = self.zone(name, self.words[name], self.view.get(name), role)
            if name == "staging_area":
                zone = replace(zone, counters=tuple(self.strength(zone)), notes=tuple(self.beside_them()))
            yield zone
        yield from self.elsewhere()
        if cards := tuple(self.characters(None)):
            yield s.Zone("characters", self.words["characters"], "play", cards=cards)
        for seat in cast(Sequence[str], self.view.get("players") or ()):
            yield s.Area(seat, seat, tuple(self.player(seat)), "box", seat, tuple(self.is_first(seat)))

    def is_first(self, seat: str) -> Iterator[str]:
        """That a player is the first, where there is more than one."""
        if seat == self.view.get("first_player") and len(cast(Sequence[str], self.view["players"])) > 1:
            yield self.words["first"].lower()

    def player(self, seat: str) -> Iterator[s.Part]:
        """What a player has: threat, the cards in hand, the enemies engaged.

        A hand that nobody has counted is told before the first reveal alone, while a table is set.
        """
        threat, hands, engaged = (cast(Json, self.view.get(key) or {}) for key in ("threat", "hand_size", "engaged"))
        yield s.Counter(f"threat.{seat}", self.words["threat"], str(threat.get(seat, UNKNOWN)), "threat")
        if seat in hands or not self.view.get("reveals"):
            yield s.Counter(f"hand.{seat}", self.words["hand"], str(hands.get(seat, UNKNOWN)))
        if names := self.in_play(seat):
            yield s.Counter(f"in_play.{seat}", self.words["own_in_play"], names)
        if names := self.held(seat):
            yield s.Counter(f"held.{seat}", self.words["own_held"], names)
        if cards := tuple(self.characters(seat)):
            yield s.Zone(f"characters.{seat}", self.words["characters"], "play", cards=cards)
        if seat in engaged:
            yield self.zone(f"engaged.{seat}", self.words["engaged"], engaged[seat], "play")

    def elsewhere(self) -> Iterator[s.Zone]:
        """Cards that lie in none of these zones, where anything has told of them."""
        places = cast(Mapping[str, str], self.view.get("elsewhere") or {})
        for place in dict.fromkeys(places.values()):
            cards = tuple(self.card(card) for card, there in places.items() if there == place)
            yield s.Zone(f"elsewhere.{place}", self.names.get(f"zone.{place}", place), cards=cards)

    def zone(self, key: str, title: str, held: object, role: s.Role) -> s.Zone:
        """A zone: its cards, or how many, or that nobody has told."""
        cards = () if held is None or isinstance(held, int) else tuple(map(self.card, cast(Sequence[str], held)))
        is_unknown = held is None or (
            not cards and key.partition(".")[0] in cast(Sequence[str], self.view.get("partly_known") or ())
        )
        return s.Zone(key, title, role, cards=cards, count=held if isinstance(held, int) else None, unknown=is_unknown)

    def card(self, card: str) -> s.Card:
        """A card with its counters and what is attached to it."""
        is_unknown = card.startswith(UNKNOWN)
        return s.Card(card, self.face(card), is_unknown, figures=tuple(self.figures(card)), facts=self.attached(card))

    def attached(self, card: str) -> tuple[str, ...]:
        """What is attached to a card, by name."""
        others = cast(Mapping[str, Sequence[str]], self.view.get("attachments") or {}).get(card, ())
        return tuple(f"+ {self.name(other)}" for other in others)

    def figures(self, card: str) -> Iterator[s.Figure]:
        """The numbers of an encounter card: what it has taken, beside what it can take where that is known."""
        strength = cast(Mapping[str, int], self.view.get("threat_strength") or {}).get(card)
        if strength is not None:
            yield "threat", self.words["threat"], str(strength)
        printed = self.printed.get(card) or {}
        for name, points in (("damage", "hit_points"), ("progress", "quest_points")):
            taken, most = cast(Mapping[str, int], self.view.get(name) or {}).get(card), printed.get(points)
            if taken or most:
                yield name, self.words[name], f"{taken or 0}/{most}" if most else str(taken)

    def strength(self, zone: s.Zone) -> Iterator[s.Counter]:
        """The threat strength in the staging area, where any of it is told; a question mark where some is not."""
        told = cast(Mapping[str, int], self.view.get("threat_strength") or {})
        known = [told[card.key] for card in zone.cards if card.key in told]
        if known:
            rest = "" if len(known) == len(zone.cards) else " + ?"
            yield s.Counter("staging_area.strength", self.words["strength"], f"{sum(known)}{rest}", "threat")

    def beside_them(self) -> Iterator[str]:
        """The cards of the encounter deck that are in play and stand in none of these zones."""
        if names := self.in_play("encounter"):
            yield labelled(self.language, self.words["encounter_in_play"], names)

    def in_play(self, owner: str) -> str:
        """The names of the cards in play of a player or of the encounter deck, but the characters."""
        told = cast("Mapping[str, str | None]", self.view.get("in_play") or {})
        attachments = cast(Mapping[str, Sequence[str]], self.view.get("attachments") or {})
        elsewhere = {*self.known_characters, *(card for cards in attachments.values() for card in cards)}
        return ", ".join(self.name(card) for card, of in told.items() if of == owner and card not in elsewhere)

    def held(self, owner: str) -> str:
        """The names of the cards of a player that may act from the hand."""
        told = cast("Mapping[str, str | None]", self.view.get("held") or {})
        return ", ".join(self.name(card) for card, of in told.items() if of == owner)

    @property
    def known_characters(self) -> Mapping[str, Json]:
        """Heroes and allies of which it is told whether they are ready."""
        return cast(Mapping[str, Json], self.view.get("characters") or {})

    def characters(self, owner: str | None) -> Iterator[s.Card]:
        """Heroes and allies of a player, or of nobody who is told: exhausted or not, and their damage."""
        owners = cast("Mapping[str, str | None]", self.view.get("in_play") or {})
        for name, one in self.known_characters.items():
            if owners.get(name) != owner:
                continue
            hurt = (("damage", self.words["damage"], str(one["damage"])),) if one["damage"] else ()
            is_exhausted = one["ready"] is False
            tags = (("exhausted", self.words["exhausted"]),) if is_exhausted else ()
            face, facts = s.Face(self.name(name), sign="character"), self.attached(name)
            yield s.Card(name, face, figures=hurt, tags=tags, facts=facts, spent=is_exhausted)

    def face(self, card: str) -> s.Face | None:
        """What a card is called, where it is known."""
        if card.startswith(UNKNOWN):
            return None
        printed = self.printed.get(card) or {}
        kind = str(printed.get("type") or "")
        keywords = cast(Mapping[str, object], printed.get("keywords") or {})
        text = " ".join(self.keyword(*each) for each in keywords.items() if each[1])
        texts = (("", text),) if text else ()
        return s.Face(self.name(card), sign=kind, kind=self.names.get(f"type.{kind}", ""), texts=texts)

    def keyword(self, name: str, value: object) -> str:
        """A keyword as it stands on a card, with its number where it has one."""
        said = self.names.get(f"keyword.{name}", name).partition(" (")[0]
        return f"{said} {value}." if type(value) is int else f"{said}."

    def name(self, card: str) -> str:
        """A card by its name in the reader's language."""
        return card_name(card, self.language)

    def pending(self, item: Json) -> s.Pending:
        """A card under way, or a replacement that is due."""
        card = str(item.get("card") or "")
        title = self.name(card) if card else self.names["task.replace"]
        return s.Pending(title, card, cast(int, item.get("rest") or 0))


class RevealScene(SceneMaker):
    """The table as a scene."""

    package = PACKAGE
    builder = _SceneBuilder
    icons = ICONS
    actions = ACTIONS
    legend: ClassVar[Mapping[str, str]] = {"now": "5.1", "door": "◫", "inside": "▣"}

    def touched(self, event: Json) -> tuple[str, ...]:
        """The keys of what an event speaks of: its cards, and the step of the card under way."""
        cards = (event.get("card"), event.get("source"), event.get("target"))
        step = f"{event['frame']}.{event['step']}" if event.get("frame") and event.get("step") else ""
        return tuple(str(key) for key in (*cards, step) if key and isinstance(key, str))


def _is_stopped(frame: Json) -> bool:
    return bool(frame["cancelled_at_3"] or frame["discarded_at_3"] or frame["left_at_4"])
