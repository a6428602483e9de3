"""Statistics as tables: for a page, for a spreadsheet, and as Parquet for a database."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from audit.core.errors import AuditError
from replays.judging.facts import Facts
from replays.sanitize import sanitize_text
from replays.season.statistics import Statistics

Cell = str | int | float | None
COLUMNS = (
    "game", "ruleset", "edition", "reading", "language", "event", "round", "players", "brought", "events", "turns",
    "actions", "seconds", "findings", "verdicts", "broken", "cards", "readings",
)  # fmt: skip
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes a cell for that begins so: something to carry out."""


class ParquetError(AuditError):
    """Parquet cannot be written here."""

    def __init__(self) -> None:
        super().__init__("Parquet needs the package polars: install audit[statistics]")


def game_row(facts: Facts, *, told: bool = False) -> tuple[Cell, ...]:
    """One game as a row of `COLUMNS`; `told`: only what everybody saw of it."""
    cards = [card for one in facts.broken if (card := one.told if told else one.card)]
    return (
        facts.game, facts.ruleset, facts.edition, facts.reading, facts.language, facts.event, facts.round,
        _listed(f"{seat}: {name}" if name else seat for seat, name in facts.players.items()),
        _listed(name for names in facts.brought.values() for name in names), facts.events, facts.turns, facts.actions,
        facts.seconds, sum(1 for _ in facts.broken),
        _listed(f"{verdict}: {count}" for verdict, count in facts.verdicts.items()),
        _listed(one.rule for one in facts.broken), _listed(cards), _listed(facts.questioned),
    )  # fmt: skip


def games_csv(games: Iterable[Facts], *, told: bool = False) -> str:
    """A line for each game. A cell that a spreadsheet would carry out begins with an apostrophe."""
    return csv_of(COLUMNS, (game_row(facts, told=told) for facts in games))


def games_parquet(games: Iterable[Facts], *, told: bool = False) -> bytes:
    """The same as Parquet, which DuckDB and polars open; raises `ParquetError`."""
    try:
        import polars
    except ImportError:
        raise ParquetError from None
    numbers = {"events", "turns", "actions", "seconds", "findings"}
    schema = {name: polars.Int64 if name in numbers else polars.String for name in COLUMNS}
    rows = [game_row(facts, told=told) for facts in games]
    found = io.BytesIO()
    polars.DataFrame(rows, schema=schema, orient="row").write_parquet(found)
    return found.getvalue()


def groups_table(found: Statistics, dimension: str) -> list[tuple[Cell, ...]]:
    """A row for each value of a heading: games, findings, games with findings, the rule broken most, decisions a turn,
    seconds a turn. The values with the most findings come first."""
    groups = sorted(found.by[dimension].items(), key=lambda one: (-one[1].findings, -one[1].games, one[0]))
    return [
        (
            value, group.games, group.findings, group.disputed,
            next((rule for rule, _ in group.broken.most_common(1)), ""), group.actions_a_turn, group.seconds_a_turn,
        )
        for value, group in groups
    ]  # fmt: skip


def csv_of(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """A table in the form spreadsheets open."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([_guarded(cell) for cell in row] for row in rows)
    return out.getvalue()


def _guarded(cell: Cell) -> Cell:
    if not isinstance(cell, str):
        return cell
    text = sanitize_text(cell)
    return f"'{text}" if text.startswith(FORMULA) else text


def _listed(names: Iterable[str]) -> str:
    return "; ".join(names)
