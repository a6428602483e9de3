"""The command that answers a judge's question about a position."""

from __future__ import annotations

import sys
from io import BytesIO, TextIOWrapper
from typing import TYPE_CHECKING

import click

from audit.core.catalogue import LANGUAGES
from commands.common import (
    CLEAN,
    FINDINGS,
    columns,
    edition_option,
    emit,
    example,
    in_colour,
    is_a_file,
    json_option,
    opened,
    reading_option,
    say,
)

if TYPE_CHECKING:
    from audit.core.model import Header


def _languages(context: click.Context, parameter: click.Parameter, value: str) -> tuple[str, ...]:
    """Several languages with commas between, the first of them that of the sentences."""
    found = tuple(dict.fromkeys(value.split(",")))
    if unknown := [each for each in found if each not in LANGUAGES]:
        raise click.BadParameter(f"{unknown[0]!r} is none of {', '.join(LANGUAGES)}")
    return found


@click.command()
@click.argument("position")
@click.argument("events", nargs=-1)
@click.option("--at", type=int, help="Of a log: after the event with this seq; 0 is the start. Default: at its end.")
@click.option(
    "--lang", "languages", default="en", show_default=True, callback=_languages,
    help="Languages of the rules, with commas between. Sentences are in the first.",
)  # fmt: skip
@reading_option
@edition_option
@json_option
@example(
    "audit ask replays/samples/dispute.jsonl --at 24",
    "audit ask 'compile/4A.action.-/fire.life.water:f3;;l1*:4:9:/death.metal.speed:;;:5:13:' 'A fire-1 2' --lang en,fr",
)
def ask(
    position: str, events: tuple[str, ...], at: int | None, languages: tuple[str, ...], reading: str | None,
    edition: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Ask whether something may happen in a position: the rule, what would be right, and what follows by itself.

    POSITION is a line of `audit position`, a file with one, an address that holds one (`?position=`), or a log.
    EVENTS are typed as on a score sheet; A1.2 names the second card from the protocol in A's line 1, A1 the uncovered
    one. Without an event: what can be chosen. Exit code 1 if it is a mistake.
    """
    from replays.rulebooks.quotes import RulebookQuotes
    from replays.table.answer import AnswerWriter, answered
    from replays.table.question import question
    from replays.terminal.ansi import colour
    from replays.terminal.answers import answer_lines
    from replays.terminal.scene_lines import plain

    found = answered(question(_header(position, at, reading, edition), events))
    said = AnswerWriter(found, languages, RulebookQuotes(found.question.game).printed).json()
    if as_json:
        emit(said)
    else:
        say(*answer_lines(found, said, languages, colour if in_colour() else plain, columns()))
    raise click.exceptions.Exit(CLEAN if found.is_legal else FINDINGS)


def _header(position: str, at: int | None, reading: str | None, edition: str | None) -> Header:
    from replays.judging.annotate import state_at, with_reading
    from replays.table.question import header_after, header_at

    told = sys.stdin.read() if position == "-" else _first_line(position)
    if not told.lstrip().startswith("{"):
        if at is not None:
            raise click.UsageError("--at needs a log")
        return header_at(told, reading, edition or "")
    source = opened(BytesIO(told.encode()) if position == "-" else position, edition)
    begun = header_after(source.header, state_at(source, at, reading))
    return with_reading(begun, reading)


def _first_line(position: str) -> str:
    """The text itself; of a file its first line."""
    from replays.files import open_plain

    if not is_a_file(position):
        return position
    with TextIOWrapper(open_plain(position), "utf-8") as file:
        return file.readline(1_000_000)
