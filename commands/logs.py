"""Commands for logs: schema, import, simulate."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from commands.common import (
    CLEAN,
    FINDINGS,
    UNREADABLE,
    emit,
    example,
    files_of,
    json_option,
    lang_option,
    put,
    say,
)
from commands.reporting import progress_of


@click.command()
@click.argument("command", nargs=-1)
@click.option("--ruleset", "ruleset_name", help="Only the logs of this game.")
@click.option(
    "--output", "of_output", is_flag=True, help="Of what COMMAND prints with --json. Without a name: list the commands."
)
@click.option("--api", "of_api", is_flag=True, help="Print the OpenAPI document of the API of a server.")
@example("audit schema --ruleset compile", "audit schema --output", "audit schema --output check", "audit schema --api")
def schema(command: tuple[str, ...], ruleset_name: str | None, of_output: bool, of_api: bool) -> None:
    """Print the JSON Schema of logs, of one object that a command prints with --json, or of the API."""
    if (ruleset_name is not None) + of_output + of_api > 1:
        raise click.UsageError("--ruleset, --output and --api exclude each other")
    if command and not of_output:
        raise click.UsageError("a command is named with --output")
    if of_output:
        _print_output_schema(" ".join(command))
    elif of_api:
        from web import create_app

        put(create_app().test_client().get("/api/v1/openapi.json").text)
    else:
        _print_log_schema(ruleset_name)


def _print_log_schema(ruleset_name: str | None) -> None:
    from audit.core.ruleset import ruleset, rulesets
    from replays.log.schemas import json_schema

    names = [ruleset_name] if ruleset_name else list(rulesets())
    schemas = {name: json_schema(ruleset(name)) for name in names}
    put(json.dumps(schemas[names[0]] if ruleset_name else schemas, ensure_ascii=False, indent=2))


def _print_output_schema(command: str) -> None:
    from commands.printed import PRINTED, output_schema

    if command:
        put(json.dumps(output_schema(command), ensure_ascii=False, indent=2))
    else:
        say(*PRINTED)


@click.command(name="import")
@click.argument("journal", type=click.Path(allow_dash=True))
@click.option("-o", "--out", type=click.Path(file_okay=False), required=True, help="Write the logs to this folder.")
@json_option
@example("audit import journals.jsonl.gz -o imported")
def import_(journal: str, out: str, as_json: bool) -> None:
    """Turn journals of another program into logs, and compare every snapshot with our position.

    Exit code 1 if something could not be told in a log, 2 if a game was set aside.
    """
    from replays.importing.journals.journal import ImportSummary, import_games, summary_line, total_line

    results = []
    for result in import_games(sys.stdin.buffer if journal == "-" else journal, out):
        results.append(result)
        if as_json:
            emit(result.json())
        else:
            say(summary_line(result))
    if not as_json:
        say(total_line(results))
    written = [result for result in results if isinstance(result, ImportSummary)]
    told = CLEAN if all(result.is_whole for result in written) else FINDINGS
    raise click.exceptions.Exit(told if len(written) == len(results) else UNREADABLE)


@click.command()
@click.argument("journals", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "junit"]), default="text", show_default=True,
    help="The format of the report.",
)  # fmt: skip
@lang_option
@json_option
@example("audit conform journals.jsonl.gz", "audit conform replays/samples/clean.jsonl --format junit")
def conform(journals: tuple[str, ...], form: str, language: str, as_json: bool) -> None:
    """Report which rules a program departs from that recorded these journals or logs.

    Departures by the same rule and card are one. What follows from a departure is folded under it. Logs should be
    complete or hold checkpoints. Exit code 1 if there are departures or lines that nothing explains, 2 if a game was
    set aside.
    """
    from replays.importing.journals.conform import conformity
    from replays.terminal.comparison import conformity_json, conformity_junit, conformity_lines

    found = conformity(files_of(journals), language)
    if as_json or form == "json":
        emit(conformity_json(found))
    elif form == "junit":
        put(conformity_junit(found, language))
    else:
        say(*conformity_lines(found, language))
    if any(game.set_aside for game in found.games):
        raise click.exceptions.Exit(UNREADABLE)
    raise click.exceptions.Exit(CLEAN if found.is_by_the_rules else FINDINGS)


@click.command()
@click.option("--games", type=click.IntRange(1), default=1, show_default=True, help="How many games to play.")
@click.option("--seed", default=0, show_default=True, help="The same seed gives the same bytes.")
@click.option("--ruleset", "ruleset_name", default="compile", show_default=True, help="Which game.")
@click.option(
    "--policy", type=click.Choice(["uniform", "greedy", "chains"]), default="uniform", show_default=True,
    help="How players choose: at random, one step ahead, or for long chains of effects.",
)  # fmt: skip
@click.option("--protocols", help="Compile: play with these protocols, separated by commas.")
@click.option("--cards", help="Play with these sets of cards, separated by commas.")
@click.option("-o", "--out", type=click.Path(file_okay=False), help="Write to this folder. Default: standard output.")
@example("audit simulate --seed 7 | audit check -", "audit simulate --games 3 --policy greedy -o simulated")
def simulate(
    games: int, seed: int, ruleset_name: str, policy: str, protocols: str | None, cards: str | None, out: str | None
) -> None:
    """Play legal games at random and write complete logs, markers included."""
    if games > 1 and not out:
        raise click.UsageError("several games need a folder (-o)")
    from audit.core.ruleset import ruleset
    from replays.generating.simulate import simulated
    from replays.log.writer import line_of, write_log

    game = ruleset(ruleset_name)
    pool = [name for names in (protocols, cards) if names for name in names.split(",")]
    if not out:
        header, events = simulated(game, seed, policy, pool)
        for line in (line_of(header), *map(line_of, events)):
            put(line)
        return
    Path(out).mkdir(parents=True, exist_ok=True)
    with progress_of(games, "audit simulate") as told:
        for number in range(seed, seed + games):
            header, events = simulated(game, number, policy, pool)
            write_log(Path(out) / f"{header.game}.jsonl", header, events)
            told(1)
