"""The command `audit`: it parses arguments, calls and prints. It knows no rule.

Exit codes: 0 checked and clean, 1 findings, 2 bad usage or input that is missing, empty or unreadable.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING

import click

from audit.core.errors import AuditError
from audit.machine_code import is_native
from commands.common import CLEAN, UNREADABLE, Group, complain, complain_of_usage, help_columns, put, say, wants_colour
from commands.interrupts import INTERRUPTED, end_at_interrupts, give_up_output, notice_interrupts, prepare_streams

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COMMANDS = {
    "games": "replay check why options", "table": "ask record backup", "notes": "note", "cases": "case",
    "precedents": "precedents", "positions": "position", "scores": "score", "rules": "rule deck",
    "new_ruleset": "new-ruleset", "logs": "schema import conform simulate", "seals": "seal verify key prove witness",
    "store": "store", "seasons": "stats watch", "viewer": "serve publish token site", "rulebooks": "rulebook",
    "readings": "qa compare",
}  # fmt: skip
"""The modules of `commands`, and the commands in each: only the module of the command that was given is loaded."""
FORMER_NAMES = {"rules": "rule"}
"""Names under which commands went before. They go on working, and no help tells them."""
MODULE_OF = {name: module for module, names in COMMANDS.items() for name in names.split()}
UNREAD = 141
"""The exit code where nobody reads on: that of a program which a broken pipe ends. 0 would say that all was clean."""
FIRST = ("ask", "check", "replay", "why", "rule", "case", "record", "publish", "serve")
"""What the first screen of help lists: what a judge needs at the table, and how a game is shown to others."""
USERS = {
    "judge": (
        "options position score note precedents backup compare deck",
        "More for judges: what may come next, positions, notes, decks.",
    ),
    "editor": ("rulebook qa", "For editors of rules: rulebooks and their translations."),
    "organiser": ("store stats watch site token", "For organisers: many games, kept, counted and shown."),
    "trust": ("seal verify key prove witness", "For who has to trust a log: seals, keys and proofs."),
    "developer": (
        "schema import conform simulate new-ruleset",
        "For developers: schemas, other programs, new games.",
    ),
}
"""The other commands, grouped by who uses them. Each of them also goes by its name alone."""


class UserGroup(Group):
    """The further commands of one kind of users."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names."""
        return USERS[str(self.name)][0].split()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, or None."""
        return command(cmd_name) if cmd_name in self.list_commands(ctx) else None


class Commands(Group):
    """The commands, each loaded when it is asked for."""

    def invoke(self, ctx: click.Context) -> object:
        """Carry out the command. It ends where nobody reads on, without having answered."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            give_up_output()
            return UNREAD

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, without those of the groups."""
        return sorted(MODULE_OF)

    def known_names(self, ctx: click.Context) -> list[str]:
        """The names that may be meant by one that is none: those of the groups as well."""
        return [*self.list_commands(ctx), *USERS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command or group of that name, or None."""
        if cmd_name in USERS:
            return UserGroup(cmd_name, help=USERS[cmd_name][1])
        name = FORMER_NAMES.get(cmd_name, cmd_name)
        return command(name) if name in MODULE_OF else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what the first screen lists: the commands used most, and the groups of all others."""
        width = formatter.width - 6 - max(map(len, (*FIRST, *USERS)))
        with formatter.section("Commands"):
            formatter.write_dl([(name, command(name).get_short_help_str(width)) for name in FIRST])
        with formatter.section("More commands, by who uses them"):
            formatter.write_dl([(name, said) for name, (_, said) in USERS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """What a shell offers: what the first screen lists; of what has been begun, every command."""
        from click.shell_completion import CompletionItem

        names = (*FIRST, *USERS, *(self.list_commands(ctx) if incomplete else ()))
        fitting = [name for name in dict.fromkeys(names) if name.startswith(incomplete)]
        options = click.Command.shell_complete(self, ctx, incomplete)
        return [*(CompletionItem(name, help=self._short_help(ctx, name)) for name in fitting), *options]

    def _short_help(self, ctx: click.Context, name: str) -> str:
        found = self.get_command(ctx, name)
        return found.get_short_help_str() if found else ""


def command(name: str) -> click.Command:
    """The command of that name."""
    found = vars(import_module(f"commands.{MODULE_OF[name]}")).values()
    return next(each for each in found if isinstance(each, click.Command) and each.name == name)


def main() -> None:
    """The console command. It turns every `AuditError` into lines on standard error and exit code 2."""
    try:
        notice_interrupts()
        prepare_streams()
        code = _flushed(carried_out())
    except KeyboardInterrupt:
        code = INTERRUPTED
    end_at_interrupts()
    sys.exit(code)


def _flushed(code: int) -> int:
    """The exit code, once everything is written."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        give_up_output()
    except OSError as error:
        give_up_output()
        code = _complain_of(error)
    try:
        sys.stderr.flush()
    except OSError:
        give_up_output(2)
    return code


