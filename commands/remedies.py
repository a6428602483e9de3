"""The command that plans how to take a game back to an earlier event."""

from __future__ import annotations

from pathlib import Path

import click

from commands.common import emit, example, json_option, lang_option, log_argument, opened, say


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
