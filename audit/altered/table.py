"""The table drawn in plain text, for two to four players: regions, expeditions, reserves, landmarks, mana, Limbo."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any, cast

from audit.event_rules import Json
from audit.ruleset import Paint, plain

Names = Mapping[str, str]
UNTOLD = "?"
GAP = 12


def draw(view: Json, names: Names, width: int = 100, paint: Paint = plain) -> list[str]:
    """The table as lines no longer than the width; what nobody has told is a question mark."""
    seats = tuple(_map(view["sides"]))
    lines = [line for part in _parts(view, names, max(40, width)) for line in part]
    return [_painted(line, seats, str(view["player"]), paint) for line in lines]


def _painted(line: str, seats: Sequence[str], turn: str, paint: Paint) -> str:
    """The name of a player at the head of their part, in its style."""
    seat, _, rest = line.partition(" ")
    return f"{paint('turn' if seat == turn else 'seat', seat)} {rest}" if seat in seats else line


def _parts(view: Json, names: Names, width: int) -> Iterator[list[str]]:
    yield _wrapped(_moment(view, names), width, 0)
    yield _labelled(names["table.limbo"], _limbo(view), width)
    if tumult := _tumult(view, names):
        yield _labelled(names["table.tumult"], tumult, width)
    for seat, side in _map(view["sides"]).items():
        yield ["─" * width]
        yield from _player(seat, _map(side), view, names, width)


def _moment(view: Json, names: Names) -> str:
    found = [names["table.day"].format(day=view["turn"])]
    found += [names[f"phase.{view['phase']}"]] if view["phase"] else []
    found += [names[f"effect.{view['effect']}"]] if view["effect"] else []
    found += [names["table.tiebreak"]] if view["kind"] == "tiebreak" else []
    found += [names["table.turn"].format(player=view["player"])] if view["player"] else []
    found += [names["table.over"].format(player=view["over"])] if view["over"] else []
    return " · ".join(found)


def _limbo(view: Json) -> str:
    waiting = cast(Sequence[Json], view["limbo"])
    return ", ".join(f"{one['emblem']} ({one['controller']})" for one in waiting) or "–"


def _tumult(view: Json, names: Names) -> str:
    return "; ".join(
        f"{_place(place, names)}: {_cards(_map(one)['cards']) if _map(one)['face'] == 'up' else names['face.down']}"
        for place, one in _map(view["tumult"]).items()
    )


def _place(place: str, names: Names) -> str:
    if place == "centre":
        return names["table.centre"]
    seat, _, rest = place.partition(" ")
    name, _, at = rest.partition(" ")
    return f"{seat}, {names.get(f'table.{name}', name)} {at}".strip()


def _player(seat: str, side: Json, view: Json, names: Names, width: int) -> Iterator[list[str]]:
    yield _wrapped(_heading(seat, side, view, names), width, 0)
    if (track := _track(side, view)) is not None:
        yield _labelled(names["table.path"], track, width)
    for name, expedition in _map(side["expeditions"]).items():
        yield _labelled(names[f"table.{name}"], _expedition(_map(expedition), names), width)
    for zone in ("reserve", "landmarks"):
        yield _labelled(names[f"table.{zone}"], f"{_cards(side[zone])} (≤ {_map(side['limits'])[zone]})", width)
    if side["exhausted"]:
        yield _labelled(names["table.exhausted"], _cards(side["exhausted"]), width)


def _heading(seat: str, side: Json, view: Json, names: Names) -> str:
    mana = _map(side["mana"])
    found = [seat + (" ★" if view["first"] == seat else "")]
    found += [names["table.out"]] if not side["in"] else []
    found += [names["table.passed"]] if side["passed"] else []
    found.append(f"{names['zone.hand']} {_count(side['hand'])}")
    found.append(f"{names['table.mana']} {_told(mana['ready'])} + {_told(mana['exhausted'])}")
    found.append(f"{names['zone.deck']} {_count(side['deck'])}")
    found.append(f"{names['zone.discard']} {_count(side['discard'])}")
    return " · ".join(found)


def _track(side: Json, view: Json) -> str | None:
    """The path between the two expeditions: H from the left, C from the right, X where they stand together."""
    distance, expeditions = view["distance"], _map(side["expeditions"])
    hero, companion = _map(expeditions["hero"])["at"], _map(expeditions["companion"])["at"]
    if not isinstance(distance, int) or not isinstance(hero, int) or not isinstance(companion, int):
        return None
    cells = ["·"] * (distance + 1)
    from_left, from_right = min(hero, distance), max(0, distance - companion)
    cells[from_right] = "C"
    cells[from_left] = "X" if from_left == from_right else "H"
    return " ".join(cells)


def _expedition(expedition: Json, names: Names) -> str:
    types = cast("Sequence[str] | None", expedition["region"])
    region = "/".join(names[f"stat.{one}"] for one in types) if types is not None else UNTOLD
    faces = f" ↔ {_place(str(expedition['faces']), names)}" if expedition["faces"] else ""
    characters = cast("Sequence[Json] | None", expedition["characters"])
    group = ", ".join(_character(one, names) for one in characters) if characters is not None else UNTOLD
    return f"{_told(expedition['at'])} [{region}]{faces} · {_stats(expedition['totals'])} · {group or '–'}"


def _character(one: Json, names: Names) -> str:
    marks = [names[f"status.{status}"] for status in cast("Sequence[str]", one["statuses"] or ())]
    marks += [names["status.eternal"]] if one["eternal"] else []
    return f"{one['card']} {_stats(one['stats'])}" + (f" ({', '.join(marks)})" if marks else "")


def _stats(stats: object) -> str:
    return UNTOLD if stats is None else "/".join(str(amount) for amount in _map(stats).values())


def _cards(cards: object) -> str:
    if cards is None:
        return UNTOLD
    return ", ".join(map(str, cast(Sequence[str], cards))) or "–"


def _count(cards: object) -> str:
    return UNTOLD if cards is None else str(cards if isinstance(cards, int) else len(cast(Sequence[str], cards)))


def _told(value: object) -> str:
    return UNTOLD if value is None else str(value)


def _labelled(label: str, text: str, width: int) -> list[str]:
    return _wrapped(f"  {label:<{GAP}}{text}" if len(label) < GAP else f"  {label} {text}", width, GAP + 2)


def _wrapped(text: str, width: int, indent: int) -> list[str]:
    return wrap(text, width, subsequent_indent=" " * indent, drop_whitespace=True, initial_indent="") or [""]


def _map(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value)
