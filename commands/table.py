"""Commands at the table: a question about a position, a game recorded while it is played, going back."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

import click

from commands.common import (
    CLEAN,
    FINDINGS,
    UNREADABLE,
    Misuse,
    columns,
    edition_option,
    emit,
    example,
    in_colour,
    is_a_file,
    json_option,
    lang_option,
    log_argument,
    opened,
    reading_option,
    say,
    spoken_languages,
)

if TYPE_CHECKING:
    from audit.core.model import Header
    from replays.table.record import Record
    from replays.terminal.answers import RecordScreen

PROMPT = "> "
QUIT = ("quit", "q")


@click.command()
@click.argument("position")
@click.argument("events", nargs=-1)
@click.option("--at", type=int, help="Of a log: after the event with this seq; 0 is the start. Default: at its end.")
@click.option(
    "--lang", "languages", default="en", show_default=True, is_eager=True, callback=spoken_languages,
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
    from replays.table.question import UnreadEventError, question
    from replays.terminal.ansi import colour
    from replays.terminal.answers import answer_lines, unread_lines
    from replays.terminal.scene_lines import plain

    header = _header(position, at, reading, edition)
    try:
        found = answered(question(header, events))
    except UnreadEventError as error:
        if as_json or not (lines := list(unread_lines(error, header, events, languages[0]))):
            raise
        say(*lines, err=True)
        raise click.exceptions.Exit(UNREADABLE) from None
    said = AnswerWriter(found, languages, RulebookQuotes(found.question.game).printed).json()
    if as_json:
        emit(said)
    else:
        say(*answer_lines(found, said, languages, colour if in_colour() else plain, columns()))
    raise click.exceptions.Exit(CLEAN if found.is_legal else FINDINGS)


def _header(position: str, at: int | None, reading: str | None, edition: str | None) -> Header:
    from replays.judging.replay import state_at, with_reading
    from replays.table.question import header_after, header_at

    told = sys.stdin.read() if position == "-" else _first_line(position)
    if not told.lstrip().startswith("{"):
        if at is not None:
            raise Misuse("at_needs_log")
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


@click.command()
@click.argument("log", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--ruleset", default="compile", show_default=True, help="The game, for a new log.")
@lang_option
@example(
    "audit record game.jsonl",
    "audit score write replays/samples/clean.jsonl | audit record copy.jsonl",
)
def record(log: Path, ruleset: str, language: str) -> None:
    """Record a game: one line of a score sheet after another, with completion, judged as it is typed.

    A new log begins with the line of the players, such as `game final   A Ada: fire life water   B Bo: death metal
    speed   first A`. Each line is on the disk before it is judged. What leaves no choice happens by itself and is not
    typed. A few letters and Tab complete a line; a decision that is listed may be typed as its number. `why` explains
    the last line, `table` shows the table, `options` what can be chosen, `quit` ends.
    `audit score forms` lists the forms.
    """
    from audit.core.ruleset import ruleset as game_called
    from replays.table.record import Record, header_of_line
    from replays.terminal.ansi import colour
    from replays.terminal.answers import RecordScreen
    from replays.terminal.replay_screen import word
    from replays.terminal.scene_lines import plain

    game_called(ruleset)
    if str(log) == "-" or (log.exists() and not log.is_file()):
        raise Misuse("no_appending", "LOG", file=log)
    lines = _Lines()
    header = None
    if not log.exists():
        say(word(language, "record_players"), err=True)
        header = header_of_line(_first_lines(lines), ruleset)
    with Record(log, header) as kept:
        lines.completions = lambda text: kept.completer().completions(text)
        screen = RecordScreen(kept, language, colour if in_colour() else plain, columns())
        _write_down(kept, screen, lines, language)
        say(word(language, "record_kept", n=len(kept.events), file=log))


def _first_lines(lines: _Lines) -> str:
    """The line of the players, and the second one that may say more of the header."""
    first = next(iter(lines), "")
    following = lines.peek()
    return f"{first}\n{next(lines)}" if following.startswith("header ") else first


def _write_down(kept: Record, screen: RecordScreen, lines: Iterable[str], language: str) -> None:
    from replays.scoresheet.forms import MisfitError, fits_in, told_fits
    from replays.terminal.replay_screen import word

    told = {"table": screen.table, "why": screen.why, "options": screen.choices}
    say(*screen.table(), *screen.choices())
    for line in lines:
        text = line.strip()
        if text in QUIT:
            return
        if text in told:
            say(*told[text]())
        elif text and not text.startswith("#"):
            try:
                entered = kept.enter(text)
            except MisfitError as misfit:
                fits = told_fits(language, fits_in(kept.game, misfit.fits, language), misfit.found) or misfit.expected
                say(f"{' ' * (misfit.column - 1)}^ {word(language, 'record_misfit', expected=fits)}", err=True)
                continue
            say(*screen.entered(entered), *((*screen.table(), *screen.choices()) if sys.stdin.isatty() else ()))


class _Lines(Iterator[str]):
    """The lines that are typed, with completion in a terminal. They end with the input, or with Ctrl-C or Ctrl-D."""

    def __init__(self) -> None:
        self.completions: Callable[[str], Iterable[str]] = lambda text: ()
        self._is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        self._held: list[str] = []
        self._read = self._prompted() if self._is_terminal else iter(sys.stdin.readline, "")

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        return self._held.pop() if self._held else next(self._read).rstrip("\n")

    def peek(self) -> str:
        """The next line where it is there already, without taking it; nothing where somebody would have to type it."""
        if not self._is_terminal and not self._held:
            self._held.extend(line.rstrip("\n") for line in [next(self._read, None)] if line is not None)
        return self._held[-1] if self._held else ""

    def _prompted(self) -> Iterator[str]:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import Completer, Completion

        lines = self

        class Choices(Completer):
            """Completes a line: with what can be chosen next, or its last word."""

            def get_completions(self, document: object, complete_event: object) -> Iterator[Completion]:
                """Every line that the text may become, the likeliest first."""
                text = str(getattr(document, "text_before_cursor", ""))
                yield from (Completion(line, start_position=-len(text)) for line in lines.completions(text))

        session: PromptSession[str] = PromptSession(completer=Choices(), complete_while_typing=True)
        while True:
            try:
                yield session.prompt(PROMPT)
            except (EOFError, KeyboardInterrupt):
                return


@click.command()
@log_argument
@click.option("--to", type=int, required=True, help="The seq of the last event that stays; 0 is the start.")
@click.option(
    "-o", "--out", type=click.Path(dir_okay=False, path_type=Path),
    help="Write the branch: a new log that goes on from there. The old one stays as it is.",
)  # fmt: skip
@lang_option
@json_option
@example(
    "audit backup replays/samples/dispute.jsonl --to 112",
    "audit backup replays/samples/dispute.jsonl --to 112 -o remedy.jsonl",
)
def backup(log: str, to: int, out: Path | None, language: str, as_json: bool) -> None:
    """Plan how to take a game back to an earlier event, for a judge to read aloud.

    It lists every step to undo, what was drawn by lot and cannot be undone, what each player has learned since, and
    the position afterwards with the first decision.
    """
    from replays.log.writer import write_log
    from replays.table.backing_up import PlanWriter, branch, plan
    from replays.terminal.replay_screen import word
    from replays.terminal.variations import plan_lines

    source = opened(log)
    events = list(source)
    said = PlanWriter(plan(source.header, events, to, source.name), language).json()
    if as_json:
        emit(said)
    else:
        say(*plan_lines(said, language))
    if out:
        write_log(out, *branch(source.header, events, to, source.name))
        say(word(language, "backup_written", file=out, to=to), err=as_json)
