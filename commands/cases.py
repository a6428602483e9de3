"""Commands for cases: opening, ruling, appealing, and what becomes of them."""

from __future__ import annotations

import mimetypes
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from commands.common import Group, emit, example, is_a_file, json_option, lang_option, one_game, say, written

if TYPE_CHECKING:
    from replays.cases.book import CaseBook, Shelf
    from replays.cases.case import Case
    from replays.cases.opening import Place
    from replays.cases.precedents import Likeness
    from replays.trust.seal import Seal

F = TypeVar("F", bound=Callable[..., object])
ROLES = ("judge", "head-judge", "player", "scorekeeper")
LEVELS = ("note", "warning", "game-loss", "match-loss", "disqualification")

folder_option = click.option(
    "--in", "folder", type=click.Path(file_okay=False, path_type=Path), envvar="AUDIT_CASES",
    help="A folder of case files, instead of the store (or AUDIT_CASES).",
)  # fmt: skip
case_argument = click.argument("name", metavar="CASE")


def writer_options(function: F) -> F:
    """Who writes: a name and a role, or a token; and the version that they have seen."""
    function = click.option("--by", envvar="AUDIT_NAME", default="", help="Your name (or AUDIT_NAME).")(function)
    function = click.option("--role", type=click.Choice(ROLES), default="judge", show_default=True)(function)
    function = click.option(
        "--token", envvar="AUDIT_TOKEN", default="", help="A token; name and role come from it (or AUDIT_TOKEN)."
    )(function)
    return click.option("--expected", type=int, help="The version you have seen. Refused where there is a later one.")(
        function
    )


@click.group(cls=Group)
def case() -> None:
    """Keep cases: what judges were asked, what they decided, and what became of it.

    They are kept in the store, or in the folder of --in. CASE is an id or how it begins, or `last` for the case that
    was opened last.
    """


@contextmanager
def book_in(folder: Path | None) -> Iterator[CaseBook]:
    """The cases of a folder, or of the store."""
    from replays.cases.book import FolderShelf, StoreShelf
    from replays.store.store import Store

    if folder:
        with _on_shelf(FolderShelf(folder)) as book:
            yield book
        return
    with Store() as store, _on_shelf(StoreShelf(store)) as book:
        yield book


@contextmanager
def _on_shelf(shelf: Shelf) -> Iterator[CaseBook]:
    """The cases there. The error of a case that does not exist names the nearest one."""
    from replays.cases.book import CaseBook, UnknownCaseError

    try:
        yield CaseBook(shelf)
    except UnknownCaseError as error:
        raise UnknownCaseError(error.case, error.found, [id for id, _ in shelf.ids()]) from None


def _who(by: str, role: str, token: str) -> dict[str, str]:
    """The name, role and time of what is written; raises where a token does not hold."""
    from replays.cases.note import now

    if token:
        from web.site.tokens import TokenError, token_of

        found = token_of(token)
        if found is None or found.role not in ROLES:
            raise TokenError(token[:14], "it does not hold, or its role writes no cases")
        by, role = found.name, str(found.role)
    if not by:
        raise click.UsageError("say who you are: --by NAME, or AUDIT_NAME")
    return {"by": by, "role": role, "at": now()}


def _add(folder: Path | None, name: str, kind: str, values: Mapping[str, object], expected: int | None) -> None:
    from replays.cases.writing import made

    with book_in(folder) as book:
        id = book.find(name)
        found = book.add(id, made(kind, values), expected, str(values["by"]))
        say(f"{found.id}: {found.state}, version {found.version}")


