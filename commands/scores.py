"""Commands for score sheets: a sheet becomes a log, a log becomes a sheet."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from commands.common import (
    CLEAN,
    FINDINGS,
    Group,
    Misuse,
    emit,
    example,
    json_option,
    lang_option,
    log_argument,
    opened,
    say,
    written,
)
from commands.gathering import answering, answers_option, ask_option, gathered_json, say_gathered
from replays.errors import whole_file_error

PATH = click.Path(dir_okay=False, path_type=Path)


@click.group(cls=Group)
@example("audit score write replays/samples/dispute.jsonl -o dispute.txt")
def score() -> None:
    """Read a score sheet as a log, or write a log as a score sheet."""


@score.command()
@click.argument("sheet", type=click.Path(allow_dash=True))
@click.option("-o", "--out", type=PATH, help="The log. Default: standard output.")
@click.option("--force", is_flag=True, help="Write over a log that is there.")
@click.option("--ruleset", help="The game, where the sheet does not say it. Default: the one that can read the sheet.")
@example("audit score write replays/samples/clean.jsonl | audit score read - | audit check -")
def read(sheet: str, out: Path | None, force: bool, ruleset: str | None) -> None:
    """Turn a score sheet into a log: one decision a line, as on paper.

    `audit score forms` lists the forms. Errors name line and column and what would fit.
    """
    from replays.files import read_whole
    from replays.log.writer import line_of, write_log
    from replays.scoresheet.sheet import read_any_sheet, read_sheet

    name = "standard input" if sheet == "-" else sheet
    data = sys.stdin.buffer.read() if sheet == "-" else read_whole(sheet)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise whole_file_error(name, "text in UTF-8", "something else") from None
    header, events = read_sheet(text, name, ruleset) if ruleset else read_any_sheet(text, name)
    if out and out.is_file() and not force:
        raise Misuse("there_already", "--out", file=out)
    if out and not force:
        write_log(out, header, events)
    else:
        written("\n".join([line_of(header), *map(line_of, events), ""]).encode(), out)


@score.command()
@log_argument
@click.option(
    "-o", "--out", type=click.Path(dir_okay=False, path_type=Path), help="The sheet. Default: standard output."
)
@click.option("--numbered", is_flag=True, help="Write the number of each line before it.")
@example("audit score write replays/samples/dispute.jsonl -o dispute.txt")
def write(log: str, out: Path | None, numbered: bool) -> None:
    """Write the decisions of a log as a score sheet. What leaves no choice is not written."""
    from replays.scoresheet.sheet import write_sheet

    source = opened(log)
    written(write_sheet(source.ruleset, source.header, source, is_numbered=numbered).encode(), out)


@score.command()
@click.argument("name", metavar="RULESET")
@example("audit score forms compile")
def forms(name: str) -> None:
    """List the forms in which a line of a score sheet tells an event.

    A form tells what stands in brackets besides. A field with = may be left out where it has that value; with =@, where
    it is the same as the field named; with =^, where it is as in the last line that told it; with =+, where it is the
    next by its number; with =:, where the setup says it.
    """
    from audit.core.ruleset import ruleset
    from audit.core.written_forms import RECORD_FORMS

    told = ""
    for form in (*ruleset(name).rules.score_forms, *RECORD_FORMS):
        beside = ", ".join(f"{field}: {value}" for field, value in form.fixed.items())
        say(
            *() if form.event == told else (form.event,), f"    {form.template}" + (f"    ({beside})" if beside else "")
        )
        told = form.event


@score.command(name="import")
@click.argument("source", type=click.Path(path_type=Path, allow_dash=True))
@click.option("-o", "--out", type=PATH, help="The sheet. Default: standard output.")
@click.option(
    "--game", "players", default="", metavar="LINE", help="The first line of the sheet, if the source has none."
)
@click.option("--face", type=click.Choice(["up", "down"]), default=None, help="How cards are played if nobody says so.")
@answers_option
@ask_option
@lang_option
@json_option
@example("audit score import replays/samples/chat.txt --face up --answer 1=1 | audit score read -")
def import_(
    source: Path, out: Path | None, players: str, face: str | None, answers: tuple[str, ...], ask: bool,
    language: str, as_json: bool,
) -> None:  # fmt: skip
    """Turn a chat, or a record made of choices, into a score sheet of Compile.

    What can mean several things is a question with line, column and its possible answers (--answer, or --ask for a
    prompt). Without an answer the words become a question in the sheet. Lines that say nothing of the game are listed.
    Exit code 1 if something is open or was not read.
    """
    from replays.importing.questions import Asker
    from replays.importing.sheets import MAX_BYTES, import_sheet, read_source

    name = "standard input" if str(source) == "-" else str(source)
    data = sys.stdin.buffer.read(MAX_BYTES + 1) if str(source) == "-" else read_source(source)
    given = answering(answers, ask, language)
    found = import_sheet(data, name, Asker(given.answer), players, face or "")
    found.asker.check(given.told)
    if as_json:
        emit({"sheet": found.sheet, **gathered_json(found.asker, found.unread, found.ignored, language)})
    else:
        say_gathered(found.asker, found.unread, found.ignored, language)
        written(found.sheet.encode(), out)
    raise click.exceptions.Exit(FINDINGS if found.asker.open or found.unread else CLEAN)
