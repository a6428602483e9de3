"""A card being revealed, as a track of steps: windows as doors, what is cancelled struck through, nested reveals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from flask_babel import gettext as _

from audit.catalogue import words as file_words
from web.drawing.tree import Attributes, Node, mark_of, node
from web.tables.naming import called
from web.tables.plain import changes

__all__ = ["SCRIPT", "band", "changes", "draw", "mark", "public_setup", "words"]

SCRIPT = "tables/lotr_reveal.js"
Json = Mapping[str, object]

OPENED_AT = {"guarded": "9", "guarded-x": "9", "surge": "12", "replacement": "12"}
"""The step inside which a further card runs, by its cause; by any other effect it is step 7."""

MARKS = {
    "reveal_started": "reveal", "placement_started": "play", "step_entered": "turn", "response_played": "choose",
    "window_passed": "door-shut", "card_cancelled": "discard", "passive_applied": "trigger",
    "outcome_effect_resolved": "trigger", "threat_changed": "rearrange", "card_defeated": "delete",
    "card_explored": "win", "card_moved": "shift", "keyword_resolved": "resolve", "surge_armed": "surge",
    "when_revealed_resolved": "resolve", "enter_play_effect": "trigger", "forced_resolved": "trigger",
    "reveal_ended": "end",
}  # fmt: skip


def words(states: Sequence[Json], players: Mapping[str, str], language: str) -> dict[str, object]:
    """The names of cards, of what waits, of steps and zones."""
    names = file_words("audit.lotr_reveal", language, "names")
    tasks = _under("task.", names)
    return {
        "players": dict(players), "band": _("card {turn}"), "steps": _steps(), "say": _say(), "tasks": tasks,
        "called": {**_under("card.", names), "?": names["unknown"]},
        "frames": {"what": {"replacement": tasks["replace"]}},
    }  # fmt: skip


def _under(group: str, names: Mapping[str, str]) -> dict[str, str]:
    return {name.removeprefix(group): said for name, said in names.items() if name.startswith(group)}


def _steps() -> dict[str, str]:
    return {
        "1": _("the card is taken"), "2": _("its passive text counts"), "3": _("the whole card can be cancelled"),
        "4": _("what happens on revealing"), "4.5": _("responses to that"),
        "5.0": _("revealed, nothing resolved"), "5.1": _("keywords"), "6": _("When Revealed can be cancelled"),
        "7": _("When Revealed"), "8": _("it enters play or is discarded"), "9": _("effects of entering play"),
        "10": _("after entering play"), "11": _("after being revealed"), "12": _("armed surges"),
    }  # fmt: skip


def _say() -> dict[str, str]:
    return {
        "track": _("The steps of the reveal"), "open": _("window open"), "shut": _("window shut"),
        "ahead": _("window to come"), "surges": _("surges waiting for step 12: {n}"), "deck": _("encounter deck"),
        "discard": _("encounter discard"), "staging": _("staging area"), "engaged": _("engaged with {player}"),
        "threat": _("threat of {player}"), "unknown": _("unknown"), "cancelled": _("cancelled"),
        "left": _("left play"), "placed": _("placed, not revealed"), "peril": _("peril"), "nothing": _("nothing"),
        "effect": _("by an effect"), "surge": _("by a surge"), "guarded": _("guarded"),
        "guarded-x": _("guarded"), "replacement": _("instead of another"),
    }  # fmt: skip


def public_setup(setup: Json) -> dict[str, object]:
    """Everything but the order of the encounter deck."""
    return {key: value for key, value in setup.items() if key != "encounter_deck"}


def band(state: Json) -> tuple[str, str, str]:
    """The card revealed for no other, by its number."""
    frames = cast(Mapping[str, Json], state.get("frames") or {})
    root = next((frame for frame in frames.values() if not frame["parent"]), {})
    return str(state.get("reveals") or ""), "", str(root.get("player") or "")


def mark(event: Json | None) -> str:
    """The icon of an event."""
    return MARKS.get(str(event["type"]), "event") if event else "event"


def draw(state: Json, changes: Json, words: Json, how: Json) -> Node:
    """The tracks, and beside them the zones."""
    return Track(state, changes, words).whole()


class Track:
    """One picture in the making."""

    def __init__(self, state: Json, changes: Json, words: Json) -> None:
        self.state, self.words = state, words
        self.say = cast(Mapping[str, str], words["say"])
        self.steps = cast(Mapping[str, str], words["steps"])
        self.paths = frozenset(cast(Sequence[str], changes.get("paths") or ()))
        self.frames = cast(Mapping[str, Json], state.get("frames") or {})

    def whole(self) -> Node:
        roots = [id for id, frame in self.frames.items() if not frame["parent"]]
        tracks = [self.track(id) for id in roots]
        return node(
            "div", {"class": "unveiling", "role": "group", "aria-label": self.say["track"]},
            node("div", {"class": "tracks"}, *tracks), self.zones(),
        )  # fmt: skip

    def track(self, id: str) -> Node:
        frame = self.frames[id]
        kind = "track" + (" open" if frame["open"] else "") + (" stopped" if self.stopped(frame) else "")
        steps = dict(sorted(cast(Mapping[str, str], frame["track"]).items(), key=lambda step: float(step[0])))
        rows = [self.row(id, frame, step, passage) for step, passage in steps.items()]
        return node(
            "section", {"class": kind, "data-card": str(frame["card"])}, self.head(frame), node("ol", {}, *rows)
        )

    def stopped(self, frame: Json) -> bool:
        return bool(frame["cancelled_at_3"] or frame["discarded_at_3"] or frame["left_at_4"])

    def head(self, frame: Json) -> Node:
        say = self.say
        about = [say.get(str(frame["cause"]), str(frame["cause"])), str(frame["player"] or "")]
        if frame["started_as"] == "placed":
            about.append(say["placed"])
        if frame["peril"]:
            about.append(say["peril"])
        if self.stopped(frame):
            about.append(say["left" if frame["left_at_4"] else "cancelled"])
        parts: list[Node | str] = [
            node("b", {}, called(str(frame["card"]), self.words)),
            node("span", {"class": "quiet"}, " · ".join(part for part in about if part)),
        ]
        if left := cast(int, frame["surges_left"]):
            parts.append(
                node("span", {"class": "surge"}, mark_of("surge"), " ", say["surges"].replace("{n}", str(left)))
            )
        return node("h3", {}, *parts)

    def row(self, id: str, frame: Json, step: str, passage: str) -> Node:
        fresh = passage == "now" and (f"frames.{id}.step" in self.paths or f"frames.{id}" in self.paths)
        lost = step == "7" and bool(frame["when_revealed_cancelled"])
        kind = passage + (" changed" if fresh else "") + (" lost" if lost else "")
        attributes: Attributes = {"class": kind}
        if passage == "now":
            attributes["aria-current"] = "step"
        parts: list[Node | str] = [
            node("span", {"class": "n"}, step),
            node("span", {"class": "what"}, self.steps.get(step, "")),
        ]
        window = cast(Mapping[str, str], frame["windows"]).get(step)
        if window:
            shown = "door-open" if window == "open" else "door-shut"
            parts.append(node("span", {"class": f"door {window}"}, mark_of(shown, self.say[window])))
        due = [one for one in cast(Sequence[Mapping[str, str]], frame["due"]) if one["step"] == step]
        parts += [node("span", {"class": "due"}, self.task(one)) for one in due]
        parts += [self.track(child) for child in self.children(id, step)]
        return node("li", attributes, *parts)

    def task(self, task: Mapping[str, str]) -> str:
        what = cast(Mapping[str, str], self.words["tasks"]).get(task["what"], task["what"])
        return f"{what}: {called(task['source'], self.words)}" if task["source"] else what

    def children(self, id: str, step: str) -> list[str]:
        return [
            child
            for child, frame in self.frames.items()
            if frame["parent"] == id and OPENED_AT.get(str(frame["cause"]), "7") == step
        ]

    # Beside the tracks

    def zones(self) -> Node:
        state, say = self.state, self.say
        rows = [
            self.zone("encounter_deck", say["deck"], state.get("encounter_deck")),
            self.zone("encounter_discard", say["discard"], state.get("encounter_discard")),
            self.zone("staging_area", say["staging"], state.get("staging_area")),
        ]
        for player, cards in cast(Mapping[str, object], state.get("engaged") or {}).items():
            rows.append(self.zone(f"engaged.{player}", say["engaged"].replace("{player}", player), cards))
        for player, threat in cast(Mapping[str, object], state.get("threat") or {}).items():
            rows.append(self.zone(f"threat.{player}", say["threat"].replace("{player}", player), threat))
        return node("dl", {"class": "zones"}, *rows)

    def zone(self, path: str, title: str, value: object) -> Node:
        kind: Attributes = {"class": "changed"} if path in self.paths else {}
        return node("div", kind, node("dt", {}, title), node("dd", {}, self.shown(value)))

    def shown(self, value: object) -> str:
        if value is None:
            return self.say["unknown"]
        if isinstance(value, int):
            return str(value)
        return ", ".join(called(str(card), self.words) for card in cast(Sequence[object], value)) or self.say["nothing"]
