"""Commands for editions and readings: translation QA and comparing readings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from audit.core.catalogue import LANGUAGES
from commands.common import (
    FINDINGS,
    UNREADABLE,
    Misuse,
    emit,
    example,
    json_option,
    lang_option,
    opened,
    put,
    say,
    written,
)
from commands.reporting import (
    cache_options,
    is_many,
    jobs_options,
    kept_in,
    opened_store,
    sharing,
    sources,
    stopping_cleanly,
    with_progress,
)
from commands.rulebook_lines import given_line

if TYPE_CHECKING:
    from audit.rulebooks.findings import Weight
    from replays.rulebooks.translation_qa import TranslationQA
    from replays.season.season import Share


@click.command()
@click.argument("ruleset_name", metavar="RULESET", default="compile")
@click.option("--lang", "languages", default="", help="Languages to compare, such as fr,it,pl.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "html", "csv", "junit", "sarif"]),
    default="text",
    show_default=True,
    help="The format of the report.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "note", "none"]),
    default="none",
    show_default=True,
    help="Exit with 1 if a finding is this severe; with 2 if fewer than two editions are loaded.",
)
@click.option("--words", type=click.Choice(LANGUAGES), default="en", help="Language of the report.")
@click.option(
    "--matrix", "as_matrix", is_flag=True, help="Show the table of rules by language: said, implied, missing."
)
@click.option(
    "--missing/--no-missing",
    help="Also list the rules that only some of the documents say; --matrix shows all in one table.",
)
@click.option(
    "--source",
    default="",
    metavar="DOCUMENT",
    help="The document, by language or id, that the others are translations of: they are held against it alone.",
)
@click.option(
    "--compare-only",
    is_flag=True,
    help="Only compare what the documents say, and do not tell what a later edition changed of the edition known here.",
)
@click.option("--dismiss", metavar="ID", help="Dismiss a finding; needs --reason and --by.")
@click.option("--withdraw", metavar="ID", help="Withdraw a dismissal.")
@click.option("--reason", default="", help="Why the finding is dismissed.")
@click.option("--by", "author", default="", help="Your name, kept with the dismissal or the assignment.")
@click.option("--assign", metavar="ID", help="Give a finding to a person; needs --to and --by.")
@click.option("--to", default="", help="The person the finding is given to; - for nobody.")
@click.option("--of", "person", default="", help="Only what this person has; - for what nobody has.")
@click.option(
    "--export",
    "exported",
    type=click.Choice(["tbx", "tmx", "xliff", "xliff-1.2", "po", "csv"]),
    help="Export for translators in this format.",
)
@click.option(
    "-o", "--out", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file. Default: standard output."
)
@example("audit qa compile --lang fr,it,pl", "audit qa compile --format sarif -o qa.sarif")
def qa(
    ruleset_name: str, languages: str, form: str, fail_on: str, words: str, as_matrix: bool, missing: bool,
    dismiss: str | None, withdraw: str | None, reason: str, author: str, exported: str | None, out: Path | None,
    assign: str | None, to: str, person: str, compare_only: bool, source: str,
) -> None:  # fmt: skip
    """Compare the loaded rulebooks of a game, rule by rule, and report where translations differ."""
    from audit.core.ruleset import ruleset
    from audit.rulebooks.decisions import of_person
    from audit.rulebooks.report import fails, report
    from replays.rulebooks.loaded import files_loaded
    from replays.rulebooks.translation_qa import TranslationQA, exchange_file, give, set_aside
    from replays.terminal.comparison import matrix_csv, matrix_json, matrix_lines

    chosen = list(dict.fromkeys(code.strip() for code in languages.split(",") if code.strip()))
    catalogue = ruleset(ruleset_name).catalogue
    weights = _weights(ruleset_name)
    qa = TranslationQA(ruleset_name, catalogue, chosen, weights, compare_only=compare_only, source=source)
    if dismiss:
        set_aside(qa, dismiss, reason, author)
        say(f"{dismiss}: dismissed by {author}: {reason}")
        return
    if assign:
        give(qa, assign, to, author)
        say(given_line(assign, to, author))
        return
    if withdraw:
        qa.dismissals.withdraw(withdraw)
        say(f"{withdraw}: the dismissal is withdrawn")
        return
    _say_what_is_missing(qa)
    if as_matrix:
        qa.needs(1)
        shown = {"json": matrix_json, "csv": matrix_csv}.get(form)
        _say_or_write(shown(qa) if shown else "\n".join(matrix_lines(qa)) + "\n", out, for_people=not shown)
        return
    if exported:
        written(exchange_file(qa, exported, words), out)
        return
    if qa.is_translated:
        qa.needs(2)
    result = qa.triage(gaps=missing)
    result = of_person(result, person) if person else result
    files = files_loaded() if form == "sarif" else None
    _say_or_write(report(result, form, words, ruleset_name, files), out, for_people=form == "text")
    if fails(result, fail_on):
        raise click.exceptions.Exit(FINDINGS)


def _say_or_write(text: str, out: Path | None, *, for_people: bool) -> None:
    """What people read goes to the terminal at its width; a file, and what programs read, is left as it is."""
    if for_people and out is None:
        say(*text.removesuffix("\n").split("\n"))
    else:
        written(text.encode(), out)


def _say_what_is_missing(qa: TranslationQA) -> None:
    for language, document in qa.not_loaded.items():
        said = f"{document} is not loaded; load it with: audit rulebook add FILE --as {document} --lang {language}"
        say(said, err=True)
    for stored in qa.not_compared:
        said = (
            f"{stored.document} ({stored.rulebook.language}) is not compared: none of its passages is linked to a rule"
        )
        say(said, err=True)


def _weights(ruleset_name: str) -> dict[str, Weight]:
    """How many stored games and steps cite each rule; nothing where no game is stored."""
    from replays.store.shown_game import rule_weights
    from replays.store.store import Store

    with Store() as game_store:
        game_store.follow()
        return dict(rule_weights(game_store, ruleset_name))


@click.command()
@click.argument("logs", nargs=-1, type=click.Path(allow_dash=True))
@click.option("--readings", default="", help="Readings, separated by commas. Default: all readings of the game.")
@click.option(
    "--switches", is_flag=True, help="List which single disagreement changes which game, the most frequent first."
)
@jobs_options
@cache_options
@lang_option
@json_option
@example(
    "audit compare replays/samples/clean.jsonl --readings fr,it,pl",
    "audit compare replays/samples",
    "audit compare --switches",
)
def compare(
    logs: tuple[str, ...], readings: str, switches: bool, jobs: int, cluster: str | None, cache_path: Path | None,
    no_cache: bool, language: str, as_json: bool,
) -> None:  # fmt: skip
    """Judge a game by several readings: the first event they judge differently, and the consequences.

    With a folder, or with --switches: which single disagreement changes which game. Without a log: over the stored
    games.
    """
    if not logs and not switches:
        raise Misuse("name_compared")
    if not logs or switches or any(map(is_many, logs)):
        _over_many(logs, language, as_json, sharing(jobs, cluster), kept_in(cache_path, no_cache))
    else:
        for path in logs:
            _one_log(path, readings, language, as_json)


def _one_log(path: str, readings: str, language: str, as_json: bool) -> None:
    from replays.season.readings import compare as compared
    from replays.season.readings import comparison_json
    from replays.terminal.comparison import comparison_lines

    log = opened(path)
    names = [name for name in readings.split(",") if name] or log.ruleset.rules.readings
    found = compared(log, tuple(dict.fromkeys(names)))
    if as_json:
        emit(comparison_json(found, log.header.ruleset, language))
    else:
        say(*comparison_lines(found, log.header.ruleset, language))


def _over_many(paths: tuple[str, ...], language: str, as_json: bool, share: Share, kept: Path | None) -> None:
    """Compare all logs, or the stored games. What cannot be read is reported; the others are compared all the same."""
    from audit.core.ruleset import rulesets
    from replays.season.cache import Cache
    from replays.season.comparing import Switching
    from replays.season.readings import ReadingChange
    from replays.season.season import answered
    from replays.terminal.comparison import consequences

    trouble, found, known = list[str](), list[ReadingChange](), list[str]()
    with stopping_cleanly(), opened_store(not paths) as store, Cache(kept) as cache:
        coming = answered(Switching(), sources(paths, store), cache, share)
        for one in with_progress(coming, "audit compare"):
            found += one.changes
            known += [one.ruleset] if one.ruleset not in (*known, "") else []
            trouble += one.trouble
    for line in consequences(known if paths else rulesets(), found, language, as_json=as_json):
        (put if as_json else say)(line)
    say(*trouble, err=True)
    if trouble:
        raise click.exceptions.Exit(UNREADABLE)
