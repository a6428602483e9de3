"""What is printed on a card, as somebody at the table reads it out: type, costs, statistics, text.

It stands in the setup of the game. A Character of a position may have statistics and a text of its own beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from audit.core import setting as s
from audit.core.catalogue import words
from audit.games.altered.state import STATS

PACKAGE = "audit.games.altered"
ON = "yes"
TYPES = ("character", "expedition_permanent", "landmark", "spell")
COSTS = ("hand", "reserve")
TEXT, NO_TEXT, TYPE = f"{s.PRINTED}text", f"{s.PRINTED}no_text", f"{s.PRINTED}type"
LONGEST = 500
"""A text of more letters is not taken."""


def printed(data: s.Json, card: str, language: str, *, with_stats: bool = True) -> s.About:
    """What can be said of a card: nothing is taken as 0 that nobody has told."""
    told, names = words(PACKAGE, language, "scene"), words(PACKAGE, language, "names")
    kind, texts = str(setup_of(data, "types").get(card) or ""), setup_of(data, "abilities").get(card)
    costs, stats = (cast(s.Json, setup_of(data, key).get(card) or {}) for key in ("costs", "stats"))
    counts = [_count(f"{s.PRINTED}{name}", told[f"cost.{name}"], costs.get(name)) for name in COSTS]
    if with_stats and kind in ("", "character"):
        counts += [_count(f"{s.PRINTED}{name}", told[f"stat.{name}"], stats.get(name)) for name in STATS]
    types = tuple(s.Choice(one, names[f"type.{one}"]) for one in TYPES)
    lines = [str(one) for one in texts] if isinstance(texts, list | tuple) else []
    is_bare = texts is not None and not lines
    return s.About(
        (
            s.Field(TYPE, kind, types, told["type"]),
            s.Field(NO_TEXT, ON if is_bare else "", (s.Choice(ON, told["no_text"]),)),
        ),
        tuple(counts),
        (s.Written(TEXT, told["text"], " ".join(lines)),),
    )


def read_out(data: s.Data, card: str, name: str, value: object) -> None:
    """Write down one thing that is printed on a card."""
    what = name.removeprefix(s.PRINTED)
    if not s.is_name(card) or s.is_unknown(card):
        return
    if what in COSTS and isinstance(value, int):
        s.table(data, "setup", "costs", card)[what] = value
    elif what in STATS and isinstance(value, int):
        s.table(data, "setup", "stats", card)[what] = value
        with_stat(data, card, what, value)
    elif name == TYPE and value in TYPES:
        s.table(data, "setup", "types")[card] = value
    elif name == NO_TEXT:
        _with_text(data, card, [] if value == ON else None)
    elif name == TEXT and isinstance(value, str) and len(value) <= LONGEST:
        _with_text(data, card, [value.strip()] if value.strip() else None)


def _with_text(data: s.Data, card: str, lines: list[str] | None) -> None:
    texts = s.table(data, "setup", "abilities")
    if lines is None:
        texts.pop(card, None)
        return
    texts[card] = lines
    for one in named_in(data, card):
        one["abilities"] = lines


def _count(name: str, title: str, number: object) -> s.Counted:
    return s.Counted(name, title, number if isinstance(number, int) else 0, isinstance(number, int))


def setup_of(data: s.Json, key: str) -> s.Json:
    """A part of the setup that a position brings with it."""
    return cast(s.Json, cast(s.Json, data.get("setup") or {}).get(key) or {})


def characters_in(data: s.Json) -> Iterator[s.Json]:
    """What lies in the expeditions, whoever's they are."""
    sides = cast(Mapping[str, Mapping[str, Sequence[s.Json] | None]], data.get("characters") or {})
    yield from (one for groups in sides.values() for group in groups.values() for one in group or () if "id" in one)


def named_in(data: s.Json, card: str) -> Iterator[s.Data]:
    """What lies in an expedition under that name, to be changed."""
    return (cast(s.Data, one) for one in characters_in(data) if one["id"] == card)


def with_stat(data: s.Json, card: str, name: str, number: int) -> None:
    """Give a Character one of its statistics; the others stay what they are, or what is printed on the card."""
    for one in named_in(data, card):
        known = one if "forest" in one else cast(s.Json, setup_of(data, "stats").get(card) or {})
        told = {stat: s.number_at(known, stat) for stat in STATS}
        one.pop("stats", None)
        one.update(told | {name: number})
