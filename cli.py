"""The command `audit`: it parses arguments, calls and prints. It knows no rule.

Exit codes: 0 checked and clean, 1 findings, 2 bad usage or input that is missing, empty or unreadable.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib.metadata import version

import click

from audit.errors import AuditError
from audit.machine_code import is_native
from commands import (
    asking,
    cases,
    games,
    logs,
    notes,
    positions,
    proofs,
    readings,
    recording,
    remedies,
    rulebooks,
    rules,
    scores,
    seals,
    site,
    statistics,
    store,
    viewer,
    watching,
)
from commands.common import CLEAN, UNREADABLE, complain, in_colour, say
from commands.new_ruleset import new_ruleset
from commands.streams import give_up_output, prepare_streams

COMMANDS: tuple[click.Command, ...] = (
    games.replay, games.check, games.why, games.options, asking.ask, recording.record, remedies.backup,
    notes.note, cases.case, cases.precedents,
    positions.position, scores.score, rules.rules, rules.rule, rules.deck, new_ruleset, logs.schema, logs.import_,
    logs.conform, logs.simulate, seals.seal, seals.verify, seals.key, proofs.prove, proofs.witness, store.store,
    statistics.stats, watching.watch, viewer.serve, site.site, viewer.publish, viewer.token, rulebooks.rulebook,
    readings.qa, readings.compare,
)  # fmt: skip


def main() -> None:
    """The console command. It turns every `AuditError` into lines on standard error and exit code 2."""
    prepare_streams()
    code = _run()
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
    sys.exit(code)


def _run() -> int:
    """Carry out the command; its exit code."""
    try:
        return audit(standalone_mode=False) or CLEAN
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as wrong:
        with suppress(OSError):
            wrong.show()
        return UNREADABLE
    except (click.Abort, KeyboardInterrupt):
        return 130
    except AuditError as error:
        with suppress(OSError):
            complain(error)
        return UNREADABLE
    except BrokenPipeError:
        give_up_output()
        return CLEAN
    except OSError as error:
        return _complain_of(error)
    except UnicodeError:
        with suppress(OSError):
            say("expected UTF-8 text, found other bytes", err=True)
        return UNREADABLE


def _complain_of(error: OSError) -> int:
    with suppress(OSError):
        say(f"{error.filename or 'standard input or output'}: {error.strerror or error}", err=True)
    return UNREADABLE


def _version(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    """The version, and whether the auditor is compiled to machine code."""
    if not wanted or context.resilient_parsing:
        return
    build = "compiled" if is_native() else "pure Python"
    say(f"audit, version {version('audit')} ({build})")
    context.exit()


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Print the version and end."
)
def audit() -> None:
    """Replay and audit card games: each step with the rule that made it legal, or the rule it broke.

    \b
    Example:
      audit check replays/samples/dispute.jsonl
      audit replay replays/samples/dispute.jsonl --step

    Exit codes: 0 clean, 1 findings, 2 input that cannot be read.
    """
    click.get_current_context().color = in_colour()


for command in COMMANDS:
    audit.add_command(command)


if __name__ == "__main__":
    main()
