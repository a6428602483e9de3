"""The command `audit`: it parses arguments, calls and prints. It knows no rule.

Exit codes: 0 checked and clean, 1 findings, 2 bad usage or input that is missing, empty or unreadable.
"""

from __future__ import annotations

import sys

import click

from audit.errors import AuditError
from commands import games, logs, positions, readings, rulebooks, rules, scores, seals, store, viewer
from commands.common import CLEAN, UNREADABLE, complain, in_colour, say
from commands.new_ruleset import new_ruleset

COMMANDS: tuple[click.Command, ...] = (
    games.replay, games.check, games.why, games.options, positions.position, scores.score, rules.rules, rules.rule,
    rules.deck, new_ruleset, logs.schema, logs.import_, logs.conform, logs.simulate, seals.seal, seals.verify,
    seals.key, store.store, viewer.serve, viewer.publish, viewer.token, rulebooks.rulebook, readings.qa,
    readings.compare,
)  # fmt: skip


def main() -> None:
    """The console command. It turns every `AuditError` into lines on standard error and exit code 2."""
    try:
        sys.exit(audit(standalone_mode=False))
    except click.ClickException as wrong:
        wrong.show()
        sys.exit(UNREADABLE)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except AuditError as error:
        complain(error)
        sys.exit(UNREADABLE)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(CLEAN)
    except OSError as error:
        say(f"{error.filename or 'input'}: {error.strerror or error}", err=True)
        sys.exit(UNREADABLE)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="audit")
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
