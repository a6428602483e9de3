"""The command that follows a folder or the store."""

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
)
from commands.reporting import opened_store
from commands.seasons import stopping_cleanly

if TYPE_CHECKING:
    from replays.season.sources import Source
    from replays.season.watching import News, Outbox, Watch
    from replays.store.store import Store

SECRET = "AUDIT_WEBHOOK_SECRET"


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
    not take is sent again at the next look; with --once the exit code is then 2.
    """
    from replays.season.judging import Asked
    from replays.season.watching import Outbox, Watch, Webhook

    watched = Watch(Asked(language, reading, edition))
    outbox = Outbox(Webhook(webhook, os.environ.get(SECRET, ""))) if webhook is not None else None
    with stopping_cleanly(), opened_store(folder is None) as store:
        while True:
            is_taken = _look(watched, folder, store, as_json, file, outbox)
            if once:
                raise click.exceptions.Exit(CLEAN if is_taken else UNREADABLE)
            time.sleep(every)


def _look(
    watched: Watch, folder: str | None, store: Store | None, as_json: bool, file: IO[str] | None, outbox: Outbox | None
) -> bool:
    """Tell what is new. Whether the webhook took all of it; what it fails to take once it is not sent in this look."""
    from replays.season.watching import News

    is_taken = _sent(outbox)
    for news in watched.look(_sources(folder, store)):
        if not isinstance(news, News):
            say(*news, err=True)
            continue
        _tell(news, as_json, file)
        if outbox is not None and (store is None or store.sharing(news.log) == "public"):
            outbox.put(news.told)
            is_taken = is_taken and _sent(outbox)
    return is_taken


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