@case.command("open")
@click.argument("place", metavar="LOG|POSITION")
@click.argument("question")
@click.option("--at", type=int, help="Of a log: the seq of the event that is in question.")
@click.option("--asked", multiple=True, help="Of a position: an event as on a score sheet. May be given again.")
@click.option("--langs", default="en", show_default=True, help="The players' languages: fr,pl.")
@click.option("--round", "round_", default="", help="The round of the event.")
@click.option("--table", default="", help="The table.")
@click.option("--event", "tournament", default="", help="The event.")
@writer_options
@folder_option
@example('audit case open replays/samples/dispute.jsonl --at 25 --by Ada "May this card lie here?" --in cases')
def case_open(
    place: str, question: str, at: int | None, asked: tuple[str, ...], langs: str, round_: str, table: str,
    tournament: str, by: str, role: str, token: str, expected: int | None, folder: Path | None,
) -> None:  # fmt: skip
    """Open a case at a step of a game (a file, or a stored game), or on a position line."""
    from replays.cases.writing import opened, opinion_on

    languages = [code for code in langs.split(",") if code]
    who = _who(by, role, token)
    found, more = _place(place, at, asked)
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    with book_in(folder) as book:
        event = opened(found, {
            **who, "question": question, "languages": languages or ["en"], "lang": (languages or ["en"])[0],
            "round": round_, "table": table, "tournament": tournament, **more,
        })  # fmt: skip
        made = book.open(event, opinion_on(event, who), by=who["by"])
        say(f"{made.id}: {made.state}, version {made.version}")


def _place(place: str, at: int | None, asked: tuple[str, ...]) -> tuple[Place, dict[str, object]]:
    from audit.core.ruleset import rulesets
    from replays.cases.opening import place_at
    from replays.cases.writing import place_of_log
    from replays.store.store import Store

    if not is_a_file(place) and place.partition("/")[0] in rulesets():
        return place_at(place, asked), {}
    if at is None:
        raise click.UsageError("name the event of the log with --at")
    if place == "-":
        return place_of_log(sys.stdin.buffer.read(), at, "standard input")
    if is_a_file(place):
        from replays.files import read_whole
        from replays.trust.seal import MAX_BYTES

        return place_of_log(read_whole(place, MAX_BYTES), at, Path(place).name)
    with one_game(place), Store() as store:
        id = store.find(place)
        found, said = place_of_log(store.export(id), at, place)
        return found, said if said["game_id"] else {**said, "game": id}


@case.command("list")
@click.option("--open", "only_open", is_flag=True, help="Only those in which somebody has to do something.")
@click.option("--stale", "only_stale", is_flag=True, help="Only rulings that cite what reads otherwise today.")
@click.option("--contradictions", "contradicting", is_flag=True, help="Final rulings that contradict each other.")
@lang_option
@json_option
@folder_option
@example("audit case list --in cases", "audit case list --stale --in cases")
def case_list(
    only_open: bool, only_stale: bool, contradicting: bool, language: str, as_json: bool, folder: Path | None
) -> None:
    """List the cases: those in which somebody has to do something come first."""
    import msgspec

    from replays.cases.case import URGENT
    from replays.cases.precedents import contradictions, stale
    from replays.cases.words import case_word, stale_words
    from replays.terminal.cases import case_json, contradiction_line, summary_line

    with book_in(folder) as book:
        cases = sorted(book.all(), key=lambda each: URGENT.index(each.state) if each.state in URGENT else len(URGENT))
    if contradicting:
        for pair in contradictions(cases):
            emit(msgspec.to_builtins(pair)) if as_json else say(contradiction_line(pair, language))
        return
    shown = [each for each in cases if (each.state in URGENT or not only_open) and (stale(each) or not only_stale)]
    for each in shown:
        if as_json:
            emit(case_json(each))
        else:
            say(summary_line(each, language), *(f"    ! {words}" for words in stale_words(language, stale(each))))
    if not shown and not as_json:
        say(case_word(language, "none"))


@case.command("show")
@case_argument
@lang_option
@json_option
@folder_option
@example(
    'audit case open replays/samples/dispute.jsonl --at 25 --by Ada "Why?" --in cases && '
    "audit case show last --in cases"
)
def case_show(name: str, language: str, as_json: bool, folder: Path | None) -> None:
    """Show a case whole. CASE is an id or how it begins, or `last`."""
    from replays.terminal.cases import case_json, case_lines

    with book_in(folder) as book:
        found = book.case(name)
    if as_json:
        emit(case_json(found))
    else:
        say(*case_lines(found, language))


