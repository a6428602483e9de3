"""The command that records a game while it is played."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from commands.common import columns, example, in_colour, lang_option, say

if TYPE_CHECKING:
    from replays.table.record import Record
    from replays.terminal.recording import RecordScreen

PROMPT = "> "
QUIT = ("quit", "q")


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
    docs/score-sheet.md lists the forms.
    """
    from audit.core.ruleset import ruleset as game_called
    from replays.table.record import Record, header_of_line
    from replays.terminal.ansi import colour
    from replays.terminal.recording import RecordScreen
    from replays.terminal.replay_screen import word
    from replays.terminal.scene_lines import plain

    game_called(ruleset)
    if str(log) == "-" or (log.exists() and not log.is_file()):
        raise click.BadParameter(f"{log} is no file that can be appended to", param_hint="LOG")
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
    from replays.scoresheet.fits import told_fits
    from replays.scoresheet.forms import MisfitError
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
                fits = told_fits(language, misfit.fits, misfit.found) or misfit.expected
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
