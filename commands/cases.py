"""Commands for cases: opening, ruling, appealing, and what becomes of them."""

from __future__ import annotations

import mimetypes
from pathlib import Path

import click

from commands.case_options import (
    OPENED,
    RULED,
    Writer,
    book_in,
    case_argument,
    folder_option,
    log_option,
    place_told,
    writer_options,
)
from commands.case_outputs import case_bundle, case_export, case_infractions
from commands.common import (
    Group,
    emit,
    example,
    in_language_option,
    json_option,
    known_languages,
    lang_option,
    say,
    written,
)

LEVELS = ("note", "warning", "game-loss", "match-loss", "disqualification")


@click.group(cls=Group)
def case() -> None:
    """Keep cases: what judges were asked, what they decided, and what became of it.

    They are kept in the store, or in the folder of --in; a viewer without stored games keeps them in the data folder,
    where they are found too. CASE is an id or how it begins, or `last` for the case that
    was opened last.
    """


@case.command("open")
@click.argument("place", metavar="LOG|POSITION")
@click.argument("question")
@click.option("--at", type=int, help="Of a log: the seq of the event that is in question.")
@click.option("--asked", multiple=True, help="Of a position: an event as on a score sheet. May be given again.")
@click.option(
    "--langs", default="en", show_default=True, callback=known_languages, help="The players' languages: fr,pl."
)
@click.option("--round", "round_", default="", help="The round of the event.")
@click.option("--table", default="", help="The table.")
@click.option("--event", "tournament", default="", help="The event.")
@writer_options
@example('audit case open replays/samples/dispute.jsonl --at 25 --by Ada "May this card lie here?" --in cases')
def case_open(
    place: str, question: str, at: int | None, asked: tuple[str, ...], langs: tuple[str, ...], round_: str, table: str,
    tournament: str, writer: Writer,
) -> None:  # fmt: skip
    """Open a case at a step of a game (a file, or a stored game), or on a position line."""
    from replays.cases.writing import opened, opinion_on

    who = writer.who()
    found, more = place_told(place, at, asked)
    if writer.folder:
        writer.folder.mkdir(parents=True, exist_ok=True)
    with book_in(writer.folder) as book:
        event = opened(found, {
            **who, "question": question, "languages": langs, "lang": langs[0],
            "round": round_, "table": table, "tournament": tournament, **more,
        })  # fmt: skip
        made = book.open(event, opinion_on(event, who), by=who["by"])
        say(f"{made.id}: {made.state}, version {made.version}")


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
@example(OPENED + "audit case show last --in cases")
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
@example(OPENED + 'audit case claim last A "A plague-5 1" --by Ada --in cases')
def case_claim(name: str, player: str, lines: tuple[str, ...], said: str, writer: Writer) -> None:
    """Write down what a player says happened: in words, and as a short score sheet, which is judged at once."""
    from replays.cases.opening import judged_lines

    with book_in(writer.folder) as book:
        found = book.case(name)
        judged = judged_lines(found.opened, lines, found.opened.lang) if lines else ()
    writer.add(name, "claimed", player=player, said=said, sheet=lines, judged=judged)


@case.command("agree")
@case_argument
@click.argument("text")
@writer_options
@example(OPENED + 'audit case agree last "It was A\'s turn." --by Ada --in cases')
def case_agree(name: str, text: str, writer: Writer) -> None:
    """Write down what everybody agrees on."""
    writer.add(name, "agreed", text=text)