@case.command("claim")
@case_argument
@click.argument("player")
@click.argument("lines", nargs=-1)
@click.option("--said", default="", help="In the player's words.")
@writer_options
@folder_option
@example(
    'audit case open replays/samples/dispute.jsonl --at 25 --by Ada "Why?" --in cases && '
    'audit case claim last A "A plague-5 1" --by Ada --in cases'
)
def case_claim(
    name: str, player: str, lines: tuple[str, ...], said: str, by: str, role: str, token: str, expected: int | None,
    folder: Path | None,
) -> None:  # fmt: skip
    """Write down what a player says happened: in words, and as a short score sheet, which is judged at once."""
    from replays.cases.opening import judged_lines

    who = _who(by, role, token)
    with book_in(folder) as book:
        found = book.case(name)
        judged = judged_lines(found.opened, lines, found.opened.lang) if lines else ()
    values = {**who, "player": player, "said": said, "sheet": lines, "judged": judged}
    _add(folder, name, "claimed", values, expected)


@case.command("agree")
@case_argument
@click.argument("text")
@writer_options
@folder_option
@example(
    'audit case open replays/samples/dispute.jsonl --at 25 --by Ada "Why?" --in cases && '
    'audit case agree last "It was A\'s turn." --by Ada --in cases'
)
def case_agree(name: str, text: str, by: str, role: str, token: str, expected: int | None, folder: Path | None) -> None:
    """Write down what everybody agrees on."""
    _add(folder, name, "agreed", {**_who(by, role, token), "text": text}, expected)


@case.command("evidence")
@case_argument
@click.option("--file", "file", type=click.Path(path_type=Path), help="A file, such as a photo.")
@click.option("--text", default="", help="Printed words.")
@click.option("--source", default="", help="Where they stand.")
@writer_options
@folder_option
@example(
    'audit case open replays/samples/dispute.jsonl --at 25 --by Ada "Why?" --in cases && '
    'audit case evidence last --text "Our own words." --source "page 3" --by Ada --in cases'
)
def case_evidence(
    name: str, file: Path | None, text: str, source: str, by: str, role: str, token: str, expected: int | None,
    folder: Path | None,
) -> None:  # fmt: skip
    """Add a file with its hash, or printed words with their source."""
    from replays.cases.book import MAX_FILE
    from replays.errors import whole_file_error
    from replays.files import read_whole

    values: dict[str, object] = {**_who(by, role, token), "text": text, "source": source}
    if file:
        try:
            data = read_whole(file, MAX_FILE)
        except OSError as problem:
            raise whole_file_error(str(file), "a file", problem.strerror or str(problem)) from None
        with book_in(folder) as book:
            hash = book.keep(book.find(name), data, str(values["by"]))
        media = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        values |= {"name": file.name, "sha256": hash, "size": len(data), "media": media}
    _add(folder, name, "evidence", values, expected)


