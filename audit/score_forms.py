"""How a decision is written on one line of a score sheet: as data, declared by each game for its own events.

A template has words and fields: `{player} {card} {line} {face=up}`. A field with `=` may be left out where it has that
value; with `@`, where it is the same as that other field: `{to_owner=@player}`. A field of several values has them with
commas between. A sign may stand right behind a field: `{card}*`.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


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