@case.command("evidence")
@case_argument
@click.option("--file", "file", type=click.Path(path_type=Path), help="A file, such as a photo.")
@click.option("--text", default="", help="Printed words.")
@click.option("--source", default="", help="Where they stand.")
@writer_options
@example(OPENED + 'audit case evidence last --text "Our own words." --source "page 3" --by Ada --in cases')
def case_evidence(name: str, file: Path | None, text: str, source: str, writer: Writer) -> None:
    """Add a file with its hash, or printed words with their source."""
    from replays.cases.book import MAX_FILE
    from replays.errors import whole_file_error
    from replays.files import read_whole

    values: dict[str, object] = {"text": text, "source": source}
    if file:
        try:
            data = read_whole(file, MAX_FILE)
        except OSError as problem:
            raise whole_file_error(str(file), "a file", problem.strerror or str(problem)) from None
        with book_in(writer.folder) as book:
            hash = book.keep(book.find(name), data, writer.who()["by"])
        media = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        values |= {"name": file.name, "sha256": hash, "size": len(data), "media": media}
    writer.add(name, "evidence", **values)


@case.command("rule")
@case_argument
@click.argument("reason")
@click.option("--yes", "decision", flag_value="yes", help="What is asked about is allowed.")
@click.option("--no", "decision", flag_value="no", help="It is not allowed.")
@click.option("--other", "decision", flag_value="other", help="Neither; the reason says it.")
@click.option("--rule", "rules", multiple=True, help="A rule that the ruling rests on. May be given again.")
@click.option("--card", "cards", multiple=True, help="A card that it is about. May be given again.")
@in_language_option("--reason-in", "The reason in another language.")
@click.option("--remedy", type=click.Choice(("as-it-stands", "backup", "repair")), default=None)
@click.option("--penalty", nargs=3, metavar="SEAT INFRACTION LEVEL", help=f"LEVEL is one of {', '.join(LEVELS)}.")
@click.option("--reading", default="", help="The reading that the ruling follows, such as fr.")
@writer_options
@example(
    OPENED + 'audit case rule last --no --rule play.face-up-needs-protocol "Not in this line." --by Ada --in cases'
)
def case_rule(
    name: str, reason: str, decision: str | None, rules: tuple[str, ...], cards: tuple[str, ...],
    reason_in: tuple[tuple[str, str], ...], remedy: str | None, penalty: tuple[str, str, str] | None, reading: str,
    writer: Writer,
) -> None:  # fmt: skip
    """Rule on a case. What it rests on is kept with it, so that a later change shows."""
    from replays.cases.writing import ruled

    if decision is None:
        raise click.UsageError("decide: --yes, --no or --other")
    who = writer.who()
    with book_in(writer.folder) as book:
        found = book.case(name)
        event = ruled(found, {
            **who, "decision": decision, "rules": rules, "cards": cards, "remedy": remedy or "", "reading": reading,
            "reasons": {found.opened.lang: reason, **dict(reason_in)},
            "penalty": dict(zip(("player", "infraction", "level"), penalty, strict=True)) if penalty else None,
        })  # fmt: skip
        found = book.add(found.id, event, writer.expected, who["by"])
    say(f"{found.id}: {found.state}, version {found.version}")


@case.command("reword")
@case_argument
@click.argument("reason")
@in_language_option("--reason-in", "The reason in another language.")
@writer_options
@example(RULED + 'audit case reword last "That line is not its own." --by Ada --in cases')
def case_reword(name: str, reason: str, reason_in: tuple[tuple[str, str], ...], writer: Writer) -> None:
    """Say the reason of a ruling in other words; the decision stays. Once it is final, a head judge does."""
    writer.add(name, "reworded", reasons={_language_of(name, writer): reason, **dict(reason_in)})


@case.command("question")
@case_argument
@click.argument("question")
@in_language_option("--question-in", "The question in another language.")
@writer_options
@example(OPENED + 'audit case question last "May this card lie in line 2?" --by Ada --in cases')
def case_question(name: str, question: str, question_in: tuple[tuple[str, str], ...], writer: Writer) -> None:
    """Ask the question of a case in other words; what it is about stays. Once it is final, a head judge does."""
    writer.add(name, "question_changed", questions={_language_of(name, writer): question, **dict(question_in)})


def _language_of(name: str, writer: Writer) -> str:
    """The language in which a case is asked."""
    with book_in(writer.folder) as book:
        return book.case(name).opened.lang


