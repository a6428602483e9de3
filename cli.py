"""The command `audit`: parses, calls, prints. It knows no rule.

Exit codes: 0 checked and clean, 1 findings, 2 bad usage or input that is missing, empty or unreadable.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TypeVar

import click

from audit.catalogue import LANGUAGES
from audit.errors import AuditError
from replays.errors import LogError

if TYPE_CHECKING:
    from audit.rulebooks.findings import Weight
    from audit.rulebooks.passages import Passage
    from replays.annotate import Replay
    from replays.log import Log
    from replays.shelf import Added, Stored
    from replays.terminal import Screen

CLEAN, FINDINGS, UNREADABLE = 0, 1, 2
VIEWERS = ("A", "B", "public", "judge")

F = TypeVar("F", bound=Callable[..., object])


def main() -> None:
    """The console command; every error of ours becomes its lines and exit code 2 here and nowhere else."""
    try:
        sys.exit(audit(standalone_mode=False))
    except click.ClickException as wrong:
        wrong.show()
        sys.exit(UNREADABLE)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except LogError as error:
        _complain(error.lines())
    except AuditError as error:
        _complain([str(error)])
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(CLEAN)
    except OSError as error:
        _complain([f"{error.filename or 'input'}: {error.strerror or error}"])


def _complain(lines: Sequence[str]) -> None:
    for line in lines:
        click.echo(line, err=True)
    sys.exit(UNREADABLE)


def example(*lines: str) -> Callable[[F], F]:
    """The examples at the end of a command's help."""

    def add(function: F) -> F:
        function.__doc__ = f"{function.__doc__}\n\n\b\nExample:\n" + "\n".join(f"  {line}" for line in lines)
        return function

    return add


lang_option = click.option(
    "--lang", "language", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Language of the words."
)
json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
reading_option = click.option("--reading", help="Judge by this reading instead of the log's own.")
viewer_option = click.option(
    "--as", "viewer", default="judge", show_default=True, help="What this viewer may know: a seat, public or judge."
)
log_argument = click.argument("log", type=click.Path(allow_dash=True))


def opened(path: str) -> Log:
    """The log of that path; `-` is standard input."""
    from replays.log import open_log

    log = open_log(path)
    log.start()
    return log


def emit(value: object) -> None:
    """One JSON object on a line of its own."""
    click.echo(json.dumps(value, ensure_ascii=False))


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="audit")
def audit() -> None:
    """Replay and rules audit of card games: every step with the rule that made it legal, or the rule it broke."""
    click.get_current_context().color = _in_colour()


# Looking at one game


@audit.command()
@log_argument
@click.option("--step", "by_step", is_flag=True, help="Step through with the keyboard; without a terminal print all.")
@click.option("--at", type=int, help="Only this step; 0 is the start.")
@click.option("--quote", is_flag=True, help="Beside each step the words of the rulebooks you have loaded.")
@lang_option
@viewer_option
@reading_option
@json_option
@example(
    "audit replay replays/samples/dispute.jsonl --step",
    "audit replay replays/samples/dispute.jsonl --at 12 --lang fr",
)
def replay(
    log: str, by_step: bool, at: int | None, quote: bool, language: str, viewer: str, reading: str | None, as_json: bool
) -> None:
    """Rebuild a game and show each step with the rule that applied."""
    from replays.terminal import summary

    source = opened(log)
    game, screen = _replayed(source, viewer, language, reading, quote=quote)
    chosen = range(screen.last + 1) if at is None else [_in_range(at, screen.last)]
    if as_json:
        for index in chosen:
            emit(game.steps[index])
    elif by_step and at is None and sys.stdin.isatty() and sys.stdout.isatty():
        _walk(screen)
    else:
        for index in chosen:
            click.echo("\n".join(screen.step(index)))
        if at is None:
            click.echo("\n".join(summary(game)))
    _torn(source, language)


def _replayed(
    source: Log, viewer: str, language: str, reading: str | None, *, quote: bool = False
) -> tuple[Replay, Screen]:
    from audit.ruleset import plain, ruleset
    from replays.annotate import replay as annotated
    from replays.quotes import Quotes
    from replays.terminal import Screen, colour

    game = ruleset(source.header.ruleset)
    viewers = (*game.seats(source.header), "public", "judge")
    if viewer not in viewers:
        raise click.BadParameter(f"{viewer!r} is none of {', '.join(viewers)}", param_hint="--as")
    found = annotated(source, viewer=viewer, language=language, reading=reading)
    return found, Screen(game, found, colour if _in_colour() else plain, Quotes(game) if quote else None)


