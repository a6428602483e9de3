"""Commands for positions: print one as a line of text, read one and show the table."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from commands.common import (
    CLEAN,
    FINDINGS,
    UNREADABLE,
    Group,
    Misuse,
    columns,
    emit,
    example,
    is_a_file,
    json_option,
    known_viewer,
    lang_option,
    opened,
    put,
    say,
    viewer_option,
)
from commands.gathering import answering, answers_option, ask_option, gathered_json, say_gathered

if TYPE_CHECKING:
    from replays.importing.saves import Frame

SHOW = "show"
MAX_PLACE = 10_000


class _PositionGroup(Group):
    """Commands for positions. Without the name of one, a position is shown."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The arguments, with the name of the usual command where there is none."""
        named = bool(args) and args[0] in (*self.commands, "-h", "--help")
        return super().parse_args(ctx, args if named else [SHOW, *args])


@click.group(cls=_PositionGroup)
@example(
    "audit position replays/samples/dispute.jsonl --at 24",
    "audit position --read 'compile/4A.action.-/fire.life.water:f3;;l1*:4:9:/death.metal.speed:;;:5:13:'",
)
def position() -> None:
    """Print a position of a log as one line of text, show the table of such a line, or take one from a save.

    `audit position LOG` is short for `audit position show LOG`, and takes its options.
    """


@position.command(name=SHOW)
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
def show(
    log: str | None, at: int | None, told: str | None, unknown: bool, language: str, viewer: str, as_json: bool
) -> None:
    """Print a position of a log as one line of text, or show the table of such a line.

    With --json: the same as `setup.position` of a log has it.
    """
    if (log is None) == (told is None):
        raise Misuse("name_position")
    if told is not None:
        _show(told, unknown, language, as_json)
        return
    assert log is not None
    _print(log, at, viewer, as_json)


def _print(log: str, at: int | None, viewer: str, as_json: bool) -> None:
    from replays.judging.positions import line_at, position_for
    from replays.judging.replay import state_at

    source = opened(log)
    viewer = known_viewer(source.header, viewer)
    state = state_at(source, at)
    if as_json:
        emit(position_for(source.ruleset, state, viewer))
    else:
        put(line_at(source.header, state, viewer))


def _show(told: str, unknown: bool, language: str, as_json: bool) -> None:
    from replays.judging.positions import header_of, read_position_line
    from replays.judging.replay import replay
    from replays.terminal.replay_screen import Screen
    from replays.terminal.scene_lines import plain

    game, data = read_position_line(_line(told))
    header = replace(header_of(game, data), unknown="record" if unknown else "refuse")
    found = replay((header, ()), language=language)
    if as_json:
        emit(data)
    else:
        say(*Screen(game, found, plain, None, columns()).step(0))


def _line(told: str) -> str:
    """The line itself, or that of a file."""
    if told == "-":
        return sys.stdin.read()
    from replays.files import read_whole

    return read_whole(told).decode() if is_a_file(told) else told


@position.command(name="import")
@click.argument("save", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--ruleset", default="", help="The game. Default: the one that the title of the save names, or compile.")
@click.option("--side-a", default="", metavar="COLOUR", help="The seat of A. Default: the side of lower z.")
@click.option("--lines", metavar="X,X,X", help="Where the lines are, if the protocols have no names.")
@click.option("--rows", metavar="Z,Z", help="Where the protocols of A and those of B lie, with --lines.")
@click.option("--along", type=click.Choice(["x", "z"]), default="x", show_default=True, help="The axis of --lines.")
@click.option(
    "--protocols", multiple=True, metavar="A:P,P,P", help="The protocols of a side from line 1, with --lines."
)
@answers_option
@ask_option
@lang_option
@json_option
@example("audit position import replays/samples/table-save.json --answer 1=A2")
def import_(
    save: Path, ruleset: str, side_a: str, lines: str | None, rows: str | None, along: str, protocols: tuple[str, ...],
    answers: tuple[str, ...], ask: bool, language: str, as_json: bool,
) -> None:  # fmt: skip
    """Turn a save of Tabletop Simulator into the line of a position.

    The cards have to carry their names; in Altered and in a reveal, zones that carry the names of places say where
    they lie. What can mean several things is a question with its possible answers
    (--answer, or --ask for a prompt); what was left out is named with its place. Exit code 1 if something is open or
    left out, 2 if there is no position.
    """
    from replays.importing.positions import PositionHints
    from replays.importing.questions import Asker
    from replays.importing.saves import MAX_BYTES, read_table, table_of
    from replays.importing.zoned import gather_table

    is_piped = str(save) == "-"
    table = table_of(sys.stdin.buffer.read(MAX_BYTES + 1), "standard input") if is_piped else read_table(save)
    given = answering(answers, ask, language)
    frame = _frame(lines, rows, along == "x")
    found = gather_table(table, Asker(given.answer), PositionHints(side_a, frame, _protocols(protocols), ruleset))
    found.asker.check(given.told)
    if as_json:
        emit(
            {
                "position": found.line,
                "data": found.data,
                **gathered_json(found.asker, found.unread, found.told, language),
            }
        )
    else:
        say_gathered(found.asker, found.unread, found.told, language)
        if found.line:
            put(found.line)
    if found.line is None:
        raise click.exceptions.Exit(UNREADABLE)
    raise click.exceptions.Exit(FINDINGS if found.asker.open or found.unread else CLEAN)


def _frame(lines: str | None, rows: str | None, is_along_x: bool) -> Frame | None:
    from replays.importing.saves import frame_told

    if lines is None or rows is None:
        if lines or rows:
            raise Misuse("lines_and_rows")
        return None
    frame = frame_told(_numbers(lines, 3, "--lines"), _numbers(rows, 2, "--rows"), is_along_x)
    if frame.apart <= 0 or frame.protocols_at <= 0:
        raise Misuse("places_differ", "--lines, --rows")
    return frame


def _numbers(text: str, count: int, option: str) -> tuple[float, ...]:
    try:
        found = tuple(map(float, text.split(",")))
    except ValueError:
        found = ()
    if len(found) != count or not all(abs(one) < MAX_PLACE for one in found):
        raise Misuse("numbers", option, n=count)
    return found


def _protocols(told: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    from audit.games.compile.cards import PROTOCOLS

    found = {}
    for one in told:
        side, _, names = one.partition(":")
        found[side] = tuple(names.casefold().split(","))
        if side not in ("A", "B") or len(found[side]) != 3 or not PROTOCOLS.keys() >= set(found[side]):
            raise Misuse("protocols", "--protocols", found=one)
    return found
