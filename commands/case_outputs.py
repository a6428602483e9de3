"""Commands that write a case down: its file, a page that opens offline, and the penalties of an event."""

from __future__ import annotations

from pathlib import Path

import click

from commands.case_options import OPENED, book_in, case_argument, folder_option, log_of, log_option, out_option
from commands.common import example, lang_option, say, written


@click.command("export")
@case_argument
@out_option
@folder_option
@example(OPENED + "audit case export last --in cases")
def case_export(name: str, out: Path | None, folder: Path | None) -> None:
    """Write the file of a case, as it is kept. `audit seal` and `audit verify` take it."""
    with book_in(folder) as book:
        written(b"".join(book.lines(book.find(name))), out)


@click.command("bundle")
@case_argument
@click.option("-o", "--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The page to write.")
@log_option
@click.option("--public", "is_public", is_flag=True, help="Only what everybody may know of a public case.")
@click.option("--key", "key_name", help="Sign the page with this key of yours.")
@lang_option
@folder_option
@example(OPENED + "audit case bundle last --log replays/samples/dispute.jsonl -o case.html --in cases")
def case_bundle(
    name: str, out: Path, log: Path | None, is_public: bool, key_name: str | None, language: str, folder: Path | None
) -> None:
    """Write one page that opens offline: the case, the log with its seal, rules and files. `audit verify` checks it."""
    from replays.cases.bundle import PrintedWords, bundle_of, page_of, public_bundle_of, signed
    from replays.cases.note import now
    from web.rulebooks.quotes import StoredQuotes

    with book_in(folder) as book:
        found, quotes = book.case(name), StoredQuotes()

        def printed(rule: str) -> list[PrintedWords]:
            said = quotes.of(found.opened.ruleset, rule)
            latest = {one.document: one.edition for one in said}
            said = [one for one in said if one.edition == latest[one.document]]
            return [PrintedWords(one.language, one.text, f"{one.document} {one.edition}, {one.place}") for one in said]

        data, seal = log_of(found, log)
        if is_public:
            from web.publishing.disclosed import step_proof

            made = public_bundle_of(found, language, step_proof(data, seal, found.opened.seq), printed)
        else:
            made = bundle_of(book, found.id, log=data, seal=seal, language=language, at=now(), printed=printed)
    written(page_of(signed(made, key_name) if key_name else made), out)
    say(str(out), err=True)


@click.command("infractions")
@click.option("--player", default="", help="Only those of a player.")
@click.option("--rule", default="", help="Only those by a rule.")
@click.option("--round", "round_", default="", help="Only those of a round.")
@click.option("--csv", "form", flag_value="csv", help="As CSV.")
@click.option("--json", "form", flag_value="json", help="Print one JSON object a line.")
@out_option
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
