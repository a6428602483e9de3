"""Commands over many games: what they tell together, and findings as they come."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from commands.common import (
    CLEAN,
    FINDINGS,
    UNREADABLE,
    FolderPath,
    complain,
    edition_option,
    emit,
    example,
    json_option,
    lang_option,
    reading_option,
    say,
    written,
)
from commands.reporting import (
    cache_options,
    jobs_options,
    kept_in,
    opened_store,
    sharing,
    sources,
    stopping_cleanly,
    with_progress,
)

if TYPE_CHECKING:
    from replays.season.sources import Source
    from replays.season.watching import News, Outbox, Watch
    from replays.store.store import Store

SECRET = "AUDIT_WEBHOOK_SECRET"


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


@click.command()
@click.argument("folder", required=False, type=FolderPath())
@click.option("--to", "file", type=click.File("a", encoding="utf-8"), help="Add each finding to this file, as JSON.")
@click.option("--webhook", metavar="URL", help=f"Send each finding there, signed with {SECRET}.")
@click.option("--every", type=click.FloatRange(0.1), default=2.0, show_default=True, help="Look every so many seconds.")
@click.option("--once", is_flag=True, help="Look once and end.")
@lang_option
@reading_option
@edition_option
@json_option
@example("audit watch replays/samples --once", "audit watch replays/samples --once --to findings.jsonl")
def watch(
    folder: str | None, file: IO[str] | None, webhook: str | None, every: float, once: bool, language: str,
    reading: str | None, edition: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Follow a folder of logs, or without one the store, and tell each finding once.

    A webhook is told of public games only: which game, where, the verdict and the rule, and never a card. What it does
    not take is sent again at the next look.

    Exit codes with --once: 0 no findings, 1 findings, 2 a log could not be read, or the webhook did not take something.
    """
    from replays.season.judging import Asked
    from replays.season.watching import Outbox, Watch, Webhook

    watched = Watch(Asked(language, reading, edition))
    outbox = Outbox(Webhook(webhook, os.environ.get(SECRET, ""))) if webhook is not None else None
    with stopping_cleanly(), opened_store(folder is None) as store:
        while True:
            code = _look(watched, folder, store, as_json, file, outbox)
            if once:
                raise click.exceptions.Exit(code)
            time.sleep(every)


def _look(
    watched: Watch, folder: str | None, store: Store | None, as_json: bool, file: IO[str] | None, outbox: Outbox | None
) -> int:
    """Tell what is new, and give the exit code; what the webhook fails to take once is not sent in this look."""
    from replays.season.watching import News

    is_taken, code = _sent(outbox), CLEAN
    for news in watched.look(_sources(folder, store)):
        if not isinstance(news, News):
            say(*news, err=True)
            code = UNREADABLE
            continue
        code = max(code, FINDINGS)
        _tell(news, as_json, file)
        if outbox is not None and (store is None or store.sharing(news.log) == "public"):
            outbox.put(news.told)
            is_taken = is_taken and _sent(outbox)
    return code if is_taken else UNREADABLE


def _sources(folder: str | None, store: Store | None) -> Iterator[Source]:
    from replays.season.sources import followed, stored

    return stored(store) if store is not None else followed(Path(folder or "."))


def _tell(news: News, as_json: bool, file: IO[str] | None) -> None:
    said = {"log": news.log, "seq": news.seq, "verdict": news.verdict, "rule": news.rule, "message": news.message}
    if as_json:
        emit(said)
    else:
        say(f"{news.log}  seq {news.seq}  {news.verdict}  {news.rule}", f"  {news.message}")
    if file:
        file.write(json.dumps(said, ensure_ascii=True) + "\n")
        file.flush()


def _sent(outbox: Outbox | None) -> bool:
    """Send what waits; whether nothing is left, and nothing was refused."""
    from replays.season.watching import WebhookError

    try:
        if outbox is not None:
            outbox.send()
    except WebhookError as error:
        complain(error)
        return False
    return True
