"""What several commands share: options, opening a log, printing."""

from __future__ import annotations

import inspect
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, BinaryIO, TypeVar

import click

from audit.core.catalogue import LANGUAGES
from audit.core.errors import AuditError, did_you_mean
from audit.core.files import write_whole
from commands.interrupts import has_every_letter
from replays.errors import UnwritableError
from replays.terminal.ansi import sanitize_terminal, wrapped

if TYPE_CHECKING:
    from audit.core.model import Header
    from replays.log.reader import Log
    from replays.said import Said

CLEAN, FINDINGS, UNREADABLE = 0, 1, 2
"""The exit codes of every command."""

F = TypeVar("F", bound=Callable[..., object])


def example(*lines: str) -> Callable[[F], F]:
    """The examples at the end of a command's help."""

    def add(function: F) -> F:
        said = inspect.cleandoc(function.__doc__ or "")
        function.__doc__ = f"{said}\n\n\b\nExample:\n" + "\n".join(f"  {line}" for line in lines)
        return function

    return add


class Misuse(click.UsageError):
    """A command that is given wrongly: `key` is the sentence that says how, of the option if one is named."""

    def __init__(self, key: str, option: str = "", **data: object) -> None:
        self.key, self.option, self.told = key, option, data
        super().__init__(self.words("en"))

    def words(self, language: str) -> str:
        """What is wrong, in that language."""
        said = _usage(language, self.key, **self.told)
        return _usage(language, "of_option", option=self.option, said=said) if self.option else said


def speak(context: click.Context, parameter: click.Parameter, language: str) -> str:
    """Keep the language that was asked for: errors are said in it too."""
    if isinstance(context.obj, dict):
        context.obj["language"] = language
    return language


def known_languages(context: click.Context, parameter: click.Parameter, value: str) -> tuple[str, ...]:
    """Several languages with commas between; raises `Misuse` for one that has no words here."""
    found = tuple(dict.fromkeys(code.strip() for code in value.split(",")))
    if unknown := [code for code in found if code not in LANGUAGES]:
        raise Misuse("none_of", parameter.opts[0], name=unknown[0], known=", ".join(LANGUAGES))
    return found


def spoken_languages(context: click.Context, parameter: click.Parameter, value: str) -> tuple[str, ...]:
    """Several languages with commas between; errors are said in the first of them too."""
    found = known_languages(context, parameter, value)
    speak(context, parameter, found[0])
    return found


def in_language_option(name: str, help: str) -> Callable[[F], F]:
    """An option that may be given again: a language, and the words in it."""
    return click.option(name, type=(click.Choice(LANGUAGES), str), multiple=True, metavar="LANG TEXT", help=help)


def _usage(language: str, key: str, **data: object) -> str:
    from audit.core.sentences import sentence

    return sentence("replays", language, key, data, "usage")


lang_option = click.option(
    "--lang", "language", type=click.Choice(LANGUAGES), default="en", show_default=True, is_eager=True, callback=speak,
    help="Language of the output.",
)  # fmt: skip
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
edition_option = click.option(
    "--edition", help="Judge by the rulings and errata of this edition, such as 2024-10, instead of the log's own."
)
reading_option = click.option("--reading", help="Judge by this reading instead of the log's own.")
viewer_option = click.option(
    "--as",
    "viewer",
    default="judge",
    show_default=True,
    help="Show what this viewer may know: a seat, public or judge.",
)
log_argument = click.argument("log", type=click.Path(allow_dash=True))


class FolderPath(click.Path):
    """A folder that is there. A plain `click.Path` takes a pipe for a folder."""

    def __init__(self, path_type: type[Path] | None = None) -> None:
        super().__init__(exists=True, file_okay=False, path_type=path_type)

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        """The folder."""
        found = super().convert(value, param, ctx)
        if not Path(os.fsdecode(found)).is_dir():
            self.fail(f"{os.fsdecode(found)} is no folder", param, ctx)
        return found


class Group(click.Group):
    """A group of commands. A name that none of them has is answered with the nearest one."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that was given; raises `click.UsageError`."""
        if self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            nearest = did_you_mean(args[0], self.known_names(ctx))
            raise click.UsageError(f"there is no command {args[0]!r}{nearest}", ctx)
        return super().resolve_command(ctx, args)

    def known_names(self, ctx: click.Context) -> list[str]:
        """The names that may be meant by one that is none."""
        return self.list_commands(ctx)


def opened(path: str | BinaryIO, edition: str | None = None) -> Log:
    """The log, or score sheet, of that path or stream, `-` for standard input; judged by that edition, if any."""
    from replays.scoresheet.opening import opened as opened_by_edition

    return opened_by_edition(path, edition)


def known_viewer(header: Header, viewer: str) -> str:
    """The viewer, if the game of that header has such; raises `click.BadParameter`."""
    from audit.core.ruleset import ruleset

    viewers = (*ruleset(header.ruleset).disclosure.seats(header), "public", "judge")
    if viewer not in viewers:
        raise Misuse("none_of", "--as", name=viewer, known=", ".join(viewers))
    return viewer


