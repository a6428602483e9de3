"""Commands for one game: replay it, check it, list the causes of a step, list what may come next."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from commands.common import (
    Misuse,
    ask,
    columns,
    edition_option,
    emit,
    example,
    in_colour,
    json_option,
    known_viewer,
    lang_option,
    log_argument,
    opened,
    reading_option,
    say,
    viewer_option,
)
from commands.reporting import Reporting, cache_options, is_many, jobs_options, kept_in, sharing

if TYPE_CHECKING:
    from replays.judging.replay import Replay
    from replays.log.reader import Log
    from replays.terminal.replay_screen import Screen
    from replays.terminal.variations import Variations


@click.command()
@log_argument
@click.option(
    "--step", "by_step", is_flag=True, help="Walk through with the keyboard. Without a terminal: print all steps."
)
@click.option("--at", type=int, help="Show only this step; 0 is the start.")
@click.option(
    "--grain",
    type=click.Choice(("actions", "steps", "raw")),
    help="Stop at what players begin, at what moves or is decided, or at every event.",
)
@click.option("--quote", is_flag=True, help="Quote the rulebooks you have loaded beside each step.")
@lang_option
@viewer_option
@reading_option
@edition_option
@json_option
@example(
    "audit replay replays/samples/dispute.jsonl --step",
    "audit replay replays/samples/dispute.jsonl --at 12 --lang fr",
)
def replay(
    log: str, by_step: bool, at: int | None, grain: str | None, quote: bool, language: str, viewer: str,
    reading: str | None, edition: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Show a game step by step, each step with its rule."""
    from commands.notes import notes_beside
    from replays.judging.replay import with_reading
    from replays.terminal.cases import notes_at
    from replays.terminal.replay_screen import summary
    from replays.terminal.variations import Variations

    source = opened(log, edition)
    game, screen = _replayed(source, viewer, language, reading, quote=quote)
    screen.notes = {seq: notes_at(found, language) for seq, found in notes_beside(log, viewer).items()}
    chosen = screen.stops(grain or "raw") if at is None else [_in_range(at, screen.last)]
    if as_json:
        for index in chosen:
            emit(game.steps[index])
    elif by_step and at is None and sys.stdin.isatty() and sys.stdout.isatty():
        _walk(Variations(screen, with_reading(source.header, reading)), grain or "steps")
    else:
        for index in chosen:
            say(*screen.step(index))
        if at is None:
            say(*summary(game))
    _torn(source, language)


def _replayed(
    source: Log, viewer: str, language: str, reading: str | None, *, quote: bool = False
) -> tuple[Replay, Screen]:
    from audit.core.ruleset import ruleset
    from replays.judging.replay import replay as annotated
    from replays.rulebooks.quotes import RulebookQuotes
    from replays.terminal.ansi import colour
    from replays.terminal.replay_screen import Screen
    from replays.terminal.scene_lines import plain

    game = ruleset(source.header.ruleset)
    found = annotated(source, viewer=known_viewer(source.header, viewer), language=language, reading=reading)
    paint, printed = colour if in_colour() else plain, RulebookQuotes(game) if quote else None
    return found, Screen(game, found, paint, printed, columns())


def _in_range(at: int, last: int) -> int:
    if 0 <= at <= last:
        return at
    raise Misuse("no_step", "--at", at=at, last=last)


def _torn(source: Log, language: str) -> None:
    from replays.terminal.replay_screen import word

    if source.torn:
        say(word(language, "torn", line=source.torn.line), err=True)


def _walk(walk: Variations, grain: str) -> None:
    """Walk through a replay by keys until the reader quits."""
    index, typed = 0, ""
    shown: list[str] = []
    pressed = _pressed()
    while True:
        click.clear()
        say(*walk.banner(), *walk.screen.step(index))
        ask(*(shown or [_keys(walk.screen)]))
        key, before, shown = next(pressed), shown, []
        if key in ("q", "\x1b", "\x03", "\x04"):
            say("")
            return
        if key.isdigit():
            typed += key
            shown = [*(before[:-1] if len(typed) > 1 else before), typed] if walk.offered else [typed]
        elif key in ("\r", "\n") and typed:
            index, shown = _numbered(walk, index, int(typed[:9]))
            typed = ""
        else:
            typed = ""
            index, shown = _varied(walk, index, key) or _key(walk.screen, index, key, grain)


def _numbered(walk: Variations, index: int, number: int) -> tuple[int, list[str]]:
    """The step that a number leads to: of an option while these are listed, else of a step."""
    from replays.table.variations import VariationError

    if not walk.offered:
        return min(number, walk.screen.last), []
    try:
        found = walk.take(number)
    except VariationError as error:
        return index, [str(error)]
    return (index, [_no_other(walk.screen)]) if found is None else (found, [])


def _varied(walk: Variations, index: int, key: str) -> tuple[int, list[str]] | None:
    """What a key does that has to do with variations; None for another key."""
    walk.offered = []
    if key in "oe":
        return index, walk.options(index) if key == "o" else walk.expected(index)
    if key not in "ub":
        return None
    found = walk.take_back() if key == "u" else walk.back()
    return index if found is None else found, [_no_other(walk.screen)] if found is None else []