def _in_colour() -> bool:
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def _in_range(at: int, last: int) -> int:
    if 0 <= at <= last:
        return at
    nearest = min(max(at, 0), last)
    click.echo(f"step {at} is not there; the nearest is {nearest}", err=True)
    return nearest


def _torn(source: Log, language: str) -> None:
    from replays.terminal import word

    if source.torn:
        click.echo(word(language, "torn", line=source.torn.line), err=True)


def _walk(screen: Screen) -> None:
    """The keys of a replay in the terminal; leaving puts the screen back as it was."""
    index, shown, typed = 0, "", ""
    while True:
        click.clear()
        click.echo("\n".join(screen.step(index)))
        click.echo(shown or _keys(screen), nl=False)
        key, shown = click.getchar(), ""
        if key in ("q", "\x1b", "\x03", "\x04"):
            click.echo()
            return
        if key.isdigit():
            typed += key
            shown = typed
        elif key in ("\r", "\n") and typed:
            index, typed = min(int(typed), screen.last), ""
        else:
            typed = ""
            index, shown = _key(screen, index, key)


def _keys(screen: Screen) -> str:
    from replays.terminal import word

    return word(screen.language, "keys")


def _key(screen: Screen, index: int, key: str) -> tuple[int, str]:
    from replays.terminal import word

    if key in ("\r", "\n", " ", "n", "\x1b[C"):
        return min(index + 1, screen.last), ""
    if key in ("p", "\x1b[D"):
        return max(index - 1, 0), ""
    if key == "r":
        return index, "\n".join(screen.rules(screen.replay.steps[index]))
    if key == "w":
        return index, "\n".join(screen.why(index))
    if key == "o":
        return index, "\n".join(screen.options(index))
    return index, "" if key == "?" else word(screen.language, "unknown_key")


@audit.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "sarif", "junit"]), default="text", show_default=True
)
@lang_option
@reading_option
@json_option
@example("audit check replays/samples/dispute.jsonl", "audit check replays/samples/clean.jsonl --json")
def check(logs: tuple[str, ...], form: str, language: str, reading: str | None, as_json: bool) -> None:
    """Judge whole logs and report every finding with its rule. Exit code 1 where there are findings."""
    from replays.annotate import check as judged
    from replays.reports import junit, sarif, text

    form = "json" if as_json else form
    reports, unreadable = [], False
    for path in logs:
        try:
            report = judged(opened(path), language=language, reading=reading)
        except LogError as error:
            click.echo("\n".join(error.lines()), err=True)
            unreadable = True
            continue
        reports.append(report)
        if form == "json":
            emit(report.json())
        elif form == "text":
            click.echo("\n".join(text(report, language)))
    if form in ("sarif", "junit"):
        click.echo((sarif if form == "sarif" else junit)(reports, language))
    found = FINDINGS if any(report.findings for report in reports) else CLEAN
    raise click.exceptions.Exit(UNREADABLE if unreadable else found)


@audit.command()
@log_argument
@click.option("--at", type=int, required=True, help="The seq of the event to explain.")
@click.option("--quote", is_flag=True, help="Also the words of the rulebooks you have loaded.")
@lang_option
@viewer_option
@reading_option
@json_option
@example("audit why replays/samples/dispute.jsonl --at 20")
def why(log: str, at: int, quote: bool, language: str, viewer: str, reading: str | None, as_json: bool) -> None:
    """The chain of causes of an event, nearest first, each with its rule."""
    game, screen = _replayed(opened(log), viewer, language, reading, quote=quote)
    index = next((step["step"] for step in game.steps if step["seq"] == at), None)
    if not isinstance(index, int):
        raise click.BadParameter(f"the log has no event {at}", param_hint="--at")
    if not as_json:
        click.echo("\n".join([*screen.why(index), *screen.quoted(game.steps[index])]))
        return
    for link in screen.links(index):
        emit({key: link[key] for key in ("step", "seq", "event", "verdict", "rules", "sentence")})