@case.command("rule")
@case_argument
@click.argument("reason")
@click.option("--yes", "decision", flag_value="yes", help="What is asked about is allowed.")
@click.option("--no", "decision", flag_value="no", help="It is not allowed.")
@click.option("--other", "decision", flag_value="other", help="Neither; the reason says it.")
@click.option("--rule", "rules", multiple=True, help="A rule that the ruling rests on. May be given again.")
@click.option("--card", "cards", multiple=True, help="A card that it is about. May be given again.")
@click.option("--reason-in", nargs=2, multiple=True, metavar="LANG TEXT", help="The reason in another language.")
@click.option("--remedy", type=click.Choice(("as-it-stands", "backup", "repair")), default=None)
@click.option("--penalty", nargs=3, metavar="SEAT INFRACTION LEVEL", help=f"LEVEL is one of {', '.join(LEVELS)}.")
@click.option("--reading", default="", help="The reading that the ruling follows, such as fr.")
@writer_options
@folder_option
@example(
    'audit case open replays/samples/dispute.jsonl --at 25 --by Ada "Why?" --in cases && '
    'audit case rule last --no --rule play.face-up-needs-protocol "Not in this line." --by Ada --in cases'
)
def case_rule(
    name: str, reason: str, decision: str | None, rules: tuple[str, ...], cards: tuple[str, ...],
    reason_in: tuple[tuple[str, str], ...], remedy: str | None, penalty: tuple[str, str, str] | None, reading: str,
    by: str, role: str, token: str, expected: int | None, folder: Path | None,
) -> None:  # fmt: skip
    """Rule on a case. What it rests on is kept with it, so that a later change shows."""
    from replays.cases.writing import ruled

    if decision is None:
        raise click.UsageError("decide: --yes, --no or --other")
    who = _who(by, role, token)
    with book_in(folder) as book:
        found = book.case(name)
        event = ruled(found, {
            **who, "decision": decision, "rules": rules, "cards": cards, "remedy": remedy or "", "reading": reading,
            "reasons": {found.opened.lang: reason, **dict(reason_in)},
            "penalty": dict(zip(("player", "infraction", "level"), penalty, strict=True)) if penalty else None,
        })  # fmt: skip
        found = book.add(found.id, event, expected, who["by"])
    say(f"{found.id}: {found.state}, version {found.version}")


@case.command("appeal")
@case_argument
@click.argument("reason", default="")
@click.option("--player", required=True, help="Who appeals.")
@writer_options
@folder_option
@example(
    'audit case open replays/samples/dispute.jsonl --at 25 --by Ada "Why?" --in cases && '
    'audit case rule last --no "Not here." --by Ada --in cases && audit case appeal last --player A --by Ada --in cases'
)
def case_appeal(
    name: str, reason: str, player: str, by: str, role: str, token: str, expected: int | None, folder: Path | None
) -> None:
    """Write down that a player appeals. Then a head judge rules: `audit case rule CASE … --role head-judge`."""
    _add(folder, name, "appealed", {**_who(by, role, token), "player": player, "reason": reason}, expected)


@case.command("final")
@case_argument
@writer_options
@folder_option
@example(
    'audit case open replays/samples/dispute.jsonl --at 25 --by Ada "Why?" --in cases && '
    'audit case rule last --no "Not here." --by Ada --in cases && audit case final last --by Ada --in cases'
)
def case_final(name: str, by: str, role: str, token: str, expected: int | None, folder: Path | None) -> None:
    """Make a ruling final: nobody has appealed."""
    _add(folder, name, "made_final", _who(by, role, token), expected)


@case.command("withdraw")
@case_argument
@click.argument("reason", default="")
@writer_options
@folder_option
@example(
    'audit case open replays/samples/dispute.jsonl --at 25 --by Ada "Why?" --in cases && '
    'audit case withdraw last "They agree." --by Ada --in cases'
)
def case_withdraw(
    name: str, reason: str, by: str, role: str, token: str, expected: int | None, folder: Path | None
) -> None:
    """Withdraw a case: nobody asks any more."""
    _add(folder, name, "withdrawn", {**_who(by, role, token), "reason": reason}, expected)


@case.command("supersede")
@case_argument
@click.argument("later", metavar="LATER-CASE")
@click.argument("reason")
@writer_options
@folder_option
@example('audit case supersede cabcdefgh cbcdefghi "The card was reprinted." --by Ada')
def case_supersede(
    name: str, later: str, reason: str, by: str, role: str, token: str, expected: int | None, folder: Path | None
) -> None:
    """Say that a later case holds instead, and why."""
    with book_in(folder) as book:
        later = book.find(later)
    _add(folder, name, "superseded", {**_who(by, role, token), "case": later, "reason": reason}, expected)


@case.command("share")
@case_argument
@click.argument("audience", type=click.Choice(["judges", "public"]))
@writer_options
@folder_option
@example(
    'audit case open replays/samples/dispute.jsonl --at 25 --by Ada "Why?" --in cases && '
    "audit case share last public --by Ada --in cases"
)
def case_share(
    name: str, audience: str, by: str, role: str, token: str, expected: int | None, folder: Path | None
) -> None:
    """Say who may see a case on the server. The public never sees position, claims, evidence and penalties."""
    _add(folder, name, "shared", {**_who(by, role, token), "audience": audience}, expected)