def _no_other(screen: Screen) -> str:
    from replays.terminal.replay_screen import word

    return word(screen.language, "no_other")


def _pressed() -> Iterator[str]:
    """The keys one by one; several may arrive at once if they are pasted or typed over a slow line."""
    while True:
        keys = click.getchar()
        yield from [keys] if keys.startswith("\x1b") else keys


def _keys(screen: Screen) -> str:
    from replays.terminal.replay_screen import word

    return word(screen.language, "keys")


HOME, END = ("\x1b[H", "\x1bOH", "\x1b[1~"), ("\x1b[F", "\x1bOF", "\x1b[4~")


def led_to(screen: Screen, index: int, key: str, grain: str) -> int | None:
    """The step to which a key leads, as it does on a page; None for a key that leads nowhere."""
    if key in ("\r", "\n", " ", "\x1b[C", "\x1b[D"):
        return screen.beside(index, -1 if key == "\x1b[D" else 1, grain)
    if key in "npNP":
        return screen.notable(index, 1 if key in "nN" else -1, findings=key in "NP")
    if key in "[]":
        return screen.chapter(index, 1 if key == "]" else -1)
    return 0 if key in HOME else screen.last if key in END else None


def _key(screen: Screen, index: int, key: str, grain: str) -> tuple[int, list[str]]:
    """The step that a key leads to, and the lines it shows there."""
    from replays.terminal.replay_screen import word

    led = led_to(screen, index, key, grain)
    if led is not None:
        return led, [word(screen.language, "no_other")] if led == index else []
    if key == "r":
        return index, list(screen.rules(screen.replay.steps[index]))
    if key == "w":
        return index, list(screen.why(index))
    return index, [] if key == "?" else [word(screen.language, "unknown_key")]


@click.command()
@click.argument("logs", nargs=-1, type=click.Path(allow_dash=True))
@click.option("--stored", is_flag=True, help="Judge the games of the store too.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "sarif", "junit"]), default="text", show_default=True,
    help="The format of the report.",
)  # fmt: skip
@click.option("--complete", is_flag=True, help="Judge the logs as complete: what they leave out was not done.")
@jobs_options
@cache_options
@lang_option
@reading_option
@edition_option
@json_option
@example("audit check replays/samples/dispute.jsonl", "audit check replays/samples/clean.jsonl --json")
def check(
    logs: tuple[str, ...], stored: bool, form: str, complete: bool, jobs: int,
    cluster: str | None, cache_path: Path | None, no_cache: bool,
    language: str, reading: str | None, edition: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Judge logs, or every log of a folder or an archive, and report each finding with its rule.

    Each report says how much was judged. Many logs end with a summary. What was judged before is not judged again,
    unless something changed. Exit code 1 if there are findings.
    """
    if not logs and not stored:
        raise Misuse("name_logs")
    from replays.season.judging import Asked

    asked = Asked(language, reading, edition, complete)
    report = Reporting("json" if as_json else form, language)
    if len(logs) == 1 and not stored and not is_many(logs[0]):
        report.one(logs[0], asked)
    else:
        report.season(logs, stored, asked, sharing(jobs, cluster), kept_in(cache_path, no_cache))
    raise click.exceptions.Exit(report.exit_code)


@click.command()
@log_argument
@click.option("--at", type=click.IntRange(1), required=True, help="The seq of the event to explain.")
@click.option("--quote", is_flag=True, help="Quote the rulebooks you have loaded.")
@lang_option
@viewer_option
@reading_option
@edition_option
@json_option
@example("audit why replays/samples/dispute.jsonl --at 20")
def why(
    log: str, at: int, quote: bool, language: str, viewer: str, reading: str | None, edition: str | None, as_json: bool
) -> None:
    """List the causes of an event, nearest first, each with its rule."""
    from replays.errors import NoSuchEventError

    game, screen = _replayed(opened(log, edition), viewer, language, reading, quote=quote)
    index = game.steps.of_seq.get(at)
    if index is None:
        raise NoSuchEventError(log, at, max(game.steps.of_seq, default=0))
    if not as_json:
        say(*screen.why(index), *screen.quoted(game.steps[index]))
        return
    for link in screen.links(index):
        emit({key: link[key] for key in ("step", "seq", "event", "verdict", "rules", "sentence")})


@click.command()
@log_argument
@click.option("--at", type=int, help="After the event with this seq; 0 is the start. Default: at the end of the log.")
@click.option("--steps", "small_steps", is_flag=True, help="List the small steps that may come at once instead.")
@lang_option
@viewer_option
@reading_option
@edition_option
@json_option
@example("audit options replays/samples/dispute.jsonl --at 20")
def options(
    log: str, at: int | None, small_steps: bool, language: str, viewer: str, reading: str | None, edition: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    """List what the players can choose next after an event, each with its rules.

    What leaves no choice is taken as done. With --steps: everything that may come at once.
    """
    from audit.core.names import player_names
    from replays.judging.replay import options_at
    from replays.terminal.replay_screen import option_lines

    source = opened(log, edition)
    found = options_at(
        source,
        at,
        viewer=known_viewer(source.header, viewer),
        language=language,
        reading=reading,
        small_steps=small_steps,
    )
    if as_json:
        for option in found:
            emit(option)
    else:
        say(*option_lines(found, language, player_names(source.header)))