@audit.command()
@log_argument
@click.option("--at", type=int, help="After the event of this seq; without it at the end of the log.")
@lang_option
@viewer_option
@reading_option
@json_option
@example("audit options replays/samples/dispute.jsonl --at 20")
def options(log: str, at: int | None, language: str, viewer: str, reading: str | None, as_json: bool) -> None:
    """What may come next at a moment, each with the rules that say so."""
    from replays.annotate import options_at
    from replays.terminal import option_lines

    found = options_at(opened(log), at, viewer=viewer, language=language, reading=reading)
    if as_json:
        for option in found:
            emit(option)
    else:
        click.echo("\n".join(option_lines(found, language)))


# The rules


@audit.command()
@click.argument("words", nargs=-1)
@click.option("--ruleset", "ruleset_name", default="compile", show_default=True, help="Which game.")
@click.option("--coverage", is_flag=True, help="Each rule with the code that enforces it and the cases that prove it.")
@lang_option
@json_option
@example("audit rules committed card", "audit rules --coverage")
def rules(words: tuple[str, ...], ruleset_name: str, coverage: bool, language: str, as_json: bool) -> None:
    """The catalogue of rules, or those that have all the words."""
    from audit.ruleset import ruleset
    from replays.rules import coverage_lines, coverage_of, rule_json

    game = ruleset(ruleset_name)
    found = game.catalogue.search(" ".join(words), language)
    if coverage:
        table = coverage_of(game)
        chosen = [table[rule.id] for rule in found]
        told = (json.dumps(entry, ensure_ascii=False) for entry in chosen) if as_json else coverage_lines(chosen)
        for line in told:
            click.echo(line)
        return
    for rule in found:
        if as_json:
            emit(rule_json(game, rule, language))
        else:
            click.echo(f"{rule.id}\n    {game.catalogue.statement(rule, language)}")
    if not found:
        click.echo("no rule has all these words", err=True)


@audit.command()
@click.argument("rule_id", metavar="ID")
@click.option("--ruleset", "ruleset_name", help="Which game; without it the one that has the rule.")
@lang_option
@json_option
@example("audit rule play.face-up-needs-protocol", "audit rule committed.queue --lang pl")
def rule(rule_id: str, ruleset_name: str | None, language: str, as_json: bool) -> None:
    """One rule: its statement in four languages, and where the documents say it."""
    from replays.rules import find_rule, rule_json, rule_lines

    game, found = find_rule(rule_id, ruleset_name)
    if as_json:
        emit(rule_json(game, found, language))
    else:
        click.echo("\n".join(rule_lines(game, found, language)))


@audit.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--ruleset", "ruleset_name", default="altered", show_default=True, help="Which game.")
@lang_option
@json_option
@example("audit deck replays/samples/altered-deck.json")
def deck(file: str, ruleset_name: str, language: str, as_json: bool) -> None:
    """Whether a deck may be played: its size, its hero, copies, rares, uniques and faction."""
    from replays.decks import deck_findings

    findings = deck_findings(ruleset_name, file, language)
    for finding in findings:
        if as_json:
            emit(finding)
        else:
            click.echo(f"✗ {finding['message']}\n    {finding['rule']}  {finding['statement']}")
    if not findings and not as_json:
        click.echo("✓")
    raise click.exceptions.Exit(FINDINGS if findings else CLEAN)


# Logs


@audit.command()
@click.option("--ruleset", "ruleset_name", help="Only this game's logs.")
@example("audit schema --ruleset compile")
def schema(ruleset_name: str | None) -> None:
    """The JSON Schema of logs."""
    from audit.ruleset import ruleset, rulesets
    from replays.schemas import json_schema

    names = [ruleset_name] if ruleset_name else list(rulesets())
    schemas = {name: json_schema(ruleset(name)) for name in names}
    click.echo(json.dumps(schemas[names[0]] if ruleset_name else schemas, ensure_ascii=False, indent=2))


@audit.command(name="import")
@click.argument("journal", type=click.Path())
@click.option("-o", "--out", type=click.Path(file_okay=False), required=True, help="The folder the logs go to.")
@json_option
@example("audit import journals.jsonl.gz -o imported")
def import_(journal: str, out: str, as_json: bool) -> None:
    """Turn journals of another implementation into logs, and compare every snapshot with our state."""
    from replays.importing.journal import import_journal, summary_line

    for summary in import_journal(Path(journal), Path(out)):
        if as_json:
            emit(summary.json())
        else:
            click.echo(summary_line(summary))