def carried_out() -> int:
    """Carry out the command of `sys.argv`; its exit code. Every `AuditError` is told in lines on standard error."""
    asked = {"language": "en"}
    try:
        return audit(prog_name="audit", standalone_mode=False, terminal_width=help_columns(), obj=asked) or CLEAN
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as wrong:
        with suppress(OSError):
            complain_of_usage(wrong, asked["language"])
        return UNREADABLE
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except AuditError as error:
        with suppress(OSError):
            complain(error, asked["language"])
        return UNREADABLE
    except OSError as error:
        return _complain_of(error, asked["language"])
    except UnicodeError:
        with suppress(OSError):
            say("expected UTF-8 text, found other bytes", err=True)
        return UNREADABLE
    except RuntimeError as error:
        if isinstance(error.__cause__, KeyboardInterrupt):  # it came while a class was made
            return INTERRUPTED
        raise
    except Exception as error:
        return _complain_of_database(error)


def _complain_of_database(error: Exception) -> int:
    """A line about a damaged database; anything else is a fault of ours and raised again."""
    from replays.store.database import trouble_of

    trouble = trouble_of(error)
    if trouble is None:
        raise error
    with suppress(OSError):
        complain(trouble)
    return UNREADABLE


def _complain_of(error: OSError, language: str = "en") -> int:
    from replays.error_words import system_words

    with suppress(OSError):
        say(system_words(error, str(error.filename or "standard input or output"), language), err=True)
    return UNREADABLE


def _version(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    """The version, and whether the auditor is compiled to machine code."""
    if not wanted or context.resilient_parsing:
        return
    from audit import __version__

    build = "compiled" if is_native() else "pure Python"
    say(f"audit, version {__version__} ({build})")
    context.exit()


def _completion(context: click.Context, parameter: click.Parameter, shell: str | None) -> None:
    """The completion script of a shell."""
    if shell is None or context.resilient_parsing:
        return
    from commands.manual import completion_script

    put(completion_script(context.command, shell))
    context.exit()


def _manual(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    """The manual page, made from the help of every command."""
    if not wanted or context.resilient_parsing:
        return
    from commands.manual import manual_page

    further = {f"for the {user}": names.split() for user, (names, _) in USERS.items()}
    put(manual_page(audit, {"commands": FIRST, **further}).rstrip("\n"))
    context.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--color", type=click.Choice(("auto", "always", "never")), default="auto", show_default=True,
    help="Print colours. auto: on a terminal, and as NO_COLOR and FORCE_COLOR say.",
)  # fmt: skip
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Print the version and end."
)
@click.option(
    "--completion", type=click.Choice(("bash", "zsh", "fish")), is_eager=True, expose_value=False, callback=_completion,
    help="Print what makes a shell complete commands and options, and end.",
)  # fmt: skip
@click.option(
    "--manual", is_flag=True, is_eager=True, expose_value=False, callback=_manual, help="Print the manual page and end."
)
def audit(color: str) -> None:
    """Replay and audit card games: each step with the rule that made it legal, or the rule it broke.

    \b
    Example:
      audit check replays/samples/dispute.jsonl
      audit replay replays/samples/dispute.jsonl --step

    Exit codes: 0 clean, 1 findings, 2 input that cannot be read.
    """
    click.get_current_context().color = wants_colour(color)


if __name__ == "__main__":
    main()