@case.command("remedy")
@case_argument
@click.option("--to", type=int, required=True, help="The seq of the last event that stays; 0 is the start.")
@click.option("--log", type=click.Path(dir_okay=False, path_type=Path), help="The log, where it is not in the store.")
@click.option(
    "-o", "--out", type=click.Path(dir_okay=False, path_type=Path),
    help="Write the branch to this file. Default: into the store.",
)  # fmt: skip
@lang_option
@writer_options
@folder_option
@example(
    'audit case open replays/samples/dispute.jsonl --at 25 --by Ada "Why?" --in cases && '
    'audit case rule last --no --remedy backup "Not here." --by Ada --in cases && '
    "audit case remedy last --to 24 --log replays/samples/dispute.jsonl -o branch.jsonl --by Ada --in cases"
)
def case_remedy(
    name: str, to: int, log: Path | None, out: Path | None, language: str, by: str, role: str, token: str,
    expected: int | None, folder: Path | None,
) -> None:  # fmt: skip
    """Back the game up: print the plan, and make the branch in which the game goes on. The old game stays as it is."""
    from replays.cases.writing import branched
    from replays.files import read_whole
    from replays.store.store import Store
    from replays.terminal.variations import plan_lines
    from replays.trust.seal import MAX_BYTES

    who = _who(by, role, token)
    with book_in(folder) as book:
        found = book.case(name)
        if log:
            data = read_whole(log, MAX_BYTES)
        else:
            with Store() as store:
                data = store.export(store.find(found.opened.game_id or found.opened.game))
        made = branched(found, data, to, who, language)
        if out and out.exists():
            raise click.BadParameter(f"{out} is there already", param_hint="--out")
        book.add(found.id, made.event, expected, who["by"])
        say(*plan_lines(made.plan, language))
        if out:
            written(made.log, out)
            say(str(out))
        else:
            import io

            with Store() as store:
                say(f"{store.import_log(io.BytesIO(made.log), by=who['by']).game}  {made.event.game}")


@case.command("export")
@case_argument
@click.option("-o", "--out", type=click.Path(dir_okay=False, path_type=Path))
@folder_option
@example(
    'audit case open replays/samples/dispute.jsonl --at 25 --by Ada "Why?" --in cases && '
    "audit case export last --in cases"
)
def case_export(name: str, out: Path | None, folder: Path | None) -> None:
    """Write the file of a case, as it is kept. `audit seal` and `audit verify` take it."""
    with book_in(folder) as book:
        written(b"".join(book.lines(book.find(name))), out)


@case.command("bundle")
@case_argument
@click.option("-o", "--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The page to write.")
@click.option("--log", type=click.Path(dir_okay=False, path_type=Path), help="The log, where it is not in the store.")
@click.option("--public", "is_public", is_flag=True, help="Only what everybody may know of a public case.")
@click.option("--key", "key_name", help="Sign the page with this key of yours.")
@lang_option
@folder_option
@example(
    'audit case open replays/samples/dispute.jsonl --at 25 --by Ada "Why?" --in cases && '
    "audit case bundle last --log replays/samples/dispute.jsonl -o case.html --in cases"
)
def case_bundle(
    name: str, out: Path, log: Path | None, is_public: bool, key_name: str | None, language: str, folder: Path | None
) -> None:
    """Write one page that opens offline: the case, the log with its seal, rules and files. `audit verify` checks it."""
    from replays.cases.bundle import bundle_of, page_of, public_bundle_of, signed
    from replays.cases.note import now

    with book_in(folder) as book:
        found = book.case(name)
        data, seal = _log_of(found, log)
        if is_public:
            from web.publishing.disclosed import step_proof

            made = public_bundle_of(found, language, step_proof(data, seal, found.opened.seq))
        else:
            made = bundle_of(book, found.id, log=data, seal=seal, language=language, at=now())
    written(page_of(signed(made, key_name) if key_name else made), out)
    say(str(out), err=True)


