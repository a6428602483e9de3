"""Infractions of an event: by player, rule and round, with warnings that add up; as CSV and JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct

from audit.core.names import names_of
from replays.cases.case import Case, CaseState, players_of

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a spreadsheet takes for the beginning of a formula."""


class Infraction(Struct, frozen=True):
    """A penalty of a case: how many infractions the player had `before`, and how many `warnings` with this one."""

    case: str
    at: str
    tournament: str
    round: str
    table: str
    player: str
    infraction: str
    level: str
    rule: str
    judge: str
    state: str
    before: int
    warnings: int


def infractions(cases: Iterable[Case], *, player: str = "", rule: str = "", round: str = "") -> list[Infraction]:
    """Every penalty that holds, the oldest first, counted for each player over all of them; then narrowed."""
    counted: dict[str, list[str]] = {}
    found = []
    for case in sorted(cases, key=lambda each: (each.opened.at, each.id)):
        ruling = case.ruling
        if ruling is None or ruling.penalty is None or case.state in (CaseState.WITHDRAWN, CaseState.SUPERSEDED):
            continue
        who = person(case, ruling.penalty.player)
        levels = counted.setdefault(who.casefold(), [])
        levels.append(ruling.penalty.level)
        opened = case.opened
        found.append(Infraction(
            case.id, ruling.at, opened.tournament, opened.round, opened.table, who, ruling.penalty.infraction,
            ruling.penalty.level, ruling.rules[0] if ruling.rules else "", ruling.by, case.state.value,
            len(levels) - 1, levels.count("warning"),
        ))  # fmt: skip
    return [
        each for each in found
        if player.casefold() in each.player.casefold() and rule in ("", each.rule) and round in ("", each.round)
    ]  # fmt: skip


def person(case: Case, seat: str) -> str:
    """The player of a seat by name, or the seat where no name is known."""
    return names_of(players_of(case.opened)).get(seat, seat)


def as_csv(found: Sequence[Infraction]) -> bytes:
    """The infractions as CSV for a spreadsheet; a text that it would take for a formula begins with an apostrophe."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\r\n")
    writer.writerow(Infraction.__struct_fields__)
    writer.writerows([map(_cell, msgspec.structs.astuple(each)) for each in found])
    return written.getvalue().encode()


def _cell(value: object) -> object:
    text = str(value)
    return f"'{text}" if isinstance(value, str) and text.lstrip(" ").startswith(_FORMULA) else value


def as_json(found: Sequence[Infraction]) -> bytes:
    """The infractions as one JSON array."""
    return msgspec.json.encode(list(found)) + b"\n"


def as_json_lines(found: Sequence[Infraction]) -> bytes:
    """The infractions as JSON, one a line."""
    return b"".join(msgspec.json.encode(each) + b"\n" for each in found)