@case.command("appeal")
@case_argument
@click.argument("reason", default="")
@click.option("--player", required=True, help="Who appeals.")
@writer_options
@example(RULED + "audit case appeal last --player A --by Ada --in cases")
def case_appeal(name: str, reason: str, player: str, writer: Writer) -> None:
    """Write down that a player appeals. Then a head judge rules: `audit case rule CASE … --role head-judge`."""
    writer.add(name, "appealed", player=player, reason=reason)


@case.command("final")
@case_argument
@writer_options
@example(RULED + "audit case final last --by Ada --in cases")
def case_final(name: str, writer: Writer) -> None:
    """Make a ruling final: nobody has appealed."""
    writer.add(name, "made_final")


@case.command("withdraw")
@case_argument
@click.argument("reason", default="")
@writer_options
@example(OPENED + 'audit case withdraw last "They agree." --by Ada --in cases')
def case_withdraw(name: str, reason: str, writer: Writer) -> None:
    """Withdraw a case: nobody asks any more."""
    writer.add(name, "withdrawn", reason=reason)


@case.command("supersede")
@case_argument
@click.argument("later", metavar="LATER-CASE")
@click.argument("reason")
@writer_options
@example('audit case supersede cabcdefgh cbcdefghi "The card was reprinted." --by Ada')
def case_supersede(name: str, later: str, reason: str, writer: Writer) -> None:
    """Say that a later case holds instead, and why."""
    with book_in(writer.folder) as book:
        later = book.find(later)
    writer.add(name, "superseded", case=later, reason=reason)


@case.command("share")
@case_argument
@click.argument("audience", type=click.Choice(["judges", "public"]))
@writer_options
@example(OPENED + "audit case share last public --by Ada --in cases")
def case_share(name: str, audience: str, writer: Writer) -> None:
    """Say who may see a case on the server. The public never sees position, claims, evidence and penalties."""
    from replays.cases.disclosed import secrets_named
    from replays.cases.words import case_word

    writer.add(name, "shared", audience=audience)
    with book_in(writer.folder) as book:
        found = book.case(name)
    if found.is_public and (cards := secrets_named(found, "en")):
        say(case_word("en", "shared.names", cards=", ".join(cards)), err=True)


@case.command("remedy")
@case_argument
@click.option("--to", type=int, required=True, help="The seq of the last event that stays; 0 is the start.")
@log_option
@click.option(
    "-o", "--out", type=click.Path(dir_okay=False, path_type=Path),
    help="Write the branch to this file. Default: into the store.",
)  # fmt: skip
@lang_option
@writer_options
@example(
    OPENED
    + 'audit case rule last --no --remedy backup "Not here." --by Ada --in cases && '
    + "audit case remedy last --to 24 --log replays/samples/dispute.jsonl -o branch.jsonl --by Ada --in cases"
)
def case_remedy(name: str, to: int, log: Path | None, out: Path | None, language: str, writer: Writer) -> None:
    """Back the game up: print the plan, and make the branch in which the game goes on. The old game stays as it is."""
    from replays.cases.writing import branched
    from replays.files import read_whole
    from replays.store.store import Store
    from replays.terminal.variations import plan_lines
    from replays.trust.seal import MAX_BYTES

    who = writer.who()
    with book_in(writer.folder) as book:
        found = book.case(name)
        if log:
            data = read_whole(log, MAX_BYTES)
        else:
            with Store() as store:
                data = store.export(store.find(found.opened.game_id or found.opened.game))
        made = branched(found, data, to, who, language)
        if out and out.exists():
            raise click.BadParameter(f"{out} is there already", param_hint="--out")
        book.add(found.id, made.event, writer.expected, who["by"])
        say(*plan_lines(made.plan, language))
        if out:
            written(made.log, out)
            say(str(out))
        else:
            import io

            with Store() as store:
                say(f"{store.import_log(io.BytesIO(made.log), by=who['by']).game}  {made.event.game}")


for each in (case_export, case_bundle, case_infractions):
    case.add_command(each)