def _log_of(found: Case, log: Path | None) -> tuple[bytes, Seal | None]:
    """The log of the game of a case with its seal; nothing where there is none, or it is not stored."""
    from replays.files import read_whole
    from replays.store.reading import UnknownGameError
    from replays.store.store import Store
    from replays.trust.seal import MAX_BYTES, beside, read_seal

    if log:
        return read_whole(log, MAX_BYTES), read_seal(beside(log)) if beside(log).exists() else None
    if found.opened.seq is None:
        return b"", None
    with Store() as store:
        try:
            id = store.find(found.opened.game_id or found.opened.game)
        except UnknownGameError:
            return b"", None
        return store.export(id), store.sealed(id)


@case.command("infractions")
@click.option("--player", default="", help="Only those of a player.")
@click.option("--rule", default="", help="Only those by a rule.")
@click.option("--round", "round_", default="", help="Only those of a round.")
@click.option("--csv", "form", flag_value="csv", help="As CSV.")
@click.option("--json", "form", flag_value="json", help="Print one JSON object a line.")
@click.option("-o", "--out", type=click.Path(dir_okay=False, path_type=Path))
@lang_option
@folder_option
@example("audit case infractions --in cases", "audit case infractions --csv --in cases")
def case_infractions(
    player: str, rule: str, round_: str, form: str | None, out: Path | None, language: str, folder: Path | None
) -> None:
    """List the penalties of an event by player, with how many each player has had before."""
    from replays.cases.infractions import as_csv, as_json_lines, infractions
    from replays.cases.words import case_word
    from replays.terminal.rules import find_rule

    with book_in(folder) as book:
        found = infractions(book.all(), player=player, rule=rule, round=round_)
    if rule and not found:
        find_rule(rule)
    if form or out:
        written(as_json_lines(found) if form == "json" else as_csv(found), out)
        return
    if not found:
        say(case_word(language, "infractions.none"))
    for each in sorted(found, key=lambda one: one.player.casefold()):
        level = case_word(language, f"level.{each.level}")
        say(f"{each.player:20} {each.round:>4} {level:16} +{each.before}  {each.case}  {each.infraction}  {each.rule}")


@click.command()
@click.argument("place", metavar="LOG|POSITION|CASE|RULE")
@click.option("--at", type=int, help="Of a log: the seq of the event.")
@click.option("--asked", multiple=True, help="Of a position: an event as on a score sheet.")
@click.option("--ruleset", "ruleset_name", default="compile", show_default=True, help="Of a rule: the game.")
@lang_option
@json_option
@folder_option
@example("audit precedents replays/samples/dispute.jsonl --at 25", "audit precedents play.face-up-needs-protocol")
def precedents(
    place: str, at: int | None, asked: tuple[str, ...], ruleset_name: str, language: str, as_json: bool,
    folder: Path | None,
) -> None:  # fmt: skip
    """Find what was decided before: cases and official rulings that are like a step, a position, a case or a rule.

    Each says why it is thought alike; `!` marks a ruling that cites what reads otherwise today.
    """
    import msgspec

    from replays.terminal.cases import likeness_lines

    with book_in(folder) as book:
        found = _found(book, place, at, asked, ruleset_name)
    for each in found if as_json else ():
        emit(msgspec.to_builtins(each))
    if not as_json:
        say(*likeness_lines(found, language))


def _found(book: CaseBook, place: str, at: int | None, asked: tuple[str, ...], name: str) -> list[Likeness]:
    from audit.core.ruleset import rulesets
    from replays.cases.book import UnknownCaseError
    from replays.cases.writing import precedents_of_case, precedents_of_place, precedents_of_rule
    from replays.terminal.rules import find_rule

    if at is not None or place == "-" or is_a_file(place) or place.partition("/")[0] in rulesets():
        return precedents_of_place(book, _place(place, at, asked)[0])
    try:
        return precedents_of_case(book, book.case(place))
    except UnknownCaseError:
        return precedents_of_rule(book, name, find_rule(place, name)[1].id)
