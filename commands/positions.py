"""Commands for positions: print one as a line of text, read one and show the table."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import click
from msgspec.structs import replace

from audit.errors import SetupError
from commands.common import (
    columns,
    emit,
    example,
    json_option,
    known_viewer,
    lang_option,
    opened,
    put,
    say,
    viewer_option,
)


@click.command()
@click.argument("log", required=False, type=click.Path(allow_dash=True))
@click.option("--at", type=int, help="After the event with this seq; 0 is the start. Default: at the end of the log.")
@click.option(
    "--read",
    "told",
    metavar="TEXT|FILE",
    help="Read the line of a position (- for standard input), and show the table.",
)
@click.option("--unknown", is_flag=True, help="Show cards of protocols that are not known here, too.")
@lang_option
@viewer_option
@json_option
@example(
    "audit position replays/samples/dispute.jsonl --at 24",
    "audit position replays/samples/dispute.jsonl --at 24 --as public --json",
    "audit position --read 'compile/4A.action.-/fire.life.water:f3;;l1*:4:9:/death.metal.speed:;;:5:13:'",
)
def position(
    log: str | None, at: int | None, told: str | None, unknown: bool, language: str, viewer: str, as_json: bool
) -> None:
    """Print a position of a log as one line of text, or show the table of such a line.

    With --json: the same as `setup.position` of a log has it.
    """
    if (log is None) == (told is None):
        raise click.UsageError("name a log, or a position with --read")
    if told is not None:
        _show(told, unknown, language, as_json)
        return
    assert log is not None
    _print(log, at, viewer, as_json)


def _print(log: str, at: int | None, viewer: str, as_json: bool) -> None:
    from replays.annotating.annotate import state_at
    from replays.annotating.positions import line_at, position_for

    source = opened(log)
    viewer = known_viewer(source, viewer)
    state = state_at(source, at)
    if as_json:
        emit(position_for(source.ruleset, state, viewer))
    else:
        put(line_at(source.header, state, viewer))


def _show(told: str, unknown: bool, language: str, as_json: bool) -> None:
    from replays.annotating.annotate import replay
    from replays.annotating.positions import header_of, read_position_line
    from replays.terminal.replay_screen import Screen
    from replays.terminal.scene_lines import plain

    game, data = read_position_line(_line(told))
    header = replace(header_of(game, data), unknown="record" if unknown else "refuse")
    try:
        found = replay((header, ()), language=language)
    except SetupError as error:
        raise click.BadParameter(str(error).removeprefix("setup."), param_hint="--read") from None
    if as_json:
        emit(data)
    else:
        say(*Screen(game, found, plain, None, columns()).step(0))


def _line(told: str) -> str:
    """The line itself, or that of a file."""
    if told == "-":
        return sys.stdin.read()
    with suppress(OSError, ValueError):
        if Path(told).is_file():
            return Path(told).read_text("utf-8")
    return told