@audit.command()
@click.option("--games", default=1, show_default=True, help="How many games.")
@click.option("--seed", default=0, show_default=True, help="The same seed gives the same bytes.")
@click.option("--ruleset", "ruleset_name", default="compile", show_default=True, help="Which game.")
@click.option("--policy", type=click.Choice(["uniform", "greedy", "chains"]), default="uniform", show_default=True)
@click.option("--protocols", help="Only these, separated by commas.")
@click.option("--cards", help="Only these sets, separated by commas.")
@click.option("-o", "--out", type=click.Path(file_okay=False), help="A folder; without it standard output.")
@example("audit simulate --seed 7 | audit check -", "audit simulate --games 3 --policy greedy -o simulated")
def simulate(
    games: int, seed: int, ruleset_name: str, policy: str, protocols: str | None, cards: str | None, out: str | None
) -> None:
    """Play legal games at random, through the options alone, and write their logs."""
    from audit.ruleset import ruleset
    from replays.simulate import simulated
    from replays.writer import line_of, write_log

    game = ruleset(ruleset_name)
    pool = [name for names in (protocols, cards) if names for name in names.split(",")]
    numbers = range(seed, seed + games)
    if not out:
        for number in numbers:
            header, events = simulated(game, number, policy, pool)
            click.echo(line_of(header))
            for event in events:
                click.echo(line_of(event))
        return
    Path(out).mkdir(parents=True, exist_ok=True)
    with click.progressbar(numbers, file=sys.stderr, label=ruleset_name) as progress:
        for number in progress:
            header, events = simulated(game, number, policy, pool)
            write_log(Path(out) / f"{header.game}.jsonl", header, events)


# Seals


@audit.command()
@log_argument
@click.option("--key", "key_name", help="Sign the head with this key of yours.")
@example("audit key make table-9 && audit seal my-game.jsonl --key table-9")
def seal(log: str, key_name: str | None) -> None:
    """Seal a log: a chain over its lines bound to the header, kept beside it in a file of its own."""
    from datetime import UTC, datetime

    from replays.seal import beside, seal_file

    sealed = seal_file(Path(log), key_name, at=datetime.now(UTC).isoformat(timespec="seconds"))
    click.echo(f"{beside(Path(log))}: {sealed.events} events, head {sealed.head}")


@audit.command()
@click.argument("log", type=click.Path())
@click.option("--expect-count", type=int, help="The log has so many events.")
@click.option("--expect-head", help="The head it was published with.")
@click.option("--trusted", is_flag=True, help="Only a signature by a key you trust pins the end.")
@json_option
@example("audit verify my-game.jsonl --expect-count 130")
def verify(log: str, expect_count: int | None, expect_head: str | None, trusted: bool, as_json: bool) -> None:
    """Check a log against its seal: the first bad line and its kind, and whether the end is pinned."""
    import msgspec

    from replays.keys import keys
    from replays.seal import beside, read_seal
    from replays.verify import verify as verified

    path = beside(Path(log))
    found = verified(
        Path(log), read_seal(path) if path.exists() else None, expect_count=expect_count, expect_head=expect_head,
        trusted=keys(), needs_trust=trusted,
    )  # fmt: skip
    if as_json:
        emit(msgspec.to_builtins(found))
    else:
        click.echo("\n".join(found.lines()))
    raise click.exceptions.Exit(found.exit_code)


@audit.group()
def key() -> None:
    """Your keys, and those of others you trust."""


@key.command("make")
@click.argument("name")
@example("audit key make table-12")
def key_make(name: str) -> None:
    """Make a key; what is printed is its public half, for others to trust."""
    from replays.keys import make_key

    click.echo(make_key(name).text)


@key.command("list")
@example("audit key list")
def key_list() -> None:
    """The keys there are."""
    from replays.keys import keys

    known = keys()
    for one in known:
        click.echo(one.text)
    if not known:
        click.echo("no key yet; make one with: audit key make NAME")


@key.command("trust")
@click.argument("text")
@click.option("--name", help="What you call it.")
@example("audit key trust \"$(audit key make table-7)\" --name table-7")
def key_trust(text: str, name: str | None) -> None:
    """Trust somebody's public key."""
    from replays.keys import trust

    click.echo(trust(text, name).text)


# The store


