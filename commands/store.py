"""Commands for the store of games."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import click

from audit.core.errors import AuditError
from audit.core.model import Verdict
from audit.core.typed_setup import count_noun
from commands.common import (
    CLEAN,
    UNREADABLE,
    Group,
    Misuse,
    complain,
    emit,
    example,
    json_option,
    lang_option,
    say,
    say_of,
    written,
)
from commands.reporting import (
    cache_options,
    jobs_options,
    kept_in,
    on_cluster,
    progress_of,
    sharing,
    sources,
    stopping_cleanly,
    with_progress,
)
from replays.said import Said

if TYPE_CHECKING:
    from audit.core.catalogue import Catalogue
    from replays.cases.case import Case
    from replays.season.comparing import PassageChange
    from replays.season.season import Share
    from replays.season.sources import Source
    from replays.store.store import Store


@click.group(cls=Group)
def store() -> None:
    """Keep games in your data folder, or in the database named by AUDIT_DATABASE_URL."""


@store.command("import")
@click.argument("logs", nargs=-1, required=True, type=click.Path(allow_dash=True))
@jobs_options
@example("audit store import replays/samples/clean.jsonl replays/samples/dispute.jsonl")
def store_import(logs: tuple[str, ...], jobs: int, cluster: str | None) -> None:
    """Store logs, or every log of a folder or an archive.

    A log is named when it is stored for good. Importing the same log twice changes nothing. A log that contradicts
    what is stored is refused, and so is one that cannot be read; the others are stored. Lists and searches are made
    last. If that is interrupted, the next command goes on with them.

    Exit codes: 0 every log is stored, 2 some are not.
    """
    from replays.store.store import Store
    from replays.terminal.replay_screen import word

    found: list[Source] = []
    refused: list[int] = []

    def refuse(number: int, error: AuditError) -> None:
        refused.append(number)
        _complain_of(found[number], error)

    with stopping_cleanly(), Store() as game_store, on_cluster(cluster) as share:
        for done in game_store.import_logs(_opened(logs, found), by="command line", refused=refuse):
            said = "nothing new" if done.is_unchanged else f"{min(done.added, done.events):,} new"
            name = found[done.number].name
            say(f"{name}: {done.game}, {count_noun(done.events, 'event')}, {said}")
            if done.torn:
                say(f"{name}: {word('en', 'torn', line=done.torn)}", err=True)
        _make_lists(game_store, "audit store import: lists and searches", jobs, share)
    raise click.exceptions.Exit(UNREADABLE if refused else CLEAN)


def _complain_of(source: Source, error: AuditError) -> None:
    """Say which log is not stored, and why; one of an archive is named by its place there."""
    from replays.errors import LogError, whole_file_error

    if source.trouble:
        complain(whole_file_error(source.name, "a log", source.trouble))
    elif isinstance(error, LogError):
        complain(LogError(source.name, error.problems, error.more))
    else:
        say(f"{source.name}: {error}", err=True)


def _make_lists(game_store: Store, label: str, jobs: int = 0, share: Share | None = None) -> None:
    """Show what is stored and not shown yet; what was shown before an interruption is not made again."""
    from replays.season.showing import spread

    with progress_of(game_store.waiting(), label) as told:
        game_store.follow(spread(game_store, jobs, share), told)


def _opened(logs: tuple[str, ...], found: list[Source]) -> Iterator[Path | BytesIO]:
    """Every log; where it comes from is added to what is found."""
    for source in with_progress(sources(logs, None), "audit store import: logs"):
        found.append(source)
        yield Path(source.path) if source.path else BytesIO(source.carried().data or b"")


@store.command("list")
@click.argument("words", nargs=-1)
@click.option("--player", default="", help="Only games of this player.")
@click.option("--rule", "rule_id", default="", help="Only games that cite this rule.")
@click.option("--verdict", type=click.Choice(list(map(str, Verdict))), help="Only games with a step of this verdict.")
@click.option("--page", type=click.IntRange(min=1), default=1, show_default=True)
@json_option
@example("audit store list", "audit store list --rule compile.mandatory")
def store_list(
    words: tuple[str, ...], player: str, rule_id: str, verdict: str | None, page: int, as_json: bool
) -> None:
    """List the stored games, 50 a page, each with who may open it. WORDS search names, players and rules."""
    import msgspec

    from replays.store.store import Store
    from replays.terminal.rules import find_rule

    with stopping_cleanly(), Store() as game_store:
        _make_lists(game_store, "lists and searches")
        found = game_store.shown.games(" ".join(words), player=player, rule=rule_id, verdict=verdict or "", page=page)
        levels = [game_store.sharing(row.id) for row in found.rows]
    if rule_id and not found.total:
        find_rule(rule_id)
    for row, level in zip(found.rows, levels, strict=True):
        if as_json:
            emit({**msgspec.to_builtins(row), "sharing": level})
        else:
            events, findings = count_noun(row.events, "event"), count_noun(row.findings, "finding")
            say(f"{row.id}  {row.ruleset:12} {row.game:24} {events:>13}  {findings:>12}  {level}")
    if not as_json:
        say(f"{found.total} in all")


@store.command("show")
@click.argument("game")
@json_option
@example("audit store import replays/samples/dispute.jsonl && audit store show r3-t12")
def store_show(game: str, as_json: bool) -> None:
    """Show a stored game with its findings."""
    import msgspec

    from replays.store.store import Store

    with stopping_cleanly(), Store() as game_store:
        _make_lists(game_store, "lists and searches")
        id = game_store.find(game)
        row, findings = game_store.shown.game(id), game_store.shown.findings(id)
    if as_json:
        emit({"game": msgspec.to_builtins(row), "findings": msgspec.to_builtins(findings)})
        return
    if row:
        say(f"{row.id}  {row.ruleset}  {row.game}  {count_noun(row.events, 'event')}")
    for finding in findings:
        say(f"  seq {finding.seq}  {finding.verdict}  {finding.type}  {finding.rule}")


@store.command("export")
@click.argument("game")
@click.option(
    "-o", "--out", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file. Default: standard output."
)
@example("audit store import replays/samples/dispute.jsonl && audit store export r3-t12 -o exported.jsonl")
def store_export(game: str, out: Path | None) -> None:
    """Write the log of a stored game, byte for byte as it was imported."""
    from replays.store.store import Store

    with Store() as game_store:
        written(game_store.export(game_store.find(game)), out)


@store.command("seal")
@click.argument("game")
@click.option("--key", "key_name", help="Sign the head with this key of yours.")
@lang_option
@example("audit store import replays/samples/dispute.jsonl && audit store seal r3-t12")
def store_seal(game: str, key_name: str | None, language: str) -> None:
    """Seal a stored game as it is now. Files published from it carry the seal."""
    from datetime import UTC, datetime

    from replays.store.store import Store

    with Store() as game_store:
        sealed = game_store.seal(game_store.find(game), key_name, datetime.now(UTC).isoformat(timespec="seconds"))
    say_of(game, Said("sealed", n=sealed.events, head=sealed.head), language)


@store.command("verify")
@click.option("--expect-head", help="The head that an earlier verification printed.")
@lang_option
@json_option
@example("audit store import replays/samples/dispute.jsonl && audit store verify")
def store_verify(expect_head: str | None, language: str, as_json: bool) -> None:
    """Check that every stored event is as it was appended. Names the first bad event of each game.

    Exit codes: 0 every event is as it was appended, 1 some are not.
    """
    import msgspec

    from replays.store.store import Store

    with Store() as game_store:
        found = game_store.verify(expect_head)
    if as_json:
        emit(msgspec.to_builtins(found, enc_hook=str))
    else:
        say(*found.lines(language))
    raise click.exceptions.Exit(found.exit_code)


@store.command("rebuild")
@jobs_options
@example("audit store rebuild")
def store_rebuild(jobs: int, cluster: str | None) -> None:
    """Make lists, findings and searches anew from the stored events, which stay as they are.

    If it is interrupted, the next command goes on where it was.
    """
    from replays.store.store import Store

    with stopping_cleanly(), Store() as game_store, on_cluster(cluster) as share:
        game_store.forget()
        count = game_store.waiting()
        _make_lists(game_store, "audit store rebuild", jobs, share)
    say(f"{count_noun(count, 'game')}")


@store.command("share")
@click.argument("game")
@click.argument("level", type=click.Choice(["public", "unlisted", "private"]))
@example("audit store import replays/samples/dispute.jsonl && audit store share r3-t12 unlisted")
def store_share(game: str, level: str) -> None:
    """Say who may open a stored game on the server.

    A public game may be opened by everybody, stands in lists and is found; an unlisted one by everybody who has its
    address; a private one by judges and by tokens that name the game.

    Others never see hidden cards, whatever is said here. A change holds at once.
    """
    from replays.store.store import Store

    with Store() as game_store:
        id = game_store.find(game)
        game_store.share(id, level)
        holds = game_store.sharing(id)
    say(f"{id}: {level}" if holds == level else f"{id}: {level}; stays {holds}, as the game that it left")


@store.command("reaudit")
@click.argument("ruleset_name", metavar="[RULESET]", default="compile")
@click.option("--reading", help="Judge by this reading too, such as fr, it or pl.")
@click.option("--document", help="A rulebook with a new edition: show changed passages and the games that cite them.")
@jobs_options
@click.option("--ruling", "case", help="The id of a case: show the games that its ruling would judge otherwise.")
@cache_options
@lang_option
@json_option
@example(
    "audit store import replays/samples/clean.jsonl && audit store reaudit --reading fr",
    "audit store reaudit --reading pl --json",
)
def store_reaudit(
    ruleset_name: str, reading: str | None, document: str | None, jobs: int, cluster: str | None, case: str | None,
    cache_path: Path | None, no_cache: bool, language: str, as_json: bool,
) -> None:  # fmt: skip
    """Judge all stored games again by another reading, a new edition or a ruling, and list what differs.

    Nothing that is stored is changed.
    """
    from audit.core.ruleset import ruleset
    from replays.season.cache import Cache
    from replays.season.comparing import reaudit_json, reaudit_lines, reauditing
    from replays.season.season import answered
    from replays.season.sources import stored
    from replays.store.store import Store

    share, kept = sharing(jobs, cluster), kept_in(cache_path, no_cache)
    if case and not reading and not document:
        ruled = _case(case)
        reading = ruled.ruling.reading if ruled.ruling else ""
        if not reading:
            _overrule(ruled, share, kept, language, as_json=as_json)
            return
    if not reading and not document:
        raise Misuse("name_reading")
    game = ruleset(ruleset_name)
    if reading:
        game.rules.reading(reading)
    passages = _changed_passages(game.catalogue, document) if document else []
    question = reauditing(reading, passages, language)
    with stopping_cleanly(), Store() as game_store, Cache(kept) as cache:
        coming = answered(question, stored(game_store, ruleset_name), cache, share)
        found = list(with_progress(coming, "audit store reaudit"))
    if as_json:
        emit(reaudit_json(found, passages))
    else:
        say(*reaudit_lines(found, passages, language))


def _changed_passages(catalogue: Catalogue, document: str) -> list[PassageChange]:
    from replays.rulebooks.store import RulebookStore
    from replays.season.comparing import changed_passages, editions_around

    return changed_passages(catalogue, *editions_around(RulebookStore(), document))


def _case(name: str) -> Case:
    from replays.cases.book import CaseBook
    from replays.cases.shelves import shelf_beside
    from replays.store.store import Store

    with Store() as game_store:
        return CaseBook(shelf_beside(game_store)).case(name)


def _overrule(case: Case, share: Share, kept: Path | None, language: str, *, as_json: bool) -> None:
    """Print what a ruling that follows no other reading means for the stored games."""
    import msgspec

    from replays.cases.consequences import Overruling, reach
    from replays.cases.words import case_word
    from replays.season.cache import Cache
    from replays.season.season import answered
    from replays.season.sources import stored
    from replays.store.store import Store
    from replays.terminal.cases import consequence_lines

    if (ruling := reach(case)) is None:
        if not as_json:
            say(case_word(language, "reaudit.repeats"))
        return
    question = Overruling(ruling, language)
    with stopping_cleanly(), Store() as game_store, Cache(kept) as cache:
        coming = answered(question, stored(game_store, case.opened.ruleset), cache, share)
        answers = list(with_progress(coming, "audit store reaudit"))
    found = [one.consequence for one in answers if one.consequence]
    for each in found:
        if as_json:
            emit(msgspec.to_builtins(each))
        else:
            say(*consequence_lines(each, language))
    if not found and not as_json:
        say(*consequence_lines(None, language))
    trouble = [one.trouble for one in answers if one.trouble]
    say(*trouble, err=True)
    if trouble:
        raise click.exceptions.Exit(UNREADABLE)


@store.command("append")
@click.argument("game")
@click.argument("lines", type=click.Path(allow_dash=True))
@click.option("--expected", type=int, required=True, help="How many events the game should have now.")
@example("audit store append my-game more.jsonl --expected 130")
def store_append(game: str, lines: str, expected: int) -> None:
    """Append events to a stored game. Refused if the game has another number of events by now."""
    from replays.files import read_whole
    from replays.store.store import Store

    data = sys.stdin.buffer.read() if lines == "-" else read_whole(lines)
    with Store() as game_store:
        version = game_store.append(game_store.find(game), data, expected=expected, by="command line")
        say(f"{game}: {count_noun(version, 'event')}")
        game_store.follow()
