"""The command that tells what many games tell together."""

from __future__ import annotations

from pathlib import Path

import click

from commands.common import UNREADABLE, emit, example, json_option, lang_option, say, written
from commands.reporting import opened_store, sources
from commands.seasons import cache_options, jobs_options, kept_in, sharing, stopping_cleanly, with_progress


@click.command()
@click.argument("logs", nargs=-1, type=click.Path(allow_dash=True))
@click.option("--ruleset", default="", help="Only games of this ruleset.")
@click.option("--event", default="", help="Only games of this event.")
@click.option("--round", default="", help="Only games of this round.")
@click.option("--player", default="", help="Only games of this player.")
@click.option("--brought", default="", help="Only games with this protocol or hero.")
@click.option("--log-language", default="", help="Only games whose log names this language.")
@click.option("--edition", default="", help="Only games judged by this edition.")
@click.option("--reading", help="Judge by this reading instead of the log's own.")
@click.option("--csv", "csv_path", type=click.Path(dir_okay=False, path_type=Path), help="Write a table of the games.")
@click.option("--parquet", type=click.Path(dir_okay=False, path_type=Path), help="Write the same table as Parquet.")
@jobs_options
@cache_options
@lang_option
@json_option
@example("audit stats replays/samples", "audit stats replays/samples --ruleset compile --csv games.csv")
def stats(
    logs: tuple[str, ...], ruleset: str, event: str, round: str, player: str, brought: str,
    log_language: str, edition: str, reading: str | None, csv_path: Path | None, parquet: Path | None, jobs: int,
    cluster: str | None, cache_path: Path | None, no_cache: bool, language: str, as_json: bool,
) -> None:  # fmt: skip
    """Tell what many games tell together: lengths, verdicts, the rules broken most, the rules never used.

    Of logs, folders and archives; without any, of the games in the store. Exit code 2 if a log could not be read.
    """
    from audit.core.ruleset import ruleset as game_called
    from replays.season.cache import Cache
    from replays.season.judging import Asked
    from replays.season.season import judged_season
    from replays.season.statistics import Filters, Statistics, games_csv, games_parquet, summary_json
    from replays.terminal.season import statistics_lines

    if ruleset:
        game_called(ruleset)
    filters = Filters(
        ruleset=ruleset, event=event, round=round, player=player, brought=brought, language=log_language,
        edition=edition,
    )  # fmt: skip
    found, kept = Statistics(), []
    keeps = bool(csv_path or parquet)
    with stopping_cleanly(), opened_store(not logs) as store, Cache(kept_in(cache_path, no_cache)) as cache:
        coming = judged_season(Asked(language, reading), sources(logs, store), cache, sharing(jobs, cluster))
        for judged in with_progress(coming, "audit stats"):
            say(*judged.trouble, err=True)
            found.unreadable += judged.facts is None
            if judged.facts is not None and filters.let_through(judged.facts):
                found.add(judged.facts)
                kept += [judged.facts] if keeps else []
    if csv_path:
        written(games_csv(kept).encode(), csv_path)
    if parquet:
        written(games_parquet(kept), parquet)
    if as_json:
        emit({"summary": summary_json(found)})
    else:
        say(*statistics_lines(found, language))
    if found.unreadable:
        raise click.exceptions.Exit(UNREADABLE)
