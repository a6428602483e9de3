"""What a step of Compile changed on the field, told from the positions before and after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

Json = Mapping[str, object]
Place = tuple[str, str, int]
"""A seat, a zone (hand, deck, trash, line, flight), and the line's number or 0."""

MARKS = {
    "drafted": "choose", "turn_began": "turn", "phase_began": "turn", "played": "play", "committed": "commit",
    "covered": "cover", "uncovered": "uncover", "landed": "land", "triggered": "trigger", "resolved": "resolve",
    "chose": "choose", "drew": "draw", "discarded": "discard", "flipped": "flip", "shifted": "shift",
    "deleted": "delete", "returned": "return", "revealed": "reveal", "looked": "reveal", "identified": "reveal",
    "owner_changed": "give", "rearranged": "rearrange", "refreshed": "refresh", "reshuffled": "refresh",
    "cache_cleared": "discard", "control_taken": "control", "control_reset": "control", "compiled": "compile",
    "recompiled": "compile", "passed": "turn", "game_won": "win", "game_ended": "end",
}  # fmt: skip
"""The icon of each event."""

_MOVES = {
    ("deck", "hand"): "draw", ("hand", "trash"): "discard", ("deck", "trash"): "discard",
    ("line", "trash"): "delete", ("flight", "trash"): "delete", ("line", "hand"): "return",
    ("flight", "hand"): "return", ("line", "flight"): "commit", ("hand", "flight"): "commit",
    ("deck", "flight"): "commit", ("flight", "line"): "land", ("hand", "line"): "play", ("deck", "line"): "play",
    ("line", "line"): "shift", ("hand", "hand"): "give", ("trash", "deck"): "refresh",
}  # fmt: skip


def changes(states: Sequence[Json], events: Sequence[Json | None]) -> list[dict[str, object]]:
    """For every step the marks of cards and zones, the ghosts, and where what is in flight came from."""
    found: list[dict[str, object]] = [{}]
    origins: dict[str, Place] = {}
    for before, after, event in zip(states, states[1:], events[1:], strict=False):
        found.append(_step(before, after, event, origins))
    return found[: len(states)]


def _step(before: Json, after: Json, event: Json | None, origins: dict[str, Place]) -> dict[str, object]:
    was, now = dict(_places(before)), dict(_places(after))
    marks = {**_pointed(event), **_sides(before, after)}
    ghosts = []
    for card, (place, seen) in now.items():
        mark, ghost = _moved(card, was.get(card), place, seen)
        if ghost:
            ghosts.append(ghost)
        if mark:
            marks[card] = mark
        if place[1] == "flight":
            if card in was and was[card][0][1] != "flight":
                origins[card] = was[card][0]
        else:
            origins.pop(card, None)
    gone = [(card, place) for card, (place, _) in was.items() if card not in now and place[1] == "line"]
    mark = MARKS.get(str(event["type"]), "event") if event else "event"
    ghosts += [_ghost(card, place, mark) for card, place in gone]
    flying = {card: list(origins[card]) for card, (place, _) in now.items() if place[1] == "flight" and card in origins}
    told = {"marks": marks, "ghosts": ghosts, "origins": flying, "line": _announced(event, now)}
    return {key: value for key, value in told.items() if value}


def _announced(event: Json | None, now: Mapping[str, tuple[Place, str]]) -> object:
    """The line an event speaks of where its card does not stand there to be seen, or is on the way."""
    if not event:
        return None
    card = str(event.get("card"))
    return None if card in now and now[card][0][1] in ("line", "flight") else event.get("line")


def _moved(card: str, was: tuple[Place, str] | None, place: Place, seen: str) -> tuple[str, dict[str, object] | None]:
    """The mark of one card, and the ghost it left."""
    if was is None:
        return ("play" if place[1] == "line" else ""), None
    old, looked = was
    if old == place:
        return _turned(looked, seen), None
    if old[1] == place[1] != "line" and old[0] == place[0]:
        return "", None
    mark = _MOVES.get((old[1], place[1]), "event")
    return mark, _ghost(card, old, mark) if old[1] in ("line", "hand") else None


def _turned(looked: str, seen: str) -> str:
    """`seen` is the face and whether anything lies on it: `up`, `up under`, `down`, `down under`."""
    if looked == seen:
        return ""
    if looked.split()[0] != seen.split()[0]:
        return "flip"
    return "cover" if seen.endswith("under") else "uncover"


def _ghost(card: str, place: Place, mark: str) -> dict[str, object]:
    return {"card": card, "mark": mark, "seat": place[0], "line": place[2]}


def _places(state: Json) -> Iterator[tuple[str, tuple[Place, str]]]:
    """Every card that has a name or a handle: its place, and how it lies there."""
    for seat, side in cast(Mapping[str, Json], state["sides"]).items():
        for zone in ("hand", "deck", "trash"):
            if not isinstance(cards := side[zone], int):
                for card in cast(Sequence[str], cards):
                    yield card, ((seat, zone, 0), zone)
        for line, stack in enumerate(cast(Sequence[Sequence[Mapping[str, str]]], side["lines"]), 1):
            for index, lain in enumerate(stack):
                under = "" if index == len(stack) - 1 else " under"
                yield lain["card"], ((seat, "line", line), lain["face"] + under)
    for flight in cast(Sequence[Mapping[str, object]], state.get("committed") or ()):
        to = cast(Mapping[str, object], flight["to"])
        yield str(flight["card"]), ((str(to.get("side") or ""), "flight", 0), "flight")


def _sides(before: Json, after: Json) -> dict[str, str]:
    """Marks of protocols, of hands that are only counted, of the control component."""
    marks = {"control": "control"} if before.get("control") != after.get("control") else {}
    olds, news = cast(Mapping[str, Json], before["sides"]), cast(Mapping[str, Json], after["sides"])
    for seat, new in news.items():
        old = olds[seat]
        for line in (1, 2, 3):
            then, now = (cast(Sequence[Mapping[str, object]], side["protocols"])[line - 1] for side in (old, new))
            if then["name"] != now["name"]:
                marks[f"protocol:{seat}:{line}"] = "rearrange"
            elif then["compiled"] != now["compiled"]:
                marks[f"protocol:{seat}:{line}"] = "compile"
        if isinstance(new["hand"], int) and isinstance(old["hand"], int) and new["hand"] > old["hand"]:
            marks[f"hand:{seat}"] = "draw"
        if _count(new["deck"]) > _count(old["deck"]):
            marks[f"deck:{seat}"] = "refresh"
        if _count(new["trash"]) > _count(old["trash"]):
            marks[f"trash:{seat}"] = "delete" if _count(new["hand"]) == _count(old["hand"]) else "discard"
    return marks


def _count(zone: object) -> int:
    return zone if isinstance(zone, int) else len(cast(Sequence[object], zone))


def _pointed(event: Json | None) -> dict[str, str]:
    """What the event speaks of, moved or not: a card announced, a text that comes into force, a line compiled."""
    if not event:
        return {}
    mark = MARKS.get(str(event["type"]), "event")
    if mark == "compile":
        return {f"protocol:{event.get('player')}:{event.get('line')}": mark}
    cards = [event.get("card"), *cast(Sequence[object], event.get("cards") or ())]
    return {str(card): mark for card in cards if card}
