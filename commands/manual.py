"""What a shell and `man` know of the command: completion scripts, and a manual page made from the help."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from inspect import cleandoc

import click
from click.shell_completion import get_completion_class

from audit import __version__

COMPLETE = "_AUDIT_COMPLETE"
"""The variable by which a completion script asks the program."""


def completion_script(program: click.Command, shell: str) -> str:
    """The script that completes the names, options and choices of the program in that shell."""
    kind = get_completion_class(shell)
    assert kind is not None
    return kind(program, {}, "audit", COMPLETE).source()


def manual_page(program: click.Group, sections: Mapping[str, Sequence[str]]) -> str:
    """The manual page of the program, in roff. `sections` are titles with the names of their commands, in order."""
    return "\n".join(_page(program, sections)) + "\n"


def _page(program: click.Group, sections: Mapping[str, Sequence[str]]) -> Iterator[str]:
    context = click.Context(program, info_name="audit", **program.context_settings)
    about, *more = _paragraphs(program)
    yield f'.TH AUDIT 1 "" "audit {__version__}" "User Commands"'
    yield from (".SH NAME", f"audit \\- {_escaped(' '.join(about))}")
    yield from (".SH SYNOPSIS", "\\fBaudit\\fR [\\fIOPTIONS\\fR] \\fICOMMAND\\fR [\\fIARGS\\fR]...")
    yield from (".SH DESCRIPTION", *_written([about, *more]))
    yield from (".SH OPTIONS", *_options(program, context))
    for title, names in sections.items():
        yield f".SH {_escaped(title.upper())}"
        for name in names:
            command = program.get_command(context, name)
            assert command is not None
            yield from _command(command, click.Context(command, info_name=name, parent=context))


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    """A command with its options, then the commands in it."""
    usage = " ".join(command.collect_usage_pieces(context))
    yield f".SS {_escaped(f'{context.command_path} {usage}')}"
    yield from (*_written(_paragraphs(command)), *_options(command, context))
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _command(inner, click.Context(inner, info_name=name, parent=context))


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    for param in command.get_params(context):
        record = param.get_help_record(context)
        if record and (record[1] or isinstance(param, click.Option)):
            names, said = record
            yield from (".TP", f"\\fB{_escaped(names)}\\fR", _escaped(" ".join(said.split())) or "\\&")


def _paragraphs(command: click.Command) -> list[list[str]]:
    """The paragraphs of a help text, each as its lines; those that keep their lines begin with `\\b`."""
    text = cleandoc(command.help or "").strip()
    return [paragraph.splitlines() for paragraph in re.split(r"\n\s*\n", text)]


def _written(paragraphs: Iterable[Sequence[str]]) -> Iterator[str]:
    for lines in paragraphs:
        yield ".PP"
        if lines[0] == "\b":
            yield from (".nf", *map(_escaped, lines[1:]), ".fi")
        else:
            yield _escaped(" ".join(lines))


def _escaped(text: str) -> str:
    """The text as roff prints it: no command at the beginning of a line, hyphens that can be copied."""
    plain = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{plain}" if plain[:1] in (".", "'") else plain