@audit.group()
def store() -> None:
    """The games you keep: append-only, in your data folder or in the database of AUDIT_DATABASE_URL."""


@store.command("import")
@click.argument("logs", nargs=-1, required=True, type=click.Path())
@example("audit store import replays/samples/clean.jsonl replays/samples/dispute.jsonl")
def store_import(logs: tuple[str, ...]) -> None:
    """Keep logs; the same log twice changes nothing, one that contradicts what is kept is refused."""
    from replays.store import Store

    with Store() as kept:
        for path in logs:
            done = kept.import_log(Path(path))
            said = "nothing new" if done.is_unchanged else f"{done.added} new"
            click.echo(f"{path}: {done.game}, {done.events} events, {said}")
        kept.follow()


@store.command("list")
@click.argument("words", nargs=-1)
@click.option("--player", default="", help="Games of this player.")
@click.option("--rule", "rule_id", default="", help="Games that cite this rule.")
@click.option("--verdict", default="", help="Games with a step of this verdict.")
@click.option("--page", default=1, show_default=True)
@json_option
@example("audit store list", "audit store list --rule compile.mandatory")
def store_list(words: tuple[str, ...], player: str, rule_id: str, verdict: str, page: int, as_json: bool) -> None:
    """The games that are kept, 50 a page."""
    import msgspec

    from replays.store import Store

    with Store() as kept:
        kept.follow()
        found = kept.shown.games(" ".join(words), player=player, rule=rule_id, verdict=verdict, page=page)
    for row in found.rows:
        if as_json:
            emit(msgspec.to_builtins(row))
        else:
            click.echo(f"{row.id}  {row.ruleset:12} {row.game:24} {row.events:>6} events  {row.findings:>3} findings")
    if not as_json:
        click.echo(f"{found.total} in all")


@store.command("show")
@click.argument("game")
@json_option
@example("audit store import replays/samples/dispute.jsonl && audit store show r3-t12")
def store_show(game: str, as_json: bool) -> None:
    """One game that is kept, with its findings."""
    import msgspec

    from replays.store import Store

    with Store() as kept:
        kept.follow()
        id = kept.find(game)
        row, findings = kept.shown.game(id), kept.shown.findings(id)
    if as_json:
        emit({"game": msgspec.to_builtins(row), "findings": msgspec.to_builtins(findings)})
        return
    if row:
        click.echo(f"{row.id}  {row.ruleset}  {row.game}  {row.events} events")
    for finding in findings:
        click.echo(f"  seq {finding.seq}  {finding.verdict}  {finding.type}  {finding.rule}")


@store.command("export")
@click.argument("game")
@click.option("-o", "--out", type=click.Path(dir_okay=False, path_type=Path), help="To this file.")
@example("audit store import replays/samples/dispute.jsonl && audit store export r3-t12 -o exported.jsonl")
def store_export(game: str, out: Path | None) -> None:
    """The log of a game, byte for byte as it was imported."""
    from replays.store import Store

    with Store() as kept:
        _write(kept.export(kept.find(game)), out)


@store.command("append")
@click.argument("game")
@click.argument("lines", type=click.File("rb"))
@click.option("--expected", type=int, required=True, help="How many events you know the game to have.")
@example("audit store append my-game more.jsonl --expected 130")
def store_append(game: str, lines: BinaryIO, expected: int) -> None:
    """Append events; refused, naming both versions, where somebody was faster."""
    from replays.store import Store

    with Store() as kept:
        click.echo(f"{game}: {kept.append(kept.find(game), lines.read(), expected=expected)} events")
        kept.follow()


# The viewer


