"""How a decision is written on one line of a score sheet: as data, declared by each game for its own events.

A template has words and fields: `{player} {card} {line} {face=up}`. A field with `=` may be left out where it has that
value; with `@`, where it is the same as that other field: `{to_owner=@player}`. A field of several values has them with
commas between. A sign may stand right behind a field: `{card}*`. A field with `=^` is never written: it is as in the
last line that told it (`=^card`: that told that other field); with `=+` it is the name that comes next by its number.
A field with `=:` may be left out where the setup says it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from audit.core.card_names import folded

CARRIED, NEXT, OF_SETUP = "^", "+", ":"
_COPY = re.compile(r"[-#]\d+$")


class ScoreForm(Struct, frozen=True):
    """One way to write one event type; `fixed` are fields that the words themselves tell."""

    event: str
    template: str
    fixed: Mapping[str, object] = {}


RECORD_FORMS: tuple[ScoreForm, ...] = (
    ScoreForm("amended", "amend {from} by {by}"),
    ScoreForm("amended", "amend {from} {reason} by {by}"),
    ScoreForm("amended", "amend {from} {reason}"),
    ScoreForm("amended", "amend {from}"),
    ScoreForm("taken_back", "{by} back {to} agreed", {"agreed": True}),
    ScoreForm("taken_back", "{by} back {to}"),
    ScoreForm("taken_back", "back {to} agreed", {"agreed": True}),
    ScoreForm("taken_back", "back {to} by {ordered_by}"),
    ScoreForm("taken_back", "back {to}"),
    ScoreForm("gap", "gap"),
    ScoreForm("position_set", "position {position} by {by}"),
    ScoreForm("position_set", "position {position}"),
    ScoreForm("checkpoint", "check {position}"),
)  # fmt: skip
"""The events about the record itself, the same in every game. A line that begins with `?` is `flagged`."""


def names_meant(word: str, setup: Mapping[str, object], keys: Sequence[str]) -> tuple[str, ...]:
    """The cards that a word may stand for: itself, or those of the setup whose names begin with it.

    A copy such as `fox-2` is only meant with its number. `keys` are the parts of the setup that name cards.
    """
    names = dict.fromkeys(name for key in keys for name in _cards_in(setup.get(key)))
    if word in names:
        return (word,)
    begin = _plain(word)
    begun = [name for name in names if begin and _plain(name).startswith(begin)]
    if spelt_otherwise := [name for name in begun if _plain(name) == begin]:
        return tuple(spelt_otherwise)
    firsts = [_plain(name) for name in begun]
    meant = tuple(name for name in begun if name == (first := _COPY.sub("", name)) or _plain(first) not in firsts)
    return meant or (word,)


def _plain(name: str) -> str:
    """A name in small letters without accents, its words joined."""
    return folded(name).replace(" ", "-").replace("_", "-")


def _cards_in(part: object) -> Iterable[str]:
    """The keys of an object of cards; the known names in a list, or in the list of each player."""
    if isinstance(part, Mapping):
        lists = [each for each in part.values() if isinstance(each, list | tuple)]
        return [name for each in lists for name in _cards_in(each)] if lists else map(str, part)
    names = part if isinstance(part, list | tuple) else ()
    return [name for name in names if isinstance(name, str) and not name.startswith("?")]