def is_a_file(place: str) -> bool:
    """Whether a place is a file, a pipe or a device, and neither a folder nor a name or a text."""
    try:
        return Path(place).exists() and not Path(place).is_dir()
    except (OSError, ValueError):
        return False


@contextmanager
def one_game(place: str) -> Iterator[None]:
    """Where no stored game is called like that either, says of a folder that it is one."""
    from replays.store.reading import UnknownGameError

    try:
        yield
    except UnknownGameError:
        if not Path(place).is_dir():
            raise
        raise Misuse("a_folder", place=place) from None


def files_of(paths: Iterable[str]) -> Iterator[str]:
    """The logs at those paths: a folder stands for every `*.jsonl` file in or below it without notes and cases."""
    from replays.files import logs_below

    for path in paths:
        if not Path(path).is_dir():
            yield path
        elif found := logs_below(Path(path)):
            yield from map(str, found)
        else:
            raise Misuse("no_log", place=path)


def say(*lines: str, err: bool = False) -> None:
    """Print lines for people, without control codes other than our own styles, wrapped at the width of a terminal."""
    width = terminal_columns() if (sys.stderr if err else sys.stdout).isatty() else None
    for line in map(sanitize_terminal, lines):
        for piece in wrapped(line, width) if width else (line,):
            click.echo(piece, err=err)


def say_of(about: object, said: Said, language: str) -> None:
    """Print what is said of a file or a game, behind its name."""
    from replays.said import Said, in_language

    say(in_language(Said("of_file", file=str(about), said=said), language))


def ask(*lines: str) -> None:
    """Print a prompt without a line end after its last line."""
    click.echo("\n".join(map(sanitize_terminal, lines)), nl=False)


def complain_of_usage(wrong: click.ClickException, language: str = "en") -> None:
    """Print what is wrong with the words of a command, in one line that says where its help is."""
    context = wrong.ctx if isinstance(wrong, click.UsageError) else None
    said = _misused(wrong, language)
    path = context.command_path if context else ""
    say(_usage(language, "see_help", command=path, said=said) if context else said, err=True)


def _misused(wrong: click.ClickException, language: str) -> str:
    """What is wrong. Of what `click` has found itself, another language than English names the option alone."""
    if isinstance(wrong, Misuse):
        return wrong.words(language)
    if language == "en" or not isinstance(wrong, click.UsageError):
        return " ".join(wrong.format_message().split()).rstrip(".").replace(". (Did you mean", " (did you mean")
    if isinstance(wrong, click.NoSuchOption):
        return _usage(language, "no_option", option=wrong.option_name)
    named = getattr(wrong, "param_hint", None) or _name(getattr(wrong, "param", None), wrong.ctx)
    key = "missing" if isinstance(wrong, click.MissingParameter) else "unfit" if named else "unclear"
    return _usage(language, key, name=named, said=wrong.format_message())


def _name(parameter: click.Parameter | None, context: click.Context | None) -> str:
    return parameter.get_error_hint(context).strip("'[]") if parameter and context else ""


def complain(error: AuditError, language: str = "en") -> None:
    """Print an error on standard error."""
    from replays.error_words import error_lines

    say(*error_lines(error, language), err=True)


def emit(value: object) -> None:
    """Print one JSON object on a line of its own, with escapes where the output has not every letter."""
    put(json.dumps(value, ensure_ascii=not has_every_letter()))


def put(text: str) -> None:
    """Print a line or document for programs, unchanged."""
    click.echo(text)


def written(data: bytes, out: Path | None) -> None:
    """Write the bytes to a file, whole or not at all, or to standard output. Raises `UnwritableError`."""
    if out:
        try:
            write_whole(out, data)
        except OSError as problem:
            raise UnwritableError(str(out), problem.strerror or str(problem)) from None
    else:
        sys.stdout.buffer.write(data)


def columns() -> int:
    """How many letters a line may have: the terminal's width, within reason; a hundred where there is no terminal."""
    return min(100, max(40, terminal_columns())) if sys.stdout.isatty() else 100


def terminal_columns() -> int:
    """The width of the terminal, or what COLUMNS says of it."""
    return max(24, get_terminal_size((100, 24)).columns)


def help_columns() -> int:
    """How many letters a line of help may have. `click` alone would not go below fifty."""
    return max(24, min(80, get_terminal_size().columns) - 2)


def in_colour() -> bool:
    """Whether to print colours."""
    return bool(click.get_current_context().color)


def wants_colour(asked: str) -> bool:
    """Whether to print colours where `--color` says so: always, never, or as the environment and the output have it."""
    if asked != "auto":
        return asked == "always"
    if forced := os.environ.get("FORCE_COLOR"):
        return forced != "0"
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