@audit.command()
@click.argument("folder", required=False, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen; beyond loopback only if told.")
@click.option("--port", default=8000, show_default=True)
@example("audit serve --port 8000")
def serve(folder: Path | None, host: str, port: int) -> None:
    """The viewer in a browser: the logs of a folder, else the games you keep, else the sample games."""
    from replays.store import Store
    from web import create_app
    from web.library import FolderLibrary
    from web.shelf_quotes import ShelfQuotes
    from web.store_library import StoreLibrary

    kept = None if folder else Store()
    if kept:
        kept.follow()
    stored = StoreLibrary(kept) if kept and kept.shown.games("").total else None
    app = create_app(FolderLibrary(folder) if folder else stored, quotes=ShelfQuotes())
    click.echo(f"http://{host}:{port}/", err=True)
    app.run(host=host, port=port, threaded=True)


# Publishing


@audit.command()
@click.argument("game")
@click.option(
    "-o", "--out", required=True, type=click.Path(dir_okay=False, path_type=Path),
    help="FILE.html, .json, .md, .svg, .png or .pdf.",
)  # fmt: skip
@viewer_option
@click.option("--lang", "languages", default="en", show_default=True, help="Languages, the page's own first: fr,it,pl.")
@click.option("--at", type=click.IntRange(min=0), help="The step of a picture or sheet; else the first finding.")
@example(
    "audit publish replays/samples/dispute.jsonl -o dispute.html --as public --lang fr,it,pl",
    "audit publish replays/samples/dispute.jsonl -o finding.pdf",
)
def publish(game: str, out: Path, viewer: str, languages: str, at: int | None) -> None:
    """A game (a log, or a game of the store) as a file that opens anywhere.

    \b
    html: one page that opens offline with the whole viewer.
    json: the annotations. md: for forums. svg and png: the table at one step.
    pdf: one sheet of a finding for the tournament file.
    """
    from web.publishing import publish as published
    from web.shelf_quotes import ShelfQuotes
    from web.sources import source_at, source_from

    chosen = [code for code in languages.split(",") if code]
    if not chosen or not set(chosen) <= set(LANGUAGES):
        raise click.BadParameter(f"there are {', '.join(LANGUAGES)}", param_hint="--lang")
    if Path(game).is_file():
        source = source_at(game)
    else:
        from replays.store import Store

        with Store() as kept:
            source = source_from(kept.export(kept.find(game)))
    out.write_bytes(published(source, out.suffix.removeprefix("."), viewer, chosen, at, ShelfQuotes().of))
    click.echo(str(out), err=True)


# Tokens


@audit.group()
def token() -> None:
    """Tokens for the API, kept as hashes in your data folder."""


@token.command("make")
@click.argument("name")
@click.option("--role", type=click.Choice(["viewer", "scorekeeper", "judge", "publisher"]), default="viewer")
@example("audit token make table-12 --role scorekeeper")
def token_make(name: str, role: str) -> None:
    """Make a token and print it. It is told this once."""
    from web.tokens import make_token

    click.echo(make_token(name, role))


@token.command("list")
@example("audit token list")
def token_list() -> None:
    """Who has a token, and for what."""
    from web.tokens import tokens

    known = tokens()
    for each in known:
        click.echo(f"{each.id}  {each.role:<11}  {each.made}  {each.name}")
    if not known:
        click.echo("no token yet; make one with: audit token make NAME")


@token.command("revoke")
@click.argument("name")
@example("audit token make table-13 && audit token revoke table-13")
def token_revoke(name: str) -> None:
    """Take a token back, by its name or id."""
    from web.tokens import revoke

    gone = revoke(name)
    click.echo(f"{gone.id}  {gone.role}  {gone.name}")


# Rulebooks


@audit.group()
def rulebook() -> None:
    """The rulebooks you have loaded: kept in your own data folder, editions side by side."""


@rulebook.command("add")
@click.argument("file", type=click.Path(allow_dash=True, path_type=Path))
@click.option("--as", "document", required=True, help="The document's id, such as compile-faq-fr.")
@click.option("--lang", "language", default="", help="Its language (fr, it, pl, en, …); else detected.")
@click.option("--encoding", default="", help="Its encoding, where it is not found by itself.")
@click.option("--game", default="", help="The game of a document that is not known by its id.")
@click.option("--force", is_flag=True, help="Keep it although none of its passages is known.")
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")
def rulebook_add(
    file: Path, document: str, language: str, encoding: str, game: str, force: bool, as_json: bool
) -> None:
    """Load a rulebook: plain text, Markdown or a PDF with a text layer.

    \b
    Example:
      audit rulebook add regles.txt --as compile-faq-fr --lang fr
    """
    import msgspec

    from audit.rulebooks.reading import LARGEST
    from replays.shelf import Loading, Shelf

    loading = Loading(document, language, encoding, game, force)
    if str(file) == "-":
        added = Shelf().add_bytes(sys.stdin.buffer.read(LARGEST + 1), "standard input", loading)
    else:
        added = Shelf().add(file, loading)
    click.echo(msgspec.json.encode(added).decode() if as_json else _said_of(added))


@rulebook.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
def rulebook_list(as_json: bool) -> None:
    """What is loaded, one edition a line.

    \b
    Example:
      audit rulebook list
    """
    import msgspec

    from replays.shelf import Shelf

    kept = Shelf().editions()
    if as_json:
        rows = [_row(one) for one in kept]
        click.echo(msgspec.json.encode(rows).decode())
        return
    for one in kept:
        row = _row(one)
        click.echo("{document:24} {language}  {edition}  {passages:>4} passages  {added}".format(**row))
    if not kept:
        click.echo("no rulebook is loaded; load one with: audit rulebook add FILE --as ID --lang LANG")


@rulebook.command("show")
@click.argument("document")
@click.option("--edition", default="", help="The edition, or the first digits of it; else the latest.")
@click.option("--line", "lines", type=(int, int), default=None, help="Only what stands on these lines: --line 11 13.")
@click.option("--as-read", is_flag=True, help="The text as it stands in the file beside the corrected one.")
def rulebook_show(document: str, edition: str, lines: tuple[int, int] | None, as_read: bool) -> None:
    """The passages of a rulebook with their places.

    \b
    Example:
      audit rulebook show compile-rules-pl --line 56 58 --as-read
    """
    from replays.shelf import Shelf

    book = Shelf().show(document, edition).rulebook
    for passage in book.at(*lines) if lines else book.passages:
        _print_passage(passage, as_read)


@rulebook.command("remove")
@click.argument("document")
@click.option("--edition", default="", help="Only this edition.")
def rulebook_remove(document: str, edition: str) -> None:
    """Take a rulebook off the shelf, with the links you made.

    \b
    Example:
      audit rulebook remove compile-faq-fr
    """
    from replays.shelf import Shelf

    for gone in Shelf().remove(document, edition):
        click.echo(f"removed {document}, edition {gone}")


@rulebook.command("link")
@click.argument("document")
@click.argument("rule", required=False)
@click.argument("passages", nargs=-1)
@click.option("--game", default="compile", help="Whose rules.")
@click.option("--by", default="", help="Who says so.")
@click.option("--remove", "take_away", is_flag=True, help="Take the link away.")
@click.option("--propose", is_flag=True, help="Only show passages that may say the rule, or any rule not yet linked.")
def rulebook_link(
    document: str, rule: str | None, passages: tuple[str, ...], game: str, by: str, take_away: bool, propose: bool
) -> None:
    """Say which passages of a rulebook say a rule; without passages, see what is proposed.

    \b
    Example:
      audit rulebook link my-compile-it victory.three-compiled vittoria/1
    """
    from audit.ruleset import ruleset
    from replays.shelf import Shelf

    shelf, catalogue = Shelf(), ruleset(game).catalogue
    if rule:
        rule = catalogue[rule].id
    if rule and (passages or take_away) and not propose:
        shelf.link(document, rule, () if take_away else passages, by)
        click.echo(f"{rule}: {'link taken away' if take_away else 'linked to ' + ', '.join(passages)}")
        return
    book = shelf.show(document).rulebook
    for found in shelf.proposals(document, catalogue, [rule] if rule else ()):
        click.echo(f"{found.score:.2f}  {found.rule}  {found.passage}  {book[found.passage].text[:70]}")
    click.echo("a score cannot tell numbers or negations apart: read before you link", err=True)


def _said_of(added: Added) -> str:
    said = [
        f"{added.document}: {added.passages} passages, edition {added.edition}, {added.language}"
        + (" (already loaded)" if added.again else ""),
        f"read as {added.encoding}" + (" (assumed: nothing in the file says so)" if added.assumed else ""),
    ]
    if added.corrections:
        see = f"audit rulebook show {added.document} --as-read"
        said.append(f"{added.corrections} corrections of the scan; see them with: {see}")
    if added.links:
        said.append(f"against the known edition: {_counts(added.links)}")
    else:
        said.append(f"no rule is linked to it yet; see proposals with: audit rulebook link {added.document} --propose")
    if added.since:
        said.append(f"against the edition loaded before: {_counts(added.since)}")
    return "\n".join(said)


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {status}" for status, number in counts.items())


def _row(one: Stored) -> dict[str, object]:
    book = one.rulebook
    return {
        "document": book.document, "language": book.language, "edition": book.edition,
        "passages": len(book.passages), "source": one.source, "format": one.format,
        "encoding": one.encoding, "added": one.added[:19],
    }  # fmt: skip


def _print_passage(passage: Passage, as_read: bool) -> None:
    first, last = passage.lines
    click.secho(f"{passage.id}  ({passage.section}, {first}-{last})", bold=True)
    click.echo(passage.text)
    if as_read and passage.corrections:
        click.echo(f"  as read: {passage.read}")
        for change in passage.corrections:
            click.echo(f"  line {change.line}: {change.read!r} > {change.shown!r} ({change.by})")
    click.echo()


# Readings and translations


@audit.command()
@click.argument("ruleset_name", metavar="RULESET", default="compile")
@click.option("--lang", "languages", default="", help="Languages to compare, such as fr,it,pl.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "html", "csv", "junit", "sarif"]), default="text",
    show_default=True,
)
@click.option("--fail-on", type=click.Choice(["error", "warning", "note", "none"]), default="none", show_default=True)
@click.option("--words", type=click.Choice(LANGUAGES), default="en", help="Language of the report.")
@click.option("--missing/--no-missing", default=True, help="Also rules that a language does not say.")
@click.option("--dismiss", metavar="ID", help="Set a finding aside; needs --reason and --by.")
@click.option("--withdraw", metavar="ID", help="Take a dismissal back.")
@click.option("--reason", default="", help="Why a finding is set aside.")
@click.option("--by", "author", default="", help="Who sets it aside.")
@click.option("--export", "exported", type=click.Choice(["tbx", "tmx", "xliff", "po", "csv"]), help="Write this.")
@click.option("-o", "--out", type=click.Path(dir_okay=False, path_type=Path), help="To this file.")
@example("audit qa compile --lang fr,it,pl", "audit qa compile --format sarif --fail-on error")
def qa(
    ruleset_name: str, languages: str, form: str, fail_on: str, words: str, missing: bool, dismiss: str | None,
    withdraw: str | None, reason: str, author: str, exported: str | None, out: Path | None,
) -> None:  # fmt: skip
    """Compare the loaded rulebooks of a game, rule by rule."""
    from audit.rulebooks.report import fails, report
    from audit.ruleset import ruleset
    from replays.qa import Desk

    chosen = [code for code in languages.split(",") if code]
    desk = Desk(ruleset_name, ruleset(ruleset_name).catalogue, chosen, _weights(ruleset_name))
    if dismiss:
        desk.dismiss(dismiss, reason, author)
        return
    if withdraw:
        desk.dismissals.withdraw(withdraw)
        return
    if exported:
        _write(desk.export(exported, words), out)
        return
    result = desk.sorted_out(missing=missing)
    _write(report(result, form, words, ruleset_name).encode(), out)
    if fails(result, fail_on):
        raise click.exceptions.Exit(FINDINGS)


def _weights(ruleset_name: str) -> dict[str, Weight]:
    """How many stored games and steps cite each rule; nothing where no game is stored."""
    from replays.store import Store
    from replays.weights import weights

    with Store() as kept:
        kept.follow()
        return dict(weights(kept, ruleset_name))


def _write(data: bytes, out: Path | None) -> None:
    if out:
        out.write_bytes(data)
    else:
        sys.stdout.buffer.write(data)


@audit.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option("--readings", default="standard,fr,it,pl", show_default=True, help="Which readings, separated by commas.")
@click.option("--switches", is_flag=True, help="Which single disagreement changed which game, the most telling first.")
@lang_option
@json_option
@example(
    "audit compare replays/samples/clean.jsonl --readings fr,it,pl",
    "audit compare replays/samples/clean.jsonl --switches",
)
def compare(logs: tuple[str, ...], readings: str, switches: bool, language: str, as_json: bool) -> None:
    """One game under several readings: where they part, and what comes of it."""
    from replays.compare import compare as compared
    from replays.compare import comparison_json, comparison_lines, consequences

    if switches:
        for line in consequences([opened(path) for path in logs], as_json=as_json):
            click.echo(line)
        return
    for path in logs:
        log = opened(path)
        found = compared(log, readings.split(","))
        if as_json:
            emit(comparison_json(found, log.header.ruleset, language))
        else:
            click.echo("\n".join(comparison_lines(found, log.header.ruleset, language)))


if __name__ == "__main__":
    main()
